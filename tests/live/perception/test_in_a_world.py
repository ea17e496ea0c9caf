"""Perception in worlds that tick."""

import gc
import os
import subprocess
import sys
import weakref

import pytest

from gridarium.live.actions import Action, ActionResult
from gridarium.live.brains import AgentBrain
from gridarium.live.grid_world import GridWorld
from gridarium.live.objects import AgentBody, AreaTile, Door, EnvObject, SmokeTile, SquareBlock, Wall
from gridarium.live.perception import SenseCapability, State


class Scripted(AgentBrain):
    """Does what it is told, and keeps what it knew when it decided."""

    def __init__(self, *decisions, **options):
        super().__init__(**options)
        self.todo, self.known = list(decisions), []

    def decide_on_action(self, state):
        self.known.append(state.copy())
        return self.todo.pop(0) if self.todo else (None, {})


def world_of(objects, *agents, shape=(8, 8), **options):
    return GridWorld(shape, objects, agents, compiled=False, **options)


def watcher(place, sense=None, **options):
    brain = Scripted(**options)
    return brain, AgentBody(place, "Eve", sense_capability=sense, class_callable=Scripted)


def box(place, name="box"):
    return EnvObject(place, name, is_movable=True, is_traversable=True)


def test_an_agent_perceives_each_tick_anew():
    eve = watcher((0, 0))
    bob = Scripted(("MoveEast", {}), ("MoveEast", {}))
    world = world_of([], eve, (bob, AgentBody((0, 1), "Bob")))
    for _ in range(3):
        world.step()
    assert [state["bob"]["location"] for state in eve[0].known] == [(0, 1), (1, 1), (2, 1)]
    assert [state["World"]["nr_ticks"] for state in eve[0].known] == [0, 1, 2]
    assert eve[0].known[1]["bob"]["current_action"] == "MoveEast"


def test_the_state_is_that_of_the_tick_until_it_is_over():
    eve = watcher((0, 0))
    world = world_of([], eve, (Scripted(("MoveEast", {})), AgentBody((0, 1), "Bob")))
    world.reset()
    state = eve[0].state
    assert state["bob"]["location"] == (0, 1)
    world.step()
    assert state["bob"]["location"] == (0, 1)
    world.step()
    assert state["bob"]["location"] == (1, 1)


def test_the_whole_world_is_described_without_an_agent():
    eve = watcher((3, 3))
    world = world_of([Wall((1, 1)), box((2, 2))], eve)
    state = world.world_state
    assert [*state] == ["Wall", "box", "eve", "World"]
    assert state.get_self() is None
    assert state["World"]["grid_shape"] == (8, 8) and state["World"]["world_ID"] == "world_1"


def test_classes_of_objects_are_perceived_from_their_ranges():
    sense = SenseCapability({Wall: 2, SquareBlock: 5, None: 0})
    objects = [Wall((3, 0)), Wall((2, 0)), SquareBlock((5, 0)), AreaTile((1, 0)), AreaTile((0, 0))]
    eve = watcher((0, 0), sense)
    world = world_of(objects, eve)
    world.step()
    assert [*eve[0].known[0]] == ["Wall_1", "Block", "AreaTile_1", "eve", "World"]


def test_smoke_is_found_by_its_own_type_and_as_a_tile():
    state = world_of([SmokeTile((1, 1), "smoke"), AreaTile((2, 2), "tile")], watcher((0, 0))).world_state
    assert [p["obj_id"] for p in state.get_of_type(SmokeTile)] == ["smoke"]
    assert [p["obj_id"] for p in state.get_of_type("AreaTile")] == ["smoke", "tile"]


def test_closed_doors_hide_what_is_behind_them_and_open_ones_do_not():
    wall = [Wall((3, y)) for y in range(8) if y != 4]
    eve = watcher((1, 4), SenseCapability({None: float("inf")}, line_of_sight=True))
    opener = Scripted(("OpenDoorAction", {"object_id": "Door"}))
    world = world_of([*wall, Door((3, 4)), box((5, 4))], eve, (opener, AgentBody((1, 5), "Bob")))
    world.step()
    world.step()
    seen = ["box" in state for state in eve[0].known]
    assert seen == [False, True]
    assert eve[0].known[1]["Door"]["is_open"] is True


def test_numba_is_not_imported_where_nothing_is_compiled():
    code = (
        "import sys; from gridarium.live import *; inf = float('inf');"
        "bodies = [AgentBody((0, 0), 'Bob', sense_capability=SenseCapability({None: inf}, line_of_sight=True))];"
        "GridWorld((3, 3), [], [(AgentBrain(), b) for b in bodies], tick_duration=0, compiled=False).run(2);"
        "sys.exit('numba' in sys.modules)"
    )
    environment = {**os.environ, "PYTHONPATH": ":".join(sys.path)}
    assert (
        subprocess.run([sys.executable, "-c", code], env=environment, timeout=60, check=False).returncode == 0
    )


def test_a_thing_that_is_left_behind_is_known_for_some_ticks():
    sense = SenseCapability({None: 2})
    eve = watcher((0, 0), sense, memorize_for_ticks=2)
    eve[0].todo = [("MoveEast", {})] * 7
    world = world_of([box((1, 0))], eve)
    for _ in range(8):
        world.step()
    assert ["box" in state for state in eve[0].known] == [True] * 4 + [True, True, False, False]


def test_a_thing_that_somebody_is_seen_to_grab_is_not_remembered_where_it_was():
    eve = watcher((0, 0), SenseCapability({EnvObject: 1, AgentBody: 9}), memorize_for_ticks=9)
    eve[0].todo = [("MoveSouth", {})]
    bob = Scripted((None, {}), ("GrabObject", {"object_id": "box"}))
    world = world_of([box((1, 0))], eve, (bob, AgentBody((2, 0), "Bob", is_traversable=True)))
    for _ in range(3):
        world.step()
    assert ["box" in state for state in eve[0].known] == [True, True, False]
    assert eve[0].known[2]["bob"]["is_carrying"][0]["obj_id"] == "box"


def test_an_agent_knows_what_it_carries():
    eve = watcher((0, 0))
    eve[0].todo = [("GrabObject", {"object_id": "box"}), ("MoveEast", {})]
    world = world_of([box((1, 0))], eve)
    for _ in range(3):
        world.step()
    carried = [state.get_self()["is_carrying"] for state in eve[0].known]
    assert carried[0] == [] and carried[2][0]["location"] == (1, 0)
    assert "box" not in eve[0].known[2]


def test_what_is_removed_is_not_perceived():
    eve = watcher((0, 0))
    world = world_of([box((1, 0)), box((2, 0))], eve)
    world.step()
    world.remove_from_grid("box")
    world.step()
    assert "box" in eve[0].known[0] and "box" not in eve[0].known[1] and "box_1" in eve[0].known[1]


def test_team_members_are_known_and_perceived():
    eve = watcher((0, 0), SenseCapability({None: 1}))
    eve[1].teams = ["a", "b"]
    others = [
        (Scripted(), AgentBody((x, 0), name, team=team))
        for x, name, team in ((1, "Bob", "b"), (7, "Far", "a"))
    ]
    world = world_of([], eve, *others)
    world.step()
    state = eve[0].known[0]
    assert state["World"]["team_members"] == ["eve", "far", "bob"]
    assert [p["obj_id"] for p in state.get_team_members()] == ["eve", "bob"]


class Paint(Action):
    def mutate(self, grid_world, agent_id, world_state, **kwargs):
        grid_world.find("box").visualize_colour = "#ff0000"
        return ActionResult(ActionResult.ACTION_SUCCEEDED, True)


def test_properties_that_actions_of_ones_own_change_are_perceived():
    eve = watcher((0, 0))
    eve[0].todo = [("Paint", {})]
    world = world_of([box((1, 0))], eve)
    world.step()
    world.step()
    first, second = (state["box"]["visualization"]["colour"] for state in eve[0].known)
    assert (first, second) == ("#4286f4", "#ff0000")
    assert world.world_state[{"visualization": {"colour": "#ff0000"}}]["obj_id"] == "box"


def test_agents_that_see_everything_share_the_properties():
    eve, bob = watcher((0, 0)), (Scripted(), AgentBody((3, 3), "Bob"))
    world = world_of([Wall((1, 1))], eve, bob)
    world.step()
    assert eve[0].known[0]["Wall"] is bob[0].known[0]["Wall"]


def test_nobody_changes_the_world_or_what_others_perceive_by_changing_what_is_perceived():
    eve = watcher((0, 0))
    world = world_of([EnvObject((1, 1), "box", tags=["a"], notes={"deep": {"er": 1}})], eve)
    seen = world.world_state["box"]
    for inner in (seen["visualization"], seen["notes"], seen["notes"]["deep"]):
        with pytest.raises(TypeError, match="read only"):
            inner["colour"] = "#ff0000"
    seen["tags"].append("b")
    assert world.find("box").properties["tags"] == ["a"]
    assert world.find("box").properties["notes"] == {"deep": {"er": 1}}


def test_a_map_is_that_of_the_world():
    eve = watcher((0, 0))
    world = world_of([Wall((1, 1)), Door((2, 2)), Door((3, 3), is_open=True), box((4, 4))], eve)
    eve[1].is_traversable = False
    found = State("eve").look(world).get_traverse_map()
    assert {place for place, free in found.items() if not free} == {(0, 0), (1, 1), (2, 2)}


@pytest.mark.usefixtures("old_garbage_left_alone")
def test_a_world_that_was_perceived_can_be_forgotten():
    world = world_of([Wall((1, 1))], watcher((0, 0)))
    world.step()
    known = weakref.ref(world)
    del world
    gc.collect()
    assert known() is None


@pytest.mark.parametrize("sense", [None, SenseCapability({None: 3}, line_of_sight=True)])
def test_agents_that_nobody_asks_compute_nothing(sense, monkeypatch):
    idle = [
        (AgentBrainWithoutThoughts(), AgentBody((x, 0), f"a{x}", sense_capability=sense)) for x in range(3)
    ]
    world = world_of([Wall((1, 1))], *idle)
    world.reset()
    monkeypatch.setattr("gridarium.live.perception.state.scene_of", None)
    world.step()


class AgentBrainWithoutThoughts(AgentBrain):
    def decide_on_action(self, state):
        return None, {}
