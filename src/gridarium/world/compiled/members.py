"""Reads the attributes that individual kinds define in compiled code (see `members`).

Importing this module imports numba.
"""

from __future__ import annotations

import functools
from typing import Any

from gridarium.compiled.data_types.value_class import generated
from gridarium.compiled.numba_backend import value_types
from gridarium.compiled.numba_backend.mixed_numbers import PURE
from gridarium.world.actions import Action
from gridarium.world.cell import Cell
from gridarium.world.things import Thing


def choice(name: str) -> Any:
    """Return a function `choose(thing, read)`: `read(thing)` of an object or a thing, `thing.<name>` of anything else."""
    return _choice(name, Cell, Thing)


def choice_of_arguments(name: str) -> Any:
    """Return a function `choose(thing, read)`: `read(thing)` of an action, `thing.<name>` of anything else."""
    return _choice(name, Action)


@functools.cache
def _choice(name: str, *classes: type) -> Any:
    kinds = tuple(map(value_types.register, classes))
    choose = generated(f"choose {name}", "def choose(thing, read):\n    raise NotImplementedError\n")
    setattr(choose, PURE, "never")

    @value_types.overload_of(choose)
    def _choose(thing: Any, read: Any) -> Any:
        if isinstance(thing, kinds):
            return lambda thing, read: read(thing)
        return generated(f"attribute {name}", f"def read_directly(thing, read):\n    return thing.{name}\n")

    return choose
