"""Worlds drawn as text: a character for each cell, and, in worlds with walls on edges, characters between cells.

    #######          > .|.
    #>.D.E#              -
    #######          . .|E

Pictures are read as those of written states are (`gridarium.world.text_map`).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping

from gridarium.rules.map_reset import CELL_BITS, RANDOM, WALL_BITS, from_map, packed
from gridarium.world import Floor, GridObject, Hidden, NoneGridObject, Orientation
from gridarium.world.glyphs import ARROWS
from gridarium.world.text_map import Map, read_map
from gridarium.worlds.problems import Path, Stop

PICTURE: Path = ("map", "picture")
Pose = tuple[int | None, Orientation]
"""Which agent a character stands for (None: the next one) and its heading."""


def extent(picture: str, edges: bool) -> tuple[int, int]:
    """The height and width of the world that a picture shows.

    Raises:
        Stop: what is wrong with the picture, and where.
    """
    symbols = _read(picture, edges).symbols
    return len(symbols), len(symbols[0])


def drawn(
    picture: str,
    meanings: Mapping[str, GridObject | Pose],
    *,
    kinds: tuple[type[GridObject], ...],
    agents: int,
    edges: bool,
    scattered: tuple[GridObject, ...],
) -> functools.partial[None]:
    """The reset rule for a picture.

    Args:
        picture: the text.
        meanings: what its characters stand for.
        kinds: the world's.
        agents: how many agents there are.
        edges: whether the world has walls on edges, so that they are drawn.
        scattered: objects to put on random floor cells.

    Raises:
        Stop: what is wrong with the picture, and where.
    """
    read = _read(picture, edges)
    palette: dict[GridObject, int] = {Floor(): 0}
    found: list[tuple[Pose, int, int]] = []
    numbers = []
    for y, row in enumerate(read.symbols):
        for x, (symbol, (line, column)) in enumerate(row):
            if symbol not in meanings:
                raise Stop(PICTURE, f"line {line}, column {column}: {_unclear(symbol, meanings, kinds)}")
            meaning = meanings[symbol]
            if not isinstance(meaning, GridObject):
                found.append((meaning, y, x))
                meaning = Floor()
            numbers.append(palette.setdefault(meaning, len(palette)))
    if len(palette) > 1 << CELL_BITS:
        raise Stop(PICTURE, f"{len(palette)} different objects; at most {1 << CELL_BITS}")
    poses = _poses(found, agents)
    # walls on the outer border change nothing, and have no neighbour to stand against
    masks = [
        [(x < len(row) - 1) + 2 * (y < len(read.walls) - 1) for x in range(len(row))]
        for y, row in enumerate(read.walls)
    ]
    walls = [
        bits & mask
        for row, kept in zip(read.walls, masks, strict=True)
        for bits, mask in zip(row, kept, strict=True)
    ]
    return functools.partial(
        from_map,
        picture=packed(numbers, CELL_BITS),
        palette=tuple(palette),
        poses=tuple(n for i in range(agents) for n in poses.get(i, (RANDOM,) * 3)),
        walls=packed(walls, WALL_BITS),
        scattered=scattered,
    )


def default_meanings(kinds: tuple[type[GridObject], ...]) -> dict[str, GridObject | Pose]:
    """What characters stand for without a legend: the glyphs of kinds that need nothing else, and arrows."""
    meanings: dict[str, GridObject | Pose] = {}
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


def _read(picture: str, edges: bool) -> Map:
    rows = list(enumerate(picture.split("\n"), 1))
    if not picture.strip():
        raise Stop(PICTURE, "the picture is empty")
    try:
        return read_map(rows, edges)
    except ValueError as error:
        raise Stop(PICTURE, str(error)) from error


def _poses(found: list[tuple[Pose, int, int]], agents: int) -> dict[int, tuple[int, int, int]]:
    numbered = [number for (number, _), _, _ in found if number is not None]
    free = (i for i in range(len(found) + agents) if i not in numbered)
    poses: dict[int, tuple[int, int, int]] = {}
    for (given, heading), y, x in found:
        number = next(free) if given is None else given
        if number >= agents:
            raise Stop(PICTURE, f"agent {number} stands at ({y}, {x}), but the number of agents is {agents}")
        if number in poses:
            raise Stop(PICTURE, f"agent {number} stands at ({y}, {x}) a second time")
        poses[number] = (y, x, heading.value)
    return poses
