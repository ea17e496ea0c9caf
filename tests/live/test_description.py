"""Live worlds as descriptions: what is trained on is what people see, and what would be lost is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gridarium import World
from gridarium.env.gym_env import GridariumEnv
from gridarium.live import Action as LiveAction
from gridarium.live import (
    AgentBody,
    AgentBrain,
    AreaTile,
    Battery,
    CollectionDropOffTile,
    CollectionGoal,
    CollectionTarget,
    Door,
    EnvObject,
    GridWorld,
    LimitedTimeGoal,
    SquareBlock,
    Wall,
    WorldGoal,
    all_actions,
)
from gridarium.rules import live_actions
from gridarium.world import Action, Position
from tests.live.scripted import world_of

RED, BLUE = "#ff0000", "#0000ff"


class Carrier(AgentBrain):
    """Grabs what it can, and drops it in the zone or now and then elsewhere; moves at random, loaded more often to the right."""

    def decide_on_action(self, state: Any) -> Any:
        drawn, me = self.rnd_gen.randint(10), state[self.agent_id]
        carried = [each["obj_id"] for each in me["is_carrying"]]
        ids = sorted(key for key, value in state.items() if key != "World" and value.get("is_movable"))
        if drawn == 0:
            return ("OpenDoorAction", "CloseDoorAction")[self.rnd_gen.randint(2)], {"object_id": "Door"}
        if carried and (me["location"] in ((5, 3), (4, 2)) or drawn == 1):
            return "DropObject", {"object_id": carried[-1]}
        if not carried and ids and drawn < 6:
            return "GrabObject", {"object_id": ids[self.rnd_gen.randint(len(ids))]}
        if carried and drawn < 6:
            return ("MoveEast", "MoveSouthEast", "MoveNorthEast")[self.rnd_gen.randint(3)], {}
        return (self._moves[self.rnd_gen.randint(8)], {}) if drawn < 9 else None


def collecting(in_order: bool, seed: int = 1, colours: tuple[str, ...] = (RED, RED, BLUE, BLUE)) -> GridWorld:
    objects: list[EnvObject] = [Wall((3, y)) for y in (0, 2, 3)]
    objects += [Door((3, 1), is_open=True), CollectionDropOffTile((5, 3), "zone", "zone"), AreaTile((4, 3))]
    objects += [CollectionDropOffTile((4, 2), "zone", "zone"), AreaTile((4, 2))]
    wanted = [{"visualize_colour": RED}, {"visualize_colour": BLUE}, {"visualize_colour": RED}]
    objects += [CollectionTarget((5, 3), wanted, "zone", "target")]
    for i, colour in enumerate(colours):
        place = (4, 3) if i == 0 else (1 + i, 0)
        objects.append(
            EnvObject(place, f"b{i}", is_traversable=True, is_movable=True, visualize_colour=colour)
        )
    agents = [(Carrier(), AgentBody((i, 3), f"a{i}", is_traversable=True)) for i in range(3)]
    return GridWorld(
        (6, 4), objects, agents, simulation_goal=CollectionGoal("zone", "target", in_order), rnd_seed=seed,
        action_parameters={"grab_range": 2}, compiled=False,
    )  # fmt: skip


@pytest.mark.exhaustive
@pytest.mark.parametrize("in_order", [False, True])
def test_people_and_batches_see_the_same_world_and_end_it_at_the_same_time(in_order: bool) -> None:
    ends = by_core = 0
    for seed in range(4):
        live = collecting(in_order, seed)
        core = World(live.description(), compiled=False)
        goal: Any
        state, over = core.reset(seed), False
        live.reset()
        assert live.core_state.tobytes() == state.tobytes()
        returned = 0.0
        for _ in range(150):
            if live.step():
                break
            assert not over
            indices = [int(i) for i in _indices(core, live)]
            state, rewards, ended = core.step(state, indices)
            returned += rewards[0]
            assert live.core_state == state
            assert live.core_state.tick == state.tick
            by_core = by_core + (live.core_state.tobytes() == state.tobytes())
            over = bool(np.all(ended))
            (goal,) = live.simulation_goal
            assert goal.check(live) == over
            assert returned == goal.collected
        ends += live.is_done
    assert ends >= 2
    assert by_core > 100  # ticks in which no class of Python acted: result codes are the same, too


def _indices(core: World, live: GridWorld) -> Any:
    """What the agents of a live world did in its last tick, as indices of the core."""
    names = {action.name: i for i, action in enumerate(core.actions)}
    for agent_id in live.registered_agents:
        name, kwargs = live.decisions[-1][agent_id]
        if name is None:
            yield 0
        elif "object_id" in kwargs:
            found = live.find(kwargs["object_id"])
            yield 0 if found is None else names[f"{name}({found.number})"]
        else:
            yield names[name]


def test_a_time_limit_and_masks_are_said() -> None:
    world = GridWorld(
        (4, 4),
        [],
        [(AgentBrain(), AgentBody((1, 0), "a"))],
        simulation_goal=LimitedTimeGoal(7),
        compiled=False,
    )
    given = world.description(action_masks=True)
    assert given.time_limit == 7
    core = World(given, compiled=False)
    legal = [core.actions[i].name for i in core.legal_actions(core.reset(0))]
    assert legal == ["WAIT", "MoveEast", "MoveSouthEast", "MoveSouth", "MoveSouthWest", "MoveWest"]


@pytest.mark.slow
def test_rules_of_actions_that_no_agent_has_are_left_out_so_that_walkers_are_trained_compiled() -> None:
    def world(*actions: str) -> GridWorld:
        body = AgentBody((1, 1), "a", possible_actions=actions)
        objects = [Wall((2, 1)), EnvObject((0, 0), "box", is_movable=True)]
        return GridWorld((3, 3), objects, [(AgentBrain(), body)], compiled=False)

    rules = [
        [rule.name for rule in world(*actions).description().transitions]
        for actions in (["MoveEast", "GrabObject"], [])
    ]
    assert rules == [["move_in_eight_directions", "grab_things", "notice_arrivals"], ["notice_arrivals"]]
    env = GridariumEnv(
        world("MoveEast", "MoveSouth").description(action_masks=True)
    )  # would warn if it ran interpreted
    _, info = env.reset(seed=0)
    assert info["action_mask"].tolist() == [1, 0, 1]
    env.step(2)
    assert env.state.agent.position == Position(2, 1)


def test_what_would_be_lost_is_listed() -> None:
    class Own(WorldGoal):
        def goal_reached(self, grid_world: Any) -> bool:
            return False

    class Teleport(LiveAction):
        pass

    objects = [Battery((0, 0), is_traversable=True), SquareBlock((1, 1), weight=3)]
    body = AgentBody((2, 2), "a", possible_actions=["MoveEast", "Teleport"])
    world = GridWorld((4, 4), objects, [(AgentBrain(), body)], simulation_goal=Own(), compiled=False)
    with pytest.raises(ValueError, match="is no description of the core") as refused:
        world.description()
    text = str(refused.value)
    assert "Battery does something by itself" in text
    assert "Block has properties of its own: weight" in text
    assert "a has actions that are classes of Python: Teleport" in text
    assert "the goal Own is Python" in text
    assert "drop_properties=True leaves out properties" in text


def test_classes_of_actions_are_not_left_out_in_silence() -> None:
    class Paint(LiveAction):
        pass

    bodies = [
        AgentBody((0, 0), "a"),
        AgentBody((1, 0), "b", possible_actions=["MoveEast"]),
        AgentBody((2, 0), "c"),
    ]
    world = GridWorld((4, 1), [], [(AgentBrain(), body) for body in bodies], compiled=False)
    with pytest.warns(
        UserWarning, match="^a, c may do all actions; in a description they lack .* classes of Python: Paint "
    ):
        described = world.description()
    assert world.description(drop_properties=True) == described
    bodies[0].possible_actions = ["MoveNort"]
    with pytest.raises(
        ValueError, match="a has the unknown action 'MoveNort': did you mean 'MoveNorth'"
    ) as refused:
        world.description()
    assert "drop_properties" not in str(refused.value)


def test_several_goals_need_a_word_on_when_episodes_end() -> None:
    both = [LimitedTimeGoal(5), LimitedTimeGoal(9)]
    world = GridWorld(
        (4, 4), [], [(AgentBrain(), AgentBody((1, 0), "a"))], simulation_goal=both, compiled=False
    )
    with pytest.raises(ValueError, match="several goals must all be reached; say when episodes end"):
        world.description()
    assert world.description(time_limit=9).time_limit == 9


def test_a_time_limit_does_not_drop_other_goals_silently() -> None:
    class Own(WorldGoal):
        def goal_reached(self, grid_world: Any) -> bool:
            return False

    def world(*goals: WorldGoal) -> GridWorld:
        objects: list[EnvObject] = []
        for x, name, colour in ((0, "left", RED), (3, "right", BLUE)):
            wanted = [{"visualize_colour": colour}]
            objects += [
                CollectionDropOffTile((x, 3), name, name),
                CollectionTarget((x, 3), wanted, name, name),
            ]
        agents = [(AgentBrain(), AgentBody((1, 0), "a"))]
        return GridWorld((4, 4), objects, agents, simulation_goal=list(goals), compiled=False)

    left, right = CollectionGoal("left", "left"), CollectionGoal("right", "right")
    both = world(left, right)
    with pytest.raises(ValueError, match="reached; say when episodes end: terminations"):
        both.description(time_limit=50)
    said = both.description(time_limit=50, terminations=[])
    assert [reward.parameters["wanted"] for reward in said.rewards] == [(0xFF0000,), (0x0000FF,)]
    assert (said.time_limit, len(said.terminations)) == (50, 0)
    assert both.description(terminations=[], rewards=[]).rewards == ()
    with pytest.raises(ValueError, match="the goal Own is Python; say when episodes end"):
        world(Own()).description(time_limit=50)
    assert world(Own()).description(time_limit=50, terminations=[]).time_limit == 50
    with pytest.raises(ValueError, match="several goals"):
        world(LimitedTimeGoal(np.inf), CollectionGoal("left", "left")).description()
    alone = world(CollectionGoal("left", "left")).description(time_limit=50)
    assert (alone.time_limit, len(alone.terminations), len(alone.rewards)) == (50, 1, 1)


def test_the_actions_of_live_worlds_are_those_that_the_rules_declare() -> None:
    declared = [each for each in vars(live_actions).values() if isinstance(each, Action)]
    described = world_of(((0, 0), [])).core.spec.description.to_dict()["actions"]
    assert [each if isinstance(each, str) else each["name"] for each in described][1:] == [
        a.name for a in declared
    ]
    assert set(declared) == {*live_actions.MOVES, *live_actions.ON_THINGS}
    assert {action.name for action in declared} <= {*all_actions()}
