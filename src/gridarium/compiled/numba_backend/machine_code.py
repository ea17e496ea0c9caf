"""Machine code of compiled programs: as bytes, in memory, and called from Python.

Importing this module imports llvmlite, but not numba, which takes longer than everything else that loading a program needs.
numba's own cache has an index next to each source file, which breaks when it is truncated, and depends on an environment
variable. Here a program is one file, found by a hash of everything that it depends on.
"""

from __future__ import annotations

import ctypes
import functools
import pickle
from typing import Any

from llvmlite import binding as llvm

from gridarium.compiled.cache import store
from gridarium.compiled.numba_backend import c_library

OF_C = ("memcpy", "memmove", "memset")
"""Functions that LLVM finds in every process."""
STANDS_ALONE, NEEDS_NUMBA = b"\0", b"\1"
"""How the file of a program begins: whether it calls functions that only numba makes known to LLVM."""

_Kernel = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, *(ctypes.c_int64,) * 5)


class _Raised(ctypes.Structure):
    """How numba describes an exception: its class and arguments, pickled, unless the arguments were computed."""

    _fields_ = (
        ("pickled", ctypes.c_void_p),
        ("size", ctypes.c_int32),
        ("hash", ctypes.c_void_p),
        ("computes", ctypes.c_void_p),
        ("computed", ctypes.c_int32),
    )


class MachineCode:
    """A compiled program in memory, an `CompiledProgram`. Other threads run while it does.

    Args:
        address: of its machine code, which is called as numba calls functions, `int32 (int64 *result, void **exception,
            int64 frame_address, ...)`, and returns 0 unless a rule has raised an exception.
        owner: what keeps the machine code in memory.
    """

    def __init__(self, address: int, owner: object) -> None:
        self.address, self._owner, self._kernel = address, owner, _Kernel(address)

    def __call__(self, frame_address: int, slot: int, first: int, last: int, mode: int, /) -> int:
        """Run it.

        Raises:
            Exception: what a rule has raised.
        """
        result, raised = ctypes.c_int64(), ctypes.c_void_p()
        status = self._kernel(
            ctypes.byref(result), ctypes.byref(raised), frame_address, slot, first, last, mode
        )
        if status != 0:
            raise _exception(raised.value if status > 0 else None)
        return result.value


def _exception(address: int | None) -> Exception:
    if address is not None:
        raised = _Raised.from_address(address)
        if raised.computed <= 0:
            kind, arguments, _ = pickle.loads(ctypes.string_at(raised.pickled, raised.size))
            if isinstance(kind, type) and issubclass(kind, Exception):
                return kind(*(arguments or ()))
    return RuntimeError("a rule raised an exception")


def load(key: str) -> MachineCode | None:
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
    return MachineCode(engine.get_function_address(name.decode()), engine)


@functools.cache
def _begin() -> None:
    """Prepare LLVM for the processor."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()


def made(compiled: Any) -> MachineCode:
    """The entry of a program that numba has compiled."""
    return MachineCode(compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name), compiled)


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
