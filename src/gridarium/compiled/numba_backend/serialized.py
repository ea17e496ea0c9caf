"""Serializes compiled programs for numba. Importing this module imports numba.

numba's own cache has an index next to each source file, which breaks when it is truncated, and depends on an
environment variable. Here a program is one file, found by a hash of everything that it depends on.
"""

from __future__ import annotations

import contextlib
import pickle
from typing import Any

from numba.core import codegen, compiler, serialize
from numba.core.runtime.nrt import rtsys

from gridarium.compiled.cache import store
from gridarium.compiled.numba_backend import c_library

RUNTIME = b"NRT_"
"""The prefix of numba's memory management functions. Rules do not need them, and creating them takes time."""


class SerializedProgram:
    """A replacement for numba's cache of one function: a program stored under a key.

    Args:
        key: the key of the program.
        page: the source of its rules, stored next to it.

    Attributes:
        problem: why the program could not be cached, or empty.
    """

    def __init__(self, key: str, page: str) -> None:
        self.key, self.page, self.problem = key, page, ""
        self._found: Any = None

    def load_overload(self, signature: Any, context: Any) -> Any:
        """The program, or None if it has to be compiled."""
        if self._found is None and (program := store.load(self.key)) is not None:
            c_library.shared()
            if RUNTIME in program:  # loading needs no other part of numba; all of it would take half a second
                rtsys.initialize(context)
            # the output of another version of numba may be incompatible; it is then compiled again
            with contextlib.suppress(Exception):
                self._found = compiler.CompileResult._rebuild(context, *pickle.loads(program))
        return self._found

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Store the program."""
        if compiled.library.has_dynamic_globals:
            self.problem = "it refers to memory of this process"
            return
        try:
            store.save(self.key, serialize.dumps(_needed(compiled)), self.page)
        except OSError as error:
            self.problem = f"{store.folder()}: {error.strerror}"


def _needed(compiled: Any) -> tuple[Any, ...]:
    """The parts of a program, without the environments of its functions, which take longest to read.

    Environments serve calls to the interpreter, and only functions compiled with numba's standard pipeline have any
    (see `fast_compile`).
    """
    parts = compiled._reduce()
    *needed, environments = parts
    ordinary = type(compiled.library) is codegen.JITCodeLibrary
    return parts if ordinary or type(environments) is not tuple else (*needed, ())
