"""What somebody may read of what is said, and what of it is new. No web code."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from gridarium.live.messages import Chatroom, Message, MessageManager
from gridarium.view.live_server.access import Role, Seat
from gridarium.view.live_server.protocol import LONGEST_TEXT
from gridarium.view.web.messages import Reply, RequestError

MOST_SENT = 200
"""The number of messages of a room that a page gets at most at once: the last ones."""
NO_WATCHERS = "watchers do not write"


@dataclass(frozen=True)
class RoomNow:
    """A room as it is at a time: another thread may add to the room itself."""

    number: int
    kind: str
    name: str
    members: tuple[str, ...]
    count: int
    last: tuple[dict[str, Any], ...]


@dataclass
class ChatCursor:
    """What a page has of what is said: the rooms as they were sent, and for each the number of its messages."""

    rooms: Reply | None = None
    counts: dict[int, int] = field(default_factory=dict)


class Chat:
    """The rooms of a world for those who look at it.

    One thread calls `update`; others may call the rest meanwhile.

    Args:
        speaker: as whom experimenters write.
    """

    def __init__(self, speaker: str) -> None:
        self.speaker = speaker
        self.rooms: tuple[RoomNow, ...] = ()
        self._seen: dict[int, RoomNow] = {}

    def update(self, manager: MessageManager) -> None:
        """Take what has been said by now."""
        now = []
        for room in manager.chatrooms:
            known = self._seen.get(room.room_id)
            members = tuple(room.members)
            if known is None or known.count != room.count or known.members != members:
                known = self._seen[room.room_id] = _room_now(room, members)
            now.append(known)
        self.rooms = tuple(now)

    def begin(self) -> None:
        """Forget everything, as another world begins."""
        self.rooms, self._seen = (), {}

    def of(self, seat: Seat) -> list[RoomNow]:
        """The rooms that somebody may read."""
        return [room for room in self.rooms if seat.agent_id is None or seat.agent_id in room.members]

    def me(self, seat: Seat) -> str:
        """As whom somebody writes; "" for who does not."""
        if seat.role is Role.EXPERIMENTER:
            return self.speaker
        return (seat.agent_id or "") if seat.role is Role.PLAYER else ""

    def address(self, seat: Seat, room: int | None, to: str | None) -> str | None:
        """To whom a message goes that is said in a room, or to an agent: see `Message.to_id`.

        Raises:
            RequestError: it is no room or agent of theirs, or not one of both was given.
        """
        if (room is None) == (to is None):
            raise RequestError("say it in a room or to an agent: one of the two")
        if to is not None:
            if to not in seat.known:
                raise RequestError(f"you know of no agent {to!r}")
            return to
        found = next((each for each in self.of(seat) if each.number == room), None)
        if found is None:
            raise RequestError(f"you have no room {room}")
        if why := self._read_only(found, seat):
            raise RequestError(why)
        if found.kind == "global":
            return None
        if found.kind == "team":
            return found.name
        others = [member for member in found.members if member != self.me(seat)]
        return others[0] if others else self.me(seat)

    def _read_only(self, room: RoomNow, seat: Seat) -> str:
        """Why somebody cannot write in a room that they may read; "" if they can."""
        me = self.me(seat)
        if not me:
            return NO_WATCHERS
        if room.kind == "global" or me in room.members:
            return ""
        if room.kind == "team":
            return "only members of a team send messages to it"
        return "this room is private: you can read it, but not write there"

    def mark_read(self, seat: Seat, room: int, index: int) -> None:
        """Somebody has read the messages of a room up to an index.

        Raises:
            RequestError: it is none of their rooms.
        """
        found = next((each for each in self.of(seat) if each.number == room), None)
        if found is None:
            raise RequestError(f"you have no room {room}")
        seat.read[room] = max(seat.read.get(room, 0), min(index + 1, found.count))

    def news(self, seat: Seat, cursor: ChatCursor) -> list[Reply]:
        """What is new for a page; moves its cursor."""
        rooms = self.of(seat)
        listed = {
            "type": "rooms",
            "rooms": [
                {
                    "room": room.number,
                    "kind": room.kind,
                    "name": self._name(room, seat),
                    "unread": self._unread(room, seat),
                    "read_only": self._read_only(room, seat),
                }
                for room in rooms
            ],
            "people": [*seat.known],
            "me": self.me(seat),
        }  # fmt: skip
        news: list[Reply] = []
        if listed != cursor.rooms:
            cursor.rooms = listed
            news.append(listed)
        for room in rooms:
            had = cursor.counts.get(room.number, 0)
            if room.count > had:
                cursor.counts[room.number] = room.count
                said = [message for message in room.last if message["index"] >= had]
                news.append({"type": "messages", "room": room.number, "messages": said})
        return news

    def _name(self, room: RoomNow, seat: Seat) -> str:
        if room.kind != "private":
            return room.name
        me = seat.agent_id or self.me(seat)
        others = [member for member in room.members if member != me] or [me]
        return ", ".join(others)

    def _unread(self, room: RoomNow, seat: Seat) -> int:
        read, me = seat.read.get(room.number, 0), self.me(seat)
        if read >= room.count:
            return 0
        return sum(message["index"] >= read and message["sender"] != me for message in room.last)


def _room_now(room: Chatroom, members: tuple[str, ...]) -> RoomNow:
    last = tuple(_said(message) for message in room.after(room.count - MOST_SENT - 1))
    return RoomNow(room.room_id, room.type, room.name, members, room.count, last)


def _said(message: Message) -> dict[str, Any]:
    return {
        "index": message.chat_mssg_count,
        "sender": message.from_id,
        "text": str(message)[:LONGEST_TEXT],
        "tick": message.tick,
    }
