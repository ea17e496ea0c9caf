"""What a step of the environment means for each agent."""

import pytest
from hypothesis import given

from gridarium.episodes import EpisodeOverError, MultiAgentEnvError, MultiAgentEpisode
from tests.episodes.multi_agent.plays import AGENTS, PLAYS, Play, contents


@pytest.fixture
def episode():
    episode = MultiAgentEpisode()
    episode.add_env_reset(observations={"a": 0, "b": 10}, infos={"a": {"i": 0}})
    return episode


def steps_of(episode, agent):
    inner = episode.agent_episodes[agent]
    return inner.get_observations(), inner.get_actions(), inner.get_rewards()


@given(choices=PLAYS)
def test_agents_hold_what_happened_to_them(choices):
    play = Play(choices)
    episode = play.episode()
    episode.validate()
    assert len(episode) == len(play.steps)
    for agent in play.seen():
        inner = episode.agent_episodes[agent]
        assert inner.get_observations() == play.items("observations", agent)
        assert inner.get_infos() == play.items("infos", agent)
        assert inner.get_actions() == play.items("actions", agent)[: len(inner)]
        assert inner.get_rewards() == play.items("rewards", agent)[: len(inner)]
        at = {t: i for i, t in enumerate(sorted(play.table["observations"][agent]))}
        steps = [at.get(t, episode.SKIP_ENV_TS_TAG) for t in range(len(episode) + 1)]
        assert episode.env_t_to_agent_t[agent].data == steps


@given(choices=PLAYS)
def test_no_reward_is_lost(choices):
    play = Play(choices)
    episode = play.episode()
    given = sum(sum(step["rewards"].values()) for step in play.steps)
    dropped = sum(play.begin_rewards[agent] for agent in AGENTS if play.state[agent] == "done")
    assert episode.get_return(include_hanging_rewards=True) == given - dropped


@given(choices=PLAYS)
def test_who_is_to_act_has_observed_and_is_not_done(choices):
    play = Play(choices)
    episode = play.episode()
    last = len(play.steps)
    observed = {agent for agent in play.seen() if last in play.table["observations"][agent]}
    assert episode.get_agents_that_stepped() == observed
    assert episode.get_agents_to_act() == {agent for agent in observed if play.state[agent] != "done"}


def test_an_action_hangs_until_an_observation_comes(episode):
    episode.add_env_step(
        {"b": 11}, {"a": 1, "b": 1}, {"a": 1.0, "b": 1.0}, extra_model_outputs={"a": {"v": 3}}
    )
    assert episode.tables.hanging_actions == {"a": 1}
    assert len(episode.agent_episodes["a"]) == 0
    episode.add_env_step({"b": 12}, {"b": 1}, {"a": 2.0, "b": 1.0})
    episode.add_env_step({"a": 1, "b": 13}, {"b": 1}, {"a": 4.0, "b": 1.0})
    assert steps_of(episode, "a") == ([0, 1], [1], [7.0])
    assert episode.agent_episodes["a"].get_extra_model_outputs("v") == [3]
    assert episode.env_t_to_agent_t["a"].data == [0, "S", "S", 1]
    assert not (episode.tables.hanging_actions or episode.tables.hanging_rewards)


def test_rewards_before_an_action_belong_to_it(episode):
    episode.add_env_step({"b": 11}, {"b": 1}, {"a": 1.0, "b": 1.0})
    episode.add_env_step({"a": 1, "b": 12}, {"a": 1, "b": 1}, {"a": 2.0, "b": 1.0})
    assert steps_of(episode, "a") == ([0, 1], [1], [3.0])
    assert episode.get_return(include_hanging_rewards=True) == 5.0


def test_an_agent_begins_with_its_first_observation(episode):
    both = {"a": 1, "b": 1}
    episode.add_env_step(both, both, both | {"c": 0.5})
    episode.add_env_step(both | {"c": 30}, both, both)
    assert episode.env_t_to_agent_t["c"].data == ["S", "S", 0]
    assert episode.tables.begin_rewards == {"c": 0.5}
    assert episode.get_return() == 4.0
    assert episode.get_return(include_hanging_rewards=True) == 4.5


def test_an_agent_that_is_done_at_its_first_observation_never_begins(episode):
    both = {"a": 1, "b": 1}
    episode.add_env_step(both | {"c": 30}, both, both, terminateds={"c": True})
    assert episode.agent_ids == {"a", "b"}


@pytest.mark.parametrize("hangs_before", [False, True])
def test_the_last_observation_stands_in_for_a_final_one(episode, hangs_before):
    if hangs_before:
        episode.add_env_step({"b": 11}, {"a": 7, "b": 1}, {"a": 1.0, "b": 1.0})
    actions = {"b": 1} if hangs_before else {"a": 7, "b": 1}
    episode.add_env_step({"b": 12}, actions, {"a": 2.0, "b": 1.0}, terminateds={"a": True})
    assert steps_of(episode, "a") == ([0, 0], [7], [3.0 if hangs_before else 2.0])
    assert episode.agent_episodes["a"].is_terminated
    assert episode.agent_episodes["a"].get_infos() == [{"i": 0}, {"i": 0}]
    assert episode.env_t_to_agent_t["a"].data == [0, "S", 1][: 3 if hangs_before else 1] + (
        [] if hangs_before else [1]
    )
    assert not (episode.tables.hanging_actions or episode.tables.hanging_rewards)


def test_an_agent_that_did_not_act_just_stays_behind_when_all_end(episode):
    episode.add_env_step({"b": 11}, {"b": 1}, {"b": 1.0})
    episode.add_env_step({"b": 12}, {"b": 1}, {"b": 1.0}, terminateds={"__all__": True})
    assert episode.is_terminated
    assert episode.get_terminateds() == {"a": False, "b": True, "__all__": True}


WAITING_ENDS = [
    ({"a": True, "b": True}, {}, (True, False)),
    ({"a": True, "b": True, "__all__": False}, {}, (True, False)),
    ({"a": True}, {"b": True}, (True, False)),
    ({}, {"a": True, "b": True}, (False, True)),
    ({"b": True}, {}, (False, False)),
]


@pytest.mark.parametrize(("terminateds", "truncateds", "ended"), WAITING_ENDS)
def test_an_agent_that_only_waits_ends_with_the_others(episode, terminateds, truncateds, ended):
    episode.add_env_step({"b": 11}, {"b": 1}, {"b": 1.0}, terminateds=terminateds, truncateds=truncateds)
    assert (episode.is_terminated, episode.is_truncated) == ended
    assert not episode.agent_episodes["a"].is_done


def test_who_terminated_is_not_truncated_with_the_others(episode):
    both = {"a": 1, "b": 1}
    episode.add_env_step(both, both, both, terminateds={"a": True})
    episode.add_env_step({"b": 2}, {"b": 1}, {"b": 1.0}, truncateds={"__all__": True})
    assert episode.get_terminateds() == {"a": True, "b": False, "__all__": False}
    assert episode.get_truncateds() == {"a": False, "b": True, "__all__": True}


ENDS = [
    ({"a": True, "b": True}, {}, (True, False)),
    ({}, {"a": True, "b": True}, (False, True)),
    ({"a": True}, {"b": True}, (True, False)),
    ({"__all__": True}, {}, (True, False)),
    ({}, {"__all__": True}, (False, True)),
    ({"a": True}, {}, (False, False)),
]


@pytest.mark.parametrize(("terminateds", "truncateds", "ended"), ENDS)
def test_the_episode_ends_with_its_agents(episode, terminateds, truncateds, ended):
    both = {"a": 1, "b": 1}
    episode.add_env_step(both, both, both, terminateds=terminateds, truncateds=truncateds)
    assert (episode.is_terminated, episode.is_truncated) == ended
    for agent in both:
        inner = episode.agent_episodes[agent]
        assert inner.is_terminated == bool(terminateds.get(agent) or terminateds.get("__all__"))
        assert inner.is_truncated == bool(truncateds.get(agent) or truncateds.get("__all__"))


REFUSED = [
    ({"observations": {"a": 1}, "actions": {}, "rewards": {}}, "without having acted"),
    ({"observations": {"a": 1}, "actions": {"a": 1}, "rewards": {}}, "but no reward"),
    ({"observations": {"c": 1}, "actions": {"c": 1}, "rewards": {"c": 1.0}}, "before its first observation"),
    ({"observations": {}, "actions": {"c": 1}, "rewards": {"c": 1.0}}, "before its first observation"),
    ({"observations": {}, "actions": {"w": 1}, "rewards": {"w": 1.0}}, "acted again before an observation"),
    (
        {"observations": {"w": 1}, "actions": {"w": 1}, "rewards": {"w": 1.0}},
        "acted again before an observation",
    ),
    (
        {"observations": {}, "actions": {"a": 1}, "rewards": {"a": 1.0}, "truncateds": {"a": True}},
        "no observation to go",
    ),
    (
        {"observations": {}, "actions": {}, "rewards": {}, "truncateds": {"__all__": True}},
        "'w' was truncated",
    ),
    ({"observations": {"d": 1}, "actions": {"d": 1}, "rewards": {"d": 1.0}}, "'d' is done"),
    ({"observations": {}, "actions": {}, "rewards": {"d": 1.0}}, "'d' is done"),
]


@pytest.mark.parametrize(("step", "why"), REFUSED)
def test_what_does_not_go_together_is_refused_and_nothing_changes(step, why):
    """Agent a is to act, w waits, d is done, c has not begun."""
    episode = MultiAgentEpisode()
    episode.add_env_reset(observations={"a": 0, "b": 0, "w": 0, "d": 0})
    acted = dict.fromkeys(["a", "b", "w", "d"], 0)
    episode.add_env_step({"a": 1, "b": 1, "d": 1}, acted, acted, terminateds={"d": True})
    before = contents(episode)
    step = {name: {**part, "b": 2} if name != "truncateds" else part for name, part in step.items()}
    with pytest.raises(MultiAgentEnvError, match=f"step 2: agent .*{why}" if "agent" not in why else why):
        episode.add_env_step(**step)
    assert contents(episode) == before


def test_an_episode_that_has_begun_or_ended_cannot_be_reset(episode):
    with pytest.raises(AssertionError, match="has begun already"):
        episode.add_env_reset(observations={"a": 0})
    both = {"a": 1, "b": 1}
    episode.add_env_step(both, both, both, terminateds={"__all__": True})
    for kind in (MultiAgentEnvError, EpisodeOverError, RuntimeError, ValueError, AssertionError):
        with pytest.raises(kind, match="is over"):
            episode.add_env_step(both, both, both)


def test_steps_can_be_added_to_arrays(episode):
    both = {"a": 1, "b": 1}
    episode.add_env_step(both, both, both)
    episode.to_numpy()
    episode.add_env_step({"a": 2, "b": 2}, both, both)
    assert episode.get_observations()["a"].tolist() == [0, 1, 2]
