"""Plays random games of OpenSpiel and the same of the catalogue, and compares legal actions, turns and returns.

.peers/open_spiel/bin/python -m pip install pydantic pyyaml click rich   # what worlds need that run interpreted
PYTHONPATH=src .peers/open_spiel/bin/python benchmarks/peers/lockstep_open_spiel.py [--games 1000] [--only leduc]
"""

import argparse
from collections.abc import Callable

import numpy as np
import pyspiel

from gridarium import World
from gridarium.world import State

Chance = Callable[[State, int, int], None]


def deal(state: State, number: int, card: int) -> None:
    """Give each player in turn a card; the next one is laid on the table."""
    if number < len(state.agents):
        state.agents[number].card = card
    else:
        state.public = card


def no_chance(state: State, number: int, outcome: int) -> None:
    """There is none."""
    raise AssertionError


CASES: dict[str, tuple[str, int, Chance]] = {
    "kuhn_poker(players=2)": ("KuhnPoker", 2, deal),
    "kuhn_poker(players=3)": ("KuhnPoker", 3, deal),
    "kuhn_poker(players=5)": ("KuhnPoker", 5, deal),
    "leduc_poker": ("LeducPoker", 2, deal),
    "matrix_rps": ("RockPaperScissors", 2, no_chance),
}


def play(game: pyspiel.Game, world: World, chance: Chance, rng: np.random.Generator) -> int:
    """Play one game in both; return its length."""
    theirs, ours = game.new_initial_state(), world.reset(seed=0)
    returns, drawn, moves, agents = np.zeros(world.spec.agents), 0, 0, world.spec.agents
    while not theirs.is_terminal():
        if theirs.is_chance_node():
            outcomes, probabilities = zip(*theirs.chance_outcomes(), strict=True)
            outcome = int(rng.choice(outcomes, p=probabilities))
            chance(ours, drawn, outcome)
            theirs.apply_action(outcome)
            drawn += 1
            continue
        if theirs.is_simultaneous_node():
            legal = [theirs.legal_actions(i) for i in range(agents)]
            assert legal == [world.legal_actions(ours, i) for i in range(agents)], theirs
            chosen = [int(rng.choice(actions)) for actions in legal]
            theirs.apply_actions(chosen)
        else:
            assert theirs.current_player() == world.turn(ours), theirs
            assert theirs.legal_actions() == world.legal_actions(ours), theirs
            chosen = [int(rng.choice(theirs.legal_actions()))] * agents
            theirs.apply_action(chosen[0])
        ours, rewards, ended = world.step(ours, chosen)
        returns += rewards
        moves += 1
        assert ended.all() == theirs.is_terminal(), theirs
    assert list(returns) == theirs.returns(), (theirs, returns)
    return moves


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=1000, help="the number of games of each kind")
    parser.add_argument("--only", default="", help="only games with this in their names")
    options = parser.parse_args()
    rng = np.random.default_rng(0)
    for name, (ours, agents, chance) in CASES.items():
        if options.only in name:
            game, world = pyspiel.load_game(name), World(ours, agents=agents, compiled=False)
            moves = sum(play(game, world, chance, rng) for _ in range(options.games))
            print(f"{name}: {options.games} games, {moves} moves, all the same", flush=True)


if __name__ == "__main__":
    main()
