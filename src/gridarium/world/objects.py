"""Objects: what can stand in a cell or be held. A kind is a short class; an object is an immutable value.

A new kind is a declaration:

    class Ice(GridObject):
        "Slippery until it breaks."
        class Status(enum.IntEnum):
            SMOOTH = 0
            BROKEN = 1
        glyph = "~"
        blocks_movement = {Status.BROKEN}

`blocks_movement`, `blocks_vision` and `holdable` are a bool, or the set of statuses for which it is true.
Names and numbers of the first eleven kinds are gym-gridverse's (Baisero and Katt 2021).
"""

from __future__ import annotations

import difflib
import enum
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from gridarium.world.colors import Color
from gridarium.world.glyphs import RESERVED, is_readable

BLOCKS_MOVEMENT, BLOCKS_VISION, HOLDABLE = 1 << 24, 1 << 25, 1 << 26
FLAGS = {"blocks_movement": BLOCKS_MOVEMENT, "blocks_vision": BLOCKS_VISION, "holdable": HOLDABLE}
CONTENT_SHIFT = 32
DECLARED = ("Status", "glyph", "color", "colored", "contains", "blocks_movement", "blocks_vision", "holdable",
            "in_state", "drawing", "status_glyphs")  # fmt: skip
"""The class attributes that a kind may declare."""
RESERVED_ATTRIBUTES = frozenset(
    ("content", "flags", "parameters", "state", "state_index", "status", "statuses")
)
"""The attributes that every object has and that no kind may redefine."""
MOST_STATUSES = 16


class ObjectRegistry:
    """The kinds declared so far, by name."""

    def __init__(self) -> None:
        self._kinds: dict[str, list[type[GridObject]]] = {}

    def register(self, kind: type[GridObject]) -> type[GridObject]:
        """Add a kind. A class that is defined again in the same place (a notebook cell) replaces the previous one."""
        elsewhere = [k for k in self._kinds.get(kind.__name__, []) if k.__module__ != kind.__module__]
        self._kinds[kind.__name__] = [*elsewhere, kind]
        return kind

    def names(self) -> list[str]:
        """The names of all kinds."""
        return list(self._kinds)

    keys = names

    def latest(self) -> list[type[GridObject]]:
        """All kinds; of several with the same name, the one declared last."""
        return [kinds[-1] for kinds in self._kinds.values()]

    def __contains__(self, name: object) -> bool:
        return name in self._kinds

    def __iter__(self) -> Any:
        return iter(self._kinds)

    def __getitem__(self, name: str) -> type[GridObject]:
        return self.from_name(name)

    def from_name(self, name: str, preferred: str = "") -> type[GridObject]:
        """The kind called `name`, or `module:name` where several modules declare one (nothing is imported).

        Args:
            name: its name.
            preferred: how the names of modules begin whose kind is meant where several declare one.

        Raises:
            ValueError: no such kind, or several modules declare one.
        """
        module, _, bare = name.rpartition(":")
        found = [k for k in self._kinds.get(bare, []) if module in ("", k.__module__)]
        if len(found) > 1 and preferred:
            found = [k for k in found if k.__module__.startswith(preferred)] or found
        if len(found) == 1:
            return found[0]
        if not found:
            raise ValueError(f"no object {name!r}; there are {', '.join(self._kinds)}")
        places = ", ".join(f"{k.__module__}:{name}" for k in found)
        raise ValueError(f"several objects are called {name}: write one of {places}")


grid_object_registry = ObjectRegistry()


class GridObject:
    """An object in a cell or held by an agent: a kind with a status, a color and possibly a content.

    Class attributes, all optional in a declaration:
        Status: an IntEnum of statuses, numbered 0, 1, ...
        glyph: one character for text maps and terminals.
        status_glyphs: a character for each status, in place of the glyph.
        color: the color of a kind whose objects are all of one.
        colored: whether the constructor takes a color.
        contains: whether the constructor takes a content, as `Box` does.
        blocks_movement, blocks_vision, holdable: a bool, or the set of statuses for which it is true.
        in_state: whether a state's arrays can show it (a Box cannot: its content is not visible).
        drawing: shapes for pictures, see `gridarium.draw`.

    A kind may have further properties and constants (numbers, bools, colors) of its own.
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
    status_glyphs: ClassVar[str] = ""
    __no_meaning__: ClassVar[tuple[str, ...]] = ("glyph", "drawing", "status_glyphs")

    color: Color
    status: Any
    _content: GridObject | None

    def __init_subclass__(cls, register: bool = True, **_: object) -> None:
        declared = dict(vars(cls))
        _check_status(cls)
        cls.flags = dict(cls.flags)
        for name in FLAGS:
            if name in declared:
                cls.flags[name] = _chosen_statuses(cls, name, declared[name])
                delattr(cls, name)
        if "color" in declared:
            cls.fixed_color = declared["color"]
            delattr(cls, "color")
        _check_declared(cls, declared, ours=cls.__module__ == __name__)
        if register:
            grid_object_registry.register(cls)

    def __init__(self, *given: Any, **named: Any) -> None:
        wanted = self.parameters()
        if not (wanted or given or named):
            self._fill(0, self.fixed_color, None)
            return
        values = dict(zip(wanted, given, strict=False)) | named
        if "state" in values:
            values["status"] = values.pop("state")
        if len(given) > len(wanted) or values.keys() - set(wanted) or len(values) < len(given) + len(named):
            shown = f"{given!r} and {named!r}" if named else repr(given)
            takes = ", ".join(wanted) or "no arguments"
            raise TypeError(f"{type(self).__name__}({', '.join(wanted)}) got {shown}; it takes {takes}")
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
            raise TypeError(f"{type(self).__name__}: color must be a Color, not {color!r}")
        if content is not None and (not isinstance(content, GridObject) or content.number in (0, 1)):
            raise ValueError(f"{type(self).__name__} cannot contain {content!r}")
        if content is not None and content._content is not None:
            raise ValueError(
                f"{type(self).__name__} cannot contain something that contains something: {content!r}"
            )
        put = object.__setattr__
        put(self, "status", status)
        put(self, "color", color)
        put(self, "_content", content)

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
        """The number of statuses."""
        return len(cls.statuses())

    @classmethod
    def objects_on_maps(cls) -> dict[str, GridObject]:
        """The objects that a character of a map stands for without a legend, in the color NONE; none if it does not say all."""
        if cls.contains or (cls.Status is not None and not cls.status_glyphs):
            return {}
        glyphs = cls.status_glyphs or cls.glyph
        return {
            glyph: cls(status=status) if cls.Status is not None else cls()
            for glyph, status in zip(glyphs, cls.statuses(), strict=True)
        }

    @property
    def map_glyph(self) -> str:
        """The character that shows it on maps, if that is free."""
        return self.status_glyphs[self.state_index] if self.status_glyphs else self.glyph

    @classmethod
    def can_be_represented_in_state(cls) -> bool:
        """Whether a state's arrays can show this kind."""
        return cls.in_state

    @property
    def state(self) -> int:
        """The status, under gym-gridverse's name."""
        status: int = self.status
        return status

    @property
    def state_index(self) -> int:
        """The number of the status."""
        return int(self.status)

    @property
    def content(self) -> GridObject:
        """The object it contains; `NoneGridObject()` if there is none."""
        return NOTHING if self._content is None else self._content

    @property
    def blocks_movement(self) -> bool:
        """Whether agents cannot enter the cell."""
        return self.state_index in self.flags["blocks_movement"]

    @property
    def blocks_vision(self) -> bool:
        """Whether the object is opaque."""
        return self.state_index in self.flags["blocks_vision"]

    @property
    def holdable(self) -> bool:
        """Whether an agent can pick it up."""
        return self.state_index in self.flags["holdable"]

    def __setattr__(self, name: str, new: object) -> None:
        made = f"grid[p] = {type(self).__name__}(...)"
        raise AttributeError(f"objects are immutable ({name} cannot be set); assign a new one: {made}")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GridObject) or not issubclass(
            type(other), GridObject
        ):  # things have its class
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
        """The part that compiled programs depend on: the object itself; the vocabulary covers its kind."""
        return [type(self).__module__, type(self).__qualname__, self.state_index, self.color, self._content]

    def __copy__(self) -> GridObject:
        return self

    def __deepcopy__(self, memo: object) -> GridObject:
        return self


def _check_status(cls: type[GridObject]) -> None:
    """Check that `Status` is an IntEnum.

    Raises:
        TypeError: it is something else.
    """
    given = cls.Status
    if given is not None and not (isinstance(given, type) and issubclass(given, enum.IntEnum)):
        raise TypeError(f"{cls.__name__}.Status is made with `class Status(enum.IntEnum):`, not {given!r}")


def _check_declared(cls: type[GridObject], declared: dict[str, Any], *, ours: bool) -> None:
    """Check a declaration for mistakes.

    Args:
        cls: the kind.
        declared: the names in its class body.
        ours: whether the library declares it.

    Raises:
        TypeError: the declaration is wrong; the message says how.
    """
    numbers = [int(s) for s in cls.statuses()]
    if numbers != list(range(len(numbers))) or len(numbers) > MOST_STATUSES:
        allowed = f"0, 1, 2, ..., at most {MOST_STATUSES}"
        raise TypeError(f"{cls.__name__}.Status must be numbered {allowed}, not {numbers}")
    if not isinstance(cls.glyph, str) or len(cls.glyph) != 1:
        raise TypeError(f"{cls.__name__}.glyph is one character, got {cls.glyph!r}")
    if not ours and "glyph" in declared and (cls.glyph in RESERVED or not is_readable(cls.glyph)):
        raise TypeError(
            f"{cls.__name__}.glyph cannot be {cls.glyph!r}: agents and walls are drawn with {' '.join(RESERVED)} in maps; it is "
            "any other character that is visible and one column wide"
        )
    if cls.status_glyphs and (
        len(cls.status_glyphs) != len(numbers) or not all(map(is_readable, cls.status_glyphs))
    ):
        raise TypeError(
            f"{cls.__name__}.status_glyphs is a visible character for each of its {len(numbers)} statuses, got {cls.status_glyphs!r}"
        )
    if not isinstance(cls.fixed_color, Color):
        raise TypeError(f"{cls.__name__}.color must be a Color, got {cls.fixed_color!r}")
    if "number" in declared and not ours:
        raise TypeError(f"{cls.__name__}.number: each world numbers its objects itself; leave it out")
    for name in sorted(RESERVED_ATTRIBUTES & declared.keys()):
        raise TypeError(f"{cls.__name__}.{name} is reserved: every object has a {name}; choose another name")
    for name in declared:
        if name in DECLARED or name.startswith("_"):
            continue
        if near := difflib.get_close_matches(name, DECLARED, 1, 0.8):
            raise TypeError(f"{cls.__name__}.{name} means nothing; did you mean {near[0]}?")
    if isinstance(drawing := declared.get("drawing"), Mapping):
        names = [getattr(s, "name", str(s)) for s in cls.statuses()]
        if surplus := [str(key) for key in drawing if key not in names]:
            raise TypeError(
                f"{cls.__name__}.drawing: {surplus[0]} is none of its statuses: {', '.join(names)}"
            )


def _chosen_statuses(cls: type[GridObject], name: str, given: Any) -> frozenset[int]:
    """The statuses for which a flag is true.

    Raises:
        TypeError: the flag is neither a bool nor a set of the kind's statuses.
    """
    numbers = range(cls.num_states())
    if isinstance(given, bool):
        return frozenset(numbers) if given else frozenset()
    if isinstance(given, set | frozenset | tuple | list):
        members: Iterable[Any] = given
        chosen = frozenset(int(getattr(s, "value", s)) for s in members)
        if chosen <= set(numbers):
            return chosen
    raise TypeError(f"{cls.__name__}.{name} is True, False or a set of its statuses, not {given!r}")


class NoneGridObject(GridObject):
    """The absence of an object: what an empty-handed agent holds."""

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
        """Whether agents can walk and see through it."""
        return bool(self.status == Door.Status.OPEN)

    @property
    def is_locked(self) -> bool:
        """Whether a key is needed to open it."""
        return bool(self.status == Door.Status.LOCKED)


class Key(GridObject):
    """Opens locked doors of its color."""

    number, glyph = 6, "K"
    colored = holdable = True


class MovingObstacle(GridObject):
    """Moves randomly; collisions are usually penalised."""

    number, glyph = 7, "o"


class Box(GridObject):
    """Holds another object, which appears when the box is actuated."""

    number, glyph = 8, "B"
    contains = blocks_movement = True
    in_state = False


class Telepod(GridObject):
    """Teleports an agent that stands on it to another telepod of the same color."""

    number, glyph = 9, "T"
    colored = True


class Beacon(GridObject):
    """Shows a color to remember."""

    number, glyph = 10, "*"
    colored = True


class Lava(GridObject):
    """Can be entered, at a cost (MiniGrid's lava)."""

    glyph = "~"


class Ball(GridObject):
    """Can be picked up; blocks the way (MiniGrid's ball)."""

    glyph = "b"
    colored = holdable = blocks_movement = True


class Goal(GridObject):
    """A target cell that several agents may share or compete for."""

    glyph = "G"
    colored = True


class Block(GridObject):
    """Is carried about (the blocks world for teams)."""

    glyph = "m"
    colored = holdable = True


class Evader(GridObject):
    """Moves randomly and is to be caught (pursuit and evasion)."""

    glyph = "e"


class Crate(GridObject):
    """Is pushed, not held; STORED stands on a goal (Sokoban's box)."""

    class Status(enum.IntEnum):
        """Loose, or on a goal."""

        LOOSE = 0
        STORED = 1

    glyph = "$"
    blocks_movement = True


Status = Door.Status
