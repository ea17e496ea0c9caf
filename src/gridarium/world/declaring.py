"""What a kind of objects may declare, and what is wrong with a declaration."""

from __future__ import annotations

import difflib
import enum
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from gridarium.world.colors import Color
from gridarium.world.glyphs import RESERVED, is_readable

if TYPE_CHECKING:
    from gridarium.world.objects import GridObject

DECLARED = ("Status", "glyph", "color", "colored", "contains", "blocks_movement", "blocks_vision", "holdable",
            "in_state", "drawing")  # fmt: skip
"""What a kind may declare."""
SETTLED = frozenset(("content", "flags", "parameters", "state", "state_index", "status", "statuses"))
"""What every object has, and no kind has in another way."""
MOST_STATUSES = 16


def check_status(cls: type[GridObject]) -> None:
    """Refuse statuses that are no IntEnum.

    Raises:
        TypeError: what they are.
    """
    given = cls.Status
    if given is not None and not (isinstance(given, type) and issubclass(given, enum.IntEnum)):
        raise TypeError(f"{cls.__name__}.Status is made with `class Status(enum.IntEnum):`, not {given!r}")


def check_declared(cls: type[GridObject], declared: dict[str, Any], *, ours: bool) -> None:
    """Refuse a declaration that would not mean what it seems to.

    Args:
        cls: the kind.
        declared: what its class body holds.
        ours: whether the library declares it.

    Raises:
        TypeError: what is wrong with it.
    """
    numbers = [int(s) for s in cls.statuses()]
    if numbers != list(range(len(numbers))) or len(numbers) > MOST_STATUSES:
        allowed = f"0, 1, 2, ..., at most {MOST_STATUSES}"
        raise TypeError(f"{cls.__name__}.Status must be numbered {allowed}, not {numbers}")
    if not isinstance(cls.glyph, str) or len(cls.glyph) != 1:
        raise TypeError(f"{cls.__name__}.glyph is one character, got {cls.glyph!r}")
    if not ours and "glyph" in declared and (cls.glyph in RESERVED or not is_readable(cls.glyph)):
        raise TypeError(
            f"{cls.__name__}.glyph cannot be {cls.glyph!r}: agents and walls are drawn with {' '.join(RESERVED)} in maps; it is "
            "any other character that is visible and one column wide"
        )
    if not isinstance(cls.fixed_color, Color):
        raise TypeError(f"{cls.__name__}.color is a Color, got {cls.fixed_color!r}")
    if "number" in declared and not ours:
        raise TypeError(f"{cls.__name__}.number: each world numbers its objects itself; leave it out")
    for name in sorted(SETTLED & declared.keys()):
        raise TypeError(
            f"{cls.__name__}.{name} has another meaning: every object has a {name}; choose another name"
        )
    for name in declared:
        near = difflib.get_close_matches(name, DECLARED, 1, 0.8)
        if near and name not in DECLARED and not name.startswith("_"):
            raise TypeError(f"{cls.__name__}.{name} means nothing; did you mean {near[0]}?")
    if isinstance(drawing := declared.get("drawing"), Mapping):
        names = [getattr(s, "name", str(s)) for s in cls.statuses()]
        if surplus := [str(key) for key in drawing if key not in names]:
            raise TypeError(
                f"{cls.__name__}.drawing: {surplus[0]} is none of its statuses: {', '.join(names)}"
            )


def chosen_statuses(cls: type[GridObject], name: str, given: Any) -> frozenset[int]:
    """The statuses for which a flag is true.

    Raises:
        TypeError: the flag is something else than a truth value or a set of the kind's statuses.
    """
    numbers = range(cls.num_states())
    if isinstance(given, bool):
        return frozenset(numbers) if given else frozenset()
    if isinstance(given, set | frozenset | tuple | list):
        members: Iterable[Any] = given
        chosen = frozenset(int(getattr(s, "value", s)) for s in members)
        if chosen <= set(numbers):
            return chosen
    raise TypeError(f"{cls.__name__}.{name} is True, False or a set of its statuses, not {given!r}")
