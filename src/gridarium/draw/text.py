"""A state or an observation for a terminal: a map, its agents and a legend, in colors if asked for."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator

import numpy as np

from gridarium.draw import drawings
from gridarium.draw.alt_text import agent_words, world_clauses
from gridarium.draw.pixels import tiles
from gridarium.draw.scene import agent_count, listed_agents, scene_of
from gridarium.draw.shapes import RGB, WHITE, mixed
from gridarium.draw.signs import signs
from gridarium.world.agent import Agent
from gridarium.world.geometry import Shape
from gridarium.world.glyphs import ARROWS, WALL_BELOW
from gridarium.world.grid import Grid
from gridarium.world.objects import GridObject
from gridarium.world.sketch import Mark, Sketch, sketch
from gridarium.world.state import Observation, State
from gridarium.world.text_form.line import written_thing
from gridarium.world.text_form.plain_data import object_record

_PALE: RGB = (150, 150, 145)
_DARKEST = 130
COLUMNS = 80
"""The most columns of a table's numbers in one line."""
RESET = "\x1b[0m"


def text(scene: State | Observation | Grid, color: bool = False, mission: str = "") -> str:
    """A state, an observation or a grid as text.

    Args:
        scene: what to show.
        color: whether to color symbols by ANSI escapes of 24 bits, as terminals understand them.
        mission: the goal in words, see `World.mission`.

    Returns:
        the tick and declared numbers (of a state; of cards and payoffs, what they mean), the mission, the map, a line for each agent
        (but for a player without a body of whom there is nothing to say), and the legend, which says what is a sign (the target of an
        episode, shown on a wall). A world without a shape has no map. The map's symbols differ for different objects
        without colors as well. An agent alone is an arrow; several are numbers, and next to each of them, an arrow shows which way
        it faces. In worlds where headings do not matter, there are no arrows, and an agent alone is `@`.

    Raises:
        TypeError: the scene is something else.
    """
    drawn = scene_of(scene)
    listed = [] if isinstance(scene, Grid) else listed_agents(drawn)
    picture = sketch(
        drawn.grid, [agent for _, agent in listed], [position for position, _ in signs(drawn.grid)]
    )
    with_arrows = len(listed) > 1 and drawn.grid.vocabulary.headings
    rows = _headed(picture, drawn.grid) if with_arrows else list(picture.rows)
    boardless = drawn.grid.shape == Shape(1, 1) and bool(listed) and not any(a.has_body for _, a in listed)
    if boardless:
        rows = []
    if mission:
        rows.insert(0, [(f"mission: {mission}", None)])
    if isinstance(scene, State):
        clauses = [f"tick {scene.tick}", *world_clauses(scene)]
        whole = "  ".join(clauses)
        rows[:0] = [[(line, None)] for line in (clauses if boardless and len(whole) > COLUMNS else [whole])]
    for (number, agent), symbol, shown in zip(listed, picture.agents, picture.shown, strict=True):
        name = (
            [f"agent {number}"]
            if agent.has_body and isinstance(scene, Observation) and agent_count(scene) > 1
            else []
        )
        place = [] if shown or not agent.has_body else ["at {} {}".format(*agent.position.yx)]
        words = ", ".join(name + place + agent_words(agent, agent_count(drawn)))
        if agent.has_body or words or boardless:
            own = symbol if agent.has_body else str(number)
            rows.append([(own, agent), (f"  {words}" if words else " ", None)])
    for thing, symbol in () if boardless else picture.legend.items():
        rows.append([(symbol, thing), (f"  {written_thing(object_record(thing))}", None)])
    for thing, symbol in picture.signs.items():
        rows.append([(symbol, thing), (f"  sign: {written_thing(object_record(thing))}", None)])
    for row in rows:
        while row[-1][0] == " ":
            row.pop()
    if not color:
        return "\n".join("".join(symbol for symbol, _ in row) for row in rows)
    numbers = {id(agent): number for number, agent in listed}
    return "\n".join("".join(_colored(row, numbers)) for row in rows)


def _headed(picture: Sketch, grid: Grid) -> list[list[Mark]]:
    """The map, each cell two symbols wide: itself, and the heading of an agent that is there."""
    step = 2 if grid.vocabulary.edges else 1
    rows: list[list[Mark]] = []
    for y, row in enumerate(picture.rows):
        wide: list[Mark] = []
        for x, (symbol, thing) in enumerate(row):
            wide.append((symbol, thing))
            if x % step == 0:
                beside = ARROWS[thing.orientation.value] if isinstance(thing, Agent) else " "
                wide.append((symbol if y % step and symbol == WALL_BELOW else beside, thing))
        rows.append(wide)
    return rows


def _colored(row: list[Mark], numbers: dict[int, int]) -> Iterator[str]:
    """A row with an escape wherever the color changes."""

    def style(mark: Mark) -> str:
        _, thing = mark
        if thing is None:
            return ""
        bold, rgb = (
            ("1;", drawings.agent_rgb(numbers[id(thing)])) if isinstance(thing, Agent) else ("", _rgb(thing))
        )
        return f"\x1b[{bold}38;2;{';'.join(map(str, rgb))}m"

    for begin, marks in itertools.groupby(row, style):
        yield f"{begin}{''.join(symbol for symbol, _ in marks)}{RESET if begin else ''}"


@functools.lru_cache(maxsize=1024)
def _rgb(thing: GridObject) -> RGB:
    """The color of an object, or for one without color the mean of its picture, light enough for a dark terminal."""
    if thing.colored:
        return tiles.rgb_of_thing(thing)
    picture = tiles.picture(thing, 8).reshape(-1, 4).astype(np.int64).sum(axis=0)
    if picture[3] == 0:
        return _PALE
    red, green, blue = (int(255 * part // picture[3]) for part in picture[:3])
    mean = (red, green, blue)
    return mean if max(mean) >= _DARKEST else mixed(mean, WHITE, 4)
