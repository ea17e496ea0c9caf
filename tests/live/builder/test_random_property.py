"""Random properties: what is drawn, and how often."""

from collections import Counter

import numpy as np
import pytest

from gridarium.live.builder import RandomOrder, RandomProperty, WorldBuilder


@pytest.fixture
def rng():
    return np.random.RandomState(3)


def test_all_values_are_equally_likely_by_default(rng):
    drawn = Counter(RandomProperty("abcd").draw(rng) for _ in range(2000))
    assert all(abs(count - 500) < 100 for count in drawn.values())


def test_weights_are_normalised(rng):
    prop = RandomProperty(["a", "b", "c"], [6, 2, 0])
    assert prop.distribution == [0.75, 0.25, 0]
    drawn = Counter(prop.draw(rng) for _ in range(1000))
    assert 700 < drawn["a"] < 800
    assert drawn["c"] == 0


def test_without_duplicates_each_value_is_drawn_once_until_it_is_reset(rng):
    prop = RandomProperty([1, 2, 3], [1, 1, 8], allow_duplicates=False)
    assert sorted(prop.draw(rng) for _ in range(3)) == [1, 2, 3]
    with pytest.raises(ValueError, match=r"all 3 values .* reset\(\)"):
        prop.draw(rng)
    prop.reset()
    assert prop.selected_values == []
    assert prop.draw(rng) in (1, 2, 3)


def test_values_may_be_lists_and_dicts_and_are_copied(rng):
    value = {"order": [[1], [2]]}
    prop = RandomProperty([value])
    drawn = prop.draw(rng)
    drawn["order"].append(3)
    assert prop.values == [{"order": [[1], [2]]}]
    assert prop.selected_values == [value]


def test_numbers_stay_numbers_of_python(rng):
    assert type(RandomProperty(np.array([1, 2])).draw(rng)) is int
    assert type(RandomProperty([1.5, 2.5]).draw(rng)) is float


@pytest.mark.parametrize("weights", [[1], [1, -1], [0, 0], [float("nan"), 1], [float("inf"), 1]])
def test_weights_that_do_not_fit_are_refused(weights):
    with pytest.raises(ValueError, match=r"weights?"):
        RandomProperty([1, 2], weights)


def test_there_must_be_a_value():
    with pytest.raises(ValueError, match="at least one"):
        RandomProperty([])


def test_an_order_is_a_random_property_over_all_orders(rng):
    order = RandomOrder("ab", length=2, with_duplicates=True)
    assert isinstance(order, RandomProperty)
    assert order.values == [["a", "a"], ["a", "b"], ["b", "a"], ["b", "b"]]
    assert {tuple(order.draw(rng)) for _ in range(50)} == set(map(tuple, order.values))
    assert {tuple(RandomOrder("ab").draw(rng)) for _ in range(50)} == {("a", "b"), ("b", "a")}


def test_an_order_needs_enough_possibilities():
    with pytest.raises(ValueError, match="there are 2"):
        RandomOrder("ab", length=3)


def test_each_world_draws_anew_and_also_within_lists_and_dicts():
    builder = WorldBuilder((5, 5))
    builder.add_object(
        (1, 1),
        "box",
        load={"parts": [RandomProperty(range(100)), "fixed"]},
        weight=RandomProperty(range(100)),
    )
    loads, weights = set(), set()
    for world in builder.worlds(10, compiled=False):
        properties = world.environment_objects["box"].properties
        assert properties["load"]["parts"][1] == "fixed"
        loads.add(properties["load"]["parts"][0])
        weights.add(properties["weight"])
    assert len(loads) > 5
    assert len(weights) > 5


def test_one_property_for_several_objects_without_duplicates_gives_each_another_value():
    builder = WorldBuilder((5, 5))
    colours = RandomProperty(["#ff0000", "#00ff00", "#0000ff"], allow_duplicates=False)
    builder.add_multiple_objects([(0, 0), (1, 0), (2, 0)], "block", visualize_colours=colours)
    world = builder.get_world(compiled=False)
    assert len({o.visualize_colour for o in world.environment_objects.values()}) == 3
