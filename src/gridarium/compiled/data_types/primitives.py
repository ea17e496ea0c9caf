"""Primitives: operations that need one body for plain Python and another for compiled code.

Each is an ordinary function with an attribute that names its compiled implementation, which is imported only when something
compiles: those here have it in `gridarium.compiled.numba_backend.intrinsics`; other rooms mark theirs with `compiled_as`, most
for a module in a folder `compiled` of their own. Everything else in the library is written once.
"""

from __future__ import annotations

import ctypes
import functools
import math
import sys
from collections.abc import Callable
from types import CodeType
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

F = TypeVar("F", bound=Callable[..., Any])


def primitive(function: F) -> F:
    """Mark a function whose compiled implementation has the same name in `intrinsics`."""
    function.__compiled__ = f"gridarium.compiled.numba_backend.intrinsics:{function.__name__}"  # type: ignore[attr-defined]
    return function


def compiled_as(implementation: str) -> Callable[[F], F]:
    """Mark a function whose compiled implementation is `module:name`."""

    def mark(function: F) -> F:
        function.__compiled__ = implementation  # type: ignore[attr-defined]
        return function

    return mark


_trusted: dict[int, CodeType] = {}


def is_trusted(function: Any) -> bool:
    """Whether a function is marked by `trusted`."""
    return id(function.__code__) in _trusted


def trusted(function: F) -> F:
    """Mark a function that reads and writes raw arrays as the library's own do: it is compiled without verification."""
    _trusted[id(function.__code__)] = function.__code__
    return function


def checked(function: F) -> F:
    """Mark a function of the library that hands on numbers of users, which is verified like theirs."""
    function.__checked__ = True  # type: ignore[attr-defined]
    return function


def for_rules(thing: F) -> F:
    """Mark a function or class of the library that rules of users may name; they are refused all others.

    It is safe with any arguments that such rules can give it: they have no raw memory but `state.scratch`.
    """
    thing.__for_rules__ = True  # type: ignore[attr-defined]
    return thing


def outlined(function: F) -> F:
    """Mark a function that compiled code calls instead of inlining: large, or called from several places."""
    function.__outlined__ = True  # type: ignore[attr-defined]
    return function


@primitive
def int64_at(address: int, shape: tuple[int, ...]) -> npt.NDArray[np.int64]:
    """The C-contiguous int64 array of `shape` at a memory address."""
    return _array_at(address, shape, np.int64)


@primitive
def uint32_at(address: int, shape: tuple[int, ...]) -> npt.NDArray[np.uint32]:
    """The C-contiguous uint32 array of `shape` at a memory address."""
    return _array_at(address, shape, np.uint32)


@primitive
def uint16_at(address: int, shape: tuple[int, ...]) -> npt.NDArray[np.uint16]:
    """The C-contiguous uint16 array of `shape` at a memory address."""
    return _array_at(address, shape, np.uint16)


@primitive
def uint8_at(address: int, shape: tuple[int, ...]) -> npt.NDArray[np.uint8]:
    """The C-contiguous uint8 array of `shape` at a memory address."""
    return _array_at(address, shape, np.uint8)


@primitive
def float64_at(address: int, shape: tuple[int, ...]) -> npt.NDArray[np.float64]:
    """The C-contiguous float64 array of `shape` at a memory address."""
    return _array_at(address, shape, np.float64)


@primitive
def get_float(row: npt.NDArray[np.int64], index: int) -> float:
    """The float64 whose bits are stored at `row[index]` of an int64 row."""
    return float(row[index : index + 1].view(np.float64)[0])


@primitive
def set_float(row: npt.NDArray[np.int64], index: int, number: float) -> None:
    """Store a float64's bits at `row[index]` of an int64 row."""
    row[index : index + 1].view(np.float64)[0] = number


@primitive
def plain_float(number: float) -> float:
    """Normalize a float as stored in states and rewards: no -0.0, and a single NaN, since these differ only in bits.

    The integer 0 has no sign in Python, but may have one as a float in compiled code.
    """
    return number + 0.0 if number == number else math.nan  # noqa: PLR0124


@primitive
def fixed(row: npt.NDArray[np.int64], index: int) -> int:
    """Read `row[index]`, which is constant during every compiled call, so that the read may be hoisted."""
    return int(row[index])


@primitive
def atomic_add(row: npt.NDArray[np.int64], index: int, amount: int) -> int:
    """Add to `row[index]` in one indivisible step and return the number before (interpreted: single-threaded)."""
    before = int(row[index])
    row[index] += amount
    return before


@primitive
def atomic_get(row: npt.NDArray[np.int64], index: int) -> int:
    """Read `row[index]` as last written by other threads."""
    return int(row[index])


@primitive
def atomic_set(row: npt.NDArray[np.int64], index: int, number: int) -> None:
    """Write `row[index]` so that other threads see it after everything that was written before."""
    row[index] = number


@primitive
def pause() -> None:
    """Tell the processor that this thread is waiting for another (interpreted: nothing)."""


@primitive
def prefetch(address: int, size: int) -> None:
    """Tell the processor that some bytes of memory will be read soon (interpreted: nothing)."""


@primitive
def likely(test: bool) -> bool:
    """A test that is nearly always true: compiled code keeps the other branch out of the way (interpreted: the test itself)."""
    return test


@primitive
def copy_words(source: npt.NDArray[Any], target: npt.NDArray[Any]) -> None:
    """Copy a C-contiguous array into another of the same shape and dtype."""
    target[...] = source


@primitive
def fill_words(target: npt.NDArray[Any], word: int) -> None:
    """Set every element of an array."""
    target[...] = word


@primitive
def low_bytes(words: npt.NDArray[np.uint32], out: npt.NDArray[np.uint8]) -> None:
    """The lowest three bytes of each uint32 of a C-contiguous array, lowest first, into uint8[..., 3]."""
    flat = np.ascontiguousarray(words).view(np.uint8).reshape(-1, 4)
    out.reshape(-1, 3)[...] = flat[:, :3] if sys.byteorder == "little" else flat[:, :0:-1]


@functools.lru_cache(4096)
def _array_at(address: int, shape: tuple[int, ...], scalar: type[np.generic]) -> npt.NDArray[Any]:
    count, dtype = 1, np.dtype(scalar)
    for length in shape:
        count *= int(length)
    if count == 0:
        return np.zeros(shape, dtype)
    memory = (ctypes.c_char * (count * dtype.itemsize)).from_address(int(address))
    flat: npt.NDArray[Any] = np.frombuffer(memoryview(memory), dtype)
    return flat.reshape(shape)
