"""What the source pass refuses in all rules of a world, gathered, so that their author is told all of it at once."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gridarium.compiled.known import assigned_in
from gridarium.compiled.pages import is_page
from gridarium.compiled.source import Unit, Unsupported

MOST = 10
"""So many refusals are told in full."""


class Refused(Unsupported):
    """Several things that cannot be compiled, told in the order of their lines.

    Attributes:
        errors: one for each; what it is as an `Unsupported` itself is the first of them.
    """

    def __init__(self, errors: list[Unsupported]) -> None:
        files = list(dict.fromkeys(error.filename for error in errors))
        self.errors = sorted(errors, key=lambda error: (files.index(error.filename), error.line))
        first = self.errors[0]
        super().__init__(first.reason, first.filename, first.line, first.function)
        more = [f"and {len(errors) - MOST} more"] if len(errors) > MOST else []
        self.args = ("\n".join([*map(str, self.errors[:MOST]), *more]),)


class Refusals:
    """Notes each refusal once, however often a rule is rewritten for different parameters."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, int, str], Unsupported] = {}

    def note(self, error: Unsupported) -> None:
        """Remember a refusal."""
        self._found.setdefault((error.filename, error.line, error.reason), error)

    def __len__(self) -> int:
        return len(self._found)

    def refused(self) -> Refused:
        """All that was noted, to be raised."""
        return Refused(list(self._found.values()))


def may_go_on(unit: Unit) -> bool:
    """Whether to look for more to refuse in a function: one of a user, or the page that a world's rules are composed to.

    What the library itself cannot compile is told where a user calls it.
    """
    return not unit.is_own or is_page(unit.filename)


def blocks_in(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    """The statements within one, but for those of functions and handlers, where its variables are not set."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return
    for part in ("body", "orelse", "finalbody"):
        yield getattr(statement, part, [])
    for case in getattr(statement, "cases", []):
        yield case.body


def names_bound_in(statement: ast.stmt) -> set[str]:
    """What a statement gives a meaning to: variables, and functions, classes and modules that are refused themselves."""
    names = assigned_in(statement)
    for node in ast.walk(statement):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.ExceptHandler):
            names |= {node.name} if node.name else set()
        elif isinstance(node, ast.alias):
            names.add(node.asname or node.name.partition(".")[0])
    return names


def stand_in(statement: ast.stmt) -> ast.stmt:
    """What is looked at further in the place of a refused statement: it ends a path or sets variables as that does."""
    if isinstance(statement, ast.Return):
        return ast.copy_location(ast.Return(None), statement)
    names = sorted(names_bound_in(statement))
    targets: list[ast.expr] = [ast.Name(name, ast.Store()) for name in names]
    new: ast.stmt = ast.Assign(targets, ast.Constant(0)) if targets else ast.Pass()
    return ast.fix_missing_locations(ast.copy_location(new, statement))
