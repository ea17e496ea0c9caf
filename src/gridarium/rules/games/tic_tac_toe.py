"""Tic-tac-toe for two, three or four players: three in a line win.

A board of several layers shows them side by side: with three layers, 3 x 9 cells are a cube of 3 x 3 x 3. Each player has the
field `marks`, whose bits are the cells with its marks, so that lines are found by shifts. The cells show the same marks.

Source: the boards for three and four players are those of ColosseumRL (2019): 3 x 5 with 20 lines, and 3 x 3 x 3 with 49.
"""

from __future__ import annotations

from gridarium.rules.calling import UnusedRng
from gridarium.rules.reset_functions.protocol import reset_function_registry
from gridarium.rules.transition_functions import transition_function_registry
from gridarium.world.action_arguments import ActionWithArguments
from gridarium.world.board_games import Mark
from gridarium.world.field_array import table
from gridarium.world.state import State

DIRECTIONS = table(
    [
        *([0, 0, 1], [0, 1, 0], [0, 1, 1], [0, 1, -1]),
        *([1, dy, dx] for dy in (-1, 0, 1) for dx in (-1, 0, 1)),
    ]
)
"""Steps along lines: layers, rows, columns. The first ones are those within a layer."""
IN_LAYER = 4
MOST_BITS = 62


@reset_function_registry.register
def tic_tac_toe(state: State, *, layers: int = 1, rng: UnusedRng = None) -> None:
    """An empty board.

    Raises:
        ValueError: the board cannot be divided into so many layers, or has more cells than a number has bits, counting a
            further row and column in each layer.
    """
    height, width = state.grid.height, state.grid.width
    if layers < 1 or width % layers != 0:
        raise ValueError(f"tic-tac-toe: a width of {width} cannot be divided into {layers} layers")
    if layers * (height + 1) * (width // layers + 1) > MOST_BITS:
        raise ValueError(
            f"tic-tac-toe: layers * (height + 1) * (width / layers + 1) is at most {MOST_BITS}, which {height} x {width} exceed"
        )


@transition_function_registry.register
def mark(state: State, action: ActionWithArguments, *, layers: int = 1, rng: UnusedRng = None) -> None:
    """Mark a cell; three in a line win, in layers and across them."""
    layer, columns = 0, state.grid.width
    if layers > 1:
        columns = state.grid.width // layers
        layer = action.at.x // columns
    row_bits = columns + 1
    layer_bits = row_bits * (state.grid.height + 1)
    own = state.agent.number
    state.grid[action.at] = Mark(own)
    marks = state.agent.marks | 1 << (
        layer * layer_bits + action.at.y * row_bits + action.at.x - layer * columns
    )
    state.agent.marks = marks
    for k in range(IN_LAYER if layers == 1 else len(DIRECTIONS)):
        step = DIRECTIONS[k, 0] * layer_bits + DIRECTIONS[k, 1] * row_bits + DIRECTIONS[k, 2]
        if marks & marks >> step & marks >> 2 * step != 0:
            state.winner = own + 1
