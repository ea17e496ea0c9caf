"""The few operations with two bodies: each does the same interpreted and compiled."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridarium.compiled.data_types import primitives
from gridarium.compiled.data_types.primitives import (
    atomic_add,
    atomic_get,
    atomic_set,
    copy_words,
    fill_words,
    float64_at,
    get_float,
    int64_at,
    low_bytes,
    pause,
    set_float,
    trusted,
    uint8_at,
    uint16_at,
    uint32_at,
)
from tests.compiled.compiling import compiled

SHAPES = [(1,), (5,), (16,), (17,), (3, 5), (2, 3, 7), (1, 33)]


def address(array: Any) -> int:
    return int(array.__array_interface__["data"][0])


@trusted
def float_bits(place: int, index: int, number: float) -> float:
    row = int64_at(place, (3,))
    before = get_float(row, index)
    set_float(row, index, number)
    return before


@given(st.floats(), st.floats(), st.integers(0, 2))
def test_floats_are_kept_bit_by_bit(first: float, second: float, index: int) -> None:
    rows = [np.full(3, first).view(np.int64) for _ in range(2)]
    outcomes = [
        run(address(row), index, second) for run, row in zip((float_bits, compiled(float_bits)), rows)
    ]
    assert np.array(outcomes[0]).tobytes() == np.array(outcomes[1]).tobytes() == np.array(first).tobytes()
    assert rows[0].tolist() == rows[1].tolist()
    assert rows[0][index : index + 1].view(np.float64).tobytes() == np.array(second).tobytes()


@trusted
def counters(place: int, amount: int) -> tuple[int, int, int]:
    row = int64_at(place, (4,))
    first = atomic_add(row, 1, amount)
    second = atomic_add(row, 1, -1)
    atomic_set(row, 2, atomic_get(row, 1) + 5)
    pause()
    return first, second, atomic_get(row, 2)


def test_counters_count() -> None:
    rows = [np.array([9, 10, 0, 9]) for _ in range(2)]
    assert counters(address(rows[0]), 7) == compiled(counters)(address(rows[1]), 7) == (10, 17, 21)
    assert rows[0].tolist() == rows[1].tolist() == [9, 16, 21, 9]


@trusted
def copy_cube(source: int, target: int, *, at: Any) -> int:
    copy_words(at(source, (2, 3, 5)), at(target, (2, 3, 5)))
    return 0


@pytest.mark.parametrize("dtype", [np.int64, np.uint32, np.uint16, np.uint8, np.float64])
def test_whole_arrays_are_copied(dtype: Any) -> None:
    at = {
        np.uint8: uint8_at,
        np.uint16: uint16_at,
        np.uint32: uint32_at,
        np.int64: int64_at,
        np.float64: float64_at,
    }[dtype]
    source = np.random.default_rng(0).integers(0, 200, (2, 3, 5)).astype(dtype)
    for run in (lambda *places: copy_cube(*places, at=at), compiled(copy_cube, at=at)):
        target = np.zeros(32, dtype)
        run(address(source), address(target[1:]))
        assert target.tolist() == [0, *source.ravel().tolist(), 0]


@trusted
def fill_square(place: int, word: int, *, at: Any) -> int:
    fill_words(at(place, (3, 3)), word)
    return 0


@pytest.mark.parametrize(
    ("at", "dtype"),
    [(uint32_at, np.uint32), (int64_at, np.int64), (uint16_at, np.uint16), (uint8_at, np.uint8)],
)
def test_whole_arrays_are_filled(at: Any, dtype: Any) -> None:
    for run in (lambda *a: fill_square(*a, at=at), compiled(fill_square, at=at)):
        target = np.zeros(11, dtype)
        run(address(target[1:]), 77)
        assert target.tolist() == [0, *[77] * 9, 0]


@trusted
def bytes_of(source: int, target: int, count: int) -> int:
    low_bytes(uint32_at(source, (count,)), uint8_at(target, (count, 3)))
    return 0


@trusted
def bytes_of_rows(source: int, target: int, height: int, width: int) -> int:
    low_bytes(uint32_at(source, (height, width)), uint8_at(target, (height, width, 3)))
    return 0


@pytest.mark.parametrize("count", [1, 2, 15, 16, 17, 31, 32, 33, 49, 81])
def test_the_low_bytes_of_words(count: int) -> None:
    words = np.random.default_rng(count).integers(0, 1 << 32, count, np.uint32)
    wanted = [[int(w) & 255, (int(w) >> 8) & 255, (int(w) >> 16) & 255] for w in words]
    for run in (bytes_of, compiled(bytes_of)):
        target = np.full((count + 2, 3), 99, np.uint8)
        run(address(words), address(target[1:]), count)
        assert target.tolist() == [[99] * 3, *wanted, [99] * 3]


def test_the_low_bytes_of_a_square_of_words() -> None:
    words = np.random.default_rng(1).integers(0, 1 << 32, (7, 7), np.uint32)
    targets = [np.zeros((7, 7, 3), np.uint8) for _ in range(2)]
    for run, target in zip((bytes_of_rows, compiled(bytes_of_rows)), targets):
        run(address(words), address(target), 7, 7)
    assert targets[0].tolist() == targets[1].tolist()
    assert targets[0][3, 4].tolist() == [int(words[3, 4]) >> shift & 255 for shift in (0, 8, 16)]


def test_every_primitive_has_a_compiled_form() -> None:
    from gridarium.compiled.data_types import branching, random

    for module in (primitives, random, branching):
        for name, function in vars(module).items():
            if hasattr(function, "__compiled__") and function.__module__ == module.__name__:
                place, _, twin = function.__compiled__.partition(":")
                assert twin == name and callable(getattr(importlib.import_module(place), name))


def test_arrays_at_addresses_share_their_memory() -> None:
    owner = np.arange(6, dtype=np.int64)
    view = int64_at(address(owner), (2, 3))
    view[1, 2] = 99
    assert owner[5] == 99
    assert uint32_at(0, (0, 3)).shape == (0, 3)
