"""The effects of keys on a game, and its messages: shared by the window and the terminal."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium import draw
from gridarium.agents.model.hidden_information import hides_cards
from gridarium.draw.motion.panel import Panel
from gridarium.draw.tables import face_down, own_facts, table_of, world_facts
from gridarium.engine import World
from gridarium.env.human import short
from gridarium.rules.results import text_of
from gridarium.view.action_choice import ActionChoice
from gridarium.view.game import GameStep
from gridarium.view.matches import agents_in_words, capitalized, outcome_in_words, takes_turns
from gridarium.view.play.choice_overlay import ChoiceOverlay
from gridarium.view.play.keyboard import Command, KeyAction, Keyboard, KeyChoice
from gridarium.view.play.session import WAITING, PlaySession
from gridarium.world import Action
from gridarium.world.actions import in_words
from gridarium.world.state import Observation, State
from gridarium.world.text_form.record import world_fields_in_words

SLOWEST, FASTEST = -4, 5
SHADED, HIDDEN, EYES, ALL = (
    "what {agent} does not see is dark",
    "only what {agent} sees",
    "as {agent} sees it",
    "everything",
)


ARROWS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
LINE = ":"
"""The key that begins a line of text; digits do so as well."""


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
        line: an action, or a part of it, that is being typed; None if nothing is.
        pointed: the row and column of the cell that is pointed at, by the mouse or the arrow keys; None for none.
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
        self.line: str | None = None
        self.pointed: tuple[int, int] | None = None
        self._choice: ActionChoice | None = None
        self._choosing: tuple[int, GameStep] | None = None
        self._asked: int | None = None

    def press(self, key: str) -> bool:
        """Take a key; whether it means something here. Letters in capitals begin a line of text where one can be typed."""
        choice = self.choice
        if choice is not None and self._press_in_choice(choice, key):
            return True
        meaning = self.keyboard.meaning(key.lower())
        match meaning:
            case KeyAction(agent, action):
                self._choose(self._agent(agent), action)
            case KeyChoice(agent, name):
                self._begin_choice(agent, name)
            case Command():
                self._do(meaning)
        return meaning is not None

    @property
    def choice(self) -> ActionChoice | None:
        """What the agent that is waited for may do, and what has been chosen of it; None where no action takes arguments."""
        session = self.session
        awaited = session.awaited
        if not awaited or session.paused or not session.game.world.actions.take_arguments:
            self._choice = self._choosing = self.line = None
            return None
        agent, now = self._asked if self._asked in awaited else awaited[0], session.game.now
        if self._choice is None or self._choosing is None or self._choosing[0] != agent:
            self._choice = ActionChoice(session.game.world, session.game.state, session.game.legal[agent])
            self.line = None
        elif self._choosing[1] is not now:
            self._choice.update(session.game.state, session.game.legal[agent])
        self._choosing = agent, now
        return self._choice

    @property
    def choosable(self) -> ActionChoice | None:
        """The choice, if its cells are those of the picture; a picture of an observation has others."""
        return None if self._view.kind == EYES else self.choice

    @property
    def has_board(self) -> bool:
        """Whether the picture shows cells that are arguments of actions, perhaps not at the moment."""
        declared = self.session.game.world.actions.table.declared.values()
        in_cells = any(isinstance(argument.over, str) for arguments in declared for argument in arguments)
        return in_cells and self._view.kind != EYES

    def click(self, cell: tuple[int, int]) -> bool:
        """Take a click on a cell; whether it means something here."""
        choice = self.choosable
        return choice is not None and self._enter(lambda: choice.click(*cell))

    def pick(self, number: int) -> bool:
        """Choose one of the choices of the panel, by its number; whether there is one."""
        choice = self.choice
        options = [] if choice is None else choice.options
        return number < len(options) and self._submit(options[number].text)

    def point(self, cell: tuple[int, int] | None) -> bool:
        """Point at a cell, or at none; whether this changes the picture."""
        before, self.pointed = self.pointed, cell
        return before != cell and self.choosable is not None

    def _press_in_choice(self, choice: ActionChoice, key: str) -> bool:
        """Take a key that belongs to the choice of an action with arguments; whether it does."""
        if self.line is not None:
            return self._type(choice, self.line, key)
        free = self.keyboard.meaning(key) is None
        if free and (key.isdecimal() or key == LINE or (len(key) == 1 and key.isupper())):
            return self._type(choice, "", "" if key == LINE else key)
        if key in ("escape", "backspace") and choice.back():
            return True
        if not (free or choice.begun) or not choice.cells.any():
            return False
        if key in ARROWS:
            self._move_pointer(*ARROWS[key])
            return True
        if key == "space" and self.pointed is not None:
            return self.click(self.pointed)
        return False

    def _type(self, choice: ActionChoice, line: str, key: str) -> bool:
        if key == "return":
            self.line = None
            return not line.strip() or self._submit(line)
        if key == "escape" or (key == "backspace" and not line):
            self.line = None
        elif key == "backspace":
            self.line = line[:-1]
        elif len(key) <= 1 or key == "space":
            self.line = line + (" " if key == "space" else key)
            if choice.completes(self.line):
                return self._type(choice, self.line, "return")
        return True

    def _submit(self, text: str) -> bool:
        choice = self.choice
        return choice is not None and self._enter(lambda: choice.enter(text))

    def _begin_choice(self, agent: int | None, name: str) -> None:
        """Choose an action whose arguments are then to be chosen."""
        self._asked = self._agent(agent)
        self.session.message = self.session.refusal(self._asked)
        if not self.session.message:
            self._submit(name)

    def _enter(self, choosing: Callable[[], int | None]) -> bool:
        """Make a choice, and act if it is complete."""
        self.session.message = ""
        try:
            index = choosing()
        except ValueError as error:
            self.session.message = f"{capitalized(str(error))}."
            return True
        if index is not None and self._choosing is not None:
            self._choose(self._choosing[0], index)
            self._choice = None
        return True

    def _choose(self, agent: int, index: int) -> None:
        try:
            self.session.choose(agent, index)
        except ValueError as error:
            self.session.message = f"{capitalized(str(error))}."

    def _agent(self, agent: int | None) -> int:
        """The agent that a key is for; where keys are shared, the one that is waited for."""
        return next(iter((*self.session.awaited, *self.session.people))) if agent is None else agent

    def _move_pointer(self, down: int, right: int) -> None:
        height, width = self.session.game.world.spec.shape
        y, x = self.pointed or (height // 2, width // 2)
        if self.pointed is not None:
            y, x = (y + down) % height, (x + right) % width
        self.pointed = y, x

    @property
    def interval(self) -> float:
        """Seconds between two ticks of a live game."""
        return 1.0 / (self.rate * 2.0**self._doublings)

    @property
    def views(self) -> list[ViewMode]:
        """The ways to look at it: for one agent with what it does not see darkened, for several everything first.

        Where cards are hidden, a game is seen through the eyes of the person whose turn it is, until it is over.
        """
        if self._hidden and not self.session.game.over:
            return [ViewMode(EYES, (*self.session.awaited, *self.session.people)[0])]
        agents = self.session.game.world.spec.agents
        if agents == 1:
            return [ViewMode(SHADED), ViewMode(HIDDEN), ViewMode(EYES), ViewMode(ALL)]
        mine = [ViewMode(kind, a) for a in self.session.people or (0,) for kind in (HIDDEN, EYES)]
        return [ViewMode(ALL), *mine]

    @property
    def _view(self) -> ViewMode:
        views = self.views
        return views[self.view % len(views)]

    @property
    def _hidden(self) -> bool:
        return bool(self.session.people) and hides_cards(self.session.game.world)

    def shown(self) -> tuple[State | Observation, Observation | None, bool]:
        """Return what is drawn: a scene, a view of it or None, and whether unseen cells are hidden."""
        view, world = self._view, self.session.game.world
        state = self.session.game.state.seen_by(view.agent)
        if view.kind == ALL:
            return state, None, False
        if table_of(state.vocabulary) is not None:
            return face_down(state, [view.agent]), None, False
        observation = world.observe(state, view.agent)
        return (observation, None, False) if view.kind == EYES else (state, observation, view.kind == HIDDEN)

    def picture(self, tile: int) -> npt.NDArray[np.uint8]:
        """It as a picture."""
        scene, view, hide = self.shown()
        choice = self.choosable
        overlays = [] if choice is None else [ChoiceOverlay.of(choice, self.pointed)]
        return draw.rgb(scene, tile, view=view, hide_unseen=hide, overlays=overlays)

    def panel(self, *, mouse: bool = True) -> Panel:
        """The text next to the picture, for somebody who has a mouse or not."""
        session, choice = self.session, self.choice
        facts = [("seed", str(session.game.seed)), ("step", str(session.game.steps)), *self._agents()]
        on_table = world_facts(session.game.state)
        if on_table is None:
            facts += self._perceived()
        if len(self.views) > 1 and self.view:
            names = session.game.world.spec.agent_names
            view = self._view
            facts.append(
                ("view", view.kind.format(agent="the agent" if len(names) == 1 else names[view.agent]))
            )
        if on_table is not None:
            facts += on_table.items()
            if self._hidden:
                own = session.game.state.agents[self._view.agent]
                facts += (own_facts(own, session.game.world.spec.agents) or {}).items()
        if session.live:
            facts.append(("speed", f"{1 / self.interval:g} a second"))
        return Panel(
            session.game.world.name,
            tuple(facts),
            self._note(),
            self._banner(),
            (*self.choosing_help(mouse), *self.keyboard.help(self.offered)),
            session.game.world.mission(session.game.state),
            "" if choice is None else self._prompt(choice),
            tuple(o.label for o in choice.options) if choice and not (mouse and choice.by_cells) else (),
        )

    def _perceived(self) -> list[tuple[str, str]]:
        """The world's declared numbers that agents perceive; in a game of hidden hands, those of the one whose eyes see it, too.

        What the mission says already is left out.
        """
        game, agent = self.session.game, self._view.agent
        world, own = world_fields_in_words(game.state), game.state.agents[agent]
        found = []
        for name in game.world.spec.representation.fields:
            if f"{{{name}}}" in game.world.spec.description.mission:
                continue
            if name in own_names(game.world) and self._hidden:
                value = np.asarray(getattr(own, name)).tolist()
            elif name in world and name not in own_names(game.world):
                value = world[name]
            else:
                continue
            found.append((name, str(value).replace("], [", " / ").strip("[]").replace("'", "")))
        return found

    def _prompt(self, choice: ActionChoice) -> str:
        """What is being typed, what a click would do, or what is to be chosen."""
        if self.line is not None:
            return f"{LINE} {self.line}_"
        pointed = self.choosable is not None and self.pointed is not None and choice.hint(*self.pointed)
        names = self.session.game.world.spec.agent_names
        several = len(self.session.awaited) > 1
        whose = f"{names[self._choosing[0]]}: " if several and self._choosing else ""
        return whose + (pointed or choice.prompt)

    def choosing_help(self, mouse: bool) -> list[tuple[str, str]]:
        """The keys with which arguments are chosen, where an action takes any."""
        if not self.session.game.world.actions.take_arguments:
            return []
        begun = self._choice is not None and self._choice.begun
        pointing = [("click", "choose a cell")]
        if not mouse:
            pointing = [("arrows", "point at a cell"), ("space", "choose it")]
        free = mouse or begun or self.keyboard.meaning("up") is None
        typing = (f"0-9 or {LINE}", "type it, then enter")
        return [
            *(pointing if free and self.has_board else []),
            typing,
            *([("esc", "choose again")] if begun else []),
        ]

    def offered(self, meaning: KeyAction | KeyChoice) -> bool:
        """Whether an action is legal for the agent whose turn it is; those of others are shown as they are."""
        session = self.session
        if isinstance(meaning, KeyChoice) and len(session.game.world.actions.listed) == 1:
            return False  # there is nothing else to choose
        agent = self._agent(meaning.agent) if session.people else 0
        if not session.game.world.spec.has_masks or agent not in session.game.acting:
            return True
        legal, actions = session.game.legal[agent], session.game.world.actions
        if isinstance(meaning, KeyAction):
            return bool(legal[meaning.action])
        listed = [action.name for action in actions.listed].index(meaning.name)
        return bool(legal[actions.owners == listed].any())

    def _agents(self) -> list[tuple[str, str]]:
        session, now = self.session, self.session.game.now
        did = [in_words(session.game.world.actions[a]) for a in now.actions] or [""] * len(now.returns)
        if takes_turns(session.game.world):  # those whose turn it was not have waited
            states = session.game.state.agents
            did = [
                "" if agent.action == Action.WAIT else words for agent, words in zip(states, did, strict=True)
            ]
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
        world, now = session.game.world, session.game.now
        if session.game.over:
            outcome = outcome_in_words(world, now.returns.tolist(), session.game.state)
            end = "Time is up" if now.truncated else "" if outcome else "The episode is over"
            return ": ".join(filter(None, (end, outcome)))
        if session.paused:
            return "Paused"
        names = world.spec.agent_names
        if len(names) == 1 or not session.people or session.live:
            return ""
        waiting = " and ".join(names[a] for a in session.awaited)
        if not takes_turns(world):
            return f"Waiting for {waiting}" if waiting else ""
        if not waiting:
            return capitalized(f"{agents_in_words(world, session.game.acting)} thinks ...")
        turn = capitalized(f"{agents_in_words(world, session.awaited)}'s turn")
        return f"{turn}: yours" if len(session.people) == 1 else turn

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


def own_names(world: World) -> set[str]:
    """The names of the declared fields of agents."""
    return {field.name for field in world.spec.vocabulary.agent_fields}


def default_endings() -> tuple[Any, ...]:
    """A run, a page, and where Pillow is installed an animated picture."""
    return ("run", "html", "gif") if importlib.util.find_spec("PIL") else ("run", "html")
