"""Actions: the eight of gym-gridverse, four compass moves, waiting, and declared actions."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from gridarium.compiled.data_types.primitives import for_rules
from gridarium.compiled.data_types.value_class import value
from gridarium.world.geometry import Orientation, Position, heading

MEANINGS = {
    "MOVE_FORWARD": "One cell ahead.",
    "MOVE_BACKWARD": "One cell back; the heading stays.",
    "MOVE_LEFT": "One cell to the agent's left; the heading stays.",
    "MOVE_RIGHT": "One cell to the agent's right; the heading stays.",
    "TURN_LEFT": "A quarter turn to the left.",
    "TURN_RIGHT": "A quarter turn to the right.",
    "ACTUATE": "Use what is in front: open or close a door, open a box.",
    "PICK_N_DROP": "Pick up what lies in front, put down what is held, or exchange them.",
    "LEFT": "One cell to the left on the page; the heading stays.",
    "DOWN": "One cell down on the page; the heading stays.",
    "RIGHT": "One cell to the right on the page; the heading stays.",
    "UP": "One cell up on the page; the heading stays.",
    "WAIT": "Nothing.",
}
"""The built-in actions, and how the built-in rules interpret them."""
NAMES = tuple(MEANINGS)
IN_WORDS = {"PICK_N_DROP": "pick up / drop"}
"""Human-readable names, where they differ from the identifier."""
_names: dict[int, str] = dict(enumerate(NAMES))
_meanings: dict[str, str] = dict(MEANINGS)
_values: dict[tuple[str, str], tuple[str, ...]] = {}
_made: dict[int, Action] = {}
FIRST_CUSTOM = 1 << 20
NUMBER_BITS = 25
"""The number of bits of an action's number; the bits above hold its arguments (see `action_arguments`)."""
NUMBER_MASK = (1 << NUMBER_BITS) - 1


class _Actions(type):
    """Make `Action` iterable (gym-gridverse's eight), indexable by name and comparable with `is`."""

    def __call__(cls, value: int) -> Action:
        found = _made.get(value)
        if found is None:
            found = _made.setdefault(int(value), super().__call__(value))
        return found

    def __iter__(cls) -> Iterator[Action]:
        return (Action(i) for i in range(8))

    def __len__(cls) -> int:
        return 8

    def __getitem__(cls, name: str) -> Action:
        return cls.named(name)

    def named(cls, name: str) -> Action:
        """The action of a name, without arguments.

        Raises:
            KeyError: there is none.
        """
        for number, known in _names.items():
            if known == name:
                return Action(number)
        listed = ", ".join(_names.values())
        raise KeyError(f"no action {name!r}; there are {listed}; Action.declare({name!r}) makes a new one")


@for_rules
@value
class Action(metaclass=_Actions):
    """An action that an agent takes in a tick. `JUMP = Action.declare("JUMP")` makes a new one.

    Moves are relative to the agent's heading (MOVE_LEFT steps sideways); LEFT, DOWN, RIGHT, UP are relative to the grid
    as drawn. The number of a declared action is derived from its name, so it does not depend on import order.
    """

    value: int

    __single__: ClassVar[bool] = True
    MOVE_FORWARD: ClassVar[Action]
    MOVE_BACKWARD: ClassVar[Action]
    MOVE_LEFT: ClassVar[Action]
    MOVE_RIGHT: ClassVar[Action]
    TURN_LEFT: ClassVar[Action]
    TURN_RIGHT: ClassVar[Action]
    ACTUATE: ClassVar[Action]
    PICK_N_DROP: ClassVar[Action]
    LEFT: ClassVar[Action]
    DOWN: ClassVar[Action]
    RIGHT: ClassVar[Action]
    UP: ClassVar[Action]
    WAIT: ClassVar[Action]

    @staticmethod
    def declare(name: str, meaning: str = "", values: Mapping[str, Sequence[str]] | None = None) -> Action:
        """Return a new action, or the one already declared under this name.

        Args:
            name: a word such as JUMP.
            meaning: what the rules do with it, as a sentence, for documents.
            values: of arguments that are numbers, a few characters for each value, for people who choose one.
        """
        if name in NAMES:
            raise ValueError(f"{name} is a built-in action")
        if not name.isidentifier():
            raise ValueError(f"an action's name is a word such as JUMP, not {name!r}")
        number = FIRST_CUSTOM + zlib.crc32(name.encode()) % (1 << 24)
        if _names.setdefault(number, name) != name:
            raise ValueError(
                f"the actions {name} and {_names[number]} get the same number; rename one of them"
            )
        if meaning:
            _meanings[name] = meaning
        _values.update({(name, argument): tuple(words) for argument, words in (values or {}).items()})
        return Action(number)

    def is_a(self, action: Action) -> bool:
        """Whether this is an action, with whatever arguments: `action.is_a(PLACE)`."""
        return self.value & NUMBER_MASK == action.value

    def is_move(self) -> bool:
        """Whether this is one of the four moves relative to the heading."""
        return 0 <= self.value <= 3

    def is_turn(self) -> bool:
        """Whether this is TURN_LEFT or TURN_RIGHT."""
        return 4 <= self.value <= 5

    def is_compass(self) -> bool:
        """Whether this is LEFT, DOWN, RIGHT or UP."""
        return 8 <= self.value <= 11

    @property
    def name(self) -> str:
        """The action's name (interpreted only)."""
        return _names.get(self.value, f"Action({self.value})")

    def __repr__(self) -> str:
        return f"Action.{self.name}"


for _number, _name in enumerate(NAMES):
    setattr(Action, _name, Action(_number))


def meaning_of(action: Action) -> str:
    """What the rules do with an action, as a sentence; empty if its declaration does not say."""
    return _meanings.get(action.name, "")


def value_in_words(action: Action, argument: str, value: int) -> str:
    """A few characters that say what a value of an argument is; empty if the action's declaration does not say."""
    words = _values.get((action.name, argument), ())
    return words[value] if value < len(words) else ""


def in_words(action: Action) -> str:
    """A human-readable name of the action: move forward, pick up / drop."""
    return name_in_words(action.name)


def name_in_words(name: str) -> str:
    """The name of an action as words: MOVE_FORWARD is "move forward", a live world's OpenDoorAction "open door"."""
    words = re.sub(r"(?<=.)(Action|Object)(?=\(|$)", "", name)
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", words)
    return IN_WORDS.get(name, words.replace("_", " ").strip().lower())


@for_rules
def move_orientation(action: Action) -> Orientation:
    """The direction of a move: relative to the heading for a move, relative to the grid for a compass move."""
    if action.is_compass():
        return heading((0x0312 >> (4 * (action.value - 8))) & 3)
    return heading(action.value & 3)


@for_rules
def get_next_position(position: Position, orientation: Orientation, action: Action) -> Position:
    """The position a move leads to, ignoring obstacles and borders; `position` itself for any other action."""
    if action.is_move():
        return position + Position.from_orientation(orientation * move_orientation(action))
    if action.is_compass():
        return position + Position.from_orientation(move_orientation(action))
    return position
