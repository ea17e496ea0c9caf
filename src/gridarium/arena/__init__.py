"""Matches between players, ratings and tournaments."""

from gridarium.arena.clock import TimeControl
from gridarium.arena.game_source import GameSource
from gridarium.arena.match import Match
from gridarium.arena.match_result import MatchResult, Move, SeatResult
from gridarium.arena.players.agent_process import Limits
from gridarium.arena.players.builtin_players import GreedyPlayer, MCTSPlayer, RandomPlayer
from gridarium.arena.players.function_player import FunctionPlayer
from gridarium.arena.players.open_player import open_player, player_names, players_in
from gridarium.arena.players.player import GameEnd, GameStart, Player, PlayerFault, Status, Turn
from gridarium.arena.players.process_player import ProcessPlayer

__all__ = [
    "FunctionPlayer",
    "GameEnd",
    "GameSource",
    "GameStart",
    "GreedyPlayer",
    "Limits",
    "MCTSPlayer",
    "Match",
    "MatchResult",
    "Move",
    "Player",
    "PlayerFault",
    "ProcessPlayer",
    "RandomPlayer",
    "SeatResult",
    "Status",
    "TimeControl",
    "Turn",
    "open_player",
    "player_names",
    "players_in",
]
