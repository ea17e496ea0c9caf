"""MCTS, POMCP and QMDP: planning by simulation, and on beliefs."""

import copy
import pickle
from functools import partial

import numpy as np
import pytest

from gridarium.agents import (
    MCTS,
    POMCP,
    QMDP,
    Expectimax,
    TabularModel,
    TreeSearch,
    evaluate,
    play,
    random_action,
    value_iteration,
)
from gridarium.engine import World
from gridarium.world import Action, Field
from tests.agents.worlds import COMPASS, ruled


@pytest.fixture(scope="module")
def world() -> World:
    return World("FourByThree")


@pytest.fixture(scope="module")
def best(world: World) -> float:
    """The expected return of whoever acts best, without the time limit of the episodes."""
    return value_iteration(TabularModel.extract(world), 1.0).start_value


def returns(world, policy, episodes):
    return evaluate(world, policy, episodes=episodes).returns[:, 0]


def error(numbers):
    return numbers.std() / np.sqrt(len(numbers))


@pytest.mark.exhaustive
@pytest.mark.slow
@pytest.mark.parametrize("planner", [MCTS, partial(POMCP, particles=100)], ids=["MCTS", "POMCP"])
def test_more_simulations_find_better_actions_but_none_better_than_the_best(planner, world, best) -> None:
    """4.5 standard errors: wrong once in 150,000 runs."""
    poor, rich = (returns(world, planner(n, discount=1.0, horizon=25), 30) for n in (16, 250))
    assert rich.mean() > poor.mean() + 0.3
    assert rich.mean() < best + 4.5 * error(rich)


def coin(state, action, *, rng):
    """Heads or tails: who guesses right wins."""
    heads = rng.integers(2) == 1
    state.won = 1.0 if heads == (action == Action.LEFT) else 0.0


def guessed(state, action, next_state):
    return next_state.won


def guessing() -> World:
    return ruled(
        coin, fields={"world": [Field("won")]}, rewards=[guessed], actions=COMPASS[:2], time_limit=50
    )


def clairvoyant(world, state):
    """Steps the real state, and so sees the future that it will have."""
    return max(range(2), key=lambda a: world.step(state, a)[1])


def test_whoever_steps_the_real_state_sees_the_future() -> None:
    assert play(guessing(), [clairvoyant], seed=0).returns[0] == 50


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "planner",
    [MCTS(12, horizon=2), POMCP(12, horizon=2, particles=20)],
    ids=["MCTS", "POMCP"],
)
def test_planners_do_not(planner) -> None:
    """200 fair coins: 5 standard deviations, wrong once in two million runs."""
    wins = returns(guessing(), planner, 4).sum()
    assert abs(wins - 100) < 5 * np.sqrt(50)


def test_values_and_visits_can_be_looked_at(world: World) -> None:
    thinker = MCTS(300, world, discount=1.0)
    assert thinker.values == {} and thinker.visits == {}
    state = world.reset(0)
    action = thinker.get_action(state)
    assert sum(thinker.visits.values()) == 300
    assert thinker.visits[action] == max(thinker.visits.values())
    assert thinker.result is not None and thinker.result.visits.sum() == 300
    assert thinker.get_value(state) in thinker.values.values()


def test_one_step_is_worth_its_mean_reward() -> None:
    world = ruled("move_agent", rewards=[{"name": "living_reward", "reward": -2.0}], time_limit=3)
    thinker = MCTS(64, world, discount=0.5)
    assert thinker.get_value(world.reset(0)) == pytest.approx(-2 * (1 + 0.5 + 0.25))
    assert all(v == pytest.approx(-3.5) for v in thinker.values.values())


@pytest.mark.exhaustive
def test_the_same_random_numbers_think_the_same(world: World) -> None:
    for planner in (MCTS(40), POMCP(40, particles=50)):
        assert play(world, [planner], seed=1) == play(world, [planner], seed=1)


@pytest.mark.parametrize("horizon", [1, 7, 64])
def test_all_simulations_are_made_whatever_the_horizon(horizon, world: World) -> None:
    thinker = MCTS(50, world, horizon=horizon)
    thinker.get_action(world.reset(0))
    assert sum(thinker.visits.values()) == 50


def test_by_turns_it_plans_around_others() -> None:
    world = World("GhostGrid-4x5")
    found = evaluate(world, [MCTS(100), random_action], episodes=3)
    assert found.win_rate(0).mean == 1.0
    assert evaluate(world, [random_action, MCTS(100)], episodes=6).win_rate(1).mean >= 0.5


# on beliefs


@pytest.fixture(scope="module")
def dark() -> World:
    """A corridor in which one sees only whether one stands on the exit, and starts anywhere."""
    return ruled(
        "move_agent",
        map={"picture": ".....E"},
        rewards=["reach_exit", {"name": "living_reward", "reward": -0.1}],
        observation={"name": "fully_transparent", "area": [[0, 0], [0, 0]]},
        time_limit=30,
    )


def test_a_belief_narrows_as_one_walks(dark: World) -> None:
    policy = QMDP(TabularModel.extract(dark))
    state = dark.reset(2)
    policy.get_action(dark.arrays(state))
    assert policy.position_belief()[0] == pytest.approx([0.2] * 5 + [0])
    action = policy.get_action(dark.arrays(dark.step(state, Action.RIGHT)[0]))
    assert action == Action.RIGHT and not policy.lost
    assert policy.position_belief()[0] == pytest.approx([0, 0.25, 0.25, 0.25, 0.25, 0])
    policy.begin()
    assert policy.belief is None


@pytest.mark.sampled(2)
@pytest.mark.parametrize("policy", [QMDP(), POMCP(100, particles=60, horizon=10)], ids=["QMDP", "POMCP"])
def test_who_keeps_a_belief_gets_out_of_the_dark(policy, dark: World) -> None:
    found = evaluate(dark, policy, episodes=10)
    assert found.successes.all() and found.length.mean < 6


def test_particles_agree_with_what_is_perceived(dark: World) -> None:
    planner = POMCP(20, dark, particles=200, horizon=5)
    state = dark.reset(2)
    planner.get_action(dark.arrays(state))
    belief = planner.position_belief()
    assert belief.sum() == pytest.approx(1) and belief[0, 5] == 0 and (belief[0, :5] > 0.05).all()
    assert np.isfinite(planner.get_value())


def test_what_cannot_be_makes_it_begin_anew(dark: World) -> None:
    planner = POMCP(10, dark, particles=20, horizon=3)
    exact = QMDP(TabularModel.extract(dark))
    impossible = {"grid": np.full((1, 1, 3), 9, np.uint8)}
    for thinker in (planner, exact):
        thinker.get_action(dark.arrays(dark.reset(0)))
        thinker.get_action(impossible | {})
        assert thinker.lost
        thinker.begin()
        thinker.get_action(dark.arrays(dark.reset(0)))
        assert not thinker.lost


def test_other_measurements_can_be_weighed_in(dark: World) -> None:
    policy = QMDP(TabularModel.extract(dark))
    model = policy.solution.model
    left = np.array([model.state(i).agent.position.x < 2 for i in range(len(model))], float)
    policy.weigh(left)
    assert policy.position_belief()[0] == pytest.approx([0.5, 0.5, 0, 0, 0, 0])
    assert policy.get_value() == pytest.approx(float(policy.q.max()))


def test_wrong_numbers_are_refused() -> None:
    for wrong in ({"simulations": 0}, {"horizon": 0}, {"discount": 2}, {"exploration": -1}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            MCTS(**wrong)
    with pytest.raises(ValueError, match="particles"):
        POMCP(particles=0)
    with pytest.raises(RuntimeError, match="MCTS was given no world"):
        MCTS().get_action(World("FourByThree").reset(0))
    for thinker in (POMCP(5, guessing()), QMDP(TabularModel.extract(ruled("move_agent")))):
        with pytest.raises(RuntimeError, match="nothing has been perceived"):
            thinker.position_belief()
    with pytest.raises(RuntimeError, match="no model"):
        QMDP().update({})
    with pytest.raises(IndexError):
        MCTS(5, guessing(), 1)


def test_a_search_ends_after_some_time_or_its_simulations(world: World) -> None:
    state = world.reset(seed=0)
    few = TreeSearch(world, 50, seed=0).search(state, seconds=60.0)
    assert few.visits.sum() == 50
    assert np.array_equal(few.visits, TreeSearch(world, 50, seed=0).search(state).visits)
    assert 1 <= TreeSearch(world, 1_000_000, seed=0).search(state, seconds=0.02).visits.sum() < 1_000_000
    with pytest.raises(ValueError, match="seconds has to be positive"):
        TreeSearch(world).search(state, seconds=0.0)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda planner: pickle.loads(pickle.dumps(planner))])
def test_a_copy_of_a_planner_thinks_on_with_the_same_random_numbers(copied, world: World) -> None:
    state = world.reset(0)
    for planner in (
        MCTS(20, world, seed=0),
        TreeSearch(world, 20, seed=0),
        Expectimax(2, world, others="idle"),
    ):
        planner.get_action(state)
        assert copied(planner).get_action(state) == planner.get_action(state)


def test_one_search_at_a_time(world: World) -> None:
    state, refused = world.reset(0), []

    def evaluate(leaves):
        try:
            search.get_action(state)
        except RuntimeError as error:
            refused.append(str(error))
        return np.zeros((len(leaves), len(world.actions))), np.zeros(len(leaves))

    search = TreeSearch(world, 4, evaluate=evaluate)
    search.get_action(state)
    assert set(refused) == {
        "this tree search is being used already; use a separate tree search for each thread"
    }
