"""What an agent can do an action with: keyword arguments, the nearest objects first."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from gridarium.live.perception import PropertyDict, State

Arguments: TypeAlias = "dict[str, Any]"


@dataclass(frozen=True)
class Reach:
    """How far away an agent can do things, in cells, and how much it carries.

    Attributes:
        grab_range: to grab objects.
        drop_range: to drop them.
        door_range: to open and close doors.
        remove_range: to remove objects.
        max_objects: the most objects that it carries.
        removes: the names of classes of objects that it removes; None for all that `is_removable` says.
    """

    grab_range: float = 1
    drop_range: float = 1
    door_range: float = 1
    remove_range: float = 1
    max_objects: float = 3
    removes: Collection[str] | None = None


BUILDING = ("Wall", "Door")
"""The classes of what is in the way, but belongs to the building."""


def choices(action: str, state: State, reach: Reach) -> list[Arguments]:
    """What an agent can do an action with, as far as it knows.

    Args:
        action: the name of the action.
        state: what it knows.
        reach: its ranges.

    Returns:
        Keyword arguments, the nearest object first, of what is carried the last one first. None if there is no such
        object; for actions other than those with objects, one choice without arguments.
    """
    further = general(action, reach)
    if action not in OBJECTS:
        return [further]
    me = state.get_self()
    found = [] if me is None else OBJECTS[action](state, me, reach)
    return [{"object_id": p["obj_id"], **further} for p in found]


def first_choice(action: str, state: State, reach: Reach) -> Arguments:
    """The first of `choices`; if there is none, such that the action says what is missing."""
    found = choices(action, state, reach)
    if found:
        return found[0]
    further = general(action, reach)
    return further if action == "DropObject" else {"object_id": None, **further}


def general(action: str, reach: Reach) -> Arguments:
    """The keyword arguments of an action that do not name an object."""
    return {keyword: getattr(reach, attribute) for keyword, attribute in RANGES.get(action, {}).items()}


RANGES: dict[str, dict[str, str]] = {
    "GrabObject": {"grab_range": "grab_range", "max_objects": "max_objects"},
    "DropObject": {"drop_range": "drop_range"},
    "OpenDoorAction": {"door_range": "door_range"},
    "CloseDoorAction": {"door_range": "door_range"},
    "RemoveObject": {"remove_range": "remove_range"},
}


def nearest_first(found: Iterable[PropertyDict], me: PropertyDict, reach: float) -> list[PropertyDict]:
    """Objects within a range of an agent, the nearest first, of equally near ones in the order given."""
    near = ((math.dist(p["location"], me["location"]), p) for p in found if p is not me)
    return [p for away, p in sorted(near, key=lambda pair: pair[0]) if away <= reach]


def _grabbable(state: State, me: PropertyDict, reach: Reach) -> list[PropertyDict]:
    movable = (state.get_with_property({"is_movable": True})) or []
    return nearest_first((p for p in movable if not p.get("isAgent")), me, reach.grab_range)


def _carried(state: State, me: PropertyDict, reach: Reach) -> list[PropertyDict]:
    return [*me.get("is_carrying", ())][::-1]


def _doors(is_open: bool) -> ObjectsOf:
    def doors(state: State, me: PropertyDict, reach: Reach) -> list[PropertyDict]:
        near = nearest_first(state.get_of_type("Door") or (), me, reach.door_range)
        return sorted(near, key=lambda p: p["is_open"] is not is_open)

    return doors


def _removable(state: State, me: PropertyDict, reach: Reach) -> list[PropertyDict]:
    things = (p for p in state.get_with_property("location") or () if is_removable(p, reach.removes))
    return nearest_first(things, me, reach.remove_range)


def is_removable(properties: Mapping[str, Any], classes: Collection[str] | None = None) -> bool:
    """Whether somebody at a keyboard or a menu may remove an object, of its properties: never an agent.

    Args:
        properties: of the object.
        classes: the names of those of which it must be; None: it must be something that lies or stands there, which walls,
            doors, tiles, the signals of what is wanted, and what is invisible are not.
    """
    ancestors = properties.get("class_inheritance", ())
    if properties.get("isAgent"):
        return False
    if classes is not None:
        return any(name in classes for name in ancestors)
    is_there = properties.get("is_movable") or not properties.get("is_traversable")
    return bool(is_there) and not properties.get("is_invisible") and not any(n in BUILDING for n in ancestors)


ObjectsOf: TypeAlias = Callable[[State, PropertyDict, Reach], list[PropertyDict]]
OBJECTS: dict[str, ObjectsOf] = {
    "GrabObject": _grabbable,
    "DropObject": _carried,
    "OpenDoorAction": _doors(False),
    "CloseDoorAction": _doors(True),
    "RemoveObject": _removable,
}
"""What each action is done with. Of doors, those come first that are not yet as they are to be."""
