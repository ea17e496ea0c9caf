"""Reads and writes YAML: plain data only, with the line of every key, safe for untrusted files.

The reader takes the subset of YAML 1.2 that descriptions need. It constructs only strings, numbers, bools, nulls, lists
and mappings, so tags are never evaluated.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import Any

import yaml
from yaml import nodes

from gridarium.worlds.entries.problems import DescriptionError, Path, Problem

MAX_BYTES = 1 << 18
MAX_NODES = 1 << 15
MAX_ALIASES = 64
MAX_DEPTH = 24

# The core schema of YAML 1.2: no `yes` for true, no 1:30 for ninety, no dates, but 1e-3 is a number.
_SCALARS = (
    ("bool", re.compile(r"^(?:true|True|TRUE|false|False|FALSE)$"), "tTfF"),
    ("int", re.compile(r"^[-+]?[0-9]+$"), "-+0123456789"),
    (
        "float",
        re.compile(
            r"^(?:[-+]?(?:\.[0-9]+|[0-9]+\.[0-9]*|[0-9]+(?=[eE]))(?:[eE][-+]?[0-9]+)?"
            r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$"
        ),
        "-+.0123456789",
    ),
    ("null", re.compile(r"^(?:~|null|Null|NULL|)$"), ["~", "n", "N", ""]),
)
_RESOLVERS: dict[str, list[tuple[str, re.Pattern[str]]]] = {}
for _name, _pattern, _starts in _SCALARS:
    for _start in _starts:
        _RESOLVERS.setdefault(_start, []).append((f"tag:yaml.org,2002:{_name}", _pattern))


@dataclass(frozen=True)
class Document:
    """Plain data, with the location of each part in its file.

    Attributes:
        data: None, bool, int, float, str, lists and dicts of these.
        source: the file's name for messages; may be empty.
        lines: the line of each part, counted from 1, by its path; the line of its key where it has one.
        renamed: paths in the data, with the corresponding path in the file (translated formats).
        trusted: whether it may import modules, as permitted when it was loaded.
    """

    data: Any
    source: str = ""
    lines: dict[Path, int] = field(default_factory=dict)
    renamed: dict[Path, Path] = field(default_factory=dict)
    trusted: bool = False

    def with_lines(self, error: DescriptionError) -> DescriptionError:
        """Return the same error with file and lines added to its problems, in the order of the file."""
        problems = sorted((self._locate(p) for p in error.problems), key=lambda p: p.line)
        return DescriptionError(problems, error.source or self.source)

    def _locate(self, problem: Problem) -> Problem:
        if problem.line:
            return problem
        path = self.original(problem.path)
        for end in range(len(path), -1, -1):
            if path[:end] in self.lines:
                return Problem(path, problem.message, self.lines[path[:end]])
        return Problem(path, problem.message)

    def original(self, path: Path) -> Path:
        """The path in the file for a path in the data."""
        for end in range(len(path), 0, -1):
            if path[:end] in self.renamed:
                return self.renamed[path[:end]] + path[end:]
        return path


def read_file(path: str | FilePath) -> Document:
    """Read a YAML file.

    Raises:
        DescriptionError: it cannot be read, is too large, or is not valid UTF-8 or YAML; with the line.
        FileNotFoundError: there is no such file.
    """
    file = FilePath(path)
    try:
        with file.open("rb") as opened:
            raw = opened.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise DescriptionError([Problem((), f"cannot be read: {error.strerror}")], str(path)) from error
    if len(raw) > MAX_BYTES:
        raise _too_long(str(path))
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise DescriptionError([Problem((), "not UTF-8 text", line)], str(path)) from error
    return read_text(text, source=str(path))


def read_text(text: str, *, source: str = "") -> Document:
    """Read YAML from a string.

    Raises:
        DescriptionError: the YAML is invalid; with the line.
    """
    if len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise _too_long(source)
    try:
        root = _Reader(text).get_single_node()
        if root is None:
            raise _refusal("empty, or cut off before its first key", None)
        builder = _Builder()
        data = builder.build(root, ())
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise DescriptionError(
            [Problem((), f"the character {chr(error.character)!r} is not allowed", line)], source
        ) from error
    except yaml.YAMLError as error:
        raise DescriptionError([_problem(error)], source) from error
    return Document(data, source, builder.lines)


def dump(data: Any) -> str:
    """Write plain data as YAML: short lists and mappings on one line, multi-line strings as blocks."""
    text: str = yaml.dump(
        data, Dumper=_Writer, sort_keys=False, default_flow_style=None, width=108, allow_unicode=True
    )
    return text


class _Reader(yaml.SafeLoader):
    """Composes nodes, never objects; rejects tags, too many aliases and deep nesting while reading."""

    yaml_implicit_resolvers = _RESOLVERS

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.depth = self.aliases = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        event = self.peek_event()  # type: ignore[no-untyped-call]
        if isinstance(event, yaml.AliasEvent):
            self.aliases += 1
            if self.aliases > MAX_ALIASES:
                raise _refusal(f"more than {MAX_ALIASES} aliases", event.start_mark)
        elif getattr(event, "tag", None) not in (None, "!"):
            raise _refusal(f"the tag {event.tag} is not allowed; write plain data", event.start_mark)
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise _refusal(f"nested deeper than {MAX_DEPTH} levels", event.start_mark)
        node = super().compose_node(parent, index)
        self.depth -= 1
        return node


class _Builder:
    """Converts nodes to plain data with their lines; aliases count each time they are used."""

    def __init__(self) -> None:
        self.lines: dict[Path, int] = {}
        self.count = 0
        self.open: list[nodes.Node] = []

    def build(self, node: nodes.Node, path: Path) -> Any:
        self.count += 1
        if self.count > MAX_NODES:
            raise _refusal(f"more than {MAX_NODES} entries once aliases are followed", node.start_mark)
        if any(node is outer for outer in self.open):
            raise _refusal("an alias that contains itself", node.start_mark)
        if len(self.open) > MAX_DEPTH:
            raise _refusal(
                f"nested deeper than {MAX_DEPTH} levels once aliases are followed", node.start_mark
            )
        self.lines.setdefault(path, node.start_mark.line + 1)
        if isinstance(node, nodes.ScalarNode):
            return _scalar(node)
        self.open.append(node)
        built: Any
        if isinstance(node, nodes.SequenceNode):
            built = [self.build(child, (*path, i)) for i, child in enumerate(node.value)]
        else:
            built = dict(self._items(node, path))
        self.open.pop()
        return built

    def _items(self, node: nodes.Node, path: Path) -> Iterator[tuple[str, Any]]:
        seen: dict[str, int] = {}
        for key_node, value_node in node.value:
            key = _scalar(key_node) if isinstance(key_node, nodes.ScalarNode) else None
            line = key_node.start_mark.line + 1
            if not isinstance(key, str):
                raise _refusal("a key must be a string", key_node.start_mark)
            if key in seen:
                raise _refusal(
                    f"the key {key!r} appears twice, first on line {seen[key]}", key_node.start_mark
                )
            seen[key] = line
            self.lines[*path, key] = line
            yield key, self.build(value_node, (*path, key))


class _Writer(yaml.SafeDumper):
    """Writes what `_Reader` reads back."""

    yaml_implicit_resolvers = _RESOLVERS

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _write_text(writer: yaml.SafeDumper, text: str) -> nodes.ScalarNode:
    style = '"' if "\x85" in text else "|" if "\n" in text else None
    return writer.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Writer.add_representer(str, _write_text)


def _scalar(node: nodes.ScalarNode) -> Any:
    text = node.value
    match node.tag.rpartition(":")[2]:
        case "null":
            return None
        case "bool":
            return text.lower() == "true"
        case "int":
            if len(text) > 20 or abs(int(text)) >= 1 << 63:
                raise _refusal(f"the number {text[:24]} is too large", node.start_mark)
            return int(text)
        case "float":
            return _finite(text, node)
    return text


def _finite(text: str, node: nodes.Node) -> float:
    number = math.inf if text[-1] in "fFnN" else float(text)
    if not math.isfinite(number):
        raise _refusal(f"{text} is not a finite number", node.start_mark)
    return number


def _too_long(source: str) -> DescriptionError:
    return DescriptionError([Problem((), f"longer than {MAX_BYTES // 1024} KiB")], source)


def _refusal(message: str, mark: Any) -> yaml.MarkedYAMLError:
    return yaml.MarkedYAMLError(problem=message, problem_mark=mark)


def _problem(error: yaml.YAMLError) -> Problem:
    if isinstance(error, yaml.MarkedYAMLError):
        mark = error.problem_mark or error.context_mark
        parts = [error.context or "", error.problem or ""]
        return Problem((), " ".join(p for p in parts if p), mark.line + 1 if mark else 0)
    return Problem((), str(error))
