"""What the code of rules speaks of, as far as that can be told without running it."""

from __future__ import annotations

import functools
import types
import weakref
from collections.abc import Iterable
from typing import Any

from gridarium.engine import World
from gridarium.engine.machine import Machine

PRIMITIVE = ("gridarium.compiled", "gridarium.world", "gridarium.engine", "numpy")
"""Whose functions are not looked into: they speak of everything, and are called with what rules ask of them."""
ANYTHING = "<anything>"
"""Stands for what a rule without Python code may speak of."""


_read: weakref.WeakKeyDictionary[Machine, frozenset[str]] = weakref.WeakKeyDictionary()


def named_in(world: World) -> frozenset[str]:
    """The names of attributes and globals in the rules that move, reward and end a world."""
    if world.machine not in _read:
        _read[world.machine] = frozenset(attributes_named(rules_of(world)))
    return _read[world.machine]


def rules_of(world: World) -> list[Any]:
    """The rules that move, reward and end a world."""
    spec = world.spec
    return [rule for rule, _ in spec.transitions] + [*spec.rewards, *spec.terminations]


def attributes_named(rules: Iterable[Any]) -> set[str]:
    """The names of attributes and globals in rules, in what they are given as parameters and in functions they call."""
    found: set[str] = set()
    waiting, seen = list(rules), set()
    while waiting:
        thing = waiting.pop()
        if isinstance(thing, functools.partial):
            waiting += [thing.func, *thing.keywords.values()]
        elif isinstance(thing, tuple | list):
            waiting += thing
        elif hasattr(thing, "__wrapped__") and callable(thing):  # functools.cache and the like
            waiting.append(thing.__wrapped__)
        elif isinstance(thing, types.FunctionType | types.MethodType):
            function = thing.__func__ if isinstance(thing, types.MethodType) else thing
            if id(function) in seen or (function.__module__ or "").startswith(PRIMITIVE):
                continue
            seen.add(id(function))
            names = _names(function.__code__)
            found |= names
            waiting += [function.__globals__[name] for name in names if name in function.__globals__]
            waiting += [cell.cell_contents for cell in function.__closure__ or () if cell != types.CellType()]
        elif callable(thing) and not isinstance(thing, type | types.BuiltinFunctionType):
            found.add(ANYTHING)
    return found


def _names(code: types.CodeType) -> set[str]:
    inner = [_names(constant) for constant in code.co_consts if isinstance(constant, types.CodeType)]
    return {*code.co_names}.union(*inner)
