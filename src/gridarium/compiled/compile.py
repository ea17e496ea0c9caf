"""Compile a composed program into one function that Python calls, or load it from the folder of compiled programs.

Importing this module does not import numba; compiling does.
"""

from __future__ import annotations

import functools
import sys
import time
import types
import warnings
from collections.abc import Callable, Mapping
from typing import Any

from gridarium.compiled import store
from gridarium.compiled.fingerprint import Unhashable, fingerprint
from gridarium.compiled.messages import explain
from gridarium.compiled.source import Unsupported

Entry = Callable[[int, int, int, int, int], int]

ENTRY = '''
def entry(place, slot, first, last, mode):
    """Compiled: do one thing to some worlds of the batch whose frame lies at `place`."""
    return run(int64_at(place, (FRAME_LENGTH,)), slot, first, last, mode)
'''


class CompileError(Exception):
    """A program cannot be compiled; the message says which rule, where and why, in a few lines."""


def compile_program(
    run: Callable[..., int],
    resolver: Any,
    *,
    name: str,
    text: str,
    frame_length: int,
    rules: Mapping[str, Callable[..., Any]] | None = None,
    quiet: bool = False,
) -> Entry:
    """The compiled twin of `run(frame, slot, first, last, mode)`, taking the frame's address.

    Args:
        run: the composed program.
        resolver: what names mean in compiled code.
        name: of the world, for the progress message.
        text: the program as a page of Python, kept beside the compiled code.
        frame_length: how many words a frame has.
        rules: the rules by their names in the text, so that what is wrong with one is told with its own place.
        quiet: do not print a line while compiling.

    Raises:
        CompileError: a rule uses something that cannot be compiled.
    """
    page = text + "\n" + ENTRY.replace("FRAME_LENGTH", str(frame_length))
    make = functools.partial(_compiled, run, resolver, name=name, rules=rules or {}, quiet=quiet)
    key, problem = _key(run, resolver, frame_length)
    if key is None:
        entry = make(_entry(frame_length, "unkept"), None)
    else:
        from gridarium.compiled.kept import Kept

        kept = Kept(key, page)
        with store.only_one(key):
            entry = _loaded(kept, frame_length) or make(_entry(frame_length, key), kept)
        problem = kept.problem
    if problem:
        warnings.warn(f"{name}: the compiled program is not kept on disk ({problem})", stacklevel=3)
    return entry


def kept_program(run: Callable[..., int], resolver: Any, frame_length: int) -> Entry | None:
    """The compiled twin of `run` if it has been compiled before and kept, otherwise None; see `compile_program`."""
    key, _ = _key(run, resolver, frame_length)
    if key is None:
        return None
    from gridarium.compiled.kept import Kept

    entry: Entry | None = _loaded(Kept(key, ""), frame_length)
    return entry


def _key(run: Any, resolver: Any, frame_length: int) -> tuple[str | None, str]:
    if (problem := store.usable()) is not None:
        return None, problem
    from gridarium.compiled.kept import machine

    try:
        return fingerprint(run, resolver, ENTRY, frame_length, machine()), ""
    except Unhashable as error:
        return None, f"a rule depends on {error}"


def _loaded(kept: Any, frame_length: int) -> Any:
    """The program, if it has been compiled before."""
    import numba
    from numba.core.compiler_lock import global_compiler_lock

    dispatcher = numba.njit(_entry(frame_length, kept.key))
    dispatcher._cache = kept
    signature = (numba.int64,) * 5
    with global_compiler_lock:
        if kept.load_overload(signature, dispatcher.targetctx) is None:
            return None
        dispatcher.compile(signature)
    return _bare(dispatcher)


def _compiled(
    run: Any, resolver: Any, entry: types.FunctionType, kept: Any, *, name: str, rules: Any, quiet: bool
) -> Any:
    """The program, newly made; by one thread at a time, for what is made on the way belongs to the process."""
    from numba.core.compiler_lock import global_compiler_lock

    with global_compiler_lock:
        started = time.perf_counter()
        if not quiet:
            print(f"gridarium: compiling {name} ...", end="", file=sys.stderr, flush=True)
        try:
            return _bare(_dispatcher(run, resolver, entry, kept))
        except Unsupported as error:
            raise CompileError(str(error)) from None
        except Exception as error:  # numba's, of many classes
            raise CompileError(explain(str(error), rules)) from error
        finally:
            if not quiet:
                print(f" {time.perf_counter() - started:.1f} s", file=sys.stderr, flush=True)


def as_a_whole(linked: Any) -> Callable[..., Any]:
    """A function that Python can call of a linked one with three parameters that only compiled code can; compiled as programs are.

    In one piece, that is, in which nothing has a name that another piece of compiled code could take for its own.
    """
    import numba
    from numba.core.compiler_lock import global_compiler_lock

    from gridarium.compiled import pipeline

    if linked not in _wholes:
        name = f"whole_{len(_wholes)}"
        code = _whole.__code__.replace(co_name=name, co_qualname=name)
        function = types.FunctionType(code, {"__name__": __name__, "linked": linked}, name)
        _wholes[linked] = numba.njit(**_callable_options())(function)
    dispatcher = _wholes[linked]

    def call(*given: Any) -> Any:
        sig = tuple(map(numba.typeof, given))
        if sig not in dispatcher.overloads:
            lean = pipeline.lean_way()
            with (
                global_compiler_lock,
                lean.optimised_once(dispatcher.__name__) if lean else pipeline.ordinary(),
            ):
                dispatcher.compile(sig)
        return dispatcher(*given)

    return call


def _whole(a: Any, b: Any, c: Any) -> Any:
    return linked(a, b, c)  # type: ignore[name-defined]  # noqa: F821


_wholes: dict[Any, Any] = {}


def _callable_options() -> dict[str, Any]:
    from gridarium.compiled import lowering

    return {**lowering.JIT_OPTIONS, "forceinline": False, "no_cpython_wrapper": False}


def _dispatcher(run: Any, resolver: Any, entry: types.FunctionType, kept: Any) -> Any:
    """The program, made the lean way; where that fails, numba's ordinary way shows whether the rules are to blame."""
    from gridarium.compiled import lowering, pipeline

    lean = pipeline.lean_way()
    if lean is not None:
        try:
            with lean.optimised_once(entry.__name__):
                return _made(run, resolver, entry, kept)
        except Unsupported:
            raise
        except Exception as error:
            if lowering.is_refused(error):
                raise
            failed = error
    with pipeline.ordinary():
        dispatcher = _made(run, resolver, entry, kept)
    if lean is not None:
        pipeline.give_up(failed)
    return dispatcher


def _made(run: Any, resolver: Any, entry: types.FunctionType, kept: Any) -> Any:
    import numba

    from gridarium.compiled import intrinsics
    from gridarium.compiled.specialise import Linker

    entry.__globals__.update(run=Linker(resolver, inner=True).link_whole(run), int64_at=intrinsics.int64_at)
    dispatcher = numba.njit(**_callable_options())(entry)
    if kept is not None:
        dispatcher._cache = kept
    dispatcher.compile((numba.int64,) * 5)
    return dispatcher


def _bare(dispatcher: Any) -> Any:
    """What the dispatcher would call after a look at the types of the arguments, which are always the same here."""
    (compiled,) = dispatcher.overloads.values()
    return compiled.entry_point


def _entry(frame_length: int, key: str) -> types.FunctionType:
    """The function that Python calls, under a name of its own: in a process there is one place for each name."""
    text = ENTRY.replace("FRAME_LENGTH", str(frame_length))
    code = next(
        c for c in compile(text, "<gridarium entry>", "exec").co_consts if isinstance(c, types.CodeType)
    )
    name = f"entry_{key}"
    return types.FunctionType(code.replace(co_name=name, co_qualname=name), {"__name__": __name__}, name)
