"""Codes of kinds, statuses and colors in arrays. Names and codes are gym-gridverse's."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gridarium.world.objects import Hidden
from gridarium.world.vocabulary import Vocabulary

STATUS_CODES, COLOR_CODES, CODE_COUNT = 64, 64 + 64 * 16, 64 + 64 * 16 + 64
"""The offsets of the codes of statuses and of colors in a table, and its length."""
NO_CODE = 255


@dataclass(frozen=True)
class Codes:
    """The codes of kinds, statuses and colors in a representation.

    Attributes:
        table: uint8[1152]: a code for each kind, for each (kind, status), for each color; empty if the codes are the
            numbers in the state.
        high: the largest code in each of the three channels.
    """

    table: npt.NDArray[np.uint8]
    high: tuple[int, int, int]


def codes(representation: str, vocabulary: Vocabulary, *, of_state: bool = False) -> Codes:
    """Return the codes of a representation: 'default', 'no-overlap' or 'compact'.

    Codes and bounds are gym-gridverse's, except the bound of statuses in 'default', which is too large by one there.

    Args:
        representation: its name.
        vocabulary: the world's vocabulary.
        of_state: whether they are for whole states, in which nothing is hidden.

    Raises:
        ValueError: a number that does not fit into a byte.
    """
    kinds = {n: k for n, k in vocabulary.kinds.items() if not (of_state and k is Hidden)}
    last_kind, last_color = max(kinds), max(vocabulary.colors)
    statuses = max(k.num_states() for k in kinds.values())
    table = np.zeros(CODE_COUNT, np.uint8)
    if representation == "default":
        return Codes(np.zeros(0, np.uint8), (last_kind, statuses - 1, last_color))
    if representation == "no-overlap":
        first_status, first_color = last_kind + 1, last_kind + statuses + 2
        _refuse_large(representation, first_color + last_color)
        table[:64] = np.arange(64)
        for kind in range(64):
            table[STATUS_CODES + 16 * kind : STATUS_CODES + 16 * kind + 16] = first_status + np.arange(16)
        table[COLOR_CODES:] = first_color + np.arange(64)
        return Codes(table, (last_kind, first_status + statuses, first_color + last_color))
    for code, kind in enumerate(kinds):
        table[kind] = code
    code = len(kinds)
    _refuse_large(
        representation, code + sum(kind.num_states() for kind in kinds.values()) + len(vocabulary.colors) - 1
    )
    for kind, cls in kinds.items():
        for status in range(cls.num_states()):
            table[STATUS_CODES + 16 * kind + status] = code
            code += 1
    last_status = code - 1
    for color in sorted(vocabulary.colors):
        table[COLOR_CODES + color] = code
        code += 1
    return Codes(table, (len(kinds) - 1, last_status, code - 1))


def channel_codes(vocabulary: Vocabulary) -> tuple[npt.NDArray[np.uint8], int]:
    """Return a table of channels, one for each kind, status and color, and their number.

    A group with a single member carries no information and gets no channels (`NO_CODE`).

    Raises:
        ValueError: more channels than fit into a byte.
    """
    statuses = max(kind.num_states() for kind in vocabulary.kinds.values())
    table = np.full(CODE_COUNT, NO_CODE, np.uint8)
    count = 0
    for kind in vocabulary.kinds:
        table[kind] = count
        count += 1
    if statuses > 1:
        for kind in range(64):
            table[STATUS_CODES + 16 * kind : STATUS_CODES + 16 * kind + statuses] = count + np.arange(
                statuses
            )
        count += statuses
    if len(vocabulary.colors) > 1:
        for color in vocabulary.colors:
            table[COLOR_CODES + color] = count
            count += 1
    return table, count


def _refuse_large(representation: str, code: int) -> None:
    if code > 255:
        raise ValueError(
            f"representation {representation} needs {code + 1} numbers for kinds, statuses and colors, and a byte holds 256; "
            "use the default representation"
        )
