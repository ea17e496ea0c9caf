import numpy as np
import pytest

from gridarium.ghost import Agent, AgentInterface, CustomGridEnv
from gridarium.ghost.agents import (
    ChaseGhostAgent,
    ExpectimaxAgent,
    MinimaxAgent,
    QLearningAgent,
    RandomGhostAgent,
    RandomPlayerAgent,
    ValueIterationAgent,
)
from gridarium.ghost.agents.base_agent import perceive
from gridarium.ghost.planning.values import goal_values
from gridarium.ghost.world.paths import motion

LEFT, DOWN, RIGHT, UP = range(4)
EVERY = [ChaseGhostAgent, ExpectimaxAgent, MinimaxAgent, QLearningAgent, RandomGhostAgent, RandomPlayerAgent,
         ValueIterationAgent]  # fmt: skip


def begun(**options):
    env = CustomGridEnv(None, **options)
    env.reset(seed=0)
    return env


def exhaustive(env, agent, ghost, turn, depth, mean):
    """Minimax or expectimax without any table, from the environment's own helpers."""
    if agent == ghost:
        return -10_000 + turn
    goal = next([r, c] for r in range(env.rows) for c in range(env.cols) if env.grid[r, c]["is_goal"])
    if env.grid[tuple(agent)]["is_goal"]:
        return 10_000 - turn
    if turn == depth:
        far = env._calculate_shortest_path_distance(agent, ghost)
        worth = -10 * env._calculate_shortest_path_distance(agent, goal)
        return worth + (-(4 - far) * 100 if far <= 2 else 2 * far)
    after = [env._move_entity(ghost if turn % 2 else agent, a) for a in range(4)]
    if turn % 2:
        values = [exhaustive(env, agent, there, turn + 1, depth, mean) for there in after]
        return sum(values) / 4 if mean else min(values)
    worth = [exhaustive(env, there, ghost, turn + 1, depth, mean) for there in after]
    if not mean:
        return max(worth)
    stay = exhaustive(env, agent, ghost, turn + 1, depth, mean)
    twice = [
        exhaustive(env, env._move_entity(there, a), ghost, turn + 1, depth, mean)
        for a, there in enumerate(after)
    ]
    p = env.slip_probability
    return max((1 - p) * once + p / 2 * stay + p / 2 * two for once, two in zip(worth, twice, strict=True))


@pytest.mark.parametrize(("kind", "depth"), [(MinimaxAgent, 4), (ExpectimaxAgent, 3)])
def test_looking_ahead_is_exhaustive_search(kind, depth):
    env = begun()
    agent = kind(env.action_space, depth_limit=depth, env=env)
    for me, ghost in (([0, 2], [3, 4]), ([2, 0], [1, 1]), ([1, 4], [0, 4]), ([3, 2], [3, 3])):
        expected = exhaustive(env, me, ghost, 0, depth, kind is ExpectimaxAgent)
        assert agent.get_value(me, ghost) == pytest.approx(expected)


@pytest.mark.parametrize("kind", [MinimaxAgent, ExpectimaxAgent])
def test_looking_ahead_knows_every_goal_and_goes_on_where_there_is_none(kind):
    env = begun(deterministic=True)
    agent = kind(env.action_space, env=env)
    assert agent.get_value([2, 4], [0, 0]) == 9_999  # the second goal is next to it
    env.set_goal((3, 4))
    env.grid[3, 4]["is_goal"] = False
    assert abs(agent.get_value([0, 0], [3, 4])) < 1000  # no cell ends the game


def test_expectimax_knows_that_nobody_slips():
    env = begun(deterministic=True)
    agent = ExpectimaxAgent(env.action_space, depth_limit=1, env=env)
    assert agent.get_value([2, 1], [0, 4]) == 9_999
    env.deterministic = False
    assert agent.get_value([2, 1], [0, 4]) < 9_999


def test_looking_ahead_follows_edits_and_perception():
    env = begun()
    agent = MinimaxAgent(env.action_space, env=env)
    agent.perceived_agent_pos, agent.perceived_ghost_pos = [2, 1], [0, 4]
    assert agent.get_action(env._get_obs()) == DOWN
    env.set_goal((2, 0))
    assert agent.get_action(env._get_obs()) == LEFT
    env.walls_vertical[2, 0] = True
    assert agent.get_action(env._get_obs()) != LEFT
    with pytest.raises(ValueError, match="pass env"):
        MinimaxAgent(env.action_space).get_action(env._get_obs())
    with pytest.raises(ValueError, match="depth_limit"):
        MinimaxAgent(env.action_space, depth_limit=0)


@pytest.mark.parametrize("ghost", [ChaseGhostAgent, RandomGhostAgent, MinimaxAgent])
@pytest.mark.parametrize("player", [MinimaxAgent, ExpectimaxAgent, ValueIterationAgent])
def test_those_who_think_reach_the_goal(player, ghost):
    interface = AgentInterface(
        render=False, ghost_agent_class=ghost, use_particle_filter=False, time_limit=100
    )
    agent = player(interface.env.action_space, env=interface.env)
    observation = interface.reset(seed=2)
    returns = []
    for _ in range(40):
        done = False
        while not done:
            observation, _, done, _ = interface.step(agent.get_action(observation))
        returns.append(interface.total_reward)
        observation = interface.reset()
    assert np.mean(returns) > 94


def test_the_chasing_ghost_takes_a_shortest_way_from_everywhere():
    env = begun(use_ghost=False)
    ghost = ChaseGhostAgent(env.action_space, env=env)
    cells = [[r, c] for r in range(4) for c in range(5)]
    for env.agent_pos in cells:
        for start in cells:
            env.ghost_pos = start
            far = env._calculate_shortest_path_distance(env.agent_pos, start)
            if far > 0:
                action = ghost.get_action(env._get_ghost_obs())
                there = env._move_entity(start, action)
                assert env._calculate_shortest_path_distance(env.agent_pos, there) == far - 1


def test_without_an_environment_the_ghost_goes_by_what_it_sees():
    ghost = ChaseGhostAgent(begun().action_space)
    ways = {name: {"accessible": 1, "colour": 0} for name in ("up", "right", "down", "left")}

    def goes(dy, dx, *closed):
        seen = {name: {**way, "accessible": int(name not in closed)} for name, way in ways.items()}
        return ghost.get_action({"agent_relative_pos": np.array([dy, dx]), "neighbors": seen})

    assert goes(2, 0) == DOWN
    assert goes(-1, 3) == RIGHT
    assert goes(-1, 3, "right") == UP
    assert goes(2, 0, "down") == UP
    assert goes(0, -1, "up", "right", "down", "left") == 0


@pytest.mark.parametrize("slips", [(0.0, "longitudinal"), (0.3, "longitudinal"), (0.4, "perpendicular")])
def test_values_satisfy_bellmans_equation(slips):
    env = begun()
    values = goal_values(env.paths, [(3, 1), (3, 4)], slips, theta=1e-10).ravel()
    moves = motion(*slips, env.paths)
    best = np.max([moves.expected(a, values) for a in range(4)], axis=0)
    goals = [16, 19]
    others = np.setdiff1d(np.arange(20), goals)
    assert values[goals].tolist() == [100, 100]
    assert values[others] == pytest.approx((-1 + 0.9 * best)[others], abs=1e-8)


def test_values_are_those_of_old_where_nobody_slips():
    env = begun(slip_probability=0.0)
    env.set_goal((3, 1))
    agent = ValueIterationAgent(env.action_space, env=env)
    assert agent.get_value((2, 1)) == pytest.approx(89)
    assert agent.get_value((0, 2)) == pytest.approx(62.171, abs=1e-3)
    assert agent.get_value((2, 2)) == pytest.approx(21.07, abs=0.01)
    assert ValueIterationAgent(env.action_space).get_action({}) == 0


def test_q_learning_learns_the_usual_layout():
    interface = AgentInterface(render=False, use_particle_filter=False)
    interface.reset(seed=0)
    agent = QLearningAgent(interface.env.action_space, epsilon=0.3, env=interface.env, seed=0)
    agent.learn(interface, 500)
    agent.epsilon = 0.0
    assert np.mean(agent.learn(interface, 50)) > 92
    assert agent.get_best_action((2, 1)) == DOWN


def test_q_learning_by_hand():
    agent = QLearningAgent(begun().action_space, alpha=0.5, gamma=0.9, epsilon=0.0, seed=0)
    agent.update((0, 0), RIGHT, -1.0, (0, 1), False)
    assert agent.q_table[0, 0].tolist() == [0, 0, -0.5, 0]
    agent.update((1, 1), DOWN, 100.0, (2, 1), True)
    agent.update((0, 1), DOWN, -1.0, (1, 1), False)
    assert agent.get_value([0, 1]) == pytest.approx(0.5 * (-1 + 0.9 * 50))
    assert agent.get_action({"agent_pos": (1, 1)}) == DOWN
    with pytest.raises(ValueError, match="does not know where it is"):
        agent.get_action({})
    with pytest.raises(ValueError, match="alpha"):
        QLearningAgent(agent.action_space, alpha=2)


def test_q_learning_learns_on_the_state_that_a_subclass_gives():
    class SeesTheGhost(QLearningAgent):
        def get_state(self, observation):
            return (*super().get_state(observation), *self.env.ghost_pos)

    interface = AgentInterface(render=False, use_particle_filter=False)
    interface.reset(seed=0)
    elsewhere = begun()
    agent = SeesTheGhost(interface.env.action_space, epsilon=0.3, env=elsewhere, seed=0)
    agent.perceived_agent_pos = [1, 1]
    agent.learn(interface, 20)
    assert {len(state) for state in agent.q_table} == {4}
    assert len({state[2:] for state in agent.q_table}) > 5
    assert (0, 2, 3, 4) in agent.q_table  # the interface's beginning, not the place that was perceived
    assert agent.env is elsewhere and agent.perceived_agent_pos == [1, 1]


@pytest.mark.parametrize("kind", EVERY)
def test_they_are_agents_and_repeatable(kind):
    env = begun()

    def actions(seed):
        agent = kind(env.action_space, env=env, seed=seed)
        assert isinstance(agent, Agent)
        seen = env._get_ghost_obs() if "Ghost" in kind.__name__ else env._get_obs()
        return [agent.get_action(seen) for _ in range(30)]

    assert actions(1) == actions(1)
    assert set(actions(1)) <= {0, 1, 2, 3}


def test_what_is_perceived_goes_together():
    env = begun()
    env.agent_pos, env.ghost_pos = [1, 1], [3, 4]
    agent = MinimaxAgent(env.action_space, env=env)
    perceive(agent, [0, 1], env._get_obs())
    assert (agent.perceived_agent_pos, agent.perceived_ghost_pos) == ([0, 1], [2, 4])
    perceive(agent, [3, 2], env._get_obs())
    assert agent.perceived_ghost_pos == [3, 4]  # where it is seen from there would be outside
    perceive(object(), [0, 1], env._get_obs())


@pytest.mark.parametrize("kind", [MinimaxAgent, ExpectimaxAgent])
def test_a_ghost_that_sees_the_agent_from_outside_the_grid_is_where_the_environment_has_it(kind):
    env = CustomGridEnv(None)
    env.reset(seed=0)
    ghost = kind(env.action_space, env=env)
    seen = env._get_ghost_obs()
    outside = seen | {"agent_relative_pos": np.array([1, 1])}  # the agent is in row 0
    assert ghost.get_action(outside) == ghost.get_action(seen)
