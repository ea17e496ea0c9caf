"""Actions of agents in live worlds, and their results."""

from gridarium.live.actions.action import Action, all_actions, find_action
from gridarium.live.actions.action_result import ActionResult
from gridarium.live.actions.carrying import DropObject, DropObjectResult, GrabObject, GrabObjectResult
from gridarium.live.actions.doors import (
    CloseDoorAction,
    CloseDoorActionResult,
    OpenDoorAction,
    OpenDoorActionResult,
)
from gridarium.live.actions.moves import (
    Move,
    MoveActionResult,
    MoveEast,
    MoveNorth,
    MoveNorthEast,
    MoveNorthWest,
    MoveSouth,
    MoveSouthEast,
    MoveSouthWest,
    MoveWest,
)
from gridarium.live.actions.removing import RemoveObject, RemoveObjectResult

__all__ = [
    "Action",
    "ActionResult",
    "CloseDoorAction",
    "CloseDoorActionResult",
    "DropObject",
    "DropObjectResult",
    "GrabObject",
    "GrabObjectResult",
    "Move",
    "MoveActionResult",
    "MoveEast",
    "MoveNorth",
    "MoveNorthEast",
    "MoveNorthWest",
    "MoveSouth",
    "MoveSouthEast",
    "MoveSouthWest",
    "MoveWest",
    "OpenDoorAction",
    "OpenDoorActionResult",
    "RemoveObject",
    "RemoveObjectResult",
    "all_actions",
    "find_action",
]
