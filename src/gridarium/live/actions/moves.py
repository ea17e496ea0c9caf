"""Moves to the eight cells around an agent.

Source: MATRX 2.3.3.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from gridarium.live.actions.action import Action
from gridarium.live.actions.action_result import ActionResult
from gridarium.live.actions.core_actions import state_for
from gridarium.live.world_interface import WorldInterface
from gridarium.rules.live_actions import check_move
from gridarium.rules.results import ActionResultCode
from gridarium.world import Position


class MoveActionResult(ActionResult):
    """The results of moves."""

    RESULT_SUCCESS = "Move action success"
    RESULT_NO_MOVE = "Move action resulted in a new location with the agent already present."
    RESULT_OUT_OF_BOUNDS = "Move action out of bounds"
    RESULT_OCCUPIED = "Move action towards occupied space"
    RESULT_NOT_PASSABLE_OBJECT = "Move action toward space which is not traversable by agent due object"


RESULTS = {
    ActionResultCode.SUCCESS: MoveActionResult(MoveActionResult.RESULT_SUCCESS, True),
    ActionResultCode.OUTSIDE: MoveActionResult(MoveActionResult.RESULT_OUT_OF_BOUNDS, False),
    ActionResultCode.OCCUPIED: MoveActionResult(MoveActionResult.RESULT_OCCUPIED, False),
    ActionResultCode.BLOCKED: MoveActionResult(MoveActionResult.RESULT_NOT_PASSABLE_OBJECT, False),
}


class Move(Action, abstract=True):
    """A move by a number of cells. Only the cell that it leads to counts: diagonal moves pass between two walls.

    Attributes:
        dx, dy: the number of cells to the right and down.
    """

    dx: ClassVar[int] = 0
    dy: ClassVar[int] = 0

    def is_possible(
        self, grid_world: WorldInterface, agent_id: str, world_state: Any, **kwargs: Any
    ) -> ActionResult:
        """Whether the cell is in the world, and nothing in it is in the way."""
        if self.dx == 0 and self.dy == 0:
            return MoveActionResult(MoveActionResult.RESULT_NO_MOVE, False)
        x, y = grid_world.registered_agents[agent_id].location
        code = check_move(state_for(grid_world, agent_id), Position(y + self.dy, x + self.dx))
        return RESULTS[ActionResultCode(code)]

    def mutate(
        self, grid_world: WorldInterface, agent_id: str, world_state: Any, **kwargs: Any
    ) -> ActionResult:
        """Move the agent."""
        body = grid_world.registered_agents[agent_id]
        x, y = body.location
        body.location = x + self.dx, y + self.dy
        return RESULTS[ActionResultCode.SUCCESS]

    @classmethod
    def core_index(cls, grid_world: WorldInterface, agent_id: str, kwargs: dict[str, Any]) -> int:
        """The core's action, which knows no arguments either."""
        return grid_world.core_indices.get(cls.__name__, -1)

    @classmethod
    def result_of(cls, code: int, kwargs: Mapping[str, Any], agent_id: str) -> ActionResult:
        """The result of the core's move."""
        return RESULTS[ActionResultCode(code)]


class MoveNorth(Move):
    """One cell up."""

    dy = -1


class MoveNorthEast(Move):
    """One cell up and to the right."""

    dx, dy = 1, -1


class MoveEast(Move):
    """One cell to the right."""

    dx = 1


class MoveSouthEast(Move):
    """One cell down and to the right."""

    dx, dy = 1, 1


class MoveSouth(Move):
    """One cell down."""

    dy = 1


class MoveSouthWest(Move):
    """One cell down and to the left."""

    dx, dy = -1, 1


class MoveWest(Move):
    """One cell to the left."""

    dx = -1


class MoveNorthWest(Move):
    """One cell up and to the left."""

    dx, dy = -1, -1
