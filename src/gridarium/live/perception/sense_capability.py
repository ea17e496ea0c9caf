"""What an agent perceives: which types of objects, and how far away."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from gridarium.live.objects.env_object import EnvObject
from gridarium.live.perception.scene import PerceivedScene, scene_of
from gridarium.live.world_interface import WorldInterface

Detectable: TypeAlias = "type | str | None"
"""A class of objects, or None or "*" for all objects whose class is not among the others."""
EVERYTHING = "*"


class Capability:
    """The base of what an agent is able to do."""


class SenseCapability(Capability):
    """Which objects an agent perceives, by class and distance.

    An object is perceived if it is at most as far away, in a straight line, as the range that is given for its class. Of
    several classes that it belongs to, the most special one counts: with `{SquareBlock: 2, EnvObject: 10}`, blocks are
    perceived from 2 cells away, and so are those of a subclass of `SquareBlock`. Objects of none of the classes have the
    range of None, which may be written "*"; where that is not given they are not perceived. An agent always perceives
    itself.

    Args:
        detectable_objects: the range of each class, in cells, from 0 to `math.inf`.
        line_of_sight: whether only what is in sight is perceived, by the core's visibility rule `raytracing` in the square
            around the agent that the largest range spans: objects whose kind blocks sight, such as walls and closed doors,
            hide what is behind them. Of what lies in an opaque cell that is in sight, everything is.

    Raises:
        TypeError: a key is not a class, or a range not a number.
        ValueError: a range below 0.

    Source: MATRX, `matrx.agents.capabilities.capability`.

    Example:
        >>> SenseCapability({AgentBody: 25, None: 10}).range_of(SquareBlock)
        10.0
    """

    def __init__(
        self, detectable_objects: Mapping[Detectable, float], *, line_of_sight: bool = False
    ) -> None:
        self._ranges: dict[type | str, float] = {}
        for kind, reach in detectable_objects.items():
            key = EVERYTHING if kind is None else kind
            if not isinstance(key, type) and key != EVERYTHING:
                raise TypeError(f"what is perceived is a class of objects, None or '*', not {kind!r}")
            self._ranges[key] = _checked_range(reach, key)
        self.line_of_sight = line_of_sight
        self._rest = self._ranges.get(EVERYTHING, -1.0)
        self._by_name = {k if isinstance(k, str) else k.__name__: r for k, r in self._ranges.items()}
        self._known: dict[type, float] = {}
        self._farthest = max(self._ranges.values(), default=0.0)
        self._sees_all = self._rest == math.inf and len(self._ranges) == 1 and not line_of_sight

    def get_capabilities(self) -> dict[type | str, float]:
        """The range of each class, of all others under "*": a copy."""
        return dict(self._ranges)

    def as_dict(self) -> dict[str, float]:
        """The range of each class by its name, of all others under "*"."""
        return dict(self._by_name)

    def range_of(self, kind: type) -> float:
        """The range for objects of a class, -1 if they are not perceived."""
        found = self._known.get(kind)
        if found is None:
            found = next((self._ranges[base] for base in kind.__mro__ if base in self._ranges), self._rest)
            self._known[kind] = found
        return found

    def range_by_names(self, class_names: Sequence[str]) -> float:
        """The range for objects of a class, of which the names are known, the most special one first; else as `range_of`."""
        return next((self._by_name[name] for name in class_names if name in self._by_name), self._rest)

    @property
    def sees_all(self) -> bool:
        """Whether everything is perceived, wherever it is."""
        return self._sees_all

    def visible(self, world: WorldInterface, body: EnvObject) -> dict[str, EnvObject]:
        """What an agent perceives now: objects, then agents, by id."""
        scene = scene_of(world)
        if self._sees_all:
            return dict(scene.objects)
        return {i: scene.objects[i] for i in self.visible_ids(scene, body)}

    def visible_ids(self, scene: PerceivedScene, body: EnvObject) -> list[str]:
        """The ids of what an agent perceives in a scene, in its order."""
        ids = scene.ids
        if self._sees_all:
            return ids
        x, y = body.location
        xs, ys = scene.locations
        right, down = xs - x, ys - y
        seen = right * right + down * down <= self._squared_reach(scene)
        if self.line_of_sight:
            seen &= scene.in_sight((x, y), self._farthest)[ys, xs]
        found = [ids[k] for k in seen.nonzero()[0].tolist()]
        if body.obj_id not in found:
            return [i for i, yes in zip(ids, seen.tolist(), strict=True) if yes or i == body.obj_id]
        return found

    def perceives(
        self, scene: PerceivedScene, body: EnvObject, class_names: Sequence[str], location: tuple[int, int]
    ) -> bool:
        """Whether an agent would perceive an object of a class, if there was one at a location."""
        if math.dist(body.location, location) > self.range_by_names(class_names):
            return False
        return not self.line_of_sight or bool(scene.in_sight(body.location, self._farthest)[location[::-1]])

    def _squared_reach(self, scene: PerceivedScene) -> Any:
        """The square of the range for each object of a scene, -1 for those that are not perceived."""
        if len(self._ranges) == (EVERYTHING in self._ranges):
            return self._rest * abs(self._rest)
        found = scene.reach.get(self)
        if found is None:
            ranges = np.array([self.range_of(type(o)) for o in scene.objects.values()], np.float64)
            found = scene.reach[self] = ranges * np.abs(ranges)
        return found

    def __repr__(self) -> str:
        ranges = ", ".join(
            f"{k if isinstance(k, str) else k.__name__}: {r:g}" for k, r in self._ranges.items()
        )
        return f"SenseCapability({{{ranges}}}{', line_of_sight=True' if self.line_of_sight else ''})"


def create_sense_capability(
    objects_to_perceive: Sequence[Detectable],
    range_to_perceive_them_in: Sequence[float | None],
    *,
    line_of_sight: bool = False,
) -> SenseCapability:
    """Make a sense capability from two lists.

    Args:
        objects_to_perceive: classes of objects; none at all stands for everything, at any distance.
        range_to_perceive_them_in: the range of each, None for any distance.
        line_of_sight: as for `SenseCapability`.

    Raises:
        ValueError: the lists have different lengths, or a range is below 0.
        TypeError: see `SenseCapability`.

    Source: MATRX, `matrx.agents.capabilities.capability`.
    """
    if len(objects_to_perceive) != len(range_to_perceive_them_in):
        raise ValueError(
            f"one range for each class is needed; got {len(objects_to_perceive)} classes and "
            f"{len(range_to_perceive_them_in)} ranges"
        )
    if not objects_to_perceive:
        return SenseCapability({None: math.inf}, line_of_sight=line_of_sight)
    return SenseCapability(
        {
            kind: math.inf if reach is None else reach
            for kind, reach in zip(objects_to_perceive, range_to_perceive_them_in, strict=True)
        },
        line_of_sight=line_of_sight,
    )


def _checked_range(reach: Any, key: Any) -> float:
    if isinstance(reach, bool) or not isinstance(reach, int | float | np.number):
        raise TypeError(f"the range for {key} is a number of cells, not {reach!r}")
    if not reach >= 0:
        raise ValueError(f"the range for {key} is 0 or more, not {reach!r}")
    return float(reach)
