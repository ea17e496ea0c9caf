"""The legal rules of the library."""

import numpy as np

from gridarium.engine import World
from gridarium.rules.legal_functions import can_move
from gridarium.rules.results import ActionResultCode
from gridarium.testing.differential import compare
from gridarium.world import Action, Position, Wall


def test_a_move_is_legal_if_it_leads_somewhere():
    state = World("Empty-8x8", compiled=False).reset(0)
    assert can_move(state, Action.TURN_LEFT)
    for action in (Action.MOVE_FORWARD, Action.MOVE_BACKWARD, Action.LEFT, Action.UP):
        state.agent.position = Position(3, 3)
        assert can_move(state, action)
        for p in state.grid.positions():
            if p != Position(3, 3):
                state.grid[p] = Wall()
        assert not can_move(state, action)
        state = World("Empty-8x8", compiled=False).reset(0)


def test_a_world_whose_agents_may_not_run_into_walls():
    world = World("Empty-8x8", legal=["can_move"], compiled=False)
    batch = world.batch(8)
    batch.reset(0)
    rng = np.random.default_rng(0)
    for _ in range(50):
        result = batch.step(batch.sample_actions(rng))
        assert (result.results == ActionResultCode.SUCCESS).all()
    legal = compare("legal", can_move, [batch.state(i) for i in range(8)], actions=world.actions)
    assert {*legal} == {True, False}
