"""Representations: how an observation, or a state, becomes arrays. Names and codes are gym-gridverse's.

Each representation is a list of outputs (name, shape, dtype, largest number) and a function that writes them, plain
Python run as it is or compiled. Codes that differ from the numbers in a state come from tables.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.compiled.primitives import fill_words, float64_at, low_bytes, uint8_at
from gridarium.engine.frame import At
from gridarium.world.geometry import Orientation, Position, Shape
from gridarium.world.objects import Hidden, NoneGridObject
from gridarium.world.state import Observation, State
from gridarium.world.vocabulary import Vocabulary

STATUS_CODES, COLOR_CODES, CODE_COUNT = 64, 64 + 64 * 16, 64 + 64 * 16 + 64


@dataclass(frozen=True)
class Output:
    """One array of a representation.

    Attributes:
        name: its key in the observation dictionary.
        shape: for one agent.
        dtype: of its numbers.
        low, high: the bounds of each number: scalars, or arrays that broadcast to the shape.
    """

    name: str
    shape: tuple[int, ...]
    dtype: Any
    low: Any
    high: Any


@dataclass(frozen=True)
class Codes:
    """The numbers that stand for kinds, statuses and colors in arrays.

    Attributes:
        table: uint8[1152]: a code for each kind, for each (kind, status), for each color; empty if they are the
            numbers in the state themselves.
        high: the largest code in each of the three channels.
    """

    table: npt.NDArray[np.uint8]
    high: tuple[int, int, int]


def codes(representation: str, words: Vocabulary, *, of_state: bool = False) -> Codes:
    """The codes of a representation: 'default', 'no-overlap' or 'compact'.

    Raises:
        ValueError: another name, or a number that does not fit into a byte.
    """
    kinds = {n: k for n, k in words.kinds.items() if not (of_state and k is Hidden)}
    last_kind, last_color = max(kinds), max(words.colors)
    statuses = max(k.num_states() for k in kinds.values())
    table = np.zeros(CODE_COUNT, np.uint8)
    if representation == "default":
        return Codes(np.zeros(0, np.uint8), (last_kind, statuses - 1, last_color))
    if representation == "no-overlap":
        first_status, first_color = last_kind + 1, last_kind + statuses + 2
        _refuse_large(first_color + last_color)
        table[:64] = np.arange(64)
        for kind in range(64):
            table[STATUS_CODES + 16 * kind : STATUS_CODES + 16 * kind + 16] = first_status + np.arange(16)
        table[COLOR_CODES:] = first_color + np.arange(64)
        return Codes(table, (last_kind, first_status + statuses, first_color + last_color))
    if representation == "compact":
        for code, kind in enumerate(kinds):
            table[kind] = code
        code = len(kinds)
        for kind, cls in kinds.items():
            for status in range(cls.num_states()):
                table[STATUS_CODES + 16 * kind + status] = code
                code += 1
        last_status = code - 1
        _refuse_large(code + len(words.colors))
        for color in sorted(words.colors):
            table[COLOR_CODES + color] = code
            code += 1
        return Codes(table, (len(kinds) - 1, last_status, code - 1))
    raise ValueError(f"no representation {representation!r}; there are default, no-overlap, compact")


def _refuse_large(code: int) -> None:
    if code > 255:
        raise ValueError(f"the code {code} does not fit into a byte; use the default representation")


def observation_outputs(shape: Shape, high: tuple[int, int, int], agents: int) -> list[Output]:
    """The arrays of an observation: grid, agent_id_grid, item."""
    h, w = shape.height, shape.width
    bound = np.array(high, np.uint8)
    return [
        Output("grid", (h, w, 3), np.uint8, 0, bound),
        Output("agent_id_grid", (h, w), np.uint8, 0, 1 if agents == 1 else 5),
        Output("item", (3,), np.uint8, 0, bound),
    ]


def state_outputs(shape: Shape, high: tuple[int, int, int], agents: int) -> list[Output]:
    """The arrays of a whole state: grid, agent_id_grid, agent (pose in [-1, 1], heading one-hot), item."""
    grid, ids, item = observation_outputs(shape, high, agents)
    low = np.array([-1, -1, 0, 0, 0, 0], np.float64)
    return [grid, ids, Output("agent", (6,), np.float64, low, np.ones(6, np.float64)), item]


def observe(frame: Any, place: int, index: int, state: State, numbers: Any, *, observation: Any, encode: Any) -> None:
    """What the agent in focus observes, as arrays."""
    encode(frame, place, index, state, observation(state, numbers))


def observe_state(frame: Any, place: int, index: int, state: State, numbers: Any, *, tabled: bool) -> None:
    """The whole state, from the point of view of the agent in focus, as arrays."""
    height, width = state.cells.shape[0], state.cells.shape[1]
    encode_cells(frame, place, index, state.cells, tabled=tabled)
    ids = uint8_at(frame[place + 1] + index * height * width, (height, width))
    agent = state.agent
    mark_agents(ids, state, agent.position, agent.orientation, state.cells, 1 << 8)
    pose = float64_at(frame[place + 2] + index * 48, (6,))
    pose[0] = (2.0 * agent.position.y - height + 1.0) / max(height - 1, 1)
    pose[1] = (2.0 * agent.position.x - width + 1.0) / max(width - 1, 1)
    for k in range(4):
        pose[2 + k] = 1.0 if agent.orientation.value == k else 0.0
    encode_item(frame, frame[place + 3] + index * 3, int(state.bodies[state.focus, 3]), tabled=tabled)


def encode_objects(frame: Any, place: int, index: int, state: State, seen: Observation, *, tabled: bool) -> None:
    """An observation as grid, agent_id_grid and item."""
    height, width = seen.grid.cells.shape[0], seen.grid.cells.shape[1]
    encode_cells(frame, place, index, seen.grid.cells, tabled=tabled)
    ids = uint8_at(frame[place + 1] + index * height * width, (height, width))
    mark_agents(ids, state, seen.agent.position, seen.agent.orientation, seen.grid.cells, HIDDEN_NUMBER)
    encode_item(frame, frame[place + 2] + index * 3, int(seen.agent.body[3]), tabled=tabled)


HIDDEN_NUMBER = Hidden.number
EMPTY_HANDS = NoneGridObject.number


def encode_cells(frame: Any, place: int, index: int, cells: Any, *, tabled: bool) -> None:
    """Cells as (kind, status, color) triples."""
    height, width = cells.shape[0], cells.shape[1]
    out = uint8_at(frame[place] + index * height * width * 3, (height, width, 3))
    if tabled:
        table = uint8_at(frame[At.CODES], (CODE_COUNT,))
        for y in range(height):
            for x in range(width):
                word = int(cells[y, x])
                kind, status = word & 63, (word >> 8) & 15
                out[y, x, 0] = table[kind]
                out[y, x, 1] = table[STATUS_CODES + 16 * kind + status]
                out[y, x, 2] = table[COLOR_CODES + ((word >> 16) & 63)]
    else:
        low_bytes(cells, out)


def encode_item(frame: Any, target: int, word: int, *, tabled: bool) -> None:
    """What an agent holds as one triple."""
    out = uint8_at(target, (3,))
    if tabled:
        table = uint8_at(frame[At.CODES], (CODE_COUNT,))
        out[0] = table[word & 63]
        out[1] = table[STATUS_CODES + 16 * (word & 63) + ((word >> 8) & 15)]
        out[2] = table[COLOR_CODES + ((word >> 16) & 63)]
    else:
        out[0] = word & 255
        out[1] = (word >> 8) & 255
        out[2] = (word >> 16) & 255


def mark_agents(
    ids: Any, state: State, position: Position, orientation: Orientation, cells: Any, hidden: int
) -> None:
    """1 at the agent itself; at others 2 + their heading as it sees them, where the cell can be seen."""
    fill_words(ids, 0)
    if state.bodies.shape[0] > 1:
        me = state.agent
        turn = orientation * (-me.orientation)
        for i in range(state.bodies.shape[0]):
            other = state.seen_by(i).agent
            p = position + (other.position - me.position).turned(turn)
            inside = 0 <= p.y < ids.shape[0] and 0 <= p.x < ids.shape[1]
            if inside and i != state.focus and other.active and int(cells[p.y, p.x]) & 255 != hidden:
                ids[p.y, p.x] = 2 + (turn * other.orientation).value
    if 0 <= position.y < ids.shape[0] and 0 <= position.x < ids.shape[1]:
        ids[position.y, position.x] = 1
