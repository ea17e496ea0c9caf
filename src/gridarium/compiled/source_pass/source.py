"""Converts Python functions to syntax trees and back, keeping file names and line numbers."""

from __future__ import annotations

import ast
import dis
import functools
import inspect
import linecache
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import CodeType
from typing import Any

from gridarium.compiled.source_pass.syntax import walk

LIBRARY = Path(str(sys.modules[__name__.partition(".")[0]].__file__)).parent
"""The folder of this library."""


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
        filename: its source file.
        is_library_code: whether the library itself defines it, and thus avoids numbers that machines treat differently from
            Python.
        own_names: variables added by the source pass, which are set before they are read.
    """

    node: ast.FunctionDef
    scope: Mapping[str, Any]
    filename: str
    is_library_code: bool
    own_names: frozenset[str] = frozenset()


def read_unit(function: Callable[..., Any]) -> Unit:
    """Return the syntax tree of a function or lambda, with line numbers as in its file.

    Raises:
        Unsupported: the source cannot be read (made by `exec`, or typed at a bare prompt), has changed since it was
            imported, or holds several lambdas that cannot be distinguished.
    """
    code, name = function.__code__, function.__name__
    try:
        text = _text_of_file(function)
        found = [node for node in _functions(text) if _stands_there(node, code)]
        if len(found) > 1:
            found = [node for node in found if _span(node) == _span_of_code(code)]
    except OSError as error:
        raise Unsupported("its source cannot be read", code.co_filename, code.co_firstlineno, name) from error
    except SyntaxError:
        found = []
    if len(found) > 1:
        reason = "its source cannot be told apart from another's in the same line"
        raise Unsupported(reason, code.co_filename, code.co_firstlineno, name)
    if not found or not (is_ours(function) or _is_made_from(text, code)):
        raise Unsupported(CHANGED, code.co_filename, code.co_firstlineno, name)
    own = function.__globals__.get("__name__", "").partition(".")[0] == __name__.partition(".")[0]
    own = own or hasattr(function, "__trusted__")
    return Unit(_plain(found[0], name, code.co_filename), Scope(function), code.co_filename, own)


def _text_of_file(function: Callable[..., Any]) -> str:
    """The file that a function was defined in, as it is now; `inspect` would look through all modules for it.

    Raises:
        OSError: it cannot be read.
    """
    filename = function.__code__.co_filename
    linecache.checkcache(filename)
    lines = linecache.getlines(filename, function.__globals__)
    if not lines:
        raise OSError("source code not available")
    return "".join(lines)


CHANGED = "its source has changed since it was imported; start a new process"


class Scope(Mapping[str, Any]):
    """The values of a function's free names: its closure first, then its module, then builtins."""

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


@functools.lru_cache(256)
def _functions(text: str) -> list[ast.FunctionDef | ast.Lambda]:
    return [node for node in walk(ast.parse(text)) if isinstance(node, ast.FunctionDef | ast.Lambda)]


def _stands_there(node: ast.FunctionDef | ast.Lambda, code: CodeType) -> bool:
    """Whether a tree is at the location where a function was defined."""
    if isinstance(node, ast.FunctionDef):
        first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
        return node.name == code.co_name and first == code.co_firstlineno
    names = [a.arg for a in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
    known = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    return (code.co_name, code.co_firstlineno, list(known)) == ("<lambda>", node.lineno, names)


Place = tuple[int, int]


def _span(node: ast.FunctionDef | ast.Lambda) -> tuple[Place, Place] | None:
    """The line and column at which the body of a lambda begins and ends."""
    if isinstance(node, ast.FunctionDef) or node.body.end_lineno is None or node.body.end_col_offset is None:
        return None
    return (node.body.lineno, node.body.col_offset), (node.body.end_lineno, node.body.end_col_offset)


def _span_of_code(code: CodeType) -> tuple[Place, Place] | None:
    steps = [
        (line, end, a, b) for line, end, a, b in code.co_positions() if line and end and a is not None and b
    ]
    if not steps:
        return None
    return min((line, a) for line, _, a, _ in steps), max((end, b) for _, end, _, b in steps)


def is_ours(thing: Any) -> bool:
    """Whether the library itself defines a function or class."""
    return home_of(thing).split(".")[0] == __name__.split(".")[0]


def signature_of(function: Any) -> inspect.Signature:
    """The signature of a function itself, ignoring `functools.wraps`."""
    return inspect.signature(function, follow_wrapped=False)


def unbound(thing: Any) -> Any:
    """A function without the arguments that `functools.partial` objects around it have fixed."""
    while isinstance(thing, functools.partial):
        thing = thing.func
    return thing


def home_of(thing: Any) -> str:
    """The name of the module that defines a function or class.

    Empty if there is none, as for functions created by `exec`.
    """
    return getattr(thing, "__module__", None) or ""


def _is_made_from(text: str, code: CodeType) -> bool:
    """Whether a function matches its source; it does not if the file was edited after the import."""
    if any(name.startswith("@") for name in (*code.co_varnames, *code.co_names)):
        return True  # pytest rewrites functions with asserts
    return any(
        _instructions(other) == _instructions(code) for other in _codes(text) if other.co_name == code.co_name
    )


@functools.lru_cache(256)
def _codes(text: str) -> list[CodeType]:
    """The code objects of all functions in a source text."""
    found = [compile(text, "", "exec", dont_inherit=True)]
    for code in found:
        found += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return found


def _instructions(code: CodeType) -> list[Any]:
    """The instructions of a function, without parts that depend on the rest of its file."""
    out: list[Any] = []
    for step in dis.get_instructions(code):
        if isinstance(step.argval, CodeType):
            out.append(_instructions(step.argval))
        elif step.opname not in ("PUSH_NULL", "PRECALL", "CACHE", "NOP"):
            jumps = step.opcode in dis.hasjrel or step.opcode in dis.hasjabs
            named = "LOAD_ATTR" if step.opname == "LOAD_METHOD" else step.opname
            out.append((named, None if jumps else (type(step.argval).__name__, step.argval)))
    return out


def _plain(node: ast.FunctionDef | ast.Lambda, name: str, filename: str) -> ast.FunctionDef:
    """Remove decorators, annotations and docstring; make keyword-only parameters ordinary ones."""
    arguments = node.args
    if arguments.vararg or arguments.kwarg:
        raise Unsupported("it takes *args or **kwargs", filename, node.lineno, name)
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
