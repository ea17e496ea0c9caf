"""What makes no sense is refused, with what was wrong and what is allowed."""

import re

import gymnasium
import numpy as np
import pytest

from gridarium.env.registration import GHOST_ID
from gridarium.ghost import (
    AgentInterface,
    CustomGridEnv,
    ParticleFilter,
    TaskPlanner,
    VisionSensor,
    load_layout,
)
from gridarium.ghost.agents import (
    ExpectimaxAgent,
    MinimaxAgent,
    QLearningAgent,
    RandomPlayerAgent,
    ValueIterationAgent,
)
from gridarium.ghost.planning.values import goal_values
from gridarium.ghost.world.paths import GridPaths

NAN = float("nan")


def env():
    made = CustomGridEnv(None)
    made.reset(seed=0)
    return made


def interface(**options):
    return AgentInterface(**{"render": False, "use_particle_filter": False, **options})


def planner():
    return TaskPlanner(env(), use_llm=False)


def of(kind, **options):
    made = env()
    return kind(made.action_space, env=made, **options)


def refused(error, words, call):
    return pytest.param(error, words, call, id=words[:50])


@pytest.mark.parametrize(
    ("error", "words", "call"),
    [
        refused(ValueError, "a layout is a name, a file", lambda: CustomGridEnv(None, layout=5)),
        refused(ValueError, "a layout is a name, a file, YAML", lambda: load_layout(None)),
        refused(ValueError, "render_mode is None, or one of", lambda: CustomGridEnv(5)),
        refused(ValueError, "time_limit is None, or a number of steps", lambda: CustomGridEnv(None, time_limit="x")),
        refused(ValueError, "slip_probability is a number from 0 to 1, got nan", lambda: CustomGridEnv(None, NAN)),
        refused(ValueError, "seed is None, or a whole number from 0 on, got -1", lambda: env().reset(seed=-1)),
        refused(ValueError, "seed is None, or a whole number from 0 on, got 'x'", lambda: env().reset(seed="x")),
        refused(ValueError, "seed is None, or a whole number from 0 on, got 1.5", lambda: interface().reset(1.5)),
        refused(ValueError, "render is True or False, got 'no'", lambda: AgentInterface("no")),
        refused(ValueError, "use_particle_filter is True or", lambda: interface(use_particle_filter="yes")),
        refused(ValueError, "show_particles is True or False", lambda: interface(show_particles=None)),
        refused(ValueError, "step_delay, in milliseconds, is a number", lambda: interface(step_delay="long")),
        refused(ValueError, "step_delay, in milliseconds, is a number from 0", lambda: interface(step_delay=NAN)),
        refused(
            ValueError, "num_particles is a whole number from 1 on, got 'many'",
            lambda: interface(use_particle_filter=True, pf_num_particles="many"),
        ),
        refused(ValueError, "num_particles is at most 10,000,000", lambda: ParticleFilter(4, 5, 10**12)),
        refused(ValueError, "rows is a whole number from 1 on, got '4'", lambda: ParticleFilter("4", 5)),
        refused(ValueError, "threshold is a number from 0 to 1, got 'x'", lambda: ParticleFilter(4, 5, threshold="x")),
        refused(ValueError, "recovery is None, or two rates", lambda: ParticleFilter(4, 5, recovery="x")),
        refused(ValueError, "recovery is None, or two rates (slow", lambda: ParticleFilter(4, 5, recovery=(0.1,))),
        refused(ValueError, "seed is None, or a whole number", lambda: ParticleFilter(4, 5, seed="x")),
        refused(TypeError, "int'>: int() argument", lambda: interface(ghost_agent_class=int)),
        refused(TypeError, "given as a class", lambda: interface().set_ghost_agent("chase")),
        refused(ValueError, "theta is a number from 0 on, got nan", lambda: planner().value_iteration((3, 1), NAN)),
        refused(ValueError, "theta is above 0", lambda: planner().value_iteration((3, 1), 0)),
        refused(ValueError, "the goal is [row, column], got 5", lambda: planner().value_iteration(5)),
        refused(ValueError, "the goal is [row, column], got (1.5", lambda: planner().value_iteration((1.5, 0))),
        refused(
            ValueError, "gamma is below 1",
            lambda: goal_values(GridPaths(np.zeros((1, 2)), np.ones((1, 2))), [(0, 0)], gamma=1.0),
        ),
        refused(
            ValueError, "values are float[4, 5], got (2, 2)",
            lambda: planner().get_optimal_action((0, 0), np.zeros((2, 2))),
        ),
        refused(
            ValueError, "a place [9, 0] is outside the grid",
            lambda: planner().get_optimal_action((9, 0), np.zeros((4, 5))),
        ),
        refused(ValueError, "a place is [row, column], got 3", lambda: planner().solve_tsp((0, 0), [3])),
        refused(TypeError, "a task is a text, got 5", lambda: planner().identify_targets(5)),
        refused(TypeError, "TaskPlanner needs env=, a CustomGridEnv", lambda: TaskPlanner(None, use_llm=False)),
        refused(TypeError, "MinimaxAgent needs env=", lambda: MinimaxAgent(None, env=interface())),
        refused(ValueError, "depth_limit is a whole number from 1 on, got 'x'", lambda: of(MinimaxAgent, depth_limit="x")),
        refused(ValueError, "depth_limit is a whole number from 1 on, got 2.5", lambda: of(ExpectimaxAgent, depth_limit=2.5)),
        refused(ValueError, "a position [9, 9] is outside", lambda: of(MinimaxAgent).get_value([9, 9], [0, 0])),
        refused(ValueError, "a position [-1, 0] is outside", lambda: of(ValueIterationAgent).get_value([-1, 0])),
        refused(ValueError, "alpha is a number from 0 to 1, got 'x'", lambda: of(QLearningAgent, alpha="x")),
        refused(ValueError, "episodes is a whole number", lambda: of(QLearningAgent).learn(interface(), "x")),
        refused(ValueError, "seed is None, or a whole", lambda: of(RandomPlayerAgent, seed=-1)),
        refused(ValueError, "strength is a number from 0 on, got 'x'", lambda: VisionSensor(strength="x")),
        refused(ValueError, "seed is None, or a whole number from", lambda: VisionSensor(seed="x")),
        refused(ValueError, "a goal is [row, column], got 'ab'", lambda: env().set_goal("ab")),
        refused(ValueError, "a position is [row, column], got (None", lambda: env()._get_cell_info(None, 0)),
    ],
)  # fmt: skip
def test_it_is_refused(error, words, call):
    with pytest.raises(error, match=re.escape(words)):
        call()


@pytest.mark.parametrize(
    ("error", "words", "change"),
    [
        (ValueError, "0 left, 1 down", {"action": 7}),
        (TypeError, "an action is a whole number", {"action": "left"}),
        (ValueError, "slip_prob is a number from 0 to 1", {"slip_prob": "x"}),
        (ValueError, "'longitudinal' or 'perpendicular'", {"slip_type": "x"}),
        (TypeError, "such as env._is_move_valid", {"env_is_move_valid_fn": None}),
    ],
)
def test_a_filter_refuses_to_predict_nonsense(error, words, change):
    cloud = ParticleFilter(4, 5, seed=0)
    usual = {
        "action": 0,
        "slip_prob": 0.2,
        "slip_type": "longitudinal",
        "env_is_move_valid_fn": env()._is_move_valid,
    }
    before = cloud.get_particles()
    with pytest.raises(error, match=re.escape(words)):
        cloud.predict(**{**usual, **change})
    assert cloud.get_particles() == before


@pytest.mark.parametrize(
    ("words", "change"),
    [
        ("measurements is a dictionary, such as info, got None", {"measurements": None}),
        ("color_measurement is 0 (none), 1 (red) or 2 (green), got 'red'", {"measurements": {"color_measurement": "red"}}),
        ("cnn_probs are 3 finite numbers", {"measurements": {"cnn_probs": "x"}}),
        ("cnn_probs are 3 finite numbers", {"measurements": {"cnn_probs": [0.5, 0.5]}}),
        ("a sensor mode is one of color, cnn, both, got 'smell'", {"sensor_mode": "smell"}),
        ("the grid is an array, or a list of rows, of 4 x 5 cells", {"grid": np.zeros((4, 5))}),
        ("the grid is an array, or a list of rows, of 4 x 5 cells", {"grid": CustomGridEnv(None, layout="maze-8x10").grid}),
        ("color_sensor_quality is a number from 0 to 1", {"color_sensor_quality": 2}),
        ("cnn_class_names lacks 'background'", {"cnn_class_names": ["dog", "flower", "cat"]}),
        ("cnn_class_priors are above 0", {"cnn_class_priors": [0, 0.5, 0.5]}),
    ],
)  # fmt: skip
def test_a_filter_refuses_to_learn_nonsense(words, change):
    cloud = ParticleFilter(4, 5, seed=0)
    usual = {
        "measurements": {"color_measurement": 1, "cnn_probs": [0.2, 0.2, 0.6]},
        "sensor_mode": "both",
        "grid": env().grid,
    }
    before = cloud.weights.copy()
    with pytest.raises(ValueError, match=re.escape(words)):
        cloud.update(**{**usual, **change})
    assert (cloud.weights == before).all()


def test_a_seed_that_is_none_changes_nothing():
    made = AgentInterface(render=False)
    made.reset(seed=1)
    made.step(0)
    before = repr((made.env.info, made.env.agent_pos, made.pf.particles, made.episode_steps))
    for reset in (made.reset, made.env.reset):
        with pytest.raises(ValueError, match="seed is None"):
            reset(seed=-1)
    assert repr((made.env.info, made.env.agent_pos, made.pf.particles, made.episode_steps)) == before


def test_an_environment_may_be_wrapped():
    wrapped = gymnasium.make(GHOST_ID)
    wrapped.reset(seed=0)
    agent = MinimaxAgent(wrapped.action_space, env=wrapped)
    assert agent.env is wrapped.unwrapped and agent.get_action({}) == 0
    assert TaskPlanner(wrapped, use_llm=False).get_path((0, 2), (3, 1)) == [0, 1, 1, 1]
