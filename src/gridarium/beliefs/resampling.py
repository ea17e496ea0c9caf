"""Resampling: which particles survive, by their weights. FilterPy's names, with a generator of one's own.

Each takes float[n] weights (their sum does not matter) and gives int64[n] indices, in increasing order. Sources:
Kitagawa (1996) for stratified and systematic, Liu and Chen (1998) for residual resampling; Douc, Cappe and Moulines
(2005) compare them.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from gridarium.beliefs.belief import Floats, Ints
from gridarium.engine.arguments import Seed, check_count, check_number, floats, generator


def systematic_resample(weights: npt.ArrayLike, rng: Seed = None, size: int | None = None) -> Ints:
    """One uniform number for all: particle i survives floor or ceil of size * weight times. The least variance.

    Args:
        weights: float[n], not negative, some above 0.
        rng: a generator or a seed.
        size: the number of indices; n by default.

    Raises:
        TypeError, ValueError: not weights, or size below 1.
    """
    normalized, count, chance = _prepared(weights, rng, size)
    return _picked(normalized, (np.arange(count) + chance.random()) / count)


def stratified_resample(weights: npt.ArrayLike, rng: Seed = None, size: int | None = None) -> Ints:
    """A uniform number in each of `size` equal parts. As `systematic_resample`."""
    normalized, count, chance = _prepared(weights, rng, size)
    return _picked(normalized, (np.arange(count) + chance.random(count)) / count)


def multinomial_resample(weights: npt.ArrayLike, rng: Seed = None, size: int | None = None) -> Ints:
    """Independent draws. As `systematic_resample`."""
    normalized, count, chance = _prepared(weights, rng, size)
    return _picked(normalized, np.sort(chance.random(count)))


def residual_resample(weights: npt.ArrayLike, rng: Seed = None, size: int | None = None) -> Ints:
    """floor(size * weight) copies of each, the rest drawn independently by what is left. As `systematic_resample`."""
    normalized, count, chance = _prepared(weights, rng, size)
    copies = np.floor(count * normalized * (1 + 1e-12)).astype(np.int64)
    left = count - int(copies.sum())
    if left > 0:
        rest = np.maximum(count * normalized - copies, 0.0)
        rest = rest if rest.sum() > 0 else normalized
        np.add.at(copies, _picked(rest / rest.sum(), np.sort(chance.random(left))), 1)
    return np.repeat(np.arange(len(normalized)), copies)[:count]


RESAMPLERS: dict[str, Callable[..., Ints]] = {
    "systematic": systematic_resample,
    "stratified": stratified_resample,
    "multinomial": multinomial_resample,
    "residual": residual_resample,
}


def effective_sample_size(weights: npt.ArrayLike) -> float:
    """1 / sum(w**2) of weights that add up to 1: as many particles of equal weight would be worth as much.

    Raises:
        TypeError: not numbers.

    Source: Kong, Liu and Wong (1994).
    """
    given = floats(weights, "weights").ravel()
    return float(given.sum() ** 2 / (given @ given))


def kld_sample_size(bins: int, error: float = 0.05, quantile: float = 2.326) -> int:
    """The number of particles that keep the belief over `bins` places within `error` (Kullback-Leibler) of the true one.

    Args:
        bins: the number of places with particles.
        error: the largest divergence, in nats, above 0.
        quantile: the standard normal quantile of the probability with which that holds; 2.326 for 99 %.

    Raises:
        TypeError, ValueError: not a number, or the error is not above 0.

    Source: Fox (2003), KLD-sampling.
    """
    check_count("bins", bins, 0)
    check_number("the error of KLD-sampling", error)
    check_number("quantile", quantile, -math.inf)
    if error == 0:
        raise ValueError(f"the error of KLD-sampling is above 0, got {error}")
    if bins < 2:
        return 1
    spread = 2.0 / (9.0 * (bins - 1))
    return int(np.ceil((bins - 1) / (2.0 * error) * (1.0 - spread + np.sqrt(spread) * quantile) ** 3))


def _prepared(weights: npt.ArrayLike, rng: Seed, size: int | None) -> tuple[Floats, int, np.random.Generator]:
    given = floats(weights, "weights")
    if given.ndim != 1 or not (np.isfinite(given).all() and (given >= 0).all() and given.sum() > 0):
        raise ValueError("weights are float[n], finite and not negative, and some are above 0")
    count = len(given) if size is None else size
    check_count("size", count)
    return given / given.sum(), count, generator(rng)


def _picked(normalized: Floats, points: Floats) -> Ints:
    """int64[points]: for each point in [0, 1) the particle in whose part of that line it lies."""
    edges = np.cumsum(normalized)
    edges[np.flatnonzero(normalized)[-1] :] = np.inf  # rounding
    found: Ints = np.searchsorted(edges, points, side="right")
    return found
