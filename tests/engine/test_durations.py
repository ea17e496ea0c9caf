"""Actions that take several ticks, interpreted and compiled alike."""

import pickle

import numpy as np
import pytest

from gridarium.engine import Autoreset, World
from gridarium.rules.results import ActionResultCode
from gridarium.world import Action, Exit, Floor, Position, Wall
from gridarium.world.text_form.json import from_json, to_json
from gridarium.world.text_form.state_text import from_text, to_text
from gridarium.worlds import DescriptionError, Spec
from tests.compiled_worlds import INTERPRETED_AND_COMPILED

REST, BUILD = Action.declare("REST_FOR"), Action.declare("BUILD_WALL")


def nothing(state):
    """Leave everything as it is."""


def build(state, action):
    """Build a wall ahead; count the ticks in which a rule of an agent runs."""
    state.agent.ran += 1
    if action == BUILD:
        state.grid[state.agent.front()] = Wall()
    if action.is_a(REST):
        state.agent.rested += action.ticks


def may_build(state, action):
    """A wall may be built on floor."""
    return action != BUILD or isinstance(state.grid.get(state.agent.front(), Wall), Floor)


def built(state, action, next_state):
    """1 in the tick in which it is built."""
    return 1.0 if action == BUILD else 0.0


def described(**changes):
    return Spec.build(**{
        "name": "Builders", "shape": (4, 5), "objects": [Floor, Wall, Exit], "reset": nothing,
        "actions": [
            "WAIT", "MOVE_RIGHT", {"name": "BUILD_WALL", "declare": True, "duration": 3},
            {"name": "REST_FOR", "over": {"ticks": 5}, "duration": "ticks"},
        ],
        "fields": {"agent": [{"name": "ran", "type": "int"}, {"name": "rested", "type": "int"}]},
        "transitions": ["move_agent", build], "rewards": [built], "observation": "full_grid",
    } | changes)  # fmt: skip


@pytest.fixture(scope="module", params=INTERPRETED_AND_COMPILED)
def compiled(request):
    return request.param


@pytest.fixture(scope="module")
def world(compiled):
    return World(described(), compiled=compiled)


def start(world, *positions):
    state = world.reset(0)
    for agent, p in zip(state.agents, positions, strict=True):
        agent.position = Position(*p)
    return state


def test_the_deed_is_done_in_the_last_of_its_ticks(world):
    state, log = start(world, (2, 1)), []
    for chosen in ("BUILD_WALL", "MOVE_RIGHT", "MOVE_RIGHT", "MOVE_RIGHT"):
        state, reward, _ = world.step(state, world.actions.parse(chosen))
        agent = state.agent
        log.append(
            (
                isinstance(state.grid[1, 1], Wall),
                agent.position.x,
                agent.busy,
                agent.result,
                reward,
                agent.action.name,
            )
        )
    busy = int(ActionResultCode.BUSY)
    assert log == [
        (False, 1, 2, busy, 0.0, "WAIT"),
        (False, 1, 1, busy, 0.0, "WAIT"),
        (True, 1, 0, 0, 1.0, "BUILD_WALL"),
        (True, 2, 0, 0, 0.0, "MOVE_RIGHT"),
    ]
    assert state.agent.ran == 4


def test_an_argument_may_say_how_long(world):
    state = start(world, (2, 1))
    for ticks in (0, 1, 4):
        before = state.tick
        state, *_ = world.step(state, world.actions.parse(f"REST_FOR({ticks})"))
        while state.agent.busy:
            state, *_ = world.step(state, 0)
        assert state.tick - before == max(1, ticks)
    assert state.agent.rested == 5


def test_masks_of_busy_agents_allow_waiting_only(world):
    batch = world.batch(2)
    batch.reset(0)
    assert batch.masks.shape == (2, 1, 8) or batch.masks.shape == (2, 8)
    actions = [world.actions.parse("BUILD_WALL"), world.actions.parse("MOVE_RIGHT")]
    masks = np.asarray(batch.step(np.array(actions)).masks).reshape(2, -1)
    assert np.flatnonzero(masks[0]).tolist() == [0] and masks[1].all()
    assert world.legal_actions(batch.state(0)) == [0]


def test_agents_that_leave_in_the_middle_of_an_action_have_no_legal_ones(team):
    state = start(team, (2, 1), (3, 3))
    state, *_ = team.step(state, [team.actions.parse("BUILD_WALL"), 0])
    assert state.agents[0].busy and team.legal_actions(state, 0) == [0]
    state.agents[0].active = False
    assert team.legal_actions(state, 0) == []


def test_after_the_end_masks_allow_everything(compiled):
    world = World(described(time_limit=1), compiled=compiled)
    batch = world.batch(1, autoreset=Autoreset.DISABLED)
    batch.reset(0)
    done = batch.step([world.actions.parse("BUILD_WALL")])
    assert done.ended.all() and done.masks.all() and batch.state(0).agent.busy == 2


def test_what_a_rule_has_interrupted_is_written_and_read(team):
    state = start(team, (2, 1), (3, 3))
    state, *_ = team.step(state, [team.actions.parse("BUILD_WALL"), 0])
    state.agents[0].busy = 0
    assert state.agents[0].pending == BUILD
    for back in (from_json(to_json(state)), from_text(to_text(state))):
        assert back.identical(state)


@pytest.fixture(scope="module")
def team(compiled):
    return World(described(agents=2, legal=[may_build]), compiled=compiled)


def test_masks_of_busy_agents_that_cannot_wait_allow_all_that_they_have(compiled):
    _, *actions = described().description.to_dict()["actions"]
    batch = World(described(actions=actions), compiled=compiled).batch(2)
    batch.reset(0)
    before = batch.step([1, 0]).masks.copy()
    assert [batch.state(i).agent.busy for i in range(2)] == [2, 0]
    assert before.all()
    places = [batch.state(i).agent.position for i in range(2)]
    batch.step([0, 0])
    assert batch.state(0).agent.position == places[0] and batch.state(1).agent.position != places[1]
    assert batch.state(0).agent.busy == 1


def test_what_has_become_illegal_is_not_done(team):
    state = start(team, (2, 1), (1, 0))
    build, wait = team.actions.parse("BUILD_WALL"), 0
    state, *_ = team.step(state, [build, wait])
    state.grid[1, 1] = Exit()
    for _ in range(2):
        state, *_ = team.step(state, [wait, wait])
    assert isinstance(state.grid[1, 1], Exit)
    assert state.agents[0].result == int(ActionResultCode.ILLEGAL) and state.agents[0].busy == 0
    state, *_ = team.step(state, [build, wait])  # illegal from the start: takes no time
    assert (state.agents[0].busy, state.agents[0].result) == (0, int(ActionResultCode.ILLEGAL))


@pytest.mark.parametrize("illegal", ["ignore", "refuse", "lose", "attempt"])
def test_what_another_agent_makes_illegal_in_the_last_tick_is_not_done_and_the_episode_goes_on(
    illegal, compiled
):
    def no_wall_yet(state, action):
        """There may be one wall."""
        return action != BUILD or not any(isinstance(state.grid[p], Wall) for p in state.grid.positions())

    both = described(
        agents=[{"name": "a", "start": [0, 0]}, {"name": "b", "start": [3, 3]}], legal=[no_wall_yet], illegal=illegal,
        time_limit=9,
    )  # fmt: skip
    world = World(both, compiled=compiled)
    state, build = start(world, (2, 1), (2, 3)), world.actions.parse("BUILD_WALL")
    for _ in range(3):
        state, *_ = world.step(state, [build, build])
    assert [agent.result for agent in state.agents] == [0, ActionResultCode.ILLEGAL]
    assert [agent.active for agent in state.agents] == [True, True]
    assert sum(isinstance(state.grid[p], Wall) for p in state.grid.positions()) == 1
    state, *_ = world.step(state, [0, 0])
    assert [agent.result for agent in state.agents] == [0, 0]


def test_states_are_read_back_in_any_order_of_actions():
    actions = [
        {"name": "ACTUATE", "duration": 3},
        {"name": "REST_FOR", "over": {"ticks": 5}, "duration": "ticks"},
    ]
    for listed in (actions, actions[::-1]):
        world = World(
            Spec.build(name="Slow", shape=(3, 3), objects=[Floor], actions=[*listed, "LEFT"], reset="blank",
                       transitions=["move_agent"], time_limit=9, observation="full_grid"),
            compiled=False,
        )  # fmt: skip
        state = world.reset(0)
        for back in (from_json(to_json(state)), from_text(to_text(state))):
            assert world.step(back, 0)[0].identical(world.step(state, 0)[0])


@pytest.mark.parametrize("changes", [
    {"turn_order": "cycle", "illegal": "lose"}, {"turn_order": "rotating"}, {"conflicts": "nobody"}, {"conflicts": "random"},
])  # fmt: skip
@pytest.mark.exhaustive
def test_interpreted_and_compiled_agree(changes):
    results = []
    for compiled in (False, True):
        world = World(described(agents=3, legal=[may_build], time_limit=40, **changes), compiled=compiled)
        batch, seen, rng = world.batch(5), [], np.random.default_rng(2)
        batch.reset(3)
        for _ in range(90):
            result = batch.step(rng.integers(len(world.actions), size=(5, 3)))
            seen += [batch.state(i).tobytes() for i in range(5)] + [
                result.masks.tobytes(),
                result.results.tobytes(),
            ]
        results.append(seen)
    assert results[0] == results[1]


def test_an_episode_may_end_while_an_agent_is_busy(compiled):
    world = World(described(time_limit=2), compiled=compiled)
    batch = world.batch(1)
    batch.reset(0)
    build = np.array([world.actions.parse("BUILD_WALL")])
    batch.step(build)
    assert batch.step(build).truncated.all()
    batch.step(build)
    assert batch.state(0).agent.busy == 0  # the next episode


def test_states_survive_text_json_pickle(world):
    state, *_ = world.step(start(world, (2, 1)), world.actions.parse("BUILD_WALL"))
    for back in (from_json(to_json(state)), from_text(to_text(state)), pickle.loads(pickle.dumps(state))):
        assert back.identical(state)


@pytest.mark.parametrize(("entry", "message"), [
    ({"name": "WAIT", "duration": 0}, "greater than or equal to 1|at least 1"),
    ({"name": "WAIT", "duration": "ticks"}, "WAIT: a duration is a number of ticks"),
    ({"name": "GO_TO", "over": "cells", "duration": "at"}, "over numbers"),
])  # fmt: skip
def test_wrong_durations_are_named(entry, message):
    with pytest.raises(DescriptionError, match=message):
        described(actions=[entry], transitions=["move_agent"], rewards=[])
