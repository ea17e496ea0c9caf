"""Rules of the blocks world for teams: blocks from several rooms are brought to a drop zone, in a given order of colors.

The world declares the fields `order`, an array with the index of each wanted color, and `delivered`, the number of blocks
that were brought.

Source: BW4T, blocks world for teams (Johnson et al. 2009, "Joint activity testbed"); the form for training is Gridarium's.
"""

from __future__ import annotations

from gridarium.rules.calling import RandomNumbers, UnusedRng, rng_or_default
from gridarium.rules.reset_functions.placing import draw_free, place_agents, put
from gridarium.rules.reset_functions.protocol import reset_function_registry
from gridarium.rules.reset_functions.rooms import draw_rooms
from gridarium.rules.reward_functions import reward_function_registry
from gridarium.rules.terminating_functions import terminating_function_registry
from gridarium.rules.transition_functions import transition_function_registry
from gridarium.world.actions import Action
from gridarium.world.colors import Color
from gridarium.world.objects import Block, Goal
from gridarium.world.state import State

COLORS = (Color.RED, Color.GREEN, Color.BLUE, Color.YELLOW)
"""The colors of blocks."""


@reset_function_registry.register
def blocks_in_rooms(
    state: State, *, layout: tuple[int, int], num_blocks: int, rng: RandomNumbers = None
) -> None:
    """Rooms with blocks of random colors and a drop zone; the order is drawn so that there is a block for each place in it.

    Args:
        state: large enough for each room to have a cell.
        layout: the number of rows and of columns of rooms.
        num_blocks: the number of blocks, at least as many as the order is long.
        rng: random numbers.

    Raises:
        ValueError: fewer blocks than the order is long, or there is no room for them.
    """
    if num_blocks < state.order.size:
        raise ValueError(f"an order of {state.order.size} needs at least as many blocks, not {num_blocks}")
    chance = rng_or_default(state, rng)
    draw_rooms(state, layout, chance)
    put(state, Goal(), state.grid.area, chance)
    for i in range(num_blocks):
        color = chance.integers(len(COLORS))
        state.add(Block(COLORS[color]), draw_free(state, state.grid.area, 0, chance))
        if i < state.order.size:
            state.order[i] = color
    for i in range(1, state.order.size):
        j = chance.integers(i + 1)
        other = state.order[j]
        state.order[j] = state.order[i]
        state.order[i] = other
    place_agents(state, 0, state.grid.area, chance)


@transition_function_registry.register(scope="world")
def deliver_blocks(state: State, action: Action, *, rng: UnusedRng = None) -> None:
    """A block of the color that is wanted next disappears from the drop zone; others stay there."""
    for thing in state.things:
        if state.delivered < state.order.size and not thing.is_carried and isinstance(thing.object, Block):
            wanted = thing.color == COLORS[state.order[state.delivered]]
            if wanted and isinstance(state.grid[thing.position], Goal):
                state.remove(thing)
                state.delivered += 1


@reward_function_registry.register
def deliver_block(
    state: State, action: Action, next_state: State, *, reward: float = 1.0, rng: UnusedRng = None
) -> float:
    """`reward` for each block that was delivered in this tick."""
    return reward * (next_state.delivered - state.delivered)


@terminating_function_registry.register
def all_delivered(state: State, action: Action, next_state: State, *, rng: UnusedRng = None) -> bool:
    """The whole order has been delivered."""
    return bool(next_state.delivered == next_state.order.size)
