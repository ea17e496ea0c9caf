from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridarium.rules import visibility_functions as v
from gridarium.rules.field_of_view.raytracing import compute_rays_fancy
from gridarium.world.geometry import Position
from gridarium.world.grid import Grid
from gridarium.world.objects import Floor, Wall
from tests.differential import check, random_states
from tests.maps import EDGED, WORDS, world


def seen(rule, picture, **parameters):
    """What a rule lets the first agent of a picture see, as a picture: a space is a cell that is not seen."""
    state = world(picture)
    mask = rule(state.grid, state.agent.position, **parameters)
    rows = [row.strip() for row in picture.strip().splitlines()]
    return "\n".join(
        "".join(symbol if mask[y, x] else " " for x, symbol in enumerate(row)) for y, row in enumerate(rows)
    )


def blanks(picture):
    """A picture in which `_` stands for a cell that is not seen."""
    return "\n".join(line.strip() for line in picture.strip().splitlines()).replace("_", " ")


class TestPartialOcclusion:
    def test_walls_hide_what_is_behind_them(self):
        assert seen(v.partially_occluded, "...\n###\n...\n.^.") == blanks("___\n###\n...\n.^.")

    def test_doors_do_unless_they_are_open(self):
        assert seen(v.partially_occluded, ".\nC\n^") == blanks("_\nC\n^")
        assert seen(v.partially_occluded, ".\nO\n^") == blanks(".\nO\n^")

    def test_things_that_only_stand_in_the_way_do_not(self):
        assert seen(v.partially_occluded, ".\nb\nB\n^") == blanks(".\nb\nB\n^")

    def test_sight_bends_round_corners_through_a_gap(self):
        assert seen(v.partially_occluded, ".....\n.....\n##.##\n.....\n..^..") == blanks(
            ".....\n.....\n##.##\n.....\n..^.."
        )

    def test_it_goes_on_sideways_only_away_from_the_agent(self):
        assert seen(v.partially_occluded, ".....\n####.\n.....\n^....") == blanks(
            "____.\n####.\n.....\n^...."
        )

    def test_it_goes_backwards_as_well_as_forwards(self):
        assert seen(v.partially_occluded, "...\n.^.\n.#.\n...") == blanks("...\n.^.\n.#.\n._.")
        assert seen(v.partially_occluded, "###\n#^#\n###\n...") == blanks("###\n#^#\n###\n___")

    def test_an_agent_in_something_opaque_sees_only_that(self):
        grid = Grid.from_shape((3, 3), vocabulary=WORDS)
        grid[2, 1] = Wall()
        assert v.partially_occluded(grid, Position(2, 1)).sum() == 1

    def test_somebody_has_to_look(self):
        with pytest.raises(ValueError, match="not in the grid"):
            v.partially_occluded(Grid.from_shape((3, 3)), Position(3, 1))


def flooded(grid, position, ahead, side):
    """Sight that spreads ahead, sideways and between the two, from cell to cell."""
    reached, waiting = {position}, [position]
    while waiting:
        p = waiting.pop()
        if not grid[p].blocks_vision:
            for step in (Position(ahead, 0), Position(0, side), Position(ahead, side)):
                q = p + step
                if grid.contains(q) and q not in reached:
                    reached.add(q)
                    waiting.append(q)
    return reached


@st.composite
def walled(draw):
    """A grid with walls at random, and a position in it."""
    height, width = draw(st.integers(1, 7)), draw(st.integers(1, 7))
    grid = Grid.from_shape((height, width), vocabulary=WORDS)
    for p in grid.positions():
        grid[p] = draw(st.sampled_from([Floor(), Floor(), Wall()]))
    return grid, Position(draw(st.integers(0, height - 1)), draw(st.integers(0, width - 1)))


@given(walled())
@settings(max_examples=60, deadline=None)
def test_partial_occlusion_is_the_union_of_four_floods(given_grid):
    grid, position = given_grid
    reached = set().union(*(flooded(grid, position, ahead, side) for ahead in (-1, 1) for side in (-1, 1)))
    mask = v.partially_occluded(grid, position)
    assert {p for p in grid.positions() if mask[p.y, p.x]} == reached


@given(walled())
@settings(max_examples=25, deadline=None)
def test_rays_end_at_what_blocks_vision(given_grid):
    grid, position = given_grid
    lit, total = np.zeros((2, grid.height, grid.width), int)
    for ray in compute_rays_fancy(position, grid.area):
        light = 1
        for p in ray:
            lit[p.y, p.x] += light
            total[p.y, p.x] += 1
            light = 0 if grid[p].blocks_vision else light
    mine, mine_total = v.count_rays(grid, position)
    assert (mine.reshape(lit.shape) == lit).all() and (mine_total.reshape(lit.shape) == total).all()
    assert (v.raytracing(grid, position) == (lit >= 1)).all()
    assert (v.raytracing(grid, position, threshold=3) == (lit >= 3)).all()
    share = np.divide(lit, total, out=np.zeros(lit.shape), where=total > 0)
    relative = v.raytracing(grid, position, absolute_counts=False, threshold=0.5)
    assert (relative == (share >= 0.5)).all()
    drawn = np.random.default_rng(5).random(lit.shape)
    random = v.stochastic_raytracing(grid, position, rng=np.random.default_rng(5))
    assert (random == (drawn <= share)).all()


class TestRays:
    def test_light_does_not_bend_as_partial_occlusion_does(self):
        picture = ".....\n.....\n##.##\n.....\n..^.."
        assert seen(v.raytracing, picture) == blanks("_..._\n_..._\n##.##\n.....\n..^..")

    def test_a_cell_that_fewer_rays_reach_may_count_as_unseen(self):
        picture = ".....\n.....\n##.##\n.....\n..^.."
        assert seen(v.raytracing, picture, threshold=100) == blanks("_____\n_____\n_____\n_____\n_____")
        assert seen(v.raytracing, picture, absolute_counts=False, threshold=1) == blanks(
            "__.__\n__.__\n_#.#_\n.....\n..^.."
        )

    def test_randomness_has_to_come_from_somewhere(self):
        with pytest.raises(ValueError, match="needs rng"):
            v.stochastic_raytracing(Grid.from_shape((3, 3)), Position(2, 1))

    def test_cells_in_full_light_are_always_seen(self):
        grid = Grid.from_shape((5, 5), vocabulary=WORDS)
        assert v.stochastic_raytracing(grid, Position(4, 2), rng=np.random.default_rng(0)).all()


def test_nothing_hides_anything_from_full_transparency():
    assert v.fully_transparent(world("#.#\n###\n.^.").grid, Position(2, 1)).all()


RULES = {
    "fully_transparent": v.fully_transparent,
    "partially_occluded": v.partially_occluded,
    "raytracing": v.raytracing,
    "raytracing, many rays": partial(v.raytracing, threshold=3),
    "raytracing, a share": partial(v.raytracing, absolute_counts=False, threshold=0.4),
    "stochastic_raytracing": v.stochastic_raytracing,
}


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize("name", RULES)
def test_compiled_masks_are_the_interpreted_ones(name):
    states = [
        s for shape in ((5, 6), (7, 7), (1, 4)) for s in random_states(EDGED, 12, shape, agents=2, fill=0.4)
    ]
    outcomes = check("visibility", RULES[name], states)
    assert all(mask.dtype == np.bool_ for mask in outcomes)
