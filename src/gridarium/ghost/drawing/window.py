"""A window that shows pictures as they are. Needs the extra `gridarium[window]`."""

from __future__ import annotations

from typing import Any

from gridarium.ghost.palette import Picture
from gridarium.screen import hub


class PictureWindow:
    """A window as large as its first picture. Closing it leaves others as they are.

    Args:
        title: of its frame.

    Attributes:
        is_open: False from when it was closed, by whomever.

    Raises:
        ImportError: pygame-ce is not installed.
        NoDisplay: there is no screen.
    """

    def __init__(self, title: str) -> None:
        self._pygame = hub.pygame()
        self._title, self._number = title, -1
        self._window: Any = None
        self._shown: Picture | None = None
        self.is_open = True

    def show(self, picture: Picture) -> None:
        """Show a picture; nothing if the window was closed."""
        self._shown = picture
        if self.is_open and self._window is None:
            height, width = picture.shape[:2]
            self._window = self._pygame.Window(self._title, (width, height))
            self._number = self._window.id
            hub.enlist(self, self._number)
        self.refresh()
        hub.pump()

    def close(self) -> None:
        """Close it; nothing if that has been done."""
        if self.is_open and self._window is not None:
            hub.dismiss(self._number)
            self._window.destroy()
        self.is_open = False

    def take(self, event: Any) -> None:
        """Note an event of this window, see `gridarium.screen.hub`."""
        if event.type == self._pygame.WINDOWCLOSE:
            self.close()

    def refresh(self) -> None:
        """Draw what is shown."""
        if self.is_open and self._window is not None and self._shown is not None:
            surface = self._pygame.surfarray.make_surface(self._shown.transpose(1, 0, 2))
            self._window.get_surface().blit(surface, (0, 0))
            self._window.flip()
