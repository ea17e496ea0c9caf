"""The exact filter, and how the particle filter compares with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from gridarium.beliefs.belief import entropy
from gridarium.beliefs.places.motion import Motion
from gridarium.ghost.world.likelihoods import Floats


class ExactBelief:
    """The exact Bayes filter over the cells of a ghost world.

    Args:
        cells: the number of cells; all are equally probable at first.

    Attributes:
        belief: float64[cells].
    """

    def __init__(self, cells: int) -> None:
        self.belief: Floats = np.full(cells, 1.0 / cells)

    def predict(self, action: int, motion: Motion) -> None:
        """Predict the belief after the agent's action."""
        self.belief = motion.predict(action, self.belief)

    def update(self, likelihood: Floats | None) -> None:
        """Update the belief with the likelihood of a measurement, float64[cells], or None for no measurement.

        A measurement that is impossible by the belief, because the world was edited, replaces it.
        """
        if likelihood is None or not likelihood.any():
            return
        joint = self.belief * likelihood
        total = float(joint.sum())
        self.belief = joint / total if total > 0 else likelihood / likelihood.sum()


@dataclass
class History:
    """The performance of the filters in each round of an episode, and at its beginning.

    Attributes:
        entropy, exact_entropy: in bits, of the particles' belief and of the exact one.
        error, exact_error: Manhattan distance between the most probable cell and the true one.
        truth, exact_truth: the probability of the true cell.
    """

    entropy: list[float] = field(default_factory=list)
    exact_entropy: list[float] = field(default_factory=list)
    error: list[int] = field(default_factory=list)
    exact_error: list[int] = field(default_factory=list)
    truth: list[float] = field(default_factory=list)
    exact_truth: list[float] = field(default_factory=list)

    def add(self, belief: Floats, exact: Floats, agent: Sequence[int]) -> None:
        """Add a round: two beliefs float64[rows, cols], and the agent's true position."""
        for prefix, known in (("", belief), ("exact_", exact)):
            row, col = divmod(int(known.argmax()), known.shape[1])
            getattr(self, prefix + "entropy").append(entropy(known))
            getattr(self, prefix + "error").append(abs(row - agent[0]) + abs(col - agent[1]))
            getattr(self, prefix + "truth").append(float(known[tuple(agent)]))

    @property
    def right(self) -> int:
        """The number of rounds in which the particles' most probable cell was the true one."""
        return self.error.count(0)

    def __len__(self) -> int:
        return len(self.error)
