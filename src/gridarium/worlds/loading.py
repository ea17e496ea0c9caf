"""Reading a world's description from a file, a text, or the catalogue."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from gridarium.worlds import catalogue, yaml_io
from gridarium.worlds.description import Description
from gridarium.worlds.parameters import with_parameters
from gridarium.worlds.problems import meant
from gridarium.worlds.world_spec import Spec, spec


def load(source: str | Path, *, allow_imports: bool = False) -> Description:
    """Read and check a description.

    Args:
        source: the path of a YAML file; or, as a text with more than one line, YAML itself. gym-gridverse's format is
            understood as well.
        allow_imports: whether `module:name` may import modules, which runs their code. Only for files that you trust.

    Raises:
        DescriptionError: all that is wrong with it, with file and line.
        FileNotFoundError: there is no such file.
    """
    if isinstance(source, str) and "\n" in source:
        return loads(source, allow_imports=allow_imports)
    document = yaml_io.read_file(source)
    return _described(document, allow_imports, default_name=Path(source).stem)


def loads(text: str, *, source: str = "", allow_imports: bool = False) -> Description:
    """As `load`, from a text; `source` is what messages call it."""
    return _described(yaml_io.read_text(text, source=source), allow_imports)


def find(world: str | Path, *, allow_imports: bool = False) -> Description:
    """A world by its name or alias in the catalogue, or by the path of its file.

    Raises:
        DescriptionError: the file is no good.
        ValueError: neither a world nor a file; with the nearest names.
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
    near = " or ".join(repr(n) for n in meant(world, catalogue.names()))
    hint = f"; did you mean {near}?" if near else "."
    raise ValueError(f"no world {world!r}{hint} `gridarium list` shows all of them")


def opened(world: Any, *, allow_imports: bool = False, parameters: Mapping[str, Any] | None = None) -> Spec:
    """A world by whatever names or describes it.

    Args:
        world: the name of a catalogue world, the path of a file, a `Description` or one as a mapping, or a `Spec`.
        allow_imports: whether it may name your own modules as `module:name` (this runs their code).
        parameters: what is given anew of it, see `gridarium.worlds.with_parameters`.

    Raises:
        ValueError: no such world (with the nearest names) or parameter, or a description that is wrong.
        TypeError: none of these.
    """
    if isinstance(world, str | Path):
        world = find(world, allow_imports=allow_imports)
    elif isinstance(world, Mapping):
        world = Description.from_dict(world)
    if not isinstance(world, Description | Spec):
        raise TypeError(
            f"a world is given as a name, a path, a mapping, a Description or a Spec, not as {world!r}"
        )
    resolved = world if isinstance(world, Spec) else spec(world, allow_imports=allow_imports)
    return with_parameters(resolved, parameters or {}, allow_imports=allow_imports)


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
