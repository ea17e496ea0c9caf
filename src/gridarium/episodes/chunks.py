"""Cutting episodes into chunks, and joining chunks."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from gridarium.episodes.buffer import InfiniteLookbackBuffer
from gridarium.episodes.errors import EpisodeError, EpisodeOverError
from gridarium.episodes.structs import equal
from gridarium.episodes.validation import told_of

if TYPE_CHECKING:
    from gridarium.episodes.single_agent_episode import SingleAgentEpisode


def cut(episode: SingleAgentEpisode, lookback: int) -> SingleAgentEpisode:
    """See `SingleAgentEpisode.cut`."""
    if episode.is_done:
        raise EpisodeOverError(f"{episode!r} is over: nothing can follow")
    if lookback < 0:
        raise EpisodeError(f"len_lookback_buffer is 0 or more, got {lookback}")

    def end(buffer: InfiniteLookbackBuffer, current: int) -> InfiniteLookbackBuffer:
        total = buffer.len_incl_lookback()
        kept = max(min(lookback, total - current), 0)
        return buffer.part(max(total - current - kept, 0), total, kept)

    return like(episode, end, episode.t)


def part(episode: SingleAgentEpisode, steps: slice, lookback: int | None) -> SingleAgentEpisode:
    """See `SingleAgentEpisode.slice`."""
    start, stop, step = steps.indices(len(episode))
    if step != 1:
        raise EpisodeError(f"steps of an episode follow each other: the step of a slice is 1, got {step}")
    stop = max(start, stop)

    def within(buffer: InfiniteLookbackBuffer, current: int) -> InfiniteLookbackBuffer:
        before = buffer.lookback + start
        kept = min(buffer.lookback if lookback is None else lookback, before)
        return buffer.part(before - kept, buffer.lookback + stop + current, kept)

    sliced = like(episode, within, episode.t_started + start)
    if stop == len(episode):
        sliced.is_terminated, sliced.is_truncated = episode.is_terminated, episode.is_truncated
    return sliced


def concat(episode: SingleAgentEpisode, other: SingleAgentEpisode) -> None:
    """See `SingleAgentEpisode.concat_episode`."""
    check_follows(episode, other)
    outputs = other.extra_model_outputs if len(other) else {}
    for key in outputs:
        episode.extra_model_outputs.setdefault(key, InfiniteLookbackBuffer())
    mine = episode.buffers()
    before = [(buffer, buffer.len_incl_lookback()) for buffer in mine.values()]
    try:
        for name, buffer in other.buffers().items():
            if name != "infos" and (len(other) or name == "observations"):
                with told_of(episode, name):
                    mine[name].concat(buffer, skip=name == "observations")
    except EpisodeError:
        for buffer, total in before:
            buffer.truncate(total)
        raise
    episode.infos.pop()
    episode.infos.concat(other.infos)
    episode.t = other.t
    episode.is_terminated, episode.is_truncated = other.is_terminated, other.is_truncated
    episode._last_step_time = other._last_step_time or episode._last_step_time
    episode.custom_data.update(other.custom_data)


def check_follows(episode: SingleAgentEpisode, other: SingleAgentEpisode) -> None:
    """Raise an `EpisodeError` that tells why a chunk cannot be added at the end of another, if it cannot."""
    if episode.id_ != other.id_:
        raise EpisodeError(f"chunks of different episodes: {episode.id_} and {other.id_}")
    if episode.is_done:
        raise EpisodeOverError(f"{episode!r} is over: nothing can follow")
    if episode.t != other.t_started:
        raise EpisodeError(f"the chunk begins at step {other.t_started}, expected {episode.t}")
    episode.validate()
    other.validate()
    if not (episode.is_reset and other.is_reset):
        raise EpisodeError("a chunk without an observation cannot be joined")
    if not equal(episode.get_observations(-1), other.get_observations(0), equal_nan=True):
        raise EpisodeError("the chunk does not begin with the observation with which the other ends")
    odd = set(episode.extra_model_outputs) ^ set(other.extra_model_outputs)
    if odd and len(episode) and len(other):
        raise EpisodeError(f"only one of the chunks has the extra model outputs {sorted(map(str, odd))}")


def like(episode: SingleAgentEpisode, chunk: Any, t_started: int) -> SingleAgentEpisode:
    """An episode with the same names and spaces, of parts of its buffers.

    `chunk(buffer, current)` gives a part; current is 1 where the present moment has an item already, else 0.
    """
    new = type(episode)(
        episode.id_,
        observations=chunk(episode.observations, 1),
        observation_space=episode.observation_space,
        infos=chunk(episode.infos, 1),
        actions=chunk(episode.actions, 0),
        action_space=episode.action_space,
        rewards=chunk(episode.rewards, 0),
        extra_model_outputs={key: chunk(buffer, 0) for key, buffer in episode.extra_model_outputs.items()},
        t_started=t_started,
        agent_id=episode.agent_id,
        module_id=episode.module_id,
        multi_agent_episode_id=episode.multi_agent_episode_id,
    )
    new.custom_data.update(copy.deepcopy(episode.custom_data))
    return new
