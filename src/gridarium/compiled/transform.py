"""The source pass: ordinary Python of a rule, rewritten into what numba takes where the meaning is the same.

What it rewrites: messages of `raise` and `assert`; `any`, `all`, `sum`, `min`, `max`, `next` over a generator
expression; `in` over a written-out set, list or tuple; `is` between values; `isinstance`; loops over a fixed
sequence of functions; walrus assignments; `x **= y` and its kin on names and attributes. Names that mean the same
for the whole life of a world (constants, colors, kinds, actions, statuses, other functions) are filled in.
What would silently differ is refused with `Unsupported`.
"""

from __future__ import annotations

import ast
import copy
import enum
import functools
import inspect
import math
import operator
import types
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from gridarium.compiled.source import Unit, Unsupported
from gridarium.compiled.values import is_value, is_value_class

REDUCERS = ("any", "all", "sum", "min", "max", "next")
REFUSED = {
    ast.Try: "try/except cannot be compiled",
    ast.With: "with-blocks cannot be compiled",
    ast.ListComp: "a list cannot be built in compiled code; loop over the items instead",
    ast.DictComp: "a dict cannot be built in compiled code",
    ast.SetComp: "a set cannot be built in compiled code",
    ast.Dict: "a dict cannot be built in compiled code",
    ast.JoinedStr: "text cannot be made in compiled code",
    ast.Global: "global variables cannot be assigned in compiled code",
    ast.Nonlocal: "variables of an enclosing function cannot be assigned in compiled code",
    ast.Import: "import belongs at the top of the file",
    ast.ImportFrom: "import belongs at the top of the file",
    ast.Await: "await cannot be compiled",
    ast.ClassDef: "a class cannot be defined in compiled code",
}
WORDS_ONLY = "text can be compared in compiled code, nothing else"
ARRAY_MAKERS = frozenset(
    [
        "zeros",
        "ones",
        "full",
        "empty",
        "array",
        "asarray",
        "arange",
        "linspace",
        "zeros_like",
        "ones_like",
        "full_like",
        "empty_like",
        "eye",
        "copy",
    ]
)
ALLOWED_BUILTINS = frozenset(
    (
        "abs",
        "bool",
        "divmod",
        "enumerate",
        "float",
        "int",
        "len",
        "max",
        "min",
        "range",
        "round",
        "tuple",
        "zip",
    )
)


class Static:
    """A value known before compiling, or the lack of one."""

    __slots__ = ("known", "value")

    def __init__(self, known: bool, value: Any = None) -> None:
        self.known, self.value = known, value


UNKNOWN = Static(False)
ORDERS: dict[type[ast.cmpop], Any] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


class Resolver:
    """What static things become in compiled code. `world.vocabulary` adds kinds, colors and actions."""

    def __fingerprint__(self) -> list[Any]:
        """What compiled programs depend on (see `fingerprint`)."""
        return []

    def constant(self, thing: Any) -> ast.expr | None:
        """An expression for a constant, or None if it is none."""
        if isinstance(thing, enum.Enum):
            return self.constant(thing.value)
        if isinstance(thing, str):
            return ast.Constant(word_number(thing))
        if thing is None or isinstance(thing, bool | int | float):
            return ast.Constant(thing)
        if isinstance(thing, np.bool_ | np.integer | np.floating):
            return ast.Constant(thing.item())
        return None

    def fixed(self, owner: str, name: str) -> Static:
        """What `something.<owner>.<name>` is, where that is the same throughout a program."""
        return UNKNOWN

    def parameter(self, thing: Any, name: str) -> str:
        """What the parameter that a call of a class or callable object names is called in compiled code."""
        return name

    def made(self, thing: Any, given: list[Static], named: dict[str, Static]) -> Any | None:
        """The object that a class or callable object makes, where all that it is given is known.

        Raises:
            TypeError, ValueError: it cannot be called like that.
        """
        return None

    def instance_test(self, subject: ast.expr, classes: tuple[Any, ...]) -> ast.expr | None:
        """An expression for `isinstance(subject, classes)`, or None if that cannot be known."""
        return None

    def callable(self, thing: Any) -> Any | None:
        """The function that compiled code calls in the place of a class or callable object, or None."""
        return None


class Transformer(ast.NodeTransformer):
    """Rewrites one function. `names` collects what the rewritten function refers to."""

    def __init__(
        self, unit: Unit, resolver: Resolver, bindings: dict[str, Any], linker: Any, nones: dict[str, bool]
    ) -> None:
        self.unit, self.resolver, self.linker = unit, resolver, linker
        self.nones = {name: n for name, n in nones.items() if name not in _assigned_in_body(unit.node)}
        self.names: dict[str, Any] = {}
        self.bindings = dict(bindings)
        self.local = _assigned(unit.node) - self.bindings.keys()
        self._hoisted: list[ast.stmt] | None = None

    def run(self) -> ast.FunctionDef:
        """The rewritten function, bound parameters removed."""
        node = copy.deepcopy(self.unit.node)
        node.args.args = [a for a in node.args.args if a.arg not in self.bindings]
        reassigned = _assigned_in_body(node) & self.bindings.keys()
        preamble = [
            ast.Assign([ast.Name(name, ast.Store())], self._constant(self.bindings.pop(name), node))
            for name in sorted(reassigned)
        ]
        self.local |= reassigned
        node.body = [*preamble, *self._block(node.body)]
        return ast.fix_missing_locations(node)

    # statements

    def _block(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for statement in statements:
            outer, self._hoisted = self._hoisted, []
            new = self.visit(statement)
            hoisted, self._hoisted = self._hoisted, outer
            out += hoisted
            if isinstance(new, list):
                out += new
            elif new is not None:
                out.append(new)
            if out and isinstance(out[-1], ast.Return | ast.Raise):
                break  # what follows is never reached, and may make no sense for what is known here
        return out or [ast.Pass()]

    def visit(self, node: ast.AST) -> Any:
        if (reason := REFUSED.get(type(node))) is not None:
            raise self._unsupported(reason, node)
        try:
            return super().visit(node)
        except ValueError as error:  # the resolver's: a kind or color that the world does not know
            raise self._unsupported(str(error), node) from None

    def visit_If(self, node: ast.If) -> Any:
        test = self._truth(node.test)
        if test.known:
            return (
                self._block(node.body if test.value else node.orelse) if (node.body or node.orelse) else None
            )
        node.test = self.visit(node.test)
        node.body = self._block(node.body)
        node.orelse = self._block(node.orelse) if node.orelse else []
        return node

    def visit_For(self, node: ast.For) -> Any:
        if (counted := self._counted(node)) is not None:
            return self._block(counted)
        sequence = self._sequence(node.iter)
        if sequence.known and isinstance(sequence.value, list | tuple) and isinstance(node.target, ast.Name):
            if node.orelse or any(isinstance(n, ast.Break | ast.Continue) for n in ast.walk(node)):
                raise self._unsupported("break, continue or else in a loop over a fixed sequence", node)
            return self._unroll(node, node.target.id, sequence.value)
        if sequence.known and isinstance(sequence.value, type) and hasattr(type(sequence.value), "__iter__"):
            members: Any = sequence.value
            node.iter = self._expression(tuple(members), node.iter)  # as in `for o in Orientation`
        else:
            listed = node.iter
            node.iter = self.visit(
                ast.Tuple(listed.elts, ast.Load()) if isinstance(listed, ast.List) else listed
            )
        node.target = self.visit(node.target)
        node.body = self._block(node.body)
        if node.orelse:
            node.orelse = self._block(node.orelse)
        return node

    def _sequence(self, node: ast.expr) -> Static:
        """What is looped over, if it is known: also a tuple of functions or kinds written out in the loop."""
        if isinstance(node, ast.List):
            node = ast.copy_location(ast.Tuple(node.elts, node.ctx), node)
        written = self._static_argument(node)
        return written if written.known and not is_passable(written.value) else self._static(node)

    def _counted(self, node: ast.For) -> list[ast.stmt] | None:
        """`for i, x in enumerate(xs)` as a loop over `xs` with a counter, whatever can be iterated over."""
        call, pair = node.iter, node.target
        if not (
            isinstance(call, ast.Call) and isinstance(pair, ast.Tuple) and len(pair.elts) == 2 and call.args
        ):
            return None
        if self._static(call.func).value is not enumerate:
            return None
        numbers = [*call.args[1:], *(keyword.value for keyword in call.keywords), ast.Constant(0)]
        counter = next(name for n in range(len(self.local) + 1) if (name := f"_count_{n}") not in self.local)
        self.local.add(counter)
        following = ast.BinOp(ast.Name(counter, ast.Load()), ast.Add(), ast.Constant(1))
        begin = ast.Assign([ast.Name(counter, ast.Store())], numbers[0])
        count = ast.Assign([pair.elts[0]], ast.Name(counter, ast.Load()))
        step = ast.Assign([ast.Name(counter, ast.Store())], following)
        loop = ast.For(pair.elts[1], call.args[0], [count, step, *node.body], node.orelse)
        return [ast.fix_missing_locations(ast.copy_location(new, node)) for new in (begin, loop)]

    def _unroll(self, node: ast.For, target: str, items: list[Any] | tuple[Any, ...]) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for item in items:
            with _Binding(self, target, item):
                out += self._block(copy.deepcopy(node.body))
        return out

    def visit_While(self, node: ast.While) -> Any:
        if any(isinstance(n, ast.NamedExpr) for n in ast.walk(node.test)):
            raise self._unsupported("an assignment (:=) in the test of a while loop", node)
        node.test = self.visit(node.test)
        node.body = self._block(node.body)
        return node

    def visit_Match(self, node: ast.Match) -> Any:
        node.subject = self.visit(node.subject)
        for case in node.cases:
            case.pattern = self.visit(case.pattern)
            case.guard = self.visit(case.guard) if case.guard else None
            case.body = self._block(case.body)
        return node

    def visit_MatchValue(self, node: ast.MatchValue) -> Any:
        node.value = self._replace_static(node.value)
        if not isinstance(node.value, ast.Constant):
            raise self._unsupported("a match against something that is no number", node)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        raise self._unsupported("a function inside a function; move it to the top of the file", node)

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        raise self._unsupported("a lambda inside a function; move it to the top of the file", node)

    def visit_Raise(self, node: ast.Raise) -> Any:
        """Compiled code only signals that something was raised; the step is then run again interpreted."""
        signal = ast.Call(ast.Name("RuntimeError", ast.Load()), [ast.Constant("raised by a rule")], [])
        return ast.copy_location(ast.Raise(signal, None), node)

    def visit_Assert(self, node: ast.Assert) -> Any:
        failure = ast.copy_location(ast.Raise(None, None), node)
        return self.visit(ast.copy_location(ast.If(ast.UnaryOp(ast.Not(), node.test), [failure], []), node))

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        if node.value is None:
            return None
        return self.visit(ast.copy_location(ast.Assign([node.target], node.value), node))

    def visit_Assign(self, node: ast.Assign) -> Any:
        if (found := self._static(node.value)).known:
            if isinstance(found.value, type):
                name = ast.unparse(node.value)
                raise self._unsupported(
                    f"{name} is a class; what can be assigned is an object, {name}(...)", node
                )
            if isinstance(found.value, str) and not isinstance(node.targets[0], ast.Name):
                raise self._unsupported(WORDS_ONLY, node)
        node = self.generic_visit(node)  # type: ignore[assignment]
        if isinstance(node.targets[0], ast.Tuple | ast.List) and not isinstance(node.value, ast.Tuple):
            node.value = self._help("unpack", node, node.value)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        if isinstance(node.target, ast.Name | ast.Attribute):
            read = copy.deepcopy(node.target)
            read.ctx = ast.Load()
            whole = ast.Assign([node.target], ast.BinOp(read, node.op, node.value))
            return self.visit(ast.fix_missing_locations(ast.copy_location(whole, node)))
        return self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> Any:
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            raise self._unsupported(WORDS_ONLY, node)
        return self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> Any:
        if isinstance(node.value, ast.Constant):
            return None
        return self.generic_visit(node)

    # expressions

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        test = self._truth(node.test)
        if test.known:
            return self.visit(node.body if test.value else node.orelse)
        return self.generic_visit(node)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> Any:
        if self._hoisted is None:
            raise self._unsupported("an assignment (:=) here", node)
        assign = ast.Assign([ast.Name(node.target.id, ast.Store())], self.visit(node.value))
        self._hoisted.append(ast.fix_missing_locations(ast.copy_location(assign, node)))
        return ast.copy_location(ast.Name(node.target.id, ast.Load()), node)

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        _, *others = node.values
        if any(isinstance(n, ast.NamedExpr) for value in others for n in ast.walk(value)):
            raise self._unsupported("an assignment (:=) that may not happen", node)
        return self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> Any:
        if len(node.ops) == 1:
            truth = self._truth(node)
            if truth.known:
                return ast.copy_location(ast.Constant(truth.value), node)
            operator, right = node.ops[0], node.comparators[0]
            if isinstance(operator, ast.In | ast.NotIn) and (items := self._items(right)) is not None:
                return self._membership(node, items, isinstance(operator, ast.NotIn))
            if isinstance(operator, ast.Is | ast.IsNot) and not _is_none(right):
                return self._identity(node, isinstance(operator, ast.IsNot))
        return self.generic_visit(node)

    def _identity(self, node: ast.Compare, negated: bool) -> Any:
        """`is` between things of which there is only one each, such as actions, enums and colors."""
        sides = (node.left, node.comparators[0])
        found = next((static for side in sides if (static := self._static(side)).known), UNKNOWN)
        single = hasattr(type(found.value), "__single__") or isinstance(
            self.resolver.constant(found.value), ast.Constant
        )
        if found.known and not single:
            raise self._unsupported("`is` asks for one and the same object; write ==", node)
        left, right = (self.visit(side) for side in sides)
        test: ast.expr = self._help("same", node, left, right)
        if found.known:
            test = ast.Compare(left, [ast.Eq()], [right])
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
        tests: list[ast.expr] = [
            ast.Compare(copy.deepcopy(node.left), [ast.Eq()], [copy.deepcopy(item)]) for item in items
        ]
        whole: ast.expr = (
            ast.BoolOp(ast.Or(), tests) if len(tests) > 1 else (tests or [ast.Constant(False)])[0]
        )
        if negated:
            whole = ast.UnaryOp(ast.Not(), whole)
        return self.visit(ast.fix_missing_locations(ast.copy_location(whole, node)))

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        if any(
            isinstance(s.value, str) for s in (self._static(node.left), self._static(node.right)) if s.known
        ):
            raise self._unsupported(WORDS_ONLY, node)
        node = self.generic_visit(node)  # type: ignore[assignment]
        if isinstance(node.op, ast.Pow) and not isinstance(node.right, ast.Constant):
            return self._help("power", node, node.left, node.right)
        return node

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
            if value is print:
                raise self._unsupported("print works interpreted only", node)
            name = getattr(value, "__name__", "")
            if name in REDUCERS and getattr(value, "__module__", "") == "builtins" and node.args:
                if isinstance(node.args[0], ast.GeneratorExp):
                    return self._reduce(node, name, node.args[0])
            elif (replacement := self.resolver.callable(value)) is not None:
                for keyword in node.keywords:
                    keyword.arg = self.resolver.parameter(value, str(keyword.arg))
                if (made := self._made(node, value)) is not None:
                    return self._expression(made, node)
                node.func = self._name(name or "call", self.linker.link(replacement))
                return self._arguments(node)
            elif _is_specialisable(value):
                return self._call_function(node, value)
        node.func = self.visit(node.func)
        return self._arguments(node)

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
        linked = self.linker.link(functools.partial(function, **fixed) if fixed else function, passed)
        node.func = self._name(inner.__name__, linked)
        if fixed:
            node.args = []
            node.keywords = [ast.keyword(name, argument) for name, argument in given if name in passed]
        return self._arguments(node)

    def _static_argument(self, node: ast.expr) -> Static:
        if not isinstance(node, ast.Tuple):
            return self._static(node)
        items = [self._static(item) for item in node.elts]
        return Static(True, tuple(item.value for item in items)) if all(i.known for i in items) else UNKNOWN

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

    def _reduce(self, node: ast.Call, name: str, generator: ast.GeneratorExp) -> ast.expr:
        """`any(f(x) for x in xs)` and its kin become a loop in a small function of its own."""
        if len(generator.generators) == 1:
            loop = generator.generators[0]
            sequence = self._sequence(loop.iter)
            if (
                sequence.known
                and isinstance(sequence.value, list | tuple)
                and isinstance(loop.target, ast.Name)
            ):
                return self._reduce_fixed(node, name, generator.elt, loop, sequence.value)
        targets = {n.id for g in generator.generators for n in ast.walk(g.target) if isinstance(n, ast.Name)}
        used = {n.id for n in ast.walk(generator) if isinstance(n, ast.Name)} - targets
        free = sorted(used & self.local)
        default = node.args[1] if len(node.args) > 1 else None
        function = _loop_function(name, generator, free, has_default=default is not None)
        ast.copy_location(function, node)
        unit = Unit(ast.fix_missing_locations(function), self.unit.scope, self.unit.filename)
        helper = self._name(f"_{name}", self.linker.link_unit(unit, self.bindings))
        arguments: list[ast.expr] = [self.visit(ast.Name(n, ast.Load())) for n in free]
        if default is not None:
            arguments.append(self.visit(default))
        return ast.copy_location(ast.Call(helper, arguments, []), node)

    def _reduce_fixed(
        self, node: ast.Call, name: str, element: ast.expr, loop: ast.comprehension, items: Any
    ) -> ast.expr:
        if loop.ifs or name == "next" or not items:
            raise self._unsupported(
                f"{name} over a fixed sequence with a condition, or over an empty one", node
            )
        parts = []
        assert isinstance(loop.target, ast.Name)
        for item in items:
            with _Binding(self, loop.target.id, item):
                parts.append(self.visit(copy.deepcopy(element)))
        if name in ("any", "all"):
            truths: list[ast.expr] = [ast.Call(ast.Name("bool", ast.Load()), [p], []) for p in parts]
            joined = (
                ast.BoolOp(ast.Or() if name == "any" else ast.And(), truths) if len(truths) > 1 else truths[0]
            )
            return ast.copy_location(joined, node)
        if name == "sum":
            total: ast.expr = ast.Constant(0)
            for part in parts:
                total = ast.BinOp(total, ast.Add(), part)
            return ast.copy_location(total, node)
        if len(parts) == 1:
            return parts[0]
        return ast.copy_location(ast.Call(ast.Name(name, ast.Load()), parts, []), node)

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
        if isinstance(node.ctx, ast.Load) and self._static(node).known:
            return self._replace_static(node)
        node.value = self.visit(node.value)
        return node

    # names known before compiling

    def _static(self, node: ast.expr) -> Static:
        if isinstance(node, ast.Constant):
            return Static(True, node.value)
        if isinstance(node, ast.Name):
            if node.id in self.bindings:
                return Static(True, self.bindings[node.id])
            if node.id in self.local:
                return UNKNOWN
            try:
                return Static(True, self.unit.scope[node.id])
            except KeyError:
                raise self._unsupported(f"the name {node.id!r} is not defined", node) from None
        if isinstance(node, ast.Attribute):
            if (
                isinstance(node.value, ast.Attribute)
                and (fixed := self.resolver.fixed(node.value.attr, node.attr)).known
            ):
                return fixed
            base = self._static(node.value)
            if base.known:
                try:
                    return Static(True, getattr(base.value, node.attr))
                except AttributeError:
                    reason = f"{ast.unparse(node.value)} has no attribute {node.attr!r}"
                    raise self._unsupported(reason, node) from None
        return UNKNOWN

    def _truth(self, node: ast.expr) -> Static:
        """The truth of a test that is settled before compiling, such as `mode == "fast"` with a bound mode."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            inner = self._truth(node.operand)
            return Static(True, not inner.value) if inner.known else UNKNOWN
        if isinstance(node, ast.Name):
            found = self._static(node)
            return (
                Static(True, bool(found.value)) if found.known and isinstance(found.value, bool) else UNKNOWN
            )
        if not (isinstance(node, ast.Compare) and len(node.ops) == 1):
            return UNKNOWN
        if _is_none(node.comparators[0]) and isinstance(node.left, ast.Name) and node.left.id in self.nones:
            is_none = self.nones[node.left.id]
            return Static(True, is_none if isinstance(node.ops[0], ast.Is | ast.Eq) else not is_none)
        left, right = self._static(node.left), self._static(node.comparators[0])
        if not (left.known and right.known):
            return UNKNOWN
        if all(isinstance(side.value, int | float) for side in (left, right)) and type(node.ops[0]) in ORDERS:
            return Static(True, ORDERS[type(node.ops[0])](left.value, right.value))
        match node.ops[0]:
            case ast.Is():
                return Static(True, left.value is right.value)
            case ast.IsNot():
                return Static(True, left.value is not right.value)
            case ast.Eq():
                return Static(True, bool(left.value == right.value))
            case ast.NotEq():
                return Static(True, bool(left.value != right.value))
        return UNKNOWN

    def _replace_static(self, node: ast.expr) -> ast.expr:
        found = self._static(node)
        if not found.known:
            return node
        return self._expression(found.value, node)

    def _expression(self, thing: Any, node: ast.expr) -> ast.expr:
        if (constant := self._try_constant(thing)) is not None:
            return ast.copy_location(constant, node)
        name = node.id if isinstance(node, ast.Name) else getattr(thing, "__name__", "value")
        module = (getattr(thing, "__module__", None) or "").split(".")[0]
        if (getattr(thing, "__module__", None) or "").startswith("numpy.random"):
            raise self._unsupported("numpy's own random numbers would not repeat; take rng", node)
        if module == "random":
            raise self._unsupported("Python's own random numbers would not repeat; take rng", node)
        if module == "numpy" and getattr(thing, "__name__", "") in ARRAY_MAKERS:
            raise self._unsupported(
                "an array cannot be made in compiled code; see `grid.mask()` and `rng.choice`", node
            )
        if thing in (math, np) or module in ("math", "numpy", "numba"):
            return ast.copy_location(self._name(name, thing), node)
        if module == "builtins" and isinstance(thing, type) and issubclass(thing, BaseException):
            return node
        if module == "builtins" and not isinstance(thing, types.ModuleType):
            if name not in ALLOWED_BUILTINS:
                raise self._unsupported(f"{name} cannot be used in compiled code", node)
            return ast.copy_location(ast.Name(name, ast.Load()), node)
        linked = self.linker.link(thing)
        if linked is None:
            raise self._unsupported(f"{ast.unparse(node)} is a {type(thing).__name__}", node)
        return ast.copy_location(self._name(name, linked), node)

    def _try_constant(self, thing: Any) -> ast.expr | None:
        if (constant := self.resolver.constant(thing)) is not None:
            if any(isinstance(n, ast.Name) for n in ast.walk(constant)):
                constant = self._spell(thing, constant)
            return constant
        if isinstance(thing, list | tuple | set | frozenset) and thing:
            ordered = thing if isinstance(thing, list | tuple) else sorted(thing, key=repr)
            parts = [self._try_constant(item) for item in ordered]
            if None not in parts:
                return ast.Tuple([p for p in parts if p is not None], ast.Load())
        if is_value(thing):
            parts = [self._try_constant(getattr(thing, f)) for f in type(thing).__value_fields__]
            if None not in parts:
                self.linker.link(type(thing))
                cls = self._name(type(thing).__name__, type(thing))
                return ast.Call(cls, [p for p in parts if p is not None], [])
        return None

    def _spell(self, thing: Any, constant: ast.expr) -> ast.expr:
        """Link the names that a resolver's expression mentions (value classes, given as attributes of the tree)."""
        for node in ast.walk(constant):
            if isinstance(node, ast.Name) and hasattr(node, "means"):
                node.id = self._name(node.id, self.linker.link(node.means)).id
        return constant

    def _constant(self, thing: Any, node: ast.AST) -> ast.expr:
        constant = self._try_constant(thing)
        if constant is None:
            raise self._unsupported(f"{thing!r} is not a constant", node)
        return constant

    def _name(self, name: str, thing: Any) -> ast.Name:
        """A name for something linked, made distinct where two things want the same one."""
        candidate, count = name, 1
        while candidate in self.local or self.names.get(candidate, thing) is not thing:
            count += 1
            candidate = f"{name}_{count}"
        self.names[candidate] = thing
        return ast.Name(candidate, ast.Load())

    def _unsupported(self, reason: str, node: ast.AST) -> Unsupported:
        return Unsupported(reason, self.unit.filename, getattr(node, "lineno", 0), self.unit.node.name)


class _Binding:
    """For the time of a with-block, a loop variable stands for one fixed thing."""

    def __init__(self, transformer: Transformer, name: str, item: Any) -> None:
        self.transformer, self.name, self.item = transformer, name, item

    def __enter__(self) -> None:
        self.before = self.transformer.bindings.get(self.name, self)
        self.transformer.bindings[self.name] = self.item

    def __exit__(self, *_: object) -> None:
        if self.before is self:
            del self.transformer.bindings[self.name]
        else:
            self.transformer.bindings[self.name] = self.before


def word_number(word: str) -> int:
    """The number that stands for a word in compiled code, where words can only be compared."""
    return zlib.crc32(word.encode())


def unwrap_partial(thing: Any) -> tuple[Any, dict[str, Any]]:
    """A function and the keyword arguments that `functools.partial` objects around it have fixed."""
    bound: dict[str, Any] = {}
    while isinstance(thing, functools.partial):
        if thing.args:
            raise Unsupported("a partial with positional arguments; name them")
        bound = {**thing.keywords, **bound}
        thing = thing.func
    return thing, bound


def _loop_function(
    name: str, generator: ast.GeneratorExp, free: list[str], *, has_default: bool
) -> ast.FunctionDef:
    parameters = [*free, "default"] if has_default else free
    before, inside, after = _loop_parts(name, generator.elt, has_default=has_default)
    body = inside
    for loop in reversed(generator.generators):
        for condition in reversed(loop.ifs):
            body = [ast.If(condition, body, [])]
        body = [ast.For(loop.target, loop.iter, body, [])]
    arguments = ast.arguments([], [ast.arg(p) for p in parameters], None, [], [], None, [])
    return ast.FunctionDef(f"{name}_loop", arguments, copy.deepcopy([*before, *body, *after]), [], None)


def _loop_parts(name: str, element: ast.expr, *, has_default: bool) -> Iterator[list[ast.stmt]]:
    text = {
        "any": ("", "if ELEMENT:\n    return True", "return False"),
        "all": ("", "if not (ELEMENT):\n    return False", "return True"),
        "sum": ("total = 0", "total = total + ELEMENT", "return total"),
        "next": ("", "return ELEMENT", "return default" if has_default else "raise StopIteration"),
        "min": ("found = False\nbest = 0", "item = ELEMENT\nif not found or item < best:\n    best = item\n    found = True",
                "if not found:\n    raise ValueError\nreturn best"),
        "max": ("found = False\nbest = 0", "item = ELEMENT\nif not found or item > best:\n    best = item\n    found = True",
                "if not found:\n    raise ValueError\nreturn best"),
    }[name]  # fmt: skip
    for part in text:
        statements = ast.parse(part).body
        for statement in statements:
            _substitute(statement, element)
        yield statements


def _substitute(tree: ast.AST, element: ast.expr) -> None:
    for node in ast.walk(tree):
        for field, child in ast.iter_fields(node):
            if isinstance(child, ast.Name) and child.id == "ELEMENT":
                setattr(node, field, element)


def _assigned(node: ast.FunctionDef) -> set[str]:
    return {a.arg for a in node.args.args} | _assigned_in_body(node)


def _assigned_in_body(node: ast.FunctionDef) -> set[str]:
    comprehended = {
        id(n) for g in ast.walk(node) if isinstance(g, ast.comprehension) for n in ast.walk(g.target)
    }
    stored = {
        n.id
        for n in ast.walk(node)
        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store) and id(n) not in comprehended
    }
    captured = {n.name for n in ast.walk(node) if isinstance(n, ast.MatchAs) and n.name}
    return stored | captured


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def is_passable(thing: Any) -> bool:
    """Whether compiled code can hand a thing to a function; what it cannot is fixed when that function is compiled."""
    if isinstance(thing, list | tuple | set | frozenset):
        return all(is_passable(item) for item in thing)
    return not isinstance(thing, type | types.FunctionType | types.MethodType | functools.partial)


def _is_specialisable(thing: Any) -> bool:
    function = unwrap_partial(thing)[0] if isinstance(thing, functools.partial) else thing
    if not isinstance(function, types.FunctionType) or hasattr(function, "__compiled__"):
        return False
    return (function.__module__ or "").split(".")[0] not in ("math", "numpy", "numba")


def is_linkable(thing: Any) -> bool:
    """Whether compiled code may refer to a thing by name: functions, partials, value classes."""
    return isinstance(thing, types.FunctionType | types.MethodType | functools.partial) or is_value_class(
        thing
    )
