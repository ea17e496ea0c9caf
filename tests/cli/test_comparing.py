"""Differences between interpreted and compiled are found and shown."""

import math

import pytest

from gridarium.cli.shared.comparing import compare
from gridarium.engine import World
from gridarium.worlds import Spec

KEEPS_STILL = {
    "shape": (4, 4),
    "objects": ["Floor", "Wall", "Exit"],
    "actions": ["LEFT", "RIGHT"],
    "reset": "empty",
    "rewards": ["reach_exit"],
}


def one(state, action):
    state.agent.position = state.agent.position


def other(state, action):
    if state.tick == 3:
        state.agent.result = 7


def made(rule):
    return World(Spec.build(transitions=[rule], **KEEPS_STILL), compiled=False)


def test_worlds_that_are_the_same_agree_in_every_tick() -> None:
    assert list(compare(made(one), made(one), worlds=3, ticks=5)) == [None] * 6


def test_the_first_difference_ends_the_comparison_and_says_where_it_is() -> None:
    *before, found = compare(made(one), made(other), worlds=3, ticks=20)
    assert before == [None] * 4
    assert found.tick == 3 and found.seed == 0
    told = found.text()
    assert told.startswith("seed 0, tick 3 (") and "agents differ" in told
    assert "interpreted:\n" in told and "compiled:\n" in told


def test_what_is_no_number_is_the_same_whatever_its_bits() -> None:
    def reward(sign):
        return lambda state, action, next_state: math.copysign(math.nan, sign)

    given = {**KEEPS_STILL, "transitions": ["move_agent"]}
    plain, other = (
        World(Spec.build(**{**given, "rewards": [reward(sign)]}), compiled=False) for sign in (1, -1)
    )
    assert not any(compare(plain, other, worlds=2, ticks=3))


@pytest.mark.parametrize("world", ["TwoAgents-Helper-8x8"])
def test_agents_only_take_actions_that_they_have(world: str) -> None:
    plain = World(world, compiled=False)
    assert not any(compare(plain, World(world, compiled=False), worlds=2, ticks=10))


def test_masks_are_compared() -> None:
    def none_moves(state, action):
        return action.name == "LEFT" or state.tick != 3

    def all_move(state, action):
        return True

    given = {**KEEPS_STILL, "transitions": [one]}
    worlds = [World(Spec.build(**given, legal=[rule]), compiled=False) for rule in (none_moves, all_move)]
    *_, found = compare(*worlds, worlds=2, ticks=9)
    assert found.tick == 2 and "masks" in found.what
