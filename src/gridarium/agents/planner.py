"""A planner as a policy: it searches the world itself for the shortest way, and follows it."""

from __future__ import annotations

import numpy as np

from gridarium.agents.policy import random_action
from gridarium.agents.search import SearchTooLarge, shortest_plan, state_key
from gridarium.engine import World
from gridarium.world import Action, State


class Planner:
    """Follows the shortest plan to a rewarded end of the episode, and plans again when the world goes another way.

    It knows the whole state and all the rules, which a learning agent does not: it shows what can be reached. Where
    there is no way, or the world is too large to search, it acts at random.

    Args:
        limit: how many states one search may meet.
    """

    def __init__(self, limit: int = 200_000) -> None:
        self.limit = limit
        self.begin()

    def begin(self) -> None:
        """Forget the plan of the last episode."""
        self._actions: list[Action] = []
        self._expected: list[bytes] = []

    def __call__(
        self, world: World, state: State, agent: int, actions: tuple[Action, ...], rng: np.random.Generator
    ) -> Action:
        """The next action of the plan."""
        if not state.agent.active:
            return actions[0]
        if not self._actions or state_key(state, agent) != self._expected[0]:
            self._think(world, state, agent, rng)
        if not self._actions:
            return random_action(actions, rng)
        self._expected.pop(0)
        return self._actions.pop(0)

    def _think(self, world: World, state: State, agent: int, rng: np.random.Generator) -> None:
        self.begin()
        try:
            plan = shortest_plan(world, state, agent=agent, limit=self.limit, seed=int(rng.integers(1 << 32)))
        except SearchTooLarge:
            return
        if plan is not None:
            self._actions = list(plan.actions)
            self._expected = [state_key(state, agent), *plan.keys]
