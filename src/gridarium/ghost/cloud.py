"""A cloud of particles on a grid: where they are, what they weigh, how probable that makes each cell."""

from __future__ import annotations

import math
from typing import Any, NoReturn

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
        """Row and column of each particle, as they are now; may be assigned, and edited item by item."""
        return Particles(self)

    @particles.setter
    def particles(self, new: Any) -> None:
        self._put(slice(None), new, self.num_particles)

    @property
    def weights(self) -> Floats:
        """float64[num_particles]: their weights, a view; may be assigned, and edited item by item.

        They are divided by their sum before they are used. All 0 is only a beginning: something must weigh then.
        """
        return self._memory.weights

    @weights.setter
    def weights(self, new: Any) -> None:
        given = np.asarray(new, np.float64)
        if given.shape != (self.num_particles,) or not (given >= 0).all() or not given.sum() < np.inf:
            raise ValueError(f"weights are float[{self.num_particles}], finite and not negative")
        self._memory.weights[:] = given / (given.sum() or 1.0)
        self._stale = True

    @property
    def belief(self) -> Floats:
        """float64[rows, cols]: how probable each cell is."""
        return self._belief().reshape(self.rows, self.cols).copy()

    @property
    def effective_size(self) -> float:
        """How many particles of equal weight would be worth as much: 1 / sum(w**2)."""
        self._normalise()
        return 1.0 / float(self.weights @ self.weights)

    # inside

    def _put(self, where: Any, new: Any, count: int) -> None:
        """Put some particles, `count` in all, elsewhere."""
        given = settings.particles(new, count, self.rows, self.cols)
        self._memory.particles[where] = given[:, 0] * self.cols + given[:, 1]
        self._stale = True

    def _normalise(self) -> None:
        """Let the weights, which may have been edited in place, add up to 1 again.

        Raises:
            ValueError: some are negative or not finite, or all are 0.
        """
        weights, numbers = self._memory.weights, self._memory.numbers
        total = float(weights.sum())
        if not 0 < total < np.inf or weights.min() < 0:
            raise ValueError(
                "weights are not negative, and some are above 0: set pf.weights, or some of them"
            )
        if not math.isclose(total, 1.0):
            weights /= total
        effective = 1.0 / float(weights @ weights)
        if not math.isclose(effective, numbers[Number.EFFECTIVE]):
            numbers[Number.EFFECTIVE], self._stale = effective, True

    def _belief(self) -> Floats:
        """How probable each cell is. Where all weigh the same, they were resampled, and it is as it was before."""
        memory = self._memory
        self._normalise()
        if self._stale or (memory.weights != memory.weights[0]).any():
            memory.belief[:] = np.bincount(memory.particles, memory.weights, len(memory.belief))
            self._stale = False
        return memory.belief


class Pair(list[int]):
    """Row and column of a particle, one of some `Particles`, which are told when it is edited."""

    def __init__(self, pair: Any, whole: Particles, place: int) -> None:
        super().__init__(pair)
        self._whole, self._place = whole, place

    def __setitem__(self, index: Any, new: Any) -> None:
        edited = list(self)
        edited[index] = new
        self._whole[self._place] = edited
        super().__setitem__(index, new)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return list, (list(self),)


class Particles(list[list[int]]):
    """Rows and columns of a cloud's particles, which are put elsewhere when this list is edited."""

    def __init__(self, cloud: Cloud) -> None:
        super().__init__(Pair(pair, self, k) for k, pair in enumerate(cloud.get_particles()))
        self._cloud = cloud

    def __setitem__(self, index: Any, new: Any) -> None:
        places, pairs = range(len(self))[index], new
        if isinstance(places, int):
            places, pairs = range(places, places + 1), [new]
        self._cloud._put(np.array(places, np.int64), pairs, len(places))
        for place, pair in zip(places, pairs, strict=True):
            super().__setitem__(place, Pair(pair, self, place))

    def _fixed(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError(f"there are {len(self)} particles, in this order: edit one, or assign pf.particles")

    append = extend = insert = pop = remove = clear = reverse = sort = _fixed
    __delitem__ = __iadd__ = __imul__ = _fixed

    def __reduce_ex__(self, protocol: Any) -> Any:
        return list, ([list(pair) for pair in self],)
