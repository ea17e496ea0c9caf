"""The rows of a core state in which the objects and agents of a live world are kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.world import (
    AreaTile,
    Color,
    Door,
    DropOffTile,
    Floor,
    GridObject,
    Item,
    NoneGridObject,
    Position,
    Smoke,
    State,
    Wall,
)
from gridarium.world.agent import ACTIVE, X, Y
from gridarium.world.cell import encode
from gridarium.world.live_objects import COLOUR_FIELD, INVISIBLE, OTHER_COLOUR
from gridarium.world.objects import BLOCKS_MOVEMENT
from gridarium.world.things import (
    CARRIER,
    EXISTS,
    THING_X,
    THING_Y,
    WORD,
    Thing,
    put_thing,
    remove_thing,
    thing_at,
)
from gridarium.world.vocabulary import AGENT_FIELDS, THING_FIELDS, find_field

Location = tuple[int, int]
"""x, counted from the left, and y, counted from the top."""
KINDS: tuple[type[GridObject], ...] = (Wall, Floor, AreaTile, DropOffTile, Smoke, Item, Door)
"""The kinds of objects of the core of every world that is built."""
TRAVERSABLE = "traversable"
"""The field of agents that says whether others can be in their cells; without it they never can."""


GRAB_ORDER, ARRIVED_AT = "grab_order", "arrived_at"
"""Fields of things besides the color: which of the carried things was grabbed first, and since when it lies on a drop-off tile."""
LEAST_CONTRAST = 16
"""Between the parts of a color that is not grey."""
UNSEEN = "invisible"
"""The color of what pictures do not show."""


def colour_number(colour: str) -> int:
    """The number 0xff8000 for the color #ff8000; `INVISIBLE`, or `OTHER_COLOUR` for a color that is written in another way."""
    if colour == UNSEEN:
        return INVISIBLE
    digits = colour.removeprefix("#")
    try:
        return int(digits, 16) if len(digits) == 6 else OTHER_COLOUR
    except ValueError:
        return OTHER_COLOUR


def nearest_color(colour: str) -> Color:
    """The built-in color that is most like one such as #ff8000, for pictures and observations of the core; of a grey, a grey one."""
    number = colour_number(colour)
    rgb = (number >> 16 & 255, number >> 8 & 255, number & 255)
    is_grey = max(rgb) - min(rgb) < LEAST_CONTRAST
    return min(
        (Color.NONE, Color.GREY) if is_grey else Color,
        key=lambda c: sum((a - b) ** 2 for a, b in zip(c.rgb, rgb, strict=True)),
    )


def item_of(is_traversable: bool, is_movable: bool, color: Color) -> Item:
    """The core's object for any object that is not a door."""
    return Item(Item.Status(2 * is_movable + is_traversable), color)


def core_properties(made: GridObject) -> dict[str, str]:
    """The names of the kind, status and color of an object of the core; nothing of no object."""
    if isinstance(made, NoneGridObject):
        return {}
    kind = type(made)
    status = "" if kind.Status is None else made.status.name
    return {"kind": kind.__name__, "status": status, "color": made.color.name}


class CoreView:
    """Reads and writes single numbers of a core state, faster than by way of its records.

    Attributes:
        state: the state, not copied.
        things: int64[capacity, columns]: its table of things.
        agent_rows: int64[agents, columns].
        agent_ids: the ids of the agents, by their indices.
        by_number: the objects that are things, by their numbers; whoever keeps them sets it.
        version: changes with any property of an object or agent.
        grow: called when a thing is to be added and all rows are in use; it attaches a state with more.
    """

    def __init__(self, state: State, agent_ids: list[str], grow: Callable[[], None]) -> None:
        self.agent_ids, self.grow = agent_ids, grow
        self.by_number: dict[int, Any] = {}
        self.version = 0
        self.attach(state)

    def attach(self, state: State) -> None:
        """Let another state take the place of this one; it has the same things and agents, and maybe more."""
        vocabulary = state.vocabulary
        self.state, self.agent_rows = state, state.agent_rows
        first, length = vocabulary.things_start + 1, vocabulary.thing_row_length
        field = find_field(vocabulary.agent_fields, TRAVERSABLE, AGENT_FIELDS)
        self._traversable = -1 if field is None else field[0]
        self.things: npt.NDArray[np.int64] = state.data[
            first : first + vocabulary.thing_capacity * length
        ].reshape(vocabulary.thing_capacity, length)

    # things

    def thing(self, number: int) -> Thing:
        """The thing with a number, whether it exists or not."""
        return thing_at(self.state.data, self.agent_rows, number, self.state.vocabulary)

    def thing_location(self, number: int) -> Location:
        """Where a thing lies, or its carrier is."""
        carrier = self.things.item(number, CARRIER)
        if carrier:
            return self.agent_location(carrier - 1)
        return self.things.item(number, THING_X), self.things.item(number, THING_Y)

    def put_thing_at(self, number: int, location: Location) -> None:
        """Lay a thing down somewhere."""
        self.things[number, [THING_Y, THING_X, CARRIER]] = location[1], location[0], 0

    def carrier(self, number: int) -> int:
        """The index of the agent that carries a thing; -1 if nobody does."""
        carrier: int = self.things.item(number, CARRIER) - 1
        return carrier if carrier >= 0 and self.agent_rows.item(carrier, ACTIVE) else -1

    def status(self, number: int) -> int:
        """The number of a thing's status."""
        status: int = self.things.item(number, WORD) >> 8 & 255
        return status

    def blocks_movement(self, number: int) -> bool:
        """Whether a thing is in the way."""
        return bool(self.things.item(number, WORD) & BLOCKS_MOVEMENT)

    def set_object(self, number: int, made: GridObject, colour: str) -> None:
        """Replace the object of a thing, and its color."""
        self.things[number, WORD] = encode(made, self.state.vocabulary)
        self.things[number, self._column(COLOUR_FIELD)] = colour_number(colour)

    def _column(self, field: str) -> int:
        found = find_field(self.state.vocabulary.thing_fields, field, THING_FIELDS)
        if found is None:
            raise ValueError(f"the things of this world have no field {field!r}")
        return found[0]

    def free_number(self) -> int:
        """The number of a row that is not in use."""
        free = np.flatnonzero(self.things[:, EXISTS] == 0)
        if len(free) == 0:
            self.grow()
            return self.free_number()
        return int(free[0])

    def add_thing(self, number: int, made: GridObject, colour: str, location: Location) -> None:
        """Let a row that is not in use hold a thing."""
        put_thing(self.thing(number), made).position = Position(location[1], location[0])
        self.set_object(number, made, colour)

    def remove_thing(self, number: int) -> None:
        """Remove a thing."""
        remove_thing(self.state.data, self.thing(number), self.state.vocabulary)

    def exists(self, number: int) -> bool:
        """Whether there is a thing with a number."""
        return bool(self.things.item(number, EXISTS))

    # cells

    def check_inside(self, location: Location) -> None:
        """Check that a location is a cell.

        Raises:
            ValueError: it is not.
        """
        height, width = self.state.cells.shape
        if not (0 <= location[0] < width and 0 <= location[1] < height):
            raise ValueError(f"{location} is outside of the world, which is {width} wide and {height} high")

    def cell(self, location: Location) -> GridObject:
        """The object that a cell consists of."""
        found: GridObject = self.state.grid[Position(location[1], location[0])]
        return found

    def set_cell(self, location: Location, made: GridObject) -> None:
        """Replace it."""
        self.state.grid[Position(location[1], location[0])] = made

    # agents

    def agent_location(self, index: int) -> Location:
        """Where an agent is."""
        return self.agent_rows.item(index, X), self.agent_rows.item(index, Y)

    def agent_looks(self, index: int) -> tuple[int, GridObject]:
        """The quarter turns clockwise that an agent has made, of one that faces up none, and the object that it holds."""
        agent = self.state.agents[index]
        return agent.orientation.quarter_turns, agent.grid_object

    def put_agent_at(self, index: int, location: Location) -> None:
        """Move an agent somewhere."""
        self.agent_rows[index, X], self.agent_rows[index, Y] = location

    def is_traversable(self, index: int) -> bool:
        """Whether others can be in an agent's cell."""
        return self._traversable >= 0 and bool(self.agent_rows.item(index, self._traversable))

    def set_traversable(self, index: int, new: bool) -> None:
        """Set it.

        Raises:
            ValueError: the world does not let agents share cells.
        """
        if self._traversable < 0:
            raise ValueError("agents of this world block each other: it has no agent field `traversable`")
        self.agent_rows[index, self._traversable] = int(new)

    def carried_by(self, index: int) -> list[int]:
        """The numbers of the things that an agent carries, the first one grabbed first, in worlds that keep the order."""
        rows: list[int] = (self.things[:, CARRIER] == index + 1).nonzero()[0].tolist()
        fields = self.state.vocabulary.thing_fields
        if len(rows) < 2 or find_field(fields, GRAB_ORDER, THING_FIELDS) is None:
            return rows
        order = self._column(GRAB_ORDER)
        return sorted(rows, key=lambda number: self.things.item(number, order))
