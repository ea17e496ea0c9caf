"""Progress bars on standard error, and tables."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator, Sequence

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
from rich.text import Text

SHORTEST_NAME = 10
"""The fewest characters to which names are shortened."""


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
    """A table with a title, which may be wider than the table, to which columns and rows are added."""
    text = Text(title, no_wrap=True, overflow="ignore")
    return Table(
        box=None, pad_edge=False, header_style="bold", title=text, title_justify="left", title_style="bold"
    )


def short_names(names: Sequence[str], room: int) -> list[str]:
    """Names in at most `room` characters, or ten: shortened in the middle, and numbered where that would make two equal."""
    room = max(room, SHORTEST_NAME)
    half = (room - 1) // 2
    short = [name if len(name) <= room else f"{name[: room - 1 - half]}…{name[-half:]}" for name in names]
    marks = [f"…#{i}" for i in range(1, len(names) + 1)]
    return [
        own if short.count(own) == 1 else f"{name[: room - len(mark)]}{mark}"
        for name, own, mark in zip(names, short, marks, strict=True)
    ]


def table_with_names(
    console: Console,
    title: str,
    titles: Sequence[str],
    names: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    at: int = 0,
) -> Table:
    """A table with the names of players, shortened to the room that the other columns leave.

    Args:
        console: on which it is to be printed.
        title: of the table.
        titles: of the other columns.
        names: one for each row.
        rows: the texts of the other columns.
        at: how many of these are to the left of the names.
    """
    widths = [max(map(len, column)) + 2 for column in zip(titles, *rows, strict=True)]
    short = short_names(names, console.width - sum(widths))
    table = titled_table(title)
    numbered = [f"#{i} {name}" for i, name in enumerate(names, 1) if short[i - 1].endswith(f"…#{i}")]
    table.caption, table.caption_justify = escape("\n".join(numbered)) or None, "left"
    for i, column in enumerate((*titles[:at], "player", *titles[at:])):
        table.add_column(column, justify="left" if i == at else "right", no_wrap=True)
    for row, name in zip(rows, short, strict=True):
        table.add_row(*row[:at], escape(name), *row[at:])
    return table


def table(rows: list[tuple[str, ...]]) -> Table:
    """Arrange rows of text in columns; there must be at least one row."""
    table = Table.grid(padding=(0, 2, 0, 0))
    for _ in rows[0]:
        table.add_column()
    for row in rows:
        table.add_row(*map(escape, row))
    return table
