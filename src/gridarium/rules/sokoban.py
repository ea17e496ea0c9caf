"""Rules of Sokoban: crates are pushed onto goals, and cannot be pulled.

A crate on a goal is STORED; the goal appears again when it is pushed off.

Source: Sokoban (Imabayashi 1981); rewards, and rooms by and large, as gym-sokoban (Schrader 2018), after Racanière et al. 2017,
"Imagination-augmented agents".
"""

from __future__ import annotations

from typing import Any

from gridarium.compiled.data_types.vectors import new_integers
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
"""How often a room is made again in which there is too little floor, or from which not all crates can leave their goals."""
PATTERNS = (0b000111000, 0b010010010, 0b010011000, 0b011011000, 0b010110000)
"""What a step of the walk carves around it: 3 x 3 cells, the lowest bit the upper left one."""
WALL, FLOOR, GOAL = 0, 1, 2


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
    state: State,
    *,
    num_crates: int,
    walk: int = 34,
    searches: int = 30,
    depth: int = 300,
    rng: RandomNumbers = None,
) -> None:
    """A room that can be solved: it is played backwards from its solution, by moves and pulls, to a room of high score.

    A random walk that seldom turns carves the room out of walls; the agent and the goals are put anywhere in it, a crate on
    each goal. The score of a room is the number of pulls that led to it, times the sum of the distances between crates and
    the goals that they come from; it is 0 while something stands on a goal.

    As in gym-sokoban, but there a depth-first search visits up to 300,000 rooms, and here `searches` random walks `depth` moves
    each, from which the best room is taken. Rooms of 7 x 7 cells with two crates are about as hard: the median of 60 is 9 moves
    for both. (gym-sokoban's documentation has changes from one crate to another instead of pulls; its program counts pulls.)

    Args:
        state: at least 5 x 5.
        num_crates: the number of crates and goals.
        walk: the number of steps of the walk that carves the room, three cells each.
        searches: the number of random walks backwards.
        depth: the number of moves and pulls in each.
        rng: random numbers.

    Raises:
        ValueError: no such room was found.
    """
    check_shape(state, 5, 5)
    chance = rng_or_default(state, rng)
    inside = area(1, state.grid.height - 2, 1, state.grid.width - 2)
    state.agent.orientation = Orientation.FORWARD
    for _ in range(ATTEMPTS):
        _carve(state, walk, chance)
        if sum(isinstance(state.grid[p], Floor) for p in inside.positions()) <= num_crates + 1:
            continue
        state.agent.position = draw_free(state, inside, 0, chance)
        for _ in range(num_crates):
            state.grid[draw_free(state, inside, 1, chance)] = Goal()
        if _play_backwards(state, num_crates, searches, depth, chance):
            return
    raise ValueError("no room was found for all crates; make the grid, `walk`, `searches` or `depth` larger")


def _carve(state: State, walk: int, rng: Any) -> None:
    grid = state.grid
    for p in grid.positions():
        grid[p] = Wall()
    y, x = 1 + rng.integers(grid.height - 1), 1 + rng.integers(grid.width - 1)
    direction = rng.integers(4)
    for _ in range(walk):
        if rng.random() < 0.35:
            direction = rng.integers(4)
        ahead = Position.from_orientation(Orientation(direction))
        y = min(max(y + ahead.y, 1), grid.height - 2)
        x = min(max(x + ahead.x, 1), grid.width - 2)
        pattern = PATTERNS[rng.integers(5)]
        for i in range(9):
            p = Position(y - 1 + i // 3, x - 1 + i % 3)
            if pattern >> i & 1 and 0 < p.y < grid.height - 1 and 0 < p.x < grid.width - 1:
                grid[p] = Floor()


def _play_backwards(state: State, num_crates: int, searches: int, depth: int, rng: Any) -> bool:
    """Put crates and the agent where the best of some walks back from the solution came; return whether it scores."""
    grid, width = state.grid, state.grid.width
    used = state.scratch[0]
    ground = new_integers(state.scratch, grid.height * width)
    origins = new_integers(state.scratch, num_crates)
    crates = new_integers(state.scratch, num_crates)
    best = new_integers(state.scratch, num_crates)
    count = 0
    for p in grid.positions():
        if isinstance(grid[p], Goal):
            origins[count] = p.y * width + p.x
            count += 1
        ground[p.y * width + p.x] = (
            WALL if isinstance(grid[p], Wall) else GOAL if isinstance(grid[p], Goal) else FLOOR
        )
    start = state.agent.position.y * width + state.agent.position.x
    best_agent, best_score = start, 0
    for _ in range(searches):
        here, pulls, distance = start, 0, 0
        for i in range(num_crates):
            crates[i] = origins[i]
        for _ in range(depth):
            move = rng.integers(8)
            ahead = (width, 1, -width, -1)[move % 4]
            there, behind, pulled = here + ahead, here - ahead, -1
            free = ground[there] != WALL
            for i in range(num_crates):
                free = free and crates[i] != there
                if crates[i] == behind and move < 4:
                    pulled = i
            if not free:
                continue
            if pulled >= 0:
                crates[pulled] = here
                pulls += 1
                distance += _distance(here, origins[pulled], width) - _distance(
                    behind, origins[pulled], width
                )
            here = there
            if pulls * distance <= best_score or ground[here] == GOAL:
                continue
            if all(ground[crates[i]] != GOAL for i in range(num_crates)):
                best_score, best_agent = pulls * distance, here
                for i in range(num_crates):
                    best[i] = crates[i]
    if best_score > 0:
        state.agent.position = Position(best_agent // width, best_agent % width)
        for i in range(num_crates):
            state.grid[best[i] // width, best[i] % width] = Crate(Crate.Status.LOOSE)
    state.scratch[0] = used
    return best_score > 0


def _distance(a: int, b: int, width: int) -> int:
    """The distance of two cells given by their numbers, in steps along the axes."""
    return abs(a // width - b // width) + abs(a % width - b % width)
