"""Agents and objects that come and go while a live world runs, and worlds that go back to before."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gridarium.live import (
    Action,
    ActionResult,
    AgentBody,
    AgentBrain,
    AreaTile,
    Door,
    EnvObject,
    GridWorld,
    LimitedTimeGoal,
    SquareBlock,
    Wall,
)
from tests.live.scripted import Scripted, world_of

STONE = {"is_traversable": True, "is_movable": True}
GRAB = ("GrabObject", {"object_id": "stone"})
MANY = 20
"""More objects than there is room for at first."""


def places(world: GridWorld) -> dict[str, Any]:
    return {agent_id: body.location for agent_id, body in world.registered_agents.items()}


def add_many(world: GridWorld) -> None:
    for _ in range(MANY):
        world.add_object(EnvObject((6, 5), "pebble", is_traversable=True))


class MakeMany(Action):
    """Adds more objects than there is room for."""

    def mutate(self, grid_world: Any, agent_id: str, world_state: Any, **kwargs: Any) -> ActionResult:
        add_many(grid_world)
        return ActionResult(ActionResult.ACTION_SUCCEEDED, True)


def test_an_agent_that_is_added_after_another_was_removed_has_a_body_of_its_own() -> None:
    world = world_of(((0, 0), []), ((1, 0), []), ((2, 0), ["MoveSouth"] * 2))
    world.remove_from_grid("a1")
    world.add_agent(Scripted(["MoveEast"] * 2), AgentBody((4, 4), "late"))
    world.step()
    assert places(world) == {"a0": (0, 0), "a2": (2, 1), "late": (5, 4)}


def test_there_is_room_for_more_objects_also_after_an_agent_was_removed() -> None:
    world = world_of(
        ((0, 0), []), ((1, 0), []), ((2, 0), [GRAB]), objects=[EnvObject((2, 0), "stone", **STONE)]
    )
    world.step()
    world.remove_from_grid("a1")
    add_many(world)
    assert len(world.environment_objects) == MANY
    assert [each.obj_id for each in world.registered_agents["a2"].is_carrying] == ["stone"]
    world.step()
    assert places(world) == {"a0": (0, 0), "a2": (2, 0)}


def test_a_world_goes_back_to_before_there_was_more_room() -> None:
    world = world_of(((0, 0), ["MoveEast"] * 3), objects=[EnvObject((0, 0), "stone", **STONE)])
    world.step()
    add_many(world)
    grown = world.snapshot()
    world.reset()
    assert [*world.environment_objects] == ["stone"]
    world.restore(grown)
    assert len(world.environment_objects) == MANY + 1
    world.step()
    assert places(world) == {"a0": (2, 0)}


def test_a_core_that_grows_within_a_tick_still_ticks_and_moves_everybody() -> None:
    world = world_of(((0, 0), ["MakeMany", "MoveEast"]), ((0, 2), ["MoveEast"] * 2))
    world.step()
    assert world.core_state.tick == 1
    world.step()
    assert places(world) == {"a0": (1, 0), "a1": (2, 2)}
    assert world.as_run().verify(world.core)
    assert places(world) == {"a0": (1, 0), "a1": (2, 2)}


def test_who_was_removed_is_back_in_a_world_that_begins_again_and_in_its_replay(tmp_path: Path) -> None:
    remove = ("RemoveObject", {"object_id": "a0", "remove_range": 9})
    stone = EnvObject((0, 0), "stone", **STONE)
    world = world_of(((0, 0), [GRAB, "MoveEast"]), ((3, 0), [None, None, remove]), objects=[stone])
    teams = {team: [*members] for team, members in world.teams.items()}
    world.run(max_ticks=4)
    assert places(world) == {"a1": (3, 0)}
    assert (stone.location, stone.carried_by) == ((1, 0), [])
    *_, last = world.as_run().replay(world.core)
    assert last.state() == world.core_state
    world.save(tmp_path / "world.json")
    world.reset()
    assert places(world) == {"a0": (0, 0), "a1": (3, 0)}
    assert world.teams == teams
    world.load(tmp_path / "world.json")
    assert places(world) == {"a1": (3, 0)}
    world.replay(world.decisions)
    assert places(world) == {"a1": (3, 0)}
    assert stone.location == (1, 0)


def test_an_agent_that_was_added_goes_with_a_reset_and_comes_with_a_snapshot() -> None:
    world = world_of(((0, 0), []))
    world.step()
    world.add_agent(Scripted(["MoveEast"] * 9), AgentBody((0, 3), "late"))
    world.step()
    later = world.snapshot()
    world.reset()
    assert places(world) == {"a0": (0, 0)}
    world.restore(later)
    assert places(world) == {"a0": (0, 0), "late": (1, 3)}


def test_a_snapshot_of_another_world_is_refused() -> None:
    with pytest.raises(ValueError, match="of another world"):
        world_of(((0, 0), [])).restore(world_of(((0, 0), [])).snapshot())


def test_decisions_are_those_since_the_beginning_also_after_going_back() -> None:
    world = world_of(((0, 0), ["MoveEast", "MoveSouth", "MoveEast", "MoveEast"]))
    world.step()
    kept = world.snapshot()
    world.step()
    world.restore(kept)
    world.step()
    assert [decided["a0"][0] for decided in world.decisions] == ["MoveEast", "MoveEast"]
    world.replay(world.decisions)
    assert places(world) == {"a0": (2, 0)}


def test_a_run_that_is_not_what_has_happened_is_refused_and_changes_nothing() -> None:
    world = world_of(((0, 0), ["MoveEast"] * 9))
    world.step()
    world.add_object(SquareBlock((2, 0)))
    world.step()
    with pytest.raises(ValueError, match="it was changed between ticks"):
        world.as_run()
    assert places(world) == {"a0": (1, 0)}
    forgetful = world_of(((0, 0), []), keep_decisions=False)
    forgetful.step()
    with pytest.raises(ValueError, match="0 ticks of decisions are known of 1"):
        forgetful.as_run()


def test_brains_keep_their_bodies_when_a_run_is_made_or_decisions_are_repeated() -> None:
    class Counts(AgentBrain):
        def decide_on_action(self, state: Any) -> Any:
            self.agent_properties["count"] += 1
            return None

    world = GridWorld((2, 2), [], [(Counts(), AgentBody((0, 0), "Ann", count=0))], compiled=False)
    world.as_run()
    world.step()
    world.as_run()
    world.step()
    assert world.registered_agents["ann"].properties["count"] == 2
    again = GridWorld((2, 2), [], [(Counts(), AgentBody((0, 0), "Ann", count=0))], compiled=False)
    again.replay(world.decisions)
    again.step()
    assert again.registered_agents["ann"].properties["count"] == 3


def test_a_wall_that_becomes_movable_is_carried() -> None:
    world = world_of(((1, 0), [("GrabObject", {"object_id": "Wall"})]), objects=[Wall((2, 0))])
    world.environment_objects["Wall"].is_movable = True
    world.step()
    assert [each.obj_id for each in world.registered_agents["a0"].is_carrying] == ["Wall"]


def test_objects_that_differ_from_the_scenery_of_their_class_are_things() -> None:
    class Ghost(Wall):
        def __init__(self, location: Any, name: str = "Ghost", **properties: Any) -> None:
            super().__init__(location, name, **properties)
            self.is_traversable = True

    class Mat(AreaTile):
        def __init__(self, location: Any, name: str = "Mat", **properties: Any) -> None:
            super().__init__(location, name, **properties)
            self.is_movable = True

    world = world_of(
        ((0, 0), ["MoveEast", ("GrabObject", {"object_id": "Mat"})]), objects=[Ghost((1, 0)), Mat((3, 0))]
    )
    world.run(max_ticks=2)
    assert places(world) == {"a0": (1, 0)}
    assert [each.obj_id for each in world.registered_agents["a0"].is_carrying] == ["Mat"]


def test_a_door_that_an_agent_has_opened_is_open_in_descriptions_and_stays_open() -> None:
    door = Door((1, 0))
    world = world_of(((0, 0), [("OpenDoorAction", {"object_id": "Door"})]), objects=[door])
    world.step()
    with pytest.warns(UserWarning, match="classes of Python: MakeMany"):
        assert world.description().to_dict()["things"]["placed"][0]["status"] == "OPEN"
    door.is_movable = False
    assert door.is_open


def test_what_is_changed_between_ticks_is_perceived_at_once() -> None:
    door = Door((1, 0), is_open=True)
    world = world_of(((0, 0), []), objects=[door, EnvObject((2, 2), "box", weight=1)])
    world.step()
    assert world.world_state["box"]["weight"] == 1
    world.environment_objects["box"].change_property("weight", 2)
    door.open_colour = "#123456"
    assert world.world_state["box"]["weight"] == 2
    assert world.world_state["Door"]["visualization"]["colour"] == "#123456"
    door.close_door()
    door.closed_colour = "#654321"
    assert world.world_state["Door"]["visualization"]["colour"] == "#654321"


def test_a_body_that_was_removed_is_added_again_and_is_in_its_place_after_a_reset() -> None:
    world = world_of(((0, 0), []), ((1, 0), ["MoveEast"] * 4))
    brain, body = world.brains["a1"], world.registered_agents["a1"]
    world.remove_from_grid("a1")
    world.add_agent(brain, body)
    world.step()
    assert places(world) == {"a0": (0, 0), "a1": (2, 0)}
    world.reset()
    assert places(world) == {"a0": (0, 0), "a1": (1, 0)}


def test_a_world_goes_on_when_all_agents_have_been_removed() -> None:
    world = world_of(((0, 0), []), ((1, 0), []), simulation_goal=LimitedTimeGoal(5), tick_duration=0)
    world.step()
    for agent_id in [*world.registered_agents]:
        world.remove_from_grid(agent_id)
    assert world.run(max_ticks=2) == 2
    world.add_agent(Scripted(["MoveEast"]), AgentBody((4, 4), "late"))
    assert world.run() == 2
    assert places(world) == {"late": (5, 4)}


def test_who_is_named_twice_in_a_team_leaves_it_at_once() -> None:
    body = AgentBody((0, 0), "Ann", team=["a", "a"])
    world = GridWorld((2, 2), [], [(AgentBrain(), body)], compiled=False)
    assert world.teams == {"a": ["ann"]}
    world.remove_from_grid("ann")
    assert world.teams == {"a": []}


def test_what_an_object_notes_while_it_runs_is_gone_after_a_reset() -> None:
    class Counts(EnvObject):
        def update(self, grid_world: Any, state: Any) -> None:
            self.count = getattr(self, "count", 0) + 1

    counter = Counts((1, 1), "counter")
    world = world_of(((0, 0), []), objects=[counter])
    for _ in range(2):
        world.step()
        assert counter.count == 1
        world.reset()


def test_no_object_has_the_id_under_which_states_tell_of_the_world() -> None:
    world = world_of(((0, 0), []), objects=[EnvObject((1, 1), "World")])
    assert [*world.world_state] == ["World_1", "a0", "World"]
    assert world.add_object(EnvObject((1, 2), "World")) == "World_2"


def test_who_was_removed_while_busy_is_free_when_added_again() -> None:
    world = world_of(((0, 0), [("MoveEast", {"action_duration": 5})]))
    world.step()
    brain, body = world.brains["a0"], world.registered_agents["a0"]
    assert body.is_blocked
    world.remove_from_grid("a0")
    world.add_agent(brain, body)
    assert not world.world_state["a0"]["is_blocked_by_action"]


def test_ancestors_of_objects_are_those_that_users_know() -> None:
    assert EnvObject((0, 0), "a").properties["class_inheritance"] == ["EnvObject", "object"]
    assert Door((0, 0)).properties["class_inheritance"] == ["Door", "EnvObject", "object"]


@pytest.mark.parametrize(
    ("attempt", "said"),
    [
        (lambda: GridWorld.of("KeyDoor-9x9", [AgentBrain], compiled=False), r"brains\[0\]: an AgentBrain, or .*; AgentBrain\(\) makes one"),
        (lambda: GridWorld.of("KeyDoor-9x9", AgentBrain(), compiled=False), "brains: a list of AgentBrain is expected"),
        (lambda: GridWorld((3, 3), [], [AgentBrain()]), r"agents\[0\]: \(brain, body\), an AgentBrain and an AgentBody is expected, got"),
        (lambda: GridWorld((3, 3), [], [(AgentBrain, AgentBody((0, 0), "a"))]), r"agents\[0\]: \(brain, body\)"),
        (lambda: GridWorld((3, 3), ["a"], []), r"objects\[0\]: an EnvObject is expected, got 'a'"),
        (lambda: GridWorld((3, 3), [AgentBody((0, 0), "a")]), r"objects\[0\]: an EnvObject is expected"),
        (lambda: GridWorld((3, 3), EnvObject((0, 0), "a")), "objects: a list of EnvObject is expected"),
        (lambda: world_of().add_object("a"), "obj: an EnvObject is expected, got 'a'"),
        (lambda: world_of().add_agent(AgentBody((0, 0), "a"), AgentBrain()), r"brain, body: \(brain, body\), an AgentBrain"),
        (lambda: world_of().restore("x"), r"what snapshot\(\) has returned is expected, not 'x'"),
    ],
)  # fmt: skip
def test_what_is_no_object_agent_or_snapshot_is_refused_by_name(attempt: Any, said: str) -> None:
    with pytest.raises(TypeError, match=said):
        attempt()
