"""Loads a world's description from a file, a string, or the catalogue."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

from gridarium.world.state import State
from gridarium.worlds import catalogue
from gridarium.worlds.description import Description
from gridarium.worlds.entries.problems import DescriptionError, Problem, closest_names, format_value
from gridarium.worlds.files import yaml_io
from gridarium.worlds.parameters import with_parameters
from gridarium.worlds.world_spec import Spec, spec

WorldSource: TypeAlias = str | Path | Mapping[str, Any] | Description | Spec
"""A name of the catalogue, a file, or a description."""


def load(source: str | Path, *, allow_imports: bool = False) -> Description:
    """Load and validate a description.

    Args:
        source: the path of a YAML file, or a string of several lines with YAML. gym-gridverse's format is accepted as
            well.
        allow_imports: whether `module:name` may import modules, which runs their code. Only for files that you trust.

    Raises:
        DescriptionError: it is invalid; lists all problems with file and line.
        FileNotFoundError: there is no such file.
    """
    if isinstance(source, str) and "\n" in source:
        return loads(source, allow_imports=allow_imports)
    document = yaml_io.read_file(source)
    return _described(document, allow_imports, default_name=Path(source).stem)


def loads(text: str, *, source: str = "", allow_imports: bool = False) -> Description:
    """Load from a string; `source` is its name in messages."""
    return _described(yaml_io.read_text(text, source=source), allow_imports)


def find(world: str | Path, *, allow_imports: bool = False) -> Description:
    """Find a world by its name or alias in the catalogue, or by the path of its file.

    Raises:
        DescriptionError: the file is invalid.
        ValueError: there is no such world or file; the message lists the closest names.
    """
    if isinstance(world, Path) or world.endswith((".yaml", ".yml")):
        return load(Path(world), allow_imports=allow_imports)
    name = catalogue.canonical(world)
    if name is not None:
        return catalogue.description(name)
    if world.endswith(".py"):
        raise ValueError(
            f"{world} is a Python file: import the Spec that it makes, or name it on the command line"
        )
    if Path(world).is_file():
        return load(Path(world), allow_imports=allow_imports)
    near = " or ".join(repr(n) for n in closest_names(world, catalogue.names()))
    hint = f"; did you mean {near}?" if near else "."
    raise ValueError(f"no world {world!r}{hint} `gridarium list` shows all of them")


def open_spec(
    world: WorldSource, *, allow_imports: bool = False, parameters: Mapping[str, Any] | None = None
) -> Spec:
    """Open a world from a name, a path or a description.

    Args:
        world: the name of a catalogue world, the path of a file, a `Description` or one as a mapping, or a `Spec`.
        allow_imports: whether it may name your own modules as `module:name` (this runs their code).
        parameters: the overridden parts of it, see `gridarium.worlds.with_parameters`; for a family of the catalogue also its
            `size`, see `gridarium.worlds.catalogue.world_family.Family.with_size`.

    Raises:
        ValueError: there is no such world or parameter, or the description is invalid.
        TypeError: `world` has another type.
    """
    parameters = parameters or {}
    if isinstance(world, str) and "size" in parameters and catalogue.canonical(world) is not None:
        return _sized(world, parameters, allow_imports=allow_imports)
    if isinstance(world, str | Path):
        world = find(world, allow_imports=allow_imports)
    elif isinstance(world, Mapping):
        world = Description.from_dict(world)
    if isinstance(world, Description) and allow_imports:
        world = world.trusted()
    if not isinstance(world, Description | Spec):
        raise TypeError(f"a world must be a name, a path, a mapping, a Description or a Spec, not {world!r}")
    resolved = world if isinstance(world, Spec) else spec(world, allow_imports=allow_imports)
    return with_parameters(resolved, parameters, allow_imports=allow_imports)


def _sized(name: str, parameters: Mapping[str, Any], *, allow_imports: bool) -> Spec:
    """The world of a family that has the size among the parameters."""
    given = dict(parameters)
    size = given.pop("size")
    stem = catalogue.without_version(name)
    label = f"{stem} with size={format_value(size)}"
    if stem not in catalogue.families():
        world = str(catalogue.canonical(name))
        instead = f"write {catalogue.family(world).name!r} with a size, or give its shape"
        raise DescriptionError([Problem((), f"{world} has one size; {instead}")], label)
    if "shape" in given:
        raise DescriptionError([Problem((), "size and shape are the same; give one of them")], label)
    family = catalogue.family(stem)
    try:
        described = family.with_size(size)
    except DescriptionError:
        raise
    except ValueError as error:
        raise DescriptionError([Problem((), str(error))], label) from error
    made = with_parameters(spec(described), given, allow_imports=allow_imports)
    if described.name not in family.members:
        _try_to_begin(made, label, f"the sizes that come along are {family.listed_sizes}")
    return made


def _try_to_begin(world: Spec, label: str, hint: str) -> None:
    """Refuse a world whose reset rule refuses its size, before the first episode.

    Raises:
        DescriptionError: what the rule says, and a hint.
    """
    state = State.blank(world.shape, world.vocabulary, world.agents)
    try:
        world.reset(state, rng=state.stream(1))
    except ValueError as error:
        raise DescriptionError([Problem((), f"{error}; {hint}")], label) from error


def _described(document: yaml_io.Document, allow_imports: bool, default_name: str = "") -> Description:
    data = document.data
    if (
        isinstance(data, dict)
        and "name" not in data
        and re.fullmatch(r"[A-Za-z0-9][\w.-]*", default_name, re.ASCII)
    ):
        data = {"name": default_name, **data}
    made = Description.from_dict(data, document=replace(document, trusted=allow_imports))
    spec(made)
    return made
