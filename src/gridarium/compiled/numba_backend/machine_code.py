"""Machine code of compiled programs, in files and in memory.

Importing this module imports llvmlite, but not numba, which takes longer than everything else that loading a program needs.
numba's own cache has an index next to each source file, which breaks when it is truncated, and depends on an environment
variable. Here a program is one file, found by a hash of everything that it depends on.
"""

from __future__ import annotations

import functools
from typing import Any

from llvmlite import binding as llvm

from gridarium.compiled.cache import store
from gridarium.compiled.compiled_program import CompiledProgram
from gridarium.compiled.numba_backend import c_library

OF_C = ("memcpy", "memmove", "memset")
"""Functions that LLVM finds in every process."""
STANDS_ALONE, NEEDS_NUMBA = b"\0", b"\1"
"""How the file of a program begins: whether it calls functions that only numba makes known to LLVM."""


def load(key: str) -> CompiledProgram | None:
    """The program stored under a key, or None if it has to be compiled."""
    program = store.load(key)
    if program is None or program[:1] not in (STANDS_ALONE, NEEDS_NUMBA):
        return None
    name, _, code = program[1:].partition(b"\0")
    c_library.shared()
    if program[:1] == NEEDS_NUMBA:
        from numba.core.registry import cpu_target
        from numba.core.runtime.nrt import rtsys

        rtsys.initialize(cpu_target.target_context)
    _begin()
    target = llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine(jit=True)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), target)  # it becomes the owner of both
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return CompiledProgram(engine, engine.get_function_address(name.decode()))


@functools.cache
def _begin() -> None:
    """Prepare LLVM for the processor."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()


def made(compiled: Any) -> CompiledProgram:
    """The entry of a program that numba has compiled."""
    return CompiledProgram(compiled, compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name))


def save(key: str, page: str, compiled: Any, *, ordinary: bool) -> str:
    """Store a program that numba has compiled, and the source of its rules; return why it cannot be, or an empty text.

    With numba's ordinary way (`ordinary`) functions may depend on memory that numba prepares for them in this process.
    """
    library = compiled.library
    functions = (f.name for f in library._final_module.functions if f.is_declaration)
    foreign = [f for f in functions if not f.startswith(("llvm.", c_library.PREFIX)) and f not in OF_C]
    if library.has_dynamic_globals or (foreign and ordinary):
        return "it refers to memory of this process"
    program = (
        NEEDS_NUMBA if foreign else STANDS_ALONE,
        compiled.fndesc.llvm_func_name.encode(),
        b"\0",
        library._get_compiled_object(),
    )
    try:
        store.save(key, b"".join(program), page)
    except OSError as error:
        return f"{store.folder()}: {error.strerror}"
    return ""
