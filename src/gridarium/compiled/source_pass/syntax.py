"""The syntax supported by the source pass, and helpers for syntax trees."""

from __future__ import annotations

import ast
import re
from typing import TypeVar

T = TypeVar("T")
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
"""The supported syntax, with the fields that are handled; nodes with content in other fields are rejected."""
LEAVES = (int, str, type(None), ast.Load, ast.Store)
"""What most attributes of nodes are that hold no other nodes."""
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


def copied(tree: T) -> T:
    """A copy of a syntax tree, or of a list of them; much faster than `copy.deepcopy`.

    Objects in attributes that the source pass has added are shared.
    """
    if isinstance(tree, list):
        return [copied(part) for part in tree]  # type: ignore[return-value]
    if not isinstance(tree, ast.AST) or isinstance(tree, KNOWN):
        return tree
    fresh = type(tree).__new__(type(tree))
    parts = vars(fresh)
    for name, part in vars(tree).items():
        parts[name] = part if type(part) in LEAVES else copied(part)
    return fresh


def in_words(node: ast.AST) -> str:
    """The name of a syntax node in messages: `TryStar` as "try star"."""
    return re.sub(r"(?<!^)(?=[A-Z])", " ", type(node).__name__).lower()


class _Parts(dict[type[ast.AST], tuple[str, ...]]):
    """The fields of each kind of nodes, without those that never hold other nodes."""

    PLAIN = ("ctx", "op", "ops", "id", "attr", "name", "kind", "type_comment", "simple")

    def __missing__(self, kind: type[ast.AST]) -> tuple[str, ...]:
        fields = () if issubclass(kind, ast.Constant) else kind._fields
        self[kind] = tuple(name for name in fields if name not in self.PLAIN)
        return self[kind]


_PARTS = _Parts()


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes directly below one, without those that only name an operator or context; faster than `ast`'s."""
    found: list[ast.AST] = []
    for name in _PARTS[type(node)]:
        part = getattr(node, name, None)
        if type(part) is list:
            found += [item for item in part if isinstance(item, ast.AST)]
        elif isinstance(part, ast.AST):
            found.append(part)
    return found


def walk(node: ast.AST) -> list[ast.AST]:
    """A node and all below it, see `children`."""
    found = [node]
    for one in found:
        found += children(one)
    return found


def assigned_in(*nodes: ast.AST) -> set[str]:
    """The names that are assigned in functions or statements, except in generator expressions."""
    names: set[str] = set()
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.AnnAssign) and node.value is None:
            continue  # it only declares a type
        if isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Store):
                names.add(node.id)
        elif isinstance(node, ast.MatchAs) and node.name:
            names.add(node.name)
        waiting += children(node)
        if isinstance(node, ast.comprehension):
            waiting.remove(node.target)
    return names


def is_none(node: ast.expr) -> bool:
    """Whether an expression is the literal None."""
    return isinstance(node, ast.Constant) and node.value is None


def has_call(node: ast.expr) -> bool:
    """Whether an expression contains a call."""
    return any(isinstance(n, ast.Call) for n in walk(node))
