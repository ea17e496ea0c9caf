"""Values and actions of a planner for each cell: arrays for the overlays `Heat` and `Arrows` of `gridarium.draw`."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from gridarium.engine import World
from gridarium.engine.world import check_state, check_world
from gridarium.world import Action, Orientation, Position, State
from gridarium.world.actions import move_orientation
from gridarium.world.agent import X, Y


@runtime_checkable
class ValueFunction(Protocol):
    """A function of states: a value (not finite for none) and an action; raises KeyError for unknown states."""

    def get_value(self, state: State) -> float:
        """The value of a state."""

    def get_action(self, state: State) -> Action | None:
        """The action in a state."""


def values_by_position(planner: ValueFunction, world: World, state: State) -> npt.NDArray[np.float64]:
    """float64[height, width]: the value if the agent in focus were there, all else as in `state`.

    Where agents can turn, it is the value of the best heading. NaN where it cannot be, or the value is not known.

    Raises:
        TypeError, ValueError: no methods get_value and get_action, not a world, or not a state of its kind.
    """
    return _by_position(planner, world, state)[0]


def arrows_by_position(planner: ValueFunction, world: World, state: State) -> npt.NDArray[np.float64]:
    """float64[height, width]: which way the agent would go from there, as the number of an `Orientation`.

    Where agents can turn, it is the way that it goes on with the best heading. NaN where it does not move.

    Raises:
        TypeError, ValueError: as `values_by_position`.
    """
    return _by_position(planner, world, state)[1]


def probabilities_by_position(
    world: World, agent_rows: npt.NDArray[np.int64], weights: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """float64[height, width]: how much weight lies in each cell, given an agent's body[n, ...] in n states."""
    found = np.zeros(tuple(world.spec.shape))
    np.add.at(found, (agent_rows[:, Y], agent_rows[:, X]), weights)
    return found


def _by_position(
    planner: ValueFunction, world: World, state: State
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    if not isinstance(planner, ValueFunction):
        raise TypeError(
            f"a planner or learner with get_value and get_action is needed, such as Solution, not {planner!r}"
        )
    check_world(world)
    check_state(state, world)
    values = np.full(tuple(world.spec.shape), np.nan)
    arrows = values.copy()
    turns = Action.TURN_LEFT in world.actions or Action.TURN_RIGHT in world.actions
    headings = [Orientation(k) for k in range(4)] if turns else [state.agent.orientation]
    knows = getattr(planner, "knows", lambda _: True)  # tables of learners give 0 for what they have not seen
    for p in state.grid.positions():
        if state.blocked(p):
            continue
        for heading in headings:
            there = _placed_at(state, p, heading)
            if not knows(there):
                continue
            try:
                value, action = planner.get_value(there), planner.get_action(there)
            except KeyError:
                continue
            if np.isfinite(value) and not value <= values[p.y, p.x]:
                values[p.y, p.x] = value
                arrows[p.y, p.x] = _direction(action, heading)
    return values, arrows


def _placed_at(state: State, p: Position, heading: Orientation) -> State:
    there = state.copy()
    there.agent.position, there.agent.orientation = p, heading
    return there


def _direction(action: Action | None, heading: Orientation) -> float:
    if action is None:
        return np.nan
    if action.is_compass():
        return float(move_orientation(action).value)
    return float((heading * move_orientation(action)).value) if action.is_move() else np.nan
