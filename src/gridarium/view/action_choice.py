"""Choosing a legal action with its arguments, part by part: by cells, from lists, or as text. No window and no web code."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from gridarium.engine import World
from gridarium.world import Action, State
from gridarium.world.action_arguments import Argument
from gridarium.world.actions import in_words, value_in_words
from gridarium.world.text_form.line import written_thing
from gridarium.world.text_form.plain_data import object_record

FEW = 12
"""So many actions are listed with all their arguments."""
MOST_LISTED = 200
"""The values of an argument are listed up to this number; positions up to `FEW`."""
OPEN = "…"
"""In the place of an argument that has not been chosen."""
Cell: TypeAlias = tuple[int, int]


@dataclass(frozen=True)
class Option:
    """Something that can be chosen from a list.

    Attributes:
        text: what `ActionChoice.enter` takes.
        label: what people read.
    """

    text: str
    label: str


@dataclass(frozen=True)
class _Candidate:
    """One of the actions that can still be meant, with the values of its arguments that can.

    Attributes:
        action: without its arguments.
        first: the index of the action with its first arguments.
        legal: bool[...], an axis for each argument: what is legal, and agrees with what has been chosen.
        chosen: the axes of the arguments that have been chosen, perhaps not down to one value.
    """

    action: Action
    first: int
    legal: npt.NDArray[np.bool_]
    chosen: frozenset[int] = frozenset()

    @property
    def index(self) -> int | None:
        """The index of the action, if all its arguments have been chosen."""
        if len(self.chosen) < self.legal.ndim or np.count_nonzero(self.legal) != 1:
            return None
        return self.first + int(np.argmax(self.legal))

    @property
    def next_axis(self) -> int | None:
        """The axis of the argument to be chosen next; None if there is none."""
        return next(
            (k for k in range(self.legal.ndim) if len(self.values(k)) > 1 or k not in self.chosen), None
        )

    def values(self, axis: int) -> npt.NDArray[np.int64]:
        """The values of an argument that are possible."""
        others = tuple(k for k in range(self.legal.ndim) if k != axis)
        return np.flatnonzero(self.legal.any(axis=others))

    def restricted(self, axis: int, values: Sequence[int] | npt.NDArray[np.int64]) -> _Candidate | None:
        """It with one of these values of an argument; None if none is legal."""
        allowed = np.zeros(self.legal.shape[axis], np.bool_)
        allowed[values] = True
        legal = self.legal & allowed.reshape([-1 if k == axis else 1 for k in range(self.legal.ndim)])
        return replace(self, legal=legal, chosen=self.chosen | {axis}) if legal.any() else None


_Step: TypeAlias = Callable[[list[_Candidate]], list[_Candidate]]


class ActionChoice:
    """What an agent may do, and what of it has been chosen so far.

    An action without arguments is chosen as a whole. One with arguments is chosen in parts, in any of these ways:

    - by cells (`click`): a click chooses the next argument that is a position, a row, a column, or an agent or thing
      that is there;
    - as text (`enter`), whole or in part: `PLACE(2, 3)`, `2 3`, or `PLACE`, after which arguments are asked for;
    - from the list `options`, each of which is such a text.

    Methods that choose return the index of the action once it is complete.

    Args:
        world: whose actions.
        state: the state, in which agents and things have their places.
        legal: bool[actions]: what the agent may do, such as `Game.legal[agent]`.
    """

    def __init__(self, world: World, state: State, legal: npt.ArrayLike) -> None:
        self.world = world
        self._names = world.spec.agent_names
        self._steps: list[_Step] = []
        self.update(state, legal)

    def update(self, state: State, legal: npt.ArrayLike) -> None:
        """Go on in another state, with as many of the parts chosen so far as are possible there."""
        actions, mask = self.world.actions, np.asarray(legal, np.bool_)
        self._state = state
        self._all: list[_Candidate] = []
        first = 0
        for action in actions.listed:
            sizes = [actions.size(a) for a in self._arguments(action)]
            count = int(np.prod(sizes, dtype=np.int64))
            own = mask[first : first + count].reshape(sizes)
            if own.any():
                self._all.append(_Candidate(action, first, own))
            first += count
        steps, self._steps, self._candidates = self._steps, [], self._all
        for step in steps:
            if not self._take(step):
                break

    # what has been chosen, and what can be

    @property
    def begun(self) -> bool:
        """Whether a part has been chosen."""
        return bool(self._steps)

    @property
    def names(self) -> list[str]:
        """The names of the actions that can be meant, without arguments."""
        return [c.action.name for c in self._candidates]

    @property
    def legal_names(self) -> list[str]:
        """The names of all actions that are legal, whatever has been chosen."""
        return [c.action.name for c in self._all]

    @property
    def cells(self) -> npt.NDArray[np.bool_]:
        """bool[height, width]: the cells that `click` takes."""
        return self._marked((c, k) for c in self._candidates if (k := self._axis_of_cells(c)) is not None)

    @property
    def picked(self) -> npt.NDArray[np.bool_]:
        """bool[height, width]: the cells that have been chosen."""
        return self._marked((c, k) for c in self._candidates for k in c.chosen if self._has_cells(c, k))

    @property
    def by_cells(self) -> bool:
        """Whether everything that is to be chosen next can be chosen by a click."""
        return all(
            (axis := c.next_axis) is None or (self._axis_of_cells(c) == axis and all(self._places(c, axis)))
            for c in self._candidates
            if c.legal.ndim
        )

    @property
    def text(self) -> str:
        """What has been chosen: `MOVE((6, 4), …)`; empty if nothing has."""
        return " or ".join(map(self._written, self._candidates)) if self._steps else ""

    @property
    def prompt(self) -> str:
        """What is to be chosen next, as a sentence."""
        asking = [c for c in self._candidates if c.legal.ndim]
        if not asking:
            return "Nothing can be done." if not self._candidates else "Choose an action."
        if len(asking) > 1:
            return "Choose what to do." if not self._steps else "Choose which."
        (candidate,) = asking
        axis = candidate.next_axis
        words = in_words(candidate.action).capitalize()
        if axis is None:
            return f"{words}."
        name = self._arguments(candidate.action)[axis].name
        wanted = "cell" if name == "at" else name
        chosen = f"{self._written(candidate)}: " if candidate.chosen else f"{words}: "
        return f"{chosen}choose {'an' if wanted[0] in 'aeiou' else 'a'} {wanted}."

    @property
    def options(self) -> list[Option]:
        """What can be chosen next of the actions with arguments, as a list; empty if it would be too long.

        Where there are few, they are listed with all arguments, otherwise the actions, or the values of the next argument.
        """
        asking = [c for c in self._candidates if c.legal.ndim]
        if sum(np.count_nonzero(c.legal) for c in asking) <= FEW:
            names = [
                self.world.actions[c.first + i].name for c in asking for i in np.flatnonzero(c.legal).tolist()
            ]
            return [Option(name, name) for name in names]
        if len(asking) > 1:
            return [Option(c.action.name, in_words(c.action)) for c in asking]
        (candidate,) = asking
        axis = candidate.next_axis
        if axis is None:
            return []
        argument, values = self._arguments(candidate.action)[axis], candidate.values(axis).tolist()
        if len(values) > (FEW if argument.over == "cells" else MOST_LISTED):
            return []
        return [
            Option(self._value_text(argument, v), self._label(candidate.action, argument, v)) for v in values
        ]

    @property
    def example(self) -> str:
        """An action that can be meant, as text; with arguments if one takes any."""
        for candidate in sorted(self._candidates, key=lambda c: -c.legal.ndim):
            return str(self.world.actions[candidate.first + int(np.argmax(candidate.legal))].name)
        return ""

    def hint(self, y: int, x: int) -> str:
        """What a click on a cell would choose: `PLACE(2, 3)`, or `MOVE((6, 4), …)`; empty if nothing."""
        return " or ".join(map(self._written, self._clicked(self._candidates, y, x)))

    def together(self, y: int, x: int) -> npt.NDArray[np.bool_]:
        """bool[height, width]: the cells that mean the same as this one, such as those of its column; none if it is not legal."""
        return self._marked(self._at(self._candidates, y, x))

    # choosing

    def click(self, y: int, x: int) -> int | None:
        """Choose by a cell, in its row and column.

        Raises:
            ValueError: it is not possible.
        """
        return self._chosen(lambda given: self._clicked(given, y, x), f"the cell ({y}, {x})")

    def enter(self, text: str) -> int | None:
        """Choose by text: an action's name, values of its arguments, or both; parentheses and commas may be left out.

        It goes on with what has been chosen; a text with a name begins anew where that is not possible.

        Raises:
            ValueError: it is not possible.
        """
        match = re.fullmatch(r"\s*([^\W\d]\w*)?\s*([\d\s,()]*)", text, re.ASCII)
        if match is None or not text.strip():
            raise ValueError(f"an action is written as {self.example}, not {text!r}")
        name, numbers = match[1], [int(n) for n in re.findall(r"\d+", match[2])]
        before = self._steps, self._candidates
        for beginning in [before, ([], self._all)] if name and self._steps else [before]:
            self._steps, self._candidates = beginning
            try:
                return self._entered(name, numbers, text.strip())
            except ValueError as error:
                refused = error
        self._steps, self._candidates = before
        raise refused

    def _entered(self, name: str | None, numbers: list[int], text: str) -> int | None:
        index = None
        if name:
            meant = self._named(name)
            index = self._chosen(lambda given: [c for c in given if c.action.name == meant], name)
        if numbers or not name:
            index = self._chosen(lambda given: self._numbered(given, numbers), text)
        return index

    def back(self) -> bool:
        """Take back the part that was chosen last; whether there was one."""
        if not self._steps:
            return False
        steps, self._steps, self._candidates = self._steps[:-1], [], self._all
        for step in steps:
            self._take(step)
        return True

    def completes(self, text: str) -> bool:
        """Whether a number is all that there is to choose, and no longer number that begins with it is possible."""
        asking = [c for c in self._candidates if c.legal.ndim]
        axis = asking[0].next_axis if len(asking) == 1 else None
        if axis is None or self._arguments(asking[0].action)[axis].over == "cells":
            return False
        values = [str(v) for v in asking[0].values(axis).tolist()]
        return text in values and not any(v != text and v.startswith(text) for v in values)

    def _chosen(self, step: _Step, what: str) -> int | None:
        if not self._take(step):
            raise ValueError(f"{what} is not possible now{self._listed()}")
        found = [c.index for c in self._candidates]
        return found[0] if len(found) == 1 else None

    def _take(self, step: _Step) -> bool:
        """Make a choice, if it leaves anything; whether it does."""
        left = step(self._candidates)
        if left:
            self._steps, self._candidates = [*self._steps, step], left
        return bool(left)

    def _clicked(self, given: list[_Candidate], y: int, x: int) -> list[_Candidate]:
        """The candidates of which a cell can be chosen, with it."""
        return [candidate for candidate, _ in self._at(given, y, x)]

    def _at(self, given: list[_Candidate], y: int, x: int) -> Iterator[tuple[_Candidate, int]]:
        """The same, each with the axis of the argument that the cell chooses."""
        for candidate in given:
            axis = self._axis_of_cells(candidate)
            if axis is not None:
                with_cell = candidate.restricted(axis, self._values_at(candidate, axis, y, x))
                if with_cell is not None:
                    yield with_cell, axis

    def _numbered(self, given: list[_Candidate], numbers: list[int]) -> list[_Candidate]:
        """The candidates whose next arguments begin with these numbers."""
        found = []
        for candidate in given:
            restricted = self._with_numbers(candidate, numbers)
            if restricted is not None and restricted is not candidate:
                found.append(restricted)
        return found

    def _with_numbers(self, candidate: _Candidate, numbers: list[int]) -> _Candidate | None:
        left = list(numbers)
        while left:
            axis = candidate.next_axis
            if axis is None:
                return None
            argument = self._arguments(candidate.action)[axis]
            count = 2 if argument.over == "cells" else 1
            value = left[0] if count == 1 else self._place(left[:count])
            if value is None or not 0 <= value < candidate.legal.shape[axis]:
                return None
            restricted = candidate.restricted(axis, [value])
            if restricted is None:
                return None
            candidate, left = restricted, left[count:]
        return candidate

    def _place(self, yx: list[int]) -> int | None:
        """The value of the argument for a row and a column."""
        height, width = self.world.spec.shape
        return yx[0] * width + yx[1] if len(yx) == 2 and yx[0] < height and yx[1] < width else None

    def _named(self, name: str) -> str:
        """The action that is meant by a name, or its beginning, in capitals or not."""
        names = self.names
        whole = [n for n in names if n.lower() == name.lower()]
        found = whole or [n for n in names if n.lower().startswith(name.lower())]
        if len(found) != 1:
            raise ValueError(f"{name} is not possible now{self._listed()}")
        return found[0]

    # cells

    def _axis_of_cells(self, candidate: _Candidate) -> int | None:
        """The axis of the next argument that can be chosen by a click."""
        free = (k for k in range(candidate.legal.ndim) if k not in candidate.chosen)
        return next((k for k in free if self._has_cells(candidate, k)), None)

    def _has_cells(self, candidate: _Candidate, axis: int) -> bool:
        return any(self._places(candidate, axis))

    def _places(self, candidate: _Candidate, axis: int) -> Iterator[bool]:
        """For each value of an argument that is possible, whether cells stand for it."""
        over = self._arguments(candidate.action)[axis].over
        for value in candidate.values(axis).tolist():
            yield (
                self._position(over, value) is not None
                if over in ("agents", "things")
                else isinstance(over, str)
            )

    def _values_at(self, candidate: _Candidate, axis: int, y: int, x: int) -> list[int]:
        """The values of an argument that a cell stands for."""
        over, (height, width) = self._arguments(candidate.action)[axis].over, self.world.spec.shape
        if not (0 <= y < height and 0 <= x < width):
            return []
        if over in ("agents", "things"):
            return [v for v in candidate.values(axis).tolist() if self._position(over, v) == (y, x)]
        return [{"cells": y * width + x, "rows": y, "columns": x}[over]]  # type: ignore[index]

    def _marked(self, arguments: Iterable[tuple[_Candidate, int]]) -> npt.NDArray[np.bool_]:
        """bool[height, width]: the cells of all possible values of arguments, each an axis of a candidate."""
        height, width = self.world.spec.shape
        found = np.zeros((height, width), np.bool_)
        for candidate, axis in arguments:
            for value in candidate.values(axis).tolist():
                found[self._cells_of(candidate, axis, value)] = True
        return found

    def _cells_of(self, candidate: _Candidate, axis: int, value: int) -> tuple[Any, Any]:
        """The cells of a value, as an index of an array of the world's shape."""
        over, width = self._arguments(candidate.action)[axis].over, self.world.spec.shape.width
        if over in ("agents", "things"):
            return self._position(over, value) or (slice(0), slice(0))
        places = {
            "cells": divmod(value, width),
            "rows": (value, slice(None)),
            "columns": (slice(None), value),
        }
        return places[over]  # type: ignore[index]

    def _position(self, over: Any, number: int) -> Cell | None:
        """The place of an agent or a thing in the grid."""
        if over == "agents":
            agent: Any = self._state.agents[number]
            there = agent.active
        else:
            agent = self._state.things[number]
            there = agent.exists
        return agent.position.yx if there and self._state.grid.contains(agent.position) else None

    # words

    def _arguments(self, action: Action) -> tuple[Argument, ...]:
        return self.world.actions.table.declared.get(action.value, ())

    def _written(self, candidate: _Candidate) -> str:
        """An action with those of its arguments that have been chosen."""
        index = candidate.index
        if index is not None:
            return str(self.world.actions[index].name)
        parts = []
        for axis, argument in enumerate(self._arguments(candidate.action)):
            values = candidate.values(axis)
            known = axis in candidate.chosen and len(values) == 1
            parts.append(self._shown(argument, int(values[0])) if known else OPEN)
        return f"{candidate.action.name}({', '.join(parts)})"

    def _shown(self, argument: Argument, value: int) -> str:
        text = self._value_text(argument, value)
        return f"({text})" if argument.over == "cells" else text

    def _value_text(self, argument: Argument, value: int) -> str:
        if argument.over == "cells":
            return "{}, {}".format(*divmod(value, self.world.spec.shape.width))
        return str(value)

    def _label(self, action: Action, argument: Argument, value: int) -> str:
        """A value in a list: its name or what it is, after its number."""
        text = self._shown(argument, value)
        if argument.over == "agents":
            return f"{text}  {self._names[value]}"
        if argument.over == "things" and self._state.things[value].exists:
            return f"{text}  {written_thing(object_record(self._state.things[value].object))}"
        return f"{text}  {value_in_words(action, argument.name, value)}".rstrip()

    def _listed(self) -> str:
        """What is possible, for an error message."""
        names = list(itertools.islice(self._all_names(), FEW + 1))
        return f"; {', '.join(names[:FEW])}{', …' if len(names) > FEW else ''} can be chosen" if names else ""

    def _all_names(self) -> Iterator[str]:
        for candidate in self._candidates:
            for i in np.flatnonzero(candidate.legal).tolist():
                yield self.world.actions[candidate.first + i].name
