"""The parameters of a world: the parts of its description that can be overridden."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from gridarium.rules.registry import FunctionRegistry
from gridarium.worlds.description import MAX_AGENTS, Description
from gridarium.worlds.entries.entry_types import Entry
from gridarium.worlds.entries.problems import (
    Collector,
    DescriptionError,
    EntryProblem,
    Path,
    format_path,
    format_value,
    suggest,
)
from gridarium.worlds.files.yaml_io import read_text
from gridarium.worlds.resolving.binding import PLACES, REGISTRIES, conversion
from gridarium.worlds.resolving.name_resolver import NameResolver
from gridarium.worlds.resolving.to_plain_data import Describer
from gridarium.worlds.world_spec import Spec, names_of, resolve

KEYS = (
    *("shape", "time_limit", "agents", "map_number", "turn_order", "conflicts", "rewards_to", "episode_ends"),
    *("legal", "illegal", "observers", "observation", "representation"),
)
"""The keys of a description that are parameters: a world's size, duration, agents and observations. All other keys
define its identity."""


@dataclass(frozen=True)
class _Parameter:
    """A parameter of a rule.

    Attributes:
        path: its path in the description, present or not.
        rule: the name of the rule's function.
    """

    path: Path
    rule: str

    @property
    def names(self) -> tuple[str, str, str]:
        """Its names, shortest first: `horizon`, `reach_exit_discounted.horizon`, `rewards[0].horizon`."""
        name = str(self.path[-1])
        return name, f"{self.rule}.{name}", format_path(self.path)


def parse_parameters(texts: Iterable[str]) -> dict[str, Any]:
    """Parameters from texts of the form NAME=VALUE; values are YAML, or sides such as 7x7.

    Raises:
        ValueError: a text of another form, an invalid value, or one parameter twice.
    """
    parameters: dict[str, Any] = {}
    for text in texts:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not name or not equals:
            raise ValueError(f"{text!r} is not of the form NAME=VALUE")
        if name in parameters:
            raise ValueError(f"{name} is given twice")
        sides = re.fullmatch(r"(\d+)x(\d+)", value)
        try:
            parameters[name] = [int(side) for side in sides.groups()] if sides else read_text(value).data
        except DescriptionError as error:
            raise ValueError(f"{text!r}: {error}") from error
    return parameters


def with_parameters(spec: Spec, given: Mapping[str, Any], *, allow_imports: bool = False) -> Spec:
    """Return a world with some of its parameters overridden; all overrides go through this function.

    Args:
        spec: the world.
        given: values by name: `KEYS`, and the parameters of the world's rules, whether given in its description or at
            their defaults. A parameter that several rules have is qualified by the rule's name, as
            `reach_exit.reward_on`, or by its path, as `rewards[0].reward_on`. Values as in `Spec.build`.
        allow_imports: whether `module:name` among the values may import modules, which runs their code.

    Returns:
        The world; the same one if nothing is given.

    Raises:
        DescriptionError: an unknown parameter (the message lists the known ones), or an invalid value.
        TypeError: a value of a type that a description cannot hold.
    """
    if not given:
        return spec
    describer = Describer()
    describer.own |= spec.own
    data, problems = spec.description.to_dict(), Collector()
    for name, value in given.items():
        with problems:
            path = path_of(spec, name)
            if len(path) == 1:
                data |= describer.world({name: _players(spec, value) if name == "agents" else value})
            else:
                _put(data, spec, path, describer.parameter(str(path[-1]), value))
    label = ", ".join(f"{name}={format_value(value)}" for name, value in given.items())
    try:
        problems.raise_if_any()
        return with_description(spec, data, describer, allow_imports=allow_imports)
    except DescriptionError as error:
        own = spec.description.to_dict()
        raise DescriptionError(
            (
                replace(problem, message=f"{problem.message}{_by_now(problem.path, own)}", line=0)
                for problem in error.problems
            ),
            f"{spec.name} with {label}",
        ) from error.__cause__


def _by_now(path: Path, data: Mapping[str, Any]) -> str:
    """What a parameter is in the world itself, as an example of how it is written."""
    return f"; so far it is {format_value(data[str(path[0])])}" if len(path) == 1 and path[0] in data else ""


def _players(spec: Spec, agents: Any) -> Any:
    """A list of agents; in a world of players without a body, a number is one of such players."""
    if isinstance(agents, bool) or not isinstance(agents, int) or agents > MAX_AGENTS:
        return agents
    return agents if any(agent.body for agent in spec.description.agents) else [{"body": False}] * agents


def with_description(
    spec: Spec, data: Mapping[str, Any], describer: Describer | None = None, *, allow_imports: bool = False
) -> Spec:
    """Create the world of another description, with names resolved as in a given world.

    Args:
        spec: the world.
        data: the description, as returned by `Description.to_dict`.
        describer: holds the meaning of new names.
        allow_imports: whether `module:name` may import further modules.

    Raises:
        DescriptionError: it is invalid; lists all problems.
    """
    own = spec.own if describer is None else describer.own
    only_here = {} if describer is None else describer.only_here
    description = spec.description.with_changes(data, only_here)
    return resolve(description, names_of(description, own, allow_imports=allow_imports))


def path_of(spec: Spec, name: str) -> Path:
    """The path in a description of the parameter with a name.

    Raises:
        EntryProblem: there is none, or there are several.
    """
    keys, listed = _keys(spec.description), [*_parameters(spec)]
    if name in keys:
        return (name,)
    found = [parameter for parameter in listed if name in parameter.names]
    if len(found) == 1:
        return found[0].path
    shortest = [_shortest(parameter, listed) for parameter in found or listed]
    if found:
        raise EntryProblem((), f"{name!r} is a parameter of several rules; write {' or '.join(shortest)}")
    allowed = [*keys, *shortest]
    raise EntryProblem((), f"there is no parameter {name!r}; {suggest(name, allowed, limit=len(allowed))}")


def parameter_names(spec: Spec) -> tuple[str, ...]:
    """The parameters of a world, each by its shortest unambiguous name."""
    listed = [*_parameters(spec)]
    return (*_keys(spec.description), *(_shortest(parameter, listed) for parameter in listed))


def _keys(description: Description) -> list[str]:
    without = {"map_number"} if description.maps == () else set()
    return [key for key in KEYS if key not in without and (key != "shape" or description.reset is not None)]


def _shortest(parameter: _Parameter, listed: list[_Parameter]) -> str:
    others = {name for other in listed if other is not parameter for name in other.names}
    return next(name for name in parameter.names if name not in KEYS and name not in others)


def _parameters(spec: Spec) -> Iterator[_Parameter]:
    """The parameters of a world's rules, in the order of its description."""
    names = names_of(spec.description, spec.own)
    for key, kind in PLACES.items():
        given = getattr(spec.description, key)
        if isinstance(given, Entry):
            yield from _parameters_of(given, REGISTRIES[kind], names, (key,))
        else:
            for i, entry in enumerate(given or ()):
                yield from _parameters_of(entry, REGISTRIES[kind], names, (key, i))
    for i, array in enumerate(spec.description.observations):
        yield from _parameters_of(
            array.fill, REGISTRIES["array_function"], names, ("observations", i, "fill")
        )


def _parameters_of(
    entry: Entry, registry: FunctionRegistry, names: NameResolver, path: Path
) -> Iterator[_Parameter]:
    function: Callable[..., Any] = names.rule(registry, entry.name, path)
    label = getattr(function, "__name__", type(function).__name__)
    for name in registry.parameters(function):
        place = (*path, name)
        yield _Parameter(place, label)
        value, ending = entry.parameters.get(name), conversion(name)
        if ending in REGISTRIES and isinstance(value, str | Entry):
            yield from _parameters_of(_entry(value), REGISTRIES[ending], names, place)
        elif isinstance(value, tuple) and (many := (ending or "").removesuffix("s")) in REGISTRIES:
            for i, item in enumerate(value):
                yield from _parameters_of(_entry(item), REGISTRIES[many], names, (*place, i))


def _entry(given: Any) -> Entry:
    return Entry.model_validate(given)


def _put(data: Any, spec: Spec, path: Path, value: Any) -> None:
    """Set a rule's parameter in plain data; a rule given only by its name is expanded to a mapping."""
    place, *inner, name = path
    if place not in data:  # the parameter is at its default
        data[place] = getattr(spec.description, str(place)).plain()
    for part in (place, *inner):
        if isinstance(data[part], str):
            data[part] = {"name": data[part]}
        data = data[part]
    data[name] = value
