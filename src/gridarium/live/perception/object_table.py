"""Properties of objects by their ids, with what queries need again and again."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping

import numpy as np
import numpy.typing as npt

from gridarium.live.objects.property_dict import PropertyDict

Location = tuple[int, int]


class ObjectTable:
    """The properties of some objects at one moment, in their order. It is not changed once it is made.

    Args:
        properties: by id.

    Attributes:
        properties: as given.
        found: what queries have found, for them to keep here.
    """

    def __init__(self, properties: Mapping[str, PropertyDict]) -> None:
        self.properties = properties
        self.found: dict[tuple[str, type, object], list[PropertyDict]] = {}
        self._having: dict[str, list[PropertyDict]] = {}
        self._of_class: dict[str, list[PropertyDict]] = {}
        self._blocked: dict[Location, npt.NDArray[np.bool_]] = {}

    def having(self, name: str) -> list[PropertyDict]:
        """The objects that have a property."""
        found = self._having.get(name)
        if found is None:
            found = self._having[name] = [p for p in self.properties.values() if name in p]
        return found

    def of_class(self, name: str) -> list[PropertyDict]:
        """The objects of a class, by its name, subclasses included."""
        found = self._of_class.get(name)
        if found is None:
            found = [p for p in self.properties.values() if name in p.get("class_inheritance", ())]
            self._of_class[name] = found
        return found

    @functools.cached_property
    def agents(self) -> list[PropertyDict]:
        """The agents."""
        return [p for p in self.properties.values() if p.get("isAgent") is True]

    def blocked(self, shape: Location) -> npt.NDArray[np.bool_]:
        """bool[width, height]: the cells in which something is not traversable; not to be changed."""
        found = self._blocked.get(shape)
        if found is None:
            found = np.zeros(shape, np.bool_)
            for p in self.properties.values():
                if p.get("is_traversable") is False:
                    found[p["location"]] = True
            found.flags.writeable = False
            self._blocked[shape] = found
        return found

    def without(self, ids: Iterable[str]) -> ObjectTable:
        """A table without some of the objects."""
        gone = set(ids)
        return ObjectTable({i: p for i, p in self.properties.items() if i not in gone})
