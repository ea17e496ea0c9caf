"""Arrays that are reused once nobody references them any more.

New memory is slow to get from the operating system. So a block of arrays is reused when the caller has released all of it:
the arrays, every view of them, and everything else that keeps them alive (a tensor, a memoryview). CPython's reference
counts show this.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

import numpy as np

from gridarium.engine.kernel_args import address

COUNTED = sys.implementation.name == "cpython" and getattr(sys, "_is_gil_enabled", lambda: True)()
"""Whether reference counts show if an array is still in use."""
LINE = 64
"""Bytes of a cache line: the alignment of each array."""

Form = tuple[tuple[int, ...], np.dtype[Any]]
"""Shape and dtype of an array."""


class ArrayBlock:
    """Uninitialized arrays in one piece of memory, each aligned to a cache line.

    Args:
        forms: the shape and dtype of each array.

    Attributes:
        forms: likewise.
        arrays: in the same order.
    """

    __slots__ = ("_counted", "_held", "arrays", "forms")

    def __init__(self, forms: Sequence[Form]) -> None:
        self.forms = forms
        sizes = [int(np.prod(shape)) * dtype.itemsize for shape, dtype in forms]
        *begins, whole = itertools.accumulate((-(-size // LINE) * LINE for size in sizes), initial=0)
        memory = np.empty(whole + LINE, np.uint8)
        first = -address(memory) % LINE
        self.arrays = [
            np.ndarray(shape, dtype, memory, first + begin)
            for begin, (shape, dtype) in zip(begins, forms, strict=True)
        ]
        self._counted = [memory, *self.arrays]
        del memory
        self.hold()

    def hold(self) -> None:
        """Count all present references to the arrays as those of the block itself."""
        self._held = sum(map(sys.getrefcount, self._counted)) if COUNTED else 0

    @property
    def nbytes(self) -> int:
        """The size of the memory."""
        return self._counted[0].nbytes

    @property
    def free(self) -> bool:
        """Whether the arrays and views of them are referenced only by this block, as far as references are counted."""
        return sum(map(sys.getrefcount, self._counted)) == self._held


Block = TypeVar("Block", bound=ArrayBlock)


class ArrayPool(Generic[Block]):
    """Provides blocks of arrays: released ones if there are any, else new ones.

    Args:
        make: returns a new block of arrays of the given forms.
        most: the maximum number of blocks that are kept for reuse.
    """

    def __init__(self, make: Callable[[Sequence[Form]], Block], *, most: int) -> None:
        self._make, self._most = make, most
        self._kept: list[Block] = []

    def get(self, forms: Sequence[Form]) -> Block:
        """Return a block of arrays of these forms that nobody references."""
        kept = self._kept
        for k, block in enumerate(kept):
            if block.free and (block.forms is forms or block.forms == forms):
                kept.append(kept.pop(k))
                return block
        made = self._make(forms)
        if COUNTED:  # else there is no telling when they are released
            self._kept = [*kept[-(self._most - 1) :], made]
        return made

    def trim(self, most_bytes: int) -> None:
        """Free the memory of released blocks beyond a total size; those that were used last are kept."""
        idle = 0
        for k in reversed(range(len(self._kept))):
            if self._kept[k].free:
                idle += self._kept[k].nbytes
                if idle > most_bytes:
                    del self._kept[k]
