"""A window that shows pictures in their own size. Needs the extra `gridarium[window]`."""

from __future__ import annotations

from typing import Any

from gridarium.draw.motion import window_events
from gridarium.ghost.drawing.sprites import Picture


class PictureWindow:
    """A window as large as its first picture. Closing it leaves others as they are.

    Args:
        title: of its frame.

    Attributes:
        is_open: False once the window was closed, by the program or its user.

    Raises:
        ImportError: pygame-ce is not installed.
        NoDisplay: there is no screen.
    """

    def __init__(self, title: str) -> None:
        self._pygame = window_events.pygame()
        self._title, self._number = title, -1
        self._window: Any = None
        self._shown: Picture | None = None
        self.is_open = True

    def show(self, picture: Picture) -> None:
        """Show a picture; does nothing if the window was closed."""
        self._shown = picture
        if self.is_open and self._window is None:
            height, width = picture.shape[:2]
            self._window = self._pygame.Window(self._title, (width, height))
            self._number = self._window.id
            window_events.enlist(self, self._number)
        self.refresh()
        window_events.pump()

    def close(self) -> None:
        """Close the window; does nothing if it is closed."""
        if self.is_open and self._window is not None:
            window_events.dismiss(self._number)
            self._window.destroy()
        self.is_open = False

    def take(self, event: Any) -> None:
        """Note an event of this window, see `gridarium.draw.motion.window_events`."""
        if event.type == self._pygame.WINDOWCLOSE:
            self.close()

    def refresh(self) -> None:
        """Draw the picture."""
        if self.is_open and self._window is not None and self._shown is not None:
            surface = self._pygame.surfarray.make_surface(self._shown.transpose(1, 0, 2))
            self._window.get_surface().blit(surface, (0, 0))
            self._window.flip()
