import importlib.util
import sys
from functools import partial
from pathlib import Path

import pytest

from gridarium.rules.observation_functions import partially_occluded
from gridarium.rules.terminating_functions import concealed, terminating_function_registry
from gridarium.world.actions import Action
from gridarium.world.geometry import Area
from gridarium.world.objects import Exit, Key
from tests.differential import check, random_states
from tests.maps import WORDS, YELLOW, world

EXAMPLES = Path(__file__).parent.parent / "examples"
AHEAD = partial(partially_occluded, area=Area((-3, 0), (-2, 2)))


def example(name):
    """An example as a module, as if a user had written it."""
    spec = importlib.util.spec_from_file_location(f"example_{name}", EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


class TestStaticAgent:
    RULE = example("static_agent").static_agent

    def test_it_is_registered(self):
        assert terminating_function_registry["static_agent"] is TestStaticAgent.RULE

    def test_an_agent_that_does_nothing_ends_it(self):
        rule, wait = TestStaticAgent.RULE, Action.WAIT
        assert rule(world(".^"), wait, world(".^")) is True
        assert rule(world(".^"), wait, world("#^")) is True
        assert rule(world(".^"), wait, world("^.")) is False
        assert rule(world(".^"), wait, world(".v")) is False
        assert rule(world(".^"), wait, world(".^", holds=Key(YELLOW))) is False

    def test_it_is_the_same_compiled(self):
        (state,) = random_states(WORDS, 1, agents=2)
        moved = state.copy()
        moved.agents[0].orientation = -state.agents[0].orientation
        outcomes = check("terminating", TestStaticAgent.RULE, [state, state.copy(), moved, state])
        assert set(outcomes) == {True, False}

    def test_it_runs_as_a_script(self, capsys):
        example("static_agent").main()
        lines = capsys.readouterr().out.splitlines()
        assert "MOVE_FORWARD  ends it" in lines and "MOVE_LEFT     goes on" in lines
        assert "TURN_LEFT     goes on" in lines and "PICK_N_DROP   ends it" in lines


class TestConcealedTerminating:
    RULE = example("concealed_terminating").concealed_terminating

    @pytest.mark.parametrize(("picture", "seen"), [("E\n^", True), ("E\n#\n^", False), ("^\nE", False)])
    def test_as_printed_it_is_true_when_the_object_is_seen(self, picture, seen):
        state, known = world(picture), {"object_type": Exit, "observation_function": AHEAD}
        assert TestConcealedTerminating.RULE(state, Action.WAIT, state, **known) is seen
        assert concealed(state, Action.WAIT, state, **known) is not seen

    @pytest.mark.exhaustive
    def test_it_is_the_same_compiled(self):
        rule = partial(TestConcealedTerminating.RULE, object_type=Exit, observation_function=AHEAD)
        outcomes = check("terminating", rule, random_states(WORDS, 40, agents=2), actions=[Action.WAIT])
        assert set(outcomes) == {True, False}

    def test_it_runs_as_a_script(self, capsys):
        example("concealed_terminating").main()
        lines = capsys.readouterr().out.splitlines()
        assert "facing LEFT     concealed_terminating: True   concealed: False" in lines
        assert "facing RIGHT    concealed_terminating: False  concealed: True" in lines
