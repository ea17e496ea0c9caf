"""Compiled implementations of the primitives of things."""

from __future__ import annotations

from typing import Any

from gridarium.compiled.data_types.value_class import generated
from gridarium.compiled.numba_backend import value_types
from gridarium.world.compiled.state import default_lines
from gridarium.world.things import CarriedThings, Thing, Things, ThingsAt
from gridarium.world.vocabulary import THING_FIELDS, located

_THING_TYPE: Any = value_types.register(Thing)
for _collection in (Things, ThingsAt, CarriedThings):
    value_types.register(_collection)


def is_blocked_by_thing(data: Any, agent_rows: Any, place: Any, vocabulary: Any) -> Any:
    """See `gridarium.world.things.is_blocked_by_thing`."""
    raise NotImplementedError


@value_types.overload_of(is_blocked_by_thing)
def _is_blocked_by_thing(data: Any, agent_rows: Any, place: Any, vocabulary: Any) -> Any:
    if not vocabulary.content.has_things:
        return lambda data, agent_rows, place, vocabulary: False
    return lambda data, agent_rows, place, vocabulary: Things(data, agent_rows, vocabulary).block(place)


def set_thing_defaults(thing: Any) -> None:
    """See `gridarium.world.things.set_thing_defaults`."""
    raise NotImplementedError


@value_types.overload_of(set_thing_defaults)
def _set_thing_defaults(thing: Any) -> Any:
    fields = thing.member("vocabulary").content.thing_fields
    lines = ["def assign(thing):", "    pass"]
    for first, field in located(fields, THING_FIELDS):
        lines += default_lines("thing.data", first, field, "    ", "thing.start + ")
    return generated("thing defaults", "\n".join(lines) + "\n")


def same_thing(thing: Any, other: Any) -> bool:
    """See `gridarium.world.things.same_thing`."""
    raise NotImplementedError


@value_types.overload_of(same_thing)
def _same_thing(thing: Any, other: Any) -> Any:
    if not isinstance(other, _THING_TYPE):
        raise value_types.refused("a thing is compared with a thing")

    def same(thing: Any, other: Any) -> bool:
        if thing.number != other.number:
            return False
        for k in range(thing.vocabulary.thing_row_length):
            if thing.data[thing.start + k] != other.data[other.start + k]:
                return False
        return True

    return same
