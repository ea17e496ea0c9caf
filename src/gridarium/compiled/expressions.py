"""The source pass over expressions: comparisons, membership, calls, names."""

from __future__ import annotations

import ast
import enum
import functools
import math
from typing import Any

from gridarium.compiled.known import is_none, is_sequence
from gridarium.compiled.reductions import MORE, Reductions
from gridarium.compiled.resolver import UNKNOWN, is_passable, is_specialisable, unwrap_partial
from gridarium.compiled.source import home_of, signature_of


class Expressions(Reductions):
    """The part of the source pass that rewrites expressions."""

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        test = self._truth(node.test)
        if test.known:
            return self.visit(node.body if test.value else node.orelse)
        self._refuse_words(node.test)
        return self.generic_visit(node)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> Any:
        if self._hoisted is None:
            raise self._unsupported("an assignment (:=) here", node)
        assign = ast.Assign([ast.Name(node.target.id, ast.Store())], self.visit(node.value))
        self._hoisted.append(ast.fix_missing_locations(ast.copy_location(assign, node)))
        return ast.copy_location(ast.Name(node.target.id, ast.Load()), node)

    def visit_Compare(self, node: ast.Compare) -> Any:
        if len(node.ops) == 1:
            truth = self._truth(node)
            if truth.known:
                return ast.copy_location(ast.Constant(truth.value), node)
            operator, right = node.ops[0], node.comparators[0]
            if isinstance(operator, ast.In | ast.NotIn) and (items := self._items(right)) is not None:
                return self._membership(node, items, isinstance(operator, ast.NotIn))
            if isinstance(operator, ast.Is | ast.IsNot) and not is_none(right):
                return self._identity(node, isinstance(operator, ast.IsNot))
        return super().visit_Compare(node)

    def _identity(self, node: ast.Compare, negated: bool) -> Any:
        """`is` between things of which there is only one each, such as actions, enums and colors."""
        sides = (node.left, node.comparators[0])
        found = next((static for side in sides if (static := self._static(side)).known), UNKNOWN)
        named = isinstance(found.value, enum.Enum) or self.resolver.is_name(found.value)
        single = named or hasattr(type(found.value), "__single__")
        if found.known and isinstance(found.value, bool):
            test: ast.expr = self._help("same_truth", node, *(self.visit(side) for side in sides))
            return ast.copy_location(ast.UnaryOp(ast.Not(), test) if negated else test, node)
        number = isinstance(found.value, int | float | str) and not isinstance(found.value, enum.Enum)
        if found.known and (number or not single):
            raise self._unsupported("`is` asks for one and the same object; write ==", node)
        if isinstance(found.value, enum.IntEnum):
            return self._member_identity(node, found.value, negated)
        left, right = (self.visit(side) for side in sides)
        test = self._help("same", node, left, right)
        if found.known:
            test = ast.Compare(left, [ast.Eq()], [right])
        return ast.copy_location(ast.UnaryOp(ast.Not(), test) if negated else test, node)

    def _member_identity(self, node: ast.Compare, member: enum.IntEnum, negated: bool) -> Any:
        """`thing.status is Door.Status.OPEN`: another enum's member of the same number is another thing."""
        left = node.left
        ask = self.resolver.member_test(left.attr, member) if isinstance(left, ast.Attribute) else None
        if not isinstance(left, ast.Attribute) or ask is None:
            raise self._unsupported(f"`is` with {member!r} and {ast.unparse(left)}; write ==", node)
        test: ast.expr = ast.Call(self._name("_is", self.linker.link(ask)), [self.visit(left.value)], [])
        return ast.copy_location(ast.UnaryOp(ast.Not(), test) if negated else test, node)

    def _items(self, node: ast.expr) -> list[ast.expr] | None:
        if isinstance(node, ast.Set | ast.List | ast.Tuple):
            return node.elts
        sequence = self._static(node)
        if sequence.known and is_sequence(sequence.value):
            return [self._constant(item, node) for item in sequence.value]
        return None

    def _membership(self, node: ast.Compare, items: list[ast.expr], negated: bool) -> Any:
        """`x in (a, b)`: each side is asked once, from left to right."""
        self._refuse_class(node, node.ops[0], node.left, node.comparators[0])
        if not items:
            raise self._unsupported("nothing is in an empty sequence", node)
        things = ast.Tuple([self.visit(item) for item in items], ast.Load())
        test: ast.expr = self._help("among", node, self.visit(node.left), things)
        return ast.copy_location(ast.UnaryOp(ast.Not(), test) if negated else test, node)

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        node = super().visit_BinOp(node)
        return self._help("power", node, node.left, node.right) if isinstance(node.op, ast.Pow) else node

    def visit_Call(self, node: ast.Call) -> Any:
        if any(isinstance(a, ast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords):
            raise self._unsupported("a call with * or **", node)
        called = self._static(node.func)
        if called.known:
            value = called.value
            if value is math.log and len(node.args) == 2:
                return self._logarithm(node)
            if value is isinstance:
                return self._isinstance(node)
            if value is zip and node.keywords:
                strict = self._static(node.keywords[0].value)
                if not strict.known or strict.value:
                    raise self._unsupported("zip with strict=True", node)
                node.keywords = []
            if value in (list, tuple) and (listed := self._listed(node)) is not None:
                return listed
            if value is round and (len(node.args) > 1 or node.keywords):
                raise self._unsupported("round to a number of digits", node)
            if (number := self._read(node, value)) is not None:
                return number
            if value is print:
                raise self._unsupported("print works interpreted only", node)
            if home_of(value).split(".")[0] in ("builtins", "math", "numpy"):
                self._refuse_words(*node.args)
            name = getattr(value, "__name__", "")
            if name in MORE and getattr(value, "__module__", "") == "builtins" and node.args:
                if isinstance(node.args[0], ast.GeneratorExp):
                    return self._reduce(node, name, node.args[0])
                if value in (min, max) and not self.unit.is_own:
                    return self._extreme(node, value)
            elif (replacement := self.resolver.callable(value)) is not None:
                for keyword in node.keywords:
                    keyword.arg = self.resolver.parameter(value, str(keyword.arg))
                if (made := self._made(node, value)) is not None:
                    return self._expression(made, node)
                node.func = self._name(name or "call", self.linker.link(replacement))
                return self._arguments(node)
            elif is_specialisable(value):
                return self._call_function(node, value)
        node.func = self._bare(node.func) if isinstance(node.func, ast.Attribute) else self.visit(node.func)
        return self._arguments(node)

    def _logarithm(self, node: ast.Call) -> Any:
        """A logarithm to a base, as Python computes it."""
        parts = [ast.Call(node.func, [given], []) for given in node.args]
        quotient = ast.BinOp(parts[0], ast.Div(), parts[1])
        return self.visit(ast.fix_missing_locations(ast.copy_location(quotient, node)))

    def _extreme(self, node: ast.Call, called: Any) -> ast.expr:
        """`min` and `max` of several numbers, or of what a tuple holds."""
        for keyword in node.keywords:
            self.visit(keyword.value)
            raise self._unsupported(
                f"{called.__name__} with {keyword.arg} of anything but a generator expression", node
            )
        self._refuse_words(*node.args)
        return self._joined(
            node, called, [self.visit(given) for given in node.args], among=len(node.args) == 1
        )

    def _listed(self, node: ast.Call) -> ast.expr | None:
        """`list(Orientation)` and its kin, as a tuple of what is in it."""
        given = self._static(node.args[0]) if len(node.args) == 1 and not node.keywords else UNKNOWN
        self._refuse_set(given, node)
        if given.known and hasattr(type(given.value), "__iter__") and not isinstance(given.value, str):
            return self._expression(tuple(given.value), node)
        return None

    def _made(self, node: ast.Call, called: Any) -> Any | None:
        given = [self._static(a) for a in node.args]
        named = {str(k.arg): self._static(k.value) for k in node.keywords}
        try:
            return self.resolver.made(called, given, named)
        except TypeError as error:
            raise self._unsupported(str(error), node) from None

    def _call_function(self, node: ast.Call, function: Any) -> ast.Call:
        """Kinds and functions among the arguments become part of the function that is called."""
        inner, bound = unwrap_partial(function)
        called = signature_of(function)
        try:
            called.bind(*node.args, **{str(k.arg): k.value for k in node.keywords})
        except TypeError as error:
            raise self._unsupported(
                f"{inner.__name__}({', '.join(called.parameters)}): {error}", node
            ) from None
        names = [n for n in signature_of(inner).parameters if n not in bound]
        given = [*zip(names, node.args), *((str(k.arg), k.value) for k in node.keywords)]
        statics = {name: self._static_argument(argument) for name, argument in given}
        fixed = {name: s.value for name, s in statics.items() if s.known and not is_passable(s.value)}
        passed = frozenset(statics.keys() - fixed.keys())
        linked = self._linked(functools.partial(function, **fixed) if fixed else function, node.func, passed)
        node.func = self._name(inner.__name__, linked)
        if fixed:
            node.args = []
            node.keywords = [ast.keyword(name, argument) for name, argument in given if name in passed]
        return self._arguments(node)

    def _arguments(self, node: ast.Call) -> ast.Call:
        node.args = [self.visit(a) for a in node.args]
        for keyword in node.keywords:
            keyword.value = self.visit(keyword.value)
        return node

    def _isinstance(self, node: ast.Call) -> ast.expr:
        subject, classes = node.args
        static = self._static_classes(classes)
        if static is None:
            raise self._unsupported("isinstance with a class that is not known before compiling", node)
        test = self.resolver.instance_test(subject, static)
        if test is None:
            raise self._unsupported(
                f"isinstance with {', '.join(getattr(c, '__name__', str(c)) for c in static)}", node
            )
        return self.visit(ast.fix_missing_locations(ast.copy_location(test, node)))

    def _static_classes(self, node: ast.expr) -> tuple[Any, ...] | None:
        if isinstance(node, ast.Tuple):
            parts = [self._static_classes(e) for e in node.elts]
            return None if None in parts else tuple(c for part in parts if part for c in part)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return self._static_classes(ast.Tuple([node.left, node.right], ast.Load()))
        found = self._static(node)
        if not found.known:
            return None
        return tuple(found.value) if isinstance(found.value, tuple | list) else (found.value,)

    def visit_List(self, node: ast.List) -> Any:
        if isinstance(node.ctx, ast.Load):
            raise self._unsupported("a list cannot be built in compiled code; write a tuple", node)
        return self.generic_visit(node)

    def visit_Set(self, node: ast.Set) -> Any:
        raise self._unsupported("a set cannot be built in compiled code; write a tuple", node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> Any:
        raise self._unsupported("a generator expression outside any, all, sum, min, max, next", node)

    def visit_Constant(self, node: ast.Constant) -> Any:
        if isinstance(node.value, str):
            return ast.copy_location(self._constant(node.value, node), node)
        if isinstance(node.value, bytes | complex | type(Ellipsis)):
            raise self._unsupported(f"{node.value!r} cannot be used in compiled code", node)
        return node

    def visit_Name(self, node: ast.Name) -> Any:
        return self._replace_static(node) if isinstance(node.ctx, ast.Load) else node

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        if node.attr == "_kind" and not (self.unit.is_own or hasattr(node, "linked")):
            raise self._unsupported("objects have no attribute '_kind'; write isinstance", node)
        bare = self._bare(node)
        ways = self.resolver.attribute(node.attr) if bare is node and isinstance(node.ctx, ast.Load) else None
        if ways is None:
            return bare
        choose, read = self._name("_choose", ways[0]), self._name("_read", self.linker.link(ways[1]))
        return ast.copy_location(ast.Call(choose, [node.value, read], []), node)

    def _bare(self, node: ast.Attribute) -> Any:
        """An attribute, or a method that is called: not what some kinds have of that name."""
        if isinstance(node.ctx, ast.Load) and self._static(node).known:
            return self._replace_static(node)
        node.value = self.visit(node.value)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        found = isinstance(node.ctx, ast.Load) and self._static(node).known
        return self._replace_static(node) if found else self.generic_visit(node)

    # names known before compiling
