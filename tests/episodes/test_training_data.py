"""Transitions of n steps."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridarium.episodes import EpisodeError, MultiAgentEpisode, NStepSampler, SingleAgentEpisode, frame_stacks
from gridarium.episodes.recording import block_of
from tests.episodes.making import make

LENGTHS = st.lists(
    st.tuples(st.integers(0, 8), st.sampled_from([None, "terminated", "truncated"])), max_size=4
)


def looped(episodes, n, discount):
    """All transitions, one by one."""
    for episode in episodes:
        steps, rewards = len(episode), episode.get_rewards()
        for t in range(steps):
            after = min(t + n, steps)
            yield (
                int(episode.get_observations(t)["step"]),
                int(episode.get_observations(after)["step"]),
                sum(discount**i * rewards[t + i] for i in range(after - t)),
                after - t,
                episode.is_terminated and after == steps,
                episode.is_truncated and after == steps,
                0.0 if episode.is_terminated and after == steps else discount ** (after - t),
            )


@given(lengths=LENGTHS, n=st.integers(1, 5), discount=st.sampled_from([0.0, 0.5, 1.0]), numpy=st.booleans())
def test_transitions_are_those_of_a_loop(lengths, n, discount, numpy):
    episodes = [make(steps, done=done) for steps, done in lengths]
    wanted = list(looped(episodes, n, discount))
    sampler = NStepSampler([e.to_numpy() if numpy else e for e in episodes], n=n, discount=discount)
    assert len(sampler) == len(wanted)
    if wanted:
        found = sampler.at(range(len(wanted)))
        columns = [found.observations["step"], found.next_observations["step"], found.rewards, found.steps]
        columns += [found.terminated, found.truncated, found.discounts]
        np.testing.assert_allclose(np.stack(columns, axis=1), np.array(wanted, float))
        at = found.observations["step"]
        assert found.actions.tolist() == (at % 3).tolist()
        assert found.extra_model_outputs["value"].tolist() == (at * 2.0).tolist()


def test_lookback_is_no_part_of_it():
    chunk = make(6).cut(3)
    chunk.add_env_step(
        chunk.get_observations(0), 0, 1.0, extra_model_outputs={"value": 0.0, "state": np.array([0])}
    )
    assert len(NStepSampler([chunk], n=2)) == 1


def test_draws_come_from_all_steps_evenly_and_by_the_seed():
    episodes = [make(5, done="terminated"), make(15, done="truncated")]
    sampler = NStepSampler(episodes, n=3, seed=1)
    counts = np.bincount(sampler.sample(20_000).observations["step"], minlength=15)
    assert np.abs(counts[:5] / 2000 - 1).max() < 0.1
    assert np.abs(counts[5:15] / 1000 - 1).max() < 0.15
    again = [NStepSampler(episodes, n=3, seed=2).sample(8).rewards.tolist() for _ in range(2)]
    assert again[0] == again[1]


def test_what_is_refused():
    with pytest.raises(ValueError, match="n is 1 or more"):
        NStepSampler(n=0)
    with pytest.raises(ValueError, match="discount"):
        NStepSampler(discount=1.5)
    sampler = NStepSampler()
    with pytest.raises(EpisodeError, match="nothing to draw from"):
        sampler.sample(1)
    sampler.add(make(3))
    with pytest.raises(EpisodeError, match="only some of the episodes have"):
        sampler.add(make(3, outputs=False))
    other = SingleAgentEpisode()
    other.add_env_reset(0)
    other.add_env_step(1, 0, 1.0, extra_model_outputs={"value": 0.0, "state": np.array([0])})
    with pytest.raises(EpisodeError, match="different forms"):
        sampler.add(other)
    assert len(sampler) == 3
    assert sampler.at([0, 1, 2]).observations["step"].tolist() == [0, 1, 2]
    with pytest.raises(IndexError):
        sampler.at([3])


def two_agents(*, odd=False):
    episode = MultiAgentEpisode()
    episode.add_env_reset(observations={"a": 0.0, "b": 10.0})
    episode.add_env_step({"a": 1.0}, {"a": 0, "b": 1}, {"a": 1.0})
    last = np.zeros(2) if odd else 11.0
    episode.add_env_step({"a": 2.0, "b": last}, {"a": 0}, {"a": 2.0, "b": 4.0}, terminateds={"b": True})
    return episode


def test_agents_of_one_episode_give_transitions_of_their_own():
    sampler = NStepSampler([two_agents()], n=2, discount=0.5)
    found = sampler.at(range(len(sampler)))
    assert found.rewards.tolist() == [2.0, 2.0, 4.0] and found.terminated.tolist() == [False, False, True]
    assert found.next_observations.tolist() == [2.0, 2.0, 11.0]


@pytest.mark.parametrize("before", [0, 1])
def test_an_episode_of_which_one_agent_does_not_fit_leaves_no_trace(before):
    sampler = NStepSampler([two_agents()] * before)
    with pytest.raises(EpisodeError):
        sampler.add(two_agents(odd=True))
    assert len(sampler) == 3 * before
    sampler.add(two_agents())
    assert len(sampler) == 3 * before + 3


def test_what_takes_one_agent_says_so():
    for take in (lambda episode: frame_stacks(episode, 2), lambda episode: block_of([episode])):
        with pytest.raises(EpisodeError, match="has several agents"):
            take(two_agents())


@pytest.mark.parametrize("places", [[-1], [0, 5], [2**40]])
def test_places_that_are_not_there_are_told(places):
    sampler = NStepSampler([make(5)])
    with pytest.raises(IndexError, match=f"no transition {places[-1]}: there are 5, counted from 0"):
        sampler.at(places)
    with pytest.raises(EpisodeError, match="indices are whole numbers, got the type float64"):
        sampler.at([0.5])
    assert sampler.at([0, 4]).steps.tolist() == [1, 1]
