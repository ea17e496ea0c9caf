"""Learning in tables."""

import numpy as np
import pytest

from gridarium.agents import (
    Chase,
    QLearning,
    Sarsa,
    TabularModel,
    arrows_by_position,
    evaluate,
    following,
    value_iteration,
    values_by_position,
)
from gridarium.engine import World
from gridarium.world import Action, Exit
from tests.agents.worlds import chase, ruled


@pytest.fixture(scope="module")
def world() -> World:
    return World("FourByThree")


def fading(episodes: int) -> float:
    return max(0.01, 20 / (20 + episodes))


@pytest.mark.exhaustive
def test_q_learning_comes_close_to_the_best_values(world: World) -> None:
    best = value_iteration(TabularModel.extract(world), 0.99)
    learner = QLearning(world, alpha=fading, epsilon=0.3, seed=1)
    learner.learn(4000)
    state = world.reset(0)
    assert learner.get_value(state) == pytest.approx(best.get_value(state), abs=0.05)
    assert learner.get_action(state) == Action.UP
    assert evaluate(world, learner, episodes=300).mean_return().mean > 0.6


@pytest.mark.exhaustive
def test_sarsa_values_what_its_own_tries_cost(world: World) -> None:
    best = value_iteration(TabularModel.extract(world), 0.99)
    learner = Sarsa(world, alpha=fading, epsilon=0.3, seed=1)
    learner.learn(4000)
    state = world.reset(0)
    assert 0 < learner.get_value(state) < best.get_value(state) - 0.1


def test_one_world_at_a_time_is_the_textbooks_loop() -> None:
    """In a corridor without chance, alpha 1 and no tries: values are rewards from behind, discounted."""
    learner = QLearning(ruled("move_agent", time_limit=500), alpha=1.0, epsilon=0.5, discount=0.5, worlds=1)
    learner.learn(60)
    values = np.sort(learner.q.max(axis=1))
    assert values[-4:] == pytest.approx([1 / 8, 1 / 4, 1 / 2, 1])


def test_the_same_seed_learns_the_same(world: World) -> None:
    tables = []
    for seed in (5, 5, 6):
        learner = QLearning(world, seed=seed)
        curve = learner.learn(50)
        tables.append((learner.q.tobytes(), curve.returns.tobytes()))
    assert tables[0] == tables[1] != tables[2]


def test_a_curve_has_an_entry_for_each_episode_and_learning_goes_on(world: World) -> None:
    learner = QLearning(world, worlds=4)
    first = learner.learn(30)
    assert len(first.returns) == len(first.lengths) == learner.episodes >= 30
    second = learner.learn(30)
    assert learner.episodes == len(first.returns) + len(second.returns)
    assert second.lengths.min() >= 1


@pytest.mark.exhaustive
def test_many_worlds_learn_the_same_values_as_few(world: World) -> None:
    learners = [QLearning(world, alpha=fading, epsilon=0.3, worlds=n) for n in (1, 100)]
    for learner in learners:
        learner.learn(1500)
    state = world.reset(0)
    few, many = (learner.get_value(state) for learner in learners)
    assert few == pytest.approx(many, abs=0.12)


def test_it_learns_from_observations_too(world: World) -> None:
    learner = QLearning(world, on="observation", epsilon=0.3)
    learner.learn(2000)
    assert len(learner.q) <= 11
    state = world.reset(0)
    assert learner.get_value(world.arrays(state)) == learner.get_value(state) > 0.4
    assert evaluate(world, learner, episodes=100).success.mean > 0.8


@pytest.mark.exhaustive
def test_by_turns_a_decision_lasts_until_the_next_turn() -> None:
    """What comes a round later counts less by two ticks, as it does for value iteration."""
    world = chase("^.E\n...\n..v", time_limit=60)
    others = following(world, Chase(0))
    learner = QLearning(world, epsilon=0.5, alpha=1.0, discount=0.9, others=others)
    learner.learn(400)
    state = world.reset(0)
    known = value_iteration(TabularModel.extract(world, others=others), 0.9)
    assert learner.get_value(state) == pytest.approx(-1 + 0.9**2 * 100)
    assert known.get_value(state) == pytest.approx(-1 + 0.9**2 * 100)


@pytest.mark.exhaustive
def test_among_others_on_slippery_ground_it_comes_to_the_values_of_value_iteration() -> None:
    """Means of three learners, for each action at the start: near enough to leave no room for a bias of the maximum."""
    world = World("GhostGrid-4x5")
    state, model = world.reset(0), TabularModel.extract(world)
    for discount in (1.0, 0.99):
        best = value_iteration(model, discount)
        learned = []
        for seed in range(3):
            learner = QLearning(
                world, alpha=lambda n: 200 / (200 + n), epsilon=0.3, discount=discount, worlds=64, seed=seed
            )
            learner.learn(5000)
            learned.append(learner.get_value(state))
        assert np.mean(learned) == pytest.approx(best.get_value(state), abs=0.3)


@pytest.mark.exhaustive
def test_a_ghost_learns_to_catch() -> None:
    world = chase("^.E\n...\n..v", time_limit=60)
    learner = QLearning(world, agent=1, epsilon=0.3, others="random")
    learner.learn(500)
    found = evaluate(world, [lambda actions, rng: actions[rng.integers(4)], learner], episodes=40)
    idle = evaluate(world, lambda actions, rng: actions[rng.integers(4)], episodes=40)
    assert found.win_rate(1).mean > idle.win_rate(1).mean


def test_a_cut_off_episode_is_not_taken_for_an_end() -> None:
    world = ruled("move_agent", time_limit=3)
    learner = QLearning(world, alpha=0.5, epsilon=0.5, discount=0.9, worlds=1)
    assert (learner.learn(200, limit=2).lengths <= 2).all()
    assert not learner.q.any()


def test_what_was_never_seen_is_worth_nothing(world: World) -> None:
    learner = QLearning(world)
    assert learner.get_value(world.reset(0)) == 0 and learner.get_action(world.reset(0)) == world.actions[0]


def test_wrong_numbers_are_refused(world: World) -> None:
    for wrong in ({"alpha": 2}, {"epsilon": -1}, {"discount": 7}, {"worlds": 0}, {"on": "smell"}):
        with pytest.raises(ValueError, match=f"{next(iter(wrong))} is"):
            QLearning(world, **wrong)
    with pytest.raises(TypeError, match="learned on states"):
        QLearning(world).get_value({})


def test_what_it_never_came_by_has_no_place_in_its_picture() -> None:
    world = World("FourByThree")
    learner = QLearning(world, seed=0, worlds=4)
    state = world.reset(0)
    assert not learner.knows(state) and np.isnan(values_by_position(learner, world, state)).all()
    learner.learn(60)
    values, arrows = values_by_position(learner, world, state), arrows_by_position(learner, world, state)
    assert learner.knows(state) and np.isfinite(values).sum() > 3
    for p in state.grid.positions():
        there = state.copy()
        there.agent.position = p
        known = not state.blocked(p) and learner.knows(there)
        assert np.isfinite(values[p.y, p.x]) == known
        assert known or np.isnan(arrows[p.y, p.x])
    ends = [p for p in state.grid.positions() if isinstance(state.grid[p], Exit)]
    assert ends and all(np.isnan(values[p.y, p.x]) for p in ends)
    assert (
        repr(learner)
        == f"<QLearning of FourByThree: {len(learner.q)} states seen in {learner.episodes} episodes>"
    )
