"""What `gridarium match` and `gridarium tournament` have in common: options, and errors in one line."""

from __future__ import annotations

import contextlib
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from pathlib import Path
from typing import Any, TypeVar

import click
from rich.console import Console

from gridarium.arena import GameSource, Limits, MatchSettings, PlayerStatus
from gridarium.arena.match_result import MatchResult, SeatResult
from gridarium.arena.players.player import CannotPlay
from gridarium.compiled.source_pass.source import LIBRARY
from gridarium.games import GameError

MOST_FAULTS = 5
"""The number of different faults that are told."""
LAST_LINES = 5
"""The number of lines shown of what a player has printed before a fault."""
MOST_LETTERS = 200
"""The number of letters shown of each of these lines."""
Command = TypeVar("Command", bound=Callable[..., Any])


def match_options(command: Command) -> Command:
    """The options of all matches; their values are the arguments of `settings_of`."""
    options = [
        click.option("--config", metavar="TEXT", default="", help="The game's parameters, as 'size=9;komi=5.5'."),
        click.option("--time", "per_move", default=1.0, show_default=True, type=click.FloatRange(0), help="Seconds for each move."),
        click.option("--bank", default=10.0, show_default=True, type=click.FloatRange(0), help="Seconds that all moves of a seat together may take beyond that."),
        click.option("--memory", default=1024, show_default=True, type=click.IntRange(16), help="The address space of each player's process, in MiB."),
        click.option("--cpu", default=3600, show_default=True, type=click.IntRange(1), help="The processor time of each player's process, in seconds."),
        click.option("--seed", type=click.IntRange(0), help="Seed of all chance; drawn if it is not given."),
    ]  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


def settings_of(game: str, config: str, per_move: float, bank: float, memory: int, cpu: int) -> MatchSettings:
    """The settings of matches by the values of the options."""
    return MatchSettings(GameSource(game, config), per_move, bank, limits=Limits(memory=memory, cpu=cpu))


@contextlib.contextmanager
def reported_problems() -> Iterator[None]:
    """Report games, players and settings that are wrong; what a game of one's own raises outside of matches is shown as it is.

    Raises:
        click.ClickException: instead of their errors.
    """
    try:
        yield
    except BrokenExecutor as error:
        raise click.ClickException(
            "a process that plays matches was killed; the same command goes on where the results are in a --db"
        ) from error
    except GameError as error:
        if click.get_current_context().find_root().params.get("traceback"):
            raise
        raise click.ClickException(str(error)) from error
    except (CannotPlay, OSError) as error:
        raise click.ClickException(str(error)) from error
    except (AttributeError, ImportError, TypeError, ValueError) as error:
        raised_in = traceback.extract_tb(error.__traceback__)[-1].filename
        if not raised_in.startswith(str(LIBRARY)) or getattr(error, "__notes__", None):
            raise
        raise click.ClickException(str(error)) from error


def faults_of(result: MatchResult) -> list[str]:
    """The faults of a match, a line for each."""
    return [_fault(seat) for seat in result.seats if seat.status != PlayerStatus.DONE]


def tell_faults(console: Console, results: Sequence[MatchResult]) -> None:
    """Print the most frequent faults of matches, equal ones in a line, with what was printed last before the first of them."""
    seats = [seat for result in results for seat in result.seats]
    failed = [seat for seat in seats if seat.status != PlayerStatus.DONE]
    faults = Counter(map(_fault, failed))
    first = {_fault(seat): seat for seat in reversed(failed)}
    for line, count in faults.most_common(MOST_FAULTS):
        console.print(line + (f" ({count} matches)" if count > 1 else ""), style="yellow", markup=False)
        for printed in _last_printed(first[line]):
            console.print(f"  | {printed}", style="dim", markup=False, highlight=False, soft_wrap=True)
    if len(faults) > MOST_FAULTS:
        further = faults.total() - sum(count for _, count in faults.most_common(MOST_FAULTS))
        console.print(f"and {further} further faults", style="yellow")
    if printing := dict.fromkeys(seat.name for seat in seats if seat.output.strip()):
        told = f"--json FILE keeps what players print, as output: here {', '.join(printing)}"
        console.print(told, style="dim", markup=False, highlight=False)


def _fault(seat: SeatResult) -> str:
    return f"{seat.name}: {seat.status}, {seat.reason}"


def _last_printed(seat: SeatResult) -> list[str]:
    """The last lines that a player has printed, unless its fault quotes all of it; nothing that a terminal would obey."""
    text = "".join(c if c.isprintable() or c == "\n" else "?" for c in seat.output.strip())
    lines = [] if text in seat.reason else text.splitlines()[-LAST_LINES:]
    return [line if len(line) <= MOST_LETTERS else f"{line[:MOST_LETTERS]} ..." for line in lines]


def write_text(path: Path, text: str) -> None:
    """Write a file.

    Raises:
        click.ClickException: it cannot be written.
    """
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"{path} cannot be written: {error.strerror}") from error
