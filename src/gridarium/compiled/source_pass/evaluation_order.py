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
            before += walk(node)
            inner = [n for n in walk(node) if isinstance(n, ast.NamedExpr)]
            if inner:
                return IN_A_LOOP, inner[0]
        elif isinstance(node, ast.NamedExpr):
            if not certain:
                return CONDITIONAL, node
            within = {id(n) for n in walk(node)}
            before = [n for n in before if id(n) not in within]
            if _disturbs(node, before):
                return OUT_OF_ORDER, node
            before.append(node.target)  # its value is moved as well
        else:
            before.append(node)
    return None


def _disturbs(assignment: ast.NamedExpr, before: list[ast.AST]) -> bool:
    """Whether moving an assignment before earlier expressions could change the result."""
    if any(isinstance(n, ast.Name) and n.id == assignment.target.id for n in before):
        return True
    return not (is_plain(assignment.value) or all(map(_has_no_effect, before)))


def may_swap(one: ast.expr, other: ast.expr) -> bool:
    """Whether it does not matter which of two expressions is evaluated first."""
    assigns = any(isinstance(n, ast.NamedExpr) for n in (*walk(one), *walk(other)))
    return not assigns and (is_plain(one) or is_plain(other))


def is_plain(node: ast.expr) -> bool:
    """Whether an expression only names variables and constants.

    Anything else may have effects, or depend on those of others: calls, but also properties, items and operators of
    value classes.
    """
    return all(map(_has_no_effect, walk(node)))


def _has_no_effect(node: ast.AST) -> bool:
    negative = isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant)
    return negative or isinstance(node, ast.Name | ast.Constant | ast.Tuple | ast.List)


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
            yield node.target, False
        case _:
            yield from ((child, True) for child in ast.iter_child_nodes(node))
