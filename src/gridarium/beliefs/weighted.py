"""Particles of any kind, with weights: weighing and resampling them."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod

import numpy as np

from gridarium.beliefs.bayes import Impossible
from gridarium.beliefs.places import Floats, Ints
from gridarium.beliefs.resampling import RESAMPLERS, Seed, effective_sample_size


class Weighted(ABC):
    """A number of particles with weights.

    Attributes:
        weights: float64[particles]; they add up to 1.
        log_likelihood: the log of the estimated probability of everything measured so far (nats).
        threshold: see `ParticleFilter`.
        rng: the filter's own random numbers.

    Raises:
        ValueError: no particles, an unknown resampler, or a threshold outside [0, 1].
    """

    weights: Floats
    log_likelihood: float

    def __init__(self, particles: int, seed: Seed, resampler: str, threshold: float) -> None:
        check_particles(particles, resampler, threshold=threshold)
        self.threshold, self.rng = threshold, np.random.default_rng(seed)
        self._choose = RESAMPLERS[resampler]
        self._even(particles)

    def __len__(self) -> int:
        return len(self.weights)

    def weigh(self, likelihoods: Floats) -> None:
        """Multiply the weights: float64[particles].

        Raises:
            Impossible: nothing is left; the weights are as before.
            ValueError: another shape, or likelihoods below 0.
        """
        if likelihoods.shape != self.weights.shape or not (likelihoods >= 0).all():
            raise ValueError(f"likelihoods are float[{len(self)}], none below 0")
        weighed = self.weights * likelihoods
        total = float(weighed.sum())
        if total <= 0:
            raise Impossible("no particle explains what was measured; use more of them, or begin anew")
        self.weights = weighed / total
        self.log_likelihood += math.log(total)

    def resample(self, *, force: bool = False) -> bool:
        """Choose the particles anew by their weights, if the effective sample size is below the threshold.

        Args:
            force: whatever it is.

        Returns:
            whether that was done.
        """
        if not force and self.effective >= self.threshold * len(self):
            return False
        self._keep(self._choose(self.weights, self.rng))
        self.weights = np.full(len(self), 1.0 / len(self))
        return True

    @property
    def effective(self) -> float:
        """The effective sample size."""
        return effective_sample_size(self.weights)

    def _even(self, particles: int) -> None:
        """Begin anew: equal weights, nothing measured."""
        self.weights = np.full(particles, 1.0 / particles)
        self.log_likelihood = 0.0

    @abstractmethod
    def _keep(self, chosen: Ints) -> None:
        """Put the chosen particles, int64[particles], in the place of all."""


def check_particles(particles: int, resampler: str, **shares: float) -> None:
    """Refuse what no particle filter can have.

    Raises:
        ValueError: no particles, an unknown resampler, or a share outside [0, 1].
    """
    if isinstance(particles, bool) or not isinstance(particles, int | np.integer):
        raise TypeError(f"a number of particles is whole, got {particles!r}")
    if particles < 1:
        raise ValueError(f"a filter has at least one particle, got {particles}")
    if resampler not in RESAMPLERS:
        raise ValueError(f"no resampler {resampler!r}; there are {', '.join(RESAMPLERS)}")
    for name, share in shares.items():
        if not 0 <= share <= 1:
            raise ValueError(f"{name} is between 0 and 1, got {share}")
