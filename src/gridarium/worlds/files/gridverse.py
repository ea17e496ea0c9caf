"""Translates gym-gridverse's YAML files (Baisero and Katt 2021) into descriptions.

Its files load unchanged: `state_space`, `reset_function` and so on are renamed to this library's keys. A file may mix
keys of both formats, so that an old file can be given a name, a time limit or a representation.
"""

from __future__ import annotations

import warnings
from collections.abc import Collection
from typing import Any

from gridarium.worlds.entries.problems import Collector, Path
from gridarium.worlds.files.yaml_io import Document
from gridarium.worlds.resolving.binding import PLACES, REGISTRIES

SIMPLE = {
    "action_space": "actions",
    "transition_functions": "transitions",
    "reward_functions": "rewards",
    "observation_function": "observation",
}
SPACES = ("state_space", "observation_space")
KEYS = (*SPACES, *SIMPLE, "reset_function", "terminating_function")


def is_gridverse(data: Any) -> bool:
    """Return whether data is in gym-gridverse's format."""
    return isinstance(data, dict) and any(key in data for key in KEYS)


def translate(document: Document, required: Collection[str]) -> Document:
    """Translate a document in gym-gridverse's format, keeping its line numbers.

    Args:
        document: the file, or a mapping.
        required: the keys of this library that a description cannot do without.

    Warns:
        UserWarning: a built-in rule has an unknown parameter. gym-gridverse ignores these silently.

    Raises:
        DescriptionError: keys of both formats have the same meaning, or a part has the wrong form.
    """
    translation = _Translation(document, required)
    translation.problems.raise_if_any()
    return Document(translation.data, document.source, document.lines, translation.renamed)


class _Translation:
    def __init__(self, document: Document, required: Collection[str]) -> None:
        self.given: dict[str, Any] = document.data
        self.document, self.problems = document, Collector()
        self.renamed: dict[Path, Path] = {}
        self.data = {key: value for key, value in self.given.items() if key not in KEYS}
        self._spaces()
        for old, new in SIMPLE.items():
            if old in self.given:
                self._put(new, self.given[old], (old,))
            elif new not in self.given and new in required:
                self.problems.add((), f"{old!r} is missing")
        self._reset()
        if "terminating_function" in self.given:
            self._put("terminations", [self.given["terminating_function"]], ("terminating_function",))
            self.renamed["terminations", 0] = ("terminating_function",)
        self._drop_unknown_parameters()

    def _put(self, key: str, value: Any, origin: Path) -> None:
        if key in self.data:
            self.problems.add(origin, f"stands for {key!r}, which is given as well")
        self.data[key] = value
        self.renamed[key,] = origin

    def _spaces(self) -> None:
        for key in ("objects", "colors"):
            merged: list[Any] = []
            for space in SPACES:
                listed = self._part(space).get(key, [])
                if not isinstance(listed, list | tuple):
                    self.problems.add((space, key), "a list is expected")
                    continue
                for i, item in enumerate(listed):
                    if item not in merged:
                        self.renamed[key, len(merged)] = (space, key, i)
                        merged.append(item)
            if merged:
                self._put(key, merged, ("state_space", key))
        for space in SPACES:
            for key in self._part(space).keys() - {"objects", "colors"}:
                self.problems.add((space, key), "unknown key; known: objects, colors")

    def _reset(self) -> None:
        if "reset_function" not in self.given:
            return
        reset = self._part("reset_function")
        if "shape" in reset:
            self._put("shape", reset["shape"], ("reset_function", "shape"))
        rule = {key: value for key, value in reset.items() if key != "shape"}
        self._put("reset", rule or self.given["reset_function"], ("reset_function",))

    def _part(self, key: str) -> dict[str, Any]:
        part = self.given.get(key, {})
        if not isinstance(part, dict):
            self.problems.add((key,), "a mapping is expected")
            return {}
        return part

    def _drop_unknown_parameters(self) -> None:
        for key, kind in PLACES.items():
            self.data.update({key: self._cleaned(self.data[key], kind, (key,))} if key in self.data else {})

    def _cleaned(self, value: Any, kind: str, path: Path) -> Any:
        """An entry, or a list of entries, without parameters unknown to its rule."""
        if isinstance(value, list | tuple):
            return [self._cleaned(item, kind, (*path, i)) for i, item in enumerate(value)]
        name = value.get("name") if isinstance(value, dict) else None
        if not isinstance(name, str) or name not in REGISTRIES[kind]:
            return value
        known = REGISTRIES[kind].parameters(name)
        kept = {}
        for key, part in value.items():
            inner = next((k for k in REGISTRIES if key in (k, f"{k}s")), None)
            if key == "name" or key in known:
                kept[key] = self._cleaned(part, inner, (*path, key)) if inner else part
            else:
                self._warn(name, key, (*path, key))
        return kept

    def _warn(self, name: str, key: str, path: Path) -> None:
        origin = Document(None, renamed=self.renamed).original(path)
        line = self.document.lines.get(origin, 0)
        location = ":".join(str(p) for p in (self.document.source, line) if p)
        warnings.warn(
            f"{location}: {name} has no parameter {key!r}; it is ignored".lstrip(": "), stacklevel=2
        )
