"""Records the resets and steps of a world or a batch."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.engine.arguments import check_count
from gridarium.engine.batch import Batch
from gridarium.engine.kernel_args import Autoreset
from gridarium.engine.runs.run import Run, program_of
from gridarium.engine.runs.start import Start, check_one_description, hashes
from gridarium.engine.single_world import SingleWorld
from gridarium.engine.threads.memory import Snapshot
from gridarium.engine.threads.outputs import Arrays
from gridarium.engine.world import World
from gridarium.version import __version__
from gridarium.world.state import TICK, State

FIRST_ROOM = 256
"""The initial capacity in steps; it doubles when exhausted."""


class Recorder:
    """Resets and steps a batch, or one world, and records all that a replay needs.

    After its creation, every change of the worlds must go through the recorder. Worlds in the middle of an episode are
    recorded from there on. A step in which a rule raises is not recorded; if other worlds were stepped nevertheless,
    the recording continues from their new states.

    Args:
        given: a `Batch`, a `SingleWorld`, or a `World` (which is then stepped as a `SingleWorld`).
        every: the interval in steps at which all states are hashed, besides the first and the last ones.

    Attributes:
        driven: the recorded `Batch` or `SingleWorld`.
    """

    def __init__(self, given: Batch | SingleWorld | World, *, every: int = 100) -> None:
        check_count("how often states are hashed", every)
        if not isinstance(given, Batch | SingleWorld | World):
            raise TypeError(f"a Recorder takes a World, a Batch or a SingleWorld, not {given!r}")
        self.driven: Batch | SingleWorld = SingleWorld(given.composed) if isinstance(given, World) else given
        self._batch = self.driven if isinstance(self.driven, Batch) else self.driven._batch
        self._every, self._steps = every, 0
        worlds, agents = self._batch.n, self._batch.composed.agents
        actions = self._batch.composed.action_table.shape[1]
        self._actions = np.zeros((FIRST_ROOM, worlds, agents), np.uint8 if actions <= 256 else np.uint16)
        self._sums = np.zeros((worlds, agents))
        self._starts: list[Start] = []
        self._begun: list[npt.NDArray[np.int64]] = []
        self._checks: list[tuple[int, npt.NDArray[np.uint64], npt.NDArray[np.float64]]] = []
        self._start_from_states()

    @property
    def steps(self) -> int:
        """The number of recorded steps."""
        return self._steps

    def reset(self, seed: Any = None, mask: npt.NDArray[np.bool_] | None = None) -> Arrays:
        """Reset as the batch or the single world does (which takes no mask)."""
        chosen = np.ones(self._batch.n, np.bool_) if mask is None else np.array(mask)
        failed: list[int] = []
        try:
            return self.driven.reset(seed) if mask is None else self._batch.reset(seed, mask)
        except BaseException as error:
            failed = self._batch.failed or list(range(self._batch.n))
            self._look_again(error)
            raise
        finally:
            chosen[failed] = False
            if chosen.any():
                self._start(Start.of(self._batch, self._steps, np.flatnonzero(chosen)))

    def step(self, actions: Any) -> Any:
        """Step as the batch or the single world does (`step_all` for several agents)."""
        if self._steps % self._every == 0:
            self._check_unless_checked()
        batch, driven = self._batch, self.driven
        try:
            if isinstance(driven, SingleWorld) and batch.composed.agents > 1:
                result: Any = driven.step_all(actions)
            else:
                result = driven.step(actions)
        except BaseException as error:
            if 0 < len(batch.failed) < batch.n:
                self._start_from_states()
            self._look_again(error)
            raise
        if self._steps == len(self._actions):
            self._actions = np.concatenate([self._actions, np.zeros_like(self._actions)])
        self._actions[self._steps] = batch.memory.actions
        self._sums += batch.memory.outputs.rewards.reshape(self._sums.shape)
        self._steps += 1
        if batch.autoreset is not Autoreset.DISABLED:
            begun = np.flatnonzero(batch.memory.data[:, TICK] == 0)
            if begun.size:
                self._begun.append(np.stack([np.full_like(begun, self._steps), begun], axis=1))
        return result

    def set_state(self, i: int, state: State) -> None:
        """Replace the state of world `i`."""
        self._batch.set_state(i, state)
        self._start(Start.of(self._batch, self._steps, np.array([i % self._batch.n]), states=True))

    def restore(self, snapshot: Snapshot) -> None:
        """Restore a snapshot."""
        self.driven.restore(snapshot)
        self._start_from_states()

    def run(self) -> Run:
        """Return the run recorded so far; recording can continue.

        Raises:
            ValueError: worlds have individual parameters, but a run has one description.
        """
        check_one_description(self._batch)
        checks = [*self._checks]
        if not checks or checks[-1][0] != self._steps:
            checks.append(self._check())
        worlds, agents = self._batch.n, self._batch.composed.agents
        steps, hashed, sums = zip(*checks, strict=True)
        return Run(
            description=self._batch.composed.spec.description.to_dict(),
            autoreset=self._batch.autoreset,
            starts=tuple(self._starts),
            actions=self._actions[: self._steps].copy(),
            begun=np.concatenate([np.zeros((0, 2), np.int64), *self._begun]),
            checked=np.array(steps, np.int64),
            hashes=np.array(hashed, np.uint64).reshape(-1, worlds),
            rewards=np.array(sums, np.float64).reshape(-1, worlds, agents),
            library=__version__,
            program=program_of(self._batch.composed),
            spec=self._batch.composed.spec,
        )

    def _check(self) -> tuple[int, npt.NDArray[np.uint64], npt.NDArray[np.float64]]:
        return self._steps, hashes(self._batch.memory.arrays()), self._sums.copy()

    def _check_unless_checked(self) -> None:
        if not (self._checks and self._checks[-1][0] == self._steps):
            self._checks.append(self._check())

    def _start(self, start: Start) -> None:
        """Record how worlds begin, and drop a pending check of their previous states."""
        if self._checks and self._checks[-1][0] == self._steps:
            self._checks.pop()
        self._starts.append(start)

    def _look_again(self, error: BaseException) -> None:
        """Record all worlds anew from their states, since it is unknown which ones were stepped before Ctrl-C."""
        if not self._batch.failed and not isinstance(error, Exception):
            self._start_from_states()

    def _start_from_states(self) -> None:
        begun = np.flatnonzero(self._batch.episodes >= 0)
        if begun.size:
            self._start(Start.of(self._batch, self._steps, begun, states=True))
