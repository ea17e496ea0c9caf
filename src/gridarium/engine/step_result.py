"""The result of a step of a batch."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gridarium.engine.threads.outputs import Arrays


class StepResult(NamedTuple):
    """The result of a step of a batch: `n` worlds, `a` agents (no agent axis in worlds with one agent).

    Attributes:
        observations: name -> array[n, a, ...]; array[n, ...], of the agent that acts next, with `observers: acting`; empty
            in a batch that observes nothing.
        rewards: float64[n, a].
        terminated: bool[n, a]: the agents whose episode was ended by terminating rules, in this step or earlier.
        truncated: bool[n, a]: the agents whose episode was ended by the time limit only.
        ticks: int64[n]: the index of the tick, counted from 1; 0 without a tick, because the step only began an
            episode, or the world waits after the end of one (autoreset disabled; `terminated` and `truncated` keep
            their values).
        results: int64[n, a]: the result codes of the actions (see `gridarium.rules.results`).
        masks: which actions are legal next, bool[n, actions] of the agent whose turn it is where agents act one after
            another, else bool[n, a, actions]; as bits, uint8 with a last axis of ceil(actions / 8) (see `Batch`). None in
            worlds without legal rules. All of them after the end of an episode, where the next step takes none.
        final_observations: as observations, meaningful where an episode ended (same-step autoreset only). With
            `observers: acting`, of the agent that would have acted next.
        outcomes: float64[n, a]: what came of the episode, where it ended in this step; NaN elsewhere. None in worlds
            without an outcome rule, whose outcomes are the returns.
    """

    observations: Arrays
    rewards: npt.NDArray[np.float64]
    terminated: npt.NDArray[np.bool_]
    truncated: npt.NDArray[np.bool_]
    ticks: npt.NDArray[np.int64]
    results: npt.NDArray[np.int64]
    final_observations: Arrays | None = None
    masks: npt.NDArray[Any] | None = None
    outcomes: npt.NDArray[np.float64] | None = None

    @property
    def ended(self) -> npt.NDArray[np.bool_]:
        """bool[n]: whether the episode is over for all agents."""
        over = np.logical_or(self.terminated, self.truncated).reshape(len(self.ticks), -1)
        return np.logical_and.reduce(over, axis=1)
