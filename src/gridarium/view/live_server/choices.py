"""What a person can do with what is in a cell. No web code."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from gridarium.live.messages import Message
from gridarium.view.live_server.pictures import Objects
from gridarium.view.live_server.world import GridWorld

MOVES = {
    "MoveNorth": (0, -1), "MoveNorthEast": (1, -1), "MoveEast": (1, 0), "MoveSouthEast": (1, 1),
    "MoveSouth": (0, 1), "MoveSouthWest": (-1, 1), "MoveWest": (-1, 0), "MoveNorthWest": (-1, -1),
}  # fmt: skip
MOST_OPTIONS = 40
ENDINGS = ("Action", "Object")


@dataclass(frozen=True)
class Choice:
    """Something that a person can do.

    Attributes:
        text: in words.
        action: the name of an action; None for a message.
        arguments: of the action.
        message: to be sent instead.
    """

    text: str
    action: str | None
    arguments: Mapping[str, Any] = field(default_factory=dict)
    message: Message | None = None


def choices_at(world: GridWorld, agent_id: str, perceived: Objects, x: int, y: int) -> list[Choice]:
    """What an agent can do in a cell, as far as it perceives it.

    Args:
        world: nothing else uses it meanwhile.
        agent_id: who asks.
        perceived: what the agent perceives.
        x: the column of the cell.
        y: its row.
    """
    body = world.registered_agents.get(agent_id)
    if body is None:
        return []
    here = [key for key, each in perceived.items() if (each["x"], each["y"]) == (x, y) and key != agent_id]
    mine = (x, y) == tuple(body.location)
    found = []
    for name in body.action_set:
        if name in MOVES:
            dx, dy = MOVES[name]
            if (body.location[0] + dx, body.location[1] + dy) == (x, y):
                found += _possible(world, agent_id, name, {}, in_words(name))
            continue
        things = {key: perceived[key]["name"] for key in here}
        if mine:
            things |= {carried.obj_id: carried.obj_name for carried in body.is_carrying}
            found += _possible(world, agent_id, name, {}, in_words(name))
        for key, called in things.items():
            found += _possible(world, agent_id, name, {"object_id": key}, f"{in_words(name)}: {called}")
    return found[:MOST_OPTIONS]


def _possible(
    world: GridWorld, agent_id: str, name: str, arguments: Mapping[str, Any], text: str
) -> list[Choice]:
    possible = world.is_possible(agent_id, name, dict(arguments)).succeeded
    return [Choice(text, name, arguments)] if possible else []


def in_words(action: str) -> str:
    """The name of an action as words: "OpenDoorAction" is "Open door"."""
    for ending in ENDINGS:
        action = action.removesuffix(ending) or action
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", action).replace("_", " ").strip().capitalize()
