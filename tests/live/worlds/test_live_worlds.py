"""The live worlds that come along: their scripted teams play them to the end, and people can take part."""

import pytest

from gridarium.engine import World
from gridarium.live.brains import HumanAgentBrain
from gridarium.live.builder import load_builder
from gridarium.live.worlds import (
    KEYS,
    KITCHEN_KEYS,
    RESCUE_KEYS,
    bw4t,
    kitchen,
    live_worlds,
    search_and_rescue,
    tutorial,
)
from tests.live.worlds.playing import made

BUILT = sorted({*live_worlds} - {"kitchen"})
"""Those that a `WorldBuilder` makes."""
TICKS = {"kitchen": 401, "bw4t": 700, "search-and-rescue": 500, "tutorial": 400}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", live_worlds)
def test_the_scripted_team_reaches_the_end(name):
    world = made(live_worlds[name](tick_duration=0))
    assert world.run(max_ticks=TICKS[name]) < TICKS[name]
    assert world.is_done
    assert all(goal.progress(world) == 1 for goal in world.simulation_goal)


@pytest.mark.parametrize("name", live_worlds)
def test_a_world_has_a_place_for_a_person(name):
    world = made(live_worlds[name]())
    people = [body for body in world.registered_agents.values() if body.is_human_agent]
    assert len(people) == 1
    own = {"kitchen": KITCHEN_KEYS, "search-and-rescue": RESCUE_KEYS}
    assert people[0].key_action_map == own.get(name, KEYS)
    assert {*people[0].key_action_map.values()} <= {*people[0].action_set}
    assert isinstance(world.brains[people[0].obj_id], HumanAgentBrain)


@pytest.mark.parametrize("name", BUILT)
def test_only_who_clears_rubble_can_remove_anything(name):
    world = made(live_worlds[name]())
    can = {agent for agent, body in world.registered_agents.items() if "RemoveObject" in body.action_set}
    assert can == ({"human_1", "digger"} if name == "search-and-rescue" else set())


def test_a_rescuer_removes_rubble_with_a_key_and_nothing_else():
    world = made(search_and_rescue(tick_duration=0))
    me, rubble = world.registered_agents["human_1"], world.environment_objects["Rubble"]
    world.registered_agents["digger"].location = (24, 15)
    ids = {*world.environment_objects}
    for place in ((8, 5), (6, 3), (2, 7)):  # beside a door, at a victim, in the safe zone
        me.location = place
        world.put_user_input("human_1", ["x"])
        world.step()
    assert {*world.environment_objects} == ids
    x, y = rubble.location
    me.location = (x - 1, y)
    world.put_user_input("human_1", ["x"])
    world.step()
    assert ids - {*world.environment_objects} == {rubble.obj_id}


@pytest.mark.parametrize("name", BUILT)
def test_a_world_can_be_written_as_yaml_and_read_without_imports(name):
    builder = live_worlds[name]()
    again = load_builder(builder.to_yaml())
    assert again.to_dict() == builder.to_dict()
    one, other = made(builder), made(again)
    assert one.core_state.tobytes() == other.core_state.tobytes()


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", BUILT)
def test_a_world_can_be_trained_on(name):
    builder = live_worlds[name]()
    core = World(builder.description(), compiled=False)
    world = made(builder)
    state = core.reset(1)
    assert [thing.position for thing in state.things] == [t.position for t in world.core_state.things]
    assert [agent.position for agent in state.agents] == [a.position for a in world.core_state.agents]
    assert builder.description().terminations[0].name == "all_collected"


@pytest.mark.parametrize(
    ("make", "arguments"),
    [
        (bw4t, {"wanted": 0}),
        (bw4t, {"wanted": 7}),
        (bw4t, {"wanted": 5, "rooms": (1, 1)}),
        (bw4t, {"rooms": (0, 3)}),
        (bw4t, {"agents": 0, "people": 0}),
        (bw4t, {"agents": -1}),
        (search_and_rescue, {"victims": 9}),
        (search_and_rescue, {"people": -1}),
        (tutorial, {"people": 2}),
        (kitchen, {"people": 3}),
        (kitchen, {"layout": "Canteen"}),
    ],
)
def test_impossible_arguments_are_refused(make, arguments):
    with pytest.raises(
        ValueError, match=r"possible|blocks|for 1 person|can be people|there are CrampedRoom|no layout"
    ):
        make(**arguments)
