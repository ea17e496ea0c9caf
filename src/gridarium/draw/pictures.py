"""A state or an observation as an array of pixels, and such arrays as files."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.draw.atlas import Atlas, blend, render, render_observation
from gridarium.draw.marks import Overlay, marks
from gridarium.draw.raster import lay
from gridarium.draw.themes import LIGHT, Theme
from gridarium.draw.unseen import only_seen, seen_cells
from gridarium.world.state import Observation, State


def rgb(
    scene: State | Observation,
    tile: int = 32,
    *,
    view: Observation | None = None,
    hide_unseen: bool = False,
    theme: Theme = LIGHT,
    overlays: Sequence[Overlay] = (),
) -> npt.NDArray[np.uint8]:
    """A picture of a state or an observation.

    A state's picture shows what boxes hold, an observation's does not. Several agents differ in color, and on tiles of
    28 pixels and more by their number; from that size on, colors have a letter as well.

    Args:
        scene: what to draw.
        tile: width and height of a cell in pixels, 1 to 256.
        view: what the agent in focus perceives of a state; the rest of the state is darkened.
        hide_unseen: whether what `view` does not show is left out instead.
        theme: the colors of floor, walls and darkness.
        overlays: drawn on top, in this order.

    Returns:
        uint8[height * tile, width * tile, 3].

    Raises:
        ValueError: a size that cannot be drawn, a view with an observation, none to hide by, or an overlay of
            another shape.
    """
    agents = 1 if isinstance(scene, Observation) else len(scene.agents)
    atlas = Atlas.of(scene.grid.vocabulary, tile, agents, theme)
    seen = seen_cells(scene, view, hide_unseen)
    out = np.zeros((scene.grid.height * atlas.size, scene.grid.width * atlas.size, 3), np.uint8)
    if isinstance(scene, Observation):
        render_observation(scene, atlas, out)
    elif seen is None or not hide_unseen:
        render(scene, atlas, out)
    else:
        render(only_seen(scene, seen), atlas, out)
    if seen is not None and not hide_unseen:
        for y, x in np.argwhere(~seen).tolist():
            blend(atlas.shadow, out, y * atlas.size, x * atlas.size)
    for mark in marks(overlays, scene.grid.shape, theme):
        lay(mark, out, atlas.size)
    return out


def save(path: str | PathLike[str], array: Any) -> None:
    """Write a picture to a file; the ending of its name says how (.png, .webp, ...).

    Args:
        path: where to.
        array: uint8[height, width, 3].

    Raises:
        ImportError: Pillow is not installed.
        ValueError: the array is no picture, or the ending is unknown.
    """
    picture = np.asarray(array)
    if picture.dtype != np.uint8 or picture.ndim != 3 or picture.shape[2] != 3 or 0 in picture.shape:
        raise ValueError(f"a picture is uint8[height, width, 3], not {picture.dtype}{list(picture.shape)}")
    try:
        from PIL import Image
    except ImportError:
        raise ImportError("saving pictures needs Pillow; install gridarium[pictures]") from None
    Image.fromarray(picture).save(path)
