"""`gridarium check`: is a file of worlds or rules in order?"""

from __future__ import annotations

import time
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gridarium.cli.opening import YAML, import_file, open_world, worlds_in

if TYPE_CHECKING:
    from gridarium.engine import World


@click.command("check")
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.option(
    "--worlds", default=64, show_default=True, type=click.IntRange(min=1), help="How many, side by side."
)
@click.option("--ticks", default=200, show_default=True, type=click.IntRange(min=1), help="Steps of each.")
def check(file: str, worlds: int, ticks: int) -> None:
    """Check FILE, a world in YAML or Python: its description, its rules, and that they agree with themselves.

    The world is reset from many seeds and stepped with random actions, interpreted and compiled side by side; the
    first difference is shown. The file is imported, and so is what it names as module:name.
    """
    names = [file] if file.endswith(YAML) else _worlds_of(file)
    if not names:
        raise click.ClickException(f"{file} makes no world; rules are checked in the worlds that use them")
    good = [_check_world(name, worlds, ticks) for name in names]
    if not all(good):
        raise SystemExit(1)


def _worlds_of(file: str) -> list[str]:
    if Path(file).suffix != ".py":
        raise click.ClickException(f"{file} is neither .yaml nor .py")
    return [f"{file}:{name}" for name in worlds_in(import_file(file))]


def _check_world(given: str, worlds: int, ticks: int) -> bool:
    from gridarium.cli.comparing import compare

    plain = open_world(given, compiled=False)
    _say("description", _described(plain))
    compiled = open_world(given)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        works = compiled.machine.compiled
    for warning in caught:
        _say("compiling", str(warning.message), good=False)
    _say("interpreted", f"{ticks} ticks of {worlds} worlds from random seeds ...")
    started = time.perf_counter()
    if not works:
        compiled = plain
    try:
        for found in compare(plain, compiled, worlds, ticks):
            if found is not None:
                _say("compiled", f"NOT the same. {found.text()}", good=False)
                return False
    except Exception as error:
        _say("raised", _told(error), good=False)
        return False
    took = f"{time.perf_counter() - started:.1f} s"
    if works:
        _say("compiled", f"the same, bit for bit ({worlds * ticks:,} steps compared in {took})")
    return works


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


def _told(error: Exception) -> str:
    import traceback

    own = [line for line in traceback.format_exception(error) if "/gridarium/engine/" not in line]
    return "".join(own).rstrip()


def _say(what: str, text: str, *, good: bool = True) -> None:
    first, *others = text.splitlines() or [""]
    click.echo(click.style(f"{what:<12}", fg="green" if good else "red", bold=True) + first)
    for line in others:
        click.echo(" " * 12 + line)
