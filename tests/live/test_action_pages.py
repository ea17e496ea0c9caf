"""What the published pages of `Action` and `ActionResult` say, sentence by sentence."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from gridarium.live import (
    Action,
    ActionFailure,
    ActionResult,
    GrabObject,
    MoveEast,
    MoveNorth,
    State,
    all_actions,
)
from tests.live.scripted import Scripted, last_result, world_of

HERE = (2, 2)


class PaintSelf(Action):
    """Gives an object a property; needs `colour`."""

    asked: list[tuple[str, dict[str, Any], State]]
    asked = []

    def is_possible(self, grid_world, agent_id, world_state, colour, **kwargs):  # type: ignore[no-untyped-def]
        PaintSelf.asked.append((agent_id, {"colour": colour, **kwargs}, world_state))
        return ActionResult(ActionResult.ACTION_SUCCEEDED, colour != "black")

    def mutate(self, grid_world, agent_id, world_state, colour, **kwargs):  # type: ignore[no-untyped-def]
        grid_world.registered_agents[agent_id].change_property("visualize_colour", colour)
        return ActionResult(PaintSelfResult.PAINTED, True)


class PaintSelfResult(ActionResult):
    """With a constant of its own."""

    PAINTED = "It is painted."


def test_an_action_is_made_with_a_duration_in_ticks() -> None:
    assert list(inspect.signature(Action).parameters) == ["duration_in_ticks"]
    assert inspect.signature(Action).parameters["duration_in_ticks"].default == 0
    assert Action().duration_in_ticks == 0
    assert Action(duration_in_ticks=3).duration_in_ticks == 3


def test_the_duration_is_zero_or_larger() -> None:
    with pytest.raises(ValueError, match="0 or more ticks, not -1"):
        Action(-1)


def test_the_methods_take_the_world_the_agent_the_state_and_keyword_arguments() -> None:
    for method in (Action.is_possible, Action.mutate):
        names = list(inspect.signature(method).parameters)
        assert names == ["self", "grid_world", "agent_id", "world_state", "kwargs"]


def test_all_actions_inherit_from_it_and_it_is_to_be_overridden() -> None:
    world = world_of((HERE, []))
    with pytest.raises(NotImplementedError, match="does not override mutate"):
        Action().mutate(world, "a0", world.world_state)
    assert issubclass(MoveEast, Action)
    assert "Action" not in all_actions()


def test_while_an_agent_is_busy_it_perceives_and_does_not_decide() -> None:
    world = world_of((HERE, [("MoveEast", {"action_duration": 2}), "MoveWest"]))
    places = []
    for _ in range(5):
        world.step()
        places.append(world.registered_agents["a0"].location)
    brain = world.brains["a0"]
    assert isinstance(brain, Scripted)
    assert brain.asked == [0, 3, 4]
    assert brain.filtered[-5:] == [0, 1, 2, 3, 4]
    assert places == [(2, 2), (2, 2), (3, 2), (2, 2), (2, 2)]


def test_a_busy_agent_is_marked_as_such_in_exactly_the_ticks_in_which_it_does_not_decide() -> None:
    world = world_of((HERE, [("MoveEast", {"action_duration": 2})]))
    marks = []
    for _ in range(4):
        world.step()
        marks.append(world.registered_agents["a0"].properties["is_blocked_by_action"])
    assert marks == [True, True, False, False]


def test_the_default_duration_of_a_class_holds_unless_the_agent_says_otherwise() -> None:
    class Slowly(MoveNorth):
        """A move that takes a tick more."""

        def __init__(self) -> None:
            super().__init__(duration_in_ticks=1)

    assert Slowly().duration_in_ticks == 1
    world = world_of((HERE, ["Slowly", ("Slowly", {"action_duration": 0})]))
    places = []
    for _ in range(3):
        world.step()
        places.append(world.registered_agents["a0"].location)
    assert places == [(2, 2), (2, 1), (2, 0)]


def test_whether_an_action_is_possible_is_asked_when_its_duration_has_passed() -> None:
    PaintSelf.asked.clear()
    world = world_of((HERE, [("PaintSelf", {"colour": "#ffffff", "action_duration": 2})]))
    world.step()
    world.step()
    assert PaintSelf.asked == []
    world.step()
    assert len(PaintSelf.asked) == 1
    assert world.registered_agents["a0"].visualize_colour == "#ffffff"


def test_the_world_checks_required_arguments_so_that_actions_need_not() -> None:
    PaintSelf.asked.clear()
    world = world_of((HERE, [("PaintSelf", {})]))
    world.step()
    assert not last_result(world).succeeded
    assert last_result(world).result == "PaintSelf needs the argument colour, which the agent did not give."
    assert PaintSelf.asked == []


def test_an_action_gets_the_keyword_arguments_and_the_state_of_the_whole_world_fresh_for_every_agent() -> (
    None
):
    PaintSelf.asked.clear()
    world = world_of((HERE, ["MoveEast"]), ((5, 5), [("PaintSelf", {"colour": "black", "why": 1})]))
    world.step()
    ((agent_id, kwargs, state),) = PaintSelf.asked
    assert (agent_id, kwargs) == ("a1", {"colour": "black", "why": 1})
    assert state["a0"]["location"] == (3, 2)
    assert {"a0", "a1", "World"} <= {*state.keys()}


def test_mutate_is_called_only_if_the_action_was_possible() -> None:
    world = world_of((HERE, [("PaintSelf", {"colour": "black"})]))
    colour = world.registered_agents["a0"].visualize_colour
    world.step()
    assert world.registered_agents["a0"].visualize_colour == colour
    assert not last_result(world).succeeded


def test_mutate_may_still_fail_and_its_result_is_passed_to_the_brain() -> None:
    class Unlucky(Action):
        """Looks possible, and is not."""

        def mutate(self, grid_world, agent_id, world_state, **kwargs):  # type: ignore[no-untyped-def]
            return ActionResult("Bad luck.", False)

    world = world_of((HERE, ["Unlucky"]))
    world.step()
    assert Unlucky().is_possible(world, "a0", world.world_state).succeeded
    assert last_result(world) == ActionResult("Bad luck.", False)


def test_is_possible_changes_nothing_which_a_debugging_world_checks() -> None:
    class Sneaky(Action):
        """Moves where it should only ask."""

        def is_possible(self, grid_world, agent_id, world_state, **kwargs):  # type: ignore[no-untyped-def]
            grid_world.registered_agents[agent_id].location = (0, 0)
            return ActionResult(ActionResult.ACTION_SUCCEEDED, True)

        def mutate(self, grid_world, agent_id, world_state, **kwargs):  # type: ignore[no-untyped-def]
            return ActionResult(ActionResult.ACTION_SUCCEEDED, True)

    world = world_of((HERE, ["Sneaky"]), debug=True)
    with pytest.raises(RuntimeError, match="Sneaky.is_possible has changed the world"):
        world.step()


def test_changes_of_the_world_are_seen_by_the_next_agent_of_the_same_tick() -> None:
    class Wallop(Action):
        """Moves everybody else."""

        def mutate(self, grid_world, agent_id, world_state, **kwargs):  # type: ignore[no-untyped-def]
            for other, body in grid_world.registered_agents.items():
                if other != agent_id:
                    body.location = (0, 0)
            return ActionResult(ActionResult.ACTION_SUCCEEDED, True)

    world = world_of((HERE, ["Wallop"]), ((5, 5), ["MoveEast"]))
    world.step()
    assert world.registered_agents["a1"].location == (1, 0)


def test_a_result_wraps_a_reason_and_whether_it_succeeded() -> None:
    assert list(inspect.signature(ActionResult).parameters) == ["result", "succeeded"]
    result = ActionResult("why", True)
    assert (result.result, result.succeeded) == ("why", True)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("IDLE_ACTION", "The action is None, hence the agent will idle which always succeeds. "),
        ("AGENT_WAS_REMOVED", "Agent {AGENT_ID} was removed during this tick, cannot perform anymore actions. "),
        ("ACTION_SUCCEEDED", "The action succeeded."),
        ("ACTION_NOT_POSSIBLE",
         "The `is_possible(...)` method returned False. Signalling that the action was not possible. "),
        ("AGENT_NOT_CAPABLE",
         "The action could not be performed, as the agent is not capable of performing this action. "),
        ("UNKNOWN_ACTION", "The action is not known to the environment."),
        ("NO_ACTION_GIVEN", "There was no action given to perform, automatic succeed. "),
    ],
)  # fmt: skip
def test_generic_reasons_are_constants(name: str, text: str) -> None:
    assert getattr(ActionResult, name) == text


def test_a_result_can_be_extended_with_constants_that_a_brain_compares() -> None:
    world = world_of((HERE, [("PaintSelf", {"colour": "#00ff00"})]))
    world.step()
    assert last_result(world).result == PaintSelfResult.PAINTED


def test_built_in_actions_can_be_extended() -> None:
    class GrabTwoAtMost(GrabObject):
        """A grab with a limit of its own."""

        def is_possible(self, grid_world, agent_id, world_state, **kwargs):  # type: ignore[no-untyped-def]
            return super().is_possible(grid_world, agent_id, world_state, max_objects=2, **kwargs)

    from gridarium.live import EnvObject

    things = [EnvObject(HERE, f"t{i}", is_traversable=True, is_movable=True) for i in range(3)]
    grabs = [("GrabTwoAtMost", {"object_id": f"t{i}"}) for i in range(3)]
    world = world_of((HERE, grabs), objects=things)
    for _ in range(3):
        world.step()
    assert len(world.registered_agents["a0"].is_carrying) == 2
    assert last_result(world).result == "Agent already carries the maximum amount of objects"


def test_an_action_is_found_by_its_class_name_also_when_defined_after_the_world_was_made() -> None:
    world = world_of((HERE, ["Later", "Later"]))
    world.step()
    assert last_result(world).result == ActionResult.UNKNOWN_ACTION

    class Later(Action):
        """Defined late."""

        def mutate(self, grid_world, agent_id, world_state, **kwargs):  # type: ignore[no-untyped-def]
            return ActionResult("done", True)

    assert Later.__name__ in all_actions()
    world.step()
    assert last_result(world).result == "done"


def test_what_is_no_result_is_refused() -> None:
    class Careless(Action):
        """Returns a bool."""

        def mutate(self, grid_world, agent_id, world_state, **kwargs):  # type: ignore[no-untyped-def]
            return True

    world = world_of((HERE, ["Careless"]))
    with pytest.raises(
        ActionFailure, match="TypeError: Careless.mutate returned True; an ActionResult is needed"
    ):
        world.step()
