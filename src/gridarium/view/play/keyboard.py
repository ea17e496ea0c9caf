"""The keys for actions and commands on a keyboard that one or several people share."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from string import ascii_lowercase
from typing import TypeAlias

import numpy as np

from gridarium.engine import World
from gridarium.world import Action
from gridarium.world.actions import in_words


class Command(Enum):
    """The commands of a person, apart from actions; the values are shown on the screen."""

    UNDO = "take back"
    RESTART = "begin again"
    NEXT = "next seed"
    SAVE = "save the game"
    VIEW = "another view"
    PAUSE = "pause, go on"
    FASTER = "faster"
    SLOWER = "slower"
    QUIT = "leave"


COMMANDS: dict[Command, tuple[str, ...]] = {
    Command.UNDO: ("backspace",),
    Command.RESTART: ("r",),
    Command.NEXT: ("n",),
    Command.SAVE: ("t",),
    Command.VIEW: ("v",),
    Command.PAUSE: ("p",),
    Command.FASTER: ("+", "="),
    Command.SLOWER: ("-",),
    Command.QUIT: ("escape",),
}
ONLY_LIVE = (Command.PAUSE, Command.FASTER, Command.SLOWER)


@dataclass(frozen=True)
class KeyScheme:
    """The keys of one person.

    Attributes:
        directions: for up, down, left and right.
        special: for actions that most worlds have; further actions get letters.
    """

    directions: tuple[str, str, str, str]
    special: dict[str, str]


KEY_SCHEMES = {
    "arrows": KeyScheme(
        ("up", "down", "left", "right"),
        {"ACTUATE": "space", "PICK_N_DROP": "return", "WAIT": ".", "MOVE_LEFT": ",", "MOVE_RIGHT": "/"},
    ),
    "wasd": KeyScheme(
        ("w", "s", "a", "d"),
        {"ACTUATE": "e", "PICK_N_DROP": "q", "WAIT": "x", "MOVE_LEFT": "z", "MOVE_RIGHT": "c"},
    ),
    "vi": KeyScheme(
        ("k", "j", "h", "l"),
        {"ACTUATE": "i", "PICK_N_DROP": "o", "WAIT": "m", "MOVE_LEFT": "y", "MOVE_RIGHT": "u"},
    ),
}
TOWARDS = (  # what up, down, left and right do: the first set of which the agent has a turn or a sideways move
    ("UP", "DOWN", "LEFT", "RIGHT"),
    ("MOVE_FORWARD", "MOVE_BACKWARD", "TURN_LEFT", "TURN_RIGHT"),
    ("MOVE_FORWARD", "MOVE_BACKWARD", "MOVE_LEFT", "MOVE_RIGHT"),
)

LETTERS = (*ascii_lowercase, *"1234567890")
"""The keys for all other actions, after those of their names."""


@dataclass(frozen=True)
class KeyAction:
    """An agent, by its number, is to do something, by its index among the world's actions.

    The agent is None where several people share the keys: whoever's turn it is.
    """

    agent: int | None
    action: int


@dataclass(frozen=True)
class KeyChoice:
    """An agent, by its number, is to choose the arguments of an action, by its name."""

    agent: int | None
    name: str


KeyMeaning: TypeAlias = KeyAction | KeyChoice | Command
Offered: TypeAlias = Callable[[KeyAction | KeyChoice], bool]


def everything(meaning: KeyAction | KeyChoice) -> bool:
    """Offer the keys of all actions."""
    return True


class Keyboard:
    """The meaning of each key in a world.

    Args:
        world: whose actions.
        schemes: one for each person, by name: "arrows", "wasd", "vi".
        live: whether time passes by itself, so that one may pause it.
        agents: the agents that people play, the first ones by default. Several can share one scheme, in turns.

    Raises:
        ValueError: an unknown scheme, one given twice, more people than agents, or more actions than keys.
    """

    def __init__(
        self,
        world: World,
        schemes: Sequence[str] = ("arrows",),
        *,
        live: bool = False,
        agents: Sequence[int] | None = None,
    ) -> None:
        self.agents = tuple(range(len(schemes)) if agents is None else agents)
        self._check(world, schemes, len(self.agents))
        self.world, self.schemes, self.live = world, tuple(schemes), live
        self._meanings: dict[str, KeyMeaning] = {
            key: command for command, keys in COMMANDS.items() for key in keys
        }
        reserved = {key for scheme in schemes for key in _fixed(KEY_SCHEMES[scheme])}
        shared = len(schemes) == 1 and len(self.agents) > 1
        if not shared and len(schemes) != len(self.agents):
            raise ValueError(f"keys for {len(schemes)} people were given for {len(self.agents)} agents")
        for scheme, own in zip(
            schemes, [self.agents] if shared else [(a,) for a in self.agents], strict=True
        ):
            agent = None if shared else own[0]
            for key, action in self._assigned(own, KEY_SCHEMES[scheme], reserved):
                asks = action.value in world.actions.table.declared
                self._meanings[key] = (
                    KeyChoice(agent, action.name) if asks else KeyAction(agent, world.actions.index(action))
                )

    def meaning(self, key: str) -> KeyMeaning | None:
        """Return the meaning of a key, or None."""
        return self._meanings.get(key)

    def help(self, offered: Offered = everything) -> list[tuple[str, str]]:
        """Keys and what they do, as shown next to the world; a line with an empty key is a heading.

        Args:
            offered: whether an action's key is shown.
        """
        heading = [("", "everybody")] if len(self.schemes) > 1 else []
        return [*self.actions_help(offered), *heading, *self.commands_help()]

    def actions_help(self, offered: Offered = everything) -> list[tuple[str, str]]:
        """The keys for actions; where each person has other ones, the name of the agent before those of each."""
        lines: list[tuple[str, str]] = []
        for agent in self.agents if len(self.schemes) > 1 else [None]:
            if agent is not None:
                lines.append(("", self.world.spec.agent_names[agent]))
            lines += [
                (shown(key), self._words(m))
                for key, m in self._meanings.items()
                if not isinstance(m, Command) and agent in (None, m.agent) and offered(m)
            ]
        return lines

    def _words(self, meaning: KeyAction | KeyChoice) -> str:
        if isinstance(meaning, KeyAction):
            return in_words(self.world.actions[meaning.action])
        return in_words(Action.named(meaning.name))

    def commands_help(self) -> list[tuple[str, str]]:
        """The keys for everything else."""
        commands = [c for c in COMMANDS if self.live or c not in ONLY_LIVE]
        return [(shown(COMMANDS[c][0]), c.value) for c in commands]

    def _assigned(
        self, agents: Sequence[int], scheme: KeyScheme, reserved: set[str]
    ) -> Iterator[tuple[str, Action]]:
        """The actions of agents that share keys, with these: directions, then special ones, then letters."""
        actions = self.world.actions
        has = np.any([self.world.spec.action_masks[agent] for agent in agents], axis=0)
        left = [actions.listed[i] for i in np.unique(actions.owners[has]).tolist()]
        names = {action.name: action for action in left}
        towards = towards_of(names)
        known = dict(zip(towards, scheme.directions, strict=True)) | {
            name: key for name, key in scheme.special.items() if name not in towards
        }
        for name, key in known.items():
            if name in names:
                left.remove(names[name])
                yield key, names[name]
        for action in left:
            taken = reserved | self._meanings.keys()
            wanted = [c for c in (*action.name.lower(), *LETTERS) if c.isalnum()]
            free = next((key for key in wanted if key not in taken), None)
            if free is None:
                raise ValueError(
                    f"{self.world.name} has more actions than there are keys: none is left for {action.name}"
                )
            yield free, action

    @staticmethod
    def _check(world: World, schemes: Sequence[str], people: int) -> None:
        for name in schemes:
            if name not in KEY_SCHEMES:
                raise ValueError(f"keys are {', '.join(KEY_SCHEMES)}, not {name!r}")
        if len(set(schemes)) < len(schemes):
            raise ValueError(f"each person needs keys of their own, got {', '.join(schemes)}")
        if people > world.spec.agents:
            agents = "one agent" if world.spec.agents == 1 else f"{world.spec.agents} agents"
            raise ValueError(f"{world.name} has {agents}, and keys for {people} people were asked for")


def towards_of(names: Collection[str]) -> tuple[str, str, str, str]:
    """Return the actions of up, down, left and right for an agent with actions of these names."""
    return next((four for four in TOWARDS if not {*names}.isdisjoint(four[2:])), TOWARDS[0])


NAMES = {"return": "enter", "escape": "esc", ",": "comma", "/": "slash", ".": "period"}
"""The labels of keys whose own sign or name is hard to read."""


def shown(key: str) -> str:
    """A key as written on the screen."""
    return NAMES.get(key, key)


def _fixed(scheme: KeyScheme) -> tuple[str, ...]:
    return (*scheme.directions, *scheme.special.values())
