"""A batch: many worlds of one kind, stepped in one call.

A step returns new arrays unless `shared` is set. Worlds are independent: the same seed and actions give the same
episode, regardless of the batch, the number of threads, and compilation.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from gridarium.compiled.data_types.random import world_key
from gridarium.engine.acting import acting_agents
from gridarium.engine.arguments import check_count
from gridarium.engine.batch_arguments import check_is_state, checked_mask, free
from gridarium.engine.composed_world import ComposedWorld
from gridarium.engine.kernel_args import Autoreset, Mode
from gridarium.engine.run_time_parameters import new_params, without
from gridarium.engine.seeds import Seeds, key_for_each, state_for_each
from gridarium.engine.step.kernel import MOST_THREADS, RUNNING
from gridarium.engine.step_result import StepResult
from gridarium.engine.threads.memory import Memory, Snapshot
from gridarium.engine.threads.outputs import MASK_FORMATS, Arrays, MaskFormat, Outputs, OutputTarget
from gridarium.engine.threads.runner import Runner
from gridarium.engine.threads.worker_pool import default_threads
from gridarium.world.agent import ACTIVE
from gridarium.world.state import ENDED, EPISODE, EPISODE_KEY, KEY, TICK, TURN, State
from gridarium.world.vocabulary import Vocabulary

Indices: TypeAlias = slice | int | Sequence[int] | npt.NDArray[np.integer[Any]] | npt.NDArray[np.bool_]
"""Worlds of a batch: int[m] or bool[n]."""

SERIAL_BELOW = 512
"""Smaller batches are stepped by one thread: distributing the work would cost more than it saves."""

CHECKED_EVERY = 64
"""The number of steps between two checks of the globals that rules read: at this interval the cost is not
measurable."""

FIRST_IN = [TICK, EPISODE, KEY, EPISODE_KEY, ENDED]
"""The entries of a state's data that belong to the episode that begins in it."""

Observers = Literal["all", "acting", "none"]

_result = StepResult._make  # half the time of the constructor


class Batch:
    """A vector of `n` worlds of one kind.

    Args:
        composed: the composed world (see `gridarium.engine.World.batch`).
        n: the number of worlds.
        autoreset: when an ended world begins its next episode; with DISABLED it waits for a reset.
        threads: the number of threads; None for one per processor where the batch is large enough and it is faster.
        shared: return the same arrays at every step instead of new ones (faster; read them before the next step).
        masks: the format of masks of legal actions: "bytes" for bool[..., actions], "bits" for uint8[..., ceil(actions / 8)],
            which `numpy.unpackbits(masks, axis=-1, count=actions, bitorder="little")` unpacks.
        observers: "all" for observations of all agents in a world whose description has `observers: acting`; "none" if
            nothing is to be observed, which is faster where actions do not depend on it: there are no arrays then.

    Attributes:
        observes: whether there are observations.
        masks_are_old: whether states were replaced since the masks of legal actions were written.
        memory: the arrays of the kernel, for internal use.
        runner: runs the compiled step on them, for internal use.

    Raises:
        TypeError, ValueError: an argument has the wrong type, or an invalid number of worlds or threads or autoreset
        mode.
        StaleProgramError: a global that compiled rules read has changed since they were compiled (see `reset`).
    """

    def __init__(
        self,
        composed: ComposedWorld,
        n: int,
        *,
        autoreset: Autoreset = Autoreset.NEXT_STEP,
        threads: int | None = None,
        shared: bool = False,
        masks: MaskFormat = "bytes",
        observers: Observers | None = None,
    ) -> None:
        if not isinstance(composed, ComposedWorld):
            raise TypeError(
                f"a batch is created by World.batch, or from a ComposedWorld, not from {composed!r}"
            )
        check_count("the number of worlds", n)
        if type(autoreset) is not Autoreset:
            allowed = ", ".join(f"Autoreset.{mode.name}" for mode in Autoreset)
            raise ValueError(f"autoreset must be one of {allowed}, got {autoreset!r}")
        if masks not in MASK_FORMATS:
            raise ValueError(f"masks must be 'bytes' or 'bits', got {masks!r}")
        check_count("threads", 1 if threads is None else threads, 1, MOST_THREADS)
        if observers not in (None, "all", "none", composed.spec.observers):
            raise ValueError(
                "observers must be 'all', 'none', or 'acting' in worlds whose description says so; "
                f"got {observers!r}"
            )
        if observers == "all":
            composed = composed.observing_all
        composed.check()
        self.composed, self.n, self.autoreset, self.shared = composed, int(n), autoreset, shared
        self.mask_format: MaskFormat = masks
        self.observes = observers != "none"
        wanted = (default_threads() if n >= SERIAL_BELOW else 1) if threads is None else int(threads)
        wanted = min(wanted, n, MOST_THREADS)
        self.memory = Memory(
            composed, n, wanted, autoreset, shared=shared, observed=self.observes, masks=masks
        )
        self.runner = Runner(self.memory, wanted, always=threads is not None)
        self._requested_actions = (
            self.memory.requested_actions[:, 0] if composed.agents == 1 else self.memory.requested_actions
        )
        self._seeded, self._used, self._unchecked = False, threading.Lock(), 0
        self.masks_are_old = False
        self._parameters: dict[bytes, dict[str, Any]] = {}  # by the rows of numbers that they result in

    @property
    def threads(self) -> int:
        """The number of threads that step the batch."""
        return self.runner.pool.threads

    @property
    def failed(self) -> list[int]:
        """The worlds in which a rule raised when the batch was last stepped, reset or observed."""
        return sorted(self.runner.failures)

    # reset, step and observe

    def reset(
        self,
        seed: Seeds = None,
        mask: npt.NDArray[np.bool_] | None = None,
        *,
        state: State | Sequence[State] | None = None,
        parameters: Mapping[str, Any] | None = None,
    ) -> Arrays:
        """Begin new episodes and return the observations.

        Args:
            seed: one for all (world i gets seed + i), or one for each; None continues with the next episode of each
                world's own sequence (and seeds worlds without a seed from the operating system).
            mask: bool[n]: the worlds to reset; all by default.
            state: initial states, instead of those of the reset rule: one state for all, or one for each of the n
                worlds. Grid, agents, fields and the turn are the state's; the clock begins at 0, and random numbers are
                those of the new episodes.
            parameters: parameters of these worlds from these episodes on, see `set_parameters`.

        Raises:
            ValueError: wrong number of seeds or states, a negative seed, a mask of another shape, a state of another
                kind of world, or parameters as in `set_parameters`; nothing is changed.
            TypeError: a seed is not an integer, `state` is not a state, or parameters as in `set_parameters`; likewise.
            StaleProgramError: compiled rules read a global, a list, an attribute or the like that has changed since
                compilation; likewise.
            BaseException: raised by the reset rule; that world is unchanged, the others are reset.
        """
        worlds = np.arange(self.n) if mask is None else np.flatnonzero(checked_mask(mask, self.n))
        keys, episodes = self._next_episodes(seed, worlds)
        states = None if state is None else [self._fitting(one) for one in state_for_each(state, self.n)]
        if parameters is not None:
            self.set_parameters(parameters, worlds)
        observations = self.begin(worlds, keys, episodes, states)
        return observations if states is None else self.observe()

    def set_parameters(self, parameters: Mapping[str, Any], worlds: Indices = slice(None)) -> None:
        """Set parameters of individual worlds from their next episodes on, for example for a curriculum.

        All numbers that compiled rules read at run time can be set: `time_limit`, and numeric parameters of the world's
        rules that are given in its description or to `World`. A batch of several worlds then uses another program, a
        few percent slower, which is compiled once.

        Args:
            parameters: values by name, as for `World`.
            worlds: int[m] or bool[n]: the worlds; all by default.

        Raises:
            ValueError: an unknown parameter, an invalid value, or one that is the same for all worlds of a batch;
                nothing is changed.
            TypeError: parameters are not a mapping, or a value has an invalid type; likewise.
            IndexError: there are no such worlds; likewise.
        """
        columns, params = new_params(self.composed, parameters)
        with free(self._used):
            memory = self.memory
            try:
                chosen = np.atleast_1d(np.arange(self.n)[worlds])
            except IndexError:
                raise IndexError(f"worlds are numbered from 0 to {self.n - 1}; got {worlds!r}") from None
            self.runner.pool.rest()
            if not memory.per_world_params:
                self.use_params(*(np.tile(memory.params, (self.n, 1)) for _ in range(2)))
            before = {row.tobytes() for row in memory.next_params[chosen]}
            memory.next_params[chosen[:, None], columns] = params
            for row in before:
                after = np.frombuffer(row, np.int64).copy()
                after[columns] = params
                kept = without(self.composed, self._parameters.get(row, {}), parameters)
                self._parameters[after.tobytes()] = {**kept, **parameters}
            if len(self._parameters) > 4 * self.n:  # keep those of episodes that go on or come next
                used = {row.tobytes() for row in (*memory.params, *memory.next_params)}
                self._parameters = {row: given for row, given in self._parameters.items() if row in used}

    def parameters(self, i: int = 0) -> dict[str, Any]:
        """Return the individual parameters of the current episode of world `i`, as given to `set_parameters`."""
        return dict(self._parameters.get(self.memory.params[i].tobytes(), {})) if self._parameters else {}

    def begin(
        self,
        worlds: npt.ArrayLike,
        keys: npt.ArrayLike,
        episodes: npt.ArrayLike,
        states: Sequence[State] | None = None,
    ) -> Arrays:
        """Begin given episodes in some worlds and return the observations of all worlds.

        Args:
            worlds: int[m]: the worlds.
            keys: int64[m]: the keys of their seeds (see `keys`).
            episodes: int[m]: the indices of the episodes, counted from 0.
            states: the initial state of each of the n worlds, instead of those of the reset rule, which are observed.

        Raises:
            StaleProgramError: see `reset`; nothing is changed.
            BaseException: raised by the reset rule; that world is unchanged, the others are reset.
        """
        with free(self._used):
            self.runner.composed.check()
            worlds, columns = np.asarray(worlds, np.int64), np.array([KEY, EPISODE])
            before = self.memory.data[worlds[:, None], columns]
            self.memory.data[worlds, KEY], self.memory.data[worlds, EPISODE] = keys, np.asarray(episodes) - 1
            self.memory.selected[:] = 0
            self.memory.selected[worlds] = 1
            try:
                self._run(Mode.RESET)
            finally:
                begun = self.memory.data[worlds, EPISODE] == episodes
                self.memory.data[worlds[~begun, None], columns] = before[~begun]
                self._begin_in(worlds[begun], states)
                self._note_begun()
            return dict(self.memory.outputs.observations)

    def _begin_in(self, worlds: npt.NDArray[np.int64], states: Sequence[State] | None) -> None:
        if states is None:
            return
        for i in worlds.tolist():
            own = self.memory.data[i, FIRST_IN].copy()
            self._put(i, states[i])
            self.memory.data[i, FIRST_IN] = own

    def step(self, actions: npt.ArrayLike, *, into: OutputTarget | None = None) -> StepResult:
        """Step every world by one tick.

        Args:
            actions: int [n] or [n, agents]: indices into the world's list of actions.
            into: arrays of the caller that observations and rewards are written to, and that are returned.

        Raises:
            ValueError: wrong shape, an action out of range, or arrays of the wrong form; no world is stepped.
            TypeError: actions are not integers.
            RuntimeError: the batch was never reset; no world is stepped.
            StaleProgramError: see `reset`; checked in every 64th step, since worlds may begin episodes automatically;
                no world is stepped.
            BaseException: raised by a rule, with world, tick, rule and line; the other worlds are stepped.
        """
        if not self._seeded:
            raise RuntimeError("reset the batch before stepping it")
        with free(self._used):
            self._take_actions(actions)
            if self.runner.composed.watched is not None:
                self._check_at_times()
            written = self._run(Mode.VALIDATE_AND_STEP, into)
            finals = None if written.finals is None else dict(written.finals)
            return _result(
                (
                    dict(written.observations), written.rewards, written.terminated, written.truncated,
                    written.ticks, written.results, finals, written.masks, written.outcomes,
                )
            )  # fmt: skip

    def sample_actions(self, rng: np.random.Generator) -> npt.NDArray[np.int64]:
        """Draw actions for the next step, of each agent any of its legal ones with equal probability.

        Returns:
            int64[n] or int64[n, agents]: as `step` takes them.
        """
        table, masks = self.composed.action_table, self.masks
        choices = [np.flatnonzero(row >= 0) for row in table]
        chosen = np.stack([own[rng.integers(len(own), size=self.n)] for own in choices], axis=1)
        if masks is not None:
            if self.mask_format == "bits":
                masks = np.unpackbits(masks, axis=-1, count=table.shape[1], bitorder="little")
            rows = masks.reshape(self.n, self.composed.masked_agents, -1)
            legal = np.where(rows, rng.random(rows.shape), -1.0).argmax(axis=2)
            who = self.turns[:, None] if rows.shape[1] < len(table) else np.arange(len(table))
            where = np.arange(self.n)[:, None], who
            chosen[where] = np.where(rows.any(axis=2), legal, chosen[where])  # who does not act has none
        return chosen[:, 0] if len(table) == 1 else chosen

    def observe(self) -> Arrays:
        """Return the observations of the current states without changing them."""
        with free(self._used):
            return dict(self._run(Mode.OBSERVE).observations)

    def _run(self, mode: Mode, into: OutputTarget | None = None) -> Outputs:
        """Run the kernel into output arrays that nobody references."""
        self.memory.fresh_outputs(into)
        self.masks_are_old, were_old = False, self.masks_are_old
        try:
            self.runner.run(mode)
        except BaseException:
            self.masks_are_old = were_old
            raise
        return self.memory.outputs

    # access to states

    def state(self, i: int) -> State:
        """Return a copy of the state of world `i`.

        Raises:
            TypeError, IndexError: there is no such world.
        """
        return self.memory.view(i).copy()

    def set_state(self, i: int, state: State) -> None:
        """Replace the state of world `i`.

        Raises:
            ValueError: a state of another kind of world; nothing is changed.
            TypeError, IndexError: it is not a state, or there is no such world.
            StaleProgramError: see `reset`; nothing is changed.
        """
        self.runner.composed.check()
        self.memory.check_number(i)
        self._put(i, self._fitting(state))
        self._note_begun()

    @property
    def ended(self) -> npt.NDArray[np.bool_]:
        """bool[n]: whether each world's episode is over."""
        over: npt.NDArray[np.bool_] = self.memory.data[:, ENDED] != RUNNING
        return over

    @property
    def masks(self) -> npt.NDArray[Any] | None:
        """Which actions are legal now, as in `StepResult`; after edits of views, those before them.

        Raises:
            BaseException: raised by a legal rule, where states were replaced.
        """
        if self.masks_are_old:
            self.renew_masks()
        return self.memory.masks

    def renew_masks(self) -> None:
        """Write the masks of legal actions again, which replaced states have made old."""
        with free(self._used):
            self._run(Mode.MASKS)

    @property
    def acting(self) -> npt.NDArray[np.bool_]:
        """bool[n, agents]: the agents that act in the next step of each world."""
        return acting_agents(self.composed.spec.turn_order, self.memory.data, self.memory.agent_rows)

    @property
    def turns(self) -> npt.NDArray[np.int64]:
        """int64[n]: the agent whose turn it is in each world, where agents act one after another."""
        first, rows = self.memory.data[:, TURN], self.memory.agent_rows
        after = (first[:, None] + np.arange(rows.shape[1])) % rows.shape[1]
        active = np.take_along_axis(rows[:, :, ACTIVE], after, 1) != 0
        found: npt.NDArray[np.int64] = after[np.arange(self.n), active.argmax(1)]
        return found

    @property
    def ticks(self) -> npt.NDArray[np.int64]:
        """int64[n]: the number of steps of each episode."""
        return self.memory.data[:, TICK].copy()

    @property
    def episodes(self) -> npt.NDArray[np.int64]:
        """int64[n]: the index of each world's episode since it was seeded, from 0; -1 before the first."""
        return self.memory.data[:, EPISODE].copy()

    @property
    def keys(self) -> npt.NDArray[np.int64]:
        """int64[n]: the random keys derived from the worlds' seeds.

        With an episode's index they determine its randomness.
        """
        return self.memory.data[:, KEY].copy()

    def snapshot(self) -> Snapshot:
        """Copy everything that the future depends on, except parameters of individual worlds."""
        return Snapshot(*(a.copy() for a in self.memory.arrays()), vocabulary=self.composed.vocabulary)

    def restore(self, snapshot: Snapshot, worlds: Indices = slice(None)) -> None:
        """Restore a snapshot.

        Args:
            snapshot: a snapshot of the same number of worlds.
            worlds: int[m]: the worlds it is restored to; all by default.

        Raises:
            ValueError: a snapshot of another size or kind of world; nothing is changed.
            TypeError, IndexError: it is not a snapshot, or there are no such worlds.
            StaleProgramError: see `reset`; nothing is changed.
        """
        self.runner.composed.check()
        if not isinstance(snapshot, Snapshot):
            raise TypeError(f"restore() takes the result of snapshot(), not {snapshot!r}")
        pairs = tuple(zip(self.memory.arrays(), snapshot.arrays(), strict=True))
        try:
            fits = all(mine[worlds].shape == kept.shape for mine, kept in pairs)
        except IndexError:
            raise IndexError(f"worlds are numbered from 0 to {self.n - 1}; got {worlds!r}") from None
        if not fits:
            raise ValueError("the snapshot is of a batch of another size or kind")
        self._check_meaning(snapshot.vocabulary)
        _assign(pairs, worlds)
        self.masks_are_old = self.memory.masks is not None
        self._note_begun()

    def close(self) -> None:
        """Stop the batch's threads; it can still be stepped, by a single thread."""
        self.runner.pool.dismiss()

    def __reduce__(self) -> Any:
        observers = None if self.observes else "none"
        options = (self.n, self.autoreset, self.threads, self.shared, self.mask_format, observers)
        params = None
        if self.memory.per_world_params:
            params = self.memory.params.copy(), self.memory.next_params.copy()
        begun = (self.memory.data[:, EPISODE] >= 0).any()
        now = (self.snapshot(), self.memory.outputs.of_ticks()) if begun else None
        return _restored, (self.composed, *options, params, dict(self._parameters), now)

    # inside

    def _fitting(self, state: Any) -> State:
        """Check that something is a state of this kind of world.

        Raises:
            TypeError, ValueError: it is not.
        """
        check_is_state(state)
        self._check_meaning(state.vocabulary)
        for mine, given in zip(self.memory.arrays(), _arrays_of(state), strict=True):
            if mine.shape[1:] != given.shape:
                raise ValueError(f"the state's shape {given.shape} is not the world's {mine.shape[1:]}")
        fitting: State = state
        return fitting

    def _check_meaning(self, given: Vocabulary | None) -> None:
        own = self.composed.vocabulary
        if given is not None and given is not own and given != own:
            raise ValueError(f"the state's objects, colors and fields are not those of {self.composed.name}")

    def _put(self, i: int, state: State) -> None:
        _assign(tuple(zip(self.memory.arrays(), _arrays_of(state), strict=True)), i)
        self.masks_are_old = self.memory.masks is not None

    def _take_actions(self, actions: npt.ArrayLike) -> None:
        given, wanted = np.asarray(actions), self._requested_actions
        if given.dtype.kind not in "iu":
            raise TypeError(f"actions must be whole numbers, got an array of {given.dtype}")
        if given.shape != wanted.shape:
            if given.shape != self.memory.requested_actions.shape:
                raise ValueError(f"actions must have shape {wanted.shape}, got {given.shape}")
            given = given[:, 0]
        wanted[...] = given

    def _check_at_times(self) -> None:
        """Check for changed globals in every 64th call."""
        self._unchecked = (self._unchecked + 1) % CHECKED_EVERY
        if self._unchecked == 0:
            self.runner.composed.check()

    def _next_episodes(self, seed: Seeds, worlds: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], ...]:
        """Keys and indices of the episodes that a reset begins in some worlds."""
        new_keys, seeded = key_for_each(seed, self.n, worlds)
        keys, episodes = self.memory.data[worlds, KEY], self.memory.data[worlds, EPISODE] + 1
        unseeded = ~seeded & (episodes == 0)
        keys[seeded], episodes[seeded] = new_keys[seeded], 0
        keys[unseeded] = [world_key(None) for _ in range(np.count_nonzero(unseeded))]
        return keys, episodes

    def use_params(self, now: npt.NDArray[np.int64], then: npt.NDArray[np.int64]) -> None:
        """Switch to individual run-time parameters, int64[n, params]; with several worlds, another program reads them.

        Args:
            now: those of the current episodes.
            then: those of the next ones.
        """
        self.memory.use_params(now, then)
        if self.n > 1:
            self.runner.composed = self.composed.with_per_world_params

    def _note_begun(self) -> None:
        self._seeded = bool((self.memory.data[:, EPISODE] >= 0).all())


def _assign(pairs: tuple[tuple[npt.NDArray[Any], npt.NDArray[Any]], ...], worlds: Any) -> None:
    """Assign the arrays of states to those of worlds: all of them, also where Ctrl-C comes in between."""
    try:
        for mine, given in pairs:
            mine[worlds] = given
    except BaseException:
        for mine, given in pairs:
            mine[worlds] = given
        raise


def _arrays_of(state: State) -> tuple[npt.NDArray[Any], ...]:
    return state.cells, state.layers, state.data, state.agent_rows


def _restored(
    composed: ComposedWorld,
    n: int,
    autoreset: Autoreset,
    threads: int,
    shared: bool,
    masks: MaskFormat,
    observers: Observers | None,
    params: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]] | None,
    parameters: dict[bytes, dict[str, Any]],
    now: tuple[Snapshot, Arrays] | None,
) -> Batch:
    batch = Batch(
        composed, n, autoreset=autoreset, threads=threads, shared=shared, masks=masks, observers=observers
    )
    if params is not None:
        batch.use_params(*params)
        batch._parameters = parameters
    if now is not None:
        snapshot, written = now
        batch.restore(snapshot)
        for name, array in batch.memory.outputs.of_ticks().items():
            array[...] = written[name]
    return batch
