"""Frame stacks: each observation with those before it."""

from __future__ import annotations

from typing import Any

import numpy as np

from gridarium.episodes.buffer.structs import Struct, batch, map_structs
from gridarium.episodes.errors import EpisodeError
from gridarium.episodes.single_agent_episode import SingleAgentEpisode
from gridarium.episodes.validation import require_one_agent


def frame_stacks(episode: SingleAgentEpisode, n: int, *, fill: float = 0.0, last: bool = True) -> Struct:
    """For each observation after the lookback the n latest ones, itself included, oldest first.

    Observations before the chunk are those of its lookback; missing ones are filled with a number.

    Args:
        episode: of length T.
        n: how many observations make a stack.
        fill: every number of a missing observation.
        last: include the stack of the last observation, on which no action followed.

    Returns:
        A struct of read-only views [T + 1 or T, n, ...]: no observation is copied.

    Raises:
        EpisodeError: n below 1, an episode of several agents, or one without observations.
    """
    if n < 1:
        raise EpisodeError(f"a stack holds 1 observation or more, got {n}")
    require_one_agent(episode)
    if not episode.is_reset:
        raise EpisodeError(f"{episode!r} has no observations")
    wanted = slice(1 - n, len(episode.observations) if last else len(episode.rewards))
    frames = episode.get_observations(wanted, neg_index_as_lookback=True, fill=fill)
    if not episode.observations.finalized:
        frames = batch(frames)
    return map_structs(lambda _, array: _windows(array, n), frames)


def _windows(array: Any, n: int) -> Any:
    windows = np.lib.stride_tricks.sliding_window_view(array, n, axis=0)
    return np.moveaxis(windows, -1, 1)
