"""Rules for things that are to be brought to a zone, all of them or in an order, in worlds with the fields of live worlds.

A thing is wanted by its color, the thing field `colour`. Where the order matters, the thing field `arrived_at` says since when it
lies in the zone: what was brought too early is in the way until it is taken away again.

Source: MATRX's CollectionGoal; each wanted thing is matched by a thing of its own.
"""

from __future__ import annotations

from gridarium.compiled.data_types.primitives import outlined
from gridarium.rules.calling import UnusedRng
from gridarium.rules.reward_functions import reward_function_registry
from gridarium.rules.terminating_functions import terminating_function_registry
from gridarium.rules.transition_functions import transition_function_registry
from gridarium.world.actions import Action
from gridarium.world.live_objects import DropOffTile
from gridarium.world.state import State
from gridarium.world.things import Thing

__for_rules__ = True

NEVER = 1 << 62


@transition_function_registry.register(scope="world")
def notice_arrivals(state: State, action: Action, *, rng: UnusedRng = None) -> None:
    """Keep, for each thing on a drop-off tile, since when it lies there: tick + 2; 1 is for those that begin there."""
    for thing in state.things:
        if thing.is_carried or not isinstance(state.grid[thing.position], DropOffTile):
            thing.arrived_at = 0
        elif thing.arrived_at == 0:
            thing.arrived_at = state.tick + 2


def lies_in_zone(thing: Thing, zone: tuple[int, ...]) -> bool:
    """Whether a thing lies in one of the cells y, x, y, x, ..."""
    if thing.is_carried:
        return False
    for k in range(len(zone) // 2):
        if thing.position.y == zone[2 * k] and thing.position.x == zone[2 * k + 1]:
            return True
    return False


def count_wanted(wanted: tuple[int, ...], colour: int, first: int, last: int) -> int:
    """How often a color is among those wanted from `first` to before `last`."""
    count = 0
    for i in range(first, last):
        if wanted[i] == colour:
            count += 1
    return count


def count_brought(state: State, zone: tuple[int, ...], colour: int, arrived_at: int) -> int:
    """The number of things of a color in the zone, of those that arrived then; of all if `arrived_at` is below 0."""
    count = 0
    for thing in state.things:
        fits = thing.colour == colour and (arrived_at < 0 or thing.arrived_at == arrived_at)
        if fits and lies_in_zone(thing, zone):
            count += 1
    return count


def count_collected(state: State, wanted: tuple[int, ...], zone: tuple[int, ...], in_order: bool) -> int:
    """How many of the wanted things are in the zone; in order, how many of the first ones were brought in order."""
    if in_order:
        return count_in_order(state, wanted, zone)
    count = 0
    for i in range(len(wanted)):
        if count_brought(state, zone, wanted[i], -1) > count_wanted(wanted, wanted[i], 0, i):
            count += 1
    return count


@outlined
def count_in_order(state: State, wanted: tuple[int, ...], zone: tuple[int, ...]) -> int:
    """How many of the first wanted things were brought in order; things that arrive together have none among them."""
    rank, last = 0, 0
    while True:
        first, size = NEVER, 0
        for thing in state.things:
            is_wanted = count_wanted(wanted, thing.colour, 0, len(wanted)) > 0
            if is_wanted and last < thing.arrived_at <= first and lies_in_zone(thing, zone):
                size = size + 1 if thing.arrived_at == first else 1
                first = thing.arrived_at
        if size == 0:
            return rank
        end = min(rank + size, len(wanted))
        while end > rank and not covers(state, wanted, zone, first, rank, end):
            end -= 1
        if end == rank or end - rank < size:
            return end
        rank, last = end, first


def covers(
    state: State, wanted: tuple[int, ...], zone: tuple[int, ...], arrived_at: int, first: int, last: int
) -> bool:
    """Whether the things that arrived then include those wanted from `first` to before `last`."""
    for i in range(first, last):
        if count_brought(state, zone, wanted[i], arrived_at) < count_wanted(wanted, wanted[i], first, last):
            return False
    return True


@terminating_function_registry.register
def all_collected(
    state: State,
    action: Action,
    next_state: State,
    *,
    wanted: tuple[int, ...],
    zone: tuple[int, ...],
    in_order: bool = False,
    rng: UnusedRng = None,
) -> bool:
    """All wanted things are in the zone.

    Args:
        state: before the action.
        action: the agent's.
        next_state: after it.
        wanted: the color of each wanted thing, as a number such as 0xff0000.
        zone: y and x of each of its cells in turn.
        in_order: whether they must be brought in the listed order.
        rng: unused.
    """
    return count_collected(next_state, wanted, zone, in_order) == len(wanted)


@reward_function_registry.register
def collect_wanted(
    state: State,
    action: Action,
    next_state: State,
    *,
    wanted: tuple[int, ...],
    zone: tuple[int, ...],
    in_order: bool = False,
    reward: float = 1.0,
    rng: UnusedRng = None,
) -> float:
    """`reward` for each wanted thing that is now in the zone, minus it for each that no longer is; see `all_collected`."""
    before = count_collected(state, wanted, zone, in_order)
    return reward * (count_collected(next_state, wanted, zone, in_order) - before)
