"""Compiled implementations of `gridarium.rules.field_of_view.crops`: tiles of 8 x 8 cells in registers, a row of 8 words in each.

A tile is loaded row by row (outside the world: Hidden), turned by reversing and transposing, and stored row by row at
the width of the view. A row that is narrower than 8 spills into the next one, so tiles are stored from right to left
and rows from top to bottom, and a view has 8 reserved words at its end.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import extending, types
from numba.core import cgutils

from gridarium.compiled.numba_backend import intrinsics, value_types
from gridarium.compiled.numba_backend.array_views import data_pointer
from gridarium.rules.field_of_view.crops import TILE
from gridarium.world.geometry import FAR, Orientation, Position
from gridarium.world.grid import Cells
from gridarium.world.objects import BLOCKS_VISION, Hidden
from gridarium.world.vocabulary import Vocabulary

for _cls in (Cells, Orientation, Position):
    value_types.register(_cls)

intrinsic: Any = extending.intrinsic
scratch_array: Any = intrinsics.scratch_array
take_scratch: Any = intrinsics.take_scratch
unpack: Any = cgutils.unpack_tuple
uniform: Any = types.UniTuple
PLACE, PART = uniform(types.int64, 5), uniform(types.int64, 3)

HIDDEN = Vocabulary([]).encode(Hidden())
INT32, INT64 = ir.IntType(32), ir.IntType(64)
SMALL = 4
"""The rows and columns of the tile of a view that is no larger."""
RIGHTWARD_SIGHT, LEFTWARD_SIGHT = 1, 1 << 16


@numba.njit(**value_types.JIT_OPTIONS)
def crop_cells(grid: Any, position: Any, orientation: Any, area: Any) -> Any:
    """See `gridarium.rules.field_of_view.crops.crop_cells`."""
    view = _unfilled(grid.scratch, area.height, area.width)
    if area.height <= SMALL and area.width <= SMALL:
        place = _tile_at(grid.cells, position, orientation, Position(area.ymin, area.xmin), SMALL)
        _small_tile(grid.cells, place, view.array, (0, area.width, area.height))
        return view
    last = (area.width - 1) // TILE * TILE
    for row in range(0, area.height, TILE):
        for k in range(0, area.width, TILE):
            corner = Position(area.ymin + row, area.xmin + last - k)
            start = row * area.width + last - k
            place = _tile_at(grid.cells, position, orientation, corner, TILE)
            _turned_tile(grid.cells, place, view.array, (start, area.width, area.height - row))
    return view


@numba.njit(**value_types.JIT_OPTIONS)
def crop_cells_in_sight(grid: Any, position: Any, orientation: Any, area: Any) -> Any:
    """See `gridarium.rules.field_of_view.crops.crop_cells_in_sight`."""
    view = _unfilled(grid.scratch, area.height, area.width)
    place = _tile_at(grid.cells, position, orientation, Position(1 - TILE, area.xmin), TILE)
    _tile_in_sight(grid.cells, place, view.array, (area.height, area.width, -area.xmin))
    return view


@numba.njit(**value_types.JIT_OPTIONS)
def _unfilled(scratch: Any, height: Any, width: Any) -> Any:
    start = take_scratch(scratch, (height * width + TILE + 1) // 2)
    return Cells(scratch_array(scratch, start, (height, width), np.uint32))


@numba.njit(**value_types.JIT_OPTIONS)
def _tile_at(words: Any, position: Any, orientation: Any, corner: Any, size: Any) -> Any:
    """The source position of the tile of a size whose upper left corner is a given cell of a view: see `_load`."""
    turns = orientation.quarter_turns
    y = position.y + corner.turned(orientation).y
    x = position.x + corner.turned(orientation).x
    if turns == 1 or turns == 2:
        x -= size - 1
    if not (-FAR < y < FAR and -FAR < x < FAR):  # `_load` compares 32 bits
        y, x = FAR, FAR
    return (words.shape[0], words.shape[1], y, x, turns)


def _turned(size: int) -> Any:
    """Create a function that writes a tile of a size."""

    def turned_tile(context: Any, words: Any, place: Any, view: Any, part: Any) -> Any:
        """Write a tile of `words` into a view. `part` is the view's element for its corner, its width, the rows left."""

        def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            source = data_pointer(context, builder, signature.args[0], args[0])
            target = data_pointer(context, builder, signature.args[2], args[2])
            start, width, height = unpack(builder, args[3])
            start = _opaque(builder, start)
            rows, _ = _load(builder, source, unpack(builder, args[1]), size, (width, height))
            for k in range(size):
                with builder.if_then(builder.icmp_signed(">", height, INT64(k))):
                    _store(builder, rows[k], target, builder.add(start, builder.mul(width, INT64(k))))
            return context.get_dummy_value()

        return types.none(words, PLACE, view, PART), build

    return intrinsic(turned_tile)


_turned_tile, _small_tile = _turned(TILE), _turned(SMALL)


@intrinsic
def _tile_in_sight(context: Any, words: Any, place: Any, view: Any, part: Any) -> Any:
    """Write the cells of a tile that an agent in its last row sees into a view."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        source = data_pointer(context, builder, signature.args[0], args[0])
        target = data_pointer(context, builder, signature.args[2], args[2])
        rows, columns = _load(builder, source, unpack(builder, args[1]), TILE)
        height, width, agent = unpack(builder, args[3])
        bits = _sight_bits(builder, width, agent)
        seen = _sight(builder, columns, bits)
        for k in range(TILE):
            row = builder.sub(height, INT64(TILE - k))
            with builder.if_then(builder.icmp_signed(">=", row, INT64(0))):
                visible = _nonzero(builder, builder.and_(_splat(builder, seen[k], TILE), bits))
                shown = builder.select(visible, rows[k], _constant([HIDDEN] * TILE))
                _store(builder, shown, target, builder.mul(row, width))
        return context.get_dummy_value()

    return types.none(words, PLACE, view, PART), build


def _sight_bits(builder: Any, width: Any, agent: Any) -> Any:
    """For each column, its bits in a row's masks: one from the agent to the right, one from the agent to the left."""
    offset = builder.sub(_numbers(TILE), _splat(builder, builder.trunc(agent, INT32), TILE))
    zero = _constant([0] * TILE)
    right = builder.shl(_constant([RIGHTWARD_SIGHT] * TILE), offset)
    left = builder.shl(_constant([LEFTWARD_SIGHT] * TILE), builder.neg(offset))
    right = builder.select(builder.icmp_signed(">=", offset, zero), right, zero)
    left = builder.select(builder.icmp_signed("<=", offset, zero), left, zero)
    within = builder.icmp_signed("<", _numbers(TILE), _splat(builder, builder.trunc(width, INT32), TILE))
    return builder.select(within, builder.or_(right, left), zero)


def _sight(builder: Any, columns: list[Any], bits: Any) -> list[Any]:
    """For each row, which of its bits are seen.

    Sight enters a row from the one below and propagates through clear cells.

    Adding the entry bits to those of the clear cells carries it to the first cell that is not clear.
    """
    clear = _constant([0] * TILE)
    for i, column in enumerate(columns):
        bit = _picked(builder, bits, [i] * TILE)
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


def _load(builder: Any, source: Any, place: Any, size: int, seen: Any = None) -> tuple[list[Any], list[Any]]:
    """The rows and columns of a tile of a size, rotated without branches.

    `place` is height and width of the words, the first of the tile's rows (the others follow upward where there are 2
    or 3 quarter turns, else downward), its leftmost column, and the quarter turns. Of a view narrower or lower than the
    tile, `seen` columns and rows, the other rows of words are not read: each may be far away in memory.
    """
    height, width, y, x, turns = place
    sideways = builder.trunc(turns, ir.IntType(1))
    upward = builder.trunc(builder.lshr(turns, INT64(1)), ir.IntType(1))
    step = builder.select(upward, INT64(-1), INT64(1))
    numbers = _numbers(size)
    xs = builder.add(_splat(builder, builder.trunc(x, INT32), size), numbers)
    ys = builder.mul(numbers, _splat(builder, builder.trunc(step, INT32), size))
    ys = builder.add(_splat(builder, builder.trunc(y, INT32), size), ys)
    inside, there = _between(builder, xs, width), _between(builder, ys, height)
    if seen is not None:
        there = builder.and_(there, _between(builder, numbers, builder.select(sideways, *seen)))
    reversing = _splat(builder, builder.xor(sideways, upward), size)
    turning = _splat(builder, sideways, size)
    first = builder.add(builder.mul(y, width), x)
    rows = []
    for k in range(size):
        start = builder.add(first, builder.mul(builder.mul(step, width), INT64(k)))
        this = _picked(builder, there, [k] * size)
        row = _masked_load(builder, source, start, builder.and_(inside, this))
        backward = _picked(builder, row, range(size)[::-1])
        rows.append(builder.select(reversing, backward, row))
    columns = _transposed(builder, rows)
    turned = [builder.select(turning, c, r) for r, c in zip(rows, columns, strict=True)]
    return turned, [builder.select(turning, r, c) for r, c in zip(rows, columns, strict=True)]


def _masked_load(builder: Any, source: Any, start: Any, mask: Any) -> Any:
    """The words of a row from element `start` on; Hidden where the mask is false, whose memory is not touched."""
    count = mask.type.count
    row = ir.VectorType(INT32, count)
    there = builder.add(builder.ptrtoint(source, INT64), builder.shl(start, INT64(2)))
    pointer = builder.inttoptr(there, row.as_pointer())
    signature = ir.FunctionType(row, [pointer.type, INT32, mask.type, row])
    get: Any = cgutils.get_or_insert_function
    load = get(builder.module, signature, f"llvm.masked.load.v{count}i32.p0")
    return builder.call(load, [pointer, INT32(4), mask, _constant([HIDDEN] * count)])


def _opaque(builder: Any, number: Any) -> Any:
    """The same number, but unknown to LLVM, which else computes the address of each row from that of the tile before.

    Most views are one tile, and eight more variables of the loop do not fit into registers.
    """
    return builder.asm(ir.FunctionType(INT64, [INT64]), "", "=r,0", [number], side_effect=False)


def _store(builder: Any, row: Any, target: Any, start: Any) -> None:
    pointer = builder.bitcast(builder.gep(target, [start]), row.type.as_pointer())
    builder.store(row, pointer).align = 4


def _transposed(builder: Any, rows: list[Any]) -> list[Any]:
    """Rounds of exchanging quarters of 2 x 2 blocks of 1, 2 and so on."""
    count, size = len(rows), 1
    while size < count:
        exchanged = list(rows)
        for i in range(count):
            if not i & size:
                above = [lane if not lane & size else count + lane - size for lane in range(count)]
                below = [lane + size if not lane & size else count + lane for lane in range(count)]
                exchanged[i] = builder.shuffle_vector(rows[i], rows[i + size], _constant(above))
                exchanged[i + size] = builder.shuffle_vector(rows[i], rows[i + size], _constant(below))
        rows, size = exchanged, 2 * size
    return rows


def _constant(numbers: Any) -> Any:
    return ir.Constant(ir.VectorType(INT32, len(numbers)), [INT32(n) for n in numbers])


def _numbers(size: int) -> Any:
    return _constant(range(size))


def _picked(builder: Any, row: Any, lanes: Any) -> Any:
    """The numbers in some lanes of a row."""
    return builder.shuffle_vector(row, ir.Constant(row.type, ir.Undefined), _constant(lanes))


def _splat(builder: Any, number: Any, size: int) -> Any:
    """Broadcast a number to all lanes of a row."""
    row = ir.Constant(ir.VectorType(number.type, size), ir.Undefined)
    return _picked(builder, builder.insert_element(row, number, INT32(0)), [0] * size)


def _between(builder: Any, row: Any, limit: Any) -> Any:
    """A mask of the row's numbers in [0, limit)."""
    count = row.type.count
    below = builder.icmp_signed("<", row, _splat(builder, builder.trunc(limit, INT32), count))
    return builder.and_(builder.icmp_signed(">=", row, _constant([0] * count)), below)


def _nonzero(builder: Any, row: Any) -> Any:
    return builder.icmp_unsigned("!=", row, _constant([0] * TILE))
