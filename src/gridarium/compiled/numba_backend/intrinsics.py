"""The compiled implementations of `gridarium.compiled.data_types.primitives`. Importing this module imports numba."""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np import arrayobj

from gridarium.compiled.data_types import primitives
from gridarium.compiled.data_types.random import POOL_START, USED_UP
from gridarium.compiled.numba_backend import value_types
from gridarium.compiled.numba_backend.array_views import (
    ViewType,
    data_pointer,
    element_count,
    make_view,
    view_at,
)

CACHE_LINE = 64
"""The bytes that most processors read at once."""


def _array_intrinsic(dtype: Any) -> Any:
    @intrinsic
    def array_at(context: Any, address: Any, shape: Any) -> Any:
        wide = types.UniTuple(types.int64, len(shape))
        return ViewType(dtype, len(shape))(types.int64, wide), _build_view

    return array_at


def _build_view(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    return view_at(context, builder, signature.return_type, args[0], cgutils.unpack_tuple(builder, args[1]))


int64_at = _array_intrinsic(types.int64)
uint32_at = _array_intrinsic(types.uint32)
uint16_at = _array_intrinsic(types.uint16)
uint8_at = _array_intrinsic(types.uint8)
float64_at = _array_intrinsic(types.float64)


def _element_pointer(context: Any, builder: Any, array_type: Any, array: Any, index: Any) -> Any:
    return builder.gep(data_pointer(context, builder, array_type, array), [index])


@intrinsic
def get_float(context: Any, row: Any, index: Any) -> Any:
    """Read `row[index]` of an int64 row as the float64 with the same bits."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = _element_pointer(context, builder, signature.args[0], args[0], args[1])
        return builder.bitcast(builder.load(pointer), ir.DoubleType())

    return types.float64(row, types.int64), build


@intrinsic
def set_float(context: Any, row: Any, index: Any, number: Any) -> Any:
    """Write a float64's bits to `row[index]` of an int64 row."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = _element_pointer(context, builder, signature.args[0], args[0], args[1])
        builder.store(builder.bitcast(args[2], ir.IntType(64)), pointer)
        return context.get_dummy_value()

    return types.none(row, types.int64, types.float64), build


@intrinsic
def fixed(context: Any, row: Any, index: Any) -> Any:
    """Read `row[index]`, which is not modified during the call."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        load = builder.load(_element_pointer(context, builder, signature.args[0], args[0], args[1]))
        load.set_metadata("invariant.load", builder.module.add_metadata([]))
        return load

    return types.int64(row, types.int64), build


@intrinsic
def atomic_add(context: Any, row: Any, index: Any, amount: Any) -> Any:
    """Add to `row[index]` atomically and return the previous number."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = _element_pointer(context, builder, signature.args[0], args[0], args[1])
        return builder.atomic_rmw("add", pointer, args[2], "seq_cst")

    return types.int64(row, types.int64, types.int64), build


@intrinsic
def atomic_get(context: Any, row: Any, index: Any) -> Any:
    """Read `row[index]` as last written by other threads."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = _element_pointer(context, builder, signature.args[0], args[0], args[1])
        return builder.load_atomic(pointer, "seq_cst", 8)

    return types.int64(row, types.int64), build


@intrinsic
def atomic_set(context: Any, row: Any, index: Any, number: Any) -> Any:
    """Write `row[index]` so that other threads see it after everything that was written before."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = _element_pointer(context, builder, signature.args[0], args[0], args[1])
        builder.store_atomic(args[2], pointer, "seq_cst", 8)
        return context.get_dummy_value()

    return types.none(row, types.int64, types.int64), build


@intrinsic
def likely(context: Any, test: Any) -> Any:
    """LLVM's `llvm.expect`."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        bit = ir.IntType(1)
        expect = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(bit, [bit, bit]), "llvm.expect.i1"
        )
        return builder.call(expect, [args[0], ir.Constant(bit, 1)])

    return types.boolean(types.boolean), build


@intrinsic
def prefetch(context: Any, address: Any, size: Any) -> Any:
    """The processor's hint that memory will be read soon."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [pointer, number, number, number])
        hint = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        zero, line = ir.Constant(args[1].type, 0), ir.Constant(args[1].type, CACHE_LINE)
        with cgutils.for_range_slice(builder, zero, args[1], line) as (offset, _):
            place = builder.inttoptr(builder.add(args[0], offset), pointer)
            builder.call(hint, [place, number(0), number(3), number(1)])  # to read data, into all caches
        return context.get_dummy_value()

    return types.none(types.int64, types.int64), build


@intrinsic
def pause(context: Any) -> Any:
    """The processor's hint for waiting loops, some 40 of them (about 0.05 us to 1 us)."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if platform.machine() in ("x86_64", "AMD64"):
            wait = cgutils.get_or_insert_function(
                builder.module, ir.FunctionType(ir.VoidType(), []), "llvm.x86.sse2.pause"
            )
            with cgutils.for_range(builder, ir.Constant(ir.IntType(64), 40)):
                builder.call(wait, [])
        return context.get_dummy_value()

    return types.none(), build


@intrinsic
def array_of(context: Any, array: Any) -> Any:
    """A view, or an array, as numba's array: for implementations that use slices or should be vectorized."""
    if not isinstance(array, ViewType):
        return array(array), lambda context, builder, signature, args: args[0]
    wide = types.Array(array.dtype, array.ndim, "C")

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data, *sizes = cgutils.unpack_tuple(builder, args[0])
        itemsize = context.get_constant(
            types.intp, context.get_abi_sizeof(context.get_data_type(array.dtype))
        )
        strides = [itemsize]
        for size in reversed(sizes[1:]):
            strides.insert(0, builder.mul(strides[0], size))
        made = context.make_array(wide)(context, builder)
        arrayobj.populate_array(made, data, sizes, strides, itemsize, None)
        return made._getvalue()

    return wide(array), build


def _in_blocks(builder: Any, count: Any, sizes: tuple[int, ...], write: Callable[[Any, int], None]) -> None:
    """Call `write(start, size)` for blocks of `count` elements, as large as possible of `sizes`, whose last is 1."""
    size, *smaller = sizes
    if not smaller:
        with cgutils.for_range(builder, count) as loop:
            write(loop.index, size)
        return
    with builder.if_else(_has_block(builder, count, size)) as (fits, does_not):
        with fits:
            _in_blocks_of(builder, count, size, write)
        with does_not:
            _in_blocks(builder, count, tuple(smaller), write)


def _has_block(builder: Any, count: Any, size: int) -> Any:
    return builder.icmp_unsigned(">=", count, ir.Constant(ir.IntType(64), size))


def _in_blocks_of(builder: Any, count: Any, size: int, write: Callable[[Any, int], None]) -> None:
    """Call `write(start, size)` for blocks of at least `size` elements.

    The last block overlaps the one before it where the count is no multiple: better than smaller blocks for the rest.
    """
    words = ir.Constant(ir.IntType(64), size)
    last = builder.sub(count, words)
    before = builder.udiv(builder.add(last, ir.Constant(ir.IntType(64), size - 1)), words)
    with cgutils.for_range(builder, before) as loop:
        write(builder.mul(loop.index, words), size)
    write(last, size)


@intrinsic
def copy_words(context: Any, source: Any, target: Any) -> Any:
    """Copy a contiguous array into another one of its shape and dtype; faster than a call of C's for the few words of a state."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        first, second = (
            data_pointer(context, builder, t, a) for t, a in zip(signature.args, args, strict=True)
        )
        itemsize = context.get_abi_sizeof(context.get_data_type(signature.args[0].dtype))

        def write(start: Any, size: int) -> None:
            block = ir.VectorType(first.type.pointee, size).as_pointer()
            words = builder.load(builder.bitcast(builder.gep(first, [start]), block))
            words.align = itemsize
            builder.store(words, builder.bitcast(builder.gep(second, [start]), block)).align = itemsize

        count, size = element_count(context, builder, signature.args[0], args[0]), 64 // itemsize
        with builder.if_else(_has_block(builder, count, size)) as (fits, does_not):
            with fits:
                _in_blocks_of(builder, count, size, write)
            with does_not:
                cgutils.raw_memcpy(builder, second, first, count, itemsize)
        return context.get_dummy_value()

    return types.none(source, target), build


@intrinsic
def fill_words(context: Any, target: Any, word: Any) -> Any:
    """Set every element of a contiguous array."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array_type = signature.args[0]
        data = data_pointer(context, builder, array_type, args[0])
        word = context.cast(builder, args[1], signature.args[1], array_type.dtype)
        itemsize = context.get_abi_sizeof(word.type)

        def write(start: Any, size: int) -> None:
            pointer = builder.gep(data, [start])
            if size == 1:
                builder.store(word, pointer)
                return
            block = ir.VectorType(word.type, size)
            one = builder.insert_element(ir.Constant(block, ir.Undefined), word, ir.IntType(32)(0))
            same = builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(ir.IntType(32), size), None))
            builder.store(same, builder.bitcast(pointer, block.as_pointer())).align = itemsize

        count = element_count(context, builder, array_type, args[0])
        _in_blocks(builder, count, tuple(dict.fromkeys((32 // itemsize, 8 // itemsize, 1))), write)
        return context.get_dummy_value()

    return types.none(target, types.int64), build


@intrinsic
def low_bytes(context: Any, words: Any, out: Any) -> Any:
    """The lowest three bytes of each uint32."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        source = data_pointer(context, builder, signature.args[0], args[0])
        target = data_pointer(context, builder, signature.args[1], args[1])
        count = element_count(context, builder, signature.args[0], args[0])
        _in_blocks(builder, count, (16, 4, 1), partial(_move_bytes, builder, source, target))
        return context.get_dummy_value()

    return types.none(words, out), build


def _move_bytes(builder: Any, source: Any, target: Any, start: Any, count: int) -> None:
    byte, number = ir.IntType(8), ir.IntType(32)
    whole = builder.bitcast(builder.gep(source, [start]), ir.VectorType(byte, 4 * count).as_pointer())
    words = builder.load(whole)
    words.align = 4
    first = range(3) if sys.byteorder == "little" else range(3, 0, -1)
    lanes = [number(4 * k + b) for k in range(count) for b in first]
    picked = builder.shuffle_vector(
        words, ir.Constant(words.type, ir.Undefined), ir.Constant(ir.VectorType(number, len(lanes)), lanes)
    )
    pointer = builder.gep(target, [builder.mul(start, ir.Constant(ir.IntType(64), 3))])
    builder.store(picked, builder.bitcast(pointer, picked.type.as_pointer())).align = 1


# random numbers (see `gridarium.compiled.data_types.random`)

_U = np.uint64
_OPTIONS = value_types.JIT_OPTIONS


plain_float = numba.njit(**_OPTIONS)(primitives.plain_float)


@numba.njit(**_OPTIONS)
def _mix(bits: Any) -> Any:
    bits = (bits ^ (bits >> _U(30))) * _U(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> _U(27))) * _U(0x94D049BB133111EB)
    return bits ^ (bits >> _U(31))


@numba.njit(**_OPTIONS)
def episode_key(key: Any, episode: Any) -> Any:
    return np.int64(_mix(_U(key) + _mix(_U(episode) * _U(0x9E3779B97F4A7C15) + _U(1))))


@numba.njit(**_OPTIONS)
def stream_key(key: Any, tick: Any, purpose: Any, agent: Any) -> Any:
    counter = _U((tick << 32) + (purpose << 16) + agent + 1) * _U(0x9E3779B97F4A7C15)
    return np.int64(_mix(_U(key) ^ _mix(counter)))


@numba.njit(**_OPTIONS)
def count_draw(scratch: Any, slot: Any) -> None:
    number = scratch[slot + 1]
    if number < 0:
        scratch[slot] = stream_key(scratch[slot], 0, 0, -number - 1)
        number = 0
    scratch[slot + 1] = number + 1


@numba.njit(**_OPTIONS)
def _bits(scratch: Any, slot: Any) -> Any:
    count_draw(scratch, slot)
    return _mix(_U(scratch[slot]) + _U(scratch[slot + 1]) * _U(0x9E3779B97F4A7C15))


@numba.njit(**_OPTIONS)
@primitives.outlined
def draw_integer(scratch: Any, slot: Any, span: Any) -> Any:
    size = _U(span)
    low = _U(0xFFFFFFFF)
    while size <= _U(1 << 32):
        product = (_bits(scratch, slot) >> _U(32)) * size
        if product & low >= size or product & low >= _U(1 << 32) % size:
            return np.int64(product >> _U(32))
    drawn = _bits(scratch, slot) >> _U(1)
    while drawn >= _U(1 << 63) - _U(1 << 63) % size:
        drawn = _bits(scratch, slot) >> _U(1)
    return np.int64(drawn % size)


@numba.njit(**_OPTIONS)
def draw_float(scratch: Any, slot: Any) -> Any:
    return np.float64(_bits(scratch, slot) >> _U(11)) * 2.0**-53


@intrinsic
def scratch_array(context: Any, scratch: Any, start: Any, shape: Any, dtype: Any) -> Any:
    """A contiguous array over a scratch row, from word `start` on."""
    view, wide = ViewType(dtype.dtype, len(shape)), types.UniTuple(types.int64, len(shape))

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = _element_pointer(context, builder, signature.args[0], args[0], args[1])
        data = builder.bitcast(pointer, context.get_data_type(view.dtype).as_pointer())
        return make_view(context, builder, view, data, cgutils.unpack_tuple(builder, args[2]))

    return view(scratch, types.int64, wide, dtype), build


@intrinsic
def _slice(context: Any, items: Any, start: Any, stop: Any) -> Any:
    """Elements `start` to `stop` (exclusive) of a row."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = _element_pointer(context, builder, signature.args[0], args[0], args[1])
        return make_view(context, builder, signature.return_type, pointer, [builder.sub(args[2], args[1])])

    return ViewType(items.dtype, 1)(items, types.int64, types.int64), build


@numba.njit(**_OPTIONS)
def take_scratch(scratch: Any, words: Any) -> Any:
    start = POOL_START + scratch[0]
    if words < 0 or words > scratch.shape[0] - start:
        scratch[USED_UP] = 1
        raise MemoryError("the scratch memory of a step is used up")
    scratch[0] += words
    return start
