"""Compiled twins of the world's primitives, and what kinds, colors and actions mean in compiled code."""

from __future__ import annotations

import ast
import functools
from typing import Any

from gridarium.compiled.transform import Resolver
from gridarium.world.agent import Agents
from gridarium.world.cell import Cell
from gridarium.world.colors import Color
from gridarium.world.geometry import Area
from gridarium.world.objects import FLAGS, GridObject
from gridarium.world.vocabulary import Vocabulary, everything


def linked(function: Any) -> Any:
    """Mark a twin that is itself compiled from Python."""
    function.__link__ = True
    return function


@linked
def decode(word: Any, vocabulary: Any) -> Any:
    return Cell(word)


@linked
def encode(thing: Any, vocabulary: Any) -> Any:
    return thing.word


@linked
def make(factory: Any) -> Any:
    return factory


def row_of(place: Any) -> Any:
    """See `gridarium.world.cell.row_of`."""
    raise NotImplementedError


def column_of(place: Any) -> Any:
    """See `gridarium.world.cell.column_of`."""
    raise NotImplementedError


def area(ymin: Any, ymax: Any, xmin: Any, xmax: Any) -> Any:
    """See `gridarium.world.geometry.area`."""
    raise NotImplementedError


def _register() -> None:
    from numba import types

    from gridarium.compiled import lowering
    from gridarium.compiled.specialise import use_resolver

    @lowering.twin_of(row_of)
    def _row(place: Any) -> Any:
        return (lambda place: place[0]) if isinstance(place, types.BaseTuple) else (lambda place: place.y)

    @lowering.twin_of(column_of)
    def _column(place: Any) -> Any:
        return (lambda place: place[1]) if isinstance(place, types.BaseTuple) else (lambda place: place.x)

    @lowering.twin_of(area)
    def _area(ymin: Any, ymax: Any, xmin: Any, xmax: Any) -> Any:
        def build(ymin: Any, ymax: Any, xmin: Any, xmax: Any) -> Any:
            if ymin > ymax or xmin > xmax:
                raise ValueError("an area's bounds may not decrease")
            return Area(ymin, ymax, xmin, xmax)

        return build

    lowering.register(Area)
    lowering.register(Agents)  # before `len(state.agents)` is typed: numba does not look again
    use_resolver(WorldResolver(everything()))


class WorldResolver(Resolver):
    """Turns kinds into tests and constructors on numbers, and colors into their numbers, for one vocabulary."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary

    def __fingerprint__(self) -> list[Any]:
        """What compiled programs depend on (see `gridarium.compiled.fingerprint`)."""
        return [self.vocabulary]

    def constant(self, thing: Any) -> ast.expr | None:
        """Colors as numbers; objects and kinds that need no argument as cells."""
        if isinstance(thing, Color):
            return ast.Constant(self.vocabulary.number_of_color(thing))
        if isinstance(thing, type) and issubclass(thing, GridObject) and not {"status", "content"} & set(thing.parameters()):
            return self.constant(thing())
        if isinstance(thing, GridObject):
            name = ast.Name("Cell", ast.Load())
            name.means = Cell  # type: ignore[attr-defined]
            return ast.Call(name, [ast.Constant(self.vocabulary.encode(thing))], [])
        return super().constant(thing)

    def instance_test(self, subject: ast.expr, classes: tuple[Any, ...]) -> ast.expr | None:
        """One bit test, whatever number of kinds (those that inherit from the given ones count)."""
        if not all(isinstance(c, type) and issubclass(c, GridObject) for c in classes):
            return None
        kind = ast.Attribute(subject, "kind", ast.Load())
        shifted = ast.BinOp(ast.Constant(self.vocabulary.mask_of(classes)), ast.RShift(), kind)
        return ast.Compare(ast.BinOp(shifted, ast.BitAnd(), ast.Constant(1)), [ast.NotEq()], [ast.Constant(0)])

    def callable(self, thing: Any) -> Any | None:
        """The function that makes an object of a kind."""
        if not (isinstance(thing, type) and issubclass(thing, GridObject)):
            return None
        return _maker(thing, self.vocabulary)


@functools.cache
def _maker(kind: type[GridObject], vocabulary: Vocabulary) -> Any:
    bits = {f"{name}_bits": sum(1 << s for s in kind.flags[name]) for name in FLAGS}
    known = {"kind": vocabulary.number_of(kind), **bits}
    if kind.contains:
        return functools.partial(_make_container, **known)
    color = vocabulary.number_of_color(kind.fixed_color)
    if kind.Status is None:
        if not kind.colored:
            return functools.partial(_make_plain, color=color, **known)
        return functools.partial(_make_colored, **known)
    if not kind.colored:
        return functools.partial(_make_with_status, color=color, **known)
    return functools.partial(_make_with_both, **known)


def _make_with_both(status, color=0, *, kind, blocks_movement_bits, blocks_vision_bits, holdable_bits):  # type: ignore[no-untyped-def]
    flags = (((blocks_movement_bits >> status) & 1) << 24) | (((blocks_vision_bits >> status) & 1) << 25)
    return Cell(kind | (status << 8) | (color << 16) | flags | (((holdable_bits >> status) & 1) << 26))


def _make_with_status(status, *, color, kind, blocks_movement_bits, blocks_vision_bits, holdable_bits):  # type: ignore[no-untyped-def]
    flags = (((blocks_movement_bits >> status) & 1) << 24) | (((blocks_vision_bits >> status) & 1) << 25)
    return Cell(kind | (status << 8) | (color << 16) | flags | (((holdable_bits >> status) & 1) << 26))


def _make_colored(color=0, *, kind, blocks_movement_bits, blocks_vision_bits, holdable_bits):  # type: ignore[no-untyped-def]
    flags = ((blocks_movement_bits & 1) << 24) | ((blocks_vision_bits & 1) << 25) | ((holdable_bits & 1) << 26)
    return Cell(kind | (color << 16) | flags)


def _make_plain(*, color, kind, blocks_movement_bits, blocks_vision_bits, holdable_bits):  # type: ignore[no-untyped-def]
    flags = ((blocks_movement_bits & 1) << 24) | ((blocks_vision_bits & 1) << 25) | ((holdable_bits & 1) << 26)
    return Cell(kind | (color << 16) | flags)


def _make_container(content, *, kind, blocks_movement_bits, blocks_vision_bits, holdable_bits):  # type: ignore[no-untyped-def]
    flags = ((blocks_movement_bits & 1) << 24) | ((blocks_vision_bits & 1) << 25) | ((holdable_bits & 1) << 26)
    return Cell(kind | flags | (content.word << 32))


_register()
