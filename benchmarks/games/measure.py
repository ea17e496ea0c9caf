"""Moves a second of board games in batches: random games of 1,024 worlds on one core, with masks and observations.

    python benchmarks/games/measure.py ConnectFour Go-9x9

Legal moves are drawn before the clock starts, and the same games are played again in each round; beginning a game counts
as a step.
"""

from __future__ import annotations

import argparse
import statistics
import time

from gridarium import World
from gridarium.cli.bench.loops import legal_moves

WORLDS, STEPS, ROUNDS = 1024, 256, 7
GAMES = [
    "TicTacToe-2p",
    "TicTacToe-3p",
    "TicTacToe-4p",
    "ConnectFour",
    "Othello",
    "Breakthrough",
    "Hex",
    "Gomoku",
    "Go-9x9",
]


def rates(name: str) -> list[float]:
    """Steps per processor second, a number for each round."""
    batch = World(name).batch(WORLDS, threads=1)
    actions = legal_moves(batch, STEPS)
    found = []
    for _ in range(ROUNDS):
        batch.reset(seed=0)
        started = time.process_time()
        for chosen in actions:
            batch.step(chosen)
        found.append(WORLDS * STEPS / (time.process_time() - started))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*", default=GAMES)
    for name in parser.parse_args().games:
        found = rates(name)
        print(f"{name}: {statistics.median(found):,.0f} ({min(found):,.0f} to {max(found):,.0f}) steps/s")


if __name__ == "__main__":
    main()
