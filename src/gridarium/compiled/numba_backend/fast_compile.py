"""Fast compilation: optimise once, at the end, and run only the numba passes that rules need.

numba optimises every function by itself and again inside each of its callers. Rules are small functions that are all
inlined into one step, so here inner functions are only linked, and the whole step is optimised once; the types of calls
and attributes are resolved once for the whole step, not at each use. This module and `emitting` use numba's internals;
`pipeline` lists them, and falls back to numba's standard pipeline if they have changed.
"""

from __future__ import annotations

import contextlib
import functools
import gc
from collections.abc import Iterator
from typing import Any

from llvmlite import binding as llvm
from numba.core import base, codegen, event
from numba.core.compiler_machinery import PassManager
from numba.core.registry import cpu_target
from numba.core.targetconfig import ConfigStack, TargetConfig
from numba.core.typed_passes import (
    NoPythonBackend,
    NopythonTypeInference,
    PreLowerStripPhis,
)
from numba.core.untyped_passes import (
    DeadBranchPrune,
    FixupArgs,
    GenericRewrites,
    IRProcessing,
    ReconstructSSA,
    RewriteSemanticConstants,
    TranslateByteCode,
)

from gridarium.compiled.numba_backend.emitting import RuleLowering

PASSES = (
    (TranslateByteCode, "analyzing bytecode"),
    (FixupArgs, "fix up args"),
    (IRProcessing, "processing IR"),
    (RewriteSemanticConstants, "rewrite semantic constants"),
    (DeadBranchPrune, "dead branch pruning"),
    (GenericRewrites, "nopython rewrites"),
    (ReconstructSSA, "ssa"),
    (NopythonTypeInference, "nopython frontend"),
    (PreLowerStripPhis, "remove phis nodes"),
    (RuleLowering, "native lowering"),
    (NoPythonBackend, "nopython mode backend"),
)


class _Passes(PassManager):
    """A pass manager without timing and checks of passes.

    Passes that modify a function update its analyses themselves.
    """

    def _runPass(self, index: int, step: Any, state: Any) -> None:  # noqa: N802
        step.analysis = self._analysis
        step.run_pass(state)


def passes() -> PassManager:
    """The nopython pipeline without the passes for closures, object mode, loop lifting and parallel loops."""
    manager = _Passes("rule")
    for step, description in PASSES:
        manager.add_pass(step, description)
    return manager


class _NoEnvironment:
    """A stand-in for the code generator that omits the environment of functions that are never called from Python."""

    def __init__(self, generator: Any) -> None:
        self._generator = generator

    def __getattr__(self, name: str) -> Any:
        return getattr(self._generator, name)

    def set_env(self, name: str, environment: Any) -> None:
        """Nothing to set: the function has no machine code of its own."""


class InnerLibrary(codegen.JITCodeLibrary):
    """A library of functions to be inlined elsewhere: linked, but neither optimised nor compiled to machine code."""

    @property
    def is_outermost(self) -> bool:
        """Whether this is the library of the entry function."""
        return bool(_outermost) and self.name.startswith(_outermost[-1])

    @property
    def codegen(self) -> Any:
        """The code generator."""
        return self._codegen if self.is_outermost else _NoEnvironment(self._codegen)

    def _optimize_functions(self, ll_module: Any) -> None:
        if self.is_outermost:
            super()._optimize_functions(ll_module)
        else:
            ll_module.data_layout = self._codegen._data_layout

    def finalize(self) -> None:
        """Link everything, optimise it and generate machine code; for inner functions this is deferred."""
        if self.is_outermost:
            for library in self._everything_called():
                if hasattr(library, "_reload_init"):  # since numba 0.63
                    self._reload_init.update(library._reload_init)
                self._final_module.link_in(_module_of(library), preserve=True)
            self._linking_libraries.clear()
            super().finalize()
        else:
            self._raise_if_finalized()
            self._finalize_dynamic_globals()
            self._finalized = True

    def _everything_called(self) -> list[Any]:
        """The libraries of all functions that this one calls, directly and indirectly, callers before callees.

        LLVM links a function only if already linked code calls it.
        """
        found: dict[int, Any] = {}

        def visit(library: Any) -> None:
            for called in library._linking_libraries if isinstance(library, InnerLibrary) else ():
                if id(called) not in found:
                    visit(called)
            found[id(library)] = library

        visit(self)
        _, *called = reversed(found.values())
        return called

    def _get_module_for_linking(self) -> Any:
        """The module with all callees, for one of numba's own libraries."""
        if self._shared_module is None:  # type: ignore[has-type]
            whole = self._own_module().clone()
            for library in self._everything_called():
                whole.link_in(_module_of(library), preserve=True)
            self._shared_module = whole
        return self._shared_module

    def _own_module(self) -> Any:
        """The module of the function alone, which can be linked into several others."""
        self._ensure_finalized()
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == llvm.Linkage.external:
                function.linkage = "linkonce_odr"
        return self._final_module

    def _optimize_final_module(self) -> None:
        self._keep_to_itself()
        # numba's first round only serves reference counting, which is not used
        passes, builder = self._codegen._module_pass_manager()
        passes.run(self._final_module, builder)

    def _keep_to_itself(self) -> None:
        """Make all linked functions private, and check that none is missing.

        numba numbers functions from 1 in each process. If programs compiled in several processes are loaded into one,
        functions of the same name would replace each other.
        """
        for function in self._final_module.functions:
            if function.is_declaration:
                if function.name.startswith("_ZN"):  # would be called at address 0
                    raise RuntimeError(f"{function.name} is called and was not linked")
            elif function.linkage == llvm.Linkage.linkonce_odr:
                function.linkage = "internal"


def _module_of(library: Any) -> Any:
    return library._own_module() if isinstance(library, InnerLibrary) else library._get_module_for_linking()


_outermost: list[str] = []


@contextlib.contextmanager
def optimised_once(entry: str) -> Iterator[None]:
    """Context in which only the library of the function `entry` is optimised; the caller must hold numba's lock."""
    generator = cpu_target.target_context.codegen()
    before = generator._library_class
    _outermost.append(entry)
    generator._library_class = _library
    try:
        with (
            _undisturbed(),
            _remembering(cpu_target.typing_context),
            _refreshed_if_needed(),
            _cheap_lookups(),
        ):
            yield
    finally:
        generator._library_class = before
        _outermost.pop()


def _library(generator: Any, name: str, **more: Any) -> Any:
    """Create a library for a function; one of numba's own if Python can call the function directly."""
    flags = ConfigStack.top_or_none()
    inner = flags is not None and flags.no_cpython_wrapper
    kind = InnerLibrary if inner or name.startswith(_outermost[-1]) else codegen.JITCodeLibrary
    return kind(generator, name, **more)


_library._unserialize = codegen.JITCodeLibrary._unserialize  # type: ignore[attr-defined]


@contextlib.contextmanager
def _remembering(typing: Any) -> Iterator[None]:
    """Context that caches the types of calls and attributes; there are six times as many uses."""
    questions = ("resolve_function_type", "resolve_getattr")
    for name in questions:
        setattr(typing, name, _remembered(getattr(typing, name)))
    try:
        yield
    finally:
        for name in questions:
            delattr(typing, name)


def _remembered(resolve: Any) -> Any:
    """Cache successful resolutions. Failed ones may succeed once more of a program is known."""
    answers: dict[Any, Any] = {}

    def answer(typed: Any, asked: Any, *named: Any) -> Any:
        kinds = tuple(map(type, asked))  # 1 and True are not the same
        question = (typed, asked, kinds, tuple(dict(*named).items()))
        try:
            known = answers.get(question)
        except TypeError:  # slices and the like are not hashable
            return resolve(typed, asked, *named)
        if known is None:
            known = answers[question] = resolve(typed, asked, *named)
        return known

    return answer


@contextlib.contextmanager
def _refreshed_if_needed() -> Iterator[None]:
    """Context in which numba refreshes its declarations only if there are new ones, not before each function."""
    contexts = (cpu_target.target_context, cpu_target.typing_context)
    for context in contexts:
        context.refresh()
    seen: dict[Any, int] = {}

    def refresh() -> None:
        for context in contexts:
            for registry in list(context._registries):
                if (count := sum(map(len, filter(_is_list, vars(registry).values())))) != seen.get(registry):
                    seen[registry] = count
                    context.install_registry(registry)

    for context in contexts:
        context.refresh = refresh
    try:
        yield
    finally:
        for context in contexts:
            del context.refresh


@contextlib.contextmanager
def _cheap_lookups() -> Iterator[None]:
    """Context in which numba does not work out anew with each call what flags are equal and what functions take."""
    equal, hashed, has_loc = TargetConfig.__eq__, TargetConfig.__hash__, base._has_loc
    hashes: dict[type, int] = {}  # numba hashes the names of the options only

    def hash_of(flags: Any) -> int:
        if type(flags) not in hashes:
            hashes[type(flags)] = hashed(flags)
        return hashes[type(flags)]

    def are_equal(one: Any, other: Any) -> Any:
        return (type(one) is type(other) and one._values == other._values) or equal(one, other)

    TargetConfig.__eq__, TargetConfig.__hash__, base._has_loc = are_equal, hash_of, functools.cache(has_loc)
    try:
        yield
    finally:
        TargetConfig.__eq__, TargetConfig.__hash__, base._has_loc = equal, hashed, has_loc


def _is_list(items: Any) -> bool:
    return isinstance(items, list)


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """Context without garbage collection (all objects are needed to the end) and without numba's event timing."""
    collecting, broadcast = gc.isenabled(), event.broadcast
    gc.disable()
    if not any(event._registered.values()):
        event.broadcast = _nobody_listens
    try:
        yield
    finally:
        event.broadcast = broadcast
        if collecting:
            _let_new_objects_age()
            gc.enable()


def _let_new_objects_age() -> None:
    """Move all objects to the oldest generation, which takes no time; the next collection would go through the new ones."""
    if not gc.get_freeze_count():  # else somebody keeps objects frozen, who would be surprised
        gc.freeze()
        gc.unfreeze()


def _nobody_listens(event: Any) -> None:
    """A replacement for numba's `event.broadcast` without listeners."""
