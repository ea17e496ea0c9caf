"""Calls rules that were passed as parameters, whether or not they take random numbers."""

from __future__ import annotations

import dis
import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from gridarium.compiled.data_types.primitives import compiled_as
from gridarium.compiled.data_types.random import Rng
from gridarium.world.state import State

RandomNumbers: TypeAlias = Rng | np.random.Generator | None
"""The types that a rule accepts as `rng`; None means the state's own random numbers."""


@compiled_as("gridarium.rules.compiled.calling:call_rule")
def call_rule(rule: Callable[..., Any], arguments: tuple[Any, ...], rng: RandomNumbers) -> Any:
    """Return `rule(*arguments, rng=rng)`, or `rule(*arguments)` if the rule declares no `rng`."""
    return rule(*arguments, rng=rng) if takes_rng(rule) else rule(*arguments)


@compiled_as("gridarium.rules.compiled.calling:rng_or_default")
def rng_or_default(state: State, rng: RandomNumbers) -> Any:
    """Return `rng`, or the state's own random numbers if it is None."""
    return state.rng if rng is None else rng


def takes_rng(rule: Callable[..., Any]) -> bool:
    """Whether a rule declares `rng`."""
    return _declares_rng(_plain(rule))


def uses_rng(rule: Callable[..., Any]) -> bool:
    """Whether a rule declares `rng` and reads it: many declare it only to follow a calling convention."""
    return takes_rng(rule) and _reads_rng(_plain(rule))


def _plain(rule: Callable[..., Any]) -> Callable[..., Any]:
    return rule.func if isinstance(rule, functools.partial) else rule


@functools.lru_cache(1024)
def _declares_rng(rule: Callable[..., Any]) -> bool:
    return "rng" in inspect.signature(rule).parameters


@functools.lru_cache(1024)
def _reads_rng(rule: Callable[..., Any]) -> bool:
    code = getattr(rule, "__code__", None)
    if code is None or "rng" in code.co_cellvars:
        return True  # may be read elsewhere
    loads = (step for step in dis.get_instructions(code) if "LOAD" in step.opname)
    return any(
        step.argval == "rng" or (isinstance(step.argval, tuple) and "rng" in step.argval) for step in loads
    )
