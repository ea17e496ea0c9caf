"""The memory of a batch: its worlds, per-thread memory, output arrays, and the frame with all addresses."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from gridarium.compiled.data_types.random import SCRATCH_WORDS
from gridarium.engine.composed_world import ComposedWorld
from gridarium.engine.kernel_args import (
    FRAME_LENGTH,
    LEAST_CHUNK,
    Autoreset,
    KernelArg,
    address,
)
from gridarium.engine.threads.array_pool import ArrayBlock
from gridarium.engine.threads.outputs import MaskFormat, OutputPool, Outputs, OutputTarget, mask_length
from gridarium.engine.threads.thread_memory import ThreadMemory
from gridarium.world.state import EPISODE, FLOOR_WORD, State
from gridarium.world.vocabulary import Vocabulary


@dataclass(frozen=True)
class Snapshot:
    """Everything that a batch's future depends on; where it is known, with the meaning of its numbers."""

    cells: npt.NDArray[np.uint32]
    layers: npt.NDArray[np.int64]
    data: npt.NDArray[np.int64]
    agent_rows: npt.NDArray[np.int64]
    vocabulary: Vocabulary | None = field(default=None, kw_only=True)

    def arrays(self) -> tuple[npt.NDArray[Any], ...]:
        """Cells, layers, data and agent rows, each [worlds, ...]."""
        return self.cells, self.layers, self.data, self.agent_rows


class KernelMemory(Protocol):
    """What a `Runner` needs of the memory of a kernel.

    Attributes:
        composed: the program that runs.
        n: the number of worlds.
        data: int64[n, ...]: their data.
        requested_actions: int64[n, agents]: the requested actions.
        frame, frame_address: the frame, and its address.
    """

    composed: ComposedWorld
    n: int
    data: npt.NDArray[np.int64]
    requested_actions: npt.NDArray[np.int64]
    frame: npt.NDArray[np.int64]
    frame_address: int

    @property
    def masks(self) -> npt.NDArray[Any] | None:
        """The masks of legal actions that the kernel writes, if any."""
        ...

    @property
    def scratch(self) -> npt.NDArray[np.int64]:
        """int64[threads, ...]: the threads' scratch rows."""
        ...

    def progress(self, slot: int) -> tuple[int, int, int]:
        """The current world of a thread, and the begin and end of its chunk."""
        ...

    def put_back(self, slot: int, e: int) -> bool:
        """Restore world `e` from a thread's backup; return whether it is to be run once more."""
        ...


class Memory:
    """The arrays of `n` worlds that `threads` threads step.

    Attributes:
        cells, layers, data, agent_rows: the worlds, each [n, ...].
        requested_actions: int64[n, agents]: the requested actions.
        actions: uint16[n, agents]: the validated actions.
        selected: uint8[n]: the worlds selected for a reset.
        outputs: the arrays that a step writes.
        params, next_params: the run-time parameters of the current and of the next episodes: int64[count] for all
            worlds together, or int64[n, count].
        frame, frame_address: the frame, and its address (see `kernel_args`).
    """

    def __init__(
        self,
        composed: ComposedWorld,
        n: int,
        threads: int,
        autoreset: Autoreset,
        *,
        shared: bool,
        observed: bool = True,
        masks: MaskFormat = "bytes",
    ) -> None:
        vocabulary, (height, width), agents = composed.vocabulary, composed.shape, composed.agents
        agent_row_length, data = vocabulary.agent_row_length, vocabulary.data_length
        self.composed, self.n, self.agents, self.autoreset = composed, n, agents, autoreset
        int64, uint16 = np.dtype(np.int64), np.dtype(np.uint16)
        block = ArrayBlock(
            [
                ((n, height, width), np.dtype(np.uint32)),
                ((n, vocabulary.layers, height, width), int64),
                ((n, data), int64),
                ((n, agents, agent_row_length), int64),
                ((n, agents), int64),
                ((n, agents), uint16),
                ((n,), np.dtype(np.uint8)),
            ]
        )
        for array, value in zip(block.arrays, (FLOOR_WORD, 0, 0, 0, 0, 0, 1), strict=True):
            array[...] = value
        self.cells, self.layers, self.data, self.agent_rows, *others = block.arrays
        self.requested_actions, self.actions, self.selected = others
        self.data[:, EPISODE] = -1
        self.frame = np.zeros(FRAME_LENGTH, np.int64)
        self.frame_address = address(self.frame)
        sizes = [n, height, width, vocabulary.layers, agents, data, agent_row_length, composed.scratch_words]
        self.frame[: len(sizes)] = sizes
        self._threads = ThreadMemory(self.frame, self.arrays(), composed.scratch_words, threads)
        self._point(
            {
                KernelArg.CELL_ARRAY: self.cells,
                KernelArg.LAYER_ARRAY: self.layers,
                KernelArg.DATA_ARRAY: self.data,
                KernelArg.AGENT_ROW_ARRAY: self.agent_rows,
                KernelArg.REQUESTED_ACTION_ARRAY: self.requested_actions,
                KernelArg.ACTION_ARRAY: self.actions,
                KernelArg.ACTION_TABLE: composed.action_table,
                KernelArg.PARAM_ARRAY: composed.params,
                KernelArg.SELECTED_ARRAY: self.selected,
                **composed.tables,
            }
        )
        self.use_params(composed.params, composed.params)
        self.frame[KernelArg.OBSERVED_COUNT] = composed.observed_agents
        self.frame[KernelArg.ACTION_COUNT] = composed.action_table.shape[1]
        self.frame[KernelArg.ACTIONS_DIFFER] = bool((composed.action_table < 0).any())
        self.frame[KernelArg.PARAM_COUNT] = len(composed.params)
        self.frame[KernelArg.AUTORESET] = autoreset
        self.frame[KernelArg.THREAD_COUNT] = threads
        self.frame[KernelArg.LEAST_CHUNK] = LEAST_CHUNK
        self.frame[KernelArg.MASK_LENGTH] = mask_length(composed, masks)
        self._supply = OutputPool(composed, n, autoreset, shared=shared, observed=observed, masks=masks)
        self.outputs: Outputs = self._supply.next()
        if self.outputs.masks is not None:
            self.outputs.masks[...] = 0  # before the first reset nothing is legal
        self.frame[self._supply.arg_indices] = self.outputs.addresses

    def arrays(self) -> tuple[npt.NDArray[Any], ...]:
        """Cells, layers, data and agent rows, each [worlds, ...]."""
        return self.cells, self.layers, self.data, self.agent_rows

    @property
    def masks(self) -> npt.NDArray[Any] | None:
        """The masks of legal actions that the kernel writes, if any."""
        return self.outputs.masks

    @property
    def per_world_params(self) -> bool:
        """Whether the worlds have individual run-time parameters."""
        return self.params.ndim == 2

    def use_params(self, now: npt.NDArray[np.int64], then: npt.NDArray[np.int64]) -> None:
        """Use other arrays of run-time parameters, see `params` and `next_params`."""
        self.params, self.next_params = now, then
        self._point({KernelArg.WORLD_PARAM_ARRAY: now, KernelArg.NEXT_PARAM_ARRAY: then})
        self.frame[KernelArg.PARAM_STRIDE] = now.strides[0] if now.ndim == 2 else 0

    def view(self, i: int) -> State:
        """World `i` as a state that shares its memory; a number below 0 counts from the end.

        Raises:
            TypeError, IndexError: there is no such world.
        """
        self.check_number(i)
        scratch = np.zeros(SCRATCH_WORDS, np.int64)
        arrays = (self.cells[i], self.layers[i], self.data[i], self.agent_rows[i])
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

    @property
    def scratch(self) -> npt.NDArray[np.int64]:
        """int64[threads, ...]: the threads' scratch rows."""
        return self._threads.scratch

    def progress(self, slot: int) -> tuple[int, int, int]:
        """The current world of a thread, and the begin and end of its chunk."""
        return self._threads.progress(slot)

    def put_back(self, slot: int, e: int) -> bool:
        """See `ThreadMemory`."""
        return self._threads.put_back(slot, e, self.arrays())

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
            self.frame[self._supply.arg_indices] = given.addresses

    def _point(self, arrays: dict[Any, npt.NDArray[Any]]) -> None:
        for arg_index, array in arrays.items():
            self.frame[arg_index] = address(array)
