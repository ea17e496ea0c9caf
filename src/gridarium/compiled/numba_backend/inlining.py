"""Which functions of a program are not inlined, since they are large and called in many places."""

from __future__ import annotations

import functools
from collections import Counter
from typing import Any

from llvmlite.ir import instructions

MOST, LARGE = 4000, 250
"""Instructions: how many a function may add to a program by its further copies, if each has at least so many with its callees."""


def limit_inlining(module: Any) -> None:
    """Stop inlining the functions whose copies add most to the size of a module, until none adds more than `MOST`.

    LLVM's time grows faster than the size of a function.

    Args:
        module: of llvmlite, with all functions of a program but for its entry.
    """
    functions = {function.name: function for function in module.functions if function.blocks}
    calls = {name: _calls(function, functions) for name, function in functions.items()}
    own = {name: sum(len(b.instructions) for b in f.blocks) for name, f in functions.items()}
    callers: dict[str, list[str]] = {name: [] for name in functions}
    for name, called in calls.items():
        for other in called:
            callers[other].append(name)
    while True:

        @functools.cache
        def size(name: str) -> int:
            """The instructions of a function with all that is inlined into it."""
            inlined = (
                count * size(other) for other, count in calls[name].items() if _is_inlined(functions[other])
            )
            return own[name] + sum(inlined)

        @functools.cache
        def copies(name: str) -> int:
            if not callers[name] or not _is_inlined(functions[name]):
                return 1
            return sum(calls[caller][name] * copies(caller) for caller in callers[name])

        added = {name: (copies(name) - 1) * size(name) for name in functions if size(name) >= LARGE}
        name = max(added, key=added.__getitem__, default="")
        if added.get(name, 0) <= MOST:
            return
        functions[name].attributes.discard("alwaysinline")
        functions[name].attributes.add("noinline")


def _is_inlined(function: Any) -> bool:
    return "alwaysinline" in function.attributes


def _calls(function: Any, functions: dict[str, Any]) -> Counter[str]:
    every = (
        i for block in function.blocks for i in block.instructions if isinstance(i, instructions.CallInstr)
    )
    names = (getattr(call.callee, "name", "") for call in every)  # that of assembly has none
    return Counter(name for name in names if name in functions)
