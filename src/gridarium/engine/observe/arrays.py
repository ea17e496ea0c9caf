"""Arrays of observations that array rules fill."""

from __future__ import annotations

from typing import Any

from gridarium.compiled.data_types.primitives import fill_words, int64_at, uint8_at
from gridarium.compiled.data_types.vectors import new_integers
from gridarium.world.field_array import FieldArray, Layout
from gridarium.world.state import State


def fill_words_of(
    frame: Any, output_index: int, index: int, state: State, params: Any, *, fill: Any, layout: Layout
) -> None:
    """Fill an array of 64-bit numbers in place."""
    row, used = int64_at(frame[output_index] + index * layout.size * 8, (layout.size,)), state.scratch[0]
    fill_words(row, 0)
    fill(state, FieldArray(row, 0, layout), params)
    state.scratch[0] = used


def fill_bytes(
    frame: Any,
    output_index: int,
    index: int,
    state: State,
    params: Any,
    *,
    fill: Any,
    layout: Layout,
    name: str,
) -> None:
    """Fill an array of bytes, by way of one of 64-bit numbers in scratch memory.

    Raises:
        ValueError: a number does not fit into a byte.
    """
    used = state.scratch[0]
    row = new_integers(state.scratch, layout.size)
    fill(state, FieldArray(row, 0, layout), params)
    out = uint8_at(frame[output_index] + index * layout.size, (layout.size,))
    for i in range(layout.size):
        if not 0 <= row[i] <= 255:
            raise ValueError(f"{name} is an array of uint8: it holds numbers from 0 to 255, not {row[i]}")
        out[i] = row[i]
    state.scratch[0] = used
