"""OpenSpiel: simulations of its MCTS bot in C++, with one random rollout each, from the start of connect four."""

from importlib.metadata import version

import meter
import pyspiel

SIMULATIONS = 1000
EXPLORATION = 2.0
MOST_MEMORY = 1000


def searching() -> meter.Chunk:
    game = pyspiel.load_game("connect_four")
    evaluator = pyspiel.RandomRolloutEvaluator(1, meter.SEED)
    bot = pyspiel.MCTSBot(game, evaluator, EXPLORATION, SIMULATIONS, MOST_MEMORY, False, meter.SEED, False)
    state = game.new_initial_state()

    def chunk() -> int:
        bot.mcts_search(state)
        return SIMULATIONS

    return chunk


def main() -> None:
    options = meter.arguments()
    meter.report("open_spiel", version("open_spiel"), [meter.row("connect four", searching(), options)])


if __name__ == "__main__":
    main()
