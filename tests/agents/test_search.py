"""Shortest plans, on the worlds' own rules."""

import math

import pytest

from gridarium.agents import Planner, SearchTooLarge, play, shortest_plan
from gridarium.agents.planning.plan_search import state_key
from gridarium.engine import World
from gridarium.world import Action, Key, Position
from gridarium.worlds import Description

CORRIDOR = {
    "name": "Corridor",
    "objects": ["Floor", "Wall", "Exit", "Lava"],
    "actions": ["LEFT", "DOWN", "RIGHT", "UP"],
    "map": {"picture": "^...E\n.##~#\n....."},
    "transitions": ["move_agent"],
    "rewards": ["reach_exit", {"name": "overlap", "object_type": "Lava", "reward_on": -1.0}],
    "terminations": ["reach_exit", {"name": "overlap", "object_type": "Lava"}],
    "observation": "full_grid",
}


def interpreted(**changes):
    return World(Description.from_dict(CORRIDOR | changes), compiled=False)


def follow(world, state, plan):
    reward = terminal = None
    for action in plan:
        state, reward, terminal = world.step(state, action)
    return state, reward, terminal


def test_a_plan_is_as_short_as_can_be() -> None:
    world = interpreted()
    assert list(shortest_plan(world, world.reset(0))) == [Action.RIGHT] * 4


def test_following_it_leads_to_the_states_that_it_foresaw() -> None:
    world = World("KeyDoor-5x5", compiled=False)
    state = world.reset(seed=3)
    plan = shortest_plan(world, state)
    assert Action.PICK_N_DROP in plan.actions and Action.ACTUATE in plan.actions
    for action, key in zip(plan, plan.keys, strict=True):
        state, reward, terminal = world.step(state, action)
        assert state_key(state) == key
    assert terminal and reward > 0


def test_an_end_without_reward_is_avoided_and_taken_if_there_is_no_other() -> None:
    barred = {"picture": "^..#E\n.##~#\n....."}
    world = interpreted(map=barred)
    _, reward, terminal = follow(world, world.reset(0), shortest_plan(world, world.reset(0)))
    assert terminal and reward == -1.0
    walled = interpreted(map={"picture": "^.#.E\n.##~#\n..#.."})
    assert shortest_plan(walled, walled.reset(0)) is None


def test_a_goal_of_ones_own() -> None:
    world = World("KeyDoor-5x5", compiled=False)
    plan = shortest_plan(world, world.reset(1), goal=lambda state: isinstance(state.agent.grid_object, Key))
    assert plan.actions[-1] == Action.PICK_N_DROP
    corridor = interpreted()
    there = shortest_plan(
        corridor, corridor.reset(0), goal=lambda state: state.agent.position == Position(2, 1)
    )
    assert len(there) == 3
    assert len(shortest_plan(corridor, corridor.reset(0), goal=lambda state: True)) == 0


@pytest.mark.exhaustive
def test_the_state_is_left_alone_and_the_same_plan_comes_again() -> None:
    world = World("KeyDoor-5x5", compiled=False)
    state = world.reset(seed=5)
    before = state.tobytes()
    assert shortest_plan(world, state) == shortest_plan(world, state)
    assert state.tobytes() == before


def test_a_search_that_grows_too_large_says_so() -> None:
    world = World("KeyDoor-5x5", compiled=False)
    with pytest.raises(SearchTooLarge, match="more than 10 states of KeyDoor-5x5"):
        shortest_plan(world, world.reset(0), limit=10)


def test_others_stay_where_they_are_while_one_plans() -> None:
    world = World("TwoAgents-Helper-8x8", compiled=False)
    state = world.reset(seed=0)
    plan = shortest_plan(world, state, agent=0, goal=lambda s: isinstance(s.agents[0].grid_object, Key))
    assert plan is not None
    turn = world.actions.index(Action.TURN_LEFT)
    after = state
    for action in plan:
        after, _, _ = world.step(after, [world.actions.index(action), turn])
    assert isinstance(after.agents[0].grid_object, Key)
    assert after.agents[1].position == state.agents[1].position
    with pytest.raises(IndexError):
        shortest_plan(world, state, agent=2)


def test_a_planner_says_how_far_the_exit_is() -> None:
    world = interpreted()
    thinker, state = Planner(world=world), world.reset(0)
    assert thinker.get_value(state) == -4.0 and thinker.get_action(state) == Action.RIGHT
    walled = interpreted(map={"picture": "^.#.E\n.####\n....."})
    lost = Planner(world=walled)
    assert lost.get_value(walled.reset(0)) == -math.inf and lost.get_action(walled.reset(0)) is None
    burning = interpreted(map={"picture": "^.~"})
    doomed = Planner(world=burning)
    assert (
        doomed.get_value(burning.reset(0)) == -math.inf
        and doomed.get_action(burning.reset(0)) == Action.RIGHT
    )
    with pytest.raises(RuntimeError, match="given no world"):
        Planner().get_value(state)


@pytest.mark.exhaustive
def test_a_planner_that_plays_does_what_it_says() -> None:
    world = World("KeyDoor-5x5", compiled=False)
    for seed in range(3):
        assert play(world, [Planner()], seed=seed).length == -Planner(world=world).get_value(
            world.reset(seed=seed)
        )
