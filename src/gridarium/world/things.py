"""Things: objects with an identity, any number in a cell, which agents carry. Rows of a table in a state's data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from gridarium.compiled.data_types.primitives import compiled_as
from gridarium.compiled.data_types.value_class import value
from gridarium.world.agent import ACTIVE, HELD, Agent, X, Y
from gridarium.world.cell import LOWER, NOTHING_WORD, decode, encode
from gridarium.world.colors import Color
from gridarium.world.geometry import Position, check_near
from gridarium.world.objects import BLOCKS_MOVEMENT, CONTENT_SHIFT, GridObject
from gridarium.world.vocabulary import (
    OWNERS,
    THING_FIELDS,
    FieldAccess,
    Vocabulary,
    field_access,
    find_field,
    set_default,
)

WORD, THING_Y, THING_X, CARRIER, EXISTS = range(5)
"""Columns of a thing's row: its object as in a cell, its position, 1 + the number of its carrier or 0, whether it exists;
declared fields follow from `THING_FIELDS` on."""


def _thing_field(vocabulary: Vocabulary, name: str) -> FieldAccess | None:
    found = find_field(vocabulary.thing_fields, name, THING_FIELDS)
    return None if found is None else field_access("data", found[0], found[1], "record.start + ")


@value
class Thing:
    """One thing: a view of its row in the state, so that assigning to it changes the state.

    `isinstance(thing, Block)` asks for the kind of its object; `thing.color`, `thing.status` and attributes that the kind
    defines are those of the object.

    Attributes:
        data: the world's row of the state, which holds the table of things.
        agent_rows: the agents of the state: the position of a carried thing is its carrier's.
        start: where the thing's row begins in `data`.
        number: its index in the table, from 0. The index of a removed thing may be used again.
        vocabulary: what the numbers mean.
    """

    data: Any
    agent_rows: Any
    start: int
    number: int
    vocabulary: Vocabulary

    __shown_as__: ClassVar[str] = "Thing"
    __hidden__: ClassVar[tuple[str, ...]] = ("data", "agent_rows", "start")

    @property
    def exists(self) -> bool:
        """Whether there is such a thing: it was added and not removed."""
        return bool(self.data[self.start + EXISTS] != 0)

    @property
    def object(self) -> GridObject:
        """Its kind, status, color and content as an object, that of a removed thing `NoneGridObject()`; may be assigned to."""
        word = int(self.data[self.start + WORD])
        return decode(word if word != 0 else NOTHING_WORD, self.vocabulary)

    @object.setter
    def object(self, new: GridObject) -> None:
        self.data[self.start + WORD] = encode(new, self.vocabulary)

    @property
    def position(self) -> Position:
        """Where it lies, or where its carrier is. Assigning to it lays the thing down there."""
        carrier = int(self.data[self.start + CARRIER])
        if carrier != 0:
            return Position(int(self.agent_rows[carrier - 1, Y]), int(self.agent_rows[carrier - 1, X]))
        return Position(int(self.data[self.start + THING_Y]), int(self.data[self.start + THING_X]))

    @position.setter
    def position(self, new: Position) -> None:
        check_near(new)
        self.data[self.start + CARRIER] = 0
        self.data[self.start + THING_Y] = new.y
        self.data[self.start + THING_X] = new.x

    @property
    def is_carried(self) -> bool:
        """Whether an active agent carries it; what an agent carried that has left lies where the agent was."""
        carrier = int(self.data[self.start + CARRIER])
        return carrier != 0 and bool(self.agent_rows[carrier - 1, ACTIVE] != 0)

    @property
    def carrier(self) -> Agent:
        """The agent that carries it. Assigning an agent makes that agent carry it.

        Raises:
            ValueError: nobody carries it (ask `is_carried`), or the agent carries as many things as the world allows.
        """
        if not self.is_carried:
            raise ValueError("nobody carries this thing; thing.is_carried says whether somebody does")
        carrier = int(self.data[self.start + CARRIER]) - 1
        return Agent(self.agent_rows[carrier], self.vocabulary, carrier)

    @carrier.setter
    def carrier(self, new: Agent) -> None:
        if not self.carried_by(new):
            if (
                count_carried(self.data, self.agent_rows, new.number, self.vocabulary)
                >= self.vocabulary.most_carried
            ):
                raise ValueError(
                    "the agent already carries as many things as this world allows (things: carried)"
                )
            self.data[self.start + CARRIER] = new.number + 1
            self.data[self.start + THING_Y] = self.data[self.start + THING_X] = 0

    def carried_by(self, agent: Agent) -> bool:
        """Whether an agent carries it."""
        return is_carried_by(self, agent.number)

    @property
    def _kind(self) -> int:
        """The number of its kind."""
        return int(self.data[self.start + WORD]) & 255

    @property
    def status(self) -> Any:
        """The object's status."""
        return self.object.status

    @property
    def state_index(self) -> int:
        """The number of the object's status."""
        return int(self.data[self.start + WORD]) >> 8 & 255

    @property
    def color(self) -> Color:
        """The object's color."""
        return self.object.color

    @property
    def blocks_movement(self) -> bool:
        """Whether agents cannot enter the cell in which it lies."""
        return self.object.blocks_movement

    @property
    def blocks_vision(self) -> bool:
        """Whether it is opaque."""
        return self.object.blocks_vision

    @property
    def holdable(self) -> bool:
        """Whether an agent can pick it up."""
        return self.object.holdable

    @property
    def content(self) -> GridObject:
        """The object that it contains."""
        return self.object.content

    def __eq__(self, other: Any) -> bool:
        return same_thing(self, other)

    def __hash__(self) -> int:
        return hash(self.number)

    def __repr__(self) -> str:
        if not self.exists:
            return f"Thing({self.number}, removed)"
        fields = "".join(f", {f.name}={getattr(self, f.name)}" for f in self.vocabulary.thing_fields)
        carried = f", carried by {self.carrier.number}" if self.is_carried else ""
        return f"Thing({self.number}, {self.object}, {self.position}{carried}{fields})"

    @staticmethod
    def __compiled_fields__(vocabulary: Vocabulary, name: str) -> FieldAccess | None:
        return _thing_field(vocabulary, name)

    @staticmethod
    def __undeclared__(vocabulary: Vocabulary, name: str) -> str:
        return _undeclared(vocabulary, name)

    # interpreted only

    @property  # type: ignore[misc]  # `object` declares it writable
    def __class__(self) -> Any:
        """The kind of its object: `isinstance(thing, Block)`."""
        return type(self.object)

    def __getattr__(self, name: str) -> Any:
        access = None if name.startswith("_") else _thing_field(self.vocabulary, name)
        if access is not None:
            return access.getter(self)
        found = self.object
        if name.startswith("_") or not (hasattr(type(found), name) or hasattr(found, name)):
            raise AttributeError(_undeclared(self.vocabulary, name))
        return getattr(found, name)

    def __setattr__(self, name: str, new: Any) -> None:
        if name == "carrier" and not isinstance(new, Agent):
            raise TypeError(f"a thing is carried by an agent, not by {new!r}")
        member = getattr(type(self), name, None)
        if isinstance(member, property) and member.fset is not None and name != "__class__":
            member.fset(self, new)
            return
        access = _thing_field(self.vocabulary, name)
        if access is None:
            raise AttributeError(_undeclared(self.vocabulary, name, "cannot be assigned"))
        access.assign(self, name, new)


def _undeclared(vocabulary: Vocabulary, name: str, problem: str = "is not known") -> str:
    listed = ", ".join(f.name for f in vocabulary.thing_fields) or "none"
    own = "object, position, carrier (to be read and assigned), number, exists, is_carried, color, status"
    return f"thing.{name} {problem}; there are {own}, and the thing fields that the world declares: {listed}"


OWNERS["a thing"] = Thing


@value
class Things:
    """The things of a state: `for thing in state.things`, `state.things[number]`, `len(state.things)`.

    Attributes:
        data, agent_rows, vocabulary: those of the state.
    """

    data: Any
    agent_rows: Any
    vocabulary: Vocabulary

    def __getitem__(self, number: int) -> Thing:
        if not 0 <= number < self.vocabulary.thing_capacity:
            raise IndexError(
                f"things are numbered from 0 to {self.vocabulary.thing_capacity - 1}; got {number}"
            )
        return thing_at(self.data, self.agent_rows, number, self.vocabulary)

    def __len__(self) -> int:
        count = 0
        for i in range(rows_in_use(self.data, self.vocabulary)):
            if thing_at(self.data, self.agent_rows, i, self.vocabulary).exists:
                count += 1
        return count

    def __iter__(self) -> Iterator[Thing]:
        for i in range(rows_in_use(self.data, self.vocabulary)):
            thing = thing_at(self.data, self.agent_rows, i, self.vocabulary)
            if thing.exists:
                yield thing

    def block(self, place: Position) -> bool:
        """Whether one that agents cannot pass lies in a cell."""
        for i in range(rows_in_use(self.data, self.vocabulary)):
            thing = thing_at(self.data, self.agent_rows, i, self.vocabulary)
            if int(self.data[thing.start + WORD]) & BLOCKS_MOVEMENT != 0 and lies_at(thing, place):
                return True
        return False

    def __repr__(self) -> str:
        return f"[{', '.join(map(repr, self))}]"


@value
class ThingsAt:
    """The things that lie in a cell, carried by nobody, the topmost last: `for thing in state.things_at(p)`."""

    data: Any
    agent_rows: Any
    place: Position
    vocabulary: Vocabulary

    def __len__(self) -> int:
        count = 0
        for i in range(rows_in_use(self.data, self.vocabulary)):
            if lies_at(thing_at(self.data, self.agent_rows, i, self.vocabulary), self.place):
                count += 1
        return count

    def __iter__(self) -> Iterator[Thing]:
        for i in range(rows_in_use(self.data, self.vocabulary)):
            thing = thing_at(self.data, self.agent_rows, i, self.vocabulary)
            if lies_at(thing, self.place):
                yield thing

    def __repr__(self) -> str:
        return f"[{', '.join(map(repr, self))}]"


@value
class CarriedThings:
    """The things that an agent carries: `for thing in state.carried_by(agent)`."""

    data: Any
    agent_rows: Any
    carrier: int
    vocabulary: Vocabulary

    def __len__(self) -> int:
        return count_carried(self.data, self.agent_rows, self.carrier, self.vocabulary)

    def __iter__(self) -> Iterator[Thing]:
        for i in range(rows_in_use(self.data, self.vocabulary)):
            thing = thing_at(self.data, self.agent_rows, i, self.vocabulary)
            if thing.exists and is_carried_by(thing, self.carrier):
                yield thing

    def __repr__(self) -> str:
        return f"[{', '.join(map(repr, self))}]"


def rows_in_use(data: Any, vocabulary: Vocabulary) -> int:
    """The number of rows of the table up to the last one in use; 0 in a world that declares no things."""
    return int(data[vocabulary.things_start]) if vocabulary.has_things else 0


def thing_at(data: Any, agent_rows: Any, number: int, vocabulary: Vocabulary) -> Thing:
    """The row of the table with a number, whether such a thing exists or not."""
    start = vocabulary.things_start + 1 + number * vocabulary.thing_row_length
    return Thing(data, agent_rows, start, number, vocabulary)


def lies_at(thing: Thing, place: Position) -> bool:
    """Whether a thing exists and lies in a cell, carried by nobody."""
    return thing.exists and not thing.is_carried and thing.position == place


def is_carried_by(thing: Thing, carrier: int) -> bool:
    """Whether the active agent with a number carries a thing."""
    return thing.is_carried and int(thing.data[thing.start + CARRIER]) == carrier + 1


def count_carried(data: Any, agent_rows: Any, carrier: int, vocabulary: Vocabulary) -> int:
    """The number of things that an agent carries."""
    count = 0
    for i in range(rows_in_use(data, vocabulary)):
        thing = thing_at(data, agent_rows, i, vocabulary)
        if thing.exists and is_carried_by(thing, carrier):
            count += 1
    return count


def add_thing(
    data: Any, agent_rows: Any, added: GridObject, place: Position, vocabulary: Vocabulary
) -> Thing:
    """Add a thing in the first free row.

    Raises:
        OverflowError: all rows are taken.
    """
    number = 0
    while number < vocabulary.thing_capacity and thing_at(data, agent_rows, number, vocabulary).exists:
        number += 1
    if number >= vocabulary.thing_capacity:
        raise OverflowError(
            f"this world has room for {vocabulary.thing_capacity} things (things: capacity), and all are there"
        )
    thing = put_thing(thing_at(data, agent_rows, number, vocabulary), added)
    thing.position = place
    return thing


def append_thing(
    data: Any, agent_rows: Any, added: GridObject, place: Position, vocabulary: Vocabulary
) -> Thing:
    """Add a thing in the row after the last one in use, without looking for a free one before.

    Raises:
        OverflowError: there is none.
    """
    number = rows_in_use(data, vocabulary)
    if number >= vocabulary.thing_capacity:
        raise OverflowError(f"this world has room for {vocabulary.thing_capacity} things (things: capacity)")
    thing = put_thing(thing_at(data, agent_rows, number, vocabulary), added)
    thing.position = place
    return thing


def put_thing(thing: Thing, added: GridObject) -> Thing:
    """Let a row of the table hold a new thing."""
    thing.object = added
    thing.data[thing.start + EXISTS] = 1
    set_thing_defaults(thing)
    if thing.data[thing.vocabulary.things_start] <= thing.number:
        thing.data[thing.vocabulary.things_start] = thing.number + 1
    return thing


def remove_thing(data: Any, thing: Thing, vocabulary: Vocabulary) -> None:
    """Clear a thing's row."""
    for k in range(vocabulary.thing_row_length):
        data[thing.start + k] = 0
    last = int(data[vocabulary.things_start])
    while last > 0 and not thing_at(data, thing.agent_rows, last - 1, vocabulary).exists:
        last -= 1
    data[vocabulary.things_start] = last


def show_things(data: Any, cells: Any, layers: Any, agent_rows: Any, vocabulary: Vocabulary) -> None:
    """Write the topmost thing of each cell into the cells, and of those an agent carries one as what it holds."""
    for i in range(rows_in_use(data, vocabulary)):
        thing = thing_at(data, agent_rows, i, vocabulary)
        word, p = int(data[thing.start + WORD]), thing.position
        if not thing.exists:
            continue
        if thing.is_carried:
            carrier = int(data[thing.start + CARRIER]) - 1
            if agent_rows[carrier, HELD] == NOTHING_WORD:
                agent_rows[carrier, HELD] = word
        elif 0 <= p.y < cells.shape[0] and 0 <= p.x < cells.shape[1]:
            cells[p.y, p.x] = word & LOWER
            if vocabulary.content_layer >= 0:
                layers[0, p.y, p.x] = word >> CONTENT_SHIFT


@compiled_as("gridarium.world.compiled.things:is_blocked_by_thing")
def is_blocked_by_thing(data: Any, agent_rows: Any, place: Position, vocabulary: Vocabulary) -> bool:
    """Whether a thing that agents cannot pass lies in a cell."""
    return vocabulary.has_things and Things(data, agent_rows, vocabulary).block(place)


@compiled_as("gridarium.world.compiled.things:set_thing_defaults")
def set_thing_defaults(thing: Thing) -> None:
    """Set the declared fields of a thing to their defaults."""
    for field in thing.vocabulary.thing_fields:
        set_default(thing, field)


@compiled_as("gridarium.world.compiled.things:same_thing")
def same_thing(thing: Thing, other: Any) -> bool:
    """Whether two things have the same number and the same row."""
    if type(other) is not Thing or other.number != thing.number:
        return False
    length = thing.vocabulary.thing_row_length
    one, two = (t.data[t.start : t.start + length].tolist() for t in (thing, other))
    return bool(one == two)
