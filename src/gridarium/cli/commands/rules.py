"""`gridarium rules`: the rules that worlds can have; of one, what it does, takes and where it is used.

Likewise of a kind of objects, an action or a representation; of a rule of the user's own its signature and docstring.
"""

from __future__ import annotations

import difflib
import inspect
import json
import re
from dataclasses import asdict
from itertools import groupby
from typing import Any

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from gridarium.cli.commands.explain import properties
from gridarium.cli.shared.importing import import_file, import_module
from gridarium.cli.shared.terminal import table
from gridarium.worlds.resolving.binding import REGISTRIES
from gridarium.worlds.rule_reference import PartReference, RuleReference, entries, parts

KINDS = tuple(registry.kind for registry in REGISTRIES.values())


@click.command("rules")
@click.argument("name", default="")
@click.option("--kind", "-k", type=click.Choice(KINDS), help="Only rules of this kind.")
@click.option("--json", "as_json", is_flag=True, help="Write JSON instead of text.")
def rules(name: str, kind: str | None, as_json: bool) -> None:
    """List the rules; with the NAME of one, show its parameters, where it is from and which worlds use it.

    NAME can also be a kind of objects, an action, a representation, or a rule of your own, as module:rule or
    file.py:rule (this runs its code). A NAME that nothing has lists the rules that have it in their name, description or
    source.
    """
    if ":" in name:
        _show_own(name, as_json=as_json)
        return
    listed = [entry for entry in entries() if kind in (None, entry.kind)]
    named = [entry for entry in listed if entry.name == name]
    part = next((part for part in parts() if part.name == name), None) if kind is None else None
    if part is not None:
        _show_part(part, as_json=as_json)
        return
    found = named or [e for e in listed if name.lower() in f"{e.name} {e.summary} {e.source}".lower()]
    if not found:
        near = difflib.get_close_matches(name, [entry.name for entry in listed], 3)
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        if name.endswith(".py"):
            hint = f"; a rule of your own is shown with {name}:RULE"
        raise click.ClickException(f"no rule has {name!r} in its name, description or source{hint}")
    if as_json:
        click.echo(json.dumps([asdict(entry) for entry in found], indent=2))
    elif named:
        for entry in named:
            _show(entry)
    else:
        _list(found)


def _list(found: list[RuleReference]) -> None:
    console = Console()
    for kind, group in groupby(found, key=lambda entry: entry.kind):
        rows = Table(box=None, pad_edge=False, header_style="bold", row_styles=["", "dim"])
        rows.add_column(f"{kind} rule", style="cyan")
        rows.add_column("parameters", overflow="fold")
        rows.add_column("what it does")
        for entry in group:
            cells = (entry.name, ", ".join(map(str, entry.parameters)), entry.summary)
            rows.add_row(*map(escape, cells))
        console.print(rows)
        console.print()
    console.print(f"Look at one with: gridarium rules {found[0].name}", style="dim")


def _show(entry: RuleReference) -> None:
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


def _show_part(part: PartReference, *, as_json: bool) -> None:
    facts = [("worlds", ", ".join(part.worlds) or "none in the catalogue")]
    if part.cls is not None:
        facts = [("has", properties(part.cls) or "nothing else"), ("in maps", part.cls.glyph), *facts]
    if as_json:
        data = {"kind": part.kind, "name": part.name, "summary": part.summary, "worlds": part.worlds}
        click.echo(json.dumps([data | dict(facts[:-1])], indent=2))
        return
    console = Console()
    console.print(Text(f"{part.kind} "), Text(part.name, "bold cyan"), sep="")
    console.print(Text(part.summary), "\n", sep="")
    console.print(table([*facts]))
    console.print()


def _show_own(given: str, *, as_json: bool) -> None:
    """Show the signature and the docstring of a rule in a module or file of the user.

    Raises:
        click.ClickException: there is no such file, module or rule.
    """
    stem, _, name = given.rpartition(":")
    module = import_file(stem) if stem.endswith(".py") else import_module(stem)
    rule = getattr(module, name, None)
    if not callable(rule):
        raise click.ClickException(f"{stem} has no rule {name!r}")
    text, signature = inspect.getdoc(rule) or "", f"{name}{inspect.signature(rule)}"
    if as_json:
        click.echo(json.dumps([{"name": given, "signature": signature, "details": text}], indent=2))
        return
    click.echo("\n\n".join(filter(None, (signature, text))))
