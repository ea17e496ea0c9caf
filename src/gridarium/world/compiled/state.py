"""Compiled implementations of the state's primitives."""

from __future__ import annotations

import struct
from typing import Any

from gridarium.compiled.data_types.primitives import plain_float
from gridarium.compiled.data_types.value_class import generated
from gridarium.compiled.numba_backend import value_types
from gridarium.world.state import State
from gridarium.world.vocabulary import AGENT_FIELDS, DATA_FIELDS, Field, located

_STATE_TYPE = value_types.register(State)


def is_state(thing: Any) -> bool:
    """See `gridarium.world.state.is_state`."""
    raise NotImplementedError


@value_types.overload_of(is_state)
def _is_state(thing: Any) -> Any:
    return (lambda thing: True) if isinstance(thing, _STATE_TYPE) else (lambda thing: False)


def set_defaults(state: Any) -> None:
    """See `gridarium.world.state.set_defaults`."""
    raise NotImplementedError


@value_types.overload_of(set_defaults)
def _set_defaults(state: Any) -> Any:
    vocabulary = state.member("vocabulary").content
    lines = ["def assign(state):", "    pass"]
    for first, field in located(vocabulary.world_fields, DATA_FIELDS):
        lines += default_lines("state.data", first, field, "    ")
    if vocabulary.agent_fields:
        lines.append("    for a in range(state.agent_rows.shape[0]):")
        for first, field in located(vocabulary.agent_fields, AGENT_FIELDS):
            lines += default_lines("state.agent_rows", first, field, "        ", "a, ")
    for i, f in enumerate(vocabulary.cell_fields, vocabulary.first_cell_field):
        lines.append("    for y in range(state.cells.shape[0]):")
        lines.append("        for x in range(state.cells.shape[1]):")
        lines.append(f"            state.layers[{i}, y, x] = {bits(f)}")
    return generated("field defaults", "\n".join(lines) + "\n")


def default_lines(row: str, first: int, field: Field, indent: str, before: str = "") -> list[str]:
    """The source that sets a field of a row to its default; `before` is written before its index."""
    if not field.shape:
        return [f"{indent}{row}[{before}{first}] = {bits(field)}"]
    return [
        f"{indent}for i in range({first}, {first + field.size}):",
        f"{indent}    {row}[{before}i] = {bits(field)}",
    ]


def bits(field: Field) -> int:
    """A field's default as the int64 that the state holds."""
    if field.type == "float":
        number: int = struct.unpack("<q", struct.pack("<d", plain_float(float(field.default))))[0]
        return number
    return int(bool(field.default)) if field.type == "bool" else int(field.default)
