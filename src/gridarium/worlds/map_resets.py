"""Reset rules from the maps and the agents' start positions in a description."""

from __future__ import annotations

import functools
from typing import Any

from gridarium.rules.reset_functions.maps import RANDOM, starting_at
from gridarium.world import GridObject
from gridarium.worlds.description import Description
from gridarium.worlds.entries.entry_types import ORIENTATIONS, Drawn, Entry
from gridarium.worlds.entries.problems import EntryProblem, Path
from gridarium.worlds.files import text_maps
from gridarium.worlds.resolving.binding import make_object
from gridarium.worlds.resolving.name_resolver import NameResolver

Rule = functools.partial[Any]


def reset_from_maps(
    description: Description, kinds: tuple[type[GridObject], ...], names: NameResolver
) -> Rule:
    """The reset rule for a description's map, or for one of its maps.

    Raises:
        EntryProblem: a map or its legend is invalid; with its place.
    """
    meanings = text_maps.default_meanings(kinds)
    maps = []
    for place, entry in description.pictures:
        meanings = meanings | {  # which also apply to the following maps
            glyph: _meaning(drawn, names, (*place, "legend", glyph)) for glyph, drawn in entry.legend.items()
        }
        scattered = tuple(
            make_object(item, names, (*place, "scattered", i)) for i, item in enumerate(entry.scattered)
        )
        maps.append(text_maps.Picture(entry.picture, meanings, scattered, place))
    rule = text_maps.drawn(maps, kinds=kinds, agents=len(description.agents), edges=description.edges)
    if len(maps) == 1:
        return rule
    chosen = RANDOM if description.map_number is None else description.map_number
    return functools.partial(rule, map_number=chosen)


def _meaning(drawn: Drawn, names: NameResolver, path: Path) -> text_maps.Meaning:
    """The meaning of a character according to the legend."""
    if (drawn.name is None) == (drawn.agent is None):
        raise EntryProblem(path, "a character stands for an object ('name') or for an agent ('agent')")
    if drawn.agent is not None:
        return drawn.agent, ORIENTATIONS[drawn.orientation]
    parameters = drawn.model_dump(exclude_none=True, include={"status", "color"})
    inside = {} if drawn.content is None else {"content": drawn.content.plain()}
    assert drawn.name is not None
    return make_object(Entry.model_validate({"name": drawn.name, **parameters, **inside}), names, path)


def with_start_poses(description: Description, reset: Rule) -> Rule:
    """A reset rule that moves agents to the start positions of the description, or the given one if there are none."""
    agents = description.agents
    if all(agent.start is None and agent.orientation is None for agent in agents):
        return reset
    poses: list[int] = []
    for agent in agents:
        heading = RANDOM if agent.orientation is None else ORIENTATIONS[agent.orientation].value
        poses += (*(agent.start or (RANDOM, RANDOM)), heading)
    return functools.partial(starting_at, reset_function=reset, poses=tuple(poses))
