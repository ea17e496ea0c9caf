"""`any`, `all`, `sum`, `min`, `max` and `next` over generator expressions, as loops."""

from __future__ import annotations

import ast
import sys
from collections import ChainMap
from collections.abc import Callable
from typing import Any, TypeAlias

from gridarium.compiled.data_types.primitives import compiled_as, for_rules
from gridarium.compiled.source_pass.evaluation_order import is_plain, may_swap
from gridarium.compiled.source_pass.resolver import is_passable
from gridarium.compiled.source_pass.source import Unit
from gridarium.compiled.source_pass.static_scope import StaticScope
from gridarium.compiled.source_pass.syntax import assigned_in, copied, is_none, walk

Visit: TypeAlias = Callable[[ast.expr], ast.expr]

MORE: dict[str, tuple[str, ...]] = {
    "any": (), "all": (), "sum": ("start",), "min": ("default", "key"), "max": ("default", "key"), "next": ("default",),
}  # fmt: skip
"""The further arguments of each reduction, and which reductions accept them positionally."""
POSITIONAL = ("sum", "next")


COMPENSATED = sys.version_info >= (3, 12)
COMPENSATED_WHOLE = sys.version_info >= (3, 14)
"""The versions since which Python's `sum` of floats is compensated (Neumaier 1974), and that of whole numbers with a float, too."""


@for_rules
@compiled_as("gridarium.compiled.numba_backend.numeric_semantics:lost_digits")
def lost_digits(total: Any, number: Any, lost: float, begun: bool) -> float:
    """The updated compensation term after adding a float to a sum; compiled only."""
    raise NotImplementedError


@for_rules
@compiled_as("gridarium.compiled.numba_backend.numeric_semantics:with_lost")
def with_lost(total: Any, lost: float) -> Any:
    """The compensated sum of floats; compiled only."""
    raise NotImplementedError


@for_rules
@compiled_as("gridarium.compiled.numba_backend.numeric_semantics:is_float")
def is_float(number: Any) -> bool:
    """Whether a number is a float; compiled only."""
    raise NotImplementedError


SUMMING = {"__lost_digits": lost_digits, "__with_lost": with_lost, "__is_float": is_float}
"""The functions that the code of a sum calls; the prefix `__` is replaced, as in `_loop`."""


def reduced(
    scope: StaticScope, visit: Visit, node: ast.Call, name: str, generator: ast.GeneratorExp
) -> ast.expr:
    """Rewrite `any(f(x) for x in xs)` and the like to a loop in a separate small function.

    Args:
        scope: the scope of the function that contains the call.
        visit: rewrites an expression of that function.
        node: the call.
        name: the name of the reduction.
        generator: its first argument.

    Raises:
        Unsupported: arguments that cannot be compiled.
    """
    more, loop = _more(scope, node, name), generator.generators[0]
    sequence = scope.sequence(loop.iter)
    simple = isinstance(loop.target, ast.Name) and len(generator.generators) == 1
    if simple and scope.is_unrolled(sequence, node):
        return _reduce_fixed(scope, visit, node, name, generator.elt, loop, sequence.value, more)
    key = more.pop("key", None)
    targets = _names_in(*(g.target for g in generator.generators))
    # the first sequence is evaluated outside of the loop: `sum(k for k in range(k))`
    used = _names_in(generator) - targets | _names_in(loop.iter) & _names_in(loop.target)
    later: dict[str, ast.expr] = {}  # Python evaluates the first sequence before the further arguments
    if not (sequence.known or all(scope.static(v).known or may_swap(loop.iter, v) for v in more.values())):
        more, later = {}, more
        if targets & _names_in(*later.values()):
            raise scope.unsupported(
                f"{name} with a variable of its loop beside its items; give it a name first", node
            )
        used |= _names_in(*later.values())
    kept = {name: scope.static(ast.Name(name, ast.Load())) for name in used & scope.local}
    fixed = {name: s.value for name, s in kept.items() if s.known and not is_passable(s.value)}
    free = sorted(kept.keys() - fixed.keys())
    own = _own_prefix(generator, key, *more.values(), *later.values())
    rule = scope.unit.node.name  # by which messages tell the place
    function = _loop_function(rule, name, generator, free, key, frozenset(more), later, own)
    ast.copy_location(function, node)
    variables = assigned_in(function) | {a.arg for a in function.args.args}
    summing = {called.replace("__", own): function for called, function in SUMMING.items()}
    unit = Unit(
        ast.fix_missing_locations(function),
        ChainMap(summing, scope.unit.scope),  # type: ignore[arg-type]
        scope.unit.filename,
        scope.unit.is_library_code,
        frozenset(variables),
        own_names=frozenset(name for name in variables if name.startswith(own)),
    )
    helper = scope.linked_name(f"_{name}", scope.linker.link_unit(unit, scope.bindings | fixed))
    arguments: list[ast.expr] = [visit(ast.copy_location(ast.Name(n, ast.Load()), node)) for n in free]
    arguments += [visit(given) for given in more.values()]
    return ast.copy_location(ast.Call(helper, arguments, []), node)


def _more(scope: StaticScope, node: ast.Call, name: str) -> dict[str, ast.expr]:
    """The further arguments of a reduction: `start` of a sum, `default`, `key`."""
    known = MORE[name]
    given = {
        **dict(zip(known[:1], node.args[1:], strict=False)),
        **{str(k.arg): k.value for k in node.keywords},
    }
    wrong = [str(k.arg) for k in node.keywords if k.arg not in known or name == "next"]
    if wrong or len(node.args) > (2 if name in POSITIONAL else 1):
        raise scope.unsupported(
            f"{name} of a generator expression with {', '.join(wrong) or 'so much'}", node
        )
    if "key" in given:
        if is_none(given["key"]):
            del given["key"]
        elif not isinstance(given["key"], ast.Name | ast.Attribute) or not scope.static(given["key"]).known:
            raise scope.unsupported(f"{name} with a key that is no function at the top of a file", node)
    if "default" in given and is_none(given["default"]) and name != "next":
        raise scope.unsupported(f"{name} with None for a default; take a number", node)
    return given


def _reduce_fixed(
    scope: StaticScope,
    visit: Visit,
    node: ast.Call,
    name: str,
    element: ast.expr,
    loop: ast.comprehension,
    items: Any,
    more: dict[str, ast.expr],
) -> ast.expr:
    if loop.ifs or name == "next" or not items or "key" in more:
        raise scope.unsupported(
            f"{name} over a fixed sequence with a condition or a key, or over an empty one", node
        )
    if not is_plain(more.get("default", ast.Constant(0))):  # which Python evaluates as well
        raise scope.unsupported(f"{name} over a fixed sequence that is not empty needs no default", node)
    parts = []
    assert isinstance(loop.target, ast.Name)
    for item in items:
        with scope.bound(loop.target.id, item):
            parts.append(visit(copied(element)))
    if name in ("any", "all"):
        truths: list[ast.expr] = [ast.Call(scope.linked_name("bool", bool), [p], []) for p in parts]
        joined = (
            ast.BoolOp(ast.Or() if name == "any" else ast.And(), truths) if len(truths) > 1 else truths[0]
        )
        return ast.copy_location(joined, node)
    if name == "sum":
        start = visit(more.get("start", ast.Constant(0)))
        return scope.helper_call("sum_of", node, start, ast.Tuple(parts, ast.Load()))
    return scope.joined(node, min if name == "min" else max, parts)


def _loop_function(
    rule: str,
    name: str,
    generator: ast.GeneratorExp,
    free: list[str],
    key: ast.expr | None,
    more: frozenset[str],
    later: dict[str, ast.expr],
    own: str,
) -> ast.FunctionDef:
    """The loop as a function of the names it uses and of the further arguments `start` or `default`.

    Those in `later` it evaluates itself, after the first sequence.
    """
    parts = {"ELEMENT": generator.elt, "KEY": key}
    before, inside, after = (
        [_filled(s, parts) for s in _placed(ast.parse(text.replace("__", own)), generator).body]
        for text in _loop(name, key, more | later.keys())
    )
    body, first = inside, generator.generators[0]
    if later:
        values = {"items": first.iter, **later}
        before = [*(ast.Assign([ast.Name(f"{own}{n}", ast.Store())], v) for n, v in values.items()), *before]
        first.iter = ast.Name(f"{own}items", ast.Load())
    for loop in reversed(generator.generators):
        for condition in reversed(loop.ifs):
            body = [ast.If(condition, body, [])]
        body = [ast.For(loop.target, loop.iter, body, [])]
    arguments = ast.arguments(
        [], [ast.arg(p) for p in (*free, *(f"{own}{name}" for name in sorted(more)))], None, [], [], None, []
    )
    return ast.FunctionDef(rule, arguments, copied([*before, *body, *after]), [], None)


def _names_in(*nodes: ast.AST | None) -> set[str]:
    return {n.id for node in nodes if node is not None for n in walk(node) if isinstance(n, ast.Name)}


def _own_prefix(*nodes: ast.AST | None) -> str:
    """A prefix of underscores that no name in an expression has."""
    names, own = _names_in(*nodes), "__"
    while any(name.startswith(own) for name in names):
        own += "_"
    return own


def _loop(name: str, key: ast.expr | None, more: frozenset[str]) -> tuple[str, str, str]:
    """The code before the items, for each item, and after them; the prefix `__` is replaced."""
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
            f"__total = {start}\n__lost = 0.0\n__begun = __is_float({start})",
            "__item = ELEMENT\n__lost = __lost_digits(__total, __item, __lost, __begun)\n"
            "__total = __total + __item\n__begun = True",
            "return __with_lost(__total, __lost)",
        )
    return {
        "any": ("", "if ELEMENT:\n    return True", "return False"),
        "all": ("", "if not (ELEMENT):\n    return False", "return True"),
        "sum": (f"__total = {'__start' if more else 0}", "__total = __total + ELEMENT", "return __total"),
        "next": ("", "return ELEMENT", "return __default" if more else "raise StopIteration"),
    }[name]


def _placed(template: ast.Module, place: ast.expr) -> ast.Module:
    """A template whose parts stand where an expression does, which messages name."""
    for node in walk(template):
        ast.copy_location(node, place)
    return template


def _filled(statement: ast.stmt, parts: dict[str, ast.expr | None]) -> ast.stmt:
    """Parse a template and replace the words in capitals."""
    for node in walk(statement):
        for field, child in ast.iter_fields(node):
            if isinstance(child, ast.Name) and parts.get(child.id) is not None:
                setattr(node, field, parts[child.id])
    return statement
