"""Worlds for the engine's tests, and rules of the user's own: some fail on demand, in some agents leave."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest

from gridarium.engine import Batch, World
from gridarium.rules.observation_functions import fully_transparent, observation_function_registry
from gridarium.rules.reset_functions import reset_function_registry
from gridarium.rules.reward_functions import living_reward, reach_exit, reward_function_registry
from gridarium.rules.terminating_functions import terminating_function_registry
from gridarium.rules.transition_functions import transition_function_registry
from gridarium.world import Action, Area, Exit, Field, Floor, MovingObstacle, Position, Wall
from gridarium.worlds import Spec

DIVERSE = (
    "KeyDoor-7x7",
    "DynamicObstacles-5x5",
    "Memory-5x5",
    "Teleport-5x5",
    "TwoAgents-Helper-8x8",
)
"""Catalogue worlds that differ in objects, luck, memory and number of agents; those that the tests compile."""

TWO_OF_DIVERSE = [
    each
    if each in ("KeyDoor-7x7", "TwoAgents-Helper-8x8")
    else pytest.param(each, marks=pytest.mark.exhaustive)
    for each in DIVERSE
]
"""All of them, of which `make test` takes two."""

VALUE, ZERO, OUTSIDE, REWARD, TERMINATION, OBSERVATION, EXIT, CLOSED, PRESSED, OWN, OVERFLOW = range(1, 12)
"""What a world's field `trouble` may say: how, or in which rule, its next tick fails."""
VIEW = Area((-2, 0), (-1, 1))


@functools.cache
def catalogue_world(name: str, *, compiled: bool = True) -> World:
    """A world of the catalogue, composed once."""
    return World(name, compiled=compiled)


@functools.cache
def troubled_world(*, compiled: bool, odds: int = 0, time_limit: int = 7) -> World:
    """A small world with a moving obstacle, that fails where its field `trouble` says so.

    With `odds`, every so-many-th reset fails as well.
    """
    return World(
        Spec.build(
            name="Troubled",
            shape=(6, 6),
            objects=[Floor, Wall, Exit, MovingObstacle],
            fields={"world": [Field("trouble", "int")]},
            actions=[Action.MOVE_FORWARD, Action.TURN_LEFT, Action.TURN_RIGHT],
            reset=functools.partial(troubled_start, odds=odds),
            transitions=["move_agent", "turn_agent", troubled, "move_obstacles"],
            rewards=[troubled_reward],
            terminations=["reach_exit", troubled_end],
            time_limit=time_limit,
            observation=functools.partial(troubled_view, area=VIEW),
        ),
        compiled=compiled,
    )


@reset_function_registry.register
def troubled_start(state, *, odds: int, rng):  # type: ignore[no-untyped-def]
    """An exit in a corner, an obstacle and the agent somewhere in the upper half."""
    if odds > 0 and rng.integers(odds) == 0:
        raise RuntimeError(f"no room in episode {state.episode}")
    state.grid[Position(5, 5)] = Exit()
    state.grid[Position(2, rng.integers(6))] = MovingObstacle()
    for agent in state.agents:
        agent.position = Position(rng.integers(2), rng.integers(6))


@transition_function_registry.register
def troubled(state, action):  # type: ignore[no-untyped-def]
    """Spoils the world, then fails."""
    if EXIT <= state.trouble <= OWN:
        state.grid[Position(0, 0)] = Exit()
        if state.trouble == EXIT:
            raise SystemExit(3)
        if state.trouble == CLOSED:
            raise GeneratorExit
        if state.trouble == PRESSED:
            raise KeyboardInterrupt
        raise Stop("stop")
    if 0 < state.trouble <= OUTSIDE:
        state.grid[Position(0, 0)] = Exit()
        state.agent.position = Position(5, 0)
        state.agent.result = 7
        if state.trouble == VALUE:
            raise ValueError(f"trouble at tick {state.tick}, agent at {state.agent.position.x}")
        if state.trouble == ZERO:
            state.trouble = share(state.tick + 7, state.trouble - ZERO)
        state.grid[Position(0, 60 + state.tick)] = Wall()
    if state.trouble == OVERFLOW:  # more than 64 bits hold, which raises in compiled code alone
        state.agent.result = 5 if sum(2**62 for _ in range(state.tick)) > 2**62 else 6


class Stop(BaseException):
    """What is no `Exception`."""


def share(whole, parts):  # type: ignore[no-untyped-def]
    """A helper that divides."""
    return whole // parts


@reward_function_registry.register
def troubled_reward(state, action, next_state):  # type: ignore[no-untyped-def]
    """Fails after the world has moved."""
    if state.trouble == REWARD:
        raise KeyError("reward") from LookupError("no price")
    return 1.0 if state.agent.position != next_state.agent.position else -0.25


@terminating_function_registry.register
def troubled_end(state, action, next_state):  # type: ignore[no-untyped-def]
    """Fails after the reward has been given."""
    if state.trouble == TERMINATION:
        raise OverflowError("no end in sight")
    return False


@observation_function_registry.register
def troubled_view(state, *, area: Area):  # type: ignore[no-untyped-def]
    """Fails when all else has gone well."""
    if state.trouble == OBSERVATION:
        raise LookupError("nothing to see")
    return fully_transparent(state, area=area)


def random_actions(world: World, steps: int, worlds: int, seed: int = 0) -> np.ndarray[Any, Any]:
    """int64[steps, worlds, agents] of actions that the agents have; without the last axis for a single agent."""
    rng = np.random.default_rng(seed)
    masks = world.spec.action_masks
    drawn = [rng.choice(np.flatnonzero(mask), size=(steps, worlds)) for mask in masks]
    return drawn[0] if len(drawn) == 1 else np.stack(drawn, axis=-1)


def everything(batch: Batch, result: Any = None) -> dict[str, np.ndarray[Any, Any]]:
    """What a batch has given and the states that it is in, array by array, each [worlds, ...]."""
    snapshot = batch.snapshot()
    arrays = dict(zip(("cells", "layers", "data", "bodies"), snapshot.arrays(), strict=True))
    if result is None:
        return arrays
    named = {
        name: getattr(result, name) for name in ("rewards", "terminated", "truncated", "ticks", "results")
    }
    return arrays | named | result.observations


def assert_same(
    mine: dict[str, np.ndarray[Any, Any]],
    others: dict[str, np.ndarray[Any, Any]],
    where: Any = "",
    worlds: Any = slice(None),
) -> None:
    """The same bits in the given worlds of both."""
    assert mine.keys() == others.keys()
    for name, array in mine.items():
        a, b = np.ascontiguousarray(array[worlds]), np.ascontiguousarray(others[name][worlds])
        assert (a.dtype, a.shape) == (b.dtype, b.shape), f"{name} {where}"
        if a.tobytes() != b.tobytes():
            flat = [x.reshape(len(x), -1).view(np.uint8) for x in (a, b)]
            differing = np.flatnonzero((flat[0] != flat[1]).any(axis=1))
            raise AssertionError(
                f"{name} differs {where} in worlds {differing[:9]}: {a[differing[0]]} {b[differing[0]]}"
            )


@reset_function_registry.register
def nothing(state):  # type: ignore[no-untyped-def]
    """All floor, with an exit in the lower right corner."""
    state.grid[Position(state.grid.height - 1, state.grid.width - 1)] = Exit()


@transition_function_registry.register
def shove(state, action):  # type: ignore[no-untyped-def]
    """ACTUATE takes the next agent out of the world."""
    if action == Action.ACTUATE:
        state.agents[(state.focus + 1) % len(state.agents)].active = False


COMPASS = [Action.LEFT, Action.DOWN, Action.RIGHT, Action.UP, Action.WAIT, Action.ACTUATE]


def arena(
    *starts: tuple[int, int], compiled: bool = False, shape: tuple[int, int] = (5, 5), **options: Any
) -> World:
    """A bare world whose agents, one for each start, move by compass and can take each other out."""
    given = {
        "name": "Arena",
        "shape": shape,
        "objects": [Floor, Wall, Exit],
        "actions": COMPASS,
        "agents": [{"start": list(start)} for start in starts],
        "reset": nothing,
        "transitions": ["move_agent", shove],
        "rewards": [functools.partial(reach_exit, reward_on=8.0, reward_off=0.0), living_reward],
        "terminations": ["reach_exit"],
        "observation": "full_grid",
    }
    return World(Spec.build(**given | options), compiled=compiled)


@transition_function_registry.register
def always_wrong(state, action):  # type: ignore[no-untyped-def]
    """Fails."""
    raise ArithmeticError("always")
