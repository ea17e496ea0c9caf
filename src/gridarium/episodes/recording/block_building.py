"""Blocks of episodes that are objects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gridarium.episodes.buffer import InfiniteLookbackBuffer
from gridarium.episodes.buffer.structs import Struct, batch
from gridarium.episodes.errors import EpisodeError
from gridarium.episodes.recording.episode_block import EpisodeBlock, EpisodeMetadata, RowRanges, Spaces
from gridarium.episodes.recording.schema import (
    Columns,
    EpisodeSchema,
    cast_columns,
    schema_of,
    schema_of_space,
)
from gridarium.episodes.single_agent_episode import SingleAgentEpisode
from gridarium.episodes.validation import require_one_agent


def block_of(
    episodes: Sequence[SingleAgentEpisode], schema: EpisodeSchema | None = None, spaces: Spaces | None = None
) -> EpisodeBlock:
    """Episodes as one block.

    Args:
        episodes: whose items have one form.
        schema: of their items; by default that of the first one.
        spaces: of observations and actions; by default those of the first one.

    Raises:
        EpisodeError: an episode without an observation, with buffers whose lookbacks differ, or whose items have another
            form (naming the episode and the leaf).
    """
    for episode in episodes:
        _check(episode)
    if spaces is None:
        spaces = (episodes[0].observation_space, episodes[0].action_space) if episodes else (None, None)
    if schema is None:
        if not episodes:
            raise EpisodeError("no episodes, and no schema")
        schema = schema_of_episode(episodes[0])
    rows = np.array([e.observations.len_incl_lookback() for e in episodes], np.int64)
    filled = _filled(episodes, schema, rows, rounded=("actions",) if spaces[1] is not None else ())
    infos = [info for e in episodes for info in all_items(e.infos)]
    kept = infos if any(infos) else None
    return EpisodeBlock(schema, metadata_of(episodes), [filled], RowRanges.contiguous(rows), spaces, kept)


def metadata_of(episodes: Sequence[SingleAgentEpisode]) -> EpisodeMetadata:
    """What is known of episodes, other than their items."""
    return EpisodeMetadata(
        ids=[e.id_ for e in episodes],
        t_started=np.array([e.t_started for e in episodes], np.int64),
        lookback=np.array([e.observations.lookback for e in episodes], np.int64),
        terminated=np.array([e.is_terminated for e in episodes], np.bool_),
        truncated=np.array([e.is_truncated for e in episodes], np.bool_),
        agents=[e.agent_id for e in episodes],
        modules=[e.module_id for e in episodes],
        groups=[e.multi_agent_episode_id for e in episodes],
        custom=[e.custom_data for e in episodes],
    )


def schema_of_episode(episode: SingleAgentEpisode) -> EpisodeSchema:
    """The schema of an episode's items: that of its spaces if they are known, else that of the items.

    Raises:
        EpisodeError: items that cannot be stored in columns (naming the leaf), or actions of which nothing is known.
    """
    schemas = {}
    for name, buffer in (("observations", episode.observations), ("actions", episode.actions)):
        if buffer.space is not None:
            schemas[name] = schema_of_space(buffer.space)
        elif buffer.len_incl_lookback():
            schemas[name] = schema_of(name, _struct(buffer, name))
        else:
            raise EpisodeError(
                f"episode {episode.id_}: its {name} are neither there nor is their space known; "
                "give the spaces, or begin with an episode that has a step"
            )
    extras = {
        key: schema_of(f"extras.{key}", _struct(buffer, key))
        for key, buffer in episode.extra_model_outputs.items()
        if buffer.len_incl_lookback()
    }
    return EpisodeSchema(schemas["observations"], schemas["actions"], extras)


def all_items(buffer: InfiniteLookbackBuffer) -> list[Any]:
    """All items of a buffer that returns lists, with the lookback."""
    items: list[Any] = buffer.data
    return items


def _filled(
    episodes: Sequence[SingleAgentEpisode], schema: EpisodeSchema, rows: Any, *, rounded: Sequence[str]
) -> Columns:
    """The rows of episodes; floats of the parts in `rounded` get the dtype of their space, also if that is narrower."""
    total = int(rows.sum())
    made = {
        name: np.zeros((total, *column.shape), object if column.dtype.kind == "U" else column.dtype)
        for name, column in schema.columns().items()
    }
    at = 0
    for episode, n in zip(episodes, rows.tolist(), strict=True):
        for name, part in schema.parts().items():
            try:
                columns = _columns(episode, name, part, rounded=name in rounded)
            except EpisodeError as error:
                raise EpisodeError(f"episode {episode.id_}: {error}") from error
            for path, values in columns.items():
                made[path][at : at + len(values)] = values
        at += n
    return {name: array.astype("U") if array.dtype == object else array for name, array in made.items()}


def _columns(episode: SingleAgentEpisode, name: str, part: Any, *, rounded: bool) -> Columns:
    """The columns of one kind of data of an episode."""
    if name == "extras":
        kept = {
            key: buffer for key, buffer in episode.extra_model_outputs.items() if buffer.len_incl_lookback()
        }
        if not episode.rewards.len_incl_lookback():
            return {}
        return cast_columns(name, part, {key: _struct(buffer, key) for key, buffer in kept.items()})
    buffer = getattr(episode, name)
    if not buffer.len_incl_lookback():
        return {}
    return cast_columns(name, part, _struct(buffer, name), rounded=rounded)


def _struct(buffer: InfiniteLookbackBuffer, name: str) -> Struct:
    """All items of a buffer, with the lookback, as a struct of arrays."""
    if buffer.finalized:
        return buffer.data
    try:
        return batch(buffer.data)
    except EpisodeError as error:
        raise EpisodeError(f"{name}: {error}") from error


def _check(episode: SingleAgentEpisode) -> None:
    require_one_agent(episode)
    episode.validate()
    rows, lookback = episode.observations.len_incl_lookback(), episode.observations.lookback
    if rows <= lookback:
        raise EpisodeError(f"{episode!r} has no observation: reset the environment first")
    for name, buffer in episode.buffers().items():
        wanted = rows if name in ("observations", "infos") else rows - 1
        if (buffer.len_incl_lookback(), buffer.lookback) != (wanted, lookback) and (
            buffer.len_incl_lookback() or wanted
        ):
            raise EpisodeError(
                f"episode {episode.id_}: {name} hold {buffer.len_incl_lookback()} items with a lookback of "
                f"{buffer.lookback}; with {rows} observations and a lookback of {lookback} there should be {wanted}"
            )
