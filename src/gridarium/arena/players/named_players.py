"""Players of all games by name."""

from __future__ import annotations

from gridarium.arena.players.builtin_players import GreedyPlayer, MCTSPlayer, RandomPlayer
from gridarium.arena.players.cfr_player import CFRPlayer
from gridarium.arena.players.exact_player import ExactPlayer
from gridarium.arena.players.look_ahead_player import ExpectimaxPlayer, MinimaxPlayer
from gridarium.arena.players.player import MatchPlayer

BUILTIN: dict[str, type[MatchPlayer]] = {
    "random": RandomPlayer,
    "greedy": GreedyPlayer,
    "mcts": MCTSPlayer,
    "minimax": MinimaxPlayer,
    "expectimax": ExpectimaxPlayer,
    "exact": ExactPlayer,
    "cfr": CFRPlayer,
}
"""The players of all games by name."""
