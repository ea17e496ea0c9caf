"""Rules for warehouses: robots bring requested shelves to workstations, and put them down in any free storage space.

A world declares the agents' field `earned`. Robots lift and turn in their order, then all drive at once.

Source: RWARE (Papoudakis et al. 2021), robotic-warehouse 2, with individual rewards.
"""

from __future__ import annotations

from typing import Any

from gridarium.compiled.data_types.vectors import new_integers
from gridarium.rules.calling import RandomNumbers, UnusedRng, rng_or_default
from gridarium.rules.reset_functions.protocol import reset_function_registry
from gridarium.rules.results import ActionResultCode
from gridarium.rules.transition_functions import transition_function_registry
from gridarium.world.actions import Action
from gridarium.world.geometry import Orientation, Position
from gridarium.world.objects import GridObject, NoneGridObject
from gridarium.world.state import State
from gridarium.world.warehouse import Shelf, StorageSpace, Workstation

NOWHERE = NOBODY = -1


@reset_function_registry.register
def warehouse(state: State, *, requests: int, column_height: int = 8, rng: RandomNumbers = None) -> None:
    """Blocks of shelves, two wide, between aisles, two workstations in the last row; robots anywhere, some shelves requested.

    Args:
        state: 3 n + 1 wide for n columns of blocks, an odd number, and as high as its rows of blocks, an aisle above each, and
            two rows.
        requests: the number of shelves that are requested at any time.
        column_height: the height of a block.
        rng: random numbers.

    Raises:
        ValueError: another shape, fewer shelves than requests, or more robots than cells.
    """
    height, width = state.grid.height, state.grid.width
    if width % 6 != 4 or height < column_height + 3 or (height - 2) % (column_height + 1) != 0:
        raise ValueError(
            f"a warehouse with blocks of height {column_height} is {column_height + 1} n + 2 high and 6 m + 4 wide, "
            f"not {height} x {width}"
        )
    shelves = 0
    for p in state.grid.positions():
        if _is_storage(p, height, width, column_height):
            state.grid[p] = Shelf(Shelf.Status.STORED)
            shelves += 1
    for x in (width // 2 - 1, width // 2):
        state.grid[height - 1, x] = Workstation()
    if not 0 <= requests <= shelves or len(state.agents) > height * width:
        raise ValueError(
            f"{len(state.agents)} robots and {requests} requests are too many for {shelves} shelves"
        )
    chance = rng_or_default(state, rng)
    for i in range(len(state.agents)):
        left = chance.integers(height * width - i)
        for p in state.grid.positions():
            if not any(state.agents[j].position == p for j in range(i)):
                if left == 0:
                    state.agents[i].position = p
                left -= 1
        state.agents[i].orientation = Orientation(chance.integers(4))
    for _ in range(requests):
        _request(state, chance)


@transition_function_registry.register
def lift_shelf(state: State, action: Action, *, rng: UnusedRng = None) -> None:
    """PICK_N_DROP lifts the shelf over the robot, or puts down the one that it carries, in a storage space."""
    if action != Action.PICK_N_DROP:
        return
    here = state.agent.position
    there, held = state.grid[here], state.agent.grid_object
    if isinstance(held, NoneGridObject) and isinstance(there, Shelf):
        state.agent.grid_object = there
        state.grid[here] = StorageSpace()
    elif isinstance(held, Shelf) and isinstance(there, StorageSpace):
        state.grid[here] = held
        state.agent.drop()
    elif isinstance(held, Shelf):
        state.agent.result = ActionResultCode.NO_ROOM
    else:
        state.agent.result = ActionResultCode.NOTHING_THERE


@transition_function_registry.register(scope="world")
def drive_robots(state: State, action: Action, *, rng: UnusedRng = None) -> None:
    """MOVE_FORWARD takes all robots one cell further at once; those that carry a shelf do not fit under others.

    Robots follow each other, also in circles, but two do not exchange their cells. If several drive to the same cell, the
    one with the longest line behind it does, of equal ones the first.
    """
    count, somebody_drives, is_line = len(state.agents), False, False
    goal = new_integers(state.scratch, count)
    for i in range(count):
        goal[i] = _goal(state, i)
        somebody_drives = somebody_drives or goal[i] != NOWHERE
    if not somebody_drives:
        return
    ahead, drives = new_integers(state.scratch, count), new_integers(state.scratch, count)
    behind = new_integers(state.scratch, count)
    for i in range(count):
        ahead[i] = i if goal[i] == NOWHERE else _who_is_at(state, goal[i])
        is_line = is_line or ahead[i] not in (i, NOBODY)
    if is_line:
        for _ in range(count - 1):
            for i in range(count):
                if ahead[i] not in (i, NOBODY) and behind[ahead[i]] <= behind[i]:
                    behind[ahead[i]] = behind[i] + 1
    for _ in range(count if is_line else 1):
        for i in range(count):
            if ahead[i] == NOBODY or (ahead[i] != i and drives[ahead[i]] != 0):
                drives[i] = 1 if _goes_first(i, goal, behind) else 0
    if is_line:
        for i in range(count):
            if _is_in_circle(i, ahead):
                drives[i] = 1
    for i in range(count):
        agent = state.agents[i]
        if drives[i] != 0:
            agent.position = agent.front()
        elif goal[i] != NOWHERE:
            agent.result = ActionResultCode.CONFLICT if ahead[i] == NOBODY else ActionResultCode.OCCUPIED


@transition_function_registry.register(scope="world")
def deliver_shelves(state: State, action: Action, *, reward: float = 1.0, rng: RandomNumbers = None) -> None:
    """A requested shelf on a workstation earns its robot `reward`, and another shelf is requested instead."""
    for i in range(len(state.agents)):
        agent = state.agents[i]
        agent.earned = 0.0
        if isinstance(state.grid[agent.position], Workstation) and _is_shelf(
            agent.grid_object, requested=True
        ):
            _request(state, rng_or_default(state, rng))
            agent.grid_object = Shelf(Shelf.Status.STORED)
            agent.earned = reward


def _is_storage(p: Position, height: int, width: int, column_height: int) -> bool:
    """Whether a shelf belongs in a cell: it is neither in an aisle nor in the queue before the workstations."""
    if p.x % 3 == 0 or p.y % (column_height + 1) == 0 or p.y == height - 1:
        return False
    return not (p.y > height - column_height - 3 and width // 2 - 1 <= p.x <= width // 2)


def _is_shelf(thing: GridObject, *, requested: bool) -> bool:
    return isinstance(thing, Shelf) and (thing.status == Shelf.Status.REQUESTED) == requested


def _request(state: State, chance: Any) -> None:
    """Request one of the shelves that are not, in a storage space or carried; none if there is none."""
    count = sum(_is_shelf(state.grid[p], requested=False) for p in state.grid.positions())
    count += sum(_is_shelf(agent.grid_object, requested=False) for agent in state.agents)
    if count == 0:
        return
    left = chance.integers(count)
    for p in state.grid.positions():
        if _is_shelf(state.grid[p], requested=False):
            if left == 0:
                state.grid[p] = Shelf(Shelf.Status.REQUESTED)
                return
            left -= 1
    for agent in state.agents:
        if _is_shelf(agent.grid_object, requested=False):
            if left == 0:
                agent.grid_object = Shelf(Shelf.Status.REQUESTED)
                return
            left -= 1


def _goal(state: State, i: int) -> int:
    """The number of the cell that a robot drives to, counted row by row; `NOWHERE` if it stays where it is."""
    agent = state.agents[i]
    if agent.action != Action.MOVE_FORWARD:
        return NOWHERE
    there = agent.front()
    if not state.grid.contains(there):
        agent.result = ActionResultCode.OUTSIDE
        return NOWHERE
    if isinstance(agent.grid_object, Shelf) and isinstance(state.grid[there], Shelf):
        agent.result = ActionResultCode.BLOCKED
        return NOWHERE
    return _number(state, there)


def _number(state: State, p: Position) -> int:
    return p.y * state.grid.width + p.x


def _who_is_at(state: State, cell: int) -> int:
    """The number of the robot in a cell, or `NOBODY`."""
    for j in range(len(state.agents)):
        if _number(state, state.agents[j].position) == cell:
            return j
    return NOBODY


def _goes_first(i: int, goal: Any, behind: Any) -> bool:
    """Whether, of all robots that drive to a cell, this one has the longest line behind it."""
    for j in range(len(goal)):
        if j != i and goal[j] == goal[i] and (behind[j] > behind[i] or (behind[j] == behind[i] and j < i)):
            return False
    return True


def _is_in_circle(i: int, ahead: Any) -> bool:
    """Whether a robot is in a circle of at least three that follow each other."""
    j, length = i, 0
    while length < len(ahead):
        if ahead[j] in (j, NOBODY):
            return False
        j = ahead[j]
        length += 1
        if j == i:
            return length > 2
    return False
