"""`any`, `all`, `sum`, `min`, `max` and `next` over generator expressions, as loops."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from typing import Any

from gridarium.compiled.source import Unit
from gridarium.compiled.words import Words

REDUCERS = ("any", "all", "sum", "min", "max", "next")


class Reductions(Words):
    """The part of the source pass that turns reductions into loops."""

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
            with self._bound(loop.target.id, item):
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
