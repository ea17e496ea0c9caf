"""Built-in sensors: `(state, measurement, *, <parameters>)` returns the probability (or density) of a measurement.

Sensors with another source say so.

Source: Gridarium.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from gridarium.rules.limits import Limit, count, is_list, not_empty, not_negative, positive, probability
from gridarium.rules.search import path_length
from gridarium.rules.sensor_registry import Sensor, factory, sensor, sensor_registry
from gridarium.world.colors import Color
from gridarium.world.geometry import DistanceFunction, Position, from_quarter_turns
from gridarium.world.objects import GridObject
from gridarium.world.state import State

__for_rules__ = True

__all__ = ["Sensor", "factory", "sensor", "sensor_registry"]


ROUNDING = 1e-3
"""The tolerance for the sum of given probabilities."""


def _number_of_colors(state: State, *, colors: tuple[Color, ...]) -> int:
    return len(colors)


@sensor_registry.register(outcomes=_number_of_colors, limits={"colors": not_empty, "quality": probability})
def color(state: State, measurement: int, *, colors: tuple[Color, ...], quality: float = 0.8) -> float:
    """The color of the cell under the agent, as its index in `colors`; otherwise a wrong one, uniformly.

    A color that is not listed counts as the first one; a single color is always reported.

    Source: the color sensor of CustomGridEnv (GhostGrid).
    """
    there = state.grid[state.agent.position].color
    true = 0
    for i in range(len(colors)):
        if there == colors[i]:
            true = i
    if len(colors) == 1:
        return 1.0 if measurement == true else 0.0
    return quality if measurement == true else (1.0 - quality) / (len(colors) - 1)


def _number_of_classes(state: State, *, confusion: tuple[tuple[float, ...], ...]) -> int:
    return len(confusion[0])


def _confusion(value: Any, parameters: Mapping[str, Any]) -> str:
    """The limits of `confusion`: a row of probabilities for each class, including "none of them"."""
    classes = len(parameters["object_types"]) + 1
    if not is_list(value) or len(value) != classes or not all(map(is_list, value)):
        return f"a table of {classes} rows, one for each of object_types and one for none of them"
    long = {len(row) for row in value} == {len(value[0])} and len(value[0]) > 0
    sound = all(not probability(share, parameters) for row in value for share in row)
    if long and sound and all(abs(math.fsum(row) - 1) < ROUNDING for row in value):
        return ""
    return "a table of probabilities, its rows of one length that add up to 1"


@sensor_registry.register(outcomes=_number_of_classes, limits={"confusion": _confusion})
def object_class(
    state: State,
    measurement: int,
    *,
    object_types: tuple[type[GridObject], ...],
    confusion: tuple[tuple[float, ...], ...],
) -> float:
    """A classifier's output for the cell under the agent: one of `object_types`, or none of them (the last class).

    `confusion[true][said]` are the probabilities, a row for each true class. Outputs may be finer than the classes (to
    include the classifier's confidence, for example): the length of the rows is the number of outputs.
    """
    return confusion[class_of(state, object_types=object_types)][int(measurement)]


def class_of(state: State, *, object_types: tuple[type[GridObject], ...]) -> int:
    """The index of the first matching type of the object under the agent, or the number of types if none matches."""
    there = state.grid[state.agent.position]
    found, i = -1, 0
    for object_type in object_types:
        if found < 0 and isinstance(there, object_type):
            found = i
        i += 1
    return i if found < 0 else found


@sensor_registry.register(outcomes=16, limits={"quality": probability})
def walls_around(state: State, measurement: int, *, quality: float = 0.9) -> float:
    """A bit mask of the neighbours that can be entered, each bit correct with probability `quality`.

    The bits are 1 (above) + 2 (right) + 4 (below) + 8 (left).
    Walls, other blocking objects and the border of the world count as blocked; agents do not.
    """
    share, code = 1.0, int(measurement)
    here = state.agent.position
    for turns in range(4):
        q = here + Position.from_orientation(from_quarter_turns(turns))
        free = (
            state.grid.contains(q) and not state.grid[q].blocks_movement and not state.grid.has_wall(here, q)
        )
        share *= quality if free == ((code >> turns) & 1 == 1) else 1.0 - quality
    return share


ERRORS: dict[str, Limit] = {"other_agent": count, "spread": count, "decay": not_negative}


def _farthest(state: State, *, spread: int) -> int:
    return state.grid.height + state.grid.width - 1 + spread


@sensor_registry.register(outcomes=_farthest, limits=ERRORS)
def noisy_distance(
    state: State,
    measurement: int,
    *,
    other_agent: int = 1,
    spread: int = 3,
    decay: float = 0.5,
    distance_function: DistanceFunction = Position.manhattan_distance,
) -> float:
    """The distance to another agent in cells, with an error of up to `spread`.

    An error of k is `decay`**k times as probable as none.

    Negative values are reported as 0.

    Source: the sonar of Berkeley's Ghostbusters (CS188).
    """
    true = round(distance_function(state.agent.position, state.agents[other_agent].position))
    return blurred(true, int(measurement), spread, decay)


def _longest_way(state: State, *, spread: int) -> int:
    return state.grid.height * state.grid.width + 1 + spread


@sensor_registry.register(outcomes=_longest_way, limits=ERRORS)
def noisy_path_length(
    state: State, measurement: int, *, other_agent: int = 1, spread: int = 3, decay: float = 0.5
) -> float:
    """As `noisy_distance`, with the length of a shortest path to the other agent.

    Without a path, the number of cells.
    """
    steps = path_length(state, state.agent.position, state.agents[other_agent].position)
    cells = state.grid.height * state.grid.width
    return blurred(cells if steps == math.inf else int(steps), int(measurement), spread, decay)


def blurred(true: int, measured: int, spread: int, decay: float) -> float:
    """The probability of an integer measured with an error whose probability decreases by `decay` per step.

    At least 0.
    """
    total, share = 0.0, 0.0
    for error in range(-spread, spread + 1):
        weight = decay ** abs(error)
        total += weight
        if max(true + error, 0) == measured:
            share += weight
    return share / total


def _cells(state: State) -> int:
    return state.grid.height * state.grid.width


@sensor_registry.register(outcomes=_cells, limits={"noise": not_negative})
def noisy_position(state: State, measurement: int, *, noise: float = 1.0) -> float:
    """The agent's cell as y * width + x, with rounded normal errors in rows and columns, clipped to the grid.

    `noise` is the standard deviation in cells.
    """
    p, width = state.agent.position, state.grid.width
    row, column = int(measurement) // width, int(measurement) % width
    return _in_line(p.y, row, state.grid.height, noise) * _in_line(p.x, column, width, noise)


def _in_line(true: int, measured: int, length: int, noise: float) -> float:
    if noise <= 0:
        return 1.0 if true == measured else 0.0
    low = 0.0 if measured == 0 else _normal_share((measured - true - 0.5) / noise)
    high = 1.0 if measured == length - 1 else _normal_share((measured - true + 0.5) / noise)
    return high - low


def _normal_share(x: float) -> float:
    return 0.5 * (1.0 + math.erf(x / math.sqrt(2.0)))


def _measured_range(state: State, *, other_agent: int, noise: float, rng: Any) -> float:
    return true_range(state, other_agent) + noise * rng.normal()


@sensor_registry.register(measure=_measured_range, limits={"other_agent": count, "noise": positive})
def noisy_range(state: State, measurement: float, *, other_agent: int = 1, noise: float = 0.5) -> float:
    """The straight-line distance to another agent in cells, with normal errors; returns a density.

    `noise` is the standard deviation in cells, above 0.
    """
    error = (measurement - true_range(state, other_agent)) / noise
    return math.exp(-0.5 * error * error) / (noise * math.sqrt(2.0 * math.pi))


def true_range(state: State, other_agent: int) -> float:
    """The straight-line distance to another agent, in cells."""
    return Position.euclidean_distance(state.agent.position, state.agents[other_agent].position)
