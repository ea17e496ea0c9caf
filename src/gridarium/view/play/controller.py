"""The effects of keys on a game, and its messages: shared by the window and the terminal."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium import draw
from gridarium.draw.motion.panel import Panel
from gridarium.env.human import short
from gridarium.rules.results import text_of
from gridarium.view.play.keyboard import Command, KeyAction, Keyboard
from gridarium.view.play.session import WAITING, PlaySession
from gridarium.world.actions import in_words
from gridarium.world.state import Observation, State

SLOWEST, FASTEST = -4, 5
SHADED, HIDDEN, EYES, ALL = (
    "what {agent} does not see is dark",
    "only what {agent} sees",
    "as {agent} sees it",
    "everything",
)


@dataclass(frozen=True)
class ViewMode:
    """One of the ways to look at a game.

    Attributes:
        kind: SHADED, HIDDEN, EYES or ALL.
        agent: through whose eyes.
    """

    kind: str
    agent: int = 0


class PlayController:
    """A game with a keyboard.

    Args:
        session: the game.
        keyboard: what its keys mean.
        rate: ticks a second where time passes by itself.
        folder: where saved games go.
        endings: in which forms a game is saved, see `PlaySession.save`.

    Attributes:
        view: the number of the way to look at it, among `views`.
        leaving: whether somebody wants to leave.
    """

    def __init__(
        self,
        session: PlaySession,
        keyboard: Keyboard,
        *,
        rate: float = 4.0,
        folder: str | Path = ".",
        endings: Sequence[str] | None = None,
    ) -> None:
        self.session, self.keyboard, self.rate, self.folder = session, keyboard, rate, Path(folder)
        self.endings = tuple(default_endings() if endings is None else endings)
        self.view, self.leaving, self._doublings = 0, False, 0

    def press(self, key: str) -> bool:
        """Take a key; whether it means something here."""
        meaning = self.keyboard.meaning(key)
        if isinstance(meaning, KeyAction):
            self.session.choose(meaning.agent, meaning.action)
        elif meaning is not None:
            self._do(meaning)
        return meaning is not None

    @property
    def interval(self) -> float:
        """Seconds between two ticks of a live game."""
        return 1.0 / (self.rate * 2.0**self._doublings)

    @property
    def views(self) -> list[ViewMode]:
        """The ways to look at it: for one agent with what it does not see darkened, for several everything first."""
        agents = self.session.game.world.spec.agents
        if agents == 1:
            return [ViewMode(SHADED), ViewMode(HIDDEN), ViewMode(EYES), ViewMode(ALL)]
        mine = [ViewMode(kind, a) for a in range(max(1, self.session.people)) for kind in (HIDDEN, EYES)]
        return [ViewMode(ALL), *mine]

    def shown(self) -> tuple[State | Observation, Observation | None, bool]:
        """Return what is drawn: a scene, a view of it or None, and whether unseen cells are hidden."""
        view, world = self.views[self.view], self.session.game.world
        state = self.session.game.state.seen_by(view.agent)
        if view.kind == ALL:
            return state, None, False
        observation = world.observe(state, view.agent)
        return (observation, None, False) if view.kind == EYES else (state, observation, view.kind == HIDDEN)

    def picture(self, tile: int) -> npt.NDArray[np.uint8]:
        """It as a picture."""
        scene, view, hide = self.shown()
        return draw.rgb(scene, tile, view=view, hide_unseen=hide)

    def panel(self) -> Panel:
        """The text next to the picture."""
        session = self.session
        facts = [("seed", str(session.game.seed)), ("step", str(session.game.steps)), *self._agents()]
        if len(self.views) > 1 and self.view:
            names = session.game.world.spec.agent_names
            view = self.views[self.view]
            facts.append(
                ("view", view.kind.format(agent="the agent" if len(names) == 1 else names[view.agent]))
            )
        if session.live:
            facts.append(("speed", f"{1 / self.interval:g} a second"))
        return Panel(
            session.game.world.name,
            tuple(facts),
            self._note(),
            self._banner(),
            tuple(self.keyboard.help()),
            session.game.world.mission(session.game.state),
        )

    def _agents(self) -> list[tuple[str, str]]:
        session, now = self.session, self.session.game.now
        did = [in_words(session.game.world.actions[a]) for a in now.actions] or [""] * len(now.returns)
        if len(did) == 1:
            total = ("return", short(now.returns[0]))
            return [("reward", short(now.rewards[0])), total, ("action", did[0])] if now.actions else [total]
        facts = []
        for i, name in enumerate(session.game.world.spec.agent_names):
            chosen = session.chosen[i]
            doing = "has chosen" if chosen != WAITING else did[i]
            facts.append((name, f"return {short(now.returns[i])}" + (f", {doing}" if doing else "")))
        return facts

    def _note(self) -> str:
        session, now = self.session, self.session.game.now
        if session.message:
            return session.message
        names = session.game.world.spec.agent_names
        if len(names) == 1:
            return text_of(int(now.results[0])) if now.actions else ""
        failed = [
            f"{name}: {text_of(code)}" for name, code in zip(names, now.results.tolist(), strict=True) if code
        ]
        return " ".join(failed[:2])

    def _banner(self) -> str:
        session = self.session
        if session.game.over:
            return "Time is up" if session.game.now.truncated else "The episode is over"
        if session.paused:
            return "Paused"
        names = session.game.world.spec.agent_names
        if len(names) > 1 and session.people and not session.live:
            waiting = " and ".join(names[a] for a in session.awaited)
            return f"Waiting for {waiting}" if waiting else ""
        return ""

    def _do(self, command: Command) -> None:
        session = self.session
        match command:
            case Command.UNDO:
                session.undo()
            case Command.RESTART:
                session.restart()
            case Command.NEXT:
                session.next_seed()
            case Command.PAUSE:
                session.toggle_pause()
            case Command.FASTER:
                self._doublings = min(self._doublings + 1, FASTEST)
            case Command.SLOWER:
                self._doublings = max(self._doublings - 1, SLOWEST)
            case Command.VIEW:
                self.view = (self.view + 1) % len(self.views)
            case Command.SAVE:
                session.message = self._save()
            case Command.QUIT:
                self.leaving = True

    def _save(self) -> str:
        """Write the game to new files; gives a sentence about it."""
        session = self.session
        stem = f"{session.game.world.name}-seed-{session.game.seed}"
        number = 1
        while any(self._path(stem, number, ending).exists() for ending in self.endings):
            number += 1
        paths = [self._path(stem, number, ending) for ending in self.endings]
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            for path in paths:
                session.save(path)
        except (OSError, ImportError, ValueError) as error:
            return f"It could not be saved: {error}"
        return f"Saved as {paths[0].stem} ({', '.join(self.endings)})."

    def _path(self, stem: str, number: int, ending: str) -> Path:
        return self.folder / f"{stem}{'' if number == 1 else f'-{number}'}.{ending}"


def default_endings() -> tuple[Any, ...]:
    """A run, a page, and where Pillow is installed an animated picture."""
    return ("run", "html", "gif") if importlib.util.find_spec("PIL") else ("run", "html")
