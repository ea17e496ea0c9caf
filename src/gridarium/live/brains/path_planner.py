"""Shortest ways on maps: A*, plain and with cells that are better avoided."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

import numpy.typing as npt

from gridarium.live.brains.moves import MOVES

Location: TypeAlias = "tuple[int, int]"
Metric: TypeAlias = Callable[[int, int], float]
METRICS: dict[str, Metric] = {"euclidean": math.hypot, "manhattan": lambda dx, dy: float(abs(dx) + abs(dy))}
"""The length of a way of some columns and rows."""


class PathPlanner:
    """Plans ways. Subclasses define `plan`; a `Navigator` is given one by `custom_algorithm_class`.

    Args:
        action_set: the names of the agent's actions, of which it uses the moves.
        settings: of the method.

    Attributes:
        move_actions: columns and rows of the moves that the agent has, by name, in the order of `MOVES`.
        settings: as given.

    Source: MATRX, `matrx.agents.agent_utils.navigator`.
    """

    def __init__(self, action_set: Iterable[str], settings: Mapping[str, Any]) -> None:
        has = set(action_set)
        self.move_actions = {name: step for name, step in MOVES.items() if name in has}
        self.settings = dict(settings)

    def plan(self, start: Location, goal: Location, occupation_map: npt.NDArray[Any]) -> list[Location]:
        """Find a way.

        Args:
            start: where it begins; may be blocked itself.
            goal: where it is to end.
            occupation_map: [width, height], 0 where a cell is free.

        Returns:
            The cells after the start, the goal last; `[start]` if there is no way.
        """
        raise NotImplementedError


class AStarPlanner(PathPlanner):
    """The shortest way by A*; equal maps give equal ways.

    Args:
        action_set: as for `PathPlanner`.
        settings: `metric`: how long a step is, and how far the goal: "euclidean", where a diagonal step is longer than a
            straight one, or "manhattan", where it is as long as two.

    Raises:
        ValueError: another metric.

    Source: Hart, Nilsson and Raphael 1968; MATRX.
    """

    EUCLIDEAN_METRIC = "euclidean"
    MANHATTAN_METRIC = "manhattan"

    def __init__(self, action_set: Iterable[str], settings: Mapping[str, Any]) -> None:
        super().__init__(action_set, settings)
        name = self.settings.get("metric", self.EUCLIDEAN_METRIC)
        if name not in METRICS:
            raise ValueError(f"the metric is {' or '.join(METRICS)}, not {name!r}")
        self._metric = METRICS[name]
        self._steps = [(dx, dy, self._metric(dx, dy)) for dx, dy in self.move_actions.values()]

    def entering(self, occupation: float) -> float:
        """By what the length of a step into a cell is multiplied, at least 1; infinity where it cannot be entered."""
        return 1.0 if occupation == 0 else math.inf

    def plan(self, start: Location, goal: Location, occupation_map: npt.NDArray[Any]) -> list[Location]:
        """Find the shortest way, see `PathPlanner.plan`."""
        width, height = occupation_map.shape
        if not (0 <= goal[0] < width and 0 <= goal[1] < height):
            return [start]
        factor = {value: self.entering(value) for value in set(occupation_map.ravel().tolist())}
        cells = [[factor[value] for value in column] for column in occupation_map.tolist()]
        if start != goal and cells[goal[0]][goal[1]] == math.inf:
            return [start]
        metric, (goal_x, goal_y) = self._metric, goal
        length, came_from, done = {start: 0.0}, {start: start}, set()
        count = 0
        left = metric(start[0] - goal_x, start[1] - goal_y)
        queue = [(left, left, count, start)]
        while queue:
            here = heapq.heappop(queue)[3]
            if here == goal:
                return _way(came_from, start, goal)
            if here in done:
                continue
            done.add(here)
            for dx, dy, step in self._steps:
                x, y = there = here[0] + dx, here[1] + dy
                if not (0 <= x < width and 0 <= y < height) or cells[x][y] == math.inf:
                    continue
                total = length[here] + step * cells[x][y]
                if total < length.get(there, math.inf):
                    length[there], came_from[there] = total, here
                    left = metric(x - goal_x, y - goal_y)
                    count += 1
                    heapq.heappush(queue, (total + left, left, count, there))
        return [start]


class WeightedAStarPlanner(AStarPlanner):
    """The way with the least cost: steps into cells with a penalty count more.

    A step into a cell with a penalty p above 0 counts `max(1, traversability_penalty_multiplier * p)` times; cells with
    a penalty of 1 cannot be entered.

    Args:
        action_set: as for `PathPlanner`.
        settings: `metric`, as for `AStarPlanner`, and `traversability_penalty_multiplier`, 10 by default.

    Source: MATRX.
    """

    def __init__(self, action_set: Iterable[str], settings: Mapping[str, Any]) -> None:
        super().__init__(action_set, settings)
        self.traversability_penalty_multiplier = self.settings.get("traversability_penalty_multiplier", 10)

    def entering(self, occupation: float) -> float:
        """See the class."""
        return math.inf if occupation >= 1 else max(1.0, self.traversability_penalty_multiplier * occupation)


def _way(came_from: Mapping[Location, Location], start: Location, goal: Location) -> list[Location]:
    way, here = [], goal
    while here != start:
        way.append(here)
        here = came_from[here]
    return way[::-1]
