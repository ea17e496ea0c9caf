"""Do the rows of a block lie in the spaces that are declared for them? Asked of whole columns, before they are kept."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import numpy.typing as npt

from gridarium.episodes.encoding import space_struct
from gridarium.episodes.errors import EpisodeError
from gridarium.episodes.limits import SIMPLE, Flags, Limits
from gridarium.episodes.recording.block import EpisodeBlock, Spaces
from gridarium.episodes.recording.forms import Columns, leaves_of

HINT = "if that is as it should be, give the writer other spaces, or check_spaces=False"


class Bounds:
    """What spaces allow, column by column.

    Args:
        spaces: of one observation and of one action; None allows everything.
    """

    def __init__(self, spaces: Spaces) -> None:
        self._columns = {
            name: Limits(leaf) if isinstance(leaf, SIMPLE) else _Listed(leaf)
            for part, space in zip(("observations", "actions"), spaces, strict=True)
            if space is not None
            for name, leaf in leaves_of(part, space_struct(space))
        }

    def check(self, block: EpisodeBlock, columns: Columns) -> None:
        """Look at the columns of a block.

        Raises:
            EpisodeError: something lies outside (naming episode, leaf, step, value and space).
        """
        for name, allowed in self._columns.items():
            if name not in columns:
                raise EpisodeError(f"{name}: only in the space, not in the data")
            outside = allowed.outside(columns[name])
            if outside is None:
                continue
            ends = np.cumsum(block.rows)
            if not name.startswith("observations"):
                outside[ends - 1] = False  # no action follows the last observation
            if outside.any():
                row = int(outside.argmax())
                which = int(np.searchsorted(ends, row, "right"))
                step = row - int((ends - block.rows + block.facts.lookback)[which])
                told = allowed.told(columns[name][row])
                raise EpisodeError(f"episode {block.ids[which]}: {name} at step {step}{told} ({HINT})")


class _Listed:
    """What a space of texts allows: each text is asked for once."""

    def __init__(self, space: gym.Space[Any]) -> None:
        self._space = space

    def outside(self, values: npt.NDArray[Any]) -> Flags | None:
        odd = [value for value in np.unique(values).tolist() if not self._space.contains(value)]
        return np.isin(values, odd) if odd else None

    def told(self, value: Any) -> str:
        return f": {value.item()!r} is outside {self._space}"
