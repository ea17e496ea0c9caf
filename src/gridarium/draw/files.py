"""Pictures as files."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np


def save(path: str | PathLike[str], picture: Any) -> None:
    """Write a picture to a file; the ending of its name says how (.svg, .png, .webp, ...).

    Args:
        path: where to.
        picture: a document as `svg` makes it, for .svg; or pixels as `rgb` does, uint8[height, width, 3].

    Raises:
        ImportError: Pillow is not installed, which all but SVG needs.
        ValueError: it is not a picture, or the ending is unknown or for the other kind of picture.
    """
    vector = Path(path).suffix.lower() == ".svg"
    if isinstance(picture, str):
        if not vector or not picture.startswith("<svg"):
            raise ValueError(
                f"a text that is saved is an SVG document, in a file that ends in .svg, not {Path(path).name!r};"
                " rgb(state) makes pixels"
            )
        Path(path).write_text(picture + "\n", encoding="utf-8")
        return
    pixels = np.asarray(picture)
    if pixels.dtype != np.uint8 or pixels.ndim != 3 or pixels.shape[2] != 3 or 0 in pixels.shape:
        raise ValueError(f"a picture is uint8[height, width, 3], not {pixels.dtype}{list(pixels.shape)}")
    if vector:
        raise ValueError("pixels are not an SVG document: svg(state) makes one; or choose .png for the file")
    pillow_image("saving pixels needs").fromarray(pixels).save(path)


def pillow_image(needed_for: str) -> ModuleType:
    """The module `PIL.Image`.

    Args:
        needed_for: the beginning of the error's message, such as "saving pixels needs".

    Raises:
        ImportError: Pillow is not installed.
    """
    try:
        from PIL import Image
    except ImportError:
        raise ImportError(f"{needed_for} Pillow; install gridarium[pictures]") from None
    return Image
