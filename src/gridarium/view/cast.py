"""Who decides what agents do in a running world: policies by name, one for each agent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from gridarium.agents import Planner, random_action
from gridarium.agents.policy import Situation, player
from gridarium.engine import World
from gridarium.view.protocol import Refused
from gridarium.world import Action, State

ME = "me"


class Cast:
    """The policies of a world's agents.

    Args:
        world: the world.
        own: further policies, by name, besides `random`, `scripted` and `wait` (where there is such an action).

    Attributes:
        chosen: the name of each agent's policy; `me` is a person at a keyboard.
    """

    def __init__(self, world: World, own: Mapping[str, Any]) -> None:
        self._world = world
        self._policies: dict[str, Any] = {"random": random_action, "scripted": Planner, **own}
        self.chosen = ["random"] * world.spec.agents
        self._made: list[Any] = [random_action] * world.spec.agents
        self._luck: list[np.random.Generator] = []

    def offered(self, agent: int) -> list[str]:
        """The names of the policies that an agent can have."""
        return [ME, *self._policies, *(["wait"] if self.can(agent, Action.WAIT) else [])]

    @property
    def me(self) -> int | None:
        """The agent that a person plays."""
        return self.chosen.index(ME) if ME in self.chosen else None

    def choose(self, agent: int, name: str) -> None:
        """Give an agent a policy. A person plays one agent at a time: the one played before gets the policy `random`.

        Raises:
            Refused: there is no such agent or policy.
            Exception: what a policy's class raises when it is made.
        """
        if agent >= len(self.chosen):
            raise Refused(f"there are agents 0 to {len(self.chosen) - 1}, no agent {agent}")
        if name not in self.offered(agent):
            raise Refused(f"there is no policy {name!r}; there are {', '.join(self.offered(agent))}")
        if name == ME and self.me not in (None, agent):
            self.choose(self.me or 0, "random")
        policy = {ME: None, "wait": _wait}.get(name, self._policies.get(name))
        self._made[agent] = policy() if isinstance(policy, type) else policy
        if hasattr(self._made[agent], "begin"):
            self._made[agent].begin()
        self.chosen[agent] = name

    def begin(self, seed: int) -> None:
        """Make policies ready for an episode.

        Raises:
            Exception: what a policy raises.
        """
        self._luck = [np.random.default_rng([seed, agent]) for agent in range(len(self.chosen))]
        for policy in self._made:
            if hasattr(policy, "begin"):
                policy.begin()

    def decide(self, arrays: dict[str, Any], state: Callable[[], State], mine: int | None) -> list[int]:
        """The index of each agent's action.

        Args:
            arrays: what the agents perceive.
            state: gives the whole state, a copy.
            mine: the action of the person.

        Raises:
            Refused: a policy chose an action that the agent does not have.
            Exception: what a policy raises.
        """
        decided = []
        for agent, policy in enumerate(self._made):
            if policy is None and mine is not None:
                decided.append(mine)
                continue
            own = arrays if len(self._made) == 1 else {name: a[agent] for name, a in arrays.items()}
            action = player(policy)(Situation(self._world, agent, self._luck[agent], own, state))
            if not isinstance(action, Action):
                action = self._world.actions[int(action.__index__())]
            decided.append(self.index(agent, action))
        return decided

    def index(self, agent: int, action: Action) -> int:
        """The index of an agent's action.

        Raises:
            Refused: the agent does not have it.
        """
        if not self.can(agent, action):
            mask = self._world.spec.action_masks[agent]
            known = [a.name for a, has in zip(self._world.actions, mask, strict=True) if has]
            raise Refused(f"agent {agent} has no action {action.name}; it has {', '.join(known)}")
        return self._world.actions.index(action)

    def can(self, agent: int, action: Action) -> bool:
        """Whether an agent has an action."""
        actions = self._world.actions
        return action in actions and bool(self._world.spec.action_masks[agent][actions.index(action)])


def _wait() -> Action:
    return Action.WAIT
