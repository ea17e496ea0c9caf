"""Progress bars on standard error, and tables."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator

from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table


@contextlib.contextmanager
def waiting(text: str) -> Iterator[None]:
    """Show a text and a spinner on standard error while something of unknown duration runs."""
    with progress() as bar:
        bar.add_task(text, total=None)
        yield


def progress(*, quiet: bool = False) -> Progress:
    """Create progress bars on standard error; they disappear at the end, and are not shown without a terminal.

    Args:
        quiet: draw only on updates, since a thread that draws would disturb measurements.
    """
    console = Console(stderr=True)
    columns = (
        SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
        TimeRemainingColumn(),
    )  # fmt: skip
    return Progress(
        *columns,
        console=console,
        transient=True,
        disable=not console.is_terminal,
        auto_refresh=not quiet,
        redirect_stdout=sys.stdout.isatty(),  # what goes to a file is not for the terminal
    )


def titled_table(title: str) -> Table:
    """A table with a title, to which columns and rows are added."""
    return Table(
        box=None, pad_edge=False, header_style="bold", title=title, title_justify="left", title_style="bold"
    )


def table(rows: list[tuple[str, ...]]) -> Table:
    """Arrange rows of text in columns; there must be at least one row."""
    table = Table.grid(padding=(0, 2, 0, 0))
    for _ in rows[0]:
        table.add_column()
    for row in rows:
        table.add_row(*map(escape, row))
    return table
