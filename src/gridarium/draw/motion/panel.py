"""The text next to the picture of a window."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

WIDTH, HEIGHT, MARGIN = 290, 300, 16
PAPER, INK, PALE, ACCENT = (250, 249, 246), (32, 34, 44), (100, 103, 115), (176, 30, 80)
CAP, EDGE = (255, 255, 255), (196, 192, 184)
TITLE, TEXT, KEY = 20, 16, 15
FONTS = ("dejavusans", "notosans", "segoeui", "helveticaneue", "liberationsans", "arial", "freesans")
"""The first of these that the system has is used; pygame's own, which is bold, where it has none."""
COLUMN = 96
"""The column at which values and the descriptions of keys begin."""


@dataclass(frozen=True)
class Panel:
    """Words and numbers next to a picture.

    Attributes:
        title: the name of the world.
        mission: the goal, in words.
        banner: a highlighted message, such as that it is paused.
        facts: names and values, from top to bottom.
        note: a sentence about what has just happened.
        keys: keys and what they do; with an empty key, a heading.
        prompt: what is to be chosen, below the banner.
        choices: what can be chosen from, one in a line; they can be clicked.
    """

    title: str
    facts: tuple[tuple[str, str], ...] = ()
    note: str = ""
    banner: str = ""
    keys: tuple[tuple[str, str], ...] = ()
    mission: str = ""
    prompt: str = ""
    choices: tuple[str, ...] = ()


class PanelWriter:
    """Writes panels on surfaces. Needs pygame.

    Args:
        pygame: the library, started.
    """

    def __init__(self, pygame: Any) -> None:
        self._pygame = pygame
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # of missing fonts, and of a system that lists none
            self._fonts = {
                (size, bold): pygame.font.SysFont(FONTS, size, bold=bold)
                for size in (TITLE, TEXT, KEY)
                for bold in (False, True)
            }
        self._choices: list[Any] = []

    def write(self, panel: Panel, surface: Any, left: int, top: int = 0) -> int:
        """Fill the part of a surface that is right of `left` and below `top`; gives the row where the words end."""
        width, height = surface.get_size()
        surface.fill(PAPER, (left, top, width - left, height - top))
        x, room = left + MARGIN, width - left - 2 * MARGIN
        y = self._put(surface, panel.title, x, top + MARGIN, room, TITLE, bold=True) + 6
        for text, color in ((panel.mission.capitalize(), INK), (panel.banner, ACCENT)):
            if text:
                y = self._put(surface, text, x, y, room, TEXT, color, bold=True) + 6
        if panel.prompt:
            y = self._put(surface, panel.prompt, x, y, room, TEXT) + 6
        y = self._put_choices(surface, panel.choices, x, y, room) + 4
        for name, value in panel.facts:
            below = self._put(surface, name, x, y, COLUMN - 8, TEXT, PALE)
            y = max(below, self._put(surface, value, x + COLUMN, y, room - COLUMN, TEXT)) + 2
        if panel.note:
            y = self._put(surface, panel.note, x, y + 8, room, TEXT)
        y += 14
        for key, meaning in panel.keys:
            if key:
                below = self._cap(surface, key, x, y)
                y = max(below, self._put(surface, meaning, x + COLUMN, y + 2, room - COLUMN, KEY)) + 2
            else:
                y = self._put(surface, meaning, x, y + 6, room, KEY, bold=True) + 2
        return y + MARGIN

    def choice_at(self, x: int, y: int) -> int | None:
        """The number of the choice of the last panel that was written, at a place of its surface."""
        return next((i for i, area in enumerate(self._choices) if area.collidepoint(x, y)), None)

    def height(self, panel: Panel) -> int:
        """The height of a panel of the usual width, in pixels."""
        return self.write(panel, self._pygame.Surface((WIDTH, 1)), 0)

    def _put_choices(self, surface: Any, choices: tuple[str, ...], x: int, y: int, room: int) -> int:
        """Write choices as buttons, as many in a row as there is room for; gives the row below them."""
        self._choices, left, below = [], x, y
        for text in choices:
            width = self._fonts[KEY, False].size(text)[0] + 12
            if left > x and left + width > x + room:
                left, y = x, below + 4
            below = self._cap(surface, text, left, y)
            self._choices.append(self._pygame.Rect(left, y, width, below - y))
            left += width + 4
        return below + 4 if choices else y

    def _cap(self, surface: Any, key: str, x: int, y: int) -> int:
        """A key as it looks; gives the row below it."""
        drawn = self._fonts[KEY, False].render(key, True, INK)
        width, height = drawn.get_width() + 12, drawn.get_height() + 4
        self._pygame.draw.rect(surface, CAP, (x, y, width, height), border_radius=5)
        self._pygame.draw.rect(surface, EDGE, (x, y, width, height), 1, border_radius=5)
        surface.blit(drawn, (x + 6, y + 2))
        return y + int(height)

    def _put(
        self, surface: Any, text: str, x: int, y: int, room: int, size: int, color: Any = INK, *, bold: bool = False
    ) -> int:  # fmt: skip
        """Write a text, broken into lines where needed; gives where the next line begins."""
        font = self._fonts[size, bold]
        if not text:
            return y + int(font.get_linesize())
        drawn = font.render(text.replace("\0", ""), True, color, None, max(room, 1))
        surface.blit(drawn, (x, y))
        return y + int(drawn.get_height())
