"""Rules may be called as they like: no name of theirs clashes with one that the composed page uses itself."""

from __future__ import annotations

import builtins
import functools
import re
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridarium.compiled.data_types.value_class import value
from gridarium.engine import World
from gridarium.engine.step.program import _Page
from gridarium.world import Action, Position
from gridarium.world.state import Observation
from gridarium.worlds import Spec, catalogue
from tests.engine.worlds import catalogue_world, troubled_world


def restart(state: Any) -> None:
    for i, agent in enumerate(state.agents):
        agent.position = Position(1, i)


def wander(state: Any, action: Any, *, step: int) -> None:
    state.agent.position = Position(2 + step, state.agent.position.x)


def gain(state: Any, action: Any, next_state: Any, *, factor: float) -> float:
    return 3 * factor + next_state.agent.position.y


def over(state: Any, action: Any, next_state: Any, *, row: int) -> bool:
    return next_state.agent.position.y == row


def look(state: Any) -> Any:
    return Observation(state.grid, state.agent)


RULES = {"reset": restart, "transitions": wander, "rewards": gain, "terminations": over, "observation": look}
GIVEN: dict[str, dict[str, Any]] = {
    "transitions": {"step": 1},
    "rewards": {"factor": 0.5},
    "terminations": {"row": 3},
}


def renamed(rule: Any, name: str) -> Any:
    made = type(rule)(rule.__code__, rule.__globals__, name, rule.__defaults__, rule.__closure__)
    made.__kwdefaults__, made.__annotations__ = rule.__kwdefaults__, rule.__annotations__
    return made


def world_of(names: dict[str, str], agents: int, *, compiled: bool = False) -> World:
    rules: dict[str, Any] = {
        kind: functools.partial(renamed(rule, names.get(kind, rule.__name__)), **GIVEN.get(kind, {}))
        for kind, rule in RULES.items()
    }
    listed = {kind: [rules[kind]] for kind in GIVEN}
    starts = [{"start": [1, i]} for i in range(agents)]
    spec = Spec.build(name="Named", shape=(5, 5), objects=["Floor", "Wall"], actions=[Action.WAIT, Action.TURN_LEFT],
                      agents=starts, **{**rules, **listed})  # fmt: skip
    return World(spec, compiled=compiled)


def course(world: World) -> tuple[Any, ...]:
    state = world.reset(0)
    state, rewards, ended = world.step(state, [0] * len(state.agents) if len(state.agents) > 1 else 0)
    return [agent.position for agent in state.agents], np.asarray(rewards).tolist(), bool(np.all(ended))


def words_of_pages() -> list[str]:
    pages = [catalogue_world(name, compiled=False).composed.program.text for name in catalogue.names()[:6]]
    pages += [troubled_world(compiled=False).composed.program.text, world_of({}, 2).composed.program.text]
    found = {word for page in pages for word in re.findall(r"[^\W\d]\w*", page)}
    return sorted(found | set(dir(builtins)) | {"__name__", "__builtins__", "Area", "Position"})


WORDS = words_of_pages()


@pytest.mark.parametrize("agents", [1, 2])
@pytest.mark.parametrize("kind", RULES)
@pytest.mark.sampled(12)
def test_a_rule_may_have_any_name_that_occurs_in_a_page(kind: str, agents: int) -> None:
    assert {"returns_none", "stays_inside", "total", "params", "as_number", "fixed", "observation"} <= set(
        WORDS
    )
    wanted = course(world_of({}, agents))
    assert wanted[1] == ([4.5] * 2 if agents > 1 else 4.5)
    for word in WORDS:
        assert course(world_of({kind: word}, agents)) == wanted, word


@pytest.mark.exhaustive
@given(st.fixed_dictionaries({kind: st.sampled_from(WORDS) for kind in RULES}), st.integers(1, 2))
@settings(max_examples=60, deadline=None)
def test_several_rules_may_have_such_names_at_once(names: dict[str, str], agents: int) -> None:
    assert course(world_of(names, agents)) == course(world_of({}, agents))


def test_classes_of_parameters_have_names_of_their_own() -> None:
    page = _Page()
    one, other = (
        value(type("Gain", (), {"__annotations__": {"n": int}})),
        value(type("Gain", (), {"__annotations__": {"n": int}})),
    )
    assert page.name(gain, "Gain", "reward") == "Gain"
    assert page.runtime(one(1), "x") == "Gain_value(fixed(params, 0))"
    assert page.runtime(other(1), "x") == "Gain_value_2(fixed(params, 1))"
    assert page.runtime(one(2), "x") == "Gain_value(fixed(params, 2))"
    assert page.name(over, "Gain_value", "terminating") == "Gain_value_terminating"
    scope = {**page.names, **page.helpers}
    assert [scope[name] for name in ("Gain", "Gain_value", "Gain_value_2")] == [gain, one, other]


@pytest.mark.exhaustive
def test_the_same_compiled() -> None:
    names = {
        "reset": "reset",
        "transitions": "stays_inside",
        "rewards": "as_number",
        "terminations": "terminating",
        "observation": "state",
    }
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert course(world_of(names, 1, compiled=True)) == course(world_of({}, 1))


def test_a_page_keeps_names_that_do_not_clash() -> None:
    page = world_of({"transitions": "transition"}, 1).composed.program.text
    assert "    returns_none(transition_transition(state, action, step=" in page
    assert "as_number(gain(" in page
