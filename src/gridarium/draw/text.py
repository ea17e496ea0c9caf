"""A state or an observation for a terminal: a map, its agents and a legend, in colors if asked for."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator

import numpy as np

from gridarium.draw import drawings, tiles
from gridarium.draw.shapes import RGB, mixed
from gridarium.world.agent import Agent
from gridarium.world.line import written_thing
from gridarium.world.naming import object_record
from gridarium.world.objects import GridObject
from gridarium.world.record import agent_record, world_fields_record
from gridarium.world.sketch import Mark, sketch
from gridarium.world.state import Observation, State
from gridarium.world.text import agent_clauses, field_clauses

_PALE: RGB = (150, 150, 145)
_DARKEST = 130
RESET = "\x1b[0m"


def text(scene: State | Observation, color: bool = False) -> str:
    """A state or an observation as text.

    Args:
        scene: what to show.
        color: whether to color symbols by ANSI escapes of 24 bits, as terminals understand them.

    Returns:
        the tick and declared numbers (of a state), the map, a line for each agent, and the legend. The map's symbols
        differ for different objects without colors as well.
    """
    agents = [scene.agent] if isinstance(scene, Observation) else list(scene.agents)
    picture = sketch(scene.grid, agents)
    rows: list[list[Mark]] = list(picture.rows)
    if isinstance(scene, State):
        rows.insert(
            0, [("  ".join([f"tick {scene.tick}", *field_clauses(world_fields_record(scene))]), None)]
        )
    for agent, symbol, shown in zip(agents, picture.agents, picture.shown, strict=True):
        place = [] if shown else ["at {} {}".format(*agent.position.yx)]
        rows.append([(symbol, agent), (f"  {', '.join(place + agent_clauses(agent_record(agent)))}", None)])
    for thing, symbol in picture.legend.items():
        rows.append([(symbol, thing), (f"  {written_thing(object_record(thing))}", None)])
    for row in rows:
        while row[-1][0] == " ":
            row.pop()
    if not color:
        return "\n".join("".join(symbol for symbol, _ in row) for row in rows)
    numbers = {symbol: i for i, symbol in enumerate(picture.agents)}
    return "\n".join("".join(_colored(row, numbers)) for row in rows)


def _colored(row: list[Mark], numbers: dict[str, int]) -> Iterator[str]:
    """A row with an escape wherever the color changes."""

    def style(mark: Mark) -> str:
        symbol, thing = mark
        if thing is None:
            return ""
        bold, rgb = (
            ("1;", drawings.agent_rgb(numbers[symbol])) if isinstance(thing, Agent) else ("", _rgb(thing))
        )
        return f"\x1b[{bold}38;2;{';'.join(map(str, rgb))}m"

    for begin, marks in itertools.groupby(row, style):
        yield f"{begin}{''.join(symbol for symbol, _ in marks)}{RESET if begin else ''}"


@functools.lru_cache(maxsize=1024)
def _rgb(thing: GridObject) -> RGB:
    """The color of an object, or for one without color the mean of its picture, light enough for a dark terminal."""
    if thing.colored:
        return tiles.rgb_of(thing.color)
    picture = tiles.picture(thing, 8).reshape(-1, 4).astype(np.int64).sum(axis=0)
    if picture[3] == 0:
        return _PALE
    red, green, blue = (int(255 * part // picture[3]) for part in picture[:3])
    mean = (red, green, blue)
    return mean if max(mean) >= _DARKEST else mixed(mean, drawings.WHITE, 4)
