"""The particle filter of the ghost world, run by the compiled loops of `gridarium.beliefs`."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NoReturn, TypeAlias, TypedDict

import numpy as np
import numpy.typing as npt

from gridarium.beliefs.places.motion import Motion
from gridarium.beliefs.places.particles import kernel
from gridarium.beliefs.places.particles.arguments import FilterArg, FilterNumber
from gridarium.beliefs.places.particles.memory import Checkpoint, ParticleMemory
from gridarium.beliefs.resampling import RESAMPLERS
from gridarium.ghost.world import checks
from gridarium.ghost.world.cells import as_grid
from gridarium.ghost.world.likelihoods import CLASSES, Floats, checked_numbers, likelihoods
from gridarium.ghost.world.paths import GridPaths, motion

PREDICT_UPDATE_RESAMPLE = kernel.PREDICT | kernel.UPDATE | kernel.RESAMPLE
TOTAL = int(FilterNumber.TOTAL)


class PositionEstimate(TypedDict):
    """The mean (row, column) of a belief, and its most probable cell."""

    float_pos: list[float]
    cell_pos: list[int]


FilterSnapshot: TypeAlias = tuple[Checkpoint, int, bool]
"""The memory of the loops, `lost`, and whether the belief is outdated; a plain tuple, because one is made in each round."""


class ParticleFilter:
    """Estimates the agent's position from its actions and its sensors.

    Args:
        rows, cols: the size of the grid. At first the particles are spread evenly over its cells.
        num_particles: the number of particles.
        seed: of the filter's own random numbers, which are independent of the world's.
        resampler: "systematic", "stratified", "multinomial" or "residual".
        threshold: `resample` does nothing while the effective sample size is at least this share of the particles;
            with 1 it resamples each time.
        injection: the share of particles that each resampling puts into random cells.
        recovery: rates (slow, fast) of augmented Monte Carlo localisation, usually (0.001, 0.1), or None.

    Attributes:
        lost: the number of measurements that no particle could explain; all are then drawn from the measurement alone.

    Raises:
        ValueError: no cells or particles, or an argument outside the allowed values.

    Source: the names are those of CustomGridEnv's ParticleFilter; Thrun, Burgard and Fox (2005), Probabilistic Robotics.
    """

    def __init__(
        self,
        rows: int,
        cols: int,
        num_particles: int = 200,
        *,
        seed: int | np.random.Generator | None = None,
        resampler: str = "systematic",
        threshold: float = 1.0,
        injection: float = 0.0,
        recovery: tuple[float, float] | None = None,
    ) -> None:
        checks.filter_options(rows, cols, num_particles, resampler, threshold=threshold, injection=injection)
        slow, fast = checks.recovery_rates(recovery)
        self._shape, self.num_particles = (int(rows), int(cols)), int(num_particles)
        self.rng = checks.generator(seed)
        self._options: dict[str, Any] = {
            "resampler": resampler, "threshold": threshold, "injection": injection, "recovery": recovery,
        }  # fmt: skip
        self._numbers = {
            FilterNumber.THRESHOLD: 2.0 if threshold == 1 else threshold,
            FilterNumber.INJECTION: injection,
            FilterNumber.SLOW_RATE: slow,
            FilterNumber.FAST_RATE: fast,
        }
        self._method = list(RESAMPLERS).index(resampler)
        self._places = np.stack(np.divmod(np.arange(rows * cols), cols), axis=1).astype(np.float64)
        self._slips: tuple[Any, ...] = ()
        self._paths: GridPaths | None = None
        cells = np.arange(rows * cols)
        still = np.repeat(cells[None, :, None], 4, axis=0)
        self._memory = self._new_memory(Motion(still, np.ones(still.shape)), self.num_particles)
        self.seed(self.rng)
        self.reset()

    @property
    def rows(self) -> int:
        """The height of the grid."""
        return self._shape[0]

    @property
    def cols(self) -> int:
        """The width of the grid."""
        return self._shape[1]

    def reset(self, seed: int | None = None) -> None:
        """Spread the particles evenly over all cells; with a seed also reseed the random numbers."""
        if seed is not None:
            self.seed(seed)
        self.lost, self._stale = 0, False
        self._memory.run(kernel.SCATTER)

    def resized(self, num_particles: int) -> ParticleFilter:
        """A new filter with the same options and random numbers, but another number of particles."""
        return ParticleFilter(self.rows, self.cols, num_particles, seed=self.rng, **self._options)

    def seed(self, seed: int | np.random.Generator) -> None:
        """Reseed the random numbers."""
        self.rng = checks.generator(seed)
        self._memory.scratch[:] = self.rng.integers(1 << 62), 0

    # the four steps

    def predict(
        self,
        action: int,
        slip_prob: float,
        slip_type: str,
        env_is_move_valid_fn: Callable[[Sequence[int], Sequence[int]], bool],
    ) -> None:
        """Move every particle; each slips independently.

        Args:
            action: 0 left, 1 down, 2 right, 3 up.
            slip_prob: the probability that the agent slips.
            slip_type: "longitudinal" or "perpendicular".
            env_is_move_valid_fn: `(from, to)`, whether one can move from a cell to a neighbour.

        Raises:
            ValueError: an unknown action or slip type, or a probability outside [0, 1].
            TypeError: an action that is not a whole number, or not a function.
        """
        index = checks.action(action)
        if (slip_prob, slip_type) != self._slips:
            slip_prob = checks.probability("slip_prob", slip_prob)
            slip_type = checks.slip_type("slip_type", slip_type)
        if not callable(env_is_move_valid_fn):
            raise TypeError(
                f"env_is_move_valid_fn is a function of two cells, such as env._is_move_valid, got {env_is_move_valid_fn!r}"
            )
        self.prepare((slip_prob, slip_type), self._paths_of(env_is_move_valid_fn))
        self._memory.run(kernel.PREDICT, index)
        self._stale = True

    def update(
        self,
        measurements: dict[str, Any],
        sensor_mode: str,
        grid: Any,
        cnn_class_names: Sequence[str] = CLASSES,
        color_sensor_quality: float = 0.8,
        *,
        cnn_class_priors: Sequence[float] | None = None,
    ) -> None:
        """Weight every particle by the likelihood of the measurements in its cell.

        Args:
            measurements: `color_measurement` (0, 1, 2) and `cnn_probs` (one for each class); either may be missing.
            sensor_mode: "color", "cnn" or "both": which of them are used.
            grid: object[rows, cols] of cells.
            cnn_class_names: the names of the classes.
            color_sensor_quality: the probability that the color sensor is right.
            cnn_class_priors: the frequencies of the classes in training; dividing by them makes likelihoods of posteriors.

        Raises:
            ValueError: an unknown mode, or measurements or a grid that do not fit; nothing has changed then.
        """
        as_grid("the grid", grid, self.rows, self.cols)
        likelihood = likelihoods(
            measurements, sensor_mode, grid, cnn_class_names, color_sensor_quality, cnn_class_priors
        )
        if likelihood is not None:
            self.weigh(likelihood)

    def weigh(self, likelihood: Floats) -> None:
        """Weight every particle by float64[cells], the likelihood in its cell.

        Raises:
            ValueError: the wrong shape, or likelihoods that are negative or not finite; nothing has changed then.
        """
        self.learn(checked_numbers("likelihoods", likelihood, self.rows * self.cols))

    def learn(self, likelihood: Floats) -> None:
        """As `weigh`, without checks."""
        self._memory.likelihood[:] = likelihood
        self._memory.run(kernel.UPDATE)
        self._note_update()

    def resample(self) -> None:
        """Draw new particles by their weights, which are then equal.

        Raises:
            ValueError: all weights were set to 0, or some are negative.
        """
        self._normalise()
        self._memory.run(kernel.RESAMPLE)

    def get_estimated_position(self) -> PositionEstimate:
        """`float_pos`: the mean of all particles; `cell_pos`: the most probable cell, the first of equals.

        After an update and resampling the weights from before resampling count, which are more precise.
        """
        self._belief()
        self._memory.run(kernel.ESTIMATE)
        return self._estimate()

    def step(
        self, action: int, slips: tuple[float, str], paths: GridPaths, likelihood: Floats | None
    ) -> None:
        """Predict, update and resample in one call.

        `slips` is (slip_prob, slip_type); `likelihood` is float64[cells], that of the measurements, or None.

        Raises:
            ValueError: there is no such action.
        """
        self.prepare(slips, paths)
        memory = self._memory
        if likelihood is None:
            memory.run(kernel.PREDICT | kernel.RESAMPLE, action)
            self._stale = True
            return
        memory.likelihood[:] = likelihood
        memory.run(PREDICT_UPDATE_RESAMPLE, action)
        self._note_update()

    def prepare(self, slips: tuple[float, str], paths: GridPaths) -> None:
        """Make `memory` that of loops for this motion."""
        if self._slips != slips or self._paths is not paths:
            if len(paths.next) != self.rows * self.cols:
                raise ValueError(
                    f"the filter is for {self.rows} x {self.cols} cells, the grid has {paths.rows} x {paths.cols}"
                )
            old = self._memory
            new = self._new_memory(motion(*slips, paths), old.count)
            new.restore(old.snapshot())
            self._memory, self._slips, self._paths = new, slips, paths

    def took_step(self) -> PositionEstimate:
        """Call this after a compiled call has run the loops with a measurement; returns the estimate."""
        self._note_update()
        return self._estimate()

    def snapshot(self) -> FilterSnapshot:
        """A copy of the particles and everything else that steps change."""
        return self._memory.snapshot(), self.lost, self._stale

    def restore(self, snapshot: FilterSnapshot) -> None:
        """Return to a snapshot."""
        particles, self.lost, self._stale = snapshot
        self._memory.restore(particles)

    @property
    def memory(self) -> ParticleMemory:
        """The memory of the compiled loops; replaced when the motion changes."""
        return self._memory

    # particles, weights and belief

    def get_particles(self) -> list[list[int]]:
        """Row and column of each particle."""
        rows, cols = np.divmod(self._memory.particles, self.cols)
        return [list(pair) for pair in zip(rows.tolist(), cols.tolist(), strict=True)]

    @property
    def particles(self) -> list[list[int]]:
        """Row and column of each particle, as they are now; may be assigned, and edited item by item."""
        return ParticleList(self)

    @particles.setter
    def particles(self, new: npt.ArrayLike) -> None:
        self.put_particles(slice(None), new, self.num_particles)

    def put_particles(self, which: Any, positions: Any, count: int) -> None:
        """Move some particles, `count` in all, to other positions; `which` is their index."""
        pairs = checks.particles(positions, count, self.rows, self.cols)
        self._memory.particles[which] = pairs[:, 0] * self.cols + pairs[:, 1]
        self._stale = True

    @property
    def weights(self) -> Floats:
        """float64[num_particles]: the weights, a view; may be assigned, and edited item by item.

        They are divided by their sum before they are used. Using them while all are 0 is an error.
        """
        return self._memory.weights

    @weights.setter
    def weights(self, new: npt.ArrayLike) -> None:
        given = np.asarray(new, np.float64)
        if given.shape != (self.num_particles,) or not (given >= 0).all() or not given.sum() < np.inf:
            raise ValueError(f"weights are float[{self.num_particles}], finite and not negative")
        self._memory.weights[:] = given / (given.sum() or 1.0)
        self._stale = True

    @property
    def belief(self) -> Floats:
        """float64[rows, cols]: the probability of each cell."""
        return self._belief().reshape(self.rows, self.cols).copy()

    @property
    def effective_size(self) -> float:
        """The effective sample size, 1 / sum(w**2)."""
        self._normalise()
        return 1.0 / float(self.weights @ self.weights)

    # inside

    def _estimate(self) -> PositionEstimate:
        y, x, best = self._memory.estimate.tolist()
        return {"float_pos": [y, x], "cell_pos": [*divmod(int(best), self.cols)]}

    def _new_memory(self, motion: Motion, count: int) -> ParticleMemory:
        memory = ParticleMemory(motion, self._places, count, compiled=True)
        memory.frame[FilterArg.METHOD] = self._method
        for place, number in self._numbers.items():
            memory.numbers[place] = number
        memory.count = count
        return memory

    def _paths_of(self, is_valid: Callable[[Sequence[int], Sequence[int]], bool]) -> GridPaths:
        """The paths that a function allows; those of an environment if it is the environment's own function."""
        own = getattr(getattr(is_valid, "__self__", None), "paths", None)
        if isinstance(own, GridPaths):
            return own
        found, known = GridPaths.allowed_by(is_valid, self.rows, self.cols), self._paths
        return known if known is not None and found.next == known.next else found

    def _note_update(self) -> None:
        if self._memory.numbers.item(TOTAL) > 0:
            self._stale = False
            return
        self.lost += 1
        likely = bool(self._memory.likelihood.any())
        self._memory.run(kernel.ESTIMATE | (kernel.REDRAW if likely else kernel.SCATTER))
        self._stale = False

    def _normalise(self) -> None:
        """Make the weights, which may have been edited in place, add up to 1 again.

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
        if not math.isclose(effective, numbers[FilterNumber.EFFECTIVE]):
            numbers[FilterNumber.EFFECTIVE], self._stale = effective, True

    def _belief(self) -> Floats:
        """The probability of each cell. Equal weights mean that resampling came last: it is as before."""
        memory = self._memory
        self._normalise()
        if self._stale or (memory.weights != memory.weights[0]).any():
            memory.belief[:] = np.bincount(memory.particles, memory.weights, len(memory.belief))
            self._stale = False
        return memory.belief


class ParticlePosition(list[int]):
    """Row and column of a particle in a `ParticleList`; editing it moves the particle."""

    def __init__(self, pair: Any, whole: ParticleList, index: int) -> None:
        super().__init__(pair)
        self._whole, self._index = whole, index

    def __setitem__(self, index: Any, new: Any) -> None:
        edited = list(self)
        edited[index] = new
        self._whole[self._index] = edited
        super().__setitem__(index, new)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return list, (list(self),)


class ParticleList(list[list[int]]):
    """Rows and columns of a filter's particles; editing it moves the particles.

    Edits take effect at once, rather than by a comparison before the next step, so that a mistake is refused where it is
    made and a step costs nothing.
    """

    def __init__(self, particle_filter: ParticleFilter) -> None:
        pairs = particle_filter.get_particles()
        super().__init__(ParticlePosition(pair, self, k) for k, pair in enumerate(pairs))
        self._filter = particle_filter

    def __setitem__(self, index: Any, new: Any) -> None:
        places, pairs = range(len(self))[index], new
        if isinstance(places, int):
            places, pairs = range(places, places + 1), [new]
        self._filter.put_particles(np.array(places, np.int64), pairs, len(places))
        for place, pair in zip(places, pairs, strict=True):
            super().__setitem__(place, ParticlePosition(pair, self, place))

    def _fixed(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError(f"there are {len(self)} particles, in this order: edit one, or assign pf.particles")

    append = extend = insert = pop = remove = clear = reverse = sort = _fixed
    __delitem__ = __iadd__ = __imul__ = _fixed

    def __reduce_ex__(self, protocol: Any) -> Any:
        return list, ([list(pair) for pair in self],)
