"""Cutting episodes and joining them again."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridarium.episodes import EpisodeError, SingleAgentEpisode
from tests.episodes.making import fill, make, observation, steps_of
from tests.episodes.spaces import same


@pytest.fixture(params=[False, True], ids=["lists", "arrays"])
def episode(request):
    made = make(8, id_="me", agent_id="a", module_id="m")
    made.custom_data["seen"] = [1]
    return made.to_numpy() if request.param else made


@pytest.mark.parametrize("lookback", [0, 2, 8, 20])
def test_what_follows_a_cut(episode, lookback):
    then = episode.cut(lookback)
    assert (then.id_, then.agent_id, then.module_id) == ("me", "a", "m")
    assert (len(then), then.t_started, then.t) == (0, 8, 8)
    assert then.is_numpy == episode.is_numpy
    assert steps_of(then) == range(8, 8)
    kept = min(lookback, 8)
    assert [b.lookback for b in then.buffers().values()] == [kept] * 6
    if kept:
        assert list(then.get_rewards(slice(-kept, None))) == [t * 0.5 for t in range(8 - kept, 8)]
    fill(then, 3, done="terminated")
    assert steps_of(then) == range(8, 11)
    assert steps_of(episode) == range(8)
    then.custom_data["seen"].append(2)
    assert episode.custom_data == {"seen": [1]}


def test_an_ended_episode_is_not_cut():
    with pytest.raises(AssertionError, match="is over"):
        make(2, done="truncated").cut()
    with pytest.raises(AssertionError, match="-1"):
        make(2).cut(-1)


@given(
    st.integers(0, 9),
    st.none() | st.integers(-12, 12),
    st.none() | st.integers(-12, 12),
    st.none() | st.integers(0, 12),
    st.booleans(),
    st.booleans(),
)
def test_slices_hold_the_steps_that_a_range_holds(history, start, stop, lookback, numpy, done):
    whole = make(history).cut(history)
    fill(whole, 8, done="terminated" if done else None)
    if numpy:
        whole.to_numpy()
    part = whole.slice(slice(start, stop), len_lookback_buffer=lookback)
    wanted = range(history, history + 8)[start:stop]
    assert list(steps_of(part)) == list(wanted)
    assert part.is_terminated == (done and part.t == whole.t)
    before = min(history if lookback is None else lookback, part.t_started)
    assert {b.lookback for b in part.buffers().values()} == {before}
    assert part.is_numpy == numpy


def test_slicing_keeps_names_and_refuses_other_steps(episode):
    part = episode[2:5]
    assert (part.id_, part.agent_id, part.module_id, part.custom_data) == ("me", "a", "m", {"seen": [1]})
    assert part.rewards.space == episode.rewards.space
    with pytest.raises(ValueError, match="got 2"):
        episode[::2]
    with pytest.raises(NotImplementedError):
        episode[3]


def test_a_slice_of_lists_is_on_its_own():
    episode = make(300)
    part = episode[100:200]
    part.set_rewards(new_data=[7.0], at_indices=[0])
    assert steps_of(episode) == range(300)


@given(st.lists(st.integers(0, 40), min_size=1, max_size=4), st.integers(0, 3), st.data())
def test_chunks_join_to_the_whole(lengths, lookback, data):
    def chosen(chunk):
        return chunk.to_numpy() if data.draw(st.booleans()) else chunk

    chunk = make(lengths[0], id_="me")
    chunks = []
    for length in lengths[1:]:
        chunks.append(chunk)
        chunk = fill(chunk.cut(lookback), length)
    chunks.append(fill(chunk, 1, done="terminated"))
    joined = chosen(chunks[0])
    for chunk in chunks[1:]:
        joined.concat_episode(chosen(chunk))
    assert steps_of(joined) == range(sum(lengths) + 1)
    assert joined.is_terminated
    whole = make(sum(lengths) + 1, done="terminated")
    assert same(joined.to_numpy().get_observations(), whole.to_numpy().get_observations())


def test_joining_takes_over_custom_data():
    first = make(2)
    then = fill(first.cut(), 1)
    then.custom_data["more"] = 5
    first.concat_episode(then)
    assert first.custom_data == {"more": 5}


@pytest.mark.parametrize(
    ("other", "why"),
    [
        (lambda e: make(3), "different episodes"),
        (lambda e: fill(e.cut(), 2)[1:], "begins at step 5, expected 4"),
        (lambda e: fill(e.cut(), 2, outputs=False), "need|only one of the chunks"),
        (lambda e: e.from_state(e.cut().get_state() | {"t_started": 4}), None),
    ],
)
def test_what_does_not_follow_is_refused(other, why):
    episode = make(4, id_="me")
    then = other(episode)
    if why is None:
        then.set_observations(new_data=[observation(5)])
        why = "does not begin with the observation"
    with pytest.raises(AssertionError, match=why):
        episode.concat_episode(then)
    assert steps_of(episode) == range(4)


def test_nothing_follows_an_ended_episode():
    first = make(2)
    then = fill(first.cut(), 1)
    fill(first, 1, done="terminated")
    with pytest.raises(AssertionError, match="is over"):
        first.concat_episode(then)


@pytest.mark.parametrize("kind", ["observations", "actions", "value"])
def test_a_failed_join_changes_nothing(kind):
    first = make(3).to_numpy()
    then = fill(first.cut(), 2)
    buffer = then.extra_model_outputs["value"] if kind == "value" else getattr(then, kind)
    items = buffer.as_list()
    buffer.data = [*items[:-1], {"other": np.zeros(7)}]
    with pytest.raises(EpisodeError):
        first.concat_episode(then)
    assert steps_of(first) == range(3)
    assert steps_of(fill(first, 2)) == range(5)


def test_chunks_join_where_the_observation_between_them_is_no_number():
    gap = {"x": np.array([np.nan, 1.0]), "name": "a"}
    whole = SingleAgentEpisode(
        "a", observations=[gap, gap], actions=[0], rewards=[1.0], len_lookback_buffer=0
    )
    chunk = whole.cut(1)
    chunk.add_env_step(gap, 1, 2.0)
    whole.concat_episode(chunk)
    assert whole.get_actions() == [0, 1]
    other = SingleAgentEpisode(
        "a", observations=[gap, gap], actions=[0], rewards=[1.0], t_started=2, len_lookback_buffer=0
    )
    other.set_observations(new_data={"x": np.array([0.0, 1.0]), "name": "a"}, at_indices=0)
    with pytest.raises(EpisodeError, match="does not begin with the observation"):
        whole.concat_episode(other)
