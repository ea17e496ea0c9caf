"""Colors: names with a number, a shade and a mark. The first five numbers are gym-gridverse's."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Any, ClassVar


class _Colors(type):
    """Make `Color` iterable (built-in colors only) and indexable by name."""

    def __iter__(cls) -> Iterator[Color]:
        return iter([c for c in _by_name.values() if c.value is not None])

    def __getitem__(cls, name: str) -> Color:
        if name not in _by_name:
            raise KeyError(f"no color {name!r}; there are {', '.join(_by_name)}")
        return _by_name[name]


class Color(metaclass=_Colors):
    """A color. Declaring a color is enough to use it: `PINK = Color("PINK", rgb=(255, 150, 200), mark="p")`.

    Args:
        name: in capitals; a second color of the same name must be the same color.
        rgb: shade, three whole numbers of 0..255.
        mark: one character that identifies it without color vision.

    Attributes:
        value: the number of a built-in color (0..7); None for a declared one, whose number each world assigns.
    """

    __slots__ = ("mark", "name", "rgb", "value")
    __no_meaning__: ClassVar[tuple[str, ...]] = ("rgb", "mark")
    NONE: ClassVar[Color]
    RED: ClassVar[Color]
    GREEN: ClassVar[Color]
    BLUE: ClassVar[Color]
    YELLOW: ClassVar[Color]
    PURPLE: ClassVar[Color]
    GREY: ClassVar[Color]
    ORANGE: ClassVar[Color]

    name: str
    rgb: tuple[int, int, int]
    mark: str
    value: int | None

    def __new__(cls, name: str, *_: Any, **__: Any) -> Color:
        """Return the only color of this name, also after copying, pickling or declaring it again."""
        return _by_name.get(name) or super().__new__(cls)

    def __init__(
        self, name: str, rgb: tuple[int, int, int], mark: str = "?", *, value: int | None = None
    ) -> None:
        if len(rgb) != 3 or not all(0 <= part <= 255 for part in rgb):
            raise ValueError(f"color {name}: rgb is three numbers from 0 to 255, got {rgb!r}")
        if len(mark) != 1:
            raise ValueError(f"color {name}: the mark is one character, got {mark!r}")
        if name in _by_name:
            if tuple(rgb) != self.rgb:
                raise ValueError(f"a color {name} with rgb {self.rgb} exists already; choose another name")
            return
        for key, given in (("name", name), ("rgb", tuple(rgb)), ("mark", mark), ("value", value)):
            object.__setattr__(self, key, given)
        _by_name[name] = self

    def __setattr__(self, name: str, new: object) -> None:
        raise AttributeError(f"a color cannot be changed ({name})")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Color) and other.name == self.name

    def __hash__(self) -> int:
        return zlib.crc32(self.name.encode())  # the same in every process, unlike the hash of a string

    def __repr__(self) -> str:
        return f"Color.{self.name}"

    def __reduce__(self) -> tuple[type[Color], tuple[object, ...]]:
        return Color, (self.name, self.rgb, self.mark)

    def __fingerprint__(self) -> list[object]:
        """The parts that compiled programs depend on: the name, and the number of its own; the vocabulary defines another."""
        return [self.name, self.value]

    def __copy__(self) -> Color:
        return self

    def __deepcopy__(self, memo: object) -> Color:
        return self


_by_name: dict[str, Color] = {}

for _number, (_name, _rgb, _mark) in enumerate(
    (
        ("NONE", (128, 128, 128), " "),
        ("RED", (203, 84, 84), "r"),
        ("GREEN", (84, 174, 84), "g"),
        ("BLUE", (84, 110, 203), "b"),
        ("YELLOW", (222, 190, 60), "y"),
        ("PURPLE", (150, 84, 190), "v"),
        ("GREY", (110, 110, 120), "e"),
        ("ORANGE", (230, 140, 50), "o"),
    )
):
    setattr(Color, _name, Color(_name, _rgb, _mark, value=_number))
