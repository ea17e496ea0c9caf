"""Transition rules interpreted and compiled."""

from functools import partial

import numpy as np
import pytest

from gridarium.rules import transition_functions as t
from gridarium.world.actions import Action
from gridarium.world.objects import Ball, Key, NoneGridObject
from gridarium.world.state import State
from gridarium.world.vocabulary import Vocabulary
from tests.differential import check, every_object, random_states
from tests.maps import GREEN, RED, WORDS, world

MOVES = (Action.MOVE_FORWARD, Action.MOVE_BACKWARD, Action.MOVE_LEFT, Action.MOVE_RIGHT)
COMPASS = {Action.UP: (-1, 0), Action.DOWN: (1, 0), Action.LEFT: (0, -1), Action.RIGHT: (0, 1)}

RULES = {
    "move_agent": t.move_agent,
    "turn_agent": t.turn_agent,
    "pickndrop": t.pickndrop,
    "actuate_door": t.actuate_door,
    "toggle_door": t.toggle_door,
    "actuate_box": t.actuate_box,
    "teleport": t.teleport,
    "move_obstacles": t.move_obstacles,
    "chain": partial(t.chain, transition_functions=(t.move_agent, t.move_obstacles, t.teleport)),
    "with_probability": partial(t.with_probability, transition_function=t.teleport, probability=0.5),
    "slip": partial(t.slip, transition_function=t.move_agent, probability=0.6),
}
SIDEWAYS = partial(t.slip, transition_function=t.move_agent, probability=0.6, slip_type="perpendicular")
PLAIN = Vocabulary([*WORDS.kinds.values()], [RED, GREEN], edges=True)


def facing_everything() -> list[State]:
    """An agent in front of each thing, with each thing that it may hold."""
    held = [NoneGridObject(), Key(RED), Key(GREEN), Ball(RED)]
    states = []
    for thing in every_object(PLAIN):
        for holds in held:
            state = world(">..\n...\n<..", holds=holds, vocabulary=PLAIN)
            state.grid[0, 1] = thing
            states.append(state)
    return states


def test_every_registered_rule_is_compared():
    ours = {n for n, f in t.transition_function_registry.items() if f.__module__ == t.__name__}
    assert ours == RULES.keys()


@pytest.mark.parametrize("rule", [*RULES.values(), SIDEWAYS], ids=[*RULES, "slip sideways"])
@pytest.mark.sampled(6)
def test_a_rule_does_the_same_interpreted_and_compiled(rule):
    states = random_states(PLAIN, 15, agents=2, fill=0.5) + random_states(
        PLAIN, 15, agents=2, fill=0.15, seed=1
    )
    actions = (
        *MOVES,
        Action.TURN_LEFT,
        Action.ACTUATE,
        Action.PICK_N_DROP,
        Action.LEFT,
        Action.UP,
        Action.WAIT,
    )
    outcomes = check("transition", rule, states, actions=actions)
    assert not any(isinstance(outcome, Exception) for outcome in outcomes)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", ["pickndrop", "actuate_door", "toggle_door", "actuate_box"])
def test_what_is_done_to_each_thing_is_the_same_interpreted_and_compiled(name):
    states = facing_everything()
    after = check(
        "transition", RULES[name], states, actions=(Action.ACTUATE, Action.PICK_N_DROP), every_agent=False
    )
    assert any(new != old for new, old in zip(after[::2], states, strict=True)) or name == "pickndrop"
    assert any(new != old for new, old in zip(after[1::2], states, strict=True)) == (name == "pickndrop")


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_a_rule_takes_a_numpy_generator(rule):
    for state in random_states(WORDS, 5):
        for action in (Action.MOVE_FORWARD, Action.WAIT):
            if t.transition_function_registry.takes_rng(rule):
                rule(state, action, rng=np.random.default_rng(0))
            else:
                rule(state, action)
