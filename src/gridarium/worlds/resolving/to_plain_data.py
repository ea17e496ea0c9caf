"""Converts Python objects to the plain data that describes them: the inverse of resolving names."""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from gridarium.compiled.source_pass.source import home_of
from gridarium.rules.registry import FunctionRegistry
from gridarium.world import Action, Area, Color, Field, GridObject, Orientation, Position, Shape
from gridarium.world.actions import FIRST_CUSTOM
from gridarium.world.geometry import distance_function_factory
from gridarium.worlds.resolving.binding import PLACES, REDUCTIONS, REGISTRIES, conversion

RULE_LISTS = ("after_reset", "transitions", "legal", "rewards", "terminations", "sensors")
LISTS = (
    *RULE_LISTS,
    "objects",
    "colors",
    "actions",
    "observations",
)
DISTANCES = {distance_function_factory(name): name for name in ("manhattan", "euclidean")}


class Describer:
    """Converts objects to plain data, and records the meaning of names that are not in the registries."""

    def __init__(self) -> None:
        self.own: dict[str, Any] = {}
        self.only_here: dict[str, str] = {}
        """Names that cannot be used in a file, with the reason."""

    def world(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments of `build` as the plain data of a description."""
        data: dict[str, Any] = {}
        for key, value in given.items():
            if key in LISTS and (isinstance(value, str | Mapping) or not isinstance(value, Iterable)):
                raise TypeError(f"{key} is a list, such as [{value!r}]")
            if key in RULE_LISTS:
                data[key] = [self.rule(REGISTRIES[PLACES[key]], rule) for rule in value]
            elif key in PLACES:
                data[key] = self.rule(REGISTRIES[PLACES[key]], value)
            elif key == "observations":
                data[key] = [self._observation(entry) for entry in value]
            elif key in ("actions", "colors"):
                data[key] = [
                    _declaration(item) if isinstance(item, Action | Color) else item for item in value
                ]
            else:
                data[key] = self.value(value)
        return data

    def _observation(self, entry: Any) -> Any:
        if not isinstance(entry, Mapping) or "fill" not in entry:
            return self.value(entry)
        others = {key: part for key, part in entry.items() if key != "fill"}
        return {**self.value(others), "fill": self.rule(REGISTRIES["array_function"], entry["fill"])}

    def rule(self, registry: FunctionRegistry, rule: Any) -> Any:
        """Convert a function or a `functools.partial` of one to an entry; entries are returned as they are.

        Raises:
            TypeError: it does not follow its protocol, or a parameter cannot be represented.
        """
        if not callable(rule):
            return self.value(rule)
        function, parameters = _unwrapped(rule)
        registry.check_signature(function)
        if not hasattr(function, "__qualname__"):
            function = function.__call__  # of a callable object
        home = home_of(function)
        always_there = home.startswith("gridarium.rules.") and not home.startswith("gridarium.rules.games.")
        if always_there and function in registry.values():
            name = next(n for n, f in registry.items() if f is function)
        else:
            name = self._reference(function, registry)
        if not parameters:
            return name
        declared = registry.parameters(function)
        for key, value in parameters.items():
            if key in declared and _needs_type(value) and conversion(key, declared[key]) is None:
                raise TypeError(
                    f"{function.__qualname__}: what {key}={value!r} is cannot be told from the parameter; declare its type, "
                    f"{key}: {_needs_type(value)}"
                )
        return {"name": name, **{key: self.parameter(key, value) for key, value in parameters.items()}}

    def parameter(self, key: str, value: Any) -> Any:
        """Convert a rule's parameter: as `value`, with functions looked up in the registry for the parameter's name."""
        for ending, registry in REGISTRIES.items():
            if key.endswith(f"{ending}s") and isinstance(value, list | tuple):
                return [self.rule(registry, rule) for rule in value]
            if key.endswith(ending):
                return self.rule(registry, value)
        if callable(value) and key.endswith("distance_function") and value in DISTANCES:
            return DISTANCES[value]
        if key.endswith("reduction") and value in REDUCTIONS.values():
            return next(n for n, f in REDUCTIONS.items() if f is value)
        return self.value(value)

    def value(self, value: Any) -> Any:
        """Convert any other value that a description may hold.

        Raises:
            TypeError: it cannot be represented.
        """
        match value:
            case None | bool() | int() | float() | str():
                return value
            case Mapping():
                return {key: self.value(part) for key, part in value.items()}
            case list() | tuple():
                return [self.value(part) for part in value]
            case Color() | Action() | Orientation():
                return value.name
            case Shape():
                return [value.height, value.width]
            case Position():
                return [value.y, value.x]
            case Area():
                return [list(value.ys), list(value.xs)]
            case Field():
                declared: dict[str, Any] = {"name": value.name, "type": value.type, "default": value.default}
                declared |= {"shape": list(value.shape)} if value.shape else {}
                declared |= {"words": list(value.words)} if value.words else {}
                return declared | ({"internal": True} if value.internal else {})
            case GridObject():
                return self._object(value)
            case type() if issubclass(value, GridObject):
                return self._kind(value)
            case np.generic():
                return self.value(value.item())
        raise TypeError(f"{value!r} cannot be written in a description")

    def _object(self, thing: GridObject) -> Any:
        parts = {key: self.value(getattr(thing, key)) for key in thing.parameters() if key != "status"}
        if "status" in thing.parameters():
            parts["status"] = thing.status.name
        name = self._kind(type(thing))
        return {"name": name, **parts} if parts else name

    def _kind(self, kind: type[GridObject]) -> str:
        return kind.__name__ if kind.__module__.startswith("gridarium.world.") else self._reference(kind)

    def _reference(self, thing: Any, registry: FunctionRegistry | None = None) -> str:
        stem = f"{home_of(thing)}:{thing.__qualname__}"
        name, count = stem, 1
        while self.own.setdefault(name, thing) is not thing:
            count += 1
            name = f"{stem}#{count}"
        if (reason := _why_only_here(thing, registry)) is not None:
            self.only_here[name] = reason
        return name


def _why_only_here(thing: Any, registry: FunctionRegistry | None) -> str | None:
    """The reason why a file cannot name a function or class as `module:name`; None if it can."""
    module, name = home_of(thing), thing.__qualname__
    if getattr(sys.modules.get(module), name, None) is not thing:
        return "it is not at the top level of a module; move it there"
    if module == "__main__":
        return "it is in the script that runs; move it to a separate module and import it from there"
    if registry is not None and not any(thing is rule for rule in registry.values()):
        return f"it is not registered; put @{registry.kind}_function_registry.register before its def"
    return None


def _needs_type(value: Any) -> str:
    """The type that a parameter for a value declares, if its text in a description does not tell it; else empty."""
    if isinstance(value, type) and issubclass(value, GridObject):
        return "type[GridObject]"
    kinds = (Color, Action, Orientation, Position, Area, Shape, GridObject)
    if found := next((kind.__name__ for kind in kinds if isinstance(value, kind)), ""):
        return found
    inner = _needs_type(value[0]) if isinstance(value, list | tuple) and value else ""
    return f"tuple[{inner}, ...]" if inner else ""


def _unwrapped(rule: Any) -> tuple[Any, dict[str, Any]]:
    parameters: dict[str, Any] = {}
    while isinstance(rule, functools.partial):
        if rule.args:
            raise TypeError(f"{rule!r}: bind a rule's parameters by keyword")
        parameters = {**rule.keywords, **parameters}
        rule = rule.func
    return rule, parameters


def _declaration(thing: Action | Color) -> Any:
    if isinstance(thing, Color):
        return (
            thing.name
            if thing.value is not None
            else {"name": thing.name, "rgb": list(thing.rgb), "mark": thing.mark}
        )
    return thing.name if thing.value < FIRST_CUSTOM else {"name": thing.name, "declare": True}
