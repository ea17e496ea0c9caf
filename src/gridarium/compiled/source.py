"""From a Python function to its syntax tree and back, keeping file names and line numbers."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import CodeType
from typing import Any


class Unsupported(Exception):
    """Something in a rule that cannot be compiled: a reason, a file and a line.

    Attributes:
        reason: what cannot be compiled, in words.
        filename: the file that the rule was written in.
        line: the line, counted from 1.
        function: the name of the rule or helper.
    """

    def __init__(self, reason: str, filename: str = "?", line: int = 0, function: str = "?") -> None:
        super().__init__(f"{function} ({filename}, line {line}): {reason}")
        self.reason, self.filename, self.line, self.function = reason, filename, line, function


@dataclass(frozen=True)
class Unit:
    """One function as a syntax tree together with the names that it sees.

    Attributes:
        node: the function's tree, without decorators and annotations.
        scope: the values of its global and closure names, looked up when needed.
        filename: where it was written.
    """

    node: ast.FunctionDef
    scope: Mapping[str, Any]
    filename: str


def read_unit(function: Callable[..., Any]) -> Unit:
    """The syntax tree of a function or lambda, with line numbers as in its file.

    Raises:
        Unsupported: the source cannot be read (made by `exec`, or typed at a bare prompt), or it is no function.
    """
    code = function.__code__
    name = function.__name__
    try:
        lines, start = inspect.getsourcelines(function)
    except (OSError, TypeError) as error:
        raise Unsupported("its source cannot be read", code.co_filename, code.co_firstlineno, name) from error
    node = _find(lines, start, code)
    if node is None:
        raise Unsupported("its source cannot be told apart", code.co_filename, code.co_firstlineno, name)
    return Unit(_plain(node, name), Scope(function), code.co_filename)


class Scope(Mapping[str, Any]):
    """What a function's free names mean: its closure first, then its module, then builtins."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._closure = inspect.getclosurevars(function).nonlocals if function.__closure__ else {}
        self._globals = function.__globals__
        builtins = self._globals.get("__builtins__", {})
        self._builtins = builtins if isinstance(builtins, dict) else vars(builtins)

    def __getitem__(self, name: str) -> Any:
        for names in (self._closure, self._globals, self._builtins):
            if name in names:
                return names[name]
        raise KeyError(name)

    def __iter__(self) -> Any:
        return iter({*self._closure, *self._globals, *self._builtins})

    def __len__(self) -> int:
        return len({*self._closure, *self._globals, *self._builtins})


def define(unit: Unit, node: ast.FunctionDef, names: dict[str, Any]) -> Callable[..., Any]:
    """Compile a tree back into a function whose globals are `names`."""
    while node.name in names:
        node.name = f"_{node.name}"
    module = ast.Module([node], [])
    ast.fix_missing_locations(module)
    scope = {"__name__": __name__, **names}
    exec(compile(module, unit.filename, "exec"), scope)
    function: Callable[..., Any] = scope[node.name]
    return function


def _find(lines: list[str], start: int, code: CodeType) -> ast.FunctionDef | ast.Lambda | None:
    text = textwrap.dedent("".join(lines))
    try:
        tree = ast.parse(text)
    except SyntaxError:  # a lambda in the middle of a statement: read the expression alone
        found_lambda = _parse_lambda(text)
        if found_lambda is None:
            return None
        tree = found_lambda
    ast.increment_lineno(tree, start - 1)
    wanted = ast.Lambda if code.co_name == "<lambda>" else ast.FunctionDef
    found = [n for n in ast.walk(tree) if isinstance(n, wanted) and _matches(n, code)]
    return found[0] if len(found) == 1 else None


def _matches(node: ast.FunctionDef | ast.Lambda, code: CodeType) -> bool:
    arguments = node.args
    names = [a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
    count = code.co_argcount + code.co_kwonlyargcount
    if names != list(code.co_varnames[:count]):
        return False
    if isinstance(node, ast.FunctionDef):
        return node.name == code.co_name
    compiled = next(c for c in compile(ast.Expression(node), "", "eval").co_consts if isinstance(c, CodeType))
    return compiled.co_code == code.co_code and _plain_constants(compiled) == _plain_constants(code)


def _plain_constants(code: CodeType) -> list[Any]:
    return [c for c in code.co_consts if not isinstance(c, CodeType)]


def _parse_lambda(text: str) -> ast.Module | None:
    start = text.find("lambda")
    for end in range(len(text), start, -1):
        try:
            return ast.parse(text[start:end].strip())
        except SyntaxError:
            continue
    return None


def _plain(node: ast.FunctionDef | ast.Lambda, name: str) -> ast.FunctionDef:
    """Without decorators, annotations and docstring; keyword-only parameters made ordinary ones."""
    arguments = node.args
    if arguments.vararg or arguments.kwarg:
        raise Unsupported("it takes *args or **kwargs", line=node.lineno, function=name)
    if isinstance(node, ast.Lambda):
        body: list[ast.stmt] = [ast.copy_location(ast.Return(node.body), node.body)]
        name = "anonymous"
    else:
        body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    plain = ast.arguments(
        posonlyargs=[],
        args=[ast.arg(a.arg) for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)],
        kwonlyargs=[],
        kw_defaults=[],
        defaults=[],
    )
    function = ast.FunctionDef(name, plain, body or [ast.Pass()], [], None)
    return ast.fix_missing_locations(ast.copy_location(function, node))
