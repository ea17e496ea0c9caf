"""Rewards and terminations see the tick before a step and the tick after it, in every way of running one."""

from __future__ import annotations

import numpy as np
import pytest

from gridarium.agents import step_outcomes
from gridarium.engine import World
from gridarium.world import Exit, Floor, Wall
from gridarium.world.actions import Action
from gridarium.worlds import Spec
from tests.compiled_worlds import INTERPRETED_AND_COMPILED

TICKS = 3


def seen(state, action, next_state):
    return state.tick + next_state.tick / 10


def made(compiled: bool, agents: int = 1, **options) -> World:
    given = {
        "objects": [Floor, Wall, Exit],
        "actions": [Action.LEFT, Action.RIGHT],
        "map": {"picture": "^...E" if agents == 1 else "^.v.E"},
        "transitions": ["move_agent"],
        "rewards": [seen],
        "terminations": [{"name": "time_limit", "ticks": TICKS}],
        "observation": "full_grid",
        "agents": agents,
    }
    return World(Spec.build(**given | options), compiled=compiled)


@pytest.mark.parametrize("agents", [1, 2])
@pytest.mark.parametrize("compiled", INTERPRETED_AND_COMPILED)
class TestClock:
    def test_a_step_leads_from_one_tick_to_the_next(self, compiled: bool, agents: int) -> None:
        batch = made(compiled, agents).batch(2)
        batch.reset(0)
        for tick in range(TICKS):
            result = batch.step(np.zeros((2, agents) if agents > 1 else 2, int))
            assert result.rewards == pytest.approx(np.full(result.rewards.shape, tick + (tick + 1) / 10))
            assert result.terminated.all() == (tick + 1 == TICKS)
        assert result.ticks.tolist() == [TICKS, TICKS]

    def test_outcomes_of_a_step_as_well(self, compiled: bool, agents: int) -> None:
        world = made(compiled, agents)
        state = world.reset(0)
        for tick in range(TICKS):
            (outcome,) = step_outcomes(world, state, [0] * agents)
            assert outcome.rewards == pytest.approx([tick + (tick + 1) / 10] * agents)
            assert outcome.state.tick == tick + 1
            assert outcome.terminated.all() == (tick + 1 == TICKS)
            state = outcome.state

    def test_a_limit_by_rule_is_the_limit_of_the_description(self, compiled: bool, agents: int) -> None:
        name = "Empty-4x4" if agents == 1 else "TwoAgents-Empty-8x8"
        world = World(name, time_limit=TICKS, compiled=compiled)
        limited, turn = world.batch(1), world.actions.index(Action.TURN_LEFT)
        limited.reset(0)
        steps = [limited.step(np.full((1, agents) if agents > 1 else 1, turn)) for _ in range(TICKS)]
        assert [bool(step.truncated.all()) for step in steps] == [False, False, True]


@pytest.mark.parametrize("compiled", INTERPRETED_AND_COMPILED)
def test_a_discount_counts_the_step_that_reaches_the_exit(compiled: bool) -> None:
    """As MiniGrid does: 1 - 0.9 * steps / horizon."""
    rewards = [{"name": "reach_exit_discounted", "horizon": 20}]
    world = made(compiled, rewards=rewards, terminations=["reach_exit"])
    state = world.reset(0)
    for _ in range(4):
        state, reward, terminated = world.step(state, 1)
    assert terminated
    assert reward == pytest.approx(1 - 0.9 * 4 / 20)
