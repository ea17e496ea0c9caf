"""A world's vocabulary: its kinds and colors with their numbers, and its declared fields.

Numbers never depend on import order: gym-gridverse's kinds and colors keep their numbers, all others follow in the
order of the world's description.
"""

from __future__ import annotations

import dataclasses
import functools
import keyword
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from gridarium.compiled.data_types.primitives import get_float, plain_float, set_float
from gridarium.compiled.data_types.value_class import Static, generated
from gridarium.world.action_arguments import NO_ARGUMENTS, ActionTable
from gridarium.world.colors import Color
from gridarium.world.field_array import FieldArray, Layout, whole_number
from gridarium.world.members import members
from gridarium.world.objects import (
    CONTENT_SHIFT,
    FLAGS,
    NOTHING,
    Floor,
    GridObject,
    Hidden,
    NoneGridObject,
    grid_object_registry,
)

Board = Literal[
    "cells", "lines", "intersections", "hexagons", "checkered", "blokus", "blokus_duo", "holes", "felt",
    "kuhn_poker", "leduc_poker", "hands", "payoffs",
]  # fmt: skip
BOARDS: tuple[str, ...] = get_args(Board)
"""What pictures show under the objects of a world: floor, or the board of a game (see `gridarium.draw.boards`).

The last four are tables for games without a grid, whose declared fields they show (see `gridarium.draw.tables`).
"""
AGENT_FIELDS = DATA_FIELDS = THING_FIELDS = 8
"""The index of the first declared field in the row of an agent, a world, a thing."""
MOST_THINGS = 1024
"""The maximum number of things in a world."""
MOST_PLAYERS = 62
"""The maximum number of agents in a world in which some have no body."""
ALL_PLAYERS = (1 << MOST_PLAYERS) - 1
"""`Vocabulary.bodiless` of worlds in which no agent has a body, whatever their number."""
MOST_ITEMS = 1 << 16
"""The maximum number of items of a field."""
MOST = 63
"""The maximum number of kinds, and of colors, in a world."""
OWNERS: dict[str, type] = {}
"""The classes with declared fields; each is added where it is defined."""

Number = bool | int | float


@dataclass(frozen=True)
class Field:
    """A declared number, or array of numbers, that belongs to a world, to each agent, or to each cell.

    Attributes:
        name: a word.
        type: 'bool', 'int' (64 bit) or 'float'.
        default: its value when an episode begins; that of all items of an array.
        shape: the lengths of an array's axes; () for a single number.
        internal: whether it is for rules only: people are not shown it next to the world.
        words: what people are shown instead of the numbers 0, 1 and so on; () for the numbers themselves.
    """

    name: str
    type: Literal["bool", "int", "float"] = "float"
    default: Number = 0
    shape: tuple[int, ...] = ()
    internal: bool = dataclasses.field(default=False, compare=False)
    words: tuple[str, ...] = dataclasses.field(default=(), compare=False)

    def __post_init__(self) -> None:
        if not self.name.isidentifier() or self.name.startswith("_") or keyword.iskeyword(self.name):
            raise ValueError(f"a field's name is a word such as energy, not {self.name!r}")
        if self.type not in ("bool", "int", "float"):
            raise ValueError(f"field {self.name}: type is bool, int or float, not {self.type!r}")
        if not _fits(self.default, self.type):
            raise ValueError(
                f"field {self.name}: its default must be of type {self.type}, not {self.default!r}"
            )
        if not all(type(n) is int and n >= 1 for n in self.shape) or self.size > MOST_ITEMS:
            raise ValueError(
                f"field {self.name}: a shape is a list of lengths from 1, of at most {MOST_ITEMS} items in all, "
                f"not {list(self.shape)}"
            )

        if self.words and self.type == "float":
            raise ValueError(f"field {self.name}: only whole numbers have words, not those of type float")

    def in_words(self, number: Number) -> Number | str:
        """What people are shown instead of a number of this field: its word, where it has one."""
        return self.words[int(number)] if 0 <= number < len(self.words) else number

    @property
    def size(self) -> int:
        """The number of items; 1 for a single number."""
        return math.prod(self.shape) if self.shape else 1


def _fits(default: object, wanted: str) -> bool:
    if wanted == "bool":
        return default is True or default is False or (isinstance(default, int) and default in (0, 1))
    if wanted == "int":
        return isinstance(default, int) and -(1 << 63) <= default < 1 << 63
    return isinstance(default, int | float)


class Vocabulary(Static):
    """The kinds, colors and fields of a world, and their encoding as integers.

    Two vocabularies are equal if rules cannot distinguish them: appearance (glyph, drawing, headings, board) is ignored.

    Args:
        kinds: the kinds of objects; NoneGridObject, Hidden and Floor are always among them.
        colors: the colors; NONE is always among them.
        world_fields, agent_fields, cell_fields: declared numbers.
        edges: whether walls can stand between cells.
        thing_fields: declared numbers of things.
        thing_capacity: the number of things that there can be.
        thing_kinds: kinds that maps put into the world as things, not into cells.
        most_carried: the number of things that an agent can carry.
        action_table: the arguments and the time that actions take.
        bodiless: a bit mask of the agents without a body: players, who have no position.
        headings: whether the direction that agents face matters; if so, pictures show it.
        board: what pictures show under the objects, one of `BOARDS`.

    Attributes:
        objects: the objects that integers represent, see `decode`.
        has_contents: whether cells need a second layer for the contents of boxes.
        content_layer: the index of that layer, or -1.

    Raises:
        ValueError: more than 63 kinds or colors, two kinds or fields of one name, or a field with the name of an
            existing attribute of agents or states.
    """

    __slots__ = (
        "_encoded",
        "_key",
        "_written",
        "action_table",
        "agent_fields",
        "board",
        "bodiless",
        "cell_fields",
        "colors",
        "content_layer",
        "edges",
        "has_contents",
        "headings",
        "kinds",
        "most_carried",
        "objects",
        "thing_capacity",
        "thing_fields",
        "thing_kinds",
        "world_fields",
    )

    def __init__(
        self,
        kinds: Iterable[type[GridObject]],
        colors: Iterable[Color] = (),
        *,
        world_fields: Iterable[Field] = (),
        agent_fields: Iterable[Field] = (),
        cell_fields: Iterable[Field] = (),
        thing_fields: Iterable[Field] = (),
        thing_capacity: int = 0,
        thing_kinds: Iterable[type[GridObject]] = (),
        most_carried: int = 1,
        edges: bool = False,
        headings: bool = True,
        action_table: ActionTable = NO_ARGUMENTS,
        bodiless: int = 0,
        board: Board = "cells",
    ) -> None:
        self.kinds = _numbered_kinds(kinds)
        self.colors = _numbered_colors(colors)
        self.world_fields, self.agent_fields = tuple(world_fields), tuple(agent_fields)
        self.cell_fields, self.edges, self.headings = tuple(cell_fields), edges, headings
        self.action_table, self.bodiless, self.board = action_table, bodiless, board
        self.thing_fields, self.thing_kinds = tuple(thing_fields), tuple(thing_kinds)
        self.thing_capacity, self.most_carried = thing_capacity, most_carried
        if not 0 <= thing_capacity <= MOST_THINGS:
            raise ValueError(f"a world has room for at most {MOST_THINGS} things, not {thing_capacity}")
        _check_names(self)
        self.has_contents = any(k.contains for k in self.kinds.values())
        self.content_layer = 0 if self.has_contents else -1
        self.objects, self._encoded = _Objects(self.kinds, self.colors), dict[Any, int]()
        kinds_key = tuple((n, k.__module__, k.__qualname__, _meaning(k)) for n, k in self.kinds.items())
        colors_key = tuple((n, c.name) for n, c in self.colors.items())
        arguments = (tuple(action_table.declared.items()), tuple(sorted(action_table.durations.items())))
        self._written = (
            kinds_key,
            colors_key,
            self.world_fields,
            self.agent_fields,
            self.cell_fields,
            edges,
            arguments,
            bodiless,
            (thing_capacity, self.thing_fields, most_carried, tuple(map(self.number_of, self.thing_kinds))),
        )
        own = members(self.kinds.values()).items()
        self._key = (self._written, tuple((n, k.__qualname__, m) for n, of in own for k, m in of.items()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Vocabulary) and other._key == self._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        kinds = ", ".join(k.__name__ for k in self.kinds.values())
        fields = ", ".join(f.name for f in (*self.world_fields, *self.agent_fields, *self.cell_fields))
        return f"Vocabulary({kinds}; {', '.join(c.name for c in self.colors.values())}; {fields})"

    def __reduce__(self) -> Any:
        more = {
            name: getattr(self, name)
            for name in (
                "world_fields",
                "agent_fields",
                "cell_fields",
                "edges",
                "headings",
                "action_table",
                "bodiless",
                "board",
                "thing_fields",
                "thing_capacity",
                "thing_kinds",
                "most_carried",
            )
        }
        return _restore, (tuple(self.kinds.values()), tuple(self.colors.values()), more)

    def __fingerprint__(self) -> list[Any]:
        """The parts that compiled programs depend on (see `gridarium.compiled.cache.fingerprint`)."""
        return [repr(self._written)]

    def has_body(self, agent: int) -> bool:
        """Whether an agent has a body."""
        return not self.bodiless >> agent & 1

    @property
    def edge_layer(self) -> int:
        """The index of the layer of walls between cells, or -1."""
        return int(self.has_contents) if self.edges else -1

    @property
    def first_cell_field(self) -> int:
        """The index of the layer of the first declared cell field."""
        return int(self.has_contents) + int(self.edges)

    @property
    def layers(self) -> int:
        """The number of layers of a grid besides its cells."""
        return self.first_cell_field + len(self.cell_fields)

    @property
    def agent_row_length(self) -> int:
        """The length of an agent's row: with durations, the action that still takes time follows the fields."""
        return self.pending_action + int(self.has_durations)

    @property
    def has_durations(self) -> bool:
        """Whether actions may take more than one tick."""
        return bool(self.action_table.durations)

    @property
    def pending_action(self) -> int:
        """The index in an agent's row of the action that still takes time, where there are such."""
        return AGENT_FIELDS + sum(field.size for field in self.agent_fields)

    @property
    def data_length(self) -> int:
        """The length of a world's row."""
        return self.things_start + (1 + self.thing_capacity * self.thing_row_length if self.has_things else 0)

    @property
    def has_things(self) -> bool:
        """Whether there can be things."""
        return self.thing_capacity > 0

    @property
    def thing_mask(self) -> int:
        """A bit mask of the numbers of the kinds that maps put into the world as things."""
        return self.mask_of(self.thing_kinds) if self.thing_kinds else 0

    @property
    def things_start(self) -> int:
        """Where the table of things begins in a world's row: the number of rows in use, then the rows."""
        return DATA_FIELDS + sum(field.size for field in self.world_fields)

    @property
    def thing_row_length(self) -> int:
        """The length of a thing's row."""
        return THING_FIELDS + sum(field.size for field in self.thing_fields)

    def number_of(self, kind: type[GridObject]) -> int:
        """The number of a kind.

        Raises:
            ValueError: the world does not know the kind.
        """
        for number, known in self.kinds.items():
            if known is kind:
                return number
        listed = ", ".join(k.__name__ for k in self.kinds.values())
        raise ValueError(
            f"{kind.__name__} is not among this world's objects ({listed}); add it to its description"
        )

    def number_of_color(self, color: Color) -> int:
        """The number of a color.

        Raises:
            ValueError: the world does not know the color.
        """
        for number, known in self.colors.items():
            if known == color:
                return number
        listed = ", ".join(c.name for c in self.colors.values())
        raise ValueError(
            f"{color.name} is not among this world's colors ({listed}); add it to its description"
        )

    def mask_of(self, kinds: tuple[Any, ...]) -> int:
        """A bit mask of the numbers of all known kinds that are subclasses of one of `kinds`."""
        return sum(1 << n for n, k in self.kinds.items() if issubclass(k, kinds))

    def encode(self, thing: GridObject) -> int:
        """Encode an object as an integer: kind, status, color, flags, and its content in the upper half.

        Raises:
            TypeError: `thing` is not an object.
            ValueError: a kind or color that is not in the vocabulary.
        """
        if not isinstance(thing, GridObject):
            raise TypeError(f"a cell holds a GridObject, not {thing!r}")
        meaning = type(thing), thing.status, thing.color, thing.content
        word = self._encoded.get(meaning)
        if word is None:
            index = thing.state_index
            word = self.number_of(type(thing)) | index << 8 | self.number_of_color(thing.color) << 16
            word |= sum(bit for name, bit in FLAGS.items() if index in thing.flags[name])
            word |= 0 if thing.content is NOTHING else self.encode(thing.content) << CONTENT_SHIFT
            self._encoded[meaning] = word
        return word

    def decode(self, word: int) -> GridObject:
        """The object that an integer represents."""
        return self.objects[word]


class _Objects(dict[int, GridObject]):
    """The objects that integers represent, each made when it is first asked for."""

    def __init__(self, kinds: Mapping[int, type[GridObject]], colors: Mapping[int, Color]) -> None:
        super().__init__()
        self._kinds, self._colors = kinds, colors

    def __missing__(self, word: int) -> GridObject:
        kind, color = self._kinds.get(word & 255), self._colors.get((word >> 16) & 255)
        if kind is None or color is None:
            raise ValueError(f"{word:#x} does not represent an object of this world")
        content = self[word >> CONTENT_SHIFT] if kind.contains and word >> CONTENT_SHIFT else None
        made = object.__new__(kind)
        made._fill((word >> 8) & 255, color, content)
        self[word] = made
        return made


def everything() -> Vocabulary:
    """All built-in colors and the kinds declared so far, for grids outside worlds.

    Of several kinds with one name it contains the one declared last; if there are too many, the latest.
    """
    kinds = grid_object_registry.latest()
    own = [kind for kind in kinds if kind.__module__ != GridObject.__module__]
    built_in = [kind for kind in kinds if kind not in own]
    return Vocabulary([*built_in, *own[-(MOST - len(built_in)) :]], list(Color))


@dataclass(frozen=True)
class FieldAccess:
    """Reads and writes one declared field (see `gridarium.compiled.numba_backend.value_types`).

    Attributes:
        type: of its numbers.
        getter: `getter(record)`.
        setter: `setter(record, new)`; None for an array.
        row: the attribute of the record that holds the numbers.
        layout: shape and type of an array; None for a single number.
    """

    type: str
    getter: Any
    setter: Any
    row: str
    layout: Layout | None = None

    def assign(self, record: Any, name: str, new: Any) -> None:
        """Assign to the field of a record.

        Raises:
            AttributeError: it is an array.
            TypeError, OverflowError: a field of integers takes no such number.
        """
        if self.setter is None:
            raise AttributeError(self.whole_assignment(name))
        try:
            self.setter(record, new)
        except (TypeError, OverflowError, ValueError) as error:
            raise type(error)(f"{name}: {error}") from None

    @staticmethod
    def whole_assignment(name: str) -> str:
        """The message about an assignment to a field that is an array."""
        return (
            f"{name} is an array: assign to its items, as in {name}[i] = number, or call {name}.fill(number)"
        )

    compiled_type: ClassVar[str] = "gridarium.world.compiled.field_array:array_type"
    """The function that returns the numba type of an array, given that of the row and the layout."""


def set_default(record: Any, field: Field) -> None:
    """Set a field of a state or an agent to its default."""
    if field.shape:
        getattr(record, field.name).fill(field.default)
    else:
        setattr(record, field.name, field.default)


def number_as_word(number: Number, field: Field) -> int:
    """The integer that stands for a number of a field in a state: of a float its bits.

    Raises:
        ValueError: the field is an array, or the number has another type.
    """
    if field.shape:
        raise ValueError(f"field {field.name}: is an array, which begins with its default")
    if not _fits(number, field.type):
        raise ValueError(f"field {field.name}: must be of type {field.type}, not {number!r}")
    return int(np.float64(number).view(np.int64)) if field.type == "float" else int(number)


@functools.cache
def field_access(row: str, first: int, field: Field, before: str = "") -> FieldAccess:
    """Create the accessor of a declared field that begins at `record.<row>[first]`.

    `before` is source that is written before the index, such as "record.start + ".
    """
    kind, index = str(field.type), f"{before}{first}"
    if field.shape:
        layout = Layout(field.shape, kind)
        text = f"def get(record):\n    return FieldArray(record.{row}, {index}, layout)\n"
        name = f"array {row}[{index}] {kind} {field.shape}"
        return FieldAccess(
            kind, generated(name, text, FieldArray=FieldArray, layout=layout), None, row, layout
        )
    if kind == "float":
        get, put = (
            f"get_float(record.{row}, {index})",
            f"set_float(record.{row}, {index}, plain_float(float(new)))",
        )
    else:
        whole = "whole_number(new)" if kind == "int" else "int(bool(new))"
        get, put = f"{kind}(record.{row}[{index}])", f"record.{row}[{index}] = {whole}"
    names = {
        "get_float": get_float,
        "set_float": set_float,
        "plain_float": plain_float,
        "whole_number": whole_number,
    }
    getter = generated(f"get {row}[{index}] {kind}", f"def get(record):\n    return {get}\n", **names)
    setter = generated(f"set {row}[{index}] {kind}", f"def put(record, new):\n    {put}\n", **names)
    return FieldAccess(kind, getter, setter, row)


def located(fields: Iterable[Field], first: int) -> Iterator[tuple[int, Field]]:
    """Each field of a row, and the index of its first number; `first` is that of the first field."""
    for field in fields:
        yield first, field
        first += field.size


def find_field(fields: tuple[Field, ...], name: str, first: int) -> tuple[int, Field] | None:
    """A field of a row, and the index of its first number, or None; see `located`."""
    for field in fields:
        if field.name == name:
            return first, field
        first += field.size
    return None


def _numbered_kinds(kinds: Iterable[type[GridObject]]) -> dict[int, type[GridObject]]:
    every: list[type[GridObject]] = [NoneGridObject, *kinds, Hidden, Floor]
    unique = list(dict.fromkeys(every))
    names = [k.__name__ for k in unique]
    if len(set(names)) < len(names):
        twice = next(n for n in names if names.count(n) > 1)
        raise ValueError(f"two objects are called {twice}; rename one of them")
    fixed = {k.number: k for k in unique if k.number is not None and "number" in vars(k)}
    others = [k for k in unique if k.number is None or "number" not in vars(k)]
    if 11 + len(others) > MOST:
        raise ValueError(f"a world knows at most {MOST} kinds of objects, got {len(unique)}")
    return dict(sorted(fixed.items())) | dict(enumerate(others, 11))


def _numbered_colors(colors: Iterable[Color]) -> dict[int, Color]:
    unique = list(dict.fromkeys([Color.NONE, *colors]))
    fixed = {c.value: c for c in unique if c.value is not None and c.value < 5}
    others = [c for c in unique if c.value is None or c.value >= 5]
    if 5 + len(others) > MOST:
        raise ValueError(f"a world knows at most {MOST} colors, got {len(unique)}")
    return dict(sorted(fixed.items())) | dict(enumerate(others, 5))


def _check_names(vocabulary: Vocabulary) -> None:
    for fields in (
        vocabulary.world_fields,
        vocabulary.agent_fields,
        vocabulary.cell_fields,
        vocabulary.thing_fields,
    ):
        names = [f.name for f in fields]
        if len(set(names)) < len(names):
            raise ValueError(f"a field is declared twice among {', '.join(names)}")
    for field in vocabulary.cell_fields:
        if field.shape:
            raise ValueError(
                f"the field {field.name!r} of cells is one number for each cell; it takes no shape"
            )
    for owner, fields in (
        ("a state", vocabulary.world_fields),
        ("an agent", vocabulary.agent_fields),
        ("a thing", vocabulary.thing_fields),
    ):
        for field in fields:
            if hasattr(OWNERS[owner], field.name):
                raise ValueError(
                    f"the field {field.name!r} needs another name: {owner} has a {field.name} already"
                )
    if vocabulary.has_things:
        _check_things(vocabulary)


def _check_things(vocabulary: Vocabulary) -> None:
    """Check that no kind has a member of the name of a field or member of things, which are objects of these kinds."""
    fields, of_things = {f.name for f in vocabulary.thing_fields}, OWNERS["a thing"]
    for kind in vocabulary.kinds.values():
        bases = kind.__mro__[: kind.__mro__.index(GridObject)]
        for name in sorted({name for base in bases for name in vars(base) if not name.startswith("_")}):
            if name in fields:
                raise ValueError(
                    f"the field {name!r} of things needs another name: {kind.__name__} has a {name} already"
                )
            if hasattr(of_things, name) and not hasattr(GridObject, name):
                raise ValueError(
                    f"{name!r} of {kind.__name__} needs another name: a thing has a {name} already"
                )


def _meaning(kind: type[GridObject]) -> tuple[Any, ...]:
    flags = tuple((name, tuple(sorted(kind.flags[name]))) for name in FLAGS)
    bases = tuple(f"{c.__module__}:{c.__qualname__}" for c in kind.__mro__[1:] if issubclass(c, GridObject))
    return (kind.parameters(), kind.num_states(), flags, kind.fixed_color.name, kind.in_state, bases)


def _restore(kinds: Any, colors: Any, more: dict[str, Any]) -> Vocabulary:
    return Vocabulary(kinds, colors, **more)
