"""Reset rules interpreted and compiled."""

from functools import partial

import pytest

from gridarium.rules import reset_functions as r
from gridarium.world import State
from gridarium.world.objects import (
    Key,
)
from tests.differential import blank_states, check
from tests.maps import GREEN, RED, WORDS
from tests.rules.beginnings import RULES

TOO_SMALL = {"empty": (3, 9), "keydoor": (4, 4), "memory": (4, 5), "crossing": (6, 7), "rooms": (4, 4)}


def test_every_registered_rule_is_compared():
    maps = f"{r.__name__}.maps"  # tests/worlds/test_maps.py compares these
    modules = {n: f.__module__ for n, f in r.reset_function_registry.items()}
    ours = {n for n, module in modules.items() if module.startswith(r.__name__) and module != maps}
    assert ours == {rule.func.__name__ for rule, _ in RULES.values()} | {"blank"}


def test_blank_leaves_everything_as_it_is():
    for state in check("reset", r.reset_function_registry["blank"], blank_states(WORDS, 2, (3, 4))):
        assert state.grid == State.blank((3, 4), WORDS).grid


@pytest.mark.parametrize("name", RULES)
@pytest.mark.sampled(9)
def test_a_rule_does_the_same_interpreted_and_compiled(name):
    rule, shape = RULES[name]
    states = blank_states(WORDS, 8, shape, agents=3)
    outcomes = check("reset", rule, states, every_agent=False)
    assert not any(isinstance(outcome, Exception) for outcome in outcomes)
    if name in TOO_SMALL:
        states = blank_states(WORDS, 1, TOO_SMALL[name], agents=3)
        assert isinstance(check("reset", rule, states, every_agent=False)[0], ValueError)


@pytest.mark.exhaustive
def test_a_kind_is_a_parameter_like_any_other():
    rule = partial(r.unlock_pickup, colors=(RED, GREEN), object_type=Key)
    check("reset", rule, blank_states(WORDS, 3, (6, 11)))
