"""Draws grids within the step from an atlas of tiles."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.compiled.data_types.primitives import int64_at, uint8_at
from gridarium.draw import Atlas
from gridarium.draw.pixels.atlas import draw_agent, draw_body, draw_contents, draw_grid
from gridarium.engine.kernel_args import KernelArg, address
from gridarium.engine.observe.encoding import OUT_OF_SIGHT, position_in_view
from gridarium.world.agent import HELD, Agent
from gridarium.world.grid import Grid
from gridarium.world.state import State
from gridarium.world.vocabulary import Vocabulary

ATLAS_LENGTH = 16


def write_picture(
    frame: Any, output_index: int, index: int, state: State, grid: Grid, agent: Agent, *, contents: bool
) -> None:
    """Write a grid, the agent and the visible other agents as `image`.

    Each agent is drawn as the first one in its own view.

    `contents` is whether contents of boxes are shown.
    """
    atlas = atlas_at(frame, state.vocabulary)
    height, width = grid.cells.shape[0] * atlas.size, grid.cells.shape[1] * atlas.size
    out = uint8_at(frame[output_index] + index * height * width * 3, (height, width, 3))
    draw_grid(grid, atlas, out)
    if contents:
        draw_contents(grid, atlas, out)
    count = state.agent_rows.shape[0]
    if count > 1:
        turn = agent.orientation * (-state.agent.orientation)
        for i in range(count):
            p = position_in_view(i, state, grid, agent, turn)
            if p.y != OUT_OF_SIGHT:
                other = state.seen_by(i).agent
                heading = (turn * other.orientation).value
                draw_body((i - state.focus) % count, p, heading, int(other.agent_row[HELD]), atlas, out)
    draw_agent(agent, 0, atlas, out)


def header(atlas: Atlas) -> npt.NDArray[np.int64]:
    """The addresses and sizes of an atlas's arrays, as read by `atlas_at`."""
    row = np.zeros(ATLAS_LENGTH, np.int64)
    arrays = (atlas.tiles, atlas.lookup, atlas.small, atlas.agents, atlas.shadow)
    row[: len(arrays)] = [address(array) for array in arrays]
    row[5:] = (
        *(len(atlas.tiles), atlas.size, *atlas.lookup.shape),
        *(
            len(atlas.small),
            atlas.small.shape[2],
            atlas.agents.shape[0],
            atlas.wall,
            atlas.board,
            atlas.per_ground,
        ),
    )
    return row


def atlas_at(frame: Any, vocabulary: Vocabulary) -> Atlas:
    """The atlas whose header's address is in the frame."""
    row = int64_at(frame[KernelArg.ATLAS_TABLE], (ATLAS_LENGTH,))
    size, part = int(row[6]), int(row[11])
    return Atlas(
        uint8_at(row[0], (row[5], size, size, 3)),
        int64_at(row[1], (row[7], row[8], row[9])),
        uint8_at(row[2], (row[10], 2, part, 3 * part)),
        uint8_at(row[3], (row[12], 4, 2, size, 3 * size)),
        uint8_at(row[4], (2, size, 3 * size)),
        row[13],
        row[14],
        row[15],
        vocabulary,
    )
