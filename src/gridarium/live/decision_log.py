"""What agents have decided so far, in little memory."""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, overload

import numpy as np

from gridarium.live.decisions import Decision

Tick = Mapping[str, Decision]
PLAIN = (str, int, float, bool, type(None), np.generic)
"""The types of arguments by which decisions are recognised: what they are is all in their texts."""


class DecisionLog(Sequence[Tick]):
    """For each tick what each agent decided that was not busy; like a list of dicts, which are made when somebody asks.

    A decision takes 4 bytes, and a tick 12 more, where the same has been decided before. Another takes some hundred bytes, and so does
    each one whose arguments are not all texts, numbers, bools or None.

    Args:
        ticks: with which it begins.
    """

    def __init__(self, ticks: Iterable[Tick] = ()) -> None:
        self._decisions: list[Decision] = []
        self._numbers: dict[Hashable, int] = {}
        self._groups: list[tuple[str, ...]] = []
        self._group_numbers: dict[tuple[str, ...], int] = {}
        self._codes = array(
            "I"
        )  # for each tick the number of the group of agents, then those of their decisions
        self._ends = array("Q")
        for tick in ticks:
            self.append(tick)

    def append(self, decided: Tick) -> None:
        """Add a tick."""
        codes, numbers = self._codes, self._numbers
        del codes[self._ends[-1] if self._ends else 0 :]  # what an interrupted call has left
        agents = tuple(decided)
        if agents not in self._group_numbers:
            self._group_numbers[agents] = len(self._groups)
            self._groups.append(agents)
        codes.append(self._group_numbers[agents])
        for name, kwargs in decided.values():
            number = None if kwargs else numbers.get(name)
            codes.append(self._number_of(name, kwargs) if number is None else number)
        self._ends.append(len(codes))

    def _number_of(self, name: str | None, kwargs: dict[str, Any]) -> int:
        is_plain = all(isinstance(value, PLAIN) for value in kwargs.values())
        key = (name, repr(kwargs)) if kwargs else name
        number = self._numbers.get(key) if is_plain else None
        if number is None:
            number = len(self._decisions)
            self._decisions.append((name, dict(kwargs)))
            if is_plain:
                self._numbers[key] = number
        return number

    def first(self, count: int) -> DecisionLog:
        """The first ticks, as a log of their own."""
        made = DecisionLog()
        made._decisions, made._numbers = self._decisions, self._numbers  # to which only is added
        made._groups, made._group_numbers = self._groups, self._group_numbers
        made._ends = self._ends[:count]
        made._codes = self._codes[: made._ends[-1] if made._ends else 0]
        return made

    def __len__(self) -> int:
        return len(self._ends)

    @overload
    def __getitem__(self, index: int) -> Tick: ...
    @overload
    def __getitem__(self, index: slice) -> list[Tick]: ...
    def __getitem__(self, index: int | slice) -> Tick | list[Tick]:
        ticks = range(len(self))[index]
        if isinstance(ticks, range):
            return [self[tick] for tick in ticks]
        group, *codes = self._codes[self._ends[ticks - 1] if ticks else 0 : self._ends[ticks]]
        decided = (self._decisions[code] for code in codes)
        return {
            agent: (name, dict(kwargs))
            for agent, (name, kwargs) in zip(self._groups[group], decided, strict=True)
        }

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<decisions of {len(self)} ticks>"
