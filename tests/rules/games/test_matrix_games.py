"""Rock-paper-scissors for two and three, and games of random payoffs."""

import itertools

import numpy as np
import pytest

from gridarium import World

ROCK, PAPER, SCISSORS = range(3)


def rps(count, **given):
    return World(f"RockPaperScissors-{count}p", **given, compiled=False)


@pytest.mark.parametrize("shown", list(itertools.product(range(3), repeat=2)))
def test_two_players(shown):
    beats = {(PAPER, ROCK), (SCISSORS, PAPER), (ROCK, SCISSORS)}
    world = rps(2, win_reward=3.0, tie_reward=0.5)
    _, rewards, ended = world.step(world.reset(), shown)
    expected = [0.5, 0.5] if len(set(shown)) == 1 else [3.0, -1.0] if shown in beats else [-1.0, 3.0]
    assert list(rewards) == expected and ended.all()


@pytest.mark.parametrize("shown", list(itertools.product(range(3), repeat=3)))
def test_of_three_players_the_odd_one_out_wins(shown):
    world = rps(3)
    _, rewards, _ = world.step(world.reset(), shown)
    odd = [shown.count(shape) == 1 for shape in shown]
    assert list(rewards) == ([1.0 if one else -1.0 for one in odd] if sum(odd) == 1 else [0.0] * 3)


def test_several_rounds_show_what_was_chosen_before():
    world = rps(2, ticks=3)
    state = world.reset()
    assert not world.arrays(state)["fields"].any()
    for last in (False, False, True):
        state, rewards, ended = world.step(state, [PAPER, SCISSORS])
        assert list(rewards) == [-1.0, 1.0] and ended.all() == last
        assert world.arrays(state)["fields"].tolist() == [[2.0, 3.0, 0.0]] * 2


@pytest.mark.parametrize(("name", "choices", "players"), [("2x2", 2, 2), ("3x3", 3, 2), ("2x2x2", 2, 3)])
def test_choices_pay_what_the_matrix_says(name, choices, players):
    world = World(f"MatrixGame-{name}", compiled=False)
    state = world.reset(seed=3)
    matrix = np.array([list(row) for row in state.payoffs]).reshape(*[choices] * players, players)
    assert (matrix >= 0).all() and (matrix < 1).all() and len(np.unique(matrix)) == matrix.size
    for chosen in itertools.product(range(choices), repeat=players):
        _, rewards, ended = world.step(state, chosen)
        assert list(rewards) == list(matrix[chosen]) and ended.all()


@pytest.mark.exhaustive
def test_a_seed_for_payoffs_makes_one_game():
    def payoffs(seed, payoff_seed):
        state = World("MatrixGame-3x3", payoff_seed=payoff_seed, compiled=False).reset(seed)
        return [tuple(row) for row in state.payoffs]

    assert payoffs(0, 7) == payoffs(1, 7) != payoffs(0, 8)
    assert payoffs(0, -1) != payoffs(1, -1)
    drawn = np.array([payoffs(0, seed) for seed in range(200)])
    assert 0.4 < drawn.mean(axis=0).min() < drawn.mean(axis=0).max() < 0.6
    assert drawn.std(axis=0).min() > 0.2


def test_fields_must_fit_the_players():
    described = World("MatrixGame-2x2", compiled=False).spec.description.to_dict()
    described["fields"]["world"] = [{"name": "payoffs", "shape": [5, 2]}]
    world = World(described, compiled=False)
    with pytest.raises(ValueError, match=r"has the shape \[s \*\* n, n\]"):
        world.step(world.reset(), [0, 1])
