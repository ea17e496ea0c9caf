"""Fast compilation: optimise once, at the end, and run only the numba passes that rules need.

numba optimises every function by itself and again inside each of its callers. Rules are small functions that are all
inlined into one step, so here inner functions are only linked, and the whole step is optimised once; the types of calls
and attributes are resolved once for the whole step, not at each use. This module and `lowering` use numba's internals;
`pipeline` lists them, and falls back to numba's standard pipeline if they have changed.
"""

from __future__ import annotations

import atexit
import contextlib
import dis
import functools
import gc
import importlib.util
import re
import sys
from collections.abc import Iterable, Iterator
from types import FunctionType
from typing import Any

from llvmlite import binding as llvm
from numba import types
from numba.core import (
    base,
    byteflow,
    cgutils,
    codegen,
    config,
    datamodel,
    errors,
    event,
    funcdesc,
    interpreter,
    ir,
    itanium_mangler,
    ssa,
    transforms,
    typeinfer,
)
from numba.core.compiler_machinery import PassManager
from numba.core.postproc import PostProcessor, VariableLifetime
from numba.core.registry import cpu_target
from numba.core.targetconfig import ConfigStack, TargetConfig
from numba.core.typed_passes import (
    NoPythonBackend,
    NopythonTypeInference,
    PreLowerStripPhis,
)
from numba.core.types.functions import BaseFunction
from numba.core.untyped_passes import (
    DeadBranchPrune,
    FixupArgs,
    GenericRewrites,
    IRProcessing,
    ReconstructSSA,
    RewriteSemanticConstants,
    TranslateByteCode,
)
from numba.np import linalg

from gridarium.compiled.numba_backend import default_values, handing_over, value_types
from gridarium.compiled.numba_backend.inlining import limit_inlining
from gridarium.compiled.numba_backend.lowering import RuleLowering, user_function

NAME = re.compile(r'@"([^"]+)"')
DEFINITION = re.compile(r'^define [^\n]*?@"([^"]+)"(.*?)^}', re.MULTILINE | re.DOTALL)
"""What llvmlite writes for a function: its name, and all up to its end, with the names in quotes that it uses."""
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
UNPACKING = {
    dis.opmap[name]
    for name in (
        "CALL_FUNCTION_EX", "LIST_EXTEND", "DICT_UPDATE", "DICT_MERGE", "MAP_ADD", "LIST_TO_TUPLE", "CALL_INTRINSIC_1",
    )
    if name in dis.opmap
}  # fmt: skip
"""Instructions of Python after which numba tidies up; so it does after `try` and `with`."""
REWRITING = (IRProcessing, DeadBranchPrune, GenericRewrites, ReconstructSSA, PreLowerStripPhis)
"""Those that modify a function and compile no other ones."""


class _Passes(PassManager):
    """A pass manager without timing and checks of passes.

    Passes that modify a function update its analyses themselves.
    """

    def _runPass(self, index: int, step: Any, state: Any) -> None:  # noqa: N802
        step.analysis = self._analysis
        if isinstance(step, REWRITING) and not state.func_ir.is_generator:
            with _patched(PostProcessor, run=_update_analyses):
                step.run_pass(state)
        else:
            step.run_pass(state)
        if isinstance(step, NoPythonBackend):
            _forget_statements(state)


def _update_analyses(process: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
    """Update the analyses of a function after a pass, but for those that only generators and object mode need."""
    function = process.func_ir
    function.blocks = transforms.canonicalize_cfg(function.blocks)
    function.variable_lifetime, function.generator_info = VariableLifetime(function.blocks), None


def _forget_statements(state: Any) -> None:
    """Drop a compiled function's statements, which hold each other in circles: collecting garbage would take longer."""
    state.cr.fndesc.typemap = state.cr.fndesc.calltypes = None
    state.metadata.clear()
    for block in state.func_ir.blocks.values():
        vars(block.scope).clear()


def _forget_instructions(module: Any) -> None:
    """Drop the instructions of a module that LLVM has read, likewise."""
    for function in module.functions:
        for block in function.blocks:
            block.instructions.clear()
            block.terminator = None
        vars(function).clear()
    module.globals.clear()


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


class InnerFunctions:
    """The inner functions of a program: one LLVM module, which LLVM reads once, when the program is linked.

    A later program may call them, too: numba remembers what it has compiled.
    """

    def __init__(self, generator: Any, name: str) -> None:
        self.module: Any = generator._create_empty_module(name)
        self.calls: dict[Any, None] = {}
        """Functions of other programs, and numba's own libraries, that they call."""
        self.names_in: dict[str, list[str]] = {}
        """The names in each function, once all are there: what it calls, and more."""
        self._layout = generator._data_layout

    @functools.cached_property
    def finished(self) -> Any:
        """The module as LLVM reads it; no more functions can be added."""
        limit_inlining(self.module)
        text = str(self.module)
        _forget_instructions(self.module)
        self.module = None
        self.names_in = {name: NAME.findall(body) for name, body in DEFINITION.findall(text)}
        return self._read(text)

    def as_they_are(self) -> Any:
        """The module of those that are there, as LLVM reads it: each is linked only where it is called."""
        return self.finished if self.module is None else self._read(str(self.module))

    def _read(self, text: str) -> Any:
        read = llvm.parse_assembly(cgutils.normalize_ir_text(text))
        read.data_layout = self._layout
        read.verify()
        for function in read.functions:
            if not function.is_declaration:
                function.linkage = "linkonce_odr"
        return read

    def all_called(self) -> list[Any]:
        """These functions and all libraries that they call, directly and indirectly, callers before callees.

        LLVM links a function only if already linked code calls it.
        """
        found: dict[Any, None] = {}

        def visit(library: Any) -> None:
            for called in library.calls if isinstance(library, InnerFunctions) else ():
                if called not in found:
                    visit(called)
            found[library] = None

        visit(self)
        return list(reversed(found))


class InnerLibrary(codegen.JITCodeLibrary):
    """One of numba's libraries, for a function to be inlined elsewhere: it is among the `InnerFunctions` of a program."""

    def __init__(self, generator: Any, name: str, functions: InnerFunctions) -> None:
        codegen.CodeLibrary.__init__(self, generator, name)
        self.functions = functions

    @property
    def codegen(self) -> Any:
        """The code generator."""
        return _NoEnvironment(self._codegen)

    def create_ir_module(self, name: str) -> Any:
        """The module for the instructions of the function."""
        return self.functions.module

    def add_ir_module(self, ir_module: Any) -> None:
        """Nothing to do: the instructions are where they belong."""

    def add_linking_library(self, library: Any) -> None:
        """Note that the function calls one of another library."""
        called = _part_of_program(library)
        if called is not self.functions:
            self.functions.calls[called] = None

    def finalize(self) -> None:
        """Nothing is to be added to the function any more."""
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        """The module with all callees, for a library of numba's own."""
        self._ensure_finalized()
        whole = self.functions.as_they_are().clone()
        _link_called(whole, self.functions)
        return whole


class ProgramLibrary(codegen.JITCodeLibrary):
    """The library of the function that Python calls: linked with all that it calls, optimised once."""

    def finalize(self) -> None:
        """Link everything, optimise it and generate machine code."""
        called = InnerFunctions(self._codegen, "")
        called.calls = dict.fromkeys(map(_part_of_program, self._linking_libraries))
        _link_called(self._final_module, called)
        self._linking_libraries.clear()
        super().finalize()

    def _optimize_final_module(self) -> None:
        self._keep_to_itself()
        # numba's first round only serves reference counting, which is not used
        passes, builder = self._codegen._module_pass_manager()
        if not config.OPT:  # what is not used refers to memory of this process
            passes.add_dead_code_elimination_pass()
            passes.add_global_dead_code_eliminate_pass()
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


def _link_called(module: Any, functions: InnerFunctions) -> None:
    """Link into a module what it calls of the libraries that some functions call."""
    modules = {library: _module_of(library) for library in functions.all_called()[1:]}
    needed = _those_with(module, modules)
    for library, other in modules.items():
        if library in needed:
            module.link_in(other, preserve=True)


def _those_with(module: Any, libraries: Iterable[Any]) -> set[Any]:
    """The libraries with functions that a module calls, directly and indirectly.

    LLVM copies a library before it links one function of it, and the libraries of a long process are many.
    """
    inner = [library for library in libraries if isinstance(library, InnerFunctions)]
    home = {name: library for library in inner for name in library.names_in}
    found = {library for library in libraries if not isinstance(library, InnerFunctions)}
    left, seen = [function.name for function in module.functions if function.is_declaration], set()
    while left:
        name = left.pop()
        if name in home and name not in seen:
            seen.add(name)
            found.add(home[name])
            left += home[name].names_in[name]
    return found


def _part_of_program(library: Any) -> Any:
    return library.functions if isinstance(library, InnerLibrary) else library


def _module_of(part: Any) -> Any:
    return part.finished if isinstance(part, InnerFunctions) else part._get_module_for_linking()


atexit.register(gc.disable)  # else Python collects twice when it ends

_programs: list[tuple[str, InnerFunctions]] = []
"""The entries of the programs that are compiled now, and their functions."""


@contextlib.contextmanager
def optimised_once(entry: str) -> Iterator[None]:
    """Context in which only the library of the function `entry` is optimised; the caller must hold numba's lock."""
    generator = cpu_target.target_context.codegen()
    _programs.append((entry, InnerFunctions(generator, f"functions_of_{entry}")))
    try:
        with (
            _handed_over_undisturbed(),
            default_values.told_apart(),
            _patched(generator, _library_class=_library),
            _undisturbed(),
            _remembering(cpu_target.typing_context),
            _refreshed_if_needed(),
            _cheap_lookups(),
            _short_cuts(),
        ):
            yield
    finally:
        _programs.pop()


@contextlib.contextmanager
def _handed_over_undisturbed() -> Iterator[None]:
    with contextlib.ExitStack() as stack:
        for owner, attributes in handing_over.SIGNAL_SAFE_PATCHES:
            stack.enter_context(_patched(owner, **attributes))
        yield


@contextlib.contextmanager
def _patched(owner: Any, **attributes: Any) -> Iterator[None]:
    """Context in which attributes of one of numba's objects are replaced."""
    before = {name: vars(owner)[name] for name in attributes if name in vars(owner)}
    for name, attribute in attributes.items():
        setattr(owner, name, attribute)
    try:
        yield
    finally:
        for name in attributes:
            if name in before:
                setattr(owner, name, before[name])
            else:
                delattr(owner, name)


def _library(generator: Any, name: str, **more: Any) -> Any:
    """Create a library for a function; one of numba's own if Python can call the function directly."""
    entry, functions = _programs[-1]
    if name.startswith(entry):
        return ProgramLibrary(generator, name, **more)
    flags = ConfigStack.top_or_none()
    if flags is not None and flags.no_cpython_wrapper:
        return InnerLibrary(generator, name, functions, **more)
    return codegen.JITCodeLibrary(generator, name, **more)


_library._unserialize = codegen.JITCodeLibrary._unserialize  # type: ignore[attr-defined]


@contextlib.contextmanager
def _remembering(typing: Any) -> Iterator[None]:
    """Context that caches the types of calls and attributes; there are six times as many uses."""
    ask, of_attribute = BaseFunction.get_call_type, typing.resolve_getattr
    remembered = _remembered(lambda function, *asked: ask(function, typing, *asked))

    def get_call_type(function: Any, context: Any, args: Any, named: Any) -> Any:
        if context is not typing:
            return ask(function, context, args, named)
        while args and isinstance(args[-1], types.Omitted):  # numba would compile the function once more
            args = args[:-1]
        return remembered(function, args, named)

    def resolve_getattr(typed: Any, name: str) -> Any:
        if name == "__call__" and isinstance(typed, BaseFunction | types.Dispatcher):
            return None  # they are called themselves
        return of_attribute(typed, name)

    of_value = typing.resolve_value_type
    of_class = functools.cache(of_value)

    def resolve_value_type(thing: Any) -> Any:
        return of_class(thing) if type(thing) is type else of_value(thing)

    resolve_function_type = _remembered(typing.resolve_function_type)
    with (
        _patched(BaseFunction, get_call_type=get_call_type),
        _patched(
            typing,
            resolve_function_type=resolve_function_type,
            resolve_getattr=_remembered(resolve_getattr),
            resolve_value_type=resolve_value_type,
        ),
    ):
        yield


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
    _load_arrays()
    target, _ = contexts = (cpu_target.target_context, cpu_target.typing_context)
    with _patched(target, refresh=_nothing):  # numba would do so again for each method of a type
        type(target).refresh(target)
    seen: dict[Any, int] = {}
    lists_of = functools.cache(_lists_of)

    def refresh() -> None:
        for context in contexts:
            for registry in list(context._registries):
                if (count := sum(map(len, lists_of(registry)))) != seen.get(registry):
                    seen[registry] = count
                    context.install_registry(registry)

    with _patched(contexts[0], refresh=refresh), _patched(contexts[1], refresh=refresh):
        yield


def _load_arrays() -> None:
    """Import what numba knows of arrays, without scipy.linalg, which it imports only to see that it is there."""
    if "numba.np.arraymath" in sys.modules or importlib.util.find_spec("scipy") is None:
        return
    ensure_blas = linalg.ensure_blas
    with _patched(linalg, ensure_blas=_nothing):
        arraymath = importlib.import_module("numba.np.arraymath")
    arraymath.ensure_blas = ensure_blas  # type: ignore[attr-defined]


@contextlib.contextmanager
def _cheap_lookups() -> Iterator[None]:
    """Context in which numba does not work out with each call what flags are equal, what a function takes, how, and whether it fails."""
    equal, hashed = TargetConfig.__eq__, TargetConfig.__hash__
    hashes: dict[type, int] = {}  # numba hashes the names of the options only

    def hash_of(flags: Any) -> int:
        if type(flags) not in hashes:
            hashes[type(flags)] = hashed(flags)
        return hashes[type(flags)]

    def are_equal(one: Any, other: Any) -> Any:
        return (type(one) is type(other) and one._values == other._values) or equal(one, other)

    packer = functools.cache(datamodel.ArgPacker)

    def get_arg_packer(context: Any, args: Any) -> Any:
        return packer(context.data_model_manager, tuple(args))

    with (
        _patched(TargetConfig, __eq__=are_equal, __hash__=hash_of),
        _patched(base.BaseContext, get_arg_packer=get_arg_packer, mangler=_short_name),
        _patched(base, _has_loc=_takes_loc, user_function=user_function),
        _patched(base.OverloadSelector, _match_arglist=_match),
        _patched(type(types.Type), __instancecheck__=type.__instancecheck__),
    ):
        yield


def _match(
    self: Any, formal_args: Any, actual_args: Any, ask: Any = base.OverloadSelector._match_arglist
) -> bool:
    """Whether types fit declared types or classes of types; numba compares classes with types first."""
    if formal_args and isinstance(formal_args[-1], types.VarArg):
        return bool(ask(self, formal_args, actual_args))
    if len(formal_args) != len(actual_args):
        return False
    for formal, actual in zip(formal_args, actual_args, strict=True):
        if isinstance(formal, type):
            if not isinstance(actual, formal) and not (
                isinstance(actual, type) and issubclass(actual, formal)
            ):
                return False
        elif formal is not actual and formal != actual and formal != types.Any:
            return False
    return True


def _short_name(_: Any, name: str, arguments: Any, *, abi_tags: Any = (), uid: Any = None) -> str:
    """The name of a function for LLVM: its number tells it from all others; numba adds the types of its arguments."""
    if uid is None:
        return funcdesc.default_mangler(name, arguments, abi_tags=abi_tags)
    return itanium_mangler.mangle(name, (), uid=uid)


def _takes_loc(function: Any, ask: Any = base._has_loc) -> Any:
    """Whether a function has a parameter `loc`, without making its signature."""
    if not isinstance(function, FunctionType) or hasattr(function, "__wrapped__"):
        return ask(function)
    code = function.__code__
    return "loc" in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]


@contextlib.contextmanager
def _short_cuts() -> Iterator[None]:
    """Context in which numba lists variables faster, and leaves out what is only for dicts, `with`, `try`, and warnings."""
    post_process = interpreter.Interpreter.post_process

    def tidied_up(self: Any, ways: Any, function: Any) -> Any:
        code = function.func_id.code
        if code.co_exceptiontable or not UNPACKING.isdisjoint(code.co_code[::2]):
            return post_process(self, ways, function)
        return function

    with (
        _patched(interpreter.Interpreter, post_process=tidied_up),
        _patched(ir.Inst, _rec_list_vars=_variables_in),
        _patched(errors.WarningsFixer, catch_warnings=_as_it_is),  # type: ignore[attr-defined]
        _patched(byteflow, _logger=_Silent),
        _patched(ssa, _logger=_Silent),
        _patched(types.BaseTuple, __init__=_begin_tuple),
        _patched(typeinfer.TypeInferer, unify=_unify),
    ):
        yield


def _unify(self: Any, raise_errors: bool = True, ask: Any = typeinfer.TypeInferer.unify) -> Any:
    """The types of a function's variables; what led to them is dropped, likewise."""
    found = ask(self, raise_errors)
    vars(self).clear()
    return found


def _begin_tuple(self: Any, name: str) -> None:
    value_types.check_size(self)
    types.Type.__init__(self, name)


class _Silent:
    """A logger that writes nothing."""

    debug = staticmethod(lambda *_: None)


def _variables_in(_: Any, parts: Any) -> list[Any]:
    """The variables in the parts of an instruction."""
    found: list[Any] = []
    for part in parts.values() if type(parts) is dict else parts:
        if type(part) is ir.Var:
            found.append(part)
        elif isinstance(part, ir.Inst):
            found += part.list_vars()
        elif isinstance(part, list | tuple | dict):
            found += _variables_in(_, part)
    return found


def _as_it_is(*_: Any, **__: Any) -> contextlib.AbstractContextManager[None]:
    return contextlib.nullcontext()


def _lists_of(registry: Any) -> list[list[Any]]:
    return [items for items in vars(registry).values() if isinstance(items, list)]


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """Context without numba's event timing."""
    timing = {} if any(event._registered.values()) else {"start_event": _nothing, "end_event": _nothing}
    with _patched(event, **timing):
        yield


def _nothing(*_: Any, **__: Any) -> None:
    """A replacement for functions of numba that are not needed."""
