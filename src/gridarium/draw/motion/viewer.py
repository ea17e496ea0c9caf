"""A window for playback: shows one scene after another; keys pause it, step it and change its speed."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable

from gridarium.draw.motion.panel import Panel
from gridarium.draw.motion.window import ScalablePicture, Window

SLOWEST, FASTEST = -4, 6
NAP = 0.01
KEYS = (
    ("space", "pause, go on"),
    ("right", "one step"),
    ("+ and -", "faster, slower"),
    ("esc", "close the window"),
)


class PlaybackSpeed:
    """The speed of playback, changed by keys.

    Args:
        fps: scenes a second at first.

    Attributes:
        paused: whether playback is paused.
        doublings: the number of times that the speed was doubled; halved if negative.
    """

    def __init__(self, fps: float) -> None:
        if not fps > 0:
            raise ValueError(f"a window shows more than 0 frames a second, not {fps}")
        self.fps, self.paused, self.doublings = fps, False, 0
        self._steps = 0

    @property
    def interval(self) -> float:
        """Seconds between two scenes."""
        return 1.0 / (self.fps * 2.0**self.doublings)

    @property
    def text(self) -> str:
        """The speed in words."""
        factor = 2.0**self.doublings
        return f"{factor:g} x" if factor >= 1 else f"1/{1 / factor:g} x"

    def press(self, key: str) -> bool:
        """Handle a key; returns whether it has a meaning here."""
        if key in ("space", "p"):
            self.paused, self._steps = not self.paused, 0
        elif key in (".", "right", "n"):
            self.paused, self._steps = True, self._steps + 1
        elif key in ("+", "="):
            self.doublings = min(self.doublings + 1, FASTEST)
        elif key == "-":
            self.doublings = max(self.doublings - 1, SLOWEST)
        else:
            return False
        return True

    def may_go(self) -> bool:
        """Whether to show the next scene; consumes a requested step."""
        if self._steps:
            self._steps -= 1
            return True
        return not self.paused


class Viewer:
    """Shows scenes at a rate.

    Args:
        title: of the window.
        rows, columns, tile: see `Window`.
        fps: scenes a second.
        clock, sleep: as in the module `time`.

    Raises:
        ImportError: pygame-ce is not installed.
        NoDisplay: there is no screen.
        ValueError: a rate that is not positive.
    """

    def __init__(
        self,
        title: str,
        rows: int,
        columns: int,
        tile: int = 32,
        fps: float = 8.0,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.pace = PlaybackSpeed(fps)
        self.window = Window(title, rows, columns, tile)
        self._clock, self._sleep = clock, sleep
        self._next = clock()

    def show(self, scene: ScalablePicture, words: Panel) -> None:
        """Draw, then wait until the next scene may come. Nothing from when the person has closed the window."""
        self.draw(scene, words)
        while self.window.is_open:
            for key in self.window.pressed():
                if key == "escape":
                    self.window.close()
                elif self.pace.press(key):
                    self.draw(scene, words)
            due = min(self._next, self._clock() + self.pace.interval)
            if self._clock() >= due and self.pace.may_go():
                break
            self._sleep(min(NAP, max(due - self._clock(), 0.001)))
        self._next = self._clock() + self.pace.interval

    def draw(self, scene: ScalablePicture, words: Panel) -> None:
        """Draw without waiting."""
        banner = "Paused" if self.pace.paused else words.banner
        facts = (*words.facts, ("speed", self.pace.text))
        self.window.show(
            scene, dataclasses.replace(words, banner=banner, facts=facts, keys=words.keys + KEYS)
        )

    def close(self) -> None:
        """Close the window; nothing if that has been done."""
        self.window.close()
