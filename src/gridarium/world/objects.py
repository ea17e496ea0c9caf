"""Objects: what can stand in a cell or be held. A kind is a short class; an object is an immutable value.

A new kind is a declaration:

    class Ice(GridObject):
        "Slippery until it breaks."
        class Status(enum.IntEnum):
            SMOOTH = 0
            BROKEN = 1
        glyph = "~"
        blocks_movement = {Status.BROKEN}

`blocks_movement`, `blocks_vision` and `holdable` are a truth value, or the set of statuses for which it is true.
Names and numbers of the first eleven kinds are gym-gridverse's (Baisero and Katt 2021).
"""

from __future__ import annotations

import enum
from typing import Any, ClassVar

from gridarium.world.colors import Color
from gridarium.world.declaring import check_declared, check_status, chosen_statuses
from gridarium.world.object_registry import ObjectRegistry

BLOCKS_MOVEMENT, BLOCKS_VISION, HOLDABLE = 1 << 24, 1 << 25, 1 << 26
FLAGS = {"blocks_movement": BLOCKS_MOVEMENT, "blocks_vision": BLOCKS_VISION, "holdable": HOLDABLE}
CONTENT_SHIFT = 32


grid_object_registry = ObjectRegistry()


class GridObject:
    """What stands in a cell or is held: a kind with a status, a color and perhaps a content.

    Class attributes, all optional in a declaration:
        Status: an IntEnum of statuses, numbered 0, 1, ...
        glyph: one character for text maps and terminals.
        color: the color of a kind whose objects are all of one.
        colored: whether the constructor takes a color.
        contains: whether the constructor takes a content, as `Box` does.
        blocks_movement, blocks_vision, holdable: a truth value, or the set of statuses for which it is true.
        in_state: whether a state's arrays can show it (a Box cannot: what it holds is not visible).
        drawing: shapes for pictures, see `gridarium.draw`.

    A kind may have further properties and constants (numbers, truth values, colors) of its own.
    """

    __slots__ = ("_content", "color", "status")

    Status: ClassVar[type[enum.IntEnum] | None] = None
    glyph: ClassVar[str] = "?"
    colored: ClassVar[bool] = False
    contains: ClassVar[bool] = False
    in_state: ClassVar[bool] = True
    drawing: ClassVar[Any] = None
    number: ClassVar[int | None] = None
    fixed_color: ClassVar[Color] = Color.NONE
    flags: ClassVar[dict[str, frozenset[int]]] = {name: frozenset() for name in FLAGS}
    __no_meaning__: ClassVar[tuple[str, ...]] = ("glyph", "drawing")

    color: Color
    status: Any
    _content: GridObject | None

    def __init_subclass__(cls, register: bool = True, **_: object) -> None:
        declared = dict(vars(cls))
        check_status(cls)
        cls.flags = dict(cls.flags)
        for name in FLAGS:
            if name in declared:
                cls.flags[name] = chosen_statuses(cls, name, declared[name])
                delattr(cls, name)
        if "color" in declared:
            cls.fixed_color = declared["color"]
            delattr(cls, "color")
        check_declared(cls, declared, ours=cls.__module__ == __name__)
        if register:
            grid_object_registry.register(cls)

    def __init__(self, *given: Any, **named: Any) -> None:
        wanted = self.parameters()
        values = dict(zip(wanted, given, strict=False)) | named
        if "state" in values:
            values["status"] = values.pop("state")
        if len(given) > len(wanted) or values.keys() - set(wanted) or len(values) < len(given) + len(named):
            raise TypeError(f"{type(self).__name__}({', '.join(wanted)}) got {given!r} {named or ''}")
        if "status" in wanted and "status" not in values:
            raise TypeError(
                f"{type(self).__name__} needs a status: {', '.join(s.name for s in self.statuses())}"
            )
        if "content" in wanted and "content" not in values:
            raise TypeError(f"{type(self).__name__} needs a content")
        self._fill(values.get("status", 0), values.get("color", self.fixed_color), values.get("content"))

    def _fill(self, status: Any, color: Color, content: GridObject | None) -> None:
        if self.Status is not None:
            status = self.Status(status)
        if not isinstance(color, Color):
            raise TypeError(f"{type(self).__name__}: color is a Color, not {color!r}")
        if content is not None and (not isinstance(content, GridObject) or content.number in (0, 1)):
            raise ValueError(f"{type(self).__name__} cannot contain {content!r}")
        if content is not None and content._content is not None:
            raise ValueError(
                f"{type(self).__name__} cannot contain something that contains something: {content!r}"
            )
        for name, new in (("status", status), ("color", color), ("_content", content)):
            object.__setattr__(self, name, new)

    @classmethod
    def parameters(cls) -> tuple[str, ...]:
        """The names of the constructor's parameters, out of status, color and content."""
        wanted = (("status", cls.Status is not None), ("color", cls.colored), ("content", cls.contains))
        return tuple(name for name, takes in wanted if takes)

    @classmethod
    def statuses(cls) -> list[Any]:
        """The members of `Status`, or [0]."""
        return [0] if cls.Status is None else list(cls.Status)

    @classmethod
    def num_states(cls) -> int:
        """How many statuses there are."""
        return len(cls.statuses())

    @classmethod
    def can_be_represented_in_state(cls) -> bool:
        """Whether a state's arrays can show this kind."""
        return cls.in_state

    @property
    def state(self) -> Any:
        """The status, under gym-gridverse's name."""
        return self.status

    @property
    def state_index(self) -> int:
        """The number of the status."""
        return int(self.status)

    @property
    def content(self) -> GridObject:
        """What it holds; `NoneGridObject()` if that is nothing."""
        return NOTHING if self._content is None else self._content

    @property
    def blocks_movement(self) -> bool:
        """Whether nobody can enter the cell."""
        return self.state_index in self.flags["blocks_movement"]

    @property
    def blocks_vision(self) -> bool:
        """Whether nobody can see past the cell."""
        return self.state_index in self.flags["blocks_vision"]

    @property
    def holdable(self) -> bool:
        """Whether an agent can pick it up."""
        return self.state_index in self.flags["holdable"]

    def __setattr__(self, name: str, new: object) -> None:
        made = f"grid[p] = {type(self).__name__}(...)"
        raise AttributeError(f"an object is a value and cannot be changed ({name}); put a new one: {made}")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GridObject):
            return NotImplemented
        mine = (type(self), self.state_index, self.color, self._content)
        return mine == (type(other), other.state_index, other.color, other._content)

    def __hash__(self) -> int:
        return hash((type(self).__name__, self.state_index, self.color, self._content))

    def __repr__(self) -> str:
        shown = [getattr(self, name) for name in self.parameters()]
        parts = [f"{s.__class__.__name__}.{s.name}" if isinstance(s, enum.Enum) else repr(s) for s in shown]
        return f"{type(self).__name__}({', '.join(parts)})"

    def __reduce__(self) -> Any:
        given = {"status": self.status, "color": self.color, "content": self._content}
        return type(self), tuple(given[name] for name in self.parameters())

    def __fingerprint__(self) -> list[Any]:
        """What compiled programs depend on: which object it is; what its kind means is the vocabulary's."""
        return [type(self).__module__, type(self).__qualname__, self.state_index, self.color, self._content]

    def __copy__(self) -> GridObject:
        return self

    def __deepcopy__(self, memo: object) -> GridObject:
        return self


class NoneGridObject(GridObject):
    """Nothing: what an agent holds when it holds nothing."""

    number, glyph = 0, " "
    blocks_vision = True


NOTHING = NoneGridObject()


class Hidden(GridObject):
    """A cell that is not seen, or lies outside the grid."""

    number, glyph = 1, "?"
    blocks_vision = True
    in_state = False


class Floor(GridObject):
    """An empty cell."""

    number, glyph = 2, "."


class Wall(GridObject):
    """Blocks movement and vision."""

    number, glyph = 3, "#"
    blocks_movement = blocks_vision = True


class Exit(GridObject):
    """A goal; its color matters in memory tasks."""

    number, glyph = 4, "E"
    colored = True


class Door(GridObject):
    """Blocks movement and vision unless open; a locked one opens to a key of its color."""

    class Status(enum.IntEnum):
        """Open, closed or locked."""

        OPEN = 0
        CLOSED = 1
        LOCKED = 2

    number, glyph = 5, "D"
    colored = True
    blocks_movement = blocks_vision = (Status.CLOSED, Status.LOCKED)  # type: ignore[assignment]  # see GridObject

    @property
    def is_open(self) -> bool:
        """Whether one can walk and see through."""
        return bool(self.status == Door.Status.OPEN)

    @property
    def is_locked(self) -> bool:
        """Whether it takes a key to open."""
        return bool(self.status == Door.Status.LOCKED)


class Key(GridObject):
    """Opens locked doors of its color."""

    number, glyph = 6, "K"
    colored = holdable = True


class MovingObstacle(GridObject):
    """Wanders about; bumping into it is usually bad."""

    number, glyph = 7, "o"


class Box(GridObject):
    """Holds another object, which appears when the box is actuated."""

    number, glyph = 8, "B"
    contains = blocks_movement = True
    in_state = False


class Telepod(GridObject):
    """Sends whoever stands on it to another telepod of the same color."""

    number, glyph = 9, "T"
    colored = True


class Beacon(GridObject):
    """Shows a color to remember."""

    number, glyph = 10, "*"
    colored = True


class Lava(GridObject):
    """Can be entered, at a price (MiniGrid's lava)."""

    glyph = "~"


class Ball(GridObject):
    """Can be picked up; blocks the way (MiniGrid's ball)."""

    glyph = "b"
    colored = holdable = blocks_movement = True


class Goal(GridObject):
    """A target cell that several agents may share or compete for."""

    glyph = "G"
    colored = True


Status = Door.Status
