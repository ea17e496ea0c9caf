"""Objects of worlds that were not built from `EnvObject`s, such as those of the catalogue: made anew from the core's state."""

from __future__ import annotations

from collections.abc import Iterator

from gridarium.live.objects.core_view import CoreView, Location, core_properties
from gridarium.live.objects.env_object import EnvObject
from gridarium.world import Floor, GridObject


class CoreObject(EnvObject):
    """A cell or a thing of the core as it is at the moment; its kind, status and color are properties.

    Args:
        made: the object of the core.
        location: x and y.
        obj_id: its id.
    """

    def __init__(self, made: GridObject, location: Location, obj_id: str) -> None:
        red, green, blue = made.color.rgb
        kind, looks = type(made), core_properties(made)
        super().__init__(
            location,
            kind.__name__,
            class_callable=kind,
            is_traversable=not made.blocks_movement,
            is_movable=made.holdable,
            visualize_colour=f"#{red:02x}{green:02x}{blue:02x}",
            kind=looks["kind"],
            status=looks["status"],
            color=looks["color"],
        )
        self.obj_id = obj_id


def core_objects(core: CoreView) -> Iterator[CoreObject]:
    """The cells that are more than floor, row by row, then the things."""
    state = core.state
    for p in state.grid.positions():
        made = state.grid[p]
        if not isinstance(made, Floor):
            yield CoreObject(made, (p.x, p.y), f"{type(made).__name__.lower()}@({p.x},{p.y})")
    if state.vocabulary.has_things:
        for thing in state.things:
            made = thing.object
            obj = CoreObject(
                made, (thing.position.x, thing.position.y), f"{type(made).__name__.lower()}_{thing.number}"
            )
            obj.join(core, thing.number)
            yield obj
