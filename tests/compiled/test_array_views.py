"""Arrays as compiled rules see them: an address and a shape."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gridarium.compiled.data_types.primitives import float64_at, int64_at, trusted, uint8_at, uint32_at
from tests.compiled.compiling import compiled

AT = {np.uint8: uint8_at, np.uint32: uint32_at, np.int64: int64_at, np.float64: float64_at}


def address(array: Any) -> int:
    return int(array.__array_interface__["data"][0])


@trusted
def walk(place: int, out: int, *, at: Any) -> int:
    cube, seen = at(place, (2, 3, 4)), at(out, (24,))
    n = 0
    for k in range(cube.shape[0]):
        layer = cube[k]
        for y in range(layer.shape[0]):
            row = cube[k, y]
            for x in range(row.shape[0]):
                seen[n] = row[x] - layer[y, x] + cube[k, y, x]
                n += 1
    cube[1, 2, 3] = seen[5] + 1
    cube[0][1, 0] = 7
    return n + cube.shape[2] + len(cube.shape)


@pytest.mark.parametrize("dtype", list(AT))
def test_elements_rows_and_layers_are_read_and_written(dtype: Any) -> None:
    cube = (np.arange(24, dtype=dtype) + 200).reshape(2, 3, 4)
    outcomes = []
    for run in (lambda *places: walk(*places, at=AT[dtype]), compiled(walk, at=AT[dtype])):
        own, out = cube.copy(), np.zeros(24, dtype)
        assert run(address(own), address(out)) == 24 + 4 + 3
        outcomes.append((own.tolist(), out.tolist()))
    assert outcomes[0] == outcomes[1]
    assert outcomes[0][1] == cube.ravel().tolist()
    assert outcomes[0][0][0][1][0] == 7


@trusted
def widths(small: int, middle: int, real: int) -> tuple[int, int, float, float]:
    bytes_, words, floats = uint8_at(small, (2,)), uint32_at(middle, (2,)), float64_at(real, (2,))
    bytes_[1] = bytes_[0] + 100
    words[1] = words[0] + 4000000000
    floats[1] = bytes_[0]
    return bytes_[0] - 250, words[0] - 4294967295, floats[0] / 2, floats[1]


def test_reading_gives_whole_numbers_of_64_bits_or_floats() -> None:
    arrays = np.array([201, 0], np.uint8), np.array([4294967290, 0], np.uint32), np.array([3.0, 0.0])
    assert compiled(widths)(*map(address, arrays)) == (201 - 250, -5, 1.5, 201.0)
    assert [array[1] for array in arrays] == [(201 + 100) % 256, (4294967290 + 4000000000) % (1 << 32), 201.0]


@trusted
def empty(place: int) -> int:
    return int64_at(place, (0, 4)).shape[0] + 10 * int64_at(place, (0, 4)).shape[1]


def test_an_array_may_be_empty() -> None:
    assert empty(0) == compiled(empty)(0) == 40


@trusted
def assign_row(place: int) -> int:
    int64_at(place, (2, 2))[0] = 3
    return 0


@trusted
def by_name(place: int) -> int:
    return int64_at(place, (2, 2)).size


def test_nothing_else_can_be_done_with_them() -> None:
    import numba

    for rule in (assign_row, by_name):
        with pytest.raises(numba.core.errors.NumbaError):
            compiled(rule)(address(np.zeros(4, np.int64)))
