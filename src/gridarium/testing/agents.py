"""`check_agent`: whether a policy follows its protocol, does not modify its inputs, and depends on nothing else."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from gridarium.agents import Episode, Policy, play
from gridarium.agents.policy import decision_function
from gridarium.engine import World
from gridarium.env.arguments import WorldLike, open_world
from gridarium.testing.problems import NotConforming, require
from gridarium.world.actions import Action


def check_agent(policy: Policy, world: WorldLike, *, episodes: int = 3, limit: int = 100) -> list[Episode]:
    """Play with a policy and check every decision.

    Args:
        policy: a function, or a class that is instantiated for each agent and episode.
        world: as for `check_world`.
        episodes: the number of episodes, each played twice.
        limit: the maximum number of ticks of an episode.

    Returns:
        the episodes.

    Raises:
        NotConforming: it has an unknown parameter, chooses an unavailable action, modifies its inputs, or plays
            differently with equal inputs.
    """
    opened = open_world(world)
    try:
        decision_function(policy() if isinstance(policy, type) else policy)
    except TypeError as error:
        raise NotConforming(str(error)) from error
    played = []
    for seed in range(episodes):
        first, second = (_play(policy, opened, seed, limit) for _ in range(2))
        differing = next(
            (t for t, (a, b) in enumerate(zip(first.actions, second.actions, strict=False)) if a != b), None
        )
        require(
            first == second,
            f"the policy plays {opened.name} with seed {seed} in two ways, which differ first at tick {differing}: "
            "it should draw only from `rng`, and clear its memory in `begin()`",
        )
        played.append(first)
    return played


def _play(policy: Policy, world: World, seed: int, limit: int) -> Episode:
    count = world.spec.agents
    policies = [_Watched(policy() if isinstance(policy, type) else policy) for _ in range(count)]
    return play(world, policies, seed=seed, limit=limit)


class _Watched:
    """A wrapper that checks the decisions of a policy."""

    def __init__(self, policy: Callable[..., Any]) -> None:
        self.policy = policy
        parameters = inspect.signature(policy).parameters.values()
        self.wanted = [p.name for p in parameters if p.default is p.empty]

    def begin(self) -> None:
        if hasattr(self.policy, "begin"):
            self.policy.begin()

    def __call__(
        self,
        world: Any,
        state: Any,
        observation: Any,
        view: Any,
        agent: int,
        actions: Any,
        rng: np.random.Generator,
    ) -> Any:
        given = {
            "world": world, "state": state, "observation": observation, "view": view,
            "agent": agent, "actions": actions, "rng": rng,
        }  # fmt: skip
        before = (
            state.tobytes(),
            copy.deepcopy(observation),
            view.grid.cells.tobytes(),
            view.agent.agent_row.tobytes(),
        )
        action = self.policy(**{name: given[name] for name in self.wanted})
        where = f"in {world.name} at tick {state.tick}, agent {agent}"
        same = (
            state.tobytes() == before[0]
            and (view.grid.cells.tobytes(), view.agent.agent_row.tobytes()) == before[2:]
        )
        same = same and all(np.array_equal(array, before[1][name]) for name, array in observation.items())
        require(same, f"the policy modified its inputs {where}")
        if not isinstance(action, Action):
            index = getattr(action, "__index__", lambda: -1)()
            require(
                0 <= index < len(world.actions),
                f"the policy chose {action!r} {where}; there are {list(world.actions)}",
            )
            action = world.actions[index]
        require(action in actions, f"the policy chose {action!r} {where}; the agent has {list(actions)}")
        return action
