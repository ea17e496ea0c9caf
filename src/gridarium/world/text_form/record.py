"""Converts a state to plain data (dicts, lists, strings, numbers), the basis of the text and JSON forms, and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gridarium.world.actions import Action
from gridarium.world.agent import ACTION, BUSY, HELD, RESULT, Agent
from gridarium.world.geometry import ORIENTATION_NAMES, Orientation, Position
from gridarium.world.objects import GridObject, NoneGridObject
from gridarium.world.state import State
from gridarium.world.text_form.plain_data import (
    InvalidData,
    Path,
    bits_record,
    hexadecimal,
    object_record,
    read_bits,
    read_bool,
    read_hexadecimal,
    read_int,
    read_keys,
    read_list,
    read_object,
    read_vocabulary,
    read_word,
    shown,
    vocabulary_record,
)
from gridarium.world.things import CARRIER, Thing, put_thing
from gridarium.world.vocabulary import (
    AGENT_FIELDS,
    DATA_FIELDS,
    THING_FIELDS,
    Field,
    Vocabulary,
    everything,
    located,
)

CLOCK = ("tick", "episode", "key", "episode_key", "turn", "ended", "spare_1", "spare_2")
"""The names of the numbers that every world has, in the order of `State.data`."""
AGENT_KEYS = ("position", "orientation", "holds", "active", "result", "busy", "action", "pending", "fields")
_KEYS = ("key", "episode_key")
LONGEST_SHOWN = 64
"""The number of items up to which arrays are shown to people."""


def to_record(state: State) -> dict[str, Any]:
    """Everything that `State.identical` compares, and the agent in focus, as dicts, lists, strings and numbers."""
    vocabulary, grid = state.vocabulary, state.grid
    numbers: dict[GridObject, int] = {}
    cells = [[numbers.setdefault(thing, len(numbers)) for thing in row] for row in grid.objects]
    record = {
        "vocabulary": vocabulary_record(vocabulary),
        "objects": [object_record(thing) for thing in numbers],
        "cells": cells,
        "agents": [agent_record(agent) for agent in state.agents],
        "focus": int(state.focus),
        "world": _clock_record(state),
    }
    if vocabulary.edges:
        record["walls"] = (state.layers[vocabulary.edge_layer] & 3).tolist()
    if vocabulary.has_things:
        record["things"] = [thing_record(thing) for thing in state.things]
    record["cell_fields"] = {
        field.name: [[bits_record(bits, field.type) for bits in row] for row in state.layers[layer].tolist()]
        for layer, field in enumerate(vocabulary.cell_fields, vocabulary.first_cell_field)
    }
    return record


def from_record(record: Any, vocabulary: Vocabulary | None = None) -> State:
    """The state that a record describes.

    Args:
        record: as returned by `to_record`. Only 'objects', 'cells' and 'agents' are required; all else defaults to its
            value in a cleared state.
        vocabulary: the world's; by default the one in the record, or else all kinds and colors.

    Raises:
        InvalidData: an entry is invalid; the message gives its path and what is allowed.
    """
    optional = ("vocabulary", "focus", "world", "walls", "things", "cell_fields")
    read_keys(record, (), ("objects", "cells", "agents"), optional)
    if vocabulary is None:
        vocabulary = (
            read_vocabulary(record["vocabulary"], ("vocabulary",)) if "vocabulary" in record else everything()
        )
    rows = read_list(record["cells"], ("cells",))
    agents = read_list(record["agents"], ("agents",))
    shape = (len(rows), len(read_list(rows[0], ("cells", 0))) if rows else 0)
    if 0 in shape:
        raise InvalidData(("cells",), "at least one row and one column are needed")
    if not agents:
        raise InvalidData(("agents",), "at least one agent is needed")
    state = State.blank(shape, vocabulary, len(agents))
    _read_cells(state, record)
    _read_cell_fields(state, record.get("cell_fields", {}))
    _read_clock(state, record.get("world", {}))
    for i, entry in enumerate(agents):
        _read_agent(state, i, entry)
    _read_things(state, record.get("things", []))
    focus = read_int(record.get("focus", 0), ("focus",), range(len(agents)))
    return state.seen_by(focus)


def _read_cells(state: State, record: Mapping[str, Any]) -> None:
    vocabulary = state.vocabulary
    height, width = state.grid.shape
    listed = read_list(record["objects"], ("objects",))
    things = [read_object(entry, ("objects", i), vocabulary) for i, entry in enumerate(listed)]
    if not things:
        raise InvalidData(("objects",), "at least one object is needed")
    for p, number, path in _matrix(record["cells"], ("cells",), height, width):
        state.grid[p] = things[read_int(number, path, range(len(things)))]
    if "walls" in record:
        if not vocabulary.edges:
            raise InvalidData(("walls",), "this world has no walls on edges; add them to its vocabulary")
        for p, number, path in _matrix(record["walls"], ("walls",), height, width):
            state.layers[vocabulary.edge_layer, p.y, p.x] = read_int(number, path, range(4))


def _read_cell_fields(state: State, given: Any) -> None:
    vocabulary = state.vocabulary
    height, width = state.grid.shape
    read_keys(given, ("cell_fields",), (), [field.name for field in vocabulary.cell_fields])
    for layer, field in enumerate(vocabulary.cell_fields, vocabulary.first_cell_field):
        if field.name in given:
            for p, number, path in _matrix(given[field.name], ("cell_fields", field.name), height, width):
                state.layers[layer, p.y, p.x] = read_bits(number, path, field.type)


def _matrix(given: Any, path: Path, height: int, width: int) -> list[tuple[Position, Any, Path]]:
    return [
        (Position(y, x), item, (*path, y, x))
        for y, row in enumerate(read_list(given, path, height))
        for x, item in enumerate(read_list(row, (*path, y), width))
    ]


def _clock_record(state: State) -> dict[str, Any]:
    numbers = dict(zip(CLOCK, state.data.tolist(), strict=False))
    record: dict[str, Any] = {name: hexadecimal(n) if name in _KEYS else n for name, n in numbers.items()}
    return record | {"fields": world_fields_record(state)}


def shown_world_fields(state: State) -> dict[str, Any]:
    """The declared world fields that people are shown: those that are not internal, without long arrays."""
    return _shown(world_fields_record(state), state.vocabulary.world_fields)


def world_fields_in_words(state: State) -> dict[str, Any]:
    """All declared world fields: the words of those that have any, else the numbers."""
    record = world_fields_record(state)
    return {field.name: _in_words(record[field.name], field) for field in state.vocabulary.world_fields}


def shown_agent_fields(agent: Agent) -> dict[str, Any]:
    """The declared fields of an agent that people are shown, likewise."""
    return _shown(agent_record(agent)["fields"], agent.vocabulary.agent_fields)


def _shown(record: dict[str, Any], fields: Sequence[Field]) -> dict[str, Any]:
    shown_fields = [field for field in fields if not field.internal and field.size <= LONGEST_SHOWN]
    return {field.name: _in_words(record[field.name], field) for field in shown_fields}


def _in_words(value: Any, field: Field) -> Any:
    if isinstance(value, list):
        return [_in_words(item, field) for item in value]
    return field.in_words(value) if field.words else value


def world_fields_record(state: State) -> dict[str, Any]:
    """The declared world fields by name."""
    return _fields_record(state.data.tolist()[DATA_FIELDS:], state.vocabulary.world_fields)


def _read_clock(state: State, given: Any) -> None:
    read_keys(given, ("world",), (), (*CLOCK, "fields"))
    for slot, name in enumerate(CLOCK):
        if name in given:
            read = read_hexadecimal if name in _KEYS else read_int
            state.data[slot] = read(given[name], ("world", name))
    _read_fields(
        state.data[DATA_FIELDS:], given.get("fields", {}), ("world", "fields"), state.vocabulary.world_fields
    )


def agent_record(agent: Agent) -> dict[str, Any]:
    """An agent as a mapping with `AGENT_KEYS`."""
    held = agent.grid_object
    return {
        "position": list(agent.position.yx),
        "orientation": agent.orientation.name,
        "holds": None if isinstance(held, NoneGridObject) else object_record(held),
        "active": bool(agent.active),
        "result": agent.result,
        "busy": agent.busy,
        "action": agent.action.name,
        **({"pending": agent.pending.name} if _has_pending(agent) else {}),
        "fields": _fields_record(agent.agent_row.tolist()[AGENT_FIELDS:], agent.vocabulary.agent_fields),
    }


def _has_pending(agent: Agent) -> bool:
    """Whether an agent is in the middle of an action, or was when a rule ended that."""
    durations = agent.vocabulary.has_durations
    return durations and bool(agent.busy or agent.agent_row[agent.vocabulary.pending_action])


def _read_agent(state: State, number: int, given: Any) -> None:
    path: Path = ("agents", number)
    read_keys(given, path, ("position", "orientation"), AGENT_KEYS)
    agent = state.agents[number]
    agent.active = read_bool(given.get("active", True), (*path, "active"))
    pair = read_list(given["position"], (*path, "position"), 2)
    agent.position = Position(*(read_int(n, (*path, "position", i)) for i, n in enumerate(pair)))
    if agent.active and state.vocabulary.has_body(number) and not state.grid.contains(agent.position):
        height, width = state.grid.shape
        raise InvalidData((*path, "position"), f"{pair} is outside the grid of {height} x {width}")
    orientation = read_word(given["orientation"], (*path, "orientation"), ORIENTATION_NAMES)
    agent.orientation = Orientation(ORIENTATION_NAMES.index(orientation))
    if given.get("holds") is not None:
        vocabulary = state.vocabulary
        agent.agent_row[HELD] = vocabulary.encode(read_object(given["holds"], (*path, "holds"), vocabulary))
    agent.agent_row[RESULT] = read_int(given.get("result", 0), (*path, "result"))
    agent.agent_row[BUSY] = read_int(given.get("busy", 0), (*path, "busy"))
    if "action" in given:
        agent.agent_row[ACTION] = _read_action(given["action"], (*path, "action"), state.vocabulary)
    if "pending" in given:
        if not state.vocabulary.has_durations:
            raise InvalidData((*path, "pending"), "actions of this world take one tick each")
        pending = _read_action(given["pending"], (*path, "pending"), state.vocabulary)
        agent.agent_row[state.vocabulary.pending_action] = pending
    fields = state.vocabulary.agent_fields
    _read_fields(agent.agent_row[AGENT_FIELDS:], given.get("fields", {}), (*path, "fields"), fields)


def thing_record(thing: Thing) -> dict[str, Any]:
    """A thing as a mapping: its number, its object, its position or carrier, its fields."""
    carrier = int(thing.data[thing.start + CARRIER])
    place = {"carrier": carrier - 1} if carrier else {"position": list(thing.position.yx)}
    row = thing.data[thing.start + THING_FIELDS : thing.start + thing.vocabulary.thing_row_length].tolist()
    fields = _fields_record(row, thing.vocabulary.thing_fields)
    return {"number": thing.number, "object": object_record(thing.object), **place, "fields": fields}


def _read_things(state: State, given: Any) -> None:
    vocabulary, numbers = state.vocabulary, []
    for i, entry in enumerate(read_list(given, ("things",))):
        path: Path = ("things", i)
        if not vocabulary.has_things:
            raise InvalidData(path, "this world has no things; add them to its vocabulary")
        read_keys(entry, path, ("number", "object"), ("position", "carrier", "fields"))
        number = read_int(entry["number"], (*path, "number"), range(vocabulary.thing_capacity))
        if number in numbers:
            raise InvalidData((*path, "number"), f"{number} is given a second time")
        if ("position" in entry) == ("carrier" in entry):
            raise InvalidData(path, "a thing has a position or a carrier")
        numbers.append(number)
        thing = put_thing(state.things[number], read_object(entry["object"], (*path, "object"), vocabulary))
        if "position" in entry:
            pair = read_list(entry["position"], (*path, "position"), 2)
            thing.position = Position(*(read_int(n, (*path, "position", k)) for k, n in enumerate(pair)))
        else:
            carrier = read_int(entry["carrier"], (*path, "carrier"), range(len(state.agents)))
            thing.data[thing.start + CARRIER] = carrier + 1
        first, fields = thing.start + THING_FIELDS, vocabulary.thing_fields
        _read_fields(thing.data[first:], entry.get("fields", {}), (*path, "fields"), fields)


def _read_action(given: Any, path: Path, vocabulary: Vocabulary) -> int:
    text = str(given)
    number = text.removeprefix("Action(").removesuffix(")")
    if text == f"Action({number})" and number.removeprefix("-").isdecimal():
        return read_int(int(number), path)
    try:
        return vocabulary.action_table.parse(text) if "(" in text else Action[text].value
    except (KeyError, ValueError) as error:
        raise InvalidData(path, f"{error.args[0]}, shown as {shown(given)}") from None


def _fields_record(bits: list[int], fields: tuple[Field, ...]) -> dict[str, Any]:
    return {
        field.name: _nested([bits_record(own, field.type) for own in bits[at : at + field.size]], field.shape)
        for at, field in located(fields, 0)
    }


def _nested(items: list[Any], shape: tuple[int, ...]) -> Any:
    """Items as lists of lists of a shape; a single one, if the shape is ()."""
    if not shape:
        return items[0]
    step = len(items) // shape[0]
    return [_nested(items[i : i + step], shape[1:]) for i in range(0, len(items), step)]


def _read_fields(row: Any, given: Any, path: Path, fields: tuple[Field, ...]) -> None:
    read_keys(given, path, (), [field.name for field in fields])
    for first, field in located(fields, 0):
        if field.name in given:
            items = _flat(given[field.name], (*path, field.name), field.shape)
            row[first : first + field.size] = [read_bits(*item, field.type) for item in items]


def _flat(given: Any, path: Path, shape: tuple[int, ...]) -> list[tuple[Any, Path]]:
    """The items of lists of a shape, each with its path."""
    if not shape:
        return [(given, path)]
    parts = enumerate(read_list(given, path, shape[0]))
    return [item for i, part in parts for item in _flat(part, (*path, i), shape[1:])]
