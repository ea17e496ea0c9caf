"""What an agent is."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np

from gridarium.ghost import settings


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
        self.action_space = action_space
        self.env: Any = None if env is None else known_env(env, type(self).__name__)
        self.perceived_agent_pos: Sequence[int] | None = None
        self.perceived_ghost_pos: Sequence[int] | None = None
        self._seed, self._rng = settings.seed(seed), _generator(seed)

    def reset(self, seed: int | None = None) -> None:
        """Begin anew; with a seed also the random numbers."""
        if seed is not None:
            self._seed, self._rng = settings.seed(seed), _generator(seed)

    @property
    def rng(self) -> np.random.Generator:
        """Its random numbers."""
        if self._rng is None:
            if self._seed is None:
                self._seed = int(self.action_space.np_random.integers(1 << 62))
            self._rng = np.random.default_rng(self._seed)
        return self._rng

    def snapshot(self) -> Any:
        """A copy of what choosing changes: the random numbers. Agents with more of a memory add it.

        An interface asks for it before a round that may have to be taken back.
        """
        return None if self._rng is None else self._rng.bit_generator.state

    def restore(self, snapshot: Any) -> None:
        """Go back to a snapshot."""
        if snapshot is None:
            self._rng = None  # it begins anew, by the same seed
        else:
            self.rng.bit_generator.state = snapshot

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


def perceive(agent: Any, here: Sequence[int], observation: dict[str, Any]) -> None:
    """Let an agent take a cell for its own, and the ghost to be where it is seen from there.

    Args:
        agent: a `BaseAgent` that knows its environment; it is left alone if it perceives nothing.
        here: [row, column].
        observation: what the agent observes, with `ghost_relative_pos`.
    """
    if hasattr(agent, "perceived_agent_pos"):
        ghost = np.add(here, observation["ghost_relative_pos"])
        last = agent.env.rows - 1, agent.env.cols - 1
        agent.perceived_agent_pos, agent.perceived_ghost_pos = list(here), np.clip(ghost, 0, last).tolist()


def _generator(seed: int | None) -> np.random.Generator | None:
    return None if seed is None else np.random.default_rng(seed)


def known_env(env: Any, name: str) -> Any:
    """An environment of the ghost world, without wrappers.

    Args:
        env: the environment, perhaps as `gymnasium.make` gives it.
        name: who needs it.

    Raises:
        TypeError: it is none.
    """
    found = getattr(env, "unwrapped", env)
    if not (hasattr(found, "grid") and hasattr(found, "ways")):
        raise TypeError(
            f"{name} needs env=, a CustomGridEnv (of an AgentInterface: interface.env), got {env!r}"
        )
    return found


def agent_made(agent_class: Any, env: Any) -> Any:
    """An agent; it is told the environment if it wants to know it.

    Raises:
        TypeError: nothing that makes agents, or what it makes has no `get_action`.
    """
    if not callable(agent_class):
        raise TypeError(
            f"a ghost agent is given as a class, or what makes one of an action space, not {agent_class!r}"
        )
    try:
        made = _made(agent_class, env)
    except TypeError as error:
        if hasattr(agent_class, "get_action"):
            error.add_note(
                "a ghost agent is made of an action space: def __init__(self, action_space, **kwargs)"
            )
            raise
        raise TypeError(
            f"a ghost agent is made of an action space and has a method get_action(observation); {agent_class!r}: {error}"
        ) from error
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
