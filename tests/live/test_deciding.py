"""What agents decide: all perceive the same, failures are contained, and classes of actions are done as they say."""

from __future__ import annotations

import logging
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from gridarium.live import (
    Action,
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
from gridarium.live.actions import action as registered
from gridarium.live.actions.moves import MoveEast
from tests.live.scripted import Scripted, last_result, world_of

STONE = {"is_traversable": True, "is_movable": True}


@pytest.fixture(autouse=True)
def _silent() -> Any:
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


@pytest.fixture
def _named_again() -> Any:
    """Gives names of actions back to the classes that had them."""
    names = dict(registered._named)
    yield
    registered._named.update(names)
    registered._versions[0] += 1


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
    world = GridWorld((5, 2), [], zip(brains, bodies, strict=True), on_brain_error="remove", compiled=False)
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


@pytest.mark.usefixtures("_named_again")
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
    rock = GridWorld.of("RockPaperScissors", [Scripted(["SCISSORS"]), Scripted()], compiled=False)
    with pytest.raises(ValueError, match="no action that does nothing, so second cannot idle"):
        rock.step()
    crosses = [Scripted([("PLACE", {"row": 1, "column": 1})]), Scripted()]
    board = GridWorld.of("TicTacToe", crosses, compiled=False)
    board.step()
    assert last_result(board, "cross").succeeded
    with pytest.raises(ValueError, match="so nought cannot idle"):
        board.step()
