"""Lowering of rules to few LLVM instructions: LLVM would remove most of numba's, but reading them takes time.

Importing this module imports numba.
"""

from __future__ import annotations

import operator
from collections import defaultdict
from functools import partial
from typing import Any

from llvmlite.ir import instructions
from numba import types
from numba.core import callconv, cgutils, cpu, generators, imputils, lowering
from numba.core import ir as statements
from numba.core.compiler_machinery import register_pass
from numba.core.errors import LoweringError, new_error_context  # type: ignore[attr-defined]
from numba.core.typed_passes import BaseNativeLowering


class RuleGeneratorLower(generators.GeneratorLower):
    """numba's lowering of generators, with a unique name of `next` for each compilation of a generator.

    numba derives the name only from the function and its types. If a generator is compiled twice in a process (for
    other flags, or with a state of other types), one `next` would be linked for both.
    """

    def __init__(self, lower: Any) -> None:
        super().__init__(lower)
        self.gendesc.mangled_name += f".{self.fndesc.uid}"


class RuleCallConv(callconv.CPUCallConv):
    """numba's calling convention, with fewer instructions per call.

    A callee writes exceptions to where its caller does, and of its status only the code is looked at.
    """

    def call_function(
        self, builder: Any, callee: Any, resty: Any, argtys: Any, args: Any, attrs: Any = None
    ) -> Any:
        """Call a compiled function; returns its status and its result, which is undefined in case of an error."""
        if not _passes_on(builder):
            return super().call_function(builder, callee, resty, argtys, args, attrs)
        result = _uninitialised(builder, self.get_return_type(resty).pointee)
        given = self._get_arg_packer(argtys).as_arguments(builder, args)
        raised = self._get_excinfo_argument(builder.function)
        code = builder.call(callee, [result, raised, *given], attrs=attrs or ())
        value = self.context.get_returned_value(builder, resty, builder.load(result))
        return _Status(builder, code, isinstance(resty, types.Optional)), value

    def return_status_propagate(self, builder: Any, status: Any) -> None:
        """Return the error of a callee."""
        if isinstance(status, _Status):
            self._return_errcode_raw(builder, status.code)
        else:
            super().return_status_propagate(builder, status)

    def check_try_status(self, builder: Any) -> Any:
        """Whether the function is in a `try`; it has none up to here, unless it counts them."""
        if _counts_tries(builder):
            return super().check_try_status(builder)
        return callconv.TryStatus(in_try=cgutils.false_bit, excinfo=None)


def _uninitialised(builder: Any, kind: Any) -> Any:
    """Memory that is written before it is read."""
    with builder.goto_entry_block():
        return builder.alloca(kind)


def _counts_tries(builder: Any) -> bool:
    return hasattr(builder, "_CPUCallConv__eh_try_state")


def _passes_on(builder: Any) -> bool:
    """Whether a function passes all errors on to its caller: it is no wrapper, and not in a `try`."""
    _, *raised = builder.function.args[:2]
    is_compiled = bool(raised) and raised[0].type == callconv.excinfo_ptr_t.as_pointer()
    return is_compiled and not _counts_tries(builder)


def user_function(description: Any, libraries: Any) -> Any:
    """Numba's code for calls of a compiled function, without a look at the status of one that cannot fail."""
    ordinary = imputils.user_function(description, libraries)
    if not all(getattr(library, "cannot_fail", False) for library in libraries):
        return ordinary

    def call(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        if not _passes_on(builder):
            return ordinary(context, builder, sig, args)
        callee = context.declare_function(builder.module, description)
        given = builder, callee, description.restype, description.argtypes, args
        return context.call_conv.call_function(*given)[1]

    call.signature, call.libs = ordinary.signature, ordinary.libs  # type: ignore[attr-defined]
    return call


class _Status:
    """The status of a call. Conditions are written where they are asked for.

    Args:
        builder: writes instructions.
        code: what the function has returned.
        may_be_none: whether the function can return None as well as values of another type.
    """

    def __init__(self, builder: Any, code: Any, may_be_none: bool) -> None:
        self.code, self._builder, self._may_be_none = code, builder, may_be_none

    def _is(self, code: Any) -> Any:
        return self._builder.icmp_signed("==", self.code, code)

    @property
    def is_none(self) -> Any:
        return self._is(callconv.RETCODE_NONE)

    @property
    def is_stop_iteration(self) -> Any:
        return self._is(callconv.RETCODE_STOPIT)

    @property
    def is_ok(self) -> Any:
        has_value = self._is(callconv.RETCODE_OK)
        return self._builder.or_(has_value, self.is_none) if self._may_be_none else has_value

    @property
    def is_error(self) -> Any:
        if self._may_be_none:
            return self._builder.not_(self.is_ok)
        return self._builder.icmp_signed("!=", self.code, callconv.RETCODE_OK)


class RuleContext(cpu.CPUContext):
    """numba's context of a function, with this module's calling convention."""

    @property
    def call_conv(self) -> RuleCallConv:
        """The calling convention."""
        return RuleCallConv(self)


class RuleLower(lowering.Lower):
    """numba's lowering without reference counting and debug information."""

    GeneratorLower = RuleGeneratorLower

    def init(self) -> None:
        """Use this module's calling convention; the context is this function's own copy."""
        super().init()
        self.context.__class__ = RuleContext

    def lower(self) -> None:
        """Write a function's instructions; of one where that fails, none are left in the module, which is others', too."""
        self._begun: list[Any] = []
        try:
            super().lower()
        except BaseException:
            for function in self._begun:
                function.blocks.clear()
            raise

    def setup_function(self, fndesc: Any) -> None:
        """Begin a function; all have the same flags, since numba compiles callees once for each set of flags."""
        outlined = getattr(self.func_ir.func_id.func, "__outlined__", False)
        fndesc.inline = fndesc.inline and not outlined  # callers declare it by this, too
        super().setup_function(fndesc)
        self._begun.append(self.function)
        if outlined:
            self.function.attributes.add("noinline")

    def lower_normal_function(self, fndesc: Any) -> None:
        """Write the instructions of a function, and note whether it cannot fail."""
        super().lower_normal_function(fndesc)
        ends = (block.terminator for block in self.function.blocks)
        codes = [end.operands[0] for end in ends if isinstance(end, instructions.Ret)]
        self.library.cannot_fail = all(code is callconv.RETCODE_OK for code in codes)

    def _find_singly_assigned_variable(self) -> None:
        """Find the variables that need no memory: set once, on every path to their uses, without a `yield` between."""
        self._blk_local_varmap: dict[str, Any] = {}
        self._singly_assigned_vars: set[str] = set()
        lifetime = self.func_ir.variable_lifetime
        on_the_way, users = lifetime.cfg.dominators(), defaultdict(list)
        for offset, names in lifetime.usedefs.usemap.items():
            for name in names:  # set by other blocks, or in earlier rounds
                users[name].append(offset)
        setters, yielding = defaultdict(list), set()
        for offset, block in self.blocks.items():
            for statement in block.find_insts(statements.Assign):
                setters[statement.target.name].append(offset)
                if isinstance(statement.value, statements.Yield):
                    yielding.add(offset)
        for name, (first, *others) in setters.items():
            if self.generator_info is not None and (users[name] or first in yielding):
                continue
            if not others and all(first < user and first in on_the_way[user] for user in users[name]):
                self._singly_assigned_vars.add(name)

    def lower_block(self, block: Any) -> None:
        """Write the instructions of a block; errors are reported with their location."""
        self.pre_block(block)
        for statement in block.body:
            self.loc = statement.loc
            try:
                self.lower_inst(statement)
            except Exception:
                context = {
                    "inst": statement,
                    "loc": self.loc,
                    "errcls_": partial(LoweringError, loc=self.loc),
                }
                with new_error_context('lowering "{inst}" at {loc}', **context):
                    raise
        self.post_block(block)

    def lower_inst(self, statement: Any) -> None:
        """Write the instructions of a statement, without text for debugging."""
        if isinstance(statement, statements.Assign):
            name = statement.target.name
            self.storevar(self.lower_assign(self.typeof(name), statement), name)
        else:
            super().lower_inst(statement)

    def lower_binop(self, resty: Any, expr: Any, op: Any) -> Any:
        """Write an operation; for constants, numba looks for others first, which it has for powers only."""
        if op in (operator.pow, operator.ipow):
            return super().lower_binop(resty, expr, op)
        context, signature = self.context, self.fndesc.calltypes[expr]
        operands = [
            context.cast(self.builder, self.loadvar(side.name), self.typeof(side.name), needed)
            for side, needed in zip((expr.lhs, expr.rhs), signature.args, strict=True)
        ]
        function = context.typing_context.resolve_value_type(op)
        found = function.get_call_type(context.typing_context, signature.args, {})
        result = context.get_function(function, found)(self.builder, operands)
        return context.cast(self.builder, result, signature.return_type, resty)

    def storevar(self, value: Any, name: str, argidx: int | None = None) -> None:
        """Set a variable without releasing its last value."""
        if name in self._singly_assigned_vars:
            self._blk_local_varmap[name] = value
        else:
            self.builder.store(value, self.getvar(name))

    def delvar(self, name: str) -> None:
        """Nothing to do."""

    def alloca_lltype(self, name: str, lltype: Any, datamodel: Any = None) -> Any:
        """Allocate memory for a variable, without debug information."""
        return cgutils.alloca_once(self.builder, lltype, name=name)


@register_pass(mutates_CFG=True, analysis_only=False)
class RuleLowering(BaseNativeLowering):
    """The numba pass that uses this lowering."""

    _name = "rule_lowering"
    lowering_class = RuleLower
