"""Who receives which message, and what was said in which room."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from gridarium.live.messages.chatroom import Chatroom, RoomType
from gridarium.live.messages.message import DeliveryFailure, Message

MOST_KEPT = 10_000
GLOBAL = "Global"


class MessageManager:
    """Finds the receivers of messages, and keeps what was said, by room.

    There are a room for all and one for each team; one for two agents is made with their first message.

    Args:
        agent_ids: the ids of all agents.
        teams: for each team its members. This and `agent_ids` are looked at anew for each message, so live views of a world
            may be given.
        most_kept: the number of messages that are kept, in all rooms together; older ones are forgotten.

    Attributes:
        agent_ids: as given.
        teams: as given.
        preprocessed_messages: for each of the last ticks, all messages that were delivered, one for each receiver;
            as many ticks as have at most `most_kept` messages together, and always the last one.

    Raises:
        ValueError: fewer than one message is to be kept.
    """

    def __init__(
        self, agent_ids: Collection[str], teams: Mapping[str, Collection[str]], *, most_kept: int = MOST_KEPT
    ) -> None:
        if most_kept < 1:
            raise ValueError(f"most_kept is at least 1, not {most_kept}")
        self.agent_ids, self.teams = agent_ids, teams
        self._most_kept = most_kept
        self._begin()

    def _begin(self) -> None:
        self.preprocessed_messages: dict[int, list[Message]] = {}
        self._delivered = self._sent = 0
        self._rooms: list[Chatroom] = []
        self._by_name: dict[tuple[RoomType, str | tuple[str, ...]], Chatroom] = {}
        self._order: deque[Chatroom] = deque()
        self._room("global", GLOBAL, GLOBAL, self.agent_ids)

    @property
    def chatrooms(self) -> list[Chatroom]:
        """All rooms, by their numbers; number 0 is the one for all."""
        for team in self.teams:  # some may have been added
            self._team_room(team)
        return self._rooms

    def expand(self, message: Message, tick: int = 0) -> list[Message]:
        """Keep a message that is sent, and return a copy of it for each receiver, in the order of agents.

        Who is named twice, by a team and by its own id for example, gets it once. For each name that is neither an agent nor
        a team of the sender's, the sender, if it is an agent, gets a `DeliveryFailure`.

        Args:
            message: gets its id and tick.
            tick: in which it is sent.

        Raises:
            TypeError: it is not a `Message`.
        """
        if not isinstance(message, Message):
            raise TypeError(f"agents send instances of Message, not {message!r}")
        rooms = self.chatrooms  # so that their numbers depend on nothing but what was sent
        self._sent += 1
        message.message_id, message.tick = f"message-{self._sent}", tick
        receivers: set[str] = set()
        failures: list[Message] = []
        named = message.to_id
        for name in dict.fromkeys([named] if named is None or isinstance(named, str) else named):
            found = self._receivers(message, name, rooms[0])
            if not found and name is not None:
                failures.append(self._failure(message, name))
            receivers |= found
        copies = [message.addressed(agent) for agent in self.agent_ids if agent in receivers]
        if message.from_id in self.agent_ids:
            copies += failures
        self._note_delivered(tick, copies)
        return copies

    def _receivers(self, message: Message, name: str | None, everybody: Chatroom) -> set[str]:
        """Return who gets a message by one of its names, having kept it in the rooms it belongs to."""
        sender = message.from_id
        if name is None:
            self._keep(everybody, message.addressed(None))
            return {*self.agent_ids} - {sender}
        found: set[str] = set()
        if sender in self.teams.get(name, ()):
            self._keep(self._team_room(name), message.addressed(name))
            found |= {*self.teams[name]}
        if name in self.agent_ids:
            self._keep(self._private_room(name, sender), message.addressed(name))
            found.add(name)
        return found

    def _failure(self, message: Message, name: str) -> DeliveryFailure:
        sender = message.from_id
        if name in self.teams:
            reason = f"only members of the team {name!r} send messages to it, and {sender!r} is none."
        else:
            known = [*self.agent_ids, *(team for team, members in self.teams.items() if sender in members)]
            near = get_close_matches(name, known, 1) or get_close_matches(name.lower(), known, 1)
            reason = f"there is no agent or team {name!r}" + (f"; did you mean {near[0]!r}?" if near else ".")
        failure = DeliveryFailure(message, name, f"A message was not delivered: {reason}")
        failure.message_id, failure.tick = message.message_id, message.tick
        return failure

    def _note_delivered(self, tick: int, copies: list[Message]) -> None:
        ticks = self.preprocessed_messages
        ticks.setdefault(tick, []).extend(copies)
        self._delivered += len(copies)
        while self._delivered > self._most_kept and len(ticks) > 1:
            self._delivered -= len(ticks.pop(next(iter(ticks))))

    # rooms

    def fetch_chatrooms(self, agent_id: str | None = None) -> dict[int, dict[str, str]]:
        """Return the name and type of each room by its number: those an agent may read, or with None all."""
        return {room.room_id: {"name": room.name, "type": room.type} for room in self.rooms_of(agent_id)}

    def fetch_messages(
        self, agent_id: str | None = None, chatroom_mssg_offsets: Mapping[str, int | None] | None = None
    ) -> dict[int, list[str]]:
        """Return the messages of each room by its number, as JSON: those of rooms an agent may read, or with None all.

        Args:
            agent_id: who reads.
            chatroom_mssg_offsets: for rooms, by their numbers as texts, the index of the last message that is known
                already (None: none is).
        """
        known = {str(room): offset for room, offset in (chatroom_mssg_offsets or {}).items()}
        found = {}
        for room in self.rooms_of(agent_id):
            offset = known.get(str(room.room_id))
            found[room.room_id] = [
                message.to_json() for message in room.after(-1 if offset is None else offset)
            ]
        return found

    def rooms_of(self, agent_id: str | None = None) -> list[Chatroom]:
        """Return the rooms that an agent may read, or with None all of them."""
        return [room for room in self.chatrooms if agent_id is None or agent_id in room.members]

    def _team_room(self, team: str) -> Chatroom:
        return self._room("team", team, team, _Members(self.teams, team))

    def _private_room(self, *agents: str) -> Chatroom:
        pair = tuple(sorted({*agents}))
        return self._room("private", pair, "__".join(pair), pair)

    def _room(
        self, type: RoomType, key: str | tuple[str, ...], name: str, members: Collection[str]
    ) -> Chatroom:
        found = self._by_name.get((type, key))
        if found is None:
            found = self._by_name[type, key] = Chatroom(len(self._rooms), name, type, members)
            self._rooms.append(found)
        return found

    def _keep(self, room: Chatroom, message: Message) -> None:
        room.add_message(message)
        self._order.append(room)
        if len(self._order) > self._most_kept:
            self._order.popleft().forget_oldest()

    # plain data

    def to_dict(self) -> dict[str, Any]:
        """Return what has been said as plain data, for JSON; `load_dict` reads it.

        `preprocessed_messages` and attributes of subclasses of `Message` are not in it.
        """
        rooms = [
            {
                "name": room.name,
                "type": room.type,
                "members": [*room.members],
                "first": room.first,
                "messages": [message.as_dict() for message in room.messages],
            }
            for room in self.chatrooms
        ]
        return {"sent": self._sent, "rooms": rooms, "order": [room.room_id for room in self._order]}

    def load_dict(self, data: Mapping[str, Any]) -> None:
        """Forget what has been said, and take what `to_dict` has returned."""
        self._begin()
        self._sent = data["sent"]
        for kept in data["rooms"]:
            match kept["type"]:
                case "global":
                    room = self._rooms[0]
                case "team":
                    room = self._team_room(kept["name"])
                case _:
                    room = self._private_room(*kept["members"])
            room.first = kept["first"]
            for each in kept["messages"]:
                message = Message(each["content"], each["from_id"], each["to_id"])
                message.message_id, message.tick = each["message_id"], each["tick"]
                room.add_message(message)
        self._order.extend(self._rooms[number] for number in data["order"])


class _Members(Collection[str]):
    """The members that a team has at the time."""

    def __init__(self, teams: Mapping[str, Collection[str]], team: str) -> None:
        self._teams, self._team = teams, team

    def __contains__(self, agent_id: object) -> bool:
        return agent_id in self._teams.get(self._team, ())

    def __iter__(self) -> Iterator[str]:
        return iter(self._teams.get(self._team, ()))

    def __len__(self) -> int:
        return len(self._teams.get(self._team, ()))
