"""The measurements of an agent's sensors as an array, equal to `Sensor.read`, interpreted and compiled."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from gridarium.compiled.data_types.primitives import float64_at, plain_float
from gridarium.rules.sensors import Sensor
from gridarium.world.state import PURPOSE, State


def write_readings(
    frame: Any, output_index: int, index: int, state: State, *, readings: Any, count: int
) -> None:
    """Write the measurement of each sensor for the agent in focus as `sensors`."""
    out = float64_at(frame[output_index] + index * count * 8, (count,))
    for i, reading in enumerate(readings):
        out[i] = reading(state)


def readings_of(sensors: Sequence[Sensor]) -> tuple[Any, ...]:
    """Return functions of a state that draw measurements with the world's own random numbers."""
    return tuple(
        functools.partial(measured, measure=sensor.measure, purpose=PURPOSE["sensor"] + 16 * sensor.stream)
        for sensor in sensors
    )


def measured(state: State, *, measure: Any, purpose: int) -> float:
    """Draw a measurement of the agent in focus."""
    return plain_float(float(measure(state, rng=state.stream(purpose))))


def bounds(sensors: Sequence[Sensor], blank: State) -> tuple[Any, Any]:
    """The lowest and the highest value of each sensor, float64[sensors] each; infinite for those of real numbers.

    The number of outcomes is that in a blank world; it should be the same in all states.
    """
    low = [-np.inf if sensor.outcomes is None else 0.0 for sensor in sensors]
    high = [np.inf if sensor.outcomes is None else max(1.0, sensor.count(blank) - 1.0) for sensor in sensors]
    return np.array(low), np.array(high)
