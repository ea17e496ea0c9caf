"""Rules, kinds, worlds and policies that each break one promise, and some that keep all of them."""

from __future__ import annotations

import enum
import functools
from typing import Any

import numpy as np

from gridarium.compiled.data_types.primitives import trusted
from gridarium.rules.observation_functions import fully_transparent
from gridarium.rules.reset_functions import empty, reset_function_registry
from gridarium.rules.transition_functions import move_agent, transition_function_registry, turn_agent
from gridarium.world import Action, Area, Exit, Floor, GridObject, Position, State, Wall
from gridarium.worlds import Spec

counter = {"calls": 0}


# rules


def melt(state: State, action: Action, *, rng: Any) -> None:
    """A good transition rule: a wall beside the agent may melt."""
    p = state.agent.front()
    if state.grid.contains(p) and isinstance(state.grid[p], Wall) and rng.random() < 0.5:
        state.grid[p] = Floor()


def prize(state: State, action: Action, next_state: State, *, reward: float) -> float:
    """A good reward rule with a parameter."""
    return reward if isinstance(next_state.grid[next_state.agent.position], Exit) else 0.0


def forgetful(state: State) -> None:
    """Lacks the action."""


def meddling(state: State, action: Action, next_state: State) -> float:
    """Changes what it may only read."""
    next_state.grid[0, 0] = Wall()
    return 0.0


def counting(state: State, action: Action, next_state: State) -> float:
    """Remembers how often it was called."""
    counter["calls"] += 1
    return float(counter["calls"])


def talkative(state: State, action: Action) -> bool:
    """Returns something although it edits."""
    return True


def wordy(state: State, action: Action, next_state: State) -> str:
    """A reward in words."""
    return "well done"


def endless(state: State, action: Action, next_state: State) -> float:
    """A reward without bounds."""
    return float("inf")


def undecided(state: State, action: Action, next_state: State) -> float:
    """A termination that is a number."""
    return 0.5


def growing(state: State) -> Any:
    """An observation whose size depends on the state."""
    return fully_transparent(state, area=Area((-1 - state.agent.position.y, 0), (0, 0)))


def narrow(grid: Any, position: Position) -> Any:
    """A mask of the wrong shape."""
    return np.ones((1, 1), bool)


def choosy(state: State, action: Action, *, rng: Any) -> None:
    """Takes only the library's own random numbers."""
    if type(rng).__name__ != "Rng":
        raise TypeError("these are not my random numbers")


def listing(state: State, action: Action, next_state: State) -> float:
    """Builds a list, which cannot be compiled."""
    return float(len([1 for _ in state.grid.positions()]))


def listing_twice(state: State, action: Action, next_state: State) -> float:
    """Builds a dictionary and a list."""
    names = {"a": 1}
    return float(len([1 for _ in state.grid.positions()])) + len(names)


def nameless(state: State, action: Action, next_state: State) -> float:
    """Gives what is no number."""
    return float("nan")


def silent(state: State, action: Action, next_state: State) -> Any:
    """Forgets to return."""


def wordy_about(state: State, action: Action, next_state: State, *, kinds: Any, far: int) -> Any:
    """As `wordy`, with parameters."""
    return "well done"


def hopeless(state: State, action: Action) -> None:
    """Raises whatever happens."""
    raise KeyError("gone")


@trusted
def two_faced(state: State, action: Action, next_state: State) -> float:
    """Differs interpreted and compiled: nobody checks that its numbers fit in 64 bits."""
    return 1.0 if (state.agent.position.y + 4) * 2**61 > 0 else 2.0


# kinds of objects


class Ice(GridObject, register=False):
    """A good kind with statuses and flags."""

    class Status(enum.IntEnum):
        SMOOTH = 0
        BROKEN = 1

    glyph = "~"
    colored = True
    blocks_movement = (Status.BROKEN,)


class Haunted:
    """Computes a flag that is to be declared."""

    @property
    def blocks_movement(self) -> bool:
        return True


class Ghost(Haunted, GridObject, register=False):
    """Inherits it."""

    glyph = "g"


class Mirror(GridObject, register=False):
    """Equals everything."""

    glyph = "m"

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0


# worlds


@reset_function_registry.register
def walled_in(state: State) -> None:
    """The exit cannot be reached."""
    empty(state)
    for p in (Position(1, 2), Position(2, 2), Position(3, 2)):
        state.grid[p] = Wall()


@reset_function_registry.register
def buried(state: State) -> None:
    """The agent stands in a wall."""
    empty(state)
    state.agent.position = Position(0, 0)


@reset_function_registry.register
def crowded(state: State) -> None:
    """All agents stand in one cell."""
    empty(state)
    for agent in state.agents:
        agent.position = Position(1, 2)


@reset_function_registry.register
def whimsical(state: State) -> None:
    """Depends on how often it was called."""
    empty(state)
    counter["calls"] += 1
    if counter["calls"] % 2:
        state.grid[1, 2] = Wall()


@transition_function_registry.register
def perhaps(state: State, action: Action, *, rng: Any) -> None:
    """Chance plays a part."""
    rng.random()


@functools.cache
def room(reset: Any = empty, **changes: Any) -> Spec:
    """A small room with an exit."""
    given: dict[str, Any] = {
        "name": "Room",
        "shape": (5, 5),
        "objects": [Floor, Wall, Exit],
        "actions": [Action.MOVE_FORWARD, Action.TURN_LEFT, Action.TURN_RIGHT],
        "reset": reset,
        "transitions": (move_agent, turn_agent),
        "rewards": ("reach_exit",),
        "terminations": ("reach_exit",),
        "time_limit": 40,
        "observation": functools.partial(fully_transparent, area=Area((-2, 0), (-1, 1))),
    }
    made = given | changes
    return Spec.build(
        **{key: list(v) if isinstance(v, tuple) and key != "shape" else v for key, v in made.items()}
    )


# policies


def onwards(actions: Any) -> Action:
    """A good policy."""
    return actions[0]


class Spinning:
    """A good policy with a memory."""

    def begin(self) -> None:
        self.turns = 0

    def __call__(self, actions: Any, rng: Any) -> Any:
        self.turns += 1
        return int(rng.integers(len(actions))) if self.turns % 3 else Action.TURN_LEFT


def nosy(diary: Any) -> Any:
    """Asks for something unknown."""


def vandal(state: State, actions: Any) -> Action:
    """Changes the state it was given."""
    state.grid[0, 0] = Floor()
    return actions[0]


def scribbler(observation: Any, actions: Any) -> Action:
    """Writes into its observation."""
    observation["grid"][...] = 0
    return actions[0]


def erratic(actions: Any) -> Action:
    """Draws from random numbers of its own."""
    return actions[int(np.random.default_rng().integers(len(actions)))]


def bold(world: Any) -> int:
    """Chooses an action that is not there."""
    return 99


def foreign(world: Any) -> Action:
    """Chooses an action of another world."""
    return Action.ACTUATE
