"""Random games in lockstep with OpenSpiel (`pip install open_spiel`): the same turns, legal moves and returns."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from gridarium import World

pyspiel = pytest.importorskip("pyspiel")
GAMES, WORLDS = 200, 40
PASS_IN_OTHELLO = 64


def same_numbers(state: Any) -> dict[int, int]:
    return {action: action for action in state.legal_actions()}


def pawn_moves(state: Any) -> dict[int, int]:
    """Moves such as 'a7b6': there, black begins in the uppermost rows."""
    found = {}
    for action in state.legal_actions():
        column, row, to = state.action_to_string(action)[:3]
        start, end = (ord(letter) - ord("a") for letter in (column, to))
        found[64 * (end - start + 1) + 8 * (int(row) - 1) + start] = action
    return found


def skip_passes(state: Any) -> None:
    """Pass in Othello where nothing else is legal, which our worlds leave out."""
    while (
        not state.is_terminal()
        and state.legal_actions() == [PASS_IN_OTHELLO]
        and state.get_game().get_type().short_name == "othello"
    ):
        state.apply_action(PASS_IN_OTHELLO)


@pytest.mark.parametrize(
    ("name", "theirs", "moves"),
    [
        ("TicTacToe-2p", "tic_tac_toe", same_numbers),
        ("ConnectFour", "connect_four", same_numbers),
        ("Othello", "othello", same_numbers),
        ("Hex-11x11", "hex", same_numbers),
        ("Breakthrough-8x8", "breakthrough", pawn_moves),
        ("Go-9x9", "go(board_size=9,komi=7.5)", same_numbers),
        ("Go-19x19", "go(board_size=19,komi=7.5)", same_numbers),
    ],
)
def test_games_are_those_of_open_spiel(
    name: str, theirs: str, moves: Callable[[Any], dict[int, int]]
) -> None:
    rng, batch, game = np.random.default_rng(0), World(name).batch(WORLDS), pyspiel.load_game(theirs)
    batch.reset(seed=0)
    states, played = [game.new_initial_state() for _ in range(WORLDS)], 0
    while played < (GAMES if name != "Go-19x19" else WORLDS):
        chosen, began = np.zeros(WORLDS, np.int64), [state is None for state in states]
        for i, state in enumerate(states):
            if state is None:  # our world begins the next game in this step
                states[i] = game.new_initial_state()
                continue
            legal, known = np.flatnonzero(batch.masks[i]).tolist(), moves(state)
            for move in known.keys() - legal:
                # There, a move that repeats a position ends the game as a draw; here it is illegal.
                assert name.startswith("Go") and state.child(known[move]).returns() == [0, 0]
            assert set(legal) <= known.keys() and batch.turns[i] == state.current_player()
            chosen[i] = rng.choice(legal)
            state.apply_action(known[chosen[i]])
        result = batch.step(np.stack([chosen, chosen], axis=1))
        for i, state in enumerate(states):
            if began[i]:
                continue
            skip_passes(state)
            assert result.terminated[i].all() == state.is_terminal()
            if state.is_terminal():
                assert result.rewards[i].tolist() == state.returns()
                states[i], played = None, played + 1
