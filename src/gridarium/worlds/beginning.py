"""How episodes of a described world begin: with a map that is drawn, and with agents at their starts."""

from __future__ import annotations

import functools
from typing import Any

from gridarium.rules.map_reset import RANDOM, starting_at
from gridarium.world import GridObject
from gridarium.worlds import pictures
from gridarium.worlds.binding import thing
from gridarium.worlds.description import Description
from gridarium.worlds.models import ORIENTATIONS, Entry
from gridarium.worlds.naming import Names
from gridarium.worlds.problems import Stop

Rule = functools.partial[Any]


def drawn_map(description: Description, kinds: tuple[type[GridObject], ...], names: Names) -> Rule:
    """The reset rule that puts down what a description's map shows.

    Raises:
        Stop: what is wrong with the map or its legend, and where.
    """
    assert description.map is not None
    meanings = pictures.default_meanings(kinds)
    for glyph, entry in description.map.legend.items():
        path = ("map", "legend", glyph)
        if (entry.name is None) == (entry.agent is None):
            raise Stop(path, "a character stands for an object ('name') or for an agent ('agent')")
        if entry.agent is not None:
            meanings[glyph] = (entry.agent, ORIENTATIONS[entry.orientation])
            continue
        parameters = entry.model_dump(exclude_none=True, include={"status", "color"})
        inside = {} if entry.content is None else {"content": entry.content.plain()}
        assert entry.name is not None
        whole = Entry.model_validate({"name": entry.name, **parameters, **inside})
        meanings[glyph] = thing(whole, names, path)
    scattered = tuple(
        thing(entry, names, ("map", "scattered", i)) for i, entry in enumerate(description.map.scattered)
    )
    agents, edges = len(description.agents), description.edges
    return pictures.drawn(
        description.map.picture, meanings, kinds=kinds, agents=agents, edges=edges, scattered=scattered
    )


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
