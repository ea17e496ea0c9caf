"""A small world in which a person learns the keys, with a helper that explains, and does what is left to do."""

from __future__ import annotations

import functools
import math
from typing import Any

from gridarium.live.brains import HumanAgentBrain
from gridarium.live.builder import WorldBuilder
from gridarium.live.description import MOVES
from gridarium.live.objects import CollectionDropOffTile, Door, EnvObject
from gridarium.live.perception import SenseCapability, State
from gridarium.live.worlds.keys import KEYS
from gridarium.live.worlds.team_brain import IDLE, Decision, Location, TeamBrain, target_of

SHAPE = (12, 9)
TEAM = "tutorial"
ZONE = "Shelf"
BOXES = (((6, 2), "Red box", "#d62728"), ((9, 2), "Blue box", "#1f77b4"))
HUMAN = functools.partial(HumanAgentBrain, max_carry_objects=1, grab_range=1, drop_range=1)
ACTIONS = (*MOVES, "OpenDoorAction", "CloseDoorAction", "GrabObject", "DropObject")
"""What both do."""
PATIENCE = 200
"""For how many ticks the helper waits for the person before it does the person's part as well."""
DOOR_PATIENCE = 75
"""For how many ticks it waits for the person to open the door."""
TIME_TO_WALK = 15
"""After so many ticks it speaks of the door."""
LESSONS = (
    "Hello! Walk with the arrow keys, or w, a, s and d.",
    "The room has a door. Stand before it and press r to open it.",
    "There are two boxes inside. Stand beside the red one and press q to take it; I take the blue one.",
    "Carry it to the orange shelf and press e to put it down.",
)
"""What the helper says: at first, after a while, when the door is open, and when the person has a box."""


class Box(EnvObject):
    """A box that agents carry."""

    def __init__(self, location: Location, name: str = "Box", **properties: Any) -> None:
        properties.update(is_traversable=True, is_movable=True)
        super().__init__(location, name, **properties)


def tutorial(people: int = 1, random_seed: int = 1, tick_duration: float = 0.2) -> WorldBuilder:
    """A builder of the tutorial: two boxes are to be brought from a room to a shelf, by a person and a helper.

    Args:
        people: 1, or 0 to let the helper do it alone.
        random_seed: see `WorldBuilder`.
        tick_duration: in seconds.

    Raises:
        ValueError: another number of people.
    """
    if people not in (0, 1):
        raise ValueError(f"the tutorial is for 1 person, or 0 to watch; not for {people}")
    builder = WorldBuilder(
        SHAPE,
        tick_duration,
        random_seed,
        name="tutorial",
        action_parameters={"grab_range": 1, "drop_range": 1, "door_range": 1, "max_objects": 1},
    )
    builder.add_room((5, 1), 6, 5, "room", [(7, 5)], with_area_tiles=True)
    for place, name, colour in BOXES:
        builder.add_object(place, name, Box, visualize_colour=colour)
    shelf = [(1, 4), (1, 5)]
    builder.add_collection_goal(
        ZONE, shelf, [{"visualize_colour": colour} for _, _, colour in BOXES], overwrite_goals=True
    )
    senses = SenseCapability({None: math.inf})
    for _ in range(people):
        builder.add_human_agent(
            (2, 7), HUMAN, "You", senses, True, TEAM, possible_actions=ACTIONS, key_action_map=KEYS
        )
    patience = PATIENCE if people else 0
    helper = functools.partial(HelperBrain, patience=patience)
    builder.add_agent((4, 7), helper, "Helper", senses, team=TEAM, possible_actions=ACTIONS)
    return builder


class HelperBrain(TeamBrain):
    """Explains the keys, brings one box, and brings the other one, too, if nobody does it in time.

    Args:
        patience: for how many ticks it waits before it brings the other one.
    """

    def __init__(self, patience: int = PATIENCE) -> None:
        super().__init__()
        self.patience = patience

    def initialize(self) -> None:
        """Forget everything."""
        super().initialize()
        self._has_praised = False
        self._said = 0

    def decide(self, state: State) -> Decision:
        """Say what is to be said, and bring a box."""
        tick = state.get_world_info()["nr_ticks"]
        is_open = any(door["is_open"] for door in state.get_of_type(Door) or ())
        self._teach(state, tick, is_open)
        self._praise(state)
        if not is_open and tick < min(DOOR_PATIENCE, self.patience):
            return IDLE
        shelf = [tile["location"] for tile in state.get_of_type(CollectionDropOffTile) or ()]
        if self.agent_properties["is_carrying"]:
            goal = self.nearest(shelf)
            return ("DropObject", {"drop_range": 0}) if goal in (None, self.here) else self.walk(goal)
        boxes = {
            box["location"]: box["obj_id"]
            for box in state.get_of_type(Box) or ()
            if box["location"] not in shelf and (box["obj_id"] == "Blue_box" or tick >= self.patience)
        }
        place = self.nearest(boxes)
        if place is None:
            return IDLE
        if place != self.here:
            return self.walk(place)
        return "GrabObject", {"object_id": boxes[place], "grab_range": 0, "max_objects": 1}

    def _teach(self, state: State, tick: int, is_open: bool) -> None:
        """Say the next lesson, if it is time for it; that on the door only while it is closed."""
        people = state.get_agents_with_property({"is_human_agent": True}) or ()
        due = (True, tick >= TIME_TO_WALK or is_open, is_open, any(each["is_carrying"] for each in people))
        if self._said < len(LESSONS) and due[self._said]:
            if not (is_open and self._said == 1):
                self.tell(LESSONS[self._said])
            self._said += 1

    def _praise(self, state: State) -> None:
        if target_of(state)["collected"] and not self._has_praised:
            self._has_praised = True
            self.tell("One box is on the shelf, one is left.")
