"""Level-based foraging, compared with episodes of lb-foraging 2.0.0 and in scenes of its own.

`recorded/foraging.json` was made once: seeds, actions (partly random, partly towards food), positions, rewards, levels left.
"""

import json
from pathlib import Path

import numpy as np
import pytest

from gridarium import World
from gridarium.rules.results import ActionResultCode as R
from gridarium.world import Basket, Floor, Food, Position

RECORDED = json.loads((Path(__file__).parent / "recorded" / "foraging.json").read_text())
SMALL = "Foraging-8x8-2p-3f"


def begun(world, agents, foods, spawned=None):
    """A state with agents (y, x, level) and foods (y, x, level)."""
    state = world.blank_state()
    for agent, (y, x, level) in zip(state.agents, agents, strict=True):
        agent.position, agent.grid_object = Position(y, x), Basket(level - 1)
    for y, x, level in foods:
        state.grid[y, x] = Food(level - 1)
    state.food_left = sum(level for _, _, level in foods)
    state.food_spawned = spawned or state.food_left
    return state


def small(agents, foods, **given):
    world = World(SMALL, agents=len(agents), compiled=False, **given)
    return world, begun(world, agents, foods)


def step(world, state, actions):
    return world.step(state, [world.actions.parse(name) for name in actions])


@pytest.mark.parametrize("episode", RECORDED, ids=range(len(RECORDED)))
def test_episodes_are_those_of_the_original(episode):
    agents = [(*place, level) for place, level in zip(episode["start"], episode["levels"], strict=True)]
    size, penalty = episode["size"], episode["penalty"]
    world = World(SMALL, shape=(size, size), agents=len(agents), penalty=penalty, compiled=False)
    state = begun(world, agents, episode["field"])
    for actions, places, rewards, left, done in episode["steps"]:
        state, got, ended = world.step(state, actions)
        assert [agent.position.yx for agent in state.agents] == [tuple(place) for place in places]
        assert (list(got), state.food_left) == (rewards, left)
        assert sum(cell.level for row in state.grid.objects for cell in row if isinstance(cell, Food)) == left
        assert ended.all() == (left == 0) and done == (left == 0 or state.tick == 50)


def test_two_that_want_the_same_cell_stay_and_others_may_follow():
    world, state = small([(2, 2, 1), (2, 4, 1), (3, 2, 1)], [(6, 6, 1)])
    after, _, _ = step(world, state, ["RIGHT", "LEFT", "UP"])
    assert [agent.position.yx for agent in after.agents] == [
        (2, 2),
        (2, 4),
        (2, 2),
    ]  # as the original: two in one cell
    assert [agent.result for agent in after.agents] == [R.CONFLICT, R.CONFLICT, R.SUCCESS]
    after, _, _ = step(world, state, ["RIGHT", "WAIT", "LEFT"])
    assert [agent.position.yx for agent in after.agents] == [(2, 3), (2, 4), (3, 1)]


def test_agents_may_exchange_their_cells_but_not_enter_food_or_leave():
    world, state = small([(0, 2, 1), (0, 3, 1)], [(1, 2, 2)])
    after, _, _ = step(world, state, ["RIGHT", "LEFT"])
    assert [agent.position.yx for agent in after.agents] == [(0, 3), (0, 2)]
    after, _, _ = step(world, state, ["DOWN", "UP"])
    assert [agent.position.yx for agent in after.agents] == [(0, 2), (0, 3)]
    assert [agent.result for agent in after.agents] == [R.BLOCKED, R.OUTSIDE]


def test_food_is_shared_by_those_that_load_it():
    world, state = small([(2, 3, 2), (4, 3, 1), (3, 2, 2)], [(3, 3, 3), (6, 6, 3)], penalty=0.5)
    after, rewards, _ = step(world, state, ["LOAD", "LOAD", "WAIT"])
    assert list(rewards) == [2 * 3 / (3 * 6), 1 * 3 / (3 * 6), 0.0]
    assert after.grid[3, 3] == Floor() and after.food_left == 3
    after, rewards, _ = step(world, state, ["LOAD", "WAIT", "WAIT"])
    assert list(rewards) == [-0.5, 0, 0] and after.agents[0].result == R.FAILED
    after, rewards, _ = step(world, after, ["UP", "LOAD", "LOAD"])
    assert list(rewards) == [0.0, 1 * 3 / (3 * 6), 2 * 3 / (3 * 6)]
    after, rewards, _ = step(world, after, ["WAIT", "LOAD", "WAIT"])
    assert list(rewards) == [0.0, 0.0, 0.0] and after.agents[1].result == R.NOTHING_THERE


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("cooperation", "levels"), [(False, {1, 2, 3, 4, 5, 6}), (True, {3, 4, 5, 6})])
def test_levels_and_places_are_as_in_the_original(cooperation, levels):
    world = World(SMALL, agents=4, num_food=4, cooperation=cooperation, compiled=False)
    seen = set()
    for seed in range(60):
        state = world.reset(seed)
        agents = sorted(agent.grid_object.level for agent in state.agents)
        foods = [p for p in state.grid.positions() if isinstance(state.grid[p], Food)]
        assert len(foods) == 4 and set(agents) <= {1, 2}
        assert all(0 < p.y < 7 and 0 < p.x < 7 for p in foods)
        assert state.food_left == state.food_spawned == sum(state.grid[p].level for p in foods)
        for p in foods:
            assert all(
                p == q or abs(p.y - q.y) + abs(p.x - q.x) > 2 for q in foods
            )  # so nobody is next to two of them
            assert state.grid[p].level <= sum(agents[-3:])
            assert not cooperation or state.grid[p].level == sum(agents[-3:])
        seen |= {state.grid[p].level for p in foods}
    assert seen == levels


def test_there_is_less_food_where_there_is_no_room_for_it():
    state = World(SMALL, shape=(4, 4), num_food=9, compiled=False).reset(0)
    assert state.grid.count(Food) == 1


def test_others_levels_are_seen_in_their_cells():
    world, state = small([(2, 3, 2), (4, 3, 1)], [(3, 3, 3)])
    assert world.observe(state, 0).grid[4, 3] == Basket(0)
    assert world.observe(state, 1).grid[2, 3] == Basket(1)
    near = World(
        SMALL,
        observation={
            "name": "with_held_objects",
            "observation_function": {"name": "fully_transparent", "area": ((-2, 2), (-2, 2))},
        },
        compiled=False,
    )
    state = begun(near, [(2, 3, 2), (4, 3, 1)], [(3, 3, 3)])
    for turns in range(4):
        state.agents[0].orientation = state.agents[0].orientation * type(state.agent.orientation)(3)
        grid = near.observe(state, 0).grid
        assert [p.yx for p in grid.positions() if isinstance(grid[p], Basket)] == [
            [(2, 4), (0, 2), (2, 0), (4, 2)][turns]
        ]
    state.agents[1].position = Position(5, 3)
    assert near.observe(state, 0).grid.count(Basket) == 0


@pytest.mark.exhaustive
def test_rules_do_the_same_compiled():
    world = World("Foraging-8x8-2p-2f-coop")
    batches = [world.batch(8), World(world.spec, compiled=False).batch(8)]
    assert world.composed.compiled
    for batch in batches:
        batch.reset(3)
    rng = np.random.default_rng(0)
    for _ in range(70):
        actions = batches[0].sample_actions(rng)
        one, two = (batch.step(actions) for batch in batches)
        assert (one.rewards == two.rewards).all()
        assert all((one.observations[name] == two.observations[name]).all() for name in one.observations)
