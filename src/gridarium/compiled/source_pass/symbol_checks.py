"""Checks of strings, colors, enum members and classes in the source pass.

In compiled code they are symbols, which support only comparison (see `symbol`). Type checks would reject other uses as
well; here they are rejected early, with a user-facing reason.
"""

from __future__ import annotations

import ast
import enum
from collections.abc import Callable, Iterator
from typing import Any

from gridarium.compiled.source_pass.fixed_values import is_sequence
from gridarium.compiled.source_pass.source import Unsupported
from gridarium.compiled.source_pass.static_scope import StaticScope
from gridarium.compiled.source_pass.syntax import is_none, walk

WORDS_ONLY = "text can be compared in compiled code, nothing else"
NAMES_ONLY = "colors and members of an enum can be compared with their like in compiled code, nothing else"
NEVER_EQUAL = "text, a color or a member of an enum is never equal to a number"
NO_TEXT = "a color or a member of an enum is never equal to text; name it, as in Color.RED"
EQUALITIES = (ast.Eq, ast.NotEq, ast.Is, ast.IsNot)


class SymbolChecks:
    """Finds expressions of a function that are strings, colors, enum members or classes, and rejects invalid uses."""

    def __init__(self, scope: StaticScope) -> None:
        self.scope = scope
        self._texts: set[str] = set()
        self._names: set[str] = set()
        self._classes: set[str] = set()
        for name, new in _assignments(self.scope.unit.node):
            try:
                if self.is_text(new):
                    self._texts.add(name)
                elif self.is_name(new):
                    self._names.add(name)
                elif self.is_class(new):
                    self._classes.add(name)
            except Unsupported:
                pass  # rejected when the pass reaches it

    def is_text(self, node: ast.expr) -> bool:
        """Whether something is a string."""
        return self._is_one(node, self._texts, self._is_known_text)

    def is_name(self, node: ast.expr) -> bool:
        """Whether something is a color or a non-numeric enum member."""
        return self._is_one(node, self._names, self._is_known_name)

    def is_class(self, node: ast.expr) -> bool:
        """Whether something is a class, such as a kind of objects."""
        return self._is_one(node, self._classes, self._is_known_class)

    def _is_one(self, node: ast.expr, variables: set[str], test: Callable[[ast.expr], bool]) -> bool:
        if isinstance(node, ast.IfExp):
            return any(self._is_one(part, variables, test) for part in (node.body, node.orelse))
        return (isinstance(node, ast.Name) and node.id in variables) or test(node)

    def _is_known_text(self, node: ast.expr) -> bool:
        found = self.scope.static(node)
        return found.known and isinstance(found.value, str)

    def _is_known_name(self, node: ast.expr) -> bool:
        found = self.scope.static(node)
        if not found.known:
            return isinstance(node, ast.Attribute) and self.scope.resolver.is_symbolic_attribute(node.attr)
        plain = isinstance(found.value, enum.Enum) and not isinstance(found.value, int | float | str)
        return plain or self.scope.resolver.is_symbolic(found.value)

    def _is_known_class(self, node: ast.expr) -> bool:
        found = self.scope.static(node)
        return found.known and isinstance(found.value, type)

    def _holds_class(self, node: ast.expr) -> bool:
        """Whether there is a class in a tuple or list."""
        if isinstance(node, ast.Tuple | ast.List):
            return any(map(self.is_class, node.elts))
        found = self.scope.static(node)
        return found.known and is_sequence(found.value) and any(isinstance(v, type) for v in found.value)

    def _is_number(self, node: ast.expr) -> bool:
        found = self.scope.static(node)
        if not found.known:
            return isinstance(node, ast.Attribute) and self.scope.resolver.is_number_attribute(node.attr)
        return isinstance(found.value, int | float)

    def refuse_text(self, *nodes: ast.expr) -> None:
        """Raise `Unsupported` if one of them is a string."""
        for node in nodes:
            if self.is_text(node):
                raise self.scope.unsupported(WORDS_ONLY, node)

    def refuse_symbols(self, *nodes: ast.expr) -> None:
        """Raise `Unsupported` if one of them is a string, a color or an enum member."""
        self.refuse_text(*nodes)
        for node in nodes:
            if self.is_name(node):
                raise self.scope.unsupported(NAMES_ONLY, node)

    def number_in(self, node: ast.Call, called: Any) -> ast.Constant | None:
        """The number in `float("inf")` and the like, and of `int()`."""
        if (called is int or called is float or called is bool) and not (node.args or node.keywords):
            return ast.copy_location(ast.Constant(called()), node)
        if (called is not float and called is not int) or len(node.args) != 1 or node.keywords:
            return None
        text = self.scope.static(node.args[0])
        if not text.known or not isinstance(text.value, str):
            return None
        return ast.copy_location(ast.Constant(called(text.value)), node)

    def check_comparison(self, node: ast.Compare) -> None:
        """Check a comparison: strings and symbols support only equality, and no object equals a class."""
        sides = [node.left, *node.comparators]
        for operator, left, right in zip(node.ops, sides, sides[1:], strict=False):
            self.refuse_class(node, operator, left, right)
            if isinstance(operator, ast.In | ast.NotIn):
                self.refuse_symbols(right)
            elif not isinstance(operator, EQUALITIES):
                self.refuse_symbols(left, right)
            for word, other in ((left, right), (right, left)):
                if self._is_number(other) and (self.is_text(word) or self.is_name(word)):
                    raise self.scope.unsupported(NEVER_EQUAL, node)
                if self.is_text(word) and self.is_name(other):
                    raise self.scope.unsupported(NO_TEXT, node)

    def refuse_incomparable(self, node: ast.Compare) -> None:
        """Raise `Unsupported` if a side, or an item of one, is a constant that nothing equals."""
        for side in (node.left, *node.comparators):
            for part in (side, *(side.elts if isinstance(side, ast.Tuple | ast.List | ast.Set) else ())):
                found = self.scope.static(part)
                values = found.value if is_sequence(found.value) else (found.value,)
                for value in values if found.known else ():
                    if (problem := self.scope.resolver.incomparable(value)) is not None:
                        raise self.scope.unsupported(problem, node)

    def refuse_class(self, node: ast.Compare, operator: ast.cmpop, left: ast.expr, right: ast.expr) -> None:
        """Reject comparisons with kinds, which represent their objects in compiled code and would equal them."""
        if isinstance(operator, ast.In | ast.NotIn):
            mixed, thing, kinds = not self.is_class(left) and self._holds_class(right), left, right
        else:
            mixed = self.is_class(left) is not self.is_class(right)
            thing, kinds = (right, left) if self.is_class(left) else (left, right)
        if mixed and not is_none(thing):
            if isinstance(thing, ast.Call) and self.scope.static(thing.func).value is type:
                thing = thing.args[0]  # type(object) == Kind
            asked = f"isinstance({ast.unparse(thing)}, {ast.unparse(kinds)})"
            raise self.scope.unsupported(
                f"an object is never equal to a kind of objects: write {asked}", node
            )


def _assignments(node: ast.FunctionDef) -> Iterator[tuple[str, ast.expr]]:
    for found in walk(node):
        if isinstance(found, ast.Assign | ast.AnnAssign | ast.NamedExpr) and found.value is not None:
            targets = found.targets if isinstance(found, ast.Assign) else [found.target]
            yield from ((target.id, found.value) for target in targets if isinstance(target, ast.Name))
