"""Gomoku: five stones in a line win.

Source: freestyle gomoku (five or more) and standard gomoku (exactly five), as in the rules of the Renju International
Federation.
"""

from __future__ import annotations

from gridarium.rules.calling import UnusedRng
from gridarium.rules.transition_functions import transition_function_registry
from gridarium.world.action_arguments import ActionWithArguments
from gridarium.world.board_games import Stone
from gridarium.world.geometry import Position
from gridarium.world.state import State


@transition_function_registry.register
def place_in_line(
    state: State, action: ActionWithArguments, *, length: int = 5, exact: bool = False, rng: UnusedRng = None
) -> None:
    """Place a stone; a line of stones in any of the four directions wins.

    Args:
        state: with stones.
        action: PLACE with a free cell `at`.
        length: the number of stones in a line.
        exact: whether longer lines do not win.
        rng: not used.
    """
    state.grid[action.at] = Stone(state.agent.number)
    for dy, dx in ((0, 1), (1, 0), (1, 1), (1, -1)):
        step = Position(dy, dx)
        found = 1 + _stones_from(state, action.at, step) + _stones_from(state, action.at, -step)
        if found == length or (found > length and not exact):
            state.winner = state.agent.number + 1


def _stones_from(state: State, here: Position, step: Position) -> int:
    """The number of stones of the same color that follow each other in one direction."""
    own, found, p = state.grid[here], 0, here + step
    while state.grid.contains(p) and state.grid[p] == own:
        found, p = found + 1, p + step
    return found
