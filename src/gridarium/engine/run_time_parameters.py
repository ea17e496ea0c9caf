"""Parameters of worlds that can be set between episodes: those that a program reads at run time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.engine.machine import Machine
from gridarium.engine.program import compose
from gridarium.worlds.parameters import parameter_names, path_of, with_parameters
from gridarium.worlds.problems import Path


def new_numbers(
    machine: Machine, given: Mapping[str, Any]
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.int64]]:
    """Which run-time parameters of a program become what.

    Args:
        machine: the composed world.
        given: parameters by their names, as for `gridarium.worlds.with_parameters`.

    Returns:
        columns, numbers: which of `machine.numbers`, and their values; floats by their bits.

    Raises:
        ValueError: there is no such parameter, it cannot have this value, or it is fixed when the world is composed.
        TypeError: parameters that are no mapping, or a value that no description can hold.
    """
    if not isinstance(given, Mapping):
        raise TypeError(f"parameters are given by their names, as {{'time_limit': 50}}, not as {given!r}")
    changed = compose(with_parameters(machine.spec, given), observe=machine.observe)
    found = {name: _columns(machine, path_of(machine.spec, name)) for name in given}
    if None in found.values() or changed.text != machine.program.text:
        fixed = ", ".join([name for name, columns in found.items() if columns is None] or given)
        names = parameter_names(machine.spec)
        free = ", ".join(name for name in names if _columns(machine, path_of(machine.spec, name)))
        raise ValueError(
            f"{fixed} of {machine.name} cannot change between episodes so: make another world; what can: {free}"
        )
    columns = np.array([i for part in found.values() for i in part or ()], np.intp)
    return columns, changed.numbers[columns]


def _columns(machine: Machine, path: Path) -> range | None:
    """Which of the numbers a parameter is; None where it is none of them, or says how large observations are."""
    places = machine.program.places
    place = places.get(path) or places.get(("reset", *path))  # which map it is
    if place is None or path[0] == "observation":
        return None
    return range(len(machine.numbers))[place] or None
