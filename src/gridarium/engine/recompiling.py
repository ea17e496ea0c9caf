"""Explains why a world is compiled again, from the pages stored next to cached programs."""

from __future__ import annotations

import platform
import re
from collections.abc import Collection, Mapping
from importlib.metadata import version
from typing import Any

from gridarium.compiled.cache import store
from gridarium.compiled.cache.fingerprint import fingerprint
from gridarium.compiled.cache.library_code import library_digest
from gridarium.compiled.source_pass.source import home_of, is_ours, unbound
from gridarium.engine.step.program import Program
from gridarium.worlds.entries.entry_types import SENSORS, RepresentationEntry

VERSIONS = ("Python", "numpy", "numba", "Gridarium")
"""Parts that all other hashes depend on: if one of these has changed, changes of the rest are unknown."""
NOTE = re.compile(r"^# made with (.+): (\S+)$", re.M)
DIGITS = 12
PURPOSE = "purpose"
MODULE = "the module of its rules"
ARRAYS = {"rgb": "pictures", "planes": "planes", "sensors": "sensors", "observations": "arrays of its own"}
"""Representations that are programs of their own; one serves all others that list the same fields."""
SUBJECTS = {"observation": "", "state": " of whole states", "both": " of observations and whole states"}


def purpose(
    representation: RepresentationEntry, observe: str, *, per_world_params: bool, observe_only: bool
) -> str:
    """The purpose of one of a world's programs, see `ComposedWorld`; programs of equal purpose replace each other."""
    arrays = ARRAYS.get(representation.name, "arrays of cells")
    if representation.shows_sensors and representation.name != SENSORS:
        arrays += " and sensors"
    users = " of worlds with parameters of their own" if per_world_params else ""
    return f"for {arrays}{SUBJECTS[observe]}{users}{' in wrappers' if observe_only else ''}"


def circumstances(program: Program, resolver: Any, purpose: str, fields: Collection[str]) -> dict[str, str]:
    """The parts that a compiled program depends on, by human-readable names.

    Args:
        program: the composed rules.
        resolver: the meaning of names in compiled code.
        purpose: see `purpose`.
        fields: those that observations list.

    Raises:
        Unhashable: it cannot be cached, so every process compiles it again.
    """
    own = {name: rule for name, rule in program.rules.items() if not is_ours(rule)}
    modules = sorted({home_of(unbound(rule)) for rule in own.values()} - {""})
    return {
        PURPOSE: purpose.replace(" ", "_"),
        "Python": platform.python_version(),
        "numpy": version("numpy"),
        "numba": version("numba"),
        "Gridarium": library_digest()[:DIGITS],
        "its set of objects, colors and fields": fingerprint(resolver, unnamed=modules)[:DIGITS],
        "its number of agents": str(program.agents),
        "the list of its fields": ",".join(fields) or "none",
        **{f"rule {name}": fingerprint(rule, unnamed=modules)[:DIGITS] for name, rule in own.items()},
        **({MODULE: ",".join(modules)} if modules else {}),
    }


def noted(text: str, known: Mapping[str, str]) -> str:
    """The page of a program with its circumstances appended, as `reason` reads them."""
    return text + "\n" + "".join(f"# made with {what}: {value}\n" for what, value in known.items())


def reason(text: str, known: Mapping[str, str]) -> str:
    """The parts that have changed since a world of that name was last compiled; empty if none are known.

    If it was compiled for other purposes only, the reason is the new one.

    Args:
        text: the composed rules as a page, which begins with the world's name.
        known: see `circumstances`.
    """
    title = text.partition("\n")[0]
    files = sorted(store.folder().glob("*.py"), key=lambda file: file.stat().st_mtime)
    pages = [file.read_text(encoding="utf-8", errors="replace") for file in files]
    noted_before = [(page, dict(NOTE.findall(page))) for page in pages if page.startswith(title + "\n")]
    same = [(page, before) for page, before in noted_before if before.get(PURPOSE) == known[PURPOSE]]
    if not same:
        return known[PURPOSE].replace("_", " ") if noted_before else ""
    page, before = same[-1]
    changed = [what for what in known if before.get(what) != known[what]]
    versions = [what for what in changed if what in VERSIONS]
    if not page.startswith(text):
        changed.append("its description")
    said = versions or [what for what in changed if what not in VERSIONS]
    if said == [MODULE] and MODULE in before:
        return f"the same rules in the module {known[MODULE]} instead of {before[MODULE]}"
    return f"{' and '.join(said)} {'have' if len(said) > 1 else 'has'} changed" if said else ""
