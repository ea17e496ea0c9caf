"""Names in a function under the source pass: which are known before compiling, and what is put in their place."""

from __future__ import annotations

import ast
import enum
import functools
import inspect
import math
import operator
import os
import types
from pathlib import Path
from typing import Any

import numpy as np

from gridarium.compiled.resolver import UNKNOWN, Resolver, Static, is_passable, operators_of
from gridarium.compiled.source import Unit, Unsupported, home_of, is_ours
from gridarium.compiled.unfit import instead_of, why_not
from gridarium.compiled.values import is_value

_LIBRARY = f"{Path(__file__).parent.parent}{os.sep}"
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

ORDERS: dict[type[ast.cmpop], Any] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


class Known:
    """A function that is being rewritten, and what is known of its names.

    `bindings` are the parameters that are fixed, `local` the names that are assigned within, and `names` collects
    what the rewritten function refers to.
    """

    def __init__(
        self, unit: Unit, resolver: Resolver, bindings: dict[str, Any], linker: Any, nones: dict[str, bool]
    ) -> None:
        self.unit, self.resolver, self.linker = unit, resolver, linker
        assigned = assigned_in(unit.node)
        self.nones = {name: n for name, n in nones.items() if name not in assigned}
        self.names: dict[str, Any] = {}
        self.bindings = dict(bindings)
        self.local = (assigned | {a.arg for a in unit.node.args.args}) - self.bindings.keys()
        self._hoisted: list[ast.stmt] | None = None

    def _static(self, node: ast.expr) -> Static:
        if isinstance(node, ast.Constant):
            return Static(True, node.value)
        if isinstance(node, ast.Name) and not hasattr(node, "linked"):
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
                self._refuse_property(base.value, node)
                try:
                    return Static(True, getattr(base.value, node.attr))
                except AttributeError:
                    reason = f"{ast.unparse(node.value)} has no attribute {node.attr!r}"
                    raise self._unsupported(reason, node) from None
        return self._member(node) if isinstance(node, ast.Subscript) else UNKNOWN

    def _refuse_property(self, thing: Any, node: ast.Attribute) -> None:
        """What a property of a user's object gives is asked anew each time in Python."""
        member = inspect.getattr_static(type(thing), node.attr, None)
        if isinstance(member, property) and not is_ours(member.fget):
            raise self._unsupported(
                f"{ast.unparse(node)} is a property, which is asked anew each time; call a function", node
            )

    def _member(self, node: ast.Subscript) -> Static:
        """`Action["JUMP"]` and its kin: a member of a class by its name."""
        named = self._static(node.slice) if isinstance(node.slice, ast.Constant | ast.Name) else UNKNOWN
        if not (named.known and isinstance(named.value, str)):
            return UNKNOWN
        of: Any = self._static(node.value).value
        if not (isinstance(of, type) and hasattr(type(of), "__getitem__")):
            return UNKNOWN
        try:
            return Static(True, of[named.value])  # type: ignore[index]
        except KeyError as error:
            raise self._unsupported(str(error.args[0]), node) from None

    def _truth(self, node: ast.expr) -> Static:
        """The truth of a test that is settled before compiling, such as `mode == "fast"` with a bound mode."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            inner = self._truth(node.operand)
            return Static(True, not inner.value) if inner.known else UNKNOWN
        if isinstance(node, ast.Name):
            found = self._static(node)
            plain = found.known and isinstance(found.value, bool | str)
            return Static(True, bool(found.value)) if plain else UNKNOWN
        if not (isinstance(node, ast.Compare) and len(node.ops) == 1):
            return UNKNOWN
        if is_none(node.comparators[0]) and isinstance(node.left, ast.Name) and node.left.id in self.nones:
            none = self.nones[node.left.id]
            return Static(True, none if isinstance(node.ops[0], ast.Is | ast.Eq) else not none)
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
        module = home_of(thing).split(".")[0]
        if (reason := why_not(thing)) is not None:
            raise self._unsupported(reason, node)
        function = module in ("math", "builtins") and isinstance(thing, types.BuiltinFunctionType | type)
        if function and (known := self.linker.function_of_numbers(thing)) is not None:
            return ast.copy_location(self._name(name, known), node)
        if self.unit.is_own and (thing in (math, np) or module in ("math", "numpy", "numba")):
            return ast.copy_location(self._name(name, thing), node)
        if module in ("math", "numpy", "numba") or thing in (math, np):
            raise self._unsupported(instead_of(thing), node)
        if module == "builtins" and isinstance(thing, type) and issubclass(thing, BaseException):
            return node
        if module == "builtins" and not isinstance(thing, types.ModuleType):
            own = getattr(thing, "__name__", name)
            if own not in ALLOWED_BUILTINS or (thing in (min, max) and not self.unit.is_own):
                raise self._unsupported(f"{name} cannot be used in compiled code", node)
            return ast.copy_location(self._name(own, thing), node)
        if isinstance(thing, enum.EnumMeta):
            raise self._unsupported(
                f"{ast.unparse(node)}: name its members, or make the object, as `Door(1)`", node
            )
        linked = self._linked(thing, node)
        if linked is None:
            raise self._unsupported(f"{ast.unparse(node)} is a {type(thing).__name__}", node)
        return ast.copy_location(self._name(name, linked), node)

    def _linked(self, thing: Any, node: ast.expr, passed: frozenset[str] = frozenset()) -> Any:
        """What is called in compiled code; what of the library cannot be compiled is refused where a user calls it."""
        try:
            return self.linker.link(thing, passed)
        except Unsupported as error:
            if self.unit.is_own or not error.filename.startswith(_LIBRARY):
                raise
            raise self._unsupported(f"{ast.unparse(node)} works interpreted only", node) from error

    def _try_constant(self, thing: Any) -> ast.expr | None:
        if (constant := self.resolver.constant(thing)) is not None:
            if any(isinstance(n, ast.Name) for n in ast.walk(constant)):
                constant = self._spell(thing, constant)
            return constant
        if is_sequence(thing) and thing:
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

    def _help(self, helper: str, node: ast.AST, *arguments: ast.expr) -> ast.Call:
        name = self._name(f"_{helper}", self.linker.helper(helper))
        return ast.copy_location(ast.Call(name, list(arguments), []), node)

    def _joined(self, node: ast.Call, called: Any, parts: list[ast.expr], among: bool = False) -> ast.expr:
        choose = self._name(called.__name__, self.linker.function_of_numbers(called, 1 if among else 2))
        if among:
            return ast.copy_location(ast.Call(choose, parts, []), node)
        joined = functools.reduce(lambda one, other: ast.Call(choose, [one, other], []), parts)
        return ast.copy_location(joined, node)

    def _spell(self, thing: Any, constant: ast.expr) -> ast.expr:
        """Link the names that a resolver's expression mentions (value classes, given as attributes of the tree)."""
        for node in ast.walk(constant):
            if isinstance(node, ast.Name) and hasattr(node, "means"):
                node.id = self._name(node.id, self.linker.link(node.means)).id
                node.linked = True  # type: ignore[attr-defined]
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
        linked = ast.Name(candidate, ast.Load())
        linked.linked = True  # type: ignore[attr-defined]  # it means what it means, wherever it is met again
        return linked

    def _new_local(self, name: str) -> str:
        """A variable of that name and a number, which nobody else has."""
        taken = self.local | {n.id for n in ast.walk(self.unit.node) if isinstance(n, ast.Name)}
        new = next(f"{name}_{n}" for n in range(len(taken) + 1) if f"{name}_{n}" not in taken)
        self.local.add(new)
        return new

    def _unsupported(self, reason: str, node: ast.AST) -> Unsupported:
        return Unsupported(reason, self.unit.filename, getattr(node, "lineno", 0), self.unit.node.name)

    def _sequence(self, node: ast.expr) -> Static:
        """What is looped over, if it is known: also a tuple of functions or kinds written out in the loop."""
        if isinstance(node, ast.List):
            node = ast.copy_location(ast.Tuple(node.elts, node.ctx), node)
        written = self._static_argument(node)
        sequence = written if written.known and not is_passable(written.value) else self._static(node)
        self._refuse_set(sequence, node)
        return sequence

    def _refuse_set(self, things: Static, node: ast.expr) -> None:
        if things.known and isinstance(things.value, set | frozenset):
            raise self._unsupported("a set has no order that can be relied on; write a tuple", node)

    def _static_argument(self, node: ast.expr) -> Static:
        if not isinstance(node, ast.Tuple):
            return self._static(node)
        items = [self._static(item) for item in node.elts]
        return Static(True, tuple(item.value for item in items)) if all(i.known for i in items) else UNKNOWN

    def _bound(self, name: str, item: Any) -> Binding:
        """For the time of a with-block, a loop variable stands for one fixed thing."""
        return Binding(self, name, item)


def is_sequence(thing: Any) -> bool:
    """Whether a thing is a list, tuple or set without operators of its own."""
    return isinstance(thing, list | tuple | set | frozenset) and not operators_of(type(thing))


class Binding:
    """For the time of a with-block, a loop variable stands for one fixed thing."""

    def __init__(self, transformer: Known, name: str, item: Any) -> None:
        self.transformer, self.name, self.item = transformer, name, item

    def __enter__(self) -> None:
        self.before = self.transformer.bindings.get(self.name, self)
        self.transformer.bindings[self.name] = self.item

    def __exit__(self, *_: object) -> None:
        if self.before is self:
            del self.transformer.bindings[self.name]
        else:
            self.transformer.bindings[self.name] = self.before


def assigned_in(*nodes: ast.AST) -> set[str]:
    """The names that are assigned in functions or statements, those of generator expressions left out."""
    names: set[str] = set()
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Store):
                names.add(node.id)
        elif isinstance(node, ast.MatchAs) and node.name:
            names.add(node.name)
        waiting += ast.iter_child_nodes(node)
        if isinstance(node, ast.comprehension):
            waiting.remove(node.target)
    return names


def is_none(node: ast.expr) -> bool:
    """Whether an expression is written as None."""
    return isinstance(node, ast.Constant) and node.value is None


def has_call(node: ast.expr) -> bool:
    """Whether something is called in an expression."""
    return any(isinstance(n, ast.Call) for n in ast.walk(node))
