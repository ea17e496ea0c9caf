"""Optimal values."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from gridarium.agents import (
    NotConverged,
    StateLimit,
    TabularModel,
    ValueIteration,
    arrows_by_position,
    evaluate,
    policy_iteration,
    policy_values,
    value_iteration,
    values_by_position,
)
from gridarium.agents.planning import value_iteration as iteration
from gridarium.draw import Arrows, Heat
from gridarium.engine import World
from gridarium.world import Action
from tests.agents.worlds import chase, ruled, slippery

TEXTBOOK = [[0.812, 0.868, 0.918, np.nan], [0.762, np.nan, 0.660, np.nan], [0.705, 0.655, 0.611, 0.388]]
"""Russell and Norvig, Artificial Intelligence, utilities of the 4 x 3 world."""


def by_linear_programming(model: TabularModel, discount: float) -> np.ndarray:
    """The least values that no action improves on."""
    count, actions = model.rewards.shape
    origin = np.repeat(np.arange(count), actions)
    a = discount * model.T.toarray()
    a[np.arange(count * actions), origin] -= 1.0
    found = linprog(np.ones(count), A_ub=a, b_ub=-model.rewards.ravel(), bounds=(None, None))
    assert found.success
    return found.x


def test_values_of_the_4x3_world_are_the_textbooks() -> None:
    world = World("FourByThree", compiled=False)
    solution = value_iteration(TabularModel.extract(world), 1.0)
    found = values_by_position(solution, world, world.reset(0))
    assert np.allclose(found, TEXTBOOK, atol=6e-4, equal_nan=True)
    assert solution.start_value == pytest.approx(0.705, abs=6e-4) and solution.residual < 1e-8


@pytest.mark.sampled(4)
@pytest.mark.parametrize("discount", [0.5, 0.9, 0.99])
@pytest.mark.parametrize(
    "world",
    [World("FourByThree", compiled=False), slippery(0.4, "longitudinal"), chase()],
    ids=["sideways", "onwards", "chase"],
)
def test_both_ways_agree_with_linear_programming(world: World, discount: float) -> None:
    model = TabularModel.extract(world)
    expected = by_linear_programming(model, discount)
    assert value_iteration(model, discount).values == pytest.approx(expected, abs=1e-6)
    assert policy_iteration(model, discount).values == pytest.approx(expected, abs=1e-6)


@pytest.mark.exhaustive
@given(st.floats(0, 1), st.sampled_from(["longitudinal", "perpendicular"]), st.floats(0, 0.95))
@settings(max_examples=8, deadline=None)
def test_they_do_so_however_slippery_it_is(probability, slip_type, discount) -> None:
    model = TabularModel.extract(slippery(probability, slip_type))
    expected = by_linear_programming(model, discount)
    assert value_iteration(model, discount).values == pytest.approx(expected, abs=1e-6)
    assert policy_iteration(model, discount).values == pytest.approx(expected, abs=1e-6)


def test_episodes_bring_what_the_values_promise() -> None:
    """Within 4.5 standard errors: wrong once in 150,000 runs."""
    world = World("FourByThree", time_limit=1000)
    solution = value_iteration(TabularModel.extract(world), 1.0)
    returns = evaluate(world, solution, episodes=1000).returns[:, 0]
    assert abs(returns.mean() - solution.start_value) < 4.5 * returns.std() / np.sqrt(1000)


def test_a_policy_has_its_own_values_however_they_are_found(monkeypatch) -> None:
    model = TabularModel.extract(World("FourByThree", compiled=False))
    policy = np.random.default_rng(0).integers(4, size=len(model))
    solved = policy_values(model, policy, 0.9)
    monkeypatch.setattr(iteration, "LARGEST_SOLVE", 0)
    assert policy_values(model, policy, 0.9) == pytest.approx(solved, abs=1e-8)
    assert (solved <= value_iteration(model, 0.9).values + 1e-9).all()


def test_arrows_and_values_can_be_drawn() -> None:
    world = World("FourByThree", compiled=False)
    solution = value_iteration(TabularModel.extract(world), 1.0)
    arrows = arrows_by_position(solution, world, world.reset(0))
    assert arrows[0, :3].tolist() == [3, 3, 3] and arrows[1, 0] == 0 and np.isnan(arrows[1, 1])
    shape = world.spec.shape
    from gridarium.draw.themes import LIGHT

    assert len(list(Arrows(arrows).marks(shape, LIGHT))) == 9
    assert len(list(Heat(values_by_position(solution, world, world.reset(0))).marks(shape, LIGHT))) == 9


def test_where_one_turns_the_best_heading_is_shown() -> None:
    world = World("Empty-4x4", compiled=False)
    model = TabularModel.extract(world, world.reset(0), clock="ignore")
    solution = value_iteration(model, 0.9)
    arrows = arrows_by_position(solution, world, world.reset(0))
    values = values_by_position(solution, world, world.reset(0))
    assert np.isfinite(values).sum() >= 3 and set(arrows[np.isfinite(arrows)]) <= {0, 1, 2, 3}


def test_as_a_policy_it_makes_its_own_model_of_any_start() -> None:
    world = World("Crossing-5x5", compiled=False)
    found = evaluate(world, ValueIteration(), episodes=3)
    assert found.successes.all()
    with pytest.raises(StateLimit):
        evaluate(world, ValueIteration(limit=3), episodes=1)


def test_a_discount_outside_its_range_is_refused() -> None:
    model = TabularModel.extract(ruled("move_agent"))
    for solve in (value_iteration, policy_iteration, lambda m, d: policy_values(m, np.zeros(5, int), d)):
        with pytest.raises(ValueError, match=r"between 0 and 1, got 1\.5"):
            solve(model, 1.5)
    for solve in (policy_iteration, lambda m, d: policy_values(m, np.zeros(5, int), d)):
        with pytest.raises(ValueError, match="below 1"):
            solve(model, 1)


def test_going_on_for_ever_at_a_profit_has_no_value(monkeypatch) -> None:
    monkeypatch.setattr(iteration, "MOST_SWEEPS", 50)
    model = TabularModel.extract(ruled("move_agent", rewards=[{"name": "living_reward", "reward": 1.0}]))
    with pytest.raises(NotConverged):
        value_iteration(model, 1.0)


def test_policy_iteration_ends_where_hardly_anything_counts_but_the_next_reward() -> None:
    model = TabularModel.extract(slippery(0.0, "longitudinal"))
    found = policy_iteration(model, 0.0012426609473880784)
    assert found.values == pytest.approx(value_iteration(model, 0.0012426609473880784).values, abs=1e-9)


def test_whoever_plans_everything_says_what_it_is_worth() -> None:
    world = World("FourByThree", compiled=False)
    thinker, state = ValueIteration(1.0, world), world.reset(0)
    assert thinker.get_value(state) == pytest.approx(0.705, abs=5e-4)
    values = thinker.get_values(state)
    assert (
        values[thinker.get_action(state)] == max(values.values()) == pytest.approx(thinker.get_value(state))
    )
    assert np.isfinite(values_by_position(thinker, world, state)).sum() == 11
    with pytest.raises(RuntimeError, match="was given no world"):
        ValueIteration().get_value(state)


def test_large_values_of_a_large_model_settle(monkeypatch) -> None:
    """Rounding changes the last digit of some in each sweep."""
    count, rng = 60, np.random.default_rng(0)
    following, rewards = rng.permutation(count), rng.normal(size=count) * 1e9
    model = TabularModel(
        None, 0, (Action.WAIT,), np.arange(count + 1), following, np.ones(count), rewards[:, None],
        np.zeros(count, bool), np.ones(count) / count, None,
    )  # fmt: skip
    policy = np.zeros(count, np.int64)
    solved = policy_values(model, policy, 0.99)
    monkeypatch.setattr("gridarium.agents.planning.value_iteration.LARGEST_SOLVE", 0)
    assert policy_values(model, policy, 0.99) == pytest.approx(solved, rel=1e-9)


@pytest.mark.parametrize("reward", [math.nan, math.inf, -math.inf])
def test_values_need_finite_rewards(reward: float) -> None:
    def pay(state, action, next_state):
        return reward if next_state.agent.position.x == 3 else 0.0

    model = TabularModel.extract(ruled("move_agent", rewards=[pay]))
    for solve in (value_iteration, policy_iteration):
        with pytest.raises(
            ValueError, match=rf"values need finite rewards; that of \w+ in state \d+ is {reward}:"
        ):
            solve(model, 0.9)
