"""The numba pipeline for rules: fast compilation, or numba's standard one if its internals are not as expected.

Importing this module imports numba. All uses of numba beyond its documented extension API are listed in `INSIDE` and
`ATTRIBUTES`, as a test checks.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import warnings
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numba
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import PassManager
from numba.core.typed_passes import PreLowerStripPhis

from gridarium.compiled.numba_backend import default_values
from gridarium.compiled.numba_backend.type_rules import CheckTypes

INSIDE = {
    # fast_compile: libraries that are linked and optimised once
    "numba.core.codegen:JITCodeLibrary": "the class of which `fast_compile` has two: inner functions have no module of their own",
    "numba.core.codegen:CodeLibrary": "what is common to all libraries",
    "numba.core.codegen:Codegen._create_empty_module": "for the module of all inner functions",
    "numba.core.lowering:Lower.lower": "writes into that module",
    "numba.core.codegen:CPUCodeLibrary._optimize_final_module": "is done once, in one round",
    "numba.core.codegen:CPUCodeLibrary._get_module_for_linking": "a function with all that it calls",
    "numba.core.codegen:CPUCodeLibrary._unserialize": "programs read from disk while another compiles",
    "numba.core.codegen:CodeLibrary._ensure_finalized": "as in numba's own `_get_module_for_linking`",
    "numba.core.codegen:Codegen.create_library": "calls `_library_class`, which is replaced while a world compiles",
    "numba.core.codegen:CPUCodegen._module_pass_manager": "the passes of LLVM",
    "numba.core.registry:cpu_target.target_context": "holds the code generator; is refreshed only as needed",
    "numba.core.registry:cpu_target.typing_context": "answers questions after types, each once",
    "numba.core.targetconfig:ConfigStack.top_or_none": "tells functions that Python calls from inner ones",
    "numba.core.targetconfig:TargetConfig.values": "what flags are compared by; equal ones are recognised sooner",
    "numba.core.base:_has_loc": "tells what a function takes, for those whose code does not",
    "numba.core.base:user_function": "calls of functions that cannot fail, without a look at what they report",
    "numba.core.imputils:user_function": "calls of all others",
    "numba.core.base:BaseContext.install_registry": "new declarations, without looking for all of them",
    "numba.core.base:BaseContext.refresh": "what that stands for",
    "numba.core.types.functions:BaseFunction.get_call_type": "what a call returns, each asked once",
    "numba.np.linalg:ensure_blas": "imports scipy.linalg, only to see that it is there",
    "numba.core.postproc:PostProcessor.run": "what is found out about a function after each pass",
    "numba.core.postproc:VariableLifetime": "the part of it that is needed",
    "numba.core.transforms:canonicalize_cfg": "as in `PostProcessor.run`",
    "numba.core.event:start_event": "numba's timing of itself, left out where nobody listens",
    "numba.core.event:end_event": "the same",
    "numba.core.typeinfer:TypeInferer.unify": "leaves circles of objects, which are broken at once",
    "numba.core.base:BaseContext.get_arg_packer": "how arguments of some types are passed, each asked once",
    "numba.core.base:OverloadSelector._match_arglist": "finds what is written for some types, comparing in one loop",
    "numba.core.lowering:Lower.lower_binop": "looks for variants of constants, which only powers have",
    "numba.core.base:BaseContext.mangler": "names of functions for LLVM, which are short here",
    "numba.core.itanium_mangler:mangle": "writes them",
    "numba.core.funcdesc:default_mangler": "writes all other names",
    "numba.core.typing.context:BaseContext.resolve_value_type": "the types of classes, each asked once",
    "numba.core.interpreter:Interpreter.post_process": "is left out where Python's code has nothing for it",
    "numba.core.ir:Inst._rec_list_vars": "the variables of an instruction, listed faster",
    "numba.core.errors:WarningsFixer.catch_warnings": "numba's warnings, not caught at each call",
    "numba.core.types:Omitted.__init__": "defaults that are equal in Python only have types of their own",
    "numba.core.types:BaseTuple.__init__": "tuples of tuples that double are refused",
    "numba.core.compiler_machinery:PassManager._runPass": "passes that are not timed and checked",
    "numba.core.untyped_passes:ReconstructSSA": "and the other passes of `fast_compile.PASSES`",
    "numba.core.codegen:CPUCodeLibrary._finalize_final_module": "hands a module to LLVM, undisturbed by signals",
    # type_rules, arithmetic: what rules may do, by types
    "numba.core.typed_passes:PreLowerStripPhis": "the pass after which `type_rules` runs, whichever way is taken",
    "numba.core.compiler_machinery:register_pass": "makes it a pass",
    "numba.core.ir:Expr": "an operation, for which `type_rules` puts one of `arithmetic`",
    "numba.core.typing.templates:infer_global": "makes an operation known",
    "numba.core.typing.templates:ConcreteTemplate": "with its types",
    # lowering: fewer instructions
    "numba.core.typed_passes:BaseNativeLowering": "the pass that writes LLVM's instructions",
    "numba.core.lowering:Lower._find_singly_assigned_variable": "more variables need no memory",
    "numba.core.lowering:Lower.setup_function": "large functions are not inlined by force",
    "numba.core.lowering:Lower.init": "a function's context gets a calling convention of its own",
    "numba.core.callconv:CPUCallConv": "calls in fewer instructions, otherwise compatible with numba's",
    "numba.core.callconv:CPUCallConv._get_arg_packer": "the arguments of a call",
    "numba.core.callconv:CPUCallConv._get_excinfo_argument": "where a function writes its exception",
    "numba.core.callconv:CPUCallConv._return_errcode_raw": "returns the status of a callee",
    "numba.core.callconv:CPUCallConv.check_try_status": "is left out where there is no `try`",
    "numba.core.callconv:TryStatus": "what it returns",
    "numba.core.cpu:CPUContext.call_conv": "is looked up in the context",
    "numba.core.datamodel.models:StructModel": "structs are passed and returned as one value",
    "numba.core.generators:GeneratorLower": "each compiled generator has a `next` of its own name",
    # compile, machine_code: programs as bytes
    "numba.core.codegen:CPUCodeLibrary._get_compiled_object": "the machine code of a program",
    "numba.core.compiler_lock:global_compiler_lock": "one thread compiles at a time",
    "numba.core.runtime.nrt:rtsys.initialize": "what a program with numba's memory needs before it is loaded",
}
"""The internals of numba that are used, as `module:name`, with their purpose."""

ATTRIBUTES = {
    "_codegen": "of a library: the code generator",
    "_data_layout": "of the code generator: how its processor lays out memory",
    "_final_module": "of a library: its functions in LLVM's terms",
    "_finalized": "of a library: nothing is added any more",
    "_linking_libraries": "of a library: those of the functions that it calls",
    "_library_class": "of the code generator: makes libraries",
    "_registries": "of a context: where declarations are",
    "_registered": "of numba's events: who listens",
    "_analysis": "of a list of passes: what they share",
    "_singly_assigned_vars": "of a lowering: variables that need no memory",
    "_blk_local_varmap": "of a lowering: their values",
    "_CPUCallConv__eh_try_state": "of a builder of instructions: the number of `try` blocks entered, if there are any",
    "_values": "of flags: those that are not the default",
    "_value_key": "of the type of a default: what it is compared by",
}
"""The same for attributes of numba's objects."""

_trouble: list[str] = []


class RuleCompiler(CompilerBase):
    """The compiler of rules and everything they use."""

    def define_pipelines(self) -> list[Any]:
        """One pipeline, fast or ordinary."""
        fast = fast_compilation()
        if fast is None:
            return [_with_check(DefaultPassBuilder.define_nopython_pipeline(self.state))]
        return [_fast_passes(fast)]


@functools.cache
def _fast_passes(fast: Any) -> PassManager:
    return _with_check(fast.passes())


def _with_check(manager: PassManager) -> PassManager:
    manager.add_pass_after(CheckTypes, PreLowerStripPhis)
    manager.finalize()
    return manager


def fast_compilation() -> Any:
    """The module `fast_compile`, or None if numba's standard pipeline is used, as for programs with debug information."""
    settings = numba.config
    if settings.DEBUGINFO_DEFAULT or settings.ENABLE_PROFILING:
        return None
    if not _trouble and (found := _fast_compile()) is not None:
        return found
    return None


def _fast_compile() -> ModuleType | None:
    try:
        return importlib.import_module("gridarium.compiled.numba_backend.fast_compile")
    except Exception as error:  # changes of numba's internals may raise anything
        give_up(error)
        return None


def give_up(error: Exception) -> None:
    """Use numba's standard pipeline from now on in this process, with one warning."""
    if not _trouble:
        _trouble.append(f"{type(error).__name__}: {error}")
        warnings.warn(
            f"worlds compile more slowly than they could: Gridarium's fast compilation does not work with "
            f"numba {numba.__version__} ({_trouble[0].splitlines()[0]})",
            stacklevel=2,
        )


@contextlib.contextmanager
def ordinary() -> Iterator[None]:
    """Context in which numba's standard pipeline is used."""
    _trouble.append("")
    try:
        with default_values.told_apart():
            yield
    finally:
        _trouble.remove("")
