"""What an agent is."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np


@runtime_checkable
class Agent(Protocol):
    """Something that is made with an action space and chooses actions."""

    def __init__(self, action_space: Any, **kwargs: Any) -> None: ...

    def get_action(self, observation: dict[str, Any]) -> int:
        """The next action."""
        ...


class BaseAgent:
    """What agents have in common.

    Args:
        action_space: whose actions it chooses.
        env: the environment, for agents that need to know it.
        seed: of its random numbers; without one, `action_space` gives it.

    Attributes:
        perceived_agent_pos, perceived_ghost_pos: where the agent and the ghost are taken to be, instead of where they
            really are; None for that.
    """

    def __init__(self, action_space: Any, *, env: Any = None, seed: int | None = None, **kwargs: Any) -> None:
        self.action_space, self.env = action_space, env
        self.perceived_agent_pos: Sequence[int] | None = None
        self.perceived_ghost_pos: Sequence[int] | None = None
        self._rng: np.random.Generator | None = None if seed is None else np.random.default_rng(seed)

    def reset(self, seed: int | None = None) -> None:
        """Begin anew; with a seed also the random numbers."""
        if seed is not None:
            self._rng = np.random.default_rng(seed)

    @property
    def rng(self) -> np.random.Generator:
        """Its random numbers."""
        if self._rng is None:
            self._rng = np.random.default_rng(int(self.action_space.np_random.integers(1 << 62)))
        return self._rng

    def get_action(self, observation: dict[str, Any]) -> int:
        """The next action."""
        raise NotImplementedError

    def positions(self) -> tuple[list[int], list[int]]:
        """Where agent and ghost are, as far as this agent knows.

        Raises:
            ValueError: it was given no environment.
        """
        if self.env is None:
            raise ValueError(f"{type(self).__name__} needs to know the environment: pass env=...")
        agent = self.env.agent_pos if self.perceived_agent_pos is None else self.perceived_agent_pos
        ghost = self.env.ghost_pos if self.perceived_ghost_pos is None else self.perceived_ghost_pos
        return list(agent), list(ghost)


def agent_made(agent_class: Any, env: Any) -> Any:
    """An agent; it is told the environment if it wants to know it.

    Raises:
        TypeError: nothing that makes agents, or what it makes has no `get_action`.
    """
    if not callable(agent_class):
        raise TypeError(
            f"a ghost agent is given as a class, or what makes one of an action space, not {agent_class!r}"
        )
    made = _made(agent_class, env)
    if not callable(getattr(made, "get_action", None)):
        raise TypeError(f"a ghost agent has a method get_action(observation), {made!r} has none")
    return made


def _made(agent_class: Any, env: Any) -> Any:
    try:
        parameters = inspect.signature(agent_class).parameters.values()
    except (TypeError, ValueError):
        return agent_class(env.action_space)
    takes = any(p.name == "env" or p.kind is p.VAR_KEYWORD for p in parameters)
    return agent_class(env.action_space, env=env) if takes else agent_class(env.action_space)
