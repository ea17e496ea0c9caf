"""What a sensor can measure."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gridarium.rules.sensors import Sensor
from gridarium.world import State


def check_measurement(sensor: Sensor, measurement: Any, state: State) -> None:
    """Refuse what a sensor cannot measure in a state.

    Raises:
        ValueError: what it measures instead.
    """
    is_number = isinstance(measurement, int | float | np.number) and math.isfinite(measurement)
    if sensor.outcomes is None:
        if not is_number:
            raise ValueError(f"sensor {sensor.name} measures finite numbers, not {measurement!r}")
        return
    count = sensor.count(state)
    whole = is_number and not isinstance(measurement, bool) and int(measurement) == measurement
    if not whole or not 0 <= measurement < count:
        raise ValueError(
            f"sensor {sensor.name} measures whole numbers from 0 to {count - 1}, not {measurement!r}"
        )
