"""What planners are given that makes no sense is refused, with what was wrong and what is allowed."""

import numpy as np
import pytest

from gridarium.agents import (
    MCTS,
    POMCP,
    QMDP,
    Expectimax,
    Minimax,
    QLearning,
    Solution,
    TabularModel,
    evaluate,
    policy_values,
    random_action,
    shortest_plan,
    step_outcomes,
    value_iteration,
)
from gridarium.engine import World
from gridarium.world import Action

WORLD = World("FourByThree", compiled=False)
FOREIGN = World("GhostGrid-4x5", compiled=False).reset(0)
STATE = WORLD.reset(0)


@pytest.fixture(scope="module")
def model():
    return TabularModel.extract(WORLD)


REFUSED = [
    (lambda: MCTS("many", WORLD), TypeError, "simulations is a whole number, got 'many'"),
    (lambda: MCTS(20, WORLD, exploration=np.nan), ValueError, "exploration is a finite number"),
    (lambda: MCTS(20, WORLD, discount="x"), TypeError, "discount is a number between 0 and 1"),
    (lambda: MCTS(20, WORLD, seed=-1), ValueError, "a seed is a whole number from 0 on"),
    (lambda: MCTS(20, WORLD).get_action(FOREIGN), ValueError, "not those of FourByThree"),
    (lambda: POMCP(20, WORLD, particles=0), ValueError, "particles is at least 1, got 0"),
    (lambda: Minimax(1.5, WORLD), TypeError, "depth is a whole number, got 1.5"),
    (lambda: Expectimax(2, WORLD).get_action(FOREIGN), ValueError, "not those of FourByThree"),
    (lambda: Expectimax(2, WORLD, evaluate=lambda s, a: np.nan).get_action(STATE), ValueError, "not NaN"),
    (lambda: QLearning(WORLD, alpha="x"), TypeError, "alpha is a number between 0 and 1"),
    (lambda: QLearning(WORLD, alpha=lambda k: 5).learn(9), ValueError, "a rate .* is between 0 and 1, got 5"),
    (lambda: QLearning(WORLD).learn(-1), ValueError, "episodes is at least 0, got -1"),
    (lambda: TabularModel.extract(WORLD, start=3), TypeError, "a state is needed"),
    (lambda: TabularModel.extract(WORLD, start=FOREIGN), ValueError, "not those of FourByThree"),
    (lambda: TabularModel.extract(WORLD, samples=1.5), TypeError, "samples is a whole number"),
    (lambda: step_outcomes(WORLD, STATE, [-1]), ValueError, "action -1 is none of the 4"),
    (lambda: step_outcomes(WORLD, STATE, [0, 0]), ValueError, "1 agents, each with an action of its own"),
    (lambda: step_outcomes(WORLD, FOREIGN, [0]), ValueError, "not those of FourByThree"),
    (lambda: shortest_plan(WORLD, STATE, agent=4), IndexError, "1 agents, numbered from 0; got 4"),
    (lambda: evaluate(WORLD, random_action, episodes="x"), TypeError, "episodes is a whole number"),
]


@pytest.mark.parametrize(("attempt", "kind", "words"), REFUSED)
def test_it_is_refused(attempt, kind, words) -> None:
    with pytest.raises(kind, match=words):
        attempt()


def test_models_refuse_what_they_do_not_have(model) -> None:
    for attempt in (lambda: model.transitions(0, -1), lambda: model.transitions(99, 0)):
        with pytest.raises(IndexError, match="11 states and 4 actions"):
            attempt()
    for policy in (np.zeros(3, int), np.full(11, 9), np.zeros(11), "up"):
        with pytest.raises(ValueError, match=r"a policy is int\[11\]"):
            policy_values(model, policy, 0.9)
    for likelihood in (np.ones(3), -np.ones(11), np.full(11, np.nan)):
        with pytest.raises(ValueError, match=r"a likelihood is float\[11\]"):
            QMDP(model).weigh(likelihood)
    with pytest.raises(ValueError, match="tolerance is a finite number"):
        value_iteration(model, tolerance=np.nan)


def test_an_action_may_be_told_by_its_name() -> None:
    by_name = step_outcomes(WORLD, STATE, [Action.LEFT])
    by_index = step_outcomes(WORLD, STATE, [WORLD.actions.index(Action.LEFT)])
    assert [o.probability for o in by_name] == [o.probability for o in by_index]


def test_large_rewards_do_not_blur_which_action_is_best() -> None:
    """What counts as rounding is measured by the values of a state, not by the largest anywhere."""

    class Model:
        def lookahead(self, values, discount):
            return np.array([[1e9, 0.0], [0.5, 0.6]])

    assert Solution(Model(), 0.9, np.zeros(2), 1).policy.tolist() == [0, 1]
