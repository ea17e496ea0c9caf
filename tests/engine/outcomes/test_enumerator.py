"""Outcomes listed through compiled rules: the same bytes as interpreted, in the same order."""

import copy
import pickle
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridarium.agents import (
    ClockMatters,
    Dynamics,
    Expectimax,
    Minimax,
    NotEnumerable,
    TabularModel,
    compile_outcomes,
)
from gridarium.engine import World
from gridarium.engine.outcomes import enumerator as enumerator_module
from gridarium.engine.outcomes.enumerator import StepEnumerator
from gridarium.engine.outcomes.state_rows import joined, rows_of
from gridarium.world import Action, Field, Position
from gridarium.worlds import Spec
from tests.agents.worlds import CORRIDOR

WAYS = 16


def drawing(state, action, *, way: int, threshold: float, span: int, rng):
    """Draws in one of many ways, and notes what came of it."""
    total = 0
    if way == 0:
        u = rng.random()
        total = 1 * (u < threshold) + 2 * (u <= threshold / 2) + 4 * (u > 1 - threshold) + 8 * (u >= 0.9)
    elif way == 1:
        u = rng.random()
        total = 1 * (threshold > u) + 2 * (2 * threshold >= u) + 4 * (span < u) + 8 * (threshold / 3 <= u)
    elif way == 2:
        total = int(span * rng.random()) + 10 * int(rng.random() * 2)
    elif way == 3:
        u = 1 - rng.random()
        if (u - threshold) / 2 < 0.1 or 3 * u + 1 > 3.5:
            total = 1
    elif way == 4:
        total = rng.integers(span) + 10 * rng.integers(-1, span, endpoint=True)
    elif way == 5:
        numbers = rng.integers(0, 2, 3)
        total = numbers[0] + 2 * numbers[1] + 4 * numbers[2]
    elif way == 6:
        order = rng.permutation(3)
        total = order[0] + 3 * order[2]
    elif way == 7:
        total = rng.choice((3, 5, 9)) + rng.choice(span)
    elif way == 8:
        pair = rng.choice(4, 2, replace=False)
        total = pair[0] + 10 * pair[1]
    elif way == 9:
        pair = rng.choice(span, 2)
        total = pair[0] + 10 * pair[1]
    elif way == 10:  # the same stream from its beginning, so the same numbers
        total = 1 * (state.rng.random() < threshold) + 2 * (state.rng.random() < threshold / 2)
    elif way == 11:  # a second stream that goes on where another one was
        first, second = state.rng, state.rng
        total = first.integers(span) + 10 * second.integers(span)
    elif way == 12:
        for _ in range(span):
            if rng.random() < threshold:
                total += 1
    elif way == 13:
        u = rng.random()
        total = 1 * (u < threshold) + 2 * int(u * 4)
    elif way == 14 and rng.random() < threshold:
        total = 1 + rng.integers(span)
        if rng.random() < 0.5:
            state.agent.position = Position(0, rng.integers(5))
    elif way == 15:
        total = 7
    state.total = total


def generous(state, action, next_state, *, probability: float, rng):
    return 1.0 if rng.random() < probability else -0.1


def made(compiled: bool, rule, rewards=("reach_exit",), **options) -> World:
    fields = {"world": [Field("total", "int")]}
    given = {"transitions": [rule], "fields": fields, "rewards": list(rewards)}
    return World(Spec.build(**CORRIDOR | given | options), compiled=compiled)


def both(rule, **options) -> tuple[StepEnumerator, StepEnumerator]:
    quick, plain = (made(compiled, rule, **options) for compiled in (True, False))
    assert compile_outcomes(quick) and not compile_outcomes(plain)
    return StepEnumerator(quick), StepEnumerator(plain)


def assert_same(one, other) -> None:
    assert one.refused.keys() == other.refused.keys()
    assert one.counts.tolist() == other.counts.tolist()
    assert one.clock_read == other.clock_read
    for mine, theirs in zip((*one.rows, *one[2:4]), (*other.rows, *other[2:4])):
        assert mine.dtype == theirs.dtype and mine.shape == theirs.shape
        assert mine.tobytes() == theirs.tobytes()


def starts(enumerator: StepEnumerator, count: int):
    states = [enumerator.world.reset(seed) for seed in range(count)]
    return joined([rows_of(state) for state in states]), np.arange(count)[:, None] % 4


@pytest.mark.sampled(4)
@pytest.mark.parametrize("way", range(WAYS))
@given(st.floats(0, 1), st.integers(1, 4), st.floats(0, 1))
@settings(max_examples=6)
def test_every_kind_of_draw_branches_as_in_interpreted_rules(way, threshold, span, probability) -> None:
    rule = partial(drawing, way=way, threshold=threshold, span=span)
    quick, plain = both(rule, rewards=[partial(generous, probability=probability)])
    rows, actions = starts(plain, 2)
    found = quick.enumerate(rows, actions)
    assert_same(found, plain.enumerate(rows, actions))
    assert np.add.reduceat(found.probabilities, [0, found.counts[0]]) == pytest.approx(1)


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    "name", ["GhostGrid-4x5", "FourByThree", "DynamicObstacles-7x7", "Teleport-5x5", "TwoAgents-Empty-8x8"]
)
def test_built_in_worlds_have_the_same_outcomes_either_way(name: str) -> None:
    """On slippery ground, with ghosts, obstacles, telepods, and agents whose conflicts are settled by lot."""
    quick, plain = (World(name, compiled=compiled) for compiled in (True, False))
    assert compile_outcomes(quick)
    rng, rows, actions = np.random.default_rng(5), [], []
    own = [np.flatnonzero(mask) for mask in plain.spec.action_masks]
    state = plain.reset(0)
    for seed in range(12):
        joint = [rng.choice(has) for has in own]
        rows.append(rows_of(state))
        actions.append(joint)
        state, _, over = plain.step(state, joint)
        state = plain.reset(seed) if np.any(over) else state
    one, other = (
        StepEnumerator(world).enumerate(joined(rows), np.array(actions)) for world in (quick, plain)
    )
    assert_same(one, other)
    assert one.counts.max() > 1 or name == "Teleport-5x5"


@pytest.mark.exhaustive
def test_models_are_the_same_either_way() -> None:
    quick, plain = (World("FourByThree", compiled=compiled) for compiled in (True, False))
    assert compile_outcomes(quick)
    one, other = TabularModel.extract(quick), TabularModel.extract(plain)
    for name in ("offsets", "successors", "probabilities", "rewards", "terminal", "start"):
        assert getattr(one, name).tobytes() == getattr(other, name).tobytes()


def test_decisions_are_the_same_either_way() -> None:
    quick, plain = (World("GhostGrid-4x5", compiled=compiled) for compiled in (True, False))
    assert compile_outcomes(quick)
    for seed in range(3):
        state = plain.reset(seed)
        for depth in (2, 3):
            values = [Minimax(depth, world, evaluate=closeness).get_values(state) for world in (quick, plain)]
            assert values[0] == values[1]


def cliff(state, action, *, rng):
    """Ever further left, until one falls off; or up, which ends it at once."""
    if action == Action.LEFT:
        state.total = state.total - 1
        if state.total < -3:
            raise ValueError("fallen off")
    elif action == Action.UP or rng.random() < 0.0:
        state.total = 9


def high(state, action, next_state):
    return 1.0 if next_state.total == 9 else 0.0


def is_high(state, action, next_state):
    return next_state.total == 9


@pytest.mark.exhaustive
def test_looking_around_changes_nothing_but_the_time() -> None:
    quick, plain = both(cliff, rewards=[high], terminations=[is_high])
    state = plain.world.reset(0)
    for depth, limit in ((2, 50), (2, 5), (3, 50), (3, 7)):
        values = [Expectimax(depth, of.world, limit=limit).get_values(state) for of in (quick, plain)]
        assert values[0] == values[1]
    for enumerator in (quick, plain):
        with pytest.raises(ValueError, match="fallen off"):
            Expectimax(4, enumerator.world).get_values(state)


def closeness(state, agent):
    p, q = state.agents[0].position, state.agents[1].position
    return float(abs(p.y - q.y) + abs(p.x - q.x))


def test_who_has_looked_ahead_can_be_copied_and_sent_elsewhere() -> None:
    world = World("GhostGrid-4x5")
    assert compile_outcomes(world)
    state = World("GhostGrid-4x5", compiled=False).reset(0)
    thinker = Minimax(2, world, evaluate=closeness)
    values = thinker.get_values(state)
    for other in (pickle.loads(pickle.dumps(thinker)), copy.deepcopy(thinker)):
        assert other.get_values(state) == values


def coins(state, action, *, count: int, rng):
    for _ in range(count):
        state.total = 2 * state.total + rng.integers(2)


@pytest.mark.exhaustive
def test_too_many_ways_are_refused_with_a_reason() -> None:
    quick, plain = both(partial(coins, count=13))
    rows, actions = starts(plain, 3)
    found = quick.enumerate(rows, actions)
    assert found.counts.tolist() == [0, 0, 0] and list(found.refused) == [0, 1, 2]
    with pytest.raises(NotEnumerable, match="more than 4096 ways"):
        outcomes_from_start(quick.world, chance="exact")


def outcomes_from_start(world, action=0, **options):
    dynamics = Dynamics(world, **options)
    start = World(world.spec, compiled=False).reset(0)
    return dynamics.outcomes(dynamics.index(start), (action,))


def sometimes_normal(state, action, *, rng):
    if action == Action.LEFT:
        state.total = 1 + (rng.normal() > 0)
    elif rng.random() < 0.25:
        state.total = 5


def test_steps_that_cannot_be_listed_leave_the_others_as_they_are() -> None:
    quick, plain = both(sometimes_normal)
    rows, actions = starts(plain, 6)
    found = quick.enumerate(rows, actions)
    assert found.counts.tolist() == [0, 2, 2, 2, 0, 2]
    assert "a normal number is drawn" in str(found.refused[0])
    assert_same(found, plain.enumerate(rows, actions))


def fragile(state, action, *, rng):
    if action == Action.RIGHT and rng.random() < 0.01:
        raise ZeroDivisionError("rarely")
    state.total = rng.integers(3)


def test_a_rule_that_raises_is_heard_and_nothing_is_lost() -> None:
    quick, plain = both(fragile)
    dynamics = Dynamics(quick.world)
    i = dynamics.index(plain.world.reset(0))
    assert len(dynamics.outcomes(i, (0,)).next) == 3
    with pytest.raises(ZeroDivisionError, match="rarely"):
        dynamics.prepare([(i, (1,)), (i, (2,))])
    assert len(dynamics.outcomes(i, (1,)).next) == 3


def keeps_a_number(state, action, *, rng):
    state.share = rng.random()


def test_a_rule_that_cannot_be_compiled_so_is_listed_interpreted() -> None:
    fields = {"world": [Field("share", "float")]}
    world = made(True, keeps_a_number, fields=fields)
    assert not compile_outcomes(world) and not StepEnumerator(world).compiled
    with pytest.raises(NotEnumerable):
        outcomes_from_start(world, chance="exact")


def test_it_is_compiled_once_listing_has_taken_long(monkeypatch) -> None:
    monkeypatch.setattr(enumerator_module, "COMPILE_AFTER", 0.0)
    fair = [partial(generous, probability=0.5)]
    worlds = [made(yes, partial(drawing, way=4, threshold=0.5, span=3), fair) for yes in (True, False)]
    enumerators = [StepEnumerator(world) for world in worlds]
    assert not any(enumerator.compiled for enumerator in enumerators)
    first, plain = map(outcomes_from_start, worlds)
    assert [enumerator.compiled for enumerator in enumerators] == [True, False]  # not where that is unwanted
    second = outcomes_from_start(worlds[0])
    for one, other, third in zip(first, plain, second):
        assert one.tolist() == other.tolist() == third.tolist()


def clocked(state, action, *, rng):
    if rng.random() < 0.5 and state.tick > 100:
        state.total = 1


@pytest.mark.exhaustive
def test_the_clock_is_noticed_either_way() -> None:
    for enumerator in both(clocked):
        with pytest.raises(ClockMatters):
            outcomes_from_start(enumerator.world)
        assert len(outcomes_from_start(enumerator.world, clock="ignore").next) == 1
