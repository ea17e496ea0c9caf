"""The source pass: rewrites a rule's ordinary Python for numba where the meaning stays the same.

It rewrites messages of `raise` and `assert`; `any`, `all`, `sum`, `min`, `max`, `next` over a generator
expression; `in` over a literal set, list or tuple; `is` between values; `isinstance`; loops over a fixed
sequence of functions; walrus assignments; `x **= y` and the like on names and attributes, and powers of items. Names
that are constant for the lifetime of a world (constants, colors, kinds, actions, statuses, other functions) are replaced by their values.
Code whose meaning would silently change is rejected with `Unsupported`.
"""

from __future__ import annotations

import ast
import enum
import functools
import inspect
import math
import sys
import types
from collections.abc import Sequence
from typing import Any

from gridarium.compiled.source_pass.evaluation_order import CONDITIONAL, may_swap, problem_with_assignments
from gridarium.compiled.source_pass.fixed_values import (
    chooses_its_instances,
    gives_same_items,
    is_sequence,
    numbers_of,
)
from gridarium.compiled.source_pass.reductions import MORE, reduced
from gridarium.compiled.source_pass.refusals import blocks_in, may_go_on, stand_in
from gridarium.compiled.source_pass.resolver import (
    UNKNOWN,
    StaticValue,
    is_passable,
    is_specialisable,
    unwrap_partial,
)
from gridarium.compiled.source_pass.source import Unsupported, home_of, is_ours, signature_of
from gridarium.compiled.source_pass.static_scope import LONGEST, StaticScope, as_tuples
from gridarium.compiled.source_pass.symbol_checks import SymbolChecks
from gridarium.compiled.source_pass.syntax import (
    FIELDS,
    KNOWN,
    REFUSED,
    assigned_in,
    copied,
    has_call,
    in_words,
    is_none,
    walk,
)
from gridarium.compiled.source_pass.unset import unset_readings
from gridarium.compiled.source_pass.unsupported import builtin_refused, why_not


class Transformer(ast.NodeTransformer):
    """Rewrites one function: its statements and the expressions in them.

    Args:
        scope: the function and its names.

    Attributes:
        symbols: finds strings, colors, enum members and classes among its expressions.
    """

    def __init__(self, scope: StaticScope) -> None:
        self.scope, self.symbols = scope, SymbolChecks(scope)
        self._hoisted: list[ast.stmt] | None = None
        self._assigns = self._refused = False

    def run(self) -> ast.FunctionDef:
        """Return the rewritten function, without bound parameters."""
        self._refuse_other_scopes()
        node = copied(self.scope.unit.node)
        node.args.args = [a for a in node.args.args if a.arg not in self.scope.bindings]
        self._assigns = any(isinstance(n, ast.NamedExpr) for n in walk(node))
        reassigned = assigned_in(node) & self.scope.bindings.keys()
        preamble = [
            ast.Assign(
                [ast.Name(name, ast.Store())], self.scope.constant(self.scope.bindings.pop(name), node)
            )
            for name in sorted(reassigned)
        ]
        self.scope.local |= reassigned
        node.body = [*preamble, *self._block(node.body)]
        for unset in unset_readings(node, self.scope.local - self.scope.unit.own_names):
            self._refuse(
                self.scope.unsupported(f"{unset.id} may not be set here; give it a value first", unset)
            )
        has_yield = self._refused or any(isinstance(n, ast.Yield) for n in walk(node))
        if self.scope.unit.is_generator and not has_yield:
            reason = (
                "a yield that is never reached, which makes this a generator that does nothing; remove it"
            )
            self._refuse(self.scope.unsupported(reason, self._first(ast.Yield, ast.YieldFrom)))
        return node

    def _refuse_other_scopes(self) -> None:
        """Reject assignments to variables of another scope: their declaration holds even where it is never reached."""
        if self.scope.declared:
            found = self._first(ast.Global, ast.Nonlocal)
            self._refuse(self.scope.unsupported(REFUSED.get(type(found), REFUSED[ast.Global]), found))

    def _first(self, *kinds: type[ast.AST]) -> ast.AST:
        """The first node of some kinds in the function as it is written."""
        return next((n for n in walk(self.scope.unit.node) if isinstance(n, kinds)), self.scope.unit.node)

    # statements

    def _block(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for statement in statements:
            outer, self._hoisted = self._hoisted, []
            try:
                if self._assigns and (problem := problem_with_assignments(statement)) is not None:
                    raise self.scope.unsupported(*problem)
                new = self.visit(statement)
            except Unsupported as error:
                known = error.filename != "?"
                self._refuse(error if known else self.scope.unsupported(error.reason, statement))
                new = self._beyond(statement)
            hoisted, self._hoisted = self._hoisted, outer
            out += hoisted
            if isinstance(new, list):
                out += new
            elif new is not None:
                out.append(new)
            if out and isinstance(out[-1], ast.Return | ast.Raise):
                break  # the rest is unreachable, and may be invalid for the known values
        return out or [ast.Pass()]

    def _refuse(self, error: Unsupported) -> None:
        """Record an error if errors are collected; otherwise raise the first one."""
        if self.scope.linker.refusals is None or not may_go_on(self.scope.unit):
            raise error
        self.scope.linker.refusals.note(error)
        self._refused = True

    def _beyond(self, statement: ast.stmt) -> ast.stmt:
        """Look for more errors within a rejected statement; return its replacement."""
        for block in blocks_in(statement):
            self._block(block)
        return stand_in(statement)

    def visit(self, node: ast.AST) -> Any:
        if (reason := REFUSED.get(type(node))) is not None:
            raise self.scope.unsupported(reason, node)
        if not isinstance(node, KNOWN):
            self._refuse_unknown(node)
        try:
            return super().visit(node)
        except ValueError as error:  # from the resolver: a kind or color that the world does not declare
            raise self.scope.unsupported(str(error), node) from None

    def _refuse_unknown(self, node: ast.AST) -> None:
        """Reject syntax that is not known to mean the same in compiled code."""
        known = FIELDS.get(type(node))
        if known is None:
            instead = "; write if and elif, with == and isinstance" if isinstance(node, ast.pattern) else ""
            raise self.scope.unsupported(f"{in_words(node)} cannot be compiled{instead}", node)
        for name, content in ast.iter_fields(node):
            if content and name != "type_comment" and name not in known.split():
                raise self.scope.unsupported(f"{in_words(node)} with {name} cannot be compiled", node)

    def visit_If(self, node: ast.If) -> Any:
        test = self.scope.truth(node.test)
        if test.known:
            return (
                self._block(node.body if test.value else node.orelse) if (node.body or node.orelse) else None
            )
        self.symbols.refuse_symbols(node.test)
        node.test = self.visit(node.test)
        node.body = self._block(node.body)
        node.orelse = self._block(node.orelse) if node.orelse else []
        return node

    def visit_For(self, node: ast.For) -> Any:
        if (counted := self._counted(node)) is not None:
            return self._block(counted)
        sequence = self.scope.sequence(node.iter)
        if isinstance(node.target, ast.Name) and self.scope.is_unrolled(sequence, node):
            if node.orelse or any(isinstance(n, ast.Break | ast.Continue) for n in walk(node)):
                raise self.scope.unsupported(
                    "break, continue or else in a loop over a fixed sequence; write for k in range(len(ITEMS)), and ITEMS[k]", node,
                )  # fmt: skip
            return self._unroll(node, node.target.id, sequence.value)
        if sequence.known and isinstance(sequence.value, type) and gives_same_items(sequence.value):
            members: Any = sequence.value
            node.iter = self.scope.expression(tuple(members), node.iter)  # as in `for o in Orientation`
        else:
            listed = node.iter
            listed = ast.Tuple(listed.elts, ast.Load()) if isinstance(listed, ast.List) else listed
            node.iter = self._items_of(listed, 1 + _depth(node.target))
        node.target = self.visit(node.target)
        node.body = self._block(node.body)
        if node.orelse:
            node.orelse = self._block(node.orelse)
        return node

    def _counted(self, node: ast.For) -> list[ast.stmt] | None:
        """`for i, x in enumerate(xs)` as a loop over `xs` with a counter, for any iterable."""
        call, pair = node.iter, node.target
        if not (
            isinstance(call, ast.Call) and isinstance(pair, ast.Tuple) and len(pair.elts) == 2 and call.args
        ):
            return None
        if self.scope.static(call.func).value is not enumerate:
            return None
        numbers = [*call.args[1:], *(keyword.value for keyword in call.keywords), ast.Constant(0)]
        if len(numbers) > 2 or any(keyword.arg != "start" for keyword in call.keywords):
            raise self.scope.unsupported("enumerate takes what to loop over, and start", node)
        if not isinstance(self.scope.static(numbers[0]).value, int | None):
            raise self.scope.unsupported("enumerate from what is not a whole number or a variable", node)
        if assigned_in(pair.elts[0]) & assigned_in(pair.elts[1]):
            raise self.scope.unsupported("a loop that assigns one variable twice", node)
        if not all(isinstance(part, ast.Name | ast.Tuple | ast.List) for part in walk(pair)):
            raise self.scope.unsupported(
                "a loop that assigns something else than variables; do so in its first statement", node
            )
        counter = self.scope.new_local("_count")
        following = ast.BinOp(ast.Name(counter, ast.Load()), ast.Add(), ast.Constant(1))
        first = ast.BinOp(numbers[0], ast.BitOr(), ast.Constant(0))  # raises for floats
        begin = ast.Assign([ast.Name(counter, ast.Store())], first)
        count = ast.Assign([pair.elts[0]], ast.Name(counter, ast.Load()))
        step = ast.Assign([ast.Name(counter, ast.Store())], following)
        items, first_of_all = call.args[0], list[ast.stmt]()
        if not (self.scope.sequence(items).known or may_swap(items, numbers[0])):
            name = self.scope.new_local("_items")
            items = ast.Tuple(items.elts, ast.Load()) if isinstance(items, ast.List) else items
            first_of_all = [ast.Assign([ast.Name(name, ast.Store())], items)]
            items = ast.Name(name, ast.Load())
        loop = ast.For(pair.elts[1], items, [count, step, *node.body], node.orelse)
        return [
            ast.fix_missing_locations(ast.copy_location(new, node)) for new in (*first_of_all, begin, loop)
        ]

    def _unroll(self, node: ast.For, target: str, items: list[Any] | tuple[Any, ...]) -> list[ast.stmt]:
        """Unroll a loop: the body once for each item, which replaces the loop variable.

        If the body assigns that variable, or code after the loop reads it, it remains a variable.
        """
        if target in assigned_in(*node.body):
            return self._assigned_each(node, items)
        out: list[ast.stmt] = []
        for item in items:
            with self.scope.bound(target, item):
                out += self._block(copied(node.body))
        if items and self._is_read_outside_of_its_loops(target):
            out.append(self._assignment(node, items[-1]))
        return out

    def _assigned_each(self, node: ast.For, items: list[Any] | tuple[Any, ...]) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for item in items:
            out += [self._assignment(node, item), *self._block(copied(node.body))]
        return out

    def _assignment(self, loop: ast.For, item: Any) -> ast.stmt:
        name = copied(loop.target)
        assignment = ast.Assign([name], self.scope.constant(item, loop))
        return ast.fix_missing_locations(ast.copy_location(assignment, loop))

    def _is_read_outside_of_its_loops(self, name: str) -> bool:
        """Whether a loop variable is read after the loop."""
        waiting: list[ast.AST] = [*self.scope.unit.node.body]
        while waiting:
            node = waiting.pop()
            if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
                return True
            if (
                isinstance(node, ast.For)
                and name in assigned_in(node.target)
                and name not in assigned_in(*node.body)
            ):  # otherwise it may be read behind another loop in the body
                waiting += [node.iter, *node.orelse]
            elif isinstance(node, ast.GeneratorExp) and any(
                name in assigned_in(g.target) for g in node.generators
            ):
                waiting.append(node.generators[0].iter)
            else:
                waiting += ast.iter_child_nodes(node)
        return False

    def visit_While(self, node: ast.While) -> Any:
        if any(isinstance(n, ast.NamedExpr) for n in walk(node.test)):
            raise self.scope.unsupported("an assignment (:=) in the test of a while loop", node)
        self.symbols.refuse_symbols(node.test)
        node.test = self.visit(node.test)
        node.body = self._block(node.body)
        node.orelse = self._block(node.orelse) if node.orelse else []
        return node

    def visit_Match(self, node: ast.Match) -> Any:
        node.subject = self.visit(node.subject)
        for case in node.cases:
            if case.guard and any(isinstance(n, ast.NamedExpr) for n in walk(case.guard)):
                raise self.scope.unsupported(CONDITIONAL, case.guard)
            case.pattern = self.visit(case.pattern)
            case.guard = self.visit(case.guard) if case.guard else None
            case.body = self._block(case.body)
        return node

    def visit_MatchValue(self, node: ast.MatchValue) -> Any:
        value = self.scope.replaced(node.value)
        if isinstance(value, ast.Constant) and isinstance(value.value, bool):
            value = ast.copy_location(ast.Constant(int(value.value)), value)  # compared by ==
        number = node.value = value
        if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub):
            number = value.operand
        if not isinstance(number, ast.Constant) or number.value is None:
            raise self.scope.unsupported(
                "a match against something that is no number; write if and elif with ==", node
            )
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        raise self.scope.unsupported("a function inside a function; move it to the top of the file", node)

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        raise self.scope.unsupported("a lambda inside a function; move it to the top of the file", node)

    def visit_Raise(self, node: ast.Raise) -> Any:
        """Replace the exception: compiled code only signals that one was raised.

        The step is then run again interpreted.
        """
        error = self.scope.linked_name("RuntimeError", RuntimeError)
        signal = ast.Call(error, [ast.Constant("raised by a rule")], [])
        return ast.copy_location(ast.Raise(signal, None), node)

    def visit_Assert(self, node: ast.Assert) -> Any:
        if not __debug__:  # Python leaves out asserts
            return None
        failure = ast.copy_location(ast.Raise(None, None), node)
        return self.visit(ast.copy_location(ast.If(ast.UnaryOp(ast.Not(), node.test), [failure], []), node))

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        if node.value is None and isinstance(node.target, ast.Name):
            return None
        if node.value is None:
            raise self.scope.unsupported("a type without a value; leave it out", node)
        return self.visit(ast.copy_location(ast.Assign([node.target], node.value), node))

    def visit_Assign(self, node: ast.Assign) -> Any:
        if (found := self.scope.static(node.value)).known and isinstance(found.value, type):
            name = ast.unparse(node.value)
            raise self.scope.unsupported(
                f"{name} is a class; what can be assigned is an object, {name}(...)", node
            )
        if (parts := self._one_by_one(node)) is not None:
            return self._block(parts)
        if not isinstance(node.targets[0], ast.Name):
            self.symbols.refuse_text(node.value)
        node.value = self._items_of(node.value, _depth(node.targets[0]))  # before the target, as in Python
        target = node.targets[0] = self.visit(node.targets[0])
        if isinstance(target, ast.Tuple | ast.List) and not isinstance(node.value, ast.Tuple):
            targets = ast.Tuple([ast.Constant(0) for _ in target.elts], ast.Load())
            node.value = self.scope.helper_call("unpack", node, node.value, targets)
        return node

    def _one_by_one(self, node: ast.Assign) -> list[ast.stmt] | None:
        """`a.x, b.y = p, q` and `a.x = b.y = p`: the values first, then each target in turn.

        None for single variables.
        """
        (first, *others) = node.targets
        if others:
            names: list[ast.expr] = [ast.Name(self.scope.new_local("_given"), ast.Store())]
            whole, targets = names[0], node.targets
        elif isinstance(first, ast.Tuple | ast.List) and not all(isinstance(t, ast.Name) for t in first.elts):
            names = [ast.Name(self.scope.new_local("_given"), ast.Store()) for _ in first.elts]
            whole, targets = ast.Tuple(names, ast.Store()), first.elts
        else:
            return None
        sources = names if len(names) == len(targets) else names * len(targets)
        parts = [ast.Assign([whole], node.value)]
        for target, name in zip(targets, sources, strict=True):
            assert isinstance(name, ast.Name)
            parts.append(ast.Assign([target], ast.Name(name.id, ast.Load())))
        return [ast.fix_missing_locations(ast.copy_location(part, node)) for part in parts]

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        target, begin = node.target, list[ast.stmt]()

        def once(part: ast.expr) -> ast.expr:
            """The same, evaluated once, not for reading and again for writing."""
            name = self.scope.new_local("_part")
            begin.append(ast.Assign([ast.Name(name, ast.Store())], part))
            return ast.Name(name, ast.Load())

        if isinstance(target, ast.Subscript):
            of_slice = any(isinstance(n, ast.Slice) for n in ast.walk(target.slice))
            if of_slice or not isinstance(node.op, ast.Pow):
                return self.generic_visit(node)
            parts, index = once(target.value), target.slice
            if isinstance(index, ast.Tuple):
                index = ast.Tuple([once(item) for item in index.elts], ast.Load())
            else:
                index = once(index)
            target = ast.Subscript(parts, index, ast.Store())
        elif isinstance(target, ast.Attribute) and not isinstance(target.value, ast.Name):
            target = ast.Attribute(once(target.value), target.attr, ast.Store())
        read = copied(target)
        read.ctx = ast.Load()
        whole = ast.Assign([target], ast.BinOp(read, node.op, node.value))
        return self._block([ast.fix_missing_locations(ast.copy_location(s, node)) for s in (*begin, whole)])

    def visit_Return(self, node: ast.Return) -> Any:
        if node.value is not None:
            self.symbols.refuse_text(node.value)
        return self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> Any:
        if isinstance(node.value, ast.Constant):
            return None
        return self.generic_visit(node)

    # expressions

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        test = self.scope.truth(node.test)
        if test.known:
            return self.visit(node.body if test.value else node.orelse)
        self.symbols.refuse_symbols(node.test)
        return self.generic_visit(node)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> Any:
        if self._hoisted is None:
            raise self.scope.unsupported("an assignment (:=) here", node)
        assign = ast.Assign([ast.Name(node.target.id, ast.Store())], self.visit(node.value))
        self._hoisted.append(ast.fix_missing_locations(ast.copy_location(assign, node)))
        return ast.copy_location(ast.Name(node.target.id, ast.Load()), node)

    def visit_Compare(self, node: ast.Compare) -> Any:
        self.symbols.refuse_incomparable(node)
        if len(node.ops) == 1:
            truth = self.scope.truth(node)
            if truth.known:
                return ast.copy_location(ast.Constant(truth.value), node)
            operator, right = node.ops[0], node.comparators[0]
            if isinstance(operator, ast.In | ast.NotIn) and (items := self._items(right)) is not None:
                return self._membership(node, items)
            if isinstance(operator, ast.Is | ast.IsNot) and not is_none(right):
                return self._identity(node, isinstance(operator, ast.IsNot))
        self.symbols.check_comparison(node)
        return self.generic_visit(node)

    def _asked_kind(self, *sides: ast.expr) -> str | None:
        """What to write instead of comparing the class of an object, `type(thing) is Kind` or `thing.__class__ is Kind`."""
        for thing, kind in (sides, sides[::-1]):
            if isinstance(thing, ast.Call) and self.scope.static(thing.func).value is type and thing.args:
                return f"write isinstance({ast.unparse(thing.args[0])}, {ast.unparse(kind)})"
            if isinstance(thing, ast.Attribute) and thing.attr == "__class__":
                return f"write isinstance({ast.unparse(thing.value)}, {ast.unparse(kind)})"
        return None

    def _identity(self, node: ast.Compare, negated: bool) -> Any:
        """Rewrite `is` between singletons, such as actions, enums and colors."""
        sides = (node.left, node.comparators[0])
        found = next((static for side in sides if (static := self.scope.static(side)).known), UNKNOWN)
        named = isinstance(found.value, enum.Enum) or self.scope.resolver.is_symbolic(found.value)
        single = named or hasattr(type(found.value), "__single__")
        if found.known and isinstance(found.value, bool):
            test: ast.expr = self.scope.helper_call("same_truth", node, *(self.visit(side) for side in sides))
            return ast.copy_location(ast.UnaryOp(ast.Not(), test) if negated else test, node)
        number = isinstance(found.value, int | float | str) and not isinstance(found.value, enum.Enum)
        if found.known and (number or not single):
            instead = self._asked_kind(*sides) or "write =="
            raise self.scope.unsupported(f"`is` asks for one and the same object; {instead}", node)
        if isinstance(found.value, enum.Enum) and isinstance(found.value, int | float | str):
            return self._member_identity(node, found.value, negated)
        named |= any(
            isinstance(side, ast.Attribute) and self.scope.resolver.is_symbolic_attribute(side.attr)
            for side in sides
        )
        left, right = (self.visit(side) for side in sides)
        test = self.scope.helper_call("same_named" if found.known or named else "same", node, left, right)
        return ast.copy_location(ast.UnaryOp(ast.Not(), test) if negated else test, node)

    def _member_identity(self, node: ast.Compare, member: enum.Enum, negated: bool) -> Any:
        """`thing.status is Door.Status.OPEN`: a member of another enum with the same number, or the number, is different."""
        left = node.left
        ask = self.scope.resolver.member_test(left.attr, member) if isinstance(left, ast.Attribute) else None
        if not isinstance(left, ast.Attribute) or ask is None:
            raise self.scope.unsupported(f"`is` with {member!r} and {ast.unparse(left)}; write ==", node)
        test: ast.expr = ast.Call(
            self.scope.linked_name("_is", self.scope.linker.link(ask)), [self.visit(left.value)], []
        )
        return ast.copy_location(ast.UnaryOp(ast.Not(), test) if negated else test, node)

    def _items(self, node: ast.expr) -> list[ast.expr] | None:
        if isinstance(node, ast.Set | ast.List | ast.Tuple):
            return node.elts
        sequence = self._listed(node)
        if sequence.known and is_sequence(sequence.value):
            if len(sequence.value) > LONGEST:
                raise self.scope.unsupported(
                    f"a search in {len(sequence.value)} items; make a table(...) of them", node
                )
            return [self.scope.constant(item, node) for item in sequence.value]
        return None

    def _membership(self, node: ast.Compare, items: list[ast.expr]) -> Any:
        """Rewrite `x in (a, b)`: each operand is evaluated once, from left to right."""
        right = node.comparators[0]
        is_set = isinstance(right, ast.Set) or isinstance(self._listed(right).value, set | frozenset)
        self.symbols.refuse_class(node, node.ops[0], node.left, right)
        if not items:
            raise self.scope.unsupported("nothing is in an empty sequence", node)
        left = self.visit(node.left)
        things = ast.Tuple([self.visit(item) for item in items], ast.Load())
        test: ast.expr = self.scope.helper_call("in_set" if is_set else "among", node, left, things)
        negated = isinstance(node.ops[0], ast.NotIn)
        return ast.copy_location(ast.UnaryOp(ast.Not(), test) if negated else test, node)

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        self.symbols.refuse_symbols(node.left, node.right)
        self.generic_visit(node)
        return (
            self.scope.helper_call("power", node, node.left, node.right)
            if isinstance(node.op, ast.Pow)
            else node
        )

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        node.values = self._asked(node)
        if len(node.values) == 1:
            return self.visit(node.values[0])
        self.symbols.refuse_symbols(*node.values)
        return self.generic_visit(node)

    def _asked(self, node: ast.BoolOp) -> list[ast.expr]:
        """The operands of `and` or `or` without those that are not asked, such as the second of `kind is None or ...` with None."""
        kept: list[ast.expr] = []
        ends = isinstance(node.op, ast.Or)
        for value in node.values:
            as_value = isinstance(value, ast.Name | ast.BoolOp)  # which may be another value than its truth
            truth = UNKNOWN if as_value else self.scope.truth(value)
            if truth.known and truth.value is ends:
                return [*kept, ast.copy_location(ast.Constant(ends), value)]
            if not truth.known or value is node.values[-1]:
                kept.append(value)
        return kept

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        self.symbols.refuse_symbols(node.operand)
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> Any:
        if any(isinstance(a, ast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords):
            raise self.scope.unsupported("a call with * or **", node)
        called = self.scope.static(node.func)
        if called.known:
            value = called.value
            reason = None
            if not self.scope.unit.is_library_code:
                reason = _why_not_called(value, node) or self.scope.resolver.refused_call(value)
            if reason is not None:
                raise self.scope.unsupported(reason, node)
            if (special := self._special_call(node, value)) is not None:
                return special
            if value is zip and node.keywords:
                strict = self.scope.static(node.keywords[0].value)
                if not strict.known or strict.value:
                    raise self.scope.unsupported("zip with strict=True", node)
                node.keywords = []
            if (listed := self._listed(node)).known:
                return self.scope.expression(listed.value, node)
            if (number := self.symbols.number_in(node, value)) is not None:
                return number
            if home_of(value).split(".")[0] in OF_PYTHON:
                self.symbols.refuse_symbols(*node.args)
            name = getattr(value, "__name__", "")
            if name in MORE and home_of(value) == "builtins" and node.args:
                if isinstance(node.args[0], ast.GeneratorExp):
                    return reduced(self.scope, self.visit, node, name, node.args[0])
                if value in (min, max) and not self.scope.unit.is_library_code:
                    return self._extreme(node, value)
            elif (replacement := self.scope.resolver.callable(value)) is not None:
                for keyword in node.keywords:
                    keyword.arg = self.scope.resolver.parameter(value, str(keyword.arg))
                if (made := self._made(node, value)) is not None:
                    return self.scope.expression(made, node)
                passed = frozenset(parameter for parameter, _ in _passed(replacement, node))
                linked = self.scope.linker.link(replacement, passed)
                node.func = self.scope.linked_name(name or "call", linked)
                return self._arguments(node)
            elif is_specialisable(value):
                if (reason := why_not(value)) is not None:
                    raise self.scope.unsupported(reason, node)
                return self._call_function(node, value)
        node.func = self._bare(node.func) if isinstance(node.func, ast.Attribute) else self.visit(node.func)
        return self._arguments(node, levels=next((n for f, n in OF_ITEMS if called.value is f), 0))

    def _special_call(self, node: ast.Call, called: Any) -> Any:
        """Rewrite a call of a logarithm to a base, of `isinstance`, or of an enum of numbers; None for other calls."""
        if called is math.log and len(node.args) == 2:
            return self._logarithm(node)
        if called is isinstance:
            return self._isinstance(node)
        if len(node.args) == 1 and not node.keywords and (numbers := numbers_of(called)) is not None:
            members = ast.Tuple([ast.Constant(number) for number in numbers], ast.Load())
            return self.scope.helper_call("member_of", node, self.visit(node.args[0]), members)
        return None

    def _logarithm(self, node: ast.Call) -> Any:
        """A logarithm to a base, as Python computes it."""
        parts = [ast.Call(node.func, [given], []) for given in node.args]
        quotient = ast.BinOp(parts[0], ast.Div(), parts[1])
        return self.visit(ast.fix_missing_locations(ast.copy_location(quotient, node)))

    def _extreme(self, node: ast.Call, called: Any) -> ast.expr:
        """Rewrite `min` and `max` of several numbers, or of a tuple."""
        for keyword in node.keywords:
            self.visit(keyword.value)
            raise self.scope.unsupported(
                f"{called.__name__} with {keyword.arg} of anything but a generator expression", node
            )
        self.symbols.refuse_symbols(*node.args)
        one = len(node.args) == 1
        parts = [self._items_of(given, int(one)) for given in node.args]
        return self.scope.joined(node, called, parts, among=one)

    def _listed(self, node: ast.expr) -> StaticValue:
        """The value of an expression, if it is constant; also of `list(Orientation)` and the like."""
        if not (isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords):
            return self.scope.static(node)
        called, given = self.scope.static(node.func).value, self.scope.static(node.args[0])
        if not (given.known and (called is list or called is tuple)):
            return UNKNOWN
        self.scope.refuse_set(given, node)
        if not gives_same_items(given.value) or isinstance(given.value, str):
            return UNKNOWN
        return StaticValue(True, called(given.value))

    def _items_of(self, node: ast.expr, levels: int) -> Any:
        """Rewrite an expression of which only the items are used, `levels` deep: there, lists become tuples."""
        found = self._listed(node) if levels else UNKNOWN
        if found.known and is_sequence(found.value):
            return self.scope.expression(as_tuples(found.value, levels), node)
        if not isinstance(node, ast.Subscript) or self.scope.static(node).known:
            return self.visit(node)
        node.value = self._items_of(node.value, levels if isinstance(node.slice, ast.Slice) else levels + 1)
        node.slice = self.visit(node.slice)
        return node

    def _given(self, given: ast.expr, levels: int, rng: ast.expr | None) -> Any:
        """Rewrite an argument; what `rng.choice` is given may be a list, of which the library's uses only the items."""
        found = UNKNOWN if rng is None or has_call(rng) else self._listed(given)
        if rng is None or not isinstance(found.value, list):
            return self._items_of(given, levels)
        return self.scope.helper_call(
            "drawn_from", given, copied(rng), self.scope.expression(as_tuples(found.value, 1), given)
        )

    def _made(self, node: ast.Call, called: Any) -> Any | None:
        given = [self.scope.static(a) for a in node.args]
        named = {str(k.arg): self.scope.static(k.value) for k in node.keywords}
        try:
            return self.scope.resolver.made(called, given, named)
        except TypeError as error:
            raise self.scope.unsupported(str(error), node) from None

    def _call_function(self, node: ast.Call, function: Any) -> ast.Call:
        """Bind kinds and functions among the arguments to the called function."""
        inner, called = unwrap_partial(function)[0], signature_of(function)
        try:
            called.bind(*node.args, **{str(k.arg): k.value for k in node.keywords})
        except TypeError as error:
            raise self.scope.unsupported(
                f"{inner.__name__}({', '.join(called.parameters)}): {error}", node
            ) from None
        given = _passed(function, node)
        statics = {name: self.scope.static_argument(argument) for name, argument in given}
        own = self.scope.unit.is_library_code and is_ours(inner)
        flags = {name for name, argument in given if own and self.scope.is_fixed_flag(argument)}
        fixed = {
            name: s.value
            for name, s in statics.items()
            if s.known and (name in flags or not is_passable(s.value))
        }
        passed = frozenset(statics.keys() - fixed.keys())
        linked = self.scope.linked(
            functools.partial(function, **fixed) if fixed else function, node.func, passed
        )
        node.func = self.scope.linked_name(inner.__name__, linked)
        if fixed:
            node.args = []
            node.keywords = [ast.keyword(name, argument) for name, argument in given if name in passed]
        return self._arguments(node)

    def _arguments(self, node: ast.Call, levels: int = 0) -> ast.Call:
        rng = node.func.value if isinstance(node.func, ast.Attribute) and node.func.attr == "choice" else None
        node.args = [self._given(a, levels, rng) for a in node.args]
        for keyword in node.keywords:
            keyword.value = self._given(keyword.value, 0, rng)
        return node

    def _isinstance(self, node: ast.Call) -> ast.expr:
        subject, classes = node.args
        static = self._static_classes(classes)
        if static is None:
            raise self.scope.unsupported("isinstance with a class that is not known before compiling", node)
        if (cls := next((c for c in static if chooses_its_instances(c)), None)) is not None:
            raise self.scope.unsupported(
                f"isinstance with {cls.__name__}, whose metaclass {type(cls).__name__} chooses its instances; "
                "leave that out, and derive from the class", node,
            )  # fmt: skip
        test = self.scope.resolver.instance_test(subject, static)
        if test is None:
            raise self.scope.unsupported(
                f"isinstance with {', '.join(getattr(c, '__name__', str(c)) for c in static)}", node
            )
        return self.visit(ast.fix_missing_locations(ast.copy_location(test, node)))

    def _static_classes(self, node: ast.expr) -> tuple[Any, ...] | None:
        if isinstance(node, ast.Tuple):
            parts = [self._static_classes(e) for e in node.elts]
            return None if None in parts else tuple(c for part in parts if part for c in part)
        found = self.scope.static(node)
        if not found.known:
            return None
        if isinstance(found.value, types.UnionType):
            return found.value.__args__
        if isinstance(found.value, list | set | frozenset):
            reason = f"isinstance takes classes in a tuple, not in a {type(found.value).__name__}"
            raise self.scope.unsupported(reason, node)
        return tuple(found.value) if is_sequence(found.value) else (found.value,)

    def visit_List(self, node: ast.List) -> Any:
        if isinstance(node.ctx, ast.Load):
            raise self.scope.unsupported("a list cannot be built in compiled code; write a tuple", node)
        return self.generic_visit(node)

    def visit_Set(self, node: ast.Set) -> Any:
        raise self.scope.unsupported("a set cannot be built in compiled code; write a tuple", node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> Any:
        raise self.scope.unsupported("a generator expression outside any, all, sum, min, max, next", node)

    def visit_Constant(self, node: ast.Constant) -> Any:
        if isinstance(node.value, str):
            return ast.copy_location(self.scope.constant(node.value, node), node)
        if isinstance(node.value, bytes | complex | type(Ellipsis)):
            raise self.scope.unsupported(f"{node.value!r} cannot be used in compiled code", node)
        return node

    def visit_Name(self, node: ast.Name) -> Any:
        return self.scope.replaced(node) if isinstance(node.ctx, ast.Load) else node

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        if node.attr == "_kind" and not (self.scope.unit.is_library_code or hasattr(node, "linked")):
            raise self.scope.unsupported("objects have no attribute '_kind'; write isinstance", node)
        bare = self._bare(node)
        ways = (
            self.scope.resolver.attribute(node.attr)
            if bare is node and isinstance(node.ctx, ast.Load)
            else ()
        )
        if not ways:
            return bare
        choose = self.scope.linked_name("_choose", ways[0])
        reads = [self.scope.linked_name("_read", self.scope.linker.link(read)) for read in ways[1:]]
        return ast.copy_location(ast.Call(choose, [node.value, *reads], []), node)

    def _bare(self, node: ast.Attribute) -> Any:
        """Visit an attribute or a called method without resolving attributes of kinds."""
        if isinstance(node.ctx, ast.Load) and self.scope.static(node).known:
            return self.scope.replaced(node)
        node.value = self.visit(node.value)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        if isinstance(node.ctx, ast.Load):
            return self.scope.replaced(node) if self.scope.static(node).known else self._items_of(node, 0)
        return self.generic_visit(node)


OF_ITEMS = ((len, sys.maxsize), (enumerate, 1), (zip, 1))
"""Functions for which a list is as good as a tuple, and down to which level."""


def _why_not_called(function: Any, node: ast.Call) -> str | None:
    """Why one of Python's own functions cannot be called, whatever it is given; None if it can."""
    if function is print:
        return "print works interpreted only"
    if function is hasattr or function is getattr:
        return builtin_refused(function.__name__)
    if function is round and (len(node.args) > 1 or node.keywords):
        return "round to a number of digits"
    if node.keywords and home_of(function).split(".")[0] in OF_PYTHON:
        known = _taken_by_name(function)
        for keyword in node.keywords:
            if keyword.arg not in known:
                return f"{function.__name__} takes no argument by the name {keyword.arg}"
    return None


OF_PYTHON = ("builtins", "math", "numpy")


def _taken_by_name(function: Any) -> Sequence[str]:
    """The names by which one of Python's own functions, or numpy's, takes arguments."""
    if function is min or function is max:
        return ("key", "default")
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # it does not say, as zip and most of those that take none
        return ("strict",) if function is zip else ()
    return [p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]


def _passed(function: Any, node: ast.Call) -> list[tuple[str, ast.expr]]:
    """The parameters of a function that a call gives, with the arguments."""
    inner, bound = unwrap_partial(function)
    names = [n for n in signature_of(inner).parameters if n not in bound]
    return [*zip(names, node.args), *((str(k.arg), k.value) for k in node.keywords)]


def _depth(target: ast.expr) -> int:
    """The number of levels down to which an assignment to a target takes everything apart."""
    return 1 + min(map(_depth, target.elts), default=0) if isinstance(target, ast.Tuple | ast.List) else 0
