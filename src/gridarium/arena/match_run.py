"""Matches as recorded runs of a world, which can be replayed and looked at."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

from gridarium.arena.match_result import MatchResult
from gridarium.engine import Run
from gridarium.engine.single_world import SingleWorld
from gridarium.games import BaseEnvironment, WorldGame
from gridarium.view.replay.saving import recorded


def run_of_matches(game: BaseEnvironment, results: Iterable[MatchResult]) -> Run:
    """Some matches of a game, replayed and recorded, one episode for each.

    Args:
        game: the game in which they were played.
        results: of the matches.

    Raises:
        ValueError: the game is not a world, or an action is not one of it.
    """
    game = with_replays(game)
    single = SingleWorld(game.world.composed)
    return recorded(single, [(result.seed, _indices(game, result, single)) for result in results])


def with_replays(game: BaseEnvironment) -> WorldGame:
    """A game whose matches have replays.

    Raises:
        ValueError: it is not a world.
    """
    if not isinstance(game, WorldGame):
        raise ValueError(f"only matches in worlds have replays, and {game} is a game in plain Python")
    return game


def match_title(game: WorldGame, number: int, result: MatchResult) -> str:
    """The title of a match's replay, such as "Match 3: random (red), mcts (yellow)"; its number is the caller's."""
    seats = zip(result.seats, game.world.spec.agent_names, strict=False)
    return f"Match {number}: {', '.join(f'{seat.name} ({agent})' for seat, agent in seats)}"


def _indices(game: WorldGame, result: MatchResult, single: SingleWorld) -> Iterator[list[int]]:
    """The actions of all agents, by their indices, for each tick of the world that they step; any of theirs for those who do not act.

    A tick in which nobody acts is no ply.
    """

    def passed() -> Iterator[list[int]]:
        while not single.ended and not game.acting(single.batch):
            yield game.idle_actions

    for _, moves in itertools.groupby(result.moves, key=lambda move: move.ply):
        yield from passed()
        chosen = game.idle_actions
        for move in moves:
            chosen[move.seat] = game.action_index(move.action)
        yield chosen
    yield from passed()
