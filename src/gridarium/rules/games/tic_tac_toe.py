"""Tic-tac-toe for two, three or four players: three in a line win.

A board of several layers shows them side by side: with three layers, 3 x 9 cells are a cube of 3 x 3 x 3.

Source: the boards for three and four players are those of ColosseumRL (2019): 3 x 5 with 20 lines, and 3 x 3 x 3 with 49.
"""

from __future__ import annotations

from gridarium.rules.calling import UnusedRng
from gridarium.rules.reset_functions.protocol import reset_function_registry
from gridarium.rules.transition_functions import transition_function_registry
from gridarium.world.action_arguments import ActionWithArguments
from gridarium.world.board_games import Mark
from gridarium.world.field_array import table
from gridarium.world.geometry import Position
from gridarium.world.state import State

DIRECTIONS = table(
    [
        *([0, 0, 1], [0, 1, 0], [0, 1, 1], [0, 1, -1]),
        *([1, dy, dx] for dy in (-1, 0, 1) for dx in (-1, 0, 1)),
    ]
)
"""Steps along lines: layers, rows, columns. The first four are those within a layer."""


@reset_function_registry.register
def tic_tac_toe(state: State, *, layers: int = 1, rng: UnusedRng = None) -> None:
    """An empty board.

    Raises:
        ValueError: the board cannot be divided into so many layers.
    """
    if layers < 1 or state.grid.width % layers != 0:
        raise ValueError(f"tic-tac-toe: a width of {state.grid.width} cannot be divided into {layers} layers")


@transition_function_registry.register
def mark(state: State, action: ActionWithArguments, *, layers: int = 1, rng: UnusedRng = None) -> None:
    """Mark a cell; three in a line win, in layers and across them."""
    columns = state.grid.width // layers
    state.grid[action.at] = Mark(state.agent.number)
    for k in range(4 if layers == 1 else len(DIRECTIONS)):
        step = Position(DIRECTIONS[k, 1], DIRECTIONS[k, 0] * columns + DIRECTIONS[k, 2])
        ahead = _marks_from(state, action.at, step, DIRECTIONS[k, 2], columns)
        behind = _marks_from(state, action.at, -step, -DIRECTIONS[k, 2], columns)
        if ahead + behind >= 2:
            state.winner = state.agent.number + 1


def _marks_from(state: State, here: Position, step: Position, right: int, columns: int) -> int:
    """How many of the next two cells have the same mark, up to the first that has not; `right` are the columns of a step."""
    own, found, p = state.grid[here], 0, here
    while found < 2:
        if not 0 <= p.x % columns + right < columns:
            break
        p += step
        if not state.grid.contains(p) or state.grid[p] != own:
            break
        found += 1
    return found
