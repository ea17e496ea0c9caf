"""Worlds of a single open room."""

from __future__ import annotations

from gridarium.rules.calling import RandomNumbers, UnusedRng, rng_or_default
from gridarium.rules.design import draw_wall_boundary
from gridarium.rules.reset_functions.placing import check_shape, draw_free, place_agents, start_agent
from gridarium.rules.reset_functions.protocol import reset_function_registry
from gridarium.world.colors import Color
from gridarium.world.geometry import Orientation, Position
from gridarium.world.objects import Exit, MovingObstacle, Telepod
from gridarium.world.state import State


@reset_function_registry.register
def empty(
    state: State, *, random_agent: bool = False, random_exit: bool = False, rng: RandomNumbers = None
) -> None:
    """A walled space with an exit in the lower right corner; the agent is in the upper left one, facing right.

    The exit is never where the agent starts.

    Source: gym-gridverse (Baisero and Katt 2021).

    Args:
        state: at least 4 x 4.
        random_agent: draw the agent's position and heading instead.
        random_exit: draw the exit's position instead.
        rng: random numbers.
    """
    check_shape(state, 4, 4)
    draw_wall_boundary(state.grid)
    chance = rng_or_default(state, rng)
    area = state.grid.area
    settled = 0 if random_agent else 1
    if not random_agent:
        start_agent(state, Position(1, 1), Orientation.RIGHT)
    exit_position = Position(area.ymax - 1, area.xmax - 1)
    if random_exit:
        exit_position = draw_free(state, area, settled, chance)
    state.grid[exit_position] = Exit()
    place_agents(state, settled, area, chance)


@reset_function_registry.register
def blank(state: State, *, rng: UnusedRng = None) -> None:
    """Floor everywhere, and fields at their defaults: an empty board, or a world of players without one.

    Source: Gridarium.
    """


@reset_function_registry.register
def dynamic_obstacles(
    state: State, *, num_obstacles: int, random_agent: bool = False, rng: RandomNumbers = None
) -> None:
    """As `empty`, with moving obstacles on cells drawn at random.

    Source: gym-gridverse (Baisero and Katt 2021).

    Raises:
        ValueError: there are not enough free cells.
    """
    chance = rng_or_default(state, rng)
    empty(state, random_agent=random_agent, rng=chance)
    for _ in range(num_obstacles):
        state.grid[draw_free(state, state.grid.area, len(state.agents), chance)] = MovingObstacle()


@reset_function_registry.register
def teleport(state: State, *, rng: RandomNumbers = None) -> None:
    """As `empty`, with two red telepods on cells drawn at random; the agent faces right or down.

    Source: gym-gridverse (Baisero and Katt 2021).
    """
    check_shape(state, 4, 4)
    draw_wall_boundary(state.grid)
    chance = rng_or_default(state, rng)
    area = state.grid.area
    state.grid[area.ymax - 1, area.xmax - 1] = Exit()
    start_agent(state, Position(1, 1), Orientation.RIGHT if chance.integers(2) == 0 else Orientation.BACKWARD)
    for _ in range(2):
        state.grid[draw_free(state, area, 1, chance)] = Telepod(Color.RED)
    place_agents(state, 1, area, chance)
