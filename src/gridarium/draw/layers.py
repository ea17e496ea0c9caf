"""The two layers of an object's drawing: the ground that it covers its cell with, and what stands on that."""

from __future__ import annotations

from gridarium.draw import drawings
from gridarium.draw.shapes import Drawing, Rectangle, Shape
from gridarium.world.objects import GridObject

EDGE = 1 / 8


def layers_of(thing: GridObject) -> tuple[Drawing, Drawing]:
    """The ground and the body of an object; what an overlay lays on the floor comes between them.

    The ground is a first rectangle that covers all but the edge of the cell. What blocks the way has none: nothing is
    on the floor of a wall.
    """
    drawing = drawings.drawing_of(thing)
    count = 1 if drawing and _covers(drawing[0]) and not thing.blocks_movement else 0
    return drawing[:count], drawing[count:]


def _covers(shape: Shape) -> bool:
    if not isinstance(shape, Rectangle):
        return False
    return max(shape.x0, shape.y0) <= EDGE and min(shape.x1, shape.y1) >= 1 - EDGE
