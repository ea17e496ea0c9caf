"""What a person can do with what is in a cell. No web code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from gridarium.live import AgentBrain, GridWorld, HumanAgentBrain, Message
from gridarium.live.actions import RemoveObject, find_action
from gridarium.live.brains.action_arguments import general, is_removable
from gridarium.live.brains.moves import MOVES
from gridarium.view.live_server.pictures import Objects
from gridarium.world.actions import name_in_words

STEPS = MOVES | {"UP": (0, -1), "RIGHT": (1, 0), "DOWN": (0, 1), "LEFT": (-1, 0)}
"""The actions that are steps, also those of the catalogue's worlds: columns to the right and rows down."""
MOST_OPTIONS = 40
WORDS = {"ACTUATE": "Use"}
"""The words for actions whose names say little."""


@dataclass(frozen=True)
class Choice:
    """Something that a person can do.

    Attributes:
        text: in words.
        action: the name of an action; None for a message.
        arguments: of the action.
        message: to be sent instead.
        only_chosen: whether it is done only if it was chosen from a menu, not by a click alone: it removes something, or
            is done to another agent.
    """

    text: str
    action: str | None
    arguments: Mapping[str, Any] = field(default_factory=dict)
    message: Message | None = None
    only_chosen: bool = False


def choices_at(world: GridWorld, agent_id: str, perceived: Objects, x: int, y: int) -> list[Choice]:
    """What an agent can do in a cell, as far as it perceives it. What it may remove, its brain says (`Reach.removes`).

    Args:
        world: nothing else uses it meanwhile.
        agent_id: who asks.
        perceived: what the agent perceives.
        x: the column of the cell.
        y: its row.
    """
    body, brain = world.registered_agents.get(agent_id), world.brains.get(agent_id)
    if body is None or not isinstance(brain, HumanAgentBrain):
        return []
    mine = (x, y) == body.location
    here = {
        key: each["name"]
        for key, each in perceived.items()
        if (each["x"], each["y"]) == (x, y) and key != agent_id
    }
    things = here | ({carried.obj_id: carried.obj_name for carried in body.is_carrying} if mine else {})
    found: list[Choice] = []

    def offer(action: str, text: str, **arguments: str) -> None:
        given = {**arguments, **general(action, brain.reach)}
        if world.is_possible(agent_id, action, given).succeeded:
            to_agent = arguments.get("object_id") in world.registered_agents
            found.append(Choice(text, action, given, only_chosen=to_agent or _removes(action)))

    for action in body.action_set:
        if action in STEPS:
            dx, dy = STEPS[action]
            if (body.location[0] + dx, body.location[1] + dy) == (x, y):
                offer(action, in_words(action))
            continue
        if mine:
            offer(action, in_words(action))
        for key, called in things.items():
            thing = world.find(key)
            if _removes(action) and not (thing and is_removable(thing.properties, brain.reach.removes)):
                continue
            offer(action, f"{in_words(action)}: {called}", object_id=key)
    return [*found, *_own_menus(world, brain, [*here], (x, y))][:MOST_OPTIONS]


def _removes(action: str) -> bool:
    """Whether it is the removal of something."""
    known = find_action(action)
    return known is not None and issubclass(known, RemoveObject)


def _own_menus(
    world: GridWorld, asking: HumanAgentBrain, here: list[str], cell: tuple[int, int]
) -> list[Choice]:
    """What brains offer in a cell that have menus of their own: messages, which come from who asks in any case."""
    clicked = here[-1] if here else None
    offered: list[Mapping[str, Any]] = []
    if type(asking).create_context_menu_for_self is not HumanAgentBrain.create_context_menu_for_self:
        offered += asking.create_context_menu_for_self(clicked, cell, True)
    for key in here:
        other = world.brains.get(key)
        if (
            other is not None
            and type(other).create_context_menu_for_other is not AgentBrain.create_context_menu_for_other
        ):
            offered += other.create_context_menu_for_other(asking.agent_id, clicked, cell)
    found = []
    for option in offered:
        said: Message = option["Message"].addressed(option["Message"].to_id)
        said.from_id = asking.agent_id
        found.append(Choice(str(option["OptionText"]), None, message=said))
    return found


def in_words(action: str) -> str:
    """The name of an action as words: "OpenDoorAction" is "Open door"."""
    return WORDS.get(action) or name_in_words(action).capitalize()
