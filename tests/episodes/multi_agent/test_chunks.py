"""Cutting, slicing and joining episodes of several agents."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridarium.episodes import EpisodeError, MultiAgentEpisode
from tests.episodes.multi_agent.plays import PLAYS, Play, contents, told

PLACES = st.integers(0, 12)


@given(choices=PLAYS, cuts=st.lists(PLACES, max_size=4), lookback=st.integers(0, 5))
def test_chunks_joined_again_tell_what_the_uncut_episode_tells(choices, cuts, lookback):
    play = Play(choices)
    chunks = [begun(play)]
    places = [*sorted(min(cut, len(play.steps)) for cut in cuts), len(play.steps)]
    for start, stop in pairwise([0, *places]):
        play.go_on(chunks[-1], start, stop)
        if chunks[-1].is_done:
            break
        chunks.append(chunks[-1].cut(lookback))
        if not chunks[-2].tables.hanging_actions.keys() <= chunks[-1].agent_ids:
            return  # without lookback, some that wait begin anew
    whole = MultiAgentEpisode.from_state(chunks[0].get_state())
    for chunk in chunks[1:]:
        whole.concat_episode(chunk)
    uncut = play.episode()
    assert contents(whole) == contents(uncut)
    assert told(whole) == told(uncut)


@given(choices=PLAYS, cuts=st.lists(PLACES, max_size=4), lookback=PLACES)
def test_slices_joined_again_tell_what_the_whole_tells(choices, cuts, lookback):
    play = Play(choices)
    episode = play.episode(id_="play")
    places = [0, *sorted(min(cut, len(play.steps)) for cut in cuts), len(play.steps)]
    parts = [episode.slice(slice(*ends), len_lookback_buffer=lookback) for ends in pairwise(places)]
    whole = parts[0]
    for part in parts[1:]:
        if whole.is_done:
            break
        whole.concat_episode(part)
    assert contents(whole) == contents(episode)
    assert told(whole) == told(episode)


def begun(play):
    episode = MultiAgentEpisode("play")
    infos = {agent: play.table["infos"][agent][0] for agent in play.reset}
    episode.add_env_reset(observations=play.reset, infos=infos)
    return episode


@given(choices=PLAYS, at=PLACES, lookback=st.integers(1, 5), numpy=st.booleans())
def test_what_is_cut_can_be_joined_again(choices, at, lookback, numpy):
    play = Play(choices)
    at = min(at, len(play.steps))
    first = begun(play)
    play.go_on(first, 0, at)
    if first.is_done:
        return
    second = first.cut(lookback)
    assert (len(second), second.env_t_started, second.id_) == (0, at, "play")
    play.go_on(second, at)
    if numpy:
        first.to_numpy()
        second.to_numpy()
    first.concat_episode(second)
    first.validate()
    assert contents(first) == contents(play.episode())


@given(choices=PLAYS, at=PLACES, lookback=st.integers(0, 5))
def test_a_chunk_returns_what_came_after_the_cut(choices, at, lookback):
    play = Play(choices)
    at = min(at, len(play.steps))
    first = MultiAgentEpisode()
    first.add_env_reset(observations=play.reset)
    play.go_on(first, 0, at)
    if first.is_done:
        return
    whole = play.episode()
    second = first.cut(lookback)
    if set(first.tables.hanging_actions) <= set(second.agent_episodes):
        play.go_on(second, at)
        assert first.get_return() + second.get_return() == whole.get_return()


@given(choices=PLAYS, ends=st.tuples(PLACES, PLACES), lookback=PLACES)
def test_a_slice_holds_the_steps_of_its_range(choices, ends, lookback):
    play = Play(choices)
    episode = play.episode()
    start, stop = sorted(min(end, len(play.steps)) for end in ends)
    part = episode.slice(slice(start, stop), len_lookback_buffer=lookback)
    part.validate()
    assert (len(part), part.env_t_started, part.env_t) == (stop - start, start, stop)
    history = min(lookback, start)
    for agent in part.agent_episodes:
        rows = play.table["observations"][agent]
        wanted = [rows[t] for t in range(start - history, stop + 1) if t in rows]
        found = part.get_observations(slice(-history, None), agent, neg_index_as_lookback=True)
        assert found.get(agent, []) == (
            wanted if history else [rows[t] for t in sorted(rows) if start <= t <= stop]
        )
        rewards = play.table["rewards"][agent]
        wanted = [rewards[t] for t in range(start, stop) if t in rows and t in rewards]
        if agent not in episode.tables.hanging_rewards:
            assert part.get_rewards(agent_ids=agent).get(agent, []) == wanted


@given(choices=PLAYS, at=PLACES, lookback=st.sampled_from([None, 0, 3]))
def test_slices_can_be_joined_again(choices, at, lookback):
    play = Play(choices)
    episode = play.episode(id_="play")
    at = min(at, len(play.steps))
    first = episode[:at]
    second = episode.slice(slice(at, None), len_lookback_buffer=lookback)
    if first.is_done:  # all had ended already
        return
    first.concat_episode(second)
    assert contents(first) == contents(episode)


@pytest.fixture
def waiting():
    """Agent b acts at the first step of all and waits; agent a makes three steps."""
    episode = MultiAgentEpisode(
        observations=[{"a": 0, "b": 10}, {"a": 1}, {"a": 2}, {"a": 3}],
        actions=[{"a": 0, "b": 5}, {"a": 1}, {"a": 2}],
        rewards=[{"a": 1.0, "b": 1.0}, {"a": 1.0, "b": 2.0}, {"a": 1.0, "b": 4.0}],
        len_lookback_buffer=0,
    )
    episode.custom_data["notes"] = ["one"]
    return episode


def test_a_cut_keeps_what_an_agent_waits_on(waiting):
    chunk = waiting.cut(1)
    assert chunk.get_observations(-4) == {"a": 0, "b": 10}  # three steps of lookback: more than asked for
    assert chunk.tables.hanging_actions == {"b": 5}
    assert chunk.get_return(include_hanging_rewards=True) == 7.0
    chunk.add_env_step({"a": 4, "b": 11}, {"a": 3}, {"a": 1.0, "b": 8.0})
    assert chunk.get_rewards(env_steps=False) == {"a": [1.0], "b": [15.0]}
    assert not chunk.tables.hanging_rewards


def test_a_cut_without_lookback_leaves_out_who_waits_since_the_first_step(waiting):
    chunk = waiting.cut()
    assert chunk.agent_ids == {"a"}
    assert chunk.tables.begin_rewards == {"b": 7.0}
    chunk.add_env_step({"a": 4}, {"a": 3}, {"a": 1.0, "b": 1.0})
    chunk.add_env_step({"a": 5, "b": 11}, {"a": 4}, {"a": 1.0})
    assert chunk.env_t_to_agent_t["b"].data == ["S", "S", 0]
    assert chunk.tables.begin_rewards == {"b": 8.0}
    waiting.concat_episode(chunk)  # which finds out that it is the observation that b waited for
    assert waiting.get_observations(env_steps=False)["b"] == [10, 11]
    assert waiting.get_rewards(env_steps=False)["b"] == [8.0]
    assert waiting.env_t_to_agent_t["b"].data == [0, "S", "S", "S", "S", 1]


def test_who_waits_after_two_chunks_still_waits(waiting):
    chunk = waiting.cut()
    chunk.add_env_step({"a": 4}, {"a": 3}, {"a": 1.0, "b": 1.0})
    waiting.concat_episode(chunk)
    assert waiting.tables.hanging_actions == {"b": 5}
    assert waiting.tables.hanging_rewards == {"b": 8.0}


def test_more_lookback_than_there_is_counts_as_skipped(waiting):
    chunk = waiting.cut(5)
    assert chunk.env_t_to_agent_t["a"].data == ["S", "S", 0, 1, 2, 3]
    assert chunk.get_observations(-6) == {}


def test_agents_that_are_done_stay_behind():
    episode = MultiAgentEpisode()
    episode.add_env_reset(observations={"a": 0, "b": 0})
    both = {"a": 1, "b": 1}
    episode.add_env_step(both, both, both, terminateds={"a": True})
    chunk = episode.cut(2)
    assert chunk.agent_ids == {"b"}
    chunk.add_env_step({"b": 2}, {"b": 2}, {"b": 2.0}, truncateds={"__all__": True})
    episode.concat_episode(chunk)
    assert episode.env_t_to_agent_t["a"].data == [0, 1, "S"]
    assert (episode.is_terminated, episode.is_truncated) == (False, True)
    assert episode.get_truncateds() == {"a": False, "b": True, "__all__": True}


def test_agents_that_begin_later_are_taken_over():
    episode = MultiAgentEpisode()
    episode.add_env_reset(observations={"a": 0})
    episode.add_env_step({"a": 1}, {"a": 1}, {"a": 1.0})
    chunk = episode.cut(1)
    chunk.add_env_step({"a": 2, "b": 7}, {"a": 1}, {"a": 1.0})
    assert chunk.env_t_to_agent_t["b"].data == ["S", "S", 0]
    episode.concat_episode(chunk)
    assert episode.env_t_to_agent_t["b"].data == ["S", "S", 0]
    assert episode.get_observations(-1) == {"a": 2, "b": 7}


def test_chunks_keep_names_modules_and_notes(waiting):
    for chunk in (waiting.cut(1), waiting[1:]):
        assert chunk.id_ == waiting.id_
        assert chunk.custom_data == {"notes": ["one"]}
        assert chunk.custom_data["notes"] is not waiting.custom_data["notes"]
        inner = chunk.agent_episodes["a"]
        assert (inner.agent_id, inner.multi_agent_episode_id) == ("a", waiting.id_)
        assert inner.id_ == waiting.agent_episodes["a"].id_


def test_a_slice_that_ends_in_a_gap_lets_the_action_hang():
    episode = MultiAgentEpisode(
        observations=[{"a": 0}, {"b": 0}, {"a": 1, "b": 1}],
        actions=[{"a": 5}, {"b": 6}],
        rewards=[{"a": 0.5}, {"b": 1.5}],
        extra_model_outputs=[{"a": {"v": 0.25}}, {"b": {"v": 0.5}}],
        len_lookback_buffer=0,
    )
    part = episode[:1]
    assert part.tables.hanging_actions == {"a": 5}
    assert part.tables.hanging_rewards == {"a": 0.5}
    assert part.tables.hanging_outputs == {"a": {"v": 0.25}}
    assert part.get_infos() == {"a": [{}], "b": [{}]}
    assert episode.to_numpy()[1:].agent_episodes["b"].get_actions().tolist() == [6]


def test_what_cannot_be_cut_or_joined_is_refused_and_nothing_changes(waiting):
    before = contents(waiting)
    stranger = MultiAgentEpisode("other", env_t_started=3)
    with pytest.raises(EpisodeError, match="different episodes"):
        waiting.concat_episode(stranger)
    with pytest.raises(EpisodeError, match="begins at step 1, expected 3"):
        waiting.concat_episode(waiting[1:])
    chunk = waiting.cut(1)
    chunk.set_observations(new_data={"a": 99}, at_indices=0)
    with pytest.raises(EpisodeError, match="agent 'a': the chunk does not begin with the observation"):
        waiting.concat_episode(chunk)
    with pytest.raises(EpisodeError, match="0 or more"):
        waiting.cut(-1)
    with pytest.raises(NotImplementedError, match="step of a slice is 1"):
        waiting[::2]
    with pytest.raises(NotImplementedError, match="cut with slices"):
        waiting[0]
    assert contents(waiting) == before
    waiting.add_env_step({"a": 4}, {"a": 3}, {"a": 1.0}, terminateds={"__all__": True})
    with pytest.raises(EpisodeError, match="is over"):
        waiting.cut()
    with pytest.raises(EpisodeError, match="is over"):
        waiting.concat_episode(chunk)


@pytest.mark.parametrize("info", [{"n": 2}, {}])
@pytest.mark.parametrize("gap", [False, True])
def test_data_of_another_form_is_refused_and_nothing_changes(gap, info):
    episode = MultiAgentEpisode("play")
    begin = {"a": np.zeros(2), "b": np.zeros(2)}
    episode.add_env_reset(observations=begin, infos={"a": {"n": 0}})
    episode.add_env_step({"b": np.ones(2)} if gap else begin, {"a": 1, "b": 1}, {"a": 1.0, "b": 1.0})
    chunk = episode.cut(1)
    three = {"a": np.ones(2), "b": np.ones(2), "c": np.ones(2)}
    chunk.add_env_step(three, {"b": 2} if gap else {"a": 2, "b": 2}, {"a": 1.0, "b": 1.0}, {"a": info})
    nested = {"a": 3, "b": {"hand": 3}}  # actions of another form, for the second agent only
    chunk.add_env_step(begin, nested, {"a": 1.0, "b": 1.0})
    episode.to_numpy()
    before = contents(episode)
    with pytest.raises(EpisodeError, match="actions: item: expected a leaf"):
        episode.concat_episode(chunk)
    episode.validate()
    assert contents(episode) == before


def test_chunks_of_arrays_are_arrays():
    episode = MultiAgentEpisode()
    episode.add_env_reset(observations={"a": np.zeros(2)})
    for t in range(4):
        episode.add_env_step({"a": np.full(2, t + 1.0)}, {"a": t}, {"a": 1.0})
    episode.to_numpy()
    assert episode.cut(2).get_observations(slice(-2, None), neg_index_as_lookback=True)["a"].shape == (3, 2)
    assert episode[1:3].get_actions()["a"].tolist() == [1, 2]


def test_who_was_done_before_a_chunk_gets_nothing_in_it():
    episode = MultiAgentEpisode()
    both = {"a": 1, "b": 1}
    episode.add_env_reset(observations=both)
    episode.add_env_step(both, both, both, terminateds={"a": True})
    for chunk in (
        episode.cut(1),
        episode.cut().cut(),
        MultiAgentEpisode.from_state(episode.cut().get_state()),
    ):
        for more in ({"observations": both}, {"rewards": both}):
            step = {name: {"b": 1} for name in ("observations", "actions", "rewards")} | more
            with pytest.raises(EpisodeError, match="agent 'a' is done, but got data again"):
                chunk.add_env_step(**step)
        chunk.add_env_step({"b": 2}, {"b": 1}, {"b": 1.0})
    older = episode.cut().get_state()
    del older["_done_before"]
    assert MultiAgentEpisode.from_state(older).agent_ids == {"b"}


def test_rewards_from_before_its_first_observation_go_where_an_agent_begins():
    episode = MultiAgentEpisode("play")
    episode.add_env_reset(observations={"a": 0})
    for t in range(1, 5):
        new = {"c": 0} if t == 3 else {}
        acts = {"a": 1} | ({"c": 1} if t > 3 else {})
        late = {"c": 0.5} if t < 3 else dict.fromkeys(acts, 0.0)
        episode.add_env_step({"a": t} | dict.fromkeys(acts, t) | new, acts, {"a": 1.0} | late)
    halves = [episode[:2], episode[2:]]
    assert [half.tables.begin_rewards for half in halves] == [{}, {"c": 1.0}]
    halves[0].concat_episode(halves[1])
    assert halves[0].get_return(include_hanging_rewards=True) == episode.get_return(True)


def test_an_ended_episode_is_not_cut():
    episode = MultiAgentEpisode()
    episode.add_env_reset(observations={"a": 0})
    episode.add_env_step({"a": 1}, {"a": 0}, {"a": 1.0}, terminateds={"a": True})
    with pytest.raises(RuntimeError, match="is over") as raised:
        episode.cut()
    assert isinstance(raised.value, EpisodeError)


def test_who_is_done_is_not_in_a_chunk_that_follows():
    episode = MultiAgentEpisode()
    episode.add_env_reset(observations={"a": 0, "b": 10})
    both = {"a": 1, "b": 1}
    episode.add_env_step({"a": 1, "b": 11}, both, both, terminateds={"a": True})
    chunk = episode.cut(2)
    assert chunk.agent_ids == {"b"}
    assert chunk.get_observations(slice(-2, None)) == {"b": [10, 11]}
    with pytest.raises(EpisodeError, match="'a' is done"):
        chunk.add_env_step({"a": 2, "b": 12}, both, both)
