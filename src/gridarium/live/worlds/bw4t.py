"""Blocks World for Teams: bring blocks from nine rooms to the drop zone, in the order in which their colors are wanted.

Source: Johnson, Jonker, van Riemsdijk, Feltovich, Bradshaw, Joint Activity Testbed: Blocks World for Teams, 2009; the plan of
the rooms is that of the case `bw4t` of MATRX 2.3.3.
"""

from __future__ import annotations

import functools
import itertools
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gridarium.live.brains import HumanAgentBrain
from gridarium.live.builder import Brain, RandomProperty, WorldBuilder, get_room_locations
from gridarium.live.description import MOVES
from gridarium.live.goals import CollectionGoal
from gridarium.live.objects import AgentBody, CollectionDropOffTile, Door, EnvObject
from gridarium.live.perception import SenseCapability, State
from gridarium.live.worlds.keys import KEYS
from gridarium.live.worlds.team_brain import (
    COLOURS,
    IDLE,
    Decision,
    Location,
    TeamBrain,
    middles_of_rooms,
    target_of,
)
from gridarium.live.worlds.trained_collector import TrainedCollector

TEAM = "bw4t"
ZONE = "Drop zone"
DROP_ROOM = "Drop_off"
ROOM_SIDE, HALL, DROP_WIDTH = 7, 3, 15
BLOCKS_IN_ROOM = ((2, 2), (4, 2), (2, 4), (4, 4))
"""The places of a room's blocks: in the middle, so that they are perceived from within the room only."""
SEEN_FROM = 2
HUMAN = functools.partial(HumanAgentBrain, max_carry_objects=1, grab_range=0, drop_range=0)
MOST_WANTED = 6
MOST_ROOMS = 10
"""The most rooms in a row, and the most rows."""
ROBOT_ACTIONS = (*MOVES, "OpenDoorAction", "GrabObject", "DropObject")
"""What robots do: they close no doors."""
HUMAN_ACTIONS = (*ROBOT_ACTIONS, "CloseDoorAction")
"""What people do; nobody removes anything."""


class Block(EnvObject):
    """A block that agents carry."""

    def __init__(self, location: Location, name: str = "Block", **properties: Any) -> None:
        properties.update(is_traversable=True, is_movable=True)
        super().__init__(location, name, **properties)


def bw4t(
    agents: int = 2,
    people: int = 1,
    wanted: int = MOST_WANTED,
    random_seed: int = 1,
    tick_duration: float = 0.1,
    rooms: tuple[int, int] = (3, 3),
    teammate: Brain | str | os.PathLike[str] | None = None,
) -> WorldBuilder:
    """A builder of Blocks World for Teams.

    Each of the nine rooms has four blocks, six of each color in all; smaller plans have fewer colors, so that every order can
    be brought. Blocks are perceived from within their room only, and agents do not perceive each other, so a team talks. An agent
    carries one block. The wanted colors are shown at the lower left, and known to all. The world is done when all wanted
    blocks were brought in order.

    Args:
        agents: the number of robots.
        people: the number of agents for people; `KEYS` has their keys.
        wanted: the number of blocks that are wanted, 1 to 6.
        random_seed: see `WorldBuilder`.
        tick_duration: in seconds.
        rooms: the number of rooms in a row, and of rows, 1 to 10 each; the original has 3 and 3.
        teammate: the last robot's brain, in place of a scripted `CollectorBrain`; or the file of a network that was trained,
            for a `TrainedCollector`.

    Raises:
        ValueError: an argument is not possible, or nobody is there.
    """
    plan = _Plan(*rooms)
    most = min(MOST_WANTED, plan.blocks)
    if not 1 <= wanted <= most:
        raise ValueError(f"wanted is 1 to {most} blocks, not {wanted}")
    width = plan.shape[0]
    if min(agents, people) < 0 or not 1 <= agents + people <= width - 2:
        raise ValueError(f"1 to {width - 2} agents are possible, not {agents} and {people} for people")
    builder = WorldBuilder(
        plan.shape,
        tick_duration,
        random_seed,
        name="bw4t",
        visualization_bg_clr="#f0f0f0",
        action_parameters={"grab_range": 0, "drop_range": 0, "door_range": 1, "max_objects": 1},
    )
    _add_rooms(builder, plan, wanted)
    _add_drop_zone(builder, plan, wanted)
    last: Brain = CollectorBrain
    if isinstance(teammate, str | os.PathLike):
        last = functools.partial(TrainedCollector, os.fspath(teammate), in_room=len(BLOCKS_IN_ROOM))
    elif teammate is not None:
        last = teammate
    senses = SenseCapability({AgentBody: 0, Block: SEEN_FROM, None: math.inf})
    for i in range(people):
        place, name = (1 + i, 1), f"Human {i + 1}"
        builder.add_human_agent(
            place, HUMAN, name, senses, True, TEAM, possible_actions=HUMAN_ACTIONS, key_action_map=KEYS
        )
    for i in range(agents):
        brain = last if i == agents - 1 else CollectorBrain
        place, name = (1 + people + i, 1), f"Robot {i + 1}"
        builder.add_agent(place, brain, name, senses, team=TEAM, possible_actions=ROBOT_ACTIONS)
    return builder


@dataclass(frozen=True)
class _Plan:
    """Where rooms are: in rows, each with a corridor above it, the drop zone below them.

    Attributes:
        columns: the number of rooms in a row.
        rows: the number of rows.
    """

    columns: int
    rows: int

    def __post_init__(self) -> None:
        if not (1 <= self.columns <= MOST_ROOMS and 1 <= self.rows <= MOST_ROOMS):
            raise ValueError(
                f"1 to {MOST_ROOMS} rooms in a row and rows are possible, not {self.columns} and {self.rows}"
            )

    @property
    def shape(self) -> tuple[int, int]:
        """Width and height."""
        return ROOM_SIDE * self.columns + 2 * HALL + 3, self.drop_place[1] + ROOM_SIDE + HALL

    @property
    def blocks(self) -> int:
        """The number of blocks."""
        return len(BLOCKS_IN_ROOM) * self.columns * self.rows

    def colours(self, wanted: int) -> list[str]:
        """The colors of blocks: of each there are as many as are wanted in all, or more."""
        return [*COLOURS][: max(1, self.blocks // wanted)]

    def room(self, number: int) -> Location:
        """The upper left wall of a room."""
        row, column = divmod(number, self.columns)
        return 1 + HALL + ROOM_SIDE * column, 1 + HALL + (ROOM_SIDE + HALL) * row

    @property
    def drop_size(self) -> tuple[int, int]:
        """Width and height of the drop zone with its walls."""
        return DROP_WIDTH if self.columns > 1 else ROOM_SIDE, ROOM_SIDE

    @property
    def drop_place(self) -> Location:
        """The upper left wall of the drop zone."""
        middle = 1 + HALL + (ROOM_SIDE * self.columns) // 2
        return middle - self.drop_size[0] // 2, 1 + HALL + (ROOM_SIDE + HALL) * self.rows


def _add_rooms(builder: WorldBuilder, plan: _Plan, wanted: int) -> None:
    """Rooms in rows, each with a door in the middle of its upper wall and four blocks."""
    dealt = list(itertools.islice(itertools.cycle(plan.colours(wanted)), plan.blocks))
    colours = RandomProperty(dealt, allow_duplicates=False, reset_each_world=True)
    for number in range(plan.columns * plan.rows):
        x, y = plan.room(number)
        builder.add_room(
            (x, y),
            ROOM_SIDE,
            ROOM_SIDE,
            f"room_{number}",
            door_locations=[(x + ROOM_SIDE // 2, y)],
            wall_visualize_colour="#8a8a8a",
            area_visualize_colour="#dbdbdb",
            area_visualize_opacity=0.1,
        )
        for dx, dy in BLOCKS_IN_ROOM:
            builder.add_object((x + dx, y + dy), f"Block in room_{number}", Block, visualize_colour=colours)


def _add_drop_zone(builder: WorldBuilder, plan: _Plan, wanted: int) -> None:
    """The room to which blocks are brought, and the colors that are wanted, at the lower left."""
    (x, y), (width, height) = plan.drop_place, plan.drop_size
    door = (x + width // 2, y)
    builder.add_room((x, y), width, height, DROP_ROOM, [door], wall_visualize_colour="#8a8a8a")
    possible = [{"visualization_colour": colour} for colour in plan.colours(wanted)]
    builder.add_collection_goal(
        ZONE,
        get_room_locations((x, y), width, height),
        CollectionGoal.get_random_order_property(possible, wanted, with_duplicates=True),
        in_order=True,
        collection_area_opacity=0.5,
        overwrite_goals=True,
        signal_locs=[(1, plan.shape[1] - 1 - wanted + i) for i in range(wanted)],
    )


class CollectorBrain(TeamBrain):
    """Searches rooms, and brings the blocks that are wanted.

    Blocks are claimed in the order in which they are wanted; of two agents that claim the same in the same tick, the one
    whose id comes first keeps it. Who has no block to bring searches the nearest room that nobody has searched. What
    people do is seen from the number of blocks that were brought, and from blocks that are not where they were.
    """

    def initialize(self) -> None:
        """Forget everything."""
        super().initialize()
        self._rooms: dict[str, Location] = {}
        self._zone: list[Location] = []
        self._door_of_zone: Location = (0, 0)
        self._wanted: list[str] = []
        self._blocks: dict[str, tuple[str, Location]] = {}
        self._searched: set[str] = set()
        self._searching: dict[str, str] = {}
        self._claims: dict[int, tuple[str, str]] = {}
        self._carrying = False

    def get_log_data(self) -> dict[str, Any]:
        """The rank of the block that it brings, and how many rooms are searched."""
        return {"brings": self._my_rank(), "rooms_searched": len(self._searched)}

    def learn(self, state: State) -> None:
        """Look where the rooms and the drop zone are, and what is wanted."""
        super().learn(state)
        self._rooms = middles_of_rooms(state)
        doors = state.get_of_type(Door) or ()
        self._door_of_zone = next(d["location"] for d in doors if d["room_name"] == DROP_ROOM)
        tiles = state.get_of_type(CollectionDropOffTile) or ()
        self._zone = sorted((tile["location"] for tile in tiles), key=lambda cell: (cell[1], cell[0]))
        self._wanted = [each["visualization_colour"] for each in target_of(state)["collection_objects"]]

    def hear(self, sender: str, facts: Mapping[str, Any]) -> None:
        """Take notice of blocks, searches and claims."""
        if "searches" in facts:
            self._searching[sender] = facts["searches"]
            if facts["searches"] == self._searching.get(self.agent_id) and sender < self.agent_id:
                del self._searching[self.agent_id]
        if "searched" in facts:
            self._searched.add(facts["searched"])
            self._searching.pop(sender, None)
        for block, colour, x, y in facts.get("blocks", ()):
            self._blocks[block] = colour, (x, y)
        if "gone" in facts:
            self._blocks.pop(facts["gone"], None)
        if "ends" in facts:
            self._claims = {rank: claim for rank, claim in self._claims.items() if claim[0] != sender}
        if "brings" in facts:
            rank, block = facts["brings"]
            self._searching.pop(sender, None)
            if rank not in self._claims or (sender < self._claims[rank][0] and not self._carrying):
                self._claims[rank] = sender, block

    def decide(self, state: State) -> Decision:
        """Bring a block, fetch one, or search a room."""
        carried, rank = self.agent_properties["is_carrying"], self._my_rank()
        if carried:
            self._carrying = True
            return self._bring(state, rank, carried[0])
        if self._carrying:
            self._carrying = False
            self._end(rank, "I have put my block down.")
            rank = None
        if rank is None:
            rank = self._claim(state)
        return self._search(state) if rank is None else self._fetch(state, rank)

    # claims

    def _my_rank(self) -> int | None:
        return next((rank for rank, (agent, _) in self._claims.items() if agent == self.agent_id), None)

    def _open_ranks(self, state: State) -> list[int]:
        """The numbers of the blocks that are wanted and that nobody brings, in order."""
        brought = target_of(state)["collected"]
        self._claims = {rank: claim for rank, claim in self._claims.items() if rank >= brought}
        return [rank for rank in range(brought, len(self._wanted)) if rank not in self._claims]

    def _claim(self, state: State) -> int | None:
        """Claim a block for what is wanted next, if one is known."""
        ranks = self._open_ranks(state) if self._blocks else []
        if not ranks:
            return None
        colour, taken = self._wanted[ranks[0]], {block for _, block in self._claims.values()}
        cells = {cell: b for b, (c, cell) in self._blocks.items() if c == colour and b not in taken}
        nearest = self.nearest(cells)
        if nearest is None:
            return None
        self._take_on(ranks[0], cells[nearest])
        return ranks[0]

    def _take_on(self, rank: int, block: str) -> None:
        self._claims[rank] = self.agent_id, block
        self._searching.pop(self.agent_id, None)
        self.tell(f"I bring number {rank + 1}, {COLOURS[self._wanted[rank]]}.", brings=(rank, block))

    def _end(self, rank: int | None, text: str, **facts: Any) -> None:
        if rank is not None:
            del self._claims[rank]
        self.tell(text, ends=True, **facts)

    # what it does

    def _fetch(self, state: State, rank: int) -> Decision:
        """Walk to a block, and grab it."""
        block = self._claims[rank][1]
        if block in self._blocks and self.here != self._blocks[block][1]:
            return self.walk(self._blocks[block][1])
        if block in self._blocks and block in state:
            return "GrabObject", {"object_id": block, "grab_range": 0, "max_objects": 1}
        self._blocks.pop(block, None)
        self._end(rank, "Somebody has taken the block that I wanted to bring.", gone=block)
        return IDLE

    def _bring(self, state: State, rank: int | None, block: Mapping[str, Any]) -> Decision:
        """Walk to the drop zone, and put the block down when it is its turn."""
        self._blocks.pop(block["obj_id"], None)
        if rank is None:
            return self._bring_another(state, block)
        place = self._zone[rank % len(self._zone)]
        if self.here != place:
            return self.walk(place)
        brought = target_of(state)["collected"]
        if brought > rank:  # somebody else has brought this one
            del self._claims[rank]
            return self._bring_another(state, block)
        return ("DropObject", {"drop_range": 0}) if brought == rank else IDLE

    def _bring_another(self, state: State, block: Mapping[str, Any]) -> Decision:
        """Bring a block for which it has no claim where one like it is wanted, or put it down out of the way."""
        colour = block["visualization"]["colour"]
        rank = next((r for r in self._open_ranks(state) if self._wanted[r] == colour), None)
        if rank is not None:
            self._take_on(rank, block["obj_id"])
            return IDLE
        x, y = self._door_of_zone
        away = (x, y - 1)
        if self.here != away:
            return self.walk(away)
        self._blocks[block["obj_id"]] = colour, away
        self.tell("I put a block down that is not needed now.", blocks=[(block["obj_id"], colour, *away)])
        return "DropObject", {"drop_range": 0}

    def _search(self, state: State) -> Decision:
        """Walk to a room that nobody has searched, and look at its blocks."""
        room = self._searching.get(self.agent_id) or self._choose_room(state)
        if room is None:
            return IDLE
        if self.here != self._rooms[room]:
            return self.walk(self._rooms[room])
        found = [
            (block["obj_id"], block["visualization"]["colour"], *block["location"])
            for block in state.get_of_type(Block) or ()
        ]
        del self._searching[self.agent_id]
        facts = {"searched": room, "blocks": found}
        self.hear(self.agent_id, facts)
        colours = ", ".join(COLOURS.get(colour, colour) for _, colour, _, _ in found) or "nothing"
        self.tell(f"In {room}: {colours}.", **facts)
        return IDLE

    def _choose_room(self, state: State) -> str | None:
        if not self._open_ranks(state):
            return None
        if self._searched >= self._rooms.keys():
            self._searched.clear()  # somebody has moved blocks
        taken = {*self._searched, *self._searching.values()}
        centers = {cell: name for name, cell in self._rooms.items() if name not in taken}
        nearest = self.nearest(centers)
        if nearest is None:
            return None
        self._searching[self.agent_id] = centers[nearest]
        self.tell(f"I search {centers[nearest]}.", searches=centers[nearest])
        return centers[nearest]
