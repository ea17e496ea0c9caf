"""Helps tests to run one function interpreted and compiled."""

from __future__ import annotations

import functools
import importlib.util
import itertools
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.compiled.compile import compile_standalone
from gridarium.compiled.data_types.primitives import int64_at, trusted, uint32_at
from gridarium.compiled.source_pass.refusals import Refusal
from gridarium.compiled.source_pass.resolver import Resolver
from gridarium.world.state import State
from gridarium.world.vocabulary import Vocabulary

_PLAIN = Resolver()
_numbers = itertools.count()


def compiled(function: Callable[..., Any], /, **bound: Any) -> Any:
    """The compiled twin of a function that takes and returns numbers, arrays and tuples; some parameters bound."""
    return _link(_PLAIN, function, tuple(bound.items()))


def compiled_for(vocabulary: Vocabulary, function: Callable[..., Any], /, **bound: Any) -> Any:
    """The same for a function that knows kinds, colors and actions."""
    from gridarium.world.compiled.resolver import WorldResolver

    return _link(WorldResolver(vocabulary), function, tuple(bound.items()))


@functools.lru_cache(32)
def _link(resolver: Resolver, function: Callable[..., Any], bound: tuple[tuple[str, Any], ...]) -> Any:
    from gridarium.compiled.numba_backend.linker import Linker

    linker = Linker(resolver, inner=True)
    return compile_standalone(
        linker.link_whole(functools.partial(function, **dict(bound)) if bound else function)
    )


def both(function: Callable[..., Any], /, *arguments: Any, **bound: Any) -> Any:
    """What a function returns, after making sure that compiled it returns the same, of the same type."""
    outcome = function(*arguments, **bound)
    again = compiled(function, **bound)(*arguments)
    assert again == outcome or (again != again and outcome != outcome), (
        f"interpreted {outcome}, compiled {again}"
    )
    assert type(again) is type(outcome), f"interpreted {outcome!r}, compiled {again!r}"
    return outcome


def places_of(state: State) -> npt.NDArray[np.int64]:
    """Where the arrays of a state lie, and their sizes, as `state_at` takes them."""
    arrays = (state.cells, state.layers, state.data, state.agent_rows, state.scratch)
    sizes = (*state.layers.shape, state.data.shape[0], *state.agent_rows.shape, state.scratch.shape[0])
    return np.array([*(a.__array_interface__["data"][0] for a in arrays), *sizes, state.focus])


@trusted
def state_at(places: Any, vocabulary: Any) -> State:
    """The state whose arrays lie at `places`, as the engine makes it: for both interpreted and compiled code."""
    height, width, agents = places[6], places[7], places[9]
    return State(
        uint32_at(places[0], (height, width)),
        int64_at(places[1], (places[5], height, width)),
        int64_at(places[2], (places[8],)),
        int64_at(places[3], (agents, places[10])),
        int64_at(places[4], (places[11],)),
        places[12],
        vocabulary,
    )


def imported(folder: Path, text: str) -> ModuleType:
    """A module with this source, in a file in a folder."""
    place = folder / f"refused_{next(_numbers)}.py"
    place.write_text(text)
    found = importlib.util.spec_from_file_location(place.stem, place)
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def linker() -> Any:
    """A linker of its own, for functions without kinds, colors and actions."""
    from gridarium.compiled.numba_backend.linker import Linker

    return Linker(_PLAIN, inner=True)


def refused(function: Any) -> list[tuple[int, str]]:
    """The lines and reasons that are told where a function is refused."""
    try:
        linker().link_whole(function)
    except Refusal as error:
        return [(each.line, each.reason) for each in error.errors]
    return []
