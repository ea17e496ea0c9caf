"""Result codes of agents' actions, which the state stores, and their texts."""

from __future__ import annotations

import enum


class ActionResultCode(enum.IntEnum):
    """Outcomes of an attempted action, as stored in `agent.result`; zero is success."""

    SUCCESS = 0
    BLOCKED = 1
    OUTSIDE = 2
    OCCUPIED = 3
    OUT_OF_REACH = 4
    NOTHING_THERE = 5
    NOT_HOLDABLE = 6
    NO_ROOM = 7
    LOCKED = 8
    CONFLICT = 9
    BUSY = 10
    SLIPPED = 11
    FAILED = 12
    ILLEGAL = 13
    NOT_A_DOOR = 14
    ALREADY_DONE = 15
    CARRIED = 16

    @property
    def text(self) -> str:
        """A human-readable sentence."""
        return TEXTS[self]


TEXTS: dict[ActionResultCode, str] = {
    ActionResultCode.SUCCESS: "The action succeeded.",
    ActionResultCode.BLOCKED: "Something is in the way.",
    ActionResultCode.OUTSIDE: "That is outside the grid.",
    ActionResultCode.OCCUPIED: "Another agent is there.",
    ActionResultCode.OUT_OF_REACH: "It is out of reach.",
    ActionResultCode.NOTHING_THERE: "There is nothing to act on.",
    ActionResultCode.NOT_HOLDABLE: "It cannot be picked up.",
    ActionResultCode.NO_ROOM: "There is no room to put it.",
    ActionResultCode.LOCKED: "It is locked, and the key is missing.",
    ActionResultCode.CONFLICT: "Another agent wanted the same.",
    ActionResultCode.BUSY: "An earlier action is still going on.",
    ActionResultCode.SLIPPED: "The agent slipped.",
    ActionResultCode.FAILED: "The action failed.",
    ActionResultCode.ILLEGAL: "That is not allowed now.",
    ActionResultCode.NOT_A_DOOR: "That is no door.",
    ActionResultCode.ALREADY_DONE: "It is so already.",
    ActionResultCode.CARRIED: "Somebody carries it.",
}


def text_of(code: int) -> str:
    """The sentence for a result code; for an unknown one, a sentence that contains it."""
    try:
        return ActionResultCode(code).text
    except ValueError:
        return f"Result {code}."
