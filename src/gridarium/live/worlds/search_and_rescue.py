"""Search and rescue: find victims in a building full of smoke and rubble, and bring them to safety."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from typing import Any

from gridarium.live.brains import HumanAgentBrain
from gridarium.live.builder import RandomProperty, WorldBuilder, get_distance
from gridarium.live.objects import CollectionDropOffTile, EnvObject, Wall
from gridarium.live.perception import SenseCapability, State
from gridarium.live.worlds.keys import KEYS
from gridarium.live.worlds.team_brain import IDLE, STEPS, Decision, Location, TeamBrain, middles_of_rooms

SHAPE = (26, 17)
TEAM = "rescue"
ZONE = "Safe zone"
ROOMS = {
    "office": ((5, 1), (8, 6), (8, 6)),
    "kitchen": ((17, 1), (8, 6), (20, 6)),
    "workshop": ((5, 10), (8, 6), (8, 10)),
    "store": ((17, 10), (8, 6), (20, 10)),
}
"""The upper left corner, the width and height, and the door of each room."""
CORRIDOR_WALLS = (((13, 6), (16, 6)), ((13, 10), (16, 10)))
RUBBLE = ((14, 7), (14, 8), (15, 8), (14, 9), (8, 7), (20, 9))
"""Heaps of rubble: they close the corridor, and two doors."""
MOVES = tuple(STEPS.values())
CARRYING = (*MOVES, "OpenDoorAction", "CloseDoorAction", "GrabObject", "DropObject")
SEEN_FROM, SCOUT_SEES_FROM = 2, 4
CLEARING_TICKS = 4
CRITICAL, MILD = "#d62728", "#ff9f1c"
"""The colors of victims, by how they are."""
HUMAN = functools.partial(
    HumanAgentBrain, max_carry_objects=1, grab_range=1, drop_range=1, removes=("Rubble",)
)
HUMAN_ACTIONS = (*CARRYING, "RemoveObject")
RESCUE_KEYS = {**KEYS, "x": "RemoveObject"}
"""The keys of people; what they remove is rubble."""


class Victim(EnvObject):
    """Somebody who is to be brought to safety; the color says how they are."""

    def __init__(self, location: Location, name: str = "Victim", **properties: Any) -> None:
        properties.update(is_traversable=True, is_movable=True)
        properties.setdefault("visualize_shape", 2)
        properties.setdefault("visualize_colour", MILD)
        super().__init__(location, name, **properties)


class Rubble(EnvObject):
    """A heap that is in the way until it is removed."""

    def __init__(self, location: Location, name: str = "Rubble", **properties: Any) -> None:
        properties.update(is_traversable=False, is_movable=False)
        properties.setdefault("visualize_colour", "#6b4f3a")
        super().__init__(location, name, **properties)


def search_and_rescue(
    people: int = 1, victims: int = 6, random_seed: int = 1, tick_duration: float = 0.2
) -> WorldBuilder:
    """A builder of search and rescue.

    A scout perceives victims from afar, but cannot carry; a digger removes rubble, which takes its time; a carrier brings
    victims to the safe zone at the left. Smoke hides victims from all but who is near. People carry and remove rubble.
    The world is done when all victims are safe.

    Args:
        people: the number of agents for people; `RESCUE_KEYS` has their keys.
        victims: the number of victims, 1 to 8, two in a room at most.
        random_seed: see `WorldBuilder`.
        tick_duration: in seconds.

    Raises:
        ValueError: an argument is not possible.
    """
    places = [
        (x + 2 + 3 * i, y + 2 + i) for i in range(2) for (x, y), _, _ in ROOMS.values()
    ]  # the first of each room, then the second
    if not 1 <= victims <= len(places):
        raise ValueError(f"1 to {len(places)} victims are possible, not {victims}")
    if not 0 <= people <= SHAPE[1] - 2:
        raise ValueError(f"0 to {SHAPE[1] - 2} people are possible, not {people}")
    builder = WorldBuilder(
        SHAPE,
        tick_duration,
        random_seed,
        name="search-and-rescue",
        visualization_bg_clr="#e8e4dc",
        action_parameters={
            "grab_range": 1,
            "drop_range": 1,
            "door_range": 1,
            "max_objects": 1,
            "remove_range": 1,
        },
    )
    builder.add_room((0, 0), *SHAPE, "building")
    for start, end in CORRIDOR_WALLS:
        builder.add_line(start, end, "Wall", Wall)
    for name, (corner, size, door) in ROOMS.items():
        builder.add_room(corner, *size, name, [door], with_area_tiles=True)
        inner = (size[0] - 2, size[1] - 2)
        builder.add_smoke_area((corner[0] + 1, corner[1] + 1), *inner, f"{name} smoke")
    for place in RUBBLE:
        builder.add_object(place, "Rubble", Rubble)
    colours = [CRITICAL] * (victims // 3) + [MILD] * (victims - victims // 3)
    dealt = RandomProperty(colours, allow_duplicates=False, reset_each_world=True)
    for place in places[:victims]:
        builder.add_object(place, "Victim", Victim, visualize_colour=dealt)
    zone = [(x, y) for x in range(1, 4) for y in range(6, 11)]
    wanted = [{"visualize_colour": colour} for colour in colours]
    builder.add_collection_goal(ZONE, zone, wanted, overwrite_goals=True)
    near = SenseCapability({Victim: SEEN_FROM, None: math.inf})
    far = SenseCapability({Victim: SCOUT_SEES_FROM, None: math.inf})
    for i in range(people):
        place, name = (4, 1 + i), f"Human {i + 1}"
        builder.add_human_agent(
            place, HUMAN, name, near, True, TEAM, possible_actions=HUMAN_ACTIONS, key_action_map=RESCUE_KEYS
        )
    builder.add_agent(
        (3, 5), ScoutBrain, "Scout", far, team=TEAM, possible_actions=(*MOVES, "OpenDoorAction")
    )
    builder.add_agent(
        (2, 5),
        DiggerBrain,
        "Digger",
        near,
        team=TEAM,
        possible_actions=(*MOVES, "OpenDoorAction", "RemoveObject"),
    )
    builder.add_agent((1, 5), CarrierBrain, "Carrier", near, team=TEAM, possible_actions=CARRYING)
    return builder


class RescueBrain(TeamBrain):
    """Learns the building anew when a teammate has removed rubble."""

    def initialize(self) -> None:
        """Forget everything."""
        super().initialize()
        self._changed = False

    def decide(self, state: State) -> Decision:
        """Act, by a fresh look at the building if it has changed."""
        if self._changed:
            self.learn(state)
            self._changed = False
        return self.act(state)

    def act(self, state: State) -> Decision:
        """Decide what to do in this tick."""
        raise NotImplementedError

    def hear(self, sender: str, facts: Mapping[str, Any]) -> None:
        """Take notice of rubble that is gone."""
        self._changed = self._changed or "cleared" in facts


class ScoutBrain(RescueBrain):
    """Looks into all rooms, the nearest first, and reports the victims."""

    def initialize(self) -> None:
        """Forget everything."""
        super().initialize()
        self._centers: dict[Location, str] = {}
        self._done: set[str] = set()

    def learn(self, state: State) -> None:
        """Look where the rooms are."""
        super().learn(state)
        self._centers = {cell: name for name, cell in middles_of_rooms(state).items()}

    def act(self, state: State) -> Decision:
        """Walk to the next room, and report whom it sees there."""
        room = self._centers.get(self.here)
        if room is not None and room not in self._done:
            self._done.add(room)
            found = [(v["obj_id"], *v["location"]) for v in state.get_of_type(Victim) or ()]
            self.tell(f"In the {room}: {len(found)} victim{'s' * (len(found) != 1)}.", victims=found)
        goal = self.nearest([cell for cell, name in self._centers.items() if name not in self._done])
        return IDLE if goal is None else self.walk(goal)


class DiggerBrain(RescueBrain):
    """Removes all rubble, the nearest first."""

    def act(self, state: State) -> Decision:
        """Walk to the next heap, and remove it."""
        heaps = {heap["location"]: heap["obj_id"] for heap in state.get_of_type(Rubble) or ()}
        if self.previous_action == "RemoveObject":
            self.previous_action = None
            self.tell("A heap of rubble is gone.", cleared=True)
            self.learn(state)
        reached = next((heap for heap in heaps if get_distance(heap, self.here) <= 1), None)
        if reached is not None:
            arguments = {"object_id": heaps[reached], "remove_range": 1, "action_duration": CLEARING_TICKS}
            return "RemoveObject", arguments
        beside = [(x + dx, y + dy) for x, y in heaps for dx, dy in STEPS]
        goal = self.nearest(beside)
        return IDLE if goal is None else self.walk(goal)


class CarrierBrain(RescueBrain):
    """Brings victims to the safe zone, one after another, the nearest first."""

    def initialize(self) -> None:
        """Forget everything."""
        super().initialize()
        self._known: dict[str, Location] = {}
        self._zone: list[Location] = []

    def learn(self, state: State) -> None:
        """Look where the safe zone is."""
        super().learn(state)
        self._zone = [tile["location"] for tile in state.get_of_type(CollectionDropOffTile) or ()]

    def hear(self, sender: str, facts: Mapping[str, Any]) -> None:
        """Take notice of victims."""
        super().hear(sender, facts)
        self._known.update({victim: (x, y) for victim, x, y in facts.get("victims", ())})

    def act(self, state: State) -> Decision:
        """Fetch a victim, or bring one to the safe zone."""
        carried = self.agent_properties["is_carrying"]
        if carried:
            self._known.pop(carried[0]["obj_id"], None)
            goal = self.nearest(self._zone)
            if goal is None or goal == self.here:
                return ("DropObject", {"drop_range": 0}) if goal else IDLE
            return self.walk(goal)
        place = self.nearest(self._known.values())
        if place is None:
            return IDLE
        if self.here != place:
            return self.walk(place)
        victim = next(v for v, cell in self._known.items() if cell == place)
        if victim not in state:  # somebody else has taken it
            del self._known[victim]
            return IDLE
        return "GrabObject", {"object_id": victim, "grab_range": 1, "max_objects": 1}
