"""The objects that come with live worlds.

Source: MATRX 2.3.3.
"""

from __future__ import annotations

from typing import Any, ClassVar

from gridarium.live.objects.core_view import Location, nearest_color
from gridarium.live.objects.env_object import EnvObject, as_flag, checked_visual
from gridarium.world import AreaTile as CoreAreaTile
from gridarium.world import Door as CoreDoor
from gridarium.world import DropOffTile, GridObject, Smoke
from gridarium.world import Wall as CoreWall

EMPTY_ENERGY = 0.0001
"""The energy of a battery below which it counts as empty."""
UNDERFOOT = 70
"""The depth of tiles: below that of objects, which lie on them."""
FULL, EMPTY = (0, 255, 0), (255, 0, 0)
"""The colors of a full and of an empty battery."""


class SquareBlock(EnvObject):
    """A square that is in the way."""

    def __init__(
        self, location: Location, name: str = "Block", visualize_colour: str = "#4286f4", **properties: Any
    ) -> None:
        properties.setdefault("visualize_shape", 0)
        properties["is_traversable"] = False
        super().__init__(location, name, visualize_colour=visualize_colour, **properties)


class Wall(EnvObject):
    """A piece of wall: it is in the way, stays where it is, and cannot be seen through."""

    scenery: ClassVar[type[GridObject] | None] = CoreWall

    def __init__(
        self, location: Location, name: str = "Wall", visualize_colour: str = "#000000", **properties: Any
    ) -> None:
        properties.update(is_traversable=False, is_movable=False)
        super().__init__(location, name, visualize_colour=visualize_colour, **properties)


class AreaTile(EnvObject):
    """A part of the floor with a color and a name."""

    scenery: ClassVar[type[GridObject] | None] = CoreAreaTile

    def __init__(
        self,
        location: Location,
        name: str = "AreaTile",
        visualize_colour: str = "#8ca58c",
        visualize_depth: int | None = None,
        visualize_opacity: float = 1.0,
        **properties: Any,
    ) -> None:
        properties.update(is_traversable=True, is_movable=False)
        super().__init__(
            location,
            name,
            visualize_colour=visualize_colour,
            visualize_depth=UNDERFOOT if visualize_depth is None else visualize_depth,
            visualize_opacity=visualize_opacity,
            **properties,
        )


class SmokeTile(AreaTile):
    """Smoke: agents walk through it, but do not see through it, where sight is asked for."""

    scenery: ClassVar[type[GridObject] | None] = Smoke

    def __init__(
        self,
        location: Location,
        name: str = "SmokeTile",
        visualize_colour: str = "#b7b7b7",
        visualize_depth: int | None = 101,
        visualize_opacity: float = 0.8,
        **properties: Any,
    ) -> None:
        super().__init__(location, name, visualize_colour, visualize_depth, visualize_opacity, **properties)


class CollectionDropOffTile(AreaTile):
    """A part of the floor to which objects are to be brought (see `CollectionGoal`)."""

    scenery: ClassVar[type[GridObject] | None] = DropOffTile

    def __init__(
        self,
        location: Location,
        name: str = "Collection_zone",
        collection_area_name: str = "Collection zone",
        visualize_colour: str = "#64a064",
        visualize_opacity: float = 1.0,
        **properties: Any,
    ) -> None:
        properties.update(is_drop_off=True, collection_area_name=collection_area_name)
        super().__init__(location, name, visualize_colour, visualize_opacity=visualize_opacity, **properties)

    @property
    def collection_area_name(self) -> str:
        """The name of the zone that it is a part of."""
        return str(self.custom_properties["collection_area_name"])


class CollectionTarget(EnvObject):
    """Says what is to be brought to a zone: invisible, and in nobody's way.

    Args:
        location: x and y.
        collection_objects: for each object that is wanted, the properties it must have.
        collection_zone_name: the name of the tiles.
        name: a name.
        properties: as for `EnvObject`.
    """

    def __init__(
        self,
        location: Location,
        collection_objects: list[dict[str, Any]],
        collection_zone_name: str,
        name: str = "Collection_target",
        **properties: Any,
    ) -> None:
        properties.update(
            is_traversable=True,
            is_movable=False,
            collection_objects=collection_objects,
            collection_zone_name=collection_zone_name,
            is_drop_off_target=True,
            is_invisible=True,
        )
        properties.setdefault("visualize_opacity", 0.0)
        super().__init__(location, name, **properties)

    @property
    def collection_objects(self) -> list[dict[str, Any]]:
        """For each object that is wanted, the properties it must have."""
        wanted: list[dict[str, Any]] = self.custom_properties["collection_objects"]
        return wanted


class Door(EnvObject):
    """A door, which agents can enter if it is open.

    Args:
        location: x and y.
        is_open: whether it is open.
        name: a name.
        open_colour, closed_colour: its color in either case.
        properties: as for `EnvObject`.
    """

    def __init__(
        self,
        location: Location,
        is_open: bool = False,
        name: str = "Door",
        open_colour: str = "#006400",
        closed_colour: str = "#640000",
        **properties: Any,
    ) -> None:
        for fixed in ("is_traversable", "is_movable", "visualize_colour"):
            properties.pop(fixed, None)  # whether it is open says all of these
        self._is_open = as_flag("is_open", is_open)
        self._open_colour: str = checked_visual("visualize_colour", open_colour)
        self._closed_colour: str = checked_visual("visualize_colour", closed_colour)
        super().__init__(
            location, name, is_traversable=self._is_open, is_movable=False,
            visualize_colour=open_colour if self._is_open else closed_colour, **properties,
        )  # fmt: skip

    @property
    def is_open(self) -> bool:
        """Whether it is open."""
        if self._core is not None:
            return self._core.status(self._number) == CoreDoor.Status.OPEN
        return self._is_open

    @is_open.setter
    def is_open(self, new: bool) -> None:
        self._is_open = as_flag("is_open", new)
        if self._core is not None:
            self._core.set_object(self._number, self._door(self._is_open), self.closed_colour)
        self._changed()

    @property
    def open_colour(self) -> str:
        """Its color when it is open."""
        return self._open_colour

    @open_colour.setter
    def open_colour(self, new: str) -> None:
        self._open_colour = checked_visual("visualize_colour", new)
        self._changed()

    @property
    def closed_colour(self) -> str:
        """Its color when it is closed, by which the core knows it."""
        return self._closed_colour

    @closed_colour.setter
    def closed_colour(self, new: str) -> None:
        self._closed_colour = checked_visual("visualize_colour", new)
        if self._core is not None:
            self._core.set_object(self._number, self.core_object(), new)
        self._changed()

    def open_door(self) -> None:
        """Open it."""
        self.is_open = True

    def close_door(self) -> None:
        """Close it."""
        self.is_open = False

    @property
    def is_traversable(self) -> bool:
        """Whether it is open."""
        return self.is_open

    @is_traversable.setter
    def is_traversable(self, new: bool) -> None:
        self.is_open = new

    @property
    def visualize_colour(self) -> str:
        """The color of open or closed doors."""
        return self.open_colour if self.is_open else self.closed_colour

    @visualize_colour.setter
    def visualize_colour(self, new: str) -> None:
        raise AttributeError("a door has its open_colour or its closed_colour, which can be changed")

    @property
    def core_colour(self) -> str:
        """The color of closed doors, so that it stays the same."""
        return self.closed_colour

    @property
    def properties(self) -> dict[str, Any]:
        """As of any object, and `is_open`."""
        return {**super().properties, "is_open": self.is_open}

    def core_object(self) -> GridObject:
        """A door of the core."""
        return self._door(self.is_open)

    def _door(self, is_open: bool) -> GridObject:
        status = CoreDoor.Status.OPEN if is_open else CoreDoor.Status.CLOSED
        return CoreDoor(status, nearest_color(self.closed_colour))

    def leave(self) -> None:
        """Stop being a view: what the core says is kept."""
        self._is_open = self.is_open
        super().leave()

    def change_property(self, property_name: str, property_value: Any) -> Any:
        """As of any object, and `is_open`, with which it is traversable and has its color."""
        if property_name == "is_open":
            self.is_open = property_value
            return property_value
        if property_name in ("is_traversable", "visualize_colour", "visualization_colour", "is_movable"):
            raise ValueError(f"{self.obj_id}.{property_name} follows from is_open, which can be changed")
        return super().change_property(property_name, property_value)


class Battery(EnvObject):
    """Loses a share of its energy with each tick, and turns from green to red.

    Args:
        location: x and y.
        name: a name.
        start_energy_level: its energy at first, from 0 to 1.
        energy_decay: the share that it loses in a tick.
        properties: as for `EnvObject`.
    """

    def __init__(
        self,
        location: Location,
        name: str = "Battery",
        start_energy_level: float = 1.0,
        energy_decay: float = 0.01,
        **properties: Any,
    ) -> None:
        properties.setdefault("visualize_size", 0.25)
        super().__init__(
            location, name, start_energy_level=start_energy_level, current_energy_level=start_energy_level,
            energy_decay=energy_decay, **properties,
        )  # fmt: skip
        self._visual["visualize_colour"] = _between(EMPTY, FULL, start_energy_level)

    def update(self, grid_world: Any, state: Any) -> None:
        """Lose energy."""
        level = self.custom_properties["current_energy_level"] * (1 - self.custom_properties["energy_decay"])
        level = 0.0 if level < EMPTY_ENERGY else level
        self.change_property("current_energy_level", level)
        self.change_property("visualize_colour", _between(EMPTY, FULL, level))


def _between(low: tuple[int, int, int], high: tuple[int, int, int], share: float) -> str:
    """The color that is a share of the way from one to another."""
    part = min(1.0, max(0.0, share))
    return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in zip(low, high, strict=True))
