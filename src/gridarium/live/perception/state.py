"""What an agent knows of the world, and questions about it."""

from __future__ import annotations

import math
import time
from collections.abc import ItemsView, Iterable, Iterator, KeysView, Mapping, MutableMapping, ValuesView
from typing import Any, NoReturn, cast

from gridarium.live.objects.agent_body import AgentBody
from gridarium.live.objects.property_dict import PropertyDict, read_only
from gridarium.live.perception.memory import ObjectMemory
from gridarium.live.perception.object_table import Location, ObjectTable
from gridarium.live.perception.queries import Query, find
from gridarium.live.perception.scene import PerceivedScene, scene_of
from gridarium.live.perception.sense_capability import SenseCapability
from gridarium.live.world_interface import WorldInterface

WORLD = "World"
NOTHING = ObjectTable({})


class State(MutableMapping[Any, Any]):
    """What an agent knows of the world at one tick: the properties of objects and agents, by id, and of the world.

    `state[key]` finds objects. A key is

    - the id of an object, or "World": its properties;
    - the name of a property: all objects that have it;
    - a list of ids (if all of them are known) or of names of properties: all these objects, or those that have all of them;
    - a mapping of names to values: the objects of which all these properties have the value. A list of values stands for
      any of them, None for any value at all. A property that is a list, such as `class_inheritance`, matches if the value is
      one of its elements, one that is a mapping, such as `visualization`, if it has the items of a given mapping. Text is
      compared as a whole.

    The answer is the properties of the object if it is one, a list of them if they are several, and None if there is none.
    So that nothing need be guessed, `get_with_property` always gives a list or None. `key in state`, `len`, iteration,
    `keys`, `items` and `values` are those of a mapping from ids to properties.

    Properties are read only, see `PropertyDict`, and are those of the time of the first question in a tick. What is removed
    from a state is not known to its agent until it is perceived again.

    Args:
        own_id: the id of the agent; None for somebody who perceives everything and is nowhere.
        memorize_for_ticks: for how many ticks things that are not perceived any more are known, see `ObjectMemory`; None for
            not at all.

    Raises:
        TypeError, ValueError: not a number of ticks.

    Source: MATRX, `matrx.agents.agent_utils.state`.

    Example:
        >>> state["door_1"]["is_open"]
        >>> state[{"class_inheritance": "Door", "is_open": False}]
        >>> state[{"visualization": {"colour": "#ff0000"}, "is_movable": True}]
    """

    def __init__(self, own_id: str | None, memorize_for_ticks: int | None = None) -> None:
        self._own_id = own_id
        self._memory = None if memorize_for_ticks is None else ObjectMemory(memorize_for_ticks)
        self._memorize_for_ticks = memorize_for_ticks
        self._world: WorldInterface | None = None
        self._scene: PerceivedScene | None = None
        self._known: ObjectTable | None = NOTHING
        self._world_info: PropertyDict | None = None
        self._has_world_info = False
        self._updates = 0

    @property
    def own_id(self) -> str | None:
        """The id of the agent whose knowledge it is."""
        return self._own_id

    @property
    def memorize_for_ticks(self) -> int | None:
        """For how many ticks things are remembered."""
        return self._memorize_for_ticks

    # bringing it up to date

    def look(self, world: WorldInterface) -> State:
        """Perceive a world as it is now. Without memory, nothing is done before somebody asks."""
        self._world, self._known, self._world_info, self._has_world_info = world, None, None, True
        if self._memory is not None:
            self._perceive()
        return self

    def state_update(self, state_dict: Mapping[str, Mapping[str, Any]]) -> State:
        """Replace what is perceived by given properties by id, among them "World" if they are those of a world.

        Raises:
            ValueError: not a mapping, or a `State` (give its `as_dict()`).
        """
        if isinstance(state_dict, State) or not isinstance(state_dict, Mapping):
            raise ValueError(
                f"a state is updated with a mapping of properties by id, such as other.as_dict(), not {state_dict!r}"
            )
        seen = {i: read_only(properties) for i, properties in state_dict.items()}
        self._world_info = seen.pop(WORLD, None)
        self._has_world_info = self._world_info is not None
        self._world = self._scene = None
        self._updates += 1
        if self._memory is not None:
            now = (
                self._updates if self._world_info is None else self._world_info.get("nr_ticks", self._updates)
            )
            self._known = ObjectTable(seen)
            seen = self._memory.recall(now, seen, self.would_perceive)
        self._known = ObjectTable(seen)
        return self

    def forget_all(self) -> None:
        """Know nothing, as before the first tick."""
        if self._memory is not None:
            self._memory.clear()
        self._world, self._scene, self._known, self._world_info = None, None, NOTHING, None
        self._has_world_info, self._updates = False, 0

    @property
    def _table(self) -> ObjectTable:
        return self._perceive() if self._known is None else self._known

    def _perceive(self) -> ObjectTable:
        world = cast(WorldInterface, self._world)
        scene = self._scene = scene_of(world)
        found = scene.everything
        if self._own_id is not None:
            body = world.registered_agents.get(self._own_id)
            found = NOTHING if body is None else self._perceived_by(body, scene)
        if self._memory is not None:
            self._known = found
            seen = found.properties
            found = ObjectTable(self._memory.recall(world.current_nr_ticks, seen, self.would_perceive))
        self._known = found
        return found

    def _perceived_by(self, body: AgentBody, scene: PerceivedScene) -> ObjectTable:
        capability: SenseCapability | None = body.sense_capability
        if capability is None or capability.sees_all:
            return scene.everything
        properties = scene.everything.properties
        return ObjectTable({i: properties[i] for i in capability.visible_ids(scene, body)})

    def would_perceive(self, properties: Mapping[str, Any]) -> bool:
        """Whether the agent would perceive an object with such a class and location, if there was one.

        Without a world, as after `state_update`, this is judged by the ranges among the agent's own properties.
        """
        me = self.get_self()
        if me is None:
            return self._own_id is None
        names = [*properties.get("class_inheritance", ())]
        if properties.get("isAgent") is True:
            names = [*names[:1], "AgentBody", *names[1:], "EnvObject"]
        location = properties["location"]
        if self._world is not None and self._scene is not None:
            body = self._world.registered_agents[cast(str, self._own_id)]
            capability: SenseCapability | None = body.sense_capability
            return capability is None or capability.perceives(self._scene, body, names, location)
        ranges = me.get("sense_capability", {})
        if not isinstance(ranges, Mapping):
            return False
        reach = next((ranges[name] for name in [*names, "*"] if name in ranges), -1)
        return math.dist(me["location"], location) <= reach

    # a mapping

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            found = self._by_id(key)
            if found is not None:
                return found
        several = self.get_with_property(key)
        return several[0] if several is not None and len(several) == 1 else several

    def _by_id(self, key: str) -> PropertyDict | None:
        if key == WORLD and self._has_world_info:
            return self.get_world_info()
        return self._table.properties.get(key)

    def get(self, key: Any, default: Any = None) -> Any:
        """As `state[key]`, with another answer than None if nothing is found."""
        found = self[key]
        return default if found is None else found

    def __contains__(self, key: object) -> bool:
        """Whether an object with this id is known; of a list or mapping, whether anything is found by it."""
        if isinstance(key, str):
            return self._by_id(key) is not None
        return isinstance(key, list | tuple | Mapping) and self.get_with_property(key) is not None

    def __iter__(self) -> Iterator[str]:
        yield from self._table.properties
        if self._has_world_info:
            yield WORLD

    def __len__(self) -> int:
        return len(self._table.properties) + self._has_world_info

    def keys(self) -> KeysView[str]:
        """The ids of what is known, and "World"."""
        return self.as_dict().keys()

    def values(self) -> ValuesView[PropertyDict]:
        """The properties of what is known, and of the world."""
        return self.as_dict().values()

    def items(self) -> ItemsView[str, PropertyDict]:
        """The ids and properties of what is known, and of the world."""
        return self.as_dict().items()

    def as_dict(self) -> dict[str, PropertyDict]:
        """What is known, as a new dict: ids, and "World", to properties."""
        found = dict(self._table.properties)
        if self._has_world_info:
            found[WORLD] = self.get_world_info()
        return found

    def copy(self) -> State:
        """A copy that stays as it is while the world goes on."""
        made = State(self._own_id)
        made._known, made._has_world_info = self._table, self._has_world_info
        made._world_info = self.get_world_info() if self._has_world_info else None
        return made

    def __setitem__(self, key: Any, value: Any) -> NoReturn:
        raise ValueError("a state cannot be assigned to; it is updated by state_update")

    def update(self, *_: Any, **__: Any) -> NoReturn:
        """Refuse, as what an agent knows comes from the world.

        Raises:
            ValueError: always.
        """
        raise ValueError("a state cannot be updated so; use state_update")

    def __delitem__(self, key: str) -> None:
        if key == WORLD and self._has_world_info:
            self._has_world_info = False
        else:
            self._without([self._table.properties[key]["obj_id"]])

    def pop(self, key: Any, *default: Any) -> Any:
        """Remove an object, and return its properties.

        Raises:
            KeyError: it is not known, and no default is given.
        """
        found = self._by_id(key) if isinstance(key, str) else None
        if found is None:
            if default:
                return default[0]
            raise KeyError(key)
        del self[key]
        return found

    def remove(self, obj_id: str) -> None:
        """Remove an object, and forget it.

        Raises:
            KeyError: it is not known.
        """
        del self[obj_id]

    def remove_with_property(self, props: Query, combined: bool = True) -> None:
        """Remove all objects that `get_with_property` finds, and forget them; none is no error."""
        found = self.get_with_property(props, combined) or ()
        self._without([p["obj_id"] for p in found if "obj_id" in p])

    def _without(self, ids: Iterable[str]) -> None:
        gone = set(ids)
        if gone:
            self._known = self._table.without(gone)
            for i in gone if self._memory is not None else ():
                cast(ObjectMemory, self._memory).forget(i)

    def apply_occlusion(self) -> None:
        """Remove, and forget, what is out of sight, see `SenseCapability`.

        With a memory it is better to give the agent a sense capability with a line of sight: what it remembers from
        before is out of sight, too.

        Raises:
            ValueError: the state is not of a world, or the agent not in it.
        """
        me, world = self.get_self(), self._world
        if me is None or world is None:
            raise ValueError("what is in sight is found out for an agent in a world")
        seen = scene_of(world).in_sight(me["location"])
        self._without(p["obj_id"] for p in self._table.having("location") if not seen[p["location"][::-1]])

    # questions

    def get_with_property(self, props: Query, combined: bool = True) -> list[PropertyDict] | None:
        """The objects that a key describes, see the class; None if there is none.

        Args:
            props: an id, a list of ids, names of properties, or values by name.
            combined: whether objects need all properties, or one of them.

        Raises:
            TypeError: not such a key.
        """
        ids = [props] if isinstance(props, str) else props
        if isinstance(ids, list | tuple | set | frozenset) and ids:
            known = [self._by_id(i) if isinstance(i, str) else None for i in ids]
            if None not in known:
                return cast("list[PropertyDict]", known)
        return find(self._table, props, combined) or None

    def get_world_info(self) -> PropertyDict:
        """The properties of the world: `nr_ticks`, `grid_shape`, `team_members`, and so on.

        Raises:
            KeyError: they are not known.
        """
        if self._world_info is None:
            if self._world is None:
                raise KeyError(WORLD)
            self._world_info = self._describe(self._world)
        return self._world_info

    def _describe(self, world: WorldInterface) -> PropertyDict:
        info: dict[str, Any] = {
            "nr_ticks": world.current_nr_ticks,
            "curr_tick_timestamp": int(time.time() * 1000),
            "grid_shape": world.shape,
            "tick_duration": world.tick_duration,
            "world_ID": world.world_id,
            "vis_settings": PropertyDict(world.vis_settings),
        }
        if self._own_id is not None:
            info["team_members"] = team_mates(world.teams, self._own_id)
        return PropertyDict(info)

    def get_of_type(self, obj_type: str | type) -> list[PropertyDict] | None:
        """The objects of a class or of its subclasses; of agents, of the class of their brain."""
        name = obj_type.__name__ if isinstance(obj_type, type) else obj_type
        return list(self._table.of_class(name)) or None

    def get_room(self, room_name: str) -> list[PropertyDict] | None:
        """The walls, doors and tiles of a room: the objects with this `room_name`."""
        return self.get_with_property({"room_name": room_name})

    def get_all_room_names(self) -> list[str]:
        """The names of all rooms of which something is known, in the order in which it is perceived."""
        return list(dict.fromkeys(p["room_name"] for p in self._table.having("room_name")))

    def get_room_objects(self, room_name: str) -> list[PropertyDict] | None:
        """All objects within the smallest rectangle around what is known of a room, the room's own included."""
        room = self.get_room(room_name)
        if room is None:
            return None
        xs, ys = [p["location"][0] for p in room], [p["location"][1] for p in room]
        return self.get_objects_in_area((min(xs), min(ys)), bottom_right=(max(xs), max(ys)))

    def get_objects_in_area(
        self,
        top_left: Location,
        width: int | None = None,
        height: int | None = None,
        bottom_right: Location | None = None,
    ) -> list[PropertyDict]:
        """The objects in a rectangle.

        Args:
            top_left: its first cell.
            width: the number of its columns.
            height: the number of its rows.
            bottom_right: its last cell, in the place of width and height.

        Raises:
            ValueError: neither a last cell nor both width and height are given.
        """
        left, top = top_left
        if bottom_right is not None:
            right, bottom = bottom_right
        elif width and height:
            right, bottom = left + width - 1, top + height - 1
        else:
            raise ValueError("an area needs its bottom_right cell, or its width and its height")
        return [
            p
            for p in self._table.having("location")
            if left <= p["location"][0] <= right and top <= p["location"][1] <= bottom
        ]

    def get_room_doors(self, room_name: str) -> list[PropertyDict] | None:
        """The doors of a room; None if nothing is known of the room."""
        room = self.get_room(room_name)
        return None if room is None else [p for p in room if "Door" in p["class_inheritance"]]

    def get_agents(self) -> list[PropertyDict] | None:
        """The agents, oneself included."""
        return list(self._table.agents) or None

    def get_agents_with_property(self, props: Query) -> list[PropertyDict] | None:
        """The agents that have all of some properties."""
        return find(ObjectTable({p["obj_id"]: p for p in self._table.agents}), props, True) or None

    def get_team_members(self, team_name: str | None = None) -> list[PropertyDict] | None:
        """The agents of a team that are known; by default of one's own teams, oneself included."""
        if team_name is not None:
            teams = {team_name}
        else:
            me = self.get_self()
            if me is None:
                return None
            teams = _teams(me)
        return [p for p in self._table.agents if teams & _teams(p)] or None

    def get_self(self) -> PropertyDict | None:
        """The agent's own properties; None if it does not know them."""
        return None if self._own_id is None else self._table.properties.get(self._own_id)

    # what is near

    def get_closest_objects(self) -> list[PropertyDict] | None:
        """The objects and agents that are nearest, without oneself: several if equally near, None if there is none."""
        return self._closest(self._table.having("location"))

    def get_closest_with_property(self, props: Query) -> list[PropertyDict] | None:
        """The nearest of the objects that `get_with_property` finds, without oneself."""
        return self._closest(self.get_with_property(props))

    def get_closest_room_door(self, room_name: str | None = None) -> list[PropertyDict] | None:
        """The nearest of the doors of a room, or of any room."""
        doors = self._table.of_class("Door")
        return self._closest(
            [p for p in doors if "room_name" in p and (room_name is None or p["room_name"] == room_name)]
        )

    def get_closest_agents(self) -> list[PropertyDict] | None:
        """The nearest other agents."""
        return self._closest(self._table.agents)

    def _closest(self, found: Iterable[PropertyDict] | None) -> list[PropertyDict] | None:
        me = self.get_self()
        if me is None:
            return None
        x, y = me["location"]
        nearest: list[PropertyDict] = []
        least = math.inf
        for p in found or ():
            if p is me or "location" not in p:
                continue
            left, top = p["location"]
            away = (left - x) ** 2 + (top - y) ** 2
            if away < least:
                nearest, least = [p], away
            elif away == least:
                nearest.append(p)
        return nearest or None

    # maps

    @property
    def blocked(self) -> Any:
        """bool[width, height]: the cells in which something known is not traversable; read only."""
        return self._table.blocked(self.get_world_info()["grid_shape"])

    def get_traverse_map(self) -> dict[Location, bool]:
        """Whether each cell (x, y) is free of known objects that are not traversable."""
        return {
            (x, y): not no for x, column in enumerate(self.blocked.tolist()) for y, no in enumerate(column)
        }

    def get_distance_map(self) -> dict[Location, float]:
        """The distance of each cell (x, y) from the agent, in a straight line.

        Raises:
            ValueError: it does not know where it is.
        """
        me = self.get_self()
        if me is None:
            raise ValueError(f"distances are those from the agent, and {self._own_id!r} is not in this state")
        width, height = self.get_world_info()["grid_shape"]
        here = me["location"]
        return {(x, y): math.dist(here, (x, y)) for x in range(width) for y in range(height)}

    def __repr__(self) -> str:
        return f"<State of {self._own_id or 'everything'}: {len(self._table.properties)} objects and agents>"


def team_mates(teams: Mapping[str, Iterable[str]], agent_id: str) -> list[str]:
    """The ids of the agents that are in a team with an agent, itself included, each once."""
    members = (list(team) for team in teams.values())
    return list(dict.fromkeys(i for team in members if agent_id in team for i in team))


def _teams(agent: PropertyDict) -> set[Any]:
    return {*agent.get("teams", ()), agent.get("team")} - {None}
