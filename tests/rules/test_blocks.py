"""The blocks world for teams: orders, deliveries, and that interpreted and compiled agree."""

import numpy as np
import pytest

from gridarium.engine import World
from gridarium.rules.blocks import COLORS
from gridarium.rules.carrying import PICK_UP, PUT_DOWN
from gridarium.world import Action, Block, Goal
from gridarium.worlds import Spec, catalogue
from tests.compiled_worlds import INTERPRETED_AND_COMPILED


@pytest.fixture(scope="module", params=INTERPRETED_AND_COMPILED)
def world(request):
    return World("CollectBlocks-9x9-2ag", compiled=request.param)


def zone(state):
    return next(p for p in state.grid.positions() if isinstance(state.grid[p], Goal))


def bring(world, state, number, agent=0):
    """Let an agent pick up a thing and put it down in the drop zone; its walks are left out."""
    wait = [Action.UP] * len(state.agents)
    state.agents[agent].position = state.things[number].position
    state, *_ = world.step(state, [*wait[:agent], PICK_UP, *wait[agent + 1 :]])
    state.agents[agent].position = zone(state)
    return world.step(state, [*wait[:agent], PUT_DOWN, *wait[agent + 1 :]])


def test_there_is_a_block_for_each_place_of_the_order(world):
    for seed in range(20):
        state = world.reset(seed)
        assert len(state.things) == 6 and all(isinstance(thing, Block) for thing in state.things)
        colors = [COLORS.index(thing.color) for thing in state.things]
        assert all(list(state.order).count(i) <= colors.count(i) for i in range(4))
        assert not any(state.grid[thing.position].blocks_movement for thing in state.things)


def wanted(state, right=True):
    color = COLORS[state.order[state.delivered]]
    return next((t.number for t in state.things if (t.color == color) is right), None)


def test_the_order_is_delivered_block_by_block(world):
    state, total = world.reset(4), 0.0
    for k in range(3):
        state, rewards, ended = bring(world, state, wanted(state), agent=k % 2)
        total += float(np.ravel(rewards)[0])
        assert state.delivered == k + 1 and bool(np.ravel(ended)[0]) is (k == 2)
    assert len(state.things) == 3
    assert total == pytest.approx(3.0 - 3 * 0.005)


def test_a_block_that_is_not_wanted_stays_in_the_zone_until_it_is(world):
    state = next(s for s in map(world.reset, range(50)) if s.order[0] != s.order[1])
    later = next(t.number for t in state.things if t.color == COLORS[state.order[1]])
    state, *_ = bring(world, state, later)
    assert state.delivered == 0 and state.things[later].position == zone(state)
    state, *_ = bring(world, state, wanted(state))
    assert state.delivered in (1, 2)
    state, *_ = world.step(state, [Action.UP, Action.UP])
    assert state.delivered == 2 and not state.things[later].exists


def test_too_few_blocks_are_refused():
    given = catalogue.description("CollectBlocks-9x9-2ag").to_dict()
    given["reset"] = {"name": "blocks_in_rooms", "layout": [2, 2], "num_blocks": 2}
    with pytest.raises(ValueError, match="an order of 3 needs at least as many blocks, not 2"):
        World(Spec.build(**given), compiled=False).reset(0)


@pytest.mark.exhaustive
def test_batches_agree_with_single_worlds():
    results = []
    for compiled in (False, True):
        batch = World("CollectBlocks-9x9-2ag", compiled=compiled).batch(3)
        first, rng, seen = batch.reset(1), np.random.default_rng(0), []
        for _ in range(60):
            result = batch.step(batch.sample_actions(rng))
            seen += [batch.state(i).tobytes() for i in range(3)] + [
                a.tobytes() for a in result.observations.values()
            ]
        results.append((seen, {name: a.tobytes() for name, a in first.items()}))
    assert results[0] == results[1]
