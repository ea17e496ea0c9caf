"""Compiled, cells are copied when the first of them changes in a step: rewards and restored worlds must not show it."""

from __future__ import annotations

import functools

import numpy as np
import pytest

from gridarium.engine import Autoreset, World
from gridarium.engine.single_world import SingleWorld
from gridarium.rules.observation_functions import fully_transparent
from gridarium.world import Action, Area, Ball, Box, Color, Exit, Field, Floor, Position, Wall
from gridarium.worlds import Spec
from tests.engine.worlds import assert_same, everything, random_actions

FIELDS = {"world": [Field("trouble", "int"), Field("told", "int")], "cell": [Field("visits", "int")]}
NEXT, BEFORE, BOTH, VIEWED, RAISES, REWARD_RAISES, REWARD_OVERFLOWS, VIEW_RAISES = range(1, 9)
"""What `trouble` may say: which state a rule changes that it should only read, or what raises (or compiled only)."""


def start(state, *, last: int, rng):  # type: ignore[no-untyped-def]
    if state.episode > last:
        raise RuntimeError("no room")
    state.grid[Position(3, 3)] = Exit()
    state.grid[Position(0, rng.integers(4))] = Wall()
    state.agent.position = Position(2, rng.integers(4))
    state.trouble = rng.integers(5)


def change(state, action):  # type: ignore[no-untyped-def]
    if action is Action.TURN_LEFT:
        state.grid[Position(1, 1)] = Ball(Color.RED)
    if action is Action.MOVE_FORWARD:
        visit(state, state.agent.position, 1)
    if state.trouble == RAISES:
        raise ValueError("not today")


def visit(state, p, times):  # type: ignore[no-untyped-def]
    state.grid.set_number("visits", p, state.grid.number("visits", p) + times)


def count_visits(state, action, next_state):  # type: ignore[no-untyped-def]
    """Reads both states, and may change either, as a rule should not."""
    if state.trouble == NEXT or state.trouble == BOTH:
        next_state.grid[Position(1, 2)] = Box(Ball(Color.BLUE))
        visit(next_state, Position(0, 0), 1)
    if state.trouble == BEFORE or state.trouble == BOTH:
        state.grid[Position(1, 2)] = Wall()
        visit(state, Position(0, 0), 10)
    return 1.0 * changed_cells(state, next_state)


def changed_cells(state, next_state):  # type: ignore[no-untyped-def]
    return sum(
        state.grid.number("visits", p)
        - next_state.grid.number("visits", p)
        + 100 * (state.grid[p] != next_state.grid[p])
        for p in state.grid.positions()
    )


def count_again(state, action, next_state):  # type: ignore[no-untyped-def]
    return 1000.0 * changed_cells(state, next_state)


def tired(state, action, next_state):  # type: ignore[no-untyped-def]
    next_state.told = changed_cells(state, next_state)
    return next_state.tick >= 4


def view(state):  # type: ignore[no-untyped-def]
    if state.trouble == VIEWED:
        state.grid[state.agent.position] = Wall()
    return fully_transparent(state, area=Area((-1, 1), (-1, 1)))


@functools.cache
def world(*, compiled: bool, last: int = 1000, scribbling: bool = False) -> World:
    return World(
        Spec.build(
            name="Changing",
            shape=(4, 4),
            objects=[Floor, Wall, Exit, Ball, Box],
            colors=[Color.RED, Color.BLUE],
            fields=FIELDS,
            actions=[Action.WAIT, Action.MOVE_FORWARD, Action.TURN_LEFT],
            reset=functools.partial(start, last=last),
            transitions=["move_agent", "turn_agent", change],
            rewards=[scribble] if scribbling else [count_visits, count_again],
            terminations=[tired],
            observation=scribbled_view if scribbling else view,
        ),
        compiled=compiled,
    )


def played(*, compiled: bool, n: int, autoreset: Autoreset, threads: int = 1):  # type: ignore[no-untyped-def]
    batch = world(compiled=compiled).batch(n, autoreset=autoreset, threads=threads)
    batch.reset(5)
    for chosen in random_actions(world(compiled=False), 24, n, seed=2):
        yield everything(batch, batch.step(chosen))


@pytest.mark.exhaustive
@pytest.mark.parametrize("autoreset", [Autoreset.NEXT_STEP, Autoreset.SAME_STEP])
@pytest.mark.parametrize(("n", "threads"), [(1, 1), (40, 1), (40, 2)])
def test_rules_that_change_what_they_should_only_read_do_so_as_interpreted(autoreset, n, threads):
    one = played(compiled=True, n=n, autoreset=autoreset, threads=threads)
    for found, expected in zip(one, played(compiled=False, n=n, autoreset=autoreset), strict=True):
        assert_same(found, expected)


@pytest.mark.exhaustive
def test_a_single_world_goes_on_after_such_a_rule():
    pairs = []
    for compiled in (True, False):
        single = SingleWorld(world(compiled=compiled).composed)
        single.reset(5)
        states = []
        for chosen in random_actions(world(compiled=False), 30, 1, seed=2)[:, 0]:
            if single.ended:
                single.reset()
            single.step_all([int(chosen)])
            states.append((single.view.tobytes(), single.rewards.tolist()))
        pairs.append(states)
    assert pairs[0] == pairs[1]


@pytest.mark.parametrize("action", range(3))
def test_a_world_is_restored_whether_a_rule_changed_cells_or_not(action):
    batch = world(compiled=True).batch(3)
    batch.reset(1)
    for chosen in random_actions(world(compiled=False), 2, 3):
        batch.step(chosen)
    state = batch.state(1)
    state.trouble = RAISES
    batch.set_state(1, state)
    with pytest.raises(ValueError, match="not today"):
        batch.step(np.full(3, action))
    assert batch.state(1).tobytes() == state.tobytes()


def test_a_world_is_restored_if_its_next_episode_cannot_begin():
    batch = world(compiled=True, last=0).batch(3, autoreset=Autoreset.SAME_STEP)
    batch.reset(1)
    for i in range(3):
        state = batch.state(i)
        state.trouble = 0
        batch.set_state(i, state)
    for _ in range(3):
        batch.step(np.zeros(3, int))
    states = [batch.state(i).tobytes() for i in range(3)]
    with pytest.raises(RuntimeError, match="no room"):
        batch.step(np.zeros(3, int))
    assert [batch.state(i).tobytes() for i in range(3)] == states


def scribble(state, action, next_state):  # type: ignore[no-untyped-def]
    """Writes to the state before the step, then to a cell of the next one, and may raise."""
    state.told += 1
    state.agent.position = Position(0, 0)
    state.grid[Position(1, 1)] = Exit()
    if next_state.trouble == NEXT:
        next_state.grid[Position(1, 2)] = Wall()
    if next_state.trouble == REWARD_RAISES:
        raise ValueError("no reward")
    beyond_64_bits = (state.told + 2**62) * 4 % 7 if next_state.trouble == REWARD_OVERFLOWS else 0
    return 1.0 * state.told + beyond_64_bits


def scribbled_view(state):  # type: ignore[no-untyped-def]
    state.told += 1
    if state.trouble == VIEW_RAISES:
        raise ValueError("nothing to see")
    return fully_transparent(state, area=Area((-1, 1), (-1, 1)))


@pytest.mark.sampled(8)
@pytest.mark.filterwarnings("ignore:.*a rule raises compiled, but not interpreted:RuntimeWarning")
@pytest.mark.parametrize("trouble", [NEXT, RAISES, REWARD_RAISES, REWARD_OVERFLOWS, VIEW_RAISES])
def test_a_world_is_restored_as_it_was_whatever_rules_have_written_to_it(trouble):
    found = []
    for compiled in (True, False):
        batch = world(compiled=compiled, scribbling=True).batch(2)
        batch.reset(1)
        state = batch.state(1)
        state.trouble = trouble
        batch.set_state(1, state)
        for tell in (batch.observe, functools.partial(batch.step, [0, 1])):
            try:
                tell()
            except ValueError as error:
                found.append((compiled, str(error), everything(batch)))
                assert batch.state(1).tobytes() == state.tobytes()
            else:
                found.append((compiled, "", everything(batch)))
                state = batch.state(1)
    for mine, other in zip(found[:2], found[2:], strict=True):
        assert mine[1] == other[1]
        assert_same(mine[2], other[2])


def note(state, action):  # type: ignore[no-untyped-def]
    state.notes[19_999] += 1


def noted(state, action, next_state):  # type: ignore[no-untyped-def]
    return 1.0 * next_state.notes[19_999] - 10.0 * state.notes[19_999]


@pytest.mark.exhaustive
def test_states_of_many_numbers_fit_into_the_memory_for_a_copy():
    spec = Spec.build(
        name="Notes",
        shape=(4, 4),
        objects=[Floor, Wall, Exit],
        fields={"world": [Field("notes", "int", shape=(20_000,))]},
        actions=[Action.TURN_LEFT],
        reset="empty",
        transitions=[note],
        rewards=[noted],
        observation="full_grid",
    )
    batch = World(spec).batch(2)
    batch.reset(0)
    assert [batch.step([0, 0]).rewards.tolist() for _ in range(2)] == [[1.0, 1.0], [-8.0, -8.0]]
