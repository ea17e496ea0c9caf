"""A rule of a user's own that puts an agent outside is blamed itself, not the next that looks there."""

import functools

import pytest

from gridarium import Spec, World
from gridarium.engine.step.check_bounds import is_user_rule
from gridarium.rules.observation_functions import from_visibility
from gridarium.rules.transition_functions import move_agent
from gridarium.rules.visibility_functions import fully_transparent
from gridarium.world import Action, Area, Position
from gridarium.world.geometry import FAR
from tests.compiled_worlds import INTERPRETED_AND_COMPILED
from tests.engine.worlds import assert_same, everything


def corner(state):
    state.agent.position = Position(1, 1)


def outside(state):
    state.agent.position = Position(1, 7)


def fall(state, action):
    if action == Action.TURN_LEFT:
        state.agent.position = Position(-5, 9)


def leave(state, action):
    if action == Action.TURN_LEFT:
        state.agent.active = False
        state.agent.position = Position(-1, -1)


def small(**given):
    plain = {"name": "Small", "shape": (3, 5), "objects": ["Floor"], "observation": "full_grid"}
    return Spec.build(**plain | {"reset": corner, "transitions": ["move_agent"]} | given)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_the_rule_that_did_it_is_named_and_other_worlds_go_on(compiled):
    batch = World(small(transitions=["move_agent", fall, "turn_agent"]), compiled=compiled).batch(3)
    batch.reset(seed=0)
    told = r"rule fall has put agent 0 at \(-5, 9\), outside the world of 3 x 5 cells"
    with pytest.raises(ValueError, match=told) as caught:
        batch.step([0, 4, 0])
    assert caught.value.__notes__ == ["in world 1 of 3 (Small), tick 0"]
    assert batch.ticks.tolist() == [1, 0, 1]
    assert batch.state(1).agent.position == Position(1, 1)


def test_reset_rules_are_asked_as_well():
    with pytest.raises(ValueError, match=r"rule outside has put agent 0 at \(1, 7\)"):
        World(small(reset=outside), compiled=False).reset(seed=0)


def test_agents_that_are_gone_may_be_anywhere():
    world = World(small(transitions=[leave]), compiled=False)
    gone, *_ = world.step(world.reset(seed=0), Action.TURN_LEFT)
    assert not gone.agent.active


def flee(state, action):
    state.agents[1].active = False
    state.agents[1].position = Position(0, FAR - 1)


def look_far(state):
    """A view of what is so far away that it seems near in 32 bits."""
    y = state.tick << 32
    return from_visibility(state, area=Area((y - 1, y), (-1, 1)), visibility_function=fully_transparent)


@pytest.mark.exhaustive
def test_agents_that_are_gone_may_be_far_away():
    worlds = [World(small(transitions=[flee], agents=2), compiled=compiled) for compiled in (True, False)]
    batches = [world.batch(2) for world in worlds]
    for batch in batches:
        batch.reset(0)
    for _ in range(3):
        assert_same(*(everything(batch, batch.step([[0, 0]] * 2)) for batch in batches))


@pytest.mark.parametrize("compiled", INTERPRETED_AND_COMPILED)
def test_what_is_far_away_is_not_looked_at(compiled):
    batch = World(small(observation=look_far), compiled=compiled).batch(2)
    batch.reset(0)
    with pytest.raises(ValueError, match="nothing can be as far away as"):
        batch.step([0, 0])


def test_agents_cannot_be_farther_away_than_numbers_of_32_bits():
    agent = World(small(), compiled=False).reset(0).agent
    for place in (Position(FAR, 0), Position(0, -(2**32)), Position(2**63 - 1, 0)):
        with pytest.raises(ValueError, match=rf"nothing can be as far away as \({place.y}, {place.x}\)"):
            agent.position = place


def test_the_librarys_rules_cost_no_look():
    assert "stays_inside" not in World("KeyDoor-9x9", compiled=False).explain()
    assert not is_user_rule(move_agent) and is_user_rule(fall)
    assert is_user_rule(functools.partial(move_agent, inner=(move_agent, fall)))
