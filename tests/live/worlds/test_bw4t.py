"""Blocks World for Teams: its rules, and how robots share out the work."""

from collections import Counter

import pytest

from gridarium.live.objects import Door, Wall
from gridarium.live.worlds import bw4t
from gridarium.live.worlds.bw4t import COLOURS, TEAM, Block
from tests.live.worlds.playing import made, of_type, texts


def test_a_world_is_played_the_same_way_again():
    def played():
        world = made(bw4t(agents=2, wanted=2, tick_duration=0))
        world.run(max_ticks=80)
        return world.core_state.tobytes(), world.decisions

    assert played() == played()


def test_worlds_of_a_builder_differ():
    builder = bw4t(wanted=3)
    colours = [[block.visualize_colour for block in of_type(made(builder), Block)] for _ in range(2)]
    assert colours[0] != colours[1]
    assert sorted(colours[0]) == sorted(colours[1]) == sorted([*COLOURS] * 6)


def test_the_plan_of_bw4t_is_that_of_the_original():
    world = made(bw4t())
    assert world.shape == (30, 44)
    doors = {door.properties["room_name"]: door.location for door in of_type(world, Door)}
    rooms = {f"room_{n}": (7 + 7 * (n % 3), 4 + 10 * (n // 3)) for n in range(9)}
    assert doors == {**rooms, "Drop_off": (14, 34)}
    assert len(of_type(world, Block)) == 36


@pytest.mark.parametrize(("rooms", "wanted", "shape"), [((1, 1), 1, (16, 24)), ((2, 1), 4, (23, 24))])
def test_smaller_plans_have_enough_blocks_of_each_color_and_can_be_played(rooms, wanted, shape):
    world = made(bw4t(agents=1, people=0, wanted=wanted, rooms=rooms, tick_duration=0))
    assert world.shape == shape
    counts = Counter(block.visualize_colour for block in of_type(world, Block))
    assert sum(counts.values()) == 4 * rooms[0] * rooms[1] and min(counts.values()) >= wanted
    assert world.run(max_ticks=300) < 300


@pytest.mark.exhaustive
def test_one_robot_is_enough_and_more_are_faster():
    ticks = []
    for agents in (1, 3):
        world = made(bw4t(agents=agents, people=0, wanted=2, tick_duration=0))
        ticks.append(world.run(max_ticks=900))
        assert world.is_done
    assert ticks[1] < ticks[0]


def test_signals_show_what_is_wanted():
    world = made(bw4t(wanted=4))
    (target,) = [o for o in world.environment_objects.values() if o.obj_name == "Drop zone_target"]
    wanted = [each["visualization_colour"] for each in target.properties["collection_objects"]]
    signals = [o for o in world.environment_objects.values() if o.obj_name == "Drop zone signal"]
    assert [s.visualize_colour for s in sorted(signals, key=lambda s: s.location[1])] == wanted
    assert {s.location[0] for s in signals} == {1}


def test_blocks_are_perceived_from_within_their_room_only():
    world = made(bw4t(agents=1, people=0))
    world.reset()
    body, brain = world.registered_agents["robot_1"], world.brains["robot_1"]
    blocks = of_type(world, Block)
    rooms = {block.location: block.obj_name.rpartition("_")[2] for block in blocks}
    walls = {wall.location for wall in of_type(world, Wall)}
    for x in range(3, 12):
        for y in range(3, 16):
            if (x, y) in walls:
                continue
            body.location = (x, y)
            world.note_change()
            brain.perceive(world)
            seen = {rooms[block["location"]] for block in brain.state.get_of_type(Block) or ()}
            column, row = (x - 4) // 7, (y - 4) // 10
            inside = 4 <= x < 25 and 0 <= (y - 4) % 10 < 7 and y >= 4
            assert seen <= ({str(3 * row + column)} if inside else set()), (x, y)


def test_an_agent_carries_one_block():
    world = made(bw4t(agents=1, people=0))
    world.reset()
    first, second = of_type(world, Block)[:2]
    second.location = first.location
    world.registered_agents["robot_1"].location = first.location
    world.note_change()
    assert world.is_possible("robot_1", "GrabObject", {"object_id": first.obj_id}).succeeded
    first_thing = {"object_id": first.obj_id}
    world.brains["robot_1"].decide_on_action = lambda state: ("GrabObject", first_thing)
    world.step()
    result = world.is_possible("robot_1", "GrabObject", {"object_id": second.obj_id})
    assert result.result == "Agent already carries the maximum amount of objects"


def test_a_robot_notices_what_a_person_brings():
    """The person brings the first wanted block while the robot is on its way with another one."""
    world = made(bw4t(agents=1, people=1, wanted=2, tick_duration=0))
    world.reset()
    (target,) = [o for o in world.environment_objects.values() if o.obj_name == "Drop zone_target"]
    first = target.properties["collection_objects"][0]["visualization_colour"]
    for _ in range(20):
        world.step()
    block = next(b for b in of_type(world, Block) if b.visualize_colour == first)
    block.location = (8, 39)
    world.note_change()
    world.run(max_ticks=600)
    assert world.is_done
    assert "I put a block down that is not needed now." in texts(world)


@pytest.mark.exhaustive
def test_robots_agree_on_who_brings_what():
    world = made(bw4t(agents=4, people=0, wanted=4, tick_duration=0))
    carried = set()
    for _ in range(600):
        if world.step():
            break
        held = [body.properties["is_carrying"] for body in world.registered_agents.values()]
        ids = [block["obj_id"] for blocks in held for block in blocks]
        assert len(ids) == len(set(ids))
        carried |= set(ids)
    assert world.is_done
    assert len(carried) == 4


def test_messages_of_robots_are_texts_for_people():
    world = made(bw4t(agents=2, people=1, wanted=1, tick_duration=0))
    world.run(max_ticks=400)
    said = texts(world)
    assert any(text.startswith("I search room_") for text in said)
    assert any(text.startswith("In room_") for text in said)
    assert any(text.startswith("I bring number 1, ") for text in said)
    assert world.teams == {TEAM: ["human_1", "robot_1", "robot_2"]}
