"""An episode as plain data, and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from gridarium.episodes.buffer import InfiniteLookbackBuffer
from gridarium.episodes.errors import EpisodeError
from gridarium.episodes.facts import EpisodeFacts
from gridarium.episodes.space_states import space_from_state, space_to_state

Episode = TypeVar("Episode", bound=EpisodeFacts)

BUFFERS = ("observations", "actions", "rewards", "infos")
NAMES = ("id_", "agent_id", "module_id", "multi_agent_episode_id")
SET_LATER = ("is_terminated", "is_truncated", "t", "_start_time", "_last_step_time")


def state_of(episode: EpisodeFacts) -> dict[str, Any]:
    """See `SingleAgentEpisode.get_state`."""
    outputs = {key: buffer.get_state() for key, buffer in episode.extra_model_outputs.items()}
    spaces = {name: getattr(episode, name) for name in ("_observation_space", "_action_space")}
    return {
        **{name: getattr(episode, name) for name in (*NAMES, *SET_LATER, "t_started")},
        **{name: getattr(episode, name).get_state() for name in BUFFERS},
        **{name: None if space is None else space_to_state(space) for name, space in spaces.items()},
        "extra_model_outputs": outputs or None,
        "custom_data": episode.custom_data,
    }


def episode_of(state: dict[str, Any], kind: Callable[..., Episode]) -> Episode:
    """See `SingleAgentEpisode.from_state`."""
    try:
        arguments: dict[str, Any] = {name: state[name] for name in (*NAMES, "t_started")}
        arguments |= {name: InfiniteLookbackBuffer.from_state(state[name]) for name in BUFFERS}
        for name in ("observation_space", "action_space"):
            space = state[f"_{name}"]
            arguments[name] = None if space is None else space_from_state(space)
        outputs = state["extra_model_outputs"] or {}
        arguments["extra_model_outputs"] = {
            key: InfiniteLookbackBuffer.from_state(kept) for key, kept in outputs.items()
        }
        episode = kind(**arguments)
        for name in SET_LATER:
            setattr(episode, name, state[name])
        episode.custom_data.update(state["custom_data"])
    except KeyError as error:
        raise EpisodeError(f"the state of an episode lacks {error}") from error
    return episode
