"""Brains: what the base class and those of people and patrols do."""

import pytest

from gridarium.live.brains import AgentBrain, HumanAgentBrain, PatrollingAgentBrain
from gridarium.live.brains.agent_brain import MOST_MESSAGES_KEPT
from gridarium.live.brains.moves import MOVES
from gridarium.live.messages import Message
from gridarium.live.perception import SenseCapability, State
from tests.live.standin import AgentBody, Door, SquareBlock, StandIn, embodied

ME = AgentBody("me", (2, 2))


def brain(kind=AgentBrain, *objects, possible=lambda action, kwargs: True, body=ME, **given):
    made = kind() if isinstance(kind, type) else kind
    return embodied(made, body, StandIn(body, *objects), possible, **given)


# the base class


def test_it_moves_at_random_and_its_seed_says_how():
    moves = [
        [b.decide_on_action(b.state)[0] for _ in range(20)] for b in (brain(), brain(), brain(rnd_seed=2))
    ]
    assert moves[0] == moves[1] != moves[2]
    assert {*moves[0]} == {"MoveNorth", "MoveEast", "MoveSouth", "MoveWest"}


def test_its_moves_do_not_depend_on_the_order_of_its_actions():
    made = [brain(action_set=names) for names in ([*MOVES], [*MOVES][::-1])]
    first, second = ([b.decide_on_action(b.state) for _ in range(20)] for b in made)
    assert first == second


def test_it_chooses_only_possible_moves_and_never_anything_else():
    asked = []
    made = brain(
        possible=lambda action, kwargs: asked.append((action, kwargs)) or action == "MoveWest",
        action_set=["MoveWest", "MoveEast", "GrabObject"],
    )
    assert {made.decide_on_action(made.state)[0] for _ in range(20)} == {"MoveWest"}
    assert {action for action, _ in asked} == {"MoveWest", "MoveEast"}


def test_it_idles_if_no_move_is_possible():
    assert brain(possible=lambda action, kwargs: False).decide_on_action(State("me")) == (None, {})
    assert brain(action_set=["GrabObject"]).decide_on_action(State("me")) == (None, {})


def test_it_sends_nothing_by_itself():
    for made in (brain(), brain(HumanAgentBrain)):
        for _ in range(100):
            made.decide_on_action(made.state)
        assert made.messages_to_send == []


def test_it_begins_anew_with_each_world():
    made = brain()
    first = [made.decide_on_action(made.state) for _ in range(10)]
    made.send_message(Message("hello", from_id="me"))
    made.received_messages.append(Message("hi", from_id="you"))
    made.previous_action = "MoveNorth"
    made.initialize()
    assert [made.decide_on_action(made.state) for _ in range(10)] == first
    assert made.messages_to_send == [] == made.received_messages and made.previous_action is None


def test_it_begins_anew_in_another_world_though_a_subclass_does_not_call_initialize():
    class Own(AgentBrain):
        def initialize(self):
            pass

    made = brain(Own)
    first = made.decide_on_action(made.state)
    made.received_messages.append(Message("hi", from_id="you"))
    embodied(made, ME, StandIn(ME))
    assert made.decide_on_action(made.state) == first and made.received_messages == []


def test_it_asks_the_world_whether_an_action_is_possible():
    made = brain(possible=lambda action, kwargs: kwargs == {"object_id": "box"})
    assert made.is_action_possible("GrabObject", {"object_id": "box"})[0] is True
    possible, result = made.is_action_possible("GrabObject", None)
    assert possible is False and result.succeeded is False
    with pytest.raises(RuntimeError, match="in no world yet"):
        AgentBrain().is_action_possible("MoveNorth")


def test_it_sends_messages_of_its_own_only():
    made = brain()
    message = Message("hello", from_id="me", to_id="you")
    made.send_message(message)
    assert made.messages_to_send == [message]
    with pytest.raises(TypeError, match="a Message is sent"):
        made.send_message("hello")
    with pytest.raises(ValueError, match="cannot send a message from you"):
        made.send_message(Message("hello", from_id="you"))


def test_a_brain_that_reads_no_messages_keeps_the_last_ones():
    made = brain()
    made.received_messages += [Message(i, from_id="you") for i in range(MOST_MESSAGES_KEPT + 5)]
    made.perceive(StandIn(ME))
    assert [m.content for m in made.received_messages] == [*range(5, MOST_MESSAGES_KEPT + 5)]


def test_it_remembers_for_as_long_as_it_is_told():
    body = AgentBody("me", (0, 0), SenseCapability({None: 1}))
    block = SquareBlock("block", (1, 0))
    world = StandIn(body, block)
    made = embodied(AgentBrain(memorize_for_ticks=2), body, world)
    body.location = (9, 9)
    found = []
    for _ in range(3):
        world.pass_time()
        made.perceive(world)
        found.append("block" in made.filter_observations(made.state))
    assert found == [True, True, False]


def test_another_state_is_taken_with_a_warning():
    made = brain()
    with pytest.warns(UserWarning, match="agent me is given another State"):
        made.state = State("me")
    with pytest.raises(TypeError, match="is a State"):
        made.state = {}


def test_others_are_offered_its_actions_and_the_message_is_from_who_clicked():
    menu = brain().create_context_menu_for_other("you", None, (1, 1))
    assert menu[0]["OptionText"] == "Do action: MoveNorth" and len(menu) == 4
    message = menu[0]["Message"]
    assert (message.content, message.from_id, message.to_id) == ("MoveNorth", "you", "me")


def test_nothing_is_logged_by_default():
    assert brain().get_log_data() == {}


# people

KEYS = {
    "w": "MoveNorth",
    "g": "GrabObject",
    "p": "DropObject",
    "r": "RemoveObject",
    "o": "OpenDoorAction",
    "c": "CloseDoorAction",
    "x": "Shout",
}


def press(key, *objects, body=ME, **options):
    made = brain(HumanAgentBrain(**options), *objects, body=body, key_action_map=KEYS)
    return made.decide_on_action(made.state, [key])


def test_keys_keep_their_order_and_the_last_one_counts():
    made = brain(HumanAgentBrain, key_action_map=KEYS)
    assert made.wants_user_input and not AgentBrain.wants_user_input
    assert made.filter_user_input(["g", "?", "w", "g", "w"]) == ["g", "w", "g", "w"]
    assert made.decide_on_action(made.state, ["g", "w", "?"]) == ("MoveNorth", {})
    for nothing in ([], None, ["?"]):
        assert made.decide_on_action(made.state, nothing) == (None, {})
    assert press("x") == ("Shout", {})


def test_reading_keys_leaves_messages_alone():
    made = brain(HumanAgentBrain, key_action_map=KEYS)
    made.received_messages.append(Message("hi", from_id="you"))
    made.filter_user_input(["w"])
    made.decide_on_action(made.state, ["w"])
    assert len(made.received_messages) == 1


def test_a_person_grabs_the_nearest_movable_object():
    objects = [
        SquareBlock("far", (5, 2), is_movable=True),
        SquareBlock("beside", (3, 2), is_movable=True),
        SquareBlock("above", (2, 1), is_movable=True),
        SquareBlock("fixed", (2, 2)),
        AgentBody("other", (2, 2), is_movable=True),
    ]
    assert press("g", *objects) == (
        "GrabObject",
        {"object_id": "beside", "grab_range": 1, "max_objects": 3},
    )
    here = SquareBlock("here", (2, 2), is_movable=True)
    assert press("g", *objects, here)[1]["object_id"] == "here"
    assert press("g", objects[0], grab_range=3, max_carry_objects=1)[1] == {
        "object_id": "far",
        "grab_range": 3,
        "max_objects": 1,
    }


def test_the_range_is_a_straight_distance():
    assert press("g", SquareBlock("corner", (3, 3), is_movable=True))[1]["object_id"] is None
    assert (
        press("g", SquareBlock("corner", (3, 3), is_movable=True), grab_range=1.5)[1]["object_id"] == "corner"
    )


def test_a_person_drops_what_was_grabbed_last():
    body = AgentBody("me", (2, 2), is_carrying=[{"obj_id": "a"}, {"obj_id": "b"}])
    assert press("p", body=body, drop_range=2) == ("DropObject", {"object_id": "b", "drop_range": 2})
    assert press("p") == ("DropObject", {"drop_range": 1})


def test_a_person_removes_the_nearest_object_but_no_agent():
    objects = [AgentBody("other", (2, 2)), SquareBlock("box", (2, 3), is_traversable=False)]
    assert press("r", *objects) == ("RemoveObject", {"object_id": "box", "remove_range": 1})
    assert press("r") == ("RemoveObject", {"object_id": None, "remove_range": 1})


def test_a_person_removes_neither_the_building_nor_what_is_only_shown():
    fixed = [
        SquareBlock("wall", (2, 2), is_traversable=False, class_inheritance=["Wall", "EnvObject"]),
        Door("door", (2, 2), is_open=False, is_traversable=False),
        SquareBlock("tile", (2, 2)),
        SquareBlock("target", (2, 2), is_movable=True, is_invisible=True),
    ]
    box = SquareBlock("box", (2, 3), is_traversable=False)
    assert press("r", *fixed)[1]["object_id"] is None
    assert press("r", *fixed, box)[1]["object_id"] == "box"
    assert press("r", *fixed, box, removes=["Wall"])[1]["object_id"] == "wall"


def test_a_person_opens_the_nearest_closed_door_and_closes_the_nearest_open_one():
    doors = [Door("open", (2, 2), is_open=True), Door("shut", (2, 3), is_open=False)]
    assert press("o", *doors) == ("OpenDoorAction", {"object_id": "shut", "door_range": 1})
    assert press("c", *doors) == ("CloseDoorAction", {"object_id": "open", "door_range": 1})
    assert press("o", doors[0])[1]["object_id"] == "open"
    assert press("o")[1]["object_id"] is None


def test_a_person_does_not_see_through_walls_if_so_asked():
    walls = [SquareBlock(f"wall{y}", (4, y), opaque=True) for y in range(10)]
    hidden = SquareBlock("hidden", (6, 2))
    for occlusion in (False, True):
        made = brain(HumanAgentBrain(fov_occlusion=occlusion), *walls, hidden)
        known = made.filter_observations(made.state)
        assert ("hidden" in known) is not occlusion and "wall2" in known


def test_a_person_is_offered_the_agents_actions():
    menu = brain(HumanAgentBrain).create_context_menu_for_self(None, (0, 0), True)
    assert [option["Message"].from_id for option in menu] == ["me"] * 4


# patrols


def test_a_patrol_walks_its_round_at_its_speed():
    body = AgentBody("me", (0, 0))
    world = StandIn(body)
    made = embodied(PatrollingAgentBrain([(0, 0), (1, 0)], move_speed=3), body, world)
    done = []
    for _ in range(4):
        made.perceive(world)
        done.append(made.decide_on_action(made.state))
        (x, y), (dx, dy) = body.location, MOVES[done[-1][0]]
        body.location = x + dx, y + dy
        world.pass_time()
    assert done == [(name, {"action_duration": 3}) for name in ("MoveEast", "MoveWest") * 2]


def test_a_patrol_waits_while_its_way_is_blocked():
    made = brain(
        PatrollingAgentBrain([(9, 9)]),
        *(SquareBlock(f"{p}", p, is_traversable=False) for p in [(8, 9), (9, 8)]),
    )
    assert made.decide_on_action(made.state) == (None, {})
    assert made.navigator.unreachable == (9, 9)


def test_the_waypoints_of_a_patrol_are_cells():
    with pytest.raises(TypeError, match="two whole numbers"):
        PatrollingAgentBrain(["here"])
