"""Buffers with spaces, nested items, and everything besides indices."""

import json

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.spaces import Box, Dict, Discrete, Graph, MultiDiscrete, Text, Tuple
from hypothesis import given
from hypothesis import strategies as st

from gridarium.episodes import EpisodeError, InfiniteLookbackBuffer, batch
from gridarium.episodes.buffer.spaces import space_from_state, space_to_state
from tests.episodes.spaces import NESTED, same, samples


@pytest.fixture(params=["lists", "arrays"])
def nested(request):
    buffer = InfiniteLookbackBuffer(samples(NESTED, 6), lookback=2, space=NESTED)
    if request.param == "arrays":
        buffer.finalize()
    return buffer


def as_items(found):
    if isinstance(found, list):
        return found
    return [
        {"kind": found["kind"][i], "picture": found["picture"][i], "rest": tuple(p[i] for p in found["rest"])}
        for i in range(len(found["kind"]))
    ]


def test_nested_items(nested):
    items = samples(NESTED, 6)
    assert same(nested.get(0), items[2])
    assert same(as_items(nested.get()), items[2:])
    assert same(as_items(nested.get(slice(-6, -3))), items[:3])
    assert same(as_items(nested.get([0, -1])), [items[2], items[5]])
    assert same(as_items(nested.data), items)


def test_filled_items_have_the_form_of_the_space(nested):
    filled = as_items(nested.get(slice(-8, -5), fill=3.7))[0]
    assert filled["picture"].tolist() == [[3, 3, 3], [3, 3, 3]]
    assert filled["kind"] == 3
    assert filled["rest"][1] == np.float32(3.7)
    assert same(nested.get(100, fill=0)["picture"], np.zeros((2, 3), np.uint8))


def test_filling_at_random_samples_the_space(nested):
    NESTED.seed(3)
    found = as_items(nested.get(slice(3, 7), fill="random"))
    assert len(found) == 4
    assert all(NESTED.contains(item) for item in found)


def test_one_hot_touches_discrete_parts_only(nested):
    items = samples(NESTED, 6)
    for found, item in zip(as_items(nested.get(one_hot_discrete=True)), items[2:]):
        assert found["kind"].tolist() == [float(i == item["kind"]) for i in range(4)]
        first, second = item["rest"][0]
        wanted = [float(i == first) for i in range(2)] + [float(i == second) for i in range(3)]
        assert found["rest"][0].tolist() == wanted
        assert found["kind"].dtype == found["rest"][0].dtype == np.float32
        assert same(found["picture"], item["picture"])
        assert same(found["rest"][2], item["rest"][2])


def test_filled_one_hot_vectors_hold_the_number_itself(nested):
    found = as_items(nested.get(slice(2, 6), fill=0.5, one_hot_discrete=True))
    assert len(found) == 4
    assert found[3]["kind"].tolist() == [0.5] * 4
    assert found[3]["rest"][0].tolist() == [0.5] * 5
    assert found[3]["picture"].tolist() == [[0, 0, 0], [0, 0, 0]]


@pytest.mark.parametrize("finalized", [False, True])
@pytest.mark.parametrize(
    ("space", "value", "wanted"),
    [
        (Discrete(3, start=5), 6, [0, 1, 0]),
        (Discrete(3, start=-1), -1, [1, 0, 0]),
        (Discrete(300), 299, [0] * 299 + [1]),
        (MultiDiscrete([[2, 2], [1, 3]]), [[1, 0], [0, 2]], [0, 1, 1, 0, 1, 0, 0, 1]),
        (MultiDiscrete([2, 2], start=[4, -1]), [5, -1], [0, 1, 1, 0]),
    ],
)
def test_one_hot_of_spaces_of_any_start_size_and_shape(space, value, wanted, finalized):
    buffer = InfiniteLookbackBuffer([np.array(value) if isinstance(value, list) else value] * 2, 0, space)
    if finalized:
        buffer.finalize()
    assert buffer.get(0, one_hot_discrete=True).tolist() == wanted
    found = buffer.get(slice(0, 3), one_hot_discrete=True, fill=0)
    assert [row.tolist() for row in found] == [wanted, wanted, [0] * len(wanted)]


@pytest.mark.parametrize("finalized", [False, True])
@pytest.mark.parametrize(
    ("space", "value"), [(Discrete(3), 3), (Discrete(3, start=1), 0), (Discrete(300), 300)]
)
def test_one_hot_of_a_value_outside_the_space_is_refused(space, value, finalized):
    buffer = InfiniteLookbackBuffer([value], 0, Dict({"a": space}))
    buffer.data = [{"a": value}]
    if finalized:
        buffer.finalize()
    with pytest.raises(AssertionError, match=r"\['a'\].*outside the space, allowed: "):
        buffer.get(one_hot_discrete=True)


def test_one_hot_needs_a_space():
    with pytest.raises(ValueError, match="needs the space"):
        InfiniteLookbackBuffer([1]).get(0, one_hot_discrete=True)


def test_without_a_space_the_fill_itself_is_given():
    buffer = InfiniteLookbackBuffer([np.zeros(2, np.float32)])
    assert buffer.get(slice(0, 2), fill="x")[1] == "x"
    buffer.finalize()
    assert buffer.get(slice(-2, 1), neg_index_as_lookback=True, fill=4).tolist() == [[4, 4], [4, 4], [0, 0]]


def test_appending_popping_and_extending_goes_on_after_finalizing():
    buffer = InfiniteLookbackBuffer([0, 1, 2, 3, 10])
    buffer.finalize()
    buffer.append(11)
    buffer.extend([12, 13])
    buffer.extend(np.array([14]))
    assert buffer.get([-3, -2]).tolist() == [12, 13]
    buffer.pop()
    buffer.pop(0)
    assert buffer.data.tolist() == [1, 2, 3, 10, 11, 12, 13]
    with pytest.raises(IndexError, match="there are 7 items"):
        buffer.pop(7)


def test_a_finalized_nested_buffer_takes_items_and_structs(nested):
    items = samples(NESTED, 3, seed=5)
    before = as_items(nested.data)
    nested.append(items[0])
    nested.extend(batch(items[1:]) if nested.finalized else items[1:])
    assert same(as_items(nested.data), before + items)


@pytest.mark.parametrize("finalized", [False, True])
def test_setting_items(finalized):
    space = Box(0, 99, (2,), np.int64)
    buffer = InfiniteLookbackBuffer([np.array([i, i]) for i in range(6)], 2, space)
    if finalized:
        buffer.finalize()
    buffer[0] = np.array([7, 8])
    buffer.set(np.array([9, 9]), at_indices=-1, neg_index_as_lookback=True)
    buffer.set([np.array([1, 1]), np.array([2, 2])], at_indices=[-1, 1])
    assert [list(item) for item in buffer.data] == [[0, 0], [9, 9], [7, 8], [2, 2], [4, 4], [1, 1]]
    buffer.set(np.zeros((4, 2), np.int64))
    assert [list(item) for item in buffer.get()] == [[0, 0]] * 4
    for index in (4, -7):
        with pytest.raises(IndexError):
            buffer.set(np.array([1, 1]), at_indices=index)


@pytest.mark.parametrize(
    ("new", "leaf"),
    [
        ({"kind": 4}, r"\['kind'\]"),
        ({"picture": np.full((2, 3), 300)}, r"\['picture'\]"),
        ({"picture": np.zeros((3, 2), np.uint8)}, r"\['picture'\]"),
        ({"kind": 0.5}, r"\['kind'\]"),
    ],
)
def test_setting_arrays_checks_every_leaf_and_every_item(nested, new, leaf):
    nested.finalize()
    before = nested.data["picture"].copy()
    item = samples(NESTED, 1)[0] | new
    with pytest.raises(AssertionError, match=leaf):
        nested.set(item, at_indices=1)
    if np.shape(item["picture"]) == (2, 3):
        with pytest.raises(IndexError, match=leaf):
            nested.set(batch([samples(NESTED, 1)[0], item]), at_indices=slice(1, 3))
    assert (nested.data["picture"] == before).all()
    nested.set(samples(NESTED, 1, seed=9)[0], at_indices=1)
    assert same(nested.get(1), samples(NESTED, 1, seed=9)[0])


def test_lookback():
    buffer = InfiniteLookbackBuffer([1, 2], lookback=9)
    assert (buffer.lookback, len(buffer), bool(buffer)) == (2, 0, False)
    with pytest.raises(ValueError, match="-1"):
        InfiniteLookbackBuffer([1], lookback=-1)


def test_adding():
    buffer = InfiniteLookbackBuffer([1, 2], lookback=1)
    assert (buffer + 1).data == [2, 3]
    assert buffer.__add__([5]).data == [1, 2, 5]
    joined = buffer + InfiniteLookbackBuffer([8, 9], lookback=1)
    assert (joined.data, joined.lookback) == ([1, 2, 9], 1)
    assert buffer.data == [1, 2]
    with pytest.raises(TypeError):
        buffer + "x"
    buffer.concat(joined)
    assert buffer.data == [1, 2, 2, 9]
    buffer.finalize()
    with pytest.raises(RuntimeError):
        buffer + 1


def test_equality():
    def make(**changed):
        return InfiniteLookbackBuffer(**({"data": [1, 2], "lookback": 1, "space": Discrete(3)} | changed))

    assert make() == make()
    for changed in ({"data": [1, 3]}, {"data": [1, 2, 3]}, {"lookback": 0}, {"space": None}):
        assert make() != make(**changed)
    other = make()
    other.finalize()
    assert make() != other
    assert make() != [1, 2]
    with pytest.raises(TypeError):
        hash(make())


def test_repr_shows_the_lookback():
    assert repr(InfiniteLookbackBuffer([1, 2, 3], 1)) == "InfiniteLookbackBuffer([1] <- lookback(1) | [2, 3])"


def test_nothing_cannot_be_finalized():
    with pytest.raises(ValueError, match="empty"):
        InfiniteLookbackBuffer().finalize()


def test_the_space_as_a_struct(nested):
    assert nested.space_struct["kind"] == Discrete(4)
    assert isinstance(nested.space_struct["rest"], tuple)
    nested.space = Discrete(2)
    assert nested.space_struct == Discrete(2)


def test_states(nested):
    again = InfiniteLookbackBuffer.from_state(nested.get_state())
    assert again == nested
    assert again.space == NESTED


SPACES = st.recursive(
    st.builds(lambda n, s: Discrete(n, start=s), st.integers(1, 9), st.integers(-5, 5))
    | st.builds(
        lambda low, d: Box(low, np.inf, (2,), d), st.floats(-9, 9), st.sampled_from([np.float32, np.float64])
    )
    | st.just(MultiDiscrete([[2, 3], [1, 2]], start=[[0, 1], [2, 3]]))
    | st.just(gym.spaces.MultiBinary([2, 2]))
    | st.just(Text(4, min_length=0, charset="abc")),
    lambda inner: (
        st.lists(inner, min_size=1, max_size=2).map(Tuple)
        | st.dictionaries(st.sampled_from("xyz"), inner, min_size=1, max_size=2).map(Dict)
    ),
    max_leaves=4,
)


@given(SPACES)
def test_spaces_as_plain_data(space):
    state = json.loads(json.dumps(space_to_state(space)))
    assert space_from_state(state) == space


def test_spaces_without_plain_form_are_refused():
    with pytest.raises(EpisodeError, match="Graph"):
        space_to_state(Dict({"a": Graph(Box(0, 1), None)}))


@pytest.mark.parametrize(
    "state",
    [
        {},
        {"space": "spam"},
        {"space": "discrete"},
        {"space": "box", "low": {"dtype": "|O", "shape": [1], "data": "AAAAAAAAAAA="}, "high": None},
        {"space": "box", "low": {"dtype": "<f4", "shape": [9], "data": "AAAA"}, "high": None},
    ],
)
def test_damaged_descriptions_of_spaces_are_refused(state):
    with pytest.raises(EpisodeError):
        space_from_state(state)
