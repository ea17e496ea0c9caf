"""One world with named agents, the basis of both PettingZoo APIs."""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from gridarium.engine import World
from gridarium.engine.single_world import SingleWorld
from gridarium.env.action_parts import ActionParts
from gridarium.env.own_actions import OwnActions
from gridarium.env.spaces import action_space, box
from gridarium.world.action_arguments import few
from gridarium.world.agent import ACTIVE, HELD, ORIENTATION, X, Y
from gridarium.world.state import State

Observation = dict[str, npt.NDArray[Any]]
MASK = "action_mask"


class TimeStep(NamedTuple):
    """The results of a tick for each agent."""

    observations: dict[str, Observation]
    rewards: dict[str, float]
    terminations: dict[str, bool]
    truncations: dict[str, bool]
    infos: dict[str, dict[str, Any]]

    def only(self, names: Iterable[str]) -> TimeStep:
        """The part that concerns some of the agents."""
        kept = list(names)
        return TimeStep(
            {name: self.observations[name] for name in kept},
            {name: self.rewards[name] for name in kept},
            {name: self.terminations[name] for name in kept},
            {name: self.truncations[name] for name in kept},
            {name: self.infos[name] for name in kept},
        )


class MultiAgentCore:
    """One world with several agents, known by their names.

    Args:
        world: the world.
        action_parts: whether actions are arrays of their parts, see `ActionParts`.

    Attributes:
        title: the world's name as PettingZoo writes them, such as two_agents_empty_8x8_v0.
        names: the agents.
        observation_spaces, action_spaces: for each agent, always the same objects.
        state_space: of `vector`.
    """

    def __init__(self, world: World, *, action_parts: bool = False) -> None:
        self.world = world
        self.action_parts = ActionParts(world.actions) if action_parts else None
        self.single, self._mission = SingleWorld(world.composed), ""
        description = world.spec.description
        words = re.sub(r"(?<=[a-z])(?=[A-Z])|[^A-Za-z0-9]+", "_", description.name).lower()
        self.title = f"{words}_v{description.version}"
        self.names = world.spec.agent_names
        masks = world.spec.action_masks
        self.masks = {name: np.array(mask, np.int8) for name, mask in zip(self.names, masks, strict=True)}
        self.restricted = world.spec.has_masks or not all(all(mask) for mask in masks)
        arrays: dict[str, spaces.Space[Any]] = {output.name: box(output) for output in world.composed.outputs}
        if self.restricted:
            arrays[MASK] = spaces.Box(0, 1, (len(world.actions),), np.int8)
        self.observation_spaces = {name: spaces.Dict(dict(arrays)) for name in self.names}
        self.action_spaces: dict[str, spaces.Space[Any]] = {
            name: OwnActions(mask)
            if self.action_parts is None and not mask.all()
            else action_space(world.composed, self.action_parts)
            for name, mask in self.masks.items()
        }
        size = 3 * world.spec.shape.height * world.spec.shape.width + 7 * len(self.names)
        self.state_space = spaces.Box(0, 255, (size,), np.uint8)

    def reset(self, seed: int | None, **given: Any) -> TimeStep:
        """Begin an episode; arguments as for `SingleWorld.reset`."""
        arrays = self.single.reset(seed, **given)
        self._mission = self.world.mission(self.single.state)
        observations, infos = self._by_name(arrays, 0, [0] * len(self.names))
        off = dict.fromkeys(self.names, False)
        return TimeStep(observations, dict.fromkeys(self.names, 0.0), off, dict(off), infos)

    def indices(self, chosen: Mapping[str, Any]) -> Mapping[str, Any]:
        """The actions that agents have chosen as indices, where they are given as parts.

        Raises:
            ValueError, TypeError: not the parts of an action.
        """
        if self.action_parts is None:
            return chosen
        return {n: None if a is None else self.action_parts.index(a) for n, a in chosen.items()}

    def step(self, chosen: Mapping[str, Any]) -> TimeStep:
        """One tick; agents that are not in `chosen` do nothing that matters.

        Raises:
            ValueError: an unknown agent, or an action that the agent does not have.
            TypeError: an action that is not a whole number.
            RuntimeError: before the first reset, or after the end of the episode.
        """
        for name in chosen.keys() - self.masks.keys():
            raise ValueError(f"no agent {name!r}; there are {', '.join(self.names)}")
        indices = [self._index(name, chosen.get(name)) for name in self.names]
        arrays, rewards, terminated, truncated = self.single.step_all(indices)
        observations, infos = self._by_name(arrays, self.single.tick, self.single.results.tolist())
        for name, outcome in self.outcomes.items():
            infos[name]["outcome"] = outcome
        return TimeStep(
            observations,
            dict(zip(self.names, rewards.tolist(), strict=True)),
            dict(zip(self.names, terminated.tolist(), strict=True)),
            dict(zip(self.names, truncated.tolist(), strict=True)),
            infos,
        )

    @property
    def outcomes(self) -> dict[str, float]:
        """What came of the episode for each agent, also for those that have left; empty before its end.

        Empty, too, in worlds without an outcome rule, whose outcomes are the sums of rewards.
        """
        found = self.single.outcomes
        if np.isnan(found).all():
            return {}
        return dict(zip(self.names, found.tolist(), strict=True))

    @property
    def acting(self) -> str:
        """The agent whose turn it is, where agents act one after another."""
        return self.names[self.single.turn]

    @property
    def present(self) -> list[str]:
        """The agents that take part; a reset rule may leave some out."""
        return [self.names[agent.number] for agent in self.state.agents if agent.active]

    @property
    def state(self) -> State:
        """The current state: a copy."""
        return self.single.state

    def check_name(self, name: Any) -> None:
        """Refuse a name that no agent has.

        Raises:
            KeyError: it is so, with those that there are.
        """
        if name not in self.masks:
            raise KeyError(f"no agent {name!r}; there are {', '.join(self.names)}")

    def vector(self) -> npt.NDArray[np.uint8]:
        """The whole state as bytes: kind, status and color of each cell, then for each agent y, x, orientation, whether
        it takes part, and kind, status and color of what it holds.
        """  # noqa: D205
        state = self.single.state
        cells = state.cells[..., None] >> np.array([0, 8, 16], np.uint32)
        held = state.agent_rows[:, HELD, None] >> np.array([0, 8, 16])
        agents = np.concatenate([state.agent_rows[:, [Y, X, ORIENTATION, ACTIVE]], held], axis=1)
        return np.concatenate([cells.ravel(), agents.ravel()]).astype(np.uint8)

    def _index(self, name: str, action: Any) -> int:
        mask = self.masks[name]
        if action is None:
            return int(mask.argmax())
        try:
            index = operator.index(action)
        except TypeError:
            raise TypeError(f"{name}'s action is the index of one, not {action!r}") from None
        if not 0 <= index < len(mask) or not mask[index]:
            own = few(f"{i} {a.name}" for i, a in enumerate(self.world.actions) if mask[i])
            raise ValueError(f"action {index} is none of {name}'s actions: {own}")
        return index

    def _by_name(
        self, arrays: Observation, tick: int, results: list[int]
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """The observations and infos of a tick, for each agent."""
        if len(self.names) == 1:
            arrays = {key: array[None] for key, array in arrays.items()}
        made = {name: {key: array[i] for key, array in arrays.items()} for i, name in enumerate(self.names)}
        infos: dict[str, dict[str, Any]] = {
            name: {"tick": tick, "result": result} for name, result in zip(self.names, results, strict=True)
        }
        if self._mission:
            for info in infos.values():
                info["mission"] = self._mission
        if not self.restricted and self.action_parts is not None:
            return made, infos  # PettingZoo would take a mask for one of the parts
        for name, mask in zip(self.names, self.single.action_masks, strict=True):
            infos[name][MASK] = mask
            if self.restricted:
                made[name][MASK] = mask.copy()
        return made, infos
