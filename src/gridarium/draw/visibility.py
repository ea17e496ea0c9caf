"""The cells of a state that an agent does not see, and the state without them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gridarium.world.agent import ACTIVE
from gridarium.world.cell import LOWER_WALL, RIGHT_WALL
from gridarium.world.objects import Hidden
from gridarium.world.state import Observation, State, seer

Mask = npt.NDArray[np.bool_]


def seen_cells(
    scene: State | Observation, view: Observation | None, hide_unseen: bool = False
) -> Mask | None:
    """The cells of a state that an agent's view shows: bool[height, width], or None without a view.

    Raises:
        TypeError: the view is not an observation.
        ValueError: a view with an observation, or none to hide by, or the view of an agent that the state has not.
    """
    if view is None:
        if hide_unseen and isinstance(scene, State):
            raise ValueError(
                "hide_unseen needs a view: what the agent in focus perceives, world.observe(state)"
            )
        return None
    check_view(view)
    if not isinstance(scene, State):
        raise ValueError("a view is marked in the picture of a state, not of an observation")
    to_view = view.agent.transform * -scene.agents[observing_agent(scene, view)].transform
    seen = np.zeros(scene.cells.shape, np.bool_)
    for p in scene.grid.positions():
        q = to_view * p
        seen[p.y, p.x] = view.grid.contains(q) and not isinstance(view.grid[q], Hidden)
    return seen


def check_view(view: object) -> None:
    """Make sure that something is an observation.

    Raises:
        TypeError: it is something else.
    """
    if not isinstance(view, Observation):
        kind = type(view).__name__
        raise TypeError(f"a view is what an agent perceives, world.observe(state, agent), not {kind}")


def observing_agent(state: State, view: Observation) -> int:
    """The number of the agent whose view it is: as `World.observe` says, else the one in focus.

    Raises:
        ValueError: the state has no such agent.
    """
    number, agents = seer(view)
    if agents == 1:
        return state.focus
    if number >= len(state.agents):
        raise ValueError(f"the view is that of agent {number}, but the state has {len(state.agents)} agents")
    return number


def only_seen(state: State, seen: Mask, view: Observation | None = None) -> State:
    """A copy of a state in which all that is not seen is `Hidden()`: objects, contents, walls and other agents.

    Args:
        state: is left as it is.
        seen: bool[height, width].
        view: whose view that is; that of the agent in focus unless given.
    """
    known, vocabulary = state.copy(), state.vocabulary
    one = state.focus if view is None else observing_agent(state, view)
    known.cells[~seen] = vocabulary.encode(Hidden())
    if vocabulary.has_contents:
        known.layers[vocabulary.content_layer][~seen] = 0
    if vocabulary.edges:
        walls = known.layers[vocabulary.edge_layer]
        right, below = seen.copy(), seen.copy()  # a wall is seen from either side
        right[:, :-1] |= seen[:, 1:]
        below[:-1] |= seen[1:]
        walls[~right] &= ~RIGHT_WALL
        walls[~below] &= ~LOWER_WALL
    for i, agent in enumerate(known.agents):
        p = agent.position
        if i != one and agent.has_body and not (known.grid.contains(p) and seen[p.y, p.x]):
            known.agent_rows[i, ACTIVE] = 0
    return known
