"""A batch: many worlds of one kind, stepped in one call. One world is a batch of one.

Arrays that a step returns are fresh unless sharing is asked for. Worlds never see each other: the same seed and
actions give the same episode whatever the batch, the number of threads, and whether the program is compiled.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.compiled.random import world_key
from gridarium.engine.checking import check_count
from gridarium.engine.crew import default_threads
from gridarium.engine.frame import Autoreset, Mode
from gridarium.engine.kernel import MOST_THREADS, RUNNING
from gridarium.engine.machine import Machine
from gridarium.engine.memory import Memory, Snapshot
from gridarium.engine.outputs import Arrays, Into
from gridarium.engine.refusing import OneAtATime, check_state, checked_mask
from gridarium.engine.runner import Runner
from gridarium.engine.seeds import one_for_each, one_state_for_each
from gridarium.engine.setting import new_numbers
from gridarium.engine.step_result import StepResult
from gridarium.world.state import ENDED, EPISODE, EPISODE_KEY, KEY, TICK, State

SERIAL_BELOW = 512
"""Batches smaller than this are stepped by one thread: handing out work would cost more than it saves."""

CHECKED_EVERY = 64
"""How many steps go by between two looks at what rules read from outside: what that costs cannot be measured then."""

FIRST_IN = [TICK, EPISODE, KEY, EPISODE_KEY, ENDED]
"""What of a state's data belongs to the episode that begins in it."""

_result = StepResult._make  # takes half the time


class Batch:
    """`n` worlds of one kind.

    Args:
        machine: the composed world (see `gridarium.engine.World.batch`).
        n: how many worlds.
        autoreset: when an ended world begins its next episode; with DISABLED it waits until it is reset.
        threads: how many threads step it; None for one per processor where the batch is large enough and it pays.
        shared: return the same arrays at every step instead of fresh ones (faster; read them before the next step).

    Attributes:
        memory: the arrays that the kernel works on, for the engine's own use.

    Raises:
        TypeError, ValueError: no machine, no number of worlds or threads, or no autoreset mode.
        StaleProgramError: what compiled rules read has changed since they were compiled (see `reset`).
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
        if not isinstance(machine, Machine):
            raise TypeError(f"a batch is made by World.batch, or of a Machine, not of {machine!r}")
        check_count("the number of worlds", n)
        if autoreset not in list(Autoreset):
            allowed = ", ".join(f"Autoreset.{mode.name}" for mode in Autoreset)
            raise ValueError(f"autoreset is one of {allowed}, got {autoreset!r}")
        check_count("threads", 1 if threads is None else threads, 1, MOST_THREADS)
        machine.check()
        self.machine, self.n, self.autoreset, self.shared = machine, int(n), autoreset, shared
        wanted = (default_threads() if n >= SERIAL_BELOW else 1) if threads is None else int(threads)
        wanted = min(wanted, n, MOST_THREADS)
        self.memory = Memory(machine, n, wanted, autoreset, shared=shared)
        self._runner = Runner(self.memory, wanted, always=threads is not None)
        self._asked = self.memory.asked[:, 0] if machine.agents == 1 else self.memory.asked
        self._seeded, self._alone, self._unchecked = False, OneAtATime(), 0

    @property
    def threads(self) -> int:
        """How many threads step the batch."""
        return self._runner.crew.threads

    @property
    def failed(self) -> list[int]:
        """The worlds in which a rule raised when the batch was last stepped, reset or observed."""
        return sorted(self._runner.failures)

    # the three things one does with a batch

    def reset(
        self,
        seed: int | Sequence[int | None] | None = None,
        mask: npt.NDArray[np.bool_] | None = None,
        *,
        state: State | Sequence[State] | None = None,
        parameters: Mapping[str, Any] | None = None,
    ) -> Arrays:
        """Begin new episodes and return the observations.

        Args:
            seed: one for all (world i gets seed + i), or one for each; None goes on with the next episode of each
                world's own stream (and seeds worlds that never were from the operating system).
            mask: bool[n]: which worlds; all by default.
            state: what they begin in, in the place of what the reset rule makes: one state for all, or one for each of the
                n worlds. Grid, agents, fields and whose turn it is are the state's; the clock begins at 0, and luck is that
                of the new episodes.
            parameters: of these and the next episodes of these worlds, see `set_parameters`.

        Raises:
            ValueError: wrong number of seeds or states, a negative seed, a mask of another shape, a state of another kind of
                world, or parameters as in `set_parameters`; nothing has changed then.
            TypeError: a seed that is no whole number, what is no state, or parameters as in `set_parameters`; likewise.
            StaleProgramError: compiled rules read a global, a list, an attribute and so on that has changed since they
                were compiled; likewise.
            BaseException: what the reset rule raises; that world is then as before, and the others have begun.
        """
        worlds = np.arange(self.n) if mask is None else np.flatnonzero(checked_mask(mask, self.n))
        begun = self._next_episodes(seed, worlds)
        states = None if state is None else [self._fitting(one) for one in one_state_for_each(state, self.n)]
        if parameters is not None:
            self.set_parameters(parameters, worlds)
        observations = self.begin(worlds, *begun)
        if states is None:
            return observations
        for i in worlds.tolist():
            own = self.memory.data[i, FIRST_IN].copy()
            self._put(i, states[i])
            self.memory.data[i, FIRST_IN] = own
        return self.observe()

    def set_parameters(self, parameters: Mapping[str, Any], worlds: Any = slice(None)) -> None:
        """Give worlds parameters of their own, from their next episodes on, as a curriculum does.

        All that the compiled rules read as a number can be set: `time_limit`, and parameters of the world's own rules that
        are numbers and given in its description, or to `World`. In a batch of several worlds another program reads them, a few
        percent slower, which is compiled once.

        Args:
            parameters: by their names, as for `World`.
            worlds: whole numbers[m], or bool[n]: which; all by default.

        Raises:
            ValueError: no such parameter, a value that it cannot have, or one that is fixed for all worlds of a batch;
                nothing has changed then.
            TypeError: parameters that are no mapping, or a value that no description can hold; likewise.
            IndexError: there are no such worlds; likewise.
        """
        columns, numbers = new_numbers(self.machine, parameters)
        with self._alone:
            memory = self.memory
            try:
                chosen = np.atleast_1d(np.arange(self.n)[worlds])
            except IndexError:
                raise IndexError(f"worlds are numbered from 0 to {self.n - 1}; got {worlds!r}") from None
            self._runner.crew.rest()
            if not memory.own_numbers:
                self._use_numbers(*(np.tile(memory.numbers, (self.n, 1)) for _ in range(2)))
            memory.next_numbers[chosen[:, None], columns] = numbers

    def begin(self, worlds: Any, keys: Any, episodes: Any) -> Arrays:
        """Begin given episodes in some worlds, and return the observations of all.

        Args:
            worlds: whole numbers[m]: which.
            keys: int64[m]: the keys of their seeds (see `keys`).
            episodes: whole numbers[m]: the numbers of the episodes, counted from 0.

        Raises:
            StaleProgramError: see `reset`; nothing has changed then.
            BaseException: what the reset rule raises; that world is then as before, and the others have begun.
        """
        with self._alone:
            self._runner.machine.check()
            worlds, columns = np.asarray(worlds, np.int64), np.array([KEY, EPISODE])
            before = self.memory.data[worlds[:, None], columns]
            self.memory.data[worlds, KEY], self.memory.data[worlds, EPISODE] = keys, np.asarray(episodes) - 1
            self.memory.selected[:] = 0
            self.memory.selected[worlds] = 1
            self.memory.fresh_outputs()
            try:
                self._runner.run(Mode.RESET)
            except BaseException:
                not_begun = self.memory.data[worlds, EPISODE] != episodes
                self.memory.data[worlds[not_begun, None], columns] = before[not_begun]
                raise
            finally:
                self._note_begun()
            return dict(self.memory.outputs.observations)

    def step(self, actions: Any, *, into: Into | None = None) -> StepResult:
        """Step every world by one tick.

        Args:
            actions: whole numbers [n] or [n, agents]: indices into the world's list of actions.
            into: arrays of the caller's own that observations and rewards are written to, and that are returned.

        Raises:
            ValueError: wrong shape, an action out of range, or arrays that do not fit; no world has been stepped then.
            TypeError: actions that are no whole numbers.
            RuntimeError: the batch was never reset; no world has been stepped then.
            StaleProgramError: see `reset`; this is asked in every 64th step, since worlds may begin episodes by
                themselves; no world has been stepped then.
            BaseException: whatever a rule raises, with world, tick, rule and line; the other worlds have been stepped.
        """
        if not self._seeded:
            raise RuntimeError("reset the batch before stepping it")
        alone = self._alone
        if not alone.begin(False):
            raise alone.refusal()
        try:
            self._take_actions(actions)
            if self.machine.watched is not None:
                self._check_at_times()
            self.memory.fresh_outputs(into)
            self._runner.run(Mode.TAKE_AND_STEP)
            written = self.memory.outputs
            finals = None if written.finals is None else dict(written.finals)
            return _result(
                (
                    dict(written.observations), written.rewards, written.terminated, written.truncated,
                    written.ticks, written.results, finals,
                )
            )  # fmt: skip
        finally:
            alone.end()

    def observe(self) -> Arrays:
        """The observations of the current states; changes nothing."""
        with self._alone:
            self.memory.fresh_outputs()
            self._runner.run(Mode.OBSERVE)
            return dict(self.memory.outputs.observations)

    # looking inside

    def state(self, i: int) -> State:
        """World `i` as a state: a copy.

        Raises:
            TypeError, IndexError: there is no such world.
        """
        return self.memory.view(i).copy()

    def set_state(self, i: int, state: State) -> None:
        """Put a state in the place of world `i`.

        Raises:
            ValueError: a state of another kind of world; nothing has changed then.
            TypeError, IndexError: no state, or no such world.
            StaleProgramError: see `reset`; nothing has changed then.
        """
        self._runner.machine.check()
        self.memory.check_number(i)
        self._put(i, self._fitting(state))
        self._note_begun()

    @property
    def ended(self) -> npt.NDArray[np.bool_]:
        """bool[n]: whose episode is over."""
        over: npt.NDArray[np.bool_] = self.memory.data[:, ENDED] != RUNNING
        return over

    @property
    def ticks(self) -> npt.NDArray[np.int64]:
        """int64[n]: how many steps each episode has taken."""
        return self.memory.data[:, TICK].copy()

    @property
    def episodes(self) -> npt.NDArray[np.int64]:
        """int64[n]: the number of each world's episode since it was seeded, from 0; -1 before the first."""
        return self.memory.data[:, EPISODE].copy()

    @property
    def keys(self) -> npt.NDArray[np.int64]:
        """int64[n]: what each world's seed stands for; with an episode's number, all of its luck (see `begin`)."""
        return self.memory.data[:, KEY].copy()

    def snapshot(self) -> Snapshot:
        """A copy of everything that the future depends on, but for parameters that worlds have of their own."""
        return Snapshot(*(a.copy() for a in self.memory.arrays()))

    def restore(self, snapshot: Snapshot, worlds: Any = slice(None)) -> None:
        """Go back to a snapshot.

        Args:
            snapshot: of as many worlds.
            worlds: whole numbers[m]: which worlds it is put into; all by default.

        Raises:
            ValueError: a snapshot of another size or kind of world; nothing has changed then.
            TypeError, IndexError: no snapshot, or no such worlds.
            StaleProgramError: see `reset`; nothing has changed then.
        """
        self._runner.machine.check()
        if not isinstance(snapshot, Snapshot):
            raise TypeError(f"a batch goes back to what its snapshot() gave, not to {snapshot!r}")
        pairs = tuple(zip(self.memory.arrays(), snapshot.arrays(), strict=True))
        try:
            fits = all(mine[worlds].shape == kept.shape for mine, kept in pairs)
        except IndexError:
            raise IndexError(f"worlds are numbered from 0 to {self.n - 1}; got {worlds!r}") from None
        if not fits:
            raise ValueError("the snapshot is of a batch of another size or kind")
        for mine, kept in pairs:
            mine[worlds] = kept
        self._note_begun()

    def close(self) -> None:
        """End the batch's threads; it can still be stepped, by one."""
        self._runner.crew.dismiss()

    def __reduce__(self) -> Any:
        options = (self.n, self.autoreset, self.threads, self.shared)
        numbers = (self.memory.numbers, self.memory.next_numbers) if self.memory.own_numbers else None
        return _restored, (self.machine, *options, numbers, self.snapshot() if self._seeded else None)

    # inside

    def _fitting(self, state: Any) -> State:
        """A state that is one of this kind of world.

        Raises:
            TypeError, ValueError: it is none.
        """
        check_state(state)
        if state.vocabulary is not self.machine.vocabulary and state.vocabulary != self.machine.vocabulary:
            raise ValueError(f"the state's objects, colors and fields are not those of {self.machine.name}")
        for mine, given in zip(self.memory.arrays(), _arrays_of(state), strict=True):
            if mine.shape[1:] != given.shape:
                raise ValueError(f"the state's shape {given.shape} is not the world's {mine.shape[1:]}")
        fitting: State = state
        return fitting

    def _put(self, i: int, state: State) -> None:
        for mine, given in zip(self.memory.arrays(), _arrays_of(state), strict=True):
            mine[i] = given

    def _take_actions(self, actions: Any) -> None:
        given, wanted = np.asarray(actions), self._asked
        if given.dtype.kind not in "iu":
            raise TypeError(f"actions are whole numbers, got an array of {given.dtype}")
        if given.shape != wanted.shape:
            if given.shape != self.memory.asked.shape:
                raise ValueError(f"actions have shape {wanted.shape}, got {given.shape}")
            given = given[:, 0]
        wanted[...] = given

    def _check_at_times(self) -> None:
        """Refuse what has changed, in every 64th call."""
        self._unchecked = (self._unchecked + 1) % CHECKED_EVERY
        if self._unchecked == 0:
            self._runner.machine.check()

    def _next_episodes(self, seed: Any, worlds: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], ...]:
        """Keys and numbers of the episodes that a reset begins in some worlds."""
        seeds = one_for_each(seed, self.n)
        keys, episodes = self.memory.data[worlds, KEY], self.memory.data[worlds, EPISODE] + 1
        for j, i in enumerate(worlds.tolist()):
            if seeds[i] is not None or episodes[j] == 0:
                keys[j], episodes[j] = world_key(seeds[i]), 0
        return keys, episodes

    def _use_numbers(self, now: npt.NDArray[np.int64], then: npt.NDArray[np.int64]) -> None:
        """Worlds have run-time parameters of their own; of several worlds, another program reads them."""
        self.memory.use_numbers(now, then)
        if self.n > 1:
            self._runner.machine = self.machine.with_own_numbers

    def _note_begun(self) -> None:
        self._seeded = self._seeded or bool((self.memory.data[:, EPISODE] >= 0).all())


def _arrays_of(state: State) -> tuple[npt.NDArray[Any], ...]:
    return state.cells, state.layers, state.data, state.bodies


def _restored(
    machine: Machine,
    n: int,
    autoreset: Autoreset,
    threads: int,
    shared: bool,
    numbers: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]] | None,
    snapshot: Snapshot | None,
) -> Batch:
    batch = Batch(machine, n, autoreset=autoreset, threads=threads, shared=shared)
    if numbers is not None:
        batch._use_numbers(*numbers)
    if snapshot is not None:
        batch.restore(snapshot)
    return batch
