"""The goals of a live world, as pages show them. No web code."""

from __future__ import annotations

import logging
import re
from typing import Any

from gridarium.live import GridWorld

_LOG = logging.getLogger(__name__)


def goals_of(world: GridWorld) -> list[dict[str, Any]]:
    """The goals of a world, and how far they are."""
    goals = world.simulation_goal
    return [
        {
            "name": _goal_name(goal),
            "progress": _progress(goal, world),
            "done": bool(getattr(goal, "is_done", False)),
        }
        for goal in (goals if isinstance(goals, list | tuple) else [goals])
    ]


def _goal_name(goal: Any) -> str:
    kind = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", type(goal).__name__).removesuffix(" Goal").capitalize()
    name = getattr(goal, "name", None)
    return f"{kind}: {name}" if isinstance(name, str) and name else kind


def _progress(goal: Any, world: GridWorld) -> float | None:
    try:
        return round(float(goal.progress(world)), 4)
    except Exception as failed:  # a goal of somebody's own: what it raises here need not stop the world
        _LOG.warning("%s: its progress is not known: %s", type(goal).__name__, failed)
        return None
