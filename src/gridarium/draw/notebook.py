"""Pictures for notebooks: of a size that fits a page, as SVG documents or as images within HTML."""

from __future__ import annotations

import base64

from gridarium.draw.alt_text import description, headline
from gridarium.draw.scene import scene_of
from gridarium.draw.svg.document import svg
from gridarium.draw.svg.elements import escaped
from gridarium.draw.tables import picture_shape
from gridarium.world.grid import Grid
from gridarium.world.state import Observation, State

PAGE = 640
"""The most pixels of a picture's longer side; cells have at least eight."""


def picture(scene: State | Observation | Grid, page: int = PAGE) -> str:
    """A state, an observation or a grid as an SVG document."""
    grid = scene if isinstance(scene, Grid) else scene.grid
    tile = max(8, min(32, page // max(picture_shape(grid.shape, grid.vocabulary))))
    return svg(scene, tile=tile, title=headline(scene))


def html(scene: State | Observation | Grid) -> str:
    """A state, an observation or a grid as an HTML image, with a text for those who cannot see it."""
    return image(picture(scene), f"{headline(scene)}. {description(scene_of(scene))}")


def image(document: str, text: str) -> str:
    """An SVG document as an HTML image, which keeps its styles and ids to itself; `text` says what it shows."""
    data = base64.b64encode(document.encode()).decode()
    return f'<img alt="{escaped(text)}" src="data:image/svg+xml;base64,{data}"/>'
