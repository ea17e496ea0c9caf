"""Properties and constants that kinds define beyond `GridObject`, readable from compiled rules as well.

In compiled code all objects have one type, so `thing.is_open` tests the kind first and then runs that kind's
definition; a kind without such an attribute raises an `AttributeError`, as in plain Python.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from typing import Any

from gridarium.compiled.data_types.primitives import checked
from gridarium.compiled.data_types.value_class import generated
from gridarium.compiled.source_pass.fixed_values import is_set_by_users, operators_of
from gridarium.compiled.source_pass.source import Unsupported
from gridarium.world.colors import Color
from gridarium.world.objects import DECLARED, FLAGS, GridObject

COMMON = frozenset((*dir(GridObject), *DECLARED))
RESERVED_MEMBERS = ("__eq__", "__ne__", "color", "content", "state", "state_index", "status", *FLAGS)
"""Members that compiled code assumes to be `GridObject`'s own."""

Members = dict[str, dict[type[GridObject], Any]]


def members(kinds: Iterable[type[GridObject]]) -> Members:
    """By name, the property or constant that each of the kinds defines or inherits."""
    found: Members = {}
    for kind in kinds:
        bases = kind.__mro__[: kind.__mro__.index(GridObject)]
        for name in {name for base in bases for name in vars(base)} - COMMON:
            member = inspect.getattr_static(kind, name)
            if isinstance(member, property | bool | int | float | Color) and not name.startswith("__"):
                found.setdefault(name, {})[kind] = member
    return {name: found[name] for name in sorted(found)}


def check_kinds(kinds: Iterable[type[GridObject]]) -> None:
    """Check that no kind redefines what compiled code takes from `GridObject`.

    Raises:
        Unsupported: a kind overrides a comparison or an attribute that all objects have, or it, its statuses or its
            members have special methods of their own.
    """
    for kind in kinds:
        _refuse_own(kind, RESERVED_MEMBERS, "a {} of its own, which compiled code would ignore")
        _refuse_operators(kind, kind.__name__, kind)
        _refuse_operators(type(kind), f"the metaclass of {kind.__name__}", kind)
        if kind.Status is not None:
            _refuse_operators(kind.Status, f"{kind.__name__}.Status", kind)
        for name, own in members([kind]).items():
            if is_set_by_users(kind, name):
                reason = f"{name} is set on a kind of this library; define a kind of your own"
                raise Unsupported(reason, f"module {kind.__module__}", 0, kind.__name__)
            if isinstance(own[kind], property):
                _refuse_operators(type(own[kind]), f"{kind.__name__}.{name}", kind)


def refuse_own_constructor(kind: type[GridObject]) -> None:
    """Reject a kind whose constructor is a user's, which may make another object each time.

    Raises:
        Unsupported: it is.
    """
    why = "an {} of its own, which compiled code does not call; write a function that makes it"
    _refuse_own(kind, ("__init__", "__new__"), why)


def _refuse_own(kind: type[GridObject], names: Iterable[str], why: str) -> None:
    """Reject a kind that has some attributes of its own; `why` has braces in place of the name."""
    for name in names:
        own, common = (inspect.getattr_static(cls, name, None) for cls in (kind, GridObject))
        if own is not common:
            plain = getattr(own, "fget", getattr(own, "__func__", own))
            code: Any = getattr(plain, "__code__", None)
            file, line = (code.co_filename, code.co_firstlineno) if code else (kind.__module__, 0)
            raise Unsupported(f"{kind.__name__} has {why.format(name)}", file, line, name)


def _refuse_operators(cls: type, what: str, kind: type[GridObject]) -> None:
    if names := operators_of(cls):
        reason = (
            f"{what} has {', '.join(names)}, which compiled code would ignore; write a property or a function"
        )
        raise Unsupported(reason, f"module {kind.__module__}", 0, kind.__name__)


def reader(name: str, of_kinds: dict[type[GridObject], Any], numbered: dict[int, type[GridObject]]) -> Any:
    """A function that reads `thing.<name>` of a cell in compiled code, whatever its kind."""
    asked: dict[tuple[type, Any], int] = {}
    for kind, member in of_kinds.items():
        bit = next((1 << n for n, known in numbered.items() if known is kind), 0)
        asked[type(member), member] = asked.get((type(member), member), 0) | bit
    lines, names = [f"def {name}(thing):"], {}
    for i, ((_, member), bits) in enumerate(asked.items()):
        names[f"member_{i}"] = member.fget if isinstance(member, property) else member
        given = f"member_{i}(thing)" if isinstance(member, property) else f"member_{i}"
        lines += [f"    if {bits} >> thing._kind & 1 != 0:", f"        return {given}"]
    lines.append(f"    raise AttributeError('no {name}')")
    read = generated(f"read {name}", "\n".join(lines) + "\n", **names)
    return checked(read) if len(asked) > 1 else read  # whole numbers of some kinds may become floats
