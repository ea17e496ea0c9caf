"""How a function gets a compiled twin: numba's `overload` with this library's options, and the source pass.

Importing this module imports numba.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from numba import types
from numba.core.errors import TypingError
from numba.extending import overload

from gridarium.compiled.pipeline import RuleCompiler

JIT_OPTIONS: dict[str, Any] = {
    "_nrt": False,
    "error_model": "python",
    "forceinline": True,
    "nogil": True,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "pipeline_class": RuleCompiler,
}
"""No counting of references (rules allocate nothing), Python's division, inlining, no wrappers, fewer passes."""

REFUSED = "gridarium: "
"""Begins what is told to users in numba's errors."""

Prepare = Callable[[Callable[..., Any], tuple[bool, ...]], Callable[..., Any]]
"""`prepare(function, nones)`: a function as numba takes it, given which of its arguments are None."""
_prepare: Prepare
_meaning: Callable[[type], Any]


def use_source_pass(source_pass: Prepare, meaning_of: Callable[[type], Any]) -> None:
    """Set the pass that turns a method's ordinary Python into what numba takes, and what tells what a class means.

    Args:
        source_pass: see `specialise`.
        meaning_of: of a value class, for the program that is being compiled: a hashable thing, equal where all that its
            methods depend on is.
    """
    global _prepare, _meaning
    _prepare, _meaning = source_pass, meaning_of


def prepare(function: Callable[..., Any], nones: tuple[bool, ...]) -> Callable[..., Any]:
    """A function in ordinary Python, as numba takes it, given which of its arguments are None."""
    return _prepare(function, nones)


def meaning(cls: type) -> Any:
    """What the methods of a value class depend on, for the program that is being compiled."""
    return _meaning(cls)


def prepared(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function in ordinary Python, as numba takes it: for twins that choose among some."""
    return prepare(function, (False,) * len(inspect.signature(function).parameters))


def refused(reason: str) -> TypingError:
    """An error that tells a user why something cannot be compiled (see `messages`)."""
    return TypingError(f"{REFUSED}{reason}")


def is_refused(error: Exception) -> bool:
    """Whether an error is about something that cannot be compiled in any way."""
    return REFUSED in str(error)


def twin_of(stub: Any) -> Callable[[Any], Any]:
    """Register how a stub function is compiled, by the types of its arguments (numba's `overload`, our options)."""

    def register_twin(choose: Any) -> Any:
        @functools.wraps(choose)
        def bare(*types_given: Any) -> Any:
            if any(isinstance(t, types.Literal) for t in types_given):
                return None
            chosen = choose(*types_given)
            if chosen is not None:
                chosen.__annotations__ = {}
            return chosen

        parameters = ", ".join(inspect.signature(choose).parameters)
        namespace = {"bare": bare}
        exec(f"def choose({parameters}): return bare({parameters})", namespace)
        overload(stub, jit_options=JIT_OPTIONS)(namespace["choose"])
        return choose

    return register_twin


@twin_of(float)
def _float_of_truth(x: Any) -> Any:
    """Numba's own `float` takes no truth values."""
    return (lambda x: 1.0 if x else 0.0) if isinstance(x, types.Boolean) else None
