"""Pictures for notebooks: of a size that fits a page, as SVG documents or as images within HTML."""

from __future__ import annotations

import base64

import numpy as np

from gridarium.draw.describing import headline
from gridarium.draw.elements import escaped
from gridarium.draw.svg import svg
from gridarium.world.grid import Grid
from gridarium.world.state import Observation, State
from gridarium.world.vocabulary import BODY_FIELDS, DATA_FIELDS

PAGE = 640
"""The most pixels of a picture's longer side; cells have at least eight."""


def picture(scene: State | Observation | Grid, page: int = PAGE) -> str:
    """A state, an observation or a grid as an SVG document."""
    grid = scene if isinstance(scene, Grid) else scene.grid
    tile = max(8, min(32, page // max(grid.shape)))
    return svg(_state_of(scene) if isinstance(scene, Grid) else scene, tile=tile, title=headline(scene))


def image(document: str, text: str) -> str:
    """An SVG document as an HTML image, which keeps its styles and ids to itself; `text` says what it shows."""
    data = base64.b64encode(document.encode()).decode()
    return f'<img alt="{escaped(text)}" src="data:image/svg+xml;base64,{data}"/>'


def _state_of(grid: Grid) -> State:
    """A state with a grid and nobody in it."""
    words = grid.vocabulary
    data = np.zeros(DATA_FIELDS + len(words.world_fields), np.int64)
    nobody = np.zeros((1, BODY_FIELDS + len(words.agent_fields)), np.int64)  # not active
    return State(grid.cells, grid.layers, data, nobody, grid.scratch, 0, words)
