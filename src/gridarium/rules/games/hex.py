"""Hex: black connects the first and the last row, white the first and the last column.

The cells of the rhombus are those of the grid, each row half a cell further right than the one above, so that a cell's six
neighbours are those to its sides, above and above to the right, below and below to the left. The cell field `edges` says with
which of its player's edges a stone is connected: 1 the first, 2 the last.

The swap rule (`connect_or_swap`, `free_or_first`) makes the first stone one that is neither too good nor too bad. It needs the world
field `placed`, the number of stones.

Source: Hex (Hein 1942, Nash 1948).
"""

from __future__ import annotations

from gridarium.compiled.data_types.vectors import new_integers
from gridarium.rules.calling import UnusedRng
from gridarium.rules.legal_functions import legal_function_registry
from gridarium.rules.transition_functions import transition_function_registry
from gridarium.world.action_arguments import ActionWithArguments
from gridarium.world.board_games import Stone
from gridarium.world.field_array import table
from gridarium.world.geometry import Position
from gridarium.world.objects import Floor
from gridarium.world.state import State

NEIGHBORS = table([[-1, 0], [-1, 1], [0, -1], [0, 1], [1, -1], [1, 0]])
FIRST, LAST = 1, 2


@transition_function_registry.register
def place_and_connect(state: State, action: ActionWithArguments, *, rng: UnusedRng = None) -> None:
    """Place a stone; stones that connect both edges of a player win."""
    _connect(state, action.at)


@legal_function_registry.register
def free_or_first(state: State, action: ActionWithArguments) -> bool:
    """Stones are placed on free cells; the second player may begin with the cell of the first stone, which is a swap."""
    return bool(state.placed == 1) or isinstance(state.grid[action.at], Floor)


@transition_function_registry.register
def connect_or_swap(state: State, action: ActionWithArguments, *, rng: UnusedRng = None) -> None:
    """As `place_and_connect`. Who places on the first stone takes it over: it becomes white, in the cell (x, y) instead of (y, x).

    Mirrored like this, it is for white what it was for black.

    Raises:
        ValueError: the board is not square.
    """
    here = action.at
    if state.grid.height != state.grid.width:
        raise ValueError(f"the swap rule is for square boards, not {state.grid.height} x {state.grid.width}")
    if not isinstance(state.grid[here], Floor):
        state.grid[here] = Floor()
        state.grid.set_number("edges", here, 0)
        here = Position(here.x, here.y)
    state.placed += 1
    _connect(state, here)


def _connect(state: State, here: Position) -> None:
    own = Stone(state.agent.number)
    state.grid[here] = own
    along, length = (here.y, state.grid.height) if state.agent.number == 0 else (here.x, state.grid.width)
    edges = (FIRST if along == 0 else 0) | (LAST if along == length - 1 else 0)
    for k in range(len(NEIGHBORS)):
        p = _neighbor(here, k)
        if state.grid.contains(p) and state.grid[p] == own:
            edges |= state.grid.number("edges", p)
    if edges == FIRST | LAST:
        state.winner = state.agent.number + 1
    elif edges != 0:
        _spread(state, here, edges)


def _spread(state: State, start: Position, edges: int) -> None:
    """Note the edge for all stones that are connected with one: each stone is noted once in a game."""
    waiting, count, own = (
        new_integers(state.scratch, state.grid.height * state.grid.width),
        1,
        state.grid[start],
    )
    waiting[0] = start.y * state.grid.width + start.x
    state.grid.set_number("edges", start, edges)
    while count > 0:
        count -= 1
        here = Position(waiting[count] // state.grid.width, waiting[count] % state.grid.width)
        for k in range(len(NEIGHBORS)):
            p = _neighbor(here, k)
            if state.grid.contains(p) and state.grid[p] == own and state.grid.number("edges", p) == 0:
                state.grid.set_number("edges", p, edges)
                waiting[count] = p.y * state.grid.width + p.x
                count += 1


def _neighbor(p: Position, k: int) -> Position:
    return Position(p.y + NEIGHBORS[k, 0], p.x + NEIGHBORS[k, 1])
