"""The waypoints of a plan: cells to visit one after another, and a checklist of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gridarium.ghost.world.paths import Place

MARKS = {"open": "☐", "reached": "☑", "believed": "☑", "missed": "☒"}


@dataclass
class Waypoint:
    """A cell to visit.

    Attributes:
        place: (row, column).
        name: its contents, in words.
        state: "open", "reached", "believed" (the agent believes to be there, and is not) or "missed" (it was caught).
        truth: the agent's position when it believed to be there.
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


class Waypoints:
    """Cells to visit one after another.

    Args:
        targets: in this order.
    """

    def __init__(self, targets: Iterable[Waypoint] = ()) -> None:
        self.targets = list(targets)

    @property
    def next(self) -> Waypoint | None:
        """The first open waypoint; None if there is none."""
        return next((target for target in self.targets if target.state == "open"), None)

    def give_up(self) -> None:
        """Mark all open waypoints as missed."""
        for target in self.targets:
            if target.state == "open":
                target.state = "missed"

    def __bool__(self) -> bool:
        return bool(self.targets)

    def __str__(self) -> str:
        return "\n".join(map(str, self.targets))
