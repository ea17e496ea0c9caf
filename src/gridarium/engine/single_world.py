"""A single world with minimal overhead around the compiled step, for Python loops."""

from __future__ import annotations

import copy
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, SupportsIndex, TypeAlias

import numpy as np
import numpy.typing as npt

from gridarium.engine.batch import Batch
from gridarium.engine.composed_world import ComposedWorld
from gridarium.engine.kernel_args import Autoreset, Mode
from gridarium.engine.threads.memory import Snapshot
from gridarium.engine.threads.outputs import Arrays
from gridarium.world.agent import ACTIVE, RESULT
from gridarium.world.state import ENDED, TICK, TURN, State

SingleStep: TypeAlias = tuple[Arrays, float, bool, bool]
AgentsStep: TypeAlias = tuple[Arrays, npt.NDArray[np.float64], npt.NDArray[np.bool_], npt.NDArray[np.bool_]]
"""Observation, rewards, terminated, truncated: of one agent, or of several."""


ACT = int(Mode.ACT)
MAX_CACHED_MASKS = 4096
"""The maximum number of cached sets of legal actions."""


class SingleWorld:
    """A single world with its own memory; all agents are observed.

    Args:
        composed: the composed world.
        shared: return the same arrays at every step instead of new ones.

    Attributes:
        batch: the batch of one world that holds its memory, to read from.
    """

    def __init__(self, composed: ComposedWorld, *, shared: bool = False) -> None:
        self.composed, self.shared = composed.observing_all, shared
        self.batch = Batch(self.composed, 1, autoreset=Autoreset.DISABLED, threads=1, shared=True)
        self._started, self._most = False, 0

    def reset(
        self,
        seed: int | None = None,
        *,
        state: State | None = None,
        parameters: Mapping[str, Any] | None = None,
    ) -> Arrays:
        """Begin the episode of a seed, or the next one; arguments and errors as for `Batch.reset`."""
        if seed is None and state is None and parameters is None and self._started:
            self.composed.check()
            self._selected[0] = 1
            self._run(Mode.RESET)
        else:
            arrays = self.batch.reset(seed, state=state, parameters=parameters)
            if not self._started:
                self._bind(arrays)
        return self._observation()

    def _bind(self, arrays: Arrays) -> None:
        """Cache what every step needs."""
        memory = self.batch.memory
        self._buffers: Arrays = {name: array[0] for name, array in arrays.items()}
        self._copies = [(name, buffer.copy) for name, buffer in self._buffers.items()]
        self._actions, self._data = memory.actions[0], memory.data[0]
        written = memory.outputs
        self._rewards, self._terminated = written.rewards.reshape(-1), written.terminated.reshape(-1)
        self._truncated, self._ticks, self._results = (
            written.truncated.reshape(-1),
            written.ticks,
            written.results.reshape(-1),
        )
        self._masks, self._outcomes = written.masks, written.outcomes
        self._table = [[n >= 0 for n in row] for row in self.composed.action_table.tolist()]
        self._most = len(self._table[0]) if self.composed.in_turn and self._masks is not None else 0
        self._selected = memory.selected.data
        mask: Any = None if self._masks is None else self._masks.reshape(-1)
        self._mask = None if mask is None else memoryview(mask)
        self._legal = _LegalSets()
        self._kernel = self._found_kernel()
        self._started = True

    def step(self, action: SupportsIndex) -> SingleStep:
        """Step by one tick; return observation, reward, terminated, truncated. For worlds with one agent.

        Raises:
            ValueError: an action out of range.
            TypeError: the action is not an integer.
            RuntimeError: the episode is over, or has not begun.
            BaseException: raised by a rule; the world is unchanged.
        """
        index = action if type(action) is int else as_index(action)
        if not self._started or self._data.item(ENDED):
            self._refuse()
        allowed = self._table[0]
        if not 0 <= index < len(allowed) or not allowed[index]:
            raise ValueError(
                f"action {index} is not among this world's {len(allowed)} actions, 0 to {len(allowed) - 1}"
            )
        self._actions[0] = index
        try:
            self._kernel(0, 1, 0)
        except Exception as error:  # run again interpreted, which raises the rule's exception
            self.fail(error, Mode.STEP)
        return (
            self._observation(),
            self._rewards.item(0),
            self._terminated.item(0) != 0,
            self._truncated.item(0) != 0,
        )

    def step_all(self, actions: Sequence[SupportsIndex] | npt.NDArray[np.integer[Any]]) -> AgentsStep:
        """Step several agents, one action for each: rewards float64[agents], terminated, truncated bool[agents]."""
        indices = [as_index(a) for a in actions]
        if not self._started or self._data.item(ENDED):
            self._refuse()
        if len(indices) != len(self._table):
            raise ValueError(
                f"one action for each agent is needed, {len(self._table)} in all; got {len(indices)}"
            )
        for agent, (index, allowed) in enumerate(zip(indices, self._table, strict=True)):
            if not 0 <= index < len(allowed) or not allowed[index]:
                raise ValueError(f"action {index} is not among agent {agent}'s actions")
        self._actions[:] = indices
        self._run(Mode.STEP)
        terminated, truncated = self._terminated.copy(), self._truncated.copy()
        return self._observation(), self._rewards.copy(), terminated, truncated

    def act(self, action: int) -> bool:
        """Let the agent act whose turn it is, in worlds with `turn_order: cycle` and legal rules; returns whether the episode is over.

        With `legal`, the fastest way to play a game move by move: the observation is not updated, see `observe`. After the
        end of an episode nothing happens.

        Args:
            action: the index of an action; what an illegal one does is up to the world.

        Raises:
            ValueError: an action out of range.
            TypeError: the action is not an integer.
            RuntimeError: the episode has not begun, or agents do not act one after another.
            BaseException: raised by a rule; the world is unchanged.
        """
        if type(action) is not int:
            action = as_index(action)
        if not 0 <= action < self._most:
            self._refuse_to_act(action)
        try:
            return self._kernel(action, 1, ACT) != 0
        except Exception as error:
            self.fail(error, Mode.STEP_UNOBSERVED)
        return self.ended

    def _refuse_to_act(self, action: int) -> None:
        if not self._started:
            raise RuntimeError("reset the world before stepping it")
        if self._most == 0:
            raise RuntimeError(
                f"agents of {self.composed.name} do not act one after another by legal rules; use step_all"
            )
        raise ValueError(f"action {action} is not among this world's {self._most} actions")

    @property
    def legal(self) -> tuple[int, ...]:
        """The indices of the legal actions of the agent whose turn it is."""
        if self._mask is None:
            return tuple(i for i, has in enumerate(self._table[self.turn]) if has)
        if self.batch.masks_are_old:
            self.batch.renew_masks()
        return self._legal[self._mask.tobytes()]

    def advance(self, actions: Sequence[int]) -> None:
        """Step by one tick and return nothing: for those who read `view`, `results` and `rewards` themselves.

        Args:
            actions: an index for each agent.

        Raises: as `step_all`.
        """
        if not self._started or self._data.item(ENDED):
            self._refuse()
        for agent, (index, allowed) in enumerate(zip(actions, self._table, strict=True)):
            if not 0 <= index < len(allowed) or not allowed[index]:
                raise ValueError(f"action {index} is not among agent {agent}'s actions")
        self._actions[:] = actions
        self._run(Mode.STEP)

    def _refuse(self) -> None:
        if not self._started:
            raise RuntimeError("reset the world before stepping it")
        raise RuntimeError("the episode is over: reset the world before stepping it again")

    def _run(self, mode: Mode) -> None:
        try:
            self._kernel(0, 1, mode._value_)
        except Exception as error:
            self.fail(error, mode)

    def _found_kernel(self) -> Callable[[int, int, int], int]:
        entry = self.composed.prepare()
        return self._run_by_runner if entry is None else entry.with_frame(self.batch.memory.frame_address)

    def _run_by_runner(self, first: int, last: int, mode: int) -> int:
        """What stands for the compiled program where there is none, or none yet: the runner of the batch, which looks for it again."""
        if mode == ACT:
            self._actions[self.turn], mode = first, Mode.STEP_UNOBSERVED
        self.batch.runner.run(Mode(mode))
        self._kernel = self._found_kernel()
        return self._data.item(ENDED)

    def fail(self, error: Exception, mode: Mode) -> None:
        """Handle an exception of a step or reset: after a compiled one, restore the world and raise the exception of the rule itself."""
        if self._kernel == self._run_by_runner:
            raise error
        try:
            self.batch.runner.failed_single_call(mode, error)
        except BaseException as real:
            raise real from real.__cause__  # not from the compiled code's

    def _observation(self) -> Arrays:
        if self.shared:
            return dict(self._buffers)
        return {name: copy() for name, copy in self._copies}

    def observe(self) -> Arrays:
        """Return the observation of the current state without changing it."""
        self._run(Mode.OBSERVE)
        return self._observation()

    def look(self) -> tuple[State, Arrays]:
        """The current state and its observation, without copying: valid until the next step.

        Raises:
            RuntimeError: before the first reset.
        """
        view = self.view
        self._run(Mode.OBSERVE)
        return view, self._buffers

    def info(self) -> dict[str, int]:
        """The info of a step: `tick`, the number of ticks, and `result`, the result code of the (first) agent."""
        return {"tick": self._ticks.item(0), "result": self._results.item(0)}

    @property
    def outcomes(self) -> npt.NDArray[np.float64]:
        """float64[agents]: what came of the episode that ended in the last step; NaN otherwise, and without an outcome rule."""
        if not self._started or self._outcomes is None:
            return np.full(self.composed.agents, np.nan)
        return self._outcomes.reshape(-1).copy()

    @property
    def action_masks(self) -> npt.NDArray[np.int8]:
        """int8[agents, actions]: which actions are legal; 1 for all that an agent has while it is not its turn."""
        masks = (self.composed.action_table >= 0).astype(np.int8)
        if self._masks is not None:
            if self.batch.masks_are_old:
                self.batch.renew_masks()
            rows = self._masks.reshape(-1, masks.shape[1])
            masks[self.acting] = rows if len(rows) < len(masks) else rows[self.acting]
        return masks

    @property
    def started(self) -> bool:
        """Whether an episode has begun."""
        return self._started

    @property
    def tick(self) -> int:
        """The number of steps of the episode."""
        return self._data.item(TICK) if self._started else 0

    @property
    def result(self) -> int:
        """The result code of the (first) agent's last action."""
        return self.batch.memory.agent_rows.item(RESULT)

    @property
    def results(self) -> npt.NDArray[np.int64]:
        """int64[agents]: the result codes of the last actions."""
        return self._results.copy()

    @property
    def rewards(self) -> npt.NDArray[np.float64]:
        """float64[agents]: the rewards of the last step."""
        return self._rewards.copy()

    @property
    def ended(self) -> bool:
        """Whether the episode is over."""
        return self._started and bool(self._data.item(ENDED))

    @property
    def view(self) -> State:
        """The current state, not copied: it changes with each step, and may be edited between steps.

        Raises:
            RuntimeError: before the first reset.
        """
        if not self._started:
            raise RuntimeError("there is no state before the first reset")
        return self.batch.memory.view(0)

    @property
    def turn(self) -> int:
        """The index of the agent whose turn it is, where agents act one after another."""
        active, first = self.batch.memory.agent_rows[0, :, ACTIVE], int(self._data[TURN])
        return next(
            (a % len(active) for a in range(first, first + len(active)) if active[a % len(active)]), first
        )

    @property
    def acting(self) -> list[int]:
        """The agents that act in the next step."""
        found: list[int] = np.flatnonzero(self.batch.acting[0]).tolist()
        return found

    @property
    def state(self) -> State:
        """A copy of the current state.

        Raises:
            RuntimeError: before the first reset.
        """
        if not self._started:
            raise RuntimeError("there is no state before the first reset")
        return self.batch.state(0)

    @state.setter
    def state(self, new: State) -> None:
        if not self._started:
            self.reset(0)
        self.batch.set_state(0, new)

    def snapshot(self) -> Snapshot:
        """Copy everything that the future depends on."""
        return self.batch.snapshot()

    def restore(self, snapshot: Snapshot) -> None:
        """Restore a snapshot."""
        if not self._started:
            self.reset(0)
        self.batch.restore(snapshot)

    def __reduce__(self) -> Any:
        return _restored, (self.composed, self.shared, self.batch, self._started)

    def __copy__(self) -> SingleWorld:
        return _restored(self.composed, self.shared, copy.copy(self.batch), self._started)


class _LegalSets(dict[bytes, tuple[int, ...]]):
    """The indices of legal actions, by mask."""

    def __missing__(self, mask: bytes) -> tuple[int, ...]:
        found = tuple(i for i, is_legal in enumerate(mask) if is_legal)
        if len(self) < MAX_CACHED_MASKS:
            self[mask] = found
        return found


def as_index(action: Any) -> int:
    """Convert an action to an index.

    Raises:
        TypeError: it is not an integer.
    """
    try:
        return operator.index(action)
    except TypeError:
        raise TypeError(
            f"an action must be a whole number, an index into the world's actions, not {action!r}"
        ) from None


def _restored(composed: ComposedWorld, shared: bool, batch: Batch, started: bool) -> SingleWorld:
    single = SingleWorld(composed, shared=shared)
    single.batch = batch
    if started:
        single._bind(dict(batch.memory.outputs.observations))
    return single
