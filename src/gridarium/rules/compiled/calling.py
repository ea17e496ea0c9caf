"""Compiled twins of calling one rule from another."""

from __future__ import annotations

import inspect
from typing import Any

from gridarium.compiled import lowering
from gridarium.compiled.values import generated


def call_rule(rule: Any, arguments: Any, rng: Any) -> Any:
    """See `gridarium.rules.calling.call_rule`."""
    raise NotImplementedError


@lowering.twin_of(call_rule)
def _call_rule(rule: Any, arguments: Any, rng: Any) -> Any:
    given = [f"arguments[{i}]" for i in range(len(arguments))]
    if "rng" in inspect.signature(rule.dispatcher.py_func).parameters:
        given.append("rng=rng")
    return generated(
        "call of a rule", f"def call(rule, arguments, rng):\n    return rule({', '.join(given)})\n"
    )


def luck(state: Any, rng: Any) -> Any:
    """See `gridarium.rules.calling.luck`."""
    raise NotImplementedError


@lowering.twin_of(luck)
def _luck(state: Any, rng: Any) -> Any:
    return (lambda state, rng: rng) if isinstance(rng, lowering.ValueType) else (lambda state, rng: state.rng)
