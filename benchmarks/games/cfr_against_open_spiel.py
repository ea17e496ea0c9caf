"""Counterfactual regret minimisation beside OpenSpiel's in C++: processor time of an iteration, and exploitability.

python benchmarks/games/cfr_against_open_spiel.py    # needs pyspiel (pip install open_spiel)
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import pyspiel

from gridarium import World
from gridarium.games.solving.cfr import CFR
from gridarium.games.solving.game_tree import GameTree

GAMES = {
    "KuhnPoker-2p": "kuhn_poker(players=2)",
    "KuhnPoker-3p": "kuhn_poker(players=3)",
    "LeducPoker": "leduc_poker",
}
SOLVERS = {"cfr+": pyspiel.CFRPlusSolver, "cfr": pyspiel.CFRSolver}


def timed(run: Callable[[int], None], iterations: int) -> float:
    """The processor time of an iteration, in microseconds; the least of three portions."""
    found = []
    for _ in range(3):
        begun = time.process_time()
        run(iterations // 3)
        found.append(time.process_time() - begun)
    return min(found) / (iterations // 3) * 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--iterations", type=int, default=300)
    options = parser.parse_args()
    for name, theirs in GAMES.items():
        tree, game = GameTree.of(World(name, compiled=False)), pyspiel.load_game(theirs)
        for method, kind in SOLVERS.items():
            ours, solver = CFR(tree, method), kind(game)  # type: ignore[arg-type]

            def evaluate(iterations: int, solver: pyspiel.CFRSolver = solver) -> None:
                for _ in range(iterations):
                    solver.evaluate_and_update_policy()

            own, other = timed(ours.run, options.iterations), timed(evaluate, options.iterations)
            reached = ours.nash_conv(ours.average), pyspiel.nash_conv(game, solver.average_policy())
            print(
                f"{name} {method}: ours {own:.0f} us, OpenSpiel {other:.0f} us, {other / own:.1f} times; "
                f"NashConv {reached[0]:.6f}, {reached[1]:.6f} after {ours.iterations} iterations"
            )


if __name__ == "__main__":
    main()
