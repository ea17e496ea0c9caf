"""Signals that arrive while llvmlite hands over memory to LLVM wait until it has.

A handler that raises in between, as that of Ctrl-C does, would let memory be freed twice, which ends the process later.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from llvmlite.binding import linker, module
from numba.core import codegen

from gridarium.compiled.signals import signals_wait


def _undisturbed(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def call(*given: Any) -> Any:
        with signals_wait():
            return function(*given)

    return call


SIGNAL_SAFE_PATCHES = (
    (module, {"link_modules": _undisturbed(linker.link_modules)}),
    (
        codegen.CPUCodeLibrary,
        {"_finalize_final_module": _undisturbed(codegen.CPUCodeLibrary._finalize_final_module)},
    ),
)
"""The functions of llvmlite and numba that hand over modules, by what holds them, as they are while a world compiles."""
