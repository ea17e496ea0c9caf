"""The agents that act next, where rules choose them (`turn_order: chosen`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from gridarium.compiled.data_types.value_class import value

MOST_ACTING = 62
"""The maximum number of agents of a world in which rules choose who acts."""


@value
class ActingAgents:
    """The agents that act next, a set of their numbers; `state.acting` in rules.

    A state holds one of them as its number, and several, or none, as the complement of their bits.

    Attributes:
        data: int64[n]: the row of the state that holds them.
        entry: the index in it.
        count: the number of agents of the world.
    """

    __hidden__: ClassVar[tuple[str, ...]] = ("data", "entry", "count", "bits")
    data: Any
    entry: int
    count: int

    @property
    def bits(self) -> int:
        """The set as an integer: one bit for each agent."""
        check_count(self)
        return bits_of(int(self.data[self.entry]))

    def add(self, number: int) -> None:
        """Let an agent act next, besides the others.

        Raises:
            IndexError: there is no such agent.
        """
        check_number(self, number)
        self.data[self.entry] = turn_of(self.bits | 1 << number)

    def discard(self, number: int) -> None:
        """Let an agent not act next, as one that has passed.

        Raises:
            IndexError: there is no such agent.
        """
        check_number(self, number)
        self.data[self.entry] = turn_of(self.bits & ~(1 << number))

    def fill(self) -> None:
        """Let all agents act next."""
        check_count(self)
        self.data[self.entry] = turn_of((1 << self.count) - 1)

    def clear(self) -> None:
        """Let no agent act next."""
        self.data[self.entry] = -1

    def __contains__(self, number: int) -> bool:
        return 0 <= number < self.count and self.bits >> number & 1 != 0

    def __len__(self) -> int:
        bits, found = self.bits, 0
        for number in range(self.count):
            found += bits >> number & 1
        return found

    def __iter__(self) -> Iterator[int]:
        bits = self.bits
        for number in range(self.count):
            if bits >> number & 1 != 0:
                yield number

    def __eq__(self, other: Any) -> bool:
        return other == set(self)

    def __hash__(self) -> int:
        return hash(self.bits)

    def __repr__(self) -> str:
        return f"ActingAgents({sorted(self)})"


def check_count(acting: ActingAgents) -> None:
    """Raise an error in a world with more agents than a set can hold, where rules do not choose who acts."""
    if acting.count > MOST_ACTING:
        raise ValueError(f"state.acting is a set of at most {MOST_ACTING} agents; there are {acting.count}")


def check_number(acting: ActingAgents, number: int) -> None:
    """Raise an error if there is no such agent."""
    if not 0 <= number < acting.count:
        raise IndexError(f"agents are numbered from 0 to {acting.count - 1}; got {number}")


def bits_of(turn: int) -> int:
    """The agents that act next as bits, of the turn as a state holds it."""
    return 1 << turn if turn >= 0 else ~turn


def turn_of(bits: int) -> int:
    """The turn as a state holds it, of the agents that act next as bits: the number of a single one."""
    if bits == 0 or bits & (bits - 1) != 0:
        return ~bits
    number = 0
    while bits >> number != 1:
        number += 1
    return number


def acts(turn: int, number: int) -> bool:
    """Whether an agent is among those that act next."""
    return bits_of(turn) >> number & 1 != 0
