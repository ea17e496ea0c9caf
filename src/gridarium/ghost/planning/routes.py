"""The shortest round trip over some places."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

EXACT = 12
"""Up to so many places the trip is exactly the shortest."""


def round_trip(lengths: Sequence[Sequence[float]]) -> list[int]:
    """The order in which to visit places 1, 2, ... from place 0 and back.

    Up to 12 places exactly (Held and Karp 1962; of equal trips the one that keeps the given order longest), beyond that
    by the nearest neighbour, improved by turning round and moving parts until neither helps (2-opt, or-opt).

    Args:
        lengths: how far it is from each place to each other.
    """
    count = len(lengths) - 1
    return _exact(lengths, count) if count <= EXACT else _improved(lengths, count)


def trip_length(lengths: Sequence[Sequence[float]], order: Sequence[int]) -> float:
    """How long a round trip is."""
    return sum(lengths[a][b] for a, b in pairwise((0, *order, 0)))


def _exact(lengths: Sequence[Sequence[float]], count: int) -> list[int]:
    rest: dict[tuple[int, int], float] = {}

    def left(here: int, open_places: int) -> float:
        """How long it is from a place over all that are open, and back."""
        if not open_places:
            return lengths[here][0]
        key = (here, open_places)
        if key not in rest:
            rest[key] = min(
                lengths[here][k] + left(k, open_places & ~(1 << k))
                for k in range(1, count + 1)
                if open_places >> k & 1
            )
        return rest[key]

    here, open_places, order = 0, (1 << (count + 1)) - 2, []
    while open_places:
        wanted = left(here, open_places)
        following = next(
            k
            for k in range(1, count + 1)
            if open_places >> k & 1 and lengths[here][k] + left(k, open_places & ~(1 << k)) <= wanted + 1e-9
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
    """All orders with one part turned round, or one part of up to three places moved."""
    n, found = len(order), []
    for i in range(n):
        for j in range(i + 2, n + 1):
            found.append(order[:i] + order[i:j][::-1] + order[j:])
    for length in (1, 2, 3):
        for i in range(n - length + 1):
            part, others = order[i : i + length], order[:i] + order[i + length :]
            found += [others[:k] + part + others[k:] for k in range(len(others) + 1) if k != i]
    return found
