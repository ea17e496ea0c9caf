"""Playing in a terminal, by the standard module `curses`. The terminal is as before when it ends, however it ends."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from gridarium.draw.shapes import RGB
from gridarium.view.play.controller import PlayController
from gridarium.view.play.text_page import ACCENT, PALE, TITLE, Span, page

PATIENCE = 50
"""Milliseconds that it waits for a key, before it looks at the clock again."""
KEYS = {
    "KEY_UP": "up", "KEY_DOWN": "down", "KEY_LEFT": "left", "KEY_RIGHT": "right", "KEY_BACKSPACE": "backspace",
    "KEY_DC": "backspace", "KEY_ENTER": "return", "\x7f": "backspace", "\b": "backspace", "\n": "return",
    "\r": "return", "\x1b": "escape", " ": "space",
}  # fmt: skip
STEPS = (0, 95, 135, 175, 215, 255)
"""The levels of red, green and blue in the color cube of terminals with 256 colors."""
GREY = 48
"""The greatest difference between the components of a color that counts as grey."""


class NoTerminal(RuntimeError):
    """One cannot play here."""


def play_in_terminal(controller: PlayController) -> None:
    """Play until somebody leaves, or presses Ctrl-C.

    Raises:
        NoTerminal: input or output is not a terminal, it can do too little, or Python lacks `curses`.
    """
    try:
        import curses
    except ImportError:
        raise NoTerminal(
            "Python has no curses here, as is usual on Windows; play in a window, or under WSL"
        ) from None
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise NoTerminal("input and output have to be a terminal; play in a window, or use `gridarium run`")
    os.environ.setdefault("ESCDELAY", "25")  # or the escape key would be waited for a whole second
    for size in ("LINES", "COLUMNS"):
        os.environ.pop(
            size, None
        )  # or curses would believe these instead of the terminal when its size changes
    with _ends_tidily():
        try:
            curses.setupterm()
            for ability in ("cup", "clear"):
                if not curses.tigetstr(ability):
                    raise NoTerminal(f"a terminal of kind {os.environ.get('TERM')!r} cannot place its cursor")
        except curses.error as error:
            raise NoTerminal(
                f"the terminal (TERM={os.environ.get('TERM')!r}) is not known: {error}"
            ) from None
        try:
            curses.wrapper(lambda screen: _Terminal(curses, screen, controller).play())
        except KeyboardInterrupt:
            return


class _Terminal:
    """The screen, in curses's hands."""

    def __init__(self, curses: Any, screen: Any, controller: PlayController) -> None:
        self.curses, self.screen, self.controller = curses, screen, controller
        self._styles: dict[Any, int] = {}
        self._colors = 0
        if curses.has_colors():
            curses.start_color()
            curses.use_default_colors()
            self._colors = min(curses.COLORS, 256)
        with suppress(curses.error):  # some terminals cannot hide it
            curses.curs_set(0)
        screen.keypad(True)
        screen.timeout(PATIENCE)
        curses.flushinp()  # what was typed while the world was being compiled was not meant for it

    def play(self) -> None:
        controller, due = self.controller, time.monotonic() + self.controller.interval
        self.draw()
        while not controller.leaving:
            key = self.key()
            changed = key == "KEY_RESIZE" or (key is not None and controller.press(key))
            if controller.session.live and time.monotonic() >= due:
                controller.session.tick()
                due, changed = time.monotonic() + controller.interval, True
            if changed:
                self.draw()

    def key(self) -> str | None:
        """The key that was pressed, by its name in `gridarium.view.play.keyboard`; None if none was."""
        try:
            got = self.screen.get_wch()
        except self.curses.error:
            return None
        name: str = self.curses.keyname(got).decode() if isinstance(got, int) else got
        return KEYS.get(name, name)

    def draw(self) -> None:
        self.screen.erase()
        height, width = self.screen.getmaxyx()
        for y, row in enumerate(page(self.controller, height, width)):
            x = 0
            for span in row:
                with suppress(self.curses.error):  # after the last character of all the cursor has no place
                    self.screen.addstr(y, x, span.text, self._style(span))
                x += len(span.text)
        self.screen.refresh()

    def _style(self, span: Span) -> int:
        curses = self.curses
        style = int(curses.A_BOLD) if span.bold or span.role in (TITLE, ACCENT) else 0
        if span.dim or span.role == PALE:
            style |= curses.A_DIM
        if span.role == TITLE or span.pointed:
            style |= curses.A_REVERSE
        if span.choosable:
            style |= curses.A_UNDERLINE
        if span.rgb is not None and self._colors >= 8 and not is_grey(span.rgb):
            style |= self._pair(nearest_color(span.rgb, self._colors))
        return style

    def _pair(self, color: int) -> int:
        """The attribute for a color on the terminal's own background."""
        if color not in self._styles:
            number = len(self._styles) + 1
            if number >= self.curses.COLOR_PAIRS:
                return 0
            self.curses.init_pair(number, color, -1)
            self._styles[color] = self.curses.color_pair(number)
        return self._styles[color]


def is_grey(rgb: RGB) -> bool:
    """Return whether a color is grey, so that the terminal's own is used: that one is legible on any background."""
    return max(rgb) - min(rgb) < GREY


def nearest_color(rgb: RGB, colors: int) -> int:
    """The number of the color that a terminal with 8, 16 or 256 colors shows instead of another."""
    if colors < 256:
        red, green, blue = (int(part >= max(128, max(rgb) // 2)) for part in rgb)
        return red + 2 * green + 4 * blue or 7
    levels = [min(range(6), key=lambda i, part=part: abs(STEPS[i] - part)) for part in rgb]  # type: ignore[misc]
    in_cube = 16 + 36 * levels[0] + 6 * levels[1] + levels[2]
    grey = min(range(24), key=lambda i: sum(abs(8 + 10 * i - part) for part in rgb))
    off_cube = sum(abs(STEPS[level] - part) for level, part in zip(levels, rgb, strict=True))
    return 232 + grey if sum(abs(8 + 10 * grey - part) for part in rgb) < off_cube else in_cube


@contextmanager
def _ends_tidily() -> Iterator[None]:
    """Let a request to end (SIGTERM, SIGHUP) pass through `curses.wrapper`, which puts the terminal in order."""

    def leave(number: int, _: Any) -> None:
        raise SystemExit(128 + number)

    kinds = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {kind: signal.signal(kind, leave) for kind in kinds}
    try:
        yield
    finally:
        for kind, handler in before.items():
            signal.signal(kind, handler)
