"""The particle filter over places."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gridarium.beliefs.belief import Evidence, Floats, Impossible, Ints, Prior
from gridarium.beliefs.places.model import PlaceModel, check_model
from gridarium.beliefs.places.particles import kernel
from gridarium.beliefs.places.particles.arguments import FilterArg, FilterNumber
from gridarium.beliefs.places.particles.memory import ParticleMemory
from gridarium.beliefs.places.place_belief import PlaceBelief
from gridarium.beliefs.resampling import RESAMPLERS, effective_sample_size, systematic_resample
from gridarium.beliefs.weighted_particles import check_particles
from gridarium.engine.arguments import Seed, check_count, check_shares, floats, generator
from gridarium.rules.limits import is_list, is_number
from gridarium.world import Action, State

RECOVERY = (0.001, 0.1)
"""The rates that are usual for recovery (AMCL)."""


@dataclass(frozen=True)
class Adaptive:
    """Particle numbers that follow from how spread out they are (Fox 2003, KLD-sampling), set when resampling.

    Attributes:
        error: the largest divergence from the true belief, in nats.
        quantile: the standard normal quantile of the probability with which that holds; 2.326 for 99 %.
        least, most: bounds.
    """

    error: float = 0.05
    quantile: float = 2.326
    least: int = 20
    most: int = 10_000

    def __post_init__(self) -> None:
        for name in ("error", "quantile"):
            number = getattr(self, name)
            if not is_number(number) or not 0 < number < math.inf:
                raise ValueError(f"{name} is a number above 0, got {number!r}")
        check_count("least", self.least)
        check_count("most", self.most, self.least)


class ParticleFilter(PlaceBelief):
    """A belief about an agent's place, as particles.

    Args:
        model: the world as the filter knows it.
        particles: their number at first.
        prior: the belief at first (see `Places.belief`).
        seed: of the filter's own random numbers; they have nothing to do with the world's.
        resampler: "systematic", "stratified", "multinomial" or "residual".
        threshold: `resample` does nothing while the effective sample size is at least this share of the particles:
            1 resamples nearly always, 0 never.
        injection: the share of particles that each resampling puts anywhere.
        recovery: rates (slow, fast) with which mean likelihoods are followed; when they drop, particles are put
            anywhere (augmented Monte Carlo localisation; usual are `RECOVERY`). None for no recovery.
        adaptive: lets the number of particles change; None for a fixed number.
        compiled: False runs the loops as plain Python.

    Attributes:
        log_likelihood: the log of the estimated probability of everything measured so far (nats); -inf after a
            measurement that no particle could explain.
        lost: the number of measurements that no particle could explain; then all are drawn again, by the likelihood alone.

    Raises:
        TypeError: not a model, or not a number where one is needed.
        ValueError: no particles, an unknown resampler, or a share or rate outside [0, 1].

    Source: Thrun, Burgard and Fox (2005), Probabilistic Robotics, chapters 4 and 8.

    Example:
        >>> cloud = ParticleFilter(PlaceModel(world), 200, seed=1)
        >>> cloud.predict(Action.LEFT)
        >>> cloud.update(world.spec.sensors[0], 2)
        >>> cloud.resample()
        >>> cloud.estimate().position
    """

    def __init__(
        self,
        model: PlaceModel,
        particles: int = 1000,
        prior: Prior = None,
        *,
        seed: Seed = None,
        resampler: str = "systematic",
        threshold: float = 0.5,
        injection: float = 0.0,
        recovery: tuple[float, float] | None = None,
        adaptive: Adaptive | None = None,
        compiled: bool = True,
    ) -> None:
        check_model(model)
        check_particles(particles, resampler, threshold=threshold, injection=injection)
        _check(particles, recovery, adaptive)
        most = particles if adaptive is None else adaptive.most
        self.model, self.resampler, self._first = model, resampler, particles
        self.rng = generator(seed)
        memory = self._memory = ParticleMemory(
            model.motion, model.places.coordinates, most, compiled=compiled
        )
        memory.frame[FilterArg.METHOD] = list(RESAMPLERS).index(resampler)
        slow, fast = recovery or (0.0, 0.0)
        reported = {
            FilterNumber.THRESHOLD: threshold,
            FilterNumber.INJECTION: injection,
            FilterNumber.SLOW_RATE: slow,
            FilterNumber.FAST_RATE: fast,
        }
        if adaptive is not None:
            reported |= {FilterNumber.ERROR: adaptive.error, FilterNumber.QUANTILE: adaptive.quantile}
            memory.frame[FilterArg.LEAST] = adaptive.least
        for place, number in reported.items():
            memory.numbers[place] = number
        self.reset(prior)

    def reset(self, prior: Prior = None) -> None:
        """Start again, with as many particles as at first."""
        self.log_likelihood, self.lost = 0.0, 0
        self._memory.numbers[[FilterNumber.SLOW, FilterNumber.FAST]] = 0.0
        self._memory.scratch[:] = self.rng.integers(1 << 62), 0
        self._draw(self.model.places.belief(prior), self._first)

    def predict(self, action: Action | int = 0) -> None:
        """The agent has acted: every particle moves, each with random numbers of its own.

        Raises:
            ValueError: the action does not exist.
        """
        self._memory.run(kernel.PREDICT, self.model.action(action))
        self._stale = True

    def update(self, given: Evidence, measurement: float | None = None, state: State | None = None) -> None:
        """Something was measured: weigh the particles by it; arguments as of `PlaceModel.likelihood`.

        Raises:
            Impossible: that cannot be at any place; the particles are as before.
        """
        self._memory.likelihood[:] = self.model.likelihood(given, measurement, state)
        self._memory.run(kernel.UPDATE)
        self._note_update()

    def resample(self, *, force: bool = False) -> bool:
        """Resample the particles by their weights, if the effective sample size is below the threshold.

        Args:
            force: resample for any effective sample size.

        Returns:
            whether that was done.
        """
        if self._stale:
            self._weigh_places()  # how many particles are needed is read from it
        self._memory.run(kernel.RESAMPLE | (kernel.FORCE if force else 0))
        return self._memory.number(FilterNumber.RESAMPLED) > 0

    def step(
        self,
        action: Action | int,
        given: Evidence,
        measurement: float | None = None,
        state: State | None = None,
    ) -> None:
        """Predict, update and resample in one call.

        Raises:
            ValueError: the action does not exist.
            Impossible: what was measured cannot be at any place; the particles have moved.
        """
        index = self.model.action(action)
        self._memory.likelihood[:] = self.model.likelihood(given, measurement, state)
        self._memory.run(kernel.PREDICT | kernel.UPDATE | kernel.RESAMPLE, index)
        self._note_update()

    def __len__(self) -> int:
        return self._memory.count

    @property
    def particles(self) -> Ints:
        """int64[n]: the numbers of their places, a view that cannot be written to; `particles = ...` puts others there.

        Raises:
            ValueError: not a place, or another number of particles.
        """
        seen: Ints = self._memory.shown[0][: len(self)]
        return seen

    @particles.setter
    def particles(self, places: npt.ArrayLike) -> None:
        given, count = np.asarray(places), len(self.model.places)
        if given.shape != (len(self),) or given.dtype.kind not in "iu":
            raise ValueError(f"particles are int[{len(self)}], numbers of places")
        if given.min() < 0 or given.max() >= count:
            raise ValueError(f"there are {count} places, numbered from 0")
        self._memory.particles[: len(self)] = given
        self._stale = True

    @property
    def positions(self) -> Ints:
        """int64[n, 2]: y and x of each."""
        return self.model.places.positions[self.particles]

    @property
    def weights(self) -> Floats:
        """float64[n]: their weights, which add up to 1, a view that cannot be written to; `weights = ...` sets others.

        Those need not add up to 1.

        Raises:
            ValueError: another number of weights, weights below 0, or none above.
        """
        seen: Floats = self._memory.shown[1][: len(self)]
        return seen

    @weights.setter
    def weights(self, weights: npt.ArrayLike) -> None:
        given = floats(weights, "a particle's weight")
        fit = given.shape == (len(self),) and np.isfinite(given).all() and (given >= 0).all()
        if not fit or not given.sum() > 0:
            raise ValueError(f"weights are float[{len(self)}], finite and not negative, and some are above 0")
        normalized = given / given.sum()
        self._memory.weights[: len(self)] = normalized
        self._memory.numbers[FilterNumber.EFFECTIVE] = effective_sample_size(normalized)
        self._stale = True

    @property
    def belief(self) -> Floats:
        """float64[places]: the particles' weights by places; after an update those from before resampling.

        A view that cannot be written to.
        """
        if self._stale:
            self._weigh_places()
        seen: Floats = self._memory.shown[2]
        return seen

    @property
    def effective(self) -> float:
        """The effective sample size."""
        return self._memory.number(FilterNumber.EFFECTIVE)

    @property
    def injected(self) -> int:
        """The number of particles that the last resampling has put at random places."""
        return int(self._memory.number(FilterNumber.INJECTED))

    def _weigh_places(self) -> None:
        self._memory.belief[:] = np.bincount(self.particles, self.weights, len(self.model.places))
        self._stale = False

    def _note_update(self) -> None:
        total = self._memory.number(FilterNumber.TOTAL)
        if total > 0:
            self.log_likelihood += math.log(total)
            self._stale = False
            return
        likelihood = self._memory.likelihood.copy()
        if not likelihood.any():
            self._stale = True
            raise Impossible("what was measured has no probability at any place")
        self.lost += 1
        self.log_likelihood = -math.inf
        self._draw(likelihood / likelihood.sum(), len(self))

    def _draw(self, belief: Floats, count: int) -> None:
        """Particles of equal weight, drawn from a belief."""
        memory = self._memory
        memory.count = count
        memory.particles[:count] = self.rng.permutation(systematic_resample(belief, self.rng, count))
        memory.weights[:count] = 1.0 / count
        memory.numbers[FilterNumber.EFFECTIVE] = count
        memory.numbers[FilterNumber.TOTAL] = 1.0
        self._stale = True


def _check(particles: int, recovery: tuple[float, float] | None, adaptive: Adaptive | None) -> None:
    if adaptive is not None and not isinstance(adaptive, Adaptive):
        raise TypeError(f"adaptive is Adaptive(...) or None, not {adaptive!r}")
    if adaptive is not None and particles > adaptive.most:
        raise ValueError(f"{particles} particles are more than the most that are allowed, {adaptive.most}")
    if recovery is None:
        return
    if not is_list(recovery) or len(recovery) != 2:
        raise TypeError(f"recovery is two rates, 0 <= slow <= fast <= 1, got {recovery!r}")
    check_shares(**{"the slow rate of recovery": recovery[0], "the fast rate of recovery": recovery[1]})
    if recovery[0] > recovery[1]:
        raise ValueError(f"recovery is two rates, 0 <= slow <= fast <= 1, got {recovery}")
