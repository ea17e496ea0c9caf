"""What agents decide: all perceive the same, failures are contained, and classes of actions are done as they say."""

from __future__ import annotations

import logging
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gridarium.engine import World
from gridarium.live import (
    Action,
    ActionFailure,
    ActionResult,
    AgentBody,
    AgentBrain,
    BrainFailure,
    EnvObject,
    GridWorld,
    GridWorldLogger,
    LimitedTimeGoal,
    WorldBuilder,
    WorldGoal,
)
from gridarium.live.actions import all_actions
from gridarium.live.actions.moves import MoveEast
from gridarium.worlds import Spec
from tests.live.scripted import Scripted, last_result, world_of

STONE = {"is_traversable": True, "is_movable": True}


@pytest.fixture(autouse=True)
def _silent() -> Any:
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.parametrize("somebody_looks", [False, True])
def test_what_agents_perceive_does_not_depend_on_who_else_looks(somebody_looks: bool) -> None:
    class Watches(AgentBrain):
        def initialize(self) -> None:
            self.seen: list[bool] = []

        def decide_on_action(self, state: Any) -> Any:
            self.seen.append(state["a0"]["is_blocked_by_action"])
            return None

    watcher = Watches()
    acts = Scripted([("MoveEast", {"action_duration": 2})])
    bodies = [AgentBody((0, i), f"a{i}") for i in range(2)]
    world = GridWorld((4, 4), [], zip([acts, watcher], bodies, strict=True), compiled=False)
    world.reset()
    for _ in range(3):
        if somebody_looks:
            world.world_state.as_dict()
        world.step()
    assert watcher.seen == [False, True, True]


class FailsOnce(AgentBrain):
    """Fails in the tick with a number."""

    def __init__(self, tick: int) -> None:
        super().__init__()
        self.tick = tick

    def decide_on_action(self, state: Any) -> Any:
        if state["World"]["nr_ticks"] == self.tick:
            self.tick = -1
            raise ValueError("no idea")
        return None


def test_an_action_under_way_is_done_although_another_brain_fails_in_its_last_tick() -> None:
    busy = Scripted([("MoveEast", {"action_duration": 2})])
    bodies = [AgentBody((0, i), f"a{i}") for i in range(2)]
    world = GridWorld((4, 4), [], zip([busy, FailsOnce(2)], bodies, strict=True), compiled=False)
    world.step()
    world.step()
    with pytest.raises(BrainFailure):
        world.step()
    world.step()
    assert world.registered_agents["a0"].location == (1, 0)
    world.replay(world.decisions)
    assert world.registered_agents["a0"].location == (1, 0)


def test_who_was_removed_as_its_brain_failed_is_removed_in_the_replay_too() -> None:
    walks = Scripted(["MoveEast"] * 3)
    bodies = [AgentBody((1, 0), "wall"), AgentBody((0, 0), "a")]
    brains = [FailsOnce(1), walks]
    world = GridWorld(
        (5, 2), [], zip(brains, bodies, strict=True), tick_duration=0, on_brain_error="remove", compiled=False
    )
    world.run(max_ticks=3)
    assert world.registered_agents["a"].location == (2, 0)
    world.replay(world.decisions)
    assert {i: body.location for i, body in world.registered_agents.items()} == {"a": (2, 0)}
    *_, last = world.as_run().replay(world.core)
    assert last.state() == world.core_state


def test_a_brain_that_fails_at_every_start_is_removed_once() -> None:
    class Broken(AgentBrain):
        def initialize(self) -> None:
            raise ValueError("no")

        def filter_observations(self, state: Any) -> Any:
            raise ValueError("no")

    bodies = [AgentBody((i, 0), f"a{i}") for i in range(2)]
    world = GridWorld(
        (5, 2), [], zip([Broken(), Scripted()], bodies, strict=True), on_brain_error="remove", compiled=False
    )
    world.step()
    assert [*world.registered_agents] == ["a1"]


@pytest.mark.parametrize(
    "kwargs", [{"action_duration": -1}, {"action_duration": 1.5}, {"agent_id": "a1"}, {1: 2}]
)
def test_arguments_that_no_action_takes_are_a_failure_of_the_brain(kwargs: dict[Any, Any]) -> None:
    world = world_of(((0, 0), [("MoveEast", kwargs)]), on_brain_error="skip")
    world.step()
    assert len(world.errors) == 1
    assert last_result(world).result == ActionResult.IDLE_ACTION
    with pytest.raises(BrainFailure):
        world_of(((0, 0), [("MoveEast", kwargs)])).step()


@pytest.mark.parametrize("action", ["GrabObject", "DropObject", "OpenDoorAction", "RemoveObject"])
def test_an_object_that_is_no_text_is_not_there(action: str) -> None:
    world = world_of(((0, 0), [(action, {"object_id": ["stone"]})]), objects=[EnvObject((0, 1), "stone")])
    world.step()
    assert not last_result(world).succeeded


def test_what_is_no_message_is_a_failure_of_the_brain() -> None:
    class Shouts(AgentBrain):
        def decide_on_action(self, state: Any) -> Any:
            self.messages_to_send.append("hey")  # type: ignore[arg-type]
            return "MoveEast"

    world = GridWorld((4, 4), [], [(Shouts(), AgentBody((0, 0), "a"))], on_brain_error="skip", compiled=False)
    world.step()
    assert (world.registered_agents["a"].location, len(world.errors)) == ((0, 0), 1)


def test_an_agent_whose_properties_cannot_be_changed_idles() -> None:
    class Meddles(AgentBrain):
        def decide_on_action(self, state: Any) -> Any:
            self.agent_properties["is_carrying"] = 3
            return "MoveEast"

    world = GridWorld(
        (4, 4), [], [(Meddles(), AgentBody((0, 0), "a"))], on_brain_error="skip", compiled=False
    )
    world.step()
    assert world.registered_agents["a"].location == (0, 0)
    assert len(world.errors) == 1


class Overturn(Action):
    """Fails when it has changed something."""

    def mutate(self, grid_world: Any, agent_id: str, world_state: Any, **kwargs: Any) -> ActionResult:
        grid_world.environment_objects["table"].change_property("stands", False)
        raise ValueError("too heavy")


class Halt(Action):
    """Somebody presses Ctrl-C when an agent has moved."""

    def mutate(self, grid_world: Any, agent_id: str, world_state: Any, **kwargs: Any) -> ActionResult:
        grid_world.registered_agents["a0"].change_property("location", (5, 5))
        raise KeyboardInterrupt


def test_a_tick_that_ctrl_c_has_ended_passes_and_is_not_repeated() -> None:
    world = world_of(((0, 0), ["MoveEast", "MoveEast", "MoveEast"]), ((0, 2), [None, "Halt", "MoveEast"]))
    world.step()
    with pytest.raises(KeyboardInterrupt):
        world.step()
    world.step()
    assert (world.current_nr_ticks, world.registered_agents["a0"].location) == (3, (6, 5))
    assert len(world.decisions) == 3
    for repeats in (world.as_run, lambda: world.replay(world.decisions)):
        with pytest.raises(ValueError, match=r"tick 1 was interrupted by Ctrl-C .* decisions\[:1\]"):
            repeats()
    assert world.current_nr_ticks == 3
    world.replay(world.decisions[:1])
    assert world.registered_agents["a0"].location == (1, 0)


def overturning(policy: Any = "stop") -> GridWorld:
    """A world in which a1 fails in the first tick, between two others who walk."""
    walk, fail = ["MoveEast"] * 3, ["Overturn", "MoveEast", "MoveEast"]
    return world_of(
        ((0, 0), walk), ((0, 1), fail), ((0, 2), walk),
        objects=[EnvObject((5, 5), "table", stands=True)], on_brain_error=policy,
    )  # fmt: skip


def test_a_tick_in_which_an_action_fails_happens_to_its_end_and_the_failure_is_named(tmp_path: Path) -> None:
    world = overturning()
    with pytest.raises(
        ActionFailure, match="the action Overturn of agent a1 failed in tick 0: ValueError: too heavy"
    ):
        world.step()
    assert [body.location for body in world.registered_agents.values()] == [(1, 0), (0, 1), (1, 2)]
    assert (world.current_nr_ticks, len(world.decisions), len(world.errors)) == (1, 1, 1)
    assert last_result(world, "a1") == ActionResult("Overturn failed with ValueError: too heavy", False)
    world.step()
    ended = [(b.location, b.is_blocked) for b in world.registered_agents.values()]
    assert [location for location, _ in ended] == [(2, 0), (1, 1), (2, 2)]
    world.save(tmp_path / "world.json")
    *_, last = world.as_run().replay(world.core)
    assert last.state() == world.core_state
    for again in (world, overturning()):
        again.load(tmp_path / "world.json")
        again.replay(again.decisions)
        assert [(b.location, b.is_blocked) for b in again.registered_agents.values()] == ended
        assert again.environment_objects["table"].properties["stands"] is False
    again.reset()
    with pytest.raises(ActionFailure):
        again.step()
    world.reset()
    assert world.environment_objects["table"].properties["stands"] is True


@pytest.mark.parametrize(("policy", "there"), [("skip", ["a0", "a1", "a2"]), ("remove", ["a0", "a2"])])
def test_an_action_that_fails_does_to_its_agent_what_a_brain_that_fails_does(
    policy: Any, there: list[str]
) -> None:
    world = overturning(policy)
    world.run(max_ticks=2)
    assert [*world.registered_agents] == there
    (noted,) = world.errors
    assert noted[:2] == (0, "a1") and str(noted[2]) == "too heavy"
    locations = {i: body.location for i, body in world.registered_agents.items()}
    world.replay(world.decisions)
    assert {i: body.location for i, body in world.registered_agents.items()} == locations


def test_arguments_that_make_an_action_of_the_core_fail_do_not_keep_others_from_acting() -> None:
    grab = ("GrabObject", {"object_id": "stone", "grab_range": "far"})
    stone = EnvObject((0, 1), "stone", **STONE)
    world = world_of(
        ((0, 0), ["MoveEast"]), ((0, 1), [grab]), objects=[stone], action_parameters={"grab_range": 2}
    )
    with pytest.raises(ActionFailure, match="the action GrabObject of agent a1"):
        world.step()
    assert world.registered_agents["a0"].location == (1, 0)
    assert not last_result(world, "a1").succeeded


def test_an_action_that_cannot_be_made_is_a_failure_of_the_brain_before_anything_happens() -> None:
    class Needs(Action):
        def __init__(self, tool: str) -> None:
            super().__init__()

    world = world_of(((0, 0), [("MoveEast", {"action_duration": 1})]), ((0, 1), [None, "Needs"]))
    world.step()
    with pytest.raises(BrainFailure, match="Needs"):
        world.step()
    world.step()
    assert world.registered_agents["a0"].location == (1, 0)


def test_all_objects_do_what_they_do_by_themselves_although_some_fail() -> None:
    class Lamp(EnvObject):
        lit = 0

        def update(self, grid_world: Any, state: Any) -> None:
            self.lit += 1
            if self.obj_id != "good":
                raise ValueError(f"{self.obj_id} is out")

    lamps = [Lamp((i, 0), name) for i, name in enumerate(["bad", "good", "worse"])]
    with pytest.raises(ValueError, match="bad is out") as caught:
        world_of(objects=lamps).step()
    assert [lamp.lit for lamp in lamps] == [1, 1, 1]
    assert "ValueError: worse is out" in caught.value.__notes__[1]


def test_a_class_with_the_name_of_an_action_of_the_core_takes_its_place() -> None:
    jump = type("MoveEast", (MoveEast,), {"mutate": _jump})
    assert jump.replaces
    world = world_of(((0, 0), ["MoveEast"]))
    world.step()
    assert (world.registered_agents["a0"].location, last_result(world).result) == ((5, 3), "jumped")
    with pytest.raises(ValueError, match="a0 has actions that are classes of Python: MoveEast"):
        world.description()


def _jump(self: Any, grid_world: Any, agent_id: str, world_state: Any, **kwargs: Any) -> ActionResult:
    grid_world.registered_agents[agent_id].location = (5, 3)
    return ActionResult("jumped", True)


class DoNothing(Action):
    """So that all actions of a tick are done by their classes."""

    def mutate(self, grid_world: Any, agent_id: str, world_state: Any, **kwargs: Any) -> ActionResult:
        return ActionResult(ActionResult.ACTION_SUCCEEDED, True)


@pytest.mark.parametrize("third", [None, "DoNothing"])
def test_of_two_who_grab_one_thing_the_second_is_told_who_has_it(third: str | None) -> None:
    grab = ("GrabObject", {"object_id": "stone"})
    world = world_of(
        ((0, 0), [grab]), ((2, 2), [grab]), ((4, 4), [third]), objects=[EnvObject((1, 1), "stone", **STONE)]
    )
    world.step()
    assert last_result(world, "a1").result == "Object is already carried by a0"


def test_a_world_with_a_collection_goal_is_saved(tmp_path: Path) -> None:
    builder = WorldBuilder((5, 5), tick_duration=0, simulation_goal=10)
    builder.add_agent((0, 0), AgentBrain, name="a")
    builder.add_object((3, 3), "stone", visualize_colour="#ff0000", **STONE)
    colors = [{"visualize_colour": "#ff0000"}, {"visualize_colour": "#0000ff"}]
    builder.add_collection_goal("shelf", [(3, 3)], colors, in_order=True)
    world = builder.get_world(compiled=False)
    world.step()
    assert (progress := world.simulation_goal[1].progress(world)) == 0.5
    world.save(tmp_path / "world.json")
    other = builder.get_world(compiled=False)
    other.load(tmp_path / "world.json")
    assert other.simulation_goal[1].progress(other) == progress
    assert not other.step()


@pytest.mark.parametrize(
    "array", [np.array([[0.5, np.inf]], np.float32), np.zeros((0, 3), ">i2"), np.array(["a", "bc"])]
)
def test_arrays_are_saved(tmp_path: Path, array: Any) -> None:
    worlds = [world_of(((0, 0), [("MoveEast", {"way": array})]), body={"field": array}) for _ in range(2)]
    worlds[0].step()
    worlds[0].save(tmp_path / "world.json")
    worlds[1].load(tmp_path / "world.json")
    kept = worlds[1].registered_agents["a0"].properties["field"], worlds[1].decisions[0]["a0"][1]["way"]
    for each in kept:
        assert (each.dtype, each.shape, each.tolist()) == (array.dtype, array.shape, array.tolist())
    worlds[0].registered_agents["a0"].add_property("made", np.array([object()]))
    with pytest.raises(TypeError, match="agent a0, custom_properties, made: array.* cannot be saved"):
        worlds[0].save(tmp_path / "world.json")


def test_numbers_that_are_not_finite_are_saved(tmp_path: Path) -> None:
    decided = ("GrabObject", {"object_id": "stone", "grab_range": math.inf})
    stone = EnvObject((1, 1), "stone", weight=math.nan, **STONE)
    world = world_of(((0, 0), [decided]), objects=[stone], simulation_goal=LimitedTimeGoal(math.inf))
    world.step()
    decisions = world.decisions
    world.save(tmp_path / "world.json")
    world.load(tmp_path / "world.json")
    assert world.decisions == decisions
    assert math.isnan(stone.properties["weight"])
    (tmp_path / "world.json").write_text('{"format": "gridarium live world 1"}')
    with pytest.raises(ValueError, match="is damaged"):
        world.load(tmp_path / "world.json")


def test_a_goal_may_be_a_dataclass() -> None:
    @dataclass
    class After(WorldGoal):
        ticks: int

        def goal_reached(self, grid_world: Any) -> bool:
            return bool(grid_world.current_nr_ticks >= self.ticks)

    assert world_of(((0, 0), []), simulation_goal=After(3), tick_duration=0).run() == 3


def test_the_first_tick_of_a_run_is_logged_also_after_a_run_of_one_tick() -> None:
    class Ticks(GridWorldLogger):
        logged: list[int] = []

        def log(self, grid_world: Any, agent_data: Any) -> None:
            self.logged.append(grid_world.current_nr_ticks)

    logger = Ticks()
    world = world_of(((0, 0), []), loggers=[logger])
    world.step()
    world.reset()
    world.step()
    assert logger.logged == [0, 0]


def test_where_no_action_does_nothing_nobody_idles_whose_turn_it_is() -> None:
    cheers: list[str] = []

    class Cheer(Action):
        def mutate(self, grid_world: Any, agent_id: str, world_state: Any, **kwargs: Any) -> ActionResult:
            cheers.append(agent_id)
            return ActionResult("", True)

    rock = GridWorld.of("RockPaperScissors", [Scripted(["SCISSORS"]), Scripted()], compiled=False)
    with pytest.raises(ValueError, match="no action that does nothing, so second cannot idle"):
        rock.step()
    capable = {"possible_actions": ["SCISSORS", "Cheer"]}
    cheering = [(Scripted([name]), capable) for name in ("Cheer", "SCISSORS")]
    rock = GridWorld.of("RockPaperScissors", cheering, compiled=False)
    with pytest.raises(ValueError, match="so first cannot idle"):
        rock.step()
    assert (cheers, rock.decisions) == ([], [])
    crosses = [Scripted([("PLACE", {"row": 1, "column": 1})]), Scripted()]
    board = GridWorld.of("TicTacToe", crosses, compiled=False)
    board.step()
    assert last_result(board, "cross").succeeded
    with pytest.raises(ValueError, match="so nought cannot idle"):
        board.step()


def test_a_decision_without_arguments_may_say_none_of_them() -> None:
    world = world_of(((0, 0), [("MoveEast", None), ("DropObject", None), (None, None)]))
    for _ in range(3):
        world.step()
    results = [result.result for result in world.brains["a0"].results[1:]] + [last_result(world).result]  # type: ignore[attr-defined]
    assert world.registered_agents["a0"].location == (1, 0)
    assert results[1:] == ["The item is not carried", ActionResult.IDLE_ACTION]
    assert world.decisions == [{"a0": ("MoveEast", {})}, {"a0": ("DropObject", {})}, {"a0": (None, {})}]


def test_actions_are_in_alphabetical_order_unless_one_says_which() -> None:
    class Aardvark(Action):
        """Defined last, and yet the first."""

    names = all_actions()
    assert names == sorted(names) and "Aardvark" in names and "Move" not in names
    own = ["MoveWest", "Aardvark", "MoveEast"]
    bodies = [
        AgentBody((0, 0), "a", is_traversable=True),
        AgentBody((0, 0), "b", possible_actions=own, is_traversable=True),
    ]
    world = GridWorld((2, 2), [], [(Scripted(), body) for body in bodies], compiled=False)
    world.reset()
    assert [world.brains[agent].action_set for agent in "ab"] == [names, own]
    assert world.registered_agents["a"].properties["action_set"] == names


def test_a_world_with_rules_of_ones_own_is_recorded_too() -> None:
    def tire(state, action):  # type: ignore[no-untyped-def]
        state.tired += 1

    spec = Spec.build(
        shape=(4, 4), objects=["Floor", "Wall", "Exit"], fields={"world": [{"name": "tired", "type": "int"}]}, reset="empty",
        actions=["LEFT", "RIGHT"], transitions=["move_agent", tire], observation="full_grid",
    )  # fmt: skip
    world = GridWorld.of(World(spec, compiled=False), [Scripted(["RIGHT", "LEFT"])])
    world.step(), world.step()
    *_, last = world.as_run().replay(world.core)
    assert last.state() == world.core_state and world.core_state.tired == 2
