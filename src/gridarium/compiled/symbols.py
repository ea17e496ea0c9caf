"""Functions of the C library that compiled programs call by a name of ours."""

from __future__ import annotations

import ctypes
import functools
import sys

from llvmlite import binding as llvm

POWER = "gridarium_power"
"""The library's `pow`, which Python calls: under its own name LLVM puts products in its place, which round otherwise."""


@functools.cache
def share() -> bool:
    """Make the names known in this process, before a program that uses them is compiled or loaded; whether it worked."""
    try:
        library = ctypes.CDLL("ucrtbase" if sys.platform == "win32" else None)
        address = ctypes.cast(library.pow, ctypes.c_void_p).value
    except (OSError, AttributeError):
        return False
    llvm.add_symbol(POWER, address)
    return True
