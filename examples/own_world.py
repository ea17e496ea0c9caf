"""Cross a frozen lake before the ice breaks: an object, three rules, a world and an agent of one's own.

Compare its agent with others, check its rules interpreted and compiled, or run this file:

    gridarium run examples/own_world.py -p random -p scripted -p examples/own_world.py:hurried
    gridarium check examples/own_world.py
    python examples/own_world.py
"""

import enum
from functools import partial

from gridarium import Spec, World
from gridarium.draw import Line, Rectangle, text
from gridarium.world import Exit, Floor, GridObject, Position, get_next_position

SHEET, WATER = Rectangle(0, 0, 1, 1, (205, 228, 240)), Rectangle(0, 0, 1, 1, (44, 92, 130))
CRACK = Line(((0.2, 0.1), (0.5, 0.4), (0.4, 0.6), (0.7, 0.9)), 0.05, (90, 130, 160))


class Ice(GridObject):
    class Status(enum.IntEnum):
        SMOOTH = 0
        CRACKED = 1
        BROKEN = 2

    glyph = "~"
    blocks_movement = {Status.BROKEN}
    drawing = {"SMOOTH": (SHEET,), "CRACKED": (SHEET, CRACK), "BROKEN": (WATER,)}


def lake(state, *, holes: int, rng):
    height, width = state.grid.shape
    for p in state.grid.positions():
        state.grid[p] = Ice(Ice.Status.SMOOTH)
    for _ in range(holes):
        state.grid[rng.integers(height - 1), rng.integers(1, width)] = Ice(Ice.Status.BROKEN)
    state.grid[0, width - 1] = Exit()
    state.agent.position = Position(height - 1, 0)


def crack(state, action):
    ice = state.grid[state.agent.position]
    if isinstance(ice, Ice) and ice.status != Ice.Status.BROKEN:
        state.grid[state.agent.position] = Ice(ice.status + 1)


def drowned(state, action, next_state):
    ice = next_state.grid[next_state.agent.position]
    return isinstance(ice, Ice) and ice.status == Ice.Status.BROKEN


thin_ice = Spec.build(
    name="ThinIce",
    description="Reach the exit; ice cracks under whoever stands on it, and breaks the second time.",
    shape=(6, 6),
    objects=[Floor, Exit, Ice],
    actions=["LEFT", "DOWN", "RIGHT", "UP"],
    reset=partial(lake, holes=7),
    transitions=["move_agent", crack],
    rewards=["reach_exit"],
    terminations=["reach_exit", drowned],
    observation="full_grid",
)


def hurried(state, actions, rng):
    """An agent: to the free neighbouring cell that is nearest to the exit."""
    exit_ = Position(0, state.grid.width - 1)
    ways = {a: get_next_position(state.agent.position, state.agent.orientation, a) for a in actions}
    free = [a for a in actions if not state.blocked(ways[a])] or list(actions)
    return min(free, key=lambda a: (Position.manhattan_distance(ways[a], exit_), rng.random()))


if __name__ == "__main__":
    plain = World(thin_ice, compiled=False)  # put breakpoint() or print() into a rule and run this file
    # The same rules, compiled: the same states, tens of times faster, in batches thousands.
    fast = World(thin_ice)
    state = plain.reset(seed=1)
    assert state.identical(fast.reset(seed=1))
    assert all(plain.step(state, a)[0].identical(fast.step(state, a)[0]) for a in plain.actions)
    print(text(state))
