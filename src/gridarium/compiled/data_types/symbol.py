"""What compiled code has in the place of a color, a text or a member of an enum."""

from __future__ import annotations

from typing import ClassVar

from gridarium.compiled.values import value


@value
class Symbol:
    """A number that can only be compared with its like: there is no sum, order or truth of it, as there is none in Python."""

    number: int

    __shown_as__: ClassVar[str] = "Symbol"
    __hidden__: ClassVar[tuple[str, ...]] = ("number",)
    __single__: ClassVar[bool] = True
