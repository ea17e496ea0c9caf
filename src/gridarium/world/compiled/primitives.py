"""Compiled implementations of the world's primitives. Importing this module imports numba."""

from __future__ import annotations

from typing import Any

from numba import types

from gridarium.compiled.data_types.symbol import Symbol
from gridarium.compiled.data_types.value_class import generated
from gridarium.compiled.numba_backend import value_types
from gridarium.compiled.numba_backend.arithmetic import inner
from gridarium.world.acting_agents import ActingAgents
from gridarium.world.actions import NUMBER_MASK, Action
from gridarium.world.agent import Agents
from gridarium.world.cell import Cell, Kind
from gridarium.world.geometry import Area, Orientation, Position


def linked(function: Any) -> Any:
    """Mark a compiled implementation that is itself compiled from Python."""
    function.__link__ = True
    return function


@linked
def to_action(value: Any, vocabulary: Any) -> Any:
    return Action(value)


def duration_of(action: Any, vocabulary: Any) -> Any:
    """See `gridarium.world.action_arguments.duration_of`."""
    raise NotImplementedError


@value_types.overload_of(duration_of)
def _duration_of(action: Any, vocabulary: Any) -> Any:
    table = vocabulary.content.action_table
    lines = ["def ticks(action, vocabulary):", f"    number = action.value & {NUMBER_MASK}"]
    for number, duration in table.durations.items():
        if isinstance(duration, str):
            (over,) = (a for a in table.declared[number] if a.name == duration)
            mask = (1 << over.bits) - 1
            duration = f"max(1, action.value >> {table.shifts[duration]} & {mask})"  # noqa: PLW2901
        lines += [f"    if number == {number}:", f"        return {duration}"]
    return generated("durations", "\n".join([*lines, "    return 1"]) + "\n")


@linked
def decode(word: Any, vocabulary: Any) -> Any:
    return Cell(word)


def encode(thing: Any, vocabulary: Any) -> Any:
    """See `gridarium.world.cell.encode`."""
    raise NotImplementedError


def make(factory: Any) -> Any:
    """See `gridarium.world.cell.make`."""
    raise NotImplementedError


def number_of(color: Any) -> Any:
    """See `gridarium.world.compiled.resolver.number_of`."""
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
    @value_types.overload_of(row_of)
    def _row(place: Any) -> Any:
        pair, found = isinstance(place, types.BaseTuple) and len(place) == 2, inner(place)
        if not (pair or (isinstance(found, value_types.ValueType) and found.cls is Position)):
            raise value_types.refused(f"expected a position or (y, x), got {place}")
        if pair and not all(isinstance(inner(part), types.Integer) for part in place):
            raise value_types.refused(
                "the row and column of a cell are whole numbers; // divides without a fraction, int() cuts it off"
            )
        return (lambda place: place[0]) if pair else (lambda place: place.y)

    @value_types.overload_of(column_of)
    def _column(place: Any) -> Any:
        return (lambda place: place[1]) if isinstance(place, types.BaseTuple) else (lambda place: place.x)

    cell, kind, symbol = map(value_types.register, (Cell, Kind, Symbol))

    @value_types.overload_of(encode)
    def _encode(thing: Any, vocabulary: Any) -> Any:
        if isinstance(thing, kind):
            raise value_types.refused("a class is not an object; call it, as in Floor()")
        if not isinstance(inner(thing), cell):
            raise value_types.refused(f"a cell holds a GridObject, not {thing}")
        return lambda thing, vocabulary: thing.word

    @value_types.overload_of(number_of)
    def _number_of(color: Any) -> Any:
        if not isinstance(inner(color), symbol):
            raise value_types.refused(f"the color of an object is a Color, not {color}")
        return lambda color: color.number

    @value_types.overload_of(make)
    def _make(factory: Any) -> Any:
        if isinstance(factory, kind):
            return lambda factory: Cell(factory.word)
        return (
            (lambda factory: factory()) if isinstance(factory, types.Callable) else (lambda factory: factory)
        )

    @value_types.overload_of(heading)
    def _heading(number: Any) -> Any:
        def build(number: Any) -> Any:
            return Orientation(number)

        return build

    @value_types.overload_of(area)
    def _area(ymin: Any, ymax: Any, xmin: Any, xmax: Any) -> Any:
        def build(ymin: Any, ymax: Any, xmin: Any, xmax: Any) -> Any:
            if ymin > ymax or xmin > xmax:
                raise ValueError("an area's bounds may not decrease")
            return Area(ymin, ymax, xmin, xmax)

        return build

    value_types.register(Orientation)
    value_types.register(Area)
    value_types.register(Agents)  # before `len(state.agents)` is typed: numba does not look again
    value_types.register(ActingAgents)


_register()
