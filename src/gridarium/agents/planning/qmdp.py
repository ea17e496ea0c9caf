"""QMDP: acting on a belief as if everything became known after the next step."""

from __future__ import annotations

from typing import Any

import numpy as np

from gridarium.agents.grid_values import probabilities_by_position
from gridarium.agents.model.extraction import Floats
from gridarium.agents.model.tabular import TabularModel
from gridarium.agents.planning.value_iteration import Solution, check_options, value_iteration
from gridarium.engine import World
from gridarium.engine.arguments import check_agent, check_shares, floats
from gridarium.engine.threads.outputs import Arrays
from gridarium.world import Action


class QMDP:
    """Keeps the exact belief over the states of a tabular model, and weighs their values by it (Littman et al. 1995).

    It never acts only to learn where it is. As a policy it is given observations only, and extracts the model when it
    is first asked.

    Args:
        model: the model, or its solution; as a policy, unless given, that of the world in which it plays.
        discount: of rewards, for each tick.
        options: as for `TabularModel.extract`, where it extracts the model itself; time is left out of it by default.

    Attributes:
        belief: float64[S]: how likely each state is; None before the first observation.
        lost: whether the last observation was impossible for all that it believed; it then goes on with what it
            expected.

    Raises:
        TypeError, ValueError: neither a model nor a solution, an unknown option, or a discount outside [0, 1].
    """

    def __init__(
        self, model: TabularModel | Solution | None = None, discount: float = 0.99, **options: Any
    ) -> None:
        check_shares(discount=discount)
        check_options(options)
        if not isinstance(model, TabularModel | Solution | None):
            raise TypeError(
                f"a model or its solution is needed, as TabularModel.extract(world) gives it, not {model!r}"
            )
        self.discount, self.options = discount, {"clock": "ignore", **options}
        self._solution = value_iteration(model, discount) if isinstance(model, TabularModel) else model
        self.begin()

    def begin(self) -> None:
        """Forget the last episode."""
        self.belief: Floats | None = None
        self._last, self.lost = 0, False

    def __call__(self, world: World, observation: Arrays, agent: int) -> Action:
        """As a policy."""
        solution = self._solution
        if solution is None or solution.model.world is not world or solution.model.agent != agent:
            model = TabularModel.extract(world, agent=agent, **self.options)
            self._solution = value_iteration(model, self.discount)
        return self.get_action(observation)

    def get_action(self, observation: Arrays) -> Action:
        """Take in what is perceived after the last action, and choose the next one."""
        self.update(observation)
        self._last = int(self.q.argmax())
        return self.solution.model.actions[self._last]

    def get_value(self) -> float:
        """The value of the best action, given the belief."""
        return float(self.q.max())

    @property
    def solution(self) -> Solution:
        """The model's values.

        Raises:
            RuntimeError: there is not a model yet.
        """
        if self._solution is None:
            raise RuntimeError("QMDP was given no model")
        return self._solution

    @property
    def q(self) -> Floats:
        """float64[A]: what each action is worth, given the belief.

        Raises:
            RuntimeError: nothing has been perceived yet.
        """
        if self.belief is None:
            raise RuntimeError("nothing has been perceived yet")
        values: Floats = self.belief @ self.solution.q
        return values

    def update(self, observation: Arrays) -> None:
        """Bayes' rule: where the world may be after the last action, given what is perceived now."""
        self.weigh(self.solution.model.observations.likelihood(observation))

    def weigh(self, likelihood: Floats) -> None:
        """As `update`, given float64[S]: how likely a measurement of any kind is in each state of the model.

        Raises:
            TypeError, ValueError: not a likelihood.
        """
        model = self.solution.model
        given = floats(likelihood, "a likelihood")
        if given.shape != (len(model),) or not (np.isfinite(given).all() and (given >= 0).all()):
            raise ValueError(f"a likelihood is float[{len(model)}], finite and not negative")
        expected = model.start if self.belief is None else model.predict(self.belief, self._last)
        likely = expected * given
        total = likely.sum()
        self.lost = not total > 0
        self.belief = expected if self.lost else likely / total

    def position_belief(self, agent: int | None = None) -> Floats:
        """float64[height, width]: how likely an agent (by default itself) is where.

        Raises:
            RuntimeError: nothing has been perceived yet.
            TypeError, IndexError: there is no such agent.
        """
        if self.belief is None:
            raise RuntimeError("nothing has been perceived yet")
        model = self.solution.model
        whose = model.agent if agent is None else agent
        check_agent(whose, model.world.spec.agents)
        agent_rows = model.dynamics.store.rows()[3][:, whose]
        return probabilities_by_position(model.world, agent_rows, self.belief)
