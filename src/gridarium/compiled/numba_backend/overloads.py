"""Registers compiled implementations of functions: numba's `overload` with this library's options, and the source pass.

Importing this module imports numba.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeAlias

from numba import types
from numba.core.errors import TypingError
from numba.extending import overload

from gridarium.compiled.numba_backend.pipeline import RuleCompiler

JIT_OPTIONS: dict[str, Any] = {
    "_nrt": False,
    "error_model": "python",
    "forceinline": True,
    "nogil": True,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "pipeline_class": RuleCompiler,
}
"""No reference counting (rules allocate nothing), Python's division, inlining, no wrappers, fewer passes."""

REFUSED = "gridarium: "
"""The prefix of user-facing messages in numba's errors."""

Nones: TypeAlias = tuple[bool | None, ...]
"""Which arguments of a function are None; None where that is known at run time only."""
Prepare = Callable[[Callable[..., Any], Nones], Callable[..., Any]]
"""`prepare(function, nones)`: rewrites a function for numba, given which of its arguments are None."""
_prepare: Prepare
_meaning: Callable[[type], Any]


def set_source_pass(source_pass: Prepare, meaning_of: Callable[[type], Any]) -> None:
    """Set the pass that rewrites methods for numba, and the function that identifies the meaning of a class.

    Args:
        source_pass: see `linker`.
        meaning_of: returns a hashable token for a value class in the current program, equal if all dependencies of its
            methods are.
    """
    global _prepare, _meaning
    _prepare, _meaning = source_pass, meaning_of


def prepare(function: Callable[..., Any], nones: Nones) -> Callable[..., Any]:
    """Rewrite an ordinary Python function for numba, given which of its arguments are None."""
    return _prepare(function, nones)


def meaning(cls: type) -> Any:
    """The token for the dependencies of a value class's methods, in the current program."""
    return _meaning(cls)


def prepared(function: Callable[..., Any]) -> Callable[..., Any]:
    """Rewrite an ordinary Python function for numba, for implementations that select one of several."""
    return prepare(function, (False,) * len(inspect.signature(function).parameters))


def refused(reason: str) -> TypingError:
    """Create an error with a user-facing reason why something cannot be compiled (see `error_messages`)."""
    return TypingError(f"{REFUSED}{reason}")


def is_refused(error: Exception) -> bool:
    """Whether an error reports something that cannot be compiled at all."""
    return REFUSED in str(error)


def overload_of(stub: Any) -> Callable[[Any], Any]:
    """Register the compiled implementation of a stub, by argument types (numba's `overload` with our options)."""

    def register_implementation(choose: Any) -> Any:
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

    return register_implementation


@overload_of(float)
def _float_of_truth(x: Any) -> Any:
    """Register `float` of a bool, which numba's own does not accept."""
    return (lambda x: 1.0 if x else 0.0) if isinstance(x, types.Boolean) else None
