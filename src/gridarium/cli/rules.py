"""`gridarium rules`: the rules that worlds can have; of one, what it does, takes and where it is used."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable
from dataclasses import asdict
from itertools import groupby
from typing import TYPE_CHECKING, Any

import click

from gridarium.cli.explaining import table

if TYPE_CHECKING:
    from gridarium.worlds.reference import RuleReference

KINDS = ("reset", "transition", "reward", "terminating", "observation", "visibility", "sensor", "legal")


@click.command("rules", short_help="The rules that worlds can have; of one, its parameters, source and uses.")
@click.argument("name", default="")
@click.option("--kind", "-k", type=click.Choice(KINDS), help="Only rules of this kind.")
@click.option("--json", "as_json", is_flag=True, help="Write JSON instead of text.")
def rules(name: str, kind: str | None, as_json: bool) -> None:
    """List the rules; with the NAME of one, show its parameters, where it is from and which worlds use it.

    A NAME that no rule has lists those that have it in their name or description.
    """
    from gridarium.worlds.reference import entries

    listed = [entry for entry in entries() if kind in (None, entry.kind)]
    named = [entry for entry in listed if entry.name == name]
    found = named or [entry for entry in listed if name.lower() in f"{entry.name} {entry.summary}".lower()]
    if not found:
        near = difflib.get_close_matches(name, [entry.name for entry in listed], 3)
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        raise click.ClickException(f"no rule has {name!r} in its name or description{hint}")
    if as_json:
        click.echo(json.dumps([asdict(entry) for entry in found], indent=2))
    elif named:
        for entry in named:
            _show(entry)
    else:
        _list(found)


def _list(found: Iterable[RuleReference]) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console()
    for kind, group in groupby(found, key=lambda entry: entry.kind):
        rows = Table(box=None, pad_edge=False, header_style="bold", row_styles=["", "dim"])
        rows.add_column(f"{kind} rule", style="cyan")
        rows.add_column("parameters", overflow="fold")
        rows.add_column("what it does")
        for entry in group:
            rows.add_row(entry.name, ", ".join(map(str, entry.parameters)), entry.summary)
        console.print(rows)
        console.print()
    console.print("Look at one with: gridarium rules move_agent", style="dim")


def _show(entry: RuleReference) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console()
    console.print(Text(f"{entry.kind} rule "), Text(entry.name, "bold cyan"), sep="")
    # The terminal breaks the lines of a paragraph itself.
    details = re.sub(r"(?<![\n:])\n(?=\S)", " ", entry.details)
    console.print(Text("\n\n".join(filter(None, (entry.summary, details)))), "\n", sep="")
    facts: list[tuple[Any, ...]] = [
        ("parameter", p.name, p.type, "needed" if p.default is None else f"default {p.default}")
        for p in entry.parameters
    ]
    if facts:
        console.print(table(facts))
        console.print()
    uses = ", ".join(entry.worlds) or "none in the catalogue"
    source = ("source", entry.source or "not given")
    console.print(table([source, ("file", f"{entry.file}:{entry.line}"), ("worlds", uses)]))
    console.print()
