"""An episode of several agents as plain data, and back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import gymnasium as gym

from gridarium.episodes.buffer import InfiniteLookbackBuffer
from gridarium.episodes.errors import EpisodeError
from gridarium.episodes.multi_agent.facts import one_module_for_all
from gridarium.episodes.multi_agent.hanging import HANGING_AT_END, AgentID
from gridarium.episodes.single_agent_episode import SingleAgentEpisode
from gridarium.episodes.space_states import space_from_state, space_to_state

if TYPE_CHECKING:
    from gridarium.episodes.multi_agent.episode import MultiAgentEpisode

PLAIN = (
    "id_",
    "env_t_started",
    "env_t",
    "is_terminated",
    "is_truncated",
    "_start_time",
    "_last_step_time",
    "_len_lookback_buffers",
)
LATER = ("_done_before",)  # not in states that older versions made
DICTS = ("agent_t_started", "_agent_to_module_mapping", *HANGING_AT_END, "_hanging_rewards_begin")
SPACES = ("observation_space", "action_space")


def state_of(episode: MultiAgentEpisode) -> dict[str, Any]:
    """See `MultiAgentEpisode.get_state`."""
    function = episode.agent_to_module_mapping_fn
    return {
        **frame_of(episode),
        **{name: _spaces_to_state(episode, getattr(episode, name)) for name in SPACES},
        "agent_episodes": [(agent, e.get_state()) for agent, e in episode.agent_episodes.items()],
        "agent_to_module_mapping_fn": None if function is one_module_for_all else function,
        "custom_data": episode.custom_data,
        "env_t_to_agent_t": {a: steps.get_state() for a, steps in episode.env_t_to_agent_t.items()},
    }


def frame_of(episode: MultiAgentEpisode) -> dict[str, Any]:
    """What of the state is neither its agents' episodes nor spaces, steps, functions or custom data."""
    return {name: getattr(episode, name) for name in PLAIN} | {
        name: dict(getattr(episode, name)) for name in (*DICTS, *LATER)
    }


def episode_of(state: dict[str, Any], kind: type[MultiAgentEpisode]) -> MultiAgentEpisode:
    """See `MultiAgentEpisode.from_state`."""
    try:
        episode = framed(
            kind(
                state["id_"],
                agent_to_module_mapping_fn=state["agent_to_module_mapping_fn"],
                **{name: _spaces_from_state(state[name]) for name in SPACES},
            ),
            state,
            {agent: SingleAgentEpisode.from_state(kept) for agent, kept in state["agent_episodes"]},
            {a: InfiniteLookbackBuffer.from_state(kept) for a, kept in state["env_t_to_agent_t"].items()},
        )
        episode.custom_data.update(state["custom_data"])
    except KeyError as error:
        raise EpisodeError(f"the state of an episode of several agents lacks {error}") from error
    return episode


def framed(
    episode: MultiAgentEpisode,
    frame: Mapping[str, Any],
    parts: Mapping[AgentID, SingleAgentEpisode],
    steps: Mapping[AgentID, InfiniteLookbackBuffer],
) -> MultiAgentEpisode:
    """Fill an empty episode.

    Args:
        episode: to be filled.
        frame: what `frame_of` gave.
        parts: the agents' own episodes.
        steps: from the environment's steps to each agent's.

    Raises:
        EpisodeError: these do not fit together.
        KeyError: something is missing in the frame.
    """
    for name in PLAIN:
        setattr(episode, name, frame[name])
    for name in DICTS:
        getattr(episode, name).update(frame[name])
    for name in LATER:
        getattr(episode, name).update(frame.get(name, {}))
    episode.agent_episodes.update(parts)
    episode.env_t_to_agent_t = defaultdict(InfiniteLookbackBuffer, steps)
    episode.validate()
    return episode


def _spaces_to_state(episode: MultiAgentEpisode, spaces: Any) -> Any:
    """Spaces by agent: of a space of kind `Dict`, of all agents in a mapping, or of those that are there."""
    if isinstance(spaces, gym.Space):
        return space_to_state(spaces)
    agents = spaces if isinstance(spaces, Mapping) else episode.agent_episodes
    known = {agent: spaces.get(agent) for agent in agents}
    return [(agent, space_to_state(space)) for agent, space in known.items() if space is not None]


def _spaces_from_state(state: Any) -> Any:
    if isinstance(state, dict):
        return space_from_state(state)
    return {agent: space_from_state(kept) for agent, kept in state}
