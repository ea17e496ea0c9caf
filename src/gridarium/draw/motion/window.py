"""A window with a picture and a panel. Needs the extra `gridarium[window]`.

Several windows can be open at once, and closing one, by the program or by the person before it, leaves the others as
they are. A picture is not stretched: it is drawn again with the tiles that fit the window, so that it stays sharp.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.draw.motion import panel, window_events
from gridarium.draw.motion.panel import Panel, PanelWriter
from gridarium.draw.pixels.tiles import LARGEST

BACKGROUND = (24, 26, 34)
LEAST_PICTURE = 160
LEAST_HEIGHT, TALLEST = 320, 900
LARGE = 80
"""Pixels: the least width of a picture with a panel next to it, the height of a new window, and how large the tiles of
small worlds become that would leave room."""


@dataclass(frozen=True)
class ScalablePicture:
    """A picture that can be drawn at any size.

    Attributes:
        rows, columns: its height and width in tiles.
        draw: gives the picture with tiles of so many pixels: uint8[rows * tile, columns * tile, 3].
    """

    rows: int
    columns: int
    draw: Callable[[int], npt.NDArray[np.uint8]]


@dataclass(frozen=True)
class Target:
    """What was clicked: a cell of the picture, or one of the choices of the panel.

    Attributes:
        cell: its row and column, or None.
        choice: its number, or None.
    """

    cell: tuple[int, int] | None = None
    choice: int | None = None


class Window:
    """A window that can be resized.

    Args:
        title: of its frame.
        rows, columns: of the scenes to be shown, for its size.
        tile: pixels of a tile at first; fewer if the window would be too high.
        words: a panel that there is to be room for.

    Attributes:
        is_open: False once it is closed, by the program or by the person.
        tile: pixels of a tile as last drawn.
        pointed: the row and column of the cell that the mouse is on; None outside of the picture.

    Raises:
        ImportError: pygame-ce is not installed.
        NoDisplay: there is no screen.
    """

    def __init__(
        self, title: str, rows: int, columns: int, tile: int = 32, *, words: Panel | None = None
    ) -> None:
        self._pygame = window_events.pygame()
        self._writer = PanelWriter(self._pygame)
        least = LEAST_HEIGHT
        if words is not None:  # what is said grows when something happens
            least = self._writer.height(words) + 5 * panel.TEXT
            tile = max(tile, min(least // rows, LARGE))
        tile = max(1, min(tile, TALLEST // rows))
        size = (columns * tile + panel.WIDTH, max(rows * tile, least))
        self._window = self._pygame.Window(title, size, resizable=True)
        self._window.minimum_size = (120, 120)
        window_events.place(self._window)
        self._number = self._window.id
        self._keys: list[str] = []
        self._clicks: list[Target] = []
        self._corner = (0, 0)
        self.pointed: tuple[int, int] | None = None
        self._shown: tuple[ScalablePicture, Panel] | None = None
        self._stale = False
        self.is_open, self.tile = True, tile
        window_events.enlist(self, self._number)

    def show(self, scene: ScalablePicture, words: Panel) -> None:
        """Draw a scene and a panel; nothing if the window was closed."""
        self._shown = scene, words
        self._draw()

    def pressed(self) -> list[str]:
        """The keys pressed in this window since the last call, after the events of all windows were looked at.

        Letters and signs are themselves, other keys have names: "left", "space", "return", "escape", ...
        """
        window_events.pump()
        pressed, self._keys = self._keys, []
        return pressed

    def clicked(self) -> list[Target]:
        """What has been clicked since the last call, as far as `pressed` has looked at events."""
        clicked, self._clicks = self._clicks, []
        return clicked

    def close(self) -> None:
        """Close it; nothing if that has been done."""
        if self.is_open:
            self.is_open = False
            window_events.dismiss(self._number)
            self._window.destroy()

    def pixels(self) -> npt.NDArray[np.uint8]:
        """The contents of the window: uint8[height, width, 3].

        Raises:
            ValueError: it is closed.
        """
        if not self.is_open:
            raise ValueError("the window is closed")
        array = self._pygame.surfarray.array3d(self._window.get_surface())
        return np.ascontiguousarray(array.transpose(1, 0, 2))

    def refresh(self) -> None:
        """Draw again if the system has asked for it."""
        if self._stale:
            self._draw()

    def take(self, event: Any) -> None:
        """Note an event of this window, see `gridarium.draw.motion.window_events`."""
        library = self._pygame
        if event.type == library.WINDOWCLOSE:
            self.close()
        elif event.type in (library.WINDOWSIZECHANGED, library.WINDOWEXPOSED, library.WINDOWRESIZED):
            self._stale = True
        elif event.type == library.KEYDOWN and not event.mod & (
            library.KMOD_CTRL | library.KMOD_ALT | library.KMOD_META
        ):
            self._keys.append(_key_name(event, library))
        elif event.type == library.MOUSEMOTION:
            self.pointed = self._cell_at(*event.pos)
        elif event.type == library.WINDOWLEAVE:
            self.pointed = None
        elif event.type == library.MOUSEBUTTONDOWN and event.button == library.BUTTON_LEFT:
            self._clicks.append(Target(self._cell_at(*event.pos), self._writer.choice_at(*event.pos)))

    def _cell_at(self, x: int, y: int) -> tuple[int, int] | None:
        """The cell of the picture at a place of the window."""
        if self._shown is None:
            return None
        scene, row, column = (
            self._shown[0],
            (y - self._corner[1]) // self.tile,
            (x - self._corner[0]) // self.tile,
        )
        return (row, column) if 0 <= row < scene.rows and 0 <= column < scene.columns else None

    def _draw(self) -> None:
        self._stale = False
        if self._shown is None or not self.is_open:
            return
        scene, words = self._shown
        surface = self._window.get_surface()
        width, height = surface.get_size()
        right, bottom = room_for_picture(width, height)
        self.tile = fitting_tile(scene, right, bottom)
        picture = self._pygame.surfarray.make_surface(scene.draw(self.tile).transpose(1, 0, 2))
        if bottom < height:  # there is more room for the panel below than it needs
            bottom = picture.get_height()
        surface.fill(BACKGROUND)
        self._corner = (right - picture.get_width()) // 2, (bottom - picture.get_height()) // 2
        surface.blit(picture, self._corner)
        if right < width:
            self._writer.write(words, surface, right)
        elif bottom < height:
            self._writer.write(words, surface, 0, bottom)
        self._window.flip()


def room_for_picture(width: int, height: int) -> tuple[int, int]:
    """The width and height of the picture in a window: the panel is to its right, below it, or there is no room for one."""
    if width - panel.WIDTH >= LEAST_PICTURE:
        return width - panel.WIDTH, height
    if height - panel.HEIGHT >= LEAST_PICTURE and width >= panel.WIDTH // 2:
        return width, height - panel.HEIGHT
    return width, height


def fitting_tile(scene: ScalablePicture, width: int, height: int) -> int:
    """The largest tile with which a picture fits; large ones in steps of four, as each size is drawn separately."""
    tile = max(1, min(width // scene.columns, height // scene.rows, LARGEST))
    return tile if tile < 16 else tile - tile % 4


def _key_name(event: Any, library: Any) -> str:
    text = str(getattr(event, "unicode", ""))
    if len(text) == 1 and text.isprintable() and not text.isspace():
        return text.lower()
    return str(library.key.name(event.key))
