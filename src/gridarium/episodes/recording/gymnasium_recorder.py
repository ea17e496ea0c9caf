"""Recording one environment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium as gym

from gridarium.episodes.recording.episode_recorder_base import (
    EpisodeRecorderBase,
    Sink,
    as_float,
    check_action,
    check_extras,
    copied,
    require,
)
from gridarium.episodes.single_agent_episode import SingleAgentEpisode


class EpisodeRecorder(EpisodeRecorderBase, gym.Wrapper[Any, Any, Any, Any]):
    """Records the episodes of a Gymnasium environment.

    Args:
        env: any environment.
        sink: gets each finished episode, for instance `EpisodeWriter.add`; without one, `take` gives them. What the sink
            raises is raised by the next `reset` or by `close`; until then `take` gives the episode.
        infos: whether infos are recorded.

    Raises:
        EpisodeError: not a `gymnasium.Env`, for instance a vector environment.

    An episode that is broken off by a reset or by `close` counts as truncated, since its last observation is not terminal.

    Example:
        >>> env = EpisodeRecorder(gymnasium.make("CartPole-v1"))
    """

    def __init__(
        self,
        env: gym.Env[Any, Any],
        *,
        sink: Sink | None = None,
        infos: bool = True,
    ) -> None:
        require("EpisodeRecorder", env)
        super().__init__(env)
        self._infos = infos
        self._record_to(sink)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin an episode; an active one is broken off.

        Raises:
            Exception: what the sink has raised; nothing was reset then.
        """
        self._sink_errors.raise_first()
        observation, info = self.env.reset(seed=seed, options=options)
        self._break_off()
        self.episode = SingleAgentEpisode(
            observation_space=self.observation_space, action_space=self.action_space
        )
        if seed is not None:
            self.episode.custom_data["seed"] = seed
        self.episode.add_env_reset(copied(observation), self._kept(info))
        return observation, info

    def step(
        self, action: Any, extras: Mapping[str, Any] | None = None
    ) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Step the environment.

        Args:
            action: as for the environment.
            extras: further model outputs; the same keys in every step.

        Raises:
            EpisodeError: an action of another form than the space's, or other extras; nothing was stepped then. Or the result
                of the step cannot be recorded; the episode is broken off then.
        """
        episode = self.episode if self.episode is not None and not self.episode.is_done else None
        if episode is not None:
            check_action(self.action_space, action)
            outputs = check_extras(extras, episode.extra_model_outputs if episode.t else None)
            acted = copied(action)
        observation, reward, terminated, truncated, info = self.env.step(action)
        if episode is not None:
            with self._broken_off_by_errors():
                episode.add_env_step(
                    copied(observation),
                    acted,
                    as_float(reward),
                    self._kept(info),
                    terminated=bool(terminated),
                    truncated=bool(truncated),
                    extra_model_outputs=outputs,
                )
            if episode.is_done:
                if "outcome" in info:
                    episode.custom_data["outcome"] = info["outcome"]
                self._put(episode)
        return observation, reward, terminated, truncated, info

    def close(self) -> None:
        """End the active episode, and close the environment.

        Raises:
            Exception: what the sink has raised; the environment is closed then.
        """
        self._break_off()
        super().close()
        self._sink_errors.raise_first()

    def _kept(self, info: dict[str, Any]) -> dict[str, Any]:
        return dict(info) if self._infos else {}
