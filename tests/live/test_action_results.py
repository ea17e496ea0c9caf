"""Every built-in action gives each of its results where MATRX gives it, and its defects are not ours."""

from __future__ import annotations

from typing import Any

import pytest

from gridarium.live import (
    ActionResult,
    AgentBody,
    AgentBrain,
    AreaTile,
    CloseDoorActionResult,
    Door,
    DropObjectResult,
    EnvObject,
    GrabObjectResult,
    Move,
    MoveActionResult,
    OpenDoorActionResult,
    RemoveObjectResult,
    SquareBlock,
    Wall,
)
from tests.live.scripted import Scripted, last_result, world_of

HERE = (2, 2)


def thing(location: tuple[int, int], name: str = "thing", **properties: Any) -> EnvObject:
    return EnvObject(location, name, **{"is_traversable": True, "is_movable": True, **properties})


def after(action: str, kwargs: dict[str, Any], objects: list[EnvObject], **options: Any) -> Any:
    """What comes of one action of an agent at (2, 2)."""
    world = world_of((HERE, [(action, kwargs)]), objects=objects, **options)
    expected = world.is_possible("a0", action, kwargs) if world.reset() is None else None
    world.step()
    result = last_result(world)
    assert result.succeeded == expected.succeeded
    return world, result


@pytest.mark.parametrize(
    ("action", "step"),
    [
        ("MoveNorth", (0, -1)), ("MoveNorthEast", (1, -1)), ("MoveEast", (1, 0)), ("MoveSouthEast", (1, 1)),
        ("MoveSouth", (0, 1)), ("MoveSouthWest", (-1, 1)), ("MoveWest", (-1, 0)), ("MoveNorthWest", (-1, -1)),
    ],
)  # fmt: skip
def test_moves_go_to_the_eight_cells_around(action: str, step: tuple[int, int]) -> None:
    world, result = after(action, {}, [])
    assert world.registered_agents["a0"].location == (2 + step[0], 2 + step[1])
    assert result == MoveActionResult(MoveActionResult.RESULT_SUCCESS, True)


def test_moves_are_refused_by_objects_agents_and_the_border() -> None:
    assert after("MoveEast", {}, [Wall((3, 2))])[1].result == MoveActionResult.RESULT_NOT_PASSABLE_OBJECT
    assert (
        after("MoveEast", {}, [SquareBlock((3, 2))])[1].result == MoveActionResult.RESULT_NOT_PASSABLE_OBJECT
    )
    assert after("MoveEast", {}, [Door((3, 2))])[1].result == MoveActionResult.RESULT_NOT_PASSABLE_OBJECT
    assert after("MoveEast", {}, [Door((3, 2), is_open=True)])[1].succeeded
    assert after("MoveEast", {}, [], shape=(3, 4))[1].result == MoveActionResult.RESULT_OUT_OF_BOUNDS
    world = world_of((HERE, ["MoveEast"]), ((3, 2), []), body={"is_traversable": False})
    world.step()
    assert last_result(world).result == MoveActionResult.RESULT_OCCUPIED
    assert not last_result(world).succeeded


def test_traversable_agents_share_cells_and_diagonal_moves_pass_between_walls() -> None:
    world = world_of((HERE, ["MoveEast"]), ((3, 2), []))
    world.step()
    assert world.registered_agents["a0"].location == world.registered_agents["a1"].location
    assert after("MoveSouthEast", {}, [Wall((3, 2)), Wall((2, 3))])[1].succeeded


def test_the_base_move_leads_nowhere() -> None:
    world = world_of((HERE, []))
    world.reset()
    result = Move().is_possible(world, "a0", world.world_state)
    assert result == MoveActionResult(MoveActionResult.RESULT_NO_MOVE, False)
    assert "Move" not in world.registered_agents["a0"].action_set


@pytest.mark.parametrize(
    ("objects", "kwargs", "text"),
    [
        ([Door((3, 2))], {"object_id": "Door"}, OpenDoorActionResult.RESULT_SUCCESS),
        ([], {"object_id": "Door"}, OpenDoorActionResult.NO_DOORS_IN_RANGE),
        ([Door((5, 2))], {"object_id": "Door", "door_range": 2}, OpenDoorActionResult.NO_DOORS_IN_RANGE),
        ([Door((3, 2))], {}, OpenDoorActionResult.NO_OBJECT_SPECIFIED),
        ([Door((3, 2))], {"object_id": "nothing"}, OpenDoorActionResult.NOT_A_DOOR),
        ([Door((3, 2)), thing((1, 1))], {"object_id": "thing"}, OpenDoorActionResult.NOT_IN_RANGE),
        ([Door((3, 2)), Door((6, 5), name="far")], {"object_id": "far", "door_range": 2},
         OpenDoorActionResult.NOT_IN_RANGE),
        ([Door((3, 2), is_open=True)], {"object_id": "Door"}, OpenDoorActionResult.DOOR_ALREADY_OPEN),
    ],
)  # fmt: skip
def test_doors_are_opened(objects: list[EnvObject], kwargs: dict[str, Any], text: str) -> None:
    world, result = after("OpenDoorAction", kwargs, objects)
    assert (result.result, result.succeeded) == (text, text == OpenDoorActionResult.RESULT_SUCCESS)
    if result.succeeded:
        door = world.environment_objects["Door"]
        assert door.is_open and door.is_traversable and door.visualize_colour == door.open_colour


def test_doors_are_closed_unless_something_stands_in_them() -> None:
    world, result = after("CloseDoorAction", {"object_id": "Door"}, [Door((3, 2), is_open=True)])
    assert result.result == CloseDoorActionResult.RESULT_SUCCESS
    assert not world.environment_objects["Door"].is_traversable
    assert world.environment_objects["Door"].properties["is_open"] is False
    closed = after("CloseDoorAction", {"object_id": "Door"}, [Door((3, 2))])[1]
    assert closed.result == CloseDoorActionResult.DOOR_ALREADY_CLOSED
    stuck = after("CloseDoorAction", {"object_id": "Door"}, [Door((3, 2), is_open=True), thing((3, 2))])[1]
    assert stuck.result == CloseDoorActionResult.DOOR_BLOCKED
    inside = after("CloseDoorAction", {"object_id": "Door"}, [Door(HERE, is_open=True)])[1]
    assert inside.result == CloseDoorActionResult.DOOR_BLOCKED


@pytest.mark.parametrize(
    ("objects", "kwargs", "text"),
    [
        ([thing((3, 2))], {"object_id": "thing"}, GrabObjectResult.RESULT_SUCCESS),
        ([thing((3, 2))], {}, GrabObjectResult.RESULT_NO_OBJECT),
        ([thing((6, 5))], {"object_id": "thing", "grab_range": 2}, GrabObjectResult.NOT_IN_RANGE),
        ([], {"object_id": "thing"}, GrabObjectResult.NOT_IN_RANGE),
        ([thing((3, 2), is_movable=None)], {"object_id": "thing"}, GrabObjectResult.RESULT_OBJECT_UNMOVABLE),
        ([Wall((3, 2))], {"object_id": "Wall"}, GrabObjectResult.RESULT_OBJECT_UNMOVABLE),
        ([thing((3, 2))], {"object_id": "a0"}, GrabObjectResult.RESULT_AGENT),
        ([thing((3, 2))], {"object_id": "thing", "max_objects": 0}, GrabObjectResult.RESULT_CARRIES_OBJECT),
        ([thing((3, 2))], {"object_id": ""}, GrabObjectResult.NOT_IN_RANGE),
    ],
)  # fmt: skip
def test_objects_are_grabbed(objects: list[EnvObject], kwargs: dict[str, Any], text: str) -> None:
    world, result = after("GrabObject", kwargs, objects)
    assert (result.result, result.succeeded) == (text, text == GrabObjectResult.RESULT_SUCCESS)
    carried = [obj.obj_id for obj in world.registered_agents["a0"].is_carrying]
    assert carried == (["thing"] if result.succeeded else [])


def test_what_is_carried_goes_with_its_carrier_and_says_who_that_is() -> None:
    moves = [("GrabObject", {"object_id": "thing"}), "MoveEast", "MoveEast"]
    world = world_of(
        (HERE, moves), ((0, 0), ["", "", ("GrabObject", {"object_id": "thing"})]), objects=[thing(HERE)]
    )
    for _ in range(3):
        world.step()
    carried = world.find("thing")
    assert carried is not None
    assert carried.location == (4, 2)
    assert carried.carried_by == ["a0"]
    assert "thing" not in world.environment_objects
    assert world.get_env_object("thing") is None
    body = world.registered_agents["a0"].properties
    assert [each["obj_id"] for each in body["is_carrying"]] == ["thing"]
    assert last_result(world, "a1").result == "Object is already carried by a0"


def test_the_last_object_grabbed_is_dropped_first() -> None:
    grabs = [("GrabObject", {"object_id": "one"}), ("GrabObject", {"object_id": "two"})]
    objects = [thing(HERE, "two"), thing(HERE, "one")]
    world = world_of((HERE, [*grabs, "DropObject", ("DropObject", {"object_id": "one"})]), objects=objects)
    for _ in range(3):
        world.step()
    assert [obj.obj_id for obj in world.registered_agents["a0"].is_carrying] == ["one"]
    result = last_result(world)
    assert (result.result, result.obj_id) == (DropObjectResult.RESULT_SUCCESS, "two")
    world.step()
    assert world.registered_agents["a0"].is_carrying == []
    assert last_result(world).obj_id == "one"


def test_dropping_needs_something_carried() -> None:
    assert after("DropObject", {}, [])[1].result == DropObjectResult.RESULT_NO_OBJECT
    assert (
        after("DropObject", {"object_id": "thing"}, [thing(HERE)])[1].result
        == DropObjectResult.RESULT_NO_OBJECT
    )
    assert after("DropObject", {"object_id": ""}, [])[1].result == DropObjectResult.RESULT_NONE_GIVEN


def test_objects_in_the_way_are_dropped_beside_agents_in_the_order_east_west_south_north() -> None:
    grab, drop = ("GrabObject", {"object_id": "Block"}), "DropObject"
    for walls, place in (
        ([], (3, 2)),
        ([(3, 2)], (1, 2)),
        ([(3, 2), (1, 2)], (2, 3)),
        ([(3, 2), (1, 2), (2, 3)], (2, 1)),
    ):
        objects = [SquareBlock((5, 5), is_movable=True), *map(Wall, walls)]
        world = world_of((HERE, [grab, drop]), objects=objects, body={"is_traversable": False})
        world.step()
        world.step()
        assert last_result(world).succeeded
        assert world.environment_objects["Block"].location == place
    around = [SquareBlock((5, 5), is_movable=True), *map(Wall, [(3, 2), (1, 2), (2, 3), (2, 1)])]
    world = world_of((HERE, [grab, drop]), objects=around, body={"is_traversable": False})
    world.step()
    world.step()
    assert last_result(world).result == DropObjectResult.RESULT_OBJECT


def test_a_traversable_agent_drops_a_block_in_its_own_cell_and_tiles_are_in_nobody_s_way() -> None:
    objects = [AreaTile(HERE), SquareBlock((5, 5), is_movable=True)]
    world = world_of(
        (HERE, [("GrabObject", {"object_id": "Block"}), ("DropObject", {"drop_range": 0})]), objects=objects
    )
    world.step()
    world.step()
    assert last_result(world).succeeded
    assert world.environment_objects["Block"].location == HERE


@pytest.mark.parametrize(
    ("objects", "kwargs", "text"),
    [
        ([thing((3, 2))], {"object_id": "thing"}, "The object with id `thing` is removed."),
        ([Wall((3, 2))], {"object_id": "Wall"}, "The object with id `Wall` is removed."),
        ([thing((5, 5))], {"object_id": "thing"}, "No objects were in `1`."),
        ([thing((5, 5)), thing((3, 2), "near")], {"object_id": "thing", "remove_range": 2},
         "The object with id `thing` is not within the range of `2`."),
        ([thing((3, 2))], {"object_id": "a0"},
         "The object with id `a0` failed to be removed by the environment for some reason."),
    ],
)  # fmt: skip
def test_objects_are_removed(objects: list[EnvObject], kwargs: dict[str, Any], text: str) -> None:
    world, result = after("RemoveObject", kwargs, objects)
    assert result.result == text
    assert isinstance(result, RemoveObjectResult)
    assert (
        kwargs["object_id"] in {**world.environment_objects, **world.registered_agents}
    ) != result.succeeded


def test_an_agent_removed_in_the_same_tick_is_told_so_and_drops_what_it_carries() -> None:
    grabs = [("GrabObject", {"object_id": "thing"}), None]
    world = world_of(
        ((3, 2), ["", ("RemoveObject", {"object_id": "a1"})]),
        (HERE, [*grabs[:1], "MoveSouth"]),
        objects=[thing(HERE)],
    )
    gone = world.brains["a1"]
    world.step()
    world.step()
    assert gone.previous_action_result == ActionResult(
        "Agent a1 was removed during this tick, cannot perform anymore actions. ", False
    )
    assert world.environment_objects["thing"].location == HERE
    assert world.environment_objects["thing"].carried_by == []
    assert list(world.registered_agents) == ["a0"]
    world.step()
    assert world.current_nr_ticks == 3


def test_what_the_world_declares_is_the_most_that_agents_may_reach() -> None:
    far = [thing((5, 2))]
    assert after("GrabObject", {"object_id": "thing"}, far)[1].succeeded
    options = {"action_parameters": {"grab_range": 1}}
    assert not after("GrabObject", {"object_id": "thing"}, [thing((5, 2))], **options)[1].succeeded
    assert not after("GrabObject", {"object_id": "thing", "grab_range": 9}, [thing((5, 2))], **options)[
        1
    ].succeeded
    assert after("GrabObject", {"object_id": "thing"}, [thing((3, 2))], **options)[1].succeeded


def test_misspelt_actions_are_named_when_the_world_is_made_and_when_they_are_chosen(
    caplog: pytest.LogCaptureFixture,
) -> None:
    body = {"possible_actions": ["MoveEast", "MoveNort"], "key_action_map": {"g": "GrabObjct"}}
    with pytest.warns(UserWarning) as warned:
        world = world_of((HERE, ["MoveNorht"]), body=body)
    assert [str(each.message).partition("?")[0] for each in warned] == [
        "possible_actions of a0: no action 'MoveNort' is defined; did you mean 'MoveNorth'",
        "key_action_map of a0: no action 'GrabObjct' is defined; did you mean 'GrabObject'",
    ]
    world.step()
    assert "an agent has chosen the unknown action 'MoveNorht'; did you mean 'MoveNorth'?" in caplog.text
    with pytest.warns(
        UserWarning, match="possible_actions of late: no action 'Fly' is defined; known: CloseDoorAction, "
    ):
        world.add_agent(AgentBrain(), AgentBody((0, 0), "late", possible_actions=["Fly"]))


def test_unknown_actions_and_those_that_an_agent_does_not_have_are_said_to_be_so() -> None:
    world = world_of((HERE, ["Fly", "MoveEast", None]), body={"possible_actions": ["MoveWest"]})
    world.step()
    assert last_result(world) == ActionResult(ActionResult.UNKNOWN_ACTION, False)
    world.step()
    assert last_result(world) == ActionResult(ActionResult.AGENT_NOT_CAPABLE, False)
    world.step()
    assert last_result(world) == ActionResult(ActionResult.IDLE_ACTION, True)
    assert world.registered_agents["a0"].location == HERE


def test_a_brain_gets_the_result_of_each_action_before_it_decides_again() -> None:
    world = world_of((HERE, ["MoveEast", "MoveWest"]))
    for _ in range(3):
        world.step()
    brain = world.brains["a0"]
    assert isinstance(brain, Scripted)
    assert [None if r is None else r.result for r in brain.results] == [
        None, MoveActionResult.RESULT_SUCCESS, MoveActionResult.RESULT_SUCCESS
    ]  # fmt: skip


def test_bodies_of_agents_are_named_in_lower_case_and_never_twice() -> None:
    brains = [
        (Scripted(), AgentBody((i, 0), name, is_traversable=True))
        for i, name in enumerate(["Bob", "bob", "Bob  B#"])
    ]
    world = world_of()
    for brain, body in brains:
        world.add_agent(brain, body)
    assert list(world.registered_agents) == ["bob", "bob_1", "bob_b"]
