"""Blokus, as `blokus`: placements as text, from the point of view of the board or of a player."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.games.colosseum.numbering import owners, relative
from gridarium.games.config_strings import SimpleConfigParser
from gridarium.games.world_game import GameState, WorldGame
from gridarium.rules.games import blokus
from gridarium.world.arcade_games import Square

Index = tuple[int, int]
SIDE, PLAYERS = 20, 4
PIECES = {
    "monomino1": "00", "domino1": "00 10", "trominoe1": "00 10 11", "trominoe2": "00 10 20",
    "tetrominoes1": "00 10 01 11", "tetrominoes2": "00 1-1 10 20", "tetrominoes3": "00 10 20 30",
    "tetrominoes4": "00 10 20 2-1", "tetrominoes5": "00 10 1-1 2-1", "pentominoe1": "00 0-1 10 20 30",
    "pentominoe2": "00 0-1 01 10 20", "pentominoe3": "00 0-1 0-2 1-2 2-2", "pentominoe4": "00 10 1-1 2-1 3-1",
    "pentominoe5": "00 01 10 20 2-1", "pentominoe6": "00 10 20 30 40", "pentominoe7": "00 10 20 1-1 2-1",
    "pentominoe8": "00 01 10 1-1 2-1", "pentominoe9": "00 10 01 02 12", "pentominoe10": "00 10 1-1 11 2-1",
    "pentominoe11": "00 -10 10 0-1 01", "pentominoe12": "00 10 1-1 20 30",
}  # fmt: skip
"""The squares (x, y) of each piece to the east, in the order of shifts."""
ORIENTATIONS = {
    "north": (0, 1, -1, 0), "northeast": (1, 0, 0, -1), "east": (1, 0, 0, 1), "southeast": (0, 1, 1, 0),
    "south": (0, -1, 1, 0), "southwest": (-1, 0, 0, 1), "west": (-1, 0, 0, -1), "northwest": (0, -1, -1, 0),
}  # fmt: skip
"""Clockwise: x and y of a square after turning, each as factors of x and y before."""
NAMES = list(ORIENTATIONS)


def _turned(piece: str, orientation: str) -> list[Index]:
    """The squares of a piece in an orientation, in the order of shifts."""
    xx, xy, yx, yy = ORIENTATIONS[orientation]
    squares = [(int(x), int(y)) for x, y in re.findall(r"(-?\d)(-?\d)", PIECES[piece])]
    return [(xx * x + xy * y, yx * x + yy * y) for x, y in squares]


def _corner(squares: list[Index]) -> Index:
    """The upper left corner (x, y) of the bounding box."""
    return min(x for x, _ in squares), min(y for _, y in squares)


def _form(squares: list[Index]) -> blokus.Form:
    left, top = _corner(squares)
    return tuple(sorted((y - top, x - left) for x, y in squares))


FORM_NUMBERS = {form: number for number, (_, form) in enumerate(blokus.FORMS)}
FORM_OF = {
    (piece, orientation): FORM_NUMBERS[_form(_turned(piece, orientation))]
    for piece in PIECES
    for orientation in NAMES
}
"""The number of the form, see `gridarium.rules.games.blokus.FORMS`, of each piece in each orientation."""
LISTED = {form: given for given, form in reversed(FORM_OF.items())}
"""The piece and the first orientation that give each of the 91 forms."""
COLUMNS = [int(blokus.PIECE_OF[FORM_OF[piece, "east"]]) for piece in PIECES]
"""The number of each piece in the world's `hand`."""


def action_to_string(piece_type: str, index: Index, orientation: str) -> str:
    """A placement as text: `pentominoe9;(19, 0);west3`.

    Args:
        piece_type: a name of `PIECES`.
        index: the cell (x, y) of one of its squares.
        orientation: one of `ORIENTATIONS`, and the number of this square among those of the piece.
    """
    x, y = index
    return f"{piece_type};({int(x)}, {int(y)});{orientation}"


def string_to_action(action: str) -> tuple[str, Index, str] | None:
    """Piece, cell and orientation with the number of the square; None for "".

    Raises:
        ValueError: another text.
    """
    if action == "":
        return None
    found = re.fullmatch(r"(\w+);\s*\(?\s*(\d{1,2})\s*,\s*(\d{1,2})\s*\)?\s*;([a-z]+)(\d)", action, re.ASCII)
    if found is None or found[1] not in PIECES or found[4] not in ORIENTATIONS:
        raise ValueError(f"{action!r} is not a placement such as 'pentominoe9;(19, 0);west3'")
    return found[1], (int(found[2]), int(found[3])), found[4] + found[5]


def print_board(state: GameState) -> None:
    """Print the board: players' numbers, -1 for free cells."""
    print(owners(state.world, Square))


class BlokusEnvironment(WorldGame):
    """Blokus for four players on 20 x 20 cells; it has no parameters.

    A placement is written as `piece;(x, y);orientation` with the number of the square that is on cell (x, y); one of these
    texts is listed among the legal actions for each placement, with square 0, and all others are legal as well.

    Observations, as the player counts, itself first:

    - `board` int64[20, 20]: -1 for free cells, 0 for the player's own squares, others 1 to 3; turned such that its own
      corner is at [0, 0].
    - `pieces` uint8[4, 21]: 1 for pieces that are left.
    - `score` int64[4].
    - `player` int64[1]: its number, from 0.
    """

    source = "Blokus-20x20-4p"

    @classmethod
    def parameters(cls, config: str) -> dict[str, Any]:
        """None; any other text than "" is refused."""
        SimpleConfigParser().parse(config)
        return {}

    @staticmethod
    def observation_names() -> list[str]:
        """`board`, `pieces`, `score` and `player`."""
        return ["board", "pieces", "score", "player"]

    @property
    def observation_shape(self) -> dict[str, tuple[int, ...]]:
        """The shape of each array."""
        return {
            "board": (SIDE, SIDE),
            "pieces": (PLAYERS, len(PIECES)),
            "score": (PLAYERS,),
            "player": (1,),
        }

    @staticmethod
    def all_piece_types() -> list[str]:
        """The names of the pieces."""
        return list(PIECES)

    @staticmethod
    def all_orientations() -> list[str]:
        """The names of the orientations, clockwise."""
        return list(NAMES)

    def action_text(self, index: int) -> str:
        """The text that is listed for a placement."""
        form, cell = divmod(index, SIDE * SIDE)
        y, x = divmod(cell, SIDE)
        piece, orientation = LISTED[form]
        left, top = _corner(_turned(piece, orientation))
        return action_to_string(piece, (x - left, y - top), f"{orientation}0")

    def action_index(self, text: str) -> int:
        """The placement of any text for it."""
        read = string_to_action(text)
        if read is None:
            raise ValueError("passing is not possible")
        piece, (x, y), turn = read
        orientation, shift = turn[:-1], int(turn[-1])
        squares = _turned(piece, orientation)
        if shift >= len(squares):
            raise ValueError(f"{text}: {piece} has the squares 0 to {len(squares) - 1}")
        left, top = _corner(squares)
        x, y = x - squares[shift][0] + left, y - squares[shift][1] + top
        if not (0 <= x < SIDE and 0 <= y < SIDE):
            raise ValueError(f"{text} is not on the board")
        return (FORM_OF[piece, orientation] * SIDE + y) * SIDE + x

    def valid_actions_dict(self, state: GameState, player: int) -> dict[str, dict[Index, list[str]]]:
        """The legal actions as `{piece: {(x, y): [orientation and number of the square]}}`."""
        found: dict[str, dict[Index, list[str]]] = {}
        for action in self.valid_actions(state, player):
            piece, index, orientation = string_to_action(action) or ("", (0, 0), "")
            found.setdefault(piece, {}).setdefault(index, []).append(orientation)
        return found

    def player_perspective_valid_actions(self, state: GameState, player: int) -> list[str]:
        """The legal actions on the board as a player observes it."""
        return [
            self.convert_real_action_to_player_perspective_action(action, player)
            for action in self.valid_actions(state, player)
        ]

    def convert_real_action_to_player_perspective_action(self, action: str, player: int) -> str:
        """The same placement on the board as a player observes it."""
        return _turn(action, player)

    def convert_player_perspective_action_to_real_action(self, player_action: str, player: int) -> str:
        """The action of a placement on the board as a player observes it."""
        return _turn(player_action, -player)

    def state_to_observation(self, state: GameState, player: int) -> dict[str, npt.NDArray[Any]]:
        """See the class."""
        board = relative(owners(state.world, Square), player, PLAYERS)
        hand = np.array(state.world.hand).reshape(PLAYERS, -1)[:, COLUMNS]
        return {
            "board": np.rot90(board, player).copy(),
            "pieces": np.roll(hand.astype(np.uint8), -player, axis=0),
            "score": np.roll(np.array(state.world.scores, np.int64), -player),
            "player": np.array([player]),
        }

    def current_rewards(self, state: GameState) -> list[float]:
        """The scores."""
        return [float(score) for score in state.world.scores]


def _turn(action: str, quarters: int) -> str:
    """A placement after so many quarter turns of the board counterclockwise; "" stays."""
    read = string_to_action(action)
    if read is None:
        return ""
    piece, (x, y), orientation = read
    for _ in range(quarters % 4):
        x, y = y, SIDE - 1 - x
    turned = NAMES[(NAMES.index(orientation[:-1]) - 2 * quarters) % len(NAMES)]
    return action_to_string(piece, (x, y), turned + orientation[-1])
