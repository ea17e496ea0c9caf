"""Which controls a desk has, and what they are called; without any widgets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gridarium.beliefs.resampling import RESAMPLERS
from gridarium.ghost import settings
from gridarium.ghost.describing import LANGUAGES
from gridarium.ghost.desk.switches import (
    AGENTS,
    DEEPEST,
    GHOSTS,
    KNOWLEDGE,
    LOOKS,
    SENSORS,
    Switches,
    name_of,
)
from gridarium.ghost.layout import Layout, names

Options = list[tuple[str, Any]]


@dataclass(frozen=True)
class Control:
    """A switch as people see it.

    Attributes:
        name: of the switch.
        label: what is written beside it.
        kind: "choice", "share" (0 to 1), "whole" or "truth".
        options: of a choice: (what is written, what is meant).
        limits: of a whole number.
        hint: what it does, in a sentence.
    """

    name: str
    label: str
    kind: str
    options: tuple[tuple[str, Any], ...] = ()
    limits: tuple[int, int] = (0, 1)
    hint: str = ""


WORDS = {
    "values": "value iteration",
    "q-learning": "Q-learning",
    "color": "color",
    "vision": "vision",
    "both": "color and vision",
    "none": "none",
    "actual": "where it is",
    "estimated": "the filter's estimate",
    "plain": "plain",
    "familiar": "CustomGridEnv's",
    "en": "English",
    "de": "German",
}
"""What is written for names that are not plain words."""
USUAL = "usual"
"""Stands for None among options: to widgets, None means that nothing is chosen."""
PARTICLES = (5, 20, 40, 100, 200, 1000, 10_000)
SECTIONS = {
    "World": ("layout", "seed", "goal", "slip", "slip_type", "deterministic", "use_ghost"),
    "Players": ("agent", "ghost", "depth", "knowledge"),
    "Sensors and filter": ("sensors", "quality", "particles", "resampler"),
    "Picture": ("show_particles", "show_values", "look", "language"),
}
"""The groups of controls, from above to below."""


def controls(switches: Switches, shape: tuple[int, int], vision_problem: str) -> dict[str, Control]:
    """All controls, by the names of their switches.

    Args:
        switches: as they are now; a class or a layout of one's own is then among the options.
        shape: rows and columns of the map.
        vision_problem: why there is no vision; "" if there is.
    """
    seeing = {name: name for name in SENSORS if not vision_problem or name not in ("vision", "both")}
    known = {layout: layout for layout in names()}
    made = (
        Control("layout", "layout", "choice", _options(known, switches.layout), hint="the map"),
        Control("seed", "seed", "whole", limits=(0, 999_999), hint="the same seed gives the same episode"),
        Control("goal", "goal", "choice", _places(shape)),
        Control("slip", "slips with", "share", hint="how likely a move goes wrong"),
        Control("slip_type", "slips", "choice", _options(dict.fromkeys(settings.SLIP_TYPES))),
        Control("deterministic", "never slips", "truth", hint="of movement only; sensors err as before"),
        Control("use_ghost", "with a ghost", "truth"),
        Control("agent", "agent", "choice", _options(AGENTS, switches.agent)),
        Control("ghost", "ghost", "choice", _options(GHOSTS, switches.ghost)),
        Control("depth", "turns ahead", "whole", limits=(1, DEEPEST), hint="for minimax and expectimax"),
        Control("knowledge", "agent knows", "choice", _options(dict.fromkeys(KNOWLEDGE))),
        Control(
            "sensors", "sensors", "choice", _options(seeing), hint=vision_problem or "what the filter uses"
        ),
        Control("quality", "color is right", "share", hint="how likely the color sensor is right"),
        Control("particles", "particles", "choice", _numbers(switches.particles)),
        Control("resampler", "resampling", "choice", _options(dict.fromkeys(RESAMPLERS))),
        Control("show_particles", "show particles", "truth"),
        Control("look", "look", "choice", _options(dict.fromkeys(LOOKS))),
        Control(
            "language", "signs in", "choice", _options(dict.fromkeys(LANGUAGES)), hint="of plain pictures"
        ),
        Control("show_values", "show values", "truth", hint="what the players think that cells are worth"),
    )
    return {control.name: control for control in made}


def _options(listed: dict[str, Any], now: Any = None) -> tuple[tuple[str, Any], ...]:
    """What can be chosen by name, with what is chosen now if that has no name."""
    options: Options = [(WORDS.get(name, name), name) for name in listed]
    if now is not None and now not in listed:
        options.append((now.name if isinstance(now, Layout) else name_of(now, listed), now))
    return tuple(options)


def _numbers(now: int) -> tuple[tuple[str, int], ...]:
    return tuple((f"{number:,}", number) for number in sorted({*PARTICLES, now}))


def _places(shape: tuple[int, int]) -> tuple[tuple[str, Any], ...]:
    """All cells as goals, after those that the map has."""
    cells = [(row, col) for row in range(shape[0]) for col in range(shape[1])]
    return ("as on the map", USUAL), *((str(cell), cell) for cell in cells)
