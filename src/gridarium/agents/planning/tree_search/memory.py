"""The memory of many search trees, and the frame with its addresses."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.agents.perspective import idle_action
from gridarium.agents.planning.tree_search.arguments import (
    COUNT,
    FORCED,
    HIGH,
    KEY,
    LOW,
    NODE_LENGTH,
    OWNER,
    PHASE,
    SEARCH_FRAME_LENGTH,
    TREE_LENGTH,
    SearchArg,
)
from gridarium.agents.planning.tree_search.program import SearchProgram
from gridarium.engine import Autoreset, World
from gridarium.engine.composed_world import ComposedWorld
from gridarium.engine.kernel_args import FRAME_LENGTH, KernelArg, address
from gridarium.engine.outcomes.state_rows import Rows
from gridarium.engine.threads.array_pool import ArrayBlock
from gridarium.engine.threads.memory import Snapshot
from gridarium.engine.threads.thread_memory import ThreadMemory
from gridarium.engine.threads.worker_pool import default_threads


class TreeMemory:
    """The memory of `n` search trees over a world.

    Args:
        world: the world.
        program: tree search composed with its rules.
        n: the number of trees.
        roots: the number of root states of each tree.
        capacity: the largest number of nodes of a tree.
        path: the largest number of nodes that a simulation comes through.
        threads: the number of threads; by default one for each processor.
        settings: further entries of the frame.

    Attributes:
        threads: the number of threads that can search.
        simulated: the batch of the worlds of the simulations.
        data: int64[n, ...]: their data rows.
        words: int64[n, TREE_LENGTH]: the words of the trees.
        values: float64[n, agents]. priors: float64[n, actions]. legal: bool[n, actions]. chosen: int64[n, agents]: what
            leaves and agents wait for, see `SearchArg`.
        visits: int64[n, actions]. totals, root_priors: float64[n, actions]: of the roots, after a run in `Mode.OBSERVE`.
    """

    masks = None
    """Its kernel writes no masks of legal actions."""

    def __init__(
        self,
        world: World,
        program: SearchProgram,
        n: int,
        *,
        roots: int,
        capacity: int,
        path: int,
        threads: int | None,
        settings: dict[SearchArg, int],
    ) -> None:
        self.composed: ComposedWorld = program
        self.n, self.roots, self.threads = n, roots, min(default_threads() if threads is None else threads, n)
        self.simulated = world.batch(n, autoreset=Autoreset.DISABLED, shared=True, observers="all")
        worlds = self.simulated.memory
        self.data = worlds.data
        self.chosen = self.requested_actions = worlds.requested_actions
        agents, actions = world.composed.action_table.shape
        leaves = n if settings[SearchArg.ROLLOUTS] > 1 else 0
        integers, floats = np.dtype(np.int64), np.dtype(np.float64)
        states = [(a.shape[1:], a.dtype) for a in worlds.arrays()]
        forms: dict[int, Any] = {
            SearchArg.TREE_ARRAY: ((n, TREE_LENGTH), integers),
            SearchArg.NODE_ARRAY: ((n, capacity, NODE_LENGTH), integers),
            SearchArg.PATH_ARRAY: ((n, path), integers),
            SearchArg.DISCOUNT_ARRAY: ((n, path), floats),
            SearchArg.RETURN_ARRAY: ((n, path, agents), floats),
            SearchArg.VALUE_ARRAY: ((n, agents), floats),
            SearchArg.PRIOR_ARRAY: ((n, actions), floats),
            SearchArg.LEGAL_ARRAY: ((n, actions), np.dtype(np.bool_)),
            SearchArg.LIST_ARRAY: ((self.threads, 2, actions), integers),
            SearchArg.VISIT_ARRAY: ((n, actions), integers),
            SearchArg.TOTAL_ARRAY: ((n, actions), floats),
            SearchArg.ROOT_PRIOR_ARRAY: ((n, actions), floats),
            SearchArg.IDLE_TABLE: ((agents,), integers),
            SearchArg.OUTPUT_TABLE: ((max(1, len(program.outputs)), 2), integers),
        }
        forms |= {
            SearchArg.ROOT_ARRAYS + k: ((n * roots, *shape), kind) for k, (shape, kind) in enumerate(states)
        }
        forms |= {
            SearchArg.LEAF_ARRAYS + k: ((leaves, *shape), kind) for k, (shape, kind) in enumerate(states)
        }
        block = ArrayBlock(list(forms.values()))
        arrays = dict(zip(forms, block.arrays, strict=True))
        arrays[SearchArg.LIST_ARRAY][...] = 0
        self._block, self._arrays = block, arrays
        self.words, self._nodes = arrays[SearchArg.TREE_ARRAY], arrays[SearchArg.NODE_ARRAY]
        self.values, self.priors = arrays[SearchArg.VALUE_ARRAY], arrays[SearchArg.PRIOR_ARRAY]
        self.legal, self.visits = arrays[SearchArg.LEGAL_ARRAY], arrays[SearchArg.VISIT_ARRAY]
        self.totals, self.root_priors = arrays[SearchArg.TOTAL_ARRAY], arrays[SearchArg.ROOT_PRIOR_ARRAY]
        self.root_states: Rows = tuple(arrays[SearchArg.ROOT_ARRAYS + k] for k in range(len(states)))
        table = world.composed.action_table
        self.idle = table[np.arange(agents), [idle_action(world, a) for a in range(agents)]]
        arrays[SearchArg.IDLE_TABLE][...] = self.idle
        written = worlds.outputs.observations.values()
        for k, output in enumerate(written):
            arrays[SearchArg.OUTPUT_TABLE][k] = address(output), output.nbytes // (n * agents)
        self.frame = np.zeros(SEARCH_FRAME_LENGTH, np.int64)
        self.frame[:FRAME_LENGTH] = worlds.frame
        self.frame_address = address(self.frame)
        # not the batch's own: its threads may still look for work while these begin
        self._threads = ThreadMemory(self.frame, worlds.arrays(), program.scratch_words, self.threads)
        self.frame[KernelArg.THREAD_COUNT] = self.threads
        self.frame[KernelArg.LEAST_CHUNK] = 1
        self.frame[SearchArg.OUTPUT_COUNT] = len(written)
        self.frame[SearchArg.ROOT_COUNT], self.frame[SearchArg.CAPACITY] = roots, capacity
        self.frame[SearchArg.PATH_LENGTH] = path
        for arg_index, array in arrays.items():
            self.frame[arg_index] = address(array)
        for arg_index, number in settings.items():
            self.frame[arg_index] = number

    def progress(self, slot: int) -> tuple[int, int, int]:
        """See `KernelMemory`."""
        return self._threads.progress(slot)

    @property
    def scratch(self) -> npt.NDArray[np.int64]:
        """See `KernelMemory`."""
        return self._threads.scratch

    def put_back(self, slot: int, e: int) -> bool:
        """See `KernelMemory`."""
        return self._threads.put_back(slot, e, self.simulated.memory.arrays())

    def reset(self, rows: Rows, keys: npt.NDArray[np.int64]) -> None:
        """Begin new trees, of one node each.

        Args:
            rows: the root states, those of each tree together.
            keys: int64[n]: of the random numbers of each tree.
        """
        for mine, given in zip(self.root_states, rows, strict=True):
            mine[...] = given
        # the first root states stand in the batch, so that it can be observed and checks them
        self.simulated.restore(Snapshot(*(a[:: self.roots] for a in self.root_states)))
        self.words[...] = 0
        self.words[:, KEY], self.words[:, COUNT], self.words[:, FORCED] = keys, 1, -1
        self.words[:, LOW], self.words[:, HIGH] = np.array([np.inf, -np.inf]).view(np.int64)
        self._nodes[:, 0] = 0
        self.chosen[...] = self.idle

    @property
    def root_agents(self) -> npt.NDArray[np.int64]:
        """int64[n]: the agent that decides at each root."""
        return self._nodes[:, 0, OWNER].copy()

    @property
    def phases(self) -> npt.NDArray[np.int64]:
        """int64[n]: what comes next in each tree."""
        return self.words[:, PHASE]
