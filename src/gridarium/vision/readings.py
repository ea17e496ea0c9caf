"""A classifier's output as one of a few readings with measured probabilities: a sensor for any world."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.rules.sensors import Sensor, sensor
from gridarium.world import Grid
from gridarium.world.objects import GridObject

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
STEPS = (0.6, 0.8, 0.95)
"""The boundaries between levels of confidence."""
LEVELS = len(STEPS) + 1


def read(posteriors: npt.ArrayLike) -> Ints:
    """int64[n]: the reading of each of float[n, classes]: most probable class * 4 + how sure it is (0 to 3)."""
    given = np.asarray(posteriors, np.float64)
    found: Ints = given.argmax(axis=-1) * LEVELS
    found += np.searchsorted(STEPS, given.max(axis=-1), side="right")
    return found


def classes_on(grid: Grid, *object_types: type[GridObject]) -> Ints:
    """int64[height, width]: of each cell the first of some kinds that its object is of, or their number.

    `likelihood[classes_on(grid, Dog, Flower)]` is the likelihood over cells, as filters take it.
    """
    found = np.full(grid.shape.as_tuple, len(object_types))
    for p in grid.positions():
        matching = (i for i, kind in enumerate(object_types) if isinstance(grid[p], kind))
        found[p.yx] = next(matching, len(object_types))
    return found


@dataclass(frozen=True, eq=False)
class Readings:
    """The probability of each reading for a picture of each class.

    Attributes:
        classes: what they are called.
        table: float64[classes, classes * 4]: rows add up to 1.
    """

    classes: tuple[str, ...]
    table: Floats

    @staticmethod
    def counted(classes: Sequence[str], counts: npt.ArrayLike) -> Readings:
        """From int[classes, classes * 4], how often each reading was made; each is taken to have come up once more.

        So nothing is thought impossible only because it was not seen (Laplace's rule of succession).
        """
        table = np.asarray(counts, np.float64) + 1
        return Readings(tuple(classes), table / table.sum(axis=1, keepdims=True))

    @property
    def confusion(self) -> Floats:
        """float64[classes, classes]: how probable each answer is, whatever the confidence; a row for each true class."""
        found: Floats = self.table.reshape(len(self.classes), -1, LEVELS).sum(axis=2)
        return found

    def sensor(self, *object_types: type[GridObject], answers_only: bool = False) -> Sensor:
        """A sensor of the rules: for filters, planners and composed worlds; measures what `read` says.

        Args:
            object_types: which kinds the classes stand for, in order; the last class is everything else.
            answers_only: measure the class alone (see `confusion`), not how sure it is.

        Raises:
            ValueError: more or fewer kinds than classes but the last.
        """
        return sensor("object_class", **self._parameters(object_types, answers_only))

    def entry(self, *object_types: type[GridObject], answers_only: bool = False) -> dict[str, Any]:
        """The same as it is written in a world's description, under `sensors`."""
        given = self._parameters(object_types, answers_only)
        rows = [[round(share, 5) for share in row] for row in given["confusion"]]
        return {"name": "object_class", "object_types": [k.__name__ for k in object_types], "confusion": rows}

    def _parameters(self, object_types: tuple[type[GridObject], ...], answers_only: bool) -> dict[str, Any]:
        if len(object_types) != len(self.classes) - 1:
            listed = ", ".join(self.classes[:-1])
            raise ValueError(
                f"there is one kind of object for each of {listed}; got {len(object_types)} kinds"
            )
        table = self.confusion if answers_only else self.table
        return {"object_types": object_types, "confusion": tuple(map(tuple, table.tolist()))}
