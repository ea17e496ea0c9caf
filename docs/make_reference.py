"""Writes reference.md from the registries, the kinds' declarations and the catalogue: `python -m docs.make_reference`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path

from gridarium.cli.commands.explain import properties
from gridarium.worlds import catalogue
from gridarium.worlds.resolving.binding import REDUCTIONS
from gridarium.worlds.resolving.to_plain_data import DISTANCES
from gridarium.worlds.rule_reference import Parameter, PartReference, RuleReference, entries, parts

PAGE = Path(__file__).parent / "reference.md"
ROOT = PAGE.parent.parent
SHOWN_WORLDS = 4
INTRODUCTION = f"""\
# Reference

<!-- Written by docs/make_reference.py from the rules, the kinds of objects and the catalogue. Do not edit. -->

What worlds can be made of: [rules](#reset-rules), [objects](#objects), [actions](#actions) and
[representations](#representations), with the worlds of the catalogue that have them. `gridarium rules NAME` tells all that is
to be known of one of these, `gridarium explain --full WORLD` prints the bodies of a world's rules. [Writing rules](writing-rules.md)
says how to write others, [describing worlds](worlds.md) how a world names them.

A parameter without a default is needed. Parameters that take rules (`transition_functions`, `visibility_function` and so on) are
given as in a list of rules: a name, or `{{name: ..., ...}}`. In a file, a `distance_function` is {" or ".join(DISTANCES.values())}, a
`reduction` {", ".join(REDUCTIONS)}.
"""
KINDS = {
    "reset": "How an episode begins: `reset:`.",
    "transition": "What happens in a tick: `transitions:`, in order.",
    "reward": "What a step is worth: `rewards:`, added up.",
    "terminating": "When an episode ends: `terminations:`, with any of them.",
    "observation": "What an agent perceives: `observation:`. An `area` is `[[ymin, ymax], [xmin, xmax]]` around the agent, which faces up.",
    "visibility": "Which cells are seen: as a parameter of `from_visibility`.",
    "legal": "Which actions an agent may take now: `legal:`; see [legal actions](worlds.md#legal-actions).",
    "outcome": "What came of an episode for each agent: `outcome:`; see [outcomes](worlds.md#outcomes).",
    "array": "What fills an array of an agent's observation: `observations:`; see [arrays of your own](worlds.md#arrays-of-your-own).",
    "sensor": "What agents can measure: `sensors:`; see [beliefs](beliefs.md).",
}


def page() -> str:
    """The whole page."""
    pieces = [INTRODUCTION]
    of_kind = {kind: list(group) for kind, group in groupby(parts(), key=lambda part: part.kind)}
    for kind, group in groupby(entries(), key=lambda entry: entry.kind):
        head = ("rule", "parameters", "what it does", "source", "worlds")
        pieces += [f"## {kind.capitalize()} rules\n", f"{KINDS[kind]}\n", table(head, map(_rule, group))]
    pieces += ["## Objects\n", "Kinds of objects: `objects:`; in maps they are their glyphs.\n"]
    pieces.append(
        table(("kind", "glyph", "what it is", "what it has", "worlds"), map(_part, of_kind["object"]))
    )
    pieces += ["## Actions\n", "What agents can do: `actions:`.\n"]
    pieces.append(table(("action", "what it does", "worlds"), map(_part, of_kind["action"])))
    pieces += ["## Representations\n", "How what an agent perceives becomes arrays: `representation:`.\n"]
    pieces.append(table(("representation", "arrays", "worlds"), map(_part, of_kind["representation"])))
    return "\n".join(pieces)


def _rule(entry: RuleReference) -> Sequence[str]:
    place = f"../{Path(entry.file).relative_to(ROOT).as_posix()}"
    given = "<br>".join(map(_parameter, entry.parameters))
    return f"[`{entry.name}`]({place})", given, entry.summary, entry.source, _worlds(entry.worlds)


def _parameter(parameter: Parameter) -> str:
    default = "" if parameter.default is None else f" = {parameter.default}"
    return f"`{parameter.name}: {parameter.type}{default}`"


def _part(part: PartReference) -> Sequence[str]:
    if part.cls is None:
        return f"`{part.name}`", part.summary, _worlds(part.worlds)
    glyph = f"`{part.cls.glyph}`" if part.cls.glyph.strip() else ""
    return f"`{part.name}`", glyph, part.summary, properties(part.cls), _worlds(part.worlds)


def _worlds(names: Sequence[str]) -> str:
    if len(names) == len(catalogue.names()):
        return "all"
    more = f" and {len(names) - SHOWN_WORLDS} more" if len(names) > SHOWN_WORLDS else ""
    return ", ".join(names[:SHOWN_WORLDS]) + more


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Rows of texts as Markdown."""
    lines = [head, ["---"] * len(head), *([cell.replace("|", "\\|") for cell in row] for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


if __name__ == "__main__":
    PAGE.write_text(page())
