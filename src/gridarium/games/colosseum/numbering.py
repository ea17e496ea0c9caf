"""Boards as arrays of the players' numbers."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gridarium.world import State
from gridarium.world.objects import GridObject

Integers = npt.NDArray[np.int64]


def owners(state: State, kind: type[GridObject]) -> Integers:
    """int64[height, width]: the player that each piece belongs to, -1 where there is none.

    Args:
        state: of a world.
        kind: of pieces, whose status is the player's number.
    """
    cells = np.asarray(state.cells, np.int64)
    return np.where(cells & 255 == state.vocabulary.number_of(kind), cells >> 8 & 255, -1)


def relative(numbers: Integers, player: int, count: int) -> Integers:
    """Players' numbers as one of them counts: 0 for itself, then in the order of turns; numbers below 0 stay."""
    return np.where(numbers < 0, numbers, (numbers - player) % count)
