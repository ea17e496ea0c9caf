"""`any`, `all`, `sum`, `min`, `max` and `next` over generator expressions, as loops."""

from __future__ import annotations

import ast
import copy
import sys
from collections import ChainMap
from typing import Any

from gridarium.compiled.known import assigned_in, has_call, is_none
from gridarium.compiled.primitives import compiled_as
from gridarium.compiled.source import Unit
from gridarium.compiled.words import Words

MORE: dict[str, tuple[str, ...]] = {
    "any": (), "all": (), "sum": ("start",), "min": ("default", "key"), "max": ("default", "key"), "next": ("default",),
}  # fmt: skip
"""What each reduction takes beside the items, and which of them take it without its name."""
POSITIONAL = ("sum", "next")


COMPENSATED = sys.version_info >= (3, 12)
"""Since then Python's `sum` makes up for what is lost in adding floats (Neumaier 1974)."""


@compiled_as("gridarium.compiled.numbers:lost_digits")
def lost_digits(total: Any, number: Any, lost: float, begun: bool) -> float:
    """Compiled only: what adding a float to a sum has lost, with what was lost before."""
    raise NotImplementedError


@compiled_as("gridarium.compiled.numbers:with_lost")
def with_lost(total: Any, lost: float) -> Any:
    """Compiled only: a sum of floats with what was lost in adding them."""
    raise NotImplementedError


@compiled_as("gridarium.compiled.numbers:is_float")
def is_float(number: Any) -> bool:
    """Compiled only: whether a number is a float."""
    raise NotImplementedError


SUMMING = {"lost_digits": lost_digits, "with_lost": with_lost, "is_float": is_float}


class Reductions(Words):
    """The part of the source pass that turns reductions into loops."""

    def _reduce(self, node: ast.Call, name: str, generator: ast.GeneratorExp) -> ast.expr:
        """`any(f(x) for x in xs)` and its kin become a loop in a small function of its own."""
        more = self._more(node, name)
        if len(generator.generators) == 1:
            loop = generator.generators[0]
            sequence = self._sequence(loop.iter)
            if (
                sequence.known
                and isinstance(sequence.value, list | tuple)
                and isinstance(loop.target, ast.Name)
            ):
                return self._reduce_fixed(node, name, generator.elt, loop, sequence.value, more)
        if any(map(has_call, more.values())) and has_call(generator.generators[0].iter):
            raise self._unsupported(
                f"{name} with a call beside its items; give its result a name first", node
            )
        key = more.pop("key", None)
        targets = {n.id for g in generator.generators for n in ast.walk(g.target) if isinstance(n, ast.Name)}
        used = {n.id for n in ast.walk(generator) if isinstance(n, ast.Name)} - targets
        free = sorted(used & self.local)
        own = _own_prefix(generator, key)
        function = _loop_function(name, generator, free, key, frozenset(more), own)
        ast.copy_location(function, node)
        scope = ChainMap(SUMMING, self.unit.scope) if name == "sum" else self.unit.scope  # type: ignore[arg-type]
        unit = Unit(
            ast.fix_missing_locations(function),
            scope,
            self.unit.filename,
            self.unit.is_own,
            _beginning_with(own, function),
        )
        helper = self._name(f"_{name}", self.linker.link_unit(unit, self.bindings))
        arguments: list[ast.expr] = [self.visit(ast.Name(n, ast.Load())) for n in free]
        arguments += [self.visit(given) for given in more.values()]
        return ast.copy_location(ast.Call(helper, arguments, []), node)

    def _more(self, node: ast.Call, name: str) -> dict[str, ast.expr]:
        """What a reduction is given beside the items: `start` of a sum, `default`, `key`."""
        known = MORE[name]
        given = {
            **dict(zip(known[:1], node.args[1:], strict=False)),
            **{str(k.arg): k.value for k in node.keywords},
        }
        wrong = [str(k.arg) for k in node.keywords if k.arg not in known or name == "next"]
        if wrong or len(node.args) > (2 if name in POSITIONAL else 1):
            raise self._unsupported(
                f"{name} of a generator expression with {', '.join(wrong) or 'so much'}", node
            )
        if "key" in given:
            if is_none(given["key"]):
                del given["key"]
            elif (
                not isinstance(given["key"], ast.Name | ast.Attribute) or not self._static(given["key"]).known
            ):
                raise self._unsupported(f"{name} with a key that is no function at the top of a file", node)
        if "default" in given and is_none(given["default"]) and name != "next":
            raise self._unsupported(f"{name} with None for a default; take a number", node)
        return given

    def _reduce_fixed(
        self,
        node: ast.Call,
        name: str,
        element: ast.expr,
        loop: ast.comprehension,
        items: Any,
        more: dict[str, ast.expr],
    ) -> ast.expr:
        if loop.ifs or name == "next" or not items or "key" in more:
            raise self._unsupported(
                f"{name} over a fixed sequence with a condition or a key, or over an empty one", node
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
            start = self.visit(more.get("start", ast.Constant(0)))
            return self._help("sum_of", node, start, ast.Tuple(parts, ast.Load()))
        return self._joined(node, min if name == "min" else max, parts)


def _loop_function(
    name: str,
    generator: ast.GeneratorExp,
    free: list[str],
    key: ast.expr | None,
    more: frozenset[str],
    own: str,
) -> ast.FunctionDef:
    """The loop as a function of what it uses and of what else is given: `start` or `default`."""
    parts = {"ELEMENT": generator.elt, "KEY": key}
    before, inside, after = (
        [_filled(s, parts) for s in ast.parse(text.replace("__", own)).body]
        for text in _loop(name, key, more)
    )
    body = inside
    for loop in reversed(generator.generators):
        for condition in reversed(loop.ifs):
            body = [ast.If(condition, body, [])]
        body = [ast.For(loop.target, loop.iter, body, [])]
    arguments = ast.arguments(
        [], [ast.arg(p) for p in (*free, *(f"{own}{name}" for name in sorted(more)))], None, [], [], None, []
    )
    return ast.FunctionDef(f"{name}_loop", arguments, copy.deepcopy([*before, *body, *after]), [], None)


def _beginning_with(own: str, function: ast.FunctionDef) -> frozenset[str]:
    return frozenset(name for name in assigned_in(function) if name.startswith(own))


def _own_prefix(*nodes: ast.AST | None) -> str:
    """Underscores with which no name in an expression begins."""
    names = {n.id for node in nodes if node is not None for n in ast.walk(node) if isinstance(n, ast.Name)}
    own = "__"
    while any(name.startswith(own) for name in names):
        own += "_"
    return own


def _loop(name: str, key: ast.expr | None, more: frozenset[str]) -> tuple[str, str, str]:
    """What is done before the items, with each, and after them; other underscores take the place of the two."""
    if name in ("min", "max"):
        rank, order = ("__item" if key is None else "KEY(__item)"), ("<" if name == "min" else ">")
        nothing = "return __default" if "default" in more else "raise ValueError"
        keep = "    __best = __item\n    __best_rank = __rank\n"
        return (
            "__found = False",
            f"__item = ELEMENT\n__rank = {rank}\nif not __found:\n{keep}    __found = True\n"
            f"elif __rank {order} __best_rank:\n{keep}",
            f"if not __found:\n    {nothing}\nreturn __best",
        )
    if name == "sum" and COMPENSATED:
        start = "__start" if more else "0"
        return (
            f"__total = {start}\n__lost = 0.0\n__begun = is_float({start})",
            "__item = ELEMENT\n__lost = lost_digits(__total, __item, __lost, __begun)\n"
            "__total = __total + __item\n__begun = True",
            "return with_lost(__total, __lost)",
        )
    return {
        "any": ("", "if ELEMENT:\n    return True", "return False"),
        "all": ("", "if not (ELEMENT):\n    return False", "return True"),
        "sum": (f"__total = {'__start' if more else 0}", "__total = __total + ELEMENT", "return __total"),
        "next": ("", "return ELEMENT", "return __default" if more else "raise StopIteration"),
    }[name]


def _filled(statement: ast.stmt, parts: dict[str, ast.expr | None]) -> ast.stmt:
    """A statement with what stands in the place of the words in capitals."""
    for node in ast.walk(statement):
        for field, child in ast.iter_fields(node):
            if isinstance(child, ast.Name) and parts.get(child.id) is not None:
                setattr(node, field, parts[child.id])
    return statement
