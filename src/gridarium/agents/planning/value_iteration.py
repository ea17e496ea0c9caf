"""Optimal values of a tabular model, with respect to all outcomes: value iteration and policy iteration."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.agents.model.extraction import Floats
from gridarium.agents.model.state_store import PlanningError
from gridarium.agents.model.tabular import TabularModel, check_model
from gridarium.engine import World
from gridarium.engine.arguments import check_agent, check_number, check_shares
from gridarium.engine.outcomes.state_rows import Rows
from gridarium.engine.threads.outputs import Arrays
from gridarium.engine.world import check_world
from gridarium.world import Action, State

MOST_SWEEPS = 100_000
PRECISION = 1e-13
"""Changes by this share of the largest value may be due to rounding."""
LARGEST_SOLVE = 1500
"""States for which a policy is evaluated by solving linear equations; with more, by sweeps."""

GIVEN = ("world", "agent")
"""Parameters of `TabularModel.extract` that are no options: planners give them themselves."""


class NotConverged(PlanningError):
    """Values have not settled: with a discount of 1, some policy goes on for ever at a profit or without end."""


class Solution:
    """Values of the states of a model, and the policy that is greedy for them.

    Called as a policy it looks at the whole state.

    Attributes:
        model: the model.
        discount: of rewards, for each tick.
        values: float64[S].
        q: float64[S, A].
        policy: int64[S]: for each state the index of the best of the model's actions, the first of equals.
        iterations: sweeps, or improvements of the policy.
        residual: the largest difference that one more sweep would make; the values are off by at most
            `residual / (1 - discount)`.
    """

    def __init__(self, model: TabularModel, discount: float, values: Floats, iterations: int) -> None:
        self.model, self.discount, self.values, self.iterations = model, discount, values, iterations
        self.q = model.lookahead(values, discount)
        self.policy: npt.NDArray[np.int64] = _best(self.q)
        self.residual = float(np.abs(self.q.max(axis=1) - values).max())

    def get_action(self, state: State) -> Action:
        """The best action.

        Raises:
            KeyError: the model has no such state.
        """
        best: Action = self.model.actions[self.policy[self.model.index(state)]]
        return best

    def get_values(self, state: State) -> dict[Action, float]:
        """The expected discounted return of each action, if the best follow.

        Raises:
            KeyError: the model has no such state.
        """
        return dict(zip(self.model.actions, self.q[self.model.index(state)].tolist(), strict=True))

    def get_value(self, state: State) -> float:
        """The expected discounted return from a state, when acting best.

        Raises:
            KeyError: the model has no such state.
        """
        return float(self.values[self.model.index(state)])

    def __call__(self, state: State) -> Action:
        """As a policy."""
        return self.get_action(state)

    def decide_all(self, world: World, rows: Rows, observations: Arrays, agent: int) -> npt.NDArray[np.int64]:
        """int64[n]: the indices of the best actions in n states.

        Raises:
            KeyError: the model has no such state.
        """
        indices = np.array([world.actions.index(action) for action in self.model.actions])
        found = self.model.dynamics.store.find_all(rows)
        if (found < 0).any() or (found >= len(self.model)).any():
            raise KeyError(f"the model of {self.model.world.name} lacks some of the states")
        chosen: npt.NDArray[np.int64] = indices[self.policy[found]]
        return chosen

    @property
    def start_value(self) -> float:
        """The expected discounted return of an episode."""
        return float(self.model.start @ self.values)

    def __repr__(self) -> str:
        return (
            f"<Solution of {self.model.world.name}: {len(self.values)} states, discount {self.discount:g}, "
            f"start value {self.start_value:.4g} after {self.iterations} iterations>"
        )


def value_iteration(model: TabularModel, discount: float = 0.99, *, tolerance: float = 1e-9) -> Solution:
    """Sweep over all states until no value changes by more than `tolerance` (Bellman 1957).

    Args:
        model: the model.
        discount: 0 to 1; 1 needs that every policy worth following ends.
        tolerance: the largest change in the last sweep.

    Raises:
        TypeError, ValueError: not a model, a reward that is not finite, a discount outside [0, 1], or a tolerance below 0.
        NotConverged: it takes more than 100,000 sweeps.
    """
    _check_rewards(model)
    check_shares(discount=discount)
    check_number("tolerance", tolerance)
    values = np.zeros(len(model))
    for sweep in range(1, MOST_SWEEPS + 1):
        new = model.lookahead(values, discount).max(axis=1)
        change = float(np.abs(new - values).max())
        values = new
        if change <= tolerance:
            return Solution(model, discount, values, sweep)
    raise NotConverged(f"values of {model.world.name} still change by {change:g} after {MOST_SWEEPS} sweeps")


def policy_iteration(model: TabularModel, discount: float = 0.99) -> Solution:
    """Evaluate a policy and improve it, until it is the best (Howard 1960).

    Args:
        model: the model.
        discount: 0 to 1, 1 excluded: policies that go on for ever have no value there.

    Raises:
        TypeError, ValueError: not a model, or a discount outside [0, 1).
    """
    check_model(model)
    check_shares(discount=discount)
    if discount == 1:
        raise ValueError("policy iteration needs a discount below 1; value iteration does not")
    policy = np.zeros(len(model), np.int64)
    for improvement in range(1, MOST_SWEEPS + 1):
        values = policy_values(model, policy, discount)
        q = model.lookahead(values, discount)
        kept = q[np.arange(len(policy)), policy]
        better = q.max(axis=1) > kept + 1e-9 * (1 + np.abs(kept))
        if not better.any():
            return Solution(model, discount, values, improvement)
        policy = np.where(better, q.argmax(axis=1), policy)
    raise NotConverged(f"the policy still changes after {MOST_SWEEPS} improvements")


def policy_values(model: TabularModel, policy: npt.NDArray[np.int64], discount: float) -> Floats:
    """float64[S]: the expected discounted return of a policy, which is whole numbers[S]: indices of actions.

    Raises:
        TypeError: not a model.
        ValueError: a discount outside [0, 1), or not actions of the model for each state.
    """
    _check_rewards(model)
    check_shares(discount=discount)
    if discount == 1:
        raise ValueError("a policy is evaluated with a discount below 1")
    count, actions = model.rewards.shape
    policy = np.asarray(policy)
    fits = policy.shape == (count,) and policy.dtype.kind in "iu"
    if not fits or policy.min() < 0 or policy.max() >= actions:
        raise ValueError(
            f"a policy is int[{count}], for each state one of {actions} actions, numbered from 0"
        )
    rewards = model.rewards[np.arange(count), policy]
    row = np.repeat(np.arange(count * actions), np.diff(model.offsets))
    chosen = policy[row // actions] == row % actions
    origin, following, probabilities = (
        row[chosen] // actions,
        model.successors[chosen],
        model.probabilities[chosen],
    )
    if count <= LARGEST_SOLVE:
        matrix = np.eye(count)
        np.subtract.at(matrix, (origin, following), discount * probabilities)
        return np.asarray(np.linalg.solve(matrix, rewards), np.float64)
    values, change = np.zeros(count), np.inf
    while change > max(1e-10, PRECISION * float(np.abs(values).max())):
        new: Floats = rewards + discount * np.bincount(origin, probabilities * values[following], count)
        change, values = float(np.abs(new - values).max()), new.astype(np.float64)
    return values


def _check_rewards(model: TabularModel) -> None:
    """Check that something is a model whose values can be computed.

    Raises:
        TypeError: not a model.
        ValueError: a reward is infinite or no number.
    """
    check_model(model)
    for i, action in np.argwhere(~np.isfinite(model.rewards)).tolist():
        raise ValueError(
            f"values need finite rewards; that of {model.actions[action].name} in state {i} is {model.rewards[i, action]}:\n"
            f"{model.state(i)}"
        )


class ValueIteration:
    """A policy that plans everything beforehand: it extracts a model of the world when it is first asked.

    Args:
        discount: of rewards, for each tick.
        world: the world; as a policy it is the one in which it plays.
        agent: the one that decides; as a policy it is the one that it plays.
        options: as for `TabularModel.extract`; by default time is left out of the model, and others act at random.

    Attributes:
        solution: the model and its values; None before it is first asked.

    Raises:
        TypeError, ValueError, IndexError: not a world, no such agent, an unknown option, or a discount outside [0, 1].
        Exception: when it is asked: what `TabularModel.extract` raises, for instance that the world is too large.
        RuntimeError: when it is asked, and has not been given a world.
    """

    def __init__(
        self, discount: float = 0.99, world: World | None = None, agent: int = 0, **options: Any
    ) -> None:
        check_shares(discount=discount)
        check_options(options)
        if world is not None:
            check_world(world)
            check_agent(agent, world.spec.agents)
        self.discount, self.options = discount, {"clock": "ignore", **options}
        self.solution: Solution | None = None
        self._world, self.agent = world, agent

    def __call__(self, world: World, state: State, agent: int) -> Action:
        """As a policy."""
        self._world, self.agent = world, agent
        return self.get_action(state)

    def get_action(self, state: State) -> Action:
        """The best action."""
        return self._solved(state).get_action(state)

    def get_values(self, state: State) -> dict[Action, float]:
        """The expected discounted return of each action, if the best follow."""
        return self._solved(state).get_values(state)

    def get_value(self, state: State) -> float:
        """The expected discounted return from a state."""
        return self._solved(state).get_value(state)

    def _solved(self, state: State) -> Solution:
        """The values of a model that has the state."""
        if self._world is None:
            raise RuntimeError("ValueIteration was given no world")
        known = self.solution
        of = None if known is None else (known.model.world, known.model.agent)
        if known is not None and of == (self._world, self.agent) and known.model.has(state):
            return known
        model = TabularModel.extract(self._world, state, agent=self.agent, **self.options)
        self.solution = value_iteration(model, self.discount)
        return self.solution


def check_options(options: dict[str, Any]) -> None:
    """Refuse options that `TabularModel.extract` does not have.

    Raises:
        TypeError: an unknown option.
    """
    known = [name for name in inspect.signature(TabularModel.extract).parameters if name not in GIVEN]
    for name in options:
        if name not in known:
            raise TypeError(f"no option {name!r}; there are {', '.join(known)}")


def _best(q: Floats) -> npt.NDArray[np.int64]:
    """The first action that is best but for rounding."""
    rounding = 1e-9 * (1 + np.abs(q).max(axis=1, keepdims=True))
    best: npt.NDArray[np.int64] = (q >= q.max(axis=1, keepdims=True) - rounding).argmax(axis=1)
    return best
