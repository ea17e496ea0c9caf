"""Where an agent probably is, given a belief over places."""

from __future__ import annotations

from typing import Any, NamedTuple

from gridarium.beliefs.places.places import Places
from gridarium.world import Position


class Estimate(NamedTuple):
    """Where an agent probably is.

    Attributes:
        mean: y and x, the mean over the belief.
        position: the most probable cell; of several, the first one, row by row.
        probability: of that cell.
    """

    mean: tuple[float, float]
    position: Position
    probability: float


def estimate(places: Places, belief: Any) -> Estimate:
    """What a belief, float64[places], says."""
    cells = belief if places.one_heading else places.grid(belief).ravel()
    best = int(cells.argmax())
    y, x = places.cells[best] if places.one_heading else divmod(best, places.shape[1])
    row, column = (belief @ places.coordinates).tolist()
    return Estimate((row, column), Position(y, x), float(cells[best]))
