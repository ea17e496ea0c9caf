"""Playing in a window. Needs the extra `gridarium[window]`."""

from __future__ import annotations

import time
from collections.abc import Callable

from gridarium.screen.window import Scene, Window
from gridarium.view.play_desk import Desk
from gridarium.world.state import Observation

NAP = 0.01


class PlayWindow:
    """A window in which people play.

    Args:
        desk: the game.
        tile: pixels of a cell at first.
        clock, sleep: as in the module `time`.

    Raises:
        ImportError: pygame-ce is not installed.
        NoDisplay: there is no screen.
    """

    def __init__(
        self,
        desk: Desk,
        tile: int = 48,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.desk, self._clock, self._sleep = desk, clock, sleep
        height, width = desk.session.world.spec.shape
        self.window = Window(desk.session.world.name, height, width, tile, words=desk.panel())
        self._due = clock() + desk.interval
        self._draw()

    def play(self) -> None:
        """Go on until the window is closed or somebody leaves."""
        try:
            while self.once():
                self._sleep(NAP)
        finally:
            self.window.close()

    def once(self) -> bool:
        """Take the keys pressed, let time pass, and draw if something has changed; whether it goes on."""
        changed = False
        for key in self.window.pressed():
            changed = self.desk.press(key) or changed
        session = self.desk.session
        if session.live and self._clock() >= min(self._due, self._clock() + self.desk.interval):
            session.tick()
            self._due, changed = self._clock() + self.desk.interval, True
        if changed:
            self._draw()
        return self.window.is_open and not self.desk.leaving

    def _draw(self) -> None:
        scene, _, _ = self.desk.shown()
        shape = scene.grid.shape if isinstance(scene, Observation) else self.desk.session.world.spec.shape
        self.window.show(Scene(shape.height, shape.width, self.desk.picture), self.desk.panel())
