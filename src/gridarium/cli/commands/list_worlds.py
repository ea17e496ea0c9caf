"""`gridarium list`: the worlds of the catalogue."""

from __future__ import annotations

import json
from itertools import groupby
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from gridarium.worlds import catalogue


@click.command("list")
@click.argument("words", nargs=-1)
@click.option("--all", "each", is_flag=True, help="A line for each world, not for each family of them.")
@click.option("--json", "as_json", is_flag=True, help="Write JSON instead of a table; always each world.")
def list_worlds(words: tuple[str, ...], each: bool, as_json: bool) -> None:
    """List the worlds of the catalogue; with WORDS, those that have all of them in their name or description.

    A family is one world in several sizes: KeyDoor 5x5, 7x7 stands for KeyDoor-5x5 and KeyDoor-7x7. `--set size=8` makes
    others.
    """
    rows = [_row(catalogue.description(name)) for name in catalogue.names()]
    rows = [
        row for row in rows if all(word.lower() in f"{row['name']} {row['asks']}".lower() for word in words)
    ]
    if as_json:
        click.echo(json.dumps(rows, indent=2))
        return
    if not rows:
        raise click.ClickException(
            f"no world has {' and '.join(map(repr, words))} in its name or description"
        )
    _show(rows, families=not each)


def _row(description: Any) -> dict[str, Any]:
    height, width = description.extent
    return {
        "name": description.name,
        "family": catalogue.family(description.name).name,
        "shape": [height, width],
        "agents": len(description.agents),
        "asks": description.description,
        "source": description.source,
        "aliases": list(description.aliases),
    }


def _show(rows: list[dict[str, Any]], *, families: bool) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold", row_styles=["", "dim"])
    table.add_column("family" if families else "world", no_wrap=True, style="cyan")
    table.add_column("worlds" if families else "shape", justify="left" if families else "right")
    table.add_column("agents", justify="right")
    table.add_column("what it asks for")
    for family, group in groupby(rows, key=lambda row: row["family"] if families else row["name"]):
        members = list(group)
        first = members[0]
        sizes = ", ".join(row["name"].removeprefix(family).lstrip("-") or _size(row) for row in members)
        table.add_row(
            family,
            sizes if families else _size(first).replace("x", " x "),
            ", ".join(map(str, sorted({row["agents"] for row in members}))),
            first["asks"],
        )
    console = Console()
    console.print(table)
    count = f"{len(rows)} world{'s' * (len(rows) != 1)}"
    console.print(f"\n{count}. Look at one with: gridarium explain {rows[0]['name']}", style="dim")


def _size(row: dict[str, Any]) -> str:
    return "x".join(map(str, row["shape"]))
