"""`gridarium check`: checks of worlds and rules in a file."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import click

from gridarium.cli.shared.comparing import compare
from gridarium.cli.shared.errors import places_of, summarize
from gridarium.cli.shared.importing import import_file
from gridarium.cli.shared.open_world import YAML, open_world, set_option, worlds_in
from gridarium.cli.shared.terminal import progress, waiting
from gridarium.compiled.source_pass.source import is_ours
from gridarium.engine import World
from gridarium.games import BaseEnvironment, WorldGame
from gridarium.games.base_environment import check_complete, games_in
from gridarium.testing import WorldReport, check_game, check_object, check_rule
from gridarium.testing.problems import NeedsWorld, NotConforming, named, named_kind
from gridarium.testing.solving import check_solvable
from gridarium.testing.worlds import check_resets
from gridarium.world import GridObject
from gridarium.worlds.resolving.binding import REGISTRIES
from gridarium.worlds.rule_reference import rules_of

MOST_STEPS, FEWEST_STATES = 350_000, 100
"""How many steps a search for the shortest way of an episode may take, and how many states it may meet however many actions there are."""


@click.command("check")
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@set_option
@click.option(
    "--worlds",
    default=64,
    show_default=True,
    type=click.IntRange(min=1),
    help="How many worlds, side by side.",
)
@click.option(
    "--ticks", default=200, show_default=True, type=click.IntRange(min=1), help="Steps of each world."
)
def check(file: str, parameters: dict[str, Any], worlds: int, ticks: int) -> None:
    """Check FILE, a world in YAML, or worlds, rules and games in Python.

    Your own rules and kinds of objects are tried on random states: whether they keep to their protocol, leave their
    inputs alone and repeat. Whole worlds are stepped with random actions, interpreted and compiled side by side. The
    first difference is shown. Games in plain Python are played at random. The file is imported, and so is what it names as module:name.
    """
    report = _Report()
    if file.endswith(YAML):
        _check_world(report, file, parameters, worlds, ticks)
    elif file.endswith(".py"):
        module = import_file(file)
        names = list(worlds_in(module))
        for name in names:
            _check_world(report, f"{file}:{name}", parameters, worlds, ticks)
        if not names and parameters:
            raise click.ClickException(f"{file} makes no world, which --set could give parameters to")
        games = _check_games(report, module)
        if not names and not _check_module(report, module) + games:
            raise click.ClickException(
                f"{file} makes no world, registers no rule, and declares no object and no game"
            )
    else:
        raise click.ClickException(f"{file} is neither .yaml nor .py")
    report.end()


class _Report:
    """Prints findings, and counts those that are errors."""

    def __init__(self) -> None:
        self.problems = self.untried = 0
        self.told: list[str] = []

    def say(self, what: str, text: str, *, good: bool = True) -> None:
        """Print a finding; it may have several lines."""
        first, *others = text.splitlines() or [""]
        click.echo(click.style(f"{what:<12}", fg="green" if good else "red", bold=True) + first)
        for line in others:
            click.echo(" " * 12 + line)
        self.problems += not good
        self.told.append(text)

    def fail(self, what: str, error: Exception, place: str = "") -> None:
        """Print an exception, unless one was printed that was raised in the same line."""
        if self._is_known(error):
            return
        reason = str(error) if isinstance(error, AssertionError) else summarize(error)
        self.say(what, reason if reason.startswith(place) else f"{place}: {reason}", good=False)

    def end(self) -> None:
        """Print the result; the command fails if there was an error."""
        if self.problems:
            self.say("result", f"FAILED, {self.problems} problem{'s' * (self.problems != 1)}", good=False)
            raise SystemExit(1)
        untried = f", {self.untried} rule{'s' * (self.untried != 1)} not tried" if self.untried else ""
        self.say("result", f"in order{untried}")

    def _is_known(self, error: Exception) -> bool:
        told = "\n".join((*self.told, ""))
        return any(
            f", {file}:{line}\n" in told or f"({file}, line {line}): {error}" in told  # raised, not compiled
            for file, line in places_of(error)
        )

    def attempt(self, what: str, text: str, place: str, test: Callable[[], Any]) -> None:
        """Run a test, and print what it raises, or that everything is in order."""
        try:
            with waiting(f"checking {text}"):
                test()
        except NeedsWorld as error:
            self.leave_out(what, str(error))
        except Exception as error:
            self.fail(what, error, place)
        else:
            self.say(what, f"{text}: in order")

    def leave_out(self, what: str, text: str) -> None:
        """Print why something could not be tried, which is no problem."""
        self.untried += 1
        self.say(what, f"not tried: {text}")


def _check_module(report: _Report, module: Any) -> int:
    """Check all rules that a module registers and all kinds that it declares; return their number."""
    count = 0
    for registry in REGISTRIES.values():
        for name, rule in registry.items():
            if rule.__module__ != module.__name__:
                continue
            count += 1
            needed = [n for n, p in registry.parameters(rule).items() if p.default is p.empty]
            if needed or registry.kind == "array":
                what = ", ".join(needed) or "an array to fill"
                report.leave_out("rule", f"{registry.kind} {name} needs {what}; check a world that has it")
                continue
            test = partial(check_rule, rule, registry.kind)
            report.attempt("rule", f"{registry.kind} {name}", named(rule, registry.kind), test)
    for kind in _kinds_of(vars(module).values(), module.__name__):
        count += 1
        report.attempt("object", kind.__name__, named_kind(kind), partial(check_object, kind))
    return count


def _check_games(report: _Report, module: Any) -> int:
    """Check all games in plain Python that a module declares, with their default parameters; return their number."""
    games = {name: kind for name, kind in games_in(module).items() if not issubclass(kind, WorldGame)}
    for name, kind in games.items():
        report.attempt("game", name, named_kind(kind, "game"), partial(_check_game, kind))
    return len(games)


def _check_game(kind: type[BaseEnvironment]) -> None:
    try:
        check_complete(kind)
    except ValueError as error:
        raise NotConforming(str(error)) from error
    check_game(kind())


def _check_world(report: _Report, given: str, parameters: dict[str, Any], worlds: int, ticks: int) -> None:
    plain = open_world(given, compiled=False, parameters=parameters)
    report.say("world", _described(plain))
    for kind in _kinds_of(plain.spec.vocabulary.kinds.values()):
        report.attempt("object", kind.__name__, named_kind(kind), partial(check_object, kind))
    compiled = open_world(given, parameters=parameters)
    works = _compiles(report, compiled)
    own = [(kind, rule) for kind, rule in rules_of(plain.spec) if not is_ours(rule.func)]
    for kind, rule in own:
        name = getattr(rule.func, "__name__", str(rule.func))
        test = partial(check_rule, rule, kind, world=plain, compiled=works)
        report.attempt("rule", f"{kind} {name}", named(rule, kind), test)
    report.attempt("reset", "beginnings of episodes", "", partial(check_resets, plain))
    _run_side_by_side(report, plain, compiled if works else plain, worlds, ticks)
    if not report.problems:
        _solve(report, compiled)


def _compiles(report: _Report, world: World) -> bool:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        works = world.composed.compiled
    for warning in caught:
        consequence, _, reasons = str(warning.message).partition(":\n")
        report.say("compiling", f"{reasons}\n{consequence}" if reasons else consequence, good=works)
    return works


def _run_side_by_side(report: _Report, plain: World, other: World, worlds: int, ticks: int) -> None:
    started = time.perf_counter()
    try:
        with progress() as bar:
            ran = compare(plain, other, worlds, ticks)
            said = f"stepping {worlds} worlds, interpreted and compiled"
            found = next(filter(None, bar.track(ran, total=ticks + 1, description=said)), None)
    except Exception as error:
        report.fail("raised", error)
        return
    if found is None:
        agree = "interpreted and compiled the same, bit for bit" if other is not plain else "run"
        took = time.perf_counter() - started
        report.say("episodes", f"{agree} ({worlds * ticks:,} steps in {took:.1f} s)")
    elif other is plain:
        said = "two runs with the same seeds differ: a rule depends on something outside the state"
        report.say("episodes", f"{said}. {found.text('first run', 'second run')}", good=False)
    else:
        report.say("compiled", f"not the same. {found.text()}", good=False)


def _solve(report: _Report, world: World, seeds: int = 5) -> None:
    """Report what a search finds; an unsolvable world is no error."""
    try:
        with progress() as bar:
            searched = bar.track(range(seeds), description="searching for the shortest way, by seeds")
            choices = len(world.actions) * world.spec.agents
            solutions = check_solvable(world, searched, most_states=max(MOST_STEPS // choices, FEWEST_STATES))
        report.say("episodes", str(WorldReport(world.name, solutions)))
    except AssertionError as error:
        report.say("note", str(error))


def _kinds_of(things: Any, module: str | None = None) -> Iterator[Any]:
    """Yield the kinds of objects among some values: those of one module, or those that are not Gridarium's."""
    for thing in things:
        if isinstance(thing, type) and issubclass(thing, GridObject):
            home = thing.__module__
            if home == module or (module is None and not home.startswith("gridarium.")):
                yield thing


def _described(world: World) -> str:
    spec = world.spec
    counts = {
        "agent": spec.agents,
        "action": len(spec.actions),
        "transition rule": len(spec.transitions),
        "reward": len(spec.rewards),
        "termination": len(spec.terminations),
    }
    listed = ", ".join(f"{n} {name}{'' if n == 1 else 's'}" for name, n in counts.items())
    return f"{world.name}, {spec.shape.height} x {spec.shape.width}, {listed}"
