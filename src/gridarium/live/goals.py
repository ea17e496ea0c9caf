"""Goals of live worlds: when a world is done, and how far it is."""

from __future__ import annotations

import copy
import functools
import inspect
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Self

import numpy as np

from gridarium.live.objects import AgentBody, AreaTile, CollectionDropOffTile, CollectionTarget, EnvObject
from gridarium.live.objects.core_view import colour_number
from gridarium.live.random_property import RandomOrder
from gridarium.live.world_interface import WorldInterface

__all__ = [
    "CollectionGoal",
    "CollectionGoalV2",
    "LimitedTimeGoal",
    "LimitedTimeGoalV2",
    "WorldGoal",
    "WorldGoalV2",
]

COLOUR_NAMES = {"visualize_colour", "visualization_colour"}


class WorldGoal:
    """Something to be reached in a world. Override `goal_reached`, and `get_progress` if there is more to tell.

    Both may also be written with the parameters `(self, world_state, grid_world)`; `world_state` is then the state of
    the whole world.
    """

    def __init__(self) -> None:
        self.is_done = False

    def goal_reached(self, grid_world: WorldInterface) -> bool:
        """Whether the goal is reached. It is asked once in a tick, before agents act."""
        raise NotImplementedError(f"{type(self).__name__} does not override goal_reached")

    def get_progress(self, grid_world: WorldInterface) -> float:
        """How much is reached, from 0 (nothing) to 1 (all)."""
        return float(self.is_done)

    def reset(self) -> Self:
        """A copy of the goal for another world, in which nothing is reached yet."""
        self.is_done = False
        fresh = copy.deepcopy(self)
        fresh._forget()
        return fresh

    def as_rules(self, grid_world: WorldInterface) -> dict[str, Any] | None:
        """The keys of a description that end an episode as this goal does; None if rules of the core cannot say it."""
        return None

    def check(self, grid_world: WorldInterface) -> bool:
        """Ask `goal_reached` in either form, and keep the answer in `is_done`.

        Raises:
            TypeError: it did not return True or False.
        """
        reached = _call(self.goal_reached, type(self).goal_reached, grid_world)
        if not isinstance(reached, bool | np.bool_):
            raise TypeError(
                f"{type(self).__name__}.goal_reached returned {reached!r}; True or False is needed"
            )
        self.is_done = bool(reached)
        return self.is_done

    def progress(self, grid_world: WorldInterface) -> float:
        """Ask `get_progress` in either form.

        Raises:
            TypeError: it did not return a number.
            ValueError: the number is not from 0 to 1.
        """
        answer = _call(self.get_progress, type(self).get_progress, grid_world)
        if isinstance(answer, bool | np.bool_) or not isinstance(answer, int | float | np.number):
            raise TypeError(f"{type(self).__name__}.get_progress returned {answer!r}; a number is needed")
        if not 0 <= answer <= 1:
            raise ValueError(f"{type(self).__name__}.get_progress returned {answer}; 0 to 1 is possible")
        return float(answer)

    def _forget(self) -> None:
        """Forget what belongs to one world."""


class LimitedTimeGoal(WorldGoal):
    """Reached when the world has run for a number of ticks.

    Args:
        max_nr_ticks: the number of ticks; 0 or less, or infinity: it is never reached.
    """

    def __init__(self, max_nr_ticks: float) -> None:
        super().__init__()
        if isinstance(max_nr_ticks, bool) or not isinstance(max_nr_ticks, int | float | np.number):
            raise ValueError(f"max_nr_ticks is a number of ticks, not {max_nr_ticks!r}")
        if math.isnan(max_nr_ticks):
            raise ValueError("max_nr_ticks is a number of ticks, not nan")
        self.max_nr_ticks = max_nr_ticks

    @property
    def is_limited(self) -> bool:
        """Whether it can be reached at all."""
        return 0 < self.max_nr_ticks < math.inf

    def as_rules(self, grid_world: WorldInterface) -> dict[str, Any] | None:
        """A time limit, or nothing."""
        return {"time_limit": math.ceil(self.max_nr_ticks)} if self.is_limited else {}

    def goal_reached(self, grid_world: WorldInterface) -> bool:
        """Whether so many ticks have passed."""
        return self.is_limited and grid_world.current_nr_ticks >= self.max_nr_ticks

    def get_progress(self, grid_world: WorldInterface) -> float:
        """The part of the ticks that has passed; 0 if it is never reached."""
        return min(1.0, float(grid_world.current_nr_ticks / self.max_nr_ticks)) if self.is_limited else 0.0


class CollectionGoal(WorldGoal):
    """Reached when the wanted objects lie in a drop-off area.

    `WorldBuilder.add_collection_goal` adds the goal together with the area and its target. Each wanted object is to be
    matched by an object of its own: two red blocks are not a red and a blue one. Agents, area tiles and what is still
    carried do not count. Once reached, it stays reached. The target's property `collected` says how many are there, so all
    who perceive the target know it.

    Args:
        name: the name of the area: the `collection_area_name` of its `CollectionDropOffTile`s.
        target_name: the name of the `CollectionTarget` that lists what is wanted, as properties with their values.
        in_order: whether the objects must be brought in the listed order. An object that is wanted, but not next, is
            in the way: until it is taken away again, what was brought after it does not count. Objects that arrive in
            the same tick have no order among them.
    """

    def __init__(self, name: str, target_name: str, in_order: bool = False) -> None:
        super().__init__()
        self.name, self.target_name, self.in_order = name, target_name, in_order
        self._forget()

    def as_rules(self, grid_world: WorldInterface) -> dict[str, Any] | None:
        """The rules `all_collected` and `collect_wanted`, if objects are wanted by their color alone."""
        if not self._cells:
            self._find_area(grid_world)
        colours = []
        for wanted in self._wanted:
            if len(wanted) != 1 or not {*wanted} <= COLOUR_NAMES:
                return None
            colours.append(colour_number(str(next(iter(wanted.values())))))
        if -1 in colours:
            return None
        zone = [n for x, y in sorted(self._cells) for n in (y, x)]
        rule = {"wanted": colours, "zone": zone, "in_order": self.in_order}
        return {
            "terminations": [{"name": "all_collected", **rule}],
            "rewards": [{"name": "collect_wanted", **rule}],
        }

    def goal_reached(self, grid_world: WorldInterface) -> bool:
        """Whether all wanted objects are there.

        Raises:
            ValueError: the world has no such area or target, or nothing is wanted.
        """
        if not self.is_done:
            self._look(grid_world)
        return self.is_done or self.collected == len(self.wanted)

    def get_progress(self, grid_world: WorldInterface) -> float:
        """The part of the wanted objects that is there; in the right order, if one is required."""
        if self.is_done:
            return 1.0
        if not self.wanted:
            self._look(grid_world)
        return self.collected / len(self.wanted)

    @property
    def collected(self) -> int:
        """How many of the wanted objects lay in the area when the goal was last checked."""
        return self._collected

    @property
    def wanted(self) -> list[dict[str, Any]]:
        """The properties of each wanted object; empty before the goal was first checked."""
        return list(self._wanted)

    @classmethod
    def get_random_order_property(
        cls,
        possibilities: Iterable[Mapping[str, Any]],
        length: int | None = None,
        with_duplicates: bool = False,
    ) -> RandomOrder:
        """A random list of wanted objects, for `WorldBuilder.add_collection_goal`.

        Args:
            possibilities: the properties of objects that can be wanted.
            length: the number of wanted objects; None: as many as there are possibilities.
            with_duplicates: whether one of the possibilities may be wanted several times.

        Raises:
            ValueError: there are too few possibilities.
        """
        return RandomOrder([dict(p) for p in possibilities], length, with_duplicates)

    def _forget(self) -> None:
        self._cells: set[tuple[int, int]] = set()
        self._wanted: list[dict[str, Any]] = []
        self._target_id = ""
        self._arrived: dict[str, int] = {}
        self._inside: list[str] = []
        self._seen: bytes = b""
        self._versions: list[int] = []
        self._collected = 0

    def _look(self, grid_world: WorldInterface) -> None:
        if not self._cells:
            self._find_area(grid_world)
        now = _things(grid_world)
        if now != self._seen:  # otherwise nothing was brought or taken away
            self._inside = [
                obj_id
                for obj_id, obj in grid_world.environment_objects.items()
                if obj.location in self._cells and _counts(obj)
            ]
        inside = [obj for obj_id in self._inside if (obj := grid_world.find(obj_id)) is not None]
        versions = [obj.version for obj in inside]
        if (now, versions) == (self._seen, self._versions):
            return
        self._seen, self._versions = now, versions
        fitting = {obj.obj_id: ranks for obj in inside if (ranks := self._ranks(obj))}
        tick = grid_world.current_nr_ticks
        self._arrived = {key: self._arrived.get(key, tick) for key in fitting}
        found = self._in_order(fitting) if self.in_order else most_pairs(list(fitting.values()))
        target = grid_world.find(self._target_id)
        if target is not None and target.custom_properties["collected"] != found:
            target.change_property("collected", found)
        self._collected = found

    def _find_area(self, grid_world: WorldInterface) -> None:
        objects = grid_world.environment_objects.values()
        cells = {
            obj.location
            for obj in objects
            if isinstance(obj, CollectionDropOffTile)
            and self.name in (obj.custom_properties["collection_area_name"], obj.obj_name)
        }
        targets = [
            obj for obj in objects if isinstance(obj, CollectionTarget) and obj.obj_name == self.target_name
        ]
        if not cells:
            raise ValueError(f"the goal {self.name!r} has no CollectionDropOffTile with this area's name")
        if not targets or not targets[0].custom_properties["collection_objects"]:
            raise ValueError(f"there is no CollectionTarget {self.target_name!r} that lists what is wanted")
        self._cells, self._target_id = cells, targets[0].obj_id
        self._wanted = [dict(each) for each in targets[0].custom_properties["collection_objects"]]
        if "collected" not in targets[0].custom_properties:
            targets[0].add_property("collected", 0)

    def _ranks(self, obj: EnvObject) -> list[int]:
        """The wanted objects that an object can stand for."""
        properties = obj.cached_properties
        return [i for i, wanted in enumerate(self._wanted) if has_properties(properties, wanted)]

    def _in_order(self, fitting: Mapping[str, Sequence[int]]) -> int:
        """How many of the first wanted objects were brought in order."""
        rank = 0
        for tick in sorted(set(self._arrived.values())):
            group = [fitting[key] for key, arrived in self._arrived.items() if arrived == tick]
            for end in range(rank + len(group), rank, -1):
                if most_pairs([[i for i in ranks if rank <= i < end] for ranks in group]) == end - rank:
                    break
            else:
                break
            rank, complete = end, end - rank == len(group)
            if not complete:
                break
        return rank


WorldGoalV2 = WorldGoal
LimitedTimeGoalV2 = LimitedTimeGoal
CollectionGoalV2 = CollectionGoal


def has_properties(properties: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Whether an object has all wanted properties with these values.

    Args:
        properties: of an object, as in `EnvObject.properties`.
        wanted: names with values. Entries of nested dicts are named with their dict, as in `visualization_colour`, which
            may also be written `visualize_colour`.
    """
    return all(_same(_property(properties, name), value) for name, value in wanted.items())


def most_pairs(fitting: Sequence[Sequence[int]]) -> int:
    """The size of a maximum matching in a bipartite graph, by augmenting paths.

    Args:
        fitting: for each item on the left, the items on the right that it can be paired with.
    """
    partner: dict[int, int] = {}

    def augment(left: int, seen: set[int]) -> bool:
        for right in fitting[left]:
            if right not in seen:
                seen.add(right)
                if right not in partner or augment(partner[right], seen):
                    partner[right] = left
                    return True
        return False

    return sum(augment(left, set()) for left in range(len(fitting)))


_MISSING = object()


def _property(properties: Mapping[str, Any], name: str) -> Any:
    if name in properties:
        return properties[name]
    for prefix in ("visualize_", "visualization_"):
        if name.startswith(prefix):
            return properties.get("visualization", {}).get(name.removeprefix(prefix), _MISSING)
    for key, part in properties.items():
        if isinstance(part, dict) and name.startswith(f"{key}_"):
            found = part.get(name.removeprefix(f"{key}_"), _MISSING)
            if found is not _MISSING:
                return found
    return _MISSING


def _same(value: Any, wanted: Any) -> bool:
    if isinstance(value, str) and isinstance(wanted, str) and value.startswith("#"):
        return value.lower() == wanted.lower()
    return bool(value == wanted)


def _things(grid_world: WorldInterface) -> bytes:
    """The core's table of all that can be moved: where it is, or who carries it."""
    state = grid_world.core_state
    things: bytes = state.data[state.vocabulary.things_start :].tobytes()
    return things


def _counts(obj: EnvObject) -> bool:
    return not isinstance(obj, AgentBody | AreaTile | CollectionTarget | CollectionDropOffTile)


def _call(method: Callable[..., Any], function: Callable[..., Any], grid_world: WorldInterface) -> Any:
    if _wants_state(function):
        return method(grid_world.world_state, grid_world)
    return method(grid_world)


@functools.lru_cache(maxsize=256)
def _wants_state(function: Callable[..., Any]) -> bool:
    """Whether a method of a goal is written with `(self, world_state, grid_world)`."""
    parameters = [p for p in inspect.signature(function).parameters.values() if p.default is p.empty]
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    return len(positional) == 3
