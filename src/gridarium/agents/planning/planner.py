"""A planner as a policy: it searches the world itself for the shortest way, and follows it."""

from __future__ import annotations

import math

import numpy as np

from gridarium.agents.planning.plan_search import Plan, SearchTooLarge, shortest_plan, state_key
from gridarium.agents.policy import random_action
from gridarium.engine import World
from gridarium.engine.arguments import check_agent, check_count
from gridarium.engine.world import check_state, check_world
from gridarium.world import Action, State


class Planner:
    """Follows the shortest plan to a rewarded end of the episode, and plans again when the world goes another way.

    It knows the whole state and all the rules, which a learning agent does not: it shows what can be reached. Where
    there is no way, or the world is too large to search, it acts at random.

    Args:
        limit: the largest number of states that one search may meet.
        world: the world; as a policy it is the one in which it plays.
        agent: the one that plans; as a policy it is the one that it plays.
        seed: of the future in which `get_action` and `get_value` search; as a policy it is given others.

    Raises:
        TypeError, ValueError, IndexError: not a world, no such agent, or not a number where one is needed.

    Example:
        >>> world = World("KeyDoor-5x5")
        >>> Planner(world=world).get_action(world.reset(seed=1))
        Action.MOVE_FORWARD
    """

    def __init__(
        self, limit: int = 200_000, world: World | None = None, agent: int = 0, *, seed: int = 0
    ) -> None:
        check_count("limit", limit)
        check_count("seed", seed, 0)
        if world is not None:
            check_world(world)
            check_agent(agent, world.spec.agents)
        self.limit, self.agent, self.seed = limit, agent, seed
        self._world = world
        self._last: tuple[tuple[object, ...], Plan | None] | None = None
        self.begin()

    def begin(self) -> None:
        """Forget the plan of the last episode."""
        self._actions: list[Action] = []
        self._expected: list[bytes] = []

    def __call__(
        self, world: World, state: State, agent: int, actions: tuple[Action, ...], rng: np.random.Generator
    ) -> Action:
        """The next action of the plan."""
        self._world, self.agent = world, agent
        if not state.agent.active:
            return actions[0]
        if not self._actions or state_key(state, agent) != self._expected[0]:
            self._replan(world, state, agent, rng)
        if not self._actions:
            return random_action(actions, rng)
        self._expected.pop(0)
        return self._actions.pop(0)

    def get_plan(self, state: State) -> Plan | None:
        """The shortest plan from a state; None where there is no way.

        Raises:
            RuntimeError: it has not been given a world.
            SearchTooLarge: the search meets more than `limit` states.
        """
        if self._world is None:
            raise RuntimeError("Planner was given no world")
        check_state(state, self._world)
        key = state.tobytes(), id(self._world), self.agent, self.limit, self.seed
        if self._last is None or self._last[0] != key:
            found = shortest_plan(self._world, state, agent=self.agent, limit=self.limit, seed=self.seed)
            self._last = key, found
        return self._last[1]

    def get_action(self, state: State) -> Action | None:
        """The first action of the shortest plan, None where there is none; see `get_plan`."""
        plan = self.get_plan(state)
        return plan.actions[0] if plan else None

    def get_value(self, state: State) -> float:
        """Minus the number of ticks to a rewarded end, minus infinity where none can be reached; see `get_plan`."""
        plan = self.get_plan(state)
        return -float(len(plan)) if plan and plan.succeeds else -math.inf

    def _replan(self, world: World, state: State, agent: int, rng: np.random.Generator) -> None:
        self.begin()
        try:
            plan = shortest_plan(world, state, agent=agent, limit=self.limit, seed=int(rng.integers(1 << 32)))
        except SearchTooLarge:
            return
        if plan is not None:
            self._actions = list(plan.actions)
            self._expected = [state_key(state, agent), *plan.keys]
