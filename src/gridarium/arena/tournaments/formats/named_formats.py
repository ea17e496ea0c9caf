"""Formats by name."""

from __future__ import annotations

from gridarium.arena.tournaments.formats.elimination import DoubleElimination, SingleElimination
from gridarium.arena.tournaments.formats.ladder import Ladder
from gridarium.arena.tournaments.formats.round_robin import RoundRobin
from gridarium.arena.tournaments.formats.swiss import Swiss
from gridarium.arena.tournaments.formats.tournament_format import TournamentFormat

FORMATS: dict[str, type[TournamentFormat]] = {
    "round-robin": RoundRobin,
    "swiss": Swiss,
    "single-elimination": SingleElimination,
    "double-elimination": DoubleElimination,
    "ladder": Ladder,
}
"""The formats of tournaments by name."""
