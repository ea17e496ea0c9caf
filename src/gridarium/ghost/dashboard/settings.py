"""The settings of a dashboard, and the values that they may have."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from gridarium.beliefs.resampling import RESAMPLERS
from gridarium.ghost.agents import (
    ChaseGhostAgent,
    ExpectimaxAgent,
    MinimaxAgent,
    QLearningAgent,
    RandomGhostAgent,
    RandomPlayerAgent,
    ValueIterationAgent,
)
from gridarium.ghost.world import checks
from gridarium.ghost.world.checks import Check, check_of
from gridarium.ghost.world.descriptions import LANGUAGES
from gridarium.ghost.world.layout import DEFAULT, GridLayout

AGENTS: dict[str, Any] = {
    "values": ValueIterationAgent,
    "q-learning": QLearningAgent,
    "minimax": MinimaxAgent,
    "expectimax": ExpectimaxAgent,
    "random": RandomPlayerAgent,
}
GHOSTS: dict[str, Any] = {
    "chase": ChaseGhostAgent,
    "random": RandomGhostAgent,
    "minimax": MinimaxAgent,
    "expectimax": ExpectimaxAgent,
}
SENSORS = {"color": "color", "vision": "cnn", "both": "both", "none": "cnn"}
"""For each choice the filter's sensor mode; "none" is vision without a sensor."""
SLIP_TYPES = ("longitudinal", "perpendicular")
KNOWLEDGE = ("actual", "estimated")
LOOKS = ("plain", "original")
MAX_DEPTH, MAX_PARTICLES = 8, 100_000


def _whole(least: int, most: int) -> Check:
    return check_of(Annotated[int, Field(ge=least, le=most)], f"a whole number from {least} to {most}")


def _one_of(words: Iterable[str]) -> Check:
    return check_of(Literal[tuple(words)], f"one of {', '.join(words)}")


CHECKS: dict[str, Check] = {
    "seed": _whole(0, 2**63 - 1),
    "use_ghost": checks.true_or_false,
    "depth": _whole(1, MAX_DEPTH),
    "knowledge": _one_of(KNOWLEDGE),
    "sensors": _one_of(SENSORS),
    "quality": checks.probability,
    "slip": checks.probability,
    "slip_type": checks.slip_type,
    "deterministic": checks.true_or_false,
    "particles": _whole(1, MAX_PARTICLES),
    "resampler": _one_of(RESAMPLERS),
    "show_particles": checks.true_or_false,
    "show_values": checks.true_or_false,
    "look": _one_of(LOOKS),
    "language": _one_of(LANGUAGES),
}


@dataclass(frozen=True)
class DashboardSettings:
    """The settings of a dashboard.

    Attributes:
        layout: the name of a built-in layout, a file, or a `GridLayout`.
        seed: of episodes; equal seeds give equal episodes.
        goal: (row, column) of the only goal; None for the layout's own goals.
        agent: the agent: a name in `AGENTS`, or a class like those.
        ghost: the agent that plays the ghosts: a name in `GHOSTS`, or a class.
        use_ghost: whether ghosts take part.
        depth: the number of turns that minimax and expectimax search ahead.
        knowledge: "actual" (the agent knows where it is) or "estimated" (it uses the filter's estimate).
        sensors: the sensors that the filter uses: "color", "vision", "both" or "none".
        quality: the probability that the color sensor is right.
        slip: the probability that the agent slips.
        slip_type: "longitudinal" or "perpendicular".
        deterministic: whether the agent never slips, whatever `slip` is.
        particles: the number of particles.
        resampler: the resampling method.
        show_particles, show_values: whether pictures show them.
        look: of pictures: "plain" (the library's own style) or "original" (that of CustomGridEnv).
        language: of texts in plain pictures and plans: "en" or "de".

    Raises:
        ValueError: another value, with the allowed ones.
    """

    layout: str | Path | GridLayout = DEFAULT
    seed: int = 0
    goal: tuple[int, int] | None = None
    agent: Any = "values"
    ghost: Any = "chase"
    use_ghost: bool = True
    depth: int = 4
    knowledge: str = "actual"
    sensors: str = "color"
    quality: float = 0.8
    slip: float = 0.2
    slip_type: str = "longitudinal"
    deterministic: bool = False
    particles: int = 200
    resampler: str = "systematic"
    show_particles: bool = True
    show_values: bool = False
    look: str = "plain"
    language: str = "en"

    def __post_init__(self) -> None:
        for name, check in CHECKS.items():
            object.__setattr__(self, name, check(name, getattr(self, name)))
        if not isinstance(self.layout, str | Path | GridLayout):
            raise ValueError(f"layout is a layout's name, a file or a GridLayout, got {self.layout!r}")
        for role, known in (("agent", AGENTS), ("ghost", GHOSTS)):
            player = getattr(self, role)
            name = name_of(player, known)
            if name in known or not callable(player):
                object.__setattr__(self, role, _one_of(known)(role, name))

    def changed(self, **changes: Any) -> DashboardSettings:
        """The same with other values of some settings.

        Raises:
            ValueError: an unknown setting, or a value that is not allowed.
        """
        for name in changes:
            if name not in NAMES:
                close = get_close_matches(name, NAMES, 1)
                hint = f"; did you mean {close[0]!r}?" if close else ""
                raise ValueError(f"no setting {name!r}; there are {', '.join(NAMES)}{hint}")
        return dataclasses.replace(self, **changes)

    def player(self, role: str) -> Any:
        """The class that plays the role "agent" or "ghost"."""
        player = getattr(self, role)
        return player if callable(player) else {"agent": AGENTS, "ghost": GHOSTS}[role][player]


NAMES = tuple(field.name for field in dataclasses.fields(DashboardSettings))


def name_of(player: Any, known: Mapping[str, Any]) -> str:
    """The name of a class among known ones; of other classes their own name."""
    if isinstance(player, str):
        return player
    found = next((name for name, listed in known.items() if player is listed), None)
    return found or str(getattr(player, "__name__", repr(player)))
