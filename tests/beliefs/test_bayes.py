"""The exact filter, smoothing and most likely paths, against adding up all that may have happened."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridarium.beliefs import BayesFilter, Impossible, entropy, forward_backward, most_likely_path
from gridarium.rules.outcomes import slip_outcomes
from gridarium.rules.pursuit import move_past_agents
from gridarium.world import Position
from tests.beliefs.grounds import COLOR, VISION, ghost_grid

EPISODES = st.lists(
    st.tuples(st.integers(0, 3), st.sampled_from([COLOR, VISION]), st.integers(0, 2)), min_size=1, max_size=3
)


def histories(steps):
    """(probability, cells) of every way in which an agent may have gone from anywhere, by making its moves."""
    world, model = ghost_grid()
    state = world.reset(0)
    state.agents[1].active = False
    for y, x in model.places.cells:
        for luck in itertools.product(*(slip_outcomes(world.actions[action], 0.2) for action, _, _ in steps)):
            state.agent.position = Position(y, x)
            cells, share = [5 * y + x], 0.05
            for p, moves in luck:
                share *= p
                for move in moves:
                    move_past_agents(state, move)
                cells.append(5 * state.agent.position.y + state.agent.position.x)
            yield share, cells


def likelihood(sensor, measurement):
    world, model = ghost_grid()
    state, found = world.reset(0), []
    for y, x in model.places.cells:
        state.agent.position = Position(y, x)
        found.append(sensor.likelihood(state, measurement))
    return np.array(found)


@settings(max_examples=8, deadline=None)
@given(EPISODES)
def test_all_beliefs_are_those_of_brute_force(steps):
    _, model = ghost_grid()
    seen = [np.ones(20)] + [likelihood(sensor, measurement) for _, sensor, measurement in steps]
    weighed = {}
    for share, cells in histories(steps):
        weight = share * math.prod(seen[t][cell] for t, cell in enumerate(cells))
        weighed[tuple(cells)] = weighed.get(tuple(cells), 0.0) + weight
    total = sum(weighed.values())
    wanted = np.zeros((len(seen), 20))
    for cells, weight in weighed.items():
        wanted[np.arange(len(cells)), list(cells)] += weight / total

    known = BayesFilter(model)
    for action, sensor, measurement in steps:
        known.predict(action)
        known.update(sensor, measurement)
    assert known.belief == pytest.approx(wanted[-1])
    assert known.log_likelihood == pytest.approx(math.log(total))

    actions = [action for action, _, _ in steps]
    looked_back = forward_backward(model, actions, seen)
    assert looked_back.smoothed == pytest.approx(wanted)
    assert looked_back.filtered[-1] == pytest.approx(wanted[-1])
    assert looked_back.log_likelihood == pytest.approx(math.log(total))

    path, score = most_likely_path(model, actions, seen)
    assert score == pytest.approx(math.log(max(weighed.values())))
    assert weighed[tuple(path.tolist())] == pytest.approx(max(weighed.values()))


class TestTheFilter:
    def test_it_begins_with_what_is_known(self):
        world, model = ghost_grid()
        known = BayesFilter(model, world.reset(0))
        assert known.estimate().position == Position(0, 2) and known.entropy == 0.0
        known.reset()
        assert known.entropy == pytest.approx(math.log2(20))
        assert known.grid.shape == (4, 5) and known.grid.sum() == pytest.approx(1.0)

    def test_the_estimate_is_the_first_of_the_most_probable_cells_and_the_mean(self):
        _, model = ghost_grid()
        known = BayesFilter(model)
        found = known.estimate()
        assert found.position == Position(0, 0) and found.probability == pytest.approx(0.05)
        assert found.mean == pytest.approx((1.5, 2.0))

    def test_predicting_loses_and_measuring_wins_knowledge_on_average(self):
        _, model = ghost_grid()
        known = BayesFilter(model, (1, 1))
        known.predict(2)
        before = known.entropy
        assert before > 0
        likelihoods = [model.likelihood(COLOR, z) for z in range(3)]
        chances = [float(known.belief @ row) for row in likelihoods]
        after = [entropy(known.belief * row / p) for row, p in zip(likelihoods, chances) if p > 0]
        assert np.dot([p for p in chances if p > 0], after) <= before + 1e-12

    def test_what_cannot_be_is_refused_and_changes_nothing(self):
        _, model = ghost_grid()
        known = BayesFilter(model, (0, 0))
        only_elsewhere = np.ones(20)
        only_elsewhere[0] = 0.0
        with pytest.raises(Impossible):
            known.update(only_elsewhere)
        assert known.estimate().position == Position(0, 0) and known.log_likelihood == 0.0

    def test_likelihoods_may_be_given_by_cells(self):
        _, model = ghost_grid()
        known = BayesFilter(model)
        known.update(np.eye(4, 5))
        assert known.grid == pytest.approx(np.eye(4, 5) / 4)

    @pytest.mark.parametrize(
        ("given", "measurement", "words"),
        [
            (COLOR, 3, "whole numbers from 0 to 2, not 3"),
            (COLOR, 0.5, "whole numbers from 0 to 2"),
            (np.ones(7), None, r"float\[20\] or float\[4, 5\]"),
            (np.full(20, -0.1), None, "not negative"),
            (np.full(20, np.inf), None, "finite"),
        ],
    )
    def test_what_is_no_measurement_is_refused(self, given, measurement, words):
        with pytest.raises(ValueError, match=words):
            BayesFilter(ghost_grid()[1]).update(given, measurement)


class TestLookingBack:
    def test_numbers_must_fit(self):
        _, model = ghost_grid()
        with pytest.raises(ValueError, match="one after each action: 3, not 2"):
            forward_backward(model, [0, 1], np.ones((2, 20)))

    @pytest.mark.parametrize("look_back", [forward_backward, most_likely_path])
    def test_what_cannot_be_is_refused(self, look_back):
        _, model = ghost_grid()
        with pytest.raises(Impossible):
            look_back(model, [0], [np.eye(20)[4], np.eye(20)[19]])

    def test_measurements_are_turned_into_likelihoods(self):
        _, model = ghost_grid()
        rows = model.likelihoods([(COLOR, 2), (VISION, 0)])
        assert rows.shape == (2, 20) and rows[0, 0] == pytest.approx(0.8)
