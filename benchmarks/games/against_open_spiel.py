"""Tree search against OpenSpiel's MCTSBot at connect four, with the same time for each move.

python benchmarks/games/against_open_spiel.py --games 200    # needs pyspiel (pip install open_spiel)
"""

from __future__ import annotations

import argparse
import math
import time

import numpy as np
import pyspiel

from gridarium import World
from gridarium.agents import TreeSearch
from gridarium.agents.planning.tree_search.search import UCT_EXPLORATION


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--simulations", type=int, default=7000, help="of OpenSpiel's bot, in each move")
    parser.add_argument(
        "--exploration", type=float, default=UCT_EXPLORATION, help="of ours; OpenSpiel's uct_c is 1.4"
    )
    options = parser.parse_args()
    world, game = World("ConnectFour"), pyspiel.load_game("connect_four")
    ours = TreeSearch(world, simulations=2_000_000, seed=1, exploration=options.exploration)
    won = drawn = lost = moves = 0
    spent = {"ours": 0.0, "OpenSpiel": 0.0}
    share = 0.7  # of OpenSpiel's time that ours is told to take, so that both take the same in the end
    for number in range(options.games):
        state, position = world.reset(number), game.new_initial_state()
        evaluator = pyspiel.RandomRolloutEvaluator(1, number)
        bot = pyspiel.MCTSBot(game, evaluator, 1.4, options.simulations, 1000, True, number, False)
        seat, seconds = number % 2, 0.03
        while not position.is_terminal():
            own, began = position.current_player() == seat, time.perf_counter()
            if own:
                visits = ours.search(state, seconds=max(0.002, share * seconds)).visits[0]
                action = int(np.argmax(visits))
            else:
                action = bot.step(position)
            took = time.perf_counter() - began
            spent["ours" if own else "OpenSpiel"] += took
            seconds = seconds if own else 0.8 * seconds + 0.2 * took
            moves += not own
            position.apply_action(action)
            state = world.step(state, [action, action])[0]
        result = position.returns()[seat]
        won, drawn, lost = won + (result > 0), drawn + (result == 0), lost + (result < 0)
        share = min(1.0, max(0.3, share * (0.95 if spent["ours"] > spent["OpenSpiel"] else 1.05)))
    points = (won + drawn / 2) / options.games
    error = 1.96 * math.sqrt(points * (1 - points) / options.games)
    times = ", ".join(f"{name} {total / max(1, moves):.4f} s a move" for name, total in spent.items())
    print(f"won {won}, drawn {drawn}, lost {lost}: {points:.3f} +- {error:.3f} points; {times}")


if __name__ == "__main__":
    main()
