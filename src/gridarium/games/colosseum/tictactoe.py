"""Tic-tac-toe for two, three and four players, as `tictactoe`, `tictactoe_3p` and `tictactoe_4p`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from gridarium.games.colosseum.numbering import owners, relative
from gridarium.games.config_strings import SimpleConfigParser
from gridarium.games.world_game import GameState, WorldGame
from gridarium.world.board_games import Mark

Index = tuple[int, ...]
MARKS = ".XOYZ"
SHAPES: dict[int, Index] = {2: (3, 3), 3: (3, 5), 4: (3, 3, 3)}
"""The shape of the board for each number of players."""
NUMBERS = r"\d{1,3}(?:\s*,\s*\d{1,3})+"


def action_to_string(index: Sequence[int]) -> str:
    """The action of marking a cell: `(0, 2)`."""
    return str(tuple(map(int, index)))


def string_to_action(action: str) -> Index | None:
    """The cell of an action, None for "".

    Raises:
        ValueError: another text.
    """
    if action == "":
        return None
    found = re.fullmatch(rf"\s*(?:\(\s*({NUMBERS})\s*\)|({NUMBERS}))\s*", action, re.ASCII)
    if found is None:
        raise ValueError(f"{action!r} is not a cell such as '(0, 2)'")
    return tuple(map(int, (found[1] or found[2]).split(",")))


def board_of(state: GameState) -> npt.NDArray[np.int8]:
    """int8: the player that has marked each cell, -1 for free ones."""
    return owners(state.world, Mark).reshape(SHAPES[len(state.returns)]).astype(np.int8)


def print_board(state: GameState) -> None:
    """Print the board, with the marks X, O, Y and Z; of a cube, its layers side by side."""
    board = board_of(state)
    for row in board:
        layers = row if row.ndim == 2 else [row]
        print("   ".join(" ".join(MARKS[number + 1] for number in layer) for layer in layers))


class TicTacToe2PlayerEnv(WorldGame):
    """Tic-tac-toe on 3 x 3 cells; it has no parameters.

    Actions are cells, `(row, column)`. The observation `board` int8[3, 3] holds -1 for free cells, 0 for the player's own
    marks, and the others from 1 in the order of turns.
    """

    source = "TicTacToe-2p"
    board_shape: ClassVar[Index] = SHAPES[2]

    @classmethod
    def parameters(cls, config: str) -> dict[str, Any]:
        """None; any other text than "" is refused."""
        SimpleConfigParser().parse(config)
        return {}

    @staticmethod
    def observation_names() -> list[str]:
        """`board`."""
        return ["board"]

    @property
    def observation_shape(self) -> dict[str, Index]:
        """The shape of the board."""
        return {"board": self.board_shape}

    def action_text(self, index: int) -> str:
        """See `action_to_string`."""
        return action_to_string(np.unravel_index(index, self.board_shape))  # type: ignore[arg-type]

    def action_index(self, text: str) -> int:
        """See `string_to_action`."""
        cell = string_to_action(text)
        if cell is None:
            raise ValueError("passing is not possible")
        if len(cell) != len(self.board_shape):
            raise ValueError(f"{text} is not a cell of a board of {len(self.board_shape)} dimensions")
        return int(np.ravel_multi_index(cell, self.board_shape))

    def state_to_observation(self, state: GameState, player: int) -> dict[str, npt.NDArray[Any]]:
        """The board as the player sees it."""
        board = relative(board_of(state).astype(np.int64), player, len(state.returns))
        return {"board": board.astype(np.int8)}

    def current_rewards(self, state: GameState) -> list[float]:
        """1 for the winner and -1 for the others; 0 for all as long as nobody has won."""
        return self.returns(state)


class TicTacToe3PlayerEnv(TicTacToe2PlayerEnv):
    """Tic-tac-toe for three players on 3 x 5 cells; observations and actions as of `TicTacToe2PlayerEnv`."""

    source = "TicTacToe-3p"
    board_shape = SHAPES[3]


class TicTacToe4PlayerEnv(TicTacToe2PlayerEnv):
    """Tic-tac-toe for four players in 3 x 3 x 3 cells: actions are `(0, 2, 1)`, observations int8[3, 3, 3].

    The second number of a cell is its layer in the world, whose layers are side by side.
    """

    source = "TicTacToe-4p"
    board_shape = SHAPES[4]
