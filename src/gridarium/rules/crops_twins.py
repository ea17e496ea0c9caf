"""Compiled twins of `gridarium.rules.crops`: tiles of 8 x 8 cells in registers, a row of 8 words in each.

A tile is loaded row by row (outside the world: Hidden), turned by reversing and transposing, and stored row by row at
the width of the view. A row that is narrower than 8 spills into the next one, so tiles are stored from right to left
and rows from top to bottom, and a view has 8 words to spare at its end.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from gridarium.compiled import lowering
from gridarium.compiled.intrinsics import _scratch_array, _take
from gridarium.compiled.views import data_pointer
from gridarium.rules.crops import TILE
from gridarium.world.geometry import Orientation, Position
from gridarium.world.grid import Cells
from gridarium.world.objects import BLOCKS_VISION, Hidden
from gridarium.world.vocabulary import Vocabulary

for _cls in (Cells, Orientation, Position):
    lowering.register(_cls)

HIDDEN = Vocabulary([]).encode(Hidden())
INT32, INT64 = ir.IntType(32), ir.IntType(64)
ROW, TRUTHS = ir.VectorType(INT32, TILE), ir.VectorType(ir.IntType(1), TILE)
UNDEFINED = ir.Constant(ROW, ir.Undefined)
RIGHTWARD_SIGHT, LEFTWARD_SIGHT = 1, 1 << 16


@numba.njit(**lowering.JIT_OPTIONS)  # type: ignore[untyped-decorator]
def crop_cells(grid: Any, position: Any, orientation: Any, area: Any) -> Any:
    height, width, turns = area.height, area.width, orientation.quarter_turns
    view = _unfilled(grid.scratch, height, width)
    last = (width - 1) // TILE * TILE
    for row in range(0, height, TILE):
        for k in range(0, width, TILE):
            corner = Position(area.ymin + row, area.xmin + last - k).turned(orientation)
            x = corner.x - (TILE - 1 if turns == 1 or turns == 2 else 0)
            _turned_tile(
                grid.cells, grid.cells.shape[0], grid.cells.shape[1], position.y + corner.y, position.x + x, turns,
                view.array, row * width + last - k, width, height - row,
            )  # fmt: skip
    return view


@numba.njit(**lowering.JIT_OPTIONS)  # type: ignore[untyped-decorator]
def crop_cells_in_sight(grid: Any, position: Any, orientation: Any, area: Any) -> Any:
    turns = orientation.quarter_turns
    view = _unfilled(grid.scratch, area.height, area.width)
    corner = Position(1 - TILE, area.xmin).turned(orientation)
    x = corner.x - (TILE - 1 if turns == 1 or turns == 2 else 0)
    _tile_in_sight(
        grid.cells, grid.cells.shape[0], grid.cells.shape[1], position.y + corner.y, position.x + x, turns,
        view.array, area.width, area.height, -area.xmin,
    )  # fmt: skip
    return view


@numba.njit(**lowering.JIT_OPTIONS)  # type: ignore[untyped-decorator]
def _unfilled(scratch: Any, height: Any, width: Any) -> Any:
    start = _take(scratch, (height * width + TILE + 1) // 2)
    return Cells(_scratch_array(scratch, start, (height, width), np.uint32))


@intrinsic  # type: ignore[untyped-decorator]
def _turned_tile(
    context: Any, words: Any, height: Any, width: Any, y: Any, x: Any, turns: Any,
    view: Any, start: Any, view_width: Any, rows: Any,
) -> Any:  # fmt: skip
    """Write a tile of `words` into a view, from its element `start` on: at most `rows` rows.

    `y` is the first of the tile's rows (they go up where `turns` is 2 or 3), `x` its leftmost column.
    """

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        source = data_pointer(context, builder, signature.args[0], args[0])
        rows, _ = _load(builder, source, *args[1:6])
        target = builder.gep(data_pointer(context, builder, signature.args[6], args[6]), [args[7]])
        for k in range(TILE):
            with builder.if_then(builder.icmp_signed(">", args[9], INT64(k))):
                _store(builder, rows[k], target, builder.mul(args[8], INT64(k)))
        return context.get_dummy_value()

    return types.none(words, *[types.int64] * 5, view, *[types.int64] * 3), build


@intrinsic  # type: ignore[untyped-decorator]
def _tile_in_sight(
    context: Any, words: Any, height: Any, width: Any, y: Any, x: Any, turns: Any,
    view: Any, view_width: Any, view_height: Any, agent: Any,
) -> Any:  # fmt: skip
    """Write what an agent sees of a tile of `words`, in whose last row and column `agent` it is, into a view."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        source = data_pointer(context, builder, signature.args[0], args[0])
        target = data_pointer(context, builder, signature.args[6], args[6])
        rows, columns = _load(builder, source, *args[1:6])
        view_width, view_height, agent = args[7:]
        bits = _sight_bits(builder, view_width, agent)
        seen = _sight(builder, columns, bits)
        for k in range(TILE):
            row = builder.sub(view_height, INT64(TILE - k))
            with builder.if_then(builder.icmp_signed(">=", row, INT64(0))):
                visible = _nonzero(builder, builder.and_(_splat(builder, seen[k]), bits))
                shown = builder.select(visible, rows[k], _constant([HIDDEN] * TILE))
                _store(builder, shown, target, builder.mul(row, view_width))
        return context.get_dummy_value()

    return types.none(words, *[types.int64] * 5, view, *[types.int64] * 3), build


def _sight_bits(builder: Any, width: Any, agent: Any) -> Any:
    """For each column, its bits in a row's masks: one from the agent to the right, one from the agent to the left."""
    offset = builder.sub(_numbers(), _splat(builder, builder.trunc(agent, INT32)))
    zero = _constant([0] * TILE)
    right = builder.shl(_constant([RIGHTWARD_SIGHT] * TILE), offset)
    left = builder.shl(_constant([LEFTWARD_SIGHT] * TILE), builder.neg(offset))
    right = builder.select(builder.icmp_signed(">=", offset, zero), right, zero)
    left = builder.select(builder.icmp_signed("<=", offset, zero), left, zero)
    within = builder.icmp_signed("<", _numbers(), _splat(builder, builder.trunc(width, INT32)))
    return builder.select(within, builder.or_(right, left), zero)


def _sight(builder: Any, columns: list[Any], bits: Any) -> list[Any]:
    """For each row, which of its bits are seen. Sight comes to a row from the one below, and runs through clear cells.

    Adding the bits where it begins to those of the clear cells carries it on to the first cell that is not clear.
    """
    clear = _constant([0] * TILE)
    for i, column in enumerate(columns):
        bit = builder.shuffle_vector(bits, UNDEFINED, _constant([i] * TILE))
        blocked = _nonzero(builder, builder.and_(column, _constant([BLOCKS_VISION] * TILE)))
        clear = builder.or_(clear, builder.select(blocked, _constant([0] * TILE), bit))
    sight: Any = INT32(RIGHTWARD_SIGHT | LEFTWARD_SIGHT)
    seen = []
    for k in reversed(range(TILE)):
        row = builder.extract_element(clear, INT32(k))
        begin = builder.and_(sight, row)
        lit = builder.or_(begin, builder.and_(row, builder.not_(builder.add(row, begin))))
        onward = builder.or_(lit, builder.shl(lit, INT32(1)))
        seen.append(builder.or_(sight, onward))
        sight = onward
    return seen[::-1]


def _load(
    builder: Any, source: Any, height: Any, width: Any, y: Any, x: Any, turns: Any
) -> tuple[list[Any], list[Any]]:
    """The rows and the columns of a tile, turned; every choice is made without a branch."""
    sideways = builder.trunc(turns, ir.IntType(1))
    upward = builder.trunc(builder.lshr(turns, INT64(1)), ir.IntType(1))
    step = builder.select(upward, INT64(-1), INT64(1))
    inside = _between(builder, builder.add(_splat(builder, builder.trunc(x, INT32)), _numbers()), width)
    ys = builder.mul(_numbers(), _splat(builder, builder.trunc(step, INT32)))
    there = _between(builder, builder.add(_splat(builder, builder.trunc(y, INT32)), ys), height)
    reversing, turning = _splat(builder, builder.xor(sideways, upward)), _splat(builder, sideways)
    first = builder.add(builder.mul(y, width), x)
    rows = []
    for k in range(TILE):
        start = builder.add(first, builder.mul(builder.mul(step, width), INT64(k)))
        this = builder.shuffle_vector(there, ir.Constant(TRUTHS, ir.Undefined), _constant([k] * TILE))
        row = _masked_load(builder, source, start, builder.and_(inside, this))
        backward = builder.shuffle_vector(row, UNDEFINED, _constant(range(TILE)[::-1]))
        rows.append(builder.select(reversing, backward, row))
    columns = _transposed(builder, rows)
    turned = [builder.select(turning, c, r) for r, c in zip(rows, columns, strict=True)]
    return turned, [builder.select(turning, r, c) for r, c in zip(rows, columns, strict=True)]


def _masked_load(builder: Any, source: Any, start: Any, mask: Any) -> Any:
    """8 words from element `start` on; Hidden where the mask is false, whose memory is not touched."""
    size = builder.shl(start, INT64(2))
    pointer = builder.inttoptr(builder.add(builder.ptrtoint(source, INT64), size), ROW.as_pointer())
    signature = ir.FunctionType(ROW, [pointer.type, INT32, TRUTHS, ROW])
    load = cgutils.get_or_insert_function(builder.module, signature, "llvm.masked.load.v8i32.p0")
    return builder.call(load, [pointer, INT32(4), mask, _constant([HIDDEN] * TILE)])


def _store(builder: Any, row: Any, target: Any, start: Any) -> None:
    pointer = builder.bitcast(builder.gep(target, [start]), ROW.as_pointer())
    builder.store(row, pointer).align = 4


def _transposed(builder: Any, rows: list[Any]) -> list[Any]:
    """Three rounds of exchanging quarters of 2 x 2 blocks of 1, 2 and 4."""
    for size in (1, 2, 4):
        exchanged = list(rows)
        for i in range(TILE):
            if not i & size:
                above = [lane if not lane & size else TILE + lane - size for lane in range(TILE)]
                below = [lane + size if not lane & size else TILE + lane for lane in range(TILE)]
                exchanged[i] = builder.shuffle_vector(rows[i], rows[i + size], _constant(above))
                exchanged[i + size] = builder.shuffle_vector(rows[i], rows[i + size], _constant(below))
        rows = exchanged
    return rows


def _constant(numbers: Any) -> Any:
    return ir.Constant(ROW, [INT32(n) for n in numbers])


def _numbers() -> Any:
    return _constant(range(TILE))


def _splat(builder: Any, number: Any) -> Any:
    """A number in all places of a row."""
    row = ir.VectorType(number.type, TILE)
    one = builder.insert_element(ir.Constant(row, ir.Undefined), number, INT32(0))
    return builder.shuffle_vector(one, ir.Constant(row, ir.Undefined), _constant([0] * TILE))


def _between(builder: Any, row: Any, limit: Any) -> Any:
    """Where a row's numbers lie in [0, limit)."""
    limits = _splat(builder, builder.trunc(limit, INT32))
    below = builder.icmp_signed("<", row, limits)
    return builder.and_(builder.icmp_signed(">=", row, _constant([0] * TILE)), below)


def _nonzero(builder: Any, row: Any) -> Any:
    return builder.icmp_unsigned("!=", row, _constant([0] * TILE))
