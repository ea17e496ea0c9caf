"""Many episodes as columns, without an object for each of them.

A row of the columns holds an observation and what followed it: the action taken on it, the reward that brought, and the
extra model outputs. The last row of an episode holds its last observation alone; its other columns are zero. So an
episode of T steps has T + 1 rows, and one after another they make the columns of a block.

Rows may be in several arrays, in another order, as where many worlds are recorded at once; they are gathered when they are
needed.
"""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, cast

import gymnasium as gym
import numpy as np
import numpy.typing as npt

from gridarium.episodes.buffer import InfiniteLookbackBuffer
from gridarium.episodes.buffer.structs import Struct, batch
from gridarium.episodes.errors import EpisodeError, require_one_agent
from gridarium.episodes.recording.schema import (
    REWARDS,
    Columns,
    EpisodeSchema,
    Flags,
    Integers,
    build_struct,
    cast_columns,
    child_path,
    schema_of,
    schema_of_space,
)
from gridarium.episodes.single_agent_episode import REWARD_SPACE, SingleAgentEpisode


@dataclass(frozen=True, eq=False)
class EpisodeMetadata:
    """Metadata of `n` episodes.

    Attributes:
        ids: text of each; chunks of one episode share it.
        t_started: int64[n]: the step of the whole episode at which it begins, after its lookback.
        lookback: int64[n]: how many of its first steps are history.
        terminated, truncated: bool[n].
        agents: the agent's id of each, or None.
        modules: the policy's name of each, or None.
        groups: the id of the episode of several agents that each belongs to, or None.
        custom: custom data of each.
    """

    ids: Sequence[str]
    t_started: Integers
    lookback: Integers
    terminated: Flags
    truncated: Flags
    agents: Sequence[Any] | None = None
    modules: Sequence[str | None] | None = None
    groups: Sequence[str | int | None] | None = None
    custom: Sequence[dict[str, Any]] | None = None

    def __len__(self) -> int:
        return len(self.terminated)


@dataclass(frozen=True, eq=False)
class RowRanges:
    """The row ranges of episodes: each range is `count` rows of a source, from `base` on, every `stride`-th.

    Attributes:
        source, base, stride, count: int64[ranges], those of one episode after another.
        ends: int64[n]: the end of each episode's ranges.
    """

    source: Integers
    base: Integers
    stride: Integers
    count: Integers
    ends: Integers

    @staticmethod
    def contiguous(rows: Integers) -> RowRanges:
        """Return the ranges of episodes whose rows follow each other in one source."""
        n = len(rows)
        zeros, ones = np.zeros(n, np.int64), np.ones(n, np.int64)
        return RowRanges(zeros, np.cumsum(rows) - rows, ones, rows, np.arange(1, n + 1))

    @cached_property
    def rows(self) -> Integers:
        """int64[n]: how many rows each episode has."""
        total = np.concatenate([[0], np.cumsum(self.count)])
        return np.diff(total[self.ends], prepend=0)

    @cached_property
    def as_slice(self) -> slice | None:
        """The rows of all ranges as one slice, if they follow each other in one source."""
        if not len(self.count) or self.source.any() or not (self.stride == 1).all():
            return None
        follows = (self.base[1:] == (self.base + self.count)[:-1]).all()
        return slice(int(self.base[0]), int(self.base[-1] + self.count[-1])) if follows else None

    def of_episode(self, episode: int) -> slice:
        """Return the ranges of an episode."""
        return slice(int(self.ends[episode - 1]) if episode else 0, int(self.ends[episode]))

    def locate(self, ranges: slice) -> tuple[Integers, Integers]:
        """Return int64[rows] twice: the source of each row of some ranges, and its index there."""
        counts = self.count[ranges]
        first = np.repeat(np.cumsum(counts) - counts, counts)
        within = np.arange(len(first)) - first
        places = np.repeat(self.base[ranges], counts) + within * np.repeat(self.stride[ranges], counts)
        return np.repeat(self.source[ranges], counts), places


Spaces = tuple[gym.Space[Any] | None, gym.Space[Any] | None]
"""The spaces of one observation and of one action, where they are known."""


GatherPlan = list[tuple[int, Integers, Integers]]
"""How rows are gathered: for each source its number, the rows that come from it, and their indices there."""


class EpisodeSequence(Sequence[Any]):
    """A sequence of episodes, each made an object when it is read."""

    lengths: Any

    def episode(self, i: int) -> Any:
        """Episode `i`, from 0 to len - 1, as an object that returns arrays."""
        raise NotImplementedError

    @property
    def steps(self) -> int:
        """The number of the environment's steps of all of them, without lookbacks."""
        return int(self.lengths.sum())

    def __getitem__(self, i: Any) -> Any:
        found = resolve_indices(i, len(self))
        return self.episode(found) if isinstance(found, int) else [self.episode(k) for k in found]

    def __iter__(self) -> Iterator[Any]:
        return map(self.episode, range(len(self)))


def resolve_indices(indices: Any, n: int) -> int | Sequence[int]:
    """Return the index of an episode among n for an int; a sequence of them for a slice, a list or array of ints, or a mask of bools.

    Raises:
        IndexError: no such episode, or a mask of another length.
        TypeError: indices of another type.
    """
    if isinstance(indices, slice):
        return range(n)[indices]
    numbers = np.asarray(indices)
    if numbers.dtype.kind == "b" and numbers.shape == (n,):
        return np.flatnonzero(numbers).tolist()
    if not numbers.size:
        return []
    if numbers.dtype.kind not in "iu" or numbers.ndim > 1:
        raise TypeError(f"episodes are chosen by ints, slices, or a mask of {n} bools, not by {indices!r}")
    if numbers.min() < -n or numbers.max() >= n:
        raise IndexError(f"there are {n} episodes, got {indices}")
    found: int | list[int] = (numbers % n).tolist()
    return found


@dataclass(frozen=True, eq=False)
class EpisodeBlock(EpisodeSequence):
    """Episodes, as a sequence and as columns.

    Attributes:
        schema: of the columns.
        metadata: what else is known of them.
        sources: arrays of rows by the names of columns; each has all of them.
        ranges: where in the sources the rows of each episode are.
        spaces: of observations and actions.
        infos: the infos of all rows, one episode after another; None if they are empty.
    """

    schema: EpisodeSchema
    metadata: EpisodeMetadata
    sources: Sequence[Columns]
    ranges: RowRanges
    spaces: Spaces = (None, None)
    infos: Sequence[dict[str, Any]] | None = field(default=None, repr=False)

    def __len__(self) -> int:
        return len(self.metadata)

    def __repr__(self) -> str:
        return f"<EpisodeBlock of {len(self)} episodes, {self.steps} steps>"

    @property
    def rows(self) -> Integers:
        """int64[n]: how many rows each episode has, one more than steps, lookback included."""
        return self.ranges.rows

    @cached_property
    def lengths(self) -> Integers:
        """int64[n]: how many steps each has, without the lookback."""
        return self.rows - 1 - self.metadata.lookback

    @cached_property
    def returns(self) -> npt.NDArray[np.float64]:
        """float64[n]: the sum of rewards of each, without the lookback."""
        if not len(self):
            return np.zeros(0)
        rewards = self._gathered("rewards")
        first = np.cumsum(self.rows) - self.rows
        skipped = np.repeat(self.metadata.lookback, self.rows)
        rewards[np.arange(len(rewards)) - np.repeat(first, self.rows) < skipped] = 0.0
        sums: npt.NDArray[np.float64] = np.add.reduceat(rewards, first)
        return sums

    @property
    def ids(self) -> Sequence[str]:
        """The name of each episode."""
        return self.metadata.ids

    def labelled(self, module: str, custom: Sequence[dict[str, Any]] | None = None) -> EpisodeBlock:
        """Return the same episodes, with the name of a policy, and optionally further custom data of each."""
        kept = self.metadata.custom if custom is None else custom
        if custom is not None and self.metadata.custom is not None:
            kept = [{**own, **more} for own, more in zip(self.metadata.custom, custom, strict=True)]
        return replace(self, metadata=replace(self.metadata, modules=[module] * len(self), custom=kept))

    def columns(self) -> Columns:
        """Name -> array[rows, ...]: the rows of all episodes, one after another. New arrays."""
        return {name: self._gathered(name) for name in self.schema.columns()}

    def episode(self, i: int) -> SingleAgentEpisode:
        """Episode `i`, from 0 to len - 1, as an object that returns arrays."""
        source, places = self.ranges.locate(self.ranges.of_episode(i))
        plan = gather_plan(source, places)
        columns = {name: self._rows(name, plan) for name in self.schema.columns()}
        end = int(np.sum(self.rows[: i + 1]))
        infos = None if self.infos is None else list(self.infos[end - int(self.rows[i]) : end])
        return make_episode(self.schema, self.metadata, i, columns, infos, self.spaces)

    def _gathered(self, name: str) -> npt.NDArray[Any]:
        """Return a column of all rows; the last rows of episodes are zero, except for observations."""
        whole = self.ranges.as_slice
        rows = self._rows(name, self._plan) if whole is None else self.sources[0][name][whole].copy()
        if not name.startswith("observations") and len(rows):
            rows[np.cumsum(self.rows) - 1] = np.zeros((), rows.dtype)
        return rows

    @cached_property
    def _plan(self) -> GatherPlan:
        return gather_plan(*self.ranges.locate(slice(None)))

    def _rows(self, name: str, plan: GatherPlan) -> npt.NDArray[Any]:
        if len(plan) == 1:
            source, _, places = plan[0]
            taken: npt.NDArray[Any] = self.sources[source][name].take(places, axis=0)
            return taken
        column = self.schema.columns()[name]
        out = np.empty((sum(len(rows) for _, rows, _ in plan), *column.shape), column.dtype)
        for source, rows, places in plan:
            out[rows] = self.sources[source][name].take(places, axis=0)
        return out


def gather_plan(source: Integers, places: Integers) -> GatherPlan:
    """Return for each source the rows that come from it, and their indices there."""
    found = [(int(s), np.flatnonzero(source == s)) for s in np.unique(source)]
    return [(s, rows, places[rows]) for s, rows in found]


def make_episode(
    schema: EpisodeSchema,
    metadata: EpisodeMetadata,
    i: int,
    columns: Columns,
    infos: list[dict[str, Any]] | None,
    spaces: Spaces,
) -> SingleAgentEpisode:
    """Return an episode that returns arrays.

    Args:
        schema: of the columns.
        metadata: of episodes.
        i: which of these it is.
        columns: its rows.
        infos: one for each row; None for empty ones.
        spaces: of observations and actions.
    """
    n, lookback = len(columns["rewards"]), int(metadata.lookback[i])

    def buffer(name: str, part: Any, rows: int, space: Any = None) -> InfiniteLookbackBuffer:
        struct = build_struct(name, part, lambda path: columns[path][:rows])
        return InfiniteLookbackBuffer(struct, lookback, space)

    kept = [{} for _ in range(n)] if infos is None else infos
    episode = SingleAgentEpisode(
        metadata.ids[i],
        observations=buffer("observations", schema.observations, n, spaces[0]),
        observation_space=spaces[0],
        infos=InfiniteLookbackBuffer(kept, lookback),
        actions=buffer("actions", schema.actions, n - 1, spaces[1]),
        action_space=spaces[1],
        rewards=buffer("rewards", REWARDS, n - 1, REWARD_SPACE),
        terminated=bool(metadata.terminated[i]),
        truncated=bool(metadata.truncated[i]),
        extra_model_outputs={
            key: buffer(child_path("extras", key), part, n - 1) for key, part in schema.extras.items()
        },
        t_started=int(metadata.t_started[i]),
        agent_id=None if metadata.agents is None else metadata.agents[i],
        module_id=None if metadata.modules is None else metadata.modules[i],
        multi_agent_episode_id=None if metadata.groups is None else metadata.groups[i],
    )
    if metadata.custom is not None:
        episode.custom_data.update(metadata.custom[i])
    return episode


def join_blocks(
    blocks: Sequence[EpisodeBlock], schema: EpisodeSchema, spaces: Spaces = (None, None)
) -> EpisodeBlock:
    """Return the episodes of several blocks of one form, as one block; of the data nothing is copied."""
    if len(blocks) == 1:
        return blocks[0]
    metadata = [block.metadata for block in blocks]
    known: dict[str, Any] = {
        name: ChainedSequence([getattr(one, name) for one in metadata])
        for name in ("ids", "agents", "modules", "groups", "custom")
        if all(getattr(one, name) is not None for one in metadata)
    }
    kept = EpisodeMetadata(
        **{"ids": known.pop("ids"), **known},
        t_started=_concatenate([one.t_started for one in metadata], np.int64),
        lookback=_concatenate([one.lookback for one in metadata], np.int64),
        terminated=_concatenate([one.terminated for one in metadata], np.bool_),
        truncated=_concatenate([one.truncated for one in metadata], np.bool_),
    )
    sources = [source for block in blocks for source in block.sources]
    before = np.cumsum([0, *(len(block.sources) for block in blocks)])
    ranges_before = np.cumsum([0, *(len(block.ranges.count) for block in blocks)])
    ranges = RowRanges(
        *(
            _concatenate([getattr(b.ranges, name) + shift[k] for k, b in enumerate(blocks)], np.int64)
            for name, shift in (
                ("source", before),
                ("base", 0 * before),
                ("stride", 0 * before),
                ("count", 0 * before),
                ("ends", ranges_before),
            )
        )
    )
    infos = None
    if any(block.infos is not None for block in blocks):
        infos = [i for b in blocks for i in (b.infos if b.infos is not None else _empty_infos(b))]
    return EpisodeBlock(schema, kept, sources, ranges, spaces, infos)


def _empty_infos(block: EpisodeBlock) -> list[dict[str, Any]]:
    return [{} for _ in range(int(block.rows.sum()))]


def _concatenate(parts: Sequence[npt.NDArray[Any]], dtype: Any) -> npt.NDArray[Any]:
    return np.concatenate([np.zeros(0, dtype), *parts])


def block_of(
    episodes: Sequence[SingleAgentEpisode], schema: EpisodeSchema | None = None, spaces: Spaces | None = None
) -> EpisodeBlock:
    """Make one block of episodes.

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
    """Return the metadata of episodes."""
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
    """Return the schema of an episode's items: that of its spaces if they are known, else that of the items.

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
    """Return all items of a buffer that returns lists, with the lookback."""
    return cast(list[Any], buffer.data)


def _filled(
    episodes: Sequence[SingleAgentEpisode], schema: EpisodeSchema, rows: Any, *, rounded: Sequence[str]
) -> Columns:
    """Return the rows of episodes; floats of the parts in `rounded` get the dtype of their space, also if that is narrower."""
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
    """Return the columns of one kind of data of an episode."""
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
    """Return all items of a buffer, with the lookback, as a struct of arrays."""
    if buffer.finalized:
        return buffer.data
    try:
        return batch(all_items(buffer))
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


class ChainedSequence(Sequence[Any]):
    """Sequences one after another."""

    def __init__(self, parts: Sequence[Sequence[Any]]) -> None:
        self._parts = parts
        self._ends = list(itertools.accumulate(map(len, parts)))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def __iter__(self) -> Iterator[Any]:
        return itertools.chain.from_iterable(self._parts)

    def __getitem__(self, i: Any) -> Any:
        if isinstance(i, slice):
            return [item for part in self._parts for item in part[:]][i]
        position = range(len(self))[i]
        k = bisect.bisect_right(self._ends, position)
        return self._parts[k][position - self._ends[k]]
