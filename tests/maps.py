"""Worlds as pictures, for tests: `world("#>.#")` and back with `picture(state)`.

Arrows are agents, numbered in reading order. Every other symbol stands for one object, see LEGEND.
"""

from __future__ import annotations

import textwrap
from collections import deque
from collections.abc import Callable
from typing import Any

from gridarium.world.actions import Action
from gridarium.world.colors import Color
from gridarium.world.geometry import ORIENTATION_NAMES, Orientation, Position
from gridarium.world.objects import (
    Ball,
    Beacon,
    Box,
    Door,
    Exit,
    Floor,
    Goal,
    GridObject,
    Key,
    Lava,
    MovingObstacle,
    Telepod,
    Wall,
)
from gridarium.world.state import State
from gridarium.world.vocabulary import Vocabulary

RED, GREEN, BLUE, YELLOW = Color.RED, Color.GREEN, Color.BLUE, Color.YELLOW
COLORS = (RED, GREEN, BLUE, YELLOW)
KINDS = (Floor, Wall, Exit, Door, Key, MovingObstacle, Box, Telepod, Beacon, Lava, Ball, Goal)
WORDS = Vocabulary(KINDS, COLORS)
EDGED = Vocabulary(KINDS, COLORS, edges=True)

LEGEND: dict[str, GridObject] = {
    ".": Floor(),
    "#": Wall(),
    "E": Exit(),
    "L": Door(Door.Status.LOCKED, YELLOW),
    "C": Door(Door.Status.CLOSED, YELLOW),
    "O": Door(Door.Status.OPEN, YELLOW),
    "K": Key(YELLOW),
    "k": Key(RED),
    "o": MovingObstacle(),
    "B": Box(Key(YELLOW)),
    "T": Telepod(RED),
    "t": Telepod(GREEN),
    "*": Beacon(RED),
    "~": Lava(),
    "b": Ball(RED),
}
ARROWS = "^v<>"


def world(
    text: str,
    *,
    holds: GridObject | None = None,
    on: GridObject | None = None,
    vocabulary: Vocabulary = WORDS,
) -> State:
    """The state that a picture shows; the first agent may hold something or stand on something."""
    rows = textwrap.dedent(text).split()
    arrows = sum(symbol in ARROWS for row in rows for symbol in row)
    state = State.blank((len(rows), len(rows[0])), vocabulary, agents=max(1, arrows))
    placed = 0
    for p in state.grid.positions():
        symbol = rows[p.y][p.x]
        if symbol in ARROWS:
            state.agents[placed].position = p
            state.agents[placed].orientation = Orientation[ORIENTATION_NAMES[ARROWS.index(symbol)]]
            placed += 1
        else:
            state.grid[p] = LEGEND[symbol]
    if holds is not None:
        state.agents[0].grid_object = holds
    if on is not None:
        state.grid[state.agents[0].position] = on
    return state


def picture(state: State) -> str:
    """A state as rows of symbols, active agents on top; `?` for what the legend lacks."""
    symbols = {thing: symbol for symbol, thing in LEGEND.items()}
    rows = [[symbols.get(thing, "?") for thing in row] for row in state.grid.objects]
    for agent in state.agents:
        if agent.active:
            rows[agent.position.y][agent.position.x] = ARROWS[agent.orientation.value]
    return "\n".join("".join(row) for row in rows)


def same_picture(state: State, text: str) -> bool:
    """Whether a state looks like a picture."""
    return picture(state) == "\n".join(textwrap.dedent(text).split())


def positions_of(state: State, kind: Any) -> list[Position]:
    """Where objects of a kind are, row by row."""
    return [p for p in state.grid.positions() if isinstance(state.grid[p], kind)]


def reachable(state: State, *, through: tuple[Any, ...] = (Door, Ball)) -> set[Position]:
    """The cells to which the first agent can walk, if what blocks its way there is only of these kinds."""
    seen, queue = {state.agents[0].position}, deque([state.agents[0].position])
    while queue:
        p = queue.popleft()
        for o in Orientation:
            q = p + Position.from_orientation(o)
            if q in seen or not state.grid.contains(q) or state.grid.has_wall(p, q):
                continue
            if not state.grid[q].blocks_movement or isinstance(state.grid[q], through):
                seen.add(q)
                queue.append(q)
    return seen


def becomes(rule: Callable[..., None], before: State, action: Action, after: str, *, result: int = 0) -> bool:
    """Whether a transition rule turns a world into what a picture shows, with this result for the first agent."""
    rule(before, action)
    assert same_picture(before, after), f"became\n{picture(before)}"
    assert before.agent.result == result
    return True
