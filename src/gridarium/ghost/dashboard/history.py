"""What a filter could know at best, and how well the particles do beside it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gridarium.beliefs.estimates import entropy
from gridarium.beliefs.motion import Motion
from gridarium.ghost.sensing import Floats


class ExactBelief:
    """The exact Bayes filter over the cells of a ghost world.

    Args:
        cells: how many; all are alike at first.

    Attributes:
        belief: float64[cells].
    """

    def __init__(self, cells: int) -> None:
        self.belief: Floats = np.full(cells, 1.0 / cells)

    def predict(self, action: int, motion: Motion) -> None:
        """The agent has acted."""
        self.belief = motion.predict(action, self.belief)

    def update(self, likelihood: Floats | None) -> None:
        """Something was measured: float64[cells], or None for nothing.

        What cannot be, because the world was changed, is taken to be all that is known.
        """
        if likelihood is None or not likelihood.any():
            return
        joint = self.belief * likelihood
        total = float(joint.sum())
        self.belief = joint / total if total > 0 else likelihood / likelihood.sum()


@dataclass
class History:
    """How the filters did, round by round, from the beginning of the episode on.

    Attributes:
        entropy, exact_entropy: bits, of the particles' belief and of the exact one.
        error, exact_error: cells between the most probable cell and the true one (rows and columns added up).
        truth, exact_truth: the probability of the true cell.
    """

    entropy: list[float] = field(default_factory=list)
    exact_entropy: list[float] = field(default_factory=list)
    error: list[int] = field(default_factory=list)
    exact_error: list[int] = field(default_factory=list)
    truth: list[float] = field(default_factory=list)
    exact_truth: list[float] = field(default_factory=list)

    def note(self, belief: Floats, exact: Floats, agent: Any) -> None:
        """Add a round: two beliefs float64[rows, cols], and where the agent really is."""
        for prefix, known in (("", belief), ("exact_", exact)):
            row, col = divmod(int(known.argmax()), known.shape[1])
            getattr(self, prefix + "entropy").append(entropy(known))
            getattr(self, prefix + "error").append(abs(row - agent[0]) + abs(col - agent[1]))
            getattr(self, prefix + "truth").append(float(known[tuple(agent)]))

    @property
    def right(self) -> int:
        """In how many rounds the particles' most probable cell was the true one."""
        return self.error.count(0)

    def __len__(self) -> int:
        return len(self.error)
