"""The rays of one viewer: plain Python, compiled like the kernel of the worlds."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from gridarium.compiled.data_types.primitives import uint8_at
from gridarium.rules.field_of_view.raytracing import cells_towards
from gridarium.world.geometry import Area, Position


class SightArg(IntEnum):
    """Places in the frame. The last two hold addresses: of bool[height, width]."""

    HEIGHT = 0
    WIDTH = 1
    OPAQUE = 2
    SEEN = 3


FRAME_LENGTH = 4


def run(frame: Any, slot: int, first: int, last: int, mode: int) -> int:
    """Mark what is seen from row `first` and column `last` by rays through all corners of cells up to `mode` cells away."""
    height, width = int(frame[SightArg.HEIGHT]), int(frame[SightArg.WIDTH])
    opaque = uint8_at(frame[SightArg.OPAQUE], (height, width))
    seen = uint8_at(frame[SightArg.SEEN], (height, width))
    top, bottom = max(0, first - mode), min(height - 1, first + mode)
    left, right = max(0, last - mode), min(width - 1, last + mode)
    area, viewer = Area((top, bottom), (left, right)), Position(first, last)  # type: ignore[call-arg, arg-type]
    for y in range(top, bottom + 2):
        for x in range(left, right + 2):
            for p in cells_towards(viewer, area, 2 * (y - first) - 1, 2 * (x - last) - 1):
                seen[p.y, p.x] = 1
                if opaque[p.y, p.x] != 0:
                    break
    return 0
