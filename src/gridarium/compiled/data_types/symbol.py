"""Symbols: the compiled representation of colors, strings and enum members."""

from __future__ import annotations

from typing import ClassVar

from gridarium.compiled.data_types.value_class import value


@value
class Symbol:
    """A number that supports only comparison with other symbols: no arithmetic, order or truth value, as in Python."""

    number: int

    __shown_as__: ClassVar[str] = "Symbol"
    __hidden__: ClassVar[tuple[str, ...]] = ("number",)
    __single__: ClassVar[bool] = True
