"""The names of a function in the source pass: their compile-time values and replacements."""

from __future__ import annotations

import ast
import builtins
import enum
import functools
import math
import operator
import os
import types
from typing import Any

import numpy as np

from gridarium.compiled.data_types.value_class import is_value
from gridarium.compiled.source_pass.fixed_values import (
    compares_alike,
    has_identity,
    is_sequence,
    operators_of,
)
from gridarium.compiled.source_pass.resolver import UNKNOWN, Resolver, StaticValue, is_passable
from gridarium.compiled.source_pass.source import LIBRARY, Unit, Unsupported, home_of
from gridarium.compiled.source_pass.syntax import assigned_in, is_none, walk
from gridarium.compiled.source_pass.unsupported import (
    builtin_refused,
    instead_of,
    instead_of_object,
    is_for_rules,
    not_for_rules,
    why_not,
    why_not_read,
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

EQUALITIES = {ast.Is: operator.is_, ast.IsNot: operator.is_not, ast.Eq: operator.eq, ast.NotEq: operator.ne}
ORDERS: dict[type[ast.cmpop], Any] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


class StaticScope:
    """A function that is being rewritten, with compile-time knowledge of its names.

    `bindings` are the parameters that are fixed, `local` its variables, `declared` those of them that are declared as
    another scope's (`global`), `names` collects the globals of the rewritten function, `calls` how often each is named, and
    `added` variables of the source pass's own.
    """

    def __init__(
        self,
        unit: Unit,
        resolver: Resolver,
        bindings: dict[str, Any],
        linker: Any,
        nones: dict[str, bool | None],
    ) -> None:
        self.unit, self.resolver, self.linker = unit, resolver, linker
        assigned = assigned_in(unit.node)
        self.declared = assigned - unit.local
        self.nones = {name: n for name, n in nones.items() if n is not None and name not in assigned}
        self.names: dict[str, Any] = {}
        self.added: set[str] = set()
        self.calls: dict[str, int] = {}
        self._copies = 0
        self.bindings = dict(bindings)
        self.local = (assigned | unit.local) - self.bindings.keys()

    def static(self, node: ast.expr) -> StaticValue:
        """The value of an expression, if it is constant for the lifetime of a world."""
        if isinstance(node, ast.Constant):
            return StaticValue(True, node.value)
        if isinstance(node, ast.Name) and not hasattr(node, "linked"):
            if node.id in self.bindings:
                return StaticValue(True, self.bindings[node.id])
            if node.id in self.local:
                return UNKNOWN
            try:
                return StaticValue(True, self.unit.scope[node.id])
            except KeyError:
                raise self.unsupported(f"the name {node.id!r} is not defined", node) from None
        if isinstance(node, ast.Attribute):
            if (
                self.unit.is_library_code
                and isinstance(node.value, ast.Attribute)
                and (fixed := self.resolver.fixed(node.value.attr, node.attr)).known
            ):
                return fixed
            base = self.static(node.value)
            if base.known:
                if not self.unit.is_library_code:
                    self._refuse_attribute(base.value, node)
                try:
                    return StaticValue(True, getattr(base.value, node.attr))
                except AttributeError:
                    reason = f"{ast.unparse(node.value)} has no attribute {node.attr!r}"
                    raise self.unsupported(reason, node) from None
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return self._union(self.static(node.left), self.static(node.right))
        return self._member(node) if isinstance(node, ast.Subscript) else UNKNOWN

    @staticmethod
    def _union(one: StaticValue, other: StaticValue) -> StaticValue:
        """The value of `Door | Key`."""
        for side in (one.value, other.value):
            plain = isinstance(side, type) and not operators_of(type(side))
            if not (plain or isinstance(side, types.UnionType)):
                return UNKNOWN
        return StaticValue(True, one.value | other.value)

    def _refuse_attribute(self, thing: Any, node: ast.Attribute) -> None:
        """Reject attributes that Python may answer otherwise each time, or whose changes would not be noticed."""
        if (reason := why_not_read(thing, node.attr)) is not None:
            raise self.unsupported(f"{ast.unparse(node)} {reason}", node)
        if isinstance(thing, types.ModuleType) and not self._is_named(node.value):
            raise self.unsupported(
                f"{ast.unparse(node)}: what a module holds is read by the module's name", node
            )

    def _is_named(self, node: ast.expr) -> bool:
        """Whether an expression is a module's name, or that of one within another: `numpy.random`."""
        if isinstance(node, ast.Attribute):
            return isinstance(self.static(node.value).value, types.ModuleType) and self._is_named(node.value)
        return isinstance(node, ast.Name) and node.id not in self.bindings

    def _member(self, node: ast.Subscript) -> StaticValue:
        """Resolve `Action["JUMP"]` and the like: a member of a class by name."""
        named = self.static(node.slice) if isinstance(node.slice, ast.Constant | ast.Name) else UNKNOWN
        if not (named.known and isinstance(named.value, str)):
            return UNKNOWN
        of: Any = self.static(node.value).value
        if not (isinstance(of, type) and hasattr(type(of), "__getitem__")) or operators_of(type(of)):
            return UNKNOWN
        try:
            return StaticValue(True, of[named.value])  # type: ignore[index]
        except KeyError as error:
            raise self.unsupported(str(error.args[0]), node) from None

    def truth(self, node: ast.expr) -> StaticValue:
        """The value of a test that is known at compile time, such as `mode == "fast"` with a bound mode."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            inner = self.truth(node.operand)
            return StaticValue(True, not inner.value) if inner.known else UNKNOWN
        if isinstance(node, ast.BoolOp):
            return self._truth_of_all(node)
        if isinstance(node, ast.Name):
            found = self.static(node)
            plain = found.known and type(found.value) in (bool, str)
            return StaticValue(True, bool(found.value)) if plain else UNKNOWN
        if not (isinstance(node, ast.Compare) and len(node.ops) == 1):
            return UNKNOWN
        name = node.left.id if isinstance(node.left, ast.Name) else ""
        if is_none(node.comparators[0]) and name in self.nones and name not in self.bindings:
            none, compare = self.nones[name], type(node.ops[0])
            if compare in (ast.Is, ast.IsNot) or (none and compare in EQUALITIES):
                return StaticValue(True, none is (compare in (ast.Is, ast.Eq)))
            return UNKNOWN
        left, right = self.static(node.left), self.static(node.comparators[0])
        if not (left.known and right.known):
            return UNKNOWN
        if isinstance(node.ops[0], ast.Is | ast.IsNot):
            if not (has_identity(left.value) or has_identity(right.value)):
                return UNKNOWN
        elif not (compares_alike(left.value) and compares_alike(right.value)):
            return UNKNOWN
        asked = EQUALITIES.get(type(node.ops[0]))
        if asked is None and all(isinstance(side.value, int | float) for side in (left, right)):
            asked = ORDERS.get(type(node.ops[0]))
        answer = None if asked is None else asked(left.value, right.value)
        if not isinstance(answer, bool):  # nothing to compare by, or numpy's truth values
            return UNKNOWN
        return StaticValue(True, answer)

    def _truth_of_all(self, node: ast.BoolOp) -> StaticValue:
        """The truth of `and` or `or`, if all operands are known up to the one that decides."""
        ends = isinstance(node.op, ast.Or)
        for operand in node.values:
            found = self.truth(operand)
            if not found.known or found.value is ends:
                return found
        return StaticValue(True, not ends)

    def is_fixed_flag(self, argument: ast.expr) -> bool:
        """Whether an argument is a parameter that is bound to True or False.

        Functions of the library that get it from others have it bound, too: they are compiled without the branches that
        they do not take.
        """
        return isinstance(argument, ast.Name) and isinstance(self.bindings.get(argument.id), bool)

    def replaced(self, node: ast.expr) -> ast.expr:
        """Return an expression, or its replacement if its value is known."""
        found = self.static(node)
        if not found.known:
            return node
        return self.expression(found.value, node)

    def expression(self, thing: Any, node: ast.expr) -> ast.expr:
        """The expression for a named object in compiled code; raises if there is none."""
        if (constant := self._try_constant(thing, node)) is not None:
            return ast.copy_location(constant, node)
        name = node.id if isinstance(node, ast.Name) else getattr(thing, "__name__", "value")
        module = home_of(thing).split(".")[0]
        if (reason := why_not(thing)) is not None:
            raise self.unsupported(reason, node)
        function = module in ("math", "builtins") and isinstance(thing, types.BuiltinFunctionType | type)
        if function and (known := self.linker.function_of_numbers(thing)) is not None:
            return ast.copy_location(self.linked_name(name, known), node)
        if self.unit.is_library_code and (
            thing is math or thing is np or module in ("math", "numpy", "numba")
        ):
            return ast.copy_location(self.linked_name(name, thing), node)
        if module in ("math", "numpy", "numba") or thing is math or thing is np:
            raise self.unsupported(instead_of(thing), node)
        if module == "builtins" and isinstance(thing, type) and issubclass(thing, BaseException):
            return ast.copy_location(self.linked_name(thing.__name__, thing), node)
        if module == "builtins" and not isinstance(thing, types.ModuleType):
            own = getattr(thing, "__name__", name)
            if own not in ALLOWED_BUILTINS or (
                (thing is min or thing is max) and not self.unit.is_library_code
            ):
                raise self.unsupported(builtin_refused(name), node)
            return ast.copy_location(self.linked_name(own, thing), node)
        if isinstance(thing, enum.EnumMeta):
            raise self.unsupported(
                f"{ast.unparse(node)}: a member is not looked up by its number, nor are members counted; compare numbers, "
                "name members, or make the object, as `Door(1)`", node,
            )  # fmt: skip
        linked = self.linked(thing, node)
        if linked is None:
            raise self.unsupported(
                f"{ast.unparse(node)} is a {type(thing).__name__}; {instead_of_object(thing)}", node
            )
        return ast.copy_location(self.linked_name(name, linked), node)

    def linked(self, thing: Any, node: ast.expr, passed: frozenset[str] | None = None) -> Any:
        """The linked function of a call.

        Library functions that cannot be compiled are rejected where user code calls them.
        """
        try:
            linked = self.linker.link(thing, passed)
        except Unsupported as error:
            if error.filename == "?":
                raise self.unsupported(error.reason, node) from None
            if self.unit.is_library_code or not error.filename.startswith(f"{LIBRARY}{os.sep}"):
                raise
            raise self.unsupported(f"{ast.unparse(node)} works interpreted only", node) from error
        if hasattr(linked, "py_func") and linked is thing and not self.unit.is_library_code:
            raise self.unsupported(
                f"{ast.unparse(node)} is compiled by numba itself, whose numbers overflow; take its decorator off: "
                "functions that rules call are compiled anyway", node,
            )  # fmt: skip
        if linked is not None and not (self.unit.is_library_code or is_for_rules(thing)):
            raise self.unsupported(not_for_rules(thing), node)
        return linked

    def _try_constant(self, thing: Any, node: ast.AST) -> ast.expr | None:
        if (constant := self.resolver.constant(thing)) is not None:
            if any(isinstance(n, ast.Name) for n in walk(constant)):
                constant = self._spell(thing, constant)
            return constant
        if is_sequence(thing) and thing:
            if not isinstance(thing, tuple) and not self.unit.is_library_code:
                raise self.unsupported(f"{_shown(thing)}; write a tuple", node)
            ordered = thing if isinstance(thing, list | tuple) else sorted(thing, key=repr)
            if len(ordered) > LONGEST:
                raise self.unsupported(
                    f"a constant of {len(ordered)} items; make an array of it by table(...)", node
                )
            parts = [self._try_constant(item, node) for item in ordered]
            if None not in parts:
                return ast.Tuple([p for p in parts if p is not None], ast.Load())
        if is_value(thing):
            if not (self.unit.is_library_code or is_for_rules(type(thing))):
                raise ValueError(not_for_rules(type(thing)))
            parts = [self._try_constant(getattr(thing, f), node) for f in type(thing).__value_fields__]
            if None not in parts:
                self.linker.link(type(thing))
                cls = self.linked_name(type(thing).__name__, type(thing))
                return ast.Call(cls, [p for p in parts if p is not None], [])
        return None

    def helper_call(self, helper: str, node: ast.AST, *arguments: ast.expr) -> ast.Call:
        """A call of one of the helpers by which the source pass replaces an operation (see `linker.HELPERS`)."""
        name = self.linked_name(f"_{helper}", self.linker.helper(helper))
        return ast.copy_location(ast.Call(name, list(arguments), []), node)

    def joined(self, node: ast.Call, called: Any, parts: list[ast.expr], among: bool = False) -> ast.expr:
        """A call of `min` or `max` as calls of two arguments each, or of one tuple with `among`."""
        choose = self.linked_name(called.__name__, self.linker.function_of_numbers(called, 1 if among else 2))
        if among:
            return ast.copy_location(ast.Call(choose, parts, []), node)
        joined = functools.reduce(lambda one, other: ast.Call(choose, [one, other], []), parts)
        return ast.copy_location(joined, node)

    def _spell(self, thing: Any, constant: ast.expr) -> ast.expr:
        """Link the names that a resolver's expression mentions (value classes, given as attributes of the tree)."""
        for node in walk(constant):
            if isinstance(node, ast.Name) and hasattr(node, "means"):
                node.id = self.linked_name(node.id, self.linker.link(node.means)).id
                node.linked = True  # type: ignore[attr-defined]
        return constant

    def constant(self, thing: Any, node: ast.AST) -> ast.expr:
        """Convert an object to a constant; raises if it has no constant form."""
        constant = self._try_constant(thing, node)
        if constant is None:
            is_code = isinstance(thing, type | types.FunctionType)
            shown = (
                f"{thing.__name__} cannot be kept in a variable"
                if is_code
                else f"{thing!r} is not a constant"
            )
            raise self.unsupported(shown, node)
        return constant

    def linked_name(self, name: str, thing: Any) -> ast.Name:
        """A unique name for a linked object."""
        candidate, count = name, 1
        while candidate in self.local or self._means(candidate, thing) is not thing:
            count += 1
            candidate = f"{name}_{count}"
        self.names[candidate] = thing
        self.calls[candidate] = self.calls.get(candidate, 0) + 1
        linked = ast.Name(candidate, ast.Load())
        linked.linked = thing  # type: ignore[attr-defined]  # already resolved
        return linked

    def _means(self, name: str, otherwise: Any) -> Any:
        """What a name means in the rewritten function already; numba has no other `len` than Python's."""
        return self.names.get(name, vars(builtins).get(name, otherwise))

    def new_local(self, name: str) -> str:
        """A new unique variable with this name and a number."""
        taken = (
            self.local | self.names.keys() | {n.id for n in walk(self.unit.node) if isinstance(n, ast.Name)}
        )
        new = next(f"{name}_{n}" for n in range(len(taken) + 1) if f"{name}_{n}" not in taken)
        self.local.add(new)
        self.added.add(new)
        return new

    def unsupported(self, reason: str, node: ast.AST) -> Unsupported:
        """Create the error for a node of this function."""
        return Unsupported(reason, self.unit.filename, getattr(node, "lineno", 0), self.unit.node.name)

    def sequence(self, node: ast.expr) -> StaticValue:
        """The sequence of a loop, if known: also a literal tuple of functions or kinds."""
        if isinstance(node, ast.List):
            node = ast.copy_location(ast.Tuple(node.elts, node.ctx), node)
        written = self.static_argument(node)
        sequence = written if written.known and not is_passable(written.value) else self.static(node)
        self.refuse_set(sequence, node)
        return sequence

    def refuse_set(self, things: StaticValue, node: ast.expr) -> None:
        """Reject a loop over a set."""
        if things.known and isinstance(things.value, set | frozenset):
            raise self.unsupported("a set has no order that can be relied on; write a tuple", node)

    def static_argument(self, node: ast.expr) -> StaticValue:
        """Resolve like `static`, also for a literal tuple."""
        if not isinstance(node, ast.Tuple):
            return self.static(node)
        items = [self.static(item) for item in node.elts]
        return (
            StaticValue(True, tuple(item.value for item in items)) if all(i.known for i in items) else UNKNOWN
        )

    def is_unrolled(self, sequence: StaticValue, node: ast.AST) -> bool:
        """Whether a loop over a sequence becomes its body once for each item; many equal numbers are looped over.

        Raises:
            Unsupported: that would be too many copies.
        """
        if not sequence.known or not is_sequence(sequence.value):
            return False
        types_of_items = {type(item) for item in sequence.value}
        if len(sequence.value) > MANY and len(types_of_items) == 1 and types_of_items <= {bool, int, float}:
            return False
        self._copies += len(sequence.value)
        if self._copies > MOST_COPIES:
            raise self.unsupported(
                f"loops over fixed items that are written out more than {MOST_COPIES} times; loop over a table(...)",
                node,
            )
        return True

    def bound(self, name: str, item: Any) -> Binding:
        """Context in which a loop variable is bound to one fixed object."""
        return Binding(self, name, item)


MANY, MOST_COPIES, LONGEST = 32, 256, 1000
"""The number of numbers from which on a loop over them is not unrolled, the copies of bodies in one function, and the
items of a constant: the time to compile these grows faster than their number."""


def _shown(things: Any) -> str:
    """What compiled code can do with a list or set."""
    if isinstance(things, list):
        return (
            f"the list {things!r:.40} can be looped over, indexed and searched in compiled code, nothing else"
        )
    return f"the set {things!r:.40} can be searched with `in` in compiled code, nothing else"


def as_tuples(thing: Any, levels: int) -> Any:
    """A sequence with tuples for its lists, down to a level."""
    if levels == 0 or not isinstance(thing, list | tuple) or not is_sequence(thing):
        return thing
    return tuple(as_tuples(item, levels - 1) for item in thing)


class Binding:
    """Context in which a loop variable is bound to one fixed object."""

    def __init__(self, scope: StaticScope, name: str, item: Any) -> None:
        self.scope, self.name, self.item = scope, name, item

    def __enter__(self) -> None:
        self.before = self.scope.bindings.get(self.name, self)
        self.scope.bindings[self.name] = self.item

    def __exit__(self, *_: object) -> None:
        if self.before is self:
            del self.scope.bindings[self.name]
        else:
            self.scope.bindings[self.name] = self.before
