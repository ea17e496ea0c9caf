"""pygame, loaded and started when the first window opens, and its events, given to the windows that they belong to."""

from __future__ import annotations

import os
import weakref
from typing import Any, Protocol

PLACES, APART = 8, 32
"""Windows that are opened one after another stand that many pixels apart; the ninth is in the place of the first."""


class Listener(Protocol):
    """A window, as events see it."""

    def take(self, event: Any) -> None:
        """Note an event."""

    def refresh(self) -> None:
        """Draw again where that is needed."""


_windows: weakref.WeakValueDictionary[int, Listener] = weakref.WeakValueDictionary()


class NoDisplay(RuntimeError):
    """Windows cannot be opened here."""


def pygame() -> Any:
    """pygame-ce, started.

    Raises:
        ImportError: it is not installed.
        NoDisplay: there is no screen, and none was asked for by `SDL_VIDEODRIVER=dummy`.
    """
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    os.environ.setdefault("SDL_NO_SIGNAL_HANDLERS", "1")  # or a program with a window would survive SIGTERM
    try:
        import pygame
    except ImportError:
        raise ImportError("windows need pygame-ce; install gridarium[window]") from None
    if not hasattr(pygame, "Window"):
        raise ImportError(
            f"windows need pygame-ce 2.5.2 or newer in the place of pygame {pygame.version.ver}; "
            "uninstall pygame, then install gridarium[window]"
        )
    if not pygame.display.get_init():
        _start_display(pygame)
    if not pygame.font.get_init():
        pygame.font.init()
    return pygame


def _start_display(pygame: Any) -> None:
    asked = os.environ.get("SDL_VIDEODRIVER", "")
    try:
        pygame.display.init()
        driver = pygame.display.get_driver()
    except pygame.error as error:
        reason = str(error)
    else:
        if driver not in ("offscreen", "dummy") or driver in asked:
            return
        pygame.display.quit()
        reason = "no screen was found"
    raise NoDisplay(
        f"a window cannot be opened: {reason}. Without a screen, make pictures "
        '(render_mode="rgb_array"), or set SDL_VIDEODRIVER=dummy to go on with windows that nobody sees'
    )


def enlist(window: Listener, number: int) -> None:
    """From now on give a window the events of the system's window of that number."""
    _windows[number] = window


def place(window: Any) -> None:
    """Move a system's window that has just been made, so that it does not hide the others."""
    x, y = window.position
    steps = len(_windows) % PLACES
    window.position = x + steps * APART, y + steps * APART


def dismiss(number: int) -> None:
    """Give it no more events."""
    _windows.pop(number, None)


def pump() -> None:
    """Give all events that wait to the windows, and let those that need it draw themselves again.

    Events of a pygame program around this are left to it.
    """
    library = pygame()
    others = []
    open_windows = list(_windows.values())
    for event in library.event.get():
        source = getattr(event, "window", None)
        window = None if source is None else _windows.get(_number(source, library))
        if window is not None:
            window.take(event)
        else:
            others.append(event)
    for window in open_windows:
        window.refresh()
    if library.display.get_surface() is not None:
        for event in others:
            library.event.post(event)


def _number(source: Any, library: Any) -> int:
    """The number of a system's window; 0 if it has been closed meanwhile."""
    try:
        return int(source.id)
    except library.error:
        return 0
