"""Othello: a disc flips the lines of the other player's discs that it encloses.

Each player has the fields `discs` and `moves`, whose bits are cells, row by row: where its discs are, and where it may
place one next. The moves are found for all cells at once. The cells show the same discs.

Source: Othello as in the rules of the World Othello Federation; moves by parallel prefix as in bitboard programs.
"""

from __future__ import annotations

from gridarium.rules.calling import UnusedRng
from gridarium.rules.games.board_rules import PLACE
from gridarium.rules.legal_functions import legal_function_registry
from gridarium.rules.reset_functions.protocol import reset_function_registry
from gridarium.rules.transition_functions import transition_function_registry
from gridarium.world.action_arguments import ActionWithArguments
from gridarium.world.action_mask import ActionMask
from gridarium.world.board_games import Stone
from gridarium.world.geometry import Position
from gridarium.world.state import State

SIDE = 8
BLACK_FIRST, WHITE_FIRST = ((3, 4), (4, 3)), ((3, 3), (4, 4))
"""The cells with discs at the beginning."""
OTHER_COLUMNS = 0x7E7E7E7E7E7E7E7E
OTHER_ROWS = 0x00FFFFFFFFFFFF00
"""All cells but those in the outer columns, and but those in the outer rows: only these can lie between others."""
LOWEST_63, TOP_BIT = (1 << 63) - 1, -(1 << 63)


@reset_function_registry.register
def othello(state: State, *, rng: UnusedRng = None) -> None:
    """Four discs in the middle; black begins.

    Raises:
        ValueError: the board does not have 8 x 8 cells.
    """
    if state.grid.height != SIDE or state.grid.width != SIDE:
        raise ValueError(f"othello: a board has 8 x 8 cells, not {state.grid.height} x {state.grid.width}")
    for y, x in BLACK_FIRST:
        _put(state, 0, Position(y, x))
    for y, x in WHITE_FIRST:
        _put(state, 1, Position(y, x))
    state.agents[0].moves = _moves(state.agents[0].discs, state.agents[1].discs)


@legal_function_registry.register(fills=PLACE)
def encloses(state: State, mask: ActionMask) -> None:
    """A disc is placed where it flips at least one."""
    rows, moves = mask.of(PLACE).rows, state.agent.moves
    for y in range(SIDE):
        rows[y] = moves >> SIDE * y & 255


@transition_function_registry.register
def place_and_flip(state: State, action: ActionWithArguments, *, rng: UnusedRng = None) -> None:
    """Place a disc, and flip those that it encloses. If nobody can move any more, the player with more discs wins.

    A player that cannot move is passed over.
    """
    own = state.agent.number
    other = 1 - own
    _put(state, own, action.at)
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            _flip_line(state, own, action.at, Position(dy, dx))
    mine, theirs = state.agents[own].discs, state.agents[other].discs
    their_moves = _moves(theirs, mine)
    my_moves = _moves(mine, theirs) if their_moves == 0 else 0
    state.agents[own].moves, state.agents[other].moves = my_moves, their_moves
    if my_moves == 0 and their_moves == 0:
        lead = _lead_of_black(state)
        if lead != 0:
            state.winner = 1 if lead > 0 else 2


def _put(state: State, player: int, p: Position) -> None:
    """Place or flip a disc, so that it is the player's."""
    bit = _left(1, SIDE * p.y + p.x)
    state.grid[p] = Stone(player)
    state.agents[player].discs = state.agents[player].discs | bit
    state.agents[1 - player].discs = state.agents[1 - player].discs & ~bit


def _flip_line(state: State, own: int, here: Position, step: Position) -> None:
    """Flip the other player's discs in one direction, if an own one is behind them."""
    mine, theirs = Stone(own), Stone(1 - own)
    p, count = here + step, 0
    while state.grid.contains(p) and state.grid[p] == theirs:
        p, count = p + step, count + 1
    if count > 0 and state.grid.contains(p) and state.grid[p] == mine:
        for _ in range(count):
            p -= step
            _put(state, own, p)


def _lead_of_black(state: State) -> int:
    """How many more discs are black than white."""
    black, white = Stone(0), Stone(1)
    return sum(
        (1 if state.grid[p] == black else 0) - (1 if state.grid[p] == white else 0)
        for p in state.grid.positions()
    )


def _moves(mine: int, theirs: int) -> int:
    """The free cells from which lines of the other player's discs end at an own one."""
    across, down = theirs & OTHER_COLUMNS, theirs & OTHER_ROWS
    inside = across & OTHER_ROWS
    ends = (
        _ends(mine, across, 1)
        | _ends(mine, down, SIDE)
        | _ends(mine, inside, SIDE - 1)
        | _ends(mine, inside, SIDE + 1)
    )
    return ends & ~(mine | theirs)


def _ends(mine: int, between: int, step: int) -> int:
    """The cells behind lines of `between` that begin next to `mine`, in both directions of a step."""
    up, down = between & _left(mine, step), between & _right(mine, step)
    for _ in range(SIDE - 3):
        up |= between & up << step
        down |= between & down >> step
    return _left(up, step) | down >> step


def _left(bits: int, count: int) -> int:
    """`bits << count` for 64 bits, of which the highest is the sign."""
    return (bits & LOWEST_63 >> count) << count | -(bits >> 63 - count & 1) & TOP_BIT


def _right(bits: int, count: int) -> int:
    """`bits >> count` for 64 bits without a sign."""
    return bits >> count & LOWEST_63 >> count - 1
