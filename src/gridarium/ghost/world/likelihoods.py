"""The likelihood of sensor readings in each cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from gridarium.ghost.world.checks import check_of, probability

Floats = npt.NDArray[np.float64]
COLOURS = (0, 1, 2)
CLASSES = ("dog", "flower", "background")
check_sensor_mode = check_of(Literal["color", "cnn", "both"], "one of color, cnn, both")


def cell_class(cell: dict[str, Any], class_names: Sequence[str] = CLASSES) -> str:
    """The class of a picture of a cell: "dog", "flower" (exactly one), or "background"."""
    for name in ("dog", "flower"):
        if name in cell["items"] and name in class_names:
            return name
    return "background"


def likelihoods(
    measurements: dict[str, Any],
    sensor_mode: str,
    grid: Any,
    class_names: Sequence[str] = CLASSES,
    quality: float = 0.8,
    class_priors: Sequence[float] | None = None,
) -> Floats | None:
    """float64[cells]: the likelihood of measurements in each cell; None if nothing was measured.

    Arguments are those of `ParticleFilter.update`.

    Raises:
        ValueError: an unknown mode or color, or not one probability for each class.
    """
    check_sensor_mode("a sensor mode", sensor_mode)
    if not isinstance(measurements, Mapping):
        raise ValueError(f"measurements is a dictionary, such as info, got {measurements!r}")
    probability("color_sensor_quality", quality)
    found: Floats | None = None
    color, probs = measurements.get("color_measurement"), measurements.get("cnn_probs")
    if sensor_mode != "cnn" and color is not None:
        if color not in COLOURS:
            raise ValueError(f"color_measurement is 0 (none), 1 (red) or 2 (green), got {color!r}")
        right = np.array([cell["colour"] == color for cell in grid.flat])
        found = np.where(right, quality, (1.0 - quality) / 2)
    if sensor_mode != "color" and probs is not None:
        names = _checked_names(class_names)
        shares = checked_numbers("cnn_probs", probs, len(names))
        if class_priors is not None:
            priors = checked_numbers("cnn_class_priors", class_priors, len(names))
            if not priors.all():
                raise ValueError(f"cnn_class_priors are above 0, got {class_priors!r}")
            shares = shares / priors
        seen = shares[[names.index(cell_class(cell, names)) for cell in grid.flat]]
        found = seen if found is None else found * seen
    return found


class ColorTables:
    """Likelihoods of colors in an environment, computed again when its map or its sensor has changed."""

    def __init__(self) -> None:
        self._key: tuple[Any, ...] = ()
        self._rows: list[Floats | None] = []

    def of(self, env: Any, mode: str) -> list[Floats | None]:
        """float64[cells] for each color that may be read; None where colors are not used."""
        key = (env.tables, env.color_sensor_quality, mode)
        if self._key != key:
            self._rows = [
                likelihoods({"color_measurement": c}, mode, env.grid, CLASSES, key[1]) for c in COLOURS
            ]
            self._key = key
        return self._rows


def checked_numbers(name: str, given: Any, count: int) -> Floats:
    """float64[count]: probabilities or likelihoods.

    Raises:
        ValueError: the wrong number of them, or some are negative or not finite.
    """
    try:
        found = np.asarray(given, np.float64)
    except (TypeError, ValueError):
        found = np.empty(0)
    if found.shape != (count,) or not (np.isfinite(found).all() and (found >= 0).all()):
        raise ValueError(f"{name} are {count} finite numbers, not negative, got {given!r}")
    return found


def _checked_names(given: Sequence[str]) -> list[str]:
    names = list(given)
    if "background" not in names:
        raise ValueError(f"cnn_class_names lacks 'background', got {given!r}")
    return names
