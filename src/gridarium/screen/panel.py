"""What a window says beside its picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

WIDTH, HEIGHT, MARGIN = 250, 300, 14
PAPER, INK, PALE, ACCENT = (250, 249, 246), (38, 42, 52), (118, 122, 132), (176, 30, 80)
TEXT, TITLE, KEY = 15, 19, 13
KEY_COLUMN = 76


@dataclass(frozen=True)
class Panel:
    """Words and numbers beside a picture.

    Attributes:
        title: what is shown.
        mission: what is wanted.
        banner: what a person should notice first, such as that it is paused.
        facts: names and values, from top to bottom.
        note: a sentence about what has just happened.
        keys: keys and what they do; with an empty key, a heading.
    """

    title: str
    facts: tuple[tuple[str, str], ...] = ()
    note: str = ""
    banner: str = ""
    keys: tuple[tuple[str, str], ...] = ()
    mission: str = ""


class Writer:
    """Writes panels on surfaces. Needs pygame.

    Args:
        pygame: the library, started.
    """

    def __init__(self, pygame: Any) -> None:
        self._fonts = {size: pygame.font.Font(None, size + 4) for size in (TEXT, TITLE, KEY)}

    def write(self, panel: Panel, surface: Any, left: int, top: int = 0) -> None:
        """Fill the part of a surface that is right of `left` and below `top`."""
        width, height = surface.get_size()
        surface.fill(PAPER, (left, top, width - left, height - top))
        x, room = left + MARGIN, width - left - 2 * MARGIN
        y = self._put(surface, panel.title, TITLE, INK, x, top + MARGIN, room) + 8
        if panel.mission:
            y = self._put(surface, panel.mission.capitalize(), TEXT, INK, x, y, room) + 8
        if panel.banner:
            y = self._put(surface, panel.banner, TEXT, ACCENT, x, y, room) + 8
        for name, value in panel.facts:
            self._put(surface, name, TEXT, PALE, x, y, KEY_COLUMN)
            y = self._put(surface, value, TEXT, INK, x + KEY_COLUMN, y, room - KEY_COLUMN) + 4
        if panel.note:
            y = self._put(surface, panel.note, TEXT, INK, x, y + 6, room)
        y += 16
        for key, meaning in panel.keys:
            if not key:
                y = self._put(surface, meaning, KEY, INK, x, y + 5, room) + 3
                continue
            self._put(surface, key, KEY, ACCENT, x, y, KEY_COLUMN)
            y = self._put(surface, meaning, KEY, PALE, x + KEY_COLUMN, y, room - KEY_COLUMN) + 3

    def _put(self, surface: Any, text: str, size: int, color: Any, x: int, y: int, room: int) -> int:
        """Write a text, broken into lines where needed; gives where the next line begins."""
        font = self._fonts[size]
        if not text:
            return y + int(font.get_linesize())
        drawn = font.render(text.replace("\0", ""), True, color, None, max(room, 1))
        surface.blit(drawn, (x, y))
        return y + int(drawn.get_height())
