"""Resolves the names in a description: rules, kinds of objects, colors, actions."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path as Folder
from types import ModuleType
from typing import Any, TypeVar

from gridarium.rules.registry import FunctionRegistry
from gridarium.world import Action, Color, GridObject, grid_object_registry
from gridarium.world.actions import NAMES
from gridarium.worlds.entries.problems import EntryProblem, Path, closest_names, suggest
from gridarium.worlds.resolving.importing import error_location, import_from_folder

T = TypeVar("T")
LIBRARY = "gridarium.rules."
"""Modules that every description may import: those of the library with rules."""
REFERENCE = re.compile(r"^([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*):([A-Za-z_]\w*)$")


@dataclass(frozen=True)
class NameResolver:
    """Looks up the names in a description.

    Attributes:
        allow_imports: whether `module:name` may import a module, which runs that module's code; modules of the library
            with rules are always imported.
        folder: the folder that is searched first for such modules: that of the world's file.
        own: objects that have a name without being registered or imported (see `build`).
        used: kinds and colors that were looked up, with their paths, to check that the world declares them.
        imported: the modules that were named, or the exceptions of their imports; each is imported once.
        found: the objects found in them, by `module:name`.
        searched: the modules whose rules and kinds are named without `module:`.
        library: how the names of modules begin that may be imported in any case.
        preferred: how the names of modules begin whose kinds are meant where several have kinds of one name.
    """

    allow_imports: bool = False
    folder: Folder | None = None
    own: Mapping[str, Any] = field(default_factory=dict)
    used: list[tuple[type[GridObject] | Color, Path]] = field(default_factory=list)
    imported: dict[str, ModuleType | Exception] = field(default_factory=dict)
    found: dict[str, Any] = field(default_factory=dict)
    searched: list[ModuleType] = field(default_factory=list)
    library: str = LIBRARY
    preferred: str = ""

    def search_module(self, name: str, path: Path) -> None:
        """Import a module, whose rules and kinds take precedence over registered ones of the same name.

        Raises:
            EntryProblem: it must not or cannot be imported.
        """
        module = self._module(name, name, path)
        if module not in self.searched:
            self.searched.append(module)

    def kind(self, name: Any, path: Path) -> type[GridObject]:
        """The kind of objects called `name`, recorded as used."""
        found = self.any_kind(name, path)
        self.used.append((found, path))
        return found

    def color(self, name: Any, path: Path) -> Color:
        """The color called `name`, recorded as used."""
        found = self.any_color(name, path)
        self.used.append((found, path))
        return found

    def rule(self, registry: FunctionRegistry, name: str, path: Path) -> Callable[..., Any]:
        """The rule called `name` of a kind.

        Raises:
            EntryProblem: there is none, or it must not be imported.
        """
        if name in self.own:
            return self.own[name]  # type: ignore[no-any-return]
        name = self._in_searched(name)
        if ":" not in name:
            if name in registry:
                return registry[name]
            own = "; a rule of your own in a file is named module:name"
            raise EntryProblem(
                path, f"unknown {registry.kind} function {name!r}; {suggest(name, registry.names())}{own}"
            )
        found = self._imported(name, path)
        if not any(found is function for function in registry.values()):
            listed = [
                n for n, f in registry.items() if getattr(f, "__module__", "") == name.partition(":")[0]
            ]
            registered = f"; this module registers: {', '.join(listed)}" if listed else ""
            raise EntryProblem(path, f"{name} is not registered as a {registry.kind} function{registered}")
        return found  # type: ignore[no-any-return]

    def any_kind(self, name: Any, path: Path) -> type[GridObject]:
        """The kind of objects called `name`; `GridObject` means all kinds."""
        _is_text(name, path, "the name of an object")
        if name in self.own:
            return self.own[name]  # type: ignore[no-any-return]
        name = self._in_searched(name)
        if ":" in name:
            return self._of_type(name, path, type, "a kind of objects", lambda k: issubclass(k, GridObject))
        if name == "GridObject":
            return GridObject
        if name not in grid_object_registry:
            raise EntryProblem(path, f"unknown object {name!r}; {suggest(name, grid_object_registry)}")
        try:
            return grid_object_registry.from_name(name, self.preferred)
        except ValueError as error:
            raise EntryProblem(path, str(error)) from error

    def any_color(self, name: Any, path: Path) -> Color:
        """The color called `name`."""
        _is_text(name, path, "the name of a color")
        if ":" in name:
            return self._of_type(name, path, Color, "a color")
        try:
            return Color[name]
        except KeyError:
            raise EntryProblem(
                path, f"unknown color {name!r}; {suggest(name, [c.name for c in Color])}"
            ) from None

    def action(self, name: Any, path: Path) -> Action:
        """The action called `name`."""
        _is_text(name, path, "the name of an action")
        if ":" in name:
            return self._of_type(name, path, Action, "an action")
        try:
            return Action[name]
        except KeyError:
            new = f"; a new one is {{name: {name}, declare: true}}"
            raise EntryProblem(path, f"unknown action {name!r}; {suggest(name, NAMES)}{new}") from None

    def named_object(self, name: str, path: Path) -> Any:
        """What a module has under a name: `module:name`, or just the name for one of the searched modules.

        Raises:
            EntryProblem: there is no such module or name, or it must not be imported.
        """
        return self._imported(self._in_searched(name), path)

    def _of_type(
        self, name: str, path: Path, wanted: type[T], what: str, test: Callable[[Any], bool] = lambda _: True
    ) -> T:
        found = self._imported(name, path)
        if not (isinstance(found, wanted) and test(found)):
            raise EntryProblem(path, f"{name} is not {what}")
        return found

    def _imported(self, name: str, path: Path) -> Any:
        if name in self.own:
            return self.own[name]
        parts = REFERENCE.match(name)
        if parts is None:
            raise EntryProblem(path, f"{name!r} is not of the form module:name")
        module = self._module(parts[1], name, path)
        if not hasattr(module, parts[2]):
            near = closest_names(parts[2], (n for n in vars(module) if not n.startswith("_")), most=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise EntryProblem(path, f"{parts[1]} has no {parts[2]!r}{hint}")
        return self.found.setdefault(name, getattr(module, parts[2]))

    def _in_searched(self, name: str) -> str:
        """`module:name` for what a searched module defines; other names as they are."""
        for module in self.searched if ":" not in name else ():
            if getattr(getattr(module, name, None), "__module__", None) == module.__name__:
                return f"{module.__name__}:{name}"
        return name

    def _module(self, name: str, asked: str, path: Path) -> ModuleType:
        ours = name.startswith(self.library)
        if not (self.allow_imports or ours):
            reason = "a description may not import code unless it is loaded with allow_imports=True"
            raise EntryProblem(path, f"{asked} is refused: {reason}")
        if name not in self.imported:
            try:
                self.imported[name] = import_from_folder(name, None if ours else self.folder)
            except Exception as error:
                self.imported[name] = error
        module = self.imported[name]
        if isinstance(module, Exception):
            reason = f"{type(module).__name__}: {module}{error_location(module)}"
            raise EntryProblem(path, f"{name} cannot be imported: {reason}", once=True) from module
        return module


def _is_text(name: Any, path: Path, what: str) -> None:
    if not isinstance(name, str):
        raise EntryProblem(path, f"{what} is expected, not {name!r}")
