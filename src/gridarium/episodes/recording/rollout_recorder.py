"""Recording many tracks at once, and cutting them into episodes: all together, and only when they are needed."""

from __future__ import annotations

import math
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.episodes.errors import EpisodeError
from gridarium.episodes.recording.episode_block import EpisodeBlock, EpisodeMetadata, Spaces, join_blocks
from gridarium.episodes.recording.episode_boundaries import (
    EndedEpisodes,
    EpisodeIds,
    EpisodeProgress,
    infos_of,
    locate_rows,
)
from gridarium.episodes.recording.episode_recorder_base import Sink, SinkErrors
from gridarium.episodes.recording.multi_agent_block import MultiAgentBlock
from gridarium.episodes.recording.rollout_buffer import RolloutBuffer, VectorInfoLog
from gridarium.episodes.recording.schema import (
    Columns,
    EpisodeSchema,
    Flags,
    Integers,
    cast_columns,
    child_path,
    named_leaves,
    require_rows,
    schema_of,
)


class RolloutRecorder:
    """Records `n` tracks, and gives their episodes away as blocks.

    Time step t of a track holds an observation, and the action, the reward and the extras that followed it. Final observations
    are stored apart, since an environment may return the first observation of the next episode in the same step.

    Args:
        schema: of what is recorded.
        n: how many tracks.
        spaces: of observations and actions.
        agents: the ids of the agents of a world; track i is agent i % len(agents) of world i // len(agents). None if a world
            has one agent.
        together: whether the agents of a world make one episode: those that end early wait for the others.
        infos: for infos; None to record none.
        outcomes: whether outcomes of episodes are recorded, as their custom data `outcome`.
        sink: gets finished episodes, block by block, instead of `take`.

    Attributes:
        sink_errors: what the sink has raised.
    """

    def __init__(
        self,
        schema: EpisodeSchema,
        n: int,
        spaces: Spaces = (None, None),
        *,
        agents: Sequence[Any] | None = None,
        together: bool = False,
        infos: VectorInfoLog | None = None,
        outcomes: bool = False,
        sink: Sink | None = None,
    ) -> None:
        self.schema, self.n, self.spaces, self.sink = schema, n, spaces, sink
        self._has_outcomes = outcomes
        self.ids = EpisodeIds(uuid.uuid4().hex[:12], agents)
        self._together = together and agents is not None
        self._infos = infos
        self._observed = [name for name, _ in named_leaves("observations", schema.observations)]
        self._rollout = RolloutBuffer(schema.columns(), n)
        self._progress = EpisodeProgress(n)
        self._ended = EndedEpisodes(self._observed, self.ids.agents_of_world)
        self._blocks: list[EpisodeBlock] = []
        self._refused: list[EpisodeBlock] = []
        self.sink_errors = SinkErrors()

    def begin(
        self,
        observations: Columns,
        tracks: Flags | None = None,
        t_started: Integers | int = 0,
        infos: Mapping[str, Any] | None = None,
    ) -> None:
        """Begin episodes; those that were active in these tracks are broken off.

        Args:
            observations: name -> array[n, ...].
            tracks: bool[n]: in which; all by default.
            t_started: their first step, if that is not 0.
            infos: as of a vector environment.
        """
        mask = np.ones(self.n, np.bool_) if tracks is None else tracks
        if self._rollout.t < 0:
            self._rollout.advance()
        self.break_off(mask)
        for name in self._observed:
            self._rollout.at(name)[mask] = observations[name][mask]
        if self._infos is not None and infos:
            self._infos.add(self._rollout.t, infos, tracks)
        self._progress.start(mask, self._rollout.t)
        self._progress.t_started[mask] = t_started if isinstance(t_started, int) else t_started[mask]

    def extras(self, extras: Mapping[str, npt.NDArray[Any]]) -> Columns:
        """Return the columns of a step's extra model outputs, key -> array[n, ...]; the first step determines which there are.

        Raises:
            EpisodeError: before the first `begin`, other extras than at the first step, or not n of them.
        """
        self._check_begun()
        require_rows("extras", dict(extras), self.n)
        if self._rollout.t == 0 and not self.schema.extras and extras:
            schemas = {key: schema_of(child_path("extras", key), array) for key, array in extras.items()}
            self.schema = replace(self.schema, extras=schemas)
            self._rollout.add_columns(self.schema.columns())
        if extras.keys() != self.schema.extras.keys():
            known = ", ".join(map(str, self.schema.extras)) or "none"
            raise EpisodeError(f"the extras {sorted(map(str, extras))}: at the first step there were {known}")
        return cast_columns("extras", dict(self.schema.extras), dict(extras)) if extras else {}

    def step(
        self,
        transition: Columns,
        observations: Columns,
        terminated: Flags,
        truncated: Flags,
        renewed: Flags | None = None,
        finals: Columns | None = None,
        infos: Mapping[str, Any] | None = None,
        outcomes: npt.NDArray[np.float64] | None = None,
    ) -> None:
        """Add a time step to all tracks.

        Args:
            transition: name -> array[n, ...]: actions, rewards, extras.
            observations: name -> array[n, ...]: the observations after it. Those that were written to `RolloutBuffer.next`
                directly are left out.
            terminated: bool[n]: whose episodes have reached a terminal state with it.
            truncated: bool[n]: whose episodes were broken off with it.
            renewed: bool[n]: whose observation is the first one of the next episode.
            finals: name -> array[n, ...]: the last observations of the ended ones among these.
            infos: as of a vector environment.
            outcomes: float64[n]: what came of the episodes that have ended with it; NaN elsewhere. Where agents are recorded
                together, also of those that have left earlier.

        Raises:
            EpisodeError: before the first `begin`; nothing is recorded then.
        """
        self._check_begun()
        for name, values in transition.items():
            self._rollout.at(name)[...] = values
        self._rollout.advance()
        for name, values in observations.items():
            self._rollout.at(name)[...] = values
        if self._infos is not None and infos:
            self._infos.add(self._rollout.t, infos)
        done = np.flatnonzero((terminated | truncated) & self._progress.active)
        if done.size:
            last, final_infos = self._current(done), None
            if finals is not None and renewed is not None:
                at_once = renewed[done]
                for name, rows in last.items():
                    rows[at_once] = finals[name][done[at_once]]
                final_infos = None if infos is None else infos.get("final_info")
            self._end(done, last, terminated[done], truncated[done], final_infos)
            if outcomes is not None:
                self._ended.set_outcomes(self._progress.number, outcomes, earlier=self._together)
        if renewed is not None and renewed.any():
            self._progress.start(np.flatnonzero(renewed), self._rollout.t)
        if self._rollout.at_segment_start:
            if self.sink is not None:
                self._deliver(ongoing=False)
            else:
                self._collect()

    def take(self, *, ongoing: bool = False, lookback: int = 0) -> EpisodeBlock | MultiAgentBlock:
        """Return what the sink has refused, and the episodes that have ended since the last call, in the order in which they did.

        Arguments and result are those of `BlockRecorder.take`.
        """
        refused, self._refused = self._refused, []
        return self._as_block([*refused, *self._take_ended(ongoing=ongoing, lookback=lookback)])

    def break_off(self, tracks: Flags | None = None) -> None:
        """End active episodes here, truncated; nothing more is recorded until the next ones begin.

        Args:
            tracks: bool[n]: in which; all by default.
        """
        mask = np.ones(self.n, np.bool_) if tracks is None else tracks
        unfinished = self._progress.unfinished(self._rollout.t)
        broken = unfinished[mask[unfinished]]
        if broken.size:
            self._end(broken, self._current(broken), truncated=True)
        self._progress.active[mask] = False

    def flush(self, *, ongoing: bool = False) -> None:
        """Hand what has ended to the sink; with `ongoing` also active episodes, as in `take`.

        Raises:
            Exception: what the sink raises, or has raised since the last error; `take` gives what it refused.
        """
        self._deliver(ongoing=ongoing)
        self.sink_errors.raise_first()

    def _take_ended(self, *, ongoing: bool, lookback: int = 0) -> list[EpisodeBlock]:
        if ongoing:
            self._cut_ongoing(lookback)
        self._collect(wait=not ongoing)
        ended, self._blocks = self._blocks, []
        return ended

    def _as_block(self, blocks: list[EpisodeBlock]) -> EpisodeBlock | MultiAgentBlock:
        block = join_blocks(blocks, self.schema, self.spaces)
        return MultiAgentBlock(block) if self._together else block

    def _deliver(self, *, ongoing: bool) -> None:
        ended = self._take_ended(ongoing=ongoing)
        n = len(block := self._as_block(ended))
        if n and (self.sink is None or not self.sink_errors.deliver(self.sink, block, f"{n} episodes")):
            self._refused += ended

    def _check_begun(self) -> None:
        if self._rollout.t < 0:
            raise EpisodeError("reset the environment before stepping it")

    def _current(self, tracks: Integers) -> Columns:
        """Return the latest observations of some tracks."""
        return {name: self._rollout.at(name)[tracks] for name in self._observed}

    def _end(
        self,
        tracks: Integers,
        last: Columns,
        terminated: Flags | bool = False,
        truncated: Flags | bool = False,
        final_infos: Mapping[str, Any] | None = None,
    ) -> None:
        ended = self._progress.end(tracks, self._rollout.t, terminated, truncated)
        self._add_ended(ended, last, final_infos)

    def _cut_ongoing(self, lookback: int) -> None:
        if lookback < 0:
            raise EpisodeError(f"lookback is 0 or more, got {lookback}")
        ongoing = self._progress.ongoing(self._rollout.t)
        if ongoing.size:
            ended = self._progress.cut(ongoing, self._rollout.t, lookback)
            self._add_ended(ended, self._current(ongoing))

    def _add_ended(self, ended: Columns, last: Columns, final_infos: Mapping[str, Any] | None = None) -> None:
        """Keep what is known of episodes that end here, with their last observations and infos."""
        if self._infos is not None:
            tracks = ended["track"].tolist()
            ended["info"] = np.empty(len(tracks), object)
            for k, track in enumerate(tracks):
                ended["info"][k] = (
                    self._infos.at(self._rollout.t, track)
                    if final_infos is None
                    else self._infos.final(final_infos, track)
                )
        if self._has_outcomes:
            ended["outcome"] = np.full(len(ended["track"]), np.nan)
        self._ended.add(ended, last)

    def _collect(self, *, wait: bool = True) -> None:
        """Make a block of what has ended, and drop what is not needed any more.

        Args:
            wait: where agents are recorded together, keep back those of worlds in which others are still active.
        """
        since = np.where(self._progress.active, self._progress.since, self._rollout.t + 1)
        if self._ended:
            if self._together:
                ended, finals, waiting = self._ended.take_complete(self._ongoing_numbers(wait))
                np.minimum.at(since, waiting["track"], waiting["since"])
            else:
                ended, finals = self._ended.take()
            if len(ended["track"]):
                self._blocks.append(self._block(ended, finals))
        earliest = self._rollout.drop_before(since)
        if self._infos is not None:
            self._infos.drop_before(earliest)

    def _ongoing_numbers(self, wait: bool) -> Integers:
        """Return int64[worlds]: the number of the episode whose agents wait for each other in each world; -1 for none."""
        numbers: Integers = np.where(self._progress.active & wait, self._progress.number, -1)
        latest: Integers = numbers.reshape(-1, self.ids.agents_of_world).max(axis=1)
        return latest

    def _block(self, ended: Columns, finals: Columns) -> EpisodeBlock:
        sources, ranges = locate_rows(self._rollout.segments, ended, finals)
        track, number = ended["track"], ended["number"]
        metadata = EpisodeMetadata(
            self.ids.ids(track, number),
            ended["t_started"],
            ended["lookback"],
            ended["terminated"],
            ended["truncated"],
            agents=self.ids.agents_of(track),
            groups=self.ids.groups(track, number),
            custom=_outcomes_as_custom(ended["outcome"]) if self._has_outcomes else None,
        )
        infos = None if self._infos is None else infos_of(self._infos, ended)
        return EpisodeBlock(self.schema, metadata, sources, ranges, self.spaces, infos)


def _outcomes_as_custom(outcomes: npt.NDArray[np.float64]) -> list[dict[str, Any]]:
    """Return the custom data of episodes: their outcomes, where they are known."""
    return [{} if math.isnan(outcome) else {"outcome": outcome} for outcome in outcomes.tolist()]


class BlockRecorder:
    """The base of recorders of many worlds, which return episodes as blocks."""

    _recorder: RolloutRecorder

    def take(self, *, ongoing: bool = False, lookback: int = 0) -> EpisodeBlock | MultiAgentBlock:
        """Return the episodes that have ended since the last call; with a sink, those that it has refused or not got yet.

        Args:
            ongoing: also active episodes, as unfinished chunks; the next ones continue from there.
            lookback: how many steps of history the next chunks have at most.

        Returns:
            An `EpisodeBlock`, or a `MultiAgentBlock` if the agents of worlds are recorded together.
        """
        return self._recorder.take(ongoing=ongoing, lookback=lookback)

    def flush(self, *, ongoing: bool = False) -> None:
        """Hand the episodes that have ended to the sink; with `ongoing` also active ones, as chunks.

        Without a sink they wait for `take`.

        Raises:
            Exception: what the sink raises, or has raised since the last error; `take` gives what it refused.
        """
        self._recorder.flush(ongoing=ongoing)
