"""A reference of all that worlds are made of, from docstrings, with the worlds of the catalogue that use it."""

from __future__ import annotations

import functools
import importlib
import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from gridarium.compiled.source_pass.source import is_ours
from gridarium.rules import games
from gridarium.rules.registry import FunctionRegistry, shown_default, summary
from gridarium.world import GridObject, objects, tiles
from gridarium.world.actions import MEANINGS
from gridarium.worlds import catalogue
from gridarium.worlds.entries.entry_types import REPRESENTATIONS
from gridarium.worlds.resolving.binding import REGISTRIES, conversion, declared_type
from gridarium.worlds.world_spec import Rule, Spec, spec

OF_LIVE_WORLDS = tuple(
    f"gridarium.rules.{name}" for name in ("collection", "collection_training", "live_actions")
)
SOURCE = re.compile(r"\s*Source: (?P<said>.+?)\.?(?=\n\n|\Z)", re.S)


@dataclass(frozen=True)
class Parameter:
    """A rule's own parameter: its name, declared type, and default as Python source (None: required)."""

    name: str
    type: str
    default: str | None

    def __str__(self) -> str:
        return self.name if self.default is None else f"{self.name}={self.default}"


@dataclass(frozen=True)
class RuleReference:
    """A rule of the library.

    Attributes:
        kind: the kind of its registry, such as "transition".
        name: as registered.
        parameters: its own parameters.
        summary: the first line of its docstring.
        details: the rest of the docstring.
        source: the paper, library or course that it is from, according to its docstring or that of its module; may be
            empty.
        file, line: the location of its source.
        worlds: the catalogue worlds that use it, including as a parameter of another rule.
    """

    kind: str
    name: str
    parameters: tuple[Parameter, ...]
    summary: str
    details: str
    source: str
    file: str
    line: int
    worlds: tuple[str, ...]


def entries() -> list[RuleReference]:
    """All rules of the library, grouped by kind; those of games and live worlds come last, by the names of their modules."""
    games.import_all()
    for name in OF_LIVE_WORLDS:
        importlib.import_module(name)
    return [
        _entry(registry, name)
        for registry in REGISTRIES.values()
        for name, rule in sorted(registry.items(), key=_module_imported_late)
        if is_ours(rule)
    ]


def _module_imported_late(named: tuple[str, Callable[..., object]]) -> str:
    """The module of a rule that only the worlds import that use it, in any order. An empty text for other rules."""
    module = named[1].__module__
    return module if module.startswith(f"{games.__name__}.") or module in OF_LIVE_WORLDS else ""


@dataclass(frozen=True)
class PartReference:
    """A kind of objects, an action or a representation of the library.

    Attributes:
        kind: "object", "action" or "representation".
        name: its name in descriptions.
        summary: what it is.
        worlds: the catalogue worlds that have it.
        cls: the class of a kind of objects.
    """

    kind: str
    name: str
    summary: str
    worlds: tuple[str, ...]
    cls: type[GridObject] | None = None


def parts() -> list[PartReference]:
    """All kinds of objects, actions and representations of the library, in this order."""
    return [*map(_object, _object_kinds()), *map(_action, MEANINGS), *map(_representation, REPRESENTATIONS)]


def _object_kinds() -> list[type[GridObject]]:
    things = [thing for module in (objects, tiles) for thing in vars(module).values()]
    kinds = [t for t in things if isinstance(t, type) and issubclass(t, GridObject) and t is not GridObject]
    return list(dict.fromkeys(kinds))


def _object(kind: type[GridObject]) -> PartReference:
    having = worlds_with(lambda world: kind in world.vocabulary.kinds.values())
    return PartReference("object", kind.__name__, summary(kind), having, kind)


def _action(name: str) -> PartReference:
    having = worlds_with(lambda world: name in [action.name for action in world.actions.listed])
    return PartReference("action", name, MEANINGS[name], having)


def _representation(name: str) -> PartReference:
    having = worlds_with(lambda world: world.representation.name == name)
    return PartReference("representation", name, REPRESENTATIONS[name], having)


def rules_of(world: Spec) -> Iterator[tuple[str, Rule]]:
    """A world's rules with their kinds, each followed by the rules among its parameters."""
    outer = [("reset", world.reset), *(("transition", t.rule) for t in world.transitions)]
    outer += [("legal", r) for r in world.legal]
    outer += [*(("reward", r) for r in world.rewards), *(("terminating", r) for r in world.terminations)]
    outer += [("outcome", world.outcome)] if world.outcome else []
    outer += [("observation", world.observation), *(("sensor", s.likelihood) for s in world.sensors)]
    outer += [("array", array.rule) for array in world.observations]
    for kind, rule in outer:
        yield from with_inner(kind, rule)


def worlds_with(test: Callable[[Spec], bool]) -> tuple[str, ...]:
    """The names of the catalogue's worlds that satisfy a predicate."""
    return tuple(world.name for world in _catalogue() if test(world))


@functools.cache
def _catalogue() -> tuple[Spec, ...]:
    return tuple(spec(catalogue.description(name)) for name in catalogue.names())


@functools.cache
def _functions_of_worlds() -> tuple[tuple[str, frozenset[Callable[..., Any]]], ...]:
    """Each world of the catalogue with the functions of its rules."""
    return tuple((world.name, frozenset(rule.func for _, rule in rules_of(world))) for world in _catalogue())


def with_inner(kind: str, rule: Rule) -> Iterator[tuple[str, Rule]]:
    """A rule with its kind, followed by those that it is given as parameters."""
    yield kind, rule
    for name, given in rule.keywords.items():
        key = (conversion(name) or "").removesuffix("s")
        if key in REGISTRIES:
            for inner in given if isinstance(given, tuple) else (given,):
                yield from with_inner(key.removesuffix("_function"), inner)


def _entry(registry: FunctionRegistry, name: str) -> RuleReference:
    function = registry[name]
    texts = [inspect.getdoc(thing) or "" for thing in (function, inspect.getmodule(function))]
    said = next(filter(None, map(SOURCE.search, texts)), None)
    return RuleReference(
        kind=registry.kind,
        name=name,
        parameters=tuple(map(_parameter, registry.parameters(name).values())),
        summary=summary(function),
        details=SOURCE.sub("", texts[0]).partition("\n")[2].strip(),
        source=" ".join(said["said"].split()) if said else "",
        file=inspect.getsourcefile(function) or "",
        line=inspect.getsourcelines(function)[1],
        worlds=tuple(world for world, functions in _functions_of_worlds() if function in functions),
    )


def _parameter(given: inspect.Parameter) -> Parameter:
    return Parameter(
        given.name, declared_type(given), None if given.default is given.empty else shown_default(given)
    )
