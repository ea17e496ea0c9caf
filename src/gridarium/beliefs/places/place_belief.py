"""A belief over the places of a model, and the estimate that it gives."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NamedTuple

from gridarium.beliefs.belief import Floats, entropy
from gridarium.beliefs.places.model import PlaceModel
from gridarium.beliefs.places.places import Places
from gridarium.world import Position


class Estimate(NamedTuple):
    """An estimate of an agent's place.

    Attributes:
        mean: y and x, the mean over the belief.
        position: the most probable cell; of several, the first one, row by row.
        probability: of that cell.
    """

    mean: tuple[float, float]
    position: Position
    probability: float


def estimate(places: Places, belief: Floats) -> Estimate:
    """The estimate that a belief, float64[places], gives."""
    cells = belief if places.one_heading else places.grid(belief).ravel()
    best = int(cells.argmax())
    y, x = places.cells[best] if places.one_heading else divmod(best, places.shape[1])
    row, column = (belief @ places.coordinates).tolist()
    return Estimate((row, column), Position(y, x), float(cells[best]))


class PlaceBelief(ABC):
    """A belief over the places of a model.

    Attributes:
        model: the world as the filter knows it.
    """

    model: PlaceModel

    @property
    @abstractmethod
    def belief(self) -> Floats:
        """float64[places]: the probability of each."""

    def estimate(self) -> Estimate:
        """The estimate of the agent's place."""
        return estimate(self.model.places, self.belief)

    @property
    def grid(self) -> Floats:
        """float64[height, width]: the belief by cells."""
        return self.model.places.grid(self.belief)

    @property
    def entropy(self) -> float:
        """The entropy of the belief over places, in bits."""
        return entropy(self.belief)
