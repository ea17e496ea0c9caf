"""Compiled twins of the world's primitives. Importing this module imports numba."""

from __future__ import annotations

from typing import Any

from numba import types

from gridarium.compiled import lowering
from gridarium.compiled.specialise import use_resolver
from gridarium.world.agent import Agents
from gridarium.world.cell import Cell
from gridarium.world.geometry import Area, Orientation, Position
from gridarium.world.resolver import WorldResolver
from gridarium.world.vocabulary import everything


def linked(function: Any) -> Any:
    """Mark a twin that is itself compiled from Python."""
    function.__link__ = True
    return function


@linked
def decode(word: Any, vocabulary: Any) -> Any:
    return Cell(word)


def encode(thing: Any, vocabulary: Any) -> Any:
    """See `gridarium.world.cell.encode`."""
    raise NotImplementedError


def make(factory: Any) -> Any:
    """See `gridarium.world.cell.make`."""
    raise NotImplementedError


def row_of(place: Any) -> Any:
    """See `gridarium.world.cell.row_of`."""
    raise NotImplementedError


def column_of(place: Any) -> Any:
    """See `gridarium.world.cell.column_of`."""
    raise NotImplementedError


def heading(number: Any) -> Any:
    """See `gridarium.world.geometry.heading`."""
    raise NotImplementedError


def area(ymin: Any, ymax: Any, xmin: Any, xmax: Any) -> Any:
    """See `gridarium.world.geometry.area`."""
    raise NotImplementedError


def _register() -> None:
    @lowering.twin_of(row_of)
    def _row(place: Any) -> Any:
        pair = isinstance(place, types.BaseTuple) and len(place) == 2
        if not (pair or (isinstance(place, lowering.ValueType) and place.cls is Position)):
            raise lowering.refused(f"a place is a position or (y, x), not {place}")
        return (lambda place: place[0]) if pair else (lambda place: place.y)

    @lowering.twin_of(column_of)
    def _column(place: Any) -> Any:
        return (lambda place: place[1]) if isinstance(place, types.BaseTuple) else (lambda place: place.x)

    cell = lowering.register(Cell)

    @lowering.twin_of(encode)
    def _encode(thing: Any, vocabulary: Any) -> Any:
        if not isinstance(thing, cell):
            raise lowering.refused(f"a cell holds a GridObject, not {thing}")
        return lambda thing, vocabulary: thing.word

    @lowering.twin_of(make)
    def _make(factory: Any) -> Any:
        return (
            (lambda factory: factory()) if isinstance(factory, types.Callable) else (lambda factory: factory)
        )

    @lowering.twin_of(heading)
    def _heading(number: Any) -> Any:
        def build(number: Any) -> Any:
            return Orientation(number)

        return build

    @lowering.twin_of(area)
    def _area(ymin: Any, ymax: Any, xmin: Any, xmax: Any) -> Any:
        def build(ymin: Any, ymax: Any, xmin: Any, xmax: Any) -> Any:
            if ymin > ymax or xmin > xmax:
                raise ValueError("an area's bounds may not decrease")
            return Area(ymin, ymax, xmin, xmax)

        return build

    lowering.register(Orientation)
    lowering.register(Area)
    lowering.register(Agents)  # before `len(state.agents)` is typed: numba does not look again
    use_resolver(WorldResolver(everything(), one_world=False))


_register()
