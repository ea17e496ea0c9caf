"""The memory of each thread that works on the worlds of a batch."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.compiled.data_types.random import CELLS_COPY, LAYERS_COPY, SHARED, WATCHED
from gridarium.engine.kernel_args import (
    BACKED_UP,
    BEGIN,
    END,
    PROGRESS_LENGTH,
    WORLD,
    KernelArg,
    address,
)
from gridarium.world.copy_on_write import COPY_FIRST

LINE = 16
"""Words of two cache lines: the minimum distance between data of different threads, to avoid false sharing."""


class ThreadMemory:
    """Scratch memory, a backup of the current world, and the progress of each thread.

    Args:
        frame: its addresses are written here.
        arrays: cells, layers, data and agent rows of the worlds, each [n, ...].
        scratch_words: the length of a scratch row.
        threads: the number of threads.

    Attributes:
        scratch: int64[threads, scratch_words]: the scratch rows.
    """

    def __init__(
        self,
        frame: npt.NDArray[np.int64],
        arrays: Sequence[npt.NDArray[Any]],
        scratch_words: int,
        threads: int,
    ) -> None:
        shapes = [(a.shape[1:], a.dtype) for a in arrays]
        words = [scratch_words, PROGRESS_LENGTH, 1]
        words += [int(np.prod(shape)) * dtype.itemsize // 8 + 1 for shape, dtype in shapes]
        *begins, stride = itertools.accumulate((-(-w // LINE) * LINE for w in words), initial=0)
        whole = np.zeros((threads + 1) * stride, np.int64)
        first = -address(whole) // 8 % LINE
        rows = whole[first : first + threads * stride].reshape(threads, stride)
        arg_indices = (
            KernelArg.SCRATCH_ARRAY,
            KernelArg.PROGRESS_ARRAY,
            KernelArg.NEXT_WORLD_ARRAY,
            KernelArg.BEFORE_CELL_ARRAY,
            KernelArg.BEFORE_LAYER_ARRAY,
            KernelArg.BEFORE_DATA_ARRAY,
            KernelArg.BEFORE_AGENT_ROW_ARRAY,
        )
        for arg_index, begin in zip(arg_indices, begins, strict=True):
            frame[arg_index] = address(rows) + 8 * begin
        frame[KernelArg.THREAD_STRIDE] = 8 * stride
        self._frame = frame
        self.scratch = rows[:, begins[0] : begins[0] + words[0]]
        for copy, begin in zip((CELLS_COPY, LAYERS_COPY), begins[3:5], strict=True):
            self.scratch[:, copy] = address(rows) + 8 * begin + 8 * stride * np.arange(threads)
        self._progress = rows[:, begins[1] : begins[1] + PROGRESS_LENGTH]
        rows[:, begins[2]] = len(arrays[0])  # nothing to do yet
        self._before = [
            [row[begin:].view(dtype)[: int(np.prod(shape))].reshape(shape) for row in rows]
            for begin, (shape, dtype) in zip(begins[3:], shapes, strict=True)
        ]

    def progress(self, slot: int) -> tuple[int, int, int]:
        """The current world of a thread, and the begin and end of its chunk."""
        row = self._progress[slot].tolist()
        return row[WORLD], row[BEGIN], row[END]

    def put_back(self, slot: int, e: int, arrays: Sequence[npt.NDArray[Any]]) -> bool:
        """Restore world `e` from a thread's backup, if it has one, and clear the thread's current world.

        Returns:
            whether it is to be run once more, since a rule was about to change cells without a copy (see
            `gridarium.world.copy_on_write`); from now on they are copied before each step.
        """
        unchanged, shared = (int(word) for word in self.scratch[slot, [WATCHED, SHARED]])
        self.scratch[slot, [WATCHED, SHARED]] = 0
        if int(self._progress[slot, BACKED_UP]) == e:
            first = 2 if unchanged else 0
            for mine, before in zip(arrays[first:], self._before[first:], strict=True):
                mine[e] = before[slot]
            self._progress[slot, BACKED_UP] = -1
        self._progress[slot, WORLD] = self._progress[slot, END]
        if shared == COPY_FIRST:
            self._frame[KernelArg.COPY_FIRST] = 1
        return shared == COPY_FIRST
