"""All that is in a world at one moment: made once, for all agents that perceive it."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.live.objects.env_object import EnvObject
from gridarium.live.perception.line_of_sight import Mask, cells_in_sight, opaque_cells
from gridarium.live.perception.object_table import Location, ObjectTable
from gridarium.live.world_interface import WorldInterface


class PerceivedScene:
    """A world as it is at one version of it.

    Args:
        world: the world.

    Attributes:
        version: of the world.
        objects: objects, then agents, by id.
        everything: their properties.
        reach: what sense capabilities have found out about the objects, for them to keep here.
    """

    def __init__(self, world: WorldInterface) -> None:
        self.version = world.version
        self._core_state, self._compiled = world.core_state, world.core.composed.wants_compiled
        self.objects: dict[str, EnvObject] = {**world.environment_objects, **world.registered_agents}
        self.everything = ObjectTable({i: o.cached_properties for i, o in self.objects.items()})
        self.reach: dict[Any, Any] = {}

    @functools.cached_property
    def ids(self) -> list[str]:
        """The ids of the objects."""
        return list(self.objects)

    @functools.cached_property
    def locations(self) -> npt.NDArray[np.int64]:
        """int64[2, objects]: where they are, x and y."""
        places = [p["location"] for p in self.everything.properties.values()]
        return np.array(places, np.int64).reshape(-1, 2).T.copy()

    @functools.cached_property
    def _opaque(self) -> Mask:
        """bool[height, width]: the cells in which something blocks sight."""
        return opaque_cells(self._core_state)

    def in_sight(self, location: Location, radius: float = math.inf) -> Mask:
        """bool[height, width]: the cells in sight of a location, at most `radius` rows and columns away."""
        x, y = location
        return cells_in_sight(self._opaque, y, x, radius, compiled=self._compiled)


def scene_of(world: WorldInterface) -> PerceivedScene:
    """The world as it is now; the same scene as long as nothing changes."""
    found = world.scene
    if not isinstance(found, PerceivedScene) or found.version != world.version:
        found = world.scene = PerceivedScene(world)
    return found
