"""Compiled implementations of calling one rule from another."""

from __future__ import annotations

import inspect
from typing import Any

from numba import types

from gridarium.compiled.data_types.value_class import generated
from gridarium.compiled.numba_backend import value_types
from gridarium.compiled.numba_backend.value_members import known


def call_rule(rule: Any, arguments: Any, rng: Any) -> Any:
    """See `gridarium.rules.calling.call_rule`."""
    raise NotImplementedError


@value_types.overload_of(call_rule)
def _call_rule(rule: Any, arguments: Any, rng: Any) -> Any:
    given = [f"arguments[{i}]" for i in range(len(arguments))]
    if "rng" in inspect.signature(rule.dispatcher.py_func).parameters:
        given.append("rng=rng")
    return generated(
        "call of a rule", f"def call(rule, arguments, rng):\n    return rule({', '.join(given)})\n"
    )


def rng_or_default(state: Any, rng: Any) -> Any:
    """See `gridarium.rules.calling.rng_or_default`."""
    raise NotImplementedError


@value_types.overload_of(rng_or_default)
def _luck(state: Any, rng: Any) -> Any:
    if isinstance(rng, types.Optional):
        return lambda state, rng: state.rng if rng is None else known(rng)
    return (
        (lambda state, rng: rng) if isinstance(rng, value_types.ValueType) else (lambda state, rng: state.rng)
    )
