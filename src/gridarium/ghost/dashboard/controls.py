"""The controls of a dashboard: labels, options and limits; without widgets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gridarium.beliefs.resampling import RESAMPLERS
from gridarium.ghost.dashboard.settings import (
    AGENTS,
    GHOSTS,
    KNOWLEDGE,
    LOOKS,
    MAX_DEPTH,
    SENSORS,
    SLIP_TYPES,
    DashboardSettings,
    name_of,
)
from gridarium.ghost.world.descriptions import LANGUAGES
from gridarium.ghost.world.layout import GridLayout, names

Options = list[tuple[str, Any]]


@dataclass(frozen=True)
class Control:
    """A setting as users see it.

    Attributes:
        name: of the setting.
        label: the text next to the control.
        kind: "choice", "share" (0 to 1), "whole" or "truth".
        options: (label, value) of each choice.
        limits: of a whole number.
        hint: a short explanation.
    """

    name: str
    label: str
    kind: str
    options: tuple[tuple[str, Any], ...] = ()
    limits: tuple[int, int] = (0, 1)
    hint: str = ""


LABELS = {
    "values": "value iteration",
    "q-learning": "Q-learning",
    "color": "color",
    "vision": "vision",
    "both": "color and vision",
    "none": "none",
    "actual": "where it is",
    "estimated": "the filter's estimate",
    "plain": "plain",
    "original": "CustomGridEnv's",
    "en": "English",
    "de": "German",
}
"""The labels of values that are not plain words."""
LAYOUT_GOALS = "layout goals"
"""Stands for None among the options of `goal`: to widgets, None means that nothing is chosen."""
PARTICLES = (5, 20, 40, 100, 200, 1000, 10_000)
SECTIONS = {
    "World": ("layout", "seed", "goal", "slip", "slip_type", "deterministic", "use_ghost"),
    "Players": ("agent", "ghost", "depth", "knowledge"),
    "Sensors and filter": ("sensors", "quality", "particles", "resampler"),
    "Picture": ("show_particles", "show_values", "look", "language"),
}
"""The groups of controls, from top to bottom."""


def controls(settings: DashboardSettings, shape: tuple[int, int], vision_problem: str) -> dict[str, Control]:
    """All controls, by the names of their settings.

    Args:
        settings: the present ones; a class or a layout of the user's own is then among the options.
        shape: rows and columns of the map.
        vision_problem: why there is no vision sensor; "" if there is one.
    """
    usable = {name: name for name in SENSORS if not vision_problem or name not in ("vision", "both")}
    layouts = {layout: layout for layout in names()}
    made = (
        Control("layout", "layout", "choice", _options(layouts, settings.layout), hint="the map"),
        Control("seed", "seed", "whole", limits=(0, 999_999), hint="the same seed gives the same episode"),
        Control("goal", "goal", "choice", _positions(shape)),
        Control("slip", "slips with", "share", hint="how likely a move goes wrong"),
        Control("slip_type", "slips", "choice", _options(dict.fromkeys(SLIP_TYPES))),
        Control("deterministic", "never slips", "truth", hint="of movement only; sensors err as before"),
        Control("use_ghost", "with a ghost", "truth"),
        Control("agent", "agent", "choice", _options(AGENTS, settings.agent)),
        Control("ghost", "ghost", "choice", _options(GHOSTS, settings.ghost)),
        Control("depth", "turns ahead", "whole", limits=(1, MAX_DEPTH), hint="for minimax and expectimax"),
        Control("knowledge", "agent knows", "choice", _options(dict.fromkeys(KNOWLEDGE))),
        Control(
            "sensors", "sensors", "choice", _options(usable), hint=vision_problem or "what the filter uses"
        ),
        Control("quality", "color is right", "share", hint="how likely the color sensor is right"),
        Control("particles", "particles", "choice", _numbers(settings.particles)),
        Control("resampler", "resampling", "choice", _options(dict.fromkeys(RESAMPLERS))),
        Control("show_particles", "show particles", "truth"),
        Control("look", "look", "choice", _options(dict.fromkeys(LOOKS))),
        Control(
            "language", "signs in", "choice", _options(dict.fromkeys(LANGUAGES)), hint="of plain pictures"
        ),
        Control("show_values", "show values", "truth", hint="the players' values of cells"),
    )
    return {control.name: control for control in made}


def _options(listed: dict[str, Any], now: Any = None) -> tuple[tuple[str, Any], ...]:
    """The options with a name, and the present value if it has none."""
    options: Options = [(LABELS.get(name, name), name) for name in listed]
    if now is not None and now not in listed:
        options.append((now.name if isinstance(now, GridLayout) else name_of(now, listed), now))
    return tuple(options)


def _numbers(now: int) -> tuple[tuple[str, int], ...]:
    return tuple((f"{number:,}", number) for number in sorted({*PARTICLES, now}))


def _positions(shape: tuple[int, int]) -> tuple[tuple[str, Any], ...]:
    """The layout's own goals, and each cell as the only goal."""
    cells = [(row, col) for row in range(shape[0]) for col in range(shape[1])]
    return ("as on the map", LAYOUT_GOALS), *((str(cell), cell) for cell in cells)
