"""Rules that call others, and what may be handed to them: the same interpreted and compiled."""

import dis
import inspect
from functools import partial

import numpy as np
import pytest

from gridarium.engine.step.program import compose
from gridarium.rules import observation_functions as observations
from gridarium.rules import reward_functions as rewards
from gridarium.rules import terminating_functions as endings
from gridarium.rules import transition_functions as transitions
from gridarium.rules import visibility_functions as visibility
from gridarium.rules.calling import UnusedRng, call_rule, rng_or_default, takes_rng, uses_rng
from gridarium.rules.design import draw_area, draw_cartesian_product, draw_room_grid
from gridarium.rules.reset_functions import reset_function_registry
from gridarium.world.actions import Action
from gridarium.world.geometry import Area, Position
from gridarium.world.objects import Exit, Floor, Key, Wall
from gridarium.world.state import State
from gridarium.worlds import Spec
from tests.differential import blank_states, check, random_states
from tests.maps import RED, WORDS, YELLOW, same_picture, world

REGISTRIES = (
    reset_function_registry,
    transitions.transition_function_registry,
    rewards.reward_function_registry,
    endings.terminating_function_registry,
    observations.observation_function_registry,
    visibility.visibility_function_registry,
)


def count(state, object_type):
    return sum(isinstance(state.grid[p], object_type) for p in state.grid.positions())


def row_distance(p, q):
    return abs(p.y - q.y)


def draw_somewhere(state, *, object_type=Wall, rng=None):
    state.grid[rng_or_default(state, rng).integers(state.grid.height), 0] = object_type()


def draw_key(state, *, color=YELLOW, row=1):
    state.grid[row, 1] = Key(color)


RIGHT_HALF = Area((0, 0), (2, 3))
AHEAD = Area((-2, 0), (-1, 1))


def draw_by_distance(state, *, distance=row_distance, area=RIGHT_HALF):
    for p in state.grid.positions():
        if distance(p, Position(0, 0)) == 1 and area.contains(Position(0, p.x)):
            state.grid[p] = Exit()


draw_red_key = partial(draw_key, color=RED, row=2)


def draw_all(state, *, rules=(draw_somewhere, draw_key, draw_red_key), rng=None):
    for rule in rules:
        call_rule(rule, (state,), rng)
    draw_somewhere(state, object_type=Exit, rng=rng_or_default(state, rng))
    if count(state, (Wall, Exit)) + count(state, object_type=Key) > 3:
        state.grid[0, 2] = Wall()


def draw_lattice(state):
    draw_room_grid(state.grid, (0, 2), (0, 3), Wall)
    draw_area(state.grid, Area((0, 2), (0, 3)), Exit, fill=False)
    draw_cartesian_product(state.grid, range(1, 2), range(1, 3), Wall)


def test_rules_get_random_numbers_if_they_declare_them():
    assert takes_rng(draw_somewhere) and takes_rng(partial(draw_somewhere, object_type=Exit))
    assert not takes_rng(draw_key)


def declares(state, action, *, times=1, rng: UnusedRng = None):
    state.agent.position = state.agent.front() if times else state.agent.position


def passes_on(state, action, *, rng=None):
    declares(state, action, rng=rng)


def asks(state, action, *, rng):
    return lambda: rng.random()


class Callable:
    def __call__(self, state, action, *, rng):
        pass


def test_a_rule_may_declare_random_numbers_without_using_them():
    for rule in (declares, partial(declares, times=2), transitions.move_agent, rewards.reach_exit):
        assert takes_rng(rule) and not uses_rng(rule)
    for rule in (passes_on, asks, partial(asks), Callable(), transitions.chain, transitions.move_obstacles):
        assert takes_rng(rule) and uses_rng(rule)
    assert not uses_rng(draw_key)


@pytest.mark.parametrize("registry", REGISTRIES, ids=lambda registry: registry.kind)
def test_built_in_rules_declare_random_numbers_as_unused_exactly_where_they_do_not_read_them(registry):
    for name, rule in registry.items():
        if is_ours(rule):
            reads = any(step.argval == "rng" for step in dis.get_instructions(rule) if "LOAD" in step.opname)
            assert uses_rng(rule) == (reads or "rng" in rule.__code__.co_cellvars), name


def test_what_is_not_used_costs_no_stream():
    spec = Spec.build(
        name="Corridor",
        shape=(1, 5),
        objects=["Floor"],
        reset=lambda state: None,
        transitions=[declares, passes_on],
        observation="full_grid",
    )
    text = compose(spec).text
    assert "(declares(state, action), 'declares')\n" in text
    assert "(passes_on(state, action, rng=state.stream(" in text


@pytest.mark.parametrize("registry", REGISTRIES, ids=lambda registry: registry.kind)
def test_every_built_in_rule_may_be_called_with_random_numbers(registry):
    without = [name for name, rule in registry.items() if is_ours(rule) and not takes_rng(rule)]
    assert not without
    for name, rule in registry.items():
        assert not is_ours(rule) or inspect.signature(rule).parameters["rng"].default is None, name


def is_ours(rule):
    return rule.__module__.startswith("gridarium.rules.")


def sometimes(state, action, *, transition_function, p_success, rng=None):
    """As in gym-gridverse's tutorial, where every rule is called with `rng`."""
    if rng.random() <= p_success:
        transition_function(state, action, rng=rng)


def worth_twice(state, action, next_state, *, reward_function=rewards.reach_exit, rng=None):
    once = reward_function(state, action, next_state, rng=rng)
    return once + rewards.living_reward(state, action, next_state, reward=0.5, rng=rng)


def look_through(state, *, area=AHEAD, rng=None):
    seen = observations.from_visibility(
        state, area=area, visibility_function=visibility.partially_occluded, rng=rng
    )
    seen.grid[0, 0] = Exit()
    return seen


def coinflip(grid, position, *, rng=None):
    """As in gym-gridverse's tutorial."""
    seen = rng.integers(2, size=grid.shape.as_tuple).astype(bool)
    seen[position.y, position.x] = True
    return seen


@pytest.mark.exhaustive
def test_rules_of_gym_gridverse_call_built_in_ones_with_random_numbers():
    for name in ("move_agent", "turn_agent", "teleport"):
        rule = partial(sometimes, transition_function=getattr(transitions, name), p_success=0.5)
        check("transition", rule, random_states(WORDS, 3), actions=(Action.MOVE_FORWARD, Action.TURN_LEFT))
    for worth in (rewards.reach_exit, rewards.bump_into_wall):
        rule = partial(worth_twice, reward_function=worth)
        check("reward", rule, random_states(WORDS, 3), actions=(Action.MOVE_FORWARD,))
    check("observation", look_through, random_states(WORDS, 3))
    check("visibility", coinflip, random_states(WORDS, 3))


WORTHS, ENDS = (rewards.reach_exit, rewards.living_reward), (endings.reach_exit, endings.bump_into_wall)


def best_of_them(state, action, next_state, *, reduction=max):
    every = rewards.reduce(state, action, next_state, reward_functions=WORTHS, reduction=sum)
    return every + 10 * rewards.reduce(
        state, action, next_state, reward_functions=WORTHS, reduction=reduction
    )


def ends_with_both(state, action, next_state):
    return endings.reduce(state, action, next_state, terminating_functions=ENDS, reduction=all)


@pytest.mark.exhaustive
def test_rules_combine_others_by_functions_of_python():
    for rule in (best_of_them, partial(best_of_them, reduction=min)):
        check("reward", rule, random_states(WORDS, 3), actions=(Action.MOVE_FORWARD, Action.TURN_LEFT))
    check("terminating", ends_with_both, random_states(WORDS, 3), actions=(Action.MOVE_FORWARD,))


def test_without_random_numbers_a_rule_has_the_state_s_own():
    state = world(">.")
    rng = np.random.default_rng()
    assert rng_or_default(state, rng) is rng
    own = state.copy().rng
    assert [rng_or_default(state, None).random() for _ in range(3)] == [own.random() for _ in range(3)]


@pytest.mark.exhaustive
def test_kinds_colors_functions_and_areas_are_parameters_with_defaults():
    for rule in (draw_somewhere, draw_key, draw_by_distance):
        for state in check("reset", rule, blank_states(WORDS, 3, (3, 4))):
            assert state.grid != State.blank((3, 4), WORDS).grid


def test_rules_call_others_with_any_parameter():
    for state in check("reset", draw_all, blank_states(WORDS, 5, (3, 4))):
        assert count(state, Key) == 2
        assert isinstance(state.grid[0, 2], Wall if count(state, (Wall, Exit)) > 2 else Floor) or count(
            state, Exit
        )


def test_drawing_is_the_same_interpreted_and_compiled():
    (state,) = check("reset", draw_lattice, blank_states(WORDS, 1, (3, 4)))
    state.agent.active = False
    assert same_picture(state, "EEEE\nE##E\nEEEE")
