"""Playing in a window, under a driver that shows nothing."""

import numpy as np
import pytest

from gridarium import World, draw
from gridarium.draw.motion.panel import WIDTH
from gridarium.view.play.controller import PlayController
from gridarium.view.play.keyboard import Keyboard
from gridarium.view.play.session import PlaySession
from gridarium.view.play.window import PlayWindow
from tests.view.pawns import coins, pawns

pygame = pytest.importorskip("pygame")
WORLD = World("KeyDoor-5x5", compiled=False)


@pytest.fixture(autouse=True)
def nobody_sees_it(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


@pytest.fixture
def game():
    made = PlayWindow(PlayController(PlaySession(WORLD), Keyboard(WORLD)))
    yield made
    made.window.close()


def press(game, key, text=""):
    pygame.event.post(
        pygame.event.Event(pygame.KEYDOWN, key=key, unicode=text, mod=0, window=game.window._window)
    )


def picture_in(game, rows=5, columns=5):
    pixels, tile = game.window.pixels(), game.window.tile
    beside = pixels.shape[1] - WIDTH
    top, left = (pixels.shape[0] - rows * tile) // 2, (beside - columns * tile) // 2
    return pixels[top : top + rows * tile, left : left + columns * tile]


def test_keys_move_the_agent_and_the_picture_follows(game):
    before = picture_in(game)
    press(game, pygame.K_LEFT)
    assert game.once()
    state = game.controller.session.game.state
    assert game.controller.session.game.steps == 1
    assert not np.array_equal(picture_in(game), before)
    assert np.array_equal(picture_in(game), draw.rgb(state, game.window.tile, view=WORLD.observe(state)))
    press(game, pygame.K_BACKSPACE, "\b")
    assert game.once()
    assert np.array_equal(picture_in(game), before)


def test_the_agents_view_has_a_shape_of_its_own(game):
    for _ in range(2):
        press(game, pygame.K_v, "v")
    game.once()
    view = WORLD.observe(game.controller.session.game.state)
    shown = picture_in(game, *view.grid.shape)
    assert np.array_equal(shown, draw.rgb(view, game.window.tile))


def test_it_ends_with_escape_or_with_the_window(game):
    press(game, pygame.K_ESCAPE, "\x1b")
    assert not game.once()
    game.play()
    assert not game.window.is_open
    other = PlayWindow(PlayController(PlaySession(WORLD), Keyboard(WORLD)))
    pygame.event.post(pygame.event.Event(pygame.WINDOWCLOSE, window=other.window._window))
    other.play()
    assert not other.window.is_open


def test_two_games_at_once():
    games = [PlayWindow(PlayController(PlaySession(WORLD, seed=i), Keyboard(WORLD))) for i in range(2)]
    press(games[1], pygame.K_LEFT)
    assert all(game.once() for game in games)
    assert [game.controller.session.game.steps for game in games] == [0, 1]
    games[0].window.close()
    press(games[1], pygame.K_LEFT)
    assert games[1].once() and games[1].controller.session.game.steps == 2
    games[1].window.close()


def test_time_passes_in_a_live_game():
    now = [0.0]
    session = PlaySession(WORLD, policy=lambda actions: actions[4], live=True)
    game = PlayWindow(PlayController(session, Keyboard(WORLD, live=True), rate=2.0), clock=lambda: now[0])
    for now[0] in (0.1, 0.4, 0.6, 0.7, 1.2):
        game.once()
    assert session.game.steps == 2
    press(game, pygame.K_p, "p")
    now[0] = 9.0
    game.once()
    assert session.game.steps == 2
    game.window.close()


def mouse(game, cell=None, *, place=None, click=True):
    """Move the mouse to the middle of a cell, or to a place of the window, and click."""
    (left, top), tile = game.window._corner, game.window.tile
    pos = place or (left + cell[1] * tile + tile // 2, top + cell[0] * tile + tile // 2)
    kinds = [(pygame.MOUSEMOTION, {"rel": (0, 0), "buttons": (0, 0, 0)})]
    kinds += [(pygame.MOUSEBUTTONDOWN, {"button": pygame.BUTTON_LEFT})] * click
    for kind, more in kinds:
        pygame.event.post(pygame.event.Event(kind, pos=pos, window=game.window._window, **more))
    assert game.once()


def test_cells_and_lists_are_clicked():
    worlds = (pawns(), coins())
    games = [
        PlayWindow(PlayController(PlaySession(world, people=2), Keyboard(world, keys, agents=(0, 1))))
        for world, keys in zip(worlds, (["arrows"], ["arrows", "wasd"]), strict=True)
    ]
    before = picture_in(games[0], 6, 6)
    mouse(games[0], (4, 2), click=False)
    assert games[0].controller.pointed == (4, 2) and not np.array_equal(picture_in(games[0], 6, 6), before)
    mouse(games[0], (4, 2))
    mouse(games[0], (3, 3))
    mouse(games[0], (3, 3))  # a double click is one
    assert games[0].controller.panel().note == ""
    assert [games[0].controller.session.game.steps, games[0].controller.panel().banner] == [1, "Black's turn"]
    mouse(games[0], place=(1, 1), click=False)
    assert games[0].controller.pointed is None
    areas = games[1].window._writer._choices
    assert len(areas) == 3
    mouse(games[1], place=areas[2].center)
    assert games[1].controller.panel().prompt == "ann: Put: choose a piece."
    for game in games:
        game.window.close()
