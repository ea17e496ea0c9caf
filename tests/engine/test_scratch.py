"""Memory for what rules make in a tick: each agent's rule has all of it, and using it up is said, with the reason."""

from __future__ import annotations

import warnings
from functools import partial

import numpy as np
import pytest

from gridarium.compiled.data_types.vectors import new_integers
from gridarium.engine import World
from gridarium.engine.single_world import SingleWorld
from gridarium.world import Area, Exit, Floor, Position, Wall
from gridarium.world.actions import Action
from gridarium.world.state import State
from gridarium.worlds import Spec

AGENTS, SIDE = 12, 20


def scatter(state: State) -> None:
    for i in range(AGENTS):
        state.agents[i].position = Position(i, i)


def hoards(state, action, *, times: int):
    """Make some arrays as large as the grid, and keep none."""
    for i in range(times):
        counts = new_integers(state.scratch, SIDE * SIDE)
        counts[i] = 1


def hoarding(state, action, next_state, *, times: int):
    total = 0.0
    for i in range(times):
        counts = new_integers(next_state.scratch, SIDE * SIDE)
        counts[i] += 1
        total += counts[i]
    return total


def made(times: int) -> World:
    spec = Spec.build(
        name="Hoards",
        shape=(SIDE, SIDE),
        objects=[Wall, Floor, Exit],
        actions=[Action.LEFT, Action.RIGHT],
        agents=AGENTS,
        reset=scatter,
        transitions=[partial(hoards, times=times)],
        rewards=[partial(hoarding, times=times)],
        observation={"name": "fully_transparent", "area": [[-1, 1], [-1, 1]]},
    )
    return World(spec)


@pytest.mark.exhaustive
def test_every_agents_rules_have_all_of_it() -> None:
    """Together they make 2 x 12 x 40 arrays of the grid's size, and there is room for some sixty."""
    batch = made(40).batch(2)
    batch.reset(0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = batch.step(np.zeros((2, AGENTS), int))
    assert (result.rewards == 40).all()


def test_using_it_up_is_said_and_the_step_is_right() -> None:
    batch = made(400).batch(1)
    batch.reset(0)
    with pytest.warns(
        RuntimeWarning, match=r"world 0 of 1 \(Hoards\).*much slower \(.*used up.*words of 8 bytes"
    ):
        result = batch.step(np.zeros((1, AGENTS), int))
    assert (result.rewards == 400).all()
    assert result.ticks.tolist() == [1]


def sees_too_far(state, action, *, most: int):
    """Ask for a grid with more cells than a whole number can tell."""
    seen = state.grid.subgrid(Area((-most, most), (-most, most)))
    state.grid[0, 0] = seen[0, 0]


@pytest.mark.exhaustive
@pytest.mark.parametrize("most", [2**31, 2**40, 2**62])
def test_a_grid_that_no_memory_could_hold_is_refused(most: int) -> None:
    spec = Spec.build(
        name="Far",
        shape=(4, 4),
        objects=[Wall, Floor],
        actions=[Action.LEFT],
        map={"picture": "^...\n....\n....\n...."},
        transitions=[partial(sees_too_far, most=most)],
        observation="full_grid",
    )
    for compiled in (True, False):
        single = SingleWorld(World(spec, compiled=compiled).composed)
        single.reset(0)
        with pytest.raises((ValueError, MemoryError, OverflowError)):
            single.step(0)
