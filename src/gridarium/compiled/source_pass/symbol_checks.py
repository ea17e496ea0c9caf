"""The source pass over text, colors and members of enums.

In compiled code they are numbers that can only be compared with their like; anything else is refused.
"""

from __future__ import annotations

import ast
import enum
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from gridarium.compiled.known import Known, is_none
from gridarium.compiled.source import Unsupported

WORDS_ONLY = "text can be compared in compiled code, nothing else"
NAMES_ONLY = "colors and members of an enum can be compared with their like in compiled code, nothing else"
NEVER_EQUAL = "text, a color or a member of an enum is never equal to a number"
NO_TEXT = "a color or a member of an enum is never equal to text; name it, as in Color.RED"
EQUALITIES = (ast.Eq, ast.NotEq, ast.Is, ast.IsNot)


class Words(Known, ast.NodeTransformer):
    """The part of the source pass that knows what is text, or a name of another kind."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._texts: set[str] = set()
        self._names: set[str] = set()
        self._classes: set[str] = set()
        for name, new in _assignments(self.unit.node):
            try:
                if self._is_text(new):
                    self._texts.add(name)
                elif self._is_name(new):
                    self._names.add(name)
                elif self._is_class(new):
                    self._classes.add(name)
            except Unsupported:
                pass  # told where the pass comes to it, if it does

    def _is_text(self, node: ast.expr) -> bool:
        return self._is_one(node, self._texts, self._is_known_text)

    def _is_name(self, node: ast.expr) -> bool:
        """Whether something is a color or a member of an enum that is no number."""
        return self._is_one(node, self._names, self._is_known_name)

    def _is_class(self, node: ast.expr) -> bool:
        """Whether something is a class, such as a kind of objects."""
        return self._is_one(node, self._classes, self._is_known_class)

    def _is_one(self, node: ast.expr, variables: set[str], test: Callable[[ast.expr], bool]) -> bool:
        if isinstance(node, ast.IfExp):
            return any(self._is_one(part, variables, test) for part in (node.body, node.orelse))
        return (isinstance(node, ast.Name) and node.id in variables) or test(node)

    def _is_known_text(self, node: ast.expr) -> bool:
        found = self._static(node)
        return found.known and isinstance(found.value, str)

    def _is_known_name(self, node: ast.expr) -> bool:
        found = self._static(node)
        if not found.known:
            return isinstance(node, ast.Attribute) and self.resolver.is_name_attribute(node.attr)
        plain = isinstance(found.value, enum.Enum) and not isinstance(found.value, int | float | str)
        return plain or self.resolver.is_name(found.value)

    def _is_known_class(self, node: ast.expr) -> bool:
        found = self._static(node)
        return found.known and isinstance(found.value, type)

    def _holds_class(self, node: ast.expr) -> bool:
        """Whether there is a class in a tuple or list."""
        if isinstance(node, ast.Tuple | ast.List):
            return any(map(self._is_class, node.elts))
        found = self._static(node)
        return (
            found.known
            and isinstance(found.value, Iterable)
            and any(isinstance(v, type) for v in found.value)
        )

    def _is_number(self, node: ast.expr) -> bool:
        found = self._static(node)
        if not found.known:
            return isinstance(node, ast.Attribute) and self.resolver.is_number_attribute(node.attr)
        return isinstance(found.value, int | float)

    def _refuse_text(self, *nodes: ast.expr) -> None:
        for node in nodes:
            if self._is_text(node):
                raise self._unsupported(WORDS_ONLY, node)

    def _refuse_words(self, *nodes: ast.expr) -> None:
        self._refuse_text(*nodes)
        for node in nodes:
            if self._is_name(node):
                raise self._unsupported(NAMES_ONLY, node)

    def _read(self, node: ast.Call, called: Any) -> ast.Constant | None:
        """The number in `float("inf")` and its kin."""
        if (called is not float and called is not int) or len(node.args) != 1 or node.keywords:
            return None
        text = self._static(node.args[0])
        if not text.known or not isinstance(text.value, str):
            return None
        return ast.copy_location(ast.Constant(called(text.value)), node)

    def visit_Compare(self, node: ast.Compare) -> Any:
        """Text is equal to other text or not, and has no order or parts; so it is with names. No object is a class."""
        sides = [node.left, *node.comparators]
        for operator, left, right in zip(node.ops, sides, sides[1:], strict=False):
            self._refuse_class(node, operator, left, right)
            if isinstance(operator, ast.In | ast.NotIn):
                self._refuse_words(right)
            elif not isinstance(operator, EQUALITIES):
                self._refuse_words(left, right)
            for word, other in ((left, right), (right, left)):
                if self._is_number(other) and (self._is_text(word) or self._is_name(word)):
                    raise self._unsupported(NEVER_EQUAL, node)
                if self._is_text(word) and self._is_name(other):
                    raise self._unsupported(NO_TEXT, node)
        return self.generic_visit(node)

    def _refuse_class(self, node: ast.Compare, operator: ast.cmpop, left: ast.expr, right: ast.expr) -> None:
        """Kinds of objects stand for their objects in compiled code, which would be equal to them there."""
        if isinstance(operator, ast.In | ast.NotIn):
            mixed, thing, kinds = not self._is_class(left) and self._holds_class(right), left, right
        else:
            mixed = self._is_class(left) is not self._is_class(right)
            thing, kinds = (right, left) if self._is_class(left) else (left, right)
        if mixed and not is_none(thing):
            asked = f"isinstance({ast.unparse(thing)}, {ast.unparse(kinds)})"
            raise self._unsupported(f"an object is never equal to a kind of objects: write {asked}", node)

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        """Text cannot be added to, or formatted."""
        self._refuse_words(node.left, node.right)
        return self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        """Text is neither true nor false, unless it is known before compiling."""
        self._refuse_words(*node.values)
        return self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        """As in `visit_BoolOp`."""
        self._refuse_words(node.operand)
        return self.generic_visit(node)


def _assignments(node: ast.FunctionDef) -> Iterator[tuple[str, ast.expr]]:
    for found in ast.walk(node):
        if isinstance(found, ast.Assign | ast.AnnAssign | ast.NamedExpr) and found.value is not None:
            targets = found.targets if isinstance(found, ast.Assign) else [found.target]
            yield from ((target.id, found.value) for target in targets if isinstance(target, ast.Name))
