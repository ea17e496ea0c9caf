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
import re
from typing import Any

from gridarium.compiled.expressions import Expressions
from gridarium.compiled.known import assigned_in, has_call
from gridarium.compiled.order import CONDITIONAL, problem_with_assignments
from gridarium.compiled.refusals import blocks_in, may_go_on, names_bound_in, stand_in
from gridarium.compiled.source import Unsupported
from gridarium.compiled.unset import unset_readings

FIELDS: dict[type[ast.AST], str] = {
    ast.Return: "value", ast.Assign: "targets value", ast.AugAssign: "target op value",
    ast.AnnAssign: "target annotation value simple", ast.For: "target iter body orelse",
    ast.While: "test body orelse", ast.If: "test body orelse", ast.Match: "subject cases", ast.Raise: "exc cause",
    ast.Assert: "test msg", ast.Expr: "value", ast.Pass: "", ast.Break: "", ast.Continue: "",
    ast.BoolOp: "op values", ast.NamedExpr: "target value", ast.BinOp: "left op right", ast.UnaryOp: "op operand",
    ast.IfExp: "test body orelse", ast.Compare: "left ops comparators", ast.Call: "func args keywords",
    ast.keyword: "arg value", ast.Constant: "value kind", ast.Attribute: "value attr ctx",
    ast.Subscript: "value slice ctx", ast.Name: "id ctx", ast.Tuple: "elts ctx", ast.List: "elts ctx",
    ast.Set: "elts", ast.Slice: "lower upper step", ast.GeneratorExp: "elt generators", ast.Yield: "value",
    ast.MatchValue: "value", ast.MatchSingleton: "value", ast.MatchOr: "patterns", ast.MatchAs: "pattern name",
    ast.Lambda: "args body", ast.FunctionDef: "name args body decorator_list returns type_params",
}  # fmt: skip
"""The syntax that is known, each with the fields that are looked at; what has anything in another field is refused."""
KNOWN = (ast.expr_context, ast.boolop, ast.operator, ast.unaryop, ast.cmpop)
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


class Transformer(Expressions):
    """Rewrites one function: its statements, and through its bases the expressions in them."""

    def run(self) -> ast.FunctionDef:
        """The rewritten function, bound parameters removed."""
        node = copy.deepcopy(self.unit.node)
        node.args.args = [a for a in node.args.args if a.arg not in self.bindings]
        reassigned = assigned_in(node) & self.bindings.keys()
        preamble = [
            ast.Assign([ast.Name(name, ast.Store())], self._constant(self.bindings.pop(name), node))
            for name in sorted(reassigned)
        ]
        self.local |= reassigned
        node.body = [*preamble, *self._block(node.body)]
        for unset in unset_readings(node, (*self.names, *self.unit.own_names)):
            self._refuse(self._unsupported(f"{unset.id} may not be set here; give it a value first", unset))
        return ast.fix_missing_locations(node)

    # statements

    def _block(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for statement in statements:
            outer, self._hoisted = self._hoisted, []
            try:
                if (problem := problem_with_assignments(statement)) is not None:
                    raise self._unsupported(*problem)
                new = self.visit(statement)
            except Unsupported as error:
                self._refuse(error)
                new = self._beyond(statement)
            hoisted, self._hoisted = self._hoisted, outer
            out += hoisted
            if isinstance(new, list):
                out += new
            elif new is not None:
                out.append(new)
            if out and isinstance(out[-1], ast.Return | ast.Raise):
                break  # what follows is never reached, and may make no sense for what is known here
        return out or [ast.Pass()]

    def _refuse(self, error: Unsupported) -> None:
        """Note what is refused, where all refusals are gathered; otherwise the first of them is the end."""
        if self.linker.refusals is None or not may_go_on(self.unit):
            raise error
        self.linker.refusals.note(error)

    def _beyond(self, statement: ast.stmt) -> ast.stmt:
        """Look for more to refuse within a statement that is refused itself; gives what stands in its place."""
        self.local |= names_bound_in(statement)
        for block in blocks_in(statement):
            self._block(block)
        return stand_in(statement)

    def visit(self, node: ast.AST) -> Any:
        if (reason := REFUSED.get(type(node))) is not None:
            raise self._unsupported(reason, node)
        if not isinstance(node, KNOWN):
            self._refuse_unknown(node)
        try:
            return super().visit(node)
        except ValueError as error:  # the resolver's: a kind or color that the world does not know
            raise self._unsupported(str(error), node) from None

    def _refuse_unknown(self, node: ast.AST) -> None:
        """Refuse syntax that is not known to mean the same in compiled code."""
        known = FIELDS.get(type(node))
        if known is None:
            raise self._unsupported(f"{_in_words(node)} cannot be compiled", node)
        for name, content in ast.iter_fields(node):
            if content and name != "type_comment" and name not in known.split():
                raise self._unsupported(f"{_in_words(node)} with {name} cannot be compiled", node)

    def visit_If(self, node: ast.If) -> Any:
        test = self._truth(node.test)
        if test.known:
            return (
                self._block(node.body if test.value else node.orelse) if (node.body or node.orelse) else None
            )
        self._refuse_words(node.test)
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
        if len(numbers) > 2 or any(keyword.arg != "start" for keyword in call.keywords):
            raise self._unsupported("enumerate takes what to loop over, and start", node)
        if not isinstance(self._static(numbers[0]).value, int | None) or has_call(numbers[0]):
            raise self._unsupported("enumerate from what is not a whole number or a variable", node)
        if assigned_in(pair.elts[0]) & assigned_in(pair.elts[1]):
            raise self._unsupported("a loop that assigns one variable twice", node)
        counter = self._new_local("_count")
        following = ast.BinOp(ast.Name(counter, ast.Load()), ast.Add(), ast.Constant(1))
        first = ast.BinOp(numbers[0], ast.BitOr(), ast.Constant(0))  # which floats have not
        begin = ast.Assign([ast.Name(counter, ast.Store())], first)
        count = ast.Assign([pair.elts[0]], ast.Name(counter, ast.Load()))
        step = ast.Assign([ast.Name(counter, ast.Store())], following)
        loop = ast.For(pair.elts[1], call.args[0], [count, step, *node.body], node.orelse)
        return [ast.fix_missing_locations(ast.copy_location(new, node)) for new in (begin, loop)]

    def _unroll(self, node: ast.For, target: str, items: list[Any] | tuple[Any, ...]) -> list[ast.stmt]:
        """The body once for each item, which stands in the place of the loop's variable.

        Where the body assigns that variable, or something reads it after the loop, it is a variable like any other.
        """
        if target in assigned_in(*node.body):
            return self._assigned_each(node, items)
        out: list[ast.stmt] = []
        for item in items:
            with self._bound(target, item):
                out += self._block(copy.deepcopy(node.body))
        if items and self._is_read_outside_of_its_loops(target):
            out.append(self._assignment(node, items[-1]))
        return out

    def _assigned_each(self, node: ast.For, items: list[Any] | tuple[Any, ...]) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for item in items:
            out += [self._assignment(node, item), *self._block(copy.deepcopy(node.body))]
        return out

    def _assignment(self, loop: ast.For, item: Any) -> ast.stmt:
        name = copy.deepcopy(loop.target)
        assignment = ast.Assign([name], self._constant(item, loop))
        return ast.fix_missing_locations(ast.copy_location(assignment, loop))

    def _is_read_outside_of_its_loops(self, name: str) -> bool:
        """Whether a loop's variable is read where it still has the value that a loop has left."""
        waiting: list[ast.AST] = [*self.unit.node.body]
        while waiting:
            node = waiting.pop()
            if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
                return True
            if isinstance(node, ast.For) and name in assigned_in(node.target):
                waiting += [node.iter, *node.orelse]
            elif isinstance(node, ast.GeneratorExp) and any(
                name in assigned_in(g.target) for g in node.generators
            ):
                waiting.append(node.generators[0].iter)
            else:
                waiting += ast.iter_child_nodes(node)
        return False

    def visit_While(self, node: ast.While) -> Any:
        if any(isinstance(n, ast.NamedExpr) for n in ast.walk(node.test)):
            raise self._unsupported("an assignment (:=) in the test of a while loop", node)
        self._refuse_words(node.test)
        node.test = self.visit(node.test)
        node.body = self._block(node.body)
        node.orelse = self._block(node.orelse) if node.orelse else []
        return node

    def visit_Match(self, node: ast.Match) -> Any:
        node.subject = self.visit(node.subject)
        for case in node.cases:
            if case.guard and any(isinstance(n, ast.NamedExpr) for n in ast.walk(case.guard)):
                raise self._unsupported(CONDITIONAL, case.guard)
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
        if (found := self._static(node.value)).known and isinstance(found.value, type):
            name = ast.unparse(node.value)
            raise self._unsupported(
                f"{name} is a class; what can be assigned is an object, {name}(...)", node
            )
        if (parts := self._one_by_one(node)) is not None:
            return self._block(parts)
        if not isinstance(node.targets[0], ast.Name):
            self._refuse_text(node.value)
        node = self.generic_visit(node)  # type: ignore[assignment]
        if isinstance(node.targets[0], ast.Tuple | ast.List) and not isinstance(node.value, ast.Tuple):
            node.value = self._help("unpack", node, node.value)
        target = node.targets[0]
        if isinstance(target, ast.Attribute) and self.resolver.is_whole_field(target.attr):
            node.value = self._help("whole", node, node.value)
        return node

    def _one_by_one(self, node: ast.Assign) -> list[ast.stmt] | None:
        """`a.x, b.y = p, q` and `a.x = b.y = p`: what is assigned first, then each in turn; None for single variables."""
        (first, *others) = node.targets
        if others:
            names: list[ast.expr] = [ast.Name(self._new_local("_given"), ast.Store())]
            whole, targets = names[0], node.targets
        elif isinstance(first, ast.Tuple | ast.List) and not all(isinstance(t, ast.Name) for t in first.elts):
            names = [ast.Name(self._new_local("_given"), ast.Store()) for _ in first.elts]
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
        if not isinstance(node.target, ast.Name | ast.Attribute):
            return self.generic_visit(node)
        begin: list[ast.stmt] = []
        if isinstance(node.target, ast.Attribute) and not isinstance(node.target.value, ast.Name):
            owner = self._new_local("_owner")  # asked for once, not once to read, once to write
            begin = [ast.Assign([ast.Name(owner, ast.Store())], node.target.value)]
            node.target = ast.Attribute(ast.Name(owner, ast.Load()), node.target.attr, ast.Store())
        read = copy.deepcopy(node.target)
        read.ctx = ast.Load()
        whole = ast.Assign([node.target], ast.BinOp(read, node.op, node.value))
        return self._block([ast.fix_missing_locations(ast.copy_location(s, node)) for s in (*begin, whole)])

    def visit_Return(self, node: ast.Return) -> Any:
        if node.value is not None:
            self._refuse_text(node.value)
        return self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> Any:
        if isinstance(node.value, ast.Constant):
            return None
        return self.generic_visit(node)


def _in_words(node: ast.AST) -> str:
    """What a piece of syntax is called: `TryStar` as "try star"."""
    return re.sub(r"(?<!^)(?=[A-Z])", " ", type(node).__name__).lower()
