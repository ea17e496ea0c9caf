"""Questions to what an agent knows."""

import copy
import json
import math

import pytest

from gridarium.live.perception import SenseCapability, State
from tests.live.standin import AgentBody, Door, RedBlock, SquareBlock, StandIn


def knows(*objects, own="agent_1", shape=(10, 10)):
    return State(own).look(StandIn(*objects, shape=shape))


def ids(found):
    return None if found is None else [p["obj_id"] for p in found]


ROOM = [
    SquareBlock("wall1", (2, 2), room_name="r", is_traversable=False),
    SquareBlock("wall2", (8, 2), room_name="r", is_traversable=False),
    SquareBlock("wall3", (2, 9), room_name="r", is_traversable=False),
    Door("door1", (8, 9), room_name="r", is_open=False, is_traversable=False),
    Door("door2", (0, 0), room_name="other", is_open=True),
    SquareBlock("inside", (7, 8), colours=["red", "blue"]),
    RedBlock("outside", (9, 9)),
]
ME = AgentBody("agent_1", (5, 5))


# keys


def test_an_id_matches_exactly_and_not_as_a_part_of_another_id():
    state = knows(
        SquareBlock("box_agent_1", (0, 0)), AgentBody("agent_1", (5, 5)), AgentBody("agent_10", (1, 1))
    )
    assert state["agent_1"]["location"] == (5, 5) == state.get_self()["location"]
    assert ids(state.get_with_property({"obj_id": "agent_1"})) == ["agent_1"]
    assert state["agent"] is None


def test_one_find_is_given_itself_several_as_a_list_none_as_none():
    state = knows(ME, *ROOM)
    assert state[{"is_open": True}]["obj_id"] == "door2"
    assert ids(state["is_open"]) == ["door1", "door2"]
    assert state["nothing_has_this"] is None


def test_a_list_is_one_of_ids_if_all_are_known_and_else_one_of_properties():
    state = knows(ME, *ROOM)
    assert ids(state[["inside", "wall1"]]) == ["inside", "wall1"]
    assert ids(state[["is_open", "room_name"]]) == ["door1", "door2"]
    assert state[["inside", "no_such"]] is None


def test_properties_are_joined_by_and_their_values_by_or():
    state = knows(ME, *ROOM)
    assert ids(state[{"room_name": ["r", "other"], "is_open": [True, False]}]) == ["door1", "door2"]
    assert state[{"room_name": "r", "class_inheritance": "Door"}]["obj_id"] == "door1"
    assert ids(state.get_with_property({"is_open": True, "colours": None}, combined=False)) == [
        "door2",
        "inside",
    ]


def test_found_objects_come_in_the_order_in_which_they_are_perceived():
    state = knows(*[SquareBlock(f"b{i}", (i % 10, i // 10), a=1, b=2) for i in range(50)], ME)
    assert ids(state[{"a": 1, "b": 2}]) == [f"b{i}" for i in range(50)]


def test_text_is_compared_as_a_whole():
    state = knows(ME, *ROOM)
    assert state[{"room_name": "othe"}] is None
    assert state[{"name": "wall"}] is None


def test_a_property_that_is_a_list_matches_its_elements_or_the_list():
    state = knows(ME, *ROOM)
    for wanted in ("red", ["green", "blue"], ["red", "blue"], [["red", "blue"]]):
        assert state[{"colours": wanted}]["obj_id"] == "inside"
    assert state[{"colours": "green"}] is None


def test_a_property_that_is_a_mapping_matches_some_of_its_items():
    state = knows(ME, SquareBlock("red", (0, 0), visualization={"colour": "#ff0000", "size": 1.0}), *ROOM)
    assert state[{"visualization": {"colour": "#ff0000"}}]["obj_id"] == "red"
    assert state[{"visualization": {"colour": "#ff0000", "size": 0.5}}] is None


def test_a_location_is_compared_as_a_whole():
    state = knows(ME, *ROOM)
    assert state[{"location": (7, 8)}]["obj_id"] == state[{"location": [7, 8]}]["obj_id"] == "inside"
    assert ids(state[{"location": [(7, 8), (9, 9)]}]) == ["inside", "outside"]
    assert state[{"location": (7, 3)}] is None
    assert state[{"location": 7}] is None


def test_what_is_no_key_is_refused():
    with pytest.raises(TypeError, match="a query is text"):
        knows(ME)[3]
    with pytest.raises(TypeError, match="the name|a name of a property"):
        knows(ME).get_with_property({3: 4})


# a mapping


def test_it_is_a_mapping_of_ids():
    state = knows(ME, *ROOM)
    assert "door1" in state and "World" in state
    assert "no_such" not in state and "is_open" not in state
    assert state.get("no_such", 7) == 7 and state.get("no_such") is None
    assert state.get("door1", 7)["obj_id"] == "door1"
    assert [*state] == [*state.keys()] == [*(o.obj_id for o in ROOM), "agent_1", "World"]
    assert len(state) == len(ROOM) + 2
    assert dict(state.items()) == state.as_dict() and len(state.values()) == len(state)


def test_it_contains_what_a_list_or_a_mapping_finds():
    state = knows(ME, *ROOM)
    assert {"is_open": True} in state and {"is_open": 3} not in state
    assert ["door1", "door2"] in state and ["door1", "door3"] not in state
    assert 3 not in state


def test_it_cannot_be_assigned_to():
    state = knows(ME)
    with pytest.raises(ValueError, match="cannot be assigned to"):
        state["a"] = {}
    with pytest.raises(ValueError, match="cannot be updated so"):
        state.update({})


def test_properties_are_read_only_and_can_be_copied():
    found = knows(ME)["agent_1"]
    for change in (lambda: found.update(a=1), lambda: found.pop("name"), lambda: found.__setitem__("a", 1)):
        with pytest.raises(TypeError, match="read only"):
            change()
    assert isinstance(found, dict)
    mine = copy.deepcopy(found)
    mine["visualization"]["size"] = 3
    assert found["visualization"]["size"] == 1.0
    assert json.loads(json.dumps(found))["obj_id"] == "agent_1"


def test_removed_objects_are_not_known_until_they_are_perceived_again():
    world = StandIn(ME, *ROOM)
    state, other = State("agent_1").look(world), State("agent_1").look(world)
    state.remove("door1")
    assert state.pop("door2")["obj_id"] == "door2"
    del state["wall1"]
    state.remove_with_property({"room_name": "r"})
    state.remove_with_property("no_such")
    assert [*state] == ["inside", "outside", "agent_1", "World"]
    assert "door1" in other and "door1" in state.look(world)


def test_removing_what_is_not_known_is_an_error():
    state = knows(ME)
    with pytest.raises(KeyError):
        state.remove("no_such")
    with pytest.raises(KeyError):
        state.pop("no_such")
    assert state.pop("no_such", None) is None


def test_a_copy_stays_while_the_world_goes_on():
    body = AgentBody("agent_1", (0, 0))
    world = StandIn(body)
    state = State("agent_1").look(world)
    before = state.copy()
    body.location = (3, 3)
    world.pass_time()
    state.look(world)
    assert before.get_self()["location"] == (0, 0) and before["World"]["nr_ticks"] == 0
    assert state.get_self()["location"] == (3, 3) and state["World"]["nr_ticks"] == 1


def test_nothing_is_computed_before_somebody_asks():
    class Untouchable:
        def __getattribute__(self, name):
            raise AssertionError(f"{name} was asked for")

    State("agent_1").look(Untouchable())


def test_it_is_updated_with_plain_properties_too():
    state = State("me").state_update({"me": {"obj_id": "me", "location": (1, 1)}, "World": {"nr_ticks": 4}})
    assert state.get_self()["location"] == (1, 1) and state["World"]["nr_ticks"] == 4
    with pytest.raises(ValueError, match="as_dict"):
        State("me").state_update(state)
    with pytest.raises(ValueError, match="mapping"):
        State("me").state_update([])
    assert "World" not in State("me").state_update({})


def test_an_agent_that_is_not_in_the_world_knows_nothing():
    state = knows(*ROOM)
    assert state.get_self() is None and state.get_closest_objects() is None
    assert [*state] == ["World"]


def test_somebody_without_a_body_perceives_everything():
    state = knows(ME, *ROOM, own=None)
    assert len(state) == len(ROOM) + 2
    assert state.get_self() is None and "team_members" not in state["World"]


# questions


def test_the_world_is_described():
    state = knows(AgentBody("agent_1", (0, 0), teams=["a", "b"]), AgentBody("x", (1, 1), teams=["b"]))
    world = state["World"]
    assert world["nr_ticks"] == 0 and world["grid_shape"] == (10, 10) and world["tick_duration"] == 0.5
    assert world["team_members"] == ["agent_1", "x"]
    assert world["vis_settings"]["vis_bg_clr"] == "#C2C2C2"


def test_objects_are_found_by_their_class_and_its_bases():
    state = knows(ME, *ROOM)
    assert ids(state.get_of_type("RedBlock")) == ids(state.get_of_type(RedBlock)) == ["outside"]
    assert len(state.get_of_type("SquareBlock")) == 5
    assert state.get_of_type("Block") is None


def test_rooms_are_found_with_what_is_in_them():
    state = knows(ME, *ROOM)
    assert state.get_all_room_names() == ["r", "other"]
    assert ids(state.get_room("r")) == ["wall1", "wall2", "wall3", "door1"]
    assert ids(state.get_room_objects("r")) == ["wall1", "wall2", "wall3", "door1", "inside", "agent_1"]
    assert ids(state.get_room_doors("r")) == ["door1"]
    assert state.get_room("x") is state.get_room_objects("x") is state.get_room_doors("x") is None
    assert knows(ME).get_all_room_names() == []


def test_an_area_has_as_many_columns_as_it_is_wide():
    blocks = [SquareBlock(f"{x},{y}", (x, y)) for x in range(5) for y in range(5)]
    state = knows(ME, *blocks)
    found = state.get_objects_in_area((1, 1), width=2, height=3)
    assert {p["location"] for p in found} == {(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3)}
    assert found == state.get_objects_in_area((1, 1), bottom_right=(2, 3))
    with pytest.raises(ValueError, match="bottom_right"):
        state.get_objects_in_area((1, 1), width=2)


def test_agents_are_found():
    state = knows(ME, AgentBody("b", (1, 1), name="Bob"), *ROOM)
    assert ids(state.get_agents()) == ["agent_1", "b"]
    assert ids(state.get_agents_with_property({"name": "Bob"})) == ["b"]
    assert state.get_agents_with_property("is_open") is None


def test_team_members_are_those_of_that_very_team():
    agents = [
        AgentBody("agent_1", (0, 0), teams=["a", "b"]),
        AgentBody("x", (1, 1), teams=["b"]),
        AgentBody("y", (2, 2), teams=["ab"]),
        AgentBody("z", (3, 3), teams=[""]),
    ]
    state = knows(*agents)
    assert ids(state.get_team_members()) == ["agent_1", "x"]
    assert ids(state.get_team_members("ab")) == ["y"]
    assert ids(state.get_team_members("")) == ["z"]
    assert state.get_team_members("nobody") is None


# what is near


def test_the_closest_are_all_that_are_equally_near_and_not_oneself():
    state = knows(SquareBlock("box_me", (9, 9)), AgentBody("me", (5, 5)), *ROOM, own="me")
    assert ids(state.get_closest_objects()) == ["inside"]
    state = knows(SquareBlock("a", (4, 5)), SquareBlock("b", (5, 6)), SquareBlock("c", (6, 6)), ME)
    assert ids(state.get_closest_objects()) == ["a", "b"]
    assert knows(ME).get_closest_objects() is None


def test_the_closest_of_what_has_a_property():
    state = knows(ME, *ROOM)
    assert ids(state.get_closest_with_property("is_open")) == ["door1"]
    assert ids(state.get_closest_with_property({"room_name": "other"})) == ["door2"]
    assert ids(state.get_closest_with_property("inside")) == ["inside"]
    assert state.get_closest_with_property("isAgent") is None


def test_the_closest_door_is_that_of_a_room_or_of_any():
    state = knows(ME, *ROOM, Door("no_room", (5, 5)))
    assert ids(state.get_closest_room_door()) == ["door1"]
    assert ids(state.get_closest_room_door("other")) == ["door2"]
    assert state.get_closest_room_door("none") is None


def test_the_closest_agents():
    state = knows(ME, AgentBody("a", (5, 7)), AgentBody("b", (3, 5)), AgentBody("c", (0, 0)))
    assert ids(state.get_closest_agents()) == ["a", "b"]
    assert knows(ME).get_closest_agents() is None


# maps


def test_the_map_says_where_one_can_go():
    found = knows(ME, *ROOM).get_traverse_map()
    assert {p for p, free in found.items() if not free} == {(2, 2), (8, 2), (2, 9), (8, 9)}
    assert len(found) == 100


def test_the_map_of_a_world_without_obstacles_is_free():
    found = knows(ME, shape=(3, 2)).get_traverse_map()
    assert found == {(x, y): True for x in range(3) for y in range(2)}


def test_the_distances_are_those_from_oneself():
    found = knows(AgentBody("agent_1", (1, 1)), shape=(3, 2)).get_distance_map()
    assert found[1, 1] == 0 and found[0, 0] == pytest.approx(math.sqrt(2)) and len(found) == 6
    with pytest.raises(ValueError, match="not in this state"):
        knows(*ROOM).get_distance_map()


def test_an_agent_knows_only_what_it_perceives():
    state = knows(AgentBody("agent_1", (7, 7), SenseCapability({None: 2})), *ROOM)
    assert [*state] == ["inside", "agent_1", "World"]
    assert not any(state.blocked.ravel())
