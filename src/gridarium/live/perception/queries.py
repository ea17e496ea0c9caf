"""Finding objects by their properties."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from gridarium.live.objects.property_dict import PropertyDict
from gridarium.live.perception.object_table import ObjectTable

Query: TypeAlias = "str | Iterable[str] | Mapping[str, Any]"
"""The name of a property, several names, or wanted values by name."""
LOCATION, CLASSES, NAME = "location", "class_inheritance", "obj_id"
SCALAR = (str, bool, int)
ANYTHING = None
"""As a value: the property may have any."""
Several: TypeAlias = "list[Any] | tuple[Any, ...] | set[Any] | frozenset[Any]"
SEVERAL = (list, tuple, set, frozenset)


def find(table: ObjectTable, query: Query, combined: bool) -> list[PropertyDict]:
    """The objects that a query describes, in the order in which they are perceived.

    Args:
        table: where to look.
        query: what they have.
        combined: whether all of it, or any.

    Raises:
        TypeError: not a query.
    """
    wanted = _wanted(query)
    if not wanted:
        return []
    if len(wanted) > 1 and not combined:
        names = [(name, value) for name, value in wanted.items()]
        return [p for p in table.properties.values() if any(_has(p, name, value) for name, value in names)]
    name, value = next(iter(wanted.items()))
    found = _first(table, name, value)
    for name, value in list(wanted.items())[1:]:
        found = [p for p in found if _has(p, name, value)]
    return found


def _wanted(query: Query) -> dict[str, Any]:
    if isinstance(query, Mapping):
        wanted = dict(query)
    elif isinstance(query, str):
        wanted = {query: ANYTHING}
    else:
        try:
            wanted = dict.fromkeys(query, ANYTHING)
        except TypeError:
            raise TypeError(f"a query is text, a list of texts, or a mapping, not {query!r}") from None
    for name in wanted:
        if not isinstance(name, str):
            raise TypeError(f"what is asked for is a name of a property or the id of an object, not {name!r}")
    return wanted


def _first(table: ObjectTable, name: str, value: Any) -> list[PropertyDict]:
    """The objects that have one property with a wanted value."""
    if name == NAME and isinstance(value, str):
        one = table.properties.get(value)
        return [] if one is None else [one]
    if name == CLASSES and isinstance(value, str):
        return list(table.of_class(value))
    if value is ANYTHING:
        return list(table.having(name))
    kept = (name, type(value), value) if isinstance(value, SCALAR) else None
    found = None if kept is None else table.found.get(kept)
    if found is None:
        found = [p for p in table.having(name) if matches(name, p[name], value)]
        if kept is not None:
            table.found[kept] = found
    return list(found)


def _has(properties: PropertyDict, name: str, value: Any) -> bool:
    return name in properties and matches(name, properties[name], value)


def matches(name: str, has: Any, wanted: Any) -> bool:
    """Whether a property has a wanted value, or one of several in a list, tuple or set.

    Text is compared as a whole. A property that is a list, tuple or set also matches each of its elements, one that is a
    mapping each mapping of some of its items. A location is compared as a whole. None stands for any value.
    """
    if wanted is ANYTHING or has == wanted:
        return True
    if isinstance(wanted, SEVERAL) and not (name == LOCATION and _is_location(wanted)):
        return any(_is_or_contains(name, has, one) for one in wanted)
    return _is_or_contains(name, has, wanted)


def _is_or_contains(name: str, has: Any, wanted: Any) -> bool:
    if wanted is ANYTHING:
        return True
    if name == LOCATION:
        return isinstance(wanted, SEVERAL) and tuple(has) == tuple(wanted)
    if has == wanted:
        return True
    if isinstance(has, SEVERAL):
        return wanted in has if not isinstance(has, set | frozenset) else _in_set(has, wanted)
    if isinstance(has, Mapping) and isinstance(wanted, Mapping):
        return all(key in has and has[key] == value for key, value in wanted.items())
    return False


def _in_set(has: set[Any] | frozenset[Any], wanted: Any) -> bool:
    return any(wanted == one for one in has)


def _is_location(wanted: Several) -> bool:
    return len(wanted) == 2 and all(isinstance(number, int) for number in wanted)
