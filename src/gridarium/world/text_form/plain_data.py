"""Converts objects, numbers and vocabularies to plain data (dicts, lists, strings, numbers) and back."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable, Mapping
from typing import Any

from gridarium.world.action_arguments import MOST_INDICES, RANGES, ActionTable, Argument, Arguments
from gridarium.world.actions import NAMES, Action
from gridarium.world.colors import Color
from gridarium.world.objects import NOTHING, GridObject, grid_object_registry
from gridarium.world.vocabulary import MOST_THINGS, Field, Number, Vocabulary

Path = tuple[str | int, ...]
FIELD_GROUPS = ("world_fields", "agent_fields", "cell_fields", "thing_fields")
_FLOAT_WORDS = ("nan", "inf", "-inf")
_INT64 = range(-(1 << 63), 1 << 63)


class InvalidData(ValueError):
    """An invalid entry of a description.

    Attributes:
        path: the keys and indices that lead to it.
        reason: the problem, and what is allowed.
    """

    def __init__(self, path: Path, reason: str) -> None:
        dotted = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
        super().__init__(f"{dotted.lstrip('.') or 'the whole'}: {reason}")
        self.path, self.reason = path, reason


# readers that report the path of an invalid entry


def read_keys(
    given: Any, path: Path, required: Iterable[str], optional: Iterable[str] = ()
) -> Mapping[str, Any]:
    """Check that a mapping has all required keys and no unknown ones."""
    if not isinstance(given, Mapping):
        raise InvalidData(path, f"a mapping is needed here, not {shown(given)}")
    allowed = [*required, *optional]
    for key in given:
        if key not in allowed:
            raise InvalidData(
                (*path, key), f"{shown(key)} is unknown here; known are: {', '.join(allowed) or 'none'}"
            )
    for key in required:
        if key not in given:
            raise InvalidData(path, f"{key} is missing")
    return given


def read_list(given: Any, path: Path, length: int | None = None) -> list[Any]:
    """Check that something is a list, optionally of a given length."""
    if not isinstance(given, list):
        raise InvalidData(path, f"a list is needed here, not {shown(given)}")
    if length is not None and len(given) != length:
        raise InvalidData(path, f"{length} entries are needed here, not {len(given)}")
    return given


def read_int(given: Any, path: Path, allowed: range = _INT64) -> int:
    """Check that something is an integer of a range."""
    if isinstance(given, bool) or not isinstance(given, int):
        raise InvalidData(path, f"a whole number is needed here, not {shown(given)}")
    if given not in allowed:
        raise InvalidData(path, f"{given} is not from {allowed.start} to {allowed.stop - 1}")
    return given


def read_bool(given: Any, path: Path) -> bool:
    """Check that something is a bool."""
    if not isinstance(given, bool):
        raise InvalidData(path, f"true or false is needed here, not {shown(given)}")
    return given


def read_word(given: Any, path: Path, allowed: Iterable[str]) -> str:
    """Check that something is one of the allowed words."""
    words = list(allowed)
    if given not in words or not isinstance(given, str):
        raise InvalidData(
            path, f"{shown(given)} is not among {', '.join(words) or 'the allowed words (none)'}"
        )
    return given


def shown(given: Any) -> str:
    """Format a value for an error message, cut to a readable length."""
    text = repr(given)
    return text if len(text) <= 60 else f"{text[:57]}..."


# numbers as the 64-bit integers that a state stores


def bits_of(number: Number, kind: str) -> int:
    """Convert a declared number to 64 bits."""
    if kind == "float":
        bits: int = struct.unpack("<q", struct.pack("<d", float(number)))[0]
        return bits
    return int(bool(number)) if kind == "bool" else int(number)


def number_of(bits: int, kind: str) -> Number:
    """The inverse of `bits_of`."""
    if kind == "float":
        number: float = struct.unpack("<d", struct.pack("<q", bits))[0]
        return number
    return bool(bits) if kind == "bool" else bits


def bits_record(bits: int, kind: str) -> Number | str:
    """The bits of a declared number as a value; floats that JSON lacks as 'nan', 'inf', '-inf' or hexadecimal bits."""
    number = number_of(bits, kind)
    if kind != "float" or math.isfinite(number):
        return number
    word = str(number)
    return word if bits_of(float(word), kind) == bits else hexadecimal(bits)


def read_bits(given: Any, path: Path, kind: str) -> int:
    """The inverse of `bits_record`."""
    if kind == "bool":
        return int(read_bool(given, path))
    if kind == "int":
        return read_int(given, path)
    if isinstance(given, str) and given.startswith("0x"):
        return read_hexadecimal(given, path)
    if isinstance(given, bool) or not (isinstance(given, int | float) or given in _FLOAT_WORDS):
        raise InvalidData(path, f"a number, {', '.join(_FLOAT_WORDS)} is needed here, not {shown(given)}")
    try:
        return bits_of(float(given), kind)
    except OverflowError:
        raise InvalidData(path, f"{shown(given)} is too large for a float") from None


def hexadecimal(bits: int) -> str:
    """Format 64 bits as 0x and 16 digits."""
    return f"0x{bits & ((1 << 64) - 1):016x}"


def read_hexadecimal(given: Any, path: Path) -> int:
    """The signed number whose 64 bits are written as 0x and up to 16 digits."""
    digits = given.removeprefix("0x") if isinstance(given, str) else ""
    if given == digits or not 1 <= len(digits) <= 16 or set(digits) - set("0123456789abcdefABCDEF"):
        raise InvalidData(path, f"0x and up to 16 hexadecimal digits are needed here, not {shown(given)}")
    bits = int(digits, 16)
    return bits - (1 << 64) if bits >> 63 else bits


# objects


def object_record(thing: GridObject) -> dict[str, Any]:
    """An object as {"kind", "status", "color", "content"}, with the keys that its kind uses."""
    record: dict[str, Any] = {"kind": type(thing).__name__}
    wanted = thing.parameters()
    if "status" in wanted:
        record["status"] = thing.status.name
    if "color" in wanted:
        record["color"] = thing.color.name
    if thing.content is not NOTHING:
        record["content"] = object_record(thing.content)
    return record


def read_object(given: Any, path: Path, vocabulary: Vocabulary) -> GridObject:
    """The object that a record describes, of a kind and color in the world's vocabulary."""
    read_keys(given, path, ("kind",), ("status", "color", "content"))
    kinds = {kind.__name__: kind for kind in vocabulary.kinds.values()}
    kind = kinds[read_word(given["kind"], (*path, "kind"), kinds)]
    wanted = kind.parameters()
    for key in ("status", "color", "content"):
        if key in given and key not in wanted:
            only = f", only {' and '.join(wanted)}" if wanted else ""
            raise InvalidData((*path, key), f"{kind.__name__} takes no {key}{only}")
        if key in wanted and key not in given and key != "color":
            raise InvalidData(
                path, f"{kind.__name__} needs a {key}{_statuses(kind) if key == 'status' else ''}"
            )
    values: dict[str, Any] = {}
    if "status" in given:
        named = {status.name: status for status in kind.statuses()}
        values["status"] = named[read_word(given["status"], (*path, "status"), named)]
    if "color" in given:
        colors = {color.name: color for color in vocabulary.colors.values()}
        values["color"] = colors[read_word(given["color"], (*path, "color"), colors)]
    if "content" in given:
        if path[-3:] == ("content",) * 3:
            raise InvalidData(path, "contents within contents")
        values["content"] = read_object(given["content"], (*path, "content"), vocabulary)
    try:
        return kind(**values)
    except (TypeError, ValueError) as error:
        raise InvalidData(path, str(error)) from None


def _statuses(kind: type[GridObject]) -> str:
    return f": {', '.join(status.name for status in kind.statuses())}"


# vocabularies


def vocabulary_record(vocabulary: Vocabulary) -> dict[str, Any]:
    """A vocabulary as the names of its kinds and colors, in order, its fields, and the actions with arguments."""
    record: dict[str, Any] = {
        "kinds": [_kind_name(kind) for kind in vocabulary.kinds.values()],
        "colors": [color.name for color in vocabulary.colors.values()],
        "edges": vocabulary.edges,
    }
    for group in FIELD_GROUPS:
        record[group] = [_field_record(field) for field in getattr(vocabulary, group)]
    table = vocabulary.action_table
    if numbers := [*table.declared, *(number for number in table.durations if number not in table.declared)]:
        record["actions"] = [
            {"name": Action(number).name, "over": {a.name: a.over for a in table.declared.get(number, ())}}
            | ({"duration": table.durations[number]} if number in table.durations else {})
            for number in numbers
        ]
    if vocabulary.bodiless:
        record["bodiless"] = vocabulary.bodiless
    if vocabulary.has_things:
        kinds = [_kind_name(kind) for kind in vocabulary.thing_kinds]
        record["things"] = {
            "capacity": vocabulary.thing_capacity,
            "carried": vocabulary.most_carried,
            "kinds": kinds,
        }
    return record


def read_vocabulary(given: Any, path: Path) -> Vocabulary:
    """The vocabulary that `vocabulary_record` describes; its kinds and colors must be declared in this program."""
    read_keys(given, path, ("kinds",), ("colors", "edges", "actions", "bodiless", "things", *FIELD_GROUPS))
    kinds = [
        _declared(name, (*path, "kinds", i))
        for i, name in enumerate(read_list(given["kinds"], (*path, "kinds")))
    ]
    colors = [
        _color(name, (*path, "colors", i))
        for i, name in enumerate(read_list(given.get("colors", []), (*path, "colors")))
    ]
    fields: dict[str, Any] = {
        group: _read_fields(given.get(group, []), (*path, group)) for group in FIELD_GROUPS
    }
    fields["edges"] = read_bool(given.get("edges", False), (*path, "edges"))
    fields["bodiless"] = read_int(given.get("bodiless", 0), (*path, "bodiless"), range(1 << 63))
    if "things" in given:
        fields |= _read_things(given["things"], (*path, "things"))
    declared, durations = _read_actions(given.get("actions", []), (*path, "actions"))
    try:
        return Vocabulary(kinds, colors, action_table=ActionTable(declared, durations), **fields)
    except ValueError as error:
        raise error if isinstance(error, InvalidData) else InvalidData(path, str(error)) from None


def _read_things(given: Any, path: Path) -> dict[str, Any]:
    read_keys(given, path, ("capacity",), ("carried", "kinds"))
    numbers = range(1, MOST_THINGS + 1)
    listed = enumerate(read_list(given.get("kinds", []), (*path, "kinds")))
    return {
        "thing_capacity": read_int(given["capacity"], (*path, "capacity"), numbers),
        "most_carried": read_int(given.get("carried", 1), (*path, "carried"), numbers),
        "thing_kinds": [_declared(name, (*path, "kinds", i)) for i, name in listed],
    }


def _read_actions(given: Any, path: Path) -> tuple[dict[int, Arguments], dict[int, int | str]]:
    declared: dict[int, Arguments] = {}
    durations: dict[int, int | str] = {}
    for i, entry in enumerate(read_list(given, path)):
        here = (*path, i)
        read_keys(entry, here, ("name", "over"), ("duration",))
        over = entry["over"]
        if not isinstance(over, Mapping) or not all(isinstance(name, str) for name in over):
            raise InvalidData((*here, "over"), f"ranges by name are needed here, not {shown(over)}")
        for name, values in over.items():
            if values not in RANGES and not (type(values) is int and 1 <= values <= MOST_INDICES):
                raise InvalidData(
                    (*here, "over", name), f"{shown(values)} is not among {', '.join(RANGES)}, a number"
                )
        try:
            is_built_in = entry["name"] in NAMES and not over
            number = (Action.named if is_built_in else Action.declare)(entry["name"]).value
        except (ValueError, AttributeError, TypeError) as error:
            raise InvalidData((*here, "name"), str(error)) from None
        if over:
            declared[number] = tuple(Argument(name, values) for name, values in over.items())
        if "duration" in entry:
            durations[number] = entry["duration"]
    return declared, durations


def _kind_name(kind: type[GridObject]) -> str:
    try:
        unique = grid_object_registry.from_name(kind.__name__) is kind
    except ValueError:
        unique = False
    return kind.__name__ if unique else f"{kind.__module__}:{kind.__name__}"


def _declared(name: Any, path: Path) -> type[GridObject]:
    if not isinstance(name, str):
        raise InvalidData(path, f"an object's name is needed here, not {shown(name)}")
    try:
        return grid_object_registry.from_name(name)
    except ValueError as error:
        raise InvalidData(path, str(error)) from None


def _color(name: Any, path: Path) -> Color:
    try:
        return Color[name]
    except (KeyError, TypeError):
        known = ", ".join(color.name for color in Color)
        reason = f"no color {shown(name)} is declared in this program; built in are {known}"
        raise InvalidData(path, reason) from None


def _field_record(field: Field) -> dict[str, Any]:
    default = bits_record(bits_of(field.default, field.type), field.type)
    record: dict[str, Any] = {"name": field.name, "type": field.type, "default": default}
    record |= {"shape": list(field.shape)} if field.shape else {}
    record |= {"words": list(field.words)} if field.words else {}
    return record | ({"internal": True} if field.internal else {})


def _read_fields(given: Any, path: Path) -> tuple[Field, ...]:
    fields = []
    for i, entry in enumerate(read_list(given, path)):
        here = (*path, i)
        read_keys(entry, here, ("name", "type"), ("default", "shape", "internal", "words"))
        kind = read_word(entry["type"], (*here, "type"), ("bool", "int", "float"))
        bits = read_bits(entry.get("default", False if kind == "bool" else 0), (*here, "default"), kind)
        if not isinstance(entry["name"], str):
            raise InvalidData((*here, "name"), f"a field's name is a word, not {shown(entry['name'])}")
        try:
            shape = tuple(read_list(entry.get("shape", []), (*here, "shape")))
            internal = read_bool(entry.get("internal", False), (*here, "internal"))
            words = tuple(map(str, read_list(entry.get("words", []), (*here, "words"))))
            fields.append(Field(entry["name"], kind, number_of(bits, kind), shape, internal, words))  # type: ignore[arg-type]
        except ValueError as error:
            raise InvalidData(here, str(error)) from None
    return tuple(fields)
