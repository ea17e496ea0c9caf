"""Rules for training agents that bring things in an order: what they know, what is dealt, and rewards on the way.

They are for descriptions of live worlds (`gridarium.live.worlds.collecting` adds them) with the world field `wanted`, the colors
that are wanted in order, -1 where there are no more, and the thing field `seen`, whether somebody of the team has seen it.

Source: the tasks of Blocks World for Teams (Johnson et al. 2009); potential-based rewards of Ng, Harada and Russell 1999.
"""

from __future__ import annotations

from typing import Any

from gridarium.compiled.data_types.vectors import new_integers
from gridarium.rules.array_functions import array_function_registry
from gridarium.rules.calling import RandomNumbers, UnusedRng, rng_or_default
from gridarium.rules.collection import count_in_order, count_wanted, lies_in_zone
from gridarium.rules.reset_functions.protocol import reset_function_registry
from gridarium.rules.reward_functions import reward_function_registry
from gridarium.rules.terminating_functions import terminating_function_registry
from gridarium.rules.transition_functions import transition_function_registry
from gridarium.world.actions import Action
from gridarium.world.field_array import FieldArray
from gridarium.world.geometry import Position
from gridarium.world.objects import Door
from gridarium.world.state import State
from gridarium.world.things import Thing

NOTHING, NEXT, LATER, USELESS = range(4)
"""What an agent carries: nothing, what is wanted next, what is wanted later, or what is not wanted."""
IN_ZONE, AT_DOOR, OTHER_HAS_NEXT, SHARE = 4, 5, 6, 7
OWN = 8
"""The numbers about the agent itself; then follow `WAY` numbers for each target."""
TARGETS = 4
WAY = 11
"""A target is described by whether there is a way to it, how near it is, whether it is here, and the direction of the next step."""
SIZE = OWN + TARGETS * WAY
WANTED_THING, UNSEEN_THING, ZONE, IN_THE_WAY = range(TARGETS)
"""The targets: the nearest known thing of the color needed next, the nearest thing that nobody has seen, the drop-off zone, and
what lies in the zone although it is not its turn."""
NOWHERE = 1 << 20
STAGE = 40
"""The steps that are taken into account of each of the stages of bringing something: searching, fetching, bringing."""
DIRECTIONS = 8


def step_of(direction: int) -> Position:
    """The step in one of eight directions: north, east, south, west, then north-east, south-east, south-west, north-west."""
    if direction == 0:
        return Position(-1, 0)
    if direction == 1:
        return Position(0, 1)
    if direction == 2:
        return Position(1, 0)
    if direction == 3:
        return Position(0, -1)
    if direction == 4:
        return Position(-1, 1)
    if direction == 5:
        return Position(1, 1)
    if direction == 6:
        return Position(1, -1)
    return Position(-1, -1)


@reset_function_registry.register
def deal_wanted(state: State, *, rng: RandomNumbers = None) -> None:
    """Deal the colors of movable things among them, and draw which ones are wanted, in which order.

    As many are wanted as the field `wanted` has numbers. Colors are drawn with replacement from those of the movable things;
    each is wanted at most as often as there are things of it.

    Raises:
        ValueError: more are wanted than there are, or a color is negative.
    """
    chance = rng_or_default(state, rng)
    count = 0
    for thing in state.things:
        if thing.holdable:
            count += 1
            if thing.colour < 0:
                raise ValueError("a thing that may be wanted needs a color, not a negative number")
    if len(state.wanted) > count:
        raise ValueError("more things are wanted than there are movable ones")
    remaining = count
    for thing in state.things:  # Fisher and Yates
        if thing.holdable:
            other = _movable(state, thing.number, int(chance.integers(remaining)))
            colour = state.things[other].colour
            state.things[other].colour = thing.colour
            thing.colour = colour
            remaining -= 1
    for i in range(len(state.wanted)):
        state.wanted[i] = -1
        while state.wanted[i] < 0:
            colour = state.things[_movable(state, 0, int(chance.integers(count)))].colour
            if _count_colour(state, colour) > count_wanted(state.wanted, colour, 0, len(state.wanted)):
                state.wanted[i] = colour


def _movable(state: State, first: int, skipped: int) -> int:
    """The number of a movable thing: of those from `first` on, the one after `skipped` others."""
    left = skipped
    for thing in state.things:
        if thing.number >= first and thing.holdable:
            if left == 0:
                return thing.number
            left -= 1
    return -1


def _count_colour(state: State, colour: int) -> int:
    count = 0
    for thing in state.things:
        if thing.holdable and thing.colour == colour:
            count += 1
    return count


@transition_function_registry.register(scope="world")
def notice_things(state: State, action: Action, *, notice_range: float = 2.0, rng: UnusedRng = None) -> None:
    """Things within `notice_range` (Euclidean) of an agent have been seen: the team tells each other."""
    for thing in state.things:
        if not thing.seen:
            for agent in state.agents:
                dy, dx = agent.position.y - thing.position.y, agent.position.x - thing.position.x
                if agent.active and dy * dy + dx * dx <= notice_range * notice_range:
                    thing.seen = True


def brought(state: State, zone: tuple[int, ...]) -> int:
    """How many of the wanted things were brought in order."""
    return count_in_order(state, state.wanted, zone)


def is_in_zone(thing: Thing, zone: tuple[int, ...]) -> bool:
    """Whether a movable thing lies in the zone."""
    return thing.arrived_at > 0 and thing.holdable and lies_in_zone(thing, zone)


def use_of(state: State, number: int, done: int) -> int:
    """`NEXT`, `LATER` or `USELESS`: what the agent in focus can do with a thing, when `done` things were brought.

    What agents with lower numbers carry comes first: of two that carry red where one red is wanted, the second one's is useless.
    """
    colour, before = state.things[number].colour, 0
    for thing in state.things:
        if thing.colour == colour and thing.is_carried and thing.carrier.number < state.agent.number:
            before += 1
    for i in range(done, len(state.wanted)):
        if state.wanted[i] == colour:
            if before == 0:
                return NEXT if i == done else LATER
            before -= 1
    return USELESS


def needed_colour(state: State, done: int) -> int:
    """The first color that is wanted and that no other agent carries; -1 if there is none."""
    for i in range(done, len(state.wanted)):
        colour, carried = state.wanted[i], 0
        for thing in state.things:
            if thing.colour == colour and thing.is_carried and not thing.carried_by(state.agent):
                carried += 1
        if colour >= 0 and carried <= count_wanted(state.wanted, colour, done, i):
            return colour
    return -1


def thing_in_the_way(state: State, zone: tuple[int, ...], done: int) -> int:
    """The number of the thing that was brought last to the zone, if more lie there than were brought in order; else -1."""
    count, latest, number = 0, 0, -1
    for thing in state.things:
        if is_in_zone(thing, zone):
            count += 1
            if thing.arrived_at > latest:
                latest, number = thing.arrived_at, thing.number
    return number if count > done else -1


def carried_thing(state: State) -> int:
    """The number of a thing that the agent in focus carries; -1 if it carries none."""
    for thing in state.things:
        if thing.carried_by(state.agent):
            return thing.number
    return -1


def targets_of(state: State, zone: tuple[int, ...], done: int) -> Any:
    """int[cells]: for each cell the targets of the agent in focus that are in it, as bits, or `SHUT` or `BLOCKED`."""
    height, width = state.grid.height, state.grid.width
    marks = new_integers(state.scratch, height * width)
    for k in range(len(zone) // 2):
        marks[zone[2 * k] * width + zone[2 * k + 1]] = 1 << ZONE
    colour, wrong = needed_colour(state, done), thing_in_the_way(state, zone, done)
    for thing in state.things:
        at = thing.position.y * width + thing.position.x
        if thing.blocks_movement:
            marks[at] = marks[at] | (SHUT if isinstance(thing.object, Door) else BLOCKED)
        elif thing.number == wrong:
            marks[at] = marks[at] | 1 << IN_THE_WAY
        elif thing.holdable and not thing.is_carried and not is_in_zone(thing, zone):
            if not thing.seen:
                marks[at] = marks[at] | 1 << UNSEEN_THING
            elif thing.colour == colour:
                marks[at] = marks[at] | 1 << WANTED_THING
    return marks


SHUT, BLOCKED = 1 << TARGETS, 1 << (TARGETS + 1)
"""Marks of cells: a closed door, which can be opened; something else that is in the way."""


def find_ways(state: State, marks: Any, sought: int) -> Any:
    """The ways of the agent in focus to the nearest cell of each target, by breadth-first search in eight directions.

    Closed doors are ways, straight on: from beside them they can be opened. Other agents are not in the way.

    Args:
        state: the state.
        marks: see `targets_of`.
        sought: the targets, as bits; the search ends when all were found.

    Returns:
        int[2 * TARGETS]: for each target the number of steps, `NOWHERE` if there is no way, then for each the direction of the first step.
    """
    grid, width = state.grid, state.grid.width
    found = new_integers(state.scratch, 2 * TARGETS)
    for k in range(TARGETS):
        found[k] = NOWHERE
    reached = grid.mask(False)
    queue = new_integers(state.scratch, grid.height * width)
    firsts = new_integers(state.scratch, grid.height * width)
    here, open_targets = state.agent.position, sought
    reached[here.y, here.x] = True
    queue[0] = here.y * width + here.x
    first, last, steps = 0, 1, 0
    while first < last and open_targets != 0:
        layer = last
        for i in range(first, layer):
            at = queue[i]
            p = Position(at // width, at % width)
            there = marks[at] & open_targets
            if there != 0:
                for k in range(TARGETS):
                    if there >> k & 1 == 1:
                        found[k] = steps
                        found[TARGETS + k] = firsts[i]
                open_targets &= ~there
            straight = marks[at] & SHUT != 0
            for d in range(4 if straight else DIRECTIONS):
                q = p + step_of(d)
                if grid.contains(q) and not reached[q.y, q.x]:
                    mark = marks[q.y * width + q.x]
                    passable = d < 4 if mark & SHUT != 0 else not grid[q].blocks_movement
                    if passable and mark & BLOCKED == 0:
                        reached[q.y, q.x] = True
                        queue[last] = q.y * width + q.x
                        firsts[last] = firsts[i] if steps > 0 else d
                        last += 1
        first = layer
        steps += 1
    return found


@array_function_registry.register
def collector_view(state: State, array: FieldArray, *, zone: tuple[int, ...]) -> None:
    """What an agent knows that is to bring wanted things in order: 52 numbers, most of them 0 or 1.

    Whether it carries nothing, what is wanted next, later, or not at all; whether it is in the zone, beside a closed door, and
    whether another agent carries what is wanted next; the share of what was brought. Then for the nearest known thing of the
    color that is needed next, the nearest one that nobody has seen, the zone, and what lies in the zone out of turn: whether
    there is a way, its nearness 1 / (1 + steps), whether it is here, and the direction of the first step, one of eight.

    Args:
        state: the state.
        array: of shape [52].
        zone: y and x of each of the zone's cells in turn.
    """
    done, mine = brought(state, zone), carried_thing(state)
    array[NOTHING if mine < 0 else use_of(state, mine, done)] = 1
    marks = targets_of(state, zone, done)
    here = state.agent.position
    array[IN_ZONE] = marks[here.y * state.grid.width + here.x] >> ZONE & 1
    for thing in state.things:
        dy, dx = thing.position.y - here.y, thing.position.x - here.x
        if isinstance(thing.object, Door) and thing.blocks_movement and dy * dy + dx * dx <= 1:
            array[AT_DOOR] = 1
        others = thing.is_carried and thing.number != mine
        if others and done < len(state.wanted) and thing.colour == state.wanted[done]:
            array[OTHER_HAS_NEXT] = 1
    array[SHARE] = done / len(state.wanted)
    ways = find_ways(state, marks, (1 << TARGETS) - 1)
    for k in range(TARGETS):
        if ways[k] < NOWHERE:
            array[OWN + k * WAY] = 1
            array[OWN + k * WAY + 1] = 1 / (1 + ways[k])
            if ways[k] == 0:
                array[OWN + k * WAY + 2] = 1
            else:
                array[OWN + k * WAY + 3 + ways[TARGETS + k]] = 1


def steps_to_go(state: State, zone: tuple[int, ...]) -> int:
    """About how many steps the agent in focus needs until it has brought something; 0 when all was brought.

    That is the way to the zone with something that is wanted; else the way to a known thing that is needed and `STAGE` more;
    else the way to what nobody has seen and two `STAGE`s more; with something useless three. While something lies in the zone
    out of turn, it is the way there and a `STAGE`, or two for those who carry something.
    """
    done, mine = brought(state, zone), carried_thing(state)
    if done == len(state.wanted):
        return 0
    if mine >= 0 and thing_in_the_way(state, zone, done) >= 0:
        return 2 * STAGE
    if mine >= 0 and use_of(state, mine, done) == USELESS:
        return 3 * STAGE
    marks = targets_of(state, zone, done)
    if mine >= 0:
        return min(find_ways(state, marks, 1 << ZONE)[ZONE], STAGE)
    ways = find_ways(state, marks, 1 << WANTED_THING | 1 << UNSEEN_THING | 1 << IN_THE_WAY)
    if ways[IN_THE_WAY] < NOWHERE:
        return STAGE + min(ways[IN_THE_WAY], STAGE)
    if ways[WANTED_THING] < NOWHERE:
        return STAGE + min(ways[WANTED_THING], STAGE)
    return 2 * STAGE + min(ways[UNSEEN_THING], STAGE)


@reward_function_registry.register
def come_closer(
    state: State,
    action: Action,
    next_state: State,
    *,
    zone: tuple[int, ...],
    reward: float = 0.1,
    discount: float = 1.0,
    rng: UnusedRng = None,
) -> float:
    """Potential-based: `reward` for each step that an agent has come closer to bringing something (see `steps_to_go`).

    Args:
        state: before the action.
        action: the agent's.
        next_state: after it.
        zone: y and x of each of the zone's cells in turn.
        reward: for a step.
        discount: of the potential afterwards; with the learner's own, the best policies remain the same.
        rng: unused.
    """
    return reward * (steps_to_go(state, zone) - discount * steps_to_go(next_state, zone))


@reward_function_registry.register
def bring_wanted(
    state: State,
    action: Action,
    next_state: State,
    *,
    zone: tuple[int, ...],
    reward: float = 1.0,
    rng: UnusedRng = None,
) -> float:
    """As `collect_wanted` in order, with what is wanted from the field `wanted`."""
    return reward * (brought(next_state, zone) - brought(state, zone))


@terminating_function_registry.register
def all_brought(
    state: State, action: Action, next_state: State, *, zone: tuple[int, ...], rng: UnusedRng = None
) -> bool:
    """As `all_collected` in order, with what is wanted from the field `wanted`."""
    return brought(next_state, zone) == len(next_state.wanted)
