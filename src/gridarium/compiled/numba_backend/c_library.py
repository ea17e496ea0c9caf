"""Functions of the C library that compiled programs call under private names.

Python's `math` calls these functions. LLVM knows them by their own names: it evaluates some at compile time, replaces
powers by products, and vectorizes calls, all of which may round differently.
"""

from __future__ import annotations

import ctypes
import functools
import sys

from llvmlite import binding as llvm

PREFIX = "gridarium_"
ONE_NUMBER = (
    *("acos", "acosh", "asin", "asinh", "atan", "atanh", "cbrt", "cos", "cosh", "erf", "erfc", "exp", "exp2"),
    *("expm1", "log", "log10", "log1p", "log2", "sin", "sinh", "tan", "tanh"),
)
TWO_NUMBERS = ("atan2", "fmod", "pow")


@functools.cache
def shared() -> frozenset[str]:
    """Register the names in this process, before a program that uses them is compiled or loaded.

    Return those available.
    """
    try:
        library = ctypes.CDLL("ucrtbase" if sys.platform == "win32" else None)
    except OSError:
        return frozenset()
    found = frozenset(name for name in (*ONE_NUMBER, *TWO_NUMBERS) if hasattr(library, name))
    for name in found:
        llvm.add_symbol(PREFIX + name, ctypes.cast(getattr(library, name), ctypes.c_void_p).value)
    return found
