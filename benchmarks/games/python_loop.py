"""Steps per processor second of random games played by a loop of Python, beside OpenSpiel's (pip install open_spiel).

python benchmarks/games/python_loop.py
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable

import pyspiel

from gridarium import World
from gridarium.engine.single_world import SingleWorld

GAMES = {"tic_tac_toe": "TicTacToe-2p", "connect_four": "ConnectFour"}
SECONDS, WINDOWS = 1.0, 5


def theirs(name: str) -> Callable[[], int]:
    """Plays one game; returns the number of its moves."""
    game, rng = pyspiel.load_game(name), random.Random(0)

    def play() -> int:
        state, moves = game.new_initial_state(), 0
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[int(rng.random() * len(legal))])
            moves += 1
        return moves

    return play


def ours(name: str) -> Callable[[], int]:
    """Likewise."""
    world, rng = SingleWorld(World(name).composed, shared=True), random.Random(0)
    world.reset(0)

    def play() -> int:
        world.reset()
        over, moves = False, 0
        while not over:
            legal = world.legal
            over = world.act(legal[int(rng.random() * len(legal))])
            moves += 1
        return moves

    return play


def rate(play: Callable[[], int]) -> float:
    """Moves per processor second in one window."""
    began, moves = time.process_time(), 0
    while time.process_time() - began < SECONDS:
        moves += play()
    return moves / (time.process_time() - began)


def main() -> None:
    """Measure in turn, and print a table."""
    print("| game | OpenSpiel | ours | ratio |\n| --- | --- | --- | --- |")
    for its, mine in GAMES.items():
        loops = theirs(its), ours(mine)
        pairs = [tuple(map(rate, loops)) for _ in range(WINDOWS)]
        one, two = (statistics.median(column) for column in zip(*pairs, strict=True))
        print(f"| {mine} | {one:,.0f} | {two:,.0f} | {statistics.median(b / a for a, b in pairs):.2f} |")


if __name__ == "__main__":
    main()
