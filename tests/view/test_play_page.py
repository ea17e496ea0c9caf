"""A game as a page of text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridarium import World, draw
from gridarium.agents import random_action
from gridarium.view.play.controller import PlayController
from gridarium.view.play.keyboard import Keyboard
from gridarium.view.play.session import PlaySession
from gridarium.view.play.terminal import is_grey, nearest_color
from gridarium.view.play.text_page import Span, cut, length, page, spans
from gridarium.world.text_form.record import shown_agent_fields
from gridarium.worlds import catalogue
from tests.engine.board import board
from tests.view.pawns import pawns


def controller(name, schemes=("arrows",)):
    world = World(name, compiled=False)
    return PlayController(PlaySession(world, people=len(schemes)), Keyboard(world, schemes))


def lines(game, height=24, width=80):
    return ["".join(span.text for span in row).rstrip() for row in page(game, height, width)]


def test_a_page_shows_map_legend_facts_and_keys():
    shown = lines(controller("KeyDoor-9x9"))
    assert shown[0] == "KeyDoor-9x9"
    assert shown[2].startswith("#########") and "seed 0   step 0" in shown[2]
    whole = "\n".join(shown)
    for part in (
        "D  Door(LOCKED, YELLOW)",
        "up        move forward",
        "space     actuate",
        "backspace take back",
        "esc leave",
    ):
        assert part in whole


def test_what_is_wanted_is_said_whole():
    game = controller("Fetch-8x8")
    assert game.panel().mission == game.session.game.world.mission(game.session.game.state)
    assert game.panel().mission in "\n".join(lines(game))
    broken = " ".join(line[-36:].strip() for line in lines(controller("DoorKey-8x8"))[2:5])
    assert "use the key to open the door and then get to the exit" in broken
    assert controller("KeyDoor-9x9").panel().mission == ""


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("CollectBlocks-9x9-2ag", ("order blue, yellow, green", "delivered 0")),
        ("Kitchen-CrampedRoom", ("cooking 0, 0",)),
    ],
)
def test_the_worlds_numbers_that_agents_perceive_are_shown(name, shown):
    whole = " ".join(
        " ".join(line[-36:].strip() for line in lines(controller(name, ("arrows", "wasd")))).split()
    )
    for part in shown:
        assert part in whole


@pytest.mark.parametrize("name", catalogue.names())
@pytest.mark.sampled(8)
def test_every_world_fits_into_80_by_24(name):
    world = World(name, compiled=False)
    people = min(2, world.spec.agents)
    session = PlaySession(world, people=people, policy=random_action)
    game = PlayController(session, Keyboard(world, ("arrows", "wasd")[:people]))
    for _ in range(len(game.views)):
        shown = page(game, 24, 80)
        assert len(shown) == 24 and all(length(row) <= 80 for row in shown)
        assert "esc leave" in "".join(lines(game))
        game.press("v")


@given(height=st.integers(1, 60), width=st.integers(1, 140))
def test_a_page_is_never_larger_than_the_terminal(height, width):
    for game in GAMES:
        shown = page(game, height, width)
        assert len(shown) == height
        assert all(length(row) <= width for row in shown)


GAMES = [
    controller("KeyDoor-9x9"),
    controller("TwoAgents-DoorKey-8x8", ("arrows", "wasd")),
    controller("TaxiTown-5x5"),
]


def test_a_small_terminal_is_told_how_large_it_has_to_be():
    told = " ".join(lines(GAMES[0], 8, 40)).split("  ")[0]
    assert told.startswith("The terminal has 40 x 8 characters; 50 x ")
    needed = int(told.split("; 50 x ")[1].split()[0])
    assert lines(GAMES[0], needed, 50)[0] == "KeyDoor-9x9"
    assert "needed" in " ".join(lines(GAMES[0], needed - 1, 50))
    assert "needed" in " ".join(lines(GAMES[0], needed, 49))


def test_a_large_world_is_shown_around_the_agent():
    game = controller("FourRooms-19x19")
    shown = lines(game, 18, 60)
    assert any(arrow in line[:22] for line in shown for arrow in "^v<>")
    assert sum("#" in line for line in shown) < 19


def test_what_is_not_seen_stands_back():
    game = controller("KeyDoor-9x9")
    rows = page(game, 24, 80)[2:11]
    dim = sum(len(span.text) for row in rows for span in row if span.dim)
    seen = game.session.game.world.observe(game.session.game.state)
    assert 0 < dim < 81
    game.press("v")
    game.press("v")
    game.press("v")
    assert not any(span.dim for row in page(game, 24, 80)[2:11] for span in row)
    assert seen is not None


def test_walls_between_cells_are_shown_with_the_unseen():
    rows = lines(controller("TaxiTown-5x5"))
    assert rows[2].startswith(". .|") and rows[3].startswith(" + + + +")


def test_colored_lines_are_read():
    assert spans("a\x1b[1;38;2;9;8;7mb\x1b[0mc") == [Span("a"), Span("b", (9, 8, 7), bold=True), Span("c")]


@given(st.lists(st.text("abc", max_size=5), max_size=5), st.integers(0, 12), st.integers(0, 12))
def test_cutting_is_slicing(parts, begin, end):
    row = [Span(part) for part in parts]
    whole = "".join(parts)
    assert "".join(s.text for s in cut(row, end, begin)) == whole[begin:end]


def test_greys_are_left_to_the_terminal():
    assert is_grey((230, 229, 225)) and not is_grey((224, 190, 60))


def test_colors_of_terminals():
    assert nearest_color((255, 0, 0), 256) == 196
    assert nearest_color((128, 128, 128), 256) == 244
    assert nearest_color((220, 30, 20), 8) == 1
    assert nearest_color((230, 220, 30), 8) == 3
    assert nearest_color((0, 0, 0), 8) == 7


class TestChoosing:
    def test_the_board_has_numbers_and_marks(self):
        world = pawns()
        game = PlayController(PlaySession(world, people=2), Keyboard(world, agents=(0, 1)))
        shown = lines(game)
        assert shown[2].startswith("  0 1 2 3 4 5 ") and shown[7].startswith("4 w w w w w w")
        assert "Move: choose a start." in "\n".join(shown)
        game.click((4, 2))
        marked = [[i for i, span in enumerate(row[1:]) if span.choosable] for row in page(game, 24, 80)[3:9]]
        assert marked == [[], [], [], [2, 4, 6], [], []]
        told = "\n".join(lines(game))
        for part in ("MOVE((4, 2), …): choose an end.", "MOVE((4, 2), (3, 1)),", "esc       choose again"):
            assert part in told

    @pytest.mark.parametrize("size", [10, 19])
    def test_large_boards_fit_into_80_by_24(self, size):
        world = board(compiled=False, shape=(size, size))
        game = PlayController(PlaySession(world, people=2), Keyboard(world, agents=(0, 1)))
        game.press("up")
        shown = page(game, 24, 80)
        assert len(shown) == 24 and all(length(row) <= 80 for row in shown)
        assert {str(y) for y in range(size)} <= {line[:2].strip() for line in lines(game)}
        assert sum(span.pointed for row in shown for span in row) == 1

    def test_of_players_without_a_body_nothing_is_said_that_is_not_so(self):
        world = pawns()
        game = PlayController(PlaySession(world, people=2), Keyboard(world, agents=(0, 1)))
        told = "\n".join(lines(game)) + str(game.panel())
        assert not any(word in told for word in ("facing", "agent", "arrow keys", "(-1", "^", "@"))


def test_shapes_of_pieces_are_shown_and_bits_of_rules_are_not():
    world = World("Blokus-14x14-2p", shape=(10, 10), compiled=False)
    shown = "\n".join(lines(PlayController(PlaySession(world, people=2), Keyboard(world, ("arrows",)))))
    assert "choose a piece" in shown and "4  ###" in shown and "a cell first" in shown
    for name, internal in {"ConnectFour": "discs", "TicTacToe": "marks", "Breakthrough": "pawns"}.items():
        world = World(name, compiled=False)
        assert internal not in draw.text(world.reset(0))
        assert shown_agent_fields(world.reset(0).agents[0]) == {}  # what replays show
