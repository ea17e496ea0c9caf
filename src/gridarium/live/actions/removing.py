"""Removing objects and agents.

Source: MATRX 2.3.3.
"""

from __future__ import annotations

from typing import Any

from gridarium.live.actions.action import Action
from gridarium.live.actions.action_result import ActionResult
from gridarium.live.actions.core_actions import parameter
from gridarium.live.world_interface import WorldInterface


class RemoveObjectResult(ActionResult):
    """The results of removing; OBJECT_ID and REMOVE_RANGE in them are replaced."""

    OBJECT_REMOVED = "The object with id `OBJECT_ID` is removed."
    NO_OBJECTS_IN_RANGE = "No objects were in `REMOVE_RANGE`."
    OBJECT_ID_NOT_WITHIN_RANGE = "The object with id `OBJECT_ID` is not within the range of `REMOVE_RANGE`."
    REMOVAL_FAILED = "The object with id `OBJECT_ID` failed to be removed by the environment for some reason."


class RemoveObject(Action):
    """Removes the object or the other agent `object_id` within `remove_range`.

    In live worlds it is always this class that does it, since the texts of its failures depend on all that is near.
    """

    def is_possible(
        self,
        grid_world: WorldInterface,
        agent_id: str,
        world_state: Any,
        object_id: str | None = None,
        remove_range: float | None = None,
        **kwargs: Any,
    ) -> ActionResult:
        """Whether it is in range, and not the agent itself."""
        reach = parameter(grid_world, "remove_range", remove_range)
        body = grid_world.registered_agents[agent_id]
        near = grid_world.get_objects_in_range(body.location, None, reach)
        near.pop(agent_id, None)
        if not near:
            return _result(RemoveObjectResult.NO_OBJECTS_IN_RANGE, object_id, reach)
        if object_id is None or object_id == agent_id:
            return _result(RemoveObjectResult.REMOVAL_FAILED, object_id, reach)
        if not isinstance(object_id, str) or object_id not in near:
            return _result(RemoveObjectResult.OBJECT_ID_NOT_WITHIN_RANGE, object_id, reach)
        return _result(RemoveObjectResult.OBJECT_REMOVED, object_id, reach)

    def mutate(
        self,
        grid_world: WorldInterface,
        agent_id: str,
        world_state: Any,
        object_id: str | None = None,
        remove_range: float | None = None,
        **kwargs: Any,
    ) -> ActionResult:
        """Remove it."""
        reach = parameter(grid_world, "remove_range", remove_range)
        if object_id is not None and object_id != agent_id and grid_world.remove_from_grid(object_id):
            return _result(RemoveObjectResult.OBJECT_REMOVED, object_id, reach)
        return _result(RemoveObjectResult.REMOVAL_FAILED, object_id, reach)


def _result(text: str, object_id: str | None, reach: float) -> RemoveObjectResult:
    filled = text.replace("OBJECT_ID", str(object_id)).replace("REMOVE_RANGE", f"{reach:g}")
    return RemoveObjectResult(filled, text == RemoveObjectResult.OBJECT_REMOVED)
