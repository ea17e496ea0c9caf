"""Copy on write: in a compiled step, cells and layers are copied when the first of them changes, which few steps do.

The copy is what rewards and terminations get as the state before the step, and what the world is restored from if a rule
raises. Until it is made, the cells of the world stand for both. Should a rule change one of them while others may still read
it as the state before, the step is run again with a copy made first (see `Runner`). Interpreted, copies are always made first.
"""

from __future__ import annotations

from typing import Any

from gridarium.compiled.data_types.primitives import (
    compiled_as,
    copy_words,
    int64_at,
    outlined,
    uint32_at,
)
from gridarium.compiled.data_types.random import CELLS_COPY, LAYERS_COPY, SHARED, WATCHED

NOT_SHARED, IS_SHARED, COPY_FIRST = range(3)
"""Whether the cells stand for the state before the step, too; the last, that a rule was about to change them then."""


@compiled_as("gridarium.world.compiled.copy_on_write:address_of")
def address_of(cells: Any) -> int:
    """The address of an array (interpreted: 0)."""
    return 0


@compiled_as("gridarium.world.compiled.copy_on_write:is_watched")
def is_watched(cells: Any, scratch: Any) -> bool:
    """Whether an array holds the cells of the world that is stepped, and they have no copy yet (interpreted: False)."""
    return False


def before_change(cells: Any, layers: Any, scratch: Any) -> None:
    """Copy the cells and layers of a world if this is the first change of them in a step; call it before writing to them."""
    if is_watched(cells, scratch):
        copy_before_change(cells, layers, scratch)


@outlined
def copy_before_change(cells: Any, layers: Any, scratch: Any) -> None:
    """Copy cells and layers into the memory of the thread.

    Raises:
        RuntimeError: they stand for the state before the step, too.
    """
    if scratch[SHARED] != NOT_SHARED:
        scratch[SHARED] = COPY_FIRST
        raise RuntimeError("a rule changes cells that are shared with the state before the step")
    scratch[WATCHED] = 0
    copy_words(cells, uint32_at(scratch[CELLS_COPY], (cells.shape[0], cells.shape[1])))
    if layers.shape[0] > 0:
        copy_words(layers, int64_at(scratch[LAYERS_COPY], (layers.shape[0], cells.shape[0], cells.shape[1])))
