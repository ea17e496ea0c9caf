"""The grid: cells that hold one object each, with optional contents, walls on edges and declared numbers per cell."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import numpy as np

from gridarium.compiled.data_types.primitives import compiled_as, for_rules, get_float, plain_float, set_float
from gridarium.compiled.data_types.random import Rng
from gridarium.compiled.data_types.value_class import value
from gridarium.world.cell import (
    LOWER,
    LOWER_WALL,
    RIGHT_WALL,
    Factory,
    Place,
    column_of,
    decode,
    encode,
    make,
    row_of,
)
from gridarium.world.copy_on_write import before_change
from gridarium.world.field_array import whole_number
from gridarium.world.geometry import Area, Orientation, Position, Shape, area
from gridarium.world.mask import MaskArray, blank_mask
from gridarium.world.notebook import page, picture
from gridarium.world.objects import CONTENT_SHIFT, Floor, GridObject, Hidden
from gridarium.world.sketch import sketch
from gridarium.world.vocabulary import Vocabulary, everything, find_field


@compiled_as("gridarium.world.compiled.grid:blank_cells")
def blank_cells(scratch: Any, height: int, width: int, word: int) -> Any:
    """uint32[height, width] filled with one word (compiled: in scratch memory, inside a `Cells`)."""
    return Cells(np.full((height, width), word, np.uint32))


@compiled_as("gridarium.world.compiled.grid:blank_layers")
def blank_layers(scratch: Any, count: int, height: int, width: int) -> Any:
    """int64[count, height, width] of zeros (compiled: in scratch memory, inside a `Cells`)."""
    return Cells(np.zeros((count, height, width), np.int64))


@compiled_as("gridarium.world.compiled.grid:copied")
def copied(scratch: Any, words: Any) -> Any:
    """A copy of an array of a state (compiled: in scratch memory, inside a `Cells`)."""
    return Cells(words.copy())


@value
class Cells:
    """A wrapper to return an array: compiled code can return a value that holds an array, but not the array itself."""

    array: Any


@value
class Grid:
    """A rectangle of cells. `grid[p]` and `grid[y, x]` read and write objects; an index outside raises an IndexError.

    Attributes:
        cells: uint32[height, width], one integer per object.
        layers: int64[layers, height, width]: contents, walls on edges, declared numbers, in that order, where used.
        scratch: int64[n], memory for grids that are made from this one in compiled code.
        vocabulary: the meaning of the numbers.
    """

    cells: Any
    layers: Any
    scratch: Any
    vocabulary: Vocabulary

    __mixed__: ClassVar[tuple[str, ...]] = ("number",)

    @staticmethod
    def from_shape(
        shape: Shape | tuple[int, int],
        *,
        factory: Callable[[], GridObject] = Floor,
        vocabulary: Vocabulary | None = None,
    ) -> Grid:
        """Create a standalone grid with every cell filled by `factory` (interpreted only).

        Raises:
            ValueError: the shape has no cells.
        """
        height, width = shape
        if height < 1 or width < 1:
            raise ValueError(f"a grid must have at least one cell, not {height} x {width}")
        vocabulary = vocabulary or everything()
        cells = np.full((height, width), vocabulary.encode(factory()) & LOWER, np.uint32)
        return Grid(
            cells, np.zeros((vocabulary.layers, height, width), np.int64), np.zeros(0, np.int64), vocabulary
        )

    @staticmethod
    def from_objects(objects: list[list[GridObject]], vocabulary: Vocabulary | None = None) -> Grid:
        """Create a grid from rows of objects (interpreted only).

        Raises:
            ValueError: there are no rows, or rows of different lengths.
        """
        if not objects or not objects[0] or len({len(row) for row in objects}) > 1:
            raise ValueError(f"a grid is made of rows of one length, not of {[len(row) for row in objects]}")
        grid = Grid.from_shape((len(objects), len(objects[0])), vocabulary=vocabulary)
        for p in grid.positions():
            grid[p] = objects[p.y][p.x]
        return grid

    @property
    def shape(self) -> Shape:
        """Height and width."""
        return Shape(self.cells.shape[0], self.cells.shape[1])

    @property
    def height(self) -> int:
        """Number of rows."""
        return int(self.cells.shape[0])

    @property
    def width(self) -> int:
        """Number of columns."""
        return int(self.cells.shape[1])

    @property
    def area(self) -> Area:
        """All cells, ((0, height - 1), (0, width - 1))."""
        return area(0, self.cells.shape[0] - 1, 0, self.cells.shape[1] - 1)

    @property
    def objects(self) -> list[list[GridObject]]:
        """The objects, row by row (interpreted only)."""
        return [[self[y, x] for x in range(self.width)] for y in range(self.height)]

    def contains(self, p: Position) -> bool:
        """Whether a position lies in the grid."""
        return 0 <= p.y < self.cells.shape[0] and 0 <= p.x < self.cells.shape[1]

    def __getitem__(self, place: Place) -> Any:  # a `GridObject`; rules use attributes of its kind
        return self._read(row_of(place), column_of(place))

    def __setitem__(self, place: Place, thing: GridObject) -> None:
        self._write(row_of(place), column_of(place), thing)

    def _read(self, y: int, x: int) -> Any:
        if not (0 <= y < self.cells.shape[0] and 0 <= x < self.cells.shape[1]):
            raise IndexError(
                f"({y}, {x}) is outside the grid of {self.cells.shape[0]} x {self.cells.shape[1]}"
            )
        word = int(self.cells[y, x])
        if self.vocabulary.content_layer >= 0:
            word |= int(self.layers[0, y, x]) << CONTENT_SHIFT
        return decode(word, self.vocabulary)

    def _write(self, y: int, x: int, thing: GridObject) -> None:
        if not (0 <= y < self.cells.shape[0] and 0 <= x < self.cells.shape[1]):
            raise IndexError(
                f"({y}, {x}) is outside the grid of {self.cells.shape[0]} x {self.cells.shape[1]}"
            )
        word = encode(thing, self.vocabulary)
        before_change(self.cells, self.layers, self.scratch)
        self.cells[y, x] = word & LOWER
        if self.vocabulary.content_layer >= 0:
            self.layers[0, y, x] = word >> CONTENT_SHIFT

    def get(self, place: Place, factory: Factory | None = None) -> GridObject:
        """The object at a position, or the result of `factory` (default Floor) where there is no cell."""
        y, x = row_of(place), column_of(place)
        if 0 <= y < self.cells.shape[0] and 0 <= x < self.cells.shape[1]:
            return self[place]
        return make(Floor) if factory is None else make(factory)

    def swap(self, p: Place, q: Place) -> None:
        """Exchange the objects of two cells."""
        first, second = self[p], self[q]
        self[p] = second
        self[q] = first

    def fill(self, factory: Factory) -> None:
        """Fill every cell with the result of `factory`."""
        for p in self.positions():
            self[p] = make(factory)

    def positions(self) -> Iterator[Position]:
        """All positions in row-major order."""
        y, x = 0, 0
        while y < self.cells.shape[0]:  # one loop, not two: generators with less state compile faster
            yield Position(y, x)
            x += 1
            if x == self.cells.shape[1]:
                y, x = y + 1, 0

    def mask(self, fill: bool = False) -> MaskArray:
        """Create a mask bool[height, width] filled with `fill`; write to it with `mask[y, x] = True`."""
        return blank_mask(self.scratch, self.cells.shape[0], self.cells.shape[1], fill)

    def object_types(self) -> set[type[GridObject]]:
        """The kinds that occur (interpreted only)."""
        return {type(self[p]) for p in self.positions()}

    def subgrid(self, part: Area) -> Grid:
        """A new grid with the cells of an area; those outside this grid are `Hidden()`."""
        cells = blank_cells(
            self.scratch, part.height, part.width, encode(make(Hidden), self.vocabulary)
        ).array
        layers = blank_layers(self.scratch, self.layers.shape[0], part.height, part.width).array
        for y in range(max(part.ymin, 0), min(part.ymax, self.cells.shape[0] - 1) + 1):
            for x in range(max(part.xmin, 0), min(part.xmax, self.cells.shape[1] - 1) + 1):
                cells[y - part.ymin, x - part.xmin] = self.cells[y, x]
                for k in range(self.layers.shape[0]):
                    layers[k, y - part.ymin, x - part.xmin] = self.layers[k, y, x]
        return Grid(cells, layers, self.scratch, self.vocabulary)

    def turned(self, orientation: Orientation) -> Grid:
        """A new grid: this one in the frame of a viewer who faces `orientation`."""
        turns = orientation.quarter_turns
        height, width = self.cells.shape[0], self.cells.shape[1]
        rows = width if turns & 1 else height
        columns = height if turns & 1 else width
        cells = blank_cells(self.scratch, rows, columns, 0).array
        layers = blank_layers(self.scratch, self.layers.shape[0], rows, columns).array
        for y in range(rows):
            for x in range(columns):
                v, u = y, x
                if turns == 1:
                    v, u = x, width - 1 - y
                elif turns == 2:
                    v, u = height - 1 - y, width - 1 - x
                elif turns == 3:
                    v, u = height - 1 - x, y
                cells[y, x] = self.cells[v, u]
                for k in range(self.layers.shape[0]):
                    layers[k, y, x] = turned_walls(self, k, v, u, turns)
        return Grid(cells, layers, self.scratch, self.vocabulary)

    def __mul__(self, orientation: Orientation) -> Grid:
        return self.turned(orientation)

    def has_wall(self, p: Position, q: Position) -> bool:
        """Whether there is a wall on the edge between two neighbouring cells."""
        if self.vocabulary.edge_layer < 0:
            return False
        first = p if p.y < q.y or p.x < q.x else q
        bit = LOWER_WALL if p.y != q.y else RIGHT_WALL
        if not self.contains(first):
            return False
        return int(self.layers[self.vocabulary.edge_layer, first.y, first.x]) & bit != 0

    def set_wall(self, p: Position, q: Position, stands: bool = True) -> None:
        """Add or remove the wall on the edge between two neighbouring cells.

        Raises:
            ValueError: the cells are not neighbours, or the world has no walls on edges.
        """
        if abs(p.y - q.y) + abs(p.x - q.x) != 1:
            raise ValueError(f"{p} and {q} are not neighbours")
        if self.vocabulary.edge_layer < 0:
            raise ValueError("this world has no walls on edges; set `edges: true` in its description")
        first = p if p.y < q.y or p.x < q.x else q
        bit = LOWER_WALL if p.y != q.y else RIGHT_WALL
        if not (self.contains(p) and self.contains(q)):
            raise IndexError(f"{p} or {q} is outside the grid")
        before_change(self.cells, self.layers, self.scratch)
        before = int(self.layers[self.vocabulary.edge_layer, first.y, first.x])
        self.layers[self.vocabulary.edge_layer, first.y, first.x] = before | bit if stands else before & ~bit

    def count(self, object_type: type[GridObject]) -> int:
        """The number of cells that hold an object of a kind (interpreted only).

        Rules use `sum(isinstance(...) ...)`.
        """
        return sum(isinstance(self[p], object_type) for p in self.positions())

    def __eq__(self, other: Any) -> bool:
        return same_grid(self, other)

    def __hash__(self) -> int:
        return hash(
            (self.cells.shape, self.cells.tobytes(), self.layers.tobytes() if self.layers.any() else b"")
        )

    def __repr__(self) -> str:
        return f"Grid({self.height} x {self.width})\n" + "\n".join(sketch(self, ()).lines())

    def _repr_svg_(self) -> str:
        return picture(self)

    def _repr_html_(self) -> str:
        return page(self)

    def number(self, name: str, p: Position) -> Any:
        """The cell field called `name` at a position."""
        if not self.contains(p):
            raise IndexError(f"{p} is outside the grid of {self.height} x {self.width}")
        return read_number(self, name, p.y, p.x)

    def set_number(self, name: str, p: Position, new: Any) -> None:
        """Set the cell field called `name` at a position.

        Raises:
            IndexError: the position is outside the grid.
            TypeError: a number with a fraction for a field of integers.
        """
        if not self.contains(p):
            raise IndexError(f"{p} is outside the grid of {self.height} x {self.width}")
        before_change(self.cells, self.layers, self.scratch)
        write_number(self, name, p.y, p.x, new)


@compiled_as("gridarium.world.compiled.grid:read_number")
def read_number(grid: Grid, name: str, y: int, x: int) -> Any:
    """Read a declared cell field at a position inside the grid."""
    index, kind = _cell_field(grid.vocabulary, name)
    if kind == "float":
        return get_float(grid.layers[index, y], x)
    return {"int": int, "bool": bool}[kind](grid.layers[index, y, x])


@compiled_as("gridarium.world.compiled.grid:write_number")
def write_number(grid: Grid, name: str, y: int, x: int, new: Any) -> None:
    """Set a declared cell field at a position inside the grid."""
    index, kind = _cell_field(grid.vocabulary, name)
    if kind == "float":
        set_float(grid.layers[index, y], x, plain_float(float(new)))
    elif kind == "bool":
        grid.layers[index, y, x] = bool(new)
    else:
        exact = isinstance(new, float) and new.is_integer()
        grid.layers[index, y, x] = whole_number(int(new) if exact else new)


def _cell_field(vocabulary: Vocabulary, name: str) -> tuple[int, str]:
    found = find_field(vocabulary.cell_fields, name, vocabulary.first_cell_field)
    if found is None:
        listed = ", ".join(f.name for f in vocabulary.cell_fields) or "none"
        raise AttributeError(f"no cell field {name!r} is declared (declared: {listed})")
    return found[0], found[1].type


@compiled_as("gridarium.world.compiled.grid:flat_cells")
def flat_cells(grid: Grid) -> Cells:
    """uint32[height * width]: the cells of a grid as a one-dimensional array, for loops over all of them."""
    return Cells(grid.cells.reshape(-1))


def same_grid(first: Grid, second: Any) -> bool:
    """Whether two grids have the same shape, objects, walls and declared numbers.

    Grids of different vocabularies are equal if their cell numbers are equal and they have no further layers.
    """
    if not is_grid(second):
        return False
    if first.cells.shape[0] != second.cells.shape[0] or first.cells.shape[1] != second.cells.shape[1]:
        return False
    if not comparable(first, second):
        return False
    layers = min(first.layers.shape[0], second.layers.shape[0])
    for y in range(first.cells.shape[0]):
        for x in range(first.cells.shape[1]):
            if first.cells[y, x] != second.cells[y, x]:
                return False
            for k in range(layers):
                if first.layers[k, y, x] != second.layers[k, y, x]:
                    return False
    return True


@compiled_as("gridarium.world.compiled.grid:comparable")
def comparable(first: Grid, second: Grid) -> bool:
    """Whether equal numbers in two grids represent equal things."""
    vocabulary, others = first.vocabulary, second.vocabulary
    if vocabulary is others or vocabulary == others:
        return True
    used = {*np.unique(first.cells).tolist(), *np.unique(second.cells).tolist()}
    return not (first.layers.any() or second.layers.any()) and all(
        vocabulary.kinds.get(word & 255) is others.kinds.get(word & 255)
        and vocabulary.colors.get((word >> 16) & 255) == others.colors.get((word >> 16) & 255)
        for word in used
    )


@compiled_as("gridarium.world.compiled.grid:is_grid")
def is_grid(thing: Any) -> bool:
    """Whether something is a grid."""
    return isinstance(thing, Grid)


def turned_walls(grid: Grid, layer: int, y: int, x: int, turns: int) -> int:
    """A layer's number at a cell after clockwise quarter turns of the viewer; walls on edges are rotated too."""
    if layer != grid.vocabulary.edge_layer:
        return int(grid.layers[layer, y, x])
    here = Position(y, x)
    right = from_turns(turns, 0, 1)
    below = from_turns(turns, 1, 0)
    walls = RIGHT_WALL if grid.has_wall(here, here + right) else 0
    return walls | (LOWER_WALL if grid.has_wall(here, here + below) else 0)


def from_turns(turns: int, y: int, x: int) -> Position:
    """Transform an offset from the viewer's frame to the world's frame, after clockwise quarter turns of the viewer."""
    if turns == 0:
        return Position(y, x)
    if turns == 1:
        return Position(x, -y)
    if turns == 2:
        return Position(-y, -x)
    return Position(-x, y)


@for_rules
def random_position(grid: Grid, rng: Rng, object_type: type[GridObject] = Floor) -> Position:
    """Draw uniformly the position of a cell that holds an object of a kind.

    Raises:
        ValueError: there is no such cell.
    """
    count = 0
    for p in grid.positions():
        count += isinstance(grid[p], object_type)
    if count == 0:
        raise ValueError(f"no cell holds a {getattr(object_type, '__name__', object_type)}")
    left = rng.integers(count)
    for p in grid.positions():
        if isinstance(grid[p], object_type):
            if left == 0:
                return p
            left -= 1
    raise AssertionError("unreachable")


EVERYWHERE = -1


def reach_of(view: Grid, place: Position, grid: Grid) -> int:
    """The maximum number of rows or columns between a place in a view and its cells; `EVERYWHERE` for one as large as the grid."""
    if view.height >= grid.height and view.width >= grid.width:
        return EVERYWHERE
    return max(place.y, view.height - 1 - place.y, place.x, view.width - 1 - place.x)


def is_near(p: Position, q: Position, reach: int) -> bool:
    """Whether two positions are at most `reach` rows and columns apart."""
    y, x = p.y - q.y, p.x - q.x
    return (y * y <= reach * reach) & (x * x <= reach * reach)
