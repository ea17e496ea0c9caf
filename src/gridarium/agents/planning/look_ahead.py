"""The base of searches that look a few ticks ahead."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable
from typing import Literal

from gridarium.agents.model.dynamics import Dynamics, Joint
from gridarium.agents.model.outcomes import Outcomes
from gridarium.agents.model.state_store import ClockMatters, PlanningError, StateLimit
from gridarium.engine import World
from gridarium.engine.arguments import check_agent, check_count, check_function, check_shares
from gridarium.engine.world import check_world
from gridarium.world import Action, State

Evaluation = Callable[[State, int], float]
"""`(state, agent) -> float`: what a state is worth to an agent, where the search ends."""
FEW = 32
"""States that are looked at ahead of the search in the hope that it will come there."""
OF_RULES = (Exception, SystemExit, GeneratorExit)
"""What rules raise in states that the search may not come to; Ctrl-C is not theirs."""
MOST_AHEAD = 4096
"""The number of steps that are found out ahead of the search in one call."""
WeightedOutcomes = list[tuple[float, int, float]]
"""(weight, number of the next state, reward) for each outcome of a step."""


class OutOfTime(PlanningError):
    """The time for a search is up."""


class LookAhead:
    """Looks ahead in a world that is found out while searching, and remembered from move to move.

    Args:
        depth: the number of ticks that are looked ahead; in worlds where agents take turns, each turn is one.
        world: the world; as a policy it is the one in which it plays.
        agent: the one that decides; as a policy it is the one that it plays.
        discount: of rewards, for each tick.
        evaluate: the value of a state for the agent where the search ends; 0 by default.
        limit: the largest number of cached states; beyond these it starts again.

    Attributes:
        searched: the number of states that the last decision has looked at.

    Raises:
        TypeError, ValueError: not a world, not a function, a depth below 1, or a discount outside [0, 1].
        IndexError: there is no such agent.
    """

    def __init__(
        self,
        depth: int = 4,
        world: World | None = None,
        agent: int = 0,
        *,
        discount: float = 0.99,
        evaluate: Evaluation | None = None,
        limit: int = 50_000,
    ) -> None:
        check_count("depth", depth)
        check_count("limit", limit)
        check_shares(discount=discount)
        if evaluate is not None:
            check_function("evaluate", evaluate)
        self.depth, self.agent, self.discount, self.evaluate, self.limit = (
            depth,
            agent,
            discount,
            evaluate,
            limit,
        )
        self.searched = 0
        self._clock: Literal["refuse", "count"] = "refuse"
        self._world: World | None = None
        self._leaf_values: dict[int, float] = {}
        self._transition_cache: dict[tuple[int, Joint], WeightedOutcomes] = {}
        self._prefetched: set[int] = set()
        self._deadline, self._ahead = math.inf, True
        if world is not None:
            check_world(world)
            self.set_world(world, agent)

    def __call__(self, world: World, state: State, agent: int) -> Action:
        """As a policy; it looks less far where that needs more than `limit` states."""
        self.set_world(world, agent)
        try:
            return self.get_action(state)
        except StateLimit:
            return _best(self.get_values_in_time(state))

    def get_values(self, state: State) -> dict[Action, float]:
        """The value of each of the agent's legal actions, as far as it looks.

        Raises:
            RuntimeError: it has not been given a world.
            StateLimit: one decision needs more than `limit` states.
        """
        return self._values_to(self.depth, state)

    def get_values_in_time(self, state: State, seconds: float = math.inf) -> dict[Action, float]:
        """As `get_values`, one tick deeper each time, until `depth` is reached, the time is up, or `limit` states are met.

        Returns:
            the values of the deepest search that was completed; all 0 if none was.

        Raises:
            RuntimeError: it has not been given a world.
        """
        found: dict[Action, float] = {}
        self._deadline = time.perf_counter() + seconds
        try:
            for depth in range(1, self.depth + 1):
                found = self._values_to(depth, state)
        except (OutOfTime, StateLimit):
            if not found:
                assert self._world is not None
                legal = self._world.legal_actions(state, self.agent)
                found = dict.fromkeys((self._world.actions[i] for i in legal), 0.0)
        finally:
            self._deadline = math.inf
        return found

    def _values_to(self, depth: int, state: State) -> dict[Action, float]:
        if self._world is None:
            raise RuntimeError(f"{type(self).__name__} was given no world")
        self._ahead = True
        while True:
            try:
                return self._search(state, depth)
            except ClockMatters:
                self._clock = "count"
            except StateLimit:
                if self._fresh and not (self._ahead and self.dynamics.together):
                    self._clear_cache()  # so that the next search has room
                    raise
                self._ahead = False  # what was found out in vain must not count
            self._clear_cache()

    def get_action(self, state: State) -> Action:
        """The best action, the first of equals."""
        return _best(self.get_values(state))

    def get_value(self, state: State) -> float:
        """The value of the best action."""
        return max(self.get_values(state).values())

    def set_world(self, world: World, agent: int) -> None:
        """Prepare for a world and the agent that it plays."""
        if self._world is world and self.agent == agent:
            return
        check_agent(agent, world.spec.agents)
        self._world, self.agent = world, agent
        self._clear_cache()

    def _clear_cache(self) -> None:
        assert self._world is not None
        self.dynamics = Dynamics(self._world, limit=self.limit, clock=self._clock)
        self._leaf_values.clear()
        self._transition_cache.clear()
        self._prefetched.clear()
        self._fresh = True

    def _search(self, state: State, depth: int) -> dict[Action, float]:
        assert self._world is not None
        self.searched = 0
        root, own = self.dynamics.index(state), self.dynamics.own_actions[self.agent]
        options = self._options(root, depth)
        if self.agent in self.dynamics.acting(root):
            replies_to = {replies[0][self.agent]: replies for replies in options}
        else:
            replies_to = dict.fromkeys(own, options[0])
        found = {
            self._world.actions[a]: self._action_value(root, replies, depth)
            for a, replies in replies_to.items()
        }
        self._fresh = False
        return found

    def _action_value(self, root: int, replies: list[Joint], depth: int) -> float:
        """The value of one of the agent's actions, given the possible joint actions of all."""
        raise NotImplementedError

    def _evaluate_leaf(self, i: int) -> float:
        if self.evaluate is None:
            return 0.0
        if i not in self._leaf_values:
            state = self.dynamics.state(i, self.agent)
            self._leaf_values[i] = float(self.evaluate(state, self.agent))
            if math.isnan(self._leaf_values[i]):
                raise ValueError(f"evaluate gives numbers, not NaN as for this state:\n{state}")
        return self._leaf_values[i]

    def _weighted(self, outcomes: Outcomes) -> WeightedOutcomes:
        """The outcomes of a step that are looked at, and how much each counts."""
        raise NotImplementedError

    def _transitions(self, i: int, joint: Joint) -> WeightedOutcomes:
        """The outcomes of a step that are looked at."""
        if (i, joint) not in self._transition_cache:
            self._check_time()
            self._transition_cache[i, joint] = self._weighted(self.dynamics.outcomes(i, joint))
        return self._transition_cache[i, joint]

    def _check_time(self) -> None:
        if time.perf_counter() > self._deadline:
            raise OutOfTime

    def _options(self, i: int, depth: int) -> list[list[Joint]]:
        """For each of the agent's choices, what the others may do: joint actions."""
        self._check_time()
        acting = self.dynamics.acting(i)
        joints = self.dynamics.joints(i)
        if self._ahead and self.dynamics.together:
            with contextlib.suppress(*OF_RULES):  # left for the search, if it comes there
                self.dynamics.prepare((i, joint) for joint in joints)
            if self.dynamics.cheap and i not in self._prefetched:
                self._prefetch(i, depth)
        self.searched += 1
        if self.agent not in acting:
            return [joints]
        grouped: dict[int, list[Joint]] = {}
        for joint in joints:
            grouped.setdefault(joint[self.agent], []).append(joint)
        return list(grouped.values())

    def _prefetch(self, i: int, depth: int) -> None:
        """Find out at once what may come in all states that a step leads to: they are about to be looked at.

        So are the states after these, as long as they are few. What goes wrong is left for the search, if it comes there.
        """
        layer, width = [i], len(self.dynamics.joints(i))
        with contextlib.suppress(*OF_RULES):
            while depth > 1 and 0 < len(layer) <= FEW and len(self.dynamics) <= self.limit // 2:
                self._prefetched.update(layer)
                after = {
                    k
                    for j in layer
                    for joint in self.dynamics.joints(j)
                    for _, k, _ in self._transitions(j, joint)
                    if not self.dynamics.over(k)
                }
                layer = sorted(after - self._prefetched)
                if len(layer) * width > MOST_AHEAD:
                    return
                self.dynamics.prepare((k, joint) for k in layer for joint in self.dynamics.joints(k))
                depth -= 1


def _best(values: dict[Action, float]) -> Action:
    """The action with the highest value, the first of equals."""
    highest = max(values.values())
    return next(action for action, value in values.items() if value >= highest - 1e-9)
