"""Recording PettingZoo environments: parallel ones, and those in which agents act in turn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from gridarium.episodes.errors import EpisodeError
from gridarium.episodes.multi_agent import MultiAgentEpisode
from gridarium.episodes.recording.episode_recorder_base import (
    NOT_STEPPED,
    EpisodeRecorderBase,
    Sink,
    as_float,
    check_action,
    check_extras,
    copied,
    require,
)


class _PettingZooRecorder(EpisodeRecorderBase):
    """The base of both kinds. All other attributes are those of the environment.

    Args:
        env: a PettingZoo environment.
        sink: gets each finished episode, for instance `EpisodeWriter.add`; without one, `take` gives them. What the sink
            raises is raised by the next `reset` or by `close`; until then `take` gives the episode.
        infos: whether infos are recorded.

    Raises:
        EpisodeError: an environment of another kind.
    """

    _name: ClassVar[str]

    def __init__(self, env: Any, *, sink: Sink | None = None, infos: bool = True) -> None:
        require(self._name, env)
        self.env, self._infos = env, infos
        self._record_to(sink)

    def __getattr__(self, name: str) -> Any:
        if name == "env":  # not there yet, while it is unpickled
            raise AttributeError(name)
        return getattr(self.env, name)

    def close(self) -> None:
        """End the active episode, and close the environment.

        Raises:
            Exception: what the sink has raised; the environment is closed then.
        """
        self._break_off()
        self.env.close()
        self._sink_errors.raise_first()

    def _begin(self, observations: Mapping[Any, Any], infos: Mapping[Any, Any]) -> None:
        self._break_off()
        agents = self.env.possible_agents
        self.episode = MultiAgentEpisode(
            observation_space={agent: self.env.observation_space(agent) for agent in agents},
            action_space={agent: self.env.action_space(agent) for agent in agents},
        )
        self.episode.add_env_reset(
            observations=_copied_by_agent(observations), infos=self._kept(infos, observations)
        )

    def _check(self, actions: Any, extras: Any) -> dict[Any, dict[str, Any]]:
        """Check actions and extras before a step, and return the extras as dicts.

        Raises:
            EpisodeError: what cannot be recorded, and why.
        """
        for name, data in (("actions", actions), ("extras", extras)):
            if data is not None and not isinstance(data, Mapping):
                raise EpisodeError(f"{name}: expected a dict from agents, got {data!r}; {NOT_STEPPED}")
        due = self.episode.get_agents_to_act()
        for agent, action in actions.items():
            if agent in due:
                check_action(self.env.action_space(agent), action, f"action of agent {agent!r}")
        outputs = {}
        for agent, own_extras in (extras or {}).items():
            own = self.episode.agent_episodes.get(agent)
            known = own.extra_model_outputs if own is not None and own.t else None
            outputs[agent] = check_extras(own_extras, known, f"extras of agent {agent!r}")
        return outputs

    @property
    def _is_recording(self) -> bool:
        return self.episode is not None and not self.episode.is_done

    def _put_if_done(self, episode: MultiAgentEpisode) -> None:
        if episode.is_done:
            outcomes = getattr(self.env.unwrapped, "outcomes", None)  # of Gridarium's environments
            for agent, own in episode.agent_episodes.items():
                if isinstance(outcomes, Mapping) and agent in outcomes:
                    own.custom_data["outcome"] = outcomes[agent]
            self._put(episode)

    def _kept(self, infos: Mapping[Any, Any], agents: Mapping[Any, Any]) -> dict[Any, Any]:
        return {agent: dict(infos[agent]) for agent in agents if agent in infos} if self._infos else {}


class ParallelEpisodeRecorder(_PettingZooRecorder):
    """Records the episodes of a PettingZoo parallel environment.

    Args:
        env: the environment.
        sink: gets each finished episode, for instance `EpisodeWriter.add`; without one, `take` gives them. What the sink
            raises is raised by the next `reset` or by `close`; until then `take` gives the episode.
        infos: whether infos are recorded.

    Raises:
        EpisodeError: an environment of another kind, for instance one in which agents act in turn.

    An episode that is broken off by a reset or by `close` counts as truncated.
    """

    _name = "ParallelEpisodeRecorder"

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[Any, Any], dict[Any, Any]]:
        """Begin an episode; an active one is broken off.

        Raises:
            Exception: what the sink has raised; nothing was reset then.
        """
        self._sink_errors.raise_first()
        observations, infos = self.env.reset(seed=seed, options=options)
        self._begin(observations, infos)
        return observations, infos

    def step(self, actions: Mapping[Any, Any], extras: Mapping[Any, Mapping[str, Any]] | None = None) -> Any:
        """Step all agents.

        Args:
            actions: as for the environment.
            extras: further model outputs, agent -> key -> value; the same keys in every step.

        Raises:
            EpisodeError: an agent without an action, an action of another form than its space's, or other extras; nothing was
                stepped then. Or the result of the step cannot be recorded; the episode is broken off then.
        """
        if not self._is_recording:
            return self.env.step(actions)
        episode, before = self.episode, list(self.env.agents)
        outputs = self._check(actions, extras)
        idle = [agent for agent in before if agent in episode.get_agents_to_act() and agent not in actions]
        if idle:
            raise EpisodeError(f"no action for {idle}; {NOT_STEPPED}")
        acted = _copied_by_agent({agent: action for agent, action in actions.items() if agent in before})
        result = self.env.step(actions)
        with self._broken_off_by_errors():
            observations, rewards, terminated, truncated, infos = result
            over = not self.env.agents
            episode.add_env_step(
                _copied_by_agent(observations),
                acted,
                {agent: as_float(reward) for agent, reward in rewards.items()},
                self._kept(infos, observations),
                terminateds=dict(terminated)
                | {"__all__": over and bool(terminated) and all(terminated.values())},
                truncateds=dict(truncated) | {"__all__": over and not any(terminated.values())},
                extra_model_outputs=outputs,
            )
        self._put_if_done(episode)
        return result


class AECEpisodeRecorder(_PettingZooRecorder):
    """Records the episodes of a PettingZoo environment whose agents act in turn.

    A step of the episode is one agent's action; then the agent that acts next observes. Arguments are those of
    `ParallelEpisodeRecorder`.
    """

    _name = "AECEpisodeRecorder"
    _unfinished: dict[str, Any] | None = None
    """The last step, while agents leave after it and nobody has observed yet."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode; an active one is broken off.

        Raises:
            Exception: what the sink has raised; nothing was reset then.
        """
        self._sink_errors.raise_first()
        self.env.reset(seed=seed, options=options)
        self._gone: set[Any] = set()
        first = self.env.agent_selection
        self._begin({first: self.env.observe(first)}, self.env.infos)

    def step(self, action: Any, extras: Mapping[str, Any] | None = None) -> None:
        """Step the selected agent; None for one that has left.

        Args:
            action: as for the environment.
            extras: further model outputs; the same keys in every step.

        Raises:
            EpisodeError: as of `ParallelEpisodeRecorder.step`.
        """
        env, agent = self.env, self.env.agent_selection
        leaving = env.terminations[agent] or env.truncations[agent]
        if leaving or not self._is_recording:
            env.step(action)
            if self._unfinished is not None and env.agents and env.agent_selection not in self._gone:
                with self._broken_off_by_errors():
                    self._finish_step()
            return
        outputs, acted = self._check({agent: action}, {agent: extras} if extras else None), copied(action)
        env.step(action)
        with self._broken_off_by_errors():
            self._record(agent, acted, outputs)

    def _record(self, agent: Any, action: Any, outputs: dict[Any, dict[str, Any]]) -> None:
        """Record a step, at once or, if agents leave after it, when it is known who acts next."""
        env = self.env
        ended = {a for a in env.agents if env.terminations[a] or env.truncations[a]} - self._gone
        self._gone |= ended
        over = bool(env.agents) and all(a in self._gone for a in env.agents)
        observations = {a: env.observe(a) for a in env.agents if a in ended}
        self._unfinished = {
            "observations": _copied_by_agent(observations),
            "actions": {agent: action},
            "rewards": {
                a: as_float(reward)
                for a, reward in env.rewards.items()
                if a in env.agents and (a not in self._gone or a in ended)
            },
            "infos": self._kept(env.infos, observations),
            "terminateds": {a: bool(env.terminations[a]) for a in ended}
            | {"__all__": over and all(env.terminations[a] for a in env.agents)},
            "truncateds": {a: bool(env.truncations[a]) for a in ended}
            | {"__all__": over and not any(env.terminations[a] for a in env.agents)},
            "extra_model_outputs": outputs,
        }
        if over or env.agent_selection not in self._gone:
            self._finish_step(over=over)

    def _finish_step(self, *, over: bool = False) -> None:
        """Add the step to the episode, with the observation of the agent that acts next."""
        unfinished, self._unfinished = self._unfinished, None
        assert unfinished is not None
        if not over:
            observing = {self.env.agent_selection: self.env.observe(self.env.agent_selection)}
            unfinished["observations"] |= _copied_by_agent(observing)
            unfinished["infos"] |= self._kept(self.env.infos, observing)
        self.episode.add_env_step(**unfinished)
        self._put_if_done(self.episode)

    def _break_off(self) -> None:
        if self._unfinished is not None:
            self._finish_step(over=True)
        super()._break_off()


def _copied_by_agent(items: Mapping[Any, Any]) -> dict[Any, Any]:
    return {agent: copied(item) for agent, item in items.items()}
