"""The taxi problem, and picking up and putting down things."""

import numpy as np
import pytest

from gridarium.engine import World
from gridarium.rules.carrying import PICK_UP, PUT_DOWN
from gridarium.rules.taxi import LANDMARKS, WALLS
from gridarium.world import Action, Position

GYMNASIUM = [
    "+---------+",
    "|R: | : :G|",
    "| : | : : |",
    "| : : : : |",
    "| | : | : |",
    "|Y| : |B: |",
    "+---------+",
]


@pytest.fixture(scope="module", params=[False, True], ids=["interpreted", "compiled"])
def world(request):
    return World("Taxi-5x5", compiled=request.param)


def test_the_town_is_gymnasiums(world):
    state = world.reset(0)
    for y in range(5):
        for x in range(4):
            wall = GYMNASIUM[1 + y][2 + 2 * x] == "|"
            assert state.grid.has_wall(Position(y, x), Position(y, x + 1)) is wall is ((y, x) in WALLS)
    letters = {GYMNASIUM[1 + p.y][1 + 2 * p.x]: p for p in LANDMARKS}
    assert "".join(letters) == "RGYB"
    assert [state.grid[p].color.name for p in LANDMARKS] == ["RED", "GREEN", "YELLOW", "BLUE"]


def drive(world, state, there):
    """Drive along a shortest way; return the state and the rewards."""
    frontier, came = [state], {state.agent.position: []}
    while there not in came:
        following = []
        for at in frontier:
            for i in range(4):
                new = world.step(at, i)[0]
                if new.agent.position not in came:
                    came[new.agent.position] = [*came[at.agent.position], i]
                    following.append(new)
        frontier = following
    total = 0.0
    for i in came[there]:
        state, reward, _ = world.step(state, i)
        total += reward
    return state, total


def test_a_passenger_is_brought_to_the_destination(world):
    state = world.reset(3)
    passenger = state.things[0]
    start, goal = passenger.position, LANDMARKS[state.destination]
    assert start in LANDMARKS and start != goal
    state, total = drive(world, state, start)
    state, reward, _ = world.step(state, PICK_UP)
    assert reward == -1.0 and state.things[0].carrier.number == 0
    state, more = drive(world, state, goal)
    assert state.things[0].position == goal
    state, reward, ended = world.step(state, PUT_DOWN)
    assert ended and reward == 20.0 and total < 0 and more < 0


def test_vain_attempts_cost_ten(world):
    state = world.reset(3)
    away = next(p for p in state.grid.positions() if p not in LANDMARKS)
    state.agent.position = away
    for action in (PICK_UP, PUT_DOWN):
        after, reward, _ = world.step(state, action)
        assert reward == -10.0 and after.agent.result != 0


def test_a_passenger_put_down_elsewhere_waits_there(world):
    state = world.reset(3)
    state.agent.position = state.things[0].position
    state, *_ = world.step(state, PICK_UP)
    state.agent.position = Position(2, 2)
    state, reward, ended = world.step(state, PUT_DOWN)
    assert (reward, ended) == (-1.0, False)
    assert [t.number for t in state.things_at(Position(2, 2))] == [0]


def test_every_start_occurs(world):
    batch = world.batch(600)
    batch.reset(1)
    states = [batch.state(i) for i in range(600)]
    pairs = {(LANDMARKS.index(s.things[0].position), s.destination) for s in states}
    assert len(pairs) == 12 and all(a != b for a, b in pairs)
    assert len({s.agent.position for s in states}) == 25


def test_the_destination_is_observed(world):
    batch = world.batch(4)
    arrays = batch.reset(2)
    assert arrays["fields"][:, 0].tolist() == [batch.state(i).destination for i in range(4)]
    assert Action.LEFT in world.actions and np.isfinite(arrays["fields"]).all()
