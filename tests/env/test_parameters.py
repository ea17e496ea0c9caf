"""Parameters of worlds in environments, and what `reset` takes as options."""

import gymnasium
import numpy as np
import pytest

import gridarium.env
from gridarium.engine import World
from gridarium.env import GridariumEnv, GridariumVectorEnv
from gridarium.world import MovingObstacle, Shape

ID, OBSTACLES, PAIR = "gridarium/DoorKey-5x5-v0", "DynamicObstacles-5x5", "TwoAgents-Empty-8x8"


def obstacles(state) -> int:
    return sum(isinstance(state.grid[p], MovingObstacle) for p in state.grid.positions())


def test_gymnasium_makes_worlds_with_parameters() -> None:
    env = gymnasium.make(ID, shape=(7, 8), time_limit=3, compiled=False, observe="state")
    assert env.unwrapped.world.spec.shape == Shape(7, 8)
    assert env.reset(seed=0)[0]["grid"].shape == (7, 8, 3)
    assert [env.step(0)[3] for _ in range(3)] == [False, False, True]
    assert gymnasium.make(env.spec).unwrapped.world.spec.shape == Shape(7, 8)


@pytest.mark.parametrize("mode", ["sync", "vector_entry_point"])
def test_gymnasium_makes_many_with_parameters(mode) -> None:
    given = {"shape": (6, 7), "compiled": False, "observe": "state"}
    envs = gymnasium.make_vec(ID, num_envs=2, vectorization_mode=mode, **given)
    assert envs.reset(seed=0)[0]["grid"].shape == (2, 6, 7, 3)
    envs.close()


def test_pettingzoo_takes_them_too() -> None:
    pytest.importorskip("pettingzoo")
    for make in (gridarium.env.parallel_env, gridarium.env.aec_env):
        assert make(PAIR, shape=(5, 6), compiled=False).unwrapped.state_space.shape == (3 * 5 * 6 + 7 * 2,)


def test_the_adapter_for_stable_baselines_takes_them_too() -> None:
    pytest.importorskip("stable_baselines3")
    learner = gridarium.env.GridariumVecEnv(
        "DoorKey-5x5", 2, shape=(6, 6), max_episode_steps=4, compiled=False
    )
    assert learner.world.spec.shape == Shape(6, 6)
    assert (learner.world.spec.time_limit, learner.world.spec.representation.name) == (4, "symbolic")


def test_a_world_that_is_there_already_takes_parameters_as_well() -> None:
    world = World("DoorKey-5x5", compiled=False)
    assert GridariumEnv(world).world is world
    other = GridariumEnv(world, horizon=9.0, compiled=False).world
    assert other.spec.rewards[0].keywords == {"horizon": 9.0}
    assert world.spec.rewards[0].keywords == {"horizon": 250.0}


def test_unknown_parameters_and_a_limit_under_two_names_are_refused() -> None:
    for make in (GridariumEnv, GridariumVectorEnv):
        with pytest.raises(
            ValueError, match=r"no parameter 'shap'; did you mean 'shape'\? known: shape, time_limit"
        ):
            make("DoorKey-5x5", shap=(7, 7))
        with pytest.raises(
            ValueError, match="max_episode_steps and time_limit are the same; give one of them"
        ):
            make("DoorKey-5x5", time_limit=3, max_episode_steps=3)


# options of reset


def test_an_episode_begins_in_a_state_that_is_given() -> None:
    env = GridariumEnv("KeyDoor-5x5", compiled=False)
    start = env.world.reset(seed=33)
    observation, info = env.reset(seed=1, options={"state": start})
    assert env.state == start and info == {"tick": 0, "result": 0}
    expected = env.world.arrays(env.state)
    assert all(np.array_equal(observation[name], array) for name, array in expected.items())
    assert gymnasium.make("gridarium/KeyDoor-5x5-v0", compiled=False).reset(options={"state": start})


def test_parameters_hold_from_the_episode_on() -> None:
    env = GridariumEnv(OBSTACLES, compiled=False)
    env.reset(seed=0, options={"parameters": {"num_obstacles": 3, "time_limit": 2}})
    assert obstacles(env.state) == 3
    env.reset()
    assert obstacles(env.state) == 3
    env.step(4)
    assert env.step(4)[3] or env.state.data[5] == 1
    env.reset(options={"parameters": {"num_obstacles": 1}})
    assert obstacles(env.state) == 1
    env.reset(options={})
    assert obstacles(env.state) == 1


def test_worlds_of_a_vector_environment_are_given_states_and_parameters_by_a_mask() -> None:
    envs = GridariumVectorEnv(OBSTACLES, 3, compiled=False)
    envs.reset(seed=0)
    mask = np.array([True, False, True])
    envs.reset(options={"reset_mask": mask, "parameters": {"num_obstacles": 2}})
    assert [obstacles(envs.batch.state(i)) for i in range(3)] == [2, 1, 2]
    states = [envs.world.reset(seed=i) for i in (5, 6, 7)]
    envs.reset(options={"reset_mask": mask, "state": states})
    assert [envs.batch.state(i) == states[i] for i in range(3)] == [True, False, True]


def test_agents_of_several_begin_in_a_state_that_is_given() -> None:
    pytest.importorskip("pettingzoo")
    for make in (gridarium.env.parallel_env, gridarium.env.aec_env):
        env = make(PAIR, compiled=False)
        world = env.unwrapped.core.world
        start = world.reset(seed=9)
        env.reset(seed=2, options={"state": start, "parameters": {"time_limit": 1}})
        assert env.unwrapped.world_state == start
        with pytest.raises(ValueError, match="reset has no option 'stat'; did you mean 'state'"):
            env.reset(options={"stat": start})


def test_other_options_are_refused_with_those_that_there_are() -> None:
    env, envs = (
        GridariumEnv("KeyDoor-5x5", compiled=False),
        GridariumVectorEnv("KeyDoor-5x5", 2, compiled=False),
    )
    with pytest.raises(ValueError, match="reset has no option 'seed'; known: state, parameters$"):
        env.reset(options={"seed": 3})
    with pytest.raises(
        ValueError, match="reset has no option 'mask'; .*known: reset_mask, state, parameters$"
    ):
        envs.reset(options={"mask": [True, False]})
    for either in (env, envs):
        with pytest.raises(TypeError, match="options are given by their names"):
            either.reset(options=[1])
        with pytest.raises(TypeError, match="parameters must be a mapping"):
            either.reset(options={"parameters": 3})
        with pytest.raises(TypeError, match="a state is needed"):
            either.reset(options={"state": 3})
        with pytest.raises(ValueError, match="shape of KeyDoor-5x5 cannot change between episodes"):
            either.reset(options={"parameters": {"shape": (7, 7)}})
