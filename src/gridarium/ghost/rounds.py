"""What the compiled calls of the ghost world need to know of a map, and what came of them."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gridarium.beliefs.particle_memory import ParticleMemory
from gridarium.engine.frame import address
from gridarium.engine.machine import Machine
from gridarium.ghost import round_kernel
from gridarium.ghost.round_kernel import DEAL_LENGTH, NUMBERS, UNKNOWN, Deal, Number
from gridarium.ghost.sensing import Floats
from gridarium.ghost.ways import Ways
from gridarium.worlds import Spec


class RoundMachine(Machine):
    """A machine whose program plays whole rounds as well."""

    def __init__(self, spec: Spec, *, compiled: bool = True) -> None:
        super().__init__(spec, compiled=compiled)
        run = functools.partial(round_kernel.run, world=self.program.run)
        self.program = dataclasses.replace(self.program, run=run)

    def __reduce__(self) -> Any:
        return functools.partial(RoundMachine, compiled=self.wants_compiled), (self.spec,)


class Ground(NamedTuple):
    """A map as the engine has it.

    Attributes:
        cells: uint32[rows, cols]. layers: int64[layers, rows, cols], its walls.
    """

    cells: npt.NDArray[np.uint32]
    layers: npt.NDArray[np.int64]


class Rounds:
    """Rounds on a map, with a filter or without.

    Args:
        ways: of the map.
        colours: of its cells.
        ground: the map.
        starts: int64[agents, 2]: where everybody starts; shared, so that it may be changed.
        ghosts: how many take a turn.
        quality: how likely the color sensor is right.

    Attributes:
        place: where the compiled calls are told all this.
    """

    def __init__(
        self,
        ways: Ways,
        colours: Sequence[int],
        ground: Ground,
        starts: npt.NDArray[np.int64],
        ghosts: int,
        quality: float,
    ) -> None:
        cells = len(ways.table)
        self._deal, self._numbers = np.zeros(DEAL_LENGTH, np.int64), np.zeros(NUMBERS)
        self._numbers[Number.QUALITY] = quality
        self._arrays: dict[Deal, npt.NDArray[Any]] = {
            Deal.NEXT_ARRAY: np.ascontiguousarray(ways.table),
            Deal.FAR_ARRAY: np.full((cells, cells), UNKNOWN, np.int64),
            Deal.QUEUE_ARRAY: np.zeros(cells, np.int64),
            Deal.COLOUR_ARRAY: np.array(colours, np.int64),
            Deal.GROUND_ARRAY: ground.cells,
            Deal.WALL_ARRAY: ground.layers,
            Deal.START_ARRAY: starts,
            Deal.NUMBER_ARRAY: self._numbers,
        }
        for where, array in self._arrays.items():
            self._deal[where] = address(array)
        self._deal[[Deal.CELLS, Deal.COLUMNS, Deal.GHOSTS]] = cells, ways.cols, ghosts
        self._told = self._deal[Deal.MOVER :]
        self.place = address(self._deal)

    def follow(self, memory: ParticleMemory, likelihood: Floats) -> None:
        """Let a filter learn: float64[colors, cells] is the likelihood of what the agent reads."""
        self._filter = memory, np.ascontiguousarray(likelihood)
        self._deal[Deal.FILTER] = address(memory.frame)
        self._deal[Deal.LIKELIHOOD_ARRAY] = address(self._filter[1])

    @property
    def reward(self) -> float:
        """Of the last round or turn."""
        return self._numbers.item(REWARD)

    @property
    def told(self) -> list[int]:
        """Of the last call: who has moved last, whether the episode is over (1), how things stand.

        That is how far the nearest ghost is (-1 where there is no way), which it is, from 1 on, and the agent's trail and
        reading.
        """
        told: list[int] = self._told.tolist()
        return told


REWARD = int(Number.REWARD)
