"""Matches between players, ratings and tournaments."""

from gridarium.arena.clock import TimeControl
from gridarium.arena.game_source import GameSource
from gridarium.arena.match import Match
from gridarium.arena.match_result import MatchMove, MatchResult, SeatResult
from gridarium.arena.match_run import run_of_matches
from gridarium.arena.players.agent_process import Limits
from gridarium.arena.players.builtin_players import GreedyPlayer, MCTSPlayer, RandomPlayer
from gridarium.arena.players.cfr_player import CFRPlayer
from gridarium.arena.players.exact_player import ExactPlayer
from gridarium.arena.players.function_player import FunctionPlayer
from gridarium.arena.players.onnx_player import ONNXPlayer
from gridarium.arena.players.open_player import (
    left_out_of,
    open_player,
    player_name,
    player_names,
    players_in,
)
from gridarium.arena.players.player import (
    CannotPlay,
    GameEnd,
    GameStart,
    MatchPlayer,
    PlayerFault,
    PlayerStatus,
    Turn,
)
from gridarium.arena.players.process_player import ProcessPlayer
from gridarium.arena.players.sb3_player import SB3Player
from gridarium.arena.ratings.alpha_rank import alpha_rank
from gridarium.arena.ratings.nash_averaging import NashAverage, nash_averaging
from gridarium.arena.ratings.online_ratings import OnlineRatings, Rating
from gridarium.arena.ratings.strengths import Strengths, fit_strengths
from gridarium.arena.tournaments.formats.named_formats import FORMATS
from gridarium.arena.tournaments.formats.tournament_format import Encounter, TournamentFormat
from gridarium.arena.tournaments.page import tournament_page
from gridarium.arena.tournaments.scheduled_match import ScheduledMatch
from gridarium.arena.tournaments.tournament import BrokenMatches, Tournament
from gridarium.arena.tournaments.tournament_result import Average, PlayedMatch, Standing, TournamentResult
from gridarium.arena.tournaments.worker import MatchSettings

__all__ = [
    "FORMATS",
    "Average",
    "BrokenMatches",
    "CFRPlayer",
    "CannotPlay",
    "Encounter",
    "ExactPlayer",
    "FunctionPlayer",
    "GameEnd",
    "GameSource",
    "GameStart",
    "GreedyPlayer",
    "Limits",
    "MCTSPlayer",
    "Match",
    "MatchMove",
    "MatchPlayer",
    "MatchResult",
    "MatchSettings",
    "NashAverage",
    "ONNXPlayer",
    "OnlineRatings",
    "PlayedMatch",
    "PlayerFault",
    "PlayerStatus",
    "ProcessPlayer",
    "RandomPlayer",
    "Rating",
    "SB3Player",
    "ScheduledMatch",
    "SeatResult",
    "Standing",
    "Strengths",
    "TimeControl",
    "Tournament",
    "TournamentFormat",
    "TournamentResult",
    "Turn",
    "alpha_rank",
    "fit_strengths",
    "left_out_of",
    "nash_averaging",
    "open_player",
    "player_name",
    "player_names",
    "players_in",
    "run_of_matches",
    "tournament_page",
]
