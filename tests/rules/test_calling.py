"""Rules that call others, and what may be handed to them: the same interpreted and compiled."""

from functools import partial

import numpy as np

from gridarium.rules.calling import call_rule, luck, takes_rng
from gridarium.rules.design import draw_area, draw_cartesian_product, draw_room_grid
from gridarium.world.geometry import Area, Position
from gridarium.world.objects import Exit, Floor, Key, Wall
from gridarium.world.state import State
from tests.differential import blank_states, check
from tests.maps import RED, WORDS, YELLOW, same_picture, world


def count(state, object_type):
    return sum(isinstance(state.grid[p], object_type) for p in state.grid.positions())


def row_distance(p, q):
    return abs(p.y - q.y)


def draw_somewhere(state, *, object_type=Wall, rng=None):
    state.grid[luck(state, rng).integers(state.grid.height), 0] = object_type()


def draw_key(state, *, color=YELLOW, row=1):
    state.grid[row, 1] = Key(color)


RIGHT_HALF = Area((0, 0), (2, 3))


def draw_by_distance(state, *, distance=row_distance, area=RIGHT_HALF):
    for p in state.grid.positions():
        if distance(p, Position(0, 0)) == 1 and area.contains(Position(0, p.x)):
            state.grid[p] = Exit()


draw_red_key = partial(draw_key, color=RED, row=2)


def draw_all(state, *, rules=(draw_somewhere, draw_key, draw_red_key), rng=None):
    for rule in rules:
        call_rule(rule, (state,), rng)
    draw_somewhere(state, object_type=Exit, rng=luck(state, rng))
    if count(state, (Wall, Exit)) + count(state, object_type=Key) > 3:
        state.grid[0, 2] = Wall()


def draw_lattice(state):
    draw_room_grid(state.grid, (0, 2), (0, 3), Wall)
    draw_area(state.grid, Area((0, 2), (0, 3)), Exit, fill=False)
    draw_cartesian_product(state.grid, range(1, 2), range(1, 3), Wall)


def test_rules_get_random_numbers_if_they_declare_them():
    assert takes_rng(draw_somewhere) and takes_rng(partial(draw_somewhere, object_type=Exit))
    assert not takes_rng(draw_key)


def test_without_random_numbers_a_rule_has_the_state_s_own():
    state = world(">.")
    rng = np.random.default_rng()
    assert luck(state, rng) is rng
    assert luck(state, None).random() == state.rng.random()


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
