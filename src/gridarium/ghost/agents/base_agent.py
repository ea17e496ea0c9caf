"""The interface of agents, and what they have in common."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np
from gymnasium import spaces

from gridarium.ghost.env import CustomGridEnv
from gridarium.ghost.world import checks


@runtime_checkable
class Agent(Protocol):
    """An object that is made with an action space and chooses actions."""

    def __init__(self, action_space: Any, **kwargs: Any) -> None: ...

    def get_action(self, observation: dict[str, Any]) -> int:
        """The next action."""
        ...


class BaseAgent:
    """Base class of agents.

    Args:
        action_space: the space of its actions.
        env: the environment, for agents that need to know it.
        seed: of its random numbers; by default drawn from `action_space`.

    Attributes:
        perceived_agent_pos, perceived_ghost_pos: the positions that it believes in; None for the true ones.
    """

    def __init__(
        self, action_space: spaces.Discrete, *, env: Any = None, seed: int | None = None, **kwargs: Any
    ) -> None:
        self.action_space = action_space
        self.env: Any = None if env is None else unwrapped_env(env, type(self).__name__)
        self.perceived_agent_pos: Sequence[int] | None = None
        self.perceived_ghost_pos: Sequence[int] | None = None
        self._seed, self._rng = checks.seed(seed), _generator(seed)

    def reset(self, seed: int | None = None) -> None:
        """Begin an episode; with a seed reseed the random numbers."""
        if seed is not None:
            self._seed, self._rng = checks.seed(seed), _generator(seed)

    @property
    def rng(self) -> np.random.Generator:
        """Its random generator."""
        if self._rng is None:
            if self._seed is None:
                self._seed = int(self.action_space.np_random.integers(1 << 62))
            self._rng = np.random.default_rng(self._seed)
        return self._rng

    def snapshot(self) -> Any:
        """A copy of everything that `get_action` changes: the random numbers. Agents with a memory add it.

        An interface takes one before a round that may have to be taken back.
        """
        return None if self._rng is None else self._rng.bit_generator.state

    def restore(self, snapshot: Any) -> None:
        """Return to a snapshot."""
        if snapshot is None:
            self._rng = None  # it is made again with the same seed
        else:
            self.rng.bit_generator.state = snapshot

    def get_action(self, observation: dict[str, Any]) -> int:
        """The next action."""
        raise NotImplementedError

    def random_action(self) -> int:
        """Any action, all equally likely."""
        return int(self.rng.integers(self.action_space.n))

    def positions(self) -> tuple[list[int], list[int]]:
        """The positions of agent and ghost, as far as this agent knows.

        Raises:
            ValueError: it has no environment.
        """
        if self.env is None:
            raise ValueError(f"{type(self).__name__} needs to know the environment: pass env=...")
        agent = self.env.agent_pos if self.perceived_agent_pos is None else self.perceived_agent_pos
        ghost = self.env.ghost_pos if self.perceived_ghost_pos is None else self.perceived_ghost_pos
        return list(agent), list(ghost)


GhostAgentClass: TypeAlias = type[BaseAgent] | Callable[..., Agent]
"""A class of agents, or another function that makes one of an action space (and of `env=`, if it has that parameter)."""


def perceive(agent: Any, here: Sequence[int], observation: dict[str, Any]) -> None:
    """Set an agent's perceived position, and the ghost's, as it is seen from there.

    Args:
        agent: a `BaseAgent` that has an environment; nothing happens if it has no perceived positions.
        here: [row, column].
        observation: the agent's observation, with `ghost_relative_pos`.
    """
    if hasattr(agent, "perceived_agent_pos"):
        ghost = np.add(here, observation["ghost_relative_pos"])
        last = agent.env.rows - 1, agent.env.cols - 1
        agent.perceived_agent_pos, agent.perceived_ghost_pos = list(here), np.clip(ghost, 0, last).tolist()


def _generator(seed: int | None) -> np.random.Generator | None:
    return None if seed is None else np.random.default_rng(seed)


def unwrapped_env(env: Any, name: str) -> CustomGridEnv:
    """An environment of the ghost world, without wrappers.

    Args:
        env: the environment, also as `gymnasium.make` returns it.
        name: of the caller, for the error message.

    Raises:
        TypeError: it is not a `CustomGridEnv`.
    """
    found = getattr(env, "unwrapped", env)
    if not isinstance(found, CustomGridEnv):
        raise TypeError(
            f"{name} needs env=, a CustomGridEnv (of an AgentInterface: interface.env), got {env!r}"
        )
    return found


def make_agent(agent_class: GhostAgentClass, env: CustomGridEnv) -> Any:
    """Make an agent; it gets `env=` if its class accepts that.

    Raises:
        TypeError: not a class or function, or what it makes has no `get_action`.
    """
    if not callable(agent_class):
        raise TypeError(
            f"a ghost agent is given as a class, or what makes one of an action space, not {agent_class!r}"
        )
    try:
        agent = _make(agent_class, env)
    except TypeError as error:
        if hasattr(agent_class, "get_action"):
            error.add_note(
                "a ghost agent is made of an action space: def __init__(self, action_space, **kwargs)"
            )
            raise
        raise TypeError(
            f"a ghost agent is made of an action space and has a method get_action(observation); {agent_class!r}: {error}"
        ) from error
    if not callable(getattr(agent, "get_action", None)):
        raise TypeError(f"a ghost agent has a method get_action(observation), {agent!r} has none")
    return agent


def _make(agent_class: Any, env: CustomGridEnv) -> Any:
    try:
        parameters = inspect.signature(agent_class).parameters.values()
    except (TypeError, ValueError):
        return agent_class(env.action_space)
    accepts_env = any(p.name == "env" or p.kind is p.VAR_KEYWORD for p in parameters)
    return agent_class(env.action_space, env=env) if accepts_env else agent_class(env.action_space)
