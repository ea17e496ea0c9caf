"""Compile a composed program into one function that Python calls, or load it from the folder of compiled programs.

Importing this module does not import numba; compiling does.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import os
import sys
import time
import types
import warnings
from collections.abc import Callable, Mapping
from typing import Any

from gridarium.compiled.cache import store
from gridarium.compiled.cache.fingerprint import Unhashable, fingerprint
from gridarium.compiled.cache.library_code import library_has_changed
from gridarium.compiled.compiled_program import CompiledProgram
from gridarium.compiled.data_types.value_class import generated
from gridarium.compiled.forks import compiling
from gridarium.compiled.garbage import not_collected
from gridarium.compiled.numba_backend.compiled_functions import functions
from gridarium.compiled.numba_backend.error_messages import explain
from gridarium.compiled.signals import signals_wait
from gridarium.compiled.source_pass.source import Unsupported

ENTRY = '''
def entry(frame_address, slot, first, last, mode):
    """Compiled: do one thing to some worlds of the batch whose frame lies at `frame_address`."""
    return run(int64_at(frame_address, (FRAME_LENGTH,)), slot, first, last, mode)
'''


class CompileError(Exception):
    """A program cannot be compiled; the message gives rule, location and reason in a few lines."""


def compile_program(
    run: Callable[..., int],
    resolver: Any,
    *,
    name: str,
    text: str,
    frame_length: int,
    rules: Mapping[str, Callable[..., Any]] | None = None,
    quiet: bool = False,
) -> CompiledProgram:
    """Compile `run(frame, slot, first, last, mode)` to a function that takes the frame's address.

    Args:
        run: the composed program.
        resolver: the meaning of names in compiled code.
        name: the name of the world, for messages.
        text: the program as Python source, stored next to the compiled code.
        frame_length: the number of words of a frame.
        rules: the rules by name in the text, so that errors are reported at the rule's own location.
        quiet: do not print a line while compiling.

    Raises:
        CompileError: a rule uses something that cannot be compiled, files of the library have changed, or numba is switched off.
    """
    if _numba_is_off():
        raise CompileError("numba's compiler is switched off, by NUMBA_DISABLE_JIT")
    if library_has_changed():
        raise CompileError("Gridarium's own files have changed since this process began; start it again")
    page = text + "\n" + ENTRY.replace("FRAME_LENGTH", str(frame_length))
    with compiling(), not_collected():
        make = functools.partial(
            _compiled, run, resolver, frame_length, page=page, name=name, rules=rules or {}, quiet=quiet
        )
        key, problem = _key(run, resolver, frame_length)
        if key is None:
            entry, _ = make(None)
        else:
            closed = store.usable()
            wait = None if quiet else functools.partial(_say_who_compiles, name)
            with store.only_one(key, wait) if closed is None else contextlib.nullcontext():
                found = _load(key)
                if found is None:
                    found, problem = make(key if closed is None else None)
                    problem = closed or problem
            entry = found
    if problem:
        warnings.warn(f"{name}: the compiled program is not cached on disk ({problem})", stacklevel=3)
    return entry


def _numba_is_off() -> bool:
    return os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")


def _say_who_compiles(name: str) -> None:
    print(f"gridarium: waiting for another process that compiles {name}", file=sys.stderr, flush=True)


@compiling()
def cached_program(run: Callable[..., int], resolver: Any, frame_length: int) -> CompiledProgram | None:
    """Load the compiled form of `run` if it is cached on disk, otherwise return None; see `compile_program`."""
    key, _ = (None, "") if library_has_changed() or _numba_is_off() else _key(run, resolver, frame_length)
    return None if key is None or not store.contains(key) else _load(key)


def _key(run: Any, resolver: Any, frame_length: int) -> tuple[str | None, str]:
    if (problem := store.usable(to_write=False)) is not None:
        return None, problem
    with signals_wait():
        from gridarium.compiled.cache.machine import machine
    try:
        return fingerprint(run, resolver, ENTRY, frame_length, machine()), ""
    except Unhashable as error:
        return None, f"a rule depends on {error}"


def _load(key: str) -> CompiledProgram | None:
    """The program stored under a key."""
    with signals_wait():  # a library that is being imported cannot be imported again once that was broken off
        from gridarium.compiled.numba_backend import machine_code

        return machine_code.load(key)


def _compiled(
    run: Any,
    resolver: Any,
    frame_length: int,
    key: str | None,
    *,
    page: str,
    name: str,
    rules: Any,
    quiet: bool,
) -> tuple[CompiledProgram, str]:
    """Compile the program, in one thread at a time, since compilation modifies state of the process.

    Store it under `key` if there is one; return also why it was not stored.
    """
    with signals_wait():
        from numba.core.compiler_lock import global_compiler_lock

        from gridarium.compiled.numba_backend import machine_code, pipeline

        pipeline.fast_compilation()
    with global_compiler_lock:
        started = time.perf_counter()
        if not quiet:
            print(f"gridarium: compiling {name} ...", end="", file=sys.stderr, flush=True)
        try:
            compiled, ordinary = _compile(
                run, resolver, _entry(frame_length, key or f"uncached_{next(_numbers)}")
            )
            problem = "" if key is None else machine_code.save(key, page, compiled, ordinary=ordinary)
            return machine_code.made(compiled), problem
        except Unsupported as error:
            raise CompileError(str(error)) from None
        except Exception as error:  # numba's, of many classes
            raise CompileError(explain(str(error), rules)) from error
        finally:
            if not quiet:
                print(f" {time.perf_counter() - started:.1f} s", file=sys.stderr, flush=True)


def compile_standalone(linked: Any) -> Callable[..., Any]:
    """Compile a linked function, callable only from compiled code, to one callable from Python.

    The result is self-contained: no symbol in it can clash with those of other compiled code.
    """
    import numba
    from numba.core.compiler_lock import global_compiler_lock

    from gridarium.compiled.numba_backend import pipeline

    def call(*given: Any) -> Any:
        dispatcher, sig = _whole(linked, len(given)), tuple(map(numba.typeof, given))
        if sig not in dispatcher.overloads:
            fast = pipeline.fast_compilation()
            with (
                global_compiler_lock,
                not_collected(),
                fast.optimised_once(dispatcher.__name__) if fast else pipeline.ordinary(),
            ):
                dispatcher.compile(sig)
        return dispatcher(*given)

    return call


@functools.cache
def _whole(linked: Any, count: int) -> Any:
    """What Python calls: it passes its arguments on to a linked function."""
    import numba

    name, arguments = f"whole_{next(_numbers)}", ", ".join(f"a{i}" for i in range(count))
    text = f"def {name}({arguments}):\n    return linked({arguments})\n"
    return numba.njit(**_callable_options())(generated(name, text, linked=linked))


_numbers = itertools.count()


def _callable_options() -> dict[str, Any]:
    from gridarium.compiled.numba_backend import value_types

    return {**value_types.JIT_OPTIONS, "forceinline": False, "no_cpython_wrapper": False}


def _compile(run: Any, resolver: Any, entry: types.FunctionType) -> tuple[Any, bool]:
    """Compile with fast compilation; if that fails, numba's standard pipeline shows whether the rules are the cause.

    That takes long, so types that do not fit are taken for the rules' fault if fast compilation compiles a small program.

    Returns:
        what numba has compiled, and whether by its standard pipeline.
    """
    from numba.core.errors import TypingError

    from gridarium.compiled.numba_backend import pipeline, value_types

    fast = pipeline.fast_compilation()
    if fast is not None:
        try:
            with fast.optimised_once(entry.__name__):
                return _made(run, resolver, entry, shared=True), False
        except Unsupported:
            raise
        except Exception as error:
            is_unfit = isinstance(error, TypingError | NotImplementedError)
            if value_types.is_refused(error) or (is_unfit and _works(fast, resolver)):
                raise
            failed = error
    with pipeline.ordinary():
        compiled = _made(run, resolver, entry)
    if fast is not None:
        pipeline.give_up(failed)
    return compiled, True


def _works(fast: Any, resolver: Any) -> bool:
    """Whether fast compilation compiles a small program."""
    entry = _entry(1, f"sample_{next(_numbers)}")
    try:
        with fast.optimised_once(entry.__name__):
            _made(_sample, resolver, entry)
    except Exception:  # whatever it is, no rule is the cause
        return False
    return True


def _sample(frame: Any, slot: int, first: int, last: int, mode: int) -> int:
    total = 0
    for _ in range(first, last):
        total += int(frame[slot])
        if total < mode:
            raise ValueError("not enough")
    return total


def _made(run: Any, resolver: Any, entry: types.FunctionType, *, shared: bool = False) -> Any:
    import numba

    from gridarium.compiled.numba_backend import intrinsics, value_types
    from gridarium.compiled.numba_backend.linker import Linker

    linker = Linker(resolver, inner=True, shared=functions if shared else None)
    entry.__globals__.update(run=linker.link_whole(run), int64_at=intrinsics.int64_at)
    dispatcher = numba.njit(**{**value_types.JIT_OPTIONS, "forceinline": False})(entry)
    try:
        dispatcher.compile((numba.int64,) * 5)
    except BaseException:
        functions.clear()  # numba remembers what it could not compile
        raise
    functions.trim()
    (compiled,) = dispatcher.overloads.values()
    return compiled


def _entry(frame_length: int, key: str) -> types.FunctionType:
    """Create the function that Python calls, under a unique name, since symbol names are global to the process."""
    text = ENTRY.replace("FRAME_LENGTH", str(frame_length))
    code = next(
        c for c in compile(text, "<gridarium entry>", "exec").co_consts if isinstance(c, types.CodeType)
    )
    name = f"entry_{key}"
    return types.FunctionType(code.replace(co_name=name, co_qualname=name), {"__name__": __name__}, name)
