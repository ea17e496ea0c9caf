"""Returns, advantages and frame stacks, against simple loops."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from gridarium.episodes import (
    EpisodeError,
    SingleAgentEpisode,
    discounted_sums,
    frame_stacks,
    generalised_advantages,
    n_step_returns,
)
from gridarium.episodes.returns import BLOCK
from tests.episodes.making import fill, make

NUMBERS = st.floats(-10, 10)
SHAPES = st.sampled_from([(0,), (1,), (7,), (BLOCK,), (BLOCK + 1,), (3 * BLOCK - 1,), (5, 2), (70, 3)])
REWARDS = SHAPES.flatmap(lambda shape: hnp.arrays(np.float64, shape, elements=NUMBERS, fill=NUMBERS))
UNIT = st.sampled_from([0.0, 1.0, 0.99]) | st.floats(0, 1)


@given(REWARDS, UNIT, NUMBERS)
def test_discounted_sums(rewards, discount, last):
    sums, after = [], np.full(rewards.shape[1:], last)
    for reward in rewards[::-1]:
        after = reward + discount * after
        sums.append(after)
    found = discounted_sums(rewards, discount, last)
    assert found.shape == rewards.shape
    assert np.allclose(found, np.array(sums[::-1]).reshape(rewards.shape), rtol=1e-9, atol=1e-9)


@given(REWARDS.filter(lambda r: r.ndim == 1), st.integers(1, 100), UNIT)
def test_n_step_returns(rewards, n, discount):
    found = n_step_returns(rewards, n, discount)
    for t in range(len(rewards)):
        ahead = rewards[t : t + n]
        assert found.steps[t] == len(ahead)
        assert found.returns[t] == pytest.approx(sum(r * discount**i for i, r in enumerate(ahead)), abs=1e-9)


@given(REWARDS, UNIT, UNIT, st.booleans(), st.integers(0, 99))
def test_generalised_advantages(rewards, discount, smoothing, terminated, seed):
    values = np.random.default_rng(seed).normal(size=(len(rewards) + 1, *rewards.shape[1:]))
    found = generalised_advantages(rewards, values, discount, smoothing, terminated=terminated)
    advantage = np.zeros(rewards.shape[1:])
    for t in range(len(rewards) - 1, -1, -1):
        coming = 0.0 if terminated and t == len(rewards) - 1 else values[t + 1]
        advantage = rewards[t] + discount * coming - values[t] + discount * smoothing * advantage
        assert np.allclose(found.advantages[t], advantage, rtol=1e-9, atol=1e-9)
        assert np.allclose(found.targets[t], advantage + values[t], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(
    "call",
    [
        lambda: discounted_sums([1.0], 1.5),
        lambda: n_step_returns([1.0], 0, 0.9),
        lambda: n_step_returns([1.0], 1, -0.1),
        lambda: generalised_advantages([1.0], [1.0], 0.9, 0.9),
        lambda: generalised_advantages([1.0], [1.0, 2.0], 0.9, 2),
    ],
)
def test_what_makes_no_sense_is_refused(call):
    with pytest.raises(ValueError, match="between 0 and 1|1 or more|one value more"):
        call()


@pytest.mark.parametrize("numpy", [False, True])
@pytest.mark.parametrize("n", [1, 2, 4, 30])
@pytest.mark.parametrize("lookback", [0, 2, 6])
def test_frame_stacks(numpy, n, lookback):
    episode = fill(make(6).cut(lookback), 20)
    if numpy:
        episode.to_numpy()
    stacks = frame_stacks(episode, n, fill=0)
    assert stacks["at"].shape == (21, n, 2)
    for row, t in enumerate(range(6, 27)):
        wanted = [max(s, 0) if s >= 6 - lookback else 0 for s in range(t - n + 1, t + 1)]
        assert stacks["step"][row].tolist() == wanted
        assert stacks["at"][row, :, 0].tolist() == wanted
    without = frame_stacks(episode, n, last=False)
    assert np.array_equal(without["step"], stacks["step"][:-1])


def test_frame_stacks_need_observations():
    with pytest.raises(EpisodeError, match="no observations"):
        frame_stacks(SingleAgentEpisode(), 2)
    with pytest.raises(EpisodeError, match="1 observation or more"):
        frame_stacks(make(1), 0)


@pytest.mark.parametrize("odd", [np.inf, -np.inf, np.nan])
def test_rewards_that_are_no_numbers_reach_earlier_steps_only(odd):
    rewards = np.ones(3 * BLOCK)
    rewards[BLOCK + 5] = odd
    found = discounted_sums(rewards, 0.5)
    later = discounted_sums(np.ones(2 * BLOCK - 6), 0.5)
    np.testing.assert_allclose(found[BLOCK + 6 :], later)
    np.testing.assert_array_equal(found[: BLOCK + 6], np.full(BLOCK + 6, odd))
