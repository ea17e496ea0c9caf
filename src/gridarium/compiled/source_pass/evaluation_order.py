"""Python's evaluation order of expressions, which the source pass must preserve."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gridarium.compiled.source_pass.syntax import walk

CONDITIONAL = "an assignment (:=) that may not happen"
OUT_OF_ORDER = "an assignment (:=) after something that it may depend on; make it a statement of its own"
IN_A_LOOP = "an assignment (:=) within a generator expression"


def problem_with_assignments(statement: ast.stmt) -> tuple[str, ast.AST] | None:
    """Why the assignments (:=) in a statement cannot be moved before it, with the node; None if they can."""
    before: list[ast.AST] = []
    for node, certain in _in_order(statement):
        if isinstance(node, ast.GeneratorExp):
            inner = [n for n in walk(node) if isinstance(n, ast.NamedExpr)]
            if inner:
                return IN_A_LOOP, inner[0]
        if isinstance(node, ast.NamedExpr):
            if not certain:
                return CONDITIONAL, node
            within = {id(n) for n in walk(node)}
            if _disturbs(node, [n for n in before if id(n) not in within]):
                return OUT_OF_ORDER, node
        else:
            before.append(node)
    return None


def _disturbs(assignment: ast.NamedExpr, before: list[ast.AST]) -> bool:
    """Whether moving an assignment before earlier expressions could change the result."""
    calls = any(isinstance(n, ast.Call) for n in walk(assignment.value))
    looks = (ast.Attribute, ast.Subscript) if calls else ()
    return any(
        isinstance(n, (ast.Call, *looks)) or (isinstance(n, ast.Name) and n.id == assignment.target.id)
        for n in before
    )


def _in_order(node: ast.AST, certain: bool = True) -> Iterator[tuple[ast.AST, bool]]:
    """The expressions of a statement in evaluation order, and whether each is certainly evaluated.

    Without inner statements.
    """
    for child, sure in _parts(node):
        if isinstance(child, ast.GeneratorExp | ast.Lambda):
            yield child, certain and sure
        elif not isinstance(child, ast.stmt | ast.expr_context | ast.match_case):
            yield from _in_order(child, certain and sure)
            if isinstance(child, ast.expr):
                yield child, certain and sure


def _parts(node: ast.AST) -> Iterator[tuple[ast.AST, bool]]:
    match node:
        case ast.IfExp():
            yield node.test, True
            yield node.body, False
            yield node.orelse, False
        case ast.BoolOp():
            yield from ((value, k == 0) for k, value in enumerate(node.values))
        case ast.Compare():
            yield node.left, True
            yield from ((value, k == 0) for k, value in enumerate(node.comparators))
        case ast.Assign() | ast.AnnAssign():
            yield from ((part, True) for part in (node.value,) if part is not None)
            yield from ((target, True) for target in getattr(node, "targets", None) or [node.target])  # type: ignore[union-attr]
        case ast.For():
            yield node.iter, True
        case _:
            yield from ((child, True) for child in ast.iter_child_nodes(node))
