"""What can be switched at a desk, and what it may be switched to."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from gridarium.beliefs.resampling import RESAMPLERS
from gridarium.ghost import settings
from gridarium.ghost.agents import (
    ChaseGhostAgent,
    ExpectimaxAgent,
    MinimaxAgent,
    QLearningAgent,
    RandomGhostAgent,
    RandomPlayerAgent,
    ValueIterationAgent,
)
from gridarium.ghost.describing import LANGUAGES
from gridarium.ghost.layout import DEFAULT, Layout

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
"""For each choice what the filter's sensor mode is called; "none" is vision without a sensor."""
KNOWLEDGE = ("actual", "estimated")
LOOKS = ("plain", "familiar")
DEEPEST, MOST_PARTICLES = 8, 100_000


@dataclass(frozen=True)
class Switches:
    """How everything is switched.

    Attributes:
        layout: the name of a layout that comes along, a file, or a `Layout`.
        seed: of episodes; the same seed gives the same episode.
        goal: (row, column) of the only goal; None for the layout's own goals.
        agent: who plays: a name among `AGENTS`, or a class like those.
        ghost: who plays the ghosts: a name among `GHOSTS`, or a class.
        use_ghost: whether ghosts take part.
        depth: how many turns minimax and expectimax look ahead.
        knowledge: "actual" (the agent is told where it is) or "estimated" (it goes by the filter).
        sensors: what the filter learns from: "color", "vision", "both" or "none".
        quality: how likely the color sensor is right.
        slip: how likely the agent slips.
        slip_type: "longitudinal" or "perpendicular".
        deterministic: whether the agent never slips, whatever `slip` says.
        particles: how many.
        resampler: how particles are chosen anew.
        show_particles, show_values: whether pictures show them.
        look: of pictures: "plain" (the library's own drawing style) or "familiar" (that of CustomGridEnv).
        language: of signs on plain pictures and in plans: "en" or "de".

    Raises:
        ValueError: something else, with what is allowed.
    """

    layout: str | Path | Layout = DEFAULT
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
        settings.probability("quality", self.quality)
        settings.probability("slip", self.slip)
        settings.slip_type("slip_type", self.slip_type)
        if not isinstance(self.layout, str | Path | Layout):
            raise ValueError(f"layout is a layout's name, a file or a Layout, got {self.layout!r}")
        for name in ("use_ghost", "deterministic", "show_particles", "show_values"):
            settings.truth(name, getattr(self, name))
        for name, least, most in (
            ("seed", 0, 2**63 - 1),
            ("depth", 1, DEEPEST),
            ("particles", 1, MOST_PARTICLES),
        ):
            _check_whole(name, getattr(self, name), least, most)
        for name, known in (("knowledge", KNOWLEDGE), ("sensors", SENSORS), ("resampler", RESAMPLERS),
                            ("look", LOOKS), ("language", LANGUAGES)):  # fmt: skip
            _check_word(name, getattr(self, name), known)
        for name, listed in (("agent", AGENTS), ("ghost", GHOSTS)):
            known_as = name_of(getattr(self, name), listed)
            if known_as in listed or not callable(getattr(self, name)):
                _check_word(name, known_as, listed)
                object.__setattr__(self, name, known_as)

    def changed(self, **changes: Any) -> Switches:
        """The same with other settings.

        Raises:
            ValueError: no such switch, or something that it cannot be switched to.
        """
        for name in changes:
            if name not in NAMES:
                close = get_close_matches(name, NAMES, 1)
                hint = f"; did you mean {close[0]!r}?" if close else ""
                raise ValueError(f"no switch {name!r}; there are {', '.join(NAMES)}{hint}")
        return dataclasses.replace(self, **changes)

    def player(self, role: str) -> Any:
        """The class that plays the role "agent" or "ghost"."""
        wanted = getattr(self, role)
        return wanted if callable(wanted) else {"agent": AGENTS, "ghost": GHOSTS}[role][wanted]


NAMES = tuple(field.name for field in dataclasses.fields(Switches))


def name_of(player: Any, listed: Mapping[str, Any]) -> str:
    """What a class, or a name, is called among those listed; a class of one's own by its own name."""
    if isinstance(player, str):
        return player
    found = next((name for name, known in listed.items() if player is known), None)
    return found or str(getattr(player, "__name__", repr(player)))


def _check_whole(name: str, value: Any, least: int, most: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise ValueError(f"{name} is a whole number from {least} to {most}, got {value!r}")


def _check_word(name: str, value: Any, known: Any) -> None:
    if not isinstance(value, str) or value not in known:
        raise ValueError(f"{name} is one of {', '.join(known)}, got {value!r}")
