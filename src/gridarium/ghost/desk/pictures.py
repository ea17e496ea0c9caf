"""What there is to see at a desk: the world, beliefs as maps, curves, and how things stand in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from gridarium.ghost import plain
from gridarium.ghost.agents import QLearningAgent
from gridarium.ghost.desk.belief_map import belief_map
from gridarium.ghost.desk.charts import Curve, chart, side_by_side
from gridarium.ghost.desk.following import History

if TYPE_CHECKING:
    from gridarium.ghost.desk.desk import Desk

COLORS = ("none", "red", "green")
PARTICLES, EXACT = "#1f6fb4", "#444444"


def world(desk: Desk) -> npt.NDArray[np.uint8]:
    """The ghost world's picture, with particles and values as switched."""
    env, switches = desk.env, desk.switches
    shown: dict[str, Any] = {}
    if switches.show_particles:
        shown |= {"particles": desk.stage.filter.get_particles(), "show_particles": True}
    if switches.show_values:
        shown |= values(desk)
    if switches.look == "plain":
        return plain.picture(env, shown, switches.language)
    kept, env.info = env.info, {**env.info, **shown}
    try:
        picture: npt.NDArray[np.uint8] = env.picture()
    finally:
        env.info = kept
    return picture


def values(desk: Desk) -> dict[str, Any]:
    """What the agent and the ghost think that cells are worth, where they think of that: keys as of `info`."""
    env, agent, ghost = desk.env, desk.agent, desk.interface._ghost_agent
    cells = [(r, c) for r in range(env.rows) for c in range(env.cols)]
    shape = (env.rows, env.cols)
    found: dict[str, Any] = {}
    if isinstance(agent, QLearningAgent):
        found["q_values"] = np.array([agent.q_table.get(cell, np.zeros(4)) for cell in cells]).reshape(
            *shape, 4
        )
    elif hasattr(agent, "depth_limit"):
        found["agent_values"] = _tabled([agent.get_value(cell, env.ghost_pos) for cell in cells], shape)
    elif hasattr(agent, "get_value"):
        found["agent_values"] = _tabled([agent.get_value(cell) for cell in cells], shape)
    if desk.switches.use_ghost and hasattr(ghost, "depth_limit"):
        found["ghost_values"] = _tabled([ghost.get_value(env.agent_pos, cell) for cell in cells], shape)
    return found


def _tabled(numbers: list[float], shape: tuple[int, int]) -> Any:
    return np.reshape(numbers, shape)


def belief(desk: Desk, *, exact: bool) -> str:
    """A belief as a map with percentages, as an SVG document."""
    grid, whose = (desk.exact_belief, "exact") if exact else (desk.belief, "particle")
    return belief_map(desk.env, grid, f"Where the {whose} filter takes the agent to be; a ring where it is")


def curves(history: History) -> str:
    """Entropy and error of both filters, as an SVG document."""
    entropy = chart(
        "uncertainty, bits",
        [Curve("particles", history.entropy, PARTICLES), Curve("exact", history.exact_entropy, EXACT)],
    )
    truth = chart(
        "probability of the true cell",
        [Curve("particles", history.truth, PARTICLES), Curve("exact", history.exact_truth, EXACT)],
        most=1.0,
    )
    return side_by_side(entropy, truth)


def stats(desk: Desk) -> dict[str, str]:
    """How things stand, in words."""
    interface, history, env = desk.interface, desk.history, desk.env
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
    if desk.switches.use_ghost:
        rows["way to the ghost"] = str(info["ghost_distance"])
    return rows


def what_happened(desk: Desk) -> str:
    """The last round, or the end, in a sentence."""
    interface = desk.interface
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
