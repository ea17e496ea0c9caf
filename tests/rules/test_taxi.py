"""The taxi problem, and picking up and putting down things."""

import numpy as np
import pytest

from gridarium import draw
from gridarium.engine import World
from gridarium.env import GridariumEnv
from gridarium.rules.carrying import PICK_UP, PUT_DOWN
from gridarium.rules.taxi import COLORS, LANDMARKS, WALLS
from gridarium.world import Action, Color, Position
from tests.compiled_worlds import INTERPRETED_AND_COMPILED

GYMNASIUM = [
    "+---------+",
    "|R: | : :G|",
    "| : | : : |",
    "| : : : : |",
    "| | : | : |",
    "|Y| : |B: |",
    "+---------+",
]


@pytest.fixture(scope="module", params=INTERPRETED_AND_COMPILED)
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


@pytest.mark.exhaustive
def test_what_happens_is_gymnasiums_table():
    """Every state and action: the next state, the reward and the end; and which actions change anything."""
    taxi_module = pytest.importorskip("gymnasium.envs.toy_text.taxi")
    original, world = taxi_module.TaxiEnv(), World("Taxi-5x5", compiled=False)
    assert [action.name for action in world.actions] == ["DOWN", "UP", "RIGHT", "LEFT", "PICK_UP", "PUT_DOWN"]
    state, starts = world.reset(0), 0
    for number, outcomes in original.P.items():
        row, column, waiting, state.destination = original.decode(number)
        state.agent.position = Position(row, column)
        if waiting == 4:
            state.things[0].carrier = state.agent
        else:
            state.things[0].position = LANDMARKS[waiting]
        mask = original.action_mask(number)
        assert world.legal_actions(state) == np.flatnonzero(mask).tolist()
        for i, [(_, following, reward, ended)] in outcomes.items():
            after, *rest = world.step(state, i)
            assert (encoded(original, after), *rest) == (following, reward, ended), (number, i)
        starts += original.initial_state_distrib[number] > 0
    assert starts == 300  # 25 places, and 12 pairs of landmarks, as in `test_every_start_occurs`


def encoded(original, state):
    """The number of a state in Gymnasium."""
    passenger, (row, column) = state.things[0], state.agent.position.yx
    waiting = 4 if passenger.is_carried else LANDMARKS.index(passenger.position)
    return original.encode(row, column, waiting, state.destination)


def test_infos_have_gymnasiums_mask():
    _, info = GridariumEnv("Taxi-5x5", compiled=False).reset(seed=0)
    assert info["action_mask"].dtype == np.int8 and info["action_mask"].shape == (6,)


def test_a_passenger_has_the_color_of_the_landmark_and_none_in_the_taxi(world):
    state = world.reset(3)
    start = state.agent.position = state.things[0].position
    assert state.things[0].color == state.grid[start].color
    state, *_ = world.step(state, PICK_UP)
    assert state.things[0].color == Color.NONE
    elsewhere = next(p for p in LANDMARKS if p not in (start, LANDMARKS[state.destination]))
    state.agent.position = elsewhere
    state, *_ = world.step(state, PUT_DOWN)
    assert state.things[0].position == elsewhere and state.things[0].color == state.grid[elsewhere].color


def test_pictures_show_landmarks_by_letters_and_colors_and_a_taxi():
    world = World("Taxi-5x5", compiled=False)
    state = world.reset(0)
    state.things[0].position = LANDMARKS[0]
    state.agent.position = Position(2, 2)
    rows = draw.text(state).splitlines()
    assert rows[1].startswith("P") and rows[1].endswith("G") and rows[9].startswith("Y") and "|B" in rows[9]
    assert rows[5] == ". . @ . ."
    picture = draw.rgb(state, 32)
    for place, color in zip(LANDMARKS, COLORS, strict=True):
        y, x = 32 * place.y, 32 * place.x
        assert tuple(picture[y + 4, x + 4]) == color.rgb
    yellow = (picture[64:96, 64:96] == (250, 196, 24)).all(axis=-1)
    assert yellow.sum() > 40


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
