"""The likelihood of a measurement at each place, from the sensors of the rules."""

from __future__ import annotations

import numpy as np

from gridarium.beliefs.belief import Floats, check_measurement
from gridarium.beliefs.places.places import Places
from gridarium.compiled.data_types.random import CLOCK_READ
from gridarium.rules.sensors import Sensor
from gridarium.world import State

MOST_KEPT = 4096
"""The number of likelihoods that are cached."""


class Sensing:
    """Likelihoods of measurements over places.

    Args:
        places: the places at which the agent may be.
        observer: the agent that measures: by default the one whose places these are; another one to track that one.

    Raises:
        IndexError: there is no such agent.
    """

    def __init__(self, places: Places, observer: int | None = None) -> None:
        self.places = places
        self.observer = places.agent if observer is None else observer
        self._ground = places.ground.seen_by(self.observer)
        self._kept: dict[tuple[Sensor, float | None, bytes], Floats] = {}
        self._others, self._when_made = b"", places.state.copy()

    def likelihood(self, sensor: Sensor, measurement: float | None, state: State | None = None) -> Floats:
        """float64[places]: the probability (or density) of a measurement if the agent is there; not to be changed.

        Args:
            sensor: the sensor.
            measurement: its measurement.
            state: with the present places of the other agents; by default those of when the places were made.

        Raises:
            ValueError: a measurement that the sensor cannot make, a sensor whose parameters make no probabilities, or one
                that asks for the tick.
        """
        self._place_others(self._when_made if state is None else state)
        if not isinstance(measurement, int | float):  # what is none of these may have no hash
            check_measurement(sensor, measurement, self._ground)
        key = (sensor, measurement, self._others)
        found = self._kept.get(key)
        if found is None:
            checked = check_measurement(sensor, measurement, self._ground)
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            found = self._kept[key] = self._computed(sensor, checked)
        return found

    def _place_others(self, state: State) -> None:
        """Put all agents but the one in question where they are in a state.

        Raises:
            ValueError: a state with other agents than there are.
        """
        if not isinstance(state, State) or state.agent_rows.shape != self._ground.agent_rows.shape:
            raise ValueError("the places of the other agents are given by a state of the same world")
        others = np.arange(len(self._ground.agent_rows)) != self.places.agent
        self._ground.agent_rows[others] = state.agent_rows[others]
        self._others = self._ground.agent_rows[others].tobytes()

    def _computed(self, sensor: Sensor, measurement: float) -> Floats:
        found = np.empty(len(self.places))
        self._ground.scratch[CLOCK_READ] = 0
        for place in range(len(self.places)):
            self.places.put(self._ground, place)
            found[place] = sensor.likelihood(self._ground, measurement)
        if self._ground.scratch[CLOCK_READ]:
            raise ValueError(
                f"sensor {sensor!r} asks for the tick, which a belief over places does not know; give its likelihood "
                "itself, or use StateFilter"
            )
        if not (np.isfinite(found).all() and (found >= 0).all()):
            raise ValueError(
                f"sensor {sensor!r} gives likelihoods that are negative or not finite for {measurement!r}"
            )
        return found
