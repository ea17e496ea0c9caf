"""Steps that write to memory of the caller's own."""

import copy

import numpy as np
import pytest

from gridarium.engine import Autoreset
from gridarium.engine.threads.outputs import OutputLane, OutputTarget
from gridarium.world import Action
from tests.engine.worlds import catalogue_world

STEPS, N = 4, 3


def lanes(batch):
    """Memory for a few steps, and who writes to it."""
    lead = (STEPS, batch.n) if batch.composed.agents == 1 else (STEPS, batch.n, batch.composed.agents)
    seen = {o.name: np.full((*lead, *o.shape), 77, o.dtype) for o in batch.composed.outputs}
    earned = np.full(lead, 77.0)
    return seen, earned, {name: OutputLane(array) for name, array in seen.items()}, OutputLane(earned)


@pytest.mark.parametrize("mode", Autoreset)
@pytest.mark.parametrize("name", ["Empty-4x4", "TwoAgents-Empty-8x8"])
@pytest.mark.parametrize("shared", [False, True])
def test_they_write_there_what_they_would_return(name, mode, shared):
    world = catalogue_world(name, compiled=False)
    plain, batch = (world.batch(N, autoreset=mode, shared=shared) for _ in range(2))
    plain.reset(3), batch.reset(3)
    seen, earned, observations, rewards = lanes(batch)
    turn = world.actions.index(Action.TURN_LEFT)
    actions = np.full((N, world.spec.agents), turn)
    for k in range(STEPS):
        wanted = plain.step(actions)
        found = batch.step(actions, into=OutputTarget(observations, k, rewards, STEPS - 1 - k))
        for key, array in wanted.observations.items():
            assert np.array_equal(found.observations[key], array) and np.array_equal(seen[key][k], array)
            assert np.shares_memory(found.observations[key], seen[key])
        assert np.array_equal(earned[STEPS - 1 - k], wanted.rewards) and np.array_equal(
            found.ticks, wanted.ticks
        )
        with pytest.raises(ValueError, match="read-only"):
            found.rewards[:] = 1.0
    kept = {key: array.copy() for key, array in seen.items()}
    later, again = plain.step(actions), batch.step(actions)  # elsewhere again
    assert all(np.array_equal(later.observations[key], again.observations[key]) for key in kept)
    assert all(np.array_equal(seen[key], kept[key]) for key in kept)
    assert not any(np.shares_memory(again.observations[key], seen[key]) for key in kept)


def test_memory_that_does_not_fit_is_refused_before_anything_is_stepped():
    batch = catalogue_world("Empty-4x4", compiled=False).batch(N)
    batch.reset(0)
    _, _, observations, rewards = lanes(batch)
    odd = {
        "observations are": OutputTarget({}, 0, rewards, 0),
        r"rewards is float64\[3\], got float32\[3\]": OutputTarget(
            observations, 0, OutputLane(np.zeros((4, 3), np.float32)), 0
        ),
        r"grid is uint8\[3, 7, 7, 3\], got uint8\[2\]": OutputTarget(
            observations | {"grid": OutputLane(np.zeros((1, 2), np.uint8))}, 0, rewards, 0
        ),
    }
    for told, into in odd.items():
        with pytest.raises(ValueError, match=told):
            batch.step([0] * N, into=into)
    with pytest.raises(IndexError):
        batch.step([0] * N, into=OutputTarget(observations, STEPS, rewards, 0))
    assert batch.ticks.tolist() == [0] * N
    still = np.zeros((4, 3))
    still.flags.writeable = False
    for array in (still, np.zeros((4, 6))[:, ::2], np.zeros((0, 3))):
        with pytest.raises(ValueError, match="contiguous, writable"):
            OutputLane(array)


def test_steps_are_numbered_from_the_first():
    """A number below 0 would be an address before the array."""
    batch = catalogue_world("Empty-4x4", compiled=False).batch(N)
    batch.reset(0)
    seen, earned, observations, rewards = lanes(batch)
    for k in (-1, STEPS):
        with pytest.raises(IndexError, match=f"steps are numbered from 0 to {STEPS - 1}; got {k}"):
            batch.step(np.zeros(N, int), into=OutputTarget(observations, k, rewards, 0))
    assert (earned == 77).all() and all((array == 77).all() for array in seen.values())
    with pytest.raises(TypeError, match="memory that steps write to is not copied"):
        copy.deepcopy(rewards)
