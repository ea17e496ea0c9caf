"""A cloud of particles on a grid: where they are, what they weigh, how probable that makes each cell."""

from __future__ import annotations

from typing import Any

import numpy as np

from gridarium.beliefs.particle_frame import Number
from gridarium.beliefs.particle_memory import ParticleMemory
from gridarium.ghost import settings
from gridarium.ghost.sensing import Floats


class Cloud:
    """What is known of a `ParticleFilter`'s particles.

    Attributes:
        rows, cols: the size of the grid. num_particles: how many.
    """

    rows: int
    cols: int
    num_particles: int
    _memory: ParticleMemory
    _stale: bool

    def get_particles(self) -> list[list[int]]:
        """Row and column of each particle."""
        rows, cols = np.divmod(self._memory.particles, self.cols)
        return [list(pair) for pair in zip(rows.tolist(), cols.tolist(), strict=True)]

    @property
    def particles(self) -> list[list[int]]:
        """Row and column of each particle: a copy; may be assigned."""
        return self.get_particles()

    @particles.setter
    def particles(self, new: Any) -> None:
        given = settings.particles(new, self.num_particles, self.rows, self.cols)
        self._memory.particles[:] = given[:, 0] * self.cols + given[:, 1]
        self._stale = True

    @property
    def weights(self) -> Floats:
        """float64[num_particles]: their weights, which add up to 1; a view."""
        return self._memory.weights

    @weights.setter
    def weights(self, new: Any) -> None:
        given = np.asarray(new, np.float64)
        if given.shape != (self.num_particles,) or not (given >= 0).all() or not 0 < given.sum() < np.inf:
            raise ValueError(f"weights are float[{self.num_particles}], not negative, and some are above 0")
        self._memory.weights[:] = given / given.sum()
        self._memory.numbers[Number.EFFECTIVE] = 1.0 / float(self.weights @ self.weights)
        self._stale = True

    @property
    def belief(self) -> Floats:
        """float64[rows, cols]: how probable each cell is."""
        return self._belief().reshape(self.rows, self.cols).copy()

    @property
    def effective_size(self) -> float:
        """How many particles of equal weight would be worth as much: 1 / sum(w**2)."""
        return 1.0 / float(self.weights @ self.weights)

    # inside

    def _belief(self) -> Floats:
        memory = self._memory
        if self._stale:
            memory.belief[:] = np.bincount(memory.particles, memory.weights, len(memory.belief))
            self._stale = False
        return memory.belief
