"""Blokus for four players, and Blokus Duo for two.

Each player has the 21 pieces of one to five squares. `PLACE(piece, at)` lays down one of the 91 forms that they have when turned and
flipped (`FORMS`), with the upper left corner of its bounding box in the cell `at`. A world declares the fields `squares` int[4, 20]
(for each player the rows of the board as bits), `hand` bool[4, 21] (the pieces that are left), `scores` int[4] and `over`, and the
agents' fields `seat` and `stuck`.

Source: the rules of Blokus and Blokus Duo (Tavitian 2000); pieces are named as in Golomb (1954).
"""

from __future__ import annotations

from typing import Any

from gridarium.compiled.data_types.primitives import outlined
from gridarium.compiled.data_types.vectors import new_integers
from gridarium.rules.calling import UnusedRng
from gridarium.rules.legal_functions import legal_function_registry
from gridarium.rules.outcome_functions import outcome_function_registry
from gridarium.rules.reset_functions.placing import check_shape
from gridarium.rules.reset_functions.protocol import reset_function_registry
from gridarium.rules.reward_functions import reward_function_registry
from gridarium.rules.terminating_functions import terminating_function_registry
from gridarium.rules.transition_functions import transition_function_registry
from gridarium.world.action_arguments import ActionWithArguments
from gridarium.world.action_mask import ActionMask
from gridarium.world.actions import Action
from gridarium.world.arcade_games import Square
from gridarium.world.field_array import table
from gridarium.world.geometry import Position
from gridarium.world.state import State

PIECES = {
    "I1": "#", "I2": "##", "I3": "###", "V3": "##/#.", "I4": "####", "O": "##/##", "T4": "###/.#.", "L4": "###/#..",
    "S4": "##./.##", "I5": "#####", "L5": "####/#...", "Y": "####/.#..", "N": "###./..##", "P": "###/##.",
    "U": "###/#.#", "F": ".##/##./.#.", "T5": "###/.#./.#.", "V5": "###/#../#..", "W": "##./.##/..#", "X": ".#./###/.#.",
    "Z": "##./.#./.##",
}  # fmt: skip
"""The pieces by name, in the order of `hand`: rows from the top, joined by strokes."""
COUNT = len(PIECES)
MOST_PLAYERS, MOST_ROWS = 4, 20
LARGEST = 5
"""The number of squares of the largest pieces."""
ALL_PLACED, MONOMINO_LAST = 15, 20
"""What a player gets who has placed all pieces, and who has placed the one of a single square last."""
DUO_OFFSET = 4
"""The distance of the start points of two players from the edges."""

Form = tuple[tuple[int, int], ...]


def _forms(drawn: str) -> list[Form]:
    """The different forms of a piece that is turned and flipped: its squares (y, x), from the upper left corner."""
    squares = [(y, x) for y, row in enumerate(drawn.split("/")) for x, mark in enumerate(row) if mark == "#"]
    found: dict[Form, None] = {}
    for flipped in (squares, [(y, -x) for y, x in squares]):
        turned = flipped
        for _ in range(4):
            turned = [(x, -y) for y, x in turned]
            top, left = min(y for y, _ in turned), min(x for _, x in turned)
            found[tuple(sorted((y - top, x - left) for y, x in turned))] = None
    return list(found)


def _drawn(form: Form) -> str:
    """A form, as in `PIECES`."""
    height, width = form[-1][0] + 1, max(x for _, x in form) + 1
    return "/".join("".join(".#"[(y, x) in form] for x in range(width)).rstrip(".") for y in range(height))


FORMS = [(number, form) for number, drawn in enumerate(PIECES.values()) for form in _forms(drawn)]
"""The number of the piece of each form, and its squares."""
PLACE = Action.declare("PLACE", "Place a piece in a cell.", {"piece": [_drawn(form) for _, form in FORMS]})
PIECE_OF = table([piece for piece, _ in FORMS])
SIZES = table([len(form) for _, form in FORMS])
HEIGHTS = table([form[-1][0] + 1 for _, form in FORMS])
SQUARES = table(
    [
        sum((8 * y + x) << 6 * i for i, (y, x) in enumerate([*form, *[form[-1]] * (LARGEST - len(form))]))
        for _, form in FORMS
    ]
)
"""int[91]: the squares of each form, three bits for x and three for y of each; smaller forms repeat the last."""


@reset_function_registry.register
def blokus(state: State, *, rng: UnusedRng = None) -> None:
    """An empty board. Four players, or three, begin in corners, two at points within.

    Raises:
        ValueError: the board is too small or too large, or there are too many players.
    """
    count, height, width = len(state.agents), state.grid.height, state.grid.width
    check_shape(state, 2 * LARGEST, 2 * LARGEST)
    if not 2 <= count <= MOST_PLAYERS or max(height, width) > MOST_ROWS:
        raise ValueError(
            f"Blokus is for 2 to 4 players on up to 20 x 20 cells, not for {count} on {height} x {width}"
        )
    for agent in state.agents:
        agent.seat = agent.number
        for k in range(COUNT):
            state.hand[agent.number, k] = True


@legal_function_registry.register(fills=[PLACE])
@outlined
def blokus_fits(state: State, mask: ActionMask) -> None:
    """A piece fits on free squares, none of them side by side with the player's own, and one of them corner to corner.

    The first piece covers the player's corner of the board; with two players one of the start points.
    """
    number = state.agent.number
    if state.agent.stuck:
        return
    places = mask.of(PLACE)
    height = state.grid.height
    free, corners = new_integers(state.scratch, height), new_integers(state.scratch, height)
    rows = _open_squares(state, number, free, corners)
    for form in range(len(SIZES)):
        if state.hand[number, PIECE_OF[form]]:
            squares, tall = SQUARES[form], HEIGHTS[form]
            for y in range(height - tall + 1):
                if rows >> y & ((1 << tall) - 1) != 0:
                    bits = _fitting(squares, y, free, corners)
                    if bits != 0:
                        places.rows[form, y] = bits


@outlined
def _open_squares(state: State, number: int, free: Any, corners: Any) -> int:
    """Write, as rows of bits, where a player may place squares, and where one of them must be; return the rows with any of these."""
    width, height = state.grid.width, state.grid.height
    all_columns = (1 << width) - 1
    rows, placed = 0, 0
    for y in range(height):
        own = state.squares[number, y]
        above = state.squares[number, y - 1] if y > 0 else 0
        below = state.squares[number, y + 1] if y < height - 1 else 0
        taken = own << 1 | own >> 1 | above | below
        for k in range(len(state.agents)):
            taken |= state.squares[k, y]
        free[y] = all_columns & ~taken
        corners[y] = ((above | below) << 1 | (above | below) >> 1) & free[y]
        placed |= own
    if placed == 0:
        for k in range(2):
            start = _start(state, number, k)
            corners[start.y] |= 1 << start.x & free[start.y]
    for y in range(height):
        if corners[y] != 0:
            rows |= 1 << y
    return rows


def _start(state: State, number: int, k: int) -> Position:
    """Where a player may begin: in its corner, clockwise from the upper left; of two, at either of two points."""
    bottom, right = state.grid.height - 1, state.grid.width - 1
    if len(state.agents) == 2:
        return (
            Position(DUO_OFFSET, DUO_OFFSET) if k == 0 else Position(bottom - DUO_OFFSET, right - DUO_OFFSET)
        )
    return Position(bottom if number >= 2 else 0, right if number in (1, 2) else 0)


def _fitting(squares: int, y: int, free: Any, corners: Any) -> int:
    """The columns, as bits, in which a form can be placed on a row."""
    bits, touching = -1, 0
    for i in range(LARGEST):
        bits &= free[y + (squares >> 6 * i + 3 & 7)] >> (squares >> 6 * i & 7)
    if bits != 0:
        for i in range(LARGEST):
            touching |= corners[y + (squares >> 6 * i + 3 & 7)] >> (squares >> 6 * i & 7)
    return int(bits & touching)


@transition_function_registry.register
def blokus_place(state: State, action: ActionWithArguments, *, rng: UnusedRng = None) -> None:
    """The piece is placed, and leaves the hand. Players that cannot place any more are stuck, and skipped from now on.

    The score is the number of squares placed, and 15 more with all pieces placed, or 20 if the last was that of one square.
    The game is over when all are stuck.
    """
    number, form, at = state.agent.number, action.piece, action.at
    for i in range(SIZES[form]):
        p = Position(at.y + (SQUARES[form] >> 6 * i + 3 & 7), at.x + (SQUARES[form] >> 6 * i & 7))
        state.grid[p] = Square(number)
        state.squares[number, p.y] = state.squares[number, p.y] | 1 << p.x
    state.hand[number, PIECE_OF[form]] = False
    state.scores[number] += SIZES[form]
    if not any(state.hand[number, k] for k in range(COUNT)):
        state.scores[number] += MONOMINO_LAST if SIZES[form] == 1 else ALL_PLACED
    count = len(state.agents)
    for k in range(1, count + 1):
        other = state.agents[(number + k) % count]
        if not other.stuck:
            if _can_place(state, other.number):
                return
            other.stuck = True
    state.over = True


@outlined
def _can_place(state: State, number: int) -> bool:
    """Whether a player can place any piece."""
    height = state.grid.height
    free, corners = new_integers(state.scratch, height), new_integers(state.scratch, height)
    rows = _open_squares(state, number, free, corners)
    for form in range(len(SIZES)):
        if state.hand[number, PIECE_OF[form]]:
            squares, tall = SQUARES[form], HEIGHTS[form]
            for y in range(height - tall + 1):
                if rows >> y & ((1 << tall) - 1) != 0 and _fitting(squares, y, free, corners) != 0:
                    return True
    return False


@reward_function_registry.register
def blokus_ranking(state: State, action: Action, next_state: State, *, rng: UnusedRng = None) -> float:
    """At the end, of the n - 1 others, the share with a lower score minus the share with a higher one; 0 before.

    So a single winner gets 1, a single loser -1, and all rewards add up to 0.
    """
    return _lead(next_state) if next_state.over else 0.0


@outcome_function_registry.register
def blokus_rank(state: State) -> float:
    """Of the n - 1 others, the share with a lower score minus the share with a higher one."""
    return _lead(state)


def _lead(state: State) -> float:
    own, lead = state.scores[state.agent.number], 0
    for other in state.agents:
        if state.scores[other.number] < own:
            lead += 1
        elif state.scores[other.number] > own:
            lead -= 1
    return lead / (len(state.agents) - 1)


@terminating_function_registry.register
def blokus_over(state: State, action: Action, next_state: State, *, rng: UnusedRng = None) -> bool:
    """Nobody can place a piece."""
    return bool(next_state.over)
