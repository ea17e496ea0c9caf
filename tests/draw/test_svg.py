"""SVG documents: well-formed, small, complete, and safe to be put beside each other."""

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridarium.draw import DARK, LIGHT, Disc, Label, Line, Rectangle, svg
from gridarium.draw.drawings import AGENT_COLORS, drawing_of
from gridarium.draw.pixels import tiles
from gridarium.draw.svg.document import agent_symbol, held_symbol, label_symbol, symbol
from gridarium.draw.svg.elements import element, elements, escaped, hexadecimal, number
from gridarium.world import (
    Color,
    Exit,
    Floor,
    GridObject,
    Hidden,
    Key,
    Lava,
    Observation,
    Orientation,
    Position,
    State,
    Vocabulary,
    Wall,
)
from tests.draw.scenes import PLAIN, RICH, left_half, look, states, two_rooms

NS = "{http://www.w3.org/2000/svg}"


def parsed(document: str) -> ElementTree.Element:
    return ElementTree.fromstring(document)


def uses(document: str) -> list[str]:
    return re.findall(r'<use href="#([^"]+)"', document)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda t: t.name)
def test_every_state_is_a_document_of_its_size(theme) -> None:
    for vocabulary, agents in ((PLAIN, 1), (RICH, 3)):
        for state in states(vocabulary, agents=agents):
            root = parsed(svg(state, tile=20, theme=theme, view=look(state)))
            assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("120", "80", "0 0 6 4")


def test_ids_are_found_and_differ_between_documents() -> None:
    first, second = svg(two_rooms()), svg(states(RICH)[0])
    known = [set(re.findall(r' id="([^"]+)"', document)) for document in (first, second)]
    assert known[0] and not known[0] & known[1]
    for document, ids in zip((first, second), known, strict=True):
        assert set(uses(document)) == ids


def test_the_same_scene_gives_the_same_document() -> None:
    assert svg(two_rooms()) == svg(two_rooms())


def test_an_object_is_drawn_once_and_used_often() -> None:
    state = State.blank((20, 20), PLAIN)
    for p in state.grid.positions():
        state.grid[p] = Wall()
    document = svg(state)
    assert document.count(elements(drawing_of(Wall()), (0, 0, 0), LIGHT)) == 1
    assert len(uses(document)) == 401
    assert len(document) < 20_000


def test_floor_takes_no_room() -> None:
    assert len(svg(State.blank((100, 100), PLAIN))) < 6000


def test_agents_are_turned_and_several_have_upright_numbers() -> None:
    state = State.blank((1, 2), PLAIN, agents=2)
    state.agents[0].orientation, state.agents[1].orientation = Orientation.RIGHT, Orientation.BACKWARD
    state.agents[1].position = Position(0, 1)
    document = svg(state)
    assert 'transform="translate(0 0) rotate(90 .5 .5)"' in document
    assert 'transform="translate(1 0) rotate(180 .5 .5)"' in document
    for i, agent in enumerate(state.agents):
        assert label_symbol(i, agent.orientation) in document
        assert hexadecimal(AGENT_COLORS[i]) in document
    alone = State.blank((1, 2), PLAIN)
    assert label_symbol(0, Orientation.FORWARD) not in svg(alone)


def test_what_is_held_and_what_a_box_holds_shows_small() -> None:
    document = svg(two_rooms())
    for held in (Key(Color.YELLOW), Key(Color.RED)):
        assert held_symbol(held) in document
    assert len(re.findall(r"scale\(\.4375\)", document)) == 2
    unknown = svg(Observation(two_rooms().grid, two_rooms().agents[0]))
    assert held_symbol(Key(Color.RED)) not in unknown


def test_walls_stand_on_edges() -> None:
    state = State.blank((2, 2), RICH)
    assert LIGHT.mortar and "square" not in svg(state)
    state.grid.set_wall(Position(0, 0), Position(0, 1))
    state.grid.set_wall(Position(0, 1), Position(1, 1))
    assert f'd="M1 0v1M1 1h1" stroke="{hexadecimal(LIGHT.mortar)}"' in svg(state)


def test_what_is_not_seen_is_veiled_or_left_out() -> None:
    state = two_rooms()
    view = left_half(state)
    document = svg(state, view=view)
    veil = re.search(rf'<path d="([^"]+)" fill="#181a22" opacity="{number(LIGHT.veil / 255)}"', document)
    assert veil is not None
    assert sorted(re.findall(r"M(\d) (\d)", veil[1])) == [(x, y) for x in "23" for y in "01"]
    stripes = re.search(r'<path d="([^"]+)" stroke="#181a22" stroke-width="\.07"', document)
    assert stripes is not None
    assert set(re.findall(r"M(\d)", stripes[1])) == {"2", "3"} and stripes[1].count("M") == 4 * 4
    hidden = svg(state, view=view, hide_unseen=True)
    assert len(set(uses(hidden))) < len(set(uses(svg(state))))
    assert held_symbol(Key(Color.RED)) not in hidden
    assert "M2 0v1" in hidden, "a wall is seen from either side"
    assert hexadecimal(AGENT_COLORS[1]) not in hidden


def test_hiding_needs_a_view() -> None:
    with pytest.raises(ValueError, match="hide_unseen needs a view"):
        svg(two_rooms(), hide_unseen=True)
    with pytest.raises(ValueError, match="not of an observation"):
        svg(left_half(two_rooms()), view=left_half(two_rooms()))


@pytest.mark.parametrize("tile", [0, -1, 257, 1.5, "8", True])
def test_a_size_is_a_number_of_pixels(tile) -> None:
    with pytest.raises(ValueError, match="a whole number of pixels from 1 to 256"):
        svg(two_rooms(), tile=tile)


def test_it_says_what_it_shows() -> None:
    root = parsed(svg(two_rooms()))
    assert root.get("role") == "img"
    assert root.findtext(f"{NS}title") == "State of 2 x 4 cells, tick 0"
    said = root.findtext(f"{NS}desc")
    for part in (
        "Agent 0 at 0 1, facing left, holds Key(YELLOW)",
        "Door(LOCKED, YELLOW) at 0 0",
        "Box(Key(RED)) at 1 3",
    ):
        assert part in said


@given(st.text(max_size=30))
def test_titles_are_escaped(title: str) -> None:
    root = parsed(svg(State.blank((1, 1), PLAIN), title=title + "<script>&\"'"))
    shown = root.findtext(f"{NS}title")
    assert shown.endswith("<script>&\"'")
    assert not list(root.iter(f"{NS}script"))


@given(st.text())
def test_any_text_can_be_written(text: str) -> None:
    read = ElementTree.fromstring(f"<a b='{escaped(text)}'>{escaped(text)}</a>")
    assert len(read.text or "") == len(text.replace("\r\n", "\n"))


def test_labels_the_font_lacks_are_texts_and_escaped() -> None:
    class Odd(GridObject, register=False):
        drawing = (Label("<é>", 0.5, 0.5, 0.5), Rectangle(0, 0, 1, 1))

    assert "&lt;é&gt;</text>" in symbol(Odd())
    parsed(f'<svg xmlns="{NS[1:-1]}">{symbol(Odd())}</svg>')


def test_a_symbol_is_an_object_on_its_floor_with_its_mark() -> None:
    plain, marked = symbol(Floor()), symbol(Key(Color.RED))
    assert marked.startswith(plain) and len(plain) < 250
    twin = Color("DRAW_TEST_SVG_TWIN", rgb=Color.RED.rgb, mark="q")
    assert symbol(Key(twin)) != marked
    assert "rx=" in symbol(Exit(Color.RED)) and "rx=" not in symbol(Exit(Color.NONE)), "no mark, no plate"


def test_symbols_differ_between_themes_and_agents() -> None:
    for drawn in (symbol(Wall(), LIGHT), symbol(Wall(), DARK)):
        parsed(f'<svg xmlns="{NS[1:-1]}">{drawn}</svg>')
    assert symbol(Wall(), LIGHT) != symbol(Wall(), DARK)
    assert agent_symbol(0) != agent_symbol(1)
    assert agent_symbol(0, numbered=True).startswith(agent_symbol(0))


def test_what_leaves_the_cell_is_cut_off() -> None:
    assert symbol(Lava()).count("<svg") == symbol(Hidden()).count("<svg") == 1
    assert "<svg" not in symbol(Wall()) + symbol(Key(Color.RED))


def test_numbers_that_stand_for_nothing_are_shown() -> None:
    state = State.blank((1, 2), PLAIN)
    state.cells[0, 1] = 60
    assert "#c800a0" in svg(state)
    assert "unknown at 0 1" in svg(state)


@pytest.mark.parametrize(
    ("given", "text"),
    [(0, "0"), (0.5, ".5"), (-0.25, "-.25"), (12.0, "12"), (1e-9, "0"), (-1e-9, "0"), (100, "100")],
)
def test_numbers_are_short(given: float, text: str) -> None:
    assert number(given) == text


def test_a_shape_is_an_element() -> None:
    assert element(Disc(1, 2, 3), "#000", 0.5) == '<circle cx="1" cy="2" r="3" fill="#000" opacity=".5"/>'
    assert element(Line(((0, 0),), 1), "#000").startswith('<path d="M0 0L0 0"')
    assert (hexadecimal((255, 0, 17)), hexadecimal((18, 0, 17))) == ("#f01", "#120011")


def test_every_color_of_a_tile_is_in_its_symbol() -> None:
    vocabulary = Vocabulary([Floor, Wall])
    drawn = svg(Observation(State.blank((1, 1), vocabulary).grid, State.blank((1, 1), vocabulary).agent))
    assert all(hexadecimal(tuple(rgb)) in drawn + symbol(Wall()) for rgb in tiles.tile(Wall(), 32)[::8, 4])
