"""A uniform random number known only to lie in an interval, and numbers computed from it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from gridarium.compiled.data_types.branching import MAX_BRANCHES, MIN_WIDTH
from gridarium.rules.outcomes.errors import NotEnumerable


class UniformInterval:
    """The interval of [0, 1) in which a uniform number is known to lie.

    Args:
        fork: takes the probabilities of branches and returns the index of the one to take.
    """

    def __init__(self, fork: Callable[[list[float]], int]) -> None:
        self._fork, self._low, self._high = fork, 0.0, 1.0

    def below(self, threshold: float) -> bool:
        """Whether the number is below a threshold: a fork, unless the interval implies the answer."""
        if threshold <= self._low + MIN_WIDTH:
            return False
        if threshold >= self._high - MIN_WIDTH:
            return True
        probability = (threshold - self._low) / (self._high - self._low)
        if self._fork([probability, 1.0 - probability]) == 0:
            self._high = threshold
            return True
        self._low = threshold
        return False

    def part(self, count: int) -> int:
        """The index of the one of `count` equal parts of [0, 1) that contains the number.

        Raises:
            NotEnumerable: too many parts.
        """
        if count > MAX_BRANCHES:
            raise NotEnumerable(f"a whole number out of {count} is drawn")
        edges = [(max(self._low, k / count), min(self._high, (k + 1) / count), k) for k in range(count)]
        edges = [edge for edge in edges if edge[1] - edge[0] > MIN_WIDTH]
        span = self._high - self._low
        taken = self._fork([(high - low) / span for low, high, _ in edges]) if len(edges) > 1 else 0
        self._low, self._high, k = edges[taken]
        return k


class RandomNumber:
    """`offset + scale * u` of a uniform number u; can be compared with ordinary numbers."""

    __slots__ = ("_interval", "_offset", "_scale")
    __hash__ = None  # type: ignore[assignment]
    __array_ufunc__ = None  # numpy's scalars leave operators to this class

    def __init__(self, interval: UniformInterval, offset: float = 0.0, scale: float = 1.0) -> None:
        self._interval, self._offset, self._scale = interval, offset, scale

    def _below(self, other: Any) -> bool:
        known = _known(other)
        if self._scale == 0:
            self._refuse()
        threshold = (known - self._offset) / self._scale
        if threshold != threshold:  # noqa: PLR0124
            raise NotEnumerable("a random number is compared with NaN")
        if self._scale > 0:
            return self._interval.below(threshold)
        return not self._interval.below(threshold)

    def __lt__(self, other: Any) -> bool:
        return self._below(other)

    def __gt__(self, other: Any) -> bool:
        return not self._below(other)

    __le__ = __lt__  # equality has probability 0
    __ge__ = __gt__

    def __add__(self, other: Any) -> RandomNumber:
        return RandomNumber(self._interval, self._offset + _known(other), self._scale)

    def __mul__(self, other: Any) -> RandomNumber:
        return RandomNumber(self._interval, self._offset * _known(other), self._scale * _known(other))

    def __sub__(self, other: Any) -> RandomNumber:
        return self + (-_known(other))

    def __rsub__(self, other: Any) -> RandomNumber:
        return RandomNumber(self._interval, _known(other) - self._offset, -self._scale)

    def __truediv__(self, other: Any) -> RandomNumber:
        return self * (1.0 / _known(other))

    __radd__ = __add__
    __rmul__ = __mul__

    def __int__(self) -> int:
        if self._offset != 0 or self._scale < 0 or self._scale != int(self._scale):
            self._refuse()
        return self._interval.part(int(self._scale))

    def _refuse(self, *_: Any) -> NoReturn:
        raise NotEnumerable("a rule computes with a random number in a way that does not branch")

    __float__ = __index__ = __bool__ = __eq__ = __ne__ = __array__ = _refuse
    __pow__ = __mod__ = __floordiv__ = __abs__ = __round__ = __neg__ = _refuse


def _known(other: Any) -> float:
    if isinstance(other, RandomNumber):
        raise NotEnumerable("a rule computes with two random numbers at once")
    if isinstance(other, np.ndarray) and other.size != 1:
        raise NotEnumerable("a rule computes with a random number and an array")
    return float(other)
