"""Filters compared on random walks through a world: how often they are right, how sure they are, how long they take."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from gridarium.beliefs.belief import Evidence, Floats, Ints, Prior
from gridarium.beliefs.places.model import PlaceModel, check_model
from gridarium.beliefs.places.place_belief import Estimate
from gridarium.beliefs.states.state_sensing import StateSensing
from gridarium.engine.arguments import check_count, check_function, generator
from gridarium.engine.outcomes.copies import Copies
from gridarium.rules.limits import is_list
from gridarium.rules.sensors import Sensor
from gridarium.world import Action
from gridarium.world.agent import ACTIVE, ORIENTATION, X, Y
from gridarium.world.state import TURN


class Filter(Protocol):
    """The protocol of filters that can be compared: `BayesFilter`, `ParticleFilter`, and others with their methods."""

    def predict(self, action: Action | int) -> None:
        """The agent has acted."""

    def update(self, given: Evidence, measurement: float | None = None) -> None:
        """Something was measured."""

    def estimate(self) -> Estimate:
        """The estimate of the agent's place."""

    @property
    def belief(self) -> Floats:
        """float64[places]."""

    @property
    def entropy(self) -> float:
        """In bits."""


@dataclass(frozen=True)
class Walks:
    """Recorded walks.

    Attributes:
        sensors: the sensors that measured.
        actions: int64[walks, steps]: indices of actions.
        places: int64[walks, steps + 1]: where the agent was.
        measurements: float64[walks, steps + 1, sensors]: what was measured there.
    """

    sensors: tuple[Sensor, ...]
    actions: Ints
    places: Ints
    measurements: Floats


@dataclass(frozen=True)
class Comparison:
    """The accuracy and the speed of a filter.

    Attributes:
        right: bool[walks, steps + 1]: whether the cell that it thought most probable was the right one.
        truth: float64[walks, steps + 1]: the probability that it gave the right cell.
        entropy: float64[walks, steps + 1]: in bits.
        seconds: for each action: prediction, update, resampling and estimate.
    """

    right: npt.NDArray[np.bool_]
    truth: Floats
    entropy: Floats
    seconds: float


def random_walks(
    model: PlaceModel,
    sensors: Sequence[Sensor],
    *,
    walks: int = 100,
    steps: int = 20,
    start: Prior = None,
    seed: int = 0,
) -> Walks:
    """Let an agent walk at random through the world itself, and measure all the time.

    Other agents are away, and walks go on where an episode would end.

    Args:
        model: of the agent; its world moves it.
        sensors: the agent's sensors.
        walks: their number.
        steps: actions of each.
        start: the belief from which first places are drawn (see `Places.belief`); by default uniform.
        seed: of the starts, the actions and the world's random numbers.

    Raises:
        TypeError: not a model, not a list of sensors, or not a number where one is needed.
        ValueError: no walks, no steps, or the agent comes to where the model has no place.
    """
    check_model(model)
    check_count("walks", walks)
    check_count("steps", steps)
    if not is_list(sensors):
        raise TypeError(f"sensors are a list of them, not {sensors!r}")
    for sensor in sensors:
        if not isinstance(sensor, Sensor):
            raise TypeError(f"sensors are made by gridarium.rules.sensors.sensor, not {sensor!r}")
    rng, places, agent = generator(seed), model.places, model.places.agent
    copies, state = Copies(model.world, walks), places.ground
    state.agent_rows[np.arange(len(state.agent_rows)) != agent, ACTIVE] = 0
    state.data[TURN] = agent
    copies.fill(state, rng)
    was = np.zeros((walks, steps + 1), np.int64)
    was[:, 0] = rng.choice(len(places), walks, p=places.belief(start))
    agent_rows = copies.agent_rows[:, agent]
    agent_rows[:, [Y, X]] = places.positions[was[:, 0]]
    agent_rows[:, ORIENTATION] = places.headings[was[:, 0]]
    asked = [StateSensing(copies, sensor, agent) for sensor in sensors]
    measured = np.zeros((walks, steps + 1, len(sensors)))
    did = rng.choice(model.known, (walks, steps))
    given = np.zeros((walks, model.world.spec.agents), np.int64)
    for t in range(steps + 1):
        if t:
            given[:, agent] = did[:, t - 1]
            copies.step(given)
            rows = agent_rows[:, [Y, X, ORIENTATION]].tolist()
            was[:, t] = [places.number(*row) for row in rows]
        for k, sensing in enumerate(asked):
            measured[:, t, k] = sensing.measurements()
    return Walks(tuple(sensors), did, was, measured)


def compare(make: Callable[[int], Filter], model: PlaceModel, walks: Walks) -> Comparison:
    """Let a filter follow all walks.

    Args:
        make: gives a fresh filter for the walk of a number (to be seeded with).
        model: as of the walks.
        walks: the recorded walks.

    Raises:
        TypeError: not a function that makes filters, not a model, or no walks.
    """
    check_function("make", make)
    check_model(model)
    if not isinstance(walks, Walks):
        raise TypeError(f"walks are needed, as random_walks gives them, not {walks!r}")
    count, steps = walks.actions.shape
    right = np.zeros((count, steps + 1), np.bool_)
    truth, entropies = np.zeros((count, steps + 1)), np.zeros((count, steps + 1))
    whole = [sensor.outcomes is not None for sensor in walks.sensors]
    seconds = 0.0
    for w in range(count):
        known = make(w)
        resample = getattr(known, "resample", None)
        measured = [
            [int(m) if counted else m for m, counted in zip(row, whole, strict=True)]
            for row in walks.measurements[w].tolist()
        ]
        actions = walks.actions[w].tolist()
        for t in range(steps + 1):
            started = time.perf_counter()
            if t:
                known.predict(actions[t - 1])
            for sensor, measurement in zip(walks.sensors, measured[t], strict=True):
                known.update(sensor, measurement)
            if resample is not None:
                resample()
            guess = known.estimate()
            seconds += time.perf_counter() - started
            y, x = model.places.positions[walks.places[w, t]]
            right[w, t] = guess.position.y == y and guess.position.x == x
            truth[w, t] = model.places.grid(known.belief)[y, x]
            entropies[w, t] = known.entropy
    return Comparison(right, truth, entropies, seconds / (count * (steps + 1)))
