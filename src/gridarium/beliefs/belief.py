"""Beliefs of all kinds: types of arrays, entropy, possible measurements, and the error for impossible ones."""

from __future__ import annotations

import math
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from gridarium.engine.arguments import floats
from gridarium.rules.sensors import Sensor
from gridarium.world import Position, State

Floats: TypeAlias = npt.NDArray[np.float64]
Ints: TypeAlias = npt.NDArray[np.int64]
Prior: TypeAlias = "State | Position | npt.ArrayLike | None"
"""A state or a position (also y and x) for certainty, weights, or None for a uniform belief; see `Places.belief`."""
Evidence: TypeAlias = "Sensor | npt.ArrayLike"
"""A sensor, whose measurement is given too, or the likelihoods of a measurement themselves."""


class Impossible(ValueError):
    """A measurement has no probability under a belief: the model does not fit the world."""


def entropy(belief: npt.ArrayLike) -> float:
    """The entropy of a belief in bits: 0 for certainty, log2(places) for no idea.

    Raises:
        TypeError: not an array of numbers.
    """
    known = floats(belief, "a belief").ravel()
    known = known[known > 0]
    return max(0.0, float(-(known * np.log2(known)).sum()))


def check_measurement(sensor: Sensor, measurement: Any, state: State) -> float:
    """Return a measurement as rules get it, an int or a float, or refuse it if a sensor cannot make it in a state.

    Raises:
        ValueError: it cannot; the message says what it measures.
    """
    is_number = isinstance(measurement, int | float | np.number) and math.isfinite(measurement)
    if sensor.outcomes is None:
        if not is_number:
            raise ValueError(f"sensor {sensor.name} measures finite numbers, not {measurement!r}")
        return float(measurement)
    count = sensor.count(state)
    whole = is_number and not isinstance(measurement, bool) and int(measurement) == measurement
    if not whole or not 0 <= measurement < count:
        raise ValueError(
            f"sensor {sensor.name} measures whole numbers from 0 to {count - 1}, not {measurement!r}"
        )
    return int(measurement)
