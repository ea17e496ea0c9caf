"""Converts Python functions to syntax trees and back, keeping file names and line numbers."""

from __future__ import annotations

import ast
import functools
import inspect
import itertools
import linecache
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from gridarium.compiled.data_types.primitives import is_trusted
from gridarium.compiled.source_pass.code_objects import is_compiled_from
from gridarium.compiled.source_pass.syntax import children, walk

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
        local: its variables according to Python, parameters included. A statement that is never reached makes its names
            local as well.
        is_generator: whether it is a generator according to Python, be it by a `yield` that is never reached.
        own_names: variables added by the source pass, which are set before they are read.
    """

    node: ast.FunctionDef
    scope: Mapping[str, Any]
    filename: str
    is_library_code: bool
    local: frozenset[str]
    is_generator: bool = False
    own_names: frozenset[str] = frozenset()


def read_unit(function: Callable[..., Any]) -> Unit:
    """Return the syntax tree of a function or lambda, with line numbers as in its file.

    Raises:
        Unsupported: the source cannot be read (made by `exec`, or typed at a bare prompt), has changed since it was
            imported, or holds several lambdas that cannot be distinguished.
    """
    code, name = function.__code__, function.__name__
    refused = functools.partial(
        Unsupported, filename=code.co_filename, line=code.co_firstlineno, function=name
    )
    own = is_ours(function) and _is_in_library(code)
    if type(function.__globals__) is not dict:
        raise refused("its names are looked up in a dict of a class of its own")
    try:
        lines = _lines_of_file(function)
        parsed = _functions_alone(lines, code) if own else ()
        found = [node for node in parsed or _functions("".join(lines)) if _stands_there(node, code)]
        if not found or not (own or is_compiled_from(code, "".join(lines))):
            raise refused(CHANGED)
    except OSError as error:
        raise refused("its source cannot be read") from error
    except SyntaxError:
        raise refused(CHANGED) from None
    if len(found) > 1:
        found = _around(found, _span_of_code(code))
    if not found:
        raise refused(
            "its source cannot be told apart from another lambda's in the same line; give it one of its own"
        )
    if not own:
        _refuse_mangled(found[0], code, refused)
    own = own or is_trusted(function)
    return Unit(
        _plain(found[0], name, code.co_filename),
        Scope(function),
        code.co_filename,
        own,
        frozenset((*code.co_varnames, *code.co_cellvars)),
        bool(code.co_flags & inspect.CO_GENERATOR),
    )


def _lines_of_file(function: Callable[..., Any]) -> list[str]:
    """The file that a function was defined in, as it is now; `inspect` would look through all modules for it.

    Raises:
        OSError: it cannot be read.
    """
    filename = function.__code__.co_filename
    linecache.checkcache(filename)
    lines = linecache.getlines(filename, function.__globals__)
    if not lines:
        raise OSError("source code not available")
    return lines


def _functions_alone(lines: list[str], code: CodeType) -> Sequence[Written]:
    """Parse one function of this library without the rest of its file, which would take longer; nothing for a lambda.

    It ends before the next line that is indented as its `def` is, but for closing brackets: as the house style has it.
    """
    first = code.co_firstlineno
    if code.co_name == "<lambda>" or first < 2:
        return ()
    margin = len(lines[first - 1]) - len(lines[first - 1].lstrip())
    is_body, last = False, first - 1
    for line in lines[first - 1 :]:
        begin = line.lstrip()
        if begin and len(line) - len(begin) <= margin:
            if is_body and begin[0] not in ")]}":
                break
            is_body = is_body or begin.startswith(("def ", "async def "))
        last += 1
    above = "\n" * (first - 2) + ("if True:\n" if margin else "\n")
    try:
        return _functions(above + "".join(lines[first - 1 : last]))
    except SyntaxError:  # a text in it has lines that begin further left
        return ()


CHANGED = "its source has changed since it was imported; start a new process"


class Scope(Mapping[str, Any]):
    """The values of a function's free names: its closure first, then its module, then builtins."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
        self._globals = function.__globals__
        builtins = self._globals.get("__builtins__", {})
        self._builtins = builtins if isinstance(builtins, dict) else vars(builtins)

    def __getitem__(self, name: str) -> Any:
        if name in self._cells:
            try:
                return self._cells[name].cell_contents
            except ValueError:
                raise KeyError(name) from None
        for names in (self._globals, self._builtins):
            if name in names:
                return names[name]
        raise KeyError(name)

    def __iter__(self) -> Any:
        return iter({*self._cells, *self._globals, *self._builtins})

    def __len__(self) -> int:
        return sum(1 for _ in self)


def define(unit: Unit, node: ast.FunctionDef, names: dict[str, Any]) -> Callable[..., Any]:
    """Compile a tree back into a function whose globals are `names`."""
    while node.name in names:
        node.name = f"_{node.name}"
    module = ast.Module([node], [])
    _locate(node, node)
    scope = {"__name__": __name__, **names}
    exec(compile(module, unit.filename, "exec"), scope)
    function: Callable[..., Any] = scope[node.name]
    return function


def _locate(node: ast.AST, above: ast.AST) -> None:
    """Give parts without a location that of the node above; faster than `ast.fix_missing_locations`."""
    own = vars(node)
    if "end_lineno" not in own:
        own |= {name: getattr(above, name) for name in LOCATION} | own
    for part in children(node):
        _locate(part, node)


LOCATION = ("lineno", "col_offset", "end_lineno", "end_col_offset")
Written = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@functools.lru_cache(256)
def _functions(text: str) -> list[Written]:
    return [node for node in walk(ast.parse(text)) if isinstance(node, Written)]


def _stands_there(node: Written, code: CodeType) -> bool:
    """Whether a tree is at the location where a function was defined."""
    if not isinstance(node, ast.Lambda):
        first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
        return node.name == code.co_name and first == code.co_firstlineno
    names = [a.arg for a in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
    known = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    return (code.co_name, code.co_firstlineno, list(known)) == ("<lambda>", node.lineno, names)


Place = tuple[int, int]


def _around(lambdas: list[Any], span: tuple[Place, Place] | None) -> list[Any]:
    """The innermost lambda whose body contains the instructions of a code object.

    They may be fewer than the body's, as Python does not compile what is never reached.
    """
    bodies = [(_span(node), node) for node in lambdas]
    found = [(begin, node) for (begin, end), node in bodies if span and begin <= span[0] and span[1] <= end]
    return [max(found, key=lambda pair: pair[0])[1]] if found else []


def _span(node: ast.Lambda) -> tuple[Place, Place]:
    """The line and column at which the body of a lambda begins and ends."""
    body = node.body
    return (body.lineno, body.col_offset), (body.end_lineno or 0, body.end_col_offset or 0)


def _refuse_mangled(node: ast.AST, code: CodeType, refused: Callable[..., Unsupported]) -> None:
    """Reject names that Python spells differently within a class: `__tax` in class `Shop` as `_Shop__tax`."""
    outer = code.co_qualname.split(".")[:-1]
    classes = [a for a, b in itertools.pairwise([*outer, ""]) if "<locals>" not in (a, b)]
    prefix = classes[-1].lstrip("_") if classes else ""
    for part in walk(node) if prefix else ():
        words = () if isinstance(part, ast.Constant) else vars(part).values()
        for name in words:
            if isinstance(name, str) and name.startswith("__") and not name.endswith("__"):
                told = (
                    f"in a class, Python reads {name} as _{prefix}{name}; begin the name with one underscore"
                )
                raise refused(told, line=getattr(part, "lineno", 0))


def _span_of_code(code: CodeType) -> tuple[Place, Place] | None:
    steps = [
        (line, end, a, b) for line, end, a, b in code.co_positions() if line and end and a is not None and b
    ]
    if not steps:
        return None
    return min((line, a) for line, _, a, _ in steps), max((end, b) for _, end, _, b in steps)


def is_ours(thing: Any) -> bool:
    """Whether the library itself defines a function or class."""
    return _is_ours(home_of(thing))


def is_pythons(thing: Any) -> bool:
    """Whether Python or numpy defines a function or class."""
    return _is_trusted(home_of(thing))


def signature_of(function: Any) -> inspect.Signature:
    """The signature by which Python calls a function or partial, ignoring `__wrapped__` and `__signature__`."""
    return inspect.signature(_bare(function), follow_wrapped=False)


def _bare(function: Any) -> Any:
    """A function without attributes and annotations."""
    if isinstance(function, functools.partial):
        return functools.partial(_bare(function.func), *function.args, **function.keywords)
    if not isinstance(function, FunctionType):
        return function
    bare = FunctionType(
        function.__code__, function.__globals__, argdefs=function.__defaults__, closure=function.__closure__
    )
    bare.__kwdefaults__ = function.__kwdefaults__
    return bare


def unbound(thing: Any) -> Any:
    """A function without the arguments that `functools.partial` objects around it have fixed."""
    while isinstance(thing, functools.partial):
        thing = thing.func
    return thing


def home_of(thing: Any) -> str:
    """The name of the module that defines a function or class.

    Empty if there is none, as for functions and classes created by `exec` in a dictionary without `__name__`, and for those
    of files that only have the name of a module of Python or numpy, or classes that only say that they are of this library.
    """
    if isinstance(
        thing, FunctionType
    ):  # whose `__module__` may be another's, as that of a decorator's result
        home = thing.__globals__.get("__name__") or ""
        if _is_ours(home):
            is_named = home == __name__ or _is_in_library(thing.__code__)
        else:
            is_named = not _is_trusted(home) or _scope(home) is thing.__globals__
        return home if is_named else ""
    home = getattr(thing, "__module__", None) or ""
    if not (isinstance(thing, type) and thing.__flags__ & _HEAP_TYPE):
        return home
    claims = _is_trusted(home) or _is_ours(home)
    is_nameless = home == "builtins" or (claims and not _is_in(home, thing))
    return "" if is_nameless else home


def _is_in_library(code: CodeType) -> bool:
    """Whether code is of a file of this library, or generated by it: a module may have any `__name__`."""
    return code.co_filename.startswith((f"{LIBRARY}{os.sep}", "<gridarium "))


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] == __name__.partition(".")[0]


def _is_trusted(module: str) -> bool:
    package = module.partition(".")[0]
    return package in sys.stdlib_module_names or package == "numpy"


def _is_in(module: str, cls: type) -> bool:
    """Whether the module of that name has a class, by its name or, as for classes of functions, by its functions."""
    found: Any = sys.modules.get(module)
    for name in cls.__qualname__.split("."):
        found = getattr(found, name, None)
    if found is cls:
        return True
    functions = [member for member in vars(cls).values() if isinstance(member, FunctionType)]
    return any(member.__globals__ is _scope(module) for member in functions)


def _scope(module: str) -> dict[str, Any] | None:
    found = sys.modules.get(module)
    return None if found is None else vars(found)


_HEAP_TYPE = 1 << 9
"""The flag of classes made by `class` statements, unlike those of `builtins` (`Py_TPFLAGS_HEAPTYPE`)."""


def _plain(node: Written, name: str, filename: str) -> ast.FunctionDef:
    """Remove decorators, annotations and docstring; make keyword-only parameters ordinary ones."""
    arguments = node.args
    if arguments.vararg or arguments.kwarg:
        raise Unsupported("it takes *args or **kwargs", filename, node.lineno, name)
    if isinstance(node, ast.AsyncFunctionDef):
        raise Unsupported("it is async", filename, node.lineno, name)
    if isinstance(node, ast.Lambda):
        body: list[ast.stmt] = [ast.copy_location(ast.Return(node.body), node.body)]
        name = "anonymous"
    else:
        body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    given = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    plain = ast.arguments(
        posonlyargs=[],
        args=[ast.copy_location(ast.arg(a.arg), a) for a in given],
        kwonlyargs=[],
        kw_defaults=[],
        defaults=[],
    )
    body = body or [ast.copy_location(ast.Pass(), node)]
    return ast.copy_location(ast.FunctionDef(name, plain, body, [], None), node)
