"""Brains in worlds that tick."""

import functools
from types import SimpleNamespace

import numpy as np
import pytest

from gridarium.agents import MCTS, Planner, random_action
from gridarium.engine import World
from gridarium.live.brains import (
    AgentBrain,
    HumanAgentBrain,
    LanguageModelBrain,
    PatrollingAgentBrain,
    PlannerBrain,
    PolicyBrain,
    onnx_policy,
)
from gridarium.live.builder import WorldBuilder
from gridarium.live.grid_world import GridWorld
from gridarium.live.messages import Message
from gridarium.live.objects import AgentBody, CollectionDropOffTile, Door, EnvObject, Wall
from gridarium.live.perception import SenseCapability
from gridarium.world import Floor
from gridarium.worlds import Description

STRAIGHT = ["MoveNorth", "MoveEast", "MoveSouth", "MoveWest"]
NEAR = {"grab_range": 1, "max_objects": 2, "door_range": 1}


def body(place, name="Bob", **options):
    return AgentBody(place, name, is_traversable=options.pop("is_traversable", True), **options)


def box(place, name="box"):
    return EnvObject(place, name, is_movable=True, is_traversable=True)


def world_of(*agents, objects=(), shape=(6, 6), **options):
    world = GridWorld(shape, objects, agents, **{"compiled": False, "tick_duration": 0, **options})
    world.reset()
    return world


def locations(world, ticks, agent="bob"):
    found = []
    for _ in range(ticks):
        world.step()
        found.append(world.registered_agents[agent].location)
    return found


# the default, people, patrols


def test_random_walkers_never_bump_and_repeat_with_their_seed():
    walls = [Wall((x, y)) for x in range(6) for y in range(6) if (x + y) % 3 == 0]
    world = world_of((AgentBrain(), body((1, 0), possible_actions=STRAIGHT)), objects=walls, rnd_seed=3)
    first = []
    for _ in range(20):
        first += locations(world, 1)
        assert world.brains["bob"].previous_action_result.succeeded
    world.reset()
    assert locations(world, 20) == first
    world.reset(seed=4)
    assert locations(world, 20) != first


def test_a_brain_asks_whether_actions_are_possible():
    bob = AgentBrain()
    world = world_of((bob, body((0, 0))), objects=[Wall((1, 0)), box((0, 1))])
    assert bob.is_action_possible("MoveSouth")[0]
    possible, result = bob.is_action_possible("MoveEast")
    assert (
        not possible
        and result.result == "Move action toward space which is not traversable by agent due object"
    )
    assert bob.is_action_possible("GrabObject", {"object_id": "box"})[0]
    assert world.registered_agents["bob"].is_carrying == [] and world.current_nr_ticks == 0


def test_a_person_fetches_a_box_through_a_door():
    human = HumanAgentBrain()
    keys = {
        "d": "MoveEast",
        "a": "MoveWest",
        "o": "OpenDoorAction",
        "c": "CloseDoorAction",
        "g": "GrabObject",
        "p": "DropObject",
    }
    me = body((0, 2), key_action_map=keys, is_human_agent=True)
    wall = [Wall((1, y)) for y in range(6) if y != 2]
    world = world_of((human, me), objects=[*wall, Door((1, 2)), box((3, 2))], action_parameters=NEAR)
    for key in ("o", "d", "d", "g", "a", "a", "c", "p"):
        world.put_user_input("bob", ["?", key])
        world.step()
        assert human.previous_action == keys[key] and human.previous_action_result.succeeded, key
    assert world.find("box").location == (0, 2) and not world.find("Door").is_open
    world.step()
    assert human.previous_action is None


def test_a_person_is_told_why_nothing_happens():
    human = HumanAgentBrain()
    world = world_of((human, body((0, 0), key_action_map={"g": "GrabObject", "o": "OpenDoorAction"})))
    for key, reason in (("g", "No Object specified"), ("o", "No door found in range")):
        world.put_user_input("bob", [key])
        world.step()
        assert human.previous_action_result.result == reason


def test_keys_that_are_pressed_while_busy_wait():
    human = HumanAgentBrain()
    world = world_of((human, body((0, 0), key_action_map={"d": "MoveEast", "s": "MoveSouth"})))
    for key in ("d", "s"):
        world.put_user_input("bob", [key])
    world.step()
    assert world.registered_agents["bob"].location == (0, 1)


def test_a_patrol_goes_round_walls_and_an_agent_that_stands_in_its_way():
    wall = [Wall((2, y)) for y in range(1, 6)]
    pat = PatrollingAgentBrain([(1, 5), (3, 5)])

    class Still(AgentBrain):
        def decide_on_action(self, state):
            return None, {}

    world = world_of(
        (pat, body((0, 5), possible_actions=STRAIGHT)),
        (Still(), body((1, 1), "Rock", is_traversable=False)),
        objects=wall,
    )
    visited = locations(world, 40)
    assert visited.index((1, 5)) < visited.index((3, 5)) < 39 - visited[::-1].index((1, 5))
    assert (1, 1) not in visited and not any(x == 2 and y > 0 for x, y in visited)


def test_a_patrol_takes_its_time():
    world = world_of((PatrollingAgentBrain([(3, 0), (0, 0)], move_speed=2), body((0, 0))))
    assert locations(world, 6) == [(0, 0), (0, 0), (1, 0), (1, 0), (1, 0), (2, 0)]


def test_a_brain_changes_properties_of_its_body():
    class Painter(AgentBrain):
        def decide_on_action(self, state):
            self.agent_properties["mood"] = "blue"
            return None, {}

    world = world_of((Painter(), body((0, 0), mood="red")))
    world.step()
    assert world.registered_agents["bob"].properties["mood"] == "blue"


def test_what_a_brain_sends_is_received_with_its_sender():
    class Talker(AgentBrain):
        def decide_on_action(self, state):
            self.send_message(Message("hi", from_id=self.agent_id, to_id="ann"))
            return None, {}

    ann = AgentBrain()
    world = world_of((Talker(), body((0, 0))), (ann, body((3, 3), "Ann")))
    world.step()
    assert [(m.content, m.from_id) for m in ann.received_messages] == [("hi", "bob")]


def test_patrols_and_random_walkers_live_in_worlds_of_the_catalogue_too():
    class Restless(PatrollingAgentBrain):
        """Makes any move where it would wait, as no action of this world does nothing."""

        def decide_on_action(self, state):
            decided = super().decide_on_action(state)
            return AgentBrain.decide_on_action(self, state) if decided[0] is None else decided

    core = World("CollectBlocks", compiled=False)
    start = core.reset(0).agents[0].position
    pat = Restless([(start.x, start.y), (6, 3)])
    world = GridWorld.of(core, [pat, AgentBrain()])
    visited = []
    for _ in range(20):
        world.step()
        visited.append(world.registered_agents["agent_0"].location)
    assert (6, 3) in visited
    assert world.brains["agent_1"].previous_action in {"LEFT", "DOWN", "RIGHT", "UP"}


def test_where_there_are_no_moves_any_possible_action_is_taken():
    brain = AgentBrain()
    world = GridWorld.of(World("KeyDoor-5x5", compiled=False), [brain])
    taken = set()
    for _ in range(30):
        world.step()
        taken.add(brain.previous_action)
    assert {"TURN_LEFT", "TURN_RIGHT", "MOVE_FORWARD"} <= taken


# policies


def test_a_policy_is_told_what_it_wants_to_know():
    known = []

    def eastward(world, state, agent, actions, observation, rng):
        known.append((state.agent.position, agent, {a.name for a in actions}, {*observation}))
        return world.actions[3]

    world = world_of(
        (AgentBrain(), body((5, 5), "Ann")), (PolicyBrain(eastward), body((0, 2), possible_actions=STRAIGHT))
    )
    assert locations(world, 2) == [(1, 2), (2, 2)]
    position, agent, actions, arrays = known[1]
    assert (position.x, position.y, agent) == (1, 2, 1)
    assert actions == {"WAIT", *STRAIGHT} and "grid" in arrays


def test_what_a_policy_observes_is_what_is_observed_in_training():
    seen = []

    def look(observation):
        seen.append(observation)
        return 0

    world = world_of((AgentBrain(), body((5, 5), "Ann")), (PolicyBrain(look), body((0, 2))))
    state = world.core_state.copy()
    world.step()
    expected = {name: array[1] for name, array in world.core.arrays(state).items()}
    assert seen[0].keys() == expected.keys()
    assert all(np.array_equal(seen[0][name], expected[name]) for name in expected)


def test_a_policy_may_be_trained_on_another_view_of_the_same_world():
    shapes = []

    def look(observation):
        shapes.append(observation["grid"].shape[:2])
        return 0

    first = world_of((AgentBrain(), body((0, 2))))
    area = {"name": "fully_transparent", "area": [[-1, 1], [-1, 1]]}
    seen = World(first.core.spec.description, observation=area, compiled=False)
    world_of((PolicyBrain(look, seen), body((0, 2)))).step()
    assert shapes == [(3, 3)]


def named(world, name):
    return next(i for i, action in enumerate(world.actions) if action.name == name)


def test_a_policy_uses_things_by_their_ids():
    todo = ["GrabObject(1)", "MoveSouth", "DropObject(1)", "OpenDoorAction(0)", "WAIT"]
    policy = PolicyBrain(lambda world: named(world, todo.pop(0)))
    world = world_of((policy, body((0, 0))), objects=[Door((1, 1)), box((1, 0))], action_parameters=NEAR)
    done = []
    for _ in range(5):
        world.step()
        done.append((policy.previous_action, policy.previous_action_result.succeeded))
    assert done == [
        ("GrabObject", True),
        ("MoveSouth", True),
        ("DropObject", True),
        ("OpenDoorAction", True),
        (None, True),
    ]
    assert world.find("box").location == (0, 1) and world.find("Door").is_open


def test_a_policy_keeps_to_the_ranges_with_which_it_was_trained():
    first = world_of((AgentBrain(), body((0, 0))), objects=[box((3, 0))], action_parameters=NEAR)
    grab = PolicyBrain(lambda world: named(world, "GrabObject(0)"), first.core)
    world = world_of((grab, body((0, 0))), objects=[box((3, 0))])
    world.step()
    assert grab.previous_action_result.result == "Object not in range"
    assert world.decisions[0]["bob"][1]["grab_range"] == 1


def test_a_thing_that_is_gone_cannot_be_used():
    policy = PolicyBrain(lambda world: named(world, "GrabObject(0)"))
    world = world_of((policy, body((0, 0))), objects=[box((1, 0))])
    world.remove_from_grid("box")
    world.step()
    assert policy.previous_action_result.result == "No Object specified"


def test_the_same_seed_gives_a_policy_the_same_random_numbers():
    world = world_of((PolicyBrain(random_action), body((2, 2), possible_actions=STRAIGHT)))
    first = locations(world, 10)
    world.reset()
    assert locations(world, 10) == first


def test_a_class_of_policies_is_made_anew_for_each_episode():
    class Counting:
        def __init__(self):
            self.count = 0

        def __call__(self, world):
            self.count += 1
            return named(world, "MoveEast") if self.count == 1 else 0

    world = world_of((PolicyBrain(Counting), body((0, 0))))
    assert locations(world, 2) == [(1, 0), (1, 0)]
    world.reset()
    assert locations(world, 2) == [(1, 0), (1, 0)]


class Model:
    """As a model of Stable-Baselines3."""

    def predict(self, observation, deterministic=False):
        assert deterministic and observation["grid"].ndim == 3
        return np.array(3), None


def test_a_model_that_predicts_is_a_policy():
    assert locations(world_of((PolicyBrain(Model()), body((0, 0)))), 2) == [(1, 0), (2, 0)]


class Session:
    """As a session of onnxruntime, with inputs of some names and types, and the same scores for everything."""

    def __init__(self, scores, **inputs):
        self.scores, self.inputs, self.fed = scores, inputs, {}

    def get_inputs(self):
        return [SimpleNamespace(name=name, type=f"tensor({kind})") for name, kind in self.inputs.items()]

    def run(self, outputs, feeds):
        self.fed = feeds
        return [np.array([self.scores])]


def step_of(session):
    brain = PolicyBrain(onnx_policy(session))
    world = world_of((brain, body((0, 0), possible_actions=STRAIGHT)))
    world.step()
    return brain.previous_action, len(world.core.actions)


SCORES = [0.0, 0.1, 9.0, 5.0, 1.0]


def test_a_network_in_onnx_takes_the_best_action_that_the_agent_has():
    count = step_of(Session(SCORES + [0.0] * 24, grid="int64"))[1]
    session = Session(SCORES + [0.0] * (count - 5), grid="float", action_mask="bool")
    assert step_of(session)[0] == "MoveEast"
    assert session.fed["grid"].dtype == np.float32 and session.fed["grid"].ndim == 4
    assert session.fed["action_mask"].shape == (1, count) and session.fed["action_mask"].sum() == 5


def test_a_network_with_one_input_of_its_own_name_gets_everything_flat():
    named = Session(SCORES + [0.0] * 24, agent_id_grid="int64", grid="int64", item="int64")
    count = step_of(named)[1]
    flat = Session(SCORES + [0.0] * (count - 5), input="float")
    step_of(flat)
    arrays = [named.fed[name].reshape(-1) for name in sorted(named.fed)]
    assert np.array_equal(flat.fed["input"][0], np.concatenate(arrays))


def test_a_network_that_does_not_fit_is_refused():
    with pytest.raises(RuntimeError, match="the network asks for picture; world_1 shows "):
        step_of(Session(SCORES, picture="float", grid="float"))
    with pytest.raises(RuntimeError, match="the network has 5 scores; world_1 has"):
        step_of(Session(SCORES, grid="float"))


def test_what_is_no_policy_is_refused():
    with pytest.raises(TypeError, match="policy is a function or a class"):
        PolicyBrain(3)
    with pytest.raises(TypeError, match="asks for weather"):
        PolicyBrain(lambda weather: 0)


def test_a_policy_plays_in_a_live_world_of_the_catalogue():
    names, core = set(), World("CollectBlocks", compiled=False)
    world = GridWorld.of(core, [PolicyBrain(random_action) for _ in range(core.spec.agents)])
    for _ in range(20):
        world.step()
        for brain in world.brains.values():
            assert brain.previous_action_result.result != "The action is not known to the environment."
            names.add(brain.previous_action)
    assert len(names) > 4


def test_a_policy_gives_the_arguments_of_actions_of_the_core():
    core = World("TicTacToe", compiled=False)
    world = GridWorld.of(core, [PolicyBrain(random_action) for _ in range(2)])
    for _ in range(4):
        world.step()
    first = world.decisions[0]["cross"]
    assert first[0] == "PLACE" and {*first[1]} == {"at_y", "at_x"}
    marks = [p for p in world.core_state.grid.positions() if world.core_state.grid[p] != Floor()]
    assert len(marks) == 4 and (first[1]["at_y"], first[1]["at_x"]) in [(p.y, p.x) for p in marks]


# planners

GOAL = {"name": "overlap", "object_type": "DropOffTile"}


def thinking(world):
    """The same world with a reward for standing on the drop-off tile, which ends the episode."""
    described = world.core.spec.description.to_dict()
    return World(
        Description.from_dict({**described, "rewards": [GOAL], "terminations": [GOAL]}), compiled=False
    )


def corridor(brain, *others):
    wall = [Wall((x, 1)) for x in range(4)]
    me = body((0, 0), possible_actions=STRAIGHT)
    return world_of((brain, me), *others, objects=[*wall, CollectionDropOffTile((0, 2))], shape=(5, 3))


def test_a_planner_finds_its_way_in_the_core():
    model = thinking(corridor(AgentBrain()))
    world = corridor(PlannerBrain(Planner, model))
    found = locations(world, 10)
    assert found == [(1, 0), (2, 0), (3, 0), (4, 0), (4, 1), (4, 2), (3, 2), (2, 2), (1, 2), (0, 2)]
    world.reset()
    assert locations(world, 10) == found


def test_a_planner_among_others_models_them_as_it_is_told():
    other = (AgentBrain(), body((4, 2), "Ann", possible_actions=STRAIGHT))
    model = thinking(world_of((AgentBrain(), body((0, 0), possible_actions=STRAIGHT)), other, shape=(5, 3)))
    planner = PlannerBrain(MCTS(20, others="idle", horizon=5), model)
    world = world_of(
        (planner, body((0, 0), possible_actions=STRAIGHT)),
        (AgentBrain(), body((4, 2), "Ann", possible_actions=STRAIGHT)),
        shape=(5, 3),
    )
    world.step()
    assert planner.previous_action in {None, *STRAIGHT}
    assert planner.policy.search.agent == 0


def test_a_planner_thinks_in_what_follows_from_the_goals_of_its_world():
    builder = WorldBuilder((5, 4), tick_duration=0)
    builder.add_collection_goal("shelf", [(0, 0)], [{"visualize_colour": "#ff0000"}])
    builder.add_object(
        (2, 1), "red", is_movable=True, is_traversable=True, visualize_colour="#ff0000", weight=3
    )
    able = [*STRAIGHT, "GrabObject", "DropObject"]
    builder.add_agent((1, 1), functools.partial(PlannerBrain, "scripted"), name="Bob", possible_actions=able)
    world = builder.get_world(compiled=False)
    world.run(max_ticks=12)
    assert world.is_done


def test_a_planner_needs_a_world_with_rewards():
    world = corridor(PlannerBrain(Planner))
    with pytest.raises(RuntimeError, match="world_1 has no rewards"):
        world.step()
    with pytest.raises(ValueError, match="has no rewards"):
        PlannerBrain(Planner, world.core)


# language models


def test_a_language_model_is_offered_what_the_world_says_is_possible():
    class Chooser:
        def chat_completion(self, messages):
            self.told = messages[-1]["content"]
            return next(line for line in self.told.split("\n") if line.endswith("GrabObject box")).split(":")[
                0
            ]

    client = Chooser()
    brain = LanguageModelBrain(client, wait=10)
    sense = SenseCapability({None: 2})
    world = world_of(
        (brain, body((0, 0), sense_capability=sense)), objects=[box((1, 0)), Wall((0, 1)), box((5, 5), "far")]
    )
    world.step()
    assert brain.previous_action_result.result == "Grab action success"
    assert "MoveEast" in client.told and "MoveSouth\n" not in client.told and "far" not in client.told
    assert [o.obj_id for o in world.registered_agents["bob"].is_carrying] == ["box"]


def test_a_policy_goes_on_when_its_world_has_grown():
    world = GridWorld(
        (6, 6), [], [(PolicyBrain(random_action), AgentBody((0, 0), "Bob"))], compiled=False, tick_duration=0
    )
    world.step()
    for k in range(6):
        world.add_object(EnvObject((k, 3), f"o{k}", is_traversable=True))
    world.step()
    world.add_agent(AgentBrain(), AgentBody((2, 2), "Ann"))
    world.step()
    assert world.current_nr_ticks == 3
