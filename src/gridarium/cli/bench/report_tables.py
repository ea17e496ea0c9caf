"""Prints a report as tables."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from rich.table import Table

from gridarium.cli.bench.meter import Report, Row, machine


def show(report: Report, console: Any) -> None:
    """Print a table for each section, then the ratios."""
    about = machine()
    console.print(
        f"{about['processor']}, {about['cores']} cores, Python {about['python']}, load {about['load']}",
        style="dim",
    )
    for section, rows in groupby(report.rows, key=lambda row: row.section):
        table = Table(title=section, title_justify="left", title_style="bold", box=None, pad_edge=False)
        for name in ("case", "worlds", "threads", "median", "from", "to", ""):
            table.add_column(name, justify="left" if name in ("case", "") else "right")
        for row in rows:
            table.add_row(*_cells(row))
        console.print(table)
        console.print()
    if report.ratios:
        table = Table(
            title="ratios, within this run",
            title_justify="left",
            title_style="bold",
            box=None,
            pad_edge=False,
        )
        for name in ("", "ratio", "goal"):
            table.add_column(name, justify="left" if name == "" else "right")
        for ratio in report.ratios:
            reached = ratio.goal is None or ratio.value >= ratio.goal
            table.add_row(
                ratio.name,
                f"[{'green' if reached else 'yellow'}]{ratio.value:.2f}[/]",
                "" if ratio.goal is None else f"{ratio.goal:g}",
            )
        console.print(table)


def _cells(row: Row) -> tuple[str, ...]:
    numbers = (row.median, min(row.values), max(row.values))
    shown = [number(value) for value in numbers] if len(row.values) > 1 else [number(row.median), "", ""]
    return (row.case, _count(row.worlds), _count(row.threads), *shown, row.unit)


def _count(given: int | None) -> str:
    return "" if given is None else f"{given:,}"


def number(value: float) -> str:
    """Format a number with three or four significant digits."""
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.2f}" if abs(value) < 100 else f"{value:.0f}"
