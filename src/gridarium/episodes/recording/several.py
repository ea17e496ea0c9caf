"""Recording PettingZoo environments, parallel ones and those in which agents act one after another."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from gridarium.episodes.multi_agent import MultiAgentEpisode
from gridarium.episodes.recording.accepting import require
from gridarium.episodes.recording.outbox import RecordsEpisodes, copied


class _Recorder(RecordsEpisodes):
    """What both kinds have in common. All else is the environment's own.

    Args:
        env: a PettingZoo environment.
        sink: gets each finished episode, for instance `EpisodeWriter.add`; without one, `take` gives them.
        infos: whether infos are kept.

    Raises:
        EpisodeError: an environment of another kind.
    """

    _name: ClassVar[str]

    def __init__(
        self, env: Any, *, sink: Callable[[MultiAgentEpisode], object] | None = None, infos: bool = True
    ) -> None:
        require(self._name, env)
        self.env, self._infos = env, infos
        self._record_to(sink)

    def __getattr__(self, name: str) -> Any:
        if name == "env":  # not there yet, while it is unpickled
            raise AttributeError(name)
        return getattr(self.env, name)

    def close(self) -> None:
        """Finish the episode that is going on, and close the environment."""
        self._break_off()
        self.env.close()

    def _begin(self, observations: Mapping[Any, Any], infos: Mapping[Any, Any]) -> None:
        self._break_off()
        agents = self.env.possible_agents
        self.episode = MultiAgentEpisode(
            observation_space={agent: self.env.observation_space(agent) for agent in agents},
            action_space={agent: self.env.action_space(agent) for agent in agents},
        )
        self.episode.add_env_reset(observations=_all(observations), infos=self._kept(infos, observations))

    def _put_if_done(self, episode: MultiAgentEpisode) -> None:
        if episode.is_done:
            self._put(episode)

    def _kept(self, infos: Mapping[Any, Any], agents: Mapping[Any, Any]) -> dict[Any, Any]:
        return {agent: dict(infos[agent]) for agent in agents if agent in infos} if self._infos else {}


class ParallelEpisodeRecorder(_Recorder):
    """Keeps what happens in a PettingZoo parallel environment as episodes of several agents.

    Args:
        env: the environment.
        sink: gets each finished episode, for instance `EpisodeWriter.add`; without one, `take` gives them.
        infos: whether infos are kept.

    Raises:
        EpisodeError: an environment of another kind, for instance one in which agents act in turn.

    An episode that is broken off by a reset or by `close` counts as truncated.
    """

    _name = "ParallelEpisodeRecorder"

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        """Begin an episode; one that was going on is broken off."""
        observations, infos = self.env.reset(seed=seed, options=options)
        self._begin(observations, infos)
        return observations, infos

    def step(self, actions: Mapping[Any, Any], extras: Mapping[Any, Mapping[str, Any]] | None = None) -> Any:
        """One step of all agents.

        Args:
            actions: as for the environment.
            extras: what models gave besides, agent -> key -> value.
        """
        before = list(self.env.agents)
        result = self.env.step(actions)
        observations, rewards, terminated, truncated, infos = result
        episode = self.episode
        if episode is not None and not episode.is_done:
            over = not self.env.agents
            episode.add_env_step(
                _all(observations),
                _all({agent: action for agent, action in actions.items() if agent in before}),
                {agent: float(reward) for agent, reward in rewards.items()},
                self._kept(infos, observations),
                terminateds=dict(terminated) | {"__all__": over and any(terminated.values())},
                truncateds=dict(truncated) | {"__all__": over and not any(terminated.values())},
                extra_model_outputs={agent: dict(given) for agent, given in (extras or {}).items()},
            )
            self._put_if_done(episode)
        return result


class AECEpisodeRecorder(_Recorder):
    """Keeps what happens in a PettingZoo environment whose agents act one after another as episodes of several agents.

    A step of the episode is one agent's action; then the agent that acts next observes. Arguments are those of
    `ParallelEpisodeRecorder`.
    """

    _name = "AECEpisodeRecorder"

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode; one that was going on is broken off."""
        self.env.reset(seed=seed, options=options)
        self._gone: set[Any] = set()
        first = self.env.agent_selection
        self._begin({first: self.env.observe(first)}, self.env.infos)

    def step(self, action: Any, extras: Mapping[str, Any] | None = None) -> None:
        """The selected agent acts; None for one that has left.

        Args:
            action: as for the environment.
            extras: what its model gave besides.
        """
        env, agent = self.env, self.env.agent_selection
        leaving = env.terminations[agent] or env.truncations[agent]
        env.step(action)
        episode = self.episode
        if leaving or episode is None or episode.is_done:
            return
        ended = {a for a in env.agents if env.terminations[a] or env.truncations[a]} - self._gone
        self._gone |= ended
        over = bool(env.agents) and all(a in self._gone for a in env.agents)
        acting = {env.agent_selection} - self._gone if not over else set()
        observations = {a: env.observe(a) for a in env.agents if a in ended | acting}
        all_terminated = any(env.terminations[a] for a in env.agents)
        episode.add_env_step(
            _all(observations),
            {agent: copied(action)},
            {
                a: float(reward)
                for a, reward in env.rewards.items()
                if a in env.agents and (a not in self._gone or a in ended)
            },
            self._kept(env.infos, observations),
            terminateds={a: bool(env.terminations[a]) for a in ended} | {"__all__": over and all_terminated},
            truncateds={a: bool(env.truncations[a]) for a in ended}
            | {"__all__": over and not all_terminated},
            extra_model_outputs={agent: dict(extras)} if extras else None,
        )
        self._put_if_done(episode)


def _all(items: Mapping[Any, Any]) -> dict[Any, Any]:
    return {agent: copied(item) for agent, item in items.items()}
