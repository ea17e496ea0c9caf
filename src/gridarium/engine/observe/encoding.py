"""Grids as (kind, status, color) triples, agent positions and held objects, as in gym-gridverse's arrays.

These functions run interpreted or compiled, within the step. `output_index` is the index in the frame of the output arrays'
addresses, `index` the index of the agent among those of all worlds of the batch.
"""

from __future__ import annotations

from typing import Any

from gridarium.compiled.data_types.primitives import fill_words, float64_at, low_bytes, uint8_at
from gridarium.engine.observe.codes import CODE_COUNT, COLOR_CODES, STATUS_CODES
from gridarium.world.agent import HELD, Agent
from gridarium.world.geometry import Orientation, Position
from gridarium.world.grid import EVERYWHERE, Grid, is_near, reach_of
from gridarium.world.objects import Hidden
from gridarium.world.state import State
from gridarium.world.vocabulary import ALL_PLAYERS

HIDDEN_NUMBER = Hidden.number
OUT_OF_SIGHT = -1


def write_triples(
    frame: Any, output_index: int, index: int, state: State, grid: Grid, agent: Agent, *,
    codes: int, several: bool,
) -> None:  # fmt: skip
    """Write a grid and the agent in it as `grid`, `agent_id_grid`, `item` and, in worlds with walls on edges, `walls`.

    `codes` is the index of the table of codes in the frame, 0 if the numbers in cells are the codes; `several` is whether
    there are other agents.
    """
    height, width = grid.cells.shape[0], grid.cells.shape[1]
    encode_cells(
        frame,
        uint8_at(frame[output_index] + index * height * width * 3, (height, width, 3)),
        grid.cells,
        codes=codes,
    )
    mark_agents(
        uint8_at(frame[output_index + 1] + index * height * width, (height, width)), state, grid, agent,
        several=several,
    )  # fmt: skip
    encode_item(
        frame, uint8_at(frame[output_index + 2] + index * 3, (3,)), int(agent.agent_row[HELD]), codes=codes
    )
    if grid.vocabulary.edge_layer >= 0:
        copy_walls(grid, uint8_at(frame[output_index + 3] + index * height * width, (height, width)))


def write_pose(frame: Any, output_index: int, index: int, state: State) -> None:
    """Write the position of the agent in focus as two numbers from -1 to 1, and its heading, one-hot; zeros if it is nowhere."""
    height, width, agent = state.cells.shape[0], state.cells.shape[1], state.agent
    pose = float64_at(frame[output_index] + index * 48, (6,))
    if agent.position.y < 0:
        fill_words(pose, 0)
        return
    pose[0] = (2.0 * agent.position.y - height + 1.0) / max(height - 1, 1)
    pose[1] = (2.0 * agent.position.x - width + 1.0) / max(width - 1, 1)
    for k in range(4):
        pose[2 + k] = 1.0 if agent.orientation.value == k else 0.0


def encode_cells(frame: Any, out: Any, cells: Any, *, codes: int) -> None:
    """Write cells as (kind, status, color) triples."""
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
    """Write the held object as one triple."""
    if codes > 0:
        table = uint8_at(frame[codes], (CODE_COUNT,))
        out[0] = table[word & 63]
        out[1] = table[STATUS_CODES + 16 * (word & 63) + ((word >> 8) & 15)]
        out[2] = table[COLOR_CODES + ((word >> 16) & 63)]
    else:
        out[0] = word & 255
        out[1] = (word >> 8) & 255
        out[2] = (word >> 16) & 255


def mark_agents(ids: Any, state: State, grid: Grid, agent: Agent, *, several: bool) -> None:
    """Mark the agent with 1, and others with 2 + their relative heading, where the cell is visible."""
    fill_words(ids, 0)
    if state.vocabulary.bodiless == ALL_PLAYERS:
        return  # nobody is in the grid
    if several:
        turn = agent.orientation * (-state.agent.orientation)
        here, reach = state.agent.position, reach_of(grid, agent.position, state.grid)
        for i in range(state.agent_rows.shape[0]):
            if reach != EVERYWHERE and not is_near(state.seen_by(i).agent.position, here, reach):
                continue
            p = position_in_view(i, state, grid, agent, turn)
            if p.y != OUT_OF_SIGHT:
                ids[p.y, p.x] = 2 + (turn * state.seen_by(i).agent.orientation).value
    if grid.contains(agent.position):
        ids[agent.position.y, agent.position.x] = 1


def position_in_view(i: int, state: State, view: Grid, agent: Agent, turn: Orientation) -> Position:
    """The position of agent `i` in the view of the agent in focus, (-1, -1) for itself or if unseen.

    The agent in focus is at `agent` in the view, which is turned by `turn`.
    """
    other = state.seen_by(i).agent
    if i != state.focus and other.active:
        p = agent.position + (other.position - state.agent.position).turned(turn)
        if view.contains(p) and int(view.cells[p.y, p.x]) & 255 != HIDDEN_NUMBER:
            return p
    return Position(OUT_OF_SIGHT, OUT_OF_SIGHT)


def copy_walls(grid: Grid, out: Any) -> None:
    """Write walls between cells: 1 for one on the right of a cell, 2 for one below it."""
    layer = grid.vocabulary.edge_layer
    for y in range(out.shape[0]):
        for x in range(out.shape[1]):
            out[y, x] = grid.layers[layer, y, x] & 3
