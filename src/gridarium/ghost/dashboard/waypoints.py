"""An errand: places to be visited one after another, and a checklist of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

Place = tuple[int, int]
MARKS = {"open": "☐", "reached": "☑", "believed": "☑", "missed": "☒"}


@dataclass
class Target:
    """A place to be visited.

    Attributes:
        place: (row, column).
        name: what is there, in words.
        state: "open", "reached", "believed" (the agent takes itself to be there and is not) or "missed" (it was caught).
        truth: where the agent was when it believed to be there.
    """

    place: Place
    name: str = ""
    state: str = "open"
    truth: Place | None = None

    def __str__(self) -> str:
        name = f" {self.name}" if self.name else ""
        notes = {
            "believed": f" (believed; in truth at {self.truth})",
            "missed": " (caught before)",
        }
        return f"{MARKS[self.state]} {self.place}{name}{notes.get(self.state, '')}"


class Errand:
    """Places to be visited one after another.

    Args:
        targets: in this order.
    """

    def __init__(self, targets: Iterable[Target] = ()) -> None:
        self.targets = list(targets)

    @property
    def next(self) -> Target | None:
        """Where to go now; None if there is nothing left."""
        return next((target for target in self.targets if target.state == "open"), None)

    def give_up(self) -> None:
        """Leave what is open."""
        for target in self.targets:
            if target.state == "open":
                target.state = "missed"

    def __bool__(self) -> bool:
        return bool(self.targets)

    def __str__(self) -> str:
        return "\n".join(map(str, self.targets))
