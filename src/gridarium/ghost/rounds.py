"""Whole rounds against built-in ghosts, in one compiled call: what it needs to know, and what came of it."""

from __future__ import annotations

import dataclasses
import functools
from typing import Any

import numpy as np

from gridarium.beliefs.particle_memory import ParticleMemory
from gridarium.engine.frame import address
from gridarium.engine.machine import Machine
from gridarium.ghost import round_kernel
from gridarium.ghost.round_kernel import DEAL_LENGTH, UNKNOWN, Deal
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


class Rounds:
    """Rounds on a map, with a filter or without.

    Args:
        ways: of the map.
        ghosts: how many take a turn.
        memory: of the filter; None for no filter.
        likelihood: float64[colors, cells]: of what the agent reads; for a filter.

    Attributes:
        place: where it is told what is played with.
        turn: who has made the last turn. distance: how far the nearest ghost is, -1 where there is no way.
        reward: of the round.
    """

    def __init__(
        self, ways: Ways, ghosts: int, memory: ParticleMemory | None, likelihood: Floats | None
    ) -> None:
        cells = len(ways.table)
        self._kept = (
            np.ascontiguousarray(ways.table), np.full((cells, cells), UNKNOWN, np.int64), np.zeros(cells, np.int64),
            np.zeros(0) if likelihood is None else np.ascontiguousarray(likelihood), memory,
        )  # fmt: skip
        table, far, queue, likely, _ = self._kept
        self._reward, self._deal = np.zeros(1), np.zeros(DEAL_LENGTH, np.int64)
        told = {
            Deal.CELLS: cells,
            Deal.COLUMNS: ways.cols,
            Deal.GHOSTS: ghosts,
            Deal.FILTER: 0 if memory is None else address(memory.frame),
            Deal.LIKELIHOOD_ARRAY: address(likely),
            Deal.NEXT_ARRAY: address(table),
            Deal.FAR_ARRAY: address(far),
            Deal.QUEUE_ARRAY: address(queue),
            Deal.REWARD_ARRAY: address(self._reward),
        }
        for place, number in told.items():
            self._deal[place] = number
        self.place = address(self._deal)

    @property
    def reward(self) -> float:
        """Of the last round."""
        return float(self._reward.item(0))

    @property
    def turn(self) -> int:
        """Who has made the last turn."""
        return int(self._deal.item(TURN))

    @property
    def distance(self) -> int:
        """How far the nearest ghost is, -1 where there is no way to any."""
        return int(self._deal.item(DISTANCE))


TURN, DISTANCE = int(Deal.TURN), int(Deal.DISTANCE)
