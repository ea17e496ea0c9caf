"""The contents of a dashboard: the world, beliefs as maps, charts, and statistics in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.draw import Heat, Texts, svg
from gridarium.draw.overlays.marks import OverlayShape
from gridarium.draw.shapes import Ring
from gridarium.draw.themes import Theme
from gridarium.ghost import plain
from gridarium.ghost.agents import QLearningAgent
from gridarium.ghost.dashboard.charts import Series, chart, side_by_side
from gridarium.ghost.dashboard.history import History
from gridarium.ghost.dashboard.simulation import Simulation
from gridarium.world import Floor
from gridarium.world.geometry import Shape

COLORS = ("none", "red", "green")
PARTICLES, EXACT = "#1f6fb4", "#444444"
MIN_WRITTEN = 0.005
"""The least probability that is written."""
MAX_TILE, PAGE = 64, 640
"""Pixels: the most of a cell, and those of the map's longer side."""


@dataclass(frozen=True)
class AgentRing:
    """A ring around a cell, (row, column)."""

    place: Sequence[int]

    def marks(self, shape: Shape, theme: Theme) -> Iterator[OverlayShape]:
        """The ring."""
        yield OverlayShape(Ring(self.place[1] + 0.5, self.place[0] + 0.5, 0.42, 0.06), None)


def world(simulation: Simulation) -> npt.NDArray[np.uint8]:
    """The picture of the world, with particles and values if they are shown."""
    env, settings = simulation.env, simulation.settings
    shown: dict[str, Any] = {}
    if settings.show_particles:
        shown |= {"particles": simulation.filter.get_particles(), "show_particles": True}
    if settings.show_values:
        shown |= values(simulation)
    if settings.look == "plain":
        return plain.picture(env, shown, settings.language)
    info, env.info = env.info, {**env.info, **shown}
    try:
        return env.picture()
    finally:
        env.info = info


def values(simulation: Simulation) -> dict[str, Any]:
    """The values of cells for the agent and the ghost, where they have some, with the keys of `info`."""
    env, agent = simulation.env, simulation.agent
    ghost: Any = simulation.interface.ghost_agent
    shape = env.rows, env.cols
    cells = list(np.ndindex(shape))
    found: dict[str, Any] = {}
    if isinstance(agent, QLearningAgent):
        q_values = [agent.q_table.get(cell, np.zeros(4)) for cell in cells]
        found["q_values"] = np.reshape(q_values, (*shape, 4))
    elif hasattr(agent, "depth_limit"):
        found["agent_values"] = np.reshape([agent.get_value(cell, env.ghost_pos) for cell in cells], shape)
    elif hasattr(agent, "get_value"):
        found["agent_values"] = np.reshape([agent.get_value(cell) for cell in cells], shape)
    if simulation.settings.use_ghost and hasattr(ghost, "depth_limit"):
        found["ghost_values"] = np.reshape([ghost.get_value(env.agent_pos, cell) for cell in cells], shape)
    return found


def belief(simulation: Simulation, *, exact: bool) -> str:
    """A belief as a map with percentages and walls, as an SVG document."""
    known = simulation.exact_belief if exact else simulation.filter.belief
    grid = simulation.env.state.copy().grid
    for position in grid.positions():
        grid[position] = Floor()
    percent = [[f"{100 * p:.0f}%" if p >= MIN_WRITTEN else None for p in row] for row in known.tolist()]
    name = "exact" if exact else "particle"
    return svg(
        grid,
        tile=max(8, min(MAX_TILE, PAGE // max(known.shape))),
        title=f"The belief of the {name} filter; the ring marks the agent",
        overlays=(Heat(known, fade=True), AgentRing(simulation.env.agent_pos), Texts(percent)),
    )


def curves(history: History) -> str:
    """The entropy of both filters, and the probability of the true cell, as an SVG document."""
    entropy = chart(
        "uncertainty, bits",
        [Series("particles", history.entropy, PARTICLES), Series("exact", history.exact_entropy, EXACT)],
    )
    truth = chart(
        "probability of the true cell",
        [Series("particles", history.truth, PARTICLES), Series("exact", history.exact_truth, EXACT)],
        most=1.0,
    )
    return side_by_side(entropy, truth)


def stats(simulation: Simulation) -> dict[str, str]:
    """The state of the episode in words."""
    interface, history, env = simulation.interface, simulation.history, simulation.env
    info = interface.last_info
    row, col = info["estimated_pos"]["cell_pos"]
    rows = {
        "round": str(interface.episode_steps),
        "return": f"{interface.total_reward:g}",
        "agent": f"({env.agent_pos[0]}, {env.agent_pos[1]})",
        "estimate": f"({row}, {col})",
        "filter right": f"{history.right} of {len(history)} times",
        "uncertainty": f"{history.entropy[-1]:.2f} bits (exact {history.exact_entropy[-1]:.2f})",
        "color read": COLORS[info["color_measurement"]],
    }
    if "cnn_prediction" in info:
        name, share = info["cnn_prediction"]
        rows["vision"] = f"{name} ({share:.0%})"
    if simulation.settings.use_ghost:
        rows["way to the ghost"] = str(info["ghost_distance"])
    return rows


def last_event(simulation: Simulation) -> str:
    """The last round, or the end of the episode, in a sentence."""
    interface = simulation.interface
    known = interface.get_episode_stats()
    after = f"after {known['steps']} rounds, return {known['total_reward']:g}"
    if known["reached_goal"]:
        return f"Goal reached {after}."
    if known["caught_by_ghost"]:
        return f"Caught by the ghost {after}."
    if known["truncated"]:
        return f"Time is up {after}."
    info = interface.last_info
    if info["slipped"]:
        return f"Wanted {info['intended_action']}, slipped: {info['actual_action']}."
    return f"Went {info['actual_action']}."
