"""What a step of a batch returns."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gridarium.engine.outputs import Arrays


class StepResult(NamedTuple):
    """What a step of a batch returns; `n` worlds, `a` agents (the agent axis is left out in worlds with one agent).

    Attributes:
        observations: name -> array[n, a, ...].
        rewards: float64[n, a].
        terminated: bool[n, a]: whose part in the episode its rules have ended, earlier or with this step.
        truncated: bool[n, a]: whom the time limit has cut off, none of the former.
        ticks: int64[n]: the tick just made, counted from 1; 0 where none was, because the step only began an episode, or the
            world waits after the end of one (autoreset disabled; `terminated` and `truncated` stay as they were).
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

    @property
    def ended(self) -> npt.NDArray[np.bool_]:
        """bool[n]: whose episodes are over, for all agents."""
        over = np.logical_or(self.terminated, self.truncated).reshape(len(self.ticks), -1)
        return np.logical_and.reduce(over, axis=1)
