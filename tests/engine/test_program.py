"""Composing: a readable page of Python, with numbers that are read at run time."""

import functools
import struct

import numpy as np
import pytest

from gridarium.compiled.cache.fingerprint import fingerprint
from gridarium.engine import World
from gridarium.rules.observation_functions import full_grid
from gridarium.rules.transition_functions import move_agent
from gridarium.world import Action, Area, Orientation, Position
from gridarium.world.compiled.resolver import WorldResolver
from gridarium.worlds import Spec, catalogue
from tests.engine.worlds import catalogue_world, troubled_world


def build(**given):
    base = {
        "name": "Composed",
        "shape": (5, 5),
        "objects": ["Floor", "Wall", "Exit"],
        "actions": [Action.MOVE_FORWARD, Action.TURN_LEFT],
        "reset": {"name": "empty", "random_agent": True},
        "transitions": ["move_agent", "turn_agent"],
    }
    return World(Spec.build(**base | given), compiled=False)


def key(world):
    return fingerprint(world.composed.program.run, WorldResolver(world.spec.vocabulary))


def test_worlds_of_another_size_share_a_program_and_those_with_more_agents_only_where_there_are_things():
    assert key(build()) == key(build(shape=(6, 9)))
    assert key(build(agents=2)) == key(build(agents=2, shape=(6, 9)))
    assert len({key(build(agents=n)) for n in (1, 2, 3)}) == 3
    things = {"things": {"kinds": ["Exit"], "capacity": 3}}
    assert key(build(agents=2, **things)) == key(build(agents=3, **things))
    assert key(build(agents=1, **things)) != key(build(agents=2, **things))


def test_the_page_calls_the_rules_in_the_order_of_the_description():
    page = catalogue_world("KeyDoor-7x7", compiled=False).composed.program.text
    calls = ["move_agent", "turn_agent", "actuate_door", "pickndrop"]
    lines = [f"    {name}(state, action)" for name in calls]
    assert "\n".join(["def transition(state, action, params):", *lines, "\n"]) in page
    rewards = [
        "reach_exit(",
        "pickndrop_reward(",
        "actuate_door_reward(",
        "getting_closer(",
        "living_reward(",
    ]
    places = [page.index(f"total + as_number({name}") for name in rewards]
    assert places == sorted(places)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", catalogue.names())
def test_every_rule_of_a_world_stands_in_its_page(name):
    world = catalogue_world(name, compiled=False)
    program = world.composed.program
    compile(program.text, name, "exec")
    for rule in program.rules:
        assert f"{rule}(" in program.text
    called = [getattr(rule, "func", rule) for rule in program.rules.values()]
    spec = world.spec
    for rule in (
        spec.reset,
        *(t.rule for t in spec.transitions),
        *spec.rewards,
        *spec.terminations,
        spec.observation,
    ):
        assert rule.func in called


def test_numbers_and_areas_are_read_at_run_time():
    world = build(
        rewards=[{"name": "living_reward", "reward": -0.25}],
        observation={"name": "fully_transparent", "area": [[-3, 1], [-2, 2]]},
    )
    program = world.composed.program
    bits = struct.unpack("<q", struct.pack("<d", -0.25))[0]
    assert program.params.dtype == np.int64
    assert bits in program.params.tolist()
    assert program.params.tolist()[-4:] == [-3, 1, -2, 2]
    assert any("living_reward.reward" in line for line in program.described)
    other = build(
        rewards=[{"name": "living_reward", "reward": 7.0}],
        observation={"name": "fully_transparent", "area": [[-1, 0], [-1, 1]]},
    )
    assert other.composed.program.text == program.text, "worlds that differ in numbers share a page"


def test_each_rule_has_randomness_of_its_own():
    def lucky(state, action, *, rng):
        state.luck = state.luck * 1000 + rng.integers(1000)

    def also_lucky(state, action, *, rng):
        state.luck = state.luck * 1000 + rng.integers(1000)

    world = build(
        transitions=[lucky, also_lucky, lucky],
        fields={"world": [{"name": "luck", "type": "int", "default": 0}]},
    )
    state, _, _ = world.step(world.reset(0), 0)
    draws = {state.luck // 1000**2, state.luck // 1000 % 1000, state.luck % 1000}
    assert len(draws) == 3
    again, _, _ = world.step(world.reset(0), 0)
    assert again.luck == state.luck


def test_randomness_is_another_one_in_each_tick_episode_and_world():
    world = catalogue_world("DynamicObstacles-8x8", compiled=False)
    state = world.reset(0)
    drawn = {state.stream(2).integers(1 << 60)}
    for other in (
        world.step(state, Action.TURN_LEFT)[0],
        world.next_episode(state),
        world.reset(1),
        state.fork(5),
    ):
        drawn.add(other.stream(2).integers(1 << 60))
    drawn |= {state.stream(purpose).integers(1 << 60) for purpose in (0, 1, 3, 4, 5, 18)}
    assert len(drawn) == 11
    assert state.stream(2).integers(1 << 60) == state.stream(2).integers(1 << 60)


def test_two_rules_of_one_name_both_have_their_say():
    def first():
        def gain(state, action, next_state):
            return 1.0

        return gain

    def second():
        def gain(state, action, next_state):
            return 10.0

        return gain

    world = build(rewards=[first(), second(), first()])
    assert world.step(world.reset(0), 0)[1] == 12.0


def test_rules_may_be_partials_with_functions_and_kinds_in_them():
    from gridarium.rules.transition_functions import with_probability

    never = functools.partial(with_probability, transition_function=move_agent, probability=0.0)
    world = build(transitions=[never, "turn_agent"])
    state = world.reset(0)
    assert world.step(state, Action.MOVE_FORWARD)[0] == state


def test_world_rules_run_once_after_the_agents():
    from gridarium.rules.transition_functions import transition_function_registry

    @transition_function_registry.register(name="counted_once", scope="world")
    def count(state, action):
        state.seen = 100 * state.seen + sum(agent.position.x for agent in state.agents)

    world = build(
        agents=[{"start": [1, 1], "orientation": "RIGHT"}, {"start": [2, 1], "orientation": "RIGHT"}],
        transitions=[count, "move_agent"],
        fields={"world": [{"name": "seen", "type": "int", "default": 0}]},
    )
    state = world.step(world.reset(0), [0, 0])[0]
    assert state.seen == 4, "it sees both agents after they have moved, once"


def test_a_rule_sees_the_world_before_and_after_the_whole_tick():
    seen = []

    def watch(state, action, next_state):
        seen.append((state.agent.position, action, next_state.agent.position, state.tick))
        return 0.0

    world = build(rewards=[watch], reset={"name": "empty", "random_agent": False})
    state = world.reset(0)
    world.step(state, Action.MOVE_FORWARD)
    before, action, after, tick = seen[-1]
    assert before == state.agent.position
    assert action is Action.MOVE_FORWARD
    assert tick == 0
    assert after != before or state.blocked(state.agent.front())


def test_an_action_index_is_turned_into_the_action_before_a_rule_sees_it():
    seen = []

    def watch(state, action):
        seen.append(action)

    jump = Action.declare("HOP")
    world = build(actions=[Action.WAIT, jump, Action.UP], transitions=[watch])
    state = world.reset(0)
    for index in range(3):
        world.step(state, index)
    assert seen == [Action.WAIT, jump, Action.UP]


def test_a_page_that_is_printed_names_the_numbers():
    page = troubled_world(compiled=False).explain()
    assert "params[0]" in page
    assert "troubled_view.area" in page


@pytest.mark.parametrize("area", [Area((-2, 0), (-1, 1)), Area((-4, 0), (-2, 2))])
def test_the_shape_of_an_observation_follows_its_area(area):
    world = build(observation={"name": "fully_transparent", "area": [list(area.ys), list(area.xs)]})
    assert world.arrays(world.reset(0))["grid"].shape == (area.height, area.width, 3)


def test_rules_may_be_called_what_the_page_calls_its_own():
    def reset(state):
        state.agent.position = Position(2, 2)

    def transition(state, action):
        state.agent.orientation = Orientation.R

    def reward(state, action, next_state):
        return 2.0

    def total(state, action, next_state):
        return 3.0

    def terminating(state, action, next_state):
        return True

    def observation(state):
        return full_grid(state)

    world = build(
        reset=reset,
        transitions=[transition],
        rewards=[reward, total],
        terminations=[terminating],
        observation=observation,
    )
    state = world.reset(0)
    after, gained, ended = world.step(state, 0)
    assert state.agent.position == Position(2, 2) and after.agent.orientation == Orientation.R
    assert (gained, ended) == (5.0, True) and world.arrays(state)["grid"].shape == (5, 5, 3)
