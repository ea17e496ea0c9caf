"""Rules of Sokoban: crates are pushed onto goals, and cannot be pulled.

A crate on a goal is STORED; the goal appears again when it is pushed off.

Source: Sokoban (Imabayashi 1981); rewards and the way of making rooms as gym-sokoban (Schrader 2018), after Racanière et
al. 2017, "Imagination-augmented agents".
"""

from __future__ import annotations

from typing import Any

from gridarium.rules.calling import RandomNumbers, UnusedRng, rng_or_default
from gridarium.rules.reset_functions.placing import check_shape, draw_free
from gridarium.rules.reset_functions.protocol import reset_function_registry
from gridarium.rules.results import ActionResultCode
from gridarium.rules.reward_functions import reward_function_registry
from gridarium.rules.terminating_functions import terminating_function_registry
from gridarium.rules.transition_functions import transition_function_registry
from gridarium.world.actions import Action, get_next_position
from gridarium.world.geometry import Orientation, Position, area
from gridarium.world.grid import Grid
from gridarium.world.objects import Crate, Floor, Goal, Wall
from gridarium.world.state import State

__for_rules__ = True

ATTEMPTS = 50
"""How often a room is made again that is too small, or in which too many crates have not left their goals: first one is
too many, in the end all."""


@transition_function_registry.register
def push_crate(state: State, action: Action, *, rng: UnusedRng = None) -> None:
    """A move against a crate pushes it one cell further, if there is floor or a goal; to be listed before `move_agent`."""
    if not (action.is_move() or action.is_compass()):
        return
    here = state.agent.position
    there = get_next_position(here, state.agent.orientation, action)
    if not state.grid.contains(there) or not isinstance(state.grid[there], Crate):
        return
    beyond = there + there - here
    free = state.can_step(there, beyond) and isinstance(state.grid[beyond], Floor | Goal)
    if free and not state.grid.has_wall(here, there):
        move_crate(state.grid, there, beyond)
    else:
        state.agent.result = ActionResultCode.BLOCKED


def move_crate(grid: Grid, p: Position, q: Position) -> None:
    """Move a crate to a cell with floor or a goal."""
    stored = isinstance(grid[q], Goal)
    grid[p] = Goal() if is_stored(grid, p) else Floor()
    grid[q] = Crate(Crate.Status.STORED) if stored else Crate(Crate.Status.LOOSE)


def is_stored(grid: Grid, p: Position) -> bool:
    """Whether a crate stands on a goal."""
    return isinstance(grid[p], Crate) and grid[p].status == Crate.Status.STORED


def count_stored(grid: Grid) -> int:
    """The number of crates on goals."""
    return sum(is_stored(grid, p) for p in grid.positions())


def all_stored(grid: Grid) -> bool:
    """Whether no crate is loose."""
    return not any(isinstance(grid[p], Crate) and not is_stored(grid, p) for p in grid.positions())


@reward_function_registry.register
def store_crates(
    state: State,
    action: Action,
    next_state: State,
    *,
    reward_each: float = 1.0,
    reward_all: float = 10.0,
    rng: UnusedRng = None,
) -> float:
    """`reward_each` for a crate that comes onto a goal, minus it for one that leaves; `reward_all` when all are stored."""
    gained = count_stored(next_state.grid) - count_stored(state.grid)
    finished = gained > 0 and all_stored(next_state.grid)
    return reward_each * gained + (reward_all if finished else 0.0)


@terminating_function_registry.register
def crates_stored(state: State, action: Action, next_state: State, *, rng: UnusedRng = None) -> bool:
    """All crates are on goals."""
    return all_stored(next_state.grid)


@reset_function_registry.register
def sokoban(
    state: State, *, num_crates: int, walk: int = 25, pulls: int = 300, rng: RandomNumbers = None
) -> None:
    """A room that can be solved: it is played backwards from its solution.

    A random walk that seldom turns carves the room out of walls, and crates are put on goals in it. Then the agent walks
    about at random and pulls crates off their goals.

    Args:
        state: at least 5 x 5.
        num_crates: the number of crates and goals.
        walk: the number of cells that the random walk carves, with their neighbours on one side.
        pulls: the number of random moves backwards.
        rng: random numbers.

    Raises:
        ValueError: no such room was found.
    """
    check_shape(state, 5, 5)
    chance = rng_or_default(state, rng)
    for attempt in range(ATTEMPTS):
        _carve(state, walk, chance)
        if sum(isinstance(state.grid[p], Floor) for p in state.grid.positions()) < 3 * num_crates:
            continue
        inside = area(1, state.grid.height - 2, 1, state.grid.width - 2)
        for _ in range(num_crates):
            state.grid[draw_free(state, inside, 0, chance)] = Crate(Crate.Status.STORED)
        state.agent.position = draw_free(state, inside, 0, chance)
        state.agent.orientation = Orientation.FORWARD
        for _ in range(pulls):
            _pull(state, chance)
        if count_stored(state.grid) <= attempt * num_crates // ATTEMPTS:
            return
    raise ValueError("no room was found for all crates; make the grid, `walk` or `pulls` larger")


def _carve(state: State, walk: int, rng: Any) -> None:
    grid = state.grid
    for p in grid.positions():
        grid[p] = Wall()
    y, x = 1 + rng.integers(grid.height - 2), 1 + rng.integers(grid.width - 2)
    direction = rng.integers(4)
    for _ in range(walk):
        if rng.random() < 0.35:
            direction = rng.integers(4)
        ahead = Position.from_orientation(Orientation(direction))
        aside = Position(ahead.x, ahead.y)
        y = min(max(y + ahead.y, 1), grid.height - 2)
        x = min(max(x + ahead.x, 1), grid.width - 2)
        grid[y, x] = Floor()
        p = Position(y, x) + aside
        if 0 < p.y < grid.height - 1 and 0 < p.x < grid.width - 1:
            grid[p] = Floor()


def _pull(state: State, rng: Any) -> None:
    """A random step backwards; a crate behind comes along, if there is one."""
    ahead = Position.from_orientation(Orientation(rng.integers(4)))
    here = state.agent.position
    there, behind = here + ahead, here - ahead
    if not isinstance(state.grid[there], Floor | Goal):
        return
    if isinstance(state.grid[behind], Crate):
        move_crate(state.grid, behind, here)
    state.agent.position = there
