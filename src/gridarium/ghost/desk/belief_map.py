"""A belief as a map: walls, probabilities, and a ring where the agent really is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from gridarium.draw import Heat, Texts, svg
from gridarium.draw.marks import Mark
from gridarium.draw.shapes import Ring
from gridarium.draw.themes import Theme
from gridarium.world import Floor
from gridarium.world.geometry import Shape

SEEN = 0.005
"""Probabilities below are not written."""
LARGEST, PAGE = 64, 640
"""The most pixels of a cell, and of the map's longer side."""


@dataclass(frozen=True)
class Here:
    """A ring around a cell, (row, column)."""

    place: Sequence[int]

    def marks(self, shape: Shape, theme: Theme) -> Iterator[Mark]:
        """The ring."""
        yield Mark(Ring(self.place[1] + 0.5, self.place[0] + 0.5, 0.42, 0.06), None)


def belief_map(env: Any, belief: Any, title: str) -> str:
    """A belief, float64[rows, cols], as an SVG document.

    Args:
        env: the environment, for walls and the agent's place.
        belief: what is believed.
        title: what to call the picture.
    """
    grid = env._board.view.copy().grid
    for position in grid.positions():
        grid[position] = Floor()
    percent = [[f"{100 * p:.0f}%" if p >= SEEN else None for p in row] for row in belief.tolist()]
    tile = max(8, min(LARGEST, PAGE // max(belief.shape)))
    return svg(
        grid, tile=tile, title=title, overlays=(Heat(belief, fade=True), Here(env.agent_pos), Texts(percent))
    )
