"""Opening and closing doors.

Source: MATRX 2.3.3.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from gridarium.live.actions.action import Action
from gridarium.live.actions.action_result import ActionResult
from gridarium.live.actions.core_actions import is_as_the_core_does, parameter, state_for, thing_index
from gridarium.live.objects import Door
from gridarium.live.world_interface import WorldInterface
from gridarium.rules.live_actions import check_door
from gridarium.rules.results import ActionResultCode


class OpenDoorActionResult(ActionResult):
    """The results of opening doors."""

    RESULT_SUCCESS = "Door was successfully opened."
    NO_DOORS_IN_RANGE = "No door found in range"
    NOT_IN_RANGE = "Specified door is not within range."
    NOT_A_DOOR = "OpenDoor action could not be performed, as object isn't a door"
    RESULT_UNKNOWN_OBJECT_TYPE = "obj_id is no Agent and no Object, unknown what to do"
    DOOR_ALREADY_OPEN = "Can't open door, door is already open"
    DOOR_BLOCKED = "Can't close door, object or agent is blocking the door opening."
    NO_OBJECT_SPECIFIED = "No object_id of a door specified to open."


class CloseDoorActionResult(ActionResult):
    """The results of closing doors."""

    RESULT_SUCCESS = "Door was succesfully closed."
    NO_DOORS_IN_RANGE = "No door found in range"
    NOT_IN_RANGE = "Specified door is not within range."
    NOT_A_DOOR = "CloseDoor action could not be performed, as object isn't a door"
    RESULT_UNKNOWN_OBJECT_TYPE = "obj_id is no Agent and no Object, unknown what to do"
    DOOR_ALREADY_CLOSED = "Can't close door, door is already closed."
    DOOR_BLOCKED = "Can't close door, object or agent is blocking the door opening."
    NO_OBJECT_SPECIFIED = "No object_id of a door specified to close."


class _DoorAction(Action, abstract=True):
    """Opening or closing a door.

    Attributes:
        opens: which of the two.
        results: the class of its results.
        done_already: the result's text where the door is so already.
    """

    opens: ClassVar[bool]
    results: ClassVar[type[OpenDoorActionResult | CloseDoorActionResult]]
    done_already: ClassVar[str]

    def is_possible(
        self,
        grid_world: WorldInterface,
        agent_id: str,
        world_state: Any,
        object_id: str | None = None,
        door_range: float | None = None,
        **kwargs: Any,
    ) -> ActionResult:
        """Whether there is such a door within the range (Euclidean; without one, anywhere), it is not yet so, and nothing is in it."""
        found = grid_world.find(object_id)
        reach = parameter(grid_world, "door_range", door_range)
        number = found.number if isinstance(found, Door) else -1
        code = check_door(state_for(grid_world, agent_id), number, self.opens, reach)
        if code != ActionResultCode.NOTHING_THERE and object_id is None:
            return self.results(self.results.NO_OBJECT_SPECIFIED, False)
        if code == ActionResultCode.NOT_A_DOOR and found is not None:
            code = ActionResultCode.OUT_OF_REACH
        return self.result_of(code, {}, agent_id)

    def mutate(
        self,
        grid_world: WorldInterface,
        agent_id: str,
        world_state: Any,
        object_id: str | None = None,
        **kwargs: Any,
    ) -> ActionResult:
        """Open or close it."""
        door = grid_world.find(object_id)
        if not isinstance(door, Door):
            return self.results(self.results.NOT_A_DOOR, False)
        door.is_open = self.opens
        return self.result_of(ActionResultCode.SUCCESS, {}, agent_id)

    @classmethod
    def core_index(cls, grid_world: WorldInterface, agent_id: str, kwargs: dict[str, Any]) -> int:
        """The core's action on the door."""
        if not is_as_the_core_does(grid_world, kwargs, ("door_range",)):
            return -1
        return thing_index(grid_world, cls.__name__, kwargs.get("object_id"))

    @classmethod
    def result_of(cls, code: int, kwargs: Mapping[str, Any], agent_id: str) -> ActionResult:
        """The result for a code of the core."""
        texts = {
            ActionResultCode.SUCCESS: cls.results.RESULT_SUCCESS,
            ActionResultCode.NOTHING_THERE: cls.results.NO_DOORS_IN_RANGE,
            ActionResultCode.NOT_A_DOOR: cls.results.NOT_A_DOOR,
            ActionResultCode.OUT_OF_REACH: cls.results.NOT_IN_RANGE,
            ActionResultCode.ALREADY_DONE: cls.done_already,
            ActionResultCode.OCCUPIED: cls.results.DOOR_BLOCKED,
        }
        return cls.results(texts[ActionResultCode(code)], code == ActionResultCode.SUCCESS)


class OpenDoorAction(_DoorAction):
    """Opens the door `object_id`, within `door_range` of the agent."""

    opens, results, done_already = True, OpenDoorActionResult, OpenDoorActionResult.DOOR_ALREADY_OPEN


class CloseDoorAction(_DoorAction):
    """Closes the door `object_id`, within `door_range` of the agent, if nothing stands in it."""

    opens, results, done_already = False, CloseDoorActionResult, CloseDoorActionResult.DOOR_ALREADY_CLOSED
