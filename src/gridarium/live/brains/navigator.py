"""Leads an agent from waypoint to waypoint."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from gridarium.live.brains.path_planner import AStarPlanner, Location, PathPlanner, WeightedAStarPlanner
from gridarium.live.perception import (
    State,
    StateTracker,
    get_traversability_map,
    get_weighted_traversability_map,
)
from gridarium.live.perception.traversability import blocked_map, weighted_map

Known: TypeAlias = "State | StateTracker"
"""What an agent knows: its state, or a tracker that remembers."""
Map: TypeAlias = npt.NDArray[Any]
MapFunction: TypeAlias = Callable[..., Any]
"""`(state) -> map`, or a tuple that begins with the map: an array [width, height]."""
WITHOUT_IDS: dict[Any, MapFunction] = {
    get_traversability_map: blocked_map,
    get_weighted_traversability_map: weighted_map,
}
"""The same maps without the ids of what is in the cells, which ways do not depend on."""


class Navigator:
    """Chooses the moves of an agent that visits waypoints, one after another.

    It plans a way when it needs one: for a new waypoint, when the agent is not on its way any more, or when a cell of the
    way is no longer free (or worse than it was). While a waypoint cannot be reached, `unreachable` says so, the agent is
    given no move, and a new way is looked for when the map changes.

    Args:
        agent_id: the agent.
        action_set: the names of its actions.
        algorithm: "a_star", "weighted_a_star", or any other name for that of `custom_algorithm_class`.
        custom_algorithm_class: a `PathPlanner` of one's own.
        traversability_map_func: `(state) -> array [width, height]`, or a tuple that begins with it; by default that of the
            algorithm.
        algorithm_settings: see the planners.
        is_circular: whether it begins again after the last waypoint.

    Attributes:
        is_done: whether all waypoints have been visited; never if it is circular.
        is_circular: as given.
        unreachable: the current waypoint if there is no way to it, else None.

    Raises:
        ValueError: an unknown algorithm.
        TypeError: the class is none of a planner.

    Source: MATRX, `matrx.agents.agent_utils.navigator`.
    """

    A_STAR_ALGORITHM = "a_star"
    WEIGHTED_A_STAR_ALGORITHM = "weighted_a_star"

    def __init__(
        self,
        agent_id: str,
        action_set: Iterable[str],
        algorithm: str = A_STAR_ALGORITHM,
        custom_algorithm_class: type[PathPlanner] | None = None,
        traversability_map_func: MapFunction = get_traversability_map,
        algorithm_settings: Mapping[str, Any] | None = None,
        is_circular: bool = False,
    ) -> None:
        weighted = algorithm == self.WEIGHTED_A_STAR_ALGORITHM
        if weighted and traversability_map_func is get_traversability_map:
            traversability_map_func = get_weighted_traversability_map
        self.agent_id, self.is_circular = agent_id, is_circular
        self._map_func = WITHOUT_IDS.get(traversability_map_func, traversability_map_func)
        kind = _planner_class(algorithm, custom_algorithm_class)
        self.planner = kind(action_set=action_set, settings=algorithm_settings or {})
        self._moves = {step: name for name, step in reversed(self.planner.move_actions.items())}
        self.reset_full()

    def reset_full(self) -> None:
        """Forget all waypoints."""
        self._waypoints: list[Location] = []
        self.reset()

    def reset(self) -> None:
        """Begin again with the first waypoint."""
        self.is_done = False
        self.unreachable: Location | None = None
        self._current = 0
        self._way: list[Location] = []
        self._costs: Map = np.zeros(0)
        self._failed: tuple[Location, Location, bytes] | None = None

    # waypoints

    def add_waypoint(self, waypoint: Sequence[int]) -> None:
        """Add a cell (x, y) that is to be visited after those before it.

        Raises:
            TypeError: not two whole numbers.
        """
        place = tuple(waypoint) if isinstance(waypoint, list | tuple) else ()
        if len(place) != 2 or not all(isinstance(n, int | np.integer) for n in place):
            raise TypeError(f"a waypoint is two whole numbers, x and y, not {waypoint!r}")
        self._waypoints.append((int(place[0]), int(place[1])))
        self.is_done = False

    def add_waypoints(self, waypoints: Iterable[Sequence[int]], is_circular: bool | None = None) -> None:
        """Add several waypoints.

        Args:
            waypoints: cells (x, y).
            is_circular: whether it begins again after the last one; by default as before.

        Raises:
            TypeError: see `add_waypoint`.
        """
        if is_circular is not None:
            self.is_circular = is_circular
        for waypoint in waypoints:
            self.add_waypoint(waypoint)

    def get_all_waypoints(self, state_tracker: Known | None = None) -> list[tuple[int, Location]]:
        """All waypoints, with their numbers from 0."""
        self._arrive(state_tracker)
        return list(enumerate(self._waypoints))

    def get_upcoming_waypoints(self, state_tracker: Known | None = None) -> list[tuple[int, Location]]:
        """The waypoints that are still to be visited in this round, with their numbers."""
        self._arrive(state_tracker)
        return list(enumerate(self._waypoints))[self._current :]

    def get_current_waypoint(self, state_tracker: Known | None = None) -> Location | None:
        """The waypoint to which it leads; None if there is none left.

        Args:
            state_tracker: what the agent knows now; without it, the answer is that of the last move.
        """
        self._arrive(state_tracker)
        return self._waypoints[self._current] if self._current < len(self._waypoints) else None

    def _arrive(self, known: Known | None) -> None:
        if known is not None:
            self._pass(self._here(_state_of(known)))

    def _pass(self, here: Location) -> None:
        """Go on to the next waypoint, if the agent has reached the current one."""
        for _ in self._waypoints:
            if self._current >= len(self._waypoints) or self._waypoints[self._current] != here:
                break
            self._current += 1
            if self._current == len(self._waypoints) and self.is_circular:
                self._current = 0
        self.is_done = not self.is_circular and self._current >= len(self._waypoints) > 0

    # moves

    def get_move_action(self, state_tracker: Known) -> str | None:
        """The next move, the name of an action.

        Args:
            state_tracker: what the agent knows now.

        Returns:
            None if all waypoints have been visited, or the current one cannot be reached (see `unreachable`).

        Raises:
            ValueError: what is known is not that of this agent, or a planner's way has a step that is no move of the agent.
        """
        state = _state_of(state_tracker)
        here = self._here(state)
        self._pass(here)
        self.unreachable = None
        goal = self.get_current_waypoint()
        if goal is None or goal == here:
            return None
        if not self._follows(here, goal, state):
            return None
        step = self._way[1][0] - here[0], self._way[1][1] - here[1]
        if step not in self._moves:
            raise ValueError(
                f"the way leads from {here} to {self._way[1]}, which is no move of agent {self.agent_id}: "
                f"{', '.join(self._moves.values()) or 'it has none'}"
            )
        return self._moves[step]

    def _follows(self, here: Location, goal: Location, state: State) -> bool:
        """Whether there is a way from here; a new one is planned only if the last one does not serve."""
        occupation = self._map(state)
        if here in self._way[:2] and self._way[-1] == goal:
            passed = self._way.index(here)
            self._way, self._costs = self._way[passed:], self._costs[passed:]
            if (_along(occupation, self._way) <= self._costs)[1:].all():
                return True
        looked_for = here, goal, occupation.tobytes()
        if self._failed != looked_for:
            found = [(x, y) for x, y in self.planner.plan(here, goal, occupation)]
            self._failed = None if found and found[-1] == goal else looked_for
            self._way = [here, *found] if self._failed is None else []
            self._costs = _along(occupation, self._way)
        if self._failed is not None:
            self.unreachable = goal
        return self._failed is None

    def _map(self, state: State) -> Map:
        found = self._map_func(state)
        occupation: Map = found[0] if isinstance(found, tuple) else found
        return occupation

    def _here(self, state: State) -> Location:
        me = state.get_self()
        if state.own_id != self.agent_id or me is None:
            raise ValueError(f"this leads agent {self.agent_id}; what is known is of {state.own_id}")
        x, y = me["location"]
        return x, y


def _state_of(known: Known) -> State:
    return known.get_memorized_state() if isinstance(known, StateTracker) else known


def _along(occupation: Map, way: Sequence[Location]) -> Map:
    """What the cells of a way are in a map."""
    places = np.array(way, np.int64).reshape(-1, 2)
    return occupation[places[:, 0], places[:, 1]]


def _planner_class(algorithm: str, custom: type[PathPlanner] | None) -> type[PathPlanner]:
    built_in: dict[str, type[PathPlanner]] = {
        Navigator.A_STAR_ALGORITHM: AStarPlanner,
        Navigator.WEIGHTED_A_STAR_ALGORITHM: WeightedAStarPlanner,
    }
    if custom is None:
        if algorithm not in built_in:
            raise ValueError(
                f"the algorithm is {' or '.join(built_in)}, or there is a custom_algorithm_class; got {algorithm!r}"
            )
        return built_in[algorithm]
    if not (isinstance(custom, type) and issubclass(custom, PathPlanner)):
        raise TypeError(f"custom_algorithm_class is a subclass of PathPlanner, not {custom!r}")
    return custom
