"""The ids of the catalogue's worlds in Gymnasium and PettingZoo: `gridarium/<World>-v<version>`.

Importing this module imports nothing else of the library, and neither of the two: `register_when_imported` waits for
the user to import them.
"""

from __future__ import annotations

import functools
import importlib.abc
import importlib.util
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

NAMESPACE = "gridarium"
GHOST_ID = f"{NAMESPACE}/CustomGridEnv-v0"
CATALOGUE = Path(__file__).parent.parent / "worlds" / "catalogue"


class Listed(NamedTuple):
    """What registering needs to know of a world of the catalogue."""

    name: str
    version: int
    agents: int

    @property
    def id(self) -> str:
        """Its id in both registries."""
        return f"{NAMESPACE}/{self.name}-v{self.version}"


def register_when_imported() -> None:
    """Register the worlds with Gymnasium and PettingZoo, now or as soon as somebody imports them."""
    for library, register in (("gymnasium", register_gymnasium), ("pettingzoo", register_pettingzoo)):
        if library not in sys.modules:
            sys.meta_path.insert(0, _Awaited(library, register))
        elif sys.modules[library] is not None:  # as it is where its import is forbidden
            register()


def register_gymnasium() -> None:
    """Register the worlds for `gymnasium.make` and `make_vec`; those with several agents say what makes them instead."""
    from gymnasium.envs.registration import register, registry

    for world in listed():
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
    for world in listed():
        if world.agents > 1 and world.id not in pettingzoo.parallel_registry:
            for kind in ("parallel", "aec"):
                entry = f"gridarium.env.pettingzoo_env:{kind}_env"
                pettingzoo.register(kind, world.id, entry, kwargs={"world": world.name})


@functools.cache
def listed() -> tuple[Listed, ...]:
    """The worlds of the catalogue, read without a YAML reader (which takes longer to load than everything else)."""
    return tuple(_listed(file) for file in sorted(CATALOGUE.glob("*.yaml")))


def _listed(file: Path) -> Listed:
    parts = dict(_top_level(file.read_text(encoding="utf-8")))
    agents = parts.get("agents", "1").strip()
    count = (
        int(agents)
        if agents.isdecimal()
        else max(agents.count("{"), len(re.findall(r"^\s*- ", agents, re.M)))
    )
    return Listed(file.stem, int(parts.get("version", "0")), count)


def _top_level(text: str) -> Iterator[tuple[str, str]]:
    for part in re.split(r"^(?=\w+:)", text, flags=re.M):
        key, _, rest = part.partition(":")
        yield key, rest


class _Awaited(importlib.abc.MetaPathFinder):
    """Calls `then` when `library` has been imported."""

    def __init__(self, library: str, then: Callable[[], None]) -> None:
        self.library, self.then = library, then
        self._searching = False

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The library's own spec, its loader told to go on with `then`; None for anything else."""
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
