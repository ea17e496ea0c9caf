"""How an episode stands: begun or over, how long, in which spaces."""

from __future__ import annotations

from typing import Any

import gymnasium as gym

from gridarium.episodes.access import EpisodeAccess
from gridarium.episodes.showing import of_episode


class EpisodeFacts(EpisodeAccess):
    """What an episode tells about itself."""

    __slots__ = ("_action_space", "_custom_data", "_last_step_time", "_observation_space", "_start_time")

    _observation_space: gym.Space[Any] | None
    _action_space: gym.Space[Any] | None
    _custom_data: dict[str, Any]
    _start_time: float | None
    _last_step_time: float | None

    @property
    def is_reset(self) -> bool:
        """Whether there is an observation."""
        return len(self.observations) > 0

    @property
    def is_done(self) -> bool:
        """Whether the episode is over: terminated or truncated."""
        return self.is_terminated or self.is_truncated

    @property
    def is_numpy(self) -> bool:
        """Whether getters give arrays (infos are lists always)."""
        return self.rewards.finalized

    @property
    def observation_space(self) -> gym.Space[Any] | None:
        """The space of one observation."""
        return self._observation_space

    @observation_space.setter
    def observation_space(self, space: gym.Space[Any] | None) -> None:
        self._observation_space = self.observations.space = space

    @property
    def action_space(self) -> gym.Space[Any] | None:
        """The space of one action."""
        return self._action_space

    @action_space.setter
    def action_space(self, space: gym.Space[Any] | None) -> None:
        self._action_space = self.actions.space = space

    @property
    def custom_data(self) -> dict[str, Any]:
        """Whatever its users want to keep with the episode."""
        return self._custom_data

    def _repr_html_(self) -> str:
        return of_episode(self)

    def __len__(self) -> int:
        return self.t - self.t_started

    def env_steps(self) -> int:
        """The number of steps."""
        return len(self)

    def agent_steps(self) -> int:
        """The number of steps, of the one agent."""
        return len(self)

    def get_duration_s(self) -> float:
        """Seconds from the reset to the last step."""
        if self._start_time is None or self._last_step_time is None:
            return 0.0
        return self._last_step_time - self._start_time
