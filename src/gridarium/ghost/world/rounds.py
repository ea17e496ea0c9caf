"""The arguments and results of the compiled calls of the ghost world."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gridarium.beliefs.places.particles.memory import ParticleMemory
from gridarium.engine.composed_world import ComposedWorld
from gridarium.engine.kernel_args import address
from gridarium.ghost.world import round_kernel
from gridarium.ghost.world.likelihoods import Floats
from gridarium.ghost.world.paths import GridPaths
from gridarium.ghost.world.round_kernel import ARGS_LENGTH, FLOATS_LENGTH, UNKNOWN, FloatArg, RoundArg
from gridarium.worlds import Spec

REWARD = int(FloatArg.REWARD)


class ComposedGhostWorld(ComposedWorld):
    """A composed world whose program can also play whole rounds."""

    def __init__(self, spec: Spec, *, compiled: bool = True) -> None:
        super().__init__(spec, compiled=compiled)
        run = functools.partial(round_kernel.run, world=self.program.run)
        self.program = dataclasses.replace(self.program, run=run)

    def __reduce__(self) -> Any:
        return functools.partial(ComposedGhostWorld, compiled=self.wants_compiled), (self.spec,)


class MapArrays(NamedTuple):
    """A map as the engine has it.

    Attributes:
        cells: uint32[rows, cols]. layers: int64[layers, rows, cols], its walls.
    """

    cells: npt.NDArray[np.uint32]
    layers: npt.NDArray[np.int64]


class RoundArguments:
    """Arguments for rounds on a map, with a filter or without, and their results.

    Args:
        paths: of the map.
        colours: of its cells.
        arrays: the map.
        starts: int64[agents, 2], the starting positions; shared, so that it may be changed.
        ghosts: the number of ghosts that take turns.
        quality: the probability that the color sensor is right.

    Attributes:
        address: of the row of arguments.
    """

    def __init__(
        self,
        paths: GridPaths,
        colours: Sequence[int],
        arrays: MapArrays,
        starts: npt.NDArray[np.int64],
        ghosts: int,
        quality: float,
    ) -> None:
        cells = len(paths.table)
        self._args, self._floats = np.zeros(ARGS_LENGTH, np.int64), np.zeros(FLOATS_LENGTH)
        self._floats[FloatArg.QUALITY] = quality
        self._arrays: dict[RoundArg, npt.NDArray[Any]] = {
            RoundArg.NEXT_ARRAY: np.ascontiguousarray(paths.table),
            RoundArg.DISTANCE_ARRAY: np.full((cells, cells), UNKNOWN, np.int64),
            RoundArg.QUEUE_ARRAY: np.zeros(cells, np.int64),
            RoundArg.COLOUR_ARRAY: np.array(colours, np.int64),
            RoundArg.MAP_ARRAY: arrays.cells,
            RoundArg.WALL_ARRAY: arrays.layers,
            RoundArg.START_ARRAY: starts,
            RoundArg.FLOAT_ARRAY: self._floats,
        }
        for arg_index, array in self._arrays.items():
            self._args[arg_index] = address(array)
        self._args[[RoundArg.CELLS, RoundArg.COLUMNS, RoundArg.GHOSTS]] = cells, paths.cols, ghosts
        self._results = self._args[RoundArg.MOVER :]
        self.address = address(self._args)

    def use_filter(self, memory: ParticleMemory, likelihood: Floats) -> None:
        """Let a filter take part: float64[colors, cells] is the likelihood of each color that may be read."""
        self._filter = memory, np.ascontiguousarray(likelihood)
        self._args[RoundArg.FILTER] = address(memory.frame)
        self._args[RoundArg.LIKELIHOOD_ARRAY] = address(self._filter[1])

    @property
    def reward(self) -> float:
        """The agent's reward in the last call."""
        return self._floats.item(REWARD)

    @property
    def results(self) -> list[int]:
        """Of the last call: who moved last, whether the episode is over (1), and how things stand.

        That is the distance to the nearest ghost (-1 where there is no path), that ghost's number, from 1 on, the agent's
        trail and its reading.
        """
        results: list[int] = self._results.tolist()
        return results
