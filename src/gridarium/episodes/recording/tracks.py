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
from gridarium.episodes.recording.cutting import Ends, cut
from gridarium.episodes.recording.forms import Columns, EpisodeForm, child, fitted, form_of, leaves_of
from gridarium.episodes.recording.names import Names
from gridarium.episodes.recording.pieces import Facts, Flags, Integers
from gridarium.episodes.recording.reels import Reel, Shelf, slots_for

Sink = Callable[[EpisodeBlock], object]


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
        sink: gets finished episodes, block by block, in the place of `take`.
    """

    def __init__(
        self,
        form: EpisodeForm,
        n: int,
        spaces: Spaces = (None, None),
        *,
        agents: Sequence[Any] | None = None,
        sink: Sink | None = None,
    ) -> None:
        self.form, self.n, self.spaces, self.sink = form, n, spaces, sink
        self.names = Names(uuid.uuid4().hex[:12], agents)
        self._columns = form.columns()
        self._observed = [name for name, _ in leaves_of("observations", form.observations)]
        self._slots = slots_for(self._columns, n)
        self._shelf = Shelf()
        self._reels: list[Reel] = []
        self._slot = -1
        self._live = np.zeros(n, np.bool_)
        self._since = np.zeros(n, np.int64)
        self._lookback = np.zeros(n, np.int64)
        self._t_started = np.zeros(n, np.int64)
        self._number = np.full(n, -1, np.int64)
        self._ends = Ends(self._observed)
        self._blocks: list[EpisodeBlock] = []

    def begin(
        self, observations: Columns, tracks: Flags | None = None, t_started: Integers | int = 0
    ) -> None:
        """Episodes begin; those that were going on in these tracks are broken off.

        Args:
            observations: name -> array[n, ...].
            tracks: bool[n]: in which; all by default.
            t_started: their first step, if that is not 0.
        """
        chosen = np.ones(self.n, np.bool_) if tracks is None else tracks
        if self._slot < 0:
            self._new_slot()
        reel = self._reels[-1]
        going = self._going()
        broken = going[chosen[going]]
        if broken.size:
            self._end(broken, self._current(broken), self._slot, truncated=True)
        for name in self._observed:
            reel.written[name][self._slot - reel.first, chosen] = observations[name][chosen]
        self._start(chosen)
        self._t_started[chosen] = t_started if isinstance(t_started, int) else t_started[chosen]

    def step(
        self,
        transition: Columns,
        observations: Columns,
        terminated: Flags,
        truncated: Flags,
        renewed: Flags | None = None,
        finals: Columns | None = None,
        extras: Mapping[str, npt.NDArray[Any]] | None = None,
    ) -> None:
        """All tracks go on by a step.

        Args:
            transition: name -> array[n, ...]: actions and rewards.
            observations: name -> array[n, ...]: what came of it.
            terminated: bool[n]: whose episodes have reached a terminal state with it.
            truncated: bool[n]: whose episodes were broken off with it.
            renewed: bool[n]: whose observation is the first one of the next episode.
            finals: name -> array[n, ...]: the last observations of the ended ones among these.
            extras: key -> array[n, ...]: extra model outputs, the same ones in every step.

        Raises:
            EpisodeError: before the first `begin`, or other extras than at the first step; nothing is recorded then.
        """
        if self._slot < 0:
            raise EpisodeError("reset the environment before stepping it")
        outputs = self._extras(extras or {})
        reel = self._reels[-1]
        for name, values in (*transition.items(), *outputs.items()):
            reel.put(name, self._slot, values)
        self._new_slot()
        reel = self._reels[-1]
        for name in self._observed:
            reel.put(name, self._slot, observations[name])
        over = np.flatnonzero((terminated | truncated) & self._live)
        if over.size:
            last = {name: observations[name][over] for name in self._observed}
            if finals is not None and renewed is not None:
                at_once = renewed[over]
                for name, rows in last.items():
                    rows[at_once] = finals[name][over[at_once]]
            self._end(over, last, self._slot, terminated[over], truncated[over])
        if renewed is not None and renewed.any():
            self._start(renewed)

    def take(self, *, ongoing: bool = False, lookback: int = 0) -> EpisodeBlock:
        """The episodes that have ended since the last time, in the order in which they did.

        Args:
            ongoing: also what is going on, as chunks that are not done; next time they go on from there.
            lookback: how many steps from before it those next chunks have at most.
        """
        if ongoing:
            self._cut_ongoing(lookback)
        self._collect()
        taken, self._blocks = self._blocks, []
        return joined(taken, self.form, self.spaces)

    def break_off(self) -> None:
        """What is going on ends here, truncated."""
        going = self._going()
        if going.size:
            self._end(going, self._current(going), self._slot, truncated=True)

    def flush(self, *, ongoing: bool = False) -> None:
        """Hand what has ended to the sink.

        Args:
            ongoing: also what is going on, as in `take`.
        """
        block = self.take(ongoing=ongoing)
        if self.sink is not None and len(block):
            self.sink(block)

    # inside

    def _extras(self, given: Mapping[str, npt.NDArray[Any]]) -> Columns:
        """The columns of extras; the first step tells which there are."""
        if self._slot == 0 and not self.form.extras and given:
            forms = {key: form_of(child("extras", key), array) for key, array in given.items()}
            self.form = replace(self.form, extras=forms)
            self._columns = self.form.columns()
            self._reels[-1].widen(self._columns)
        if given.keys() != self.form.extras.keys():
            wanted = ", ".join(map(str, self.form.extras)) or "none"
            raise EpisodeError(f"the extras {sorted(map(str, given))}: at the first step there were {wanted}")
        return fitted("extras", dict(self.form.extras), dict(given)) if given else {}

    def _steps(self) -> Integers:
        """int64[n]: how many steps each has taken since it began, or since it was cut."""
        return self._slot - self._since - self._lookback

    def _going(self) -> Integers:
        """The tracks with an episode that is going on and has a step."""
        return np.flatnonzero(self._live & (self._steps() > 0))

    def _current(self, tracks: Integers) -> Columns:
        """The latest observations of some tracks."""
        reel = self._reels[-1]
        return {name: reel.written[name][self._slot - reel.first][tracks] for name in self._observed}

    def _start(self, tracks: npt.NDArray[Any]) -> None:
        self._since[tracks] = self._slot
        self._lookback[tracks] = self._t_started[tracks] = 0
        self._live[tracks] = True
        self._number[tracks] += 1

    def _end(
        self,
        tracks: Integers,
        last: Columns,
        slot: int,
        terminated: Flags | bool = False,
        truncated: Flags | bool = False,
    ) -> None:
        self._ends.add(
            last,
            track=tracks,
            since=self._since[tracks],
            until=np.full_like(tracks, slot),
            lookback=self._lookback[tracks],
            t_started=self._t_started[tracks],
            number=self._number[tracks],
            terminated=np.broadcast_to(terminated, tracks.shape),
            truncated=np.broadcast_to(truncated, tracks.shape),
        )
        self._live[tracks] = False

    def _cut_ongoing(self, lookback: int) -> None:
        if lookback < 0:
            raise EpisodeError(f"lookback is 0 or more, got {lookback}")
        going = self._going()
        if not going.size:
            return
        steps = self._steps()[going]
        self._end(going, self._current(going), self._slot)
        self._live[going] = True
        self._t_started[going] += steps
        since = np.maximum(self._since[going], self._slot - lookback)
        self._since[going], self._lookback[going] = since, self._slot - since

    def _new_slot(self) -> None:
        self._slot += 1
        if self._slot % self._slots == 0:
            if self.sink is not None:
                self.flush()
            else:
                self._collect()
            self._reels.append(Reel(self._columns, self._slot, self._slots, self.n, self._shelf))

    def _collect(self) -> None:
        """Make a block of what has ended, and forget what nobody needs any more."""
        if self._ends:
            columns, finals = self._ends.take()
            self._blocks.append(self._block(columns, finals))
        since = np.where(self._live, self._since, self._slot + 1)
        earliest = int(since.min()) if self.n else 0
        self._reels = [r for r in self._reels if r.first + r.slots > min(earliest, self._slot)]
        for reel in self._reels:
            if reel.first + reel.slots <= self._slot:
                reel.keep(since)

    def _block(self, ends: Columns, finals: Columns) -> EpisodeBlock:
        sources, pieces = cut(self._reels, ends, finals)
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
        return EpisodeBlock(self.form, facts, sources, pieces, self.spaces)
