"""Calls rules that were passed as parameters, whether or not they take random numbers."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from gridarium.compiled.data_types.primitives import compiled_as
from gridarium.compiled.data_types.random import Rng
from gridarium.world.state import State

__for_rules__ = True

RandomNumbers: TypeAlias = Rng | np.random.Generator | None
"""The types that a rule accepts as `rng`; None means the state's own random numbers."""

UnusedRng: TypeAlias = object
"""The type of an `rng` that a rule accepts, so that all built-in rules can be called in the same way (as in gym-gridverse),
but does not use."""


@compiled_as("gridarium.rules.compiled.calling:call_rule")
def call_rule(rule: Callable[..., Any], arguments: tuple[Any, ...], rng: RandomNumbers) -> Any:
    """Return `rule(*arguments, rng=rng)`, or `rule(*arguments)` if the rule declares no `rng`."""
    return rule(*arguments, rng=rng) if takes_rng(rule) else rule(*arguments)


@compiled_as("gridarium.rules.compiled.calling:rng_or_default")
def rng_or_default(state: State, rng: RandomNumbers) -> Any:
    """Return `rng`, or the state's own random numbers if it is None."""
    return state.rng if rng is None else rng


def takes_rng(rule: Callable[..., Any]) -> bool:
    """Whether a rule declares `rng`, and it is not bound already."""
    is_bound = isinstance(rule, functools.partial) and "rng" in rule.keywords
    return not is_bound and _annotation(_plain(rule)) is not _UNDECLARED


def uses_rng(rule: Callable[..., Any]) -> bool:
    """Whether a rule declares `rng`, and not as `UnusedRng`."""
    return _annotation(_plain(rule)) not in (_UNDECLARED, UnusedRng, "UnusedRng")


def _plain(rule: Callable[..., Any]) -> Callable[..., Any]:
    return rule.func if isinstance(rule, functools.partial) else rule


_UNDECLARED = "undeclared"


@functools.lru_cache(1024)
def _annotation(rule: Callable[..., Any]) -> Any:
    """The annotation of a rule's `rng`."""
    declared = inspect.signature(rule, follow_wrapped=False).parameters.get("rng")
    return _UNDECLARED if declared is None else declared.annotation
