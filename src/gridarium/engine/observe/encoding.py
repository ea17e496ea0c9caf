"""Grids as numbers: (kind, status, color) triples, where agents are, what one holds. gym-gridverse's arrays.

These functions run as they are or compiled, within the compiled step. `place` is where the addresses of the output
arrays stand in the frame, `index` numbers the agent among those of all worlds of the batch.
"""

from __future__ import annotations

from typing import Any

from gridarium.compiled.primitives import fill_words, float64_at, low_bytes, uint8_at
from gridarium.engine.codes import CODE_COUNT, COLOR_CODES, STATUS_CODES
from gridarium.world.agent import Agent
from gridarium.world.geometry import Position
from gridarium.world.grid import Grid
from gridarium.world.objects import Hidden
from gridarium.world.state import State

HIDDEN_NUMBER = Hidden.number
OUT_OF_SIGHT = -1


def write_triples(
    frame: Any, place: int, index: int, state: State, grid: Grid, agent: Agent, *, codes: int
) -> None:
    """A grid and the agent in it as `grid`, `agent_id_grid`, `item` and, in worlds that have them, `walls`.

    `codes` is where the table of codes stands in the frame, 0 if the numbers in cells are the codes.
    """
    height, width = grid.cells.shape[0], grid.cells.shape[1]
    encode_cells(
        frame,
        uint8_at(frame[place] + index * height * width * 3, (height, width, 3)),
        grid.cells,
        codes=codes,
    )
    mark_agents(uint8_at(frame[place + 1] + index * height * width, (height, width)), state, grid, agent)
    encode_item(frame, uint8_at(frame[place + 2] + index * 3, (3,)), int(agent.body[3]), codes=codes)
    if grid.vocabulary.edge_layer >= 0:
        copy_walls(grid, uint8_at(frame[place + 3] + index * height * width, (height, width)))


def write_pose(frame: Any, place: int, index: int, state: State) -> None:
    """Where the agent in focus is, as two numbers from -1 to 1, and its heading, one-hot."""
    height, width, agent = state.cells.shape[0], state.cells.shape[1], state.agent
    pose = float64_at(frame[place] + index * 48, (6,))
    pose[0] = (2.0 * agent.position.y - height + 1.0) / max(height - 1, 1)
    pose[1] = (2.0 * agent.position.x - width + 1.0) / max(width - 1, 1)
    for k in range(4):
        pose[2 + k] = 1.0 if agent.orientation.value == k else 0.0


def encode_cells(frame: Any, out: Any, cells: Any, *, codes: int) -> None:
    """Cells as (kind, status, color) triples."""
    if codes > 0:
        table = uint8_at(frame[codes], (CODE_COUNT,))
        for y in range(cells.shape[0]):
            for x in range(cells.shape[1]):
                word = int(cells[y, x])
                kind, status = word & 63, (word >> 8) & 15
                out[y, x, 0] = table[kind]
                out[y, x, 1] = table[STATUS_CODES + 16 * kind + status]
                out[y, x, 2] = table[COLOR_CODES + ((word >> 16) & 63)]
    else:
        low_bytes(cells, out)


def encode_item(frame: Any, out: Any, word: int, *, codes: int) -> None:
    """What an agent holds as one triple."""
    if codes > 0:
        table = uint8_at(frame[codes], (CODE_COUNT,))
        out[0] = table[word & 63]
        out[1] = table[STATUS_CODES + 16 * (word & 63) + ((word >> 8) & 15)]
        out[2] = table[COLOR_CODES + ((word >> 16) & 63)]
    else:
        out[0] = word & 255
        out[1] = (word >> 8) & 255
        out[2] = (word >> 16) & 255


def mark_agents(ids: Any, state: State, grid: Grid, agent: Agent) -> None:
    """1 at the agent itself; at others 2 + their heading as it sees them, where the cell can be seen."""
    fill_words(ids, 0)
    if state.bodies.shape[0] > 1:
        turn = agent.orientation * (-state.agent.orientation)
        for i in range(state.bodies.shape[0]):
            p = place_in_view(i, state, grid, agent)
            if p.y != OUT_OF_SIGHT:
                ids[p.y, p.x] = 2 + (turn * state.seen_by(i).agent.orientation).value
    if grid.contains(agent.position):
        ids[agent.position.y, agent.position.x] = 1


def place_in_view(i: int, state: State, grid: Grid, agent: Agent) -> Position:
    """Where the agent in focus, which is `agent` in `grid`, sees agent `i`; (-1, -1) for itself and where it does not."""
    me, other = state.agent, state.seen_by(i).agent
    turn = agent.orientation * (-me.orientation)
    p = agent.position + (other.position - me.position).turned(turn)
    seen = i != state.focus and other.active and grid.contains(p)
    if seen and int(grid.cells[p.y, p.x]) & 255 != HIDDEN_NUMBER:
        return p
    return Position(OUT_OF_SIGHT, OUT_OF_SIGHT)


def copy_walls(grid: Grid, out: Any) -> None:
    """Walls between cells: 1 for one on the right of a cell, 2 for one below it."""
    layer = grid.vocabulary.edge_layer
    for y in range(out.shape[0]):
        for x in range(out.shape[1]):
            out[y, x] = grid.layers[layer, y, x] & 3
