"""Arguments of actions: their layout in an action's integer, and the list of a world's actions with all arguments.

An action such as `PLACE` may take arguments from finite ranges. The integer of the action holds them as bit fields whose
width does not depend on the size of the world, so that worlds of all sizes share a program. Outside of the world, each
combination of an action and its arguments is one index.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from gridarium.compiled.data_types.primitives import compiled_as
from gridarium.compiled.data_types.value_class import generated, value
from gridarium.world.actions import NUMBER_BITS, NUMBER_MASK, Action
from gridarium.world.geometry import Position, Shape

Range: TypeAlias = Literal["cells", "rows", "columns", "agents", "things"] | int
"""The values of an argument: positions of the world, rows, columns, agents or things, or the numbers below a limit."""
RANGES = ("cells", "rows", "columns", "agents", "things")
SINGULAR = {"cells": "at", "rows": "row", "columns": "column", "agents": "agent", "things": "thing"}
"""The name of an argument that has none of its own; that of a range of numbers is `number`."""
THING_BITS = 10
"""The number of bits of a thing's number."""
SIDE_BITS = 8
"""The number of bits of a coordinate: positions are arguments in worlds of at most 256 x 256 cells."""
WITH_ARGUMENTS = 1 << NUMBER_BITS
"""Set in the integer of an action with arguments, which therefore differs from the bare action's."""
FIRST_BIT = NUMBER_BITS + 1
ARGUMENT_BITS = 63 - FIRST_BIT
MOST_INDICES = 65536
"""The maximum number of actions with all their arguments."""
MOST_SHOWN = 10
"""The number of actions that a message names."""


def few(names: Iterable[str]) -> str:
    """The first names of a list, and how many there are besides: `LEFT, DOWN and 58 more`."""
    listed = list(names)
    more = f" and {len(listed) - MOST_SHOWN} more" if len(listed) > MOST_SHOWN else ""
    return ", ".join(listed[:MOST_SHOWN]) + more


@dataclass(frozen=True)
class Argument:
    """One argument of an action.

    Attributes:
        name: a word, by which rules read it: `action.at`.
        over: its range.
    """

    name: str
    over: Range

    @property
    def bits(self) -> int:
        """The width of its bit field."""
        if self.over == "cells":
            return 2 * SIDE_BITS
        if self.over == "things":
            return THING_BITS
        return SIDE_BITS if isinstance(self.over, str) else max(1, (self.over - 1).bit_length())


Arguments: TypeAlias = tuple[Argument, ...]


def shifts_of(actions: Mapping[int, Arguments]) -> dict[str, int]:
    """The first bit of each argument: the same in all actions that have an argument of this name.

    Args:
        actions: the arguments of each action, by its number.

    Raises:
        ValueError: the arguments of an action do not fit, two actions have different arguments of one name, or actions
            have an attribute of this name.
    """
    ranges: dict[str, Range] = {}
    for argument in itertools.chain(*actions.values()):
        if hasattr(ActionWithArguments, argument.name):
            raise ValueError(
                f"the argument {argument.name!r} needs another name: an action has a {argument.name} already"
            )
        if ranges.setdefault(argument.name, argument.over) != argument.over:
            raise ValueError(
                f"the argument {argument.name!r} has the range {ranges[argument.name]!r} in one action and "
                f"{argument.over!r} in another; give one of them another name"
            )
    found: dict[str, int] = {}
    taken: dict[str, set[int]] = {}
    for name in ranges:
        together = [arguments for arguments in actions.values() if any(a.name == name for a in arguments)]
        others = {a.name for arguments in together for a in arguments} & taken.keys()
        width = next(a.bits for a in together[0] if a.name == name)
        used = set().union(*(taken[other] for other in others)) if others else set()
        shift = next(s for s in itertools.count() if not used & set(range(s, s + width)))
        if shift + width > ARGUMENT_BITS:
            raise ValueError(
                f"the arguments of an action take at most {ARGUMENT_BITS} bits (a position {2 * SIDE_BITS}, a row, "
                f"column or agent {SIDE_BITS}); {name!r} does not fit"
            )
        taken[name], found[name] = set(range(shift, shift + width)), FIRST_BIT + shift
    return found


def reader(name: str, shift: int, actions: Mapping[int, Arguments]) -> Any:
    """A function that reads `action.<name>` from bit `shift` on, interpreted and compiled.

    It raises an `AttributeError` if the action does not have the argument.
    """
    having = [number for number, arguments in actions.items() if any(a.name == name for a in arguments)]
    argument = next(a for a in actions[having[0]] if a.name == name)
    mask = (1 << SIDE_BITS) - 1
    test = " and ".join(f"number != {number}" for number in having)
    if argument.over == "cells":
        read = f"Position(action.value >> {shift + SIDE_BITS} & {mask}, action.value >> {shift} & {mask})"
    else:
        read = f"action.value >> {shift} & {(1 << argument.bits) - 1}"
    lines = [
        f"def {name}(action):",
        f"    number = action.value & {NUMBER_MASK}",
        f"    if {test}:",
        f"        raise AttributeError('this action has no argument {name}')",
        f"    return {read}",
    ]
    return generated(f"read argument {name}", "\n".join(lines) + "\n", Position=Position)


class ActionWithArguments(Action):
    """An action with the values of its arguments, in plain Python; compiled rules see an `Action` with both.

    `action.is_a(PLACE)` asks which action it is, `action.at` reads an argument by its name. Two are equal if action and
    arguments are.

    Attributes:
        table: the actions of the world.
    """

    __slots__ = ("table",)

    @property
    def action(self) -> Action:
        """The action without its arguments."""
        return Action(self.value & NUMBER_MASK)

    @property
    def name(self) -> str:
        """The action as text that `ActionTable.parse` reads: PLACE(2, 3)."""
        return self.table.text(self.value)

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments by name: positions and numbers."""
        return {a.name: getattr(self, a.name) for a in self.table.declared[self.action.value]}

    def __getattr__(self, name: str) -> Any:
        read = None if name.startswith("_") else self.table.readers.get(name)
        if read is None:
            listed = ", ".join(self.table.readers)
            raise AttributeError(f"{self.action!r} has no {name!r}; arguments are: {listed}")
        return read(self)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, ActionWithArguments):
            return self.value == other.value
        if isinstance(other, Action) and other.value in self.table.declared:
            raise TypeError(f"{other.name} takes arguments: write action.is_a({other.name})")
        return False if isinstance(other, Action) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.value)

    def __repr__(self) -> str:
        return f"Action.{self.name}"

    def __reduce__(self) -> Any:
        return _with_arguments, (self.value, self.table)


@value
class BareAction:
    """An action that takes arguments, without them, as compiled rules name it: `action.is_a(PLACE)`, `mask.of(PLACE)`.

    It is neither compared with an action nor asked for arguments, as those raise.
    """

    value: int

    __incomparable__: ClassVar[str] = "an action that takes arguments is not compared; write `is_a`"


class ActionTable:
    """The actions of a vocabulary that take arguments or time.

    Attributes:
        declared: their arguments, by the action's number.
        durations: how many ticks an action takes, by its number, where it is not one; or the argument that says it.
        readers: for each name of an argument, the function that reads it.

    Raises:
        ValueError: see `shifts_of`; a duration below 1, or one that is no argument of the action.
    """

    def __init__(
        self, declared: Mapping[int, Arguments], durations: Mapping[int, int | str] | None = None
    ) -> None:
        self.declared, self.durations = dict(declared), dict(durations or {})
        for number, duration in self.durations.items():
            named = [a.name for a in self.declared.get(number, ()) if type(a.over) is int]
            if duration not in named and not (type(duration) is int and duration >= 1):
                raise ValueError(
                    f"{Action(number).name}: a duration is a number of ticks from 1, or the name of an argument over "
                    f"numbers ({', '.join(named) or 'it has none'}); got {duration!r}"
                )
        self.shifts = shifts_of(self.declared)
        self.readers = {name: reader(name, shift, self.declared) for name, shift in self.shifts.items()}
        self._made: dict[int, ActionWithArguments] = {}

    def __reduce__(self) -> Any:
        return ActionTable, (self.declared, self.durations)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ActionTable):
            return False
        return other.declared == self.declared and other.durations == self.durations

    def __hash__(self) -> int:
        return hash(tuple(self.declared.items()))

    def action(self, value: int) -> Action:
        """The action that an integer represents."""
        if not value & WITH_ARGUMENTS:
            return Action(value)
        found = self._made.get(value)
        if found is None:
            found = object.__new__(ActionWithArguments)
            object.__setattr__(found, "value", value)
            object.__setattr__(found, "table", self)
            self._made[value] = found
        return found

    def encode(self, action: Action, values: Sequence[int | tuple[int, int]]) -> int:
        """The integer of an action with the values of its arguments, in their order; ranges are not checked.

        Raises:
            ValueError: the wrong number of arguments.
        """
        arguments = self.declared.get(action.value, ())
        if len(values) != len(arguments):
            listed = ", ".join(a.name for a in arguments) or "none"
            raise ValueError(f"{action.name} takes the arguments {listed}; got {tuple(values)!r}")
        encoded = action.value | (WITH_ARGUMENTS if arguments else 0)
        for argument, given in zip(arguments, values, strict=True):
            bits = given if isinstance(given, int) else given[0] << SIDE_BITS | given[1]
            encoded |= bits << self.shifts[argument.name]
        return encoded

    def text(self, value: int) -> str:
        """An action with its arguments, as `parse` reads it: PLACE(2, 3), MOVE((6, 4), (4, 4))."""
        action = self.action(value)
        if not isinstance(action, ActionWithArguments):
            return action.name
        values = list(action.arguments.values())
        if len(values) == 1 and isinstance(values[0], Position):
            return f"{action.action.name}({values[0].y}, {values[0].x})"
        shown = (f"({v.y}, {v.x})" if isinstance(v, Position) else str(v) for v in values)
        return f"{action.action.name}({', '.join(shown)})"

    def parse(self, text: str) -> int:
        """The integer of an action that `text` wrote; spaces and inner parentheses may be left out.

        Raises:
            ValueError: an unknown action, or the wrong arguments.
        """
        match = re.fullmatch(r"\s*(\w+)\s*(?:\(([-\d\s,()]*)\))?\s*", text, re.ASCII)
        if match is None:
            raise ValueError(f"an action is written as PLACE(2, 3), not {text!r}")
        name, listed = match.groups()
        try:
            action = Action.named(name)
        except KeyError as error:
            raise ValueError(error.args[0]) from None
        numbers = [int(n) for n in re.findall(r"-?\d+", listed or "")]
        arguments = self.declared.get(action.value, ())
        if len(numbers) != sum(2 if a.over == "cells" else 1 for a in arguments):
            form = ", ".join("y, x" if a.over == "cells" else a.name for a in arguments)
            raise ValueError(f"{text!r} has the wrong arguments; write {action.name}{form and f'({form})'}")
        rest = iter(numbers)
        return self.encode(
            action, [(next(rest), next(rest)) if a.over == "cells" else next(rest) for a in arguments]
        )


def _with_arguments(value: int, table: ActionTable) -> Action:
    return table.action(value)


NO_ARGUMENTS = ActionTable({})


class Actions(Sequence[Action]):
    """The actions of a world by index, each with every combination of its arguments: a sequence of `Action`.

    Indices run through the actions as listed, and within one through its arguments, the last one fastest; a position
    runs row by row.

    Args:
        listed: the actions of the description.
        table: the arguments of actions.
        shape: height and width of the world.
        agents: the number of agents.
        things: the number of things that there can be.

    Attributes:
        values: int64[actions]: the integers of the actions.
        listed: the actions without arguments.
        owners: int64[actions]: the index in `listed` of each.

    Raises:
        ValueError: too many actions, or a world too large for positions as arguments.
    """

    def __init__(
        self, listed: Sequence[Action], table: ActionTable, shape: Shape, agents: int, things: int = 0
    ) -> None:
        self.listed, self.table, self.shape = tuple(listed), table, shape
        self.agents, self.things = agents, things
        limit = 1 << SIDE_BITS
        sizes = []
        for action in self.listed:
            arguments = table.declared.get(action.value, ())
            if any(a.over == "things" for a in arguments) and things == 0:
                raise ValueError(f"{action.name}: this world has no things; add `things:` to its description")
            if any(a.over in ("cells", "rows", "columns") for a in arguments) and max(shape) > limit:
                raise ValueError(
                    f"{action.name}: positions are arguments in worlds of at most {limit} x {limit} cells"
                )
            sizes.append(math.prod(self.size(a) for a in arguments))
        if sum(sizes) > MOST_INDICES:
            raise ValueError(
                f"at most {MOST_INDICES:,} actions with arguments are possible, got {sum(sizes):,}"
            )
        self.owners = np.repeat(np.arange(len(sizes)), sizes)
        self.values: npt.NDArray[np.int64] = np.concatenate([self._values(a) for a in self.listed])
        self._indices: dict[int, int] | None = None

    def size(self, argument: Argument) -> int:
        """The number of values of an argument."""
        height, width = self.shape
        named = {
            "cells": height * width,
            "rows": height,
            "columns": width,
            "agents": self.agents,
            "things": self.things,
        }
        return named[argument.over] if isinstance(argument.over, str) else argument.over

    def _values(self, action: Action) -> npt.NDArray[np.int64]:
        arguments = self.table.declared.get(action.value, ())
        values = np.array([action.value | (WITH_ARGUMENTS if arguments else 0)], np.int64)
        for argument in arguments:
            own = np.arange(self.size(argument), dtype=np.int64)
            if argument.over == "cells":
                own = own // self.shape.width << SIDE_BITS | own % self.shape.width
            values = (values[:, None] | own << self.table.shifts[argument.name]).ravel()
        return values

    @property
    def take_arguments(self) -> bool:
        """Whether an action takes arguments."""
        return bool(self.table.declared)

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return tuple(self[i] for i in range(*index.indices(len(self))))
        return self.table.action(int(self.values[index]))

    def __iter__(self) -> Iterator[Action]:
        return map(self.table.action, self.values.tolist())

    def index(self, action: Any, *limits: int) -> int:
        """The index of an action.

        Raises:
            ValueError: it is not among the actions, or it takes arguments that are not given.
        """
        if self._indices is None:
            self._indices = {value: i for i, value in enumerate(self.values.tolist())}
        found = self._indices.get(action.value) if isinstance(action, Action) else None
        if found is None:
            takes = isinstance(action, Action) and action.value in self.table.declared
            hint = (
                f"; {action.name} takes arguments, as in {self.table.text(int(self._first(action)))}"
                if takes
                else ""
            )
            raise ValueError(f"{action!r} is not among the {len(self)} actions{hint}")
        return found

    def _first(self, action: Action) -> int:
        return int(self.values[self.owners == self.listed.index(action)][0])

    def __contains__(self, action: object) -> bool:
        try:
            self.index(action)
        except ValueError:
            return False
        return True

    def parse(self, text: str) -> int:
        """The index of an action that is written as text, such as PLACE(2, 3).

        Raises:
            ValueError: it is not among the actions.
        """
        name, known = text.partition("(")[0].strip(), [action.name for action in self.listed]
        if name.isidentifier() and name not in known:
            raise ValueError(f"no action {name!r}; there are {few(known)}")
        return self.index(self.table.action(self.table.parse(text)))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Actions):
            return other.table == self.table and np.array_equal(other.values, self.values)
        return isinstance(other, tuple | list) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash((self.listed, len(self.values)))

    def __repr__(self) -> str:
        shown = ", ".join(self.table.text(v) for v in self.values[:20].tolist())
        return f"({shown}{', ...' if len(self) > 20 else ''})"


@compiled_as("gridarium.world.compiled.primitives:duration_of")
def duration_of(action: Action, vocabulary: Any) -> int:
    """The number of ticks that an action takes: 1 unless its declaration says otherwise."""
    table: ActionTable = vocabulary.action_table
    duration = table.durations.get(action.value & NUMBER_MASK, 1)
    return max(1, getattr(action, duration)) if isinstance(duration, str) else duration


@compiled_as("gridarium.world.compiled.primitives:to_action")
def to_action(value: int, vocabulary: Any) -> Action:
    """The action that an integer of a state represents."""
    action: Action = vocabulary.action_table.action(value)
    return action
