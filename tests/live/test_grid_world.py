"""A live world: its ticks, what is kept and repeated, what is added and removed, what fails."""

from __future__ import annotations

import copy
import logging
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gridarium import World, draw
from gridarium.draw.scene import with_things
from gridarium.episodes.recording import episodes_of_run
from gridarium.live import (
    Action,
    ActionResult,
    AgentBody,
    AgentBrain,
    AreaTile,
    Battery,
    BrainFailure,
    CollectionTarget,
    Door,
    EnvObject,
    GridWorld,
    LimitedTimeGoal,
    Message,
    SmokeTile,
    SquareBlock,
    Wall,
    WorldBuilder,
)
from gridarium.live.goals import WorldGoal
from gridarium.live.objects.core_view import nearest_color
from gridarium.view.replay.replay_data import replay_of_run
from gridarium.world import Ball, Color, Floor, Position, Smoke
from gridarium.worlds import Spec
from tests.live.scripted import Scripted, last_result, world_of

HERE = (2, 2)


class Walker(AgentBrain):
    """Grabs and drops blocks, opens doors, and walks about at random."""

    def decide_on_action(self, state: Any) -> Any:
        drawn = self.rnd_gen.randint(12)
        if drawn < 8:
            return self._moves[drawn], {"action_duration": int(self.rnd_gen.randint(3))}
        ids = sorted(key for key in state if key != "World")
        name = ("GrabObject", "DropObject", "OpenDoorAction", "CloseDoorAction")[drawn - 8]
        return name, {} if name == "DropObject" else {"object_id": ids[self.rnd_gen.randint(len(ids))]}


def busy_world(brain: type[AgentBrain] = Walker, **options: Any) -> GridWorld:
    objects: list[EnvObject] = [Wall((x, 0)) for x in range(8)]
    objects += [Door((3, 3)), AreaTile((1, 1)), AreaTile((1, 1), "second")]
    objects += [
        SquareBlock((5, 2), is_movable=True),
        EnvObject((1, 1), "Ball", is_traversable=True, is_movable=True),
    ]
    bodies = [AgentBody((2 + i, 4), f"Bob {i}", is_traversable=bool(i)) for i in range(3)]
    agents = [(brain(), body) for body in bodies]
    return GridWorld((8, 6), objects, agents, **{"compiled": False, **options})


def everything(world: GridWorld) -> Any:
    every = {**world.environment_objects, **world.registered_agents}
    return world.core_state.tobytes(), {name: obj.properties for name, obj in every.items()}


def test_goals_are_looked_at_before_a_tick_so_that_ten_ticks_are_ten() -> None:
    world = world_of((HERE, []), simulation_goal=LimitedTimeGoal(10), tick_duration=0)
    assert world.run() == 10
    assert world.current_nr_ticks == 10
    assert world.is_done
    assert world.step()
    assert world.current_nr_ticks == 10


def test_all_goals_are_to_be_reached() -> None:
    world = world_of((HERE, []), simulation_goal=[LimitedTimeGoal(3), LimitedTimeGoal(5)], tick_duration=0)
    assert world.run() == 5


def test_agents_act_in_the_order_of_registration() -> None:
    world = world_of(((0, 0), ["MoveEast"]), ((1, 0), ["MoveEast"]), body={"is_traversable": False})
    world.step()
    assert world.registered_agents["a0"].location == (0, 0)
    assert world.registered_agents["a1"].location == (2, 0)


def test_messages_are_read_in_the_next_tick_with_their_sender() -> None:
    world = world_of((HERE, []), ((5, 5), []))
    world.reset()
    sender, receiver = world.brains["a0"], world.brains["a1"]
    sender.send_message(Message("hello", from_id="a0", to_id="a1"))
    assert receiver.received_messages == []
    world.step()
    (message,) = receiver.received_messages
    assert (message.content, message.from_id) == ("hello", "a0")
    world.put_message(Message("from a person", from_id="a1"))
    world.step()
    assert [m.content for m in sender.received_messages] == ["from a person"]


def test_objects_do_what_they_do_by_themselves_after_the_actions_unless_carried() -> None:
    battery = Battery(HERE, is_movable=True, is_traversable=True)
    world = world_of((HERE, [None, ("GrabObject", {"object_id": "Battery"})]), objects=[battery])
    levels = []
    for _ in range(3):
        world.step()
        levels.append(battery.properties["current_energy_level"])
    assert levels == [0.99, 0.99, 0.99]
    assert battery.visualize_colour == "#03fc00"


@pytest.mark.sampled(2)
@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_the_same_seed_gives_the_same_world_and_another_seed_another(compiled: bool) -> None:
    one, two = busy_world(compiled=compiled), busy_world()
    for _ in range(60):
        one.step()
        two.step()
        assert everything(one) == everything(two)
    other = busy_world(rnd_seed=7)
    for _ in range(60):
        other.step()
    assert everything(other) != everything(one)


def test_a_reset_world_begins_as_it_was_made() -> None:
    world = busy_world()
    world.reset()
    first = everything(world)
    runs = []
    for _ in range(2):
        world.reset()
        assert everything(world) == first
        for _ in range(40):
            world.step()
        runs.append(everything(world))
    assert runs[0] == runs[1] != first


def test_decisions_repeat_what_happened() -> None:
    world = busy_world()
    for _ in range(80):
        world.step()
    after = everything(world)
    again = busy_world()
    again.replay(world.decisions)
    assert everything(again) == after
    assert isinstance(again.brains["bob_0"], Walker)


def test_what_has_happened_is_a_run_of_the_core() -> None:
    class ToTheCorner(Action):
        """Only this class can do it, so that the run has to go on from the state that it leaves."""

        def mutate(self, grid_world: Any, agent_id: str, world_state: Any, **kwargs: Any) -> ActionResult:
            grid_world.registered_agents[agent_id].location = (7, 5)
            return ActionResult(ActionResult.ACTION_SUCCEEDED, True)

    class Cornered(Walker):
        def decide_on_action(self, state: Any) -> Any:
            to_corner = self.agent_id == "bob_1" and state["World"]["nr_ticks"] > 20
            return ("ToTheCorner", {}) if to_corner else super().decide_on_action(state)

    world = busy_world(brain=Cornered)
    for _ in range(40):
        world.step()
    after, decisions = everything(world), list(world.decisions)
    run = world.as_run()
    assert everything(world) == after
    assert world.decisions == decisions
    assert world.current_nr_ticks == run.steps == 40
    assert run.verify(compiled=False)
    assert [len(episode) for episode in episodes_of_run(run, world.core)] == [40]
    again = busy_world()
    again.replay(world.decisions)
    *_, last = run.replay(again.core)
    assert last.state() == again.core_state


def test_a_replay_shows_colors_smoke_names_and_what_was_said_and_nothing_that_is_invisible() -> None:
    objects: list[EnvObject] = [
        EnvObject((0, 0), "block", is_movable=True, is_traversable=True, visualize_colour="#ffffff"),
        CollectionTarget((1, 0), [], "zone"),
        SquareBlock((2, 0), visualize_colour="#f2f2f2"),
        *(SmokeTile((4, 0)), AreaTile((4, 0), "tile"), AreaTile((3, 0)), SmokeTile((3, 0))),
    ]
    world = GridWorld((7, 3), objects, [(Scripted(), AgentBody((0, 2), "Human 1"))], compiled=False)
    world.put_message(Message("hello", "human_1"))
    world.step()
    assert world.find("SmokeTile").is_traversable and not world.find("Block").is_traversable  # type: ignore[union-attr]
    shown = with_things(world.core_state).grid
    assert [shown[0, x].color.rgb for x in (0, 2)] == [(255, 255, 255), (242, 242, 242)]
    assert [type(shown[0, x]) for x in (1, 3, 4)] == [Floor, Smoke, Smoke]
    assert draw.rgb(world.core_state, 8)[4, 20].tolist() == [242, 242, 242]
    assert 'fill="#f2f2f2"' in draw.svg(world.core_state)
    data = replay_of_run(world.as_run(), world=world.core).data()
    assert "Item, movable passable, #ffffff" in [symbol["name"] for symbol in data["symbols"]]
    assert data["frames"][1]["text"] == "human_1 to all: hello"
    assert data["header"]["agents"][0]["name"] == "Human 1"
    world.find("Block").add_property("is_invisible", True)  # type: ignore[union-attr]
    assert isinstance(with_things(world.core_state).grid[0, 2], Floor)
    assert nearest_color("#dbdbdb") == Color.NONE


def test_ranges_of_ones_own_removals_and_more_room_do_not_cut_a_run() -> None:
    grab = ("GrabObject", {"object_id": "box", "grab_range": 1})
    remove = ("RemoveObject", {"object_id": "a0"})
    world = world_of(
        ((1, 1), [grab, "MoveEast", ("DropObject", {"drop_range": 0}), "MoveEast"]),
        ((2, 2), [None] * 4 + [remove]),
        objects=[EnvObject((1, 1), "box", is_movable=True, is_traversable=True)],
    )
    for _ in range(7):
        world.step()
    assert world.find("box").location == (2, 1)  # type: ignore[union-attr]
    run = world.as_run()
    assert run.verify(world.core)
    (episode,) = episodes_of_run(run, world.core)
    assert len(episode) == 7


def test_a_run_names_what_agents_did_beside_and_by_classes_of_python() -> None:
    class Shout(Action):
        def mutate(self, grid_world: Any, agent_id: str, world_state: Any, **kwargs: Any) -> ActionResult:
            for _ in range(9):
                grid_world.add_object(EnvObject((6, 5), "echo", is_traversable=True))
            return ActionResult(ActionResult.ACTION_SUCCEEDED, True)

    box, far = (("GrabObject", {"object_id": name, "grab_range": 1}) for name in ("box", "far"))
    world = world_of(
        ((1, 1), [box, ("MoveEast", {"because": "of it"}), ("DropObject", {"drop_range": 0}), far]),
        ((1, 2), ["MoveEast", ("GrabObject", {"object_id": "box"}), "MoveNorthEast", "Shout"]),
        ((5, 5), ["MoveWest", "Shout", ("RemoveObject", {"object_id": "near"}), "Unknown"]),
        objects=[
            EnvObject(place, name, is_movable=True, is_traversable=True)
            for place, name in [((1, 0), "box"), ((4, 4), "near"), ((6, 0), "far")]
        ],
    )  # fmt: skip
    for _ in range(4):
        world.step()
    run = world.as_run()
    (episode,) = episodes_of_run(run, world.core)
    names = {a: [world.core.actions[int(i)].name for i in did] for a, did in episode.get_actions().items()}
    assert names == {
        "a0": ["GrabObject(0)", "MoveEast", "DropObject(0)", "GrabObject(2)"],
        "a1": ["MoveEast", "GrabObject(0)", "MoveNorthEast", "WAIT"],
        "a2": ["MoveWest", "WAIT", "RemoveObject(1)", "WAIT"],
    }
    states = [replayed.state() for replayed in run.replay(world.core)]
    assert run.verify(world.core) and len(states) == 5 and states[-1] == world.core_state


def test_a_run_has_room_for_all_that_was_added_by_actions() -> None:
    class Multiply(Action):
        def mutate(self, grid_world: Any, agent_id: str, world_state: Any, **kwargs: Any) -> ActionResult:
            for _ in range(20):
                grid_world.add_object(EnvObject(HERE, "coin", is_traversable=True, is_movable=True))
            grid_world.add_agent(Person(), AgentBody((0, 0), "child", is_traversable=True))
            return ActionResult(ActionResult.ACTION_SUCCEEDED, True)

    class Person(AgentBrain):
        def decide_on_action(self, state: Any) -> Any:
            return keys.pop() if keys else None

    keys = ["MoveSouth"]
    decisions: list[Any] = [("GrabObject", {"object_id": "box"}), "Multiply", "MoveEast"]
    decisions += [("GrabObject", {"object_id": "coin_19"}), ("DropObject", {"object_id": "coin_19"})]
    box = EnvObject(HERE, "box", is_movable=True, is_traversable=True)
    world = world_of((HERE, decisions), objects=[box])
    for _ in decisions:
        world.step()
    assert world.registered_agents["child"].location == (0, 1)
    assert world.find("coin_19").location == (3, 2)  # type: ignore[union-attr]
    run = world.as_run()
    assert run.verify(world.core) and [len(e) for e in episodes_of_run(run, world.core)] == [5]
    *_, last = run.replay(world.core)
    assert last.state() == world.core_state
    again = world_of((HERE, []), objects=[EnvObject(HERE, "box", is_movable=True, is_traversable=True)])
    again.replay(world.decisions)
    assert everything(again) == everything(world) and type(again.brains["child"]) is Person


def test_what_brains_change_of_their_bodies_and_what_is_said_is_repeated(tmp_path: Path) -> None:
    class Painter(AgentBrain):
        """Changes while it is busy, too."""

        def filter_observations(self, state: Any) -> Any:
            tick = state["World"]["nr_ticks"]
            if tick in (2, 3):
                self.agent_properties["is_traversable"] = tick == 3
                self.agent_properties["moods"] = [tick]
                self.send_message(Message({"tick": [tick]}, self.agent_id, ["eve", "bob"]))
            return state

        def decide_on_action(self, state: Any) -> Any:
            return "MoveEast", {"action_duration": 1}

    def made() -> GridWorld:
        bodies = [AgentBody((1, y), name, moods=[]) for y, name in enumerate(["Bob", "Eve"])]
        return GridWorld((9, 2), [], [(Painter(), body) for body in bodies], compiled=False)

    world = made()
    for tick in range(5):
        if tick == 1:
            world.put_message(Message("from a person", "eve"))
        world.step()
    assert world.decisions[3]["bob"][0] == "(busy)"
    assert world.as_run().verify(compiled=False)
    again, other = made(), made()
    again.replay(list(world.decisions))
    world.save(tmp_path / "world.json")
    other.load(tmp_path / "world.json")
    other.replay(other.decisions)
    for each in (again, other):
        assert everything(each) == everything(world) and each.decisions == world.decisions
        assert each.message_manager.to_dict() == world.message_manager.to_dict()
    assert world.registered_agents["bob"].properties["moods"] == [3]


def test_a_snapshot_goes_back_also_after_objects_were_added_and_removed() -> None:
    world = busy_world()
    for _ in range(20):
        world.step()
    before, kept = everything(world), world.snapshot()
    world.add_object(SquareBlock((7, 5), is_movable=True))
    world.remove_from_grid("Ball")
    world.environment_objects["Wall"].change_property("name", "other")
    for _ in range(20):
        world.step()
    assert everything(world) != before
    world.restore(kept)
    assert everything(world) == before
    assert world.current_nr_ticks == 20


@pytest.mark.parametrize("more", [0, 40])  # as many as there is room for, and more than that
def test_a_saved_world_goes_on_in_another_one(tmp_path: Path, more: int) -> None:
    world = busy_world()
    for _ in range(30):
        world.step()
    world.add_object(EnvObject((7, 5), "late", is_traversable=True, marks=(1, [2, {"a": None}])))
    for _ in range(more):
        world.add_object(EnvObject((7, 5), "more", is_traversable=True))
    world.save(tmp_path / "world.json")
    other = busy_world(rnd_seed=5)
    other.load(tmp_path / "world.json")
    assert everything(other) == everything(world)
    assert other.current_nr_ticks == 30
    assert other.decisions == world.decisions
    assert other.environment_objects["late"].properties["marks"] == (1, [2, {"a": None}])
    for each in (world, other):
        for agent in each.brains.values():
            agent.rnd_gen.seed(3)
        for _ in range(10):
            each.step()
    assert everything(other) == everything(world)


def test_a_saved_world_to_which_agents_were_added_goes_on_when_they_are_given(tmp_path: Path) -> None:
    def late(name: str) -> tuple[AgentBrain, AgentBody]:
        return Walker(), AgentBody((6, 5), name, is_traversable=True, moods=[name])

    world = busy_world()
    world.step()
    for name in ("Gone", "Late"):
        world.add_agent(*late(name))
    world.remove_from_grid("gone")
    world.step()
    world.save(tmp_path / "world.json")
    other = busy_world()
    with pytest.raises(ValueError, match="1 agents that had been added: late; 0 are given: load"):
        other.load(tmp_path / "world.json")
    assert [*other.registered_agents] == ["bob_0", "bob_1", "bob_2"]
    other.load(tmp_path / "world.json", agents=[late("other")])
    assert everything(other) == everything(world)
    for each in (world, other):
        for agent in each.brains.values():
            agent.rnd_gen.seed(3)
        for _ in range(5):
            each.step()
    assert everything(other) == everything(world)
    other.reset()
    assert [*other.registered_agents] == ["bob_0", "bob_1", "bob_2"]


def test_what_is_no_plain_data_is_not_saved_and_a_damaged_file_is_refused(tmp_path: Path) -> None:
    world = world_of((HERE, []), objects=[EnvObject(HERE, "odd", is_traversable=True, thing=1j)])
    with pytest.raises(TypeError, match=r"object odd, custom_properties, thing: 1j cannot be saved"):
        world.save(tmp_path / "odd.json")
    assert not (tmp_path / "odd.json").exists()
    (tmp_path / "bad.json").write_text('{"format": "gridarium live')
    with pytest.raises(ValueError, match="is not a saved world"):
        world.load(tmp_path / "bad.json")


def test_objects_are_added_beyond_the_room_that_there_was() -> None:
    world = world_of((HERE, []), objects=[SquareBlock((0, 0), is_movable=True)])
    world.step()
    names = [
        world.add_object(EnvObject((4, 4), "coin", is_traversable=True, is_movable=True)) for _ in range(40)
    ]
    assert names[:3] == ["coin", "coin_1", "coin_2"]
    assert len(world.environment_objects) == 41
    world.brains["a0"].listed = [None, ("GrabObject", {"object_id": "coin_39"})]  # type: ignore[attr-defined]
    world.step()
    assert last_result(world).succeeded
    assert [o.obj_id for o in world.registered_agents["a0"].is_carrying] == ["coin_39"]
    assert world.environment_objects["Block"].location == (0, 0)


def test_agents_are_added_while_the_world_runs() -> None:
    world = world_of((HERE, ["MoveEast"] * 3))
    world.step()
    name = world.add_agent(Scripted(["MoveNorth"]), AgentBody((5, 5), "Late", is_traversable=True))
    world.step()
    assert name == "late"
    assert world.registered_agents["late"].location == (5, 4)
    assert world.registered_agents["a0"].location == (4, 2)
    with pytest.raises(ValueError, match="Invalid placement"):
        world.add_object(SquareBlock((0, 0)))
        world.add_object(SquareBlock((0, 0)))


def test_objects_that_block_each_other_or_lie_outside_are_refused() -> None:
    with pytest.raises(ValueError, match="Invalid placement: Block_1 and Block are both at"):
        world_of(objects=[SquareBlock((1, 1)), SquareBlock((1, 1))])
    with pytest.raises(ValueError, match="outside of the world, which is 7 wide and 6 high"):
        world_of(objects=[SquareBlock((7, 1))])


def test_scenery_that_moves_or_becomes_passable_is_what_it_says() -> None:
    wall = Wall((3, 2))
    world = world_of((HERE, ["MoveEast"] * 3), objects=[wall, AreaTile((5, 5))])
    world.step()
    assert not last_result(world).succeeded
    wall.location = (5, 5)
    world.step()
    assert last_result(world).succeeded
    assert wall.location == (5, 5)
    wall.location = (4, 2)
    world.step()
    assert not last_result(world).succeeded
    wall.is_traversable = True
    world.brains["a0"].listed.append("MoveEast")  # type: ignore[attr-defined]
    world.step()
    assert last_result(world).succeeded


class Faulty(AgentBrain):
    """Fails in its second decision."""

    asked = 0

    def decide_on_action(self, state: Any) -> Any:
        self.asked += 1
        if self.asked == 2:
            raise KeyError("nothing there")
        return "MoveEast", {}


@pytest.mark.parametrize(
    ("policy", "places"), [("skip", [(3, 2), (3, 2), (4, 2)]), ("remove", [(3, 2), None, None])]
)
def test_a_failing_brain_is_contained(
    policy: str, places: list[Any], caplog: pytest.LogCaptureFixture
) -> None:
    world = GridWorld(
        (7, 6), [], [(Faulty(), AgentBody(HERE, "x")), (Scripted(["MoveNorth"] * 3), AgentBody((5, 5), "y"))],
        on_brain_error=policy, compiled=False,
    )  # fmt: skip
    found = []
    with caplog.at_level(logging.ERROR):
        for _ in range(3):
            world.step()
            body = world.registered_agents.get("x")
            found.append(None if body is None else body.location)
    assert found == places
    assert world.registered_agents["y"].location == (5, 2)
    ((tick, agent_id, error),) = world.errors
    assert (tick, agent_id, type(error)) == (1, "x", KeyError)
    assert "the brain of agent x failed in tick 1: KeyError" in caplog.text


def test_by_default_a_failing_brain_stops_the_world_with_its_reason() -> None:
    world = GridWorld((7, 6), [], [(Faulty(), AgentBody(HERE, "x"))], compiled=False)
    world.step()
    with pytest.raises(BrainFailure, match="the brain of agent x failed in tick 1: KeyError"):
        world.step()


def test_a_decision_that_is_none_is_refused() -> None:
    world = world_of((HERE, [3]))
    with pytest.raises(BrainFailure, match="returned 3; the name of an action or None"):
        world.step()


@pytest.mark.parametrize(
    ("key", "value", "then"),
    [
        ("visualize_colour", "#123456", ("#123456", 1, False)),
        ("visualization", {"colour": "#123456", "size": 0.5, "shape": 1}, ("#123456", 0.5, False)),
        ("visualize_when_busy", True, ("#92f441", 1, True)),
        (("visualization", "size"), 0.5, ("#92f441", 0.5, False)),
    ],
)
def test_a_brain_changes_how_its_body_looks(key: Any, value: Any, then: Any) -> None:
    class Chameleon(AgentBrain):
        def decide_on_action(self, state: Any) -> Any:
            own = self.agent_properties
            whole, last = (own[key[0]], key[1]) if isinstance(key, tuple) else (own, key)
            whole[last] = value
            assert own["visualization"]["colour"] == own["visualize_colour"] == then[0]

    rock = SquareBlock((0, 0))
    world = GridWorld((5, 5), [rock], [(Chameleon(), AgentBody(HERE, "c"))], compiled=False)
    before = world.core_state.data.copy()
    world.step()
    looks = world.registered_agents["c"].properties["visualization"]
    assert (looks["colour"], looks["size"], looks["show_busy"]) == then
    world.registered_agents["c"].is_movable = True
    before[0] = world.core_state.data[0]
    assert (world.core_state.data == before).all()  # the thing with the agent's number is not meant
    assert world.as_run().verify(world.core)


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("mood", "sad", "c has no property 'mood' that can be changed; there are .*visualize_colour"),
        ("is_carrying", [], "c has no property 'is_carrying' that can be changed"),
        ("visualization", {"color": "#123456"}, "visualization has no 'color'; there are .*colour"),
        ("visualize_size", "big", "visualize_size is a number above 0, not 'big'"),
        ("is_traversable", "no", "is_traversable is true or false, not 'no'"),
    ],
)
def test_a_brain_changes_only_properties_that_can_be_changed(key: str, value: Any, words: str) -> None:
    class Odd(AgentBrain):
        def decide_on_action(self, state: Any) -> Any:
            self.agent_properties[key] = value

    world = GridWorld((5, 5), [], [(Odd(), AgentBody(HERE, "c"))], compiled=False)
    with pytest.raises(BrainFailure, match=words):
        world.step()


@pytest.mark.parametrize(
    ("name", "wrong", "right"),
    [
        ("is_traversable", "no", np.True_),
        ("is_movable", 1, None),
        ("visualize_size", 0, np.float32(0.5)),
        *(("visualize_shape", wrong, "cats/cat.png") for wrong in ("circle", 9, -1)),
        ("visualize_colour", "red", "#FF0000"),
        ("visualize_opacity", -0.5, 0),
        ("visualize_when_busy", "no", True),
    ],
)
def test_properties_are_checked_when_they_are_changed_and_when_objects_are_made(
    name: str, wrong: Any, right: Any
) -> None:
    world = world_of((HERE, []), objects=[EnvObject((0, 0), "box")])
    body = world.registered_agents["a0"]
    for obj in [body, world.environment_objects["box"]][: 1 if name == "visualize_when_busy" else 2]:
        before = obj.properties
        for attempt in (
            lambda obj=obj: obj.change_property(name, wrong),
            lambda obj=obj: type(obj)((0, 0), "x", **{name: wrong}),
        ):
            with pytest.raises((TypeError, ValueError), match=f"{name} is .*, not {wrong!r}"):
                attempt()
        assert obj.properties == before
        obj.change_property(name, right)
        assert getattr(obj, name) == right


@pytest.mark.parametrize("change", [{"is_open": "no"}, {"open_colour": "green"}, {"closed_colour": "red"}])
def test_doors_are_checked_likewise(change: dict[str, Any]) -> None:
    ((name, wrong),) = change.items()
    for attempt in (lambda: Door((0, 0), **change), lambda: setattr(Door((0, 0)), name, wrong)):
        with pytest.raises((TypeError, ValueError), match=f"is .*, not {wrong!r}"):
            attempt()


def test_an_empty_world_ticks() -> None:
    world = GridWorld((3, 3), compiled=False)
    world.step()
    assert world.current_nr_ticks == 1


def test_what_is_changed_before_the_first_tick_stays_until_a_reset() -> None:
    world = world_of((HERE, []), objects=[SquareBlock((0, 0)), SquareBlock((1, 0))])
    world.remove_from_grid("Block")
    world.environment_objects["Block_1"].location = (4, 4)
    world.step()
    assert {name: obj.location for name, obj in world.environment_objects.items()} == {"Block_1": (4, 4)}
    world.reset()
    assert {name: obj.location for name, obj in world.environment_objects.items()} == {
        "Block": (0, 0),
        "Block_1": (1, 0),
    }


def test_a_custom_action_adds_objects_and_removes_its_own_agent() -> None:
    class Hatch(Action):
        """Leaves an egg, and is gone."""

        def mutate(self, grid_world: Any, agent_id: str, world_state: Any, **kwargs: Any) -> ActionResult:
            place = grid_world.registered_agents[agent_id].location
            grid_world.add_object(EnvObject(place, "egg", is_traversable=True))
            grid_world.remove_from_grid(agent_id)
            return ActionResult(ActionResult.ACTION_SUCCEEDED, True)

    world = world_of((HERE, ["Hatch"]), ((4, 4), ["MoveEast"]))
    world.step()
    assert world.environment_objects["egg"].location == HERE
    assert list(world.registered_agents) == ["a1"]
    assert world.registered_agents["a1"].location == (5, 4)


def test_any_world_of_the_catalogue_is_lived_in() -> None:
    world = GridWorld.of(
        "Kitchen-CrampedRoom", [Scripted(["LEFT", "Fly"]), Scripted(["RIGHT"])], compiled=False
    )
    core = World("Kitchen-CrampedRoom", compiled=False)
    state = core.reset(0)
    indices = {action.name: i for i, action in enumerate(core.actions)}
    world.step()
    state, _, _ = core.step(state, [indices["LEFT"], indices["RIGHT"]])
    assert world.core_state.tobytes() == state.tobytes()
    assert {obj.properties["kind"] for obj in world.environment_objects.values()} >= {"Pot", "Counter"}
    world.step()
    agents = list(world.registered_agents)
    assert last_result(world, agents[0]).result == ActionResult.UNKNOWN_ACTION


def test_agents_of_any_world_may_carry_several_of_its_things() -> None:
    def loaded(state: Any) -> None:
        for k in range(2):
            state.add(Ball(Color.RED), Position(0, k)).carrier = state.agent

    described = Spec.build(
        name="Loaded", shape=(2, 2), objects=[Floor, Ball], colors=[Color.RED], things={"capacity": 4, "carried": 2},
        actions=["WAIT"], reset=loaded, transitions=["move_agent"],
    )  # fmt: skip
    world = GridWorld.of(described, [Scripted()], compiled=False)
    world.step()
    (agent_id,) = world.registered_agents
    assert [obj["obj_id"] for obj in world.world_state[agent_id]["is_carrying"]] == ["ball_0", "ball_1"]


def test_in_worlds_of_the_catalogue_classes_of_python_act_before_the_core() -> None:
    class Applaud(Action):
        """Changes nothing."""

        def mutate(self, grid_world: Any, agent_id: str, world_state: Any, **kwargs: Any) -> ActionResult:
            return ActionResult("Bravo.", True)

    brains = [(Scripted(["Applaud"]), {"possible_actions": None}), Scripted(["RIGHT"])]
    world = GridWorld.of("Kitchen-CrampedRoom", brains, compiled=False)
    core = World("Kitchen-CrampedRoom", compiled=False)
    indices = {action.name: i for i, action in enumerate(core.actions)}
    state, _, _ = core.step(core.reset(0), [indices["WAIT"], indices["RIGHT"]])
    first, _ = world.registered_agents
    assert Applaud.__name__ in world.registered_agents[first].action_set
    world.step()
    assert last_result(world, first).result == "Bravo."
    assert world.core_state == state


def one_agent(brain: AgentBrain, *objects: EnvObject, **options: Any) -> GridWorld:
    return GridWorld(
        (5, 5), objects, [(brain, AgentBody(HERE, "x"))], compiled=False, tick_duration=0, **options
    )


def test_a_brain_or_object_that_does_not_call_the_constructor_of_its_base_is_told_so() -> None:
    class Forgetful(AgentBrain):
        def __init__(self) -> None:
            self.mine = 1

    with pytest.raises(TypeError, match=r"Forgetful\.__init__ does not call super\(\)\.__init__\(\)"):
        one_agent(Forgetful()).step()

    class Bare(EnvObject):
        def __init__(self, location: Any, name: str) -> None:
            self.mine = 1

    builder = WorldBuilder((5, 5))
    builder.add_object((1, 1), "bare", Bare)
    with pytest.raises(TypeError, match=r"Bare\.__init__ does not call super\(\)\.__init__\(location, name"):
        builder.get_world(compiled=False)


def test_a_filter_that_forgets_to_return_the_state_is_told_so() -> None:
    class Filtering(AgentBrain):
        def filter_observations(self, state: Any) -> Any:
            state.get_self()

    with pytest.raises(BrainFailure, match="filter_observations of agent x returned None"):
        one_agent(Filtering()).step()


def test_a_duration_that_is_none_is_a_failure_of_the_brain_and_its_agent_idles() -> None:
    class Slow(AgentBrain):
        def decide_on_action(self, state: Any) -> Any:
            return "MoveEast", {"action_duration": "long"}

    with pytest.raises(
        BrainFailure, match="agent x failed in tick 0: ValueError: action_duration is a number"
    ):
        one_agent(Slow()).step()
    world = one_agent(Slow(), on_brain_error="skip")
    world.step()
    assert world.registered_agents["x"].location == HERE
    assert world.decisions == [{"x": (None, {})}]


def test_an_object_that_fails_is_named_with_the_method_and_its_parameters() -> None:
    class Old(EnvObject):
        def update(self, grid_world: Any) -> None:  # type: ignore[override]
            pass

    with pytest.raises(TypeError) as caught:
        one_agent(AgentBrain(), Old((0, 0), "old")).step()
    assert caught.value.__notes__ == [
        "in tick 0, when old did what it does by itself: Old.update(self, grid_world, state)"
    ]


@pytest.mark.parametrize("name", ["isAgent", "visualization", "obj_id"])
def test_custom_properties_do_not_say_what_the_world_says_itself(name: str) -> None:
    with pytest.raises(ValueError, match=f"box cannot have a custom property '{name}'.* obj_id, .* isAgent"):
        EnvObject((0, 0), "box", **{name: True})
    with pytest.raises(ValueError, match=name):
        EnvObject((0, 0), "box").add_property(name, True)
    with pytest.raises(
        ValueError, match="Ann cannot have a custom property 'current_action'.* is_carrying, "
    ):
        AgentBody((0, 0), "Ann", current_action="MoveEast")
    assert EnvObject((0, 0), "flag", team="red").properties["team"] == "red"


def test_an_agent_in_a_wall_is_refused_with_both_names() -> None:
    with pytest.raises(
        ValueError, match=r"the agent x is at \(2, 2\), where Wall is, which is not traversable"
    ):
        GridWorld(
            (5, 5), [Wall(HERE)], [(AgentBrain(), AgentBody(HERE, "x", is_traversable=True))], compiled=False
        )


def test_keys_for_an_agent_that_is_not_there_are_refused_with_those_that_are() -> None:
    with pytest.raises(KeyError, match="there is no agent 'y'; there are x"):
        one_agent(AgentBrain()).put_user_input("y", ["w"])


def test_a_world_of_the_catalogue_begins_the_episode_of_the_seed_that_it_is_reset_with() -> None:
    world = GridWorld.of("DoorKey-6x6", [Scripted(["MOVE_FORWARD"] * 3)], seed=0, compiled=False)
    other = GridWorld.of("DoorKey-6x6", [Scripted()], seed=5, compiled=False)
    world.step()
    world.reset(5)
    assert world.core_state.tobytes() == other.core_state.tobytes()
    assert list(world.environment_objects) == list(other.environment_objects)
    world.step()
    world.reset()
    assert world.core_state.tobytes() == other.core_state.tobytes()


def test_what_is_possible_after_a_reset_is_what_was_so_at_first() -> None:
    core = World("Empty-8x8", legal=["can_move"], compiled=False)
    world = GridWorld.of(core, [Scripted(["MOVE_FORWARD"] * 2 + ["TURN_LEFT"])])
    (agent_id,) = world.registered_agents
    possible = {action.name: bool(world.is_possible(agent_id, action.name)) for action in core.actions}
    for _ in range(3):
        world.step()
    world.reset()
    again = {action.name: bool(world.is_possible(agent_id, action.name)) for action in core.actions}
    assert again == possible


@pytest.mark.parametrize("ticks", [0, 3])
def test_a_deep_copy_lives_on_by_itself(ticks: int) -> None:
    world = busy_world()
    for _ in range(ticks):
        world.step()
    twin, kept = copy.deepcopy(world), everything(world)
    for _ in range(4):
        twin.step()
    assert everything(world) == kept
    for _ in range(4):
        world.step()
    assert everything(twin) == everything(world)
    assert twin.core_state.tobytes() == world.core_state.tobytes()


def test_a_save_that_fails_leaves_the_file_of_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world, file = busy_world(), tmp_path / "world.json"
    world.step()
    world.save(file)
    before = file.read_bytes()

    def half(self: Path, text: str, **options: Any) -> None:
        self.write_bytes(text[:100].encode())
        raise OSError("no space left on device")

    world.step()
    with monkeypatch.context() as patch, pytest.raises(OSError, match="no space left"):
        patch.setattr(Path, "write_text", half)
        world.save(file)
    assert file.read_bytes() == before
    assert list(tmp_path.iterdir()) == [file]


def lived_in(
    agents: list[tuple[AgentBrain, AgentBody]],
    objects: Any = (),
    *,
    shape: tuple[int, int] = (7, 6),
    **options: Any,
) -> GridWorld:
    return GridWorld(shape, objects, agents, compiled=False, tick_duration=0, **options)


class Switch(EnvObject):
    """Opens the door that it knows, in tick 2."""

    def __init__(self, door: Door) -> None:
        super().__init__((3, 3), "switch", is_traversable=True)
        self.door = door

    def update(self, grid_world: Any, state: Any) -> None:
        if grid_world.current_nr_ticks >= 2:
            self.door.is_open = True


class Opened(WorldGoal):
    def __init__(self, door: Door) -> None:
        super().__init__()
        self.door = door

    def goal_reached(self, grid_world: Any) -> bool:
        return bool(self.door.is_open)


def test_objects_and_goals_go_on_knowing_other_objects_after_a_reset() -> None:
    door = Door((2, 2), is_open=False, name="door")
    world = lived_in(
        [(AgentBrain(), AgentBody((0, 0), "Bob"))], [door, Switch(door)], simulation_goal=Opened(door)
    )
    assert world.run(6) == 2
    world.reset()
    assert not door.is_open
    assert world.run(6) == 2 and door.is_open
    twin = copy.deepcopy(world)
    assert twin.find("switch").door is twin.find("door") is not door


class Wanderer(AgentBrain):
    """Goes on changing the list that it has given."""

    def initialize(self) -> None:
        self.path = [(1, 0), (2, 0), (3, 0)]

    def decide_on_action(self, state: Any) -> Any:
        if self.previous_action:
            self.path.pop(0)
        return "GoAlong", {"path": self.path}


class GoAlong(Action):
    def is_possible(self, grid_world: Any, agent_id: str, world_state: Any, **kwargs: Any) -> ActionResult:
        return ActionResult("ok", True)

    def mutate(
        self, grid_world: Any, agent_id: str, world_state: Any, path: Any = None, **kwargs: Any
    ) -> ActionResult:
        grid_world.registered_agents[agent_id].location = path[0]
        return ActionResult("ok", True)


def test_decisions_are_kept_as_they_were() -> None:
    world = lived_in([(Wanderer(), AgentBody((0, 0), "Bob"))])
    for _ in range(3):
        world.step()
    assert [decided["bob"][1]["path"][0] for decided in world.decisions] == [(1, 0), (2, 0), (3, 0)]
    states = [replayed.state() for replayed in world.as_run().replay(compiled=False)]
    assert [state.agents[0].position for state in states] == [Position(0, x) for x in range(4)]


def test_a_snapshot_with_another_added_agent_is_restored_with_that_agent() -> None:
    box = EnvObject((3, 3), "box", is_movable=True, is_traversable=True)
    world = lived_in([(AgentBrain(), AgentBody((0, 0), "Bob"))], [box])
    first = world.snapshot()
    world.add_agent(Scripted([("GrabObject", {"object_id": "box"})]), AgentBody((3, 3), "Xena"))
    world.step()
    second = world.snapshot()
    world.restore(first)
    world.add_agent(AgentBrain(), AgentBody((1, 1), "Yan"))
    world.put_message(Message("hello", "bob"))
    world.restore(second)
    assert (box.carried_by, list(world.registered_agents)) == (["xena"], ["bob", "xena"])
    assert world.core.spec.agent_names == ("bob", "xena")
    world.step()
    assert not world.brains["bob"].received_messages


def test_a_saved_world_has_its_seed_and_a_file_of_another_world_changes_nothing(tmp_path: Path) -> None:
    world, other = busy_world(), busy_world()
    world.reset(7)
    for _ in range(3):
        world.step()
    world.save(tmp_path / "world.json")
    other.load(tmp_path / "world.json")
    decisions, state = other.decisions, other.core_state.tobytes()
    other.replay(decisions)
    assert other.core_state.tobytes() == state == world.core_state.tobytes()
    small = lived_in([(AgentBrain(), AgentBody((0, 0), "Solo"))])
    small.step()
    with pytest.raises(ValueError, match="is damaged, or of a world without the agents solo"):
        small.load(tmp_path / "world.json")
    assert (small.current_nr_ticks, len(small.decisions)) == (1, 1)


@pytest.mark.exhaustive
def test_an_agent_too_many_is_refused_and_the_world_goes_on() -> None:
    agents = [(AgentBrain(), AgentBody((k % 16, k // 16), "a")) for k in range(255)]
    world = lived_in(agents, shape=(16, 17))
    with pytest.raises(ValueError, match="at most 255"):
        world.add_agent(AgentBrain(), AgentBody((0, 16), "more"))
    assert len(world.registered_agents) == 255
    world.step()


def test_a_world_whose_brains_failed_to_begin_begins_anew() -> None:
    class Faulty(AgentBrain):
        attempts = 0

        def initialize(self) -> None:
            Faulty.attempts += 1
            if Faulty.attempts == 1:
                raise ValueError("not yet")

    class Ready(AgentBrain):
        is_ready = False

        def initialize(self) -> None:
            self.is_ready = True

    later = Ready()
    world = lived_in([(Faulty(), AgentBody((0, 0), "Bob")), (later, AgentBody((1, 0), "Ann"))])
    with pytest.raises(BrainFailure, match="not yet"):
        world.step()
    world.step()
    assert later.is_ready and Faulty.attempts == 2
