"""The memory of a batch: its worlds, per-thread memory, output arrays, and the frame with all addresses."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.compiled.data_types.random import SCRATCH_WORDS
from gridarium.engine.composed_world import ComposedWorld
from gridarium.engine.kernel_args import (
    BEGIN,
    END,
    FRAME_LENGTH,
    KEPT,
    PROGRESS_LENGTH,
    WORLD,
    Autoreset,
    KernelArg,
    address,
)
from gridarium.engine.threads.outputs import OutputPool, Outputs, OutputTarget
from gridarium.world.state import EPISODE, State
from gridarium.world.vocabulary import BODY_FIELDS, DATA_FIELDS

LINE = 16
"""Words of two cache lines: the minimum distance between data of different threads, to avoid false sharing."""


@dataclass(frozen=True)
class Snapshot:
    """Everything that a batch's future depends on."""

    cells: npt.NDArray[np.uint32]
    layers: npt.NDArray[np.int64]
    data: npt.NDArray[np.int64]
    bodies: npt.NDArray[np.int64]

    def arrays(self) -> tuple[npt.NDArray[Any], ...]:
        """Cells, layers, data and bodies, each [worlds, ...]."""
        return self.cells, self.layers, self.data, self.bodies


class Memory:
    """The arrays of `n` worlds that `threads` threads step.

    Attributes:
        cells, layers, data, bodies: the worlds, each [n, ...].
        asked: int64[n, agents]: the requested actions.
        actions: uint16[n, agents]: the validated actions.
        selected: uint8[n]: the worlds selected for a reset.
        scratch: int64[threads, ...]: the threads' scratch rows.
        outputs: the arrays that a step writes.
        numbers, next_numbers: the run-time parameters of the current and of the next episodes: int64[count] for all
            worlds together, or int64[n, count].
        frame, place: the frame, and its address (see `kernel_args`).
    """

    def __init__(
        self, composed: ComposedWorld, n: int, threads: int, autoreset: Autoreset, *, shared: bool
    ) -> None:
        vocabulary, (height, width), agents = composed.vocabulary, composed.shape, composed.agents
        body, data = BODY_FIELDS + len(vocabulary.agent_fields), DATA_FIELDS + len(vocabulary.world_fields)
        self.composed, self.n, self.agents, self.autoreset = composed, n, agents, autoreset
        self.cells = np.full((n, height, width), 2, np.uint32)
        self.layers = np.zeros((n, vocabulary.layers, height, width), np.int64)
        self.data = np.zeros((n, data), np.int64)
        self.bodies = np.zeros((n, agents, body), np.int64)
        self.data[:, EPISODE] = -1
        self.asked = np.zeros((n, agents), np.int64)
        self.actions = np.zeros((n, agents), np.uint16)
        self.selected = np.ones(n, np.uint8)
        self.frame = np.zeros(FRAME_LENGTH, np.int64)
        self.place = address(self.frame)
        sizes = [n, height, width, vocabulary.layers, agents, data, body, composed.scratch_words]
        self.frame[: len(sizes)] = sizes
        self._own_memory(threads)
        self._point(
            {
                KernelArg.CELL_ARRAY: self.cells,
                KernelArg.LAYER_ARRAY: self.layers,
                KernelArg.DATA_ARRAY: self.data,
                KernelArg.BODY_ARRAY: self.bodies,
                KernelArg.ASKED_ARRAY: self.asked,
                KernelArg.ACTION_ARRAY: self.actions,
                KernelArg.ACTION_TABLE: composed.action_table,
                KernelArg.NUMBERS: composed.numbers,
                KernelArg.SELECTED: self.selected,
                **composed.tables,
            }
        )
        self.use_numbers(composed.numbers, composed.numbers)
        self.frame[KernelArg.ACTIONS] = composed.action_table.shape[1]
        self.frame[KernelArg.NUMBER_COUNT] = len(composed.numbers)
        self.frame[KernelArg.AUTORESET] = autoreset
        self.frame[KernelArg.THREADS] = threads
        self._supply = OutputPool(composed, n, autoreset, shared=shared)
        self.outputs: Outputs = self._supply.next()
        self.frame[self._supply.places] = self.outputs.addresses

    def arrays(self) -> tuple[npt.NDArray[Any], ...]:
        """Cells, layers, data and bodies, each [worlds, ...]."""
        return self.cells, self.layers, self.data, self.bodies

    @property
    def own_numbers(self) -> bool:
        """Whether the worlds have individual run-time parameters."""
        return self.numbers.ndim == 2

    def use_numbers(self, now: npt.NDArray[np.int64], then: npt.NDArray[np.int64]) -> None:
        """Use other arrays of run-time parameters, see `numbers` and `next_numbers`."""
        self.numbers, self.next_numbers = now, then
        self._point({KernelArg.OWN_NUMBERS: now, KernelArg.NEXT_NUMBERS: then})
        self.frame[KernelArg.NUMBER_STRIDE] = now.strides[0] if now.ndim == 2 else 0

    def view(self, i: int) -> State:
        """World `i` as a state that shares its memory; a number below 0 counts from the end.

        Raises:
            TypeError, IndexError: there is no such world.
        """
        self.check_number(i)
        scratch = np.zeros(SCRATCH_WORDS, np.int64)
        arrays = (self.cells[i], self.layers[i], self.data[i], self.bodies[i])
        return State(*arrays, scratch, 0, self.composed.vocabulary)

    def check_number(self, i: Any) -> None:
        """Check the index of a world; negative ones count from the end.

        Raises:
            TypeError, IndexError: it is not a valid index.
        """
        if not isinstance(i, int | np.integer):
            raise TypeError(f"the index of a world must be a whole number, got {i!r}")
        if not -self.n <= i < self.n:
            raise IndexError(f"there are {self.n} worlds, got {i}")

    # each thread's own

    def _own_memory(self, threads: int) -> None:
        """Per-thread memory: scratch memory, a backup of the current world, and the progress."""
        shapes = [(a.shape[1:], a.dtype) for a in self.arrays()]
        words = [self.composed.scratch_words, PROGRESS_LENGTH, 1]
        words += [int(np.prod(shape)) * dtype.itemsize // 8 + 1 for shape, dtype in shapes]
        *begins, stride = itertools.accumulate((-(-w // LINE) * LINE for w in words), initial=0)
        whole = np.zeros((threads + 1) * stride, np.int64)
        first = -address(whole) // 8 % LINE
        rows = whole[first : first + threads * stride].reshape(threads, stride)
        places = (
            KernelArg.SCRATCH_ARRAY,
            KernelArg.PROGRESS,
            KernelArg.NEXT,
            KernelArg.BEFORE_CELLS,
            KernelArg.BEFORE_LAYERS,
            KernelArg.BEFORE_DATA,
            KernelArg.BEFORE_BODIES,
        )
        for place, begin in zip(places, begins, strict=True):
            self.frame[place] = address(rows) + 8 * begin
        self.frame[KernelArg.THREAD_STRIDE] = 8 * stride
        self.scratch = rows[:, begins[0] : begins[0] + words[0]]
        self._progress = rows[:, begins[1] : begins[1] + PROGRESS_LENGTH]
        rows[:, begins[2]] = self.n  # nothing to do yet
        self._before = [
            [row[begin:].view(dtype)[: int(np.prod(shape))].reshape(shape) for row in rows]
            for begin, (shape, dtype) in zip(begins[3:], shapes, strict=True)
        ]

    def progress(self, slot: int) -> tuple[int, int, int]:
        """The current world of a thread, and the begin and end of its chunk."""
        row = self._progress[slot].tolist()
        return row[WORLD], row[BEGIN], row[END]

    def put_back(self, slot: int, e: int) -> None:
        """Restore world `e` from a thread's backup, if it has one, and clear the thread's current world."""
        if int(self._progress[slot, KEPT]) == e:
            for mine, before in zip(self.arrays(), self._before, strict=True):
                mine[e] = before[slot]
            self._progress[slot, KEPT] = -1
        self._progress[slot, WORLD] = self._progress[slot, END]

    def fresh_outputs(self, into: OutputTarget | None = None) -> None:
        """Select output arrays that nobody references any more (unless `shared` is set).

        Raises:
            ValueError: arrays of the caller have the wrong form; nothing is changed.
        """
        given = self._supply.next()
        if into is not None:
            given = given.written_to(into)
        if given is not self.outputs:
            self.outputs = given
            self.frame[self._supply.places] = given.addresses

    def _point(self, arrays: dict[Any, npt.NDArray[Any]]) -> None:
        for place, array in arrays.items():
            self.frame[place] = address(array)
