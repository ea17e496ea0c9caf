"""A person at a terminal as a player of games in plain Python, and a game with such players."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import click

from gridarium.arena import Match, MatchPlayer, PlayerStatus, Turn
from gridarium.games import BaseEnvironment

LEAVE = "q"


class PersonPlayer(MatchPlayer):
    """Shows what a player may know of the state and its legal actions, numbered, and reads one of them.

    A state is shown as its text if its class has one, otherwise as the arrays that the player perceives.

    Raises:
        click.exceptions.Exit: from `act`: the person leaves.
    """

    def act(self, turn: Turn) -> str:
        """See `MatchPlayer.act`."""
        legal = turn.legal_actions
        numbers = {} if all(a.isdecimal() for a in legal) else {str(i): a for i, a in enumerate(legal, 1)}
        listed = "  ".join(f"{i}: {a}" for i, a in numbers.items()) if numbers else ", ".join(legal)
        click.echo(f"\n{_shown(turn)}\n{self.name} can choose {listed}")
        while True:
            chosen = click.prompt(f"{self.name} ({LEAVE} to leave)").strip()
            if chosen in legal:
                return chosen
            if chosen in numbers:
                return numbers[chosen]
            if chosen == LEAVE:
                raise click.exceptions.Exit
            click.echo(f"{chosen!r} is none of these")


def play_as_text(
    game: BaseEnvironment,
    name: str,
    people: Sequence[int] | None,
    open_other: Callable[[], MatchPlayer],
    seed: int,
) -> None:
    """Play a game in plain Python in the terminal, and show its result.

    Args:
        game: the game, played by as few players as it can be.
        name: of the game.
        people: the seats of people; None for all.
        open_other: opens the player of each other seat.
        seed: of the game.
    """
    players: list[MatchPlayer] = []
    for seat in range(game.min_players):
        is_person = people is None or seat in people
        players.append(PersonPlayer(f"player {seat}") if is_person else open_other())
        click.get_current_context().call_on_close(players[-1].close)
    shown: list[Any] = []
    result = Match(game, players, name=name, seed=seed, time_per_move=None).run(shown.append)
    click.echo(f"\n{_text(shown[-1])}".rstrip())
    for seat, own in enumerate(result.seats):
        fault = "" if own.status == PlayerStatus.DONE else f", {own.status}: {own.reason}"
        won = ", has won" if seat in result.winners else ""
        click.echo(f"{own.name}: return {own.returned:g}{won}{fault}")


def _shown(turn: Turn) -> str:
    return _text(turn.state) or "\n".join(f"{name}: {array}" for name, array in turn.observation.items())


def _text(state: Any) -> str:
    """The text of a state whose class has one."""
    own = any("__str__" in vars(base) for base in type(state).__mro__ if base is not object)
    return str(state) if own else ""
