"""The actions of live worlds as rules of the core: compiled as interpreted, masks as asked one by one."""

from __future__ import annotations

import numpy as np
import pytest

from gridarium import World
from gridarium.live.description import describe
from gridarium.live.objects import (
    AgentBody,
    AreaTile,
    CollectionDropOffTile,
    Door,
    EnvObject,
    SquareBlock,
    Wall,
)
from gridarium.worlds import Description


def described() -> Description:
    objects: list[EnvObject] = [Wall((x, 3)) for x in range(7) if x != 4]
    objects += [Door((4, 3)), Door((0, 5), is_open=True), AreaTile((1, 1)), AreaTile((1, 1))]
    objects += [
        SquareBlock((2, 2), is_movable=True),
        SquareBlock((5, 5), is_movable=True),
        SquareBlock((3, 5)),
    ]
    objects += [EnvObject((2, 2 + i), f"ball {i}", is_traversable=True, is_movable=True) for i in (-1, 0)]
    agents = [AgentBody((1 + i, 1), f"a{i}", is_traversable=i != 1) for i in range(3)]
    objects += [CollectionDropOffTile(place) for place in ((2, 2), (5, 5), (3, 1))]
    wanted = {"wanted": [0x4286F4, 0x4286F4], "zone": [2, 2, 5, 5, 1, 3]}
    return describe(
        "teams", (7, 7), objects, agents, parameters={"grab_range": 2.0, "max_objects": 2}, illegal="attempt",
        rewards=[{"name": "collect_wanted", **wanted}, {"name": "collect_wanted", **wanted, "in_order": True}],
        terminations=[{"name": "all_collected", **wanted, "in_order": True}],
    )  # fmt: skip


@pytest.mark.slow
def test_they_do_the_same_compiled_and_interpreted_and_their_masks_say_what_succeeds() -> None:
    world, interpreted = World(described()), World(described(), compiled=False)
    batches = [each.batch(3) for each in (world, interpreted)]
    for batch in batches:
        batch.reset(5)
    rng = np.random.default_rng(0)
    succeeded = rewarded = 0
    fewest = 8
    for _ in range(150):
        masks = np.array(batches[0].masks)
        assert np.array_equal(masks, batches[1].masks)
        likely = rng.random(masks.shape) + 2.0 * masks * (rng.random(masks.shape[:2]) < 0.7)[..., None]
        actions = likely.argmax(axis=2)
        results = [batch.step(actions) for batch in batches]
        assert np.array_equal(results[0].rewards, results[1].rewards)
        rewarded += int((results[0].rewards != 0).sum())
        for i in range(3):
            assert batches[0].state(i).tobytes() == batches[1].state(i).tobytes()
            alone = masks[i, 0, actions[i, 0]]  # the first agent acts before anything has changed
            assert (batches[0].state(i).agents[0].result == 0) == alone
            succeeded += int(alone)
            fewest = min(fewest, len(batches[0].state(i).things))
    assert succeeded > 100
    assert rewarded > 0
    assert fewest < len(interpreted.reset(5).things) == 8
    assert interpreted.reset(5).identical(world.reset(5))


def test_a_live_world_is_a_description_that_reads_as_it_is_written() -> None:
    given = described()
    assert Description.from_dict(given.to_dict()) == given
    state = World(given, compiled=False).reset(0)
    assert [type(thing.object).__name__ for thing in state.things] == ["Door", "Door", "AreaTile"] + [
        "Item"
    ] * 5
    assert [agent.traversable for agent in state.agents] == [True, False, True]
    assert state.things[3].colour == 0x4286F4


@pytest.mark.parametrize("grab_range", [0.5, 5.0])
def test_ranges_are_parameters(grab_range: float) -> None:
    objects = [EnvObject((3, 1), "ball", is_traversable=True, is_movable=True)]
    given = describe("x", (5, 3), objects, [AgentBody((0, 1), "a")], parameters={"grab_range": grab_range})
    world = World(given, compiled=False)
    state = world.reset(0)
    grab = next(i for i, action in enumerate(world.actions) if action.name == "GrabObject(0)")
    after, _, _ = world.step(state, grab)
    assert after.things[0].is_carried == (grab_range == 5.0)


def test_an_unknown_parameter_is_refused() -> None:
    with pytest.raises(ValueError, match="actions have no parameter 'reach'; there are door_range"):
        describe("x", (3, 3), [], [AgentBody((0, 0), "a")], parameters={"reach": 1})
