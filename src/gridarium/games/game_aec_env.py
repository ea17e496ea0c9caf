"""Any game as a PettingZoo environment. Needs the extra `gridarium[multiagent]`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from gridarium.engine.single_world import as_index
from gridarium.games.base_environment import BaseEnvironment, IllegalAction, Players, begin_game
from gridarium.games.world_game import WorldGame

try:
    from pettingzoo import AECEnv
except ImportError:  # pragma: no cover
    raise ImportError("games as environments need PettingZoo; install gridarium[multiagent]") from None

MASK = "action_mask"
Observation = dict[str, npt.NDArray[Any]]


class GameAECEnv(AECEnv[str, Observation, Any]):
    """A game whose players act one after another; of players who act at the same time, all choose before the game moves on.

    Observations are the game's arrays by name, truth values as int8, and `action_mask`, int8[actions]: all 0 when it is not the player's
    turn, and all 1 when the game is over, since PettingZoo's checks warn of agents without actions. Worlds have an environment of their own, `gridarium.env.aec_env`, with rendering.

    Args:
        game: the game.
        actions: all actions that a player can ever have, in the order of their indices; by default those of a world.
        num_players: by default the game's minimum.

    Raises:
        ValueError: no actions were given for a game that is not a world.

    Example:
        >>> env = GameAECEnv(Nim(), ["1", "2", "3"])
        >>> env.reset(seed=1)
        >>> for agent in env.agent_iter():
        ...     observation, reward, terminated, truncated, info = env.last()
        ...     mask = observation["action_mask"]
        ...     env.step(None if terminated or truncated else env.action_space(agent).sample(mask))
    """

    metadata: dict[str, Any] = {"render_modes": [], "is_parallelizable": False}  # noqa: RUF012
    render_mode = None

    def __init__(
        self, game: BaseEnvironment, actions: Sequence[str] | None = None, num_players: int | None = None
    ) -> None:
        super().__init__()
        if actions is None:
            if not isinstance(game, WorldGame):
                raise ValueError(f"the actions of {type(game).__name__} are needed, as a list of all texts")
            actions = [game.action_text(i) for i in range(len(game.world.actions))]
        self.game, self.actions = game, tuple(actions)
        self._index = {action: i for i, action in enumerate(self.actions)}
        self.metadata = {**self.metadata, "name": type(game).__name__}
        self.possible_agents = [f"player_{i}" for i in range(num_players or game.min_players)]
        self.agents: list[str] = []
        self._seeds = np.random.default_rng()
        state, _ = begin_game(game, len(self.possible_agents), 0)
        arrays: dict[str, spaces.Space[Any]] = {
            name: _space(array) for name, array in self._arrays(state, 0).items()
        }
        arrays[MASK] = spaces.Box(0, 1, (len(self.actions),), np.int8)
        self.observation_spaces = {agent: spaces.Dict(dict(arrays)) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(len(self.actions)) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of a player's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The space of a player's actions: indices of `actions`."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; options are ignored."""
        if seed is not None:
            self._seeds = np.random.default_rng(seed)
        drawn = int(self._seeds.integers(1 << 48))
        self._state, self._players = begin_game(self.game, len(self.possible_agents), drawn)
        self._chosen: list[str] = []
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self._players[0]]

    def observe(self, agent: str) -> Observation:
        """The current observation of a player."""
        player = self.possible_agents.index(agent)
        mask = np.zeros(len(self.actions), np.int8)
        legal = self.game.valid_actions(self._state, player) if self._players else self.actions
        mask[[self._index[action] for action in legal]] = 1
        return {**self._arrays(self._state, player), MASK: mask}

    def step(self, action: Any) -> None:
        """The selected player acts; None at the end of the game.

        Raises:
            IllegalAction: the action is not legal, or there is none of this index; nothing has changed.
            TypeError: the action is not a whole number.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        index, player = as_index(action), self.possible_agents.index(agent)
        if not 0 <= index < len(self.actions):
            raise IllegalAction(
                f"{agent}: actions are numbered from 0 to {len(self.actions) - 1}; got {index}"
            )
        if not self.game.is_valid_action(self._state, player, self.actions[index]):
            raise IllegalAction(f"{agent}: {self.actions[index]} is not legal now")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._chosen.append(self.actions[index])
        if len(self._chosen) == len(self._players):
            self._move()
            self._chosen = []
        if self._players:
            self.agent_selection = self.possible_agents[self._players[len(self._chosen)]]
        else:
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        self._accumulate_rewards()

    def render(self) -> None:
        """Show nothing."""

    def close(self) -> None:
        """Do nothing."""

    def _move(self) -> None:
        before = self.game.returns(self._state)
        following: Players
        self._state, following, *_ = self.game.next_state(self._state, self._players, self._chosen)
        self._players = following
        after = self.game.returns(self._state)
        self.rewards = {
            agent: float(b - a) for agent, a, b in zip(self.possible_agents, before, after, strict=True)
        }

    def _arrays(self, state: Any, player: int) -> Observation:
        arrays = self.game.state_to_observation(state, player)
        return {
            name: np.array(array, np.int8 if np.asarray(array).dtype == np.bool_ else None)
            for name, array in arrays.items()
        }


def _space(array: npt.NDArray[Any]) -> spaces.Box:
    """All arrays of a shape and type."""
    if np.issubdtype(array.dtype, np.integer):
        limits = np.iinfo(array.dtype)
        return spaces.Box(limits.min, limits.max, array.shape, array.dtype.type)
    return spaces.Box(-np.inf, np.inf, array.shape, array.dtype.type)
