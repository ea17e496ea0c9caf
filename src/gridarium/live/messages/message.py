"""A message from an agent to others."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping, Sequence
from typing import TypeAlias

Content: TypeAlias = "str | int | float | bool | Sequence[Content] | Mapping[str, Content] | None"
"""Text or plain data: what JSON can hold, with tuples for lists."""
Receivers: TypeAlias = "str | Sequence[str] | None"
SCALARS = (str, int, float, bool, type(None))
DEEPEST = 20
"""The number of lists and mappings that may lie within each other in a message's content."""


class Message:
    """What an agent says to other agents.

    Subclasses may have further attributes; each receiver gets a shallow copy of the message, of the same class, with a
    content of its own.

    Args:
        content: text or plain data.
        from_id: the id of the agent that says it.
        to_id: None for all other agents; the id of an agent; the name of a team of the sender's, for all its members; or
            several of these.

    Attributes:
        content: as given.
        from_id: as given.
        to_id: as given; of a copy that an agent receives, the id of that agent.
        message_id: tells the messages of a world apart; "" until the message is sent. The copies for several receivers
            have the same. The same decisions give the same ids.
        tick: the tick in which it was sent; -1 until then.
        chat_mssg_count: the index of the message in its chatroom; -1 for a message that is in none.

    Raises:
        TypeError: the content is not plain data, or an id is not text.
    """

    def __init__(self, content: Content, from_id: str, to_id: Receivers = None) -> None:
        _check_plain(content, "content")
        if not isinstance(from_id, str):
            raise TypeError(f"from_id is the id of an agent, a text, not {from_id!r}")
        named = [to_id] if to_id is None or isinstance(to_id, str) else to_id
        if not isinstance(named, list | tuple) or not all(isinstance(name, str | None) for name in named):
            raise TypeError(f"to_id is None, a text, or a list of texts, not {to_id!r}")
        self.content, self.from_id, self.to_id = content, from_id, to_id
        self.message_id, self.tick, self.chat_mssg_count = "", -1, -1

    def addressed(self, to_id: Receivers) -> Message:
        """Return a copy for other receivers, with a content of its own."""
        made = copy.copy(self)
        made.to_id = to_id
        if not isinstance(self.content, SCALARS):
            made.content = copy.deepcopy(self.content)
        return made

    def as_dict(self) -> dict[str, Content]:
        """Return it as plain data, for JSON; attributes of subclasses are not among them."""
        return {
            "message_id": self.message_id,
            "content": self.content,
            "from_id": self.from_id,
            "to_id": self.to_id,
            "tick": self.tick,
            "chat_mssg_count": self.chat_mssg_count,
        }

    def to_json(self) -> str:
        """Return it as JSON."""
        return json.dumps(self.as_dict())

    def __str__(self) -> str:
        return self.content if isinstance(self.content, str) else json.dumps(self.content)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.content!r}, from_id={self.from_id!r}, to_id={self.to_id!r})"


class DeliveryFailure(Message):
    """Tells the sender of a message that it has reached nobody by one of the names it was sent to.

    Args:
        undelivered: the message.
        name: the receiver that there is not.
        reason: what was wrong with it, in words.

    Attributes:
        undelivered: the message.
        name: as given.
    """

    def __init__(self, undelivered: Message, name: str, reason: str) -> None:
        super().__init__(reason, from_id="world", to_id=undelivered.from_id)
        self.undelivered, self.name = undelivered, name


def _check_plain(value: object, place: str, depth: int = 0) -> None:
    """Check that a value is plain data.

    Raises:
        TypeError: it is not.
    """
    if isinstance(value, SCALARS):
        return
    if depth == DEEPEST:
        raise TypeError(f"{place}: a message holds at most {DEEPEST} lists and mappings within each other")
    if isinstance(value, list | tuple):
        for i, item in enumerate(value):
            _check_plain(item, f"{place}[{i}]", depth + 1)
    elif isinstance(value, Mapping):
        for key, item in value.items():
            if not isinstance(key, str):
                raise TypeError(f"{place}: the keys of a mapping in a message are texts, not {key!r}")
            _check_plain(item, f"{place}[{key!r}]", depth + 1)
    else:
        raise TypeError(
            f"{place} is a {type(value).__name__}; a message holds plain data: text, numbers, booleans, None, "
            "lists, tuples, and mappings whose keys are texts"
        )
