"""Grabbing and dropping objects.

Source: MATRX 2.3.3.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gridarium.live.actions.action import Action
from gridarium.live.actions.action_result import ActionResult
from gridarium.live.actions.core_actions import is_as_the_core_does, parameter, state_for, thing_index
from gridarium.live.objects import EnvObject
from gridarium.live.world_interface import WorldInterface
from gridarium.rules.live_actions import check_drop, check_grab, drop, grab, last_grabbed
from gridarium.rules.results import ActionResultCode

WHOLE = ("grab_range", "max_objects")


class GrabObjectResult(ActionResult):
    """The results of grabbing."""

    RESULT_SUCCESS = "Grab action success"
    FAILED_TO_REMOVE_OBJECT_FROM_WORLD = (
        "Grab action failed; could not remove object with id {OBJECT_ID} from grid."
    )
    NOT_IN_RANGE = "Object not in range"
    RESULT_AGENT = "This is an agent, cannot be picked up"
    RESULT_NO_OBJECT = "No Object specified"
    RESULT_CARRIES_OBJECT = "Agent already carries the maximum amount of objects"
    RESULT_OBJECT_CARRIED = "Object is already carried by {AGENT_ID}"
    RESULT_UNKNOWN_OBJECT_TYPE = "obj_id is no Agent and no Object, unknown what to do"
    RESULT_OBJECT_UNMOVABLE = "Object is not movable"


class DropObjectResult(ActionResult):
    """The results of dropping.

    Args:
        result, succeeded: as for `ActionResult`.
        obj_id: the object.
    """

    RESULT_SUCCESS = "Drop action success"
    RESULT_NO_OBJECT = "The item is not carried"
    RESULT_NONE_GIVEN = "'None' used as input id"
    RESULT_AGENT = "Cannot drop item on an agent"
    RESULT_OBJECT = "Cannot drop item on another intraversable object"
    RESULT_UNKNOWN_OBJECT_TYPE = "Cannot drop item on an unknown object"
    RESULT_NO_OBJECT_CARRIED = "Cannot drop object when none carried"

    def __init__(self, result: str, succeeded: bool, obj_id: str | None = None) -> None:
        super().__init__(result, succeeded)
        self.obj_id = obj_id


GRAB_TEXTS = {
    ActionResultCode.SUCCESS: GrabObjectResult.RESULT_SUCCESS,
    ActionResultCode.NO_ROOM: GrabObjectResult.RESULT_CARRIES_OBJECT,
    ActionResultCode.OUT_OF_REACH: GrabObjectResult.NOT_IN_RANGE,
    ActionResultCode.NOT_HOLDABLE: GrabObjectResult.RESULT_OBJECT_UNMOVABLE,
    ActionResultCode.CARRIED: GrabObjectResult.RESULT_OBJECT_CARRIED,
}
DROP_TEXTS = {
    ActionResultCode.SUCCESS: DropObjectResult.RESULT_SUCCESS,
    ActionResultCode.NOTHING_THERE: DropObjectResult.RESULT_NO_OBJECT,
    ActionResultCode.NO_ROOM: DropObjectResult.RESULT_OBJECT,
}


class GrabObject(Action):
    """Grabs the movable object `object_id` within `grab_range`, if the agent carries fewer than `max_objects`."""

    def is_possible(
        self,
        grid_world: WorldInterface,
        agent_id: str,
        world_state: Any,
        object_id: str | None = None,
        grab_range: float | None = None,
        max_objects: float | None = None,
        **kwargs: Any,
    ) -> ActionResult:
        """Whether the object is in range, free and movable, and the agent has room for it.

        Without `grab_range` and `max_objects`, those of the world hold, and by default none.
        """
        if object_id is None:
            return GrabObjectResult(GrabObjectResult.RESULT_NO_OBJECT, False)
        state, found = state_for(grid_world, agent_id), grid_world.find(object_id)
        reach, most = (
            parameter(grid_world, "grab_range", grab_range),
            parameter(grid_world, "max_objects", max_objects),
        )
        number = -1 if found is None or found.is_agent else found.number
        code = check_grab(state, number, reach, most)  # type: ignore[arg-type]  # infinity is no whole number
        here = grid_world.registered_agents[agent_id].location
        if (
            found is not None
            and number < 0
            and object_id in grid_world.get_objects_in_range(here, None, reach)
        ):
            if found.is_agent:
                return GrabObjectResult(GrabObjectResult.RESULT_AGENT, False)
            if code == ActionResultCode.OUT_OF_REACH:
                code = ActionResultCode.NOT_HOLDABLE
        if code == ActionResultCode.CARRIED and found is not None:
            text = GrabObjectResult.RESULT_OBJECT_CARRIED.format(AGENT_ID=", ".join(found.carried_by))
            return GrabObjectResult(text, False)
        return self.result_of(code, {}, agent_id)

    def mutate(
        self,
        grid_world: WorldInterface,
        agent_id: str,
        world_state: Any,
        object_id: str | None = None,
        **kwargs: Any,
    ) -> ActionResult:
        """Let the agent carry it."""
        found = grid_world.find(object_id)
        if found is None or found.number < 0 or found.is_agent:
            return GrabObjectResult(GrabObjectResult.RESULT_UNKNOWN_OBJECT_TYPE, False)
        grab(state_for(grid_world, agent_id), found.number)
        return self.result_of(ActionResultCode.SUCCESS, {}, agent_id)

    @classmethod
    def core_index(cls, grid_world: WorldInterface, agent_id: str, kwargs: dict[str, Any]) -> int:
        """The core's action on the object."""
        found = grid_world.find(kwargs.get("object_id"))
        if (found is not None and found.carried_by) or not is_as_the_core_does(grid_world, kwargs, WHOLE):
            return -1  # the text says who carries it
        return thing_index(grid_world, cls.__name__, kwargs.get("object_id"))

    @classmethod
    def result_of(cls, code: int, kwargs: Mapping[str, Any], agent_id: str) -> ActionResult:
        """The result for a code of the core."""
        return GrabObjectResult(GRAB_TEXTS[ActionResultCode(code)], code == ActionResultCode.SUCCESS)


class DropObject(Action):
    """Drops the object `object_id`, by default the one grabbed last, in the nearest free cell within `drop_range`."""

    def is_possible(
        self,
        grid_world: WorldInterface,
        agent_id: str,
        world_state: Any,
        object_id: str | None = None,
        drop_range: float | None = None,
        **kwargs: Any,
    ) -> ActionResult:
        """Whether the agent carries it, and there is a free cell for it."""
        if object_id is not None and not object_id:
            return DropObjectResult(DropObjectResult.RESULT_NONE_GIVEN, False)
        state, found = state_for(grid_world, agent_id), _carried(grid_world, agent_id, object_id)
        number = -1 if found is None else found.number
        code = check_drop(state, number, parameter(grid_world, "drop_range", drop_range))
        return self.result_of(code, {"object_id": None if found is None else found.obj_id}, agent_id)

    def mutate(
        self,
        grid_world: WorldInterface,
        agent_id: str,
        world_state: Any,
        object_id: str | None = None,
        drop_range: float | None = None,
        **kwargs: Any,
    ) -> ActionResult:
        """Lay it down."""
        found = _carried(grid_world, agent_id, object_id)
        if found is None:
            return DropObjectResult(DropObjectResult.RESULT_NO_OBJECT_CARRIED, False)
        drop(state_for(grid_world, agent_id), found.number, parameter(grid_world, "drop_range", drop_range))
        return self.result_of(ActionResultCode.SUCCESS, {"object_id": found.obj_id}, agent_id)

    @classmethod
    def core_index(cls, grid_world: WorldInterface, agent_id: str, kwargs: dict[str, Any]) -> int:
        """The core's action on the object."""
        if not is_as_the_core_does(grid_world, kwargs, ("drop_range",)):
            return -1
        found = _carried(grid_world, agent_id, kwargs.get("object_id"))
        if found is None:
            return -1
        kwargs["object_id"] = found.obj_id
        return thing_index(grid_world, cls.__name__, found.obj_id)

    @classmethod
    def result_of(cls, code: int, kwargs: Mapping[str, Any], agent_id: str) -> ActionResult:
        """The result for a code of the core."""
        return DropObjectResult(
            DROP_TEXTS[ActionResultCode(code)], code == ActionResultCode.SUCCESS, kwargs.get("object_id")
        )


def _carried(grid_world: WorldInterface, agent_id: str, object_id: str | None) -> EnvObject | None:
    """The object with an id if the agent carries it; without an id the one grabbed last."""
    carried = grid_world.registered_agents[agent_id].is_carrying
    if object_id is None:
        number = last_grabbed(state_for(grid_world, agent_id))
        return next((obj for obj in carried if obj.number == number), None)
    return next((obj for obj in carried if obj.obj_id == object_id), None)
