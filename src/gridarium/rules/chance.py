"""Every outcome of rules with its probability: they are run again and again, each time with other luck.

A rule that asks `rng` for a whole number, or whether a uniform number is below a threshold, is at a fork. The explorer
runs it down every branch and multiplies the branches' shares, so any rule whose chance is of this kind has an exact
distribution without declaring one. A rule that draws what has no small number of branches (normal numbers, products
of uniform ones) is refused, for others to sample. `gridarium.compiled.branching` does the same in compiled code.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NoReturn

from gridarium.compiled.branching import MOST_BRANCHES, SLIVER


class NotEnumerable(Exception):
    """A rule's chance has no small number of branches."""


class Explorer:
    """Visits the leaves of a tree whose branchings are found by walking down it.

    Attributes:
        uniform: the uniform numbers that have been asked for on this walk, by stream and place in it.
        clock_read: whether a rule has asked for the tick or the episode on any walk.
    """

    def __init__(self) -> None:
        self.clock_read = False
        self._path: list[tuple[int, list[float]]] = []
        self._depth, self._most = 0, MOST_BRANCHES
        self.uniform: dict[Any, Uniform] = {}

    def leaves(self, walk: Callable[[], Any], most: int = MOST_BRANCHES) -> list[tuple[float, Any]]:
        """(probability, what `walk` returned) for every way that luck can go.

        Raises:
            NotEnumerable: more than `most` ways, or a kind of draw that does not branch.
        """
        found = []
        self._most = most
        while True:
            self._depth = 0
            self.uniform.clear()
            result = walk()
            found.append((math.prod(weights[taken] for taken, weights in self._path), result))
            if len(found) > most:
                raise NotEnumerable(f"luck can go more than {most} ways")
            while self._path and self._path[-1][0] + 1 == len(self._path[-1][1]):
                self._path.pop()
            if not self._path:
                return found
            taken, weights = self._path.pop()
            self._path.append((taken + 1, weights))

    def fork(self, weights: list[float]) -> int:
        """Which branch is taken here, of branches with these shares."""
        if self._depth == len(self._path):
            if self._depth == self._most:  # each fork leads to one way more, at least
                raise NotEnumerable(
                    f"luck can go more than {self._most} ways: is there a loop that goes on by chance?"
                )
            self._path.append((0, weights))
        taken = self._path[self._depth][0]
        self._depth += 1
        return taken


class Uniform:
    """A number in [0, 1) of which only an interval is known as yet."""

    def __init__(self, explorer: Explorer) -> None:
        self._explorer, self._low, self._high = explorer, 0.0, 1.0

    def below(self, threshold: float) -> bool:
        """Whether it is below a threshold: a fork, unless the interval says it."""
        if threshold <= self._low + SLIVER:
            return False
        if threshold >= self._high - SLIVER:
            return True
        share = (threshold - self._low) / (self._high - self._low)
        if self._explorer.fork([share, 1.0 - share]) == 0:
            self._high = threshold
            return True
        self._low = threshold
        return False

    def part(self, count: int) -> int:
        """In which of `count` equal parts of [0, 1) it lies."""
        if count > MOST_BRANCHES:
            raise NotEnumerable(f"a whole number out of {count} is drawn")
        edges = [(max(self._low, k / count), min(self._high, (k + 1) / count), k) for k in range(count)]
        edges = [edge for edge in edges if edge[1] - edge[0] > SLIVER]
        span = self._high - self._low
        taken = self._explorer.fork([(high - low) / span for low, high, _ in edges]) if len(edges) > 1 else 0
        self._low, self._high, k = edges[taken]
        return k


class Number:
    """`offset + scale * u` of a uniform number u, to be compared with numbers that are known."""

    __slots__ = ("_offset", "_scale", "_u")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, u: Uniform, offset: float = 0.0, scale: float = 1.0) -> None:
        self._u, self._offset, self._scale = u, offset, scale

    def _below(self, other: Any) -> bool:
        if isinstance(other, Number) or self._scale == 0:
            self._refuse()
        threshold = (float(other) - self._offset) / self._scale
        return self._u.below(threshold) if self._scale > 0 else not self._u.below(threshold)

    def __lt__(self, other: Any) -> bool:
        return self._below(other)

    def __gt__(self, other: Any) -> bool:
        return not self._below(other)

    __le__ = __lt__  # being equal has no probability
    __ge__ = __gt__

    def __add__(self, other: Any) -> Number:
        return Number(self._u, self._offset + _known(other), self._scale)

    def __mul__(self, other: Any) -> Number:
        return Number(self._u, self._offset * _known(other), self._scale * _known(other))

    def __sub__(self, other: Any) -> Number:
        return self + (-_known(other))

    def __rsub__(self, other: Any) -> Number:
        return Number(self._u, _known(other) - self._offset, -self._scale)

    def __truediv__(self, other: Any) -> Number:
        return self * (1.0 / _known(other))

    __radd__ = __add__
    __rmul__ = __mul__

    def __int__(self) -> int:
        if self._offset != 0 or self._scale < 0 or self._scale != int(self._scale):
            self._refuse()
        return self._u.part(int(self._scale))

    def _refuse(self, *_: Any) -> NoReturn:
        raise NotEnumerable("a rule computes with a random number in a way that does not branch")

    __float__ = __index__ = __bool__ = __eq__ = __ne__ = __array__ = _refuse
    __pow__ = __mod__ = __floordiv__ = __abs__ = __round__ = __neg__ = _refuse


def _known(other: Any) -> float:
    if isinstance(other, Number):
        raise NotEnumerable("a rule computes with two random numbers at once")
    return float(other)
