from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridarium.compiled.data_types.primitives import trusted
from gridarium.rules import observation_functions as o
from gridarium.rules import visibility_functions as v
from gridarium.rules.field_of_view.crops import crop, fits_tile
from gridarium.world.agent import Agent
from gridarium.world.cell import LOWER_WALL, RIGHT_WALL
from gridarium.world.geometry import Area, Orientation, Position, area
from gridarium.world.grid import Grid
from gridarium.world.objects import Box, Floor, Hidden, Key, Wall
from gridarium.world.state import State
from gridarium.world.vocabulary import Field, Vocabulary
from tests.differential import check, random_states
from tests.maps import COLORS, EDGED, KINDS, RED, YELLOW, picture, world

VIEW = Area((-2, 0), (-1, 1))
SEVEN = Area((-6, 0), (-3, 3))
RICH = Vocabulary(
    KINDS,
    COLORS,
    edges=True,
    world_fields=[Field("ymin", "int"), Field("ymax", "int"), Field("xmin", "int"), Field("xmax", "int")],
    agent_fields=[Field("energy", "float", 2.5)],
    cell_fields=[Field("heat", "int", 0)],
)
PLAIN = Vocabulary([k for k in KINDS if k is not Box], COLORS, world_fields=RICH.world_fields)


def shown(observation):
    """The observed grid as a picture, with a space for what is hidden."""
    state = State.blank(observation.grid.shape, observation.grid.vocabulary, agents=1)
    state.cells[...] = observation.grid.cells
    state.agent.position = observation.agent.position
    return picture(state).replace("?", " ")


class TestTheView:
    WORLD = "#####\n#E.k#\n#C.>#\n#T..#\n#####"

    @pytest.mark.parametrize(
        ("heading", "view"),
        [
            ("^", "###\n.k#\n.^#"),
            (">", "   \n###\nk^."),
            ("v", "###\n#..\n#^."),
            ("<", "TCE\n...\n.^k"),
        ],
    )
    def test_it_is_turned_so_that_the_agent_faces_up(self, heading, view):
        state = world(self.WORLD.replace(">", heading))
        assert shown(o.fully_transparent(state, area=VIEW)) == view

    def test_the_agent_is_in_the_frame_of_the_view(self):
        state = world(self.WORLD, holds=Key(RED))
        seen = o.fully_transparent(state, area=Area((-2, 1), (-1, 3)))
        assert seen.agent == Agent.at(Position(2, 1), Orientation.FORWARD, Key(RED), state.vocabulary)
        assert seen.grid.shape.as_tuple == (4, 5)

    def test_it_keeps_what_it_holds_and_its_fields(self):
        state = world(self.WORLD, holds=Key(YELLOW), vocabulary=RICH)
        state.agent.energy = 0.25
        seen = o.partially_occluded(state, area=VIEW)
        assert seen.agent.energy == 0.25 and seen.agent.grid_object == Key(YELLOW)

    def test_a_view_is_a_copy(self):
        for rule in (
            partial(o.fully_transparent, area=VIEW),
            partial(o.partially_occluded, area=VIEW),
            o.full_grid,
        ):
            state = world(self.WORLD)
            before = state.copy()
            seen = rule(state)
            seen.grid[0, 0] = Wall()
            seen.agent.position = Position(0, 0)
            assert state.identical(before)

    @given(st.integers(0, 10**6), st.tuples(*[st.integers(-4, 4)] * 4))
    @settings(max_examples=60, deadline=None)
    def test_it_is_the_grids_part_turned(self, seed, bounds):
        (state,) = random_states(PLAIN, 1, (4, 5), seed=seed)
        part = Area(tuple(sorted(bounds[:2])), tuple(sorted(bounds[2:])))
        agent = state.agent
        wanted = state.grid.subgrid(agent.transform * part) * agent.orientation
        assert crop(state.grid, agent.position, agent.orientation, part) == wanted
        assert o.fully_transparent(state, area=part).grid == wanted


class TestHiding:
    def test_what_is_not_visible_is_hidden(self):
        state = world(".E.\n###\n.^.")
        assert shown(o.partially_occluded(state, area=VIEW)) == "   \n###\n.^."
        assert shown(o.raytracing(state, area=VIEW)) == "   \n###\n.^."
        assert shown(o.fully_transparent(state, area=VIEW)) == ".E.\n###\n.^."

    def test_any_rule_of_visibility_may_decide(self):
        seen = o.from_visibility(world("...\n...\n.^."), area=VIEW, visibility_function=checkered)
        assert shown(seen) == ". .\n . \n.^."

    def test_a_rule_of_visibility_gives_one_truth_for_each_cell(self):
        with pytest.raises(ValueError, match=r"a mask of .* for 3 x 3 cells"):
            o.from_visibility(world("^"), area=VIEW, visibility_function=too_small)

    def test_the_agent_has_to_be_in_view_to_look(self):
        for rule in (o.partially_occluded, o.raytracing):
            with pytest.raises(ValueError, match="not in the grid"):
                rule(world("^"), area=Area((-2, -1), (-1, 1)))

    def test_randomness_is_the_states_own_if_none_is_given(self):
        state = world("....\n.##.\n....\n..^.")
        first = o.stochastic_raytracing(state.copy(), area=SEVEN)
        assert first == o.stochastic_raytracing(state.copy(), area=SEVEN)
        assert first == o.stochastic_raytracing(state, area=SEVEN, rng=state.copy().rng)
        drawn = {
            shown(o.stochastic_raytracing(state, area=SEVEN, rng=np.random.default_rng(i))) for i in range(9)
        }
        assert len(drawn) > 1


class TestLayers:
    @pytest.mark.parametrize("heading", "^v<>")
    def test_walls_on_edges_turn_along(self, heading):
        state = world(f"...\n.{heading}.\n...", vocabulary=EDGED)
        me, ahead = state.agent.position, state.agent.front()
        state.grid.set_wall(me, ahead)
        side = me + Position.from_orientation(state.agent.orientation * Orientation.R)
        state.grid.set_wall(me, side)
        for rule in (o.fully_transparent, o.partially_occluded, o.raytracing):
            grid = rule(state, area=Area((-1, 0), (-1, 1))).grid
            assert grid.has_wall(Position(1, 1), Position(0, 1)) and grid.has_wall(
                Position(1, 1), Position(1, 2)
            )
            assert np.count_nonzero(grid.layers[EDGED.edge_layer]) == 2

    def test_contents_are_hidden_with_their_box(self):
        state = world(".B.\n###\nB^.")
        grid = o.partially_occluded(state, area=VIEW).grid
        assert grid[0, 1] == Hidden() and grid[2, 0] == Box(Key(YELLOW))
        assert np.count_nonzero(grid.layers) == 1

    def test_numbers_are_hidden_with_their_cell_and_walls_with_both_their_cells(self):
        state = world(".E.\n###\n.^.", vocabulary=RICH)
        for p in state.grid.positions():
            state.grid.set_number("heat", p, 7)
            for q in (p + Position(0, 1), p + Position(1, 0)):
                if state.grid.contains(q):
                    state.grid.set_wall(p, q)
        grid = o.partially_occluded(state, area=VIEW).grid
        heat, walls = grid.layers[RICH.first_cell_field], grid.layers[RICH.edge_layer]
        assert heat.tolist() == [[0, 0, 0], [7, 7, 7], [7, 7, 7]]
        both = RIGHT_WALL | LOWER_WALL
        assert walls.tolist() == [[LOWER_WALL] * 3, [both, both, LOWER_WALL], [RIGHT_WALL, RIGHT_WALL, 0]]


class TestTheWholeGrid:
    def test_it_is_shown_as_it_is(self):
        state = world("#E\n.v", vocabulary=EDGED, holds=Key(RED))
        state.grid.set_wall(Position(0, 0), Position(0, 1))
        seen = o.full_grid(state)
        assert seen.grid == state.grid and seen.agent == state.agent
        assert seen.agent.orientation is Orientation.BACKWARD


def test_small_views_ahead_are_those_that_fit_a_tile():
    assert fits_tile(SEVEN) and fits_tile(Area((-7, 0), (-7, 0))) and fits_tile(Area((0, 0), (0, 0)))
    for bounds in (((-8, 0), (0, 0)), ((-6, 1), (-3, 3)), ((-6, -1), (-3, 3))):
        assert not fits_tile(Area(*bounds))
    for bounds in (((-6, 0), (-4, 4)), ((-6, 0), (1, 3)), ((-6, 0), (-3, -1))):
        assert not fits_tile(Area(*bounds))


def checkered(grid, position):
    mask = grid.mask(False)
    for p in grid.positions():
        mask[p.y, p.x] = (p.y + p.x) % 2 == 0 or p == position
    return mask


def too_small(grid, position):
    return np.ones((2, 2), np.bool_)


@trusted
def given_area(state, *, rule):
    return rule(state, area=area(state.ymin, state.ymax, state.xmin, state.xmax))


def with_areas(vocabulary, shapes, count):
    """States that each ask for an area of their own, among them all sorts that fit a tile."""
    rng = np.random.default_rng(9)
    states = [s for shape in shapes for s in random_states(vocabulary, count, shape, agents=2, fill=0.35)]
    for i, state in enumerate(states):
        if i % 3:
            width = rng.integers(1, 9)
            left = rng.integers(width)
            bounds = (-rng.integers(8), 0, -left, width - 1 - left)
        else:
            bounds = (-rng.integers(12), rng.integers(4), -rng.integers(10), rng.integers(10))
        state.ymin, state.ymax, state.xmin, state.xmax = map(int, bounds)
    return states


COMPILED = {
    "partially_occluded": o.partially_occluded,
    "fully_transparent": o.fully_transparent,
    "from_visibility": partial(o.from_visibility, visibility_function=checkered),
    "raytracing": o.raytracing,
    "stochastic_raytracing": o.stochastic_raytracing,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", COMPILED)
@pytest.mark.parametrize("vocabulary", [PLAIN, RICH], ids=["plain", "rich"])
@pytest.mark.sampled(8)
def test_compiled_observations_are_the_interpreted_ones(name, vocabulary):
    count = 10 if "ray" in name else 60
    states = with_areas(vocabulary, [(5, 6), (9, 9), (1, 1), (2, 13)], count)
    outcomes = check("observation", partial(given_area, rule=COMPILED[name]), states)
    assert not any(isinstance(outcome, Exception) for outcome in outcomes)


def test_compiled_the_whole_grid_is_the_interpreted_one():
    check("observation", o.full_grid, random_states(RICH, 10, agents=2))


@given(st.integers(0, 10**6), st.integers(-7, 0), st.integers(-3, 0), st.integers(0, 4))
@settings(max_examples=100, deadline=None)
def test_the_fast_way_shows_what_the_general_way_shows(seed, ymin, xmin, xmax):
    (state,) = random_states(RICH, 1, (7, 7), seed=seed, fill=0.4)
    general = partial(o.from_visibility, visibility_function=v.partially_occluded)
    seen = Area((ymin, 0), (xmin, xmax))
    assert fits_tile(seen)
    assert o.partially_occluded(state, area=seen) == general(state, area=seen)


def test_an_empty_grid_of_any_size_can_be_seen_from_its_corner():
    grid = Grid.from_shape((1, 1))
    assert crop(grid, Position(0, 0), Orientation.LEFT, Area((-9, 9), (-9, 9)))[9, 9] == Floor()
