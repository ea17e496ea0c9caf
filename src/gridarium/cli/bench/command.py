"""`gridarium bench`: measure the speed of this machine."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import click

SECTIONS = ("single", "batches", "pictures", "startup", "memory")
FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


@click.command("bench", short_help="How fast this machine is.")
@click.option("--quick", is_flag=True, help="About a minute, for a first impression.")
@click.option(
    "--only", multiple=True, type=click.Choice(SECTIONS), help="Some sections; can be given several times."
)
@click.option(
    "--json", "into", type=click.Path(dir_okay=False, path_type=Path), help="Write all numbers to a file."
)
@click.option("--prototype", type=FOLDER, help="The prototype's folder, to be measured in turn with us.")
@click.option(
    "--peers", type=FOLDER, help="The folder in which benchmarks/peers/install.py has installed peers."
)
@click.option(
    "--drivers", type=click.Path(file_okay=False, path_type=Path), default=Path("benchmarks/peers"), show_default=True,
    help="Their drivers.",
)  # fmt: skip
@click.option("--others-only", is_flag=True, help="Only --prototype and --peers.")
def bench(
    quick: bool,
    only: tuple[str, ...],
    into: Path | None,
    prototype: Path | None,
    peers: Path | None,
    drivers: Path,
    others_only: bool,
) -> None:
    """Measure steps per second, starting and memory, as medians of several windows.

    Ratios are taken within one run; compare nothing else between runs. benchmarks/README.md says what is measured and
    how to install peers.
    """
    from rich.console import Console

    from gridarium.cli.bench import batches, memory, others, pictures, single, startup
    from gridarium.cli.bench.meter import Plan, Report
    from gridarium.cli.bench.showing import show
    from gridarium.cli.progress import progress

    if into is not None:  # before the minutes that measuring takes
        _writable(into)
    plan = Plan.quick() if quick else Plan()
    report = Report()
    console, notes = Console(), Console(stderr=True)
    parts = {
        "single": single,
        "batches": batches,
        "pictures": pictures,
        "startup": startup,
        "memory": memory,
    }

    def warn(text: str) -> None:
        notes.print(text, style="yellow")

    todo: dict[str, Callable[[], None]] = {
        name: partial(part.measure, report, plan)
        for name, part in parts.items()
        if not others_only and (not only or name in only)
    }
    if prototype is not None:
        todo["the prototype"] = partial(others.measure_prototype, report, plan, prototype)
    if peers is not None:
        todo["peers"] = partial(others.measure_peers, report, plan, peers, drivers, warn)
    with progress(quiet=True) as bar:
        task = bar.add_task("", total=len(todo))
        report.watch = lambda row: bar.update(task, description=f"{row.section}: {row.case}", refresh=True)
        for name, measure in todo.items():
            notes.print(f"measuring: {name} ...", style="dim")
            bar.update(task, description=name, refresh=True)
            measure()
            bar.advance(task)
    show(report, console)
    if into is not None:
        into.write_text(json.dumps(report.plain(), indent=2) + "\n")
        click.echo(f"wrote {into}")


def _writable(path: Path) -> None:
    """Make the folder of a file that is to be written.

    Raises:
        click.BadParameter: it cannot be made or written to.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a"):
            pass
    except OSError as error:
        raise click.BadParameter(f"{path} cannot be written: {error.strerror}", param_hint="--json") from None
