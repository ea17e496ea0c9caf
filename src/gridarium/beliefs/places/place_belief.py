"""What every filter over places can say of its belief."""

from __future__ import annotations

from abc import ABC, abstractmethod

from gridarium.beliefs.entropy import entropy
from gridarium.beliefs.places.estimate import Estimate, estimate
from gridarium.beliefs.places.model import PlaceModel
from gridarium.beliefs.types import Floats


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
        """Where the agent probably is."""
        return estimate(self.model.places, self.belief)

    @property
    def grid(self) -> Floats:
        """float64[height, width]: the belief by cells."""
        return self.model.places.grid(self.belief)

    @property
    def entropy(self) -> float:
        """The entropy of the belief over places, in bits."""
        return entropy(self.belief)
