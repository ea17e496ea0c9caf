"""Collects starts, actions, rewards and hashes of states, and builds a `Run` of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.engine.composed_world import ComposedWorld
from gridarium.engine.kernel_args import Autoreset
from gridarium.engine.runs.run import Run, program_of
from gridarium.engine.runs.start import Start, hashes
from gridarium.version import __version__

FIRST_ROOM = 256
"""The initial capacity in steps; it doubles when exhausted."""

States = Sequence[npt.NDArray[Any]]
"""Cells, layers, data and agent rows of all worlds, each [worlds, ...]."""


class RunBuilder:
    """The recorded part of a run of `worlds` worlds, while it goes on.

    Args:
        composed: the composed world.
        worlds: the number of worlds.
        autoreset: when an ended world begins its next episode.
        every: the interval in steps at which states are hashed, besides the first and the last ones.

    """

    def __init__(
        self,
        composed: ComposedWorld,
        worlds: int,
        *,
        autoreset: Autoreset = Autoreset.DISABLED,
        every: int = 100,
    ) -> None:
        self._composed, self._autoreset, self._every = composed, autoreset, every
        kind = np.uint8 if composed.action_table.shape[1] <= 256 else np.uint16
        self._actions = np.zeros((FIRST_ROOM, worlds, composed.agents), kind)
        self._starts: list[Start] = []
        self._begun: list[npt.NDArray[np.int64]] = []
        self._recorded = 0, np.zeros((worlds, composed.agents)), 0
        """The number of steps, the sums of their rewards, and the length of `_begun`: set at once, in spite of Ctrl-C."""
        self._checks: list[tuple[int, npt.NDArray[np.uint64], npt.NDArray[np.float64]]] = []

    @property
    def steps(self) -> int:
        """The number of recorded steps."""
        return self._recorded[0]

    def start(self, start: Start) -> None:
        """Record how worlds begin, and drop a check of their previous states at the same step."""
        if self._is_checked:
            self._checks.pop()
        self._starts.append(start)

    def before_step(self, states: States) -> None:
        """Hash the states if the interval has passed."""
        if self.steps % self._every == 0 and not self._is_checked:
            self._checks.append(self._check(states))

    def step(
        self,
        actions: npt.NDArray[Any],
        rewards: npt.NDArray[np.float64],
        begun: npt.NDArray[np.int64] | None = None,
    ) -> None:
        """Record a step.

        Args:
            actions: int64[worlds, agents], or [agents] of one world: indices into the list of actions.
            rewards: float64 of the same size.
            begun: int64[m]: the worlds that have begun another episode with the step.
        """
        steps, sums, count = self._recorded
        if steps == len(self._actions):
            self._actions = np.concatenate([self._actions, np.zeros_like(self._actions)])
        self._actions[steps] = actions
        del self._begun[count:]
        if begun is not None and begun.size:
            self._begun.append(np.stack([np.full_like(begun, steps + 1), begun], axis=1))
        self._recorded = steps + 1, sums + rewards.reshape(sums.shape), len(self._begun)

    def run(self, states: States) -> Run:
        """Build the run that has been recorded so far, which ends with these states; recording can continue."""
        _, total, count = self._recorded
        worlds, agents = total.shape
        last = [] if self._is_checked else [self._check(states)]
        steps, hashed, sums = zip(*self._checks, *last, strict=True)
        return Run(
            description=self._composed.spec.description.to_dict(),
            autoreset=self._autoreset,
            starts=tuple(self._starts),
            actions=self._actions[: self.steps].copy(),
            begun=np.concatenate([np.zeros((0, 2), np.int64), *self._begun[:count]]),
            checked=np.array(steps, np.int64),
            hashes=np.array(hashed, np.uint64).reshape(-1, worlds),
            rewards=np.array(sums, np.float64).reshape(-1, worlds, agents),
            library=__version__,
            program=program_of(self._composed),
            spec=self._composed.spec,
        )

    @property
    def _is_checked(self) -> bool:
        """Whether there is a check after the latest step."""
        return bool(self._checks) and self._checks[-1][0] == self.steps

    def _check(self, states: States) -> tuple[int, npt.NDArray[np.uint64], npt.NDArray[np.float64]]:
        return self.steps, hashes(states), self._recorded[1]
