"""The compiled representation of a cell or a held object: one integer, with the same attributes as a `GridObject`."""

from __future__ import annotations

from collections.abc import Callable
from operator import index
from typing import Any, ClassVar, TypeAlias

from gridarium.compiled.data_types.primitives import compiled_as
from gridarium.compiled.data_types.symbol import Symbol
from gridarium.compiled.data_types.value_class import value
from gridarium.world.geometry import Position
from gridarium.world.objects import BLOCKS_MOVEMENT, BLOCKS_VISION, CONTENT_SHIFT, HOLDABLE, GridObject
from gridarium.world.vocabulary import Vocabulary

Factory: TypeAlias = "Callable[[], GridObject] | GridObject"
"""A kind, another callable without arguments that returns an object, or an object itself."""
Place: TypeAlias = "Position | tuple[int, int]"
LOWER = (1 << CONTENT_SHIFT) - 1
NOTHING_WORD = BLOCKS_VISION
"""The integer that represents `NoneGridObject()`: kind 0 and its flag."""
RIGHT_WALL, LOWER_WALL = 1, 2
"""Bits of a cell in the layer of walls on edges: on its right side, on its lower side."""


@value
class Cell:
    """An object in compiled code: kind, status, color and flags in the lower 32 bits, a content in the upper."""

    word: int

    __shown_as__: ClassVar[str] = "GridObject"
    __hidden__: ClassVar[tuple[str, ...]] = ("word",)

    @property
    def _kind(self) -> int:
        """The number of its kind."""
        return self.word & 255

    @property
    def status(self) -> int:
        """The number of its status."""
        return (self.word >> 8) & 255

    @property
    def state(self) -> int:
        """The number of its status."""
        return (self.word >> 8) & 255

    @property
    def state_index(self) -> int:
        """The number of its status."""
        return (self.word >> 8) & 255

    @property
    def color(self) -> Symbol:
        """The symbol that represents its color."""
        return Symbol((self.word >> 16) & 255)

    @property
    def blocks_movement(self) -> bool:
        """Whether agents cannot enter the cell."""
        return self.word & BLOCKS_MOVEMENT != 0

    @property
    def blocks_vision(self) -> bool:
        """Whether the cell is opaque."""
        return self.word & BLOCKS_VISION != 0

    @property
    def holdable(self) -> bool:
        """Whether an agent can pick it up."""
        return self.word & HOLDABLE != 0

    @property
    def content(self) -> Any:
        """The object it contains, possibly nothing."""
        inner = self.word >> CONTENT_SHIFT
        return Cell(inner if inner != 0 else NOTHING_WORD)


@value
class Kind:
    """A class of objects in compiled code, or another callable that gives one: the object as an integer.

    It is a class of its own since a class is not an object: only `make` turns one into the other.
    """

    word: int

    __shown_as__: ClassVar[str] = "class"
    __hidden__: ClassVar[tuple[str, ...]] = ("word",)
    __never_compared__: ClassVar[str] = (
        "kinds that are known at run time only are not compared; compare objects, or ask isinstance"
    )


def has_status(thing: Cell, kinds: int, status: int) -> bool:
    """Whether an object has a given status and one of the given kinds (a bit mask)."""
    return thing.status == status and kinds >> thing._kind & 1 != 0


@compiled_as("gridarium.world.compiled.primitives:decode")
def decode(word: int, vocabulary: Vocabulary) -> GridObject:
    """The object that an integer represents (compiled: the integer with an object's attributes)."""
    return vocabulary.objects[int(word)]


@compiled_as("gridarium.world.compiled.primitives:encode")
def encode(thing: GridObject, vocabulary: Vocabulary) -> int:
    """The integer that represents an object."""
    return vocabulary.encode(thing)


@compiled_as("gridarium.world.compiled.primitives:make")
def make(factory: Factory) -> GridObject:
    """Create an object from a kind or another callable without arguments.

    An object is returned as it is.
    """
    made: GridObject = factory if isinstance(factory, GridObject) else factory()
    return made


@compiled_as("gridarium.world.compiled.primitives:row_of")
def row_of(place: Any) -> int:
    """The y of a position or of a (y, x) pair.

    Raises:
        TypeError: `place` is neither.
    """
    if isinstance(place, Position):
        return place.y
    if not isinstance(place, tuple) or len(place) != 2:
        raise TypeError(f"expected a Position or (y, x), got {place!r}")
    return index(place[0])


@compiled_as("gridarium.world.compiled.primitives:column_of")
def column_of(place: Any) -> int:
    """The x of a position or of a (y, x) pair (see `row_of`)."""
    return index(place[1]) if isinstance(place, tuple) else place.x
