"""Recording many tracks side by side, and cutting them into episodes: all at once, and only when somebody wants them."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.episodes.errors import EpisodeError
from gridarium.episodes.recording.block import EpisodeBlock, Spaces, joined
from gridarium.episodes.recording.cutting import Ends, cut, infos_of
from gridarium.episodes.recording.forms import (
    Columns,
    EpisodeForm,
    child,
    fitted,
    form_of,
    leaves_of,
    require_rows,
)
from gridarium.episodes.recording.infos import InfoLog
from gridarium.episodes.recording.names import Names
from gridarium.episodes.recording.pieces import Facts, Flags, Integers
from gridarium.episodes.recording.progress import Progress
from gridarium.episodes.recording.refusals import Refusals
from gridarium.episodes.recording.spool import Spool
from gridarium.episodes.recording.together import MultiAgentBlock

Sink = Callable[[Any], object]
"""Gets blocks."""


class Tracks:
    """What happens in `n` tracks.

    Slot s of a track holds an observation, and the action, the reward and the extras that followed it. Final observations
    lie apart, since an environment may show the first observation of the next episode in the same step.

    Args:
        form: of what is recorded.
        n: how many tracks.
        spaces: of observations and actions.
        agents: the ids of the agents of a world; track i is agent i % len(agents) of world i // len(agents). None where a
            world has one agent.
        together: whether the agents of a world make one episode: whoever ends early waits for the others.
        infos: keeps what else was told; None for nothing.
        sink: gets finished episodes, block by block, in the place of `take`.

    Attributes:
        refusals: what the sink has raised while tracks went on.
    """

    def __init__(
        self,
        form: EpisodeForm,
        n: int,
        spaces: Spaces = (None, None),
        *,
        agents: Sequence[Any] | None = None,
        together: bool = False,
        infos: InfoLog | None = None,
        sink: Sink | None = None,
    ) -> None:
        self.form, self.n, self.spaces, self.sink = form, n, spaces, sink
        self.names = Names(uuid.uuid4().hex[:12], agents)
        self._together = together and agents is not None
        self._log = infos
        self._observed = [name for name, _ in leaves_of("observations", form.observations)]
        self._spool = Spool(form.columns(), n)
        self._progress = Progress(n)
        self._ends = Ends(self._observed, self.names.agents_of_world)
        self._blocks: list[EpisodeBlock] = []
        self._refused: list[EpisodeBlock] = []
        self.refusals = Refusals()

    def begin(
        self,
        observations: Columns,
        tracks: Flags | None = None,
        t_started: Integers | int = 0,
        infos: Mapping[str, Any] | None = None,
    ) -> None:
        """Episodes begin; those that were going on in these tracks are broken off.

        Args:
            observations: name -> array[n, ...].
            tracks: bool[n]: in which; all by default.
            t_started: their first step, if that is not 0.
            infos: what else was told, as by a vector environment.
        """
        chosen = np.ones(self.n, np.bool_) if tracks is None else tracks
        if self._spool.slot < 0:
            self._spool.advance()
        self.break_off(chosen)
        for name in self._observed:
            self._spool.at(name)[chosen] = observations[name][chosen]
        if self._log is not None and infos:
            self._log.put(self._spool.slot, infos, tracks)
        self._progress.start(chosen, self._spool.slot)
        self._progress.t_started[chosen] = t_started if isinstance(t_started, int) else t_started[chosen]

    def extras(self, given: Mapping[str, npt.NDArray[Any]]) -> Columns:
        """The columns of a step's extra model outputs, key -> array[n, ...]; the first step tells which there are.

        Raises:
            EpisodeError: before the first `begin`, other extras than at the first step, or not n of them.
        """
        self._check_begun()
        require_rows("extras", dict(given), self.n)
        if self._spool.slot == 0 and not self.form.extras and given:
            forms = {key: form_of(child("extras", key), array) for key, array in given.items()}
            self.form = replace(self.form, extras=forms)
            self._spool.widen(self.form.columns())
        if given.keys() != self.form.extras.keys():
            wanted = ", ".join(map(str, self.form.extras)) or "none"
            raise EpisodeError(f"the extras {sorted(map(str, given))}: at the first step there were {wanted}")
        return fitted("extras", dict(self.form.extras), dict(given)) if given else {}

    def step(
        self,
        transition: Columns,
        observations: Columns,
        terminated: Flags,
        truncated: Flags,
        renewed: Flags | None = None,
        finals: Columns | None = None,
        infos: Mapping[str, Any] | None = None,
    ) -> None:
        """All tracks go on by a step.

        Args:
            transition: name -> array[n, ...]: actions, rewards, extras.
            observations: name -> array[n, ...]: what came of it. What is in its place already is left out here
                (see `Spool.ahead`).
            terminated: bool[n]: whose episodes have reached a terminal state with it.
            truncated: bool[n]: whose episodes were broken off with it.
            renewed: bool[n]: whose observation is the first one of the next episode.
            finals: name -> array[n, ...]: the last observations of the ended ones among these.
            infos: what else was told, as by a vector environment.

        Raises:
            EpisodeError: before the first `begin`; nothing is recorded then.
        """
        self._check_begun()
        for name, values in transition.items():
            self._spool.at(name)[...] = values
        self._spool.advance()
        for name, values in observations.items():
            self._spool.at(name)[...] = values
        if self._log is not None and infos:
            self._log.put(self._spool.slot, infos)
        over = np.flatnonzero((terminated | truncated) & self._progress.live)
        if over.size:
            last, told = self._current(over), None
            if finals is not None and renewed is not None:
                at_once = renewed[over]
                for name, rows in last.items():
                    rows[at_once] = finals[name][over[at_once]]
                told = None if infos is None else infos.get("final_info")
            self._end(over, last, terminated[over], truncated[over], told)
        if renewed is not None and renewed.any():
            self._progress.start(np.flatnonzero(renewed), self._spool.slot)
        if self._spool.turned:
            if self.sink is not None:
                self._hand_over(ongoing=False)
            else:
                self._collect()

    def take(self, *, ongoing: bool = False, lookback: int = 0) -> Any:
        """What the sink has refused, and the episodes that have ended since the last time, in the order in which they did.

        Args and what is returned: as `TakesBlocks.take`.
        """
        refused, self._refused = self._refused, []
        return self._as_block([*refused, *self._ended(ongoing=ongoing, lookback=lookback)])

    def break_off(self, tracks: Flags | None = None) -> None:
        """What is going on ends here, truncated; nothing more is recorded until the next episodes begin.

        Args:
            tracks: bool[n]: in which; all by default.
        """
        chosen = np.ones(self.n, np.bool_) if tracks is None else tracks
        unfinished = self._progress.unfinished(self._spool.slot)
        broken = unfinished[chosen[unfinished]]
        if broken.size:
            self._end(broken, self._current(broken), truncated=True)
        self._progress.live[chosen] = False

    def flush(self, *, ongoing: bool = False) -> None:
        """Hand what has ended to the sink; with `ongoing` also what is going on, as in `take`.

        Raises:
            Exception: what the sink raises, or has raised since this was last told; `take` gives what it refused.
        """
        self._hand_over(ongoing=ongoing)
        self.refusals.tell()

    # inside

    def _ended(self, *, ongoing: bool, lookback: int = 0) -> list[EpisodeBlock]:
        if ongoing:
            self._cut_ongoing(lookback)
        self._collect(wait=not ongoing)
        ended, self._blocks = self._blocks, []
        return ended

    def _as_block(self, blocks: list[EpisodeBlock]) -> Any:
        block = joined(blocks, self.form, self.spaces)
        return MultiAgentBlock(block) if self._together else block

    def _hand_over(self, *, ongoing: bool) -> None:
        ended = self._ended(ongoing=ongoing)
        n = len(block := self._as_block(ended))
        if n and (self.sink is None or not self.refusals.takes(self.sink, block, f"{n} episodes")):
            self._refused += ended

    def _check_begun(self) -> None:
        if self._spool.slot < 0:
            raise EpisodeError("reset the environment before stepping it")

    def _current(self, tracks: Integers) -> Columns:
        """The latest observations of some tracks."""
        return {name: self._spool.at(name)[tracks] for name in self._observed}

    def _end(
        self,
        tracks: Integers,
        last: Columns,
        terminated: Flags | bool = False,
        truncated: Flags | bool = False,
        told: Mapping[str, Any] | None = None,
    ) -> None:
        self._keep(self._progress.end(tracks, self._spool.slot, terminated, truncated), last, told)

    def _cut_ongoing(self, lookback: int) -> None:
        if lookback < 0:
            raise EpisodeError(f"lookback is 0 or more, got {lookback}")
        going = self._progress.going(self._spool.slot)
        if going.size:
            self._keep(self._progress.cut(going, self._spool.slot, lookback), self._current(going))

    def _keep(self, ended: Columns, last: Columns, told: Mapping[str, Any] | None = None) -> None:
        """Note what ends here, with the last observations and what else was told of them."""
        if self._log is not None:
            tracks = ended["track"].tolist()
            ended["told"] = np.empty(len(tracks), object)
            for k, track in enumerate(tracks):
                seen = self._log.at(self._spool.slot, track) if told is None else self._log.final(told, track)
                ended["told"][k] = seen
        self._ends.add(ended, last)

    def _collect(self, *, wait: bool = True) -> None:
        """Make a block of what has ended, and forget what nobody needs any more.

        Args:
            wait: keep the agents of worlds back in which others go on, where they are recorded together.
        """
        since = np.where(self._progress.live, self._progress.since, self._spool.slot + 1)
        if self._ends:
            if self._together:
                ends, finals, waiting = self._ends.take_whole(self._going_on(wait))
                np.minimum.at(since, waiting["track"], waiting["since"])
            else:
                ends, finals = self._ends.take()
            if len(ends["track"]):
                self._blocks.append(self._block(ends, finals))
        earliest = self._spool.keep(since)
        if self._log is not None:
            self._log.forget(earliest)

    def _going_on(self, wait: bool) -> Integers:
        """int64[worlds]: the number of the episode whose agents wait for each other in each world; -1 for none."""
        numbers: Integers = np.where(self._progress.live & wait, self._progress.number, -1)
        latest: Integers = numbers.reshape(-1, self.names.agents_of_world).max(axis=1)
        return latest

    def _block(self, ends: Columns, finals: Columns) -> EpisodeBlock:
        sources, pieces = cut(self._spool.reels, ends, finals)
        track, number = ends["track"], ends["number"]
        facts = Facts(
            self.names.ids(track, number),
            ends["t_started"],
            ends["lookback"],
            ends["terminated"],
            ends["truncated"],
            agents=self.names.agents_of(track),
            groups=self.names.groups(track, number),
        )
        infos = None if self._log is None else infos_of(self._log, ends)
        return EpisodeBlock(self.form, facts, sources, pieces, self.spaces, infos)
