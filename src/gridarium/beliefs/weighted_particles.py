"""Particles of any kind, with weights: weighing and resampling them."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod

import numpy as np

from gridarium.beliefs.belief import Floats, Impossible, Ints
from gridarium.beliefs.resampling import RESAMPLERS, effective_sample_size
from gridarium.engine.arguments import Seed, check_count, check_shares, generator


class WeightedParticles(ABC):
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
        self.threshold, self.rng = threshold, generator(seed)
        self._choose = RESAMPLERS[resampler]
        self._even(particles)

    def __len__(self) -> int:
        return len(self.weights)

    def weigh(self, likelihoods: Floats) -> None:
        """Multiply the weights: float64[particles].

        Raises:
            Impossible: nothing is left; the weights are as before.
            ValueError: another shape, or likelihoods that are below 0 or not finite.
        """
        if likelihoods.shape != self.weights.shape:
            raise ValueError(f"likelihoods are float[{len(self)}], not {list(likelihoods.shape)}")
        if not (np.isfinite(likelihoods).all() and (likelihoods >= 0).all()):
            raise ValueError("likelihoods are finite and not negative")
        weighed = self.weights * likelihoods
        total = float(weighed.sum())
        if total <= 0:
            raise Impossible("no particle explains what was measured; use more of them, or start again")
        self.weights = weighed / total
        self.log_likelihood += math.log(total)

    def resample(self, *, force: bool = False) -> bool:
        """Resample the particles by their weights, if the effective sample size is below the threshold.

        Args:
            force: resample for any effective sample size.

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
        """Start again: equal weights, nothing measured."""
        self.weights = np.full(particles, 1.0 / particles)
        self.log_likelihood = 0.0

    @abstractmethod
    def _keep(self, chosen: Ints) -> None:
        """Put the chosen particles, int64[particles], in the place of all."""


def check_particles(particles: int, resampler: str, **shares: float) -> None:
    """Refuse what no particle filter can have.

    Raises:
        TypeError: not a number where one is needed.
        ValueError: no particles, an unknown resampler, or a share outside [0, 1].
    """
    check_count("the number of particles", particles)
    if not isinstance(resampler, str) or resampler not in RESAMPLERS:
        raise ValueError(f"no resampler {resampler!r}; there are {', '.join(RESAMPLERS)}")
    check_shares(**shares)
