"""Rules that might silently be other rules when compiled: assignments to what calls return, numbers of fields."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from gridarium.testing.differential import compare
from gridarium.testing.states import random_states
from gridarium.world import Action, Field, Floor, Vocabulary, Wall

WORDS = Vocabulary(
    (Floor, Wall), (), world_fields=[Field("count", "int", 3), Field("heat", "float", 0.5), Field("row", "int", shape=(4,))],
    agent_fields=[Field("energy", "int", 9)],
)  # fmt: skip


def one_of_two_agents(state: Any, action: Action, *, rng: Any) -> None:
    state.agents[rng.integers(2)].energy += 1


def one_of_two_agents_often(state: Any, action: Action, *, rng: Any) -> None:
    for _ in range(10):
        state.agents[rng.integers(2)].energy -= rng.integers(5)


def too_large_for_a_field(state: Any, action: Action) -> None:
    state.count = 1e19 + state.agent.position.y


def no_number_for_a_field(state: Any, action: Action) -> None:
    state.agent.energy = (state.heat - 0.5) * float("inf")


def part_of_a_number_for_a_field(state: Any, action: Action) -> None:
    state.count = 2.75 * state.agent.position.x
    state.agent.energy += 0.5


def an_item_after_its_value(state: Any, action: Action) -> None:
    i = 2
    state.row[(j := i)] = (i := 3)
    state.count = 10 * j + i


@pytest.mark.parametrize(
    ("rule", "fails"),
    [
        (an_item_after_its_value, False),
        (one_of_two_agents, False),
        (one_of_two_agents_often, False),
        (too_large_for_a_field, True),
        (no_number_for_a_field, True),
        (part_of_a_number_for_a_field, False),
    ],
)
def test_compiled_is_interpreted(rule: Callable[..., Any], fails: bool) -> None:
    states = random_states(WORDS, 6, agents=2)
    outcomes = compare("transition", rule, states, actions=(Action.WAIT, Action.MOVE_FORWARD))
    assert outcomes
    assert all(isinstance(outcome, Exception) == fails for outcome in outcomes)
