"""One rule, compiled by itself, on one state."""

import functools

import numpy as np
import pytest

from gridarium.compiled.source_pass.source import Unsupported
from gridarium.engine import World
from gridarium.rules.observation_functions import partially_occluded
from gridarium.rules.reset_functions import empty
from gridarium.rules.reward_functions import reach_exit as reward_for_exit
from gridarium.rules.terminating_functions import reach_exit
from gridarium.rules.transition_functions import turn_agent
from gridarium.rules.visibility_functions import raytracing
from gridarium.testing import compare, run_compiled
from gridarium.world import Action, Area, Exit, Orientation, Position

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def state():
    return World("KeyDoor-9x9", compiled=False).reset(seed=0)


def test_it_gives_what_the_rule_gives(state):
    turned = state.copy()
    turn_agent(turned, Action.TURN_LEFT)
    assert run_compiled("transition", turn_agent, state, Action.TURN_LEFT).identical(turned)
    assert state.agent.orientation != turned.agent.orientation, "the given state stays as it was"
    assert run_compiled("reset", empty, state).grid[state.agent.position + Position(0, 0)] is not None
    there = state.copy()
    there.agent.position = next(p for p in there.grid.positions() if isinstance(there.grid[p], Exit))
    prize = functools.partial(reward_for_exit, reward_on=2.5, reward_off=-0.5)
    for following, number in ((state, -0.5), (there, 2.5)):
        given = run_compiled("reward", prize, state, Action.MOVE_FORWARD, following)
        assert (type(given), given) == (float, number)
        ended = run_compiled("terminating", reach_exit, state, Action.MOVE_FORWARD, following)
        assert ended is (following is there)
    look = functools.partial(partially_occluded, area=Area((-3, 0), (-2, 2)))
    assert run_compiled("observation", look, state) == look(state)
    seen = run_compiled("visibility", raytracing, state)
    assert seen.dtype == np.bool_
    assert np.array_equal(seen, raytracing(state.grid, state.agent.position))


WEIGHT = 1.0


def weighed(state, action, next_state):
    return _weight() * 10


def weighed_twice(state, action, next_state):
    return _weight() * 20


def _weight():
    return WEIGHT


def test_it_follows_globals(state, monkeypatch):
    assert run_compiled("reward", weighed, state, next_state=state) == 10.0
    monkeypatch.setattr(f"{__name__}.WEIGHT", 2.0)
    assert run_compiled("reward", weighed_twice, state, next_state=state) == 40.0, "with the same helper"
    assert run_compiled("reward", weighed, state, next_state=state) == 20.0
    monkeypatch.undo()
    assert set(compare("reward", weighed, [state])) == {10.0}


def unfit(state, action):
    state.agent.position = Position(0, len(f"{action}"))


def of_no_type(state, action):
    place = state.agent.position if state.tick > 0 else 3
    state.agent.active = place == 3


def wrong(state, action):
    raise KeyError("gone")


def test_what_cannot_be_run_is_told(state):
    with pytest.raises(ValueError, match="of kind reset, transition, .*not 'transitions'"):
        run_compiled("transitions", turn_agent, state)
    with pytest.raises(ValueError, match="a reward rule takes next_state as well"):
        run_compiled("reward", reward_for_exit, state)
    with pytest.raises(Unsupported, match=r"test_run_compiled.py, line \d+"):
        run_compiled("transition", unfit, state)
    with pytest.raises(Unsupported, match=r"of_no_type \(.*test_run_compiled.py, line \d+\)"):
        run_compiled("transition", of_no_type, state)
    with pytest.raises(Unsupported, match=r"of_no_type \(.*test_run_compiled.py, line \d+\)"):
        compare("transition", of_no_type, [state])
    with pytest.raises(KeyError, match="gone"):
        run_compiled("transition", wrong, state)


def turns_and_tells(state, action):
    state.agent.orientation = state.agent.orientation * Orientation.LEFT
    return True


def test_what_an_editing_rule_returns_does_not_count(state):
    assert len(compare("transition", turns_and_tells, [state], actions=(Action.WAIT,))) == 1
