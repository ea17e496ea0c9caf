"""The source pass over expressions: comparisons, membership, calls, names."""

from __future__ import annotations

import ast
import copy
import enum
import functools
import inspect
from typing import Any

from gridarium.compiled.known import is_none
from gridarium.compiled.reductions import MORE, Reductions
from gridarium.compiled.resolver import UNKNOWN, is_passable, is_specialisable, unwrap_partial, word_number
from gridarium.compiled.source import home_of
from gridarium.compiled.values import is_value_class

OPERATIONS = {ast.Pow: "power", ast.LShift: "shift_left", ast.RShift: "shift_right"}


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
        single = hasattr(type(found.value), "__single__") or isinstance(
            self.resolver.constant(found.value), ast.Constant
        )
        if found.known and not single:
            raise self._unsupported("`is` asks for one and the same object; write ==", node)
        if isinstance(found.value, enum.IntEnum):
            return self._member_identity(node, found.value, negated)
        left, right = (self.visit(side) for side in sides)
        test: ast.expr = self._help("same", node, left, right)
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
        if sequence.known and isinstance(sequence.value, list | tuple | set | frozenset):
            return [self._constant(item, node) for item in sequence.value]
        return None

    def _membership(self, node: ast.Compare, items: list[ast.expr], negated: bool) -> Any:
        if any(isinstance(n, ast.Call | ast.NamedExpr) for n in ast.walk(node.left)):
            raise self._unsupported("a call on the left of `in`; give its result a name first", node)
        if any(isinstance(n, ast.Call) and not self._only_makes(n) for item in items for n in ast.walk(item)):
            raise self._unsupported("a call on the right of `in`; give its result a name first", node)
        tests: list[ast.expr] = [self._is_item(node.left, item) for item in items]
        whole: ast.expr = (
            ast.BoolOp(ast.Or(), tests) if len(tests) > 1 else (tests or [ast.Constant(False)])[0]
        )
        if negated:
            whole = ast.UnaryOp(ast.Not(), whole)
        return self.visit(ast.fix_missing_locations(ast.copy_location(whole, node)))

    def _is_item(self, left: ast.expr, item: ast.expr) -> ast.Compare:
        test = ast.Compare(copy.deepcopy(left), [ast.Eq()], [copy.deepcopy(item)])
        test.item = True  # type: ignore[attr-defined]  # a name may be a number by now, see `Words.visit_Compare`
        return test

    def _only_makes(self, node: ast.Call) -> bool:
        """Whether a call makes an object or a value and does nothing else."""
        called = self._static(node.func)
        return called.known and (
            is_value_class(called.value) or self.resolver.callable(called.value) is not None
        )

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        helper = OPERATIONS.get(type(node.op))
        node = super().visit_BinOp(node)
        if helper is None or (self.unit.is_own and helper != "power"):
            return node
        return self._help(helper, node, node.left, node.right)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        node = super().visit_UnaryOp(node)
        return self._help("invert", node, node.operand) if isinstance(node.op, ast.Invert) else node

    def _help(self, helper: str, node: ast.AST, *arguments: ast.expr) -> ast.Call:
        name = self._name(f"_{helper}", self.linker.helper(helper))
        return ast.copy_location(ast.Call(name, list(arguments), []), node)

    def visit_Call(self, node: ast.Call) -> Any:
        if any(isinstance(a, ast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords):
            raise self._unsupported("a call with * or **", node)
        called = self._static(node.func)
        if called.known:
            value = called.value
            if value is isinstance:
                return self._isinstance(node)
            if value is zip and node.keywords:
                strict = self._static(node.keywords[0].value)
                if not strict.known or strict.value:
                    raise self._unsupported("zip with strict=True", node)
                node.keywords = []
            if value in (list, tuple) and (listed := self._listed(node)) is not None:
                return listed
            if value in (int, round) and (number := self._read(node, value) or self._whole(node, value)):
                return number
            if value is print:
                raise self._unsupported("print works interpreted only", node)
            if (number := self._read(node, value)) is not None:
                return number
            if home_of(value).split(".")[0] in ("builtins", "math", "numpy"):
                self._refuse_words(*node.args)
            name = getattr(value, "__name__", "")
            if name in MORE and getattr(value, "__module__", "") == "builtins" and node.args:
                if isinstance(node.args[0], ast.GeneratorExp):
                    return self._reduce(node, name, node.args[0])
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

    def _whole(self, node: ast.Call, called: Any) -> ast.expr | None:
        """`int(x)` and `round(x)`, which raise for what is no number of 64 bits."""
        if called is round and (len(node.args) > 1 or node.keywords):
            raise self._unsupported("round to a number of digits", node)
        if len(node.args) != 1 or node.keywords:
            return None
        self._refuse_words(*node.args)
        return self._help("whole" if called is int else "rounded", node, self.visit(node.args[0]))

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
        names = [n for n in inspect.signature(inner).parameters if n not in bound]
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
            return ast.copy_location(ast.Constant(word_number(node.value)), node)
        if isinstance(node.value, bytes | complex | type(Ellipsis)):
            raise self._unsupported(f"{node.value!r} cannot be used in compiled code", node)
        return node

    def visit_Name(self, node: ast.Name) -> Any:
        return self._replace_static(node) if isinstance(node.ctx, ast.Load) else node

    def visit_Attribute(self, node: ast.Attribute) -> Any:
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
