"""The pieces of each player as a plane of zeros and ones, from the point of view of one of them.

Source: the observations of pgx, and of PettingZoo's classic games.
"""

from __future__ import annotations

from typing import Any

from gridarium.compiled.data_types.primitives import fill_words, uint8_at
from gridarium.world.agent import Agent
from gridarium.world.grid import Grid
from gridarium.world.objects import Floor
from gridarium.world.state import State

FLOOR_NUMBER = Floor.number


def write_planes(frame: Any, output_index: int, index: int, state: State, grid: Grid, agent: Agent) -> None:
    """Write a grid of pieces as `planes`: 1 where there are pieces of the agent in focus, of the next one, and so on.

    The status of a piece is the number of its player.
    """
    height, width, agents = grid.cells.shape[0], grid.cells.shape[1], state.agent_rows.shape[0]
    out = uint8_at(frame[output_index] + index * height * width * agents, (height, width, agents))
    fill_words(out, 0)
    for y in range(height):
        for x in range(width):
            word = int(grid.cells[y, x])
            player = (word >> 8) & 15
            if player < agents:  # free cells are written as well: a jump that depends on them is slower
                plane = player - state.focus
                out[y, x, plane + agents if plane < 0 else plane] = word & 63 > FLOOR_NUMBER
