"""Shortest paths around obstacles, and a policy that follows them: to a kind of object, or after another agent."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from gridarium.agents.policy import random_action
from gridarium.engine import World
from gridarium.engine.arguments import check_agent
from gridarium.engine.batch_arguments import check_is_state
from gridarium.rules.limits import is_list
from gridarium.world import Action, Exit, GridObject, Orientation, Position, State
from gridarium.world.actions import get_next_position

FAR = -1
"""The distance of what cannot be reached."""
REMEMBERED = 4096
COMPASS = (Action.UP, Action.RIGHT, Action.DOWN, Action.LEFT)
Pose = tuple[Position, Orientation]
N = TypeVar("N", bound=Hashable)


def distances(state: State, to: Position | type[GridObject]) -> npt.NDArray[np.int64]:
    """int64[height, width]: how many moves it is from each cell to a place, -1 where there is no path.

    Moves go to the four neighbours; objects that block and walls on edges are in the way, agents are not. The place
    itself may be blocked (a door to be opened, a box).

    Args:
        state: the world.
        to: a position, or a kind of object: then the nearest one counts.

    Raises:
        TypeError: not a state, or neither a position nor a kind of object.
    """
    check_is_state(state)
    if not isinstance(to, Position) and not _is_kind(to):
        raise TypeError(f"it goes to a Position or a kind of object such as Exit, not to {to!r}")
    ends = (
        [to]
        if isinstance(to, Position)
        else [p for p in state.grid.positions() if isinstance(state.grid[p], to)]
    )
    grid = state.grid
    starts = {p for p in ends if grid.contains(p)}

    def neighbours(p: Position) -> Iterator[Position]:
        if not grid[p].blocks_movement or p in starts:
            for way in Orientation:
                q = p + Position.from_orientation(way)
                if grid.contains(q) and not grid.has_wall(q, p):
                    yield q

    found = np.full((grid.height, grid.width), FAR, np.int64)
    for p in starts:
        found[p.y, p.x] = 0
    for p, _, distance in breadth_first(starts, neighbours):
        found[p.y, p.x] = distance
    return found


def first_step(state: State, to: Position | type[GridObject], actions: tuple[Action, ...]) -> Action | None:
    """The first action of a shortest path for the agent in focus, turns counted; None if it is there, or there is no path.

    Args:
        state: the world, from the agent's point of view.
        to: the target, see `distances`.
        actions: the agent's actions; moves and turns are used.

    Raises:
        TypeError: not a state, no actions, or neither a position nor a kind of object.
    """
    if not is_list(actions) or not all(isinstance(action, Action) for action in actions):
        raise TypeError(f"actions are a list of Actions, not {actions!r}")
    return _plan(state, to, actions)[1]


def _plan(
    state: State, to: Position | type[GridObject], actions: tuple[Action, ...]
) -> tuple[int, Action | None]:
    """The number of actions of a shortest path, and the first one; `FAR` and None where there is no path."""
    ends = distances(state, to) == 0
    own = [a for a in actions if a.is_move() or a.is_compass() or a.is_turn()]
    path = shortest_path(
        (state.agent.position, state.agent.orientation),
        lambda pose: bool(ends[pose[0].y, pose[0].x]),
        lambda pose: [_after(state, pose, action) for action in own],
    )
    if path is None:
        return FAR, None
    if len(path) == 1:
        return 0, None
    return len(path) - 1, next(a for a in own if _after(state, path[0], a) == path[1])


def exit_nearness(state: State, agent: int) -> float:
    """Minus a thousandth for each move from an agent to the nearest exit: an evaluation that prefers states near an exit.

    Raises:
        TypeError, IndexError: not a state, or no such agent.
    """
    exits = distances(state, Exit)
    check_agent(agent, len(state.agents))
    here = state.agents[agent].position
    away = int(exits[here.y, here.x])
    return -0.001 * (away if away != FAR else state.grid.height * state.grid.width)


class Chase:
    """Goes the shortest path, around walls and obstacles, to a kind of object or after another agent.

    It knows the whole state. Agents in the way are not gone around. Where there is no path, or it has arrived, it waits
    if it can and acts at random otherwise.

    Args:
        target: the number of an agent, or a kind of object such as `Exit`; by default the first other agent, or
            where there is none, the nearest exit.

    Raises:
        TypeError: neither the number of an agent nor a kind of object.
    """

    def __init__(self, target: int | type[GridObject] | None = None) -> None:
        if target is not None and not _is_kind(target) and not isinstance(target, int | np.integer):
            raise TypeError(
                f"a target is the number of an agent or a kind of object such as Exit, not {target!r}"
            )
        self.target = target
        self._actions: tuple[Action, ...] = COMPASS
        self._known: dict[bytes, tuple[int, Action | None]] = {}

    def __call__(
        self, world: World, state: State, agent: int, actions: tuple[Action, ...], rng: np.random.Generator
    ) -> Action:
        """As a policy.

        Raises:
            ValueError: there is no such agent to chase.
        """
        self._actions = actions
        step = self.get_action(state) if state.agent.active else None
        if step is not None:
            return step
        return Action.WAIT if Action.WAIT in actions else random_action(actions, rng)

    def get_action(self, state: State, actions: tuple[Action, ...] | None = None) -> Action | None:
        """The next step of the agent in focus; None where there is none to be made.

        Args:
            state: the world, from the agent's point of view.
            actions: the agent's actions; by default those of when it last played, and else the compass moves.

        Raises:
            TypeError, ValueError: not a state, or there is no such agent to chase.
        """
        return self._found(state, actions)[1]

    def get_value(self, state: State, actions: tuple[Action, ...] | None = None) -> float:
        """Minus the number of steps to the target, turns counted; minus infinity where there is no path."""
        steps, _ = self._found(state, actions)
        return -float(steps) if steps != FAR else -math.inf

    def _found(self, state: State, given: tuple[Action, ...] | None) -> tuple[int, Action | None]:
        check_is_state(state)
        to, actions = self._target_of(state), self._actions if given is None else given
        key = b"".join(
            (
                state.cells.tobytes(), state.layers.tobytes(), state.agent.agent_row[:3].tobytes(),
                repr((to, actions)).encode(),
            )
        )  # fmt: skip
        if key not in self._known:
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            self._known[key] = _plan(state, to, actions)
        return self._known[key]

    def _target_of(self, state: State) -> Position | type[GridObject]:
        if isinstance(self.target, type):
            return self.target
        others = [i for i in range(len(state.agents)) if i != state.focus]
        if self.target is None and not others:
            return Exit
        target = others[0] if self.target is None else self.target
        if target not in others:
            listed = ", ".join(map(str, others)) or "none"
            raise ValueError(
                f"agent {state.focus} cannot chase agent {target}; other agents: {listed}. A kind of object can be a "
                "target too"
            )
        return state.agents[target].position


def _is_kind(given: Any) -> bool:
    return isinstance(given, type) and issubclass(given, GridObject)


def _after(state: State, pose: Pose, action: Action) -> Pose:
    here, heading = pose
    if action == Action.TURN_LEFT:
        return here, heading * Orientation.L
    if action == Action.TURN_RIGHT:
        return here, heading * Orientation.R
    there = get_next_position(here, heading, action)
    if not state.grid.contains(there) or state.grid.has_wall(here, there):
        return pose
    return pose if state.grid[there].blocks_movement else (there, heading)


def breadth_first(starts: Iterable[N], neighbours: Callable[[N], Iterable[N]]) -> Iterator[tuple[N, N, int]]:
    """Every node that can be reached, nearest first, with the node before it and its distance from the starts.

    Args:
        starts: nodes at distance 0; these are not returned.
        neighbours: the nodes to which edges lead from a node.
    """
    distance = dict.fromkeys(starts, 0)
    queue = deque(distance)
    while queue:
        node = queue.popleft()
        for neighbour in neighbours(node):
            if neighbour not in distance:
                distance[neighbour] = distance[node] + 1
                queue.append(neighbour)
                yield neighbour, node, distance[neighbour]


def shortest_path(
    start: N, is_goal: Callable[[N], bool], neighbours: Callable[[N], Iterable[N]]
) -> list[N] | None:
    """The nodes of a shortest path from `start` to a goal, both included; None where there is no path."""
    if is_goal(start):
        return [start]
    came_from: dict[N, N] = {}
    for node, before, _ in breadth_first([start], neighbours):
        came_from[node] = before
        if is_goal(node):
            path = [node]
            while path[-1] != start:
                path.append(came_from[path[-1]])
            return path[::-1]
    return None
