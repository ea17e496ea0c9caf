"""Worlds with several agents as PettingZoo environments. Needs the extra `gridarium[multiagent]`.

Both APIs are there for every world: `parallel_env` takes the actions of all agents at once, `aec_env` one after
another. Where agents take turns (turn order "cycle") the latter is what happens in the world, and a step of the former
uses only the action of the agent whose turn it is; otherwise the latter collects actions until all have chosen.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from gridarium.env.arguments import (
    RENDER_MODES,
    WorldLike,
    check_rendering,
    check_reset_options,
    merge_parameters,
    open_world,
)
from gridarium.env.human import HumanView
from gridarium.env.multi_agent_core import MASK, MultiAgentCore, Observation, TimeStep
from gridarium.env.rendering import Rendered, rendered
from gridarium.world.state import State

try:
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils.conversions import parallel_to_aec
except ImportError:  # pragma: no cover
    raise ImportError("worlds with several agents need PettingZoo; install gridarium[multiagent]") from None


def parallel_env(world: WorldLike, render_mode: str | None = None, **options: Any) -> GridariumParallelEnv:
    """A world whose agents all choose before it moves on.

    Args:
        world: the name of a catalogue world, a YAML file, a description as a mapping, a `Description`, `Spec` or
            `World`.
        render_mode: None, "ansi", "rgb_array" or "human" (a window, drawn at each reset and step).
        options: `max_cycles` (the most steps of an episode, in the place of the world's own limit), and
            `representation`, `action_parts`, `compiled`, `tile`, `allow_imports` and parameters of the world as for
            `gridarium.env.GridariumEnv`.

    Raises:
        ValueError: no such world, word or parameter, or a wrong description.
    """
    return GridariumParallelEnv(world, render_mode, **options)


def aec_env(
    world: WorldLike, render_mode: str | None = None, **options: Any
) -> AECEnv[str, Observation, Any]:
    """A world whose agents choose one after another; arguments as for `parallel_env`."""
    made = GridariumAECEnv(world, render_mode, **options)
    if made.core.world.spec.turn_order == "cycle":
        return made
    parts = made.core.action_parts is not None
    return parallel_to_aec(
        GridariumParallelEnv(made.core.world, render_mode, tile=made.tile, action_parts=parts)
    )


class _Environment:
    """The part that both kinds of environments share.

    Observations are dictionaries of arrays. Infos have an `action_mask`, int8[actions]: what is legal, or what the agent has; where
    that is not everything, observations have it, too, and samples of an agent's action space are actions that it has
    (`OwnActions`). Of agents that wait for their turn it is all zeros in AEC environments, as in PettingZoo's own games; in parallel
    ones it is what the agent has, since whoever draws an action for each agent needs one, which is then ignored. Infos also hold `tick` and `result`, and `mission` in worlds that have one, as in
    `gridarium.env.GridariumEnv`. At the end of an episode, in worlds with an outcome rule, they hold `outcome`; that of agents
    that left earlier is in `outcomes`.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 8}

    def __init__(
        self,
        world: WorldLike,
        render_mode: str | None = None,
        *,
        max_cycles: int | None = None,
        representation: str | Mapping[str, Any] | None = None,
        action_parts: bool = False,
        compiled: bool = True,
        tile: int = 32,
        allow_imports: bool = False,
        **parameters: Any,
    ) -> None:
        check_rendering(render_mode, tile)
        self.render_mode, self.tile = render_mode, tile
        opened = open_world(
            world,
            parameters=merge_parameters(parameters, representation, ("max_cycles", max_cycles)),
            compiled=compiled,
            allow_imports=allow_imports,
        )
        self.core = MultiAgentCore(opened, action_parts=action_parts)
        self.metadata = {**self.metadata, "name": self.core.title}
        self.possible_agents = list(self.core.names)
        self.agents: list[str] = []
        fps = self.metadata["render_fps"]
        self._human = HumanView(opened, self.core.names, tile, fps) if render_mode == "human" else None
        self.state_space = self.core.state_space

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent's observations.

        Raises:
            KeyError: no such agent, with those that there are.
        """
        self.core.check_name(agent)
        return self.core.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent's actions: indices into the world's list, or arrays of their parts.

        Raises:
            KeyError: no such agent, with those that there are.
        """
        self.core.check_name(agent)
        return self.core.action_spaces[agent]

    def state(self) -> npt.NDArray[np.uint8]:
        """The whole state as bytes, see `MultiAgentCore.vector`."""
        return self.core.vector()

    @property
    def world_state(self) -> State:
        """The current state as an object: a copy."""
        return self.core.state

    @property
    def outcomes(self) -> dict[str, float]:
        """See `MultiAgentCore.outcomes`."""
        return self.core.outcomes

    def render(self) -> Rendered | None:
        """A text or a picture of the state, by `render_mode`; None without one, and for "human"."""
        if self.render_mode is None:
            return None
        if self._human is not None:
            self._human.refresh([self.world_state])
            return None
        return rendered(self.core.world, self.core.state, self.render_mode, self.tile)

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._human is not None:
            self._human.close()

    def _moved(self, time_step: TimeStep, chosen: Mapping[str, Any]) -> TimeStep:
        """Show a tick in the window, if there is one, and return it."""
        if self._human is not None:
            names = self.core.names
            self._human.stepped(
                [self.world_state],
                self.core.single.tick,
                [-1 if chosen.get(name) is None else int(chosen[name]) for name in names],
                [time_step.rewards[name] for name in names],
                [time_step.infos[name]["result"] for name in names],
                [time_step.terminations[name] or time_step.truncations[name] for name in names],
                self.core.single.outcomes,
            )
        return time_step

    def _begun(self, time_step: TimeStep) -> TimeStep:
        """Show the beginning of an episode in the window, if there is one, and return it."""
        if self._human is not None:
            self._human.began([self.world_state])
        return time_step


class GridariumParallelEnv(_Environment, ParallelEnv[str, Observation, Any]):
    """A world whose agents all choose before it moves on; see `parallel_env` for the arguments."""

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin an episode; arguments and errors as for `gridarium.env.GridariumEnv.reset`.

        What PettingZoo's own tests hand over as options, `{"options": 1}`, means nothing.
        """
        time_step = self._begun(self.core.reset(seed, **_known(options)))
        self.agents = self.core.present
        begun = time_step.only(self.agents)
        return begun.observations, begun.infos

    def step(self, actions: Mapping[str, Any]) -> TimeStep:
        """One tick.

        Args:
            actions: one for each agent in `agents` (where they take turns, for those whose turn it is).

        Returns:
            observations, rewards, terminations, truncations, infos: for each agent that took part.

        Raises:
            ValueError: an action is missing, or is none of the agent's, or an unknown agent.
            TypeError: an action that is not a whole number, or not a mapping from agents to actions.
            RuntimeError: before the first reset, or after the end of the episode.
        """
        if not isinstance(actions, Mapping):
            raise TypeError(
                f"actions are given by agents' names, as {{{self.possible_agents[0]!r}: 0}}, not as {actions!r}"
            )
        actions = self.core.indices(actions)
        live = self.agents
        needed = live
        if live and self.core.world.spec.turn_order in ("cycle", "chosen"):
            needed = [self.core.names[agent] for agent in self.core.single.acting]
        for name in needed:
            if actions.get(name) is None:
                raise ValueError(f"the action of {name} is missing")
        time_step = self._moved(self.core.step(actions), actions).only(live)
        self.agents = [n for n in live if not (time_step.terminations[n] or time_step.truncations[n])]
        return time_step


class GridariumAECEnv(_Environment, AECEnv[str, Observation, Any]):
    """A world whose agents act one after another; see `aec_env` for the arguments."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode; arguments and errors as for `gridarium.env.GridariumEnv.reset`.

        What PettingZoo's own tests hand over as options, `{"options": 1}`, means nothing.
        """
        self._take(self._begun(self.core.reset(seed, **_known(options))), self.core.present)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.agent_selection = self.core.acting
        self._skip_agent_selection = None

    def step(self, action: Any) -> None:
        """The selected agent acts; None for an agent that has left.

        Raises:
            ValueError: an action that the agent does not have.
            TypeError: an action that is not a whole number.
            RuntimeError: before the first reset, or after the end of the episode.
        """
        if not self.agents:
            raise RuntimeError("reset the environment before stepping it")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"the action of {agent} is missing")
        chosen = self.core.indices({agent: action})
        time_step = self._moved(self.core.step(chosen), chosen)
        self._cumulative_rewards[agent] = 0.0
        self._take(time_step, self.agents)
        self._accumulate_rewards()
        if not all(self.terminations[n] or self.truncations[n] for n in self.agents):
            self.agent_selection = self.core.acting
        self._deads_step_first()

    def observe(self, agent: str) -> Observation:
        """The current observation of an agent.

        Raises:
            KeyError: no such agent, with those that there are.
        """
        self.core.check_name(agent)
        return {name: array.copy() for name, array in self._observations[agent].items()}

    def _take(self, time_step: TimeStep, agents: list[str]) -> None:
        self.agents = agents
        self._observations, self.rewards, self.terminations, self.truncations, self.infos = time_step.only(
            agents
        )
        for name in self.agents:
            if name != self.core.acting and not (self.terminations[name] or self.truncations[name]):
                for given in (self._observations[name], self.infos[name]):
                    if MASK in given:
                        given[MASK] = np.zeros_like(given[MASK])


PETTINGZOO_TESTS = {"options": 1}
"""The options that PettingZoo's own tests of environments pass to every `reset`."""


def _known(options: dict[str, Any] | None) -> dict[str, Any]:
    """The options of a reset; those of PettingZoo's own tests mean nothing.

    Raises:
        TypeError, ValueError: other options than there are.
    """
    return check_reset_options(None if options == PETTINGZOO_TESTS else options)
