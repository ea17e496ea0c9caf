"""Arguments that are none of what is needed are refused with what they were, and what is allowed."""

from types import SimpleNamespace

import pytest

from gridarium.engine import Recorder, World
from gridarium.engine.arguments import check_count, check_function, check_index
from gridarium.engine.world import check_world
from gridarium.world import Action

WORLD = World("FourByThree", compiled=False)
PAIR = World("GhostGrid-4x5", compiled=False)
STATE, TWO = WORLD.reset(0), PAIR.reset(0)

REFUSED = [
    (lambda: check_world("FourByThree"), TypeError, r"not 'FourByThree'; World\('FourByThree'\) creates one"),
    (
        lambda: check_world(WORLD.spec),
        TypeError,
        r"a World is needed, not .*; World\(\.\.\.\) creates one from it",
    ),
    (
        lambda: check_world(SimpleNamespace(unwrapped=SimpleNamespace(world=WORLD))),
        TypeError,
        "that of an environment is env.unwrapped.world",
    ),
    (lambda: check_world(STATE), TypeError, "a World is needed, not State"),
    (lambda: check_world(None), TypeError, "a World is needed, not None$"),
    (
        lambda: check_count("depth", WORLD),
        TypeError,
        r"got World\('FourByThree'\); pass a world as world=",
    ),
    (lambda: check_count("threads", 99, 1, 64), ValueError, "threads is between 1 and 64, got 99"),
    (
        lambda: check_index("states", True, 3),
        TypeError,
        "an index of states must be a whole number, got True",
    ),
    (lambda: check_index("states", 3, 3), IndexError, "states are numbered from 0 to 2; got 3"),
    (lambda: check_function("goal", 3), TypeError, "goal is a function, got 3"),
    (lambda: WORLD.step(3, Action.UP), TypeError, "a state is needed"),
    (lambda: WORLD.step(Action.UP, STATE), TypeError, "a state is needed, .* not Action.UP"),
    (
        lambda: WORLD.step(STATE, "UP"),
        TypeError,
        "an action is an Action or its index, not 'UP'; there are LEFT",
    ),
    (lambda: WORLD.step(STATE, None), TypeError, "an action is an Action or its index, not None"),
    (lambda: WORLD.step(STATE, 99), ValueError, "action 99 is none of the 4, numbered from 0: LEFT"),
    (lambda: WORLD.step(STATE, []), ValueError, r"needs one action per agent, 1 in all; got \[\]"),
    (lambda: WORLD.step(STATE, [0, 0]), ValueError, "needs one action per agent, 1 in all"),
    (lambda: PAIR.step(TWO, 0), ValueError, "needs one action per agent, 2 in all; got 0"),
    (lambda: PAIR.step(TWO, Action.UP), ValueError, "needs one action per agent, 2 in all; got Action.UP"),
    (
        lambda: PAIR.step(TWO, {0: 1, 1: 2}),
        ValueError,
        "needs one action per agent, 2 in all; got {0: 1, 1: 2}",
    ),
    (lambda: PAIR.step(TWO, "UP"), ValueError, "needs one action per agent, 2 in all; got 'UP'"),
    (
        lambda: (game := World("ConnectFour", compiled=False)).step(game.reset(0), 0),
        ValueError,
        r"needs one action per agent, 2 in all; got 0 \(those of agents that wait for their turn are ignored\)",
    ),
    (lambda: WORLD.observe(3), TypeError, "a state is needed"),
    (lambda: WORLD.observe(TWO), ValueError, "are not those of FourByThree"),
    (lambda: WORLD.observe(STATE, "a"), TypeError, "an index of agents must be a whole number, got 'a'"),
    (lambda: WORLD.observe(STATE, 1), IndexError, "agents are numbered from 0 to 0; got 1"),
    (
        lambda: Recorder("FourByThree"),
        TypeError,
        "a Recorder takes a World, a Batch or a SingleWorld, not 'FourByThree'",
    ),
    (lambda: Recorder(WORLD, every="often"), TypeError, "how often states are hashed is a whole number"),
]


@pytest.mark.parametrize(("attempt", "kind", "words"), REFUSED)
def test_it_is_refused(attempt, kind, words):
    with pytest.raises(kind, match=words):
        attempt()


def test_actions_of_several_agents_may_come_in_anything_with_an_order():
    expected = PAIR.step(TWO, [0, 1])[0]
    for given in ((0, 1), iter([0, 1]), {"agent": 0, "ghost": 1}.values()):
        assert PAIR.step(TWO, given)[0].identical(expected)
