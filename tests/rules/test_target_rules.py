"""Rewards and terminations where one of several objects is wanted."""

import functools

import pytest

from gridarium.rules.reset_functions import target
from gridarium.rules.target_rules import holds_target, pick_up_target
from gridarium.world import Action, Ball, Color, Floor, Key, NoneGridObject, Position, State, Vocabulary, Wall
from tests.differential import check, random_states

WORDS = Vocabulary([Floor, Wall, Key, Ball], [Color.RED, Color.BLUE])


def holding(thing: object) -> State:
    state = State.blank((3, 3), WORDS)
    state.grid[0, 0] = Key(Color.RED)
    state.agent.position, state.agent.grid_object = Position(1, 1), thing
    return state


def test_only_the_wanted_object_counts_and_only_when_picked_up() -> None:
    empty, key, ball = holding(NoneGridObject()), holding(Key(Color.RED)), holding(Ball(Color.RED))
    assert target(empty) == Key(Color.RED)
    worth = functools.partial(pick_up_target, reward_on=2.0, reward_off=-1.0)
    assert worth(empty, Action.PICK_N_DROP, key) == 2.0
    assert worth(empty, Action.PICK_N_DROP, ball) == -1.0
    assert worth(empty, Action.PICK_N_DROP, holding(Key(Color.BLUE))) == -1.0
    assert worth(key, Action.TURN_LEFT, key) == -1.0
    assert worth(ball, Action.PICK_N_DROP, key) == 2.0
    assert [holds_target(empty, Action.WAIT, s) for s in (empty, key, ball)] == [False, True, False]


@pytest.mark.exhaustive
@pytest.mark.slow
def test_they_are_the_same_compiled() -> None:
    states = random_states(WORDS, 20, agents=2)
    for state in states[::2]:
        state.grid[0, 0] = state.agent.grid_object if state.agent.grid_object.holdable else Key(Color.RED)
    check("reward", functools.partial(pick_up_target, reward_on=2.0), states, actions=[Action.PICK_N_DROP])
    check("terminating", holds_target, states, actions=[Action.PICK_N_DROP])
