"""Overlays: values, policies, ways, particles and texts, in pixels and in SVG."""

import math
import re
from xml.etree import ElementTree

import numpy as np
import pytest

from gridarium.draw import (
    DARK,
    LIGHT,
    Arrows,
    Disc,
    Heat,
    Label,
    Line,
    Particles,
    Path,
    Polygon,
    Rectangle,
    Ring,
    Texts,
    rgb,
    svg,
)
from gridarium.draw.overlays.marks import Overlay, OverlayShape, marks
from gridarium.draw.pixels.raster import lay
from gridarium.draw.pixels.tiles import coverage
from gridarium.draw.shapes import BLACK
from gridarium.world import Color, Door, Exit, Key, Observation, Orientation, Position, Shape, State, Wall
from tests.draw.scenes import PLAIN, RICH, states

NAN = math.nan
EMPTY = State.blank((2, 3), PLAIN)
EMPTY.agent.active = False
VALUES = [[0.0, 1.0, NAN], [2.0, None, 4.0]]
EVERY = [
    Heat(VALUES),
    Heat(np.ones((2, 3)), fade=True),
    Arrows([[0, 1, 2], [3, None, Orientation.LEFT]]),
    Arrows(np.random.default_rng(0).random((2, 3, 4))),
    Path([(0, 0), Position(0, 1), None, (1.0, 2.0)]),
    Particles([(0, 0)] * 9 + [(1, 2)], weights=range(10), headings=[0] * 10),
    Texts([["a", 1, None], [0.5, "<&>", -3.25]]),
]  # fmt: skip


def changed(overlay: Overlay, tile: int = 16, theme=LIGHT) -> list[list[bool]]:
    """Which cells look different with an overlay."""
    pixels = (rgb(EMPTY, tile, overlays=[overlay], theme=theme) != rgb(EMPTY, tile, theme=theme)).any(axis=2)
    return pixels.reshape(2, tile, 3, tile).any(axis=(1, 3)).tolist()


@pytest.mark.parametrize("overlay", EVERY, ids=lambda o: type(o).__name__)
@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda t: t.name)
def test_every_overlay_shows_in_pixels_and_in_svg(overlay: Overlay, theme) -> None:
    assert isinstance(overlay, Overlay)
    assert any(map(any, changed(overlay, 32, theme)))
    drawn = svg(EMPTY, overlays=[overlay], theme=theme)
    count = sum(1 + (m.halo > 0) for m in marks([overlay], EMPTY.grid.shape, theme))
    assert count > 0
    assert (
        len(list(ElementTree.fromstring(drawn)))
        == len(list(ElementTree.fromstring(svg(EMPTY, theme=theme)))) + count
    )


def test_nothing_is_drawn_where_nothing_is_known() -> None:
    assert changed(Heat(VALUES)) == [[True, True, False], [True, False, True]]
    assert changed(Texts(VALUES), 32) == [[True, True, False], [True, False, True]]
    assert changed(Arrows([[0, None, 1], [NAN, 2, 3]])) == [[True, False, True], [False, True, True]]
    assert changed(Path([])) == changed(Particles([])) == changed(Heat(np.full((2, 3), NAN)))
    assert changed(Particles([(0, 0), (1, 1)], weights=[1.0, 0.0]))[1] == [False] * 3


def test_a_heat_map_goes_from_low_to_high() -> None:
    scale = ((0, 0, 0), (100, 200, 50))
    shades = [m.rgb for m in marks([Heat([[0, 5, 10]], scale=scale)], Shape(1, 3))]
    assert shades == [(0, 0, 0), (50, 100, 25), (100, 200, 50)]
    clipped = [m.rgb for m in marks([Heat([[0, 5, 10]], low=4, high=6, scale=scale)], Shape(1, 3))]
    assert clipped == [(0, 0, 0), (50, 100, 25), (100, 200, 50)]
    same = [m.rgb for m in marks([Heat([[3, 3]], scale=scale)], Shape(1, 2))]
    assert same == [(50, 100, 25)] * 2


def test_a_belief_fades_with_its_probability() -> None:
    alphas = [m.alpha for m in marks([Heat([[0.0, 0.1, 0.4]], fade=True, alpha=1.0)], Shape(1, 3))]
    assert alphas == pytest.approx([0.5, 1.0]), "nothing is drawn where there is no probability"


def test_a_heat_map_is_mixed_with_what_is_below() -> None:
    plain = rgb(EMPTY, 8)[4, 4].astype(float)
    mixed = rgb(EMPTY, 8, overlays=[Heat(np.ones((2, 3)), alpha=0.25, scale=((0, 0, 0),))])[4, 4]
    assert mixed == pytest.approx(plain * 0.75, abs=0.51)


def test_a_signed_heat_map_has_its_middle_at_zero() -> None:
    scale = ((0, 0, 0), (100, 200, 50))
    shades = [m.rgb for m in marks([Heat([[-5, 0, 10]], signed=True, scale=scale)], Shape(1, 3))]
    assert shades == [(25, 50, 12), (50, 100, 25), (100, 200, 50)]
    assert Heat([[-5, 2]], signed=True).limits == (-5, 5) and Heat([[-5, 2]], signed=True, high=9).limits == (
        -9,
        9,
    )
    assert Heat([[NAN]], signed=True).limits == Heat([[NAN]]).limits == (0, 0)


@pytest.mark.parametrize("values", [VALUES, [[NAN] * 3] * 2, [[-1e9, 0, 1e9]] * 2])
@pytest.mark.parametrize("more", [{}, {"fade": True}, {"signed": True}])
@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda t: t.name)
def test_a_bar_stands_beside_the_picture(values, more, theme) -> None:
    plain, barred = (
        rgb(EMPTY, 32, overlays=Heat(values, bar=bar, **more), theme=theme) for bar in (False, True)
    )
    assert plain.shape == (64, 96, 3) and barred.shape == (64, 160, 3)
    assert np.array_equal(plain, barred[:, :96])
    bar = barred[:, 108:110].reshape(-1, 6)
    assert len(np.unique(bar, axis=0)) > 8, "it goes through the scale"
    edge = np.array(theme.floor)
    assert (barred[:, -1] == edge).all() and (barred[0, 97:] == edge).all(), "labels stay inside"
    root = ElementTree.fromstring(svg(EMPTY, overlays=[Heat(values, bar=True, **more)], theme=theme))
    assert root.get("viewBox") == "0 0 5 2" and root.get("width") == "160"


def full() -> State:
    """An agent with a load, a key, an exit, a door and a wall, on a row of floor."""
    state = State.blank((1, 6), PLAIN)
    state.grid[0, 1], state.grid[0, 2], state.grid[0, 3] = Key(Color.RED), Exit(Color.RED), Wall()
    state.grid[0, 4] = Door(Door.Status.CLOSED, Color.YELLOW)
    return state


def test_heat_lies_beneath_objects_and_agents() -> None:
    state, size = full(), 32
    black = Heat(np.ones((1, 6)), scale=((0, 0, 0),), alpha=1.0)
    plain, heated = (rgb(state, size, overlays=o).astype(int) for o in ((), black))
    agent, key, leave, wall, door, floor = np.split((plain == heated).all(axis=2), 6, axis=1)
    assert agent[12:18, 14:18].all() and not agent[2:8, 2:6].any()
    assert key[9:11, 9].all() or key[9, 8:20].any()
    assert leave[2:4, 2:].all() and leave[8:14, 12:18].all() and not leave[24:27, 5:7].all()
    assert wall.all() and door.all()
    assert not floor[2:, 2:].any() and floor[0].all(), "lines between cells stay"


def test_what_is_drawn_in_layers_is_what_is_drawn_at_once() -> None:
    for vocabulary, agents in ((PLAIN, 1), (RICH, 3)):
        for state in states(vocabulary, agents=agents):
            nothing = Heat(np.zeros(state.cells.shape), alpha=1e-6)
            for scene in (state, Observation(state.grid, state.agent)):
                for size in (8, 32):
                    both = [rgb(scene, size, overlays=o).astype(int) for o in ((), nothing)]
                    assert np.abs(both[0] - both[1]).mean() < 0.2


def test_documents_have_heat_beneath_bodies_too() -> None:
    document = svg(full(), overlays=Heat(np.ones((1, 6)), scale=((1, 2, 3),), alpha=1.0))
    heat, key = document.index('fill="#010203"'), document.rindex("<use")
    assert document.count('fill="#010203"') == 6
    assert document.index("<use", document.index("</defs>")) < heat < key, "grounds, heat, bodies"


@pytest.mark.parametrize("orientation", list(Orientation))
def test_arrows_point_where_the_policy_goes(orientation: Orientation) -> None:
    ahead = Position.from_orientation(orientation)
    (mark,) = marks([Arrows([[orientation]])], Shape(1, 1))
    tip = max(mark.shape.points, key=lambda p: p[0] * ahead.x + p[1] * ahead.y)
    assert tip == pytest.approx((0.5 + 0.3 * ahead.x, 0.5 + 0.3 * ahead.y))


def test_likelier_arrows_are_longer() -> None:
    arrows = list(marks([Arrows([[[0.6, 0.0, 0.3, 0.1]]])], Shape(1, 1)))
    lengths = [max(math.dist(p, (0.5, 0.5)) for p in mark.shape.points) for mark in arrows]
    assert len(arrows) == 3
    assert lengths[0] > lengths[1] > lengths[2]
    widths = [
        max(abs(x - 0.5) if way < 2 else abs(y - 0.5) for x, y in mark.shape.points)
        for mark, way in zip(arrows, (0, 2, 3), strict=True)
    ]
    assert widths[0] > widths[1] > widths[2]


def test_directions_that_are_hardly_ever_taken_are_left_out() -> None:
    assert len(list(marks([Arrows([[[0.98, 0.01, 0.01, 0.0]]])], Shape(1, 1)))) == 1


def test_a_way_is_broken_where_it_says_so() -> None:
    drawn = list(marks([Path([(0, 0), (0, 1), None, (1, 0), (1, 1)])], Shape(2, 3)))
    lines = [m.shape.points for m in drawn if isinstance(m.shape, Line)]
    assert lines == [((0.5, 0.5), (1.5, 0.5)), ((0.5, 1.5), (1.5, 1.5))]
    assert sum(isinstance(m.shape, Polygon) for m in drawn) == 2


def test_a_way_that_goes_nowhere_is_a_dot() -> None:
    drawn = list(marks([Path([(0, 0), (0, 0)])], Shape(2, 3)))
    assert not any(isinstance(m.shape, Polygon) for m in drawn)


def test_particles_stay_in_their_cell_and_are_thinned() -> None:
    drawn = [m.shape for m in marks([Particles([(1, 2)] * 500 + [(0, 0)] * 50, most=20)], Shape(2, 3))]
    assert sum(d.y > 1 for d in drawn) == 20
    assert sum(d.y < 1 for d in drawn) == 2
    assert all(2 < d.x < 3 for d in drawn if d.y > 1)


def test_every_particle_counts_where_they_are_thinned() -> None:
    weights = np.random.default_rng(1).random(500)
    drawn = [
        m.shape for m in marks([Particles([(0, 0)] * 400 + [(1, 2)] * 100, weights, most=20)], Shape(2, 3))
    ]
    areas = [sum(d.radius**2 for d in drawn if (d.y < 1) == upper) for upper in (True, False)]
    assert areas[0] / areas[1] == pytest.approx(weights[:400].sum() / weights[400:].sum())


def test_particles_look_the_same_each_time() -> None:
    made = [list(marks([Particles([(0, 1)] * 9, range(9))], Shape(2, 3))) for _ in range(2)]
    assert made[0] == made[1]
    middles = [(m.shape.x, m.shape.y) for m in made[0]]
    assert len(set(middles)) == 8, "one weighs nothing, the others lie side by side"


def test_heavier_particles_are_larger() -> None:
    small, large = (m.shape.radius for m in marks([Particles([(0, 0), (1, 1)], weights=[1, 4])], Shape(2, 3)))
    assert large == pytest.approx(2 * small)


def test_numbers_are_written_in_few_digits() -> None:
    shown = [
        m.shape.text
        for m in marks(
            [Texts([[0.123, -4.0, 55.55, 1234.5, 1e7, np.float32(0.5), 3, math.inf]])], Shape(1, 8)
        )
    ]
    assert shown == ["0.12", "-4", "55.5", "1234", "1e+07", "0.5", "3", "inf"]


def test_texts_that_are_too_small_to_read_are_left_out_of_pixels() -> None:
    assert not any(map(any, changed(Texts([["12345"] * 3] * 2), 8)))
    assert all(map(all, changed(Texts([["1"] * 3] * 2), 8)))


@pytest.mark.parametrize("tile", [20, 28, 32, 40, 64, 100])
@pytest.mark.parametrize(
    "text", ["long word", "-12.345", "123456789", "-0.00012345", "WWWWWWWWWWWW", "gjpqy|"]
)
def test_texts_stay_in_their_cell_and_show(text: str, tile: int) -> None:
    shown = changed(Texts([[None] * 3, [None, text, None]]), tile)
    assert shown == [[False] * 3, [False, True, False]]


def test_a_text_stands_out_from_the_heat_beneath_it() -> None:
    heat = Heat([[0.0, 0.5, 1.0], [0.0, 0.5, 1.0]])
    overlays = [heat, Texts([["8"] * 3] * 2)]
    written = rgb(EMPTY, 40, overlays=overlays).sum(axis=2, dtype=int)[13:27]
    assert written[:, :40].max() == 765, "white on purple"
    assert all(written[:, x : x + 40].min() <= sum(BLACK) for x in (40, 80)), "dark on green and yellow"
    document = svg(EMPTY, overlays=overlays)
    labels = re.findall(r'<path d="[^"]+" fill="none" stroke="(#[0-9a-f]+)" stroke-width=".03"', document)
    assert labels == ["#fff", "#181a22", "#181a22"] * 2


MISTAKES = [
    (lambda: Heat([1, 2, 3]), r"Heat: values are numbers\[height, width\], not an array of shape \[3\]"),
    (lambda: Heat([["a"]]), r"Heat: values are numbers\[height, width\], not \[\['a'\]\]"),
    (lambda: Heat([[1], [2, 3]]), r"Heat: values are numbers"),
    (lambda: Heat([[1]], low=3, high=2), "low is below high, got 3 and 2"),
    (lambda: Heat([[1]], scale=()), "at least one color"),
    (lambda: Heat([[1]], signed=True, low=-1), "with signed, low is minus high"),
    (lambda: Heat([[1]], signed=True, high=0), "with signed, high is above 0, got 0"),
    (lambda: Arrows([[4]]), "Arrows: policy are orientations, 0 to 3 .* not 4"),
    (lambda: Arrows([[0.5]]), "not 0.5"),
    (lambda: Arrows(np.zeros((2, 3, 5))), "4 probabilities for each cell, not 5"),
    (lambda: Arrows(np.full((1, 1, 4), -1.0)), "not negative, got -1"),
    (lambda: Path([(1, 2, 3)]), r"Path: points are positions or pairs \(y, x\)"),
    (lambda: Path([7]), "Path: points are positions"),
    (lambda: Particles([(0, 0)], weights=[1, 2]), "there are 1 points, but 2 weights"),
    (lambda: Particles([(0, 0)], weights=[-1]), "weights are not negative"),
    (lambda: Particles([(0, 0)], headings=[5]), "headings are orientations"),
    (lambda: Particles([(0, 0)], most=0), "at least 1, not 0"),
    (lambda: Texts(["abc"]), r"Texts: texts are texts\[height, width\]"),
]


@pytest.mark.parametrize(("make", "message"), MISTAKES)
def test_mistakes_are_explained(make, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.parametrize(
    "overlay", [Heat([[1.0]]), Arrows([[1]]), Texts([["a"]])], ids=lambda o: type(o).__name__
)
@pytest.mark.parametrize("draw", [rgb, svg])
def test_an_overlay_fits_the_grid(overlay: Overlay, draw) -> None:
    with pytest.raises(ValueError, match="are for a grid of 1 x 1 cells, but this one has 2 x 3"):
        draw(EMPTY, overlays=[overlay])


@pytest.mark.parametrize("overlay", [Path, Particles])
@pytest.mark.parametrize("draw", [rgb, svg])
@pytest.mark.parametrize("place", [(2, 0), (0, 3), (-1, 0), (0.4, -0.6)])
def test_a_place_lies_in_the_grid(overlay, draw, place) -> None:
    named = re.escape("({:g}, {:g})".format(*place))
    with pytest.raises(
        ValueError, match=f"{overlay.__name__}: {named} lies outside the grid of 2 x 3 cells; .* rows 0 to 1"
    ):
        draw(EMPTY, overlays=[overlay([(0, 0), place])])
    draw(EMPTY, overlays=[overlay([(-0.5, 2.5), (1.5, -0.5)])])


def test_an_overlay_is_no_array() -> None:
    with pytest.raises(TypeError, match="an overlay is Heat, Arrows, Path, Particles or Texts"):
        rgb(EMPTY, overlays=[np.zeros((2, 3))])


def test_one_overlay_need_not_be_in_a_list() -> None:
    assert np.array_equal(rgb(EMPTY, overlays=Heat(VALUES)), rgb(EMPTY, overlays=[Heat(VALUES)]))


def test_an_overlay_of_ones_own() -> None:
    class Dot:
        def marks(self, shape, theme):
            yield OverlayShape(Disc(shape.width / 2, shape.height / 2, 0.4), (0, 0, 0))

    assert rgb(EMPTY, 16, overlays=[Dot()])[16, 24].tolist() == [0, 0, 0]


SHAPES = [
    Rectangle(0.2, 0.1, 0.9, 0.6, radius=0.15),
    Rectangle(0, 0, 1, 1),
    Disc(0.4, 0.6, 0.3),
    Ring(0.5, 0.5, 0.3, 0.15),
    Polygon(((0.1, 0.1), (0.9, 0.2), (0.3, 0.9))),
    Line(((0.2, 0.2), (0.8, 0.3), (0.4, 0.8)), 0.2),
    Line(((0.5, 0.5),), 0.5),
    Label("A4", 0.5, 0.5, 0.4),
]


@pytest.mark.parametrize("shape", SHAPES, ids=lambda s: type(s).__name__)
@pytest.mark.parametrize("size", [16, 48])
def test_marks_cover_what_tiles_cover(shape, size: int) -> None:
    if isinstance(shape, Label):  # tiles and marks round its size to whole pixels in ways of their own
        shape = Label(shape.text, shape.x, shape.y, 12 / size if size == 16 else 18 / size)
    out = np.zeros((size, size, 3), np.uint8)
    lay(OverlayShape(shape, (255, 255, 255)), out, size)
    exact = coverage((shape,), size)[0] / max(4, 192 // size) ** 2
    assert np.abs(out[..., 0] / 255 - exact).mean() < 0.02
    assert np.abs(out[..., 0] / 255 - exact).max() < 0.5


def test_what_lies_outside_is_cut_off() -> None:
    out = np.zeros((10, 10, 3), np.uint8)
    lay(OverlayShape(Disc(-5, 30, 1), (255, 255, 255)), out, 10)
    assert not out.any()
    lay(OverlayShape(Disc(0, 0, 0.5), (255, 255, 255)), out, 10)
    assert out[0, 0].all() and not out[9, 9].any()
