"""What planners are given that makes no sense is refused, with what was wrong and what is allowed."""

import numpy as np
import pytest

from gridarium.agents import (
    MCTS,
    POMCP,
    QMDP,
    Chase,
    Dynamics,
    Expectimax,
    Minimax,
    Planner,
    QLearning,
    Solution,
    TabularModel,
    ValueIteration,
    compile_outcomes,
    distances,
    evaluate,
    exit_nearness,
    first_step,
    following,
    observation_outcomes,
    play,
    policy_iteration,
    policy_values,
    random_action,
    reset_outcomes,
    shortest_plan,
    step_outcomes,
    value_iteration,
    values_by_position,
)
from gridarium.engine import World
from gridarium.world import Action, Exit

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
    (lambda: MCTS(20, WORLD, seed=-1), ValueError, "a seed must be a whole number, at least 0"),
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
    (lambda: step_outcomes(WORLD, STATE, [0, 0]), ValueError, "1 in all"),
    (lambda: step_outcomes(WORLD, FOREIGN, [0]), ValueError, "not those of FourByThree"),
    (lambda: shortest_plan(WORLD, STATE, agent=4), IndexError, "agents are numbered from 0 to 0; got 4"),
    (lambda: evaluate(WORLD, random_action, episodes="x"), TypeError, "episodes is a whole number"),
    (lambda: evaluate(WORLD, random_action, limit="x"), TypeError, "limit is a whole number, got 'x'"),
    (lambda: play(WORLD, random_action, seed="a"), TypeError, "seed is a whole number, got 'a'"),
    (lambda: play(WORLD, random_action, seed=-1), ValueError, "seed is at least 0, got -1"),
    (lambda: play(WORLD, random_action, seed=0, limit=-3), ValueError, "limit is at least 0, got -3"),
    (lambda: play(WORLD, random_action, seed=0, watch=3), TypeError, "watch is a function, got 3"),
    (lambda: play(WORLD, [lambda state: "UP"], seed=0), TypeError, "a policy chose 'UP'"),
    (lambda: TabularModel.extract(WORLD, others=Chase), TypeError, r"a policy: following\(world, policy\)"),
    (
        lambda: TabularModel.extract(WORLD, others=random_action),
        TypeError,
        r"policy: following\(world, policy\)",
    ),
    (lambda: Dynamics(WORLD).outcomes(9, (0,)), IndexError, "there are no states; got 9"),
    (
        lambda: ValueIteration(world=WORLD, depth=3),
        TypeError,
        "no option 'depth'; there are start, others, limit",
    ),
    (lambda: ValueIteration(WORLD), TypeError, "discount is a number .*; pass a world as world="),
    (lambda: ValueIteration(world=WORLD).get_action(3), TypeError, "a state is needed"),
    (
        lambda: QMDP(WORLD),
        TypeError,
        r"as TabularModel.extract\(world\) gives it, not World\('FourByThree'\)",
    ),
    (lambda: QMDP(world=WORLD), TypeError, "no option 'world'; there are start"),
    (lambda: MCTS(WORLD), TypeError, "simulations is a whole number, got .*; pass a world as world="),
    (lambda: Minimax(2, WORLD, evaluate=3), TypeError, "evaluate is a function, got 3"),
    (lambda: Planner(WORLD), TypeError, "limit is a whole number, got .*; pass a world as world="),
    (lambda: Planner(world=WORLD, agent=5), IndexError, "agents are numbered from 0 to 0; got 5"),
    (lambda: Planner(world=WORLD).get_action(3), TypeError, "a state is needed"),
    (lambda: shortest_plan(WORLD, STATE, goal=3), TypeError, "goal is a function, got 3"),
    (lambda: shortest_plan(WORLD, STATE, limit="x"), TypeError, "limit is a whole number, got 'x'"),
    (lambda: Chase("exit"), TypeError, "the number of an agent or a kind of object such as Exit, not 'exit'"),
    (lambda: Chase().get_action(3), TypeError, "a state is needed"),
    (
        lambda: distances(STATE, "Exit"),
        TypeError,
        "a Position or a kind of object such as Exit, not to 'Exit'",
    ),
    (lambda: distances(STATE, (1, 1)), TypeError, r"not to \(1, 1\)"),
    (lambda: exit_nearness(3, 0), TypeError, "a state is needed"),
    (lambda: exit_nearness(STATE, 5), IndexError, "agents are numbered from 0 to 0; got 5"),
    (lambda: QLearning(WORLD, on="observation").get_action(3), TypeError, "an observation is arrays by name"),
    (lambda: QLearning(WORLD).get_action(3), TypeError, "learned on states, not on 3"),
    (lambda: QLearning(WORLD).get_values(FOREIGN), ValueError, "not those of FourByThree"),
    (lambda: first_step(STATE, Chase, WORLD.actions), TypeError, "a Position or a kind of object"),
    (lambda: first_step(STATE, Exit, ["UP"]), TypeError, r"actions are a list of Actions, not \['UP'\]"),
    (
        lambda: evaluate(WORLD, random_action, episodes=1).win_rate(5),
        IndexError,
        "agents are numbered from 0 to 0; got 5",
    ),
    (
        lambda: evaluate(WORLD, random_action, episodes=1).mean_return("a"),
        TypeError,
        "must be a whole number",
    ),
    (lambda: following(WORLD, "random"), TypeError, "a policy is a function or a class, not 'random'"),
    (lambda: following(WORLD, random_action, seed="a"), TypeError, "a seed must be a whole number"),
    (lambda: observation_outcomes(WORLD, 3), TypeError, "a state is needed"),
    (lambda: observation_outcomes(WORLD, STATE, "a"), TypeError, "an index of agents must be a whole number"),
    (lambda: values_by_position(3, WORLD, STATE), TypeError, "with get_value and get_action is needed"),
    (lambda: values_by_position(Chase(), WORLD, 3), TypeError, "a state is needed"),
]

NAMED = "FourByThree"
TAKE_A_WORLD = [
    lambda world: play(world, random_action, seed=0),
    lambda world: evaluate(world, random_action),
    TabularModel.extract,
    Dynamics,
    QLearning,
    reset_outcomes,
    compile_outcomes,
    lambda world: following(world, random_action),
    lambda world: step_outcomes(world, STATE, [0]),
    lambda world: observation_outcomes(world, STATE),
    lambda world: shortest_plan(world, STATE),
    lambda world: values_by_position(Chase(), world, STATE),
    lambda world: Planner(world=world),
    lambda world: ValueIteration(world=world),
    lambda world: Minimax(2, world),
    lambda world: Expectimax(2, world),
    lambda world: MCTS(9, world),
    lambda world: POMCP(9, world),
]


@pytest.mark.parametrize("function", TAKE_A_WORLD)
def test_the_name_of_a_world_is_none_and_how_to_make_one_is_said(function) -> None:
    with pytest.raises(
        TypeError, match=r"a World is needed, not 'FourByThree'; World\('FourByThree'\) creates one"
    ):
        function(NAMED)


@pytest.mark.parametrize("solve", [value_iteration, policy_iteration, lambda m: policy_values(m, [0], 0.9)])
def test_what_is_no_model_is_refused_and_how_to_make_one_is_said(solve) -> None:
    with pytest.raises(
        TypeError, match=r"as TabularModel.extract\(world\) gives it, not World\('FourByThree'\)"
    ):
        solve(WORLD)


NO_POLICIES = [
    (None, "a policy for all agents or a list with one for each, not None"),
    ({"agent": random_action}, "a policy for all agents or a list with one for each, not {'agent'"),
    ([None], "a policy is a function or a class, not None"),
    (Action.UP, "a policy for all agents or a list with one for each, not Action.UP"),
    ("random", "not 'random'; names are for the command line, see gridarium.agents.named_policies.POLICIES"),
    (["mcts"], "not 'mcts'; names are for the command line"),
    ("best", "a policy is a function or a class, not 'best'; names are for the command line"),
    (
        QLearning,
        r"QLearning is a class that cannot be made without arguments \(.*'world'\); give an object of it",
    ),
    (max, "policy max does not tell its parameters"),
    (lambda s: 0, "asks for s; its parameters are some of world, state"),
]


@pytest.mark.parametrize(("given", "words"), NO_POLICIES)
def test_what_is_no_policy_is_refused(given, words) -> None:
    for attempt in (lambda: play(WORLD, given, seed=0), lambda: evaluate(WORLD, given, episodes=1)):
        with pytest.raises(TypeError, match=words):
            attempt()


@pytest.mark.parametrize(("attempt", "kind", "words"), REFUSED)
def test_it_is_refused(attempt, kind, words) -> None:
    with pytest.raises(kind, match=words):
        attempt()


def test_models_refuse_what_they_do_not_have(model) -> None:
    with pytest.raises(IndexError, match="actions are numbered from 0 to 3; got -1"):
        model.transitions(0, -1)
    with pytest.raises(IndexError, match="states are numbered from 0 to 10; got 99"):
        model.transitions(99, 0)
    with pytest.raises(TypeError, match="an index of actions must be a whole number, got Action.UP"):
        model.predict(model.start, Action.UP)
    for policy in (np.zeros(3, int), np.full(11, 9), np.zeros(11), "up"):
        with pytest.raises(ValueError, match=r"a policy is int\[11\]"):
            policy_values(model, policy, 0.9)
    for likelihood in (np.ones(3), -np.ones(11), np.full(11, np.nan)):
        with pytest.raises(ValueError, match=r"a likelihood is float\[11\]"):
            QMDP(model).weigh(likelihood)
    looking = QMDP(model)
    looking.update(WORLD.arrays(STATE))
    with pytest.raises(IndexError, match="agents are numbered from 0 to 0; got 5"):
        looking.position_belief(5)
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
