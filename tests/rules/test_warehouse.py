"""Warehouses, compared with episodes of RWARE and in scenes of their own.

`recorded/warehouse.json` was made once with rware 2.0.0: robots that mostly work, partly act at random, up to 14 at a time. A
tick has the actions; row, column, heading and shelf (S, or R if requested) of each robot; and, where they have changed, the
positions of requested shelves in storage spaces, the free spaces, and the rewards.
"""

import json
from pathlib import Path

import numpy as np
import pytest

from gridarium import World
from gridarium.rules.results import ActionResultCode as R
from gridarium.rules.warehouse import drive_robots
from gridarium.testing import compare
from gridarium.world import (
    Action,
    Floor,
    NoneGridObject,
    Orientation,
    Position,
    Shelf,
    StorageSpace,
    Workstation,
)

RECORDED = json.loads((Path(__file__).parent / "recorded" / "warehouse.json").read_text())
STORED, REQUESTED = Shelf(Shelf.Status.STORED), Shelf(Shelf.Status.REQUESTED)
SHELVES = {"": NoneGridObject(), "S": STORED, "R": REQUESTED}


def requested(state):
    cells = [list(p.yx) for p in state.grid.positions() if state.grid[p] == REQUESTED]
    return cells, sum(agent.grid_object == REQUESTED for agent in state.agents)


def robots(state):
    return [(*a.position.yx, a.orientation.value, isinstance(a.grid_object, Shelf)) for a in state.agents]


def read(tick):
    """What a tick says of its robots."""
    parts = [robot.split(",") for robot in tick["r"].split(" ")]
    return [(int(y), int(x), int(rest[0]), rest[1:]) for y, x, rest in parts]


def put(state, listed, asked):
    """Write robots' shelves and requests into a state."""
    for agent, (y, x, heading, shelf) in zip(state.agents, listed, strict=True):
        agent.position, agent.orientation, agent.grid_object = (
            Position(y, x),
            Orientation(heading),
            SHELVES[shelf],
        )
    for p in state.grid.positions():
        if isinstance(state.grid[p], Shelf):
            state.grid[p] = REQUESTED if list(p.yx) in asked else STORED


@pytest.mark.sampled(3)
@pytest.mark.parametrize("episode", RECORDED, ids=range(len(RECORDED)))
def test_episodes_are_those_of_the_original(episode):
    start, asked, free = episode["start"]
    world = World(
        "Warehouse-tiny-2ag",
        shape=episode["shape"],
        agents=len(start),
        requests=episode["requests"],
        compiled=False,
    )
    state = world.reset(1)
    assert (
        sorted(list(p.yx) for p in state.grid.positions() if isinstance(state.grid[p], StorageSpace)) == free
    )
    put(state, start, asked)
    deliveries = 0
    for tick in episode["ticks"]:
        state, rewards, _ = world.step(state, [int(a) for a in tick["a"]])
        listed, asked, free = read(tick), tick.get("q", asked), tick.get("f", free)
        assert robots(state) == [(y, x, heading, shelf != "") for y, x, heading, shelf in listed], tick
        assert list(rewards) == tick.get("w", [0] * len(start))
        spaces = [list(p.yx) for p in state.grid.positions() if isinstance(state.grid[p], StorageSpace)]
        assert spaces == free
        in_cells, carried = requested(state)
        assert len(in_cells) + carried == episode["requests"]
        if any(rewards):  # which shelf is requested next is random
            put(state, listed, asked)
        else:
            assert (in_cells, carried) == (asked, sum(shelf == "R" for *_, shelf in listed))
        deliveries += sum(rewards)
    assert deliveries > 0


def tiny(*poses, loaded=()):
    """A tiny warehouse with robots (y, x, heading), some of which carry a shelf that nobody has requested."""
    world = World("Warehouse-tiny-2ag", agents=len(poses), requests=0, compiled=False)
    state = world.reset(0)
    for i, (y, x, heading) in enumerate(poses):
        state.agents[i].position, state.agents[i].orientation = Position(y, x), Orientation[heading]
        state.agents[i].grid_object = STORED if i in loaded else NoneGridObject()
    return world, state


def step(world, state, *actions):
    return world.step(state, [world.actions.parse(name) for name in actions])


def places(state):
    return [agent.position.yx for agent in state.agents]


def test_layouts_are_those_of_the_original():
    assert (
        str(World("Warehouse-tiny-2ag", agents=1, requests=0, compiled=False).reset(0).grid).count("h") == 32
    )
    counts = [
        World(name, compiled=False).reset(0).grid.count(Shelf)
        for name in ("Warehouse-tiny-2ag", "Warehouse-tiny-4ag", "Warehouse-small-4ag")
    ]
    assert counts == [32, 32, 80]
    with pytest.raises(ValueError, match="9 n \\+ 2 high and 6 m \\+ 4 wide, not 11 x 11"):
        World("Warehouse-tiny-2ag", shape=(11, 11), compiled=False).reset(0)
    with pytest.raises(ValueError, match="too many for 32 shelves"):
        World("Warehouse-tiny-2ag", requests=33, compiled=False).reset(0)


def test_robots_follow_each_other_but_do_not_pass_through():
    world, state = tiny((0, 0, "RIGHT"), (0, 1, "RIGHT"), (0, 2, "RIGHT"))
    after, _, _ = step(world, state, *["MOVE_FORWARD"] * 3)
    assert places(after) == [(0, 1), (0, 2), (0, 3)]
    after, _, _ = step(world, state, "MOVE_FORWARD", "MOVE_FORWARD", "TURN_LEFT")
    assert places(after) == [(0, 0), (0, 1), (0, 2)]
    assert [a.result for a in after.agents] == [R.OCCUPIED, R.OCCUPIED, R.SUCCESS]
    world, state = tiny((0, 0, "RIGHT"), (0, 1, "LEFT"), (1, 0, "FORWARD"))
    after, _, _ = step(world, state, *["MOVE_FORWARD"] * 3)
    assert places(after) == places(state)


def test_robots_drive_in_circles():
    world, state = tiny(
        (0, 3, "RIGHT"), (0, 4, "BACKWARD"), (1, 4, "LEFT"), (1, 3, "FORWARD"), (2, 4, "FORWARD")
    )
    after, _, _ = step(world, state, *["MOVE_FORWARD"] * 5)
    assert places(after) == [(0, 4), (1, 4), (1, 3), (0, 3), (2, 4)]


def test_the_longest_line_drives_first():
    world, state = tiny((0, 2, "RIGHT"), (0, 4, "LEFT"), (0, 5, "LEFT"))
    after, _, _ = step(world, state, *["MOVE_FORWARD"] * 3)
    assert places(after) == [(0, 2), (0, 3), (0, 4)] and after.agents[0].result == R.CONFLICT
    after, _, _ = step(world, state, "MOVE_FORWARD", "MOVE_FORWARD", "WAIT")
    assert places(after) == [(0, 3), (0, 4), (0, 5)]


def test_robots_with_a_shelf_do_not_fit_under_others():
    world, state = tiny((1, 0, "RIGHT"), (3, 0, "RIGHT"), loaded=(0,))
    after, _, _ = step(world, state, "MOVE_FORWARD", "MOVE_FORWARD")
    assert places(after) == [(1, 0), (3, 1)] and after.agents[0].result == R.BLOCKED


def test_shelves_are_lifted_and_put_down_in_storage_spaces_only():
    world, state = tiny((1, 1, "LEFT"))
    state, _, _ = step(world, state, "PICK_N_DROP")
    assert state.agent.grid_object == STORED and state.grid[1, 1] == StorageSpace()
    aisle, _, _ = step(world, state, "MOVE_FORWARD")
    aisle, _, _ = step(world, aisle, "PICK_N_DROP")
    assert (
        aisle.agent.grid_object == STORED and aisle.grid[1, 0] == Floor() and aisle.agent.result == R.NO_ROOM
    )
    state, _, _ = step(world, state, "PICK_N_DROP")
    assert state.agent.grid_object == NoneGridObject() and state.grid[1, 1] == STORED
    aisle.agent.drop()
    aisle, _, _ = step(world, aisle, "PICK_N_DROP")
    assert aisle.agent.result == R.NOTHING_THERE


def test_a_delivery_is_rewarded_once_and_another_shelf_requested():
    world, state = tiny((9, 4, "BACKWARD"), (0, 0, "LEFT"))
    state.agents[0].grid_object = REQUESTED
    assert isinstance(state.grid[10, 4], Workstation)
    state, rewards, _ = step(world, state, "MOVE_FORWARD", "WAIT")
    assert (
        list(rewards) == [1.0, 0.0]
        and state.agents[0].grid_object == STORED
        and len(requested(state)[0]) == 1
    )
    state, rewards, _ = step(world, state, "WAIT", "WAIT")
    assert list(rewards) == [0.0, 0.0]
    together = World(world.spec.description, by_all=True, compiled=False)
    state.agents[0].grid_object = REQUESTED
    assert list(step(together, state, "WAIT", "WAIT")[1]) == [1.0, 1.0]


def test_robots_see_their_pose_and_what_others_carry():
    world, state = tiny((1, 3, "RIGHT"), (2, 3, "LEFT"), loaded=(1,))
    assert world.observe(state, 0).grid[1, 2] == STORED
    batch = world.batch(1)
    batch.reset(0)
    batch.set_state(0, state)
    assert batch.observe()["fields"].tolist() == [[[1.0, 3.0, 3.0], [2.0, 3.0, 2.0]]]


@pytest.mark.exhaustive
def test_driving_is_the_same_compiled():
    world = World("Warehouse-tiny-2ag", agents=5, compiled=False)
    states = []
    for seed in range(30):
        state = world.reset(seed)
        rng = np.random.default_rng(seed)
        for i in range(5):
            state.agents[i].position = Position(rng.integers(3), 3 + rng.integers(3))
            state.agents[i].agent_row[7] = (
                Action.MOVE_FORWARD.value if rng.random() < 0.8 else Action.WAIT.value
            )
        states.append(state)
    compare("transition", drive_robots, states, actions=[Action.WAIT], every_agent=False)


@pytest.mark.exhaustive
def test_rules_do_the_same_compiled():
    world = World("Warehouse-tiny-2ag")
    batches = [world.batch(6), World(world.spec, compiled=False).batch(6)]
    assert world.composed.compiled
    for batch in batches:
        batch.reset(3)
    for tick in RECORDED[1]["ticks"]:
        actions = np.tile([int(a) for a in tick["a"][:2]], (6, 1))
        one, two = (batch.step(actions) for batch in batches)
        assert (one.rewards == two.rewards).all()
        assert all((one.observations[name] == two.observations[name]).all() for name in one.observations)
