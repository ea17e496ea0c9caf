"""Finds variables that may be read before they are set: an error in Python, an arbitrary value in compiled code."""

from __future__ import annotations

import ast
from collections.abc import Sequence, Set

from gridarium.compiled.source_pass.syntax import assigned_in, walk

Names = frozenset[str]


def unset_readings(function: ast.FunctionDef, variables: Set[str]) -> list[ast.Name]:
    """The first read of each variable that may be unset at that point.

    Args:
        function: the function in its compiled form.
        variables: its variables, also those that are assigned nowhere.
    """
    walk = _Walk(variables)
    walk.block(function.body, frozenset(a.arg for a in function.args.args))
    return list(walk.found.values())


class _Walk:
    """Follows the paths through a function. A path is the set of variables set on it, or None after its end."""

    def __init__(self, variables: Set[str]) -> None:
        self.variables = variables
        self.found: dict[str, ast.Name] = {}
        self._breaks: list[list[Names | None]] = []
        self._continues: list[list[Names | None]] = []

    def block(self, statements: Sequence[ast.stmt], path: Names | None) -> Names | None:
        for statement in statements:
            if path is None:
                return path
            path = self._statement(statement, path)
        return path

    def _statement(self, node: ast.stmt, path: Names) -> Names | None:
        match node:
            case ast.Return() | ast.Raise():
                self._read(node, path)
                return None
            case ast.Break():
                self._breaks[-1].append(path)
                return None
            case ast.Continue():
                self._continues[-1].append(path)
                return None
            case ast.If():
                self._read(node.test, path)
                return _any(self.block(node.body, path), self.block(node.orelse, path))
            case ast.While():
                self._read(node.test, path)
                endless = isinstance(node.test, ast.Constant) and bool(node.test.value)
                return self._loop(node, path, None if endless else path)
            case ast.For():
                self._read(node.iter, path)
                return self._loop(
                    node, path | assigned_in(node.target), None if _has_items(node.iter) else path
                )
            case ast.Match():
                self._read(node.subject, path)
                return self._match(node, path)
            case _:
                self._read(node, path)
                return path | assigned_in(node)

    def _loop(self, node: ast.For | ast.While, within: Names, skipped: Names | None) -> Names | None:
        """The path after a loop.

        `skipped` is the path on which its body does not run, None if it runs at least once.
        """
        self._breaks.append([])
        self._continues.append([])
        after = _any(self.block(node.body, within), *self._continues.pop())
        if skipped is not None or isinstance(node, ast.While):
            after = skipped  # an endless loop ends only by break
        broken = self._breaks.pop()
        if after is not None:
            after = self.block(node.orelse, after)
        return _any(after, *broken)

    def _match(self, node: ast.Match, path: Names) -> Names | None:
        open_end, paths = True, []
        for case in node.cases:
            inside = path | assigned_in(case.pattern)
            if case.guard is not None:
                self._read(case.guard, inside)
            elif isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None:
                open_end = False
            paths.append(self.block(case.body, inside))
        return _any(path if open_end else None, *paths)

    def _read(self, node: ast.AST, path: Names) -> None:
        for n in walk(node):
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load) and n.id in self.variables - path:
                self.found.setdefault(n.id, n)


def _any(*paths: Names | None) -> Names | None:
    """The variables set on all of several paths; None if all of them have ended."""
    taken = [path for path in paths if path is not None]
    return frozenset.intersection(*taken) if taken else None


def _has_items(sequence: ast.expr) -> bool:
    """Whether a loop over a literal runs at least once."""
    if isinstance(sequence, ast.Tuple):
        return bool(sequence.elts)
    counts = isinstance(sequence, ast.Call) and getattr(sequence.func, "linked", None) is range
    if not counts or len(sequence.args) != 1:  # type: ignore[attr-defined]
        return False
    (stop,) = sequence.args  # type: ignore[attr-defined]
    return isinstance(stop, ast.Constant) and isinstance(stop.value, int) and stop.value > 0
