"""Makes builders of plain data and YAML."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path as FilePath
from typing import Any

from gridarium.live.builder.entries import ENTRIES
from gridarium.live.builder.entry_types import MOST_SIDE
from gridarium.live.builder.plain_form import LIBRARY, PlainReader
from gridarium.live.builder.world_builder import WorldBuilder
from gridarium.live.builder.world_settings import WorldSettings
from gridarium.worlds.entries.problems import Collector, DescriptionError, EntryProblem, Path, suggest
from gridarium.worlds.files import yaml_io
from gridarium.worlds.resolving.name_resolver import NameResolver

LARGEST = (MOST_SIDE, MOST_SIDE)
KEYS = (*WorldSettings.model_fields, "modules", "random", "contents")


def load_builder(source: str | FilePath, *, allow_imports: bool = False) -> WorldBuilder:
    """Read a builder from a YAML file.

    Args:
        source: the path of the file, or a string of several lines with YAML.
        allow_imports: whether it may name classes of your own modules, which runs their code. Only for files that you
            trust.

    Raises:
        DescriptionError: it is invalid; lists all problems with file and line.
        FileNotFoundError: there is no such file.
    """
    if isinstance(source, str) and "\n" in source:
        document = yaml_io.read_text(source)
    else:
        document = yaml_io.read_file(source)
    return builder_from_dict(document.data, allow_imports=allow_imports, document=document)


def builder_from_dict(
    data: Mapping[str, Any], *, allow_imports: bool = False, document: yaml_io.Document | None = None
) -> WorldBuilder:
    """Make a builder of plain data, as `WorldBuilder.to_dict` returns it.

    Args:
        data: the arguments of `WorldBuilder`; `contents`, a list of what is added in order, each a mapping of the name of a
            method without `add_` to its arguments; `random`, random properties by names, to which `{random: name}` refers;
            and `modules`, whose classes are named without `module:`.
        allow_imports: whether modules may be imported, which runs their code. Only for data that you trust.
        document: the source of the data, so that errors can give line numbers.

    Raises:
        DescriptionError: the data is invalid; lists all problems.
    """
    document = document or yaml_io.Document(None)
    folder = FilePath(document.source).resolve().parent if document.source else None
    problems = Collector()
    reader = PlainReader(NameResolver(allow_imports=allow_imports, folder=folder, library=LIBRARY))
    try:
        builder = _begun(data, reader, problems)
        contents = data.get("contents") or ()
        for i, entry in enumerate(contents if isinstance(contents, list | tuple) else ()):
            with problems:
                _add(builder, entry, reader, ("contents", i), problems)
        problems.raise_if_any()
    except DescriptionError as error:
        raise document.with_lines(DescriptionError(error.problems)) from error.__cause__
    return builder


def _begun(data: Any, reader: PlainReader, problems: Collector) -> WorldBuilder:
    """A builder without contents; after problems, a large one to which contents can be added to find theirs."""
    if not isinstance(data, Mapping):
        problems.add((), f"a mapping with the keys {', '.join(KEYS)} is expected, not {data!r}")
        problems.raise_if_any()
    for key in data:
        if key not in KEYS:
            problems.add((key,), f"unknown key {key!r}; {suggest(key, KEYS)}")
    for key in ("modules", "contents"):
        if not isinstance(data.get(key) or [], list | tuple):
            problems.add((key,), f"a list is expected, not {data[key]!r}")
    if "shape" not in data:
        problems.add((), "'shape' is missing: width and height")
    given = data.get("modules") or ()
    modules = list(given) if isinstance(given, list | tuple) else []
    for i, module in enumerate(modules):
        with problems:
            reader.search_module(module, ("modules", i))
    with problems:
        reader.read_shared(data.get("random") or {}, ("random",))
    settings = {key: data[key] for key in WorldSettings.model_fields if key in data}
    with problems:
        if "simulation_goal" in settings:
            settings["simulation_goal"] = reader.goals(settings["simulation_goal"], ("simulation_goal",))
    try:
        builder = WorldBuilder(**{"shape": LARGEST, **settings})
    except DescriptionError as error:
        for problem in error.problems:
            problems.add(problem.path, problem.message)
        builder = WorldBuilder(LARGEST)
    builder.modules = modules
    return builder


def _add(builder: WorldBuilder, data: Any, reader: PlainReader, path: Path, problems: Collector) -> None:
    if not isinstance(data, Mapping) or len(data) != 1:
        raise EntryProblem(path, f"a mapping with one key is expected, one of: {', '.join(ENTRIES)}")
    ((name, arguments),) = data.items()
    if name not in ENTRIES:
        raise EntryProblem((*path, name), f"unknown entry {name!r}; {suggest(name, ENTRIES)}")
    made = reader.arguments(arguments, (*path, name), problems)
    refused = arguments.keys() - made.keys()
    while True:  # without what is refused, to find what else is wrong
        try:
            builder.add_entry(name, made)
        except DescriptionError as error:
            missing = {f"{key!r} is missing" for key in refused}
            found = [problem for problem in error.problems if problem.message not in missing]
            for problem in found:
                problems.add((*path, name, *problem.path), problem.message)
            bad = {problem.path[0] for problem in found if problem.path} & made.keys()
            if bad:
                refused |= bad
                made = {key: value for key, value in made.items() if key not in bad}
                continue
        return
