"""What is in sight of a cell: the core's visibility rule `raytracing`, by its compiled rays or, without compiling, for all at once."""

from __future__ import annotations

import functools
import math

import numpy as np
import numpy.typing as npt

from gridarium.compiled.background import library_loops
from gridarium.engine.kernel_args import address
from gridarium.live.perception import sight_kernel
from gridarium.rules.field_of_view.raytracing import STEP
from gridarium.world import State
from gridarium.world.objects import BLOCKS_VISION
from gridarium.world.things import EXISTS, WORD

Mask = npt.NDArray[np.bool_]
MOST_KEPT = 1 << 24
"""So many bytes at most are kept of what was in sight, for each of the last few worlds."""

RAYS = library_loops(sight_kernel.run, name="lines of sight", frame_length=sight_kernel.FRAME_LENGTH)
"""`run` of `sight_kernel`, taking the address of the frame."""


def opaque_cells(state: State) -> Mask:
    """bool[height, width]: the cells in which something blocks sight, scenery or things that lie there."""
    found: Mask = (np.asarray(state.cells) & BLOCKS_VISION) != 0
    words = state.vocabulary
    if words.has_things:
        first, length = words.things_start + 1, words.thing_row_length
        rows = state.data[first : first + words.thing_capacity * length].reshape(-1, length)
        opaque = (rows[:, EXISTS] != 0) & (rows[:, WORD] & BLOCKS_VISION != 0)
        for number in opaque.nonzero()[0].tolist():
            thing = state.things[number]
            if not thing.is_carried:
                found[thing.position.y, thing.position.x] = True
    return found


def cells_in_sight(opaque: Mask, y: int, x: int, radius: float = math.inf, *, compiled: bool = False) -> Mask:
    """The cells that a ray from the centre of a cell reaches, through any corner of any cell; rays end at opaque cells.

    Args:
        opaque: bool[height, width].
        y: the row of the cell from which one looks.
        x: its column.
        radius: how many rows and columns away one looks.
        compiled: whether the rays are compiled, when they are first needed; with the same result.

    Returns:
        bool[height, width]; opaque cells that are reached are themselves in sight.
    """
    known = _known(opaque.tobytes(), opaque.shape, compiled)
    found = known.get((y, x, radius))
    if found is None:
        if (len(known) + 1) * opaque.size > MOST_KEPT:
            known.clear()
        rays = RAYS.get() if compiled else None
        reach = int(min(radius, sum(opaque.shape)))
        found = known[y, x, radius] = np.zeros(opaque.shape, np.bool_)
        if rays is not None:
            opaque = np.ascontiguousarray(opaque)
            frame = np.array([*opaque.shape, address(opaque), address(found)], np.int64)
            rays(address(frame), 0, y, x, reach)
        else:
            top, left = max(0, y - reach), max(0, x - reach)
            around = np.s_[top : y + reach + 1, left : x + reach + 1]
            found[around] = _cast(opaque[around], y - top, x - left)
        found.flags.writeable = False
    return found


@functools.lru_cache(8)
def _known(opaque: bytes, shape: tuple[int, int], compiled: bool) -> dict[tuple[int, int, float], Mask]:
    """What was in sight from the cells of some world that is opaque in these cells."""
    return {}


def _cast(opaque: Mask, y: int, x: int) -> Mask:
    """All rays advance from cell to cell together, as one does in `rules.field_of_view.raytracing.cells_towards`."""
    height, width = opaque.shape
    dy, dx = np.meshgrid(
        2 * (np.arange(height + 1) - y) - 1, 2 * (np.arange(width + 1) - x) - 1, indexing="ij"
    )
    dy, dx = dy.ravel(), dx.ravel()
    length = np.sqrt((dy * dy + dx * dx).astype(np.float64)) / (2.0 * STEP)
    per_row, per_column = length / np.abs(dy), length / np.abs(dx)
    down, right = np.sign(dy), np.sign(dx)
    ys, xs = np.full(len(dy), y), np.full(len(dx), x)
    rows, columns = np.ones(len(dy), np.int64), np.ones(len(dx), np.int64)
    seen = np.zeros(opaque.shape, np.bool_)
    while len(ys):
        seen[ys, xs] = True
        in_row, in_column = np.floor(rows * per_row), np.floor(columns * per_column)
        vertical, horizontal = in_row <= in_column, in_column <= in_row
        lit = ~opaque[ys, xs]
        ys, xs = ys + down * vertical, xs + right * horizontal
        rows, columns = rows + 2 * vertical, columns + 2 * horizontal
        on = np.flatnonzero(lit & (ys >= 0) & (ys < height) & (xs >= 0) & (xs < width))
        ys, xs, rows, columns = ys[on], xs[on], rows[on], columns[on]
        per_row, per_column, down, right = per_row[on], per_column[on], down[on], right[on]
    return seen
