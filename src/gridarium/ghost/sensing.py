"""How likely is what the agent's sensors say, in each cell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
SENSOR_MODES = ("color", "cnn", "both")
CLASSES = ("dog", "flower", "background")


def cell_class(cell: dict[str, Any], class_names: Sequence[str] = CLASSES) -> str:
    """What a picture of a cell shows: "dog", "flower" (exactly one), or "background"."""
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
    """float64[cells]: how likely measurements are in each cell; None if nothing was measured. See `ParticleFilter.update`.

    Raises:
        ValueError: another mode.
    """
    check_sensor_mode(sensor_mode)
    found: Floats | None = None
    color, probs = measurements.get("color_measurement"), measurements.get("cnn_probs")
    if sensor_mode != "cnn" and color is not None:
        right = np.array([cell["colour"] == color for cell in grid.flat])
        found = np.where(right, quality, (1.0 - quality) / 2)
    if sensor_mode != "color" and probs is not None:
        shares = np.asarray(probs, np.float64)
        if class_priors is not None:
            shares = shares / np.asarray(class_priors, np.float64)
        names = list(class_names)
        seen = shares[[names.index(cell_class(cell, names)) for cell in grid.flat]]
        found = seen if found is None else found * seen
    return found


def check_sensor_mode(mode: str) -> str:
    """A sensor mode.

    Raises:
        ValueError: another word.
    """
    if mode not in SENSOR_MODES:
        raise ValueError(f"a sensor mode is one of {', '.join(SENSOR_MODES)}, got {mode!r}")
    return mode
