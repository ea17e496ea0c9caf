"""Playing in a window. Needs the extra `gridarium[window]`."""

from __future__ import annotations

import time
from collections.abc import Callable

from gridarium.draw.motion.window import ScalablePicture, Target, Window
from gridarium.draw.tables import picture_shape
from gridarium.view.play.controller import PlayController
from gridarium.world.state import State

NAP = 0.01
DOUBLE_CLICK = 0.3
"""The second click on the same place within so many seconds is not looked at: it would be the next one's move."""


class PlayWindow:
    """A window in which people play.

    Args:
        controller: the game.
        tile: pixels of a cell at first.
        clock, sleep: as in the module `time`.

    Raises:
        ImportError: pygame-ce is not installed.
        NoDisplay: there is no screen.
    """

    def __init__(
        self,
        controller: PlayController,
        tile: int = 48,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.controller, self._clock, self._sleep = controller, clock, sleep
        spec = controller.session.game.world.spec
        height, width = picture_shape(spec.shape, spec.vocabulary)
        self.window = Window(
            controller.session.game.world.name, height, width, tile, words=controller.panel()
        )
        self._due = clock() + controller.interval
        self._pointed: tuple[int, int] | None = None
        self._clicked: tuple[Target | None, float] = (None, 0.0)
        controller.session.before_policies = self._draw
        self._draw()

    def play(self) -> None:
        """Go on until the window is closed or somebody leaves."""
        try:
            while self.once():
                self._sleep(NAP)
        finally:
            self.window.close()

    def once(self) -> bool:
        """Take keys and clicks, let time pass, and draw if something has changed; whether it goes on."""
        changed = False
        for key in self.window.pressed():
            changed = self.controller.press(key) or changed
        for target in self.window.clicked():
            changed = self._click(target) or changed
        if (
            self.window.pointed != self._pointed
        ):  # not while the mouse rests: the arrow keys may point elsewhere
            self._pointed = self.window.pointed
            changed = self.controller.point(self._pointed) or changed
        session = self.controller.session
        if session.live and self._clock() >= min(self._due, self._clock() + self.controller.interval):
            session.tick()
            self._due, changed = self._clock() + self.controller.interval, True
        if changed:
            self._draw()
        return self.window.is_open and not self.controller.leaving

    def _click(self, target: Target) -> bool:
        (before, when), now = self._clicked, self._clock()
        self._clicked = target, now
        if target == before and now - when < DOUBLE_CLICK:
            return False
        if target.cell is not None:
            return self.controller.click(target.cell)
        return target.choice is not None and self.controller.pick(target.choice)

    def _draw(self) -> None:
        scene, _, _ = self.controller.shown()
        shape = scene.grid.shape
        if isinstance(scene, State):
            shape = picture_shape(shape, scene.vocabulary)
        self.window.show(
            ScalablePicture(shape.height, shape.width, self.controller.picture), self.controller.panel()
        )
