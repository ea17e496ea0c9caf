"""Worlds drawn as text: a character for each cell, and, in worlds with walls on edges, characters between cells.

    #######          > .|.
    #>.D.E#              -
    #######          . .|E

Pictures are read as those of written states are (`gridarium.world.text_map`).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from gridarium.rules.map_reset import CELL_BITS, RANDOM, WALL_BITS, from_map, packed
from gridarium.world import Floor, GridObject, Hidden, NoneGridObject, Orientation
from gridarium.world.glyphs import ARROWS
from gridarium.world.text_map import Map, read_map
from gridarium.worlds.problems import Path, Stop

Pose = tuple[int | None, Orientation]
"""Which agent a character stands for (None: the next one) and its heading."""
Meaning = GridObject | Pose


class Picture(NamedTuple):
    """A map as it is written.

    Attributes:
        text: a character for each cell, and for walls between them.
        meanings: what its characters stand for.
        scattered: objects to put on random floor cells.
        path: where it stands in the description.
    """

    text: str
    meanings: Mapping[str, Meaning]
    scattered: tuple[GridObject, ...]
    path: Path


def extent(picture: str, edges: bool, path: Path) -> tuple[int, int]:
    """The height and width of the world that a picture shows.

    Raises:
        Stop: what is wrong with the picture, and where.
    """
    symbols = _read(picture, edges, path).symbols
    return len(symbols), len(symbols[0])


def drawn(
    maps: Sequence[Picture], *, kinds: tuple[type[GridObject], ...], agents: int, edges: bool
) -> functools.partial[None]:
    """The reset rule for pictures of one size, of which it draws one.

    Args:
        maps: one or more.
        kinds: the world's.
        agents: how many agents there are.
        edges: whether the world has walls on edges, so that they are drawn.

    Raises:
        Stop: what is wrong with a picture, and where.
    """
    palette: dict[GridObject, int] = {Floor(): 0}
    cells: list[int] = []
    walls: list[int] = []
    poses: list[int] = []
    scattered: list[int] = []
    for picture in maps:
        read = _read(picture.text, edges, picture.path)
        numbers, found = _numbered(read, picture, palette, kinds)
        cells += packed(numbers, CELL_BITS)
        walls += packed(_inner_walls(read), WALL_BITS)
        placed = _poses(found, agents, picture.path)
        poses += [n for i in range(agents) for n in placed.get(i, (RANDOM,) * 3)]
        scattered += [palette.setdefault(thing, len(palette)) for thing in picture.scattered]
        if len(palette) > 1 << CELL_BITS:
            raise Stop(_place(picture.path), f"{len(palette)} different objects; at most {1 << CELL_BITS}")
    return functools.partial(
        from_map,
        picture=tuple(cells),
        palette=tuple(palette),
        poses=tuple(poses),
        walls=tuple(walls),
        scattered=(*(len(picture.scattered) for picture in maps), *scattered),
    )


def _numbered(
    read: Map, picture: Picture, palette: dict[GridObject, int], kinds: tuple[type[GridObject], ...]
) -> tuple[list[int], list[tuple[Pose, int, int]]]:
    """For each cell the number of its object in a palette, which grows, and where agents stand."""
    numbers: list[int] = []
    found: list[tuple[Pose, int, int]] = []
    for y, row in enumerate(read.symbols):
        for x, (symbol, (line, column)) in enumerate(row):
            if symbol not in picture.meanings:
                reason = _unclear(symbol, picture.meanings, kinds)
                raise Stop(_place(picture.path), f"line {line}, column {column}: {reason}")
            meaning = picture.meanings[symbol]
            if not isinstance(meaning, GridObject):
                found.append((meaning, y, x))
                meaning = Floor()
            numbers.append(palette.setdefault(meaning, len(palette)))
    return numbers, found


def _inner_walls(read: Map) -> list[int]:
    """For each cell its walls; those on the outer border change nothing, and have no neighbour to stand against."""
    return [
        bits & ((x < len(row) - 1) + 2 * (y < len(read.walls) - 1))
        for y, row in enumerate(read.walls)
        for x, bits in enumerate(row)
    ]


def default_meanings(kinds: tuple[type[GridObject], ...]) -> dict[str, Meaning]:
    """What characters stand for without a legend: the glyphs of kinds that need nothing else, and arrows."""
    meanings: dict[str, Meaning] = {}
    usable = [
        k
        for k in kinds
        if k not in (Hidden, NoneGridObject) and not {"status", "content"} & {*k.parameters()}
    ]
    glyphs = [k.glyph for k in usable]
    for kind in usable:
        if glyphs.count(kind.glyph) == 1:
            make: Callable[[], GridObject] = kind
            meanings[kind.glyph] = make()
    return meanings | {arrow: (None, heading) for arrow, heading in zip(ARROWS, Orientation, strict=True)}


def _unclear(symbol: str, known: Iterable[str], kinds: tuple[type[GridObject], ...]) -> str:
    """Why a character has no meaning, and what to write: of kinds with a status or content, a map does not say which."""
    entries = [_entry(kind) for kind in kinds if kind.glyph == symbol]
    if not entries:
        return f"{symbol!r} has no meaning; add it to the legend, or use one of: {' '.join(sorted(known))}"
    lines = " or ".join(f"{symbol!r}: {{{', '.join(f'{k}: {v}' for k, v in e.items())}}}" for e in entries)
    return f"{symbol!r} may stand for different objects; say in the legend which, such as {lines}"


def _entry(kind: type[GridObject]) -> dict[str, str]:
    """An object of a kind as the legend has it."""
    wanted = kind.parameters()
    status = {"status": kind.statuses()[0].name} if "status" in wanted else {}
    return {"name": kind.__name__, **status, **({"content": "Floor"} if "content" in wanted else {})}


def _place(path: Path) -> Path:
    return (*path, "picture")


def _read(picture: str, edges: bool, path: Path) -> Map:
    rows = list(enumerate(picture.split("\n"), 1))
    if not picture.strip():
        raise Stop(_place(path), "the picture is empty")
    try:
        return read_map(rows, edges)
    except ValueError as error:
        raise Stop(_place(path), str(error)) from error


def _poses(found: list[tuple[Pose, int, int]], agents: int, path: Path) -> dict[int, tuple[int, int, int]]:
    numbered = [number for (number, _), _, _ in found if number is not None]
    free = (i for i in range(len(found) + agents) if i not in numbered)
    poses: dict[int, tuple[int, int, int]] = {}
    for (given, heading), y, x in found:
        number = next(free) if given is None else given
        where = f"agent {number} stands at ({y}, {x})"
        if number >= agents:
            raise Stop(_place(path), f"{where}, but the number of agents is {agents}")
        if number in poses:
            raise Stop(_place(path), f"{where} a second time")
        poses[number] = (y, x, heading.value)
    return poses
