"""Parameters of worlds that can be set between episodes, because programs read them at run time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.engine.composed_world import ComposedWorld
from gridarium.engine.step.program import compose
from gridarium.worlds.entries.problems import Path
from gridarium.worlds.parameters import parameter_names, path_of, with_parameters


def new_params(
    composed: ComposedWorld, given: Mapping[str, Any]
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.int64]]:
    """Resolve parameters to new values of a program's run-time parameters.

    Args:
        composed: the composed world.
        given: parameters by name, as for `gridarium.worlds.with_parameters`.

    Returns:
        columns, params: indices into `composed.params`, and the values; floats as their bits.

    Raises:
        ValueError: an unknown parameter, an invalid value, or one that is fixed when the world is composed.
        TypeError: parameters are not a mapping, or a value has an invalid type.
    """
    if not isinstance(given, Mapping):
        raise TypeError(f"parameters must be a mapping such as {{'time_limit': 50}}, not {given!r}")
    changed = compose(with_parameters(composed.spec, given), observe=composed.observe)
    found = {name: _columns(composed, path_of(composed.spec, name)) for name in given}
    if None in found.values() or changed.text != composed.program.text:
        fixed = ", ".join(name for name, columns in found.items() if columns is None)
        if not fixed:
            raise ValueError(_of_other_types(composed, given))
        names = parameter_names(composed.spec)
        free = ", ".join(name for name in names if _columns(composed, path_of(composed.spec, name)))
        raise ValueError(
            f"{fixed} of {composed.name} cannot change between episodes: create another world; these can: {free}"
        )
    columns = np.array([i for part in found.values() for i in part or ()], np.intp)
    return columns, changed.params[columns]


def _of_other_types(composed: ComposedWorld, given: Mapping[str, Any]) -> str:
    """Which parameters have values of other types than the world's: rules were composed for these."""
    text, spec = composed.program.text, composed.spec
    others = [
        f"{name}={value!r}"
        for name, value in given.items()
        if compose(with_parameters(spec, {name: value}), observe=composed.observe).text != text
    ]
    return (
        f"{', '.join(others)}: {composed.name} was made with another type of value there, and 1 and 1.0 are of different "
        "types; give one of that type, or create another world"
    )


def without(composed: ComposedWorld, given: Mapping[str, Any], others: Mapping[str, Any]) -> dict[str, Any]:
    """Return the given parameters that are not among the others, which may have other names for them."""
    paths = {path_of(composed.spec, name) for name in others}
    return {name: value for name, value in given.items() if path_of(composed.spec, name) not in paths}


def _columns(composed: ComposedWorld, path: Path) -> range | None:
    """The columns of a parameter; None if it is not a run-time parameter, or one of observations, which worlds share."""
    param_slices = composed.program.param_slices
    found = param_slices.get(path) or param_slices.get(("reset", *path))  # the index of the map
    if found is None or path[0] in ("observation", "observations"):
        return None
    return range(len(composed.params))[found] or None
