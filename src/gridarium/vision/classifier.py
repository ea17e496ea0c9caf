"""A classifier of pictures of cells: posterior probabilities and likelihoods of classes."""

from __future__ import annotations

import functools
import os
from importlib.resources import as_file, files

import numpy as np
import numpy.typing as npt

from gridarium.vision.calibration import softmax
from gridarium.vision.model_file import Card, load_model, save_model
from gridarium.vision.network import Network
from gridarium.vision.readings import Readings

Floats = npt.NDArray[np.float64]
STRENGTH = 1.0
"""The default strength of disturbance (see `disturb`)."""
SHIPPED = "ghost.npz"


class Classifier:
    """Tells classes of pictures apart.

    What it says is calibrated for pictures that are disturbed by a known strength: of the pictures of which it gives a
    class 80 %, about 80 % are of that class, as long as classes are as frequent as `class_priors` says.

    Args:
        network: gives scores.
        card: what it is.

    Attributes:
        class_names: what the classes are called.
        class_priors: how frequent they were in training.
        size: the side of pictures in pixels.

    Example:
        >>> classifier = Classifier.load()
        >>> classifier.class_names
        ('dog', 'flower', 'background')
    """

    def __init__(self, network: Network, card: Card) -> None:
        self.network, self.card = network, card
        self.class_names, self.class_priors, self.size = card.classes, card.class_priors, card.size
        self._strengths = [level.strength for level in card.levels]
        self._temperatures = [level.temperature for level in card.levels]

    @staticmethod
    def load(path: str | os.PathLike[str] | None = None) -> Classifier:
        """The classifier of a file; by default the one that comes along, for the ghost world.

        Raises:
            FileNotFoundError: there is no such file.
            ModelError: it is not a model, or broken.
        """
        return _shipped() if path is None else Classifier(*load_model(path))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it to a file (.npz).

        Raises:
            OSError: it cannot be written.
        """
        save_model(path, self.network, self.card)

    def posteriors(self, pictures: npt.ArrayLike, strength: float = STRENGTH) -> Floats:
        """The posterior probability of each class, if classes are as frequent as in training.

        Args:
            pictures: float[n, size, size, 3], between 0 and 1.
            strength: how much they were disturbed.

        Returns:
            float64[n, classes]; rows add up to 1.

        Raises:
            ValueError: pictures of another shape.
        """
        return softmax(self.network.scores(pictures), self.temperature(strength))

    def likelihoods(self, pictures: npt.ArrayLike, strength: float = STRENGTH) -> Floats:
        """The likelihood of each class: posterior / prior, up to a factor of each picture.

        This is what a Bayes filter multiplies with: its own belief is the prior.

        Returns:
            float64[n, classes].
        """
        found = self.posteriors(pictures, strength)
        found /= np.array(self.class_priors)
        return found

    def temperature(self, strength: float) -> float:
        """By what scores are divided at a strength: as measured, in between by straight lines."""
        return float(np.interp(strength, self._strengths, self._temperatures))

    def readings(self, strength: float = STRENGTH) -> Readings:
        """The probability of each reading at a strength: as measured, interpolated linearly in between."""
        tables = [Readings.counted(self.class_names, level.readings).table for level in self.card.levels]
        where = float(np.interp(strength, self._strengths, range(len(tables))))
        low = min(int(where), len(tables) - 1)
        high, share = min(low + 1, len(tables) - 1), where - low
        return Readings(self.class_names, (1 - share) * tables[low] + share * tables[high])


@functools.lru_cache(1)
def _shipped() -> Classifier:
    with as_file(files("gridarium.vision") / SHIPPED) as path:
        return Classifier(*load_model(path))
