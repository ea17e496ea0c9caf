"""Rules that might silently be other rules when compiled: assignments to what calls return, numbers of fields."""

from __future__ import annotations

import enum
import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numba.core.errors import NumbaError

from gridarium.compiled.source_pass.source import Unsupported
from gridarium.engine import World
from gridarium.testing.differential import compare
from gridarium.testing.states import random_states
from gridarium.world import Action, Color, Door, Field, Floor, GridObject, Position, Shape, Vocabulary, Wall
from gridarium.world.action_arguments import Actions, ActionTable, Argument
from gridarium.worlds import Spec


class Gem(GridObject, register=False):
    """Has whole numbers that no float is equal to, where another kind has floats."""

    worth = 2**53 + 1

    @property
    def size(self) -> float:
        return 2**53 + 1


class Chip(GridObject, register=False):
    """Has floats."""

    worth = 0.5

    @property
    def size(self) -> float:
        return 0.5


WORDS = Vocabulary(
    (Floor, Wall, Door, Gem, Chip), (Color.RED,), world_fields=[Field("count", "int", 3), Field("heat", "float", 0.5), Field("row", "int", shape=(4,))],
    agent_fields=[Field("energy", "int", 9)],
)  # fmt: skip


def one_of_two_agents(state: Any, action: Action, *, rng: Any) -> None:
    state.agents[rng.integers(2)].energy += 1


def one_of_two_agents_often(state: Any, action: Action, *, rng: Any) -> None:
    for _ in range(10):
        state.agents[rng.integers(2)].energy -= rng.integers(5)


def too_large_for_a_field(state: Any, action: Action) -> None:
    state.count = int(1e19 + state.agent.position.y)


def no_number_for_a_field(state: Any, action: Action) -> None:
    state.agent.energy = int((state.heat - 0.5) * float("inf"))


def part_of_a_number_for_a_field(state: Any, action: Action) -> None:
    state.count = int(2.75 * state.agent.position.x)
    state.agent.energy = int(state.agent.energy + 0.5)


def an_item_after_its_value(state: Any, action: Action) -> None:
    i = 2
    state.row[(j := i)] = (i := 3)
    state.count = 10 * j + i


class Season(enum.IntEnum):
    DRY, WET, COLD = 1, 2, 4


class Sought(enum.IntEnum):
    HERE = 0

    @classmethod
    def _missing_(cls, value: object) -> Sought:
        return cls.HERE


def members_by_number(state: Any, action: Action, *, rng: Any) -> None:
    season = Season(1 << int(rng.integers(3)))
    state.count = season + (season == Season.COLD)
    state.grid[Position(0, 0)] = Door(Door.Status(rng.integers(3)), Color.RED)


def no_member_of_a_number(state: Any, action: Action) -> None:
    state.count = Season(state.agent.position.y + 5)


red_door = functools.partial(Door, color=Color.RED)


def of_a_color_that_is_bound(state: Any, action: Action) -> None:
    state.grid[0, 0] = red_door(state.agent.position.y % 3)
    state.grid[1, 0] = red_door(status=state.agent.position.x % 3)


def a_color_or_none(state: Any, action: Action) -> None:
    color = None
    for p in state.grid.positions():
        if isinstance(state.grid[p], Door):
            color = state.grid[p].color
    state.grid[0, 0] = Door(Door.Status.OPEN, color)


def a_color_that_is_missing(state: Any, action: Action) -> None:
    state.grid.fill(Floor)
    a_color_or_none(state, action)


def a_color(state: Any, action: Action) -> None:
    state.grid[1, 1] = Door(Door.Status.LOCKED, Color.RED)
    a_color_or_none(state, action)


def last_wall(grid: Any) -> Any:
    found = None
    for p in grid.positions():
        if isinstance(grid[p], Wall):
            found = p
    return found


def at_a_place_that_may_be_missing(state: Any, action: Action) -> None:
    place, thing = last_wall(state.grid), None
    if place is not None and state.blocked(place) and state.grid[place] == Wall():
        state.grid[place] = Floor()
        state.count += 1
    if place is not None:
        thing = state.grid[place]
    if thing is not None:
        state.grid[0, 0] = thing


def at_a_missing_place(state: Any, action: Action) -> None:
    state.grid.fill(Floor)
    state.count += 1
    state.grid[last_wall(state.grid)] = Wall()


def a_missing_thing(state: Any, action: Action) -> None:
    state.grid[0, 0] = state.grid[1, 1] if state.count > 99 else None


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("rule", "fails"),
    [
        (at_a_place_that_may_be_missing, False),
        (at_a_missing_place, True),
        (a_missing_thing, True),
        (a_color, False),
        (of_a_color_that_is_bound, False),
        (a_color_that_is_missing, True),
        (members_by_number, False),
        (no_member_of_a_number, True),
        (an_item_after_its_value, False),
        (one_of_two_agents, False),
        (one_of_two_agents_often, False),
        (too_large_for_a_field, True),
        (no_number_for_a_field, True),
        (part_of_a_number_for_a_field, False),
    ],
)
def test_compiled_is_interpreted(rule: Callable[..., Any], fails: bool) -> None:
    states = random_states(WORDS, 6, agents=2)
    outcomes = compare("transition", rule, states, actions=(Action.WAIT, Action.MOVE_FORWARD))
    assert outcomes
    assert all(isinstance(outcome, Exception) == fails for outcome in outcomes)


def looks_for_what_is_missing(state: Any, action: Action) -> None:
    state.count = Sought(state.agent.position.y)


def looks_by_a_float(state: Any, action: Action) -> None:
    state.count = Season(state.heat)


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        (looks_for_what_is_missing, "a member is not looked up by its number"),
        (looks_by_a_float, "a member of an enum is looked up by a whole number"),
    ],
)
def test_a_lookup_that_may_be_another_is_refused(rule: Callable[..., Any], why: str) -> None:
    with pytest.raises((Unsupported, NumbaError), match=why):
        compare("transition", rule, random_states(WORDS, 2, agents=2), actions=(Action.WAIT,))


def worth_of_a_float(state: Any, action: Action, next_state: Any) -> float:
    next_state.grid[0, 0] = Chip()
    return next_state.grid[0, 0].worth % 10 + next_state.grid[0, 0].size % 10


def worth_of_a_whole_number(state: Any, action: Action, next_state: Any) -> float:
    next_state.grid[0, 0] = Gem()
    return next_state.grid[0, 0].worth % 10


def size_of_a_whole_number(state: Any, action: Action, next_state: Any) -> float:
    next_state.grid[0, 0] = Gem()
    return next_state.grid[0, 0].size % 10


@pytest.mark.exhaustive
def test_whole_numbers_of_kinds_that_no_float_equals_are_left_to_python() -> None:
    states = random_states(WORDS, 2)
    compare("reward", worth_of_a_float, states, actions=(Action.WAIT,))
    for rule in (worth_of_a_whole_number, size_of_a_whole_number):
        with pytest.raises(AssertionError, match="compiled it raised OverflowError"):
            compare("reward", rule, states, actions=(Action.WAIT,))


def sign_of_zero(state: Any, action: Action, next_state: Any) -> float:
    return math.copysign(1.0, next_state.heat) + math.copysign(2.0, next_state.row[0])


@pytest.mark.exhaustive
def test_a_default_of_minus_zero_is_zero() -> None:
    fields = [{"name": "heat", "default": -0.0}, {"name": "row", "shape": [2], "default": -0.0}]
    spec = Spec.build(
        name="zero",
        shape=(2, 2),
        objects=[Floor],
        fields={"world": fields},
        reset=lambda state: None,
        transitions=["move_agent"],
        rewards=[sign_of_zero],
        observation="full_grid",
    )
    for compiled in (False, True):
        batch = World(spec, compiled=compiled).batch(1)
        batch.reset(0)
        assert batch.composed.compiled == compiled
        assert batch.step(np.zeros(1, int)).rewards.tolist() == [3.0]


SHOW = Action.declare("SHOW_CARD")
IN_HAND = Vocabulary(
    (Floor, Wall, Door, Gem, Chip), (Color.RED,), world_fields=[Field("count", "int", 3)],
    action_table=ActionTable({SHOW.value: (Argument("worth", 4), Argument("color", 3))}),
)  # fmt: skip
ACTIONS = Actions((Action.WAIT, SHOW), IN_HAND.action_table, Shape(5, 6), 1)


def worth_of_chips(state: Any, action: Action, next_state: Any) -> float:
    total = 0.0
    for p in state.grid.positions():
        if isinstance(state.grid[p], Chip):
            total += state.grid[p].worth
    return total


def worth_of_an_action(state: Any, action: Any, next_state: Any) -> float:
    return action.worth + 0.5 if action.is_a(SHOW) else 0.0


def worth_of_what_lacks_it(state: Any, action: Action, next_state: Any) -> float:
    next_state.grid[0, 0] = Floor()
    return next_state.grid[0, 0].worth + 0.5


def color_of_an_action(state: Any, action: Any, next_state: Any) -> int:
    if not action.is_a(SHOW):
        return -1
    color = action.color
    return 10 * color + (action.color == 1) + (5, 6, 7)[action.color] + (1 if action.color else 2)


def color_of_doors(state: Any, action: Action, next_state: Any) -> int:
    return sum(state.grid[p].color == Color.RED for p in state.grid.positions())


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("rule", "least"),
    [
        (worth_of_chips, 0.5),
        (worth_of_an_action, 2.5),
        (color_of_an_action, 27),
        (color_of_doors, 2),
        (worth_of_what_lacks_it, None),
    ],
)
def test_an_argument_of_an_action_may_have_the_name_of_an_attribute_of_objects(
    rule: Callable[..., Any], least: float | None
) -> None:
    outcomes = compare("reward", rule, random_states(IN_HAND, 4), actions=ACTIONS)
    assert (
        all(isinstance(outcome, AttributeError) for outcome in outcomes)
        if least is None
        else max(outcomes) >= least
    )


def color_as_a_number(state: Any, action: Action, next_state: Any) -> bool:
    return state.grid[state.agent.position].color == 1


def color_in_numbers(state: Any, action: Action, next_state: Any) -> bool:
    return state.grid[state.agent.position].color in (1, 2)


def color_of_either(state: Any, action: Any, next_state: Any) -> bool:
    return action.is_a(SHOW) and action.color == state.grid[state.agent.position].color


def number_as_a_color(state: Any, action: Any, next_state: Any) -> bool:
    return action.is_a(SHOW) and action.color == Color.RED


def color_as_truth(state: Any, action: Any, next_state: Any) -> int:
    return 1 if state.grid[state.agent.position].color else 2


@pytest.mark.parametrize(
    "rule", [color_as_a_number, color_in_numbers, color_of_either, number_as_a_color, color_as_truth]
)
def test_colors_are_no_numbers_where_an_argument_is_called_color(rule: Callable[..., Any]) -> None:
    try:
        compare("reward", rule, random_states(IN_HAND, 4), actions=ACTIONS)
    except (Unsupported, NumbaError) as refused:
        assert "color" in str(refused)
