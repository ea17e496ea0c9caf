"""A room in which messages are kept."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection
from itertools import islice
from typing import Literal, TypeAlias

from gridarium.live.messages.message import Message

RoomType: TypeAlias = Literal["global", "team", "private"]


class Chatroom:
    """The messages to all, to a team, or between two agents.

    Args:
        room_id: its number in the world.
        name: "Global", the name of a team, or the ids of two agents in order, "a__b".
        type: "global", "team" or "private".
        members: the ids of those who may read it; a live view of them is looked at anew each time.

    Attributes:
        messages: those that are kept, the oldest first.
        first: the index of the oldest one that is kept, of all that have ever been in the room.
    """

    def __init__(self, room_id: int, name: str, type: RoomType, members: Collection[str]) -> None:
        self.room_id, self.name, self.type, self.members = room_id, name, type, members
        self.messages: deque[Message] = deque()
        self.first = 0

    @property
    def count(self) -> int:
        """How many messages have ever been in it."""
        return self.first + len(self.messages)

    def add_message(self, message: Message) -> None:
        """Keep a message; its `chat_mssg_count` becomes its index."""
        message.chat_mssg_count = self.count
        self.messages.append(message)

    def forget_oldest(self) -> None:
        """Forget the oldest message that is kept; the others keep their indices."""
        self.messages.popleft()
        self.first += 1

    def after(self, index: int = -1) -> list[Message]:
        """Return the messages that are kept whose index is larger than the one given."""
        return list(islice(self.messages, max(index + 1 - self.first, 0), None))
