"""`gridarium list`: the worlds of the catalogue."""

from __future__ import annotations

import json
from typing import Any

import click


@click.command("list", short_help="The worlds of the catalogue.")
@click.argument("word", default="")
@click.option("--json", "as_json", is_flag=True, help="Write JSON instead of a table.")
def list_worlds(word: str, as_json: bool) -> None:
    """List the worlds of the catalogue; with a WORD, those that have it in their name or description."""
    from gridarium.worlds import catalogue

    rows = [_row(catalogue.description(name)) for name in catalogue.names()]
    rows = [row for row in rows if word.lower() in f"{row['name']} {row['asks']}".lower()]
    if as_json:
        click.echo(json.dumps(rows, indent=2))
        return
    if not rows:
        raise click.ClickException(f"no world has {word!r} in its name or description")
    _show(rows)


def _row(description: Any) -> dict[str, Any]:
    height, width = description.extent
    return {
        "name": description.name,
        "shape": [height, width],
        "agents": len(description.agents),
        "asks": description.description,
        "source": description.source,
        "aliases": list(description.aliases),
    }


def _show(rows: list[dict[str, Any]]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold", row_styles=["", "dim"])
    table.add_column("world", no_wrap=True, style="cyan")
    table.add_column("shape", justify="right", no_wrap=True)
    table.add_column("agents", justify="right")
    table.add_column("what it asks for")
    for row in rows:
        height, width = row["shape"]
        table.add_row(row["name"], f"{height} x {width}", str(row["agents"]), row["asks"])
    console = Console()
    console.print(table)
    console.print(f"\n{len(rows)} worlds. Look at one with: gridarium explain {rows[0]['name']}", style="dim")
