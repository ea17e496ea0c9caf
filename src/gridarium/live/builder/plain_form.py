"""Builders as plain data: names and mappings for classes, brains, goals, random properties and what agents sense."""

from __future__ import annotations

import functools
import inspect
import math
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from types import ModuleType
from typing import Any, TypeVar

import numpy as np

from gridarium.live import brains, goals, loggers, objects
from gridarium.live.brains import AgentBrain
from gridarium.live.builder.entry_types import is_number
from gridarium.live.goals import LimitedTimeGoal, WorldGoal
from gridarium.live.loggers import GridWorldLogger
from gridarium.live.objects import EnvObject
from gridarium.live.perception import SenseCapability
from gridarium.live.random_property import RandomProperty, random_from_plain, random_properties
from gridarium.worlds.entries.problems import Collector, EntryProblem, Path, suggest
from gridarium.worlds.resolving.name_resolver import NameResolver

T = TypeVar("T")
LIBRARY = "gridarium.live."
"""Modules that every file may import: those of live worlds."""
EVERYTHING_ELSE = "*"
SIGHT = "line_of_sight"
RANDOM = "random"
_CLASSES: tuple[tuple[type, ModuleType], ...] = (
    (EnvObject, objects),
    (AgentBrain, brains),
    (GridWorldLogger, loggers),
    (WorldGoal, goals),
)
"""Base classes, with the modules whose classes need no `module:` before their names."""


class PlainReader:
    """Turns plain data into the arguments of a builder's methods.

    Args:
        resolver: looks up `module:name`, and decides whether it may.

    Attributes:
        shared: random properties by the names under which `{random: name}` refers to them.
    """

    def __init__(self, resolver: NameResolver) -> None:
        self._resolver = resolver
        self.shared: dict[str, RandomProperty] = {}
        self._by_key: Mapping[str, Callable[[Any, Path], Any]] = {
            "callable_class": lambda data, path: self.class_named(data, EnvObject, path),
            "logger_class": lambda data, path: self.class_named(data, GridWorldLogger, path),
            "agent_brain": lambda data, path: self.source(data, AgentBrain, path),
            "world_goal": self.goal,
            "sense_capability": self.sense_capability,
        }

    def search_module(self, name: Any, path: Path) -> None:
        """Import a module, whose classes are then named without `module:`.

        Raises:
            EntryProblem: it must not or cannot be imported.
        """
        if not isinstance(name, str):
            raise EntryProblem(path, f"the name of a module is expected, not {name!r}")
        self._resolver.search_module(name, path)

    def arguments(self, data: Any, path: Path, problems: Collector) -> dict[str, Any]:
        """The arguments of an entry, but for those with a problem: an unknown or refused name, or another form than expected.

        Raises:
            EntryProblem: it is no mapping.
        """
        if not isinstance(data, Mapping):
            raise EntryProblem(path, f"a mapping with arguments is expected, not {data!r}")
        made: dict[str, Any] = {}
        for key, part in data.items():
            with problems:
                made[key] = self._by_key.get(key, self.value)(part, (*path, key))
        return made

    def value(self, data: Any, path: Path) -> Any:
        """A value, with random properties where the data has them."""
        if isinstance(data, list | tuple):
            return [self.value(part, (*path, i)) for i, part in enumerate(data)]
        if not isinstance(data, Mapping):
            return data
        name = data.get(RANDOM)
        if isinstance(name, str) and len(data) == 1:
            if name not in self.shared:
                raise EntryProblem(path, f"unknown random property {name!r}; {suggest(name, self.shared)}")
            return self.shared[name]
        made = {key: self.value(part, (*path, key)) for key, part in data.items()}
        try:
            return random_from_plain(made) or made
        except (TypeError, ValueError) as error:
            raise EntryProblem(path, str(error)) from None

    def class_named(self, name: Any, base: type[T], path: Path) -> type[T]:
        """The class with a name, which is one of the library, or `module:name`."""
        if not isinstance(name, str):
            raise EntryProblem(path, f"the name of a class is expected, not {name!r}")
        known = known_classes(base)
        if name in known:
            return known[name]
        if ":" not in name and not any(hasattr(module, name) for module in self._resolver.searched):
            own = "; a class of your own is named module:name"
            raise EntryProblem(path, f"unknown class {name!r}; {suggest(name, known)}{own}")
        found = self._resolver.named_object(name, path)
        if not (isinstance(found, type) and issubclass(found, base)):
            raise EntryProblem(path, f"{name} is not a class of {base.__name__}")
        return found

    def source(self, data: Any, base: type[T], path: Path) -> Callable[[], T]:
        """A class by its name, or by `{class: name, argument: value}` together with arguments."""
        given = {"class": data} if isinstance(data, str) else data
        if not isinstance(given, Mapping) or "class" not in given:
            raise EntryProblem(
                path,
                f"the name of a class, or a mapping with 'class' and arguments is expected, not {data!r}",
            )
        kind = self.class_named(given["class"], base, (*path, "class") if given is data else path)
        arguments = {k: self.value(v, (*path, k)) for k, v in given.items() if k != "class"}
        try:
            inspect.signature(kind).bind(**arguments)
        except TypeError as error:
            raise EntryProblem(path, f"{kind.__name__}: {error}") from None
        if kind in brains_of_the_library().values():
            try:
                kind(**arguments)
            except (TypeError, ValueError, OSError) as error:
                raise EntryProblem(path, f"{kind.__name__}: {error}") from None
        return functools.partial(kind, **arguments) if arguments else kind

    def goal(self, data: Any, path: Path) -> Any:
        """A goal: a number of ticks, or a class with arguments."""
        if is_number(data):
            return data
        made = self.source(data, WorldGoal, path)
        try:
            made()
        except (TypeError, ValueError) as error:
            raise EntryProblem(path, str(error)) from None
        return made

    def read_shared(self, data: Any, path: Path) -> None:
        """Read random properties that several places refer to by name.

        Raises:
            EntryProblem: something else is there.
        """
        if not isinstance(data, Mapping):
            raise EntryProblem(path, f"a mapping of names to random properties is expected, not {data!r}")
        for name, part in data.items():
            made = self.value(part, (*path, name))
            if not isinstance(made, RandomProperty):
                raise EntryProblem((*path, name), f"a random property is expected, not {part!r}")
            self.shared[name] = made

    def goals(self, data: Any, path: Path) -> Any:
        """A goal, or a list of them."""
        if isinstance(data, list | tuple):
            return [self.goal(each, (*path, i)) for i, each in enumerate(data)]
        return self.goal(data, path)

    def sense_capability(self, data: Any, path: Path) -> SenseCapability:
        """What an agent senses: ranges by class, with `*` for all others; null is any distance."""
        if not isinstance(data, Mapping):
            raise EntryProblem(path, f"a mapping of classes to ranges is expected, not {data!r}")
        ranges: dict[type | str | None, float] = {}
        for name, reach in data.items():
            if name != SIGHT:
                kind = EVERYTHING_ELSE if name == EVERYTHING_ELSE else self.class_named(name, EnvObject, path)
                ranges[kind] = math.inf if reach is None else reach
        try:
            return SenseCapability(ranges, line_of_sight=data.get(SIGHT, False))
        except (TypeError, ValueError) as error:
            raise EntryProblem(path, str(error)) from None


def brains_of_the_library() -> dict[str, type[AgentBrain]]:
    """The classes of brains that files name without their module; making one has no effect."""
    return known_classes(AgentBrain)


class PlainWriter:
    """Turns the arguments of a builder's methods into plain data.

    Args:
        problems: gets what cannot be written, each with its place.
        values: all that is to be written; random properties that occur in it several times are written once, by a name.
    """

    def __init__(self, problems: Collector, values: Iterable[Any]) -> None:
        self._problems = problems
        found = list(random_properties(list(values)))
        counts = Counter(map(id, found))
        several = [each for each in {id(each): each for each in found}.values() if counts[id(each)] > 1]
        self._names = {id(each): f"random_{i}" for i, each in enumerate(several, 1)}
        self.shared = {self._names[id(each)]: self._random(each, (RANDOM,)) for each in several}

    def _random(self, value: RandomProperty, path: Path) -> dict[str, Any]:
        return {key: self.value(part, (*path, key)) for key, part in value.plain().items()}

    def value(self, value: Any, path: Path) -> Any:
        """A value as plain data; None for one that cannot be written."""
        if isinstance(value, np.generic):
            value = value.item()
        if (
            value is None
            or isinstance(value, bool | int | str)
            or (isinstance(value, float) and math.isfinite(value))
        ):
            return value
        if isinstance(value, RandomProperty):
            name = self._names.get(id(value))
            return self._random(value, path) if name is None else {RANDOM: name}
        if isinstance(value, list | tuple):
            return [self.value(part, (*path, i)) for i, part in enumerate(value)]
        if isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
            if {"random", "random_order"} & set(value):
                self._problems.add(
                    path, "a mapping with the key 'random' or 'random_order' is a random property in a file"
                )
            return {key: self.value(part, (*path, key)) for key, part in value.items()}
        if isinstance(value, SenseCapability):
            return self._sense_capability(value, path)
        if isinstance(value, AgentBrain | WorldGoal) or callable(value):
            return self._source(value, path)
        self._problems.add(
            path, f"{value!r} cannot be written; a file holds numbers, texts, lists and mappings"
        )
        return None

    def _sense_capability(self, sense: SenseCapability, path: Path) -> dict[str, Any]:
        data: dict[str, Any] = {
            kind if isinstance(kind, str) else self._class_name(kind, path): None
            if reach == math.inf
            else reach
            for kind, reach in sense.get_capabilities().items()
        }
        return data | ({SIGHT: True} if sense.line_of_sight else {})

    def _source(self, made: Any, path: Path) -> Any:
        if type(made) is LimitedTimeGoal:
            return self.value(0 if made.max_nr_ticks == math.inf else made.max_nr_ticks, path)
        if isinstance(made, type):
            return self._class_name(made, path)
        if isinstance(made, functools.partial) and isinstance(made.func, type) and not made.args:
            arguments = {key: self.value(part, (*path, key)) for key, part in made.keywords.items()}
            return {"class": self._class_name(made.func, path), **arguments}
        self._problems.add(
            path,
            f"{made!r} cannot be written: a file names classes; give the class, or functools.partial(class, argument=...)",
        )
        return None

    def _class_name(self, kind: type, path: Path) -> str:
        for base, _ in _CLASSES:
            if known_classes(base).get(kind.__name__) is kind:
                return kind.__name__
        module = sys.modules.get(kind.__module__)
        if kind.__module__ == "__main__" or getattr(module, kind.__qualname__, None) is not kind:
            self._problems.add(
                path,
                f"the class {kind.__qualname__} cannot be written: a file can only name classes of a module, "
                "outside of functions and __main__",
            )
        return f"{kind.__module__}:{kind.__qualname__}"


def known_classes(base: type[T]) -> dict[str, type[T]]:
    """The classes of the library that are named without their module, by name."""
    module = next(module for kind, module in _CLASSES if kind is base)
    return {
        name: kind
        for name, kind in vars(module).items()
        if isinstance(kind, type) and issubclass(kind, base) and not name.startswith("_")
    }
