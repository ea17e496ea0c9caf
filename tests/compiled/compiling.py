"""Helps tests to run one function interpreted and compiled."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from gridarium.compiled.transform import Resolver
from gridarium.world.vocabulary import Vocabulary


def compiled(function: Callable[..., Any], **bound: Any) -> Any:
    """The compiled twin of a function that takes and returns numbers, arrays and tuples; some parameters bound."""
    return _link(Resolver(), function, bound)


def compiled_for(words: Vocabulary, function: Callable[..., Any], **bound: Any) -> Any:
    """The same for a function that knows kinds, colors and actions."""
    from gridarium.world.twins import WorldResolver

    return _link(WorldResolver(words), function, bound)


def _link(resolver: Resolver, function: Callable[..., Any], bound: dict[str, Any]) -> Any:
    from gridarium.compiled.specialise import Linker

    return Linker(resolver).link(functools.partial(function, **bound) if bound else function)


def both(function: Callable[..., Any], *arguments: Any, **bound: Any) -> Any:
    """What a function returns, after making sure that compiled it returns the same, of the same type."""
    outcome = function(*arguments, **bound)
    again = compiled(function, **bound)(*arguments)
    assert again == outcome or (again != again and outcome != outcome), f"interpreted {outcome}, compiled {again}"
    assert type(again) is type(outcome), f"interpreted {outcome!r}, compiled {again!r}"
    return outcome
