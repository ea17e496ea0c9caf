"""All outcomes of a step, with their probabilities."""

import dataclasses
import itertools
import math
from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from gridarium.agents import NotEnumerable, observation_outcomes, reset_outcomes, step_outcomes
from gridarium.agents.model.stepper import Stepper
from gridarium.engine import World
from gridarium.engine.outcomes.state_rows import canonical_rows, row_keys, rows_of
from gridarium.rules.transition_functions import transition_with_copy
from gridarium.world import Action, Ball, Color, Exit, Floor, Position, Wall
from gridarium.worlds import Spec
from tests.agents.worlds import COMPASS, at, ruled, slippery

RIGHT = COMPASS.index(Action.RIGHT)


def positions(world, state, action):
    shares = defaultdict(float)
    for outcome in step_outcomes(world, state, [action]):
        shares[at(outcome.state.agent.position)] += outcome.probability
    return dict(shares)


def test_slipping_sideways_has_three_outcomes() -> None:
    world = slippery(0.2, "perpendicular")
    found = positions(world, world.reset(0), RIGHT)
    assert found == pytest.approx({(2, 3): 0.8, (1, 2): 0.1, (3, 2): 0.1})


def test_slipping_on_stays_or_goes_twice() -> None:
    world = slippery(0.3, "longitudinal")
    found = positions(world, world.reset(0), RIGHT)
    assert found == pytest.approx({(2, 3): 0.7, (2, 2): 0.15, (2, 4): 0.15})


def test_without_chance_there_is_one_outcome_and_it_is_the_step_itself() -> None:
    world = World("KeyDoor-5x5", compiled=False)
    state = world.reset(1)
    before = state.tobytes()
    for action in range(len(world.actions)):
        (outcome,) = step_outcomes(world, state, [action])
        after, reward, terminal = world.step(state, action)
        assert outcome.probability == 1 and outcome.state.identical(after)
        assert (outcome.rewards[0], outcome.terminated[0]) == (reward, terminal)
    assert state.tobytes() == before


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", ["DynamicObstacles-5x5", "FourByThree", "Teleport-5x5", "GhostGrid-4x5"])
def test_outcomes_are_as_frequent_as_steps_show(name: str) -> None:
    """Chi-squared; wrong once in a million runs for each of the cases."""
    world = World(name, compiled=False)
    stepper, state = Stepper(World(name), np.random.default_rng(0)), world.reset(3)
    count = 1500
    rows = tuple(np.repeat(a, count, axis=0) for a in rows_of(state))
    for action in (0, 2):
        joint = [action] * world.spec.agents
        expected = defaultdict(float)
        for outcome in step_outcomes(world, state, joint):
            expected[row_keys(canonical_rows(rows_of(outcome.state)))[0]] += outcome.probability
        stepped = stepper.step(rows, np.tile(joint, (count, 1)))
        seen = Counter(row_keys(canonical_rows(stepped.rows)))
        assert sum(expected.values()) == pytest.approx(1)
        assert set(seen) <= set(expected)
        if len(expected) > 1:
            counts = [[seen[key] for key in expected], [count * p for p in expected.values()]]
            assert stats.chisquare(*counts).pvalue > 1e-6


@given(st.lists(st.floats(0, 1), min_size=1, max_size=5), st.integers(1, 6))
@settings(max_examples=40, deadline=None)
def test_thresholds_cut_a_uniform_number_to_pieces_of_their_lengths(thresholds, parts) -> None:
    def jump(state, action, *, rng):
        u, k = rng.random(), rng.integers(parts)
        below = sum(1 for t in thresholds if u < t)
        state.agent.position = Position(0, min(below + k, 4))

    world = ruled(jump)
    leaves = step_outcomes(world, world.reset(0), [0])
    expected = defaultdict(float)
    edges = sorted({0.0, *thresholds, 1.0})
    for low, high in itertools.pairwise(edges):
        for k in range(parts):
            below = sum(1 for t in thresholds if low < t)
            expected[min(below + k, 4)] += (high - low) / parts
    found = defaultdict(float)
    for leaf in leaves:
        found[leaf.state.agent.position.x] += leaf.probability
    assert {x: p for x, p in found.items() if p > 1e-9} == pytest.approx(
        {x: p for x, p in expected.items() if p > 1e-9}
    )


def test_choices_permutations_and_scaled_numbers_branch_too() -> None:
    def jump(state, action, *, rng):
        first = rng.permutation(3)[0]
        second = rng.choice([0, 1])
        third = int(rng.random() * 2)
        state.agent.position = Position(0, int(first) + int(second) + third)

    world = ruled(jump)
    assert positions(world, world.reset(0), 0) == pytest.approx(
        {(0, x): n / 12 for x, n in enumerate([1, 3, 4, 3, 1])}
    )


def test_several_numbers_and_weighted_choices_branch_too() -> None:
    def jump(state, action, *, rng):
        below = sum(u < 0.5 for u in rng.random(2))
        first, _ = rng.choice(3, 2, replace=False, p=[0.5, 0.25, 0.25])
        state.agent.position = Position(below, 2 * (rng.choice([0, 1], p=[0.25, 0.75]) + (first == 0)))

    world = ruled(jump, map={"picture": "^....\n.....\n....E"})
    found = positions(world, world.reset(0), 0)
    marginal = {y: sum(p for (row, _), p in found.items() if row == y) for y in range(3)}
    assert marginal == pytest.approx({0: 0.25, 1: 0.5, 2: 0.25})
    columns = {x: sum(p for (_, column), p in found.items() if column == x) for x in (0, 2, 4)}
    assert columns == pytest.approx({0: 0.125, 2: 0.5, 4: 0.375})


def test_a_copy_of_a_state_draws_the_same_numbers() -> None:
    def hop(state, action, *, rng):
        state.agent.position = Position(0, rng.integers(2))

    def foresee(state, action):
        foreseen = transition_with_copy(hop_freely, state, action)
        hop_freely(state, action)
        if state.agent.position != foreseen.agent.position:
            raise AssertionError("the copy had other luck")

    def hop_freely(state, action):
        hop(state, action, rng=state.rng)

    world = ruled(foresee)
    assert positions(world, world.reset(0), 0) == pytest.approx({(0, 0): 0.5, (0, 1): 0.5})


@pytest.mark.parametrize(
    "draw",
    [
        lambda rng: rng.normal(),
        lambda rng: rng.random() ** 2,
        lambda rng: rng.integers(1 << 40),
        lambda rng: rng.random() + math.nan,
    ],
)
def test_what_does_not_branch_is_refused(draw) -> None:
    def wild(state, action, *, rng):
        if draw(rng) > 0.5:
            state.agent.position = Position(0, 1)

    world = ruled(wild)
    with pytest.raises(NotEnumerable):
        step_outcomes(world, world.reset(0), [0])


def test_a_reward_that_is_a_random_number_is_refused_as_what_does_not_branch() -> None:
    def luck(state, action, next_state, *, rng):
        return 0.1 * rng.random()

    world = World(
        dataclasses.replace(ruled(lambda state, action: None).spec, rewards=(luck,)), compiled=False
    )
    with pytest.raises(NotEnumerable):
        step_outcomes(world, world.reset(0), [0])


def test_things_are_seen_and_players_without_a_body_are_nowhere_in_what_is_enumerated_either() -> None:
    def begin(state, *, rng):
        for agent in state.agents:
            agent.position = Position(0, 0)
        state.add(Ball(Color.RED), Position(2, rng.integers(3)))

    spec = Spec.build(
        shape=(3, 3), objects=[Floor, Ball], colors=[Color.RED], things={"capacity": 1}, reset=begin,
        transitions=["move_agent"], agents=[{}, {"body": False}], observation="full_grid",
    )  # fmt: skip
    world = World(spec, compiled=False)
    state = world.reset(0)
    ((share, seen),) = observation_outcomes(world, state)
    real = world.arrays(state)
    assert share == 1 and all((array == real[name][0]).all() for name, array in seen.items())
    first = reset_outcomes(world)
    assert len(first) == 3
    assert all(other.agent_rows[1, :2].tolist() == state.agent_rows[1, :2].tolist() for _, other in first)


def test_what_others_than_the_acting_player_see_is_enumerated_too() -> None:
    world = World("KuhnPoker-2p", compiled=False)
    state = world.reset(0)
    seen = [observation_outcomes(world, state, agent)[0][1] for agent in range(2)]
    together = World(dataclasses.replace(world.spec, observers="all"), compiled=False).arrays(state)
    for agent in range(2):
        assert all((array == together[name][agent]).all() for name, array in seen[agent].items())


def test_too_many_ways_are_refused() -> None:
    def many(state, action, *, rng):
        for _ in range(13):
            rng.integers(2)

    world = ruled(many)
    with pytest.raises(NotEnumerable, match="more than 4096 ways"):
        step_outcomes(world, world.reset(0), [0])


def test_a_rule_that_raises_is_heard() -> None:
    def broken(state, action, *, rng):
        if rng.random() < 0.01:
            raise ZeroDivisionError("rarely")

    world = ruled(broken)
    with pytest.raises(ZeroDivisionError, match="rarely"):
        step_outcomes(world, world.reset(0), [0])


def test_first_states_have_their_probabilities() -> None:
    world = World("TaxiTown-5x5", compiled=False)
    found = reset_outcomes(world)
    assert len({at(state.agent.position) for _, state in found}) == 24
    assert [p for p, _ in found] == pytest.approx([1 / len(found)] * len(found))


def test_observations_have_their_probabilities() -> None:
    def blink(state, *, rng):
        from gridarium.rules.observation_functions import full_grid

        seen = full_grid(state)
        if rng.random() < 0.25:
            seen.grid[0, 0] = seen.grid[0, 4]
        return seen

    world = ruled("move_agent", observation=blink)
    found = observation_outcomes(world, world.reset(0))
    assert sorted(p for p, _ in found) == pytest.approx([0.25, 0.75])
    assert not np.array_equal(found[0][1]["grid"], found[1][1]["grid"])


@pytest.mark.exhaustive
def test_a_loop_that_goes_on_by_chance_has_no_list() -> None:
    def leap(state, action, *, rng):
        there = Position(rng.integers(state.grid.height), rng.integers(state.grid.width))
        while state.grid[there].blocks_movement:
            there = Position(rng.integers(state.grid.height), rng.integers(state.grid.width))
        state.agent.position = there

    spec = Spec.build(
        name="Leaps", shape=(4, 4), objects=[Wall, Floor, Exit], reset="empty", transitions=[leap],
        rewards=["reach_exit"], terminations=["reach_exit"], observation="full_grid",
    )  # fmt: skip
    for compiled in (False, True):
        world = World(spec, compiled=compiled)
        with pytest.raises(
            NotEnumerable, match="more than 4096 ways: is there a loop that goes on by chance"
        ):
            step_outcomes(world, world.reset(seed=0), [0])


def test_rules_that_share_a_stream_go_on_in_it_whichever_state_they_ask() -> None:
    """The coin of a transition and that of a reward are two draws of one stream."""

    def flip(state, action):
        state.coin = 1 if state.rng.random() < 0.5 else 0

    def luck(state, action, next_state):
        return 1.0 if state.rng.random() < 0.5 else 0.0

    fields = {"world": [{"name": "coin", "type": "int"}]}
    world = ruled(flip, rewards=[luck], fields=fields)
    state = world.reset(0)
    assert state.rng.random() >= 0  # what was drawn before does not matter
    found = [(o.probability, o.state.coin, *o.rewards) for o in step_outcomes(world, state, [RIGHT])]
    assert sorted(found) == [(0.25, coin, reward) for coin in (0, 1) for reward in (0.0, 1.0)]
