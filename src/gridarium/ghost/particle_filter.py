"""The particle filter of the ghost world under its familiar name, run by the loops of `gridarium.beliefs`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gridarium.beliefs import particle_kernel as kernel
from gridarium.beliefs.motion import Motion
from gridarium.beliefs.particle_frame import At, Number
from gridarium.beliefs.particle_memory import ParticleMemory
from gridarium.beliefs.resampling import RESAMPLERS
from gridarium.ghost import settings
from gridarium.ghost.cells import as_grid
from gridarium.ghost.cloud import Cloud
from gridarium.ghost.sensing import CLASSES, Floats, likelihoods, one_for_each
from gridarium.ghost.slipping import motion
from gridarium.ghost.ways import Ways

ALL = kernel.PREDICT | kernel.UPDATE | kernel.RESAMPLE
TOTAL = int(Number.TOTAL)


class ParticleFilter(Cloud):
    """Guesses where the agent is, from its actions and its sensors.

    Args:
        rows, cols: the size of the grid. At first the particles are spread evenly over its cells.
        num_particles: how many.
        seed: of the filter's own random numbers; they have nothing to do with the world's.
        resampler: "systematic", "stratified", "multinomial" or "residual".
        threshold: `resample` does nothing while the effective sample size is at least this share of the particles;
            with 1 it resamples each time.
        injection: the share of the particles that each resampling puts anywhere.
        recovery: rates (slow, fast) of augmented Monte Carlo localisation, usually (0.001, 0.1), or None.

    Attributes:
        lost: how often no particle could explain a measurement; they are then drawn anew by the measurement alone.

    Raises:
        ValueError: no cells or particles, or an argument outside what is allowed.

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
        settings.cloud(rows, cols, num_particles, resampler, threshold=threshold, injection=injection)
        slow, fast = settings.rates(recovery)
        self.rows, self.cols, self.num_particles = int(rows), int(cols), int(num_particles)
        self.rng = settings.generator(seed)
        self._options: dict[str, Any] = {
            "resampler": resampler, "threshold": threshold, "injection": injection, "recovery": recovery,
        }  # fmt: skip
        self._told = {
            Number.THRESHOLD: 2.0 if threshold == 1 else threshold,
            Number.INJECTION: injection,
            Number.SLOW_RATE: slow,
            Number.FAST_RATE: fast,
        }
        self._method = list(RESAMPLERS).index(resampler)
        self._places = np.stack(np.divmod(np.arange(rows * cols), cols), axis=1).astype(np.float64)
        self._known: tuple[Any, ...] = ()
        self._ways: Ways | None = None
        cells = np.arange(rows * cols)
        still = np.repeat(cells[None, :, None], 4, axis=0)
        self._memory = self._new_memory(Motion(still, np.ones(still.shape)), self.num_particles)
        self.seed(self.rng)
        self._begin()

    def _begin(self) -> None:
        self.lost, self._stale = 0, False
        self._memory.run(kernel.SCATTER)

    def reset(self, seed: int | None = None) -> None:
        """Begin anew: `num_particles` anywhere. With a seed also the random numbers begin anew."""
        if seed is not None:
            self.seed(seed)
        self._begin()

    def resized(self, num_particles: int) -> ParticleFilter:
        """A new filter with the same options and random numbers, but another number of particles."""
        return ParticleFilter(self.rows, self.cols, num_particles, seed=self.rng, **self._options)

    def seed(self, seed: int | np.random.Generator) -> None:
        """Begin the random numbers anew."""
        self.rng = settings.generator(seed)
        self._memory.scratch[:] = self.rng.integers(1 << 62), 0

    # the four steps

    def predict(
        self,
        action: int,
        slip_prob: float,
        slip_type: str,
        env_is_move_valid_fn: Callable[[Sequence[int], Sequence[int]], bool],
    ) -> None:
        """Every particle moves and slips on its own.

        Args:
            action: 0 left, 1 down, 2 right, 3 up.
            slip_prob: how likely the agent slips.
            slip_type: "longitudinal" or "perpendicular".
            env_is_move_valid_fn: `(from, to)`, whether one can go from a cell to a neighbour.

        Raises:
            ValueError: another action or word, or a probability outside [0, 1].
            TypeError: an action that is no whole number, or no function.
        """
        index, slip = settings.action(action), settings.probability("slip_prob", slip_prob)
        if not callable(env_is_move_valid_fn):
            raise TypeError(
                f"env_is_move_valid_fn is a function of two cells, such as env._is_move_valid, got {env_is_move_valid_fn!r}"
            )
        self.prepare((slip, settings.slip_type("slip_type", slip_type)), self._ways_of(env_is_move_valid_fn))
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
        """Weigh every particle by how likely what was measured is in its cell.

        Args:
            measurements: `color_measurement` (0, 1, 2) and `cnn_probs` (one for each class); either may be missing.
            sensor_mode: "color", "cnn" or "both": what is used.
            grid: object[rows, cols] of cells.
            cnn_class_names: what the classes are called.
            color_sensor_quality: how likely the color sensor is right.
            cnn_class_priors: how frequent the classes were in training, to make likelihoods of posteriors.

        Raises:
            ValueError: another mode, or measurements or a grid that do not fit; nothing has changed then.
        """
        as_grid("the grid", grid, self.rows, self.cols)
        likelihood = likelihoods(
            measurements, sensor_mode, grid, cnn_class_names, color_sensor_quality, cnn_class_priors
        )
        if likelihood is not None:
            self.weigh(likelihood)

    def weigh(self, likelihood: Floats) -> None:
        """Weigh every particle by float64[cells], the likelihood in its cell.

        Raises:
            ValueError: another shape, or likelihoods that are negative or not finite; nothing has changed then.
        """
        self.learn(one_for_each("likelihoods", likelihood, self.rows * self.cols))

    def learn(self, likelihood: Floats) -> None:
        """As `weigh`, of a likelihood that is known to be in order."""
        self._memory.likelihood[:] = likelihood
        self._memory.run(kernel.UPDATE)
        self._note_update()

    def resample(self) -> None:
        """Choose the particles anew by their weights, which are equal then.

        Raises:
            ValueError: all weights were set to 0, or some to less.
        """
        self._normalise()
        self._memory.run(kernel.RESAMPLE)

    def get_estimated_position(self) -> dict[str, list[Any]]:
        """`float_pos`: the mean over all particles; `cell_pos`: the cell that is worth most, the first of equals.

        After an update and resampling these are the weights from before resampling, which tell more.
        """
        self._belief()
        self._memory.run(kernel.ESTIMATE)
        return self._told_position()

    def step(self, action: int, slips: tuple[float, str], ways: Ways, likelihood: Floats | None) -> None:
        """Predict, update and resample in one call, with the same result.

        `slips` is (slip_prob, slip_type); `likelihood` is float64[cells] of what was measured, or None.
        """
        self.prepare(slips, ways)
        memory = self._memory
        if likelihood is None:
            memory.run(kernel.PREDICT | kernel.RESAMPLE, action)
            self._stale = True
            return
        memory.likelihood[:] = likelihood
        memory.run(ALL, action)
        self._note_update()

    def prepare(self, slips: tuple[float, str], ways: Ways) -> None:
        """From now on, `memory` is that of loops that move particles so."""
        if self._known != slips or self._ways is not ways:
            self._learn_motion(*slips, ways)

    def took_step(self) -> dict[str, list[Any]]:
        """Somebody else has run the loops, with something measured and the estimate, which this gives."""
        self._note_update()
        return self._told_position()

    def snapshot(self) -> tuple[Any, ...]:
        """A copy of what is known."""
        return self._memory.snapshot(), self.lost, self._stale

    def restore(self, snapshot: tuple[Any, ...]) -> None:
        """Go back to a snapshot."""
        particles, self.lost, self._stale = snapshot
        self._memory.restore(particles)

    @property
    def memory(self) -> ParticleMemory:
        """What its loops work on; another one once the agent moves in other ways."""
        return self._memory

    # inside

    def _told_position(self) -> dict[str, list[Any]]:
        y, x, best = self._memory.told.tolist()
        return {"float_pos": [y, x], "cell_pos": [*divmod(int(best), self.cols)]}

    def _new_memory(self, motion: Motion, count: int) -> ParticleMemory:
        memory = ParticleMemory(motion, self._places, count, compiled=True)
        memory.frame[At.METHOD] = self._method
        for place, number in self._told.items():
            memory.numbers[place] = number
        memory.count = count
        return memory

    def _learn_motion(self, slip_prob: float, slip_type: str, ways: Ways) -> None:
        if len(ways.next) != self.rows * self.cols:
            raise ValueError(
                f"the filter is for {self.rows} x {self.cols} cells, the grid has {ways.rows} x {ways.cols}"
            )
        old = self._memory
        new = self._new_memory(motion(slip_prob, slip_type, ways), old.count)
        new.restore(old.snapshot())
        self._memory, self._known, self._ways = new, (slip_prob, slip_type), ways

    def _ways_of(self, is_valid: Callable[[Sequence[int], Sequence[int]], bool]) -> Ways:
        """The ways that a function allows; those of an environment if it is the environment's own function."""
        own = getattr(getattr(is_valid, "__self__", None), "ways", None)
        if isinstance(own, Ways):
            return own
        found = Ways.allowed_by(is_valid, self.rows, self.cols)
        known = self._ways
        return known if known is not None and found.next == known.next else found

    def _note_update(self) -> None:
        if self._memory.numbers.item(TOTAL) > 0:
            self._stale = False
            return
        self.lost += 1
        likely = bool(self._memory.likelihood.any())
        self._memory.run(kernel.ESTIMATE | (kernel.REDRAW if likely else kernel.SCATTER))
        self._stale = False
