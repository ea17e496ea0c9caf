"""Collects everything that the source pass rejects in a world's rules, to report it at once."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gridarium.compiled.source_pass.generated_pages import is_page
from gridarium.compiled.source_pass.source import Unit, Unsupported
from gridarium.compiled.source_pass.syntax import assigned_in, walk

MOST = 10
"""The maximum number of errors reported in full."""


class Refusal(Unsupported):
    """Several things that cannot be compiled, in the order of their lines.

    Attributes:
        errors: one for each; the attributes of this exception are those of the first.
    """

    def __init__(self, errors: list[Unsupported]) -> None:
        files = list(dict.fromkeys(error.filename for error in errors))
        self.errors = sorted(errors, key=lambda error: (files.index(error.filename), error.line))
        first = self.errors[0]
        super().__init__(first.reason, first.filename, first.line, first.function)
        more = [f"and {len(errors) - MOST} more"] if len(errors) > MOST else []
        self.args = ("\n".join([*map(str, self.errors[:MOST]), *more]),)


class Refusals:
    """Records each error once, even if a rule is rewritten several times for different parameters."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, int, str], Unsupported] = {}

    def note(self, error: Unsupported) -> None:
        """Record an error."""
        self._found.setdefault((error.filename, error.line, error.reason), error)

    def __len__(self) -> int:
        return len(self._found)

    def refused(self) -> Refusal:
        """The exception for all recorded errors."""
        return Refusal(list(self._found.values()))


def may_go_on(unit: Unit) -> bool:
    """Whether to continue after an error in a function: in user code, or in a world's composed source.

    Library functions that cannot be compiled are reported where user code calls them.
    """
    return not unit.is_library_code or is_page(unit.filename)


def blocks_in(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    """The statements within one, except those of functions and handlers, which do not set its variables."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return
    for part in ("body", "orelse", "finalbody"):
        yield getattr(statement, part, [])
    for case in getattr(statement, "cases", []):
        yield case.body


def names_bound_in(statement: ast.stmt) -> set[str]:
    """The names that a statement binds: variables, and functions, classes and modules that are rejected themselves."""
    names = assigned_in(statement)
    for node in walk(statement):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.ExceptHandler):
            names |= {node.name} if node.name else set()
        elif isinstance(node, ast.alias):
            names.add(node.asname or node.name.partition(".")[0])
    return names


def stand_in(statement: ast.stmt) -> ast.stmt:
    """The replacement of a rejected statement for further checks: it ends a path or sets variables as well."""
    if isinstance(statement, ast.Return):
        return ast.copy_location(ast.Return(None), statement)
    names = sorted(names_bound_in(statement))
    targets: list[ast.expr] = [ast.Name(name, ast.Store()) for name in names]
    new: ast.stmt = ast.Assign(targets, ast.Constant(0)) if targets else ast.Pass()
    return ast.fix_missing_locations(ast.copy_location(new, statement))
