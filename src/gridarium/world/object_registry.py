"""The kinds of objects that have been declared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gridarium.world.objects import GridObject


class ObjectRegistry:
    """The kinds declared so far, by name."""

    def __init__(self) -> None:
        self._kinds: dict[str, list[type[GridObject]]] = {}

    def register(self, kind: type[GridObject]) -> type[GridObject]:
        """Add a kind. A class that is defined again at the same place (a notebook cell) replaces the former one."""
        same_place = [k for k in self._kinds.get(kind.__name__, []) if k.__module__ != kind.__module__]
        self._kinds[kind.__name__] = [*same_place, kind]
        return kind

    def names(self) -> list[str]:
        """The names of all kinds."""
        return list(self._kinds)

    keys = names

    def latest(self) -> list[type[GridObject]]:
        """The kinds, of those with one name the one that was declared last."""
        return [kinds[-1] for kinds in self._kinds.values()]

    def __contains__(self, name: object) -> bool:
        return name in self._kinds

    def __iter__(self) -> Any:
        return iter(self._kinds)

    def __getitem__(self, name: str) -> type[GridObject]:
        return self.from_name(name)

    def from_name(self, name: str) -> type[GridObject]:
        """The kind called `name`, or `module:name` where several modules declare one (nothing is imported).

        Raises:
            ValueError: no such kind, or several modules declare one.
        """
        module, _, bare = name.rpartition(":")
        found = [k for k in self._kinds.get(bare, []) if module in ("", k.__module__)]
        if len(found) == 1:
            return found[0]
        if not found:
            raise ValueError(f"no object {name!r}; there are {', '.join(self._kinds)}")
        places = ", ".join(f"{k.__module__}:{name}" for k in found)
        raise ValueError(f"several objects are called {name}: write one of {places}")
