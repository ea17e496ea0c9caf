"""Actions as arrays of their parts, in all environments."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from gridarium.engine import World
from gridarium.env import GridariumEnv, GridariumVectorEnv
from gridarium.env.action_parts import ActionParts

ACTIONS = [
    "MOVE_FORWARD",
    {"name": "PLACE", "over": {"piece": 5, "at": "cells"}},
    {"name": "SAY", "over": 2},
    {"name": "GO", "over": "cells"},
]


@pytest.fixture(scope="module")
def described():
    return World("Empty-4x4").spec.description.to_dict() | {"actions": ACTIONS, "legal": ["can_move"]}


@pytest.fixture(scope="module")
def world(described):
    return World(described, compiled=False)


def test_parts_are_the_arguments_of_all_actions(world):
    parts = ActionParts(world.actions)
    assert parts.names == ("action", "piece", "at", "number")
    assert parts.space.nvec.tolist() == [4, 5, 16, 2]
    assert parts.index([1, 3, 6, 0]) == world.actions.parse("PLACE(3, 1, 2)")
    assert parts.index([2, 4, 15, 1]) == world.actions.parse("SAY(1)")
    assert parts.index([3, 0, 6, 1]) == world.actions.parse("GO(1, 2)")
    assert parts.index([0, 4, 15, 1]) == 0


def test_every_index_has_its_parts_and_every_array_of_the_space_is_an_action(world):
    parts = ActionParts(world.actions)
    indices = np.arange(len(world.actions))
    assert np.array_equal(parts.index(parts.parts(indices)), indices)
    parts.space.seed(0)
    drawn = [parts.space.sample() for _ in range(50)]
    assert set(parts.index(drawn).tolist()) <= set(indices.tolist())


def test_what_is_no_action_is_refused(world):
    parts = ActionParts(world.actions)
    with pytest.raises(ValueError, match="action 0 to 3, piece 0 to 4, at 0 to 15, number 0 to 1; got"):
        parts.index([1, 5, 0, 0])
    with pytest.raises(ValueError, match=r"got \[1, 2\]"):
        parts.index([1, 2])
    with pytest.raises(TypeError, match="whole numbers"):
        parts.index([0.5, 0, 0, 0])
    with pytest.raises(IndexError, match="from 0 to 98; got 99"):
        parts.parts(99)


def test_an_environment_takes_parts_and_its_mask_is_of_indices(described):
    env = GridariumEnv(described, action_parts=True, compiled=False)
    check_env(env, skip_render_check=True)
    flat = GridariumEnv(described, compiled=False)
    for each in (env, flat):
        each.reset(seed=3)
    env.action_space.seed(1)
    for _ in range(10):
        chosen = env.action_space.sample()
        mine, its = env.step(chosen), flat.step(env.action_parts.index(chosen))
        assert env.state.identical(flat.state)
        mask = mine[4]["action_mask"]
        assert mask.shape == (99,) and np.array_equal(mask, its[4]["action_mask"])
        assert mask[env.action_parts.index([1, 4, 15, 0])] == 1


def test_a_mask_of_indices_says_what_is_sampled(world):
    parts = ActionParts(world.actions)
    allowed = {world.actions.parse(each) for each in ("PLACE(3, 1, 2)", "PLACE(0, 0, 0)", "GO(1, 2)")}
    mask = np.isin(np.arange(len(world.actions)), list(allowed)).astype(np.int8)
    parts.space.seed(0)
    drawn = [parts.space.sample(mask) for _ in range(200)]
    assert all(each in parts.space for each in drawn)
    counts = np.bincount(parts.index(drawn), minlength=parts.count)
    assert set(np.flatnonzero(counts)) == allowed and counts[list(allowed)].min() > 40
    assert parts.index(parts.space.sample(np.zeros_like(mask))) == 0
    one = tuple(np.eye(n, dtype=np.int8)[1] for n in parts.space.nvec)
    assert parts.space.sample(one).tolist() == [1, 1, 1, 1]
    with pytest.raises(ValueError, match=r"each of 99 actions, got the shape \(98,\)"):
        parts.space.sample(mask[1:])


@pytest.mark.parametrize("mode", ["vector_entry_point", "sync"])
def test_vector_environments_take_parts(mode):
    envs = gymnasium.make_vec(
        "gridarium/Empty-8x8-v0", num_envs=3, vectorization_mode=mode, action_parts=True, compiled=False
    )
    envs.reset(seed=0)
    assert envs.single_action_space == gymnasium.spaces.MultiDiscrete([6])
    assert envs.action_space.shape == (3, 1)
    envs.step(envs.action_space.sample())


def test_a_batch_as_a_vector_environment_takes_parts(described, world):
    envs = GridariumVectorEnv(described, 2, action_parts=True, compiled=False)
    batch = world.batch(2)
    envs.reset(seed=0)
    batch.reset(0)
    for _ in range(5):
        chosen = envs.action_space.sample()
        envs.step(chosen)
        batch.step(envs.action_parts.index(chosen))
    assert envs.batch.snapshot().agent_rows.tobytes() == batch.snapshot().agent_rows.tobytes()
    with pytest.raises(ValueError, match="an action has the parts"):
        envs.step([0, 1])
