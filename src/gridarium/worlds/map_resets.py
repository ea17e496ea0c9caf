"""Reset rules from the maps, the placed things and the agents' starts in a description."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gridarium.rules.reset_functions.maps import (
    RANDOM,
    followed_by,
    placing,
    setting_fields,
    starting_at,
)
from gridarium.world import GridObject
from gridarium.world.vocabulary import AGENT_FIELDS, THING_FIELDS, Field, find_field, number_as_word
from gridarium.worlds.description import Description
from gridarium.worlds.entries.entry_types import ORIENTATIONS, Drawn, Entry
from gridarium.worlds.entries.problems import EntryProblem, Path, suggest
from gridarium.worlds.files import text_maps
from gridarium.worlds.resolving.binding import make_object
from gridarium.worlds.resolving.name_resolver import NameResolver

Rule = functools.partial[Any]
SHARES_CELLS = "traversable"
"""The field of agents that says whether others can be in the same cell; where it is declared, agents may start together."""


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
    if all(agent.start is not None and agent.orientation is not None for agent in description.agents):
        # nobody is placed at random first, for which a world may have no floor
        rule = functools.partial(rule, poses=_start_poses(description) * len(maps))
    if len(maps) == 1:
        return rule
    chosen = RANDOM if description.map_number is None else description.map_number
    return functools.partial(rule, map_number=chosen)


def _meaning(drawn: Drawn, names: NameResolver, path: Path) -> text_maps.Meaning:
    """The meaning of a character according to the legend."""
    if drawn.name is None:
        if drawn.agent is None:
            raise EntryProblem(
                path,
                "a character stands for an object ('name') or for an agent ('agent'), or for one on the other",
            )
        return text_maps.Pose(drawn.agent, ORIENTATIONS[drawn.orientation])
    parameters = drawn.model_dump(exclude_none=True, include={"status", "color"})
    inside = {} if drawn.content is None else {"content": drawn.content.plain()}
    thing = make_object(Entry.model_validate({"name": drawn.name, **parameters, **inside}), names, path)
    return (
        thing if drawn.agent is None else text_maps.Pose(drawn.agent, ORIENTATIONS[drawn.orientation], thing)
    )


def with_placed_things(description: Description, reset: Rule, names: NameResolver) -> Rule:
    """A reset rule that adds the things which the description places, or the given one if there are none.

    Raises:
        EntryProblem: a thing is invalid, or lies outside; with its place.
    """
    entries = () if description.things is None else description.things.placed
    if not entries:
        return reset
    height, width = description.extent
    declared = tuple(field.declared() for field in description.fields.thing)
    palette: dict[GridObject, int] = {}
    things: list[int] = []
    values: list[int] = []
    for i, entry in enumerate(entries):
        path = ("things", "placed", i)
        made = make_object(entry.object, names, path)
        y, x = entry.at
        if not (0 <= y < height and 0 <= x < width):
            raise EntryProblem((*path, "at"), f"({y}, {x}) is outside of {height} x {width} cells")
        things += (palette.setdefault(made, len(palette)), y, x)
        for column, word in _words(entry.fields, declared, THING_FIELDS, (*path, "fields")):
            values += (i, column, word)
    return functools.partial(
        placing,
        reset_function=reset,
        palette=tuple(palette),
        things=tuple(things),
        values=tuple(values) or None,
    )


def with_start_poses(description: Description, reset: Rule) -> Rule:
    """A reset rule that moves agents to the start positions of the description, or the given one if there are none."""
    agents = description.agents
    if all(agent.start is None and agent.orientation is None for agent in agents):
        return reset
    poses = _start_poses(description)
    if any(field.name == SHARES_CELLS for field in description.fields.agent):
        return functools.partial(starting_at, reset_function=reset, poses=poses, alone=False)
    return functools.partial(starting_at, reset_function=reset, poses=poses)


def _start_poses(description: Description) -> tuple[int, ...]:
    """Y, x and orientation of each agent, -1 for what its description leaves open."""
    poses: list[int] = []
    for agent in description.agents:
        heading = RANDOM if agent.orientation is None else ORIENTATIONS[agent.orientation].value
        poses += (*(agent.start or (RANDOM, RANDOM)), heading)
    return tuple(poses)


def with_start_fields(description: Description, reset: Rule) -> Rule:
    """A reset rule that sets declared fields of agents to what they begin with, or the given one if there is nothing to set.

    Raises:
        EntryProblem: there is no such field, it is an array, or a value has another type; with its place.
    """
    declared = tuple(field.declared() for field in description.fields.agent)
    values: list[int] = []
    for i, agent in enumerate(description.agents):
        for column, word in _words(agent.fields, declared, AGENT_FIELDS, ("agents", i, "fields")):
            values += (i, column, word)
    return functools.partial(setting_fields, reset_function=reset, values=tuple(values)) if values else reset


def followed(reset: Rule, others: Iterable[Rule]) -> Rule:
    """A reset rule after which others change what it has set up."""
    for other in others:
        reset = functools.partial(followed_by, reset_function=reset, change=other)
    return reset


def _words(
    given: Mapping[str, bool | int | float], declared: tuple[Field, ...], first: int, path: Path
) -> Iterator[tuple[int, int]]:
    """The columns of fields in a row whose first field has the column `first`, and the integers to write there."""
    for name, value in given.items():
        found = find_field(declared, name, first)
        if found is None:
            text = f"there is no such field; {suggest(name, [f.name for f in declared])}"
            raise EntryProblem((*path, name), text)
        try:
            yield found[0], number_as_word(value, found[1])
        except ValueError as error:
            raise EntryProblem((*path, name), str(error)) from error
