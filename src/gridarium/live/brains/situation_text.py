"""What an agent perceives and can do, as text."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from gridarium.live.messages import Message
from gridarium.live.perception import PropertyDict, State

UNSAID = {
    "obj_id",
    "name",
    "location",
    "class_inheritance",
    "visualization",
    "is_traversable",
    "is_movable",
    "carried_by",
    "is_carrying",
    "isAgent",
    "sense_capability",
    "action_set",
    "key_action_map",
    "current_action_args",
    "current_action_duration",
    "current_action_started_at_tick",
    "customizable_properties",
    "img_name",
}
"""Properties that are said in other words or not at all."""


def describe(state: State, messages: Sequence[Message] = (), last: str = "", most_objects: int = 40) -> str:
    """Say what an agent knows: the world, itself, objects with the nearest first, and messages.

    Args:
        state: what it knows.
        messages: what others have said to it.
        last: what came of its last action.
        most_objects: the most objects and agents that are listed.
    """
    me = state.get_self()
    if me is None:
        return "You are not in the world."
    world = state.get_world_info()
    width, height = world["grid_shape"]
    lines = [
        f"You are {_called(me)}. It is tick {world['nr_ticks']}. The world has {width} columns and {height} rows; "
        "locations are (x, y), x grows to the right, y downward.",
        f"You are at {_at(me)}. You carry {', '.join(_called(p) for p in me.get('is_carrying', ())) or 'nothing'}.",
    ]
    if last:
        lines.append(f"Your last action: {last}")
    others = [p for p in state.get_with_property("location") or () if p is not me]
    others.sort(key=lambda p: math.dist(p["location"], me["location"]))
    lines.append("You perceive:" if others else "You perceive nothing else.")
    lines += [f"- {_said(p)}" for p in others[:most_objects]]
    if len(others) > most_objects:
        lines.append(f"- and {len(others) - most_objects} things that are farther away")
    if messages:
        lines.append("Messages to you:")
        lines += [f"- from {m.from_id}: {json.dumps(m.content, ensure_ascii=False)}" for m in messages]
    return "\n".join(lines)


def list_options(options: Sequence[tuple[str | None, Mapping[str, Any]]]) -> str:
    """Number what an agent can do, from 0."""
    lines = []
    for number, (action, kwargs) in enumerate(options):
        named = kwargs.get("object_id")
        what = "wait" if action is None else action
        lines.append(f"{number}: {what}{'' if named is None else f' {named}'}")
    return "\n".join(lines)


def _said(p: PropertyDict) -> str:
    kind = "agent" if p.get("isAgent") else next(iter(p.get("class_inheritance", ())), "object")
    words = [f"colour {p['visualization']['colour']}"] if "colour" in p.get("visualization", ()) else []
    if not p.get("is_traversable", True):
        words.append("blocks the way")
    if p.get("is_movable") and not p.get("isAgent"):
        words.append("movable")
    if p.get("is_carrying"):
        words.append(f"carries {', '.join(_called(thing) for thing in p['is_carrying'])}")
    words += [f"{name} {_value(value)}" for name, value in p.items() if name not in UNSAID]
    return f"{_called(p)}: {kind} at {_at(p)}{''.join(f', {word}' for word in words)}"


def _called(p: Mapping[str, Any]) -> str:
    return str(p["obj_id"])


def _at(p: Mapping[str, Any]) -> str:
    x, y = p["location"]
    return f"({x}, {y})"


def _value(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
