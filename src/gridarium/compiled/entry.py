"""Compile a composed program into one function that Python calls, or load it from the folder of compiled programs.

Importing this module does not import numba; compiling does.
"""

from __future__ import annotations

import sys
import time
import types
import warnings
from collections.abc import Callable
from pathlib import Path
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
    run: Callable[..., int], resolver: Any, *, name: str, text: str, frame_length: int, quiet: bool = False
) -> Entry:
    """The compiled twin of `run(frame, slot, first, last, mode)`, taking the frame's address.

    Args:
        run: the composed program.
        resolver: what names mean in compiled code.
        name: of the world, for the progress message.
        text: the program as a page of Python, kept beside the compiled code.
        frame_length: how many words a frame has.
        quiet: do not print a line while compiling.

    Raises:
        CompileError: a rule uses something that cannot be compiled.
    """
    page = text + "\n" + ENTRY.replace("FRAME_LENGTH", str(frame_length))
    key, reason = _key(run, resolver, frame_length)
    if key is None:
        warnings.warn(f"{name}: the compiled program is not kept on disk ({reason})", stacklevel=3)
        return _compile(run, resolver, page, None, name, quiet)
    with store.only_one(key):
        return _compile(run, resolver, page, store.module_file(key, page), name, quiet)


def _key(run: Any, resolver: Any, frame_length: int) -> tuple[str | None, str]:
    if (reason := store.usable()) is not None:
        return None, reason
    try:
        return fingerprint(run, resolver, ENTRY, frame_length), ""
    except Unhashable as error:
        return None, f"a rule depends on {error}"


def _compile(run: Any, resolver: Any, page: str, path: Path | None, name: str, quiet: bool) -> Entry:
    import numba

    from gridarium.compiled import intrinsics, lean, lowering
    from gridarium.compiled.specialise import Linker

    options = {**lowering.JIT_OPTIONS, "forceinline": False, "no_cpython_wrapper": False}
    options["cache"] = path is not None
    signature = (numba.int64,) * 5
    if path is not None:
        kept = numba.njit(**options)(_define(page, path))
        if kept._cache.load_overload(signature, kept.targetctx) is not None:
            kept.compile(signature)
            return kept
    started = time.perf_counter()
    if not quiet:
        print(f"gridarium: compiling {name} ...", end="", file=sys.stderr, flush=True)
    try:
        linked = Linker(resolver, inner=True).link(run)
        entry = _define(page, path)
        entry.__globals__.update(run=linked, int64_at=intrinsics.int64_at)
        dispatcher = numba.njit(**options)(entry)
        with lean.optimised_once("entry"):
            dispatcher.compile(signature)
    except Unsupported as error:
        raise CompileError(str(error)) from None
    except Exception as error:  # numba's, of many classes
        raise CompileError(explain(str(error))) from error
    finally:
        if not quiet:
            print(f" {time.perf_counter() - started:.1f} s", file=sys.stderr, flush=True)
    return dispatcher


def _define(page: str, path: Path | None) -> types.FunctionType:
    filename = "<gridarium program>" if path is None else str(path)
    scope: dict[str, Any] = {"__name__": __name__}
    code = next(c for c in compile(page, filename, "exec").co_consts if getattr(c, "co_name", "") == "entry")
    return types.FunctionType(code, scope, "entry")
