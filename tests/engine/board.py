"""A game of two players on a small board, for tests of arguments, legal rules and turns."""

from gridarium.engine import World
from gridarium.world import Action, Floor, GridObject, Position
from gridarium.worlds import Spec

PLACE, RESIGN = Action.declare("PLACE"), Action.declare("RESIGN")


class Cross(GridObject):
    """The first player's mark."""


class Nought(GridObject):
    """The second player's mark."""


def empty(state):
    """Begin with an empty board."""


def place(state, action):
    """Mark the cell."""
    if action.is_a(PLACE):
        if state.agent.number == 0:
            state.grid[action.at] = Cross()
        else:
            state.grid[action.at] = Nought()


def is_free(state, action):
    """Only free cells may be marked."""
    return not action.is_a(PLACE) or isinstance(state.grid[action.at], Floor)


def never_resign(state, action):
    """Nobody gives up."""
    return action != RESIGN


def is_mark_of(state, p, number):
    if number == 0:
        return isinstance(state.grid[p], Cross)
    return isinstance(state.grid[p], Nought)


def has_row(state, number):
    for k in range(3):
        across = 0
        down = 0
        for i in range(3):
            if is_mark_of(state, Position(k, i), number):
                across += 1
            if is_mark_of(state, Position(i, k), number):
                down += 1
        if across == 3 or down == 3:
            return True
    return False


def win(state, action, next_state):
    """1 for a full row or column."""
    if has_row(next_state, next_state.agent.number):
        return 1.0
    return 0.0


def won(state, action, next_state):
    """The game ends with a full row or column."""
    return has_row(next_state, next_state.agent.number)


def result(state, *, draw: float = 0.0):
    """1 for who has a row, -1 for the other one."""
    for number in range(2):
        if has_row(state, number):
            return 1.0 if state.agent.number == number else -1.0
    return draw


def board(*, compiled=True, **changes):
    """The game; `changes` replace keys of its description."""
    described = {
        "name": "Board",
        "shape": (3, 3),
        "objects": [Floor, Cross, Nought],
        "agents": 2,
        "turn_order": "cycle",
        "actions": [{"name": "PLACE", "over": "cells"}, {"name": "RESIGN", "declare": True}],
        "reset": empty,
        "transitions": [place],
        "legal": [is_free, never_resign],
        "rewards": [win],
        "terminations": [won],
        "observation": "full_grid",
    }
    return World(Spec.build(**described | changes), compiled=compiled)


PLAYERS = [{"name": "x", "body": False}, {"name": "o", "body": False}]


def players(*, compiled=True):
    """The game between players who are nowhere on the board; it has outcomes."""
    return board(compiled=compiled, agents=PLAYERS, outcome=result)
