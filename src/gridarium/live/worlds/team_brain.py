"""What the scripted teammates of live worlds have in common: ways through a building, and reports to the team."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping
from typing import Any, TypeAlias

from gridarium.live.brains import AgentBrain
from gridarium.live.messages import Message
from gridarium.live.objects import AreaTile, CollectionTarget, Door
from gridarium.live.perception import State

Location: TypeAlias = tuple[int, int]
Decision: TypeAlias = tuple[str | None, dict[str, Any]]
IDLE: Decision = (None, {})
STEPS: Mapping[Location, str] = {
    (0, -1): "MoveNorth",
    (1, 0): "MoveEast",
    (0, 1): "MoveSouth",
    (-1, 0): "MoveWest",
}


COLOURS = {
    "#ff0000": "red",
    "#ffffff": "white",
    "#ffff00": "yellow",
    "#0000ff": "blue",
    "#00ff00": "green",
    "#ff00ff": "magenta",
}
"""The names of colors in messages."""


class TeamReport(Message):
    """A message that people read as a text, and scripted teammates as data.

    Args:
        text: for people.
        from_id: who says it.
        facts: for teammates.
        to_id: as for `Message`.
    """

    def __init__(
        self, text: str, from_id: str, facts: Mapping[str, Any], to_id: str | list[str] | None = None
    ) -> None:
        super().__init__(text, from_id, to_id)
        self.facts = dict(facts)


class TeamBrain(AgentBrain):
    """Walks shortest ways in four directions, opens the doors on them, and tells the team what it does.

    It learns the building once, and again after `learn`. Subclasses override `decide`, and `hear` for reports of teammates.
    """

    def initialize(self) -> None:
        """Forget everything."""
        super().initialize()
        self._blocked: frozenset[Location] | None = None
        self._shape = (0, 0)
        self._doors: dict[Location, str] = {}
        self._opened: set[Location] = set()
        self._distances: dict[Location, dict[Location, int]] = {}

    def decide_on_action(self, state: State) -> Decision:
        """Hear what teammates have said, then decide."""
        if self._blocked is None:
            self.learn(state)
        messages, self.received_messages = self.received_messages, []
        for message in messages:
            if isinstance(message, TeamReport) and message.from_id != self.agent_id:
                self.hear(message.from_id, message.facts)
        return self.decide(state)

    def decide(self, state: State) -> Decision:
        """Decide what to do in this tick."""
        raise NotImplementedError

    def hear(self, sender: str, facts: Mapping[str, Any]) -> None:
        """Take notice of what a teammate reports."""

    def tell(self, text: str, **facts: Any) -> None:
        """TeamReport something to the team."""
        team = self.agent_properties["team"]
        self.send_message(TeamReport(text, self.agent_id, facts, to_id=team))

    # where it is, and ways

    @property
    def here(self) -> Location:
        """Its own cell."""
        x, y = self.agent_properties["location"]
        return x, y

    def learn(self, state: State) -> None:
        """Look at the building: what is in the way, and where doors are."""
        self._shape = state.get_world_info()["grid_shape"]
        self._doors = {door["location"]: door["obj_id"] for door in state.get_of_type(Door) or ()}
        self._opened = {d["location"] for d in state.get_of_type(Door) or () if d["is_open"]}
        in_the_way = [
            p["location"]
            for p in state.as_dict().values()
            if p.get("is_traversable") is False and not p.get("isAgent")
        ]
        self._blocked = frozenset(cell for cell in in_the_way if cell not in self._doors)
        self._distances = {}

    def distance(self, goal: Location) -> int | None:
        """The number of steps to a cell; None if there is no way."""
        return self._distances_to(goal).get(self.here)

    def nearest(self, cells: Collection[Location]) -> Location | None:
        """The cell with the shortest way, of several; None if none can be reached."""
        ways = [(steps, cell) for cell in cells if (steps := self.distance(cell)) is not None]
        return min(ways)[1] if ways else None

    def walk(self, goal: Location) -> Decision:
        """The next step of a shortest way to a cell: a move, or the opening of the door that is next; idle if there is none."""
        steps, (x, y) = self._distances_to(goal), self.here
        here = steps.get((x, y), 0)
        for (dx, dy), move in STEPS.items():
            cell = (x + dx, y + dy)
            if steps.get(cell, here) < here:
                if cell in self._doors and cell not in self._opened:
                    self._opened.add(cell)
                    return "OpenDoorAction", {"object_id": self._doors[cell], "door_range": 1}
                return move, {}
        return IDLE

    def _distances_to(self, goal: Location) -> dict[Location, int]:
        """The number of steps from each cell to a goal, by breadth-first search, kept until it learns anew."""
        found = self._distances.get(goal)
        if found is not None:
            return found
        width, height = self._shape
        blocked = self._blocked or frozenset()
        found = {goal: 0}
        ahead = deque([goal])
        while ahead:
            x, y = ahead.popleft()
            for dx, dy in STEPS:
                cell = (x + dx, y + dy)
                inside = 0 <= cell[0] < width and 0 <= cell[1] < height
                if inside and cell not in found and cell not in blocked:
                    found[cell] = found[x, y] + 1
                    ahead.append(cell)
        self._distances[goal] = found
        return found


def middles_of_rooms(state: State) -> dict[str, Location]:
    """A tile in the middle of each room whose tiles are known, by the room's name."""
    floors: dict[str, list[Location]] = {}
    for tile in state.get_of_type(AreaTile) or ():
        if "room_name" in tile:
            floors.setdefault(tile["room_name"], []).append(tile["location"])
    return {name: sorted(cells)[len(cells) // 2] for name, cells in floors.items()}


def target_of(state: State) -> Mapping[str, Any]:
    """What is to be collected, and how much of it was: the properties of the `CollectionTarget`.

    Raises:
        ValueError: the agent knows of none.
    """
    found = state.get_of_type(CollectionTarget)
    if not found:
        raise ValueError("the world has no CollectionTarget, or it is not perceived")
    return found[0]
