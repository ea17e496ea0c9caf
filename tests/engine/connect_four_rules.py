"""Connect four: the rules of `connect_four.yaml`, for tests and benchmarks of tree search."""

from gridarium.rules.legal_functions import legal_function_registry
from gridarium.rules.reset_functions import reset_function_registry
from gridarium.rules.reward_functions import reward_function_registry
from gridarium.rules.terminating_functions import terminating_function_registry
from gridarium.rules.transition_functions import transition_function_registry
from gridarium.world import Action, Floor, GridObject, Position

DROP = Action.declare("DROP")
DIRECTIONS = (1, 6, 7, 8)
"""Distances of neighbours in a line, where seven bits are a column of six cells and a gap."""


class Red(GridObject):
    """A disc of the first player."""


class Yellow(GridObject):
    """A disc of the second player."""


@reset_function_registry.register
def empty_board(state):
    """Begin without discs; the winner's number is 0 as long as nobody has won."""


@legal_function_registry.register
def has_room(state, action):
    """A disc fits in as long as the column's top cell is free."""
    return isinstance(state.grid[Position(0, action.column)], Floor)


@transition_function_registry.register
def drop(state, action):
    """A disc falls to the lowest free cell of its column; four in a line win.

    Each player's discs are the bits of a number, in which lines are found by shifts (Tromp's Fhourstones).
    """
    y = state.grid.height - 1
    while not isinstance(state.grid[Position(y, action.column)], Floor):
        y -= 1
    here = Position(y, action.column)
    if state.agent.number == 0:
        state.grid[here] = Red()
    else:
        state.grid[here] = Yellow()
    discs = state.agent.discs | 1 << (7 * action.column + y)
    state.agent.discs = discs
    for step in DIRECTIONS:
        pairs = discs & (discs >> step)
        if pairs & (pairs >> 2 * step) != 0:
            state.winner = state.agent.number + 1


@reward_function_registry.register
def win_or_lose(state, action, next_state):
    """1 for who has four in a line, -1 for the other one."""
    if next_state.winner == 0:
        return 0.0
    return 1.0 if next_state.winner == next_state.agent.number + 1 else -1.0


@terminating_function_registry.register
def won(state, action, next_state):
    """The game ends with four in a line; with a full board too, since nobody can act."""
    return next_state.winner != 0
