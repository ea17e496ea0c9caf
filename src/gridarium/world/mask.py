"""Masks: one boolean for each cell of a grid."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from gridarium.compiled.data_types.primitives import compiled_as
from gridarium.compiled.data_types.value_class import value
from gridarium.world.cell import column_of, row_of
from gridarium.world.geometry import Position


@compiled_as("gridarium.world.compiled.grid:blank_mask")
def blank_mask(scratch: Any, height: int, width: int, fill: bool) -> MaskArray:
    """bool[height, width], all equal `fill` (compiled: a `Mask` over scratch memory)."""
    return np.full((height, width), fill, np.bool_).view(MaskArray)


class MaskArray(np.ndarray):
    """bool[height, width] that also takes positions: `mask[p]` is `mask[p.y, p.x]`.

    An index outside raises an IndexError.
    """

    def __getitem__(self, place: Any) -> Any:
        pair = self._pair(place)
        return super().__getitem__(place) if pair is None else bool(super().__getitem__(pair))

    def __setitem__(self, place: Any, new: Any) -> None:
        super().__setitem__(self._pair(place) or place, new)

    def __repr__(self) -> str:
        return repr(self.view(np.ndarray))

    def __str__(self) -> str:
        return str(self.view(np.ndarray))

    def _pair(self, place: Any) -> tuple[int, int] | None:
        """The row and column of a position or pair, or None for any other index that numpy accepts."""
        if isinstance(place, tuple):
            if len(place) != 2 or self.ndim != 2:
                return None
            y, x = place
            if not (hasattr(y, "__index__") and hasattr(x, "__index__")):
                return None
        elif isinstance(place, Position):
            y, x = place.y, place.x
        else:
            return None
        height, width = self.shape
        if not (0 <= y < height and 0 <= x < width):
            raise IndexError(f"({y}, {x}) is outside the mask of {height} x {width}")
        return int(y), int(x)


@value
class Mask:
    """The compiled representation of a mask: `mask[p]`, `mask[y, x]`, `mask.shape`."""

    cells: Any

    __hidden__: ClassVar[tuple[str, ...]] = ("cells",)
    __incomparable__: ClassVar[str] = "== of a mask compares its cells in numpy; ask for mask[p]"

    def __getitem__(self, place: Any) -> bool:
        y, x = row_of(place), column_of(place)
        if not (0 <= y < self.cells.shape[0] and 0 <= x < self.cells.shape[1]):
            raise IndexError("outside the mask")
        return self.cells[y, x] != 0

    def __setitem__(self, place: Any, new: bool) -> None:
        y, x = row_of(place), column_of(place)
        if not (0 <= y < self.cells.shape[0] and 0 <= x < self.cells.shape[1]):
            raise IndexError("outside the mask")
        self.cells[y, x] = 1 if new else 0

    @property
    def shape(self) -> tuple[int, int]:
        """(height, width)."""
        return (self.cells.shape[0], self.cells.shape[1])
