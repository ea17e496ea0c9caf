"""Checks and normalises what can be drawn: a state, an observation, or a grid without agents."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.world.agent import HELD, Agent, X, Y
from gridarium.world.cell import LOWER
from gridarium.world.colors import Color
from gridarium.world.grid import Grid
from gridarium.world.live_objects import COLOUR_FIELD, INVISIBLE, AreaTile, DropOffTile, Smoke
from gridarium.world.objects import GridObject, Wall
from gridarium.world.state import Observation, State, seer
from gridarium.world.things import WORD, Thing
from gridarium.world.vocabulary import MOST, Vocabulary

BENEATH: dict[type[GridObject], int] = {AreaTile: 0, DropOffTile: 0, Smoke: 1}
"""What lies beneath other things, whatever its number: the lowest first. Things lie on cells, but no tile on smoke."""
ON_TOP, AT_BOTTOM = 2, -1
COLOR_BITS = 255 << 16


def scene_of(given: Any) -> State | Observation:
    """A state or an observation as it is; a grid as a state with nobody in it.

    Raises:
        TypeError: something else, for instance a world.
    """
    if isinstance(given, State):
        return with_things(given)
    if isinstance(given, Observation):
        return given
    if isinstance(given, Grid):
        return _deserted(given)
    kind = type(given).__name__
    hint = "; its reset(seed) gives a state" if hasattr(given, "reset") and hasattr(given, "step") else ""
    raise TypeError(f"what is drawn is a state, an observation or a grid, not {kind}{hint}")


def with_things(state: State) -> State:
    """The state as pictures show it: its cells and agents show things, those with the field `colour` in that color."""
    shown = state.showing_things()
    if not has_exact_colors(state.vocabulary):
        return shown
    things = sorted(state.things, key=lambda thing: (_rank(thing), thing.number))
    exact = tuple(sorted({colour for thing in things if (colour := getattr(thing, COLOUR_FIELD)) >= 0}))
    vocabulary, numbers = _with_colors(state.vocabulary, exact)
    for thing in things:
        if not thing.is_carried and state.grid.contains(thing.position):
            shown.cells[thing.position.yx] = state.cells[thing.position.yx]
    for thing in things:
        colour = getattr(thing, COLOUR_FIELD)
        lies = not thing.is_carried and state.grid.contains(thing.position)
        beneath = lies and _rank(thing) < BENEATH.get(type(state.grid[thing.position]), AT_BOTTOM)
        if colour != INVISIBLE and not beneath:
            _show(shown, thing, numbers.get(colour))
    cells, layers, data, agent_rows = shown.cells, shown.layers, shown.data, shown.agent_rows
    return State(cells, layers, data, agent_rows, shown.scratch, shown.focus, vocabulary)


def has_exact_colors(vocabulary: Vocabulary) -> bool:
    """Whether things have colors that are none of the world's own."""
    return any(field.name == COLOUR_FIELD for field in vocabulary.thing_fields)


def _rank(thing: Thing) -> int:
    return BENEATH.get(type(thing.object), ON_TOP)


def _show(shown: State, thing: Thing, color: int | None) -> None:
    """Let the cell or the agent that has a thing show it, in the color with a number; None for its own."""
    word = int(shown.data[thing.start + WORD]) & LOWER
    painted = word if color is None else word & ~COLOR_BITS | color << 16
    if not thing.is_carried:
        if shown.grid.contains(thing.position):
            shown.cells[thing.position.yx] = painted
    elif shown.agent_rows[thing.carrier.number, HELD] == word:
        shown.agent_rows[thing.carrier.number, HELD] = painted


@functools.lru_cache(maxsize=64)
def _with_colors(vocabulary: Vocabulary, exact: tuple[int, ...]) -> tuple[Vocabulary, dict[int, int]]:
    """A vocabulary with as many further colors as there is room for, and the numbers of colors such as 0xff8000 in it."""
    room = MOST - 5 - len(vocabulary.colors)
    rgbs = {colour: (colour >> 16 & 255, colour >> 8 & 255, colour & 255) for colour in exact[:room]}
    made = {colour: Color(f"#{colour:06x}", rgb, " ") for colour, rgb in rgbs.items()}
    restore, (kinds, colors, more) = vocabulary.__reduce__()
    bigger: Vocabulary = restore(kinds, (*colors, *made.values()), more)
    numbers = {color: number for number, color in bigger.colors.items()}
    return bigger, {colour: numbers[color] for colour, color in made.items()}


def agent_count(scene: State | Observation) -> int:
    """The number of agents of the state, or of the state that is observed."""
    return seer(scene)[1] if isinstance(scene, Observation) else len(scene.agents)


def listed_agents(scene: State | Observation) -> list[tuple[int, Agent]]:
    """The agents of a scene with their numbers; an observation has the one that observes."""
    if isinstance(scene, Observation):
        return [(seer(scene)[0], scene.agent)]
    return list(enumerate(scene.agents))


def shown_agents(scene: State | Observation) -> list[tuple[int, Agent]]:
    """The agents that a picture shows: those that are active and inside the grid."""
    return [(i, a) for i, a in listed_agents(scene) if a.active and scene.grid.contains(a.position)]


def _deserted(grid: Grid) -> State:
    vocabulary = grid.vocabulary
    data = np.zeros(vocabulary.data_length, np.int64)
    nobody = np.zeros((1, vocabulary.agent_row_length), np.int64)  # not active
    return State(grid.cells, grid.layers, data, nobody, grid.scratch, 0, vocabulary)


def cropped(state: State) -> State:
    """A copy of a state in which outer rows and columns that are nothing but wall are left out, but for one.

    It is made to be looked at: what a world's rules say holds for the whole state only.
    """
    other = np.array(
        [
            [not isinstance(state.grid[y, x], Wall) for x in range(state.grid.width)]
            for y in range(state.grid.height)
        ]
    )
    for agent in state.agents:
        if agent.active and state.grid.contains(agent.position):
            other[agent.position.y, agent.position.x] = True
    rows, columns = _extent(other.sum(axis=1)), _extent(other.sum(axis=0))
    agent_rows = state.agent_rows.copy()
    agent_rows[:, Y] -= rows.start
    agent_rows[:, X] -= columns.start
    return State(
        state.cells[rows, columns].copy(),
        state.layers[:, rows, columns].copy(),
        state.data.copy(),
        agent_rows,
        state.scratch.copy(),
        state.focus,
        state.vocabulary,
    )


def _extent(matters: npt.NDArray[np.int64]) -> slice:
    """From one before the first that matters to one after the last, as far as there are any."""
    found = np.flatnonzero(matters)
    return slice(max(0, int(found[0]) - 1), int(found[-1]) + 2) if len(found) else slice(0, len(matters))
