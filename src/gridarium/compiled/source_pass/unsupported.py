"""Functions and numbers of Python and numpy that compiled code does not support, with alternatives."""

from __future__ import annotations

import enum
import functools
import math
import random
import sys
import sysconfig
import types
from pathlib import Path
from typing import Any

import numpy as np

from gridarium.compiled.source_pass.fixed_values import is_asked_anew, is_set_by_users, without_meaning
from gridarium.compiled.source_pass.source import home_of, is_ours, is_pythons, unbound

ARRAY = "an array cannot be made in compiled code; see `grid.mask()`, `new_integers` and `rng.choice`"
ARRAY_MAKERS = frozenset(
    [
        "zeros",
        "ones",
        "full",
        "empty",
        "array",
        "asarray",
        "arange",
        "linspace",
        "zeros_like",
        "ones_like",
        "full_like",
        "empty_like",
        "eye",
        "copy",
    ]
)
INSTEAD = {
    "clip": "min(max(x, low), high)", "sign": "(x > 0) - (x < 0)", "maximum": "max(a, b)", "minimum": "min(a, b)",
    "absolute": "abs(x)", "abs": "abs(x)", "rint": "float(round(x))", "round": "round(x)", "around": "round(x)",
    "power": "a ** b", "square": "x * x", "mod": "a % b", "remainder": "a % b", "math.remainder": "a - b * round(a / b)", "divmod": "a // b and a % b",
    "floor_divide": "a // b", "add": "a + b", "subtract": "a - b", "multiply": "a * b", "divide": "a / b",
    "true_divide": "a / b", "left_shift": "a << b", "right_shift": "a >> b", "logical_and": "a and b",
    "logical_or": "a or b", "logical_not": "not a", "arcsin": "math.asin(x)", "arccos": "math.acos(x)",
    "arctan": "math.atan(x)", "arctan2": "math.atan2(y, x)", "arcsinh": "math.asinh(x)",
    "arccosh": "math.acosh(x)", "arctanh": "math.atanh(x)", "hypot": "math.sqrt(y * y + x * x)",
    "dist": "math.sqrt(y * y + x * x)", "isclose": "abs(a - b) <= 1e-9 * max(abs(a), abs(b))", "fsum": "sum(...)", "prod": "a loop",
    "ldexp": "x * 2.0**n", "isqrt": "int(math.sqrt(n)), which is exact below 2**52", "comb": "a loop", "factorial": "a loop",
    "bool_": "bool(x)", "sum": "sum(x for x in ...)", "any": "any(x for x in ...)",
    "all": "all(x for x in ...)", "max": "max(x for x in ...)", "min": "min(x for x in ...)",
}  # fmt: skip
"""Alternatives to functions of numpy and `math`."""

INSTEAD_OF_BUILTINS = INSTEAD | {
    "type": "isinstance(thing, Kind)", "sorted": "a loop that keeps the least, or sort what is constant outside of the rule",
    "reversed": "range(n - 1, -1, -1), or (3, 2, 1)", "list": "a tuple, or new_integers(state.scratch, n)", "getattr": "thing.name",
    "hasattr": "isinstance(thing, Kind)", "next": "next(x for x in ...)", "print": "nothing, or use compiled=False",
}  # fmt: skip
"""Alternatives to Python's own functions."""

INSTEAD_OF_OURS = {
    "State": "state.seen_by(number)", "Grid": "state.grid, state.grid.subgrid(area)", "Agent": "state.agents[number]",
    "Agents": "state.agents", "Thing": "state.things[number], state.add(object, p)", "Things": "state.things",
    "ThingsAt": "state.things_at(p)", "CarriedThings": "state.carried_by(agent)", "Cell": "Door(status, color)",
    "Rng": "rng, state.rng", "ActingAgents": "state.acting", "Mask": "state.grid.mask()",
    "Vector": "new_integers(state.scratch, n)", "FieldArray": "a declared field with a shape, or a table",
}  # fmt: skip
"""How rules come by the library's records, which they may not make."""


def builtin_refused(name: str) -> str:
    """The reason why one of Python's own functions cannot be used, and what to write instead."""
    instead = f"; write {INSTEAD_OF_BUILTINS[name]}" if name in INSTEAD_OF_BUILTINS else ""
    return f"{name} cannot be used in compiled code{instead}"


def instead_of_object(thing: Any) -> str:
    """What to write instead of an object that rules cannot use."""
    if isinstance(thing, functools._lru_cache_wrapper):
        return "take the cache off: compiled functions are fast without"
    if isinstance(getattr(thing, "__self__", None), dict):
        return "write TABLE[key], or a function with if and elif"
    if home_of(thing).split(".")[0] in ("itertools", "collections", "functools", "operator", "heapq"):
        return "write loops, and fields of the state for what is kept"
    if isinstance(thing, tuple):
        return "its items are not picked by a number; write a loop over all of them, or a function with if and elif"
    if isinstance(thing, type):
        return "objects of classes decorated with @value can be made, and kinds be asked for by isinstance"
    return "write a tuple, a table(...) or a function"


def is_for_rules(thing: Any) -> bool:
    """Whether a rule of a user may name something: of the library only what `for_rules` or `__for_rules__` in its module marks."""
    named = unbound(thing)
    named = getattr(named, "__func__", named)
    if not is_ours(named):
        return True
    module = sys.modules.get(home_of(named))
    owner = getattr(
        module, getattr(named, "__qualname__", "").partition(".")[0], None
    )  # of a method, its class
    return any(hasattr(one, "__for_rules__") for one in (named, owner, module))


def not_for_rules(thing: Any) -> str:
    """The message for a function or class of the library that rules may not name."""
    name = getattr(unbound(thing), "__name__", type(thing).__name__)
    advice = INSTEAD_OF_OURS.get(name)
    hint = f"; write {advice}" if advice else "; see docs/what-a-rule-may-use.md"
    return f"{name} is of the library's own workings, which rules do not use{hint}"


def why_not(thing: Any) -> str | None:
    """Why an object used by a rule is not supported in compiled code, or None if it is."""
    home, name = home_of(thing), getattr(thing, "__name__", "")
    if home.startswith("numpy.random"):
        return "numpy's own random numbers would not repeat; take rng"
    if home.split(".")[0] == "random" or isinstance(getattr(thing, "__self__", None), random.Random):
        return "Python's own random numbers would not repeat; take rng"
    if isinstance(thing, np.ndarray):
        return "an array of numpy computes otherwise; make a constant of it by table(...)"
    if isinstance(thing, np.generic):
        return f"{thing!r} is a number of numpy, which computes otherwise; write {_plain(thing)} where it is made"
    if home.split(".")[0] == "numpy" and name in ARRAY_MAKERS:
        return ARRAY
    code = getattr(thing, "__code__", None)
    if code is not None and Path(code.co_filename).parent == PYTHONS_LIBRARY:
        return f"{home}.{name} is of Python's library, which cannot be compiled; write a loop or a function"
    return None


def why_not_read(thing: Any, name: str) -> str | None:
    """Why an attribute of an object that is known before compiling is not read, or None if it is."""
    cls: Any = type(thing)
    of_enum = isinstance(thing, enum.Enum | enum.EnumMeta) and name.startswith("_")
    of_python = isinstance(thing, type) and home_of(thing).partition(".")[0] in sys.stdlib_module_names
    if of_enum or of_python or name.startswith("__"):
        return "is of Python's own workings; write its value"
    if name in without_meaning(thing if isinstance(thing, type) else cls):
        return "is for pictures, and no part of the rules; give it a name of its own"
    if name in getattr(cls, "__asides__", ()):
        return "is an aside, and no part of the value; make it a field"
    if is_set_by_users(thing if isinstance(thing, type | types.FunctionType | enum.Enum) else cls, name):
        return "is set on what belongs to this library or Python; give it a place of your own"
    if isinstance(thing, functools.partial) or (
        isinstance(thing, np.ndarray | np.generic) and not is_pythons(cls)
    ):
        return f"is an attribute of a {cls.__name__}; name its value"
    if is_asked_anew(thing, name):
        return "is a property or the like, which is asked anew each time; call a function"
    return None


PYTHONS_LIBRARY = Path(sysconfig.get_paths()["stdlib"])


def instead_of(thing: Any) -> str:
    """The message for an unsupported function of `math` or numpy, with an alternative."""
    name = getattr(thing, "__name__", str(thing))
    module = home_of(thing).split(".")[0] or "this"
    if module == "numpy" and isinstance(thing, type) and issubclass(thing, np.generic):
        kind = "float" if issubclass(thing, np.floating) else "bool" if thing is np.bool_ else "int"
        return f"np.{name}: numbers of compiled code are Python's; write {kind}(x)"
    known = INSTEAD.get(f"{module}.{name}") or INSTEAD.get(name)
    advice = known or (f"math.{name}(x)" if module == "numpy" and hasattr(math, name) else "")
    shown = f"{'np' if module == 'numpy' else module}.{name}"
    hint = f"; write {advice}" if advice else ""
    return f"{shown} is not known to give the same in compiled code{hint}"


def _plain(thing: Any) -> str:
    plain = thing.item()
    if isinstance(plain, np.generic):  # a longdouble has no equal among Python's numbers
        return "float(...)"
    return repr(plain) if isinstance(plain, bool) else f"{type(plain).__name__}(...)"
