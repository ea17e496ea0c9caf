"""A step that an episode of several agents cannot take is refused whole, whatever is wrong with it, for whichever agent."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridarium.episodes import EpisodeError, MultiAgentEnvError, MultiAgentEpisode
from tests.episodes.freezing import frozen
from tests.episodes.multi_agent.plays import PLAYS, Play

NO_DICTS = ("text", 7, ["a"], {"a"})
PARTS = ("observations", "actions", "rewards", "infos", "terminateds", "truncateds", "extra_model_outputs")


def modules(agent, episode):
    if agent == "odd":
        raise LookupError("no module for odd")
    return "one"


def waiting(*, arrays=False):
    """Agent a and b are to act, w waits for an observation, n has not begun."""
    episode = MultiAgentEpisode(agent_to_module_mapping_fn=modules)
    begin = dict.fromkeys(["a", "b", "w"], np.zeros(2))
    acted = dict.fromkeys(begin, 1)
    outputs = {agent: {"value": 0.5} for agent in acted}
    episode.add_env_reset(observations=begin)
    for _ in range(2):
        episode.add_env_step(begin, acted, acted, extra_model_outputs=outputs)
    both = {"a": np.ones(2), "b": np.ones(2)}
    episode.add_env_step(both, acted, acted | {"n": 1}, extra_model_outputs=outputs)
    return episode.to_numpy() if arrays else episode


def step(**changes):
    usual = {
        "observations": {"a": np.ones(2), "b": np.ones(2), "w": np.ones(2)},
        "actions": {"a": 1, "b": 1},
        "rewards": {"a": 1.0, "b": 1.0, "w": 1.0, "n": 1.0},
        "infos": {"a": {"i": 1}},
        "terminateds": {"__all__": False},
        "truncateds": {"__all__": False},
        "extra_model_outputs": {"a": {"value": 1.0}, "b": {"value": 1.0}},
    }
    return {name: changes.get(name, part) for name, part in usual.items()}


def refused(episode, changes, why, kind=MultiAgentEnvError):
    before = frozen(episode.get_state())
    with pytest.raises(kind, match=why):
        episode.add_env_step(**step(**changes))
    assert frozen(episode.get_state()) == before


@given(arrays=st.booleans(), part=st.sampled_from(PARTS), bad=st.sampled_from([*NO_DICTS, None]))
def test_everything_is_given_by_agent(arrays, part, bad):
    if bad is None and part not in ("observations", "actions", "rewards"):
        return  # these may be left out
    why = f"{part}: expected a dict from agents, got {re.escape(repr(bad))}"
    refused(waiting(arrays=arrays), {part: bad}, why)


@given(
    arrays=st.booleans(),
    agent=st.sampled_from("abwn"),
    bad=st.sampled_from([None, "1", [1.0], {}, np.zeros(2), 1j]),
)
def test_rewards_are_numbers(arrays, agent, bad):
    changes = {"rewards": step()["rewards"] | {agent: bad}}
    refused(waiting(arrays=arrays), changes, f"step 4: agent '{agent}': .* a reward is a number")


@given(
    arrays=st.booleans(),
    part=st.sampled_from(["infos", "extra_model_outputs"]),
    agent=st.sampled_from("abwn"),
    bad=st.sampled_from(NO_DICTS),
)
def test_infos_and_outputs_are_dicts(arrays, part, agent, bad):
    refused(
        waiting(arrays=arrays), {part: {agent: bad}}, f"step 4: agent '{agent}': .* {part}: expected a dict"
    )


MISFITS = [
    {"observations": step()["observations"] | {"b": np.ones(3)}},
    {"observations": step()["observations"] | {"w": np.ones(3)}},
    {"actions": {"a": 1, "b": "left"}},
    {"observations": {"a": np.ones(2), "w": np.ones(2)}, "actions": {"a": 1, "b": np.ones(2)}},
]


@pytest.mark.parametrize("changes", MISFITS)
def test_what_does_not_fit_into_an_agents_arrays_is_refused_at_once(changes):
    refused(waiting(arrays=True), changes, "step 4: agent '[bw]': .* (shape|not a number)")


def test_an_agent_that_no_module_takes_does_not_begin():
    observations = step()["observations"] | {"n": np.ones(2), "odd": np.ones(2)}
    refused(waiting(), {"observations": observations}, "no module for odd", LookupError)
    episode = MultiAgentEpisode(agent_to_module_mapping_fn=modules)
    before = frozen(episode.get_state())
    with pytest.raises(LookupError, match="no module for odd"):
        episode.add_env_reset(observations={"a": 0, "odd": 0})
    for bad in NO_DICTS:
        with pytest.raises(EpisodeError, match="observations: expected a dict"):
            episode.add_env_reset(observations=bad)
        with pytest.raises(EpisodeError, match="infos: expected a dict"):
            episode.add_env_reset(observations={"a": 0}, infos=bad)
        with pytest.raises(EpisodeError, match="infos of agent 'a': expected a dict"):
            episode.add_env_reset(observations={"a": 0}, infos={"a": bad})
    assert frozen(episode.get_state()) == before


@given(choices=PLAYS, part=st.sampled_from(PARTS), data=st.data())
def test_a_play_goes_on_after_each_bad_step_as_if_it_had_not_been(choices, part, data):
    play = Play(choices)
    episode = MultiAgentEpisode("play")
    episode.add_env_reset(observations=play.reset)
    for good in play.steps:
        if episode.is_done:
            break
        agent = data.draw(st.sampled_from([*play.reset, "c"]))
        if part in ("infos", "extra_model_outputs", "rewards"):
            bad = {part: {**good[part], agent: ["bad"]}}
        else:
            bad = {part: [agent]}
        before = frozen(episode.get_state())
        with pytest.raises(EpisodeError):
            episode.add_env_step(**good | bad)
        assert frozen(episode.get_state()) == before
        episode.add_env_step(**good)
