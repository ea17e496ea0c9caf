"""A state as JSON, and back, exactly.

    {
      "vocabulary": {"kinds": ["NoneGridObject", "Floor", "Wall", ...], "colors": [...], "edges": false,
                     "world_fields": [{"name": "heat", "type": "float", "default": 1.5}], ...},
      "objects": [{"kind": "Wall"}, {"kind": "Door", "status": "LOCKED", "color": "YELLOW"}, ...],
      "cells": [[0, 0, 0], ...],
      "agents": [{"position": [1, 2], "orientation": "RIGHT", "holds": {"kind": "Key", "color": "YELLOW"}, ...}],
      "focus": 0,
      "world": {"tick": 3, "episode": 0, "key": "0x...", ..., "fields": {"heat": 2.0}},
      "walls": [[0, 1, 2], ...],
      "cell_fields": {"depth": [[0, 3, 1], ...]}
    }

Cells are indices into the list of objects. Walls are 1 for one on the right edge, plus 2 for one on the lower.
Keys are hexadecimal, since JavaScript has no 64-bit integers. Floats that JSON lacks are written as words.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from gridarium.world.state import State
from gridarium.world.text_form.plain_data import InvalidData
from gridarium.world.text_form.record import from_record, to_record
from gridarium.world.vocabulary import Vocabulary


def to_json(state: State, *, indent: int | None = None) -> str:
    """A state as JSON text. `from_json` restores a state that is `identical` to it."""
    return json.dumps(to_record(state), indent=indent, allow_nan=False, ensure_ascii=False)


def from_json(data: str | bytes | Mapping[str, Any], vocabulary: Vocabulary | None = None) -> State:
    """The state that JSON text, or an object read from it, describes.

    Args:
        data: as `to_json` writes it. Only 'objects', 'cells' and 'agents' are needed.
        vocabulary: the world's; by default the one in the data, or else all kinds and colors.

    Raises:
        ValueError: the data is invalid; the message gives line and column (invalid JSON) or the key, and what is
            allowed.
    """
    record = data if isinstance(data, Mapping) else _read(data)
    return from_record(record, vocabulary)


def _read(data: str | bytes) -> Any:
    try:
        return json.loads(data, object_pairs_hook=_unique)
    except json.JSONDecodeError as error:
        raise ValueError(
            f"line {error.lineno}, column {error.colno}: this is not JSON: {error.msg}"
        ) from None
    except RecursionError:
        raise ValueError("this is not a state: it is nested too deeply") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        names = [name for name, _ in pairs]
        raise InvalidData((next(name for name in names if names.count(name) > 1),), "given twice")
    return record
