"""Reading what kinds have of their own in compiled code (see `members`). Importing this module imports numba."""

from __future__ import annotations

import functools
from typing import Any

from gridarium.compiled import lowering
from gridarium.compiled.values import generated
from gridarium.compiled.verify import PURE
from gridarium.world.cell import Cell

_CELL_TYPE = lowering.register(Cell)


@functools.cache
def choice(name: str) -> Any:
    """A function `choose(thing, read)` for compiled code: `read(thing)` of an object, `thing.<name>` of all else."""
    choose = generated(f"choose {name}", "def choose(thing, read):\n    raise NotImplementedError\n")
    setattr(choose, PURE, "never")

    @lowering.twin_of(choose)
    def _choose(thing: Any, read: Any) -> Any:
        if isinstance(thing, _CELL_TYPE):
            return lambda thing, read: read(thing)
        return generated(f"attribute {name}", f"def read_directly(thing, read):\n    return thing.{name}\n")

    return choose
