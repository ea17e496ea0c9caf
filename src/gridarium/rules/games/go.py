"""Go with Tromp-Taylor's rules: area scoring, positional superko; suicide is forbidden, as in OpenSpiel and pgx.

Cell fields keep the chains of stones: `chain` is the index of the cell that stands for a stone's chain, `next_stone` the next
stone of it (a cycle), and `liberties`, where the chain's cell is, its pseudo-liberties: each pair of a stone and a free
neighbour counts once. Three sums over the free cells' indices are packed into it, so that a liberty is added and removed by
one addition, and a chain with a single liberty is known by Cauchy and Schwarz's inequality.

Positions are known by Zobrist hashes of 62 bits. The world's fields are `seen`, a hash table of all positions so far, `position`,
the hash of this one, `captures`, `passes` and `moves`.

Source: Tromp and Taylor 1995, "The game of Go"; pseudo-liberties as in pgx (Koyamada et al. 2023); Zobrist 1970.
"""

from __future__ import annotations

import random
from typing import Any

from gridarium.compiled.data_types.vectors import new_integers
from gridarium.rules.calling import UnusedRng
from gridarium.rules.games.board_rules import PLACE
from gridarium.rules.legal_functions import legal_function_registry
from gridarium.rules.reset_functions.protocol import reset_function_registry
from gridarium.rules.terminating_functions import terminating_function_registry
from gridarium.rules.transition_functions import transition_function_registry
from gridarium.world.action_arguments import ActionWithArguments
from gridarium.world.actions import Action
from gridarium.world.board_games import Stone
from gridarium.world.field_array import table
from gridarium.world.geometry import Position
from gridarium.world.objects import Floor
from gridarium.world.state import State

PASS = Action.declare("PASS", "Make no move.")
LONGEST_SIDE = 19
ROW_SHIFT = 5
"""An index of a cell is its row, shifted by this, and its column."""
INDICES = LONGEST_SIDE << ROW_SHIFT
MOVES_PER_CELL = 2
"""The game is over and counted after this many moves for each cell, as in OpenSpiel and pgx."""
_bits = random.Random(19)
ZOBRIST = table([[_bits.randrange(1, 1 << 62) for _ in range(INDICES)] for _ in range(2)])
"""A number for each color and cell; a position's hash is the exclusive or of those of its stones and of `EMPTY`."""
EMPTY = _bits.randrange(1, 1 << 62)
SUM_SHIFT, SQUARES_SHIFT = 12, 32
"""Pseudo-liberties: their number, the sum of the free cells' indices, and that of their squares."""
LIBERTY = table([1 | i << SUM_SHIFT | i * i << SQUARES_SHIFT for i in range(INDICES)])
NO_CIRCLE = "go: the stones of a chain lead in no circle; this state is none of a game"
NEIGHBORS = table([[-1, 0], [0, -1], [0, 1], [1, 0]])


@reset_function_registry.register
def go(state: State, *, rng: UnusedRng = None) -> None:
    """An empty board.

    Raises:
        ValueError: the board is larger than 19 x 19, or the length of the field `seen` is not a power of two that is
            larger than the number of positions in a game.
    """
    height, width, room = state.grid.height, state.grid.width, len(state.seen)
    if max(height, width) > LONGEST_SIDE:
        raise ValueError(f"go: a board has at most 19 x 19 cells, not {height} x {width}")
    if room & room - 1 != 0 or room <= MOVES_PER_CELL * height * width + 1:
        raise ValueError(
            f"go: on {height} x {width} cells the length of the field `seen` is a power of two that is larger than "
            f"{MOVES_PER_CELL * height * width + 1}, not {room}"
        )
    state.position = EMPTY
    _remember(state, EMPTY)


@legal_function_registry.register
def may_place(state: State, action: ActionWithArguments) -> bool:
    """Passing is legal, and placing a stone on a free cell unless it would have no liberty or repeat a position."""
    if not action.is_a(PLACE):
        return True
    here, own = action.at, Stone(state.agent.number)
    if not isinstance(state.grid[here], Floor):
        return False
    lives, position = False, state.position ^ ZOBRIST[state.agent.number, _index(here)]
    for k in range(len(NEIGHBORS)):
        p = _neighbor(here, k)
        if not state.grid.contains(p):
            continue
        if isinstance(state.grid[p], Floor):
            if state.captures == 0:
                return True
            lives = True
        elif _has_one_liberty(state, p) != (state.grid[p] == own):
            lives = True
            if state.grid[p] != own and _is_first_of_chain(state, here, k):
                position ^= _hash_of_chain(state, p)
    # Without a capture there is a stone more on the board after each move.
    return lives and (state.captures == 0 or not _was_seen(state, position))


@transition_function_registry.register
def place_or_pass(
    state: State, action: ActionWithArguments, *, komi: float = 7.5, rng: UnusedRng = None
) -> None:
    """Place a stone and take the chains of the other color that have no liberty left; count at the end.

    Args:
        state: with stones.
        action: PASS, or PLACE with a free cell `at`.
        komi: points for white, which plays second.
        rng: not used.
    """
    state.moves += 1
    if action.is_a(PLACE):
        state.passes = 0
        _place(state, action.at)
        _remember(state, state.position)
    else:
        state.passes += 1
    if _is_over(state):
        lead = _lead_of_black(state) - komi
        if lead != 0:
            state.winner = 1 if lead > 0 else 2


@terminating_function_registry.register
def two_passes(state: State, action: Action, next_state: State, *, rng: UnusedRng = None) -> bool:
    """Both have passed, or there have been two moves for each cell."""
    return _is_over(next_state)


def _is_over(state: State) -> bool:
    return bool(state.passes == 2 or state.moves == MOVES_PER_CELL * state.grid.height * state.grid.width)


def _neighbor(p: Position, k: int) -> Position:
    return Position(p.y + NEIGHBORS[k, 0], p.x + NEIGHBORS[k, 1])


def _index(p: Position) -> int:
    return p.y << ROW_SHIFT | p.x


def _cell(i: int) -> Position:
    return Position(i >> ROW_SHIFT, i & (1 << ROW_SHIFT) - 1)


def _chain(state: State, p: Position) -> Position:
    """The cell that stands for a stone's chain."""
    return _cell(state.grid.number("chain", p))


def _add_liberties(state: State, p: Position, liberties: int) -> None:
    """Add packed liberties to the chain of a stone."""
    chain = _chain(state, p)
    state.grid.set_number("liberties", chain, state.grid.number("liberties", chain) + liberties)


def _has_one_liberty(state: State, p: Position) -> bool:
    """Whether all pseudo-liberties of a stone's chain are the same cell: then the mean of squares is the square of the mean."""
    packed = state.grid.number("liberties", _chain(state, p))
    count, total = packed & (1 << SUM_SHIFT) - 1, packed >> SUM_SHIFT & (1 << SQUARES_SHIFT - SUM_SHIFT) - 1
    return bool(count * (packed >> SQUARES_SHIFT) == total * total)


def _is_first_of_chain(state: State, here: Position, k: int) -> bool:
    """Whether no neighbour before the k-th one is of the same chain."""
    chain = state.grid.number("chain", _neighbor(here, k))
    for j in range(k):
        p = _neighbor(here, j)
        stone = state.grid.contains(p) and not isinstance(state.grid[p], Floor)
        if stone and state.grid.number("chain", p) == chain:
            return False
    return True


def _hash_of_chain(state: State, p: Position) -> int:
    """The exclusive or of the numbers of a chain's stones."""
    color, start = state.grid[p].state_index, _index(p)
    found, i = ZOBRIST[color, start], state.grid.number("next_stone", p)
    for _ in range(INDICES):
        if i == start:
            return found
        found ^= ZOBRIST[color, i]
        i = state.grid.number("next_stone", _cell(i))
    raise ValueError(NO_CIRCLE)


def _place(state: State, here: Position) -> None:
    """Place a stone of the agent in focus."""
    i, own = _index(here), Stone(state.agent.number)
    state.grid[here] = own
    state.position ^= ZOBRIST[state.agent.number, i]
    state.grid.set_number("chain", here, i)
    state.grid.set_number("next_stone", here, i)
    state.grid.set_number("liberties", here, 0)
    for k in range(len(NEIGHBORS)):
        p = _neighbor(here, k)
        if state.grid.contains(p):
            if isinstance(state.grid[p], Floor):
                _add_liberties(state, here, LIBERTY[_index(p)])
            else:
                _add_liberties(state, p, -LIBERTY[i])
                if state.grid[p] == own:
                    _join(state, here, p)
    for k in range(len(NEIGHBORS)):
        p = _neighbor(here, k)
        theirs = state.grid.contains(p) and state.grid[p] == Stone(1 - state.agent.number)
        if theirs and state.grid.number("liberties", _chain(state, p)) == 0:
            _take(state, p)


def _join(state: State, here: Position, other: Position) -> None:
    """Make two chains one: that of `other` gets the stones of that of `here`."""
    old, new = state.grid.number("chain", here), state.grid.number("chain", other)
    if old == new:
        return
    _add_liberties(state, other, state.grid.number("liberties", _cell(old)))
    i = old
    for _ in range(INDICES):
        state.grid.set_number("chain", _cell(i), new)
        i = state.grid.number("next_stone", _cell(i))
        if i == old:
            break
    else:
        raise ValueError(NO_CIRCLE)
    first, second = _cell(old), _cell(new)
    after = state.grid.number("next_stone", first)
    state.grid.set_number("next_stone", first, state.grid.number("next_stone", second))
    state.grid.set_number("next_stone", second, after)


def _take(state: State, start: Position) -> None:
    """Remove a chain of the other color; its cells are liberties of the stones around it."""
    own, p = Stone(state.agent.number), start
    for _ in range(INDICES):
        i, following = _index(p), state.grid.number("next_stone", p)
        state.grid[p] = Floor()
        state.position ^= ZOBRIST[1 - state.agent.number, i]
        state.captures += 1
        for k in range(len(NEIGHBORS)):
            q = _neighbor(p, k)
            if state.grid.contains(q) and state.grid[q] == own:
                _add_liberties(state, q, LIBERTY[i])
        p = _cell(following)
        if p == start:
            return
    raise ValueError(NO_CIRCLE)


def _remember(state: State, position: int) -> None:
    """Add a position to the hash table, in which 0 is a free item."""
    for k in range(len(state.seen)):
        i = position + k & len(state.seen) - 1
        if state.seen[i] == 0:
            state.seen[i] = position
            return
    raise ValueError("go: the table of positions is full")


def _was_seen(state: State, position: int) -> bool:
    for k in range(len(state.seen)):
        known = state.seen[position + k & len(state.seen) - 1]
        if known == 0 or known == position:
            return known != 0
    return False


def _lead_of_black(state: State) -> int:
    """Black's area less white's: stones, and free cells from which ways over free cells lead to stones of one color only."""
    reached, lead = new_integers(state.scratch, INDICES), 0
    for color in (0, 1):
        _reach(state, color, reached)
    for p in state.grid.positions():
        bits = reached[_index(p)]
        lead += (1 if bits == 1 else 0) - (1 if bits == 2 else 0)
    return lead


def _reach(state: State, color: int, reached: Any) -> None:
    """Mark the stones of a color, and all free cells that are connected to them."""
    waiting, count, stone, bit = new_integers(state.scratch, INDICES), 0, Stone(color), 1 << color
    for p in state.grid.positions():
        if state.grid[p] == stone:
            reached[_index(p)] |= bit
            waiting[count] = _index(p)
            count += 1
    while count > 0:
        count -= 1
        here = _cell(waiting[count])
        for k in range(len(NEIGHBORS)):
            p = _neighbor(here, k)
            if state.grid.contains(p) and isinstance(state.grid[p], Floor):
                i = _index(p)
                if reached[i] & bit == 0:
                    reached[i] |= bit
                    waiting[count] = i
                    count += 1
