"""Compiled implementations of the atlas's primitives: the same bytes, row by row."""

from __future__ import annotations

from typing import Any

import numpy as np

from gridarium.compiled.numba_backend import intrinsics, value_types

copy_words: Any = intrinsics.copy_words
array_of: Any = intrinsics.array_of


def put_tile(tiles: Any, index: Any, out: Any, top: Any, left: Any) -> None:
    """See `gridarium.draw.pixels.atlas.put_tile`."""
    raise NotImplementedError


@value_types.overload_of(put_tile)
def _put_tile(tiles: Any, index: Any, out: Any, top: Any, left: Any) -> Any:
    def put(tiles: Any, index: Any, out: Any, top: Any, left: Any) -> None:
        source, target, size = array_of(tiles), array_of(out), tiles.shape[1]
        for r in range(size):
            copy_words(source[index, r], target[top + r, left : left + size])

    return put


def blend(overlay: Any, out: Any, top: Any, left: Any) -> None:
    """See `gridarium.draw.pixels.atlas.blend`."""
    raise NotImplementedError


@value_types.overload_of(blend)
def _blend(overlay: Any, out: Any, top: Any, left: Any) -> Any:
    def lay(overlay: Any, out: Any, top: Any, left: Any) -> None:
        flat, layers = array_of(out).reshape((out.shape[0], out.shape[1] * 3)), array_of(overlay)
        for r in range(overlay.shape[1]):
            row = flat[top + r, 3 * left : 3 * left + overlay.shape[2]]
            colors, keep = layers[0, r], layers[1, r]
            for i in range(keep.shape[0]):  # 16 bits throughout, so that this becomes vector instructions
                kept = np.uint16(np.uint16(row[i]) * np.uint16(keep[i]) + np.uint16(128))
                row[i] = colors[i] + (np.uint16(kept + (kept >> np.uint16(8))) >> np.uint16(8))

    return lay


def fill(out: Any, top: Any, left: Any, height: Any, width: Any, color: Any) -> None:
    """See `gridarium.draw.pixels.atlas.fill`."""
    raise NotImplementedError


@value_types.overload_of(fill)
def _fill(out: Any, top: Any, left: Any, height: Any, width: Any, color: Any) -> Any:
    def paint(out: Any, top: Any, left: Any, height: Any, width: Any, color: Any) -> None:
        for y in range(max(top, 0), min(top + height, out.shape[0])):
            for x in range(max(left, 0), min(left + width, out.shape[1])):
                out[y, x, 0] = np.uint8(color >> 16)
                out[y, x, 1] = np.uint8(color >> 8 & 255)
                out[y, x, 2] = np.uint8(color & 255)

    return paint
