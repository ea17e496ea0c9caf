"""A state or an observation as an array of pixels, and such arrays as files."""

from __future__ import annotations

from os import PathLike
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.draw.atlas import Atlas, render, render_observation, shade_unseen
from gridarium.world.state import Observation, State


def rgb(
    scene: State | Observation, tile: int = 32, *, view: Observation | None = None
) -> npt.NDArray[np.uint8]:
    """A picture of a state or an observation.

    A state's picture shows what boxes hold, an observation's does not. Several agents differ in color, and on tiles of
    28 pixels and more by their number; from that size on, colors have a letter as well.

    Args:
        scene: what to draw.
        tile: width and height of a cell in pixels, 1 to 256.
        view: what the agent in focus perceives of a state; the rest of the state is darkened.

    Returns:
        uint8[height * tile, width * tile, 3].

    Raises:
        ValueError: a size that cannot be drawn, or a view with an observation.
    """
    agents = 1 if isinstance(scene, Observation) else len(scene.agents)
    atlas = Atlas.of(scene.grid.vocabulary, tile, agents)
    out = np.zeros((scene.grid.height * atlas.size, scene.grid.width * atlas.size, 3), np.uint8)
    if isinstance(scene, State):
        render(scene, atlas, out)
        if view is not None:
            shade_unseen(scene, view, atlas, out)
    elif view is not None:
        raise ValueError("a view is marked in the picture of a state, not of an observation")
    else:
        render_observation(scene, atlas, out)
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
