"""A teammate that brings things as it has learned to in batches (see `collecting`), and reports to the team what it does."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from gridarium.engine import World
from gridarium.live.brains import PolicyBrain
from gridarium.live.brains.policy_brain import PolicyLike
from gridarium.live.objects import CollectionDropOffTile
from gridarium.live.objects.core_view import colour_number
from gridarium.live.perception import State
from gridarium.live.world_interface import WorldInterface
from gridarium.live.worlds.collecting import observed
from gridarium.live.worlds.team_brain import COLOURS, Decision, TeamReport, target_of
from gridarium.world import State as CoreState
from gridarium.world.vocabulary import DATA_FIELDS


class TrainedCollector(PolicyBrain):
    """Brings things in the order in which they are wanted, as a policy chooses that was trained on `collecting` worlds.

    It knows the plan of the building, what is wanted and how much was brought, where the things are that it has perceived itself
    or of which the team was told, and who carries what. It tells the team what it finds and brings.

    Args:
        policy: a policy for the observation `view`, or the file of an `ActionNetwork`.
        in_room: how many things there are in a room: when it has seen so many, it reports that the room was searched.

    Raises:
        FileNotFoundError, ModelError: there is no such file, or it is no network.
    """

    def __init__(self, policy: PolicyLike | str | os.PathLike[str], in_room: int = 4) -> None:
        super().__init__(policy)
        self.in_room = in_room

    def initialize(self) -> None:
        """Forget everything."""
        super().initialize()
        self._known: set[str] = set()
        self._found: dict[str, set[str]] = {}
        self._ranks: dict[str, int] = {}

    def decide_on_action(self, state: State) -> Decision:
        """Hear what teammates report, report oneself, and do what the policy chooses."""
        messages, self.received_messages = self.received_messages, []
        for message in messages:
            if isinstance(message, TeamReport):
                self._hear(message.from_id, message.facts)
        self._report_what_it_finds(state)
        self._report_what_it_carries(state)
        return super().decide_on_action(state)

    def get_log_data(self) -> dict[str, Any]:
        """How many things it knows of."""
        return {"known": len(self._known)}

    def _hear(self, sender: str, facts: Mapping[str, Any]) -> None:
        self._known |= {block for block, *_ in facts.get("blocks", ())}
        if "ends" in facts:
            self._ranks.pop(sender, None)
        if "brings" in facts:
            self._ranks[sender] = facts["brings"][0]

    def _report_what_it_finds(self, state: State) -> None:
        """Tell the team what it sees for the first time, and that a room was searched once all of its blocks were seen.

        What lies in the drop zone was brought, and is not for others to fetch.
        """
        seen = state.get_with_property({"is_movable": True}) or []
        new = [thing for thing in seen if thing["obj_id"] not in self._known and not thing.get("carried_by")]
        if not new:
            return
        self._known |= {thing["obj_id"] for thing in new}
        zone = {tile["location"] for tile in state.get_of_type(CollectionDropOffTile) or ()}
        new = [thing for thing in new if thing["location"] not in zone]
        if not new:
            return
        facts: dict[str, Any] = {
            "blocks": [
                (thing["obj_id"], thing["visualization"]["colour"], *thing["location"]) for thing in new
            ]
        }
        room = self._room_here(state)
        if room is not None:
            found = self._found.setdefault(room, set())
            found |= {thing["obj_id"] for thing in new}
            if len(found) >= self.in_room:
                facts["searched"] = room
        colours = ", ".join(COLOURS.get(colour, colour) for _, colour, _, _ in facts["blocks"])
        self._tell(f"I see {colours}" + (f" in {room}." if room else "."), **facts)

    def _room_here(self, state: State) -> str | None:
        x, y = self.agent_properties["location"]
        tiles = (tile for tile in state.get_objects_in_area((x, y), 1, 1) or () if "room_name" in tile)
        return next((tile["room_name"] for tile in tiles), None)

    def _report_what_it_carries(self, state: State) -> None:
        """Tell the team which of the wanted things it brings, once nobody else is to bring that, and when it has put it down."""
        carried, mine = self.agent_properties["is_carrying"], self._ranks.get(self.agent_id)
        target = target_of(state)
        if mine is not None and not carried:
            del self._ranks[self.agent_id]
            self._tell("I have put my block down.", ends=True)
        if mine is not None or not carried:
            return
        colour = carried[0]["visualization"]["colour"]
        for rank, each in enumerate(target["collection_objects"]):
            free = rank >= target["collected"] and rank not in self._ranks.values()
            if free and each["visualization_colour"] == colour:
                self._ranks[self.agent_id] = rank
                text = f"I bring number {rank + 1}, {COLOURS.get(colour, colour)}."
                self._tell(text, brings=(rank, carried[0]["obj_id"]))
                return

    def _tell(self, text: str, **facts: Any) -> None:
        self.send_message(TeamReport(text, self.agent_id, facts, to_id=self.agent_properties["team"]))

    def _world_to_think_in(self, live: WorldInterface, state: State) -> World:
        """The live world's core as collectors observe it."""
        wanted = len(target_of(state)["collection_objects"])
        described = observed(live.core.spec.description, wanted=wanted)
        return World(described, compiled=live.core.composed.wants_compiled)

    def _state_to_think_of(self, model: World, live: WorldInterface, state: State) -> CoreState:
        """The live world's state, with what is wanted and what the agent knows."""
        thought = model.blank_state()
        now = live.core_state
        thought.cells[:], thought.layers[:], thought.agent_rows[:] = now.cells, now.layers, now.agent_rows
        thought.data[:DATA_FIELDS] = now.data[:DATA_FIELDS]
        copy_things(now, thought)
        for i, each in enumerate(target_of(state)["collection_objects"]):
            thought.wanted[i] = colour_number(each["visualization_colour"])
        for obj_id in self._known:
            obj = live.find(obj_id)
            if obj is not None:
                thought.things[obj.number].seen = True
        return thought


def copy_things(old: CoreState, new: CoreState) -> None:
    """Copy the table of things to a state whose things have further fields, after those of the old one."""
    start, begin = old.vocabulary.things_start, new.vocabulary.things_start
    new.data[begin] = old.data[start]
    rows = old.data[start + 1 :].reshape(-1, old.vocabulary.thing_row_length)
    table = new.data[begin + 1 :].reshape(-1, new.vocabulary.thing_row_length)
    table[:, : rows.shape[1]] = rows
