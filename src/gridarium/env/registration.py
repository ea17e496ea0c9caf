"""The ids of the catalogue's worlds in Gymnasium and PettingZoo: `gridarium/<World>-v<version>`.

Importing this module imports nothing else of the library, and neither of the two. Gymnasium has no plugins (its entry
points ended with version 1.0, and `gymnasium.register_envs` does nothing), so worlds are registered when the library is
imported. Where it is imported before Gymnasium, `register_when_imported` waits for that.
"""

from __future__ import annotations

import functools
import importlib.abc
import importlib.util
import re
import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

NAMESPACE = "gridarium"
GHOST_ID = f"{NAMESPACE}/CustomGridEnv-v0"
CATALOGUE = Path(__file__).parent.parent / "worlds" / "catalogue"


class CatalogueEntry(NamedTuple):
    """What registering needs to know of a world of the catalogue, or of a family of worlds.

    Attributes:
        name: the world's or the family's.
        family: the family's, whose file says what the world is.
        version: part of its id.
    """

    name: str
    family: str
    version: int = 0

    @property
    def id(self) -> str:
        """Its id in both registries."""
        return f"{NAMESPACE}/{self.name}-v{self.version}"

    @property
    def agents(self) -> int:
        """How many agents it has, read from its file."""
        return _agents(self.family)


def register_when_imported() -> None:
    """Register the worlds with Gymnasium and PettingZoo, now or as soon as these are imported."""
    for library, register in (("gymnasium", register_gymnasium), ("pettingzoo", register_pettingzoo)):
        if library not in sys.modules:
            sys.meta_path.insert(0, _AfterImport(library, register))
        elif sys.modules[library] is not None:  # as it is where its import is forbidden
            register()


def register_gymnasium() -> None:
    """Register the worlds for `gymnasium.make` and `make_vec`; those with several agents say what makes them instead."""
    from gymnasium.envs.registration import register, registry

    for world in (*listed(), *families()):
        if world.id not in registry:
            register(
                id=world.id,
                entry_point="gridarium.env.gym_env:GridariumEnv",
                vector_entry_point="gridarium.env.vector_env:GridariumVectorEnv",
                kwargs={"world": world.name},
            )
    if GHOST_ID not in registry:
        register(id=GHOST_ID, entry_point="gridarium.ghost.env:CustomGridEnv", kwargs={"render_mode": None})


def register_pettingzoo() -> None:
    """Register the worlds with several agents, for `pettingzoo.make` (from version 1.27 on)."""
    import pettingzoo

    if not hasattr(pettingzoo, "register"):
        return
    for world in (*listed(), *families()):
        if world.agents > 1 and world.id not in pettingzoo.parallel_registry:
            for kind in ("parallel", "aec"):
                entry = f"gridarium.env.pettingzoo_env:{kind}_env"
                pettingzoo.register(kind, world.id, entry, kwargs={"world": world.name})


@functools.cache
def listed() -> tuple[CatalogueEntry, ...]:
    """The worlds of the catalogue; all have version 0 so far."""
    return tuple(CatalogueEntry(name, file.stem) for file in _files() for name in _members(file))


@functools.cache
def families() -> tuple[CatalogueEntry, ...]:
    """The families of worlds that are not called as one of their worlds: those that take a `size`."""
    worlds = {world.name for world in listed()}
    return tuple(CatalogueEntry(file.stem, file.stem) for file in _files() if file.stem not in worlds)


@functools.cache
def _agents(family: str) -> int:
    """How many agents the worlds of a family have."""
    import yaml  # slow to load, and only PettingZoo's registry asks for this

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    text = (CATALOGUE / f"{family}.yaml").read_text(encoding="utf-8")
    agents = yaml.load(text, Loader=loader).get("agents", 1)
    return agents if isinstance(agents, int) else len(agents)


def _files() -> list[Path]:
    return sorted(CATALOGUE.glob("*.yaml"))


def _members(file: Path) -> list[str]:
    """The names of the worlds in a family's file: a line each, so that nothing has to be loaded to read YAML."""
    text = file.read_text(encoding="utf-8")
    _, _, members = text.partition("\nmembers:\n")
    return re.findall(r"^  ([\w-]+):$", members, re.M) or re.findall(r"^name: (\S+)$", text, re.M)


class _AfterImport(importlib.abc.MetaPathFinder):
    """Calls `then` when `library` has been imported."""

    def __init__(self, library: str, then: Callable[[], None]) -> None:
        self.library, self.then = library, then
        self._searching = False

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The library's own spec, whose loader then calls `then`; None for anything else."""
        if fullname != self.library or self._searching:
            return None
        self._searching = True
        try:
            spec = importlib.util.find_spec(fullname)
        finally:
            self._searching = False
        if spec is not None and spec.loader is not None:
            self._extend(spec.loader)
        return spec

    def _extend(self, loader: Any) -> None:
        execute = loader.exec_module

        def exec_module(module: Any) -> None:
            execute(module)
            if self in sys.meta_path:
                sys.meta_path.remove(self)
                self.then()

        loader.exec_module = exec_module
