"""The actions and observations of one agent of a world."""

from __future__ import annotations

from collections.abc import Mapping

from gridarium.engine import World
from gridarium.engine.threads.outputs import Arrays
from gridarium.world import Action


def own_actions(world: World, agent: int) -> tuple[Action, ...]:
    """The actions that an agent has, in the world's order."""
    return tuple(world.actions[index] for index in own_action_indices(world, agent))


def own_action_indices(world: World, agent: int) -> list[int]:
    """The indices of the actions that an agent has."""
    return [index for index, has in enumerate(world.spec.action_masks[agent]) if has]


def idle_action(world: World, agent: int) -> int:
    """The action with which an agent changes least: waiting, turning, or its first one."""
    own = own_action_indices(world, agent)
    quiet = (Action.WAIT, Action.TURN_LEFT, Action.TURN_RIGHT)
    return next((i for action in quiet for i in own if world.actions[i] == action), own[0])


def own_observations(observations: Arrays, agent: int, agents: int) -> Arrays:
    """One agent's observations in n worlds, [n, ...] by name, of those of all agents, [n, agents, ...]."""
    return observations if agents == 1 else {name: a[:, agent] for name, a in observations.items()}


def observation_key(observation: Arrays) -> bytes:
    """An observation of one agent as bytes, to tell it from others.

    Raises:
        TypeError: not an observation.
    """
    if not isinstance(observation, Mapping):
        raise TypeError(
            f"an observation is arrays by name, as an environment gives them, not {observation!r}"
        )
    return b"".join(observation[name].tobytes() for name in sorted(observation))


def observation_keys(observations: Arrays, count: int) -> list[bytes]:
    """Each of several observations of one agent as bytes."""
    return [observation_key({name: a[k] for name, a in observations.items()}) for k in range(count)]
