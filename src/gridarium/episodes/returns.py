"""Discounted returns and advantage estimates of whole episodes.

All functions take arrays with time on the first axis; discounted sums and advantages also with axes of environments after it.
Where data is truncated, returns are bootstrapped with the value of the last observation; after a terminal state its value is 0.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


class Advantages(NamedTuple):
    """The result of `generalised_advantages`: float64[T, ...] each; targets are advantages + values."""

    advantages: Floats
    targets: Floats


class NStep(NamedTuple):
    """The result of `n_step_returns`.

    Attributes:
        returns: float64[T]: the discounted sum of the next n rewards, or of fewer near the end.
        steps: int64[T]: the number of these rewards.
    """

    returns: Floats
    steps: npt.NDArray[np.int64]


def discounted_sums(rewards: npt.ArrayLike, discount: float, last_value: npt.ArrayLike = 0.0) -> Floats:
    """Return the discounted sum of rewards from each step to the end.

    Args:
        rewards: [T, ...].
        discount: between 0 and 1.
        last_value: [...]: the value of the last observation; 0 if it is terminal.

    Returns:
        float64[T, ...].

    Raises:
        ValueError: a discount outside 0 to 1.
    """
    return _reversed_sums(np.asarray(rewards, np.float64), _checked(discount, "discount"), last_value)


def n_step_returns(rewards: npt.ArrayLike, n: int, discount: float) -> NStep:
    """Return the discounted sum of the next n rewards at each step.

    To use it as a target, add `discount ** steps` times the value of the observation `steps` further on, unless that one is
    terminal.

    Args:
        rewards: [T].
        n: at least 1. Near the end there are fewer.
        discount: between 0 and 1.

    Raises:
        ValueError: n below 1, or a discount outside 0 to 1.
    """
    if n < 1:
        raise ValueError(f"n is 1 or more, got {n}")
    array = np.asarray(rewards, np.float64)
    total = len(array)
    weights = _checked(discount, "discount") ** np.arange(min(n, total))
    padded = np.concatenate([array, np.zeros(max(len(weights) - 1, 0))])
    returns = np.convolve(padded, weights[::-1], "valid") if total else array
    return NStep(returns, np.minimum(n, np.arange(total, 0, -1)))


def generalised_advantages(
    rewards: npt.ArrayLike,
    values: npt.ArrayLike,
    discount: float,
    smoothing: float,
    *,
    terminated: bool = False,
) -> Advantages:
    """Generalised advantage estimates (Schulman et al. 2016, https://arxiv.org/abs/1506.02438).

    Args:
        rewards: [T, ...].
        values: [T + 1, ...]: of all observations, the last included.
        discount: between 0 and 1.
        smoothing: lambda in the paper, between 0 (one step ahead) and 1 (to the end).
        terminated: the last observation is terminal: its value counts as 0.

    Raises:
        ValueError: shapes that do not match, or numbers outside 0 to 1.
    """
    gained, valued = np.asarray(rewards, np.float64), np.array(values, np.float64)
    if valued.shape != (len(gained) + 1, *gained.shape[1:]):
        raise ValueError(
            f"rewards {gained.shape} need one value more, that of the last observation; got values {valued.shape}"
        )
    if terminated:
        valued[-1] = 0.0
    errors = gained + _checked(discount, "discount") * valued[1:] - valued[:-1]
    advantages = _reversed_sums(errors, discount * _checked(smoothing, "smoothing"), 0.0)
    return Advantages(advantages, advantages + valued[:-1])


def _reversed_sums(terms: Floats, factor: float, last: npt.ArrayLike) -> Floats:
    """`sums[t] = terms[t] + factor * sums[t + 1]`, with `last` after the end.

    Blocks of steps are computed as one product with a triangular matrix of powers of the factor; each block needs the first sum
    of the next one. There is no division by powers, so small factors lose no precision.
    """
    total = len(terms)
    size = min(BLOCK, total)
    sums = np.empty((total, *terms.shape[1:]))
    after = np.broadcast_to(np.asarray(last, np.float64), terms.shape[1:])
    if not total:
        return sums
    if not np.isfinite(terms).all():  # in a product it would spread to all steps of its block
        for t in range(total - 1, -1, -1):
            after = sums[t] = terms[t] + factor * after
        return sums
    exponents = np.arange(size)[None, :] - np.arange(size)[:, None]
    powers = np.where(exponents >= 0, factor ** np.maximum(exponents, 0).astype(np.float64), 0.0)
    decay = factor ** np.arange(size, 0, -1, dtype=np.float64)
    for stop in range(total, 0, -size):
        start = max(stop - size, 0)
        n = stop - start
        sums[start:stop] = np.tensordot(powers[:n, :n], terms[start:stop], axes=1)
        sums[start:stop] += np.multiply.outer(decay[size - n :], after)
        after = sums[start]
    return sums


BLOCK = 64


def _checked(number: float, name: str) -> float:
    if not 0.0 <= number <= 1.0:
        raise ValueError(f"{name} lies between 0 and 1, got {number}")
    return number
