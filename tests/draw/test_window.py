"""Windows, under a driver that shows nothing."""

import os
import signal
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from gridarium import World, draw
from gridarium.draw.motion.panel import PAPER, WIDTH, Panel, PanelWriter
from gridarium.draw.motion.viewer import PlaybackSpeed, Viewer
from gridarium.draw.motion.window import ScalablePicture, Window, fitting_tile, room_for_picture
from gridarium.draw.motion.window_events import NoDisplay

pygame = pytest.importorskip("pygame")
STATE = World("KeyDoor-5x5", compiled=False).reset(0)
SCENE = ScalablePicture(5, 5, lambda tile: draw.rgb(STATE, tile))
WORDS = Panel(
    "KeyDoor-5x5",
    (("step", "3"),),
    "The action succeeded.",
    keys=(("a", "something"), ("", "more"), ("b", "else")),
)


@pytest.fixture(autouse=True)
def nobody_sees_it(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


@pytest.fixture
def windows():
    made = [Window("first", 5, 5), Window("second", 5, 5)]
    yield made
    for window in made:
        window.close()


def press(window, key, text="", mod=0):
    system = window._window
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=key, unicode=text, mod=mod, window=system))


def close_by_hand(window):
    pygame.event.post(pygame.event.Event(pygame.WINDOWCLOSE, window=window._window))


def picture_in(window):
    """The part of a window's pixels where the picture is."""
    pixels, size = window.pixels(), 5 * window.tile
    beside = pixels.shape[1] - WIDTH
    top, left = (pixels.shape[0] - size) // 2, (beside - size) // 2
    return pixels[top : top + size, left : left + size]


def test_a_window_has_room_for_its_words():
    many = Panel(
        "KeyDoor-5x5", keys=tuple((str(i), "something") for i in range(20)), mission="fetch a red key"
    )
    window = Window("tall", 5, 5, words=many)
    try:
        window.show(SCENE, many)
        assert window.tile == 80  # what small worlds become
        bare = np.array(PAPER, np.uint8)
        words = window.pixels()[:, -WIDTH:]
        assert (words != bare).any() and (words[-8:] == bare).all()
        window.show(SCENE, replace(many, mission=""))
        assert not np.array_equal(window.pixels()[:, -WIDTH:], words)
    finally:
        window.close()


def test_it_shows_the_picture_and_a_panel(windows):
    windows[0].show(SCENE, WORDS)
    assert np.array_equal(picture_in(windows[0]), draw.rgb(STATE, 32))
    panel = windows[0].pixels()[:, -WIDTH:]
    assert len(np.unique(panel.reshape(-1, 3), axis=0)) > 10  # letters
    other = Panel("KeyDoor-5x5", (("step", "4"),))
    windows[1].show(SCENE, other)
    assert not np.array_equal(windows[1].pixels(), windows[0].pixels())


@pytest.mark.parametrize("size", [(700, 300), (333, 600), (1200, 900)])
def test_resized_it_is_drawn_anew_as_large_as_fits(windows, size):
    window = windows[0]
    window.show(SCENE, WORDS)
    window._window.size = size
    window.pressed()
    assert window.pixels().shape == (size[1], size[0], 3)
    right, bottom = room_for_picture(*size)
    room = min(right, bottom)
    assert room - 5 * 4 < 5 * window.tile <= room
    if right < size[0]:
        assert np.array_equal(picture_in(window), draw.rgb(STATE, window.tile))


@pytest.mark.parametrize(
    ("size", "beside"), [((700, 300), (slice(None), slice(-WIDTH, None))), ((333, 600), slice(360, None))]
)
def test_the_panel_is_where_there_is_room(windows, size, beside):
    window = windows[0]
    window._window.size = size
    window.show(SCENE, WORDS)
    panel = window.pixels()[beside]
    assert (panel == PAPER).all(axis=-1).mean() > 0.7
    assert len(np.unique(panel.reshape(-1, 3), axis=0)) > 10  # letters


def test_a_very_small_window_shows_the_picture_alone():
    assert room_for_picture(200, 300) == (200, 300)


def test_windows_do_not_hide_each_other(windows):
    first, second = (window._window.position for window in windows)
    assert second[0] - first[0] == second[1] - first[1] == 32


def test_the_tile_always_fits():
    for width in range(1, 400, 7):
        for height in range(1, 300, 11):
            tile = fitting_tile(SCENE, width, height)
            assert tile == 1 or (5 * tile <= width and 5 * tile <= height)


def test_keys_go_to_the_window_that_they_were_pressed_in(windows):
    first, second = windows
    press(first, pygame.K_a, "A")
    press(second, pygame.K_LEFT)
    press(second, pygame.K_SPACE, " ")
    press(first, pygame.K_PLUS, "+")
    press(first, pygame.K_c, "\x03", pygame.KMOD_CTRL)
    assert first.pressed() == ["a", "+"]
    assert second.pressed() == ["left", "space"]
    assert first.pressed() == second.pressed() == []


@pytest.mark.parametrize("by_hand", [True, False])
def test_closing_one_leaves_the_other(windows, by_hand):
    first, second = windows
    for window in windows:
        window.show(SCENE, WORDS)
    if by_hand:
        close_by_hand(first)
        press(first, pygame.K_a, "a")
        second.pressed()
    else:
        first.close()
    assert not first.is_open and second.is_open
    first.show(SCENE, WORDS)
    assert first.pressed() == []
    first.close()
    press(second, pygame.K_b, "b")
    assert second.pressed() == ["b"]
    second.show(SCENE, WORDS)
    assert np.array_equal(picture_in(second), draw.rgb(STATE, 32))
    with pytest.raises(ValueError, match="closed"):
        first.pixels()
    third = Window("third", 5, 5)
    third.show(SCENE, WORDS)
    third.close()


def test_a_forgotten_window_does_no_harm(windows):
    Window("forgotten", 3, 3).show(SCENE, WORDS)
    windows[0].show(SCENE, WORDS)
    assert windows[0].pressed() == []


def test_a_pygame_program_around_it_keeps_its_events(windows):
    pygame.display.set_mode((50, 40))
    try:
        pygame.event.clear()
        press(windows[0], pygame.K_a, "a")
        mine = pygame.event.Event(pygame.USEREVENT, {"note": 1})
        pygame.event.post(mine)
        assert windows[0].pressed() == ["a"]
        assert mine in pygame.event.get()
    finally:
        pygame.display.set_mode((1, 1), pygame.HIDDEN)
        pygame.event.clear()


def test_without_pygame_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pygame", None)
    with pytest.raises(ImportError, match=r"install gridarium\[window\]"):
        Window("none", 3, 3)


def alone(code, **environment):
    """What a Python program of its own writes to stderr, and its return code."""
    kept = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")}
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=kept | environment, check=False
    )
    return ended.returncode, ended.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is always a screen")
def test_without_a_screen_it_says_so():
    code, told = alone("from gridarium.draw.motion.window import Window\nWindow('none', 3, 3)")
    assert code == 1
    assert (
        "NoDisplay: a window cannot be opened: no screen was found" in told
        and "SDL_VIDEODRIVER=dummy" in told
    )
    code, told = alone(
        "from gridarium.draw.motion.window import Window\nWindow('none', 3, 3)", SDL_VIDEODRIVER="telepathy"
    )
    assert code == 1 and "a window cannot be opened" in told
    assert issubclass(NoDisplay, RuntimeError)


@pytest.mark.skipif(not hasattr(signal, "SIGTERM") or sys.platform == "win32", reason="needs signals")
def test_a_program_with_a_window_can_be_ended():
    code = """
import os, signal, time
from gridarium.draw.motion.window import Window
window = Window("some", 3, 3)
os.kill(os.getpid(), signal.SIGTERM)
for _ in range(100):
    window.pressed()
    time.sleep(0.01)
"""
    assert alone(code, SDL_VIDEODRIVER="dummy")[0] == -signal.SIGTERM


class TestPace:
    def test_space_pauses_and_a_dot_lets_one_through(self):
        pace = PlaybackSpeed(8)
        assert pace.may_go()
        pace.press("space")
        assert not pace.may_go()
        pace.press(".")
        pace.press("right")
        assert [pace.may_go() for _ in range(3)] == [True, True, False]
        pace.press("space")
        assert pace.may_go()

    def test_plus_and_minus_change_the_speed_within_bounds(self):
        pace = PlaybackSpeed(8)
        pace.press("+")
        assert (pace.interval, pace.text) == (1 / 16, "2 x")
        pace.press("-")
        pace.press("-")
        assert (pace.interval, pace.text) == (1 / 4, "1/2 x")
        for _ in range(50):
            pace.press("-")
        assert pace.interval == 2
        assert not pace.press("q")

    def test_a_rate_is_positive(self):
        with pytest.raises(ValueError, match="more than 0 frames"):
            PlaybackSpeed(0)


class Clock:
    """A time that passes only in sleep; `at` says what happens when."""

    def __init__(self):
        self.now, self.at = 0.0, {}

    def __call__(self):
        return self.now

    def sleep(self, seconds):
        self.now += seconds
        for when in [w for w in self.at if w <= self.now]:
            self.at.pop(when)()


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def viewer(clock):
    made = Viewer("some", 5, 5, fps=4, clock=clock, sleep=clock.sleep)
    yield made
    made.close()


def test_a_viewer_keeps_to_its_rate(viewer, clock):
    for _ in range(5):
        viewer.show(SCENE, WORDS)
    assert clock.now == pytest.approx(4 / 4, abs=0.1)


def test_a_paused_viewer_waits_for_the_person(viewer, clock):
    viewer.pace.press("space")
    clock.at[7.0] = lambda: press(viewer.window, pygame.K_PERIOD, ".")
    viewer.show(SCENE, WORDS)
    assert clock.now == pytest.approx(7, abs=0.1)
    clock.at[9.0] = lambda: press(viewer.window, pygame.K_SPACE, " ")
    viewer.show(SCENE, WORDS)
    assert clock.now == pytest.approx(9, abs=0.1)
    assert not viewer.pace.paused


@pytest.mark.parametrize("how", ["escape", "by hand"])
def test_closing_a_paused_viewer_lets_the_program_go_on(viewer, clock, how):
    viewer.pace.press("space")
    clock.at[3.0] = (
        (lambda: press(viewer.window, pygame.K_ESCAPE, "\x1b"))
        if how == "escape"
        else (lambda: close_by_hand(viewer.window))
    )
    viewer.show(SCENE, WORDS)
    assert not viewer.window.is_open
    ended = clock.now
    for _ in range(10):
        viewer.show(SCENE, WORDS)
    assert clock.now == ended


def test_a_system_that_lists_no_fonts_has_pygames_own(monkeypatch):
    pygame.font.init()
    for name, nothing in (("Sysfonts", {}), ("Sysalias", {}), ("is_init", False)):
        monkeypatch.setattr(pygame.sysfont, name, nothing)
    monkeypatch.setenv("PATH", "")
    surface = pygame.Surface((400, 300))
    assert PanelWriter(pygame).write(Panel("Empty-4x4"), surface, 100) > 0
