"""Worlds with a target object: a copy of it is shown in the grid's upper left corner, out of the agents' reach.

So a task needs no text: rules compare objects with `target(state)`, and an agent that sees the corner knows its target.
"""

from __future__ import annotations

from typing import Any

from gridarium.rules.calling import RandomNumbers, rng_or_default
from gridarium.rules.design import draw_wall_boundary
from gridarium.rules.reset_functions.placing import check_shape, draw_free, place_agents
from gridarium.rules.reset_functions.protocol import reset_function_registry
from gridarium.world.colors import Color
from gridarium.world.geometry import Position
from gridarium.world.objects import Ball, Door, Key
from gridarium.world.state import State


def target(state: State) -> Any:
    """The target object: the one shown in the upper left corner."""
    return state.grid[0, 0]


def show_target(state: State, thing: Any) -> None:
    """Put a copy of the target into the upper left corner."""
    state.grid[0, 0] = thing


def check_colors(colors: tuple[Color, ...], least: int) -> None:
    """Check that there are enough colors.

    Raises:
        ValueError: there are too few.
    """
    if len(colors) < least:
        raise ValueError(f"this reset rule needs at least {least} colors, got {len(colors)}")


@reset_function_registry.register
def fetch(state: State, *, num_objects: int, colors: tuple[Color, ...], rng: RandomNumbers = None) -> None:
    """A walled space with keys and balls of random colors, one of which is the target.

    Source: MiniGrid (Chevalier-Boisvert et al. 2023), Fetch.

    Args:
        state: at least 4 x 4.
        num_objects: the number of objects, at least 1.
        colors: the colors to draw from (their order matters for reproducibility).
        rng: random numbers.
    """
    check_shape(state, 4, 4)
    check_colors(colors, 1)
    if num_objects < 1:
        raise ValueError(f"there must be at least 1 object to fetch, not {num_objects}")
    draw_wall_boundary(state.grid)
    chance = rng_or_default(state, rng)
    chosen = chance.integers(num_objects)
    for i in range(num_objects):
        place = draw_free(state, state.grid.area, 0, chance)
        color = colors[chance.integers(len(colors))]
        state.grid[place] = Key(color) if chance.integers(2) == 0 else Ball(color)
        if i == chosen:
            show_target(state, state.grid[place])
    place_agents(state, 0, state.grid.area, chance)


@reset_function_registry.register
def go_to_door(state: State, *, colors: tuple[Color, ...], rng: RandomNumbers = None) -> None:
    """A walled space with a closed door of another color in each wall, one of which is the target.

    Source: MiniGrid (Chevalier-Boisvert et al. 2023), GoToDoor.

    Args:
        state: at least 4 x 4.
        colors: four or more to draw from (their order matters for reproducibility).
        rng: random numbers.
    """
    check_shape(state, 4, 4)
    check_colors(colors, 4)
    draw_wall_boundary(state.grid)
    chance = rng_or_default(state, rng)
    picked = chance.choice(len(colors), size=4, replace=False)
    height, width = state.grid.height, state.grid.width
    doors = (
        Position(0, chance.integers(1, width - 1)),
        Position(height - 1, chance.integers(1, width - 1)),
        Position(chance.integers(1, height - 1), 0),
        Position(chance.integers(1, height - 1), width - 1),
    )
    for i in range(4):
        state.grid[doors[i]] = Door(Door.Status.CLOSED, colors[picked[i]])
    show_target(state, state.grid[doors[chance.integers(4)]])
    place_agents(state, 0, state.grid.area, chance)
