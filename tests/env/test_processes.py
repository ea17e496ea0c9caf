"""Environments in other processes: forked, spawned and served, also after the parent has stepped in parallel."""

import functools

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv

from gridarium.env import GridariumEnv, GridariumVectorEnv
from tests.env.worlds import SMALL, small

WORLDS = 600

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")


@pytest.fixture(scope="module")
def parallel_parent():
    """This process, after it has stepped a batch on two threads, which wait for more."""
    envs = GridariumVectorEnv(small(), WORLDS, threads=2)
    envs.reset(seed=0)
    for _ in range(20):
        envs.step(np.full(WORLDS, 4))
    yield envs
    envs.close()


def returned(envs, steps=25):
    """What an environment returns to the same random actions."""
    rng = np.random.default_rng(0)
    told = [envs.reset(seed=3)]
    told += [envs.step(rng.integers(envs.single_action_space.n, size=envs.num_envs)) for _ in range(steps)]
    envs.close()
    return told


@pytest.mark.sampled(3)
@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_asynchronous_environments_do_what_synchronous_ones_do(method, parallel_parent):
    make = functools.partial(gymnasium.make, f"gridarium:gridarium/{SMALL}-v0", max_episode_steps=8)
    apart = returned(AsyncVectorEnv([make] * 2, context=method))
    together = returned(SyncVectorEnv([make] * 2))
    for step, (mine, its) in enumerate(zip(apart, together, strict=True)):
        assert data_equivalence(mine, its, exact=True), step
    parallel_parent.step(np.full(WORLDS, 5))


def walk_in_child(connection, envs):
    """Steps a vector environment and an environment that came from the parent, and tells what they gave."""
    batch, alone = envs
    told = [batch.step(np.full(batch.num_envs, action)) for action in (0, 4, 5, 0)]
    told += [alone.reset(seed=9), alone.step(0)]
    connection.send((told, batch.batch.threads))
    connection.close()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_environments_go_on_in_another_process(method, parallel_parent):
    import multiprocessing

    context = multiprocessing.get_context(method)
    alone = GridariumEnv(small())
    alone.reset(seed=1)
    ours, theirs = context.Pipe()
    child = context.Process(target=walk_in_child, args=(theirs, (parallel_parent, alone)))
    child.start()
    told, threads = ours.recv()
    child.join()
    expected = [parallel_parent.step(np.full(WORLDS, action)) for action in (0, 4, 5, 0)]
    expected += [alone.reset(seed=9), alone.step(0)]
    assert all(data_equivalence(mine, its, exact=True) for mine, its in zip(told, expected, strict=True))
    assert threads == (1 if method == "fork" else 2)
