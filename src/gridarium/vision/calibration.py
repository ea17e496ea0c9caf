"""Measures a classifier's probabilities: accuracy, log loss and calibration; finds the temperature that calibrates them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
BINS = 15
"""Into how many bins of equal width the confidence is put; as is usual."""
COLDEST, HOTTEST, HALVINGS = 0.25, 20.0, 60
"""The range of temperatures: below it, a few thousand pictures without a mistake would make for boundless certainty."""


def softmax(scores: npt.ArrayLike, temperature: float | Floats = 1.0) -> Floats:
    """float64[n, classes]: probabilities from scores, the flatter the higher the temperature (one, or float[n])."""
    heat = np.asarray(temperature, np.float64)
    cooled = np.asarray(scores, np.float64) / (heat[:, None] if heat.ndim else heat)
    raised: Floats = np.exp(cooled - cooled.max(axis=-1, keepdims=True))
    raised /= raised.sum(axis=-1, keepdims=True)
    return raised


def log_loss(probabilities: Floats, labels: Ints) -> float:
    """The mean of -log(probability given to the right class), in nats."""
    given = probabilities[np.arange(len(labels)), labels]
    return float(-np.log(np.maximum(given, 1e-300)).mean())


def best_temperature(scores: npt.ArrayLike, labels: Ints) -> float:
    """The temperature with the least log loss.

    The loss is convex in 1 / temperature, so halving an interval by the sign of its slope finds it.
    Source: Guo, Pleiss, Sun and Weinberger (2017), On calibration of modern neural networks.
    """
    given = np.asarray(scores, np.float64)
    right = given[np.arange(len(labels)), labels]
    low, high = 1 / HOTTEST, 1 / COLDEST
    for _ in range(HALVINGS):
        cold = (low + high) / 2
        slope = float(((softmax(given * cold) * given).sum(axis=1) - right).mean())
        low, high = (cold, high) if slope < 0 else (low, cold)
    return 2 / (low + high)


@dataclass(frozen=True)
class Quality:
    """The quality of predicted probabilities.

    Attributes:
        count: of how many pictures.
        accuracy: the share in which the most probable class was right.
        log_loss: see `log_loss`.
        calibration_error: the expected calibration error: how far the share of right answers is from the confidence,
            over bins of equal width.
        confusion: int64[true, said]: how often which class was taken for which.
        confidence: float64[bins]: the mean confidence in each bin; NaN where there is none.
        right: float64[bins]: the share of right answers; NaN where there are none.
        counts: int64[bins]: how many.
    """

    count: int
    accuracy: float
    log_loss: float
    calibration_error: float
    confusion: Ints
    confidence: Floats
    right: Floats
    counts: Ints

    @staticmethod
    def of(probabilities: Floats, labels: Ints) -> Quality:
        """Judge probabilities, float64[n, classes], by the true classes, int64[n]; n is at least 1."""
        classes, n = probabilities.shape[1], len(labels)
        said, sure = probabilities.argmax(axis=1), probabilities.max(axis=1)
        hit = said == labels
        confusion = np.bincount(labels * classes + said, minlength=classes * classes).reshape(
            classes, classes
        )
        which = np.minimum((sure * BINS).astype(np.int64), BINS - 1)
        counts = np.bincount(which, minlength=BINS)
        with np.errstate(invalid="ignore"):
            confidence = np.bincount(which, sure, BINS) / counts
            right = np.bincount(which, hit, BINS) / counts
        gap = np.nansum(np.abs(confidence - right) * counts) / n
        return Quality(
            n,
            float(hit.mean()),
            log_loss(probabilities, labels),
            float(gap),
            confusion,
            confidence,
            right,
            counts,
        )

    @property
    def standard_error(self) -> float:
        """Of the accuracy."""
        return float(np.sqrt(self.accuracy * (1 - self.accuracy) / self.count))
