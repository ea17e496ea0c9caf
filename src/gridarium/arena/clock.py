"""The clock of a seat."""

from __future__ import annotations

from dataclasses import dataclass

from gridarium.engine.arguments import check_number


@dataclass(frozen=True)
class TimeControl:
    """The time that each seat has.

    Attributes:
        per_move: seconds for each move; None for no limit at all, so that a player of another process can hang a match.
        bank: seconds that all moves of a game together may take beyond `per_move`.

    Raises:
        TypeError, ValueError: not numbers, or negative ones.
    """

    per_move: float | None = 1.0
    bank: float = 10.0

    def __post_init__(self) -> None:
        if self.per_move is not None:
            check_number("the time per move", self.per_move)
        check_number("the bank", self.bank)


class Clock:
    """The time that is left to a seat in one game.

    Args:
        control: the time that it has.

    Attributes:
        bank: what is left of the bank, in seconds.
        used: the seconds that all moves took.
    """

    def __init__(self, control: TimeControl) -> None:
        self.control, self.bank, self.used = control, control.bank, 0.0

    @property
    def time_left(self) -> float | None:
        """The seconds that the next move may take; None for no limit."""
        return None if self.control.per_move is None else self.control.per_move + self.bank

    def spend(self, seconds: float) -> bool:
        """Subtract the time of a move; whether there was enough."""
        self.used += seconds
        if self.control.per_move is None:
            return True
        self.bank -= max(0.0, seconds - self.control.per_move)
        in_time = self.bank >= 0
        self.bank = max(0.0, self.bank)
        return in_time
