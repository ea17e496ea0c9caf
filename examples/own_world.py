"""An object, three rules, a world and an agent of your own: cross a lake before the ice breaks under you.

    gridarium run examples/own_world.py -p random -p scripted -p examples/own_world.py:hurried
    gridarium check examples/own_world.py
    python examples/own_world.py
"""

import enum
from functools import partial

from gridarium.engine import World
from gridarium.world import Exit, Floor, GridObject, Position, get_next_position
from gridarium.worlds import Spec


class Ice(GridObject):
    class Status(enum.IntEnum):
        SMOOTH = 0
        CRACKED = 1
        BROKEN = 2

    glyph = "~"
    blocks_movement = {Status.BROKEN}


def lake(state, *, holes: int, rng):
    """Ice with holes in it, an exit in the far corner."""
    height, width = state.grid.shape
    for p in state.grid.positions():
        state.grid[p] = Ice(Ice.Status.SMOOTH)
    for _ in range(holes):
        state.grid[rng.integers(height - 1), rng.integers(1, width)] = Ice(Ice.Status.BROKEN)
    state.grid[0, width - 1] = Exit()
    state.agent.position = Position(height - 1, 0)


def crack(state, action):
    """Ice suffers from every tick that the agent stands on it."""
    ice = state.grid[state.agent.position]
    if isinstance(ice, Ice) and ice.status != Ice.Status.BROKEN:
        state.grid[state.agent.position] = Ice(ice.status + 1)


def drowned(state, action, next_state):
    ice = next_state.grid[next_state.agent.position]
    return isinstance(ice, Ice) and ice.status == Ice.Status.BROKEN


thin_ice = Spec.build(
    name="ThinIce",
    shape=(7, 7),
    objects=[Floor, Exit, Ice],
    actions=["LEFT", "DOWN", "RIGHT", "UP"],
    reset=partial(lake, holes=12),
    transitions=["move_agent", crack],
    rewards=["reach_exit"],
    terminations=["reach_exit", drowned],
    observation="full_grid",
)


def hurried(state, actions, rng):
    """An agent: to the free neighbouring cell that is nearest to the exit."""
    goal = Position(0, state.grid.width - 1)
    ways = {a: get_next_position(state.agent.position, state.agent.orientation, a) for a in actions}
    free = [a for a in actions if not state.blocked(ways[a])] or list(actions)
    return min(free, key=lambda a: (Position.manhattan_distance(ways[a], goal), rng.random()))


if __name__ == "__main__":
    plain, fast = World(thin_ice, compiled=False), World(thin_ice)  # breakpoint() and print() work in `plain`
    assert plain.reset(seed=1).identical(fast.reset(seed=1))
    print(plain.reset(seed=1))
