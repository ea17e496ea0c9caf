"""Reset rules for worlds that are drawn as a map, and for things and agents that begin at given positions.

The contents of pictures are bound to the rule as constants: a palette of objects, and for each cell, in row-major
order, the index of its object, packed into integers, one picture after another.

Source: Gridarium.
"""

from __future__ import annotations

from gridarium.rules.calling import RandomNumbers, call_rule, rng_or_default
from gridarium.rules.reset_functions.placing import draw_free, put_at
from gridarium.rules.reset_functions.protocol import ResetFunction, reset_function_registry
from gridarium.world.geometry import Orientation, Position
from gridarium.world.objects import GridObject
from gridarium.world.state import State
from gridarium.world.things import append_thing
from gridarium.world.vocabulary import AGENT_FIELDS, THING_FIELDS

CELL_BITS = 6
"""The number of bits of a palette index: a palette has at most 64 objects."""
WALL_BITS = 2
RANDOM = -1
NOWHERE = Position(-1, -1)


def packed(numbers: list[int], bits: int) -> tuple[int, ...]:
    """Pack small integers, each below 2**bits, into 60-bit integers."""
    share = 60 // bits
    parts = [numbers[i : i + share] for i in range(0, len(numbers), share)]
    return tuple(sum(n << (bits * k) for k, n in enumerate(part)) for part in parts)


def unpacked(words: tuple[int, ...], i: int, bits: int) -> int:
    """Return the i-th of the numbers packed by `packed`."""
    share = 60 // bits
    return (words[i // share] >> (bits * (i % share))) & ((1 << bits) - 1)


@reset_function_registry.register
def from_map(
    state: State,
    *,
    picture: tuple[int, ...],
    palette: tuple[GridObject, ...],
    poses: tuple[int, ...],
    walls: tuple[int, ...],
    scattered: tuple[int, ...],
    map_number: int = RANDOM,
    rng: RandomNumbers = None,
) -> None:
    """Draw one of several pictures.

    Scatter objects over its floor; place agents at given poses, the others on free floor.

    Args:
        state: a cleared state with the shape of the pictures.
        picture: for each cell the index of its object in `palette`, each picture's packed with `CELL_BITS`.
        palette: the objects that occur, at most 64.
        poses: for each picture y, x and orientation of each agent in turn; y is -1 for one that starts at random.
        walls: for each cell 1 for a wall to its right plus 2 for one below it, each picture's packed with `WALL_BITS`.
        scattered: for each picture, the number of objects to place on distinct floor cells, then their indices in
            `palette`.
        map_number: the index of the picture; negative for a random one.
        rng: random numbers.

    Raises:
        ValueError: the picture and the state differ in size, or there is not enough floor.
    """
    height, width = state.grid.height, state.grid.width
    share = 60 // CELL_BITS
    words = (height * width + share - 1) // share
    maps = len(picture) // words
    if maps == 0 or len(picture) != maps * words:
        raise ValueError(f"the picture does not have {height} x {width} cells")
    chance = rng_or_default(state, rng)
    chosen = map_number
    if chosen < 0:
        chosen = chance.integers(maps) if maps > 1 else 0
    if chosen >= maps:
        raise ValueError(f"there is no map {chosen}; there are {maps}")
    first_cell, first_wall = chosen * words * share, chosen * (len(walls) // maps) * (60 // WALL_BITS)
    for p in state.grid.positions():
        i = p.y * width + p.x
        put_at(state, palette[unpacked(picture, first_cell + i, CELL_BITS)], p)
        if len(walls) > 0:
            _draw_walls(state, p, unpacked(walls, first_wall + i, WALL_BITS))
    count = len(state.agents)
    for k in range(count):
        state.agents[k].position = NOWHERE
        first = 3 * (chosen * count + k)
        if first + 2 < len(poses) and poses[first] != RANDOM:
            state.agents[k].position = Position(poses[first], poses[first + 1])
            state.agents[k].orientation = Orientation(poses[first + 2])
    begin = maps
    for k in range(chosen):
        begin += scattered[k]
    for j in range(begin, begin + scattered[chosen]):
        put_at(state, palette[scattered[j]], draw_free(state, state.grid.area, count, chance))
    for k in range(count):
        if state.agents[k].position == NOWHERE and state.agents[k].has_body:
            state.agents[k].position = draw_free(state, state.grid.area, count, chance)
            state.agents[k].orientation = Orientation(chance.integers(4))


@reset_function_registry.register
def starting_at(
    state: State,
    *,
    reset_function: ResetFunction,
    poses: tuple[int, ...],
    alone: bool = True,
    rng: RandomNumbers = None,
) -> None:
    """Fill the world with another rule, then move agents to given poses, and others out of their way.

    Args:
        state: a cleared state.
        reset_function: the rule that fills it.
        poses: y, x and orientation of each agent in turn; y is -1 for one that stays where the rule put it, or is put
            on a free cell if another one begins there; orientation is -1 for one that keeps its heading.
        alone: whether several agents in one cell are refused.
        rng: random numbers.

    Raises:
        ValueError: the start cell of an agent is blocked.
    """
    call_rule(reset_function, (state,), rng)
    count = min(len(state.agents), len(poses) // 3)
    for k in range(count):
        if poses[3 * k] != RANDOM:
            state.agents[k].position = Position(poses[3 * k], poses[3 * k + 1])
        if poses[3 * k + 2] != RANDOM:
            state.agents[k].orientation = Orientation(poses[3 * k + 2])
    for k in range(len(state.agents)):
        here, stays = state.agents[k].position, k >= count or poses[3 * k] == RANDOM
        if (
            stays
            and alone
            and any(poses[3 * j] != RANDOM and state.agents[j].position == here for j in range(count))
        ):
            free = draw_free(state, state.grid.area, len(state.agents), rng_or_default(state, rng))
            state.agents[k].position = free
    for k in range(len(state.agents)):
        there = state.agents[k].position
        if not state.agents[k].has_body:
            continue
        if state.seen_by(k).blocked(there) and (alone or not state.seen_by(k).occupied(there)):
            raise ValueError(f"agent {k} cannot start at {state.agents[k].position}: something is there")


@reset_function_registry.register
def placing(
    state: State,
    *,
    reset_function: ResetFunction,
    palette: tuple[GridObject, ...],
    things: tuple[int, ...],
    values: tuple[int, ...] | None = None,
    rng: RandomNumbers = None,
) -> None:
    """Fill the world with another rule, then add things.

    Args:
        state: a cleared state.
        reset_function: the rule that fills it.
        palette: the objects that occur.
        things: the index in `palette`, y and x of each thing in turn.
        values: the index of a thing, the column in its row and the number there, for each of its fields to be set, if any.
        rng: random numbers.
    """
    call_rule(reset_function, (state,), rng)
    set_so_far = 0
    for k in range(len(things) // 3):
        place = Position(things[3 * k + 1], things[3 * k + 2])
        thing = append_thing(state.data, state.agent_rows, palette[things[3 * k]], place, state.vocabulary)
        if values is not None:
            while set_so_far < len(values) // 3 and values[3 * set_so_far] == k:
                column = values[3 * set_so_far + 1]
                if not THING_FIELDS <= column < state.vocabulary.thing_row_length:
                    raise IndexError(f"column {column} of a thing holds no declared field")
                state.data[thing.start + column] = values[3 * set_so_far + 2]
                set_so_far += 1


@reset_function_registry.register
def followed_by(
    state: State, *, reset_function: ResetFunction, change: ResetFunction, rng: RandomNumbers = None
) -> None:
    """Fill the world with one rule, then change it with another.

    Args:
        state: a cleared state.
        reset_function: the rule that fills it.
        change: the rule that changes what is there.
        rng: random numbers.
    """
    call_rule(reset_function, (state,), rng)
    call_rule(change, (state,), rng)


@reset_function_registry.register
def setting_fields(
    state: State, *, reset_function: ResetFunction, values: tuple[int, ...], rng: RandomNumbers = None
) -> None:
    """Fill the world with another rule, then set declared fields of agents.

    Args:
        state: a cleared state.
        reset_function: the rule that fills it.
        values: the index of an agent, the column in its row and the number there, for each value in turn.
        rng: random numbers.
    """
    call_rule(reset_function, (state,), rng)
    for k in range(len(values) // 3):
        number, column = values[3 * k], values[3 * k + 1]
        if not AGENT_FIELDS <= column < state.agent_rows.shape[1]:
            raise IndexError(f"column {column} of an agent holds no declared field")
        if not 0 <= number < len(state.agents):
            raise IndexError(f"agents are numbered from 0 to {len(state.agents) - 1}; got {number}")
        state.agent_rows[number, column] = values[3 * k + 2]


def _draw_walls(state: State, p: Position, walls: int) -> None:
    if walls & 1:
        state.grid.set_wall(p, Position(p.y, p.x + 1))
    if walls & 2:
        state.grid.set_wall(p, Position(p.y + 1, p.x))
