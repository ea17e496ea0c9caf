"""Breakthrough: pawns go forward; the first to reach the other side wins.

Each player has the field `pawns`, an integer for each row whose bits are the columns with its pawns. The cells show the
same pawns. White begins below and moves up.

Source: Breakthrough (Troyka 2000).
"""

from __future__ import annotations

from gridarium.rules.calling import UnusedRng
from gridarium.rules.legal_functions import legal_function_registry
from gridarium.rules.reset_functions.protocol import reset_function_registry
from gridarium.rules.transition_functions import transition_function_registry
from gridarium.world.action_arguments import ActionWithArguments
from gridarium.world.action_mask import ActionMask
from gridarium.world.actions import Action
from gridarium.world.board_games import Pawn
from gridarium.world.geometry import Position
from gridarium.world.objects import Floor
from gridarium.world.state import State

MOVE = Action.declare("MOVE", "Move a pawn forward: to the left, straight on, or to the right.")
LEFT, STRAIGHT, RIGHT = 0, 1, 2
LONGEST_ROW = 62


@reset_function_registry.register
def breakthrough(state: State, *, rng: UnusedRng = None) -> None:
    """Two rows of pawns on either side.

    Raises:
        ValueError: the board has fewer than four rows, more than the field `pawns`, or more than 62 columns.
    """
    height, width = state.grid.height, state.grid.width
    most = len(state.agents[0].pawns)
    if not 4 <= height <= most or width > LONGEST_ROW:
        raise ValueError(
            f"breakthrough: a board has 4 to {most} rows and at most {LONGEST_ROW} columns, not {height} x {width}"
        )
    for x in range(width):
        for k in range(2):
            state.grid[height - 1 - k, x] = Pawn(0)
            state.grid[k, x] = Pawn(1)
    for k in range(2):
        state.agents[0].pawns[height - 1 - k] = (1 << width) - 1
        state.agents[1].pawns[k] = (1 << width) - 1


@legal_function_registry.register(fills=MOVE)
def can_advance(state: State, mask: ActionMask) -> None:
    """Pawns go straight on to free cells, and diagonally forward to cells without a pawn of their own."""
    own, other = state.agent.number, 1 - state.agent.number
    ahead, full = -1 if own == 0 else 1, (1 << state.grid.width) - 1
    rows = mask.of(MOVE).rows
    for y in range(state.grid.height):
        pawns = state.agents[own].pawns[y]
        if pawns != 0 and 0 <= y + ahead < state.grid.height:
            open_cells = full & ~state.agents[own].pawns[y + ahead]
            rows[LEFT, y] = pawns & open_cells << 1
            rows[STRAIGHT, y] = pawns & open_cells & ~state.agents[other].pawns[y + ahead]
            rows[RIGHT, y] = pawns & open_cells >> 1


@transition_function_registry.register
def advance(state: State, action: ActionWithArguments, *, rng: UnusedRng = None) -> None:
    """Move a pawn, and take the one that it meets. Reaching the last row wins, and taking the last pawn."""
    own, start = state.agent.number, action.at
    other = 1 - own
    end = Position(start.y + (-1 if own == 0 else 1), start.x + action.direction - 1)
    state.grid[start] = Floor()
    state.grid[end] = Pawn(own)
    mine, theirs = state.agents[own].pawns, state.agents[other].pawns
    mine[start.y] &= ~(1 << start.x)
    mine[end.y] |= 1 << end.x
    theirs[end.y] &= ~(1 << end.x)
    if end.y in (0, state.grid.height - 1) or all(row == 0 for row in theirs):
        state.winner = own + 1
