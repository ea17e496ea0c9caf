"""`gridarium bench`: measure the speed of this machine."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import Progress, TaskID

from gridarium.cli.bench.meter import Measurement, Report, Row
from gridarium.cli.bench.report_tables import show
from gridarium.cli.shared.open_world import set_option
from gridarium.cli.shared.output_files import check_writable
from gridarium.cli.shared.terminal import progress
from gridarium.worlds import DescriptionError

SECTIONS = ("single", "batches", "pictures", "startup", "memory")
FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
quick_option = click.option("--quick", is_flag=True, help="About a minute, for a first impression.")
json_option = click.option(
    "--json", "into", type=click.Path(dir_okay=False, path_type=Path), help="Write all numbers to a file."
)


@click.command("bench")
@quick_option
@click.option(
    "--only", multiple=True, type=click.Choice(SECTIONS), help="Some sections; can be given several times."
)
@set_option
@json_option
def bench(quick: bool, only: tuple[str, ...], parameters: dict[str, Any], into: Path | None) -> None:
    """Measure steps per second, starting and memory, as medians of several windows.

    With --set all worlds that are measured have these parameters.

    Ratios are taken within one run; compare nothing else between runs. benchmarks/README.md says what is measured, and
    how other libraries are measured in turn with this one.
    """
    todo = {
        name: importlib.import_module(f"gridarium.cli.bench.sections.{name}").measure
        for name in SECTIONS
        if not only or name in only
    }
    try:
        measure_and_show(todo, quick, into, parameters)
    except DescriptionError as error:
        raise click.ClickException(str(error)) from error


def measure_and_show(
    todo: Mapping[str, Callable[[Report, Measurement], None]],
    quick: bool,
    into: Path | None,
    parameters: Mapping[str, Any] | None = None,
) -> None:
    """Measure under a progress bar, and show the numbers as tables.

    Args:
        todo: what measures, by the names of the parts.
        quick: for a first impression.
        into: the file for all numbers, as JSON.
        parameters: of the worlds that are measured, in the place of their own.

    Raises:
        click.ClickException: the file cannot be written; nothing has been measured then.
    """
    if into is not None:  # before the minutes that measuring takes
        check_writable(into)
    plan = Measurement.quick(parameters) if quick else Measurement(parameters=parameters or {})
    report = Report()
    console, notes = Console(), Console(stderr=True)
    with progress(quiet=True) as bar:
        task = bar.add_task("", total=len(todo))
        for name, measure in todo.items():
            notes.print(f"measuring: {name} ...", style="dim")
            told = _Told(bar, task, name)
            report.watch = told.row
            measure(report, replace(plan, after_window=told.window))
            bar.advance(task)
    show(report, console)
    if parameters:
        console.print(f"all worlds with {', '.join(f'{k}={v}' for k, v in parameters.items())}", style="dim")
    if into is not None:
        into.write_text(json.dumps(report.plain() | {"parameters": parameters or {}}, indent=2) + "\n")
        click.echo(f"wrote {into}")


class _Told:
    """What the progress bar says of a part of the benchmark: the case that was measured last, and the windows since then."""

    def __init__(self, bar: Progress, task: TaskID, part: str) -> None:
        self.bar, self.task, self.part = bar, task, part
        self.tell(part)

    def tell(self, text: str) -> None:
        """Show a text."""
        self.text, self.windows = text, 0
        self.bar.update(self.task, description=text, refresh=True)

    def row(self, row: Row) -> None:
        """A case is measured."""
        self.tell(f"{self.part}: {row.case} done")

    def window(self) -> None:
        """A window is measured."""
        self.windows += 1
        self.bar.update(self.task, description=f"{self.text}, window {self.windows}", refresh=True)
