"""The window of `render_mode="human"`: the worlds and their last step.

The environment continues without the window when a person closes it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.draw.motion.panel import Panel
from gridarium.draw.motion.viewer import Viewer
from gridarium.draw.motion.window import ScalablePicture
from gridarium.draw.tables import picture_shape
from gridarium.engine import World
from gridarium.env.rendering import rendered
from gridarium.rules.results import text_of
from gridarium.world.actions import in_words
from gridarium.world.state import State

MOST_LISTED = 12
"""The maximum number of agents or worlds with a line of their own next to the picture."""


class HumanView:
    """The window of an environment; it opens when there is something to show.

    Args:
        world: the environment's.
        names: of those who act: the agents of one world, or one for each of several worlds with one agent.
        tile: pixels of a cell at first.
        fps: ticks a second at first.

    Attributes:
        returns: float64[names]: the sums of rewards of the episodes that go on, or have just ended.
    """

    def __init__(self, world: World, names: Sequence[str], tile: int, fps: float) -> None:
        self.world, self.names, self.tile, self.fps = world, tuple(names), tile, fps
        self.returns, self._outcomes = np.zeros(len(self.names)), np.full(len(self.names), np.nan)
        self._begin_anew = np.zeros(len(self.names), np.bool_)
        self._facts: list[tuple[str, str]] = []
        self._note = self._banner = self._mission = ""
        self._viewer: Viewer | None = None

    def began(self, states: Sequence[State], which: npt.NDArray[np.bool_] | None = None) -> None:
        """Show what an environment is in after a reset.

        Args:
            states: of the worlds that are shown.
            which: bool[names]: who has begun; all by default.
        """
        chosen = np.ones(len(self.names), np.bool_) if which is None else which
        self.returns[chosen], self._begin_anew[chosen] = 0.0, False
        self._outcomes[chosen] = np.nan
        self._note = self._banner = ""
        rewards, ticks = [None] * len(self.names), [state.tick for state in states]
        self._facts = self._listed(ticks, [None] * len(self.names), rewards)
        self._show(states)

    def stepped(
        self,
        states: Sequence[State],
        ticks: Any,
        actions: Any,
        rewards: Any,
        results: Any,
        over: Any,
        outcomes: Any = np.nan,
    ) -> None:
        """Show what has come of a step.

        Args:
            states: of the worlds that are shown.
            ticks: int64[worlds]: how many steps the episodes have had.
            actions: int64[names]: indices into the world's actions; below zero for who did nothing.
            rewards: float64[names].
            results: int64[names]: codes of what came of the actions.
            over: bool[names]: whose episode has ended with this step.
            outcomes: float64[names]: what came of these episodes; NaN if that is not known.
        """
        ticks, actions, rewards, results, ended = (
            np.atleast_1d(np.asarray(x)) for x in (ticks, actions, rewards, results, over)
        )
        self.returns = np.where(self._begin_anew, 0.0, self.returns) + rewards
        self._begin_anew = ended.astype(np.bool_)
        self._outcomes = np.broadcast_to(np.asarray(outcomes, np.float64), len(self.names)).copy()
        did = [in_words(self.world.actions[a]) if a >= 0 else None for a in actions.tolist()]
        self._facts = self._listed(ticks.tolist(), did, rewards.tolist())
        self._banner = "The episode is over" if ended.all() else ""
        self._note = self._reported(did, results.tolist())
        self._show(states)

    def refresh(self, states: Sequence[State]) -> None:
        """Show the worlds as they are now, without waiting for the next moment."""
        viewer = self._opened(states)
        if viewer.window.is_open:
            viewer.draw(self._scene(states), self._panel())
            viewer.window.pressed()

    def close(self) -> None:
        """Close the window; nothing if that has been done."""
        if self._viewer is not None:
            self._viewer.close()

    def _listed(self, ticks: list[int], did: list[Any], rewards: list[Any]) -> list[tuple[str, str]]:
        if len(self.names) == 1:
            reward = "" if rewards[0] is None else short(rewards[0])
            facts = [
                ("step", str(ticks[0])),
                ("reward", reward),
                ("return", short(self.returns[0])),
                ("action", did[0] or ""),
            ]
            outcome = float(self._outcomes[0])
            return facts if math.isnan(outcome) else [*facts, ("outcome", short(outcome))]
        facts = [("step", str(ticks[0]))] if len(set(ticks)) == 1 else []
        listed = zip(self.names, did, self.returns.tolist(), self._outcomes.tolist(), strict=True)
        for name, action, total, outcome in list(listed)[:MOST_LISTED]:
            known = "" if math.isnan(outcome) else f", outcome {short(outcome)}"
            facts.append((name, f"return {short(total)}{known}" + (f", {action}" if action else "")))
        return facts

    def _reported(self, did: list[Any], results: list[int]) -> str:
        """The results of the actions in words; of several agents only failures."""
        if len(self.names) == 1:
            return text_of(results[0]) if did[0] else ""
        failed = [
            f"{name}: {text_of(code)}"
            for name, code, action in zip(self.names, results, did, strict=True)
            if code and action
        ]
        return " ".join(failed[:3])

    def _show(self, states: Sequence[State]) -> None:
        self._mission = self.world.mission(states[0]) if len(states) == 1 else ""
        self._opened(states).show(self._scene(states), self._panel())

    def _panel(self) -> Panel:
        return Panel(self.world.name, tuple(self._facts), self._note, self._banner, mission=self._mission)

    def _scene(self, states: Sequence[State]) -> ScalablePicture:
        kept = tuple(states)
        rows, columns = mosaic_shape(self.world, len(kept))
        return ScalablePicture(rows, columns, lambda tile: mosaic(self.world, kept, tile))

    def _opened(self, states: Sequence[State]) -> Viewer:
        if self._viewer is None:
            rows, columns = mosaic_shape(self.world, len(states))
            self._viewer = Viewer(self.world.name, rows, columns, self.tile, self.fps)
        return self._viewer

    def __reduce__(self) -> Any:
        return HumanView, (self.world, self.names, self.tile, self.fps)


def short(number: float) -> str:
    """A number without the dust of floating point."""
    if float(number).is_integer() and abs(number) < 1e16:
        return str(int(number))
    return f"{round(number, 4) + 0.0:g}"


def mosaic_shape(world: World, count: int) -> tuple[int, int]:
    """Rows and columns of tiles of several worlds side by side, about as many in a row as in a column."""
    height, width = picture_shape(world.spec.shape, world.spec.vocabulary)
    across = math.ceil(math.sqrt(count))
    down = math.ceil(count / across)
    return down * (height + 1) - 1, across * (width + 1) - 1


def mosaic(world: World, states: Sequence[State], tile: int) -> npt.NDArray[np.uint8]:
    """Pictures of several worlds side by side, a tile apart; see `mosaic_shape`."""
    height, width = (n * tile for n in picture_shape(world.spec.shape, world.spec.vocabulary))
    rows, columns = mosaic_shape(world, len(states))
    whole = np.zeros((rows * tile, columns * tile, 3), np.uint8)
    across = math.ceil(math.sqrt(len(states)))
    for i, state in enumerate(states):
        top, left = i // across * (height + tile), i % across * (width + tile)
        whole[top : top + height, left : left + width] = rendered(world, state, "rgb_array", tile)
    return whole
