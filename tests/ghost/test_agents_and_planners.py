"""The familiar minimax and expectimax beside `gridarium.agents.Minimax` and `Expectimax`, which know only the world's rules."""

from itertools import product

import pytest

from gridarium import World
from gridarium.agents import Expectimax, Minimax
from gridarium.ghost import CustomGridEnv
from gridarium.ghost.agents import ExpectimaxAgent, MinimaxAgent
from gridarium.world import Action, Position
from gridarium.worlds import Description

CELLS = list(product(range(4), range(5)))
DOWN = 1
GOALS = {(3, 1), (3, 4)}
PAYOFF = {"name": "pursuit", "reward_step": 0.0, "reward_caught": -10_000.0, "reward_reached": 10_000.0}


@pytest.fixture
def env():
    env = CustomGridEnv(None)
    env.reset(seed=0)
    return env


@pytest.fixture(scope="module")
def world():
    """The catalogue's ghost world, with the familiar agents' opinion of how a game ends."""
    given = World("GhostGrid-4x5", compiled=False).spec.description.to_dict()
    return World(Description.from_dict(given | {"rewards": [PAYOFF]}))


@pytest.fixture
def guess(env):
    """What the familiar agents think of a position where their search ends."""

    def guess(state, _):
        agent, ghost = ([a.position.y, a.position.x] for a in state.agents)
        far = env._calculate_shortest_path_distance(agent, ghost)
        worth = -10.0 * env._calculate_shortest_path_distance(agent, [3, 1])
        return worth + (-100.0 * (4 - far) if far <= 2 else 2.0 * far)

    return guess


def positions(world, every):
    """(agent, ghost, state) with the agent to move, for every k-th pair of cells."""
    pairs = [(a, g) for a, g in product(CELLS, CELLS) if a != g and a not in GOALS]
    start = World(world.spec, compiled=False).reset(0)
    for agent, ghost in pairs[::every]:
        state = start.copy()
        state.agents[0].position, state.agents[1].position = Position(*agent), Position(*ghost)
        yield agent, ghost, state


def decided(familiar, agent, ghost):
    familiar.perceived_agent_pos, familiar.perceived_ghost_pos = agent, ghost
    return familiar.get_action({})


@pytest.mark.sampled(4)
@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_minimax_agrees_and_besides_prefers_to_win_soon_and_to_lose_late(env, world, guess, depth):
    planner = Minimax(depth, world, discount=1.0, evaluate=guess)
    familiar = MinimaxAgent(env.action_space, depth_limit=depth, env=env)
    for agent, ghost, state in positions(world, 1 if depth < 4 else 3):
        values = list(planner.get_values(state).values())
        best, value = max(values), familiar.get_value(agent, ghost)
        if abs(best) == 10_000:
            assert 1 <= (best - value) * best / 10_000 <= depth
        else:
            assert value == best
        assert values[decided(familiar, agent, ghost)] == best


@pytest.mark.parametrize("slip_type", ["longitudinal", "perpendicular"])
@pytest.mark.exhaustive
def test_expectimax_agrees_but_for_the_turns_that_it_counts(env, world, guess, slip_type):
    """A turn is worth one ten-thousandth of the game, so the choices are as good up to that."""
    given = world.spec.description.to_dict()
    slipping = given["transitions"][0] = dict(given["transitions"][0])
    slipping["transition_function"] = dict(slipping["transition_function"], slip_type=slip_type)
    slippery = World(Description.from_dict(given))
    env.slip_type = slip_type
    for depth in (1, 2, 3):
        planner = Expectimax(depth, slippery, discount=1.0, evaluate=guess)
        familiar = ExpectimaxAgent(env.action_space, depth_limit=depth, env=env)
        for agent, ghost, state in positions(slippery, depth**2):
            values = list(planner.get_values(state).values())
            assert familiar.get_value(agent, ghost) == pytest.approx(max(values), abs=depth)
            assert values[decided(familiar, agent, ghost)] >= max(values) - 2 * depth


def test_the_familiar_ones_follow_edits_and_perception_and_the_planners_their_world(env, world, guess):
    state = World(world.spec, compiled=False).reset(0)
    state.agents[0].position, state.agents[1].position = Position(2, 1), Position(0, 4)
    familiar, planner = (
        MinimaxAgent(env.action_space, env=env),
        Minimax(4, world, discount=1.0, evaluate=guess),
    )
    assert env.agent_pos == [0, 2]
    assert decided(familiar, (2, 1), (0, 4)) == DOWN and planner.get_action(state) == Action.DOWN
    env.walls_horizontal[2, 1] = True
    assert decided(familiar, (2, 1), (0, 4)) != DOWN and planner.get_action(state) == Action.DOWN
