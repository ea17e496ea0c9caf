"""A batch: many worlds of one kind, stepped in one call. One world is a batch of one.

Arrays that a step returns are fresh unless sharing is asked for. Worlds never see each other: the same seed and
actions give the same episode whatever the batch, the number of threads, and whether the program is compiled.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.compiled.random import SCRATCH_WORDS, world_key
from gridarium.engine.blame import also_in, blame
from gridarium.engine.crew import A_MOMENT, Crew, Pace, default_threads
from gridarium.engine.frame import FRAME_LENGTH, OUTPUTS, At, Autoreset, Mode, address
from gridarium.engine.kernel import MOST_THREADS, PROGRESS, PROGRESS_LENGTH, RUNNING
from gridarium.engine.machine import Machine
from gridarium.engine.seeds import one_for_each
from gridarium.world.state import EPISODE, KEY, State
from gridarium.world.vocabulary import BODY_FIELDS, DATA_FIELDS

SERIAL_BELOW = 512
"""Batches smaller than this are stepped by one thread: handing out work would cost more than it saves."""

Arrays = dict[str, npt.NDArray[Any]]


@dataclass(frozen=True)
class StepResult:
    """What a step of a batch returns; `n` worlds, `a` agents (the agent axis is left out in worlds with one agent).

    Attributes:
        observations: name -> array[n, a, ...].
        rewards: float64[n, a].
        terminated: bool[n, a].
        truncated: bool[n].
        ticks: int64[n]: the tick just made, counted from 1; 0 where the step only began an episode.
        results: int64[n, a]: the result codes of the actions (see `gridarium.rules.results`).
        final_observations: as observations, meaningful where an episode ended (same-step autoreset only).
    """

    observations: Arrays
    rewards: npt.NDArray[np.float64]
    terminated: npt.NDArray[np.bool_]
    truncated: npt.NDArray[np.bool_]
    ticks: npt.NDArray[np.int64]
    results: npt.NDArray[np.int64]
    final_observations: Arrays | None = None


@dataclass(frozen=True)
class Snapshot:
    """Everything that a batch's future depends on."""

    cells: npt.NDArray[np.uint32]
    layers: npt.NDArray[np.int64]
    data: npt.NDArray[np.int64]
    bodies: npt.NDArray[np.int64]

    def arrays(self) -> tuple[npt.NDArray[Any], ...]:
        """Cells, layers, data and bodies, each [worlds, ...]."""
        return self.cells, self.layers, self.data, self.bodies


class Batch:
    """`n` worlds of one kind.

    Args:
        machine: the composed world (see `gridarium.engine.World.batch`).
        n: how many worlds.
        autoreset: when an ended world begins its next episode.
        threads: how many threads step it; None for one per processor where the batch is large enough and it pays.
        shared: return the same arrays at every step instead of fresh ones (faster; read them before the next step).
    """

    def __init__(
        self,
        machine: Machine,
        n: int,
        *,
        autoreset: Autoreset = Autoreset.NEXT_STEP,
        threads: int | None = None,
        shared: bool = False,
    ) -> None:
        if n < 1:
            raise ValueError(f"a batch has at least one world, got {n}")
        if threads is not None and not 1 <= threads <= MOST_THREADS:
            raise ValueError(f"threads is between 1 and {MOST_THREADS}, got {threads}")
        self.machine, self.n, self.autoreset, self.shared = machine, n, autoreset, shared
        wanted = (default_threads() if n >= SERIAL_BELOW else 1) if threads is None else threads
        self._crew = Crew(min(wanted, n, MOST_THREADS), self._work)
        self._pace = Pace() if threads is None and self._crew.threads > 1 else None
        self._failures: list[int] = []
        self._seeded = False
        self._allocate()

    @property
    def threads(self) -> int:
        """How many threads step the batch."""
        return self._crew.threads

    # the three things one does with a batch

    def reset(
        self,
        seed: int | Sequence[int | None] | None = None,
        mask: npt.NDArray[np.bool_] | None = None,
    ) -> Arrays:
        """Begin new episodes and return the observations.

        Args:
            seed: one for all (world i gets seed + i), or one for each; None goes on with the next episode of each
                world's own stream (and seeds worlds that never were from the operating system).
            mask: bool[n]: which worlds; all by default.

        Raises:
            ValueError: wrong number of seeds, a negative one, or a mask of another shape; nothing has changed then.
            TypeError: a seed that is no whole number; likewise.
            Exception: what the reset rule raises; that world is then as before, and the others have begun.
        """
        worlds = np.arange(self.n) if mask is None else np.flatnonzero(self._checked_mask(mask))
        return self.begin(worlds, *self._next_episodes(seed, worlds))

    def begin(self, worlds: Any, keys: Any, episodes: Any) -> Arrays:
        """Begin given episodes in some worlds, and return the observations of all.

        Args:
            worlds: whole numbers[m]: which.
            keys: int64[m]: the keys of their seeds (see `keys`).
            episodes: whole numbers[m]: the numbers of the episodes, counted from 0.

        Raises:
            Exception: what the reset rule raises; that world is then as before, and the others have begun.
        """
        worlds, columns = np.asarray(worlds, np.int64), np.array([KEY, EPISODE])
        before = self._data[worlds[:, None], columns]
        self._data[worlds, KEY], self._data[worlds, EPISODE] = keys, np.asarray(episodes) - 1
        self._selected[:] = 0
        self._selected[worlds] = 1
        self._fresh_outputs()
        try:
            self._run(Mode.RESET)
        except BaseException:
            not_begun = self._data[worlds, EPISODE] != episodes
            self._data[worlds[not_begun, None], columns] = before[not_begun]
            raise
        finally:
            self._note_begun()
        return self._observations()

    def step(self, actions: Any) -> StepResult:
        """Step every world by one tick.

        Args:
            actions: whole numbers [n] or [n, agents]: indices into the world's list of actions.

        Raises:
            ValueError: wrong shape, or an action out of range; no world has been stepped then.
            TypeError: actions that are no whole numbers.
            RuntimeError: the batch was never reset.
            Exception: whatever a rule raises, with world, tick, rule and line; the other worlds have been stepped.
        """
        if not self._seeded:
            raise RuntimeError("reset the batch before stepping it")
        self._take_actions(actions)
        self._fresh_outputs()
        self._run(Mode.STEP)
        return StepResult(
            self._observations(),
            self._out(self._rewards),
            self._out(self._terminated).view(np.bool_),
            self._truncated.view(np.bool_),
            self._ticks,
            self._out(self._results),
            self._observations(final=True) if self.autoreset is Autoreset.SAME_STEP else None,
        )

    def observe(self) -> Arrays:
        """The observations of the current states; changes nothing."""
        self._fresh_outputs()
        self._run(Mode.OBSERVE)
        return self._observations()

    # looking inside

    def state(self, i: int) -> State:
        """World `i` as a state: a copy."""
        return self._view(i).copy()

    def set_state(self, i: int, state: State) -> None:
        """Put a state in the place of world `i`.

        Raises:
            ValueError: a state of another kind of world; nothing has changed then.
        """
        if state.vocabulary is not self.machine.vocabulary and state.vocabulary != self.machine.vocabulary:
            raise ValueError(f"the state's objects, colors and fields are not those of {self.machine.name}")
        for mine, given in zip(
            self._arrays(), (state.cells, state.layers, state.data, state.bodies), strict=True
        ):
            if mine[i].shape != given.shape:
                raise ValueError(f"the state's shape {given.shape} is not the world's {mine[i].shape}")
        for mine, given in zip(
            self._arrays(), (state.cells, state.layers, state.data, state.bodies), strict=True
        ):
            mine[i] = given
        self._note_begun()

    @property
    def ended(self) -> npt.NDArray[np.bool_]:
        """bool[n]: whose episode is over."""
        over: npt.NDArray[np.bool_] = self._data[:, 5] != RUNNING
        return over

    @property
    def ticks(self) -> npt.NDArray[np.int64]:
        """int64[n]: how many steps each episode has taken."""
        return self._data[:, 0].copy()

    @property
    def episodes(self) -> npt.NDArray[np.int64]:
        """int64[n]: the number of each world's episode since it was seeded, from 0; -1 before the first."""
        return self._data[:, EPISODE].copy()

    @property
    def keys(self) -> npt.NDArray[np.int64]:
        """int64[n]: what each world's seed stands for; with an episode's number, all of its luck (see `begin`)."""
        return self._data[:, KEY].copy()

    def snapshot(self) -> Snapshot:
        """A copy of everything that the future depends on."""
        return Snapshot(*(a.copy() for a in self._arrays()))

    def restore(self, snapshot: Snapshot, worlds: Any = slice(None)) -> None:
        """Go back to a snapshot.

        Args:
            snapshot: of as many worlds.
            worlds: whole numbers[m]: which worlds it is put into; all by default.

        Raises:
            ValueError: a snapshot of another size or kind of world; nothing has changed then.
        """
        if any(a[worlds].shape != b.shape for a, b in zip(self._arrays(), snapshot.arrays(), strict=True)):
            raise ValueError("the snapshot is of a batch of another size or kind")
        for mine, kept in zip(self._arrays(), snapshot.arrays(), strict=True):
            mine[worlds] = kept
        self._note_begun()

    def close(self) -> None:
        """End the batch's threads; it can still be stepped, by one."""
        self._crew.dismiss()

    def __reduce__(self) -> Any:
        options = (self.n, self.autoreset, self.threads, self.shared)
        return _restored, (self.machine, *options, self.snapshot() if self._seeded else None)

    # inside

    def _arrays(self) -> tuple[npt.NDArray[Any], ...]:
        return self._cells, self._layers, self._data, self._bodies

    def _view(self, i: int) -> State:
        if not -self.n <= i < self.n:
            raise IndexError(f"there are {self.n} worlds, got {i}")
        scratch = np.zeros(SCRATCH_WORDS, np.int64)
        arrays = (self._cells[i], self._layers[i], self._data[i], self._bodies[i], scratch)
        return State(*arrays, 0, self.machine.vocabulary)

    def _allocate(self) -> None:
        machine, n, threads = self.machine, self.n, self._crew.threads
        words, (height, width), agents = machine.vocabulary, machine.shape, machine.agents
        body, data = BODY_FIELDS + len(words.agent_fields), DATA_FIELDS + len(words.world_fields)
        scratch = machine.scratch_words
        self._cells = np.full((n, height, width), 2, np.uint32)
        self._layers = np.zeros((n, words.layers, height, width), np.int64)
        self._data = np.zeros((n, data), np.int64)
        self._bodies = np.zeros((n, agents, body), np.int64)
        self._scratch = np.zeros((threads, scratch), np.int64)
        self._before: tuple[npt.NDArray[Any], ...] = (
            np.zeros((threads, height, width), np.uint32),
            np.zeros((threads, words.layers, height, width), np.int64),
            np.zeros((threads, data), np.int64),
            np.zeros((threads, agents, body), np.int64),
        )
        self._actions = np.zeros((n, agents), np.int64)
        self._progress = np.zeros(PROGRESS_LENGTH, np.int64)
        self._selected = np.ones(n, np.uint8)
        self._frame = np.zeros(FRAME_LENGTH, np.int64)
        self._data[:, EPISODE] = -1
        sizes = [n, height, width, words.layers, agents, data, body, scratch]
        self._frame[: len(sizes)] = sizes
        fixed: dict[Any, npt.NDArray[Any]] = {
            **dict(
                zip(
                    (At.CELL_ARRAY, At.LAYER_ARRAY, At.DATA_ARRAY, At.BODY_ARRAY), self._arrays(), strict=True
                )
            ),
            At.SCRATCH_ARRAY: self._scratch,
            **dict(
                zip(
                    (At.BEFORE_CELLS, At.BEFORE_LAYERS, At.BEFORE_DATA, At.BEFORE_BODIES),
                    self._before,
                    strict=True,
                )
            ),
            At.ACTION_ARRAY: self._actions,
            At.ACTION_TABLE: machine.action_table,
            At.PROGRESS: self._progress,
            At.NUMBERS: machine.numbers,
            At.SELECTED: self._selected,
            **machine.tables,
        }
        for place, array in fixed.items():
            self._frame[place] = address(array)
        self._frame[At.ACTIONS] = machine.action_table.shape[1]
        self._frame[At.NUMBER_COUNT] = len(machine.numbers)
        self._frame[At.TIME_LIMIT] = machine.time_limit
        self._frame[At.AUTORESET] = self.autoreset
        self._frame[At.CHUNK_SIZE] = max(16, min(256, n // (8 * threads)))
        self._frame[At.LAST] = self._frame[At.CHUNK] = n
        self._place = address(self._frame)
        self._have_outputs = False

    def _fresh_outputs(self) -> None:
        if self._have_outputs and self.shared:
            return
        n, agents = self.n, self.machine.agents
        self._rewards = np.empty((n, agents), np.float64)
        self._terminated = np.empty((n, agents), np.uint8)
        self._truncated = np.empty(n, np.uint8)
        self._ticks = np.empty(n, np.int64)
        self._results = np.empty((n, agents), np.int64)
        frame = self._frame
        for place, array in (
            (At.REWARDS, self._rewards),
            (At.TERMINATED, self._terminated),
            (At.TRUNCATED, self._truncated),
            (At.TICKS, self._ticks),
            (At.RESULTS, self._results),
        ):
            frame[place] = address(array)
        self._outputs = self._new_outputs(At.OUTPUT)
        if self.autoreset is Autoreset.SAME_STEP:
            self._finals = self._new_outputs(At.FINAL_OUTPUT)
        self._have_outputs = True

    def _new_outputs(self, place: int) -> list[npt.NDArray[Any]]:
        made = [np.empty((self.n * self.machine.agents, *o.shape), o.dtype) for o in self.machine.outputs]
        assert len(made) <= OUTPUTS
        for k, array in enumerate(made):
            self._frame[place + k] = address(array)
        return made

    def _observations(self, *, final: bool = False) -> Arrays:
        arrays = self._finals if final else self._outputs
        agents = self.machine.agents
        lead = (self.n,) if agents == 1 else (self.n, agents)
        return {o.name: a.reshape(lead + o.shape) for o, a in zip(self.machine.outputs, arrays, strict=True)}

    def _out(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return array[:, 0] if self.machine.agents == 1 else array

    def _take_actions(self, actions: Any) -> None:
        given = np.asarray(actions)
        if given.dtype.kind not in "iu":
            raise TypeError(f"actions are whole numbers, got an array of {given.dtype}")
        agents = self.machine.agents
        allowed = [(self.n, agents)] if agents > 1 else [(self.n,), (self.n, 1)]
        if given.shape not in allowed:
            raise ValueError(f"actions have shape {allowed[0]}, got {given.shape}")
        np.copyto(self._actions, given.reshape(self._actions.shape), casting="unsafe")
        self.machine.prepare()
        try:
            self.machine.run(self._frame, self._place, 0, 0, 0, Mode.CHECK)
            return
        except Exception:
            pass  # compiled code knows that something is wrong, plain Python what
        self.machine.interpreted(self._frame, 0, 0, 0, Mode.CHECK)

    def _checked_mask(self, mask: Any) -> npt.NDArray[np.bool_]:
        chosen = np.asarray(mask)
        if chosen.shape != (self.n,) or chosen.dtype != np.bool_:
            raise ValueError(f"a mask is bool[{self.n}], got {chosen.dtype}{list(chosen.shape)}")
        return chosen

    def _next_episodes(self, seed: Any, worlds: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], ...]:
        """Keys and numbers of the episodes that a reset begins in some worlds."""
        seeds = one_for_each(seed, self.n)
        keys, episodes = self._data[worlds, KEY], self._data[worlds, EPISODE] + 1
        for j, i in enumerate(worlds.tolist()):
            if seeds[i] is not None or episodes[j] == 0:
                keys[j], episodes[j] = world_key(seeds[i]), 0
        return keys, episodes

    def _note_begun(self) -> None:
        self._seeded = self._seeded or bool((self._data[:, EPISODE] >= 0).all())

    def _run(self, mode: Mode) -> None:
        self._failures.clear()
        self.machine.prepare()
        shared = self._crew.threads > 1 and (self._pace is None or self._pace.shares())
        started = time.perf_counter()
        try:
            if shared:
                self._frame[At.MODE] = mode
                self._frame[At.FINISHED] = 0
                self._crew.lead()
            else:
                self._chunk(0, 0, self.n, mode)
        except KeyboardInterrupt:  # perhaps in the middle of an interpreted rule
            self._put_back(0, int(self._progress[0]))
            raise
        if self._pace is not None and mode is Mode.STEP:
            self._pace.took(time.perf_counter() - started, shared=shared)
        if self._failures:
            self._raise_first(mode)

    def _chunk(self, slot: int, first: int, last: int, mode: Mode) -> None:
        """Worlds `first` to `last`; those in which a rule raises are put back and noted."""
        while first < last:
            try:
                self.machine.run(self._frame, self._place, slot, first, last, mode)
                return
            except Exception:
                failed = int(self._progress[PROGRESS * slot])
                self._put_back(slot, failed)
                first = failed + 1

    def _work(self, slot: int, mode: Mode) -> None:
        """Chunks from the shared counter, as thread `slot`."""
        while True:
            try:
                done = self.machine.run(self._frame, self._place, slot, 0, 0, mode)
                if done or mode is Mode.SERVE:
                    return
                time.sleep(A_MOMENT)
                mode = Mode.RESUME
            except Exception:
                failed, last = int(self._progress[PROGRESS * slot]), int(self._progress[PROGRESS * slot + 1])
                first = failed - failed % int(self._frame[At.CHUNK_SIZE])
                task = Mode(int(self._frame[At.MODE]))
                self._put_back(slot, failed)
                self._chunk(slot, failed + 1, last, task)
                self.machine.run(self._frame, self._place, slot, first, last, Mode.FINISH)
                mode = Mode.RESUME if mode in (Mode.LEAD, Mode.RESUME) else mode

    def _put_back(self, slot: int, e: int) -> None:
        if int(self._progress[PROGRESS * slot + 2]) == e:
            for mine, before in zip(self._arrays(), self._before, strict=True):
                mine[e] = before[slot]
        self._failures.append(e)

    def _chunk_failed(self, mode: Mode) -> None:
        """After a compiled call for a batch of one has raised: put the world back and raise the rule's error."""
        self._failures.clear()
        self._put_back(0, 0)
        self._raise_first(mode)

    def _raise_first(self, mode: Mode) -> None:
        """Run the failing worlds again, interpreted, until a rule raises; the others stay as before the step."""
        for e in sorted(self._failures):
            kept = [a[e].copy() for a in self._arrays()]
            try:
                self.machine.interpreted(self._frame, 0, e, e + 1, mode)
            except Exception as error:
                for mine, before in zip(self._arrays(), kept, strict=True):
                    mine[e] = before
                doing = "beginning an episode" if mode is Mode.RESET else f"tick {self._data[e, 0]}"
                error.add_note(f"in world {e} of {self.n} ({self.machine.name}), {doing}")
                others = sorted({*self._failures} - {e})
                for note in (blame(error, self.machine.program.rules.values()), also_in(others)):
                    if note:
                        error.add_note(note)
                raise
            place = f"world {e} of {self.n} ({self.machine.name})"
            warnings.warn(
                f"{place}: a rule raises compiled, but not interpreted", RuntimeWarning, stacklevel=4
            )


def _restored(
    machine: Machine, n: int, autoreset: Autoreset, threads: int, shared: bool, snapshot: Snapshot | None
) -> Batch:
    batch = Batch(machine, n, autoreset=autoreset, threads=threads, shared=shared)
    if snapshot is not None:
        batch.restore(snapshot)
    return batch
