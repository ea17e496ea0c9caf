"""Worlds whose actions take arguments of every kind, for tests of choosing."""

from gridarium.engine import World
from gridarium.world import Action, Exit, Floor, GridObject, Position
from gridarium.worlds import Spec

MOVE, TAKE, HELP, PUT = (Action.declare(name) for name in ("MOVE", "TAKE", "HELP", "PUT"))


class White(GridObject):
    """A pawn of the first player, which moves up."""

    glyph = "w"


class Black(GridObject):
    """A pawn of the second player, which moves down."""

    glyph = "b"


class Coin(GridObject):
    """A thing that can be taken."""


def is_own(state, p, number):
    if number == 0:
        return isinstance(state.grid[p], White)
    return isinstance(state.grid[p], Black)


def set_up(state):
    """Two rows of pawns for each player."""
    for p in state.grid.positions():
        if p.y < 2:
            state.grid[p] = Black()
        elif p.y >= state.grid.height - 2:
            state.grid[p] = White()


def is_ahead(state, action):
    """A pawn moves one cell straight or diagonally ahead, straight only to a free cell."""
    ahead = -1 if state.agent.number == 0 else 1
    aside = action.end.x - action.start.x
    if (
        action.end.y != action.start.y + ahead
        or abs(aside) > 1
        or not is_own(state, action.start, state.agent.number)
    ):
        return False
    free = isinstance(state.grid[action.end], Floor)
    return free if aside == 0 else not is_own(state, action.end, state.agent.number)


def move(state, action):
    """Move a pawn; what is there is taken."""
    state.grid[action.end] = state.grid[action.start]
    state.grid[action.start] = Floor()


def reached(state, number):
    y = 0 if number == 0 else state.grid.height - 1
    return any(is_own(state, Position(y, x), number) for x in range(state.grid.width))


def win_or_lose(state, action, next_state):
    """1 for reaching the other side, -1 for the other player."""
    number = next_state.agent.number
    if reached(next_state, number):
        return 1.0
    return -1.0 if reached(next_state, 1 - number) else 0.0


def won(state, action, next_state):
    """A pawn has reached the other side."""
    return reached(next_state, 0) or reached(next_state, 1)


def pawns(size=6, *, compiled=False, **changes):
    """Breakthrough (Dan Troyka, 2000): pawns move from a cell to another."""
    described = {
        "name": "Pawns",
        "shape": (size, size),
        "objects": [Floor, White, Black],
        "agents": [{"name": "white", "body": False}, {"name": "black", "body": False}],
        "turn_order": "cycle",
        "actions": [{"name": "MOVE", "over": {"start": "cells", "end": "cells"}}],
        "reset": set_up,
        "transitions": [move],
        "legal": [is_ahead],
        "rewards": [win_or_lose],
        "terminations": [won],
    }
    return World(Spec.build(**described | changes), compiled=compiled)


def lay_out(state):
    """An agent, and coins: two in one cell."""
    state.agents[0].position = Position(0, 0)
    state.agents[1].position = Position(2, 2)
    for p in (Position(0, 1), Position(1, 2), Position(1, 2)):
        state.add(Coin(), p)


def is_there(state, action):
    """Coins are taken once; agents help others."""
    if action.is_a(TAKE):
        return action.thing < 3 and state.things[action.thing].exists
    return not action.is_a(HELP) or action.agent != state.agent.number


def take(state, action):
    """Take a coin."""
    if action.is_a(TAKE):
        state.remove(state.things[action.thing])


def coins(**changes):
    """A world in which one takes things, helps agents, and puts pieces into rows, besides moving and waiting."""
    described = {
        "name": "Coins",
        "shape": (3, 4),
        "objects": [Floor, Exit, Coin],
        "things": 4,
        "agents": [{"name": "ann"}, {"name": "bob"}],
        "actions": [
            "UP",
            "WAIT",
            {"name": "TAKE", "over": "things"},
            {"name": "HELP", "over": "agents"},
            {"name": "PUT", "over": {"piece": 30, "row": "rows"}},
        ],
        "reset": lay_out,
        "transitions": ["move_agent", take],
        "legal": [is_there],
        "observation": "full_grid",
    }
    return World(Spec.build(**described | changes), compiled=False)


world = pawns(compiled=True)
"""For `gridarium play tests/view/pawns.py`."""
