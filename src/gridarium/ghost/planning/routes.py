"""Shortest round trips: the travelling salesman problem."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from itertools import pairwise

EXACT = 12
"""The most places for which the exact method is used."""


def round_trip(lengths: Sequence[Sequence[float]]) -> list[int]:
    """The order in which to visit places 1, 2, ... from place 0 and back.

    Exact for up to 12 places (Held and Karp 1962; of equal trips the one that keeps the given order longest); beyond
    that by nearest neighbours, improved by reversing and moving parts while that helps (2-opt, or-opt).

    Args:
        lengths: the distance from each place to each other.
    """
    count = len(lengths) - 1
    return _exact(lengths, count) if count <= EXACT else _improved(lengths, count)


def trip_length(lengths: Sequence[Sequence[float]], order: Sequence[int]) -> float:
    """The length of a round trip."""
    return sum(lengths[a][b] for a, b in pairwise((0, *order, 0)))


def _exact(lengths: Sequence[Sequence[float]], count: int) -> list[int]:
    @functools.cache
    def shortest(here: int, open_places: int) -> float:
        """The length of the shortest trip from a place over all in a bit set, and back."""
        if not open_places:
            return lengths[here][0]
        return min(
            lengths[here][k] + shortest(k, open_places & ~(1 << k))
            for k in range(1, count + 1)
            if open_places >> k & 1
        )

    here, open_places, order = 0, (1 << (count + 1)) - 2, []
    while open_places:
        wanted = shortest(here, open_places)
        following = next(
            k
            for k in range(1, count + 1)
            if open_places >> k & 1
            and lengths[here][k] + shortest(k, open_places & ~(1 << k)) <= wanted + 1e-9
        )
        order.append(following)
        here, open_places = following, open_places & ~(1 << following)
    return order


def _improved(lengths: Sequence[Sequence[float]], count: int) -> list[int]:
    order, waiting, here = [], list(range(1, count + 1)), 0
    while waiting:
        here = min(waiting, key=lambda k: lengths[here][k])
        waiting.remove(here)
        order.append(here)
    best = trip_length(lengths, order)
    while True:
        found = min(_neighbours(order), key=lambda new: trip_length(lengths, new))
        length = trip_length(lengths, found)
        if length >= best - 1e-9:
            return order
        order, best = found, length


def _neighbours(order: list[int]) -> list[list[int]]:
    """All orders with one part reversed, or one part of up to three places moved."""
    n, found = len(order), []
    for i in range(n):
        for j in range(i + 2, n + 1):
            found.append(order[:i] + order[i:j][::-1] + order[j:])
    for length in (1, 2, 3):
        for i in range(n - length + 1):
            part, others = order[i : i + length], order[:i] + order[i + length :]
            found += [others[:k] + part + others[k:] for k in range(len(others) + 1) if k != i]
    return found
