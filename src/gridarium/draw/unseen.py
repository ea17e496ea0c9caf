"""What an agent does not see of a state: which cells, and the state without them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gridarium.world.agent import ACTIVE, Agent
from gridarium.world.grid import LOWER_WALL, RIGHT_WALL
from gridarium.world.objects import Hidden
from gridarium.world.state import Observation, State

Mask = npt.NDArray[np.bool_]


def seen_cells(
    scene: State | Observation, view: Observation | None, hide_unseen: bool = False
) -> Mask | None:
    """The cells of a state that a view of the agent in focus shows: bool[height, width], or None without a view.

    Raises:
        ValueError: a view with an observation, or none to hide by.
    """
    if view is None:
        if hide_unseen and isinstance(scene, State):
            raise ValueError(
                "hide_unseen needs a view: what the agent in focus perceives, world.observe(state)"
            )
        return None
    if not isinstance(scene, State):
        raise ValueError("a view is marked in the picture of a state, not of an observation")
    to_view = view.agent.transform * -scene.agent.transform
    seen = np.zeros(scene.cells.shape, np.bool_)
    for p in scene.grid.positions():
        q = to_view * p
        seen[p.y, p.x] = view.grid.contains(q) and not isinstance(view.grid[q], Hidden)
    return seen


def only_seen(state: State, seen: Mask) -> State:
    """A copy of a state in which all that is not seen is `Hidden()`: objects, contents, walls and other agents.

    Args:
        state: is left as it is.
        seen: bool[height, width].
    """
    known, words = state.copy(), state.vocabulary
    known.cells[~seen] = words.encode(Hidden())
    if words.has_contents:
        known.layers[words.content_layer][~seen] = 0
    if words.edges:
        walls = known.layers[words.edge_layer]
        beside, below = seen.copy(), seen.copy()  # a wall is seen from either side
        beside[:, :-1] |= seen[:, 1:]
        below[:-1] |= seen[1:]
        walls[~beside] &= ~RIGHT_WALL
        walls[~below] &= ~LOWER_WALL
    for i, agent in enumerate(known.agents):
        p = agent.position
        if i != known.focus and not (known.grid.contains(p) and seen[p.y, p.x]):
            known.bodies[i, ACTIVE] = 0
    return known


def shown_agents(scene: State | Observation) -> list[tuple[int, Agent]]:
    """The agents that a picture shows, with their numbers: those that take part and are inside."""
    agents = [scene.agent] if isinstance(scene, Observation) else list(scene.agents)
    return [(i, a) for i, a in enumerate(agents) if a.active and scene.grid.contains(a.position)]
