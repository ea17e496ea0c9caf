"""Observation rules: `(state, *, <parameters>, rng)` returns what an agent perceives, an `Observation`.

Rules with an `area` return its cells, rotated so that the agent faces up. The area is relative to an agent at (0, 0)
that faces up: `Area((-6, 0), (-3, 3))` is 7 x 7 cells with the agent in the middle of the last row. Cells outside the
world, and those that are not seen, are `Hidden()`. Rules with another source say so.

Source: gym-gridverse (Baisero and Katt 2021).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from gridarium.rules import visibility_functions
from gridarium.rules.calling import RandomNumbers, UnusedRng, call_rule, rng_or_default
from gridarium.rules.field_of_view.crops import crop, crop_cells_in_sight, fits_tile, hide_layers, with_layers
from gridarium.rules.registry import FunctionRegistry
from gridarium.rules.visibility_functions import VisibilityFunction
from gridarium.world.agent import Agent, copy_agent
from gridarium.world.cell import encode, make
from gridarium.world.geometry import Area, Orientation, Position
from gridarium.world.grid import EVERYWHERE, Grid, copied, is_near, reach_of
from gridarium.world.objects import Hidden, NoneGridObject
from gridarium.world.state import Observation, State

ObservationFunction: TypeAlias = Callable[..., Observation]
observation_function_registry = FunctionRegistry("observation", ("state",))
factory = observation_function_registry.factory


@observation_function_registry.register
def from_visibility(
    state: State, *, area: Area, visibility_function: VisibilityFunction, rng: RandomNumbers = None
) -> Observation:
    """The cells of an area that a visibility rule lets the agent see.

    Raises:
        ValueError: the visibility rule returns a mask of another shape.
    """
    agent = state.agent
    view = crop(state.grid, agent.position, agent.orientation, area)
    mask = call_rule(visibility_function, (view, _place_in(area)), rng_or_default(state, rng))
    if mask.shape[0] != area.height or mask.shape[1] != area.width:
        raise ValueError(
            f"the visibility rule returned a mask of {mask.shape} for {area.height} x {area.width} cells"
        )
    hidden = encode(make(Hidden), state.vocabulary)
    for y in range(area.height):
        for x in range(area.width):
            if not mask[y, x]:
                view.cells[y, x] = hidden
    hide_layers(view)
    return Observation(view, _observed(state, area))


@observation_function_registry.register
def fully_transparent(state: State, *, area: Area, rng: UnusedRng = None) -> Observation:
    """All cells of an area."""
    agent = state.agent
    view = crop(state.grid, agent.position, agent.orientation, area)
    return Observation(view, _observed(state, area))


@observation_function_registry.register
def partially_occluded(state: State, *, area: Area, rng: UnusedRng = None) -> Observation:
    """The cells of an area that the visibility rule `partially_occluded` shows; fastest up to 8 x 8 cells ahead.

    Raises:
        ValueError: the agent is not in the area.
    """
    if not fits_tile(area):
        return from_visibility(state, area=area, visibility_function=visibility_functions.partially_occluded)
    agent = state.agent
    cells = crop_cells_in_sight(state.grid, agent.position, agent.orientation, area)
    view = with_layers(cells, state.grid, agent.position, agent.orientation, area)
    hide_layers(view)
    return Observation(view, _observed(state, area))


@observation_function_registry.register
def raytracing(state: State, *, area: Area, rng: UnusedRng = None) -> Observation:
    """The cells of an area that the visibility rule `raytracing` shows.

    Raises:
        ValueError: the agent is not in the area.
    """
    return from_visibility(state, area=area, visibility_function=visibility_functions.raytracing)


@observation_function_registry.register
def stochastic_raytracing(state: State, *, area: Area, rng: RandomNumbers = None) -> Observation:
    """The cells of an area that the visibility rule `stochastic_raytracing` shows.

    Raises:
        ValueError: the agent is not in the area.
    """
    sight = visibility_functions.stochastic_raytracing
    return from_visibility(state, area=area, visibility_function=sight, rng=rng)


@observation_function_registry.register
def full_grid(state: State, *, rng: UnusedRng = None) -> Observation:
    """The whole grid, unrotated, with the agent's position and heading: for fully observable worlds.

    Source: Gridarium.
    """
    cells, layers = copied(state.scratch, state.cells).array, copied(state.scratch, state.layers).array
    return Observation(
        Grid(cells, layers, state.scratch, state.vocabulary), copy_agent(state.agent, state.scratch)
    )


@observation_function_registry.register
def with_held_objects(
    state: State, *, observation_function: ObservationFunction, rng: RandomNumbers = None
) -> Observation:
    """As another rule, with what other agents hold in the cells where they are, if these are seen.

    Source: Gridarium.
    """
    seen = call_rule(observation_function, (state,), rng_or_default(state, rng))
    here, orientation = state.agent.position, state.agent.orientation
    turned = seen.agent.orientation != orientation
    reach = reach_of(seen.grid, seen.agent.position, state.grid)
    for i in range(len(state.agents)):
        other = state.agents[i]
        if reach != EVERYWHERE and not is_near(other.position, here, reach):
            continue  # as most are, for small views
        if i == state.focus or not other.active or isinstance(other.grid_object, NoneGridObject):
            continue
        offset = other.position - here
        p = seen.agent.position + (offset.turned(-orientation) if turned else offset)
        if seen.grid.contains(p) and not isinstance(seen.grid[p], Hidden):
            seen.grid[p] = other.grid_object
    return Observation(seen.grid, seen.agent)


def _place_in(area: Area) -> Position:
    """The agent's position in the observed grid."""
    return Position(-area.ymin, -area.xmin)


def _observed(state: State, area: Area) -> Agent:
    """The agent in its own frame: facing up, with its held object and declared fields."""
    agent = copy_agent(state.agent, state.scratch)
    agent.position = _place_in(area)
    agent.orientation = Orientation.FORWARD
    return agent
