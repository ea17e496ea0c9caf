"""What can come of steps, listed by one compiled call."""

from functools import partial

import numpy as np
import pytest

from gridarium.compiled.compile import CompileError
from gridarium.compiled.data_types.branching import MAX_BRANCHES
from gridarium.engine import World
from gridarium.engine.outcomes.compiled import FIRST_CAPACITY, CompiledEnumerator, find_entry
from gridarium.engine.outcomes.enumerator import StepEnumerator
from gridarium.engine.step.kernel import RUNNING, TERMINATED, TRUNCATED
from gridarium.world import Action, Exit, Field, Floor, Position, Wall
from gridarium.world.state import ENDED, TICK
from gridarium.worlds import Spec

LEFT, RIGHT, MANY = 0, 1, 2


def walk_or_toss(state, action, *, coins: int, rng):
    """LEFT fails where there is nowhere to go; RIGHT may slip; WAIT tosses coins."""
    x = state.agent.position.x
    if action == Action.LEFT:
        if x == 0:
            raise ValueError("the world ends here")
        state.agent.position = Position(0, x - 1)
    elif action == Action.RIGHT and rng.random() < 0.75:
        state.agent.position = Position(0, x + 1)
    elif action == Action.WAIT:
        for _ in range(coins):
            state.tossed = 2 * state.tossed + rng.integers(2)


def corridor(coins: int = 9, rule=walk_or_toss) -> World:
    made = Spec.build(
        objects=[Floor, Wall, Exit],
        actions=[Action.LEFT, Action.RIGHT, Action.WAIT],
        map={"picture": "^.E"},
        transitions=[partial(rule, coins=coins)],
        rewards=["reach_exit"],
        terminations=["reach_exit"],
        observation="full_grid",
        fields={"world": [Field("tossed", "int")]},
        time_limit=5,
    )
    return World(made, compiled=False)


def compiled_enumerator(world: World) -> CompiledEnumerator:
    return CompiledEnumerator(world.composed, find_entry(world.composed, compiling=True))


def rows_at(*columns: int):
    state = corridor().reset(0)
    arrays = (state.cells, state.layers, state.data, state.agent_rows)
    rows = tuple(np.stack([a] * len(columns)) for a in arrays)
    rows[3][:, 0, 1] = columns
    return rows


def listed(world: World, rows, *actions: int):
    return compiled_enumerator(world).enumerate(rows, np.array(actions)[:, None])[0]


@pytest.mark.exhaustive
def test_each_steps_leaves_lie_one_after_the_other() -> None:
    found = listed(corridor(), rows_at(0, 1, 1), RIGHT, RIGHT, LEFT)
    assert found.counts.tolist() == [2, 2, 1]
    assert found.probabilities.tolist() == [0.75, 0.25, 0.75, 0.25, 1.0]
    assert found.rows[3][:, 0, 1].tolist() == [1, 0, 2, 1, 0]
    assert found.rewards[:, 0].tolist() == [0, 0, 1, 0, 0]
    assert found.rows[2][:, ENDED].tolist() == [RUNNING, RUNNING, TERMINATED, RUNNING, RUNNING]


def test_room_is_made_for_many_leaves() -> None:
    found = listed(corridor(9), rows_at(0, 1, 1, 1), RIGHT, MANY, MANY, LEFT)
    assert found.counts.tolist() == [2, 512, 512, 1] and FIRST_CAPACITY < 512
    assert found.rows[2][2:514, -1].tolist() == list(range(512))
    assert set(found.probabilities[2:1026].tolist()) == {2.0**-9}


@pytest.mark.parametrize("coins", [12, 13])
def test_there_are_at_most_so_many_leaves(coins: int) -> None:
    found = listed(corridor(coins), rows_at(1, 1, 1), LEFT, MANY, RIGHT)
    many = 2**coins if 2**coins <= MAX_BRANCHES else 0
    assert found.counts.tolist() == [1, many, 2]
    assert list(found.refused) == ([] if many else [1])
    assert found.probabilities[-2:].tolist() == [0.75, 0.25]


def test_a_step_that_raises_leaves_the_others_as_they_are() -> None:
    actions = np.array([[LEFT], [RIGHT], [LEFT], [LEFT], [LEFT]])
    found, failed = compiled_enumerator(corridor()).enumerate(rows_at(0, 0, 0, 1, 0), actions)
    assert found.counts.tolist() == [0, 2, 0, 1, 0] and failed.tolist() == [0, 2, 4]
    assert found.rows[3][:, 0, 1].tolist() == [1, 0, 0]


def as_if(rows, place: int, array):
    return (*rows[:place], array, *rows[place + 1 :])


@pytest.mark.parametrize(
    ("change", "error", "said"),
    [
        (lambda r: r[:3], ValueError, "got 3 arrays"),
        (lambda r: as_if(r, 0, r[0][:1]), ValueError, r"cells must have shape \(2, 1, 3\), got \(1, 1, 3\)"),
        (lambda r: as_if(r, 1, np.zeros((2, 1, 3), np.int64)), ValueError, "layers must have shape"),
        (lambda r: as_if(r, 2, r[2][:, :-1]), ValueError, "data must have shape"),
        (lambda r: as_if(r, 3, np.zeros((2, 0, 8), np.int64)), ValueError, "agent_rows must have shape"),
        (
            lambda r: as_if(r, 0, r[0].astype(np.int64)),
            TypeError,
            "cells must be an array of uint32, got int64",
        ),
        (lambda r: as_if(r, 2, r[2].tolist()), TypeError, "data must be an array of int64, got list"),
    ],
)
def test_states_of_another_number_type_or_shape_are_refused(change, error, said: str) -> None:
    with pytest.raises(error, match=said):
        listed(corridor(), change(rows_at(0, 1)), LEFT, RIGHT)


@pytest.mark.parametrize(
    ("actions", "error", "said"),
    [
        (np.array([[0], [3]]), ValueError, r"agent 0 does not have action 3 \(state 1\)"),
        (np.array([[-1], [1]]), ValueError, "does not have action -1"),
        (np.array([[0, 1], [0, 1]]), ValueError, r"actions must have shape \(2, 1\), got \(2, 2\)"),
        (np.array([[0], [1], [0]]), ValueError, r"cells must have shape \(3, 1, 3\)"),
        (np.array([[0.0], [1.0]]), TypeError, "actions must be an array of int64, got float64"),
    ],
)
@pytest.mark.parametrize("compiled", [False, True])
def test_actions_that_are_none_are_refused(actions, error, said: str, compiled: bool) -> None:
    world = corridor()
    either = compiled_enumerator(world) if compiled else StepEnumerator(world)
    with pytest.raises(error, match=said):
        either.enumerate(rows_at(0, 1), actions)


def test_of_no_states_nothing_comes() -> None:
    rows = rows_at(0)
    found, _ = compiled_enumerator(corridor()).enumerate(
        tuple(a[:0] for a in rows), np.zeros((0, 1), np.int64)
    )
    assert len(found.counts) == len(found.probabilities) == len(found.rows[0]) == 0


def test_states_are_left_alone_and_may_have_ended() -> None:
    rows = rows_at(1, 1)
    rows[2][:, TICK], rows[2][:, ENDED] = (3, 4), TRUNCATED
    before = [a.copy() for a in rows]
    found = listed(corridor(), rows, LEFT, LEFT)
    assert all(map(np.array_equal, rows, before))
    assert found.rows[2][:, ENDED].tolist() == [RUNNING, TRUNCATED]
    assert found.rows[2][:, TICK].tolist() == [4, 5]


def test_a_program_that_is_kept_is_found_for_every_number_of_coins() -> None:
    find_entry(corridor(3).composed, compiling=True)
    assert find_entry(corridor(4).composed, compiling=False) is not None


def squares_the_number(state, action, *, coins: int, rng):
    state.tossed = rng.random() ** 2 * coins


def test_what_computes_with_a_number_cannot_be_compiled() -> None:
    with pytest.raises(CompileError, match="squares_the_number"):
        find_entry(corridor(1, squares_the_number).composed, compiling=True)
