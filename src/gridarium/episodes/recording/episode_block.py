"""Episodes as columns: many at once, without an object for each until somebody asks for it.

A row of the columns holds an observation and what followed it: the action taken on it, the reward that brought, and the
extra model outputs. The last row of an episode holds its last observation alone; its other columns are zero. So an
episode of T steps has T + 1 rows, and one after another they make the columns of a block.

Rows may lie in other arrays, in another order, as where many worlds are recorded at once; they are gathered when they are
needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import gymnasium as gym
import numpy as np
import numpy.typing as npt

from gridarium.episodes.buffer import InfiniteLookbackBuffer
from gridarium.episodes.recording.forms import REWARDS, Columns, EpisodeForm, build, child
from gridarium.episodes.recording.names import Chained
from gridarium.episodes.recording.pieces import Facts, Integers, Pieces
from gridarium.episodes.single_agent_episode import REWARD_SPACE, SingleAgentEpisode

Spaces = tuple[gym.Space[Any] | None, gym.Space[Any] | None]
"""The spaces of one observation and of one action, where they are known."""


Plan = list[tuple[int, Integers, Integers]]
"""How rows are gathered: the number of a source, the rows that come from it, and where they are there."""


class Block(Sequence[Any]):
    """Episodes as a sequence that makes objects of them one by one."""

    lengths: Any

    def episode(self, i: int) -> Any:
        """Episode `i`, from 0 to len - 1, as an object that gives arrays."""
        raise NotImplementedError

    @property
    def steps(self) -> int:
        """How many of the environment's steps all of them have, without lookbacks."""
        return int(self.lengths.sum())

    def __getitem__(self, i: Any) -> Any:
        found = numbers_of(i, len(self))
        return self.episode(found) if isinstance(found, int) else [self.episode(k) for k in found]

    def __iter__(self) -> Iterator[Any]:
        return map(self.episode, range(len(self)))


def numbers_of(given: Any, n: int) -> int | Sequence[int]:
    """Which of n episodes are meant by an int; a slice, a list or array of ints, or a mask of bools give a sequence.

    Raises:
        IndexError: no such episode, or a mask of another length.
        TypeError: something else.
    """
    if isinstance(given, slice):
        return range(n)[given]
    numbers = np.asarray(given)
    if numbers.dtype.kind == "b" and numbers.shape == (n,):
        return np.flatnonzero(numbers).tolist()
    if not numbers.size:
        return []
    if numbers.dtype.kind not in "iu" or numbers.ndim > 1:
        raise TypeError(f"episodes are chosen by ints, slices, or a mask of {n} bools, not by {given!r}")
    if numbers.min() < -n or numbers.max() >= n:
        raise IndexError(f"there are {n} episodes, got {given}")
    found: int | list[int] = (numbers % n).tolist()
    return found


@dataclass(frozen=True, eq=False)
class EpisodeBlock(Block):
    """Episodes, as a sequence and as columns.

    Attributes:
        form: of what they hold.
        facts: what else is known of them.
        sources: arrays of rows by the names of columns; each has all of them.
        pieces: where in the sources the rows of each episode lie.
        spaces: of observations and actions.
        infos: the infos of all rows, one episode after another; None where they are empty.
    """

    form: EpisodeForm
    facts: Facts
    sources: Sequence[Columns]
    pieces: Pieces
    spaces: Spaces = (None, None)
    infos: Sequence[dict[str, Any]] | None = field(default=None, repr=False)

    def __len__(self) -> int:
        return len(self.facts)

    def __repr__(self) -> str:
        return f"<EpisodeBlock of {len(self)} episodes, {self.steps} steps>"

    @property
    def rows(self) -> Integers:
        """int64[n]: how many rows each episode has, one more than steps, lookback included."""
        return self.pieces.rows

    @cached_property
    def lengths(self) -> Integers:
        """int64[n]: how many steps each has, without the lookback."""
        return self.rows - 1 - self.facts.lookback

    @cached_property
    def returns(self) -> npt.NDArray[np.float64]:
        """float64[n]: the sum of rewards of each, without the lookback."""
        if not len(self):
            return np.zeros(0)
        rewards = self._gathered("rewards")
        first = np.cumsum(self.rows) - self.rows
        skipped = np.repeat(self.facts.lookback, self.rows)
        rewards[np.arange(len(rewards)) - np.repeat(first, self.rows) < skipped] = 0.0
        sums: npt.NDArray[np.float64] = np.add.reduceat(rewards, first)
        return sums

    @property
    def ids(self) -> Sequence[str]:
        """The name of each episode."""
        return self.facts.ids

    def labelled(self, module: str, custom: Sequence[dict[str, Any]] | None = None) -> EpisodeBlock:
        """The same episodes, with the name of the policy, and with custom data of each where these are given."""
        kept = self.facts.custom if custom is None else custom
        return replace(self, facts=replace(self.facts, modules=[module] * len(self), custom=kept))

    def columns(self) -> Columns:
        """Name -> array[rows, ...]: the rows of all episodes, one after another. New arrays."""
        return {name: self._gathered(name) for name in self.form.columns()}

    def episode(self, i: int) -> SingleAgentEpisode:
        """Episode `i`, from 0 to len - 1, as an object that gives arrays."""
        source, places = self.pieces.places(self.pieces.of(i))
        plan = planned(source, places)
        columns = {name: self._rows(name, plan) for name in self.form.columns()}
        end = int(np.sum(self.rows[: i + 1]))
        infos = None if self.infos is None else list(self.infos[end - int(self.rows[i]) : end])
        return episode_of(self.form, self.facts, i, columns, infos, self.spaces)

    def _gathered(self, name: str) -> npt.NDArray[Any]:
        """A column of all rows; what no transition has written is zero."""
        whole = self.pieces.whole
        rows = self._rows(name, self._plan) if whole is None else self.sources[0][name][whole].copy()
        if not name.startswith("observations") and len(rows):
            rows[np.cumsum(self.rows) - 1] = np.zeros((), rows.dtype)
        return rows

    @cached_property
    def _plan(self) -> Plan:
        return planned(*self.pieces.places(slice(None)))

    def _rows(self, name: str, plan: Plan) -> npt.NDArray[Any]:
        if len(plan) == 1:
            source, _, places = plan[0]
            taken: npt.NDArray[Any] = self.sources[source][name].take(places, axis=0)
            return taken
        column = self.form.columns()[name]
        out = np.empty((sum(len(rows) for _, rows, _ in plan), *column.shape), column.dtype)
        for source, rows, places in plan:
            out[rows] = self.sources[source][name].take(places, axis=0)
        return out


def planned(source: Integers, places: Integers) -> Plan:
    """For each source the rows that come from it, and where they are there."""
    found = [(int(s), np.flatnonzero(source == s)) for s in np.unique(source)]
    return [(s, rows, places[rows]) for s, rows in found]


def episode_of(
    form: EpisodeForm,
    facts: Facts,
    i: int,
    columns: Columns,
    infos: list[dict[str, Any]] | None,
    spaces: Spaces,
) -> SingleAgentEpisode:
    """An episode that gives arrays.

    Args:
        form: of what it holds.
        facts: of episodes.
        i: which of these it is.
        columns: its rows.
        infos: one for each row; None for empty ones.
        spaces: of observations and actions.
    """
    n, lookback = len(columns["rewards"]), int(facts.lookback[i])

    def buffer(name: str, part: Any, rows: int, space: Any = None) -> InfiniteLookbackBuffer:
        struct = build(name, part, lambda path: columns[path][:rows])
        return InfiniteLookbackBuffer(struct, lookback, space)

    kept = [{} for _ in range(n)] if infos is None else infos
    episode = SingleAgentEpisode(
        facts.ids[i],
        observations=buffer("observations", form.observations, n, spaces[0]),
        observation_space=spaces[0],
        infos=InfiniteLookbackBuffer(kept, lookback),
        actions=buffer("actions", form.actions, n - 1, spaces[1]),
        action_space=spaces[1],
        rewards=buffer("rewards", REWARDS, n - 1, REWARD_SPACE),
        terminated=bool(facts.terminated[i]),
        truncated=bool(facts.truncated[i]),
        extra_model_outputs={
            key: buffer(child("extras", key), part, n - 1) for key, part in form.extras.items()
        },
        t_started=int(facts.t_started[i]),
        agent_id=None if facts.agents is None else facts.agents[i],
        module_id=None if facts.modules is None else facts.modules[i],
        multi_agent_episode_id=None if facts.groups is None else facts.groups[i],
    )
    if facts.custom is not None:
        episode.custom_data.update(facts.custom[i])
    return episode


def joined(blocks: Sequence[EpisodeBlock], form: EpisodeForm, spaces: Spaces = (None, None)) -> EpisodeBlock:
    """The episodes of several blocks of one form, as one block; nothing is copied but names and numbers."""
    if len(blocks) == 1:
        return blocks[0]
    facts = [block.facts for block in blocks]
    known: dict[str, Any] = {
        name: Chained([getattr(one, name) for one in facts])
        for name in ("ids", "agents", "modules", "groups", "custom")
        if all(getattr(one, name) is not None for one in facts)
    }
    kept = Facts(
        **{"ids": known.pop("ids"), **known},
        t_started=_end_to_end([one.t_started for one in facts], np.int64),
        lookback=_end_to_end([one.lookback for one in facts], np.int64),
        terminated=_end_to_end([one.terminated for one in facts], np.bool_),
        truncated=_end_to_end([one.truncated for one in facts], np.bool_),
    )
    sources = [source for block in blocks for source in block.sources]
    before = np.cumsum([0, *(len(block.sources) for block in blocks)])
    pieces_before = np.cumsum([0, *(len(block.pieces.count) for block in blocks)])
    pieces = Pieces(
        *(
            _end_to_end([getattr(b.pieces, name) + shift[k] for k, b in enumerate(blocks)], np.int64)
            for name, shift in (
                ("source", before),
                ("base", 0 * before),
                ("stride", 0 * before),
                ("count", 0 * before),
                ("ends", pieces_before),
            )
        )
    )
    infos = None
    if any(block.infos is not None for block in blocks):
        infos = [i for b in blocks for i in (b.infos if b.infos is not None else _none(b))]
    return EpisodeBlock(form, kept, sources, pieces, spaces, infos)


def _none(block: EpisodeBlock) -> list[dict[str, Any]]:
    return [{} for _ in range(int(block.rows.sum()))]


def _end_to_end(parts: Sequence[npt.NDArray[Any]], dtype: Any) -> npt.NDArray[Any]:
    return np.concatenate([np.zeros(0, dtype), *parts])
