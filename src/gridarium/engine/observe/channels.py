"""Grids as binary channels for kinds, statuses, colors, agents and walls: network input without embeddings."""

from __future__ import annotations

from typing import Any

from gridarium.compiled.data_types.primitives import fill_words, uint8_at
from gridarium.engine.kernel_args import KernelArg
from gridarium.engine.observe.codes import CODE_COUNT, COLOR_CODES, NO_CODE, STATUS_CODES
from gridarium.engine.observe.encoding import OUT_OF_SIGHT, position_in_view
from gridarium.world.agent import HELD, Agent
from gridarium.world.cell import LOWER_WALL, RIGHT_WALL
from gridarium.world.grid import Grid
from gridarium.world.state import State


def write_channels(
    frame: Any, output_index: int, index: int, state: State, grid: Grid, agent: Agent, *,
    objects: int, channels: int, several: bool,
) -> None:  # fmt: skip
    """A grid and the agent in it as `grid` and `item`.

    Of the `channels` of a cell, the first `objects` encode its object (see `codes.channel_codes`), the next one the
    agent. With `several` agents, four more mark other agents by their heading relative to the agent. In worlds with walls
    on edges, two mark walls on the right and below.
    """
    height, width = grid.cells.shape[0], grid.cells.shape[1]
    size = height * width * channels
    out = uint8_at(frame[output_index] + index * size, (height, width, channels))
    table = uint8_at(frame[KernelArg.CHANNEL_TABLE], (CODE_COUNT,))
    fill_words(out, 0)
    for y in range(height):
        for x in range(width):
            set_channels(out[y, x], table, int(grid.cells[y, x]))
    if grid.contains(agent.position):
        out[agent.position.y, agent.position.x, objects] = 1
    if several:
        turn = agent.orientation * (-state.agent.orientation)
        for i in range(state.agent_rows.shape[0]):
            p = position_in_view(i, state, grid, agent, turn)
            if p.y != OUT_OF_SIGHT:
                out[p.y, p.x, objects + 1 + (turn * state.seen_by(i).agent.orientation).value] = 1
    if grid.vocabulary.edge_layer >= 0:
        set_walls(grid, out)
    item = uint8_at(frame[output_index + 1] + index * objects, (objects,))
    fill_words(item, 0)
    set_channels(item, table, int(agent.agent_row[HELD]))


def set_channels(out: Any, table: Any, word: int) -> None:
    """Set the channels of an object's kind, status and color."""
    kind, status, color = word & 63, (word >> 8) & 15, (word >> 16) & 63
    out[table[kind]] = 1
    if table[STATUS_CODES + 16 * kind + status] != NO_CODE:
        out[table[STATUS_CODES + 16 * kind + status]] = 1
    if table[COLOR_CODES + color] != NO_CODE:
        out[table[COLOR_CODES + color]] = 1


def set_walls(grid: Grid, out: Any) -> None:
    """Set the last two channels of cells that have a wall on the right, or below."""
    layer, channels = grid.vocabulary.edge_layer, out.shape[2]
    for y in range(out.shape[0]):
        for x in range(out.shape[1]):
            walls = int(grid.layers[layer, y, x])
            if walls & RIGHT_WALL:
                out[y, x, channels - 2] = 1
            if walls & LOWER_WALL:
                out[y, x, channels - 1] = 1
