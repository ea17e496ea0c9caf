"""The cells that can be chosen, drawn on a picture."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gridarium.draw.overlays.marks import OverlayShape
from gridarium.draw.shapes import RGB, Line, Rectangle
from gridarium.draw.themes import Theme
from gridarium.view.action_choice import ActionChoice
from gridarium.world.geometry import Shape

CHOOSABLE: RGB = (15, 98, 184)
PICKED: RGB = (214, 120, 10)
FAINT, MARKED, POINTED = 0.13, 0.3, 0.42
INSET, WIDTH = 0.05, 0.07


@dataclass(frozen=True)
class ChoiceOverlay:
    """The cells of a choice: what can be clicked is tinted, what has been chosen is framed.

    Attributes:
        cells: bool[height, width]: can be clicked.
        picked: bool[height, width]: have been chosen.
        pointed: bool[height, width]: belong to what is pointed at.
    """

    cells: npt.NDArray[np.bool_]
    picked: npt.NDArray[np.bool_]
    pointed: npt.NDArray[np.bool_]

    @classmethod
    def of(cls, choice: ActionChoice, pointed: tuple[int, int] | None) -> ChoiceOverlay:
        """That of a choice, and of the cell that is pointed at."""
        cells = choice.cells
        return cls(
            cells, choice.picked, np.zeros_like(cells) if pointed is None else choice.together(*pointed)
        )

    def marks(self, shape: Shape, theme: Theme) -> Iterator[OverlayShape]:
        """A rectangle for each cell."""
        tint = FAINT if 2 * np.count_nonzero(self.cells) > self.cells.size else MARKED
        for y, x in np.argwhere(self.cells | self.picked | self.pointed).tolist():
            area = Rectangle(x + INSET, y + INSET, x + 1 - INSET, y + 1 - INSET, radius=0.12)
            if self.pointed[y, x]:
                yield OverlayShape(area, CHOOSABLE, POINTED)
            elif self.cells[y, x]:
                yield OverlayShape(area, CHOOSABLE, tint)
            if self.picked[y, x]:
                inner = INSET + WIDTH / 2
                left, top, right, bottom = x + inner, y + inner, x + 1 - inner, y + 1 - inner
                frame = ((left, top), (right, top), (right, bottom), (left, bottom), (left, top))
                yield OverlayShape(Line(frame, WIDTH), PICKED)
