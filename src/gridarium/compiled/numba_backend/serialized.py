"""Compiled programs as bytes, in numba's terms. Importing this module imports numba.

numba's own cache keeps an index beside each source file, which breaks when it is cut short, and has a place of its own
if an environment variable says so. Here a program has one file, found by a hash of everything that it depends on.
"""

from __future__ import annotations

import contextlib
import os
import pickle
from typing import Any

import llvmlite
import numba
from numba.core import codegen, compiler, serialize
from numba.core.registry import cpu_target
from numba.core.runtime.nrt import rtsys

from gridarium.compiled import store, symbols


def machine() -> tuple[Any, ...]:
    """What compiled code depends on besides its source: numba, LLVM, the processor, and numba's settings."""
    settings = sorted((name, text) for name, text in os.environ.items() if name.startswith("NUMBA_"))
    return (
        numba.__version__,
        llvmlite.__version__,
        cpu_target.target_context.codegen().magic_tuple(),
        settings,
    )


RUNTIME = b"NRT_"
"""Begins the names of numba's functions that manage memory. Rules have no use for them; making them takes time."""


class Kept:
    """Stands for numba's cache of one function: a program found under a key.

    Args:
        key: of the program.
        page: shows its rules, and lies beside it.

    Attributes:
        problem: why the program could not be kept, or empty.
    """

    def __init__(self, key: str, page: str) -> None:
        self.key, self.page, self.problem = key, page, ""
        self._found: Any = None

    def load_overload(self, signature: Any, context: Any) -> Any:
        """The program, or None if it has to be compiled."""
        if self._found is None and (program := store.load(self.key)) is not None:
            symbols.shared()
            if RUNTIME in program:  # loading needs no more of numba; all of it would take half a second
                rtsys.initialize(context)
            # what another version of numba has made may not fit; it is then compiled again
            with contextlib.suppress(Exception):
                self._found = compiler.CompileResult._rebuild(context, *pickle.loads(program))
        return self._found

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keep the program."""
        if compiled.library.has_dynamic_globals:
            self.problem = "it refers to memory of this process"
            return
        try:
            store.save(self.key, serialize.dumps(_needed(compiled)), self.page)
        except OSError as error:
            self.problem = f"{store.folder()}: {error.strerror}"


def _needed(compiled: Any) -> tuple[Any, ...]:
    """What a program is made of, without the environments of the functions in it, which take longest to read.

    They serve calls of the interpreter, and only functions compiled in numba's ordinary way have any (see `lean`).
    """
    parts = compiled._reduce()
    *needed, environments = parts
    ordinary = type(compiled.library) is codegen.JITCodeLibrary
    return parts if ordinary or type(environments) is not tuple else (*needed, ())
