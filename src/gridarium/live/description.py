"""Live worlds as descriptions of the core, so that the same world can be trained on in batches.

What is scenery (walls, tiles) becomes a cell, where nothing else is one; every other object becomes a thing. Agents keep
their order.
"""

from __future__ import annotations

import string
import warnings
from collections.abc import Container, Mapping, Sequence
from typing import Any

from gridarium.live.actions import all_actions, find_action
from gridarium.live.objects.agent_body import AgentBody
from gridarium.live.objects.core_view import (
    ARRIVED_AT,
    GRAB_ORDER,
    KINDS,
    TRAVERSABLE,
    Location,
    colour_number,
)
from gridarium.live.objects.env_object import EnvObject
from gridarium.live.objects.standard_objects import CollectionDropOffTile
from gridarium.live.saving import SimulationGoal
from gridarium.rules import live_actions
from gridarium.world import Color, GridObject, State
from gridarium.world.agent import ACTIVE
from gridarium.world.live_objects import COLOUR_FIELD
from gridarium.worlds import Description
from gridarium.worlds.entries.problems import suggest

MODULES = (live_actions.__name__, "gridarium.rules.collection")
IDLE = "WAIT"
"""The core's action of agents that idle."""
MOVES = tuple(action.name for action in live_actions.MOVES)
ON_THINGS = tuple(action.name for action in live_actions.ON_THINGS)
RULES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "move_in_eight_directions": ((), MOVES),
    "use_doors": (("door_range",), ("OpenDoorAction", "CloseDoorAction")),
    "grab_things": (("grab_range", "max_objects"), ("GrabObject",)),
    "drop_things": (("drop_range",), ("DropObject",)),
    "remove_things": (("remove_range",), ("RemoveObject",)),
    "notice_arrivals": ((), (IDLE,)),
}
"""The transition rules with their parameters, and the actions that they are needed for."""
LEGAL, LEGAL_MOVES = "can_do_live_action", "can_move_in_eight_directions"
SPARE = 4
"""The number of things for which there is room besides those there are at first, at least."""
LETTERS = string.ascii_letters
FLOOR, FACING = ".", "FORWARD"
NEAR = {"name": "fully_transparent", "area": [[-3, 3], [-3, 3]]}
"""What agents observe by default: the cells around them."""


def thing_numbers(objects: Sequence[EnvObject]) -> list[int]:
    """The number of each object's thing; -1 for those that are cells."""
    cells = {obj.location: obj for obj in reversed(objects) if obj.core_cell() is not None}
    cells |= {obj.location: obj for obj in reversed(objects) if isinstance(obj, CollectionDropOffTile)}
    numbers, count = [], 0
    for obj in objects:
        if cells.get(obj.location) is obj:
            numbers.append(-1)
        else:
            numbers.append(count)
            count += 1
    return numbers


def capacity_for(count: int) -> int:
    """Room for a number of things: a power of two, so that worlds of many sizes share a program."""
    capacity = SPARE
    while capacity < count + SPARE:
        capacity *= 2
    return capacity


def describe(
    name: str,
    shape: tuple[int, int],
    objects: Sequence[EnvObject],
    agents: Sequence[AgentBody],
    *,
    parameters: Mapping[str, float] | None = None,
    only_possible: bool = False,
    **further: Any,
) -> Description:
    """A live world at its beginning, as a description.

    Args:
        name: the name of the world.
        shape: its width and height.
        objects: the objects, in order of registration.
        agents: the bodies of the agents.
        parameters: of the actions: `door_range`, `grab_range`, `max_objects`, `drop_range`, `remove_range`.
        only_possible: whether rules of actions that no agent has are left out: those on things do not compile where none is.
        further: further keys of the description, such as `rewards`, `terminations`, `time_limit`, `observation`.

    Raises:
        ValueError: an unknown parameter, or more objects than a world can have.
        DescriptionError: the description would be invalid.
    """
    width, height = shape
    given = dict(parameters or {})
    known = [p for names, _ in RULES.values() for p in names]
    if unknown := sorted(given.keys() - {*known}):
        raise ValueError(f"actions have no parameter {unknown[0]!r}; there are {', '.join(known)}")
    numbers = thing_numbers(objects)
    rows = [[FLOOR] * width for _ in range(height)]
    letters: dict[GridObject, str] = {}
    for obj, number in zip(objects, numbers, strict=True):
        cell = obj.core_cell()
        if number < 0 and cell is not None:
            x, y = obj.location
            rows[y][x] = letters.setdefault(cell, LETTERS[len(letters)])
    zone = {obj.location for obj in objects if isinstance(obj, CollectionDropOffTile)}
    placed = [_placed(obj, zone) for obj, number in zip(objects, numbers, strict=True) if number >= 0]
    every = [IDLE, *MOVES, *ON_THINGS]
    possible = {*every}
    if only_possible and all(body.possible_actions is not None for body in agents):
        possible = {IDLE, *(name for body in agents for name in body.possible_actions or ())}
    legal = {"name": LEGAL, **given} if possible & {*ON_THINGS} else {"name": LEGAL_MOVES}
    last = {body.obj_id: i for i, body in enumerate(agents)}  # who was removed may have come back
    return Description.from_dict(
        {
            "name": name,
            "modules": list(MODULES),
            "objects": [kind.__name__ for kind in KINDS],
            "colors": [color.name for color in Color if color != Color.NONE],
            "fields": {
                "agent": [{"name": TRAVERSABLE, "type": "bool", "default": True}],
                "thing": [{"name": field, "type": "int"} for field in (COLOUR_FIELD, GRAB_ORDER, ARRIVED_AT)],
            },
            "things": {
                "capacity": (capacity := capacity_for(len(placed))),
                "carried": capacity,
                "placed": placed,
            },
            "actions": [IDLE, *MOVES, *({"name": action, "over": "things"} for action in ON_THINGS)],
            "agents": [_agent(body, every, named=last[body.obj_id] == i) for i, body in enumerate(agents)],
            "map": {
                "picture": "\n".join(map("".join, rows)),
                "legend": {letter: _entry(cell) for cell, letter in letters.items()},
            },
            "transitions": [
                {"name": rule, **{p: given[p] for p in names if p in given}}
                for rule, (names, needed_for) in RULES.items()
                if possible & {*needed_for}
            ],
            "observation": NEAR,
            **({"legal": [legal]} if "illegal" in further else {}),
            **further,
        }
    )


def rules_of_goals(
    goals: Sequence[SimulationGoal], grid_world: Any, said: Container[str] = ()
) -> tuple[dict[str, Any], list[str]]:
    """The keys of a description that follow from a world's goals, and what rules of the core cannot say of them.

    `LimitedTimeGoal` gives a time limit, `CollectionGoal` a termination and rewards. A world ends when all its goals have been
    reached, a description when any of its terminations holds: with several goals, somebody has to say when episodes end.
    Rewards of several goals are added up.

    Args:
        goals: the goals.
        grid_world: the world that they are goals of.
        said: the keys that the user gives in place of those that follow from the goals.
    """
    found = [goal.as_rules(grid_world) for goal in goals]
    unsaid = []
    if "terminations" not in said:
        unsaid = [
            f"the goal {type(goal).__name__} is Python; say when episodes end: terminations=[...]"
            for goal, rules in zip(goals, found, strict=True)
            if rules is None
        ]
        only_time = "time_limit" in said and not any((rules or {}).keys() - {"time_limit"} for rules in found)
        if len(goals) > 1 and not unsaid and not only_time:
            keys = "terminations=[...]" if "time_limit" in said else "time_limit=..., terminations=[...]"
            unsaid.append(f"several goals must all be reached; say when episodes end: {keys}")
    given = [rules for rules in found if rules]
    kept = dict(given[0]) if given and len(goals) == 1 else {}
    if rewards := [rule for rules in given for rule in rules.get("rewards", ())]:
        kept["rewards"] = rewards
    return kept, unsaid


KNOWN_PROPERTIES = {
    "room_name", "is_drop_off", "collection_area_name", "is_drop_off_target", "is_invisible", "collection_objects",
    "collection_zone_name", "collected",
}  # fmt: skip
"""Properties by which builders and goals find objects; rules of the core need none of them."""
PROPERTIES_OF = "has properties of its own:"
MOST_SHOWN = 10


def check_describable(
    name: str,
    objects: Sequence[EnvObject],
    agents: Sequence[AgentBody],
    unsaid: Sequence[str],
    *,
    drop_properties: bool,
) -> None:
    """Check that a description says all that a live world is; warn of classes of actions that agents lose in it.

    Args:
        name: of the world.
        objects: the objects.
        agents: the bodies of the agents.
        unsaid: what rules cannot say of the goals.
        drop_properties: whether properties of Python, and such classes, may be lost without a word.

    Raises:
        ValueError: there is something that it cannot say; the message lists it.
    """
    lost = [*_lost(objects, agents, properties=not drop_properties), *unsaid]
    if lost:
        shown = "\n  ".join(lost[:MOST_SHOWN]) + ("\n  ..." if len(lost) > MOST_SHOWN else "")
        droppable = any(PROPERTIES_OF in each for each in lost)
        hint = "\ndrop_properties=True leaves out properties" if droppable else ""
        raise ValueError(f"{name} is no description of the core:\n  {shown}{hint}")
    left_out = [name for name in all_actions() if name not in MOVES + ON_THINGS]
    having = [body.obj_id for body in agents if body.possible_actions is None]
    if left_out and having and not drop_properties:
        warnings.warn(
            f"{', '.join(having)} may do all actions; in a description they lack those that are classes of Python: "
            f"{', '.join(left_out)} (possible_actions says which an agent has)",
            stacklevel=3,
        )


def _lost(objects: Sequence[EnvObject], agents: Sequence[AgentBody], *, properties: bool) -> list[str]:
    """What a description cannot say, as sentences; `properties`: also of properties of Python."""
    found = []
    for obj in (*objects, *agents):
        if type(obj).update is not EnvObject.update:
            found.append(f"{obj.obj_id} does something by itself ({type(obj).__name__}.update)")
        own = sorted(obj.custom_properties.keys() - KNOWN_PROPERTIES)
        if properties and own:
            found.append(f"{obj.obj_id} {PROPERTIES_OF} {', '.join(own)}")
        if obj.carried_by:
            found.append(f"{obj.obj_id} is carried")
    replaced = [name for name in (*MOVES, *ON_THINGS) if (cls := find_action(name)) and cls.replaces]
    for body in agents:
        others = {*(body.possible_actions or ())} - {*MOVES, *ON_THINGS, IDLE}
        unknown = sorted(name for name in others if find_action(name) is None)
        found += [f"{body.obj_id} has the unknown action {n!r}: {suggest(n, all_actions())}" for n in unknown]
        others.update(name for name in replaced if name in (body.possible_actions or replaced))
        if own := sorted(others.difference(unknown)):
            found.append(f"{body.obj_id} has actions that are classes of Python: {', '.join(own)}")
    return found


def _entry(made: GridObject) -> dict[str, Any]:
    """An object as an entry of a description."""
    entry: dict[str, Any] = {"name": type(made).__name__}
    if made.Status is not None:
        entry["status"] = made.status.name
    if made.colored:
        entry["color"] = made.color.name
    return entry


def _placed(obj: EnvObject, zone: Container[Location]) -> dict[str, Any]:
    x, y = obj.location
    fields = {COLOUR_FIELD: colour_number(obj.core_colour)}
    if obj.location in zone:
        fields[ARRIVED_AT] = 1
    return {**_entry(obj.core_object()), "at": [y, x], "fields": fields}


def _agent(body: AgentBody, every: Sequence[str], *, named: bool) -> dict[str, Any]:
    x, y = body.location
    described: dict[str, Any] = {"start": [y, x], "orientation": FACING}
    if named and body.obj_id.isascii() and body.obj_id.isidentifier():
        described["name"] = body.obj_id
    if not body.is_traversable:
        described["fields"] = {TRAVERSABLE: False}
    if body.possible_actions is not None:
        described["actions"] = [IDLE, *(a for a in every[1:] if a in body.possible_actions)]
    return described


def stepped_description(described: Description) -> Description:
    """The description that steps a live world: the same for all worlds of one size of tables, so that they share a program."""
    data = described.to_dict()
    data.pop("map")
    things = {key: value for key, value in data["things"].items() if key != "placed"}
    agents = [
        {key: value for key, value in agent.items() if key == "actions"} for agent in data.get("agents", [{}])
    ]
    height, width = described.extent
    return Description.from_dict(
        {
            **data,
            "shape": [height, width],
            "reset": "nothing_at_first",
            "things": things,
            "agents": agents,
            "observation": {"name": "fully_transparent", "area": [[0, 0], [0, 0]]},
        }
    )


def copy_rows(old: State, new: State) -> None:
    """Copy a state to a blank one with more things or agents; those agents are not active."""
    new.cells[:], new.layers[:] = old.cells, old.layers
    new.agent_rows[:, ACTIVE] = 0
    new.agent_rows[: len(old.agent_rows)] = old.agent_rows
    count = min(len(old.data), len(new.data))
    new.data[:count] = old.data[:count]


def label_of(world_id: str) -> str:
    """A name for the core's description."""
    kept = "".join(c if c.isalnum() or c in "_.-" else "-" for c in world_id)
    return kept if kept[:1].isalnum() else f"world-{kept}"
