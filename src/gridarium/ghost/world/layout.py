"""Layouts of ghost worlds, read from YAML files that are checked like the library's own worlds."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path as FilePath
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field, FiniteFloat, ValidationError

from gridarium.ghost.world.paths import GridPaths, Place
from gridarium.world.cell import LOWER_WALL, RIGHT_WALL
from gridarium.world.text_form.map import Map, read_map
from gridarium.worlds.entries.entry_types import PARTS, Part, problems_in
from gridarium.worlds.entries.plain_data import freeze
from gridarium.worlds.entries.problems import Collector, DescriptionError, Path, Problem, suggest
from gridarium.worlds.files import yaml_io

DEFAULT = "teaching-4x5"
COLOURS = ("white", "red", "green")
MAX_SIZE = 64
"""The most rows and columns of a layout."""
Item = Literal["dog", "flower", "two_flowers", "one_note", "two_notes"]


class CellEntry(Part):
    """The meaning of a character of a layout's picture."""

    colour: Literal["white", "red", "green"] = "white"
    items: tuple[Item, ...] = ()
    text: Annotated[str, Field(max_length=10)] = ""
    goal: bool = False
    start: bool = False
    ghost: bool = False


class RewardEntry(Part):
    """The agent's rewards: for a step, for being caught, for reaching a goal."""

    step: FiniteFloat = -1
    caught: FiniteFloat = -50
    reached: FiniteFloat = 100


Legend = dict[Annotated[str, Field(min_length=1, max_length=1)], CellEntry]
DEFAULT_LEGEND = {
    ".": CellEntry(),
    "r": CellEntry(colour="red"),
    "g": CellEntry(colour="green"),
    "G": CellEntry(goal=True),
}
"""The meaning of characters that a layout does not explain."""
PARTS.update(cells=CellEntry, payoff=RewardEntry)


class LayoutFile(Part):
    """A layout as plain data."""

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*$", max_length=100)] = "unnamed"
    description: str = ""
    picture: str
    cells: Legend = Field(default_factory=dict)
    payoff: RewardEntry = RewardEntry()
    time_limit: Annotated[int, Field(ge=1)] | None = None


@dataclass(frozen=True)
class GridLayout:
    """A ghost world at the beginning of an episode.

    Attributes:
        name: its name.
        rows, cols: its size.
        cells: the contents of each cell, row by row.
        walls_right, walls_below: for each cell, row by row, whether a wall stands to its right, or below it.
        start: the agent's start.
        ghosts: the starts of ghosts, at least one.
        payoff: the agent's rewards.
        time_limit: the number of steps that the agent may take, or None.
    """

    name: str
    rows: int
    cols: int
    cells: tuple[CellEntry, ...]
    walls_right: tuple[bool, ...]
    walls_below: tuple[bool, ...]
    start: Place
    ghosts: tuple[Place, ...]
    payoff: RewardEntry
    time_limit: int | None

    @property
    def paths(self) -> GridPaths:
        """The moves between its cells."""
        shape = self.rows, self.cols
        return GridPaths(np.reshape(self.walls_below, shape), np.reshape(self.walls_right, shape))

    def cell_dictionaries(self) -> list[list[dict[str, Any]]]:
        """The cells as an environment has them, row by row."""
        made = [
            {
                "colour": COLOURS.index(cell.colour),
                "items": list(cell.items),
                "is_goal": cell.goal,
                "is_start": cell.start,
                "text": cell.text,
            }
            for cell in self.cells
        ]
        return [made[r * self.cols : (r + 1) * self.cols] for r in range(self.rows)]


def names() -> list[str]:
    """The names of the built-in layouts."""
    folder = files("gridarium.ghost") / "layouts"
    return sorted(f.name.removesuffix(".yaml") for f in folder.iterdir() if f.name.endswith(".yaml"))


def load_layout(source: str | FilePath | GridLayout = DEFAULT) -> GridLayout:
    """A layout by its name, from a file, or from a text of several lines.

    Args:
        source: the name of a built-in layout, the path of a YAML file, or YAML itself. A `GridLayout` is returned as it
            is.

    Raises:
        DescriptionError: all mistakes in it, with file and line.
        ValueError: neither the name of a layout nor a file.

    Warns:
        UserWarning: a goal cannot be reached from the start, or there is no goal.
    """
    if isinstance(source, GridLayout):
        return source
    if not isinstance(source, str | FilePath):
        raise ValueError(f"a layout is a name, a file, YAML of several lines or a GridLayout, got {source!r}")
    if isinstance(source, str) and "\n" in source:
        return _read(yaml_io.read_text(source))
    if isinstance(source, str) and source in names():
        text = (files("gridarium.ghost") / "layouts" / f"{source}.yaml").read_text(encoding="utf-8")
        return _read(yaml_io.read_text(text, source=f"{source}.yaml"))
    if not FilePath(source).is_file():
        raise ValueError(f"no layout {str(source)!r}, and no file of that name; {suggest(source, names())}")
    return _read(yaml_io.read_file(source))


def _read(document: yaml_io.Document) -> GridLayout:
    try:
        layout = _from_file(_checked(document.data))
    except DescriptionError as error:
        raise document.with_lines(error) from None
    for warning in _warnings(layout):
        warnings.warn(f"{layout.name}: {warning}", stacklevel=3)
    return layout


def _checked(data: Any) -> LayoutFile:
    problems = Collector()
    copied = freeze(data, problems)
    if not isinstance(copied, dict):
        problems.add((), f"a layout is a mapping, not a {type(data).__name__}")
    problems.raise_if_any()
    try:
        return LayoutFile.model_validate(copied)
    except ValidationError as error:
        raise DescriptionError(problems_in(error, whole=LayoutFile)) from error


def _from_file(given: LayoutFile) -> GridLayout:
    problems, path = Collector(), ("picture",)
    read = _map(given.picture, path)
    meanings = {**DEFAULT_LEGEND, **given.cells}
    rows, cols = len(read.symbols), len(read.symbols[0])
    if max(rows, cols) > MAX_SIZE or rows * cols < 2:
        problems.add(
            path, f"{rows} x {cols} cells; a layout has at least 2, and at most {MAX_SIZE} x {MAX_SIZE}"
        )
    cells: list[CellEntry] = []
    for symbol, (line, column) in (pair for row in read.symbols for pair in row):
        if symbol not in meanings:
            listed = " ".join(sorted(meanings))
            problems.add(
                path,
                f"line {line}, column {column}: {symbol!r} has no meaning; explain it under 'cells', or use {listed}",
            )
        cells.append(meanings.get(symbol, CellEntry()))
    starts = [divmod(i, cols) for i, cell in enumerate(cells) if cell.start]
    ghosts = [divmod(i, cols) for i, cell in enumerate(cells) if cell.ghost]
    if len(starts) != 1:
        problems.add(path, f"exactly one cell is a start (start: true), not {len(starts)}")
    if not ghosts:
        problems.add(path, "at least one cell has a ghost (ghost: true)")
    problems.raise_if_any()
    walls = [bits for row in read.walls for bits in row]
    return GridLayout(
        given.name, rows, cols, tuple(cells),
        tuple(bool(bits & RIGHT_WALL) for bits in walls), tuple(bool(bits & LOWER_WALL) for bits in walls),
        starts[0], tuple(ghosts), given.payoff, given.time_limit,
    )  # fmt: skip


def _map(picture: str, path: Path) -> Map:
    try:
        read = read_map(list(enumerate(picture.split("\n"), 1)), edges=True)
    except ValueError as error:
        raise DescriptionError([Problem(path, str(error))]) from error
    if not read.symbols:
        raise DescriptionError([Problem(path, "the picture is empty")])
    return read


def _warnings(layout: GridLayout) -> Iterator[str]:
    """Warnings about things that are allowed but probably not intended."""
    goals = [divmod(i, layout.cols) for i, cell in enumerate(layout.cells) if cell.goal]
    if not goals:
        yield "no cell is a goal, so nobody can win"
    paths = layout.paths
    yield from filter(None, (paths.why_unreachable("the start", layout.start, goal) for goal in goals))
