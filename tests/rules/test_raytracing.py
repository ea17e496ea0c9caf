import itertools
import math

import pytest

from gridarium.rules.field_of_view.raytracing import (
    cached_compute_rays,
    cached_compute_rays_fancy,
    cells_towards,
    compute_ray,
    compute_rays,
    compute_rays_fancy,
)
from gridarium.world.geometry import Area, Position

VIEW, AGENT = Area((0, 6), (0, 6)), Position(6, 3)


def marched(position, area, radians, step):
    """A ray, step by step, in the plainest way."""
    for i in itertools.count():
        p = Position(
            round(float(position.y) + i * (step * math.sin(radians))),
            round(float(position.x) + i * (step * math.cos(radians))),
        )
        if not area.contains(p):
            return
        yield p


class TestOneRay:
    def test_it_lists_the_cells_on_a_straight_line(self):
        ray = compute_ray(Position(1, 0), Area((0, 2), (0, 3)), radians=0.0, step_size=0.1)
        assert ray == [Position(1, x) for x in range(4)]
        up = compute_ray(Position(2, 1), Area((0, 2), (0, 3)), radians=-math.pi / 2, step_size=0.1)
        assert up == [Position(y, 1) for y in (2, 1, 0)]

    def test_cells_may_be_listed_once_for_each_step(self):
        area = Area((0, 0), (0, 1))
        ray = compute_ray(Position(0, 0), area, radians=0.0, step_size=0.25, unique=False)
        assert [p.x for p in ray] == [0, 0, 0, 1, 1, 1], "a cell's edge belongs to the even cell"

    @pytest.mark.parametrize("degrees", range(0, 360, 7))
    @pytest.mark.parametrize("step", [0.01, 0.3])
    def test_it_is_marched_in_steps(self, degrees, step):
        area, start = Area((-2, 4), (1, 5)), Position(1, 2)
        steps = list(marched(start, area, math.radians(degrees), step))
        known = {"radians": math.radians(degrees), "step_size": step}
        assert compute_ray(start, area, **known, unique=False) == steps
        assert compute_ray(start, area, **known) == list(dict.fromkeys(steps))

    def test_it_starts_inside_and_goes_on(self):
        with pytest.raises(ValueError, match="is not in"):
            compute_ray(Position(7, 0), VIEW, radians=0.0, step_size=0.01)
        with pytest.raises(ValueError, match="step_size must be positive"):
            compute_ray(AGENT, VIEW, radians=0.0, step_size=0.0)


class TestAllRays:
    def test_there_is_one_for_each_degree(self):
        rays = compute_rays(AGENT, VIEW)
        assert len(rays) == 360
        assert all(ray[0] == AGENT for ray in rays)

    def test_there_is_one_for_each_corner(self):
        rays = compute_rays_fancy(AGENT, VIEW)
        assert len(rays) == 8 * 8
        assert len({tuple(ray) for ray in rays}) == 52
        assert {p for ray in rays for p in ray} == set(VIEW.positions())

    @pytest.mark.parametrize(
        ("cached", "plain"),
        [(cached_compute_rays, compute_rays), (cached_compute_rays_fancy, compute_rays_fancy)],
    )
    def test_they_are_computed_once(self, cached, plain):
        small = Area((0, 2), (0, 2))
        assert cached(Position(1, 1), small) == plain(Position(1, 1), small)
        assert cached(Position(1, 1), small) is cached(Position(1, 1), small)


def towards_corners(position, area):
    """The directions to all corners of all cells, in half cells."""
    ys = range(2 * (area.ymin - position.y) - 1, 2 * (area.ymax - position.y) + 2, 2)
    xs = range(2 * (area.xmin - position.x) - 1, 2 * (area.xmax - position.x) + 2, 2)
    return itertools.product(ys, xs)


class TestWithoutMarching:
    @pytest.mark.parametrize("most", [5, pytest.param(9, marks=pytest.mark.exhaustive)])
    def test_the_cells_are_those_of_the_march_from_every_cell_of_every_area_up_to_9_by_9(self, most):
        for height, width in itertools.product(range(1, most + 1), repeat=2):
            area = Area((0, height - 1), (0, width - 1))
            for position in area.positions():
                for dy, dx in towards_corners(position, area):
                    ray = compute_ray(position, area, radians=math.atan2(dy, dx), step_size=0.01)
                    assert list(cells_towards(position, area, dy, dx)) == ray, (area, position, dy, dx)

    @pytest.mark.parametrize("position", [AGENT, Position(3, 3), Position(0, 0), Position(5, 6)])
    def test_the_rays_are_those_through_the_corners(self, position):
        rays = [tuple(cells_towards(position, VIEW, *way)) for way in towards_corners(position, VIEW)]
        assert sorted(rays, key=str) == sorted(map(tuple, compute_rays_fancy(position, VIEW)), key=str)

    def test_an_area_may_lie_anywhere(self):
        shifted = Area((-4, 2), (10, 16))
        rays = [tuple(cells_towards(Position(2, 13), shifted, *w)) for w in towards_corners(AGENT, VIEW)]
        moved = [
            tuple(p + Position(-4, 10) for p in cells_towards(AGENT, VIEW, *way))
            for way in towards_corners(AGENT, VIEW)
        ]
        assert rays == moved
