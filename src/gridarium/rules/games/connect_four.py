"""Connect four: discs fall into columns, four in a line win.

Each player has the field `discs`, whose bits are the cells of its discs, so that lines are found by shifts. The cells show
the same discs.

Source: Allen 1988, Allis 1988, "A knowledge-based approach of connect-four"; lines by shifts as in Tromp's Fhourstones.
"""

from __future__ import annotations

from gridarium.rules.calling import UnusedRng
from gridarium.rules.legal_functions import legal_function_registry
from gridarium.rules.reset_functions.protocol import reset_function_registry
from gridarium.rules.transition_functions import transition_function_registry
from gridarium.world.action_arguments import ActionWithArguments
from gridarium.world.actions import Action
from gridarium.world.board_games import Token
from gridarium.world.geometry import Position
from gridarium.world.objects import Floor
from gridarium.world.state import State

DROP = Action.declare("DROP", "Let a disc fall into a column.")
MOST_BITS = 62


@reset_function_registry.register
def connect_four(state: State, *, rng: UnusedRng = None) -> None:
    """An empty board.

    Raises:
        ValueError: the board has more cells than a number has bits: `(height + 1) * width` is at most 62.
    """
    if (state.grid.height + 1) * state.grid.width > MOST_BITS:
        raise ValueError(
            f"connect four: (height + 1) * width is at most {MOST_BITS}, not ({state.grid.height} + 1) * {state.grid.width}"
        )


@legal_function_registry.register
def column_has_room(state: State, action: ActionWithArguments) -> bool:
    """A disc fits into a column as long as its top cell is free."""
    return isinstance(state.grid[Position(0, action.column)], Floor)


@transition_function_registry.register
def drop(state: State, action: ActionWithArguments, *, rng: UnusedRng = None) -> None:
    """A disc falls to the lowest free cell of the column; four in a line, in any of the four directions, win."""
    y, column = state.grid.height - 1, state.grid.height + 1
    while not isinstance(state.grid[Position(y, action.column)], Floor):
        y -= 1
    state.grid[Position(y, action.column)] = Token(state.agent.number)
    discs = state.agent.discs | 1 << (column * action.column + y)
    state.agent.discs = discs
    if (
        _has_four(discs, 1)
        or _has_four(discs, column - 1)
        or _has_four(discs, column)
        or _has_four(discs, column + 1)
    ):
        state.winner = state.agent.number + 1


def _has_four(discs: int, step: int) -> bool:
    """Whether four discs are in a line whose neighbours are so many bits apart. Between columns there is a bit that is 0."""
    pairs = discs & discs >> step
    return pairs & pairs >> 2 * step != 0
