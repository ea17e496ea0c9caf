"""Moves per second of matches between programs, and what a move costs besides the players' thinking.

python benchmarks/arena/measure.py --games 1000 --json arena.json
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import tempfile
import time
from pathlib import Path

from gridarium.arena import GameSource, Match, open_player

ROOT = Path(__file__).parents[2]
BOTS = ROOT / "examples" / "bots"
CONNECT_FOUR = "ConnectFour"


def measured(game, players, games):
    """Moves per second by the clock, and the microseconds of a move: by the clock, of this process's processor time."""
    opened = [open_player(text) for text in players]
    for seed in range(3):
        Match(game, opened, seed=seed).run()
    moves, busy, started = 0, time.process_time(), time.perf_counter()
    for i in range(games):
        result = Match(game, opened if i % 2 == 0 else opened[::-1], seed=i).run()
        assert all(seat.status == "DONE" for seat in result.seats), result.seats
        moves += len(result.moves)
    passed, busy = time.perf_counter() - started, time.process_time() - busy
    for player in opened:
        player.close()
    return {
        "games": games,
        "moves": moves,
        "moves a second": round(moves / passed),
        "microseconds a move": round(1e6 * passed / moves, 1),
        "of these, processor time of the match": round(1e6 * busy / moves, 1),
    }


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", default=CONNECT_FOUR, help="a game of two players")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    game = GameSource(given.game).open()
    with tempfile.TemporaryDirectory() as folder:
        compiled = Path(folder) / "middle_bot"
        subprocess.run(["cc", "-O2", "-o", compiled, BOTS / "middle_bot.c"], check=True)
        python, c = str(BOTS / "random_bot.py"), str(compiled)
        found = {
            name: measured(game, players, given.games)
            for name, players in {
                "functions in the match's process": ["random", "random"],
                "two programs in C": [c, c],
                "a program in C and a Python file": [c, python],
                "two Python files": [python, python],
            }.items()
        }
    report = {
        "game": Path(given.game).stem,
        "load": os.getloadavg()[0],
        "processors": os.cpu_count(),
        **found,
    }
    print(json.dumps(report, indent=2))
    if given.json:
        given.json.write_text(json.dumps(report, indent=2) + "\n")


if __name__ == "__main__":
    main()
