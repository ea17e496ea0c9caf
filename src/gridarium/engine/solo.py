"""One world stepped over and over from Python: as little work around the compiled step as possible."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.engine.batch import Arrays, Batch, Snapshot
from gridarium.engine.frame import Autoreset, Mode
from gridarium.engine.machine import Machine
from gridarium.world.state import State


class Solo:
    """One world with memory of its own.

    Args:
        machine: the composed world.
        shared: return the same arrays at every step instead of fresh ones.
    """

    def __init__(self, machine: Machine, *, shared: bool = False) -> None:
        self.machine, self.shared = machine, shared
        self._batch = Batch(machine, 1, autoreset=Autoreset.DISABLED, threads=1, shared=True)
        self._started = False

    def reset(self, seed: int | None = None) -> Arrays:
        """Begin an episode: the one of the seed, or the next one."""
        arrays = self._batch.reset(seed)
        self._bind(arrays)
        self._started = True
        return self._observation()

    def _bind(self, arrays: Arrays) -> None:
        batch = self._batch
        self._names = list(arrays)
        self._buffers: list[npt.NDArray[Any]] = [array[0] for array in arrays.values()]
        self._actions, self._frame, self._place = batch._actions[0], batch._frame, batch._place
        self._reward, self._terminated = batch._rewards[0], batch._terminated[0]
        self._truncated, self._data = batch._truncated, batch._data[0]
        self._table = [[n >= 0 for n in row] for row in self.machine.action_table.tolist()]
        self._entry = self.machine.prepare()

    def step(self, action: Any) -> tuple[Arrays, float, bool, bool]:
        """One tick: observation, reward, terminated, truncated; for worlds with one agent.

        Raises:
            ValueError: an action out of range.
            TypeError: an action that is no whole number.
            RuntimeError: the episode is over, or has not begun.
            Exception: what a rule raises; the world is then as before.
        """
        index = operator.index(action) if type(action) is not int else action
        allowed = self._allowed()
        if not 0 <= index < len(allowed) or not allowed[index]:
            raise ValueError(f"action {action!r} is none of this world's {len(allowed)} actions, 0 to {len(allowed) - 1}")
        self._actions[0] = index
        self._tick()
        return self._observation(), self._reward.item(), self._terminated.item() != 0, self._truncated.item() != 0

    def step_all(self, actions: Any) -> tuple[Arrays, npt.NDArray[np.float64], npt.NDArray[np.bool_], bool]:
        """One tick of a world with several agents, one action for each: float64[agents], bool[agents]."""
        indices = [operator.index(a) for a in actions]
        if len(indices) != len(self._table if self._started else indices):
            raise ValueError(f"one action for each of {len(self._table)} agents is needed, got {len(indices)}")
        self._allowed()
        for agent, (index, allowed) in enumerate(zip(indices, self._table, strict=True)):
            if not 0 <= index < len(allowed) or not allowed[index]:
                raise ValueError(f"action {index} is none of agent {agent}'s actions")
        self._actions[:] = indices
        self._tick()
        terminated = self._terminated.astype(np.bool_)
        return self._observation(), self._reward.copy(), terminated, bool(self._truncated[0])

    def _allowed(self) -> list[bool]:
        if not self._started:
            raise RuntimeError("reset the world before stepping it")
        if self._data[5]:
            raise RuntimeError("the episode is over: reset the world before stepping it again")
        return self._table[0]

    def _tick(self) -> None:
        entry = self._entry
        if entry is None:
            self._batch._run(Mode.STEP)
            return
        try:
            entry(self._place, 0, 0, 1, 0)
        except Exception:  # noqa: BLE001  (run again through the batch, which raises what the rule raises)
            self._batch._chunk_failed(Mode.STEP)

    def _observation(self) -> Arrays:
        if self.shared:
            return dict(zip(self._names, self._buffers, strict=True))
        return {name: buffer.copy() for name, buffer in zip(self._names, self._buffers)}  # noqa: B905  (hot)

    def observe(self) -> Arrays:
        """The observation of the current state; changes nothing."""
        self._batch._run(Mode.OBSERVE)
        return self._observation()

    @property
    def tick(self) -> int:
        """How many steps the episode has taken."""
        return int(self._data[0]) if self._started else 0

    @property
    def result(self) -> int:
        """The result code of the (first) agent's last action."""
        return self._batch._bodies.item(5)

    @property
    def state(self) -> State:
        """The current state: a copy.

        Raises:
            RuntimeError: before the first reset.
        """
        if not self._started:
            raise RuntimeError("there is no state before the first reset")
        return self._batch.state(0)

    @state.setter
    def state(self, new: State) -> None:
        if not self._started:
            self.reset(0)
        self._batch.set_state(0, new)

    def snapshot(self) -> Snapshot:
        """A copy of everything that the future depends on."""
        return self._batch.snapshot()

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot."""
        if not self._started:
            self.reset(0)
        self._batch.restore(snapshot)
