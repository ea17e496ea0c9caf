"""How episodes of a described world begin: with a map that is drawn, and with agents at their starts."""

from __future__ import annotations

import functools
from typing import Any

from gridarium.rules.map_reset import RANDOM, starting_at
from gridarium.world import GridObject
from gridarium.worlds import pictures
from gridarium.worlds.binding import thing
from gridarium.worlds.description import Description
from gridarium.worlds.models import ORIENTATIONS, Drawn, Entry
from gridarium.worlds.naming import Names
from gridarium.worlds.problems import Path, Stop

Rule = functools.partial[Any]


def drawn_map(description: Description, kinds: tuple[type[GridObject], ...], names: Names) -> Rule:
    """The reset rule that puts down what a description's map shows, or one of its maps.

    Raises:
        Stop: what is wrong with a map or its legend, and where.
    """
    meanings = pictures.default_meanings(kinds)
    maps = []
    for place, entry in description.pictures:
        meanings = meanings | {  # which hold in the maps after this one, too
            glyph: _meaning(drawn, names, (*place, "legend", glyph)) for glyph, drawn in entry.legend.items()
        }
        scattered = tuple(
            thing(item, names, (*place, "scattered", i)) for i, item in enumerate(entry.scattered)
        )
        maps.append(pictures.Picture(entry.picture, meanings, scattered, place))
    rule = pictures.drawn(maps, kinds=kinds, agents=len(description.agents), edges=description.edges)
    if len(maps) == 1:
        return rule
    chosen = RANDOM if description.map_number is None else description.map_number
    return functools.partial(rule, map_number=chosen)


def _meaning(drawn: Drawn, names: Names, path: Path) -> pictures.Meaning:
    """What a legend says that a character stands for."""
    if (drawn.name is None) == (drawn.agent is None):
        raise Stop(path, "a character stands for an object ('name') or for an agent ('agent')")
    if drawn.agent is not None:
        return drawn.agent, ORIENTATIONS[drawn.orientation]
    parameters = drawn.model_dump(exclude_none=True, include={"status", "color"})
    inside = {} if drawn.content is None else {"content": drawn.content.plain()}
    assert drawn.name is not None
    return thing(Entry.model_validate({"name": drawn.name, **parameters, **inside}), names, path)


def starting(description: Description, reset: Rule) -> Rule:
    """A reset rule after which agents stand where the description has them start; the same one where it says nothing."""
    agents = description.agents
    if all(agent.start is None and agent.orientation is None for agent in agents):
        return reset
    poses: list[int] = []
    for agent in agents:
        heading = RANDOM if agent.orientation is None else ORIENTATIONS[agent.orientation].value
        poses += (*(agent.start or (RANDOM, RANDOM)), heading)
    return functools.partial(starting_at, reset_function=reset, poses=tuple(poses))
