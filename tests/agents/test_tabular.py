"""Tabular models: T, R and O of small worlds."""

import numpy as np
import pytest

from gridarium.agents import Chase, ClockMatters, StateLimit, TabularModel, following
from gridarium.agents.model.dynamics import Dynamics
from gridarium.engine import World
from gridarium.world import Action, Field, Position
from tests.agents.worlds import at, chase, from_yaml, ruled


@pytest.fixture(scope="module")
def model() -> TabularModel:
    return TabularModel.extract(World("FourByThree", compiled=False))


def test_the_textbooks_world_has_eleven_states(model: TabularModel) -> None:
    assert (len(model), model.actions, model.terminal.sum()) == (11, model.world.actions, 2)
    assert model.dynamics.exact and "11 states, 4 actions" in repr(model)


def test_probabilities_add_up_and_the_ends_go_nowhere(model: TabularModel) -> None:
    rows = np.add.reduceat(model.probabilities, model.offsets[:-1])
    assert rows == pytest.approx(1)
    for i in np.flatnonzero(model.terminal):
        assert all(model.transitions(i, a) == [(1.0, i)] for a in range(4)) and not model.rewards[i].any()


def test_states_and_numbers_stand_for_each_other(model: TabularModel) -> None:
    assert [model.index(model.state(i)) for i in range(len(model))] == list(range(len(model)))
    with pytest.raises(IndexError, match="states are numbered from 0 to 10"):
        model.state(11)


def test_a_state_that_cannot_be_reached_has_no_number(model: TabularModel) -> None:
    inside_the_wall = model.state(0)
    inside_the_wall.agent.position = Position(1, 1)
    with pytest.raises(KeyError, match="no such state"):
        model.index(inside_the_wall)


def test_rewards_are_those_of_the_rules(model: TabularModel) -> None:
    beside = next(i for i in range(len(model)) if at(model.state(i).agent.position) == (0, 2))
    right = model.actions.index(Action.RIGHT)
    assert model.R[beside, right] == pytest.approx(0.8 * 1.0 - 0.04)


def test_sampled_probabilities_are_close_to_exact_ones(model: TabularModel) -> None:
    sampled = TabularModel.extract(World("FourByThree"), chance="sampled", samples=400, seed=1)
    assert not sampled.dynamics.exact and "400 samples" in repr(sampled)
    for i in range(len(model)):
        j = sampled.index(model.state(i))
        for a in range(4):
            exact = {n: p for p, n in model.transitions(i, a)}
            for p, n in sampled.transitions(j, a):
                true = exact[model.index(sampled.state(n))]
                assert abs(p - true) < 5 * 0.5 / np.sqrt(400)


@pytest.mark.exhaustive
def test_a_rule_without_exact_probabilities_is_sampled() -> None:
    def windy(state, action, *, rng):
        if rng.normal() > 0:
            state.agent.position = Position(0, min(state.agent.position.x + 1, 4))

    model = TabularModel.extract(ruled(windy), samples=500)
    assert not model.dynamics.exact and len(model) == 5
    (stay, _), (go, _) = model.transitions(0, 0)
    assert stay + go == pytest.approx(1) and abs(go - 0.5) < 0.12


def test_samples_of_a_step_do_not_depend_on_what_was_sampled_before() -> None:
    def windy(state, action, *, rng):
        if rng.normal() > 0:
            state.agent.position = Position(0, min(state.agent.position.x + 1, 4))

    world = ruled(windy)
    found = []
    for order in ((0, 1), (1, 0)):
        dynamics = Dynamics(world, samples=50, seed=4)
        start = dynamics.index(world.reset(0))
        for action in order:
            dynamics.prepare([(start, (action,))])
        found.append([dynamics.outcomes(start, (action,)).probability.tolist() for action in (0, 1)])
    assert found[0] == found[1] and found[0][0] != found[0][1]


def test_it_is_also_there_as_sparse_matrices(model: TabularModel) -> None:
    assert model.T.shape == (44, 11) and model.T.sum(axis=1) == pytest.approx(1)
    assert model.O.shape == (11, len(model.observations))
    assert model.O.sum(axis=1) == pytest.approx(1)


def test_a_belief_goes_where_states_go(model: TabularModel) -> None:
    after = model.predict(model.start, model.actions.index(Action.UP))
    by_position = {at(model.state(i).agent.position): p for i, p in enumerate(after) if p > 0}
    assert by_position == pytest.approx({(1, 0): 0.8, (2, 0): 0.1, (2, 1): 0.1})


def test_what_looks_alike_is_one_observation() -> None:
    world = from_yaml(observation={"name": "fully_transparent", "area": [[0, 0], [0, 0]]})
    model = TabularModel.extract(world)
    assert len(model.observations) == 3  # floor, exit, lava
    floor = model.observations.likelihood(world.arrays(world.reset(0)))
    assert floor.sum() == 9 and set(floor) == {0.0, 1.0}
    assert not model.observations.likelihood({"grid": np.zeros(1)}).any()
    sampled = TabularModel.extract(world, chance="sampled", samples=20)
    assert set(sampled.observations.probabilities) == {1.0}  # not twenty twentieths


def test_too_many_states_are_refused() -> None:
    with pytest.raises(StateLimit, match="FourByThree has more than 5 different states"):
        TabularModel.extract(World("FourByThree", compiled=False), limit=5)


def test_a_reward_that_depends_on_the_tick_is_refused_counted_or_ignored() -> None:
    world = ruled("move_agent", rewards=[{"name": "reach_exit_discounted", "horizon": 20}], time_limit=9)
    with pytest.raises(ClockMatters, match="RIGHT brings in .* depends on the tick"):
        TabularModel.extract(world)
    ignored = TabularModel.extract(world, clock="ignore")
    counted = TabularModel.extract(world, clock="count")
    assert len(ignored) == 5 and ignored.R.max() == pytest.approx(counted.R.max(), abs=0.2)
    assert max(counted.state(i).tick for i in range(len(counted))) == 9
    assert counted.terminal.sum() > 5  # the time limit ends episodes too


def test_a_rule_that_counts_is_refused() -> None:
    def every_third(state, action):
        if state.tick % 3 == 0:
            state.agent.position = Position(0, min(state.agent.position.x + 1, 4))

    with pytest.raises(ClockMatters):
        TabularModel.extract(ruled(every_third))
    assert len(TabularModel.extract(ruled(every_third, time_limit=20), clock="count")) == 11


def test_declared_numbers_tell_states_apart() -> None:
    def tire(state, action):
        state.energy = max(state.energy - 1, 0)

    model = TabularModel.extract(ruled(tire, fields={"world": [Field("energy", "int", 6)]}))
    assert sorted(model.state(i).energy for i in range(len(model))) == [0, 1, 2, 3, 4, 5, 6]


def test_by_turns_only_the_one_whose_turn_it_is_matters() -> None:
    model = TabularModel.extract(chase())
    waiting = next(i for i in range(len(model)) if model.dynamics.acting(i) == (1,))
    assert all(model.transitions(waiting, a) == model.transitions(waiting, 0) for a in range(4))
    assert len(model.transitions(waiting, 0)) >= 2  # the other one acts at random


def test_others_do_as_they_are_said_to_do() -> None:
    world = chase()
    model = TabularModel.extract(world, others=following(world, Chase(0)))
    assert max(len(model.transitions(i, a)) for i in range(len(model)) for a in range(4)) == 1
    with pytest.raises(ValueError, match="4 probabilities that add up to 1, for agent 1"):
        TabularModel.extract(world, others=lambda state, agent: [1, 0, 0, 1])
    with pytest.raises(ValueError, match="'random', 'idle' or a function"):
        TabularModel.extract(world, others="asleep")


def test_models_are_made_for_either_agent() -> None:
    model = TabularModel.extract(chase(), agent=1)
    assert model.R.max() == 50
    with pytest.raises(IndexError, match="agents are numbered from 0 to 1"):
        TabularModel.extract(chase(), agent=2)


def test_wrong_words_are_refused() -> None:
    world = World("FourByThree", compiled=False)
    for wrong in ({"chance": "likely"}, {"clock": "stop"}, {"samples": 0}, {"start": []}):
        with pytest.raises(ValueError):
            TabularModel.extract(world, **wrong)
