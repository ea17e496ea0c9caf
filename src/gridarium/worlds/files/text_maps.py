"""Worlds drawn as text: a character for each cell, and, in worlds with walls on edges, characters between cells.

    #######          > .|.
    #>.D.E#              -
    #######          . .|E

Pictures are parsed as those in the text form of states (`gridarium.world.text_form.map`).
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from gridarium.rules.reset_functions.maps import CELL_BITS, RANDOM, WALL_BITS, from_map, packed
from gridarium.world import Floor, GridObject, Hidden, NoneGridObject, Orientation
from gridarium.world.glyphs import ARROWS
from gridarium.world.text_form.map import Map, read_map
from gridarium.worlds.entries.problems import EntryProblem, Path


class Pose(NamedTuple):
    """What a character says of an agent.

    Attributes:
        number: the agent's index; None for the next one.
        heading: its heading.
        ground: what is in its cell.
    """

    number: int | None
    heading: Orientation
    ground: GridObject = Floor()


Meaning = GridObject | Pose


class Picture(NamedTuple):
    """A map as given in a description.

    Attributes:
        text: a character for each cell, and for walls between them.
        meanings: the meaning of its characters.
        scattered: objects to put on random floor cells.
        path: its path in the description.
    """

    text: str
    meanings: Mapping[str, Meaning]
    scattered: tuple[GridObject, ...]
    path: Path


def extent(picture: str, edges: bool, path: Path) -> tuple[int, int]:
    """The height and width of the world in a picture.

    Raises:
        EntryProblem: the picture is invalid; with its place.
    """
    symbols = _read(picture, edges, path).symbols
    return len(symbols), len(symbols[0])


def drawn(
    maps: Sequence[Picture], *, kinds: tuple[type[GridObject], ...], agents: int, edges: bool
) -> functools.partial[None]:
    """The reset rule that draws one of several pictures of the same size.

    Args:
        maps: one or more.
        kinds: the kinds of the world.
        agents: the number of agents.
        edges: whether the world has walls on edges, which pictures then show.

    Raises:
        EntryProblem: a picture is invalid; with its place.
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
            raise EntryProblem(
                _place(picture.path), f"{len(palette)} different objects; at most {1 << CELL_BITS}"
            )
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
    """For each cell the index of its object in a palette, which is extended as needed, and the positions of agents."""
    numbers: list[int] = []
    found: list[tuple[Pose, int, int]] = []
    for y, row in enumerate(read.symbols):
        for x, (symbol, (line, column)) in enumerate(row):
            if symbol not in picture.meanings:
                reason = _unclear(symbol, picture.meanings, kinds)
                raise EntryProblem(_place(picture.path), f"line {line}, column {column}: {reason}")
            meaning = picture.meanings[symbol]
            if not isinstance(meaning, GridObject):
                found.append((meaning, y, x))
                meaning = meaning.ground
            numbers.append(palette.setdefault(meaning, len(palette)))
    return numbers, found


def _inner_walls(read: Map) -> list[int]:
    """For each cell its walls; those on the outer border are dropped, since they have no effect."""
    return [
        bits & ((x < len(row) - 1) + 2 * (y < len(read.walls) - 1))
        for y, row in enumerate(read.walls)
        for x, bits in enumerate(row)
    ]


def default_meanings(kinds: tuple[type[GridObject], ...]) -> dict[str, Meaning]:
    """The meaning of characters without a legend: those that stand for one object, and arrows."""
    usable = [k.objects_on_maps() for k in kinds if k not in (Hidden, NoneGridObject)]
    glyphs = [glyph for objects in usable for glyph in objects]
    meanings: dict[str, Meaning] = {
        glyph: thing for objects in usable for glyph, thing in objects.items() if glyphs.count(glyph) == 1
    }
    return meanings | {arrow: Pose(None, heading) for arrow, heading in zip(ARROWS, Orientation, strict=True)}


def _unclear(symbol: str, known: Iterable[str], kinds: tuple[type[GridObject], ...]) -> str:
    """Explain that a character is undefined or ambiguous, with a suggestion: a map shows neither status nor content."""
    entries = [_entry(kind) for kind in kinds if kind.glyph == symbol]
    if not entries:
        return f"{symbol!r} is undefined; add it to the legend, or use one of: {' '.join(sorted(known))}"
    lines = " or ".join(f"{symbol!r}: {{{', '.join(f'{k}: {v}' for k, v in e.items())}}}" for e in entries)
    return f"{symbol!r} is ambiguous; define it in the legend, such as {lines}"


def _entry(kind: type[GridObject]) -> dict[str, str]:
    """The legend entry for an object of a kind."""
    wanted = kind.parameters()
    status = {"status": kind.statuses()[0].name} if "status" in wanted else {}
    return {"name": kind.__name__, **status, **({"content": "Floor"} if "content" in wanted else {})}


def _place(path: Path) -> Path:
    return (*path, "picture")


def _read(picture: str, edges: bool, path: Path) -> Map:
    rows = list(enumerate(picture.split("\n"), 1))
    if not picture.strip():
        raise EntryProblem(_place(path), "the picture is empty")
    try:
        return read_map(rows, edges)
    except ValueError as error:
        raise EntryProblem(_place(path), str(error)) from error


def _poses(found: list[tuple[Pose, int, int]], agents: int, path: Path) -> dict[int, tuple[int, int, int]]:
    numbered = [pose.number for pose, _, _ in found if pose.number is not None]
    free = (i for i in range(len(found) + agents) if i not in numbered)
    poses: dict[int, tuple[int, int, int]] = {}
    for pose, y, x in found:
        number = next(free) if pose.number is None else pose.number
        where = f"agent {number} stands at ({y}, {x})"
        if number >= agents:
            raise EntryProblem(_place(path), f"{where}, but the number of agents is {agents}")
        if number in poses:
            raise EntryProblem(_place(path), f"{where} a second time")
        poses[number] = (y, x, pose.heading.value)
    return poses
