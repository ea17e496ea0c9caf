"""Explains why a world is compiled again, from the pages stored next to cached programs."""

from __future__ import annotations

import platform
import re
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

from gridarium.compiled.cache import store
from gridarium.compiled.cache.fingerprint import fingerprint
from gridarium.compiled.cache.library_code import library_digest
from gridarium.compiled.source_pass.source import is_ours
from gridarium.engine.step.program import Program

VERSIONS = ("Python", "numpy", "numba", "Gridarium")
"""Parts that all other hashes depend on: if one of these has changed, changes of the rest are unknown."""
NOTE = re.compile(r"^# made with (.+): (\S+)$", re.M)
DIGITS = 12


def circumstances(program: Program, resolver: Any, observe: str) -> dict[str, str]:
    """The parts that a compiled program depends on, by human-readable names.

    Raises:
        Unhashable: it cannot be cached, so every process compiles it again.
    """
    own = {name: rule for name, rule in program.rules.items() if not is_ours(rule)}
    return {
        "arrays": observe,
        "Python": platform.python_version(),
        "numpy": version("numpy"),
        "numba": version("numba"),
        "Gridarium": library_digest()[:DIGITS],
        "its set of objects, colors and fields": fingerprint(resolver)[:DIGITS],
        **{f"rule {name}": fingerprint(rule)[:DIGITS] for name, rule in own.items()},
    }


def noted(text: str, known: Mapping[str, str]) -> str:
    """The page of a program with its circumstances appended, as `reason` reads them."""
    return text + "\n" + "".join(f"# made with {what}: {value}\n" for what, value in known.items())


def reason(text: str, known: Mapping[str, str]) -> str:
    """The parts that have changed since a world of that name was last compiled; empty if none are known.

    Args:
        text: the composed rules as a page, which begins with the world's name.
        known: see `circumstances`.
    """
    title = text.partition("\n")[0]
    files = sorted(store.folder().glob("*.py"), key=lambda file: file.stat().st_mtime)
    pages = [file.read_text(encoding="utf-8", errors="replace") for file in files]
    noted_before = [(page, dict(NOTE.findall(page))) for page in pages if page.startswith(title + "\n")]
    same = [(page, before) for page, before in noted_before if before.get("arrays") == known["arrays"]]
    if not same:
        return ""
    page, before = same[-1]
    changed = [what for what in known if before.get(what) != known[what]]
    versions = [what for what in changed if what in VERSIONS]
    if not page.startswith(text):
        changed.append("its description")
    said = versions or [what for what in changed if what not in VERSIONS]
    return f"{' and '.join(said)} {'have' if len(said) > 1 else 'has'} changed" if said else ""
