"""Lowering of rules to few LLVM instructions: LLVM would remove most of numba's, but reading them takes time.

Importing this module imports numba.
"""

from __future__ import annotations

from collections import defaultdict
from functools import partial
from typing import Any

from numba.core import cgutils, generators, lowering
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


class RuleLower(lowering.Lower):
    """numba's lowering without reference counting and debug information."""

    GeneratorLower = RuleGeneratorLower

    def setup_function(self, fndesc: Any) -> None:
        """Begin a function; all have the same flags, since numba compiles callees once for each set of flags."""
        super().setup_function(fndesc)
        if getattr(self.func_ir.func_id.func, "__outlined__", False):
            self.function.attributes.discard("alwaysinline")
            self.function.attributes.add("noinline")

    def _find_singly_assigned_variable(self) -> None:
        """Find the variables that need no memory: set once, on every path to their uses."""
        self._blk_local_varmap: dict[str, Any] = {}
        self._singly_assigned_vars: set[str] = set()
        if self.generator_info is not None:
            return
        lifetime = self.func_ir.variable_lifetime
        on_the_way, users = lifetime.cfg.dominators(), defaultdict(list)
        for offset, names in lifetime.usedefs.usemap.items():
            for name in names:  # set by other blocks, or in earlier rounds
                users[name].append(offset)
        setters = defaultdict(list)
        for offset, block in self.blocks.items():
            for statement in block.find_insts(statements.Assign):
                setters[statement.target.name].append(offset)
        for name, (first, *others) in setters.items():
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
