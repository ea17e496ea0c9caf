"""Binds the parameters of a description's entry to its rule, including nested rules."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from gridarium.rules import (  # noqa: F401  (they register themselves)
    foraging,
    kitchen,
    pursuit,
    pursuit_evasion,
    target_rules,
    warehouse,
)
from gridarium.rules.array_functions import array_function_registry
from gridarium.rules.legal_functions import legal_function_registry
from gridarium.rules.limits import OutOfLimits
from gridarium.rules.observation_functions import observation_function_registry
from gridarium.rules.outcome_functions import outcome_function_registry
from gridarium.rules.registry import FunctionRegistry
from gridarium.rules.reset_functions import reset_function_registry
from gridarium.rules.reward_functions import reward_function_registry
from gridarium.rules.sensors import sensor_registry
from gridarium.rules.terminating_functions import terminating_function_registry
from gridarium.rules.transition_functions import transition_function_registry
from gridarium.rules.visibility_functions import visibility_function_registry
from gridarium.world import Area, GridObject, Orientation, Position, Shape, distance_function_factory
from gridarium.world.geometry import FAR, area
from gridarium.worlds.entries.entry_types import MOST_SEEN, Entry
from gridarium.worlds.entries.problems import EntryProblem, Path, format_value, suggest
from gridarium.worlds.resolving.name_resolver import NameResolver

T = TypeVar("T")
Convert = Callable[[Any, NameResolver, Path], Any]
REGISTRIES: dict[str, FunctionRegistry] = {
    "reset_function": reset_function_registry,
    "transition_function": transition_function_registry,
    "reward_function": reward_function_registry,
    "terminating_function": terminating_function_registry,
    "observation_function": observation_function_registry,
    "visibility_function": visibility_function_registry,
    "sensor_function": sensor_registry,
    "legal_function": legal_function_registry,
    "outcome_function": outcome_function_registry,
    "array_function": array_function_registry,
}
"""The registries, by the name of parameters that take one of their rules."""

PLACES = {
    "reset": "reset_function",
    "after_reset": "reset_function",
    "transitions": "transition_function",
    "rewards": "reward_function",
    "terminations": "terminating_function",
    "observation": "observation_function",
    "sensors": "sensor_function",
    "legal": "legal_function",
    "outcome": "outcome_function",
}
"""The keys of a description that hold rules, with the name of a parameter that takes such a rule."""

REDUCTIONS: dict[str, Callable[..., Any]] = {"sum": sum, "min": min, "max": max, "any": any, "all": all}


def bind(registry: FunctionRegistry, entry: Entry, names: NameResolver, path: Path) -> functools.partial[Any]:
    """Return the rule that an entry names, with its parameters converted and bound.

    Raises:
        EntryProblem: an unknown rule, an unknown or missing parameter, or an invalid value; with its place.
    """
    function = names.rule(registry, entry.name, (*path, "name"))
    wanted = registry.parameters(function)
    given = entry.parameters
    for name in given:
        if name not in wanted:
            raise EntryProblem(
                (*path, name), f"{entry.name} has no parameter {name!r}; {suggest(name, wanted)}"
            )
    missing = [n for n, p in wanted.items() if p.default is p.empty and n not in given]
    if missing:
        raise EntryProblem(
            path,
            f"{entry.name} needs {', '.join(missing)}; its parameters: {signature(wanted)}; "
            f"{registry.kind} rules are called with ({', '.join(registry.leading)}) and these",
        )
    bound = {
        name: convert_parameter(name, value, wanted[name], names, (*path, name))
        for name, value in given.items()
    }
    for name, value in bound.items():
        if (listed := choices(function, name)) and value not in listed:
            raise EntryProblem(
                (*path, name), f"{entry.name} takes as {name} {' or '.join(map(repr, listed))}, not {value!r}"
            )
    try:
        registry.check_limits(function, bound)
    except OutOfLimits as error:
        raise EntryProblem((*path, error.parameter), f"{entry.name}: {error}") from None
    return functools.partial(function, **bound)


def choices(function: Callable[..., Any], name: str) -> tuple[Any, ...]:
    """The allowed values of a parameter declared as a `Literal`; empty for others."""
    declared = _hints(function).get(name)
    return get_args(declared) if get_origin(declared) is Literal else ()


@functools.lru_cache(1024)
def _hints(function: Callable[..., Any]) -> dict[str, Any]:
    try:
        return get_type_hints(function)
    except NameError:  # a type that is imported for type checkers only
        return {}


def signature(parameters: Mapping[str, inspect.Parameter]) -> str:
    """A rule's parameters as text: `object_type: type[GridObject], reward_on: float = 1.0`."""
    return (
        ", ".join(str(p).replace(repr(p.annotation), str(p.annotation)) for p in parameters.values())
        or "none"
    )


def convert_parameter(
    name: str, value: Any, parameter: inspect.Parameter, names: NameResolver, path: Path
) -> Any:
    """Convert a parameter's value for the rule, by the parameter's name and declared type.

    Raises:
        EntryProblem: the value is invalid.
    """
    if value is None and parameter.default is None:
        return None
    check = CHECKS.get(declared_type(parameter))
    if check is not None:
        return _in_range(name, check(value, path), path)
    ending = conversion(name, parameter)
    return CONVERSIONS[ending](value, names, path) if ending else _plain(value, path)


def declared_type(parameter: inspect.Parameter) -> str:
    """The declared type of a parameter, as text; sufficient for integers, floats, bools and strings."""
    declared = parameter.annotation
    return declared.__name__ if isinstance(declared, type) and not get_args(declared) else str(declared)


def conversion(name: str, parameter: inspect.Parameter | None = None) -> str | None:
    """The key in `CONVERSIONS` for a parameter's name, `color` for `door_color`, or else for its declared type."""
    found = (ending for ending in CONVERSIONS if name == ending or name.endswith(f"_{ending}"))
    declared = "" if parameter is None else re.sub(r"\w+\.", "", declared_type(parameter))
    return next(found, BY_TYPE.get(declared.removesuffix(" | None")))


def make_object(value: Any, names: NameResolver, path: Path) -> GridObject:
    """Return an object from its entry.

    Entries are `Wall`, `{name: Door, status: LOCKED, color: YELLOW}` or `{name: Box, content: ...}`.

    Raises:
        EntryProblem: there is no such object, or its entry is invalid.
    """
    entry = _entry(value, path)
    kind = names.kind(entry.name, (*path, "name"))
    given: dict[str, Any] = {}
    for key, part in entry.parameters.items():
        if key not in kind.parameters():
            listed = ", ".join(kind.parameters()) or "nothing"
            raise EntryProblem((*path, key), f"{entry.name} takes no {key!r}; it takes {listed}")
        if key == "status":
            given[key] = _status(kind, part, (*path, key))
        elif key == "color":
            given[key] = names.color(part, (*path, key))
        else:
            given[key] = make_object(part, names, (*path, key))
    try:
        return kind(**given)
    except (TypeError, ValueError) as error:
        raise EntryProblem(path, str(error)) from error


def _status(kind: type[GridObject], name: Any, path: Path) -> Any:
    found = next((s for s in kind.statuses() if s.name == name), None)
    if found is None:
        raise EntryProblem(
            path,
            f"{kind.__name__} has no status {name!r}; {suggest(name, [s.name for s in kind.statuses()])}",
        )
    return found


def _rule(key: str) -> Convert:
    def convert(value: Any, names: NameResolver, path: Path) -> functools.partial[Any]:
        return bind(REGISTRIES[key], _entry(value, path), names, path)

    return convert


def _each(convert: Convert) -> Convert:
    def convert_all(value: Any, names: NameResolver, path: Path) -> tuple[Any, ...]:
        if not isinstance(value, tuple) or not value:
            raise EntryProblem(path, f"a list of one or more is expected, not {format_value(value)}")
        return tuple(convert(item, names, (*path, i)) for i, item in enumerate(value))

    return convert_all


def _distance(value: Any, names: NameResolver, path: Path) -> Any:
    try:
        return distance_function_factory(_text(value, path))
    except ValueError as error:
        raise EntryProblem(path, str(error)) from error


def _reduction(value: Any, names: NameResolver, path: Path) -> Any:
    if value not in REDUCTIONS:
        raise EntryProblem(path, f"unknown reduction {value!r}; {suggest(value, REDUCTIONS)}")
    return REDUCTIONS[value]


def _orientation(value: Any, names: NameResolver, path: Path) -> Orientation:
    try:
        return Orientation[_text(value, path)]
    except KeyError as error:
        raise EntryProblem(path, str(error.args[0])) from error


def _area(value: Any, names: NameResolver, path: Path) -> Area:
    if not (isinstance(value, tuple) and len(value) == 2):
        raise EntryProblem(path, f"an area is [[ymin, ymax], [xmin, xmax]], not {format_value(value)}")
    ys, xs = (_pair(part, (*path, i), "lower and upper bound") for i, part in enumerate(value))
    try:
        made = area(*ys, *xs)
    except ValueError as error:
        raise EntryProblem(path, str(error)) from error
    if max(made.height, made.width) > MOST_SEEN:
        raise EntryProblem(
            path, f"an area is at most {MOST_SEEN} cells high and wide, not {made.height} x {made.width}"
        )
    return made


def _numbers(what: str, make: Callable[[int, int], T], lowest: int | None = None) -> Convert:
    def convert(value: Any, names: NameResolver, path: Path) -> T:
        pair = _pair(value, path, what)
        if lowest is not None and min(pair) < lowest:
            raise EntryProblem(path, f"{what} are at least {lowest}, got {format_value(value)}")
        return make(*pair)

    return convert


def _pair(value: Any, path: Path, what: str) -> tuple[int, int]:
    if isinstance(value, tuple) and len(value) == 2 and all(type(n) is int for n in value):
        if max(map(abs, value)) >= FAR:
            raise EntryProblem(path, f"{what} are smaller than 2**30, got {format_value(value)}")
        return value
    raise EntryProblem(path, f"{what} are expected, two whole numbers, not {format_value(value)}")


CONVERSIONS: dict[str, Convert] = {
    **{key: _rule(key) for key in REGISTRIES},
    **{f"{key}s": _each(_rule(key)) for key in REGISTRIES},
    "distance_function": _distance,
    "reduction": _reduction,
    "object_type": lambda value, names, path: names.kind(value, path),
    "object_types": _each(lambda value, names, path: names.kind(value, path)),
    "object": make_object,
    "objects": _each(make_object),
    "color": lambda value, names, path: names.color(value, path),
    "colors": _each(lambda value, names, path: names.color(value, path)),
    "action": lambda value, names, path: names.action(value, path),
    "actions": _each(lambda value, names, path: names.action(value, path)),
    "orientation": _orientation,
    "area": _area,
    "shape": _numbers("height and width", Shape, 1),
    "layout": _numbers("rows and columns", lambda y, x: (y, x), 1),
    "position": _numbers("y and x", Position),
    "positions": _each(_numbers("y and x", Position)),
}
"""Conversions by the last words of a parameter's name, for types that do not determine them."""
_TYPES = {
    "Color": "color", "Action": "action", "Position": "position", "GridObject": "object",
    "type[GridObject]": "object_type",
}  # fmt: skip
BY_TYPE = (
    {"Orientation": "orientation", "Area": "area", "Shape": "shape"}
    | _TYPES
    | {f"tuple[{declared}, ...]": f"{key}s" for declared, key in _TYPES.items()}
)
"""The keys of `CONVERSIONS` by the declared type of a parameter whose name does not tell."""


def _in_range(name: str, value: Any, path: Path) -> Any:
    """Return a value after checking the range of parameters that are called a probability."""
    if (name == "probability" or name.endswith("_probability")) and not 0 <= value <= 1:
        raise EntryProblem(path, f"a probability is between 0 and 1, got {value}")
    return value


def _number(value: Any, path: Path) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise EntryProblem(path, f"a number is expected, not {format_value(value)}")
    return float(value)


def _whole(value: Any, path: Path) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise EntryProblem(path, f"a whole number is expected, not {format_value(value)}")
    return value


def _truth(value: Any, path: Path) -> bool:
    if not isinstance(value, bool):
        raise EntryProblem(path, f"true or false is expected, not {format_value(value)}")
    return value


def _text(value: Any, path: Path) -> str:
    if not isinstance(value, str):
        raise EntryProblem(path, f"a name is expected, not {format_value(value)}")
    return value


def _entry(value: Any, path: Path) -> Entry:
    """What a file gives for a rule or an object: an entry, or only its name."""
    if value == "":
        raise EntryProblem(path, "a name is expected, not an empty text")
    return value if isinstance(value, Entry) else Entry(name=_text(value, path))


CHECKS: dict[str, Callable[[Any, Path], Any]] = {
    "float": _number,
    "int": _whole,
    "bool": _truth,
    "str": _text,
}
"""Checks of values, by the declared type of a rule's parameter."""


def _plain(value: Any, path: Path) -> Any:
    if isinstance(value, Entry):
        raise EntryProblem(
            path,
            f"{value.name!r} cannot be a rule or an object here: the parameter's name does not say which",
        )
    return tuple(_plain(v, (*path, i)) for i, v in enumerate(value)) if isinstance(value, tuple) else value
