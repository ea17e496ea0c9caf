"""An object of a live world: a view of a cell or a thing of the core, with further properties of Python."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from pathlib import PurePath
from typing import Any, ClassVar

import numpy as np

from gridarium.live.objects.core_view import UNSEEN, CoreView, Location, item_of, nearest_color
from gridarium.live.objects.kept_by_reference import KeptByReference, copied_for_snapshot
from gridarium.live.objects.property_dict import PropertyDict, frozen
from gridarium.world import Floor, GridObject

IN_CORE = ("_core", "_number", "_cached", "_carried")
"""The attributes that say where an object is in the core, and what follows from others."""
RESERVED = (
    "name", "obj_id", "location", "is_movable", "carried_by", "is_traversable", "class_inheritance", "visualization", "isAgent"
)  # fmt: skip
"""The names of properties that say what the world knows of each object, so that no custom property has them."""
TRAVERSABLE, MOVABLE = False, None
CHANGEABLE = ("name", "location", "is_traversable", "is_movable", "visualization")
"""The properties of every object that can be changed, besides single visual ones."""
SIZE, SHAPE, COLOUR, OPACITY, DEPTH, FROM_CENTER = 1.0, 0, "#4286f4", 1.0, 80, True
IMAGE = "img"
"""The shape of what has the image that its property `img_name` names, as in MATRX."""
SHAPES = f"0 (square), 1 (triangle), 2 (circle), {IMAGE!r} or the path of an image"
VISUAL: dict[str, tuple[tuple[type, ...], str]] = {
    "visualize_size": ((int, float), "a number above 0"),
    "visualize_shape": ((int, str), SHAPES),
    "visualize_colour": ((str,), "a color such as #4286f4"),
    "visualize_depth": ((int,), "a whole number"),
    "visualize_opacity": ((int, float), "a number from 0 to 1"),
    "visualize_from_center": ((bool,), "a bool"),
}
"""The visual properties, with their types and what they are."""


class EnvObject(KeptByReference):
    """An object with an id, a place and properties.

    Where it is, whether it is traversable and movable, and who carries it, is kept in the state of the core; everything else in
    Python. Subclasses may override `update`, which is called once a tick; their constructors take a location, and arguments
    that `WorldBuilder.add_object` passes on by name.

    Args:
        location: x and y.
        name: a name, from which its id is made.
        class_callable: the class whose ancestors it reports; by default its own.
        is_traversable: whether agents can enter its cell.
        is_movable: whether agents can carry it; None counts as not.
        visualize_size: its size; 1 fills the cell.
        visualize_shape: 0 for a square, 1 for a triangle, 2 for a circle, the path of an image, or "img" for that of the custom
            property `img_name`.
        visualize_colour: such as "#4286f4".
        visualize_depth: what has a higher depth is drawn on top.
        visualize_opacity: from 0 to 1.
        visualize_from_center: whether a small shape is drawn in the middle of the cell.
        custom_properties: further properties, with names that are not `reserved`.

    Attributes:
        obj_id: its id; the name until it is in a world.
        version: changes with each property.

    Raises:
        TypeError, ValueError: a property has another type, or a custom one the name of one that the world itself keeps.

    Source: MATRX 2.3.3.
    """

    is_agent: ClassVar[bool] = False
    reserved: ClassVar[tuple[str, ...]] = RESERVED
    """The names that custom properties cannot have."""
    visual_names: ClassVar[Mapping[str, str]] = {
        name if name == "visualize_from_center" else name.removeprefix("visualize_"): name for name in VISUAL
    }
    """The names of visual properties by their short names, those in `visualization`."""
    scenery: ClassVar[type[GridObject] | None] = None
    """The core's kind of cells for objects that are part of the grid where nothing else is; None for those that are things."""

    _core: CoreView | None = None
    _number = -1
    _cached: tuple[Any, PropertyDict] | None = None

    def __init__(
        self,
        location: Location,
        name: str,
        class_callable: type | None = None,
        is_traversable: bool | None = None,
        is_movable: bool | None = None,
        visualize_size: float | None = None,
        visualize_shape: int | str | None = None,
        visualize_colour: str | None = None,
        visualize_depth: int | None = None,
        visualize_opacity: float | None = None,
        visualize_from_center: bool | None = None,
        **custom_properties: Any,
    ) -> None:
        self.version = 0
        self._location = as_location(location)
        self._is_traversable = (
            TRAVERSABLE if is_traversable is None else as_flag("is_traversable", is_traversable)
        )
        self._is_movable = MOVABLE if is_movable is None else as_flag("is_movable", is_movable)
        self.obj_name, self.obj_id = str(name), str(name)
        lineage = type(self) if class_callable is None else class_callable
        self.class_inheritance = [each.__name__ for each in lineage.mro() if each is not KeptByReference]
        self._visual: dict[str, Any] = {
            "visualize_size": SIZE if visualize_size is None else visualize_size,
            "visualize_shape": SHAPE if visualize_shape is None else visualize_shape,
            "visualize_colour": COLOUR if visualize_colour is None else visualize_colour,
            "visualize_depth": DEPTH if visualize_depth is None else visualize_depth,
            "visualize_opacity": OPACITY if visualize_opacity is None else visualize_opacity,
            "visualize_from_center": FROM_CENTER if visualize_from_center is None else visualize_from_center,
        }
        self._visual = {key: checked_visual(key, value) for key, value in self._visual.items()}
        for given in custom_properties:
            self._check_not_reserved(given)
        self.custom_properties = dict(custom_properties)

    # its place in the core

    @property
    def in_core(self) -> bool:
        """Whether it belongs to a world."""
        return self._core is not None

    @property
    def number(self) -> int:
        """The number of its thing in the core; -1 where it is scenery, or not in a world."""
        return self._number

    def core_object(self) -> GridObject:
        """The thing of the core that stands for it: of its scenery's kind, if that says all."""
        cell = self.core_cell()
        if cell is not None:
            return cell
        return item_of(self._is_traversable, bool(self._is_movable), nearest_color(self.visualize_colour))

    @property
    def core_colour(self) -> str:
        """The color by which the core knows it."""
        return UNSEEN if self.custom_properties.get("is_invisible") else self.visualize_colour

    def core_cell(self) -> GridObject | None:
        """The cell of the core that stands for it where nothing else is; None if that is always a thing."""
        if self.scenery is None:
            return None
        cell = self.scenery(nearest_color(self.visualize_colour)) if self.scenery.colored else self.scenery()
        says_all = cell.blocks_movement != self._is_traversable and not self._is_movable
        return cell if says_all else None

    def join(self, core: CoreView, number: int) -> None:
        """Become a view of a thing of the core, or of a cell where the number is -1."""
        self._core, self._number = core, number

    def leave(self) -> None:
        """Stop being a view: what the core says is kept."""
        self._location, self._is_traversable, self._is_movable = (
            self.location,
            self.is_traversable,
            self.is_movable,
        )
        self._core, self._number = None, -1

    def kept_in_python(self) -> dict[str, Any]:
        """A copy of all that is not in the core's state, for `keep_in_python`."""
        return copied_for_snapshot({key: value for key, value in vars(self).items() if key not in IN_CORE})

    def keep_in_python(self, kept: Mapping[str, Any]) -> None:
        """Take what `kept_in_python` has returned; attributes that the object has got since are lost."""
        for key in vars(self).keys() - kept.keys() - {*IN_CORE}:
            del vars(self)[key]
        vars(self).update(copied_for_snapshot(dict(kept)))
        self._cached = None

    def _changed(self) -> None:
        self.version += 1
        if self._core is not None:
            self._core.version += 1

    def _tell_core(self) -> None:
        """Let the thing of the core be as it is here."""
        if self._core is not None and self._number >= 0:
            self._core.set_object(self._number, self.core_object(), self.core_colour)

    def _become_thing(self) -> None:
        """Take a thing of the core instead of a cell, which cannot say all that is to be said."""
        assert self._core is not None
        self._core.set_cell(self._location, Floor())
        self._number = self._core.free_number()
        self._core.add_thing(self._number, self.core_object(), self.core_colour, self._location)
        self._core.by_number[self._number] = self

    # properties that the core keeps

    @property
    def location(self) -> Location:
        """X and y; of what is carried, where the carrier is."""
        if self._core is not None and self._number >= 0:
            return self._core.thing_location(self._number)
        return self._location

    @location.setter
    def location(self, new: Location) -> None:
        place = as_location(new)
        if self._core is not None:
            self._core.check_inside(place)
            if self._number >= 0:
                self._core.put_thing_at(self._number, place)
            elif isinstance(self._core.cell(place), Floor):
                self._core.set_cell(place, self._core.cell(self._location))
                self._core.set_cell(self._location, Floor())
            else:
                self._become_thing()
                self._core.put_thing_at(self._number, place)
        self._location = place
        self._changed()

    @property
    def carried_by(self) -> list[str]:
        """The ids of the agents that carry it: one or none."""
        if self._core is None or self._number < 0:
            return []
        index = self._core.carrier(self._number)
        return [] if index < 0 else [self._core.agent_ids[index]]

    @property
    def is_traversable(self) -> bool:
        """Whether agents can enter its cell."""
        if self._core is not None and self._number >= 0:
            return not self._core.blocks_movement(self._number)
        return self._is_traversable

    @is_traversable.setter
    def is_traversable(self, new: bool) -> None:
        self._set_status(as_flag("is_traversable", new), self.is_movable)

    @property
    def is_movable(self) -> bool | None:
        """Whether agents can carry it."""
        return self._is_movable

    @is_movable.setter
    def is_movable(self, new: bool | None) -> None:
        self._set_status(self.is_traversable, new if new is None else as_flag("is_movable", new))

    def _set_status(self, is_traversable: bool, is_movable: bool | None) -> None:
        self._is_traversable, self._is_movable = is_traversable, is_movable
        if self._core is not None and self._number < 0:
            self._become_thing()
        elif self._core is not None:
            self._tell_core()
        self._changed()

    # properties of Python

    @property
    def visualize_size(self) -> float:
        """Its size; 1 fills the cell."""
        size: float = self._visual["visualize_size"]
        return size

    @visualize_size.setter
    def visualize_size(self, new: float) -> None:
        self._set_visual("visualize_size", new)

    @property
    def visualize_shape(self) -> int | str:
        """0 for a square, 1 for a triangle, 2 for a circle, "img" or the path of an image."""
        shape: int | str = self._visual["visualize_shape"]
        return shape

    @visualize_shape.setter
    def visualize_shape(self, new: int | str) -> None:
        self._set_visual("visualize_shape", new)

    @property
    def visualize_colour(self) -> str:
        """Its color, such as "#4286f4"."""
        colour: str = self._visual["visualize_colour"]
        return colour

    @visualize_colour.setter
    def visualize_colour(self, new: str) -> None:
        self._set_visual("visualize_colour", new)
        if self._core is not None and self._number >= 0:
            self._tell_core()

    @property
    def visualize_depth(self) -> int:
        """What has a higher depth is drawn on top."""
        depth: int = self._visual["visualize_depth"]
        return depth

    @visualize_depth.setter
    def visualize_depth(self, new: int) -> None:
        self._set_visual("visualize_depth", new)

    @property
    def visualize_opacity(self) -> float:
        """From 0 to 1."""
        opacity: float = self._visual["visualize_opacity"]
        return opacity

    @visualize_opacity.setter
    def visualize_opacity(self, new: float) -> None:
        self._set_visual("visualize_opacity", new)

    @property
    def visualize_from_center(self) -> bool:
        """Whether a small shape is drawn in the middle of the cell."""
        centered: bool = self._visual["visualize_from_center"]
        return centered

    @visualize_from_center.setter
    def visualize_from_center(self, new: bool) -> None:
        self._set_visual("visualize_from_center", new)

    def _set_visual(self, name: str, new: Any) -> None:
        self._visual[name] = checked_visual(name, new)
        self._changed()

    @property
    def visualization(self) -> dict[str, Any]:
        """The visual properties under their short names."""
        return {
            "size": self.visualize_size,
            "shape": self.visualize_shape,
            "colour": self.visualize_colour,
            "depth": self.visualize_depth,
            "opacity": self.visualize_opacity,
            "visualize_from_center": self.visualize_from_center,
        }

    @property
    def properties(self) -> dict[str, Any]:
        """All properties: the custom ones, and those that every object has.

        These are `name`, `obj_id`, `location`, `is_movable`, `carried_by`, `is_traversable`, `class_inheritance` and
        `visualization`.
        """
        return {
            **self.custom_properties,
            "name": self.obj_name,
            "obj_id": self.obj_id,
            "location": self.location,
            "is_movable": self.is_movable,
            "carried_by": self.carried_by,
            "is_traversable": self.is_traversable,
            "class_inheritance": list(self.class_inheritance),
            "visualization": self.visualization,
        }

    @property
    def cached_properties(self) -> PropertyDict:
        """The properties, made again only when one has changed: shared, and therefore not to be changed."""
        key = self.version if self._number < 0 else self._cache_key()
        cached = self._cached
        if cached is None or cached[0] != key:
            cached = self._cached = key, self._frozen_properties()
        return cached[1]

    def _frozen_properties(self) -> PropertyDict:
        """All properties, so that changing what is perceived changes neither the object nor what others perceive."""
        found = self.properties
        found["visualization"] = PropertyDict(found["visualization"])
        for name, value in self.custom_properties.items():
            if isinstance(value, dict | list):
                found[name] = frozen(value)
        return PropertyDict(found)

    def _cache_key(self) -> Any:
        if self._core is None or self._number < 0:
            return self.version
        return (
            self.version,
            self._core.things[self._number].tobytes(),
            self._core.thing_location(self._number),
        )

    def add_property(self, property_name: str, property_value: Any) -> None:
        """Add a custom property.

        Raises:
            ValueError: there is one of this name, or it is reserved.
        """
        if property_name in self.properties:
            raise ValueError(
                f"{self.obj_id} has a property {property_name!r} already; change_property changes it"
            )
        self._check_not_reserved(property_name)
        self._set_custom(property_name, property_value)
        self._changed()

    def _set_custom(self, name: str, value: Any) -> None:
        self.custom_properties[name] = value
        if name == "is_invisible":
            self._tell_core()

    def _check_not_reserved(self, name: str) -> None:
        if name in self.reserved:
            raise ValueError(
                f"{self.obj_name} cannot have a custom property {name!r}, since the world itself says that; such names are "
                f"{', '.join(self.reserved)}"
            )

    def change_property(self, property_name: str, property_value: Any) -> Any:
        """Change a property, a custom one or one of those that every object has; returns the new value.

        Visual ones may be named `visualize_colour`, `visualization_colour`, and so on; `visualization` changes several, given
        by their short names, such as `{"colour": "#ff0000", "size": 0.5}`.

        Raises:
            ValueError: there is no such property, or it cannot be changed.
            TypeError: the value has another type.
        """
        name = self.changeable_name(property_name)
        if property_name in self.custom_properties:
            self._set_custom(property_name, property_value)
        elif name == "name":
            self.obj_name = str(property_value)
        elif name == "visualization":
            self._change_looks(property_value)
        elif name == "visualize_when_busy":
            self.visualize_when_busy = as_flag(name, property_value)
        else:
            setattr(self, name, property_value)
        self._changed()
        return property_value

    def changeable_name(self, property_name: str) -> str:
        """The name of a property that can be changed, where visual ones may have two.

        Raises:
            ValueError: there is no such property, or it cannot be changed.
        """
        name = property_name.replace("visualization_", "visualize_", 1)
        if property_name in self.custom_properties:
            return property_name
        known = (*CHANGEABLE, *self.visual_names.values())
        if name not in known:
            listed = ", ".join([*self.custom_properties, *known])
            raise ValueError(
                f"{self.obj_id} has no property {property_name!r} that can be changed; there are {listed}"
            )
        return name

    def _change_looks(self, looks: Any) -> None:
        """Change the visual properties that are given by their short names, as in `visualization`, where they differ."""
        now = self.properties["visualization"]
        if not isinstance(looks, Mapping) or looks.keys() - now.keys():
            raise ValueError(f"visualization is a mapping with keys of {', '.join(now)}, not {looks!r}")
        for short, value in looks.items():
            if value != now[short]:
                self.change_property(self.visual_names[short], value)

    def update(self, grid_world: Any, state: Any) -> None:
        """What the object does by itself once a tick, after the actions of agents: nothing, unless overridden.

        Args:
            grid_world: the `GridWorld`, which may be changed.
            state: the `State` of the whole world, after the actions.
        """

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.obj_id!r}, {self.location})"


def as_location(given: Any) -> Location:
    """X and y as two whole numbers.

    Raises:
        TypeError, ValueError: it is something else.
    """
    try:
        x, y = given
    except (TypeError, ValueError):
        raise TypeError(f"a location is two whole numbers, x and y, not {given!r}") from None
    if int(x) != x or int(y) != y:
        raise ValueError(f"a location is two whole numbers, x and y, not {given!r}")
    return int(x), int(y)


def as_flag(name: str, value: Any) -> bool:
    """A property that is true or false.

    Raises:
        TypeError: it is something else.
    """
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} is true or false, not {value!r}")
    return bool(value)


def is_colour(value: str) -> bool:
    """Whether a text is a color such as #4286f4."""
    return re.fullmatch(r"#[0-9a-fA-F]{6}", value) is not None


def is_shape(value: int | str) -> bool:
    """Whether a shape is one of those that are drawn, or may be the path of an image."""
    return value in (0, 1, 2, IMAGE) or (isinstance(value, str) and PurePath(value).suffix != "")


def checked_visual(name: str, value: Any) -> Any:
    """The value of a visual property.

    Raises:
        TypeError, ValueError: it has another type, or is out of bounds.
    """
    types, text = VISUAL[name]
    value = value.item() if isinstance(value, np.generic) else value
    if not isinstance(value, types) or (bool not in types and isinstance(value, bool)):
        raise TypeError(f"{name} is {text}, not {value!r}")
    if name in _WITHIN and not _WITHIN[name](value):
        raise ValueError(f"{name} is {text}, not {value!r}")
    return value


_WITHIN: dict[str, Callable[[Any], bool]] = {
    "visualize_size": lambda size: 0 < size < math.inf,
    "visualize_shape": is_shape,
    "visualize_colour": is_colour,
    "visualize_opacity": lambda opacity: 0 <= opacity <= 1,
}
"""Whether values of the right type are possible."""
