"""Going back to how an episode was, after something could be added for some of its agents only."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from gridarium.episodes.multi_agent.facts import MultiAgentFacts
from gridarium.episodes.multi_agent.hanging import HANGING_AT_END
from gridarium.episodes.single_agent_episode import SingleAgentEpisode

KEPT = ("t", "is_terminated", "is_truncated", "_last_step_time")


@contextmanager
def all_or_nothing(episode: MultiAgentFacts) -> Iterator[None]:
    """Take back what was added to an episode's agents inside, if an error comes out of it."""
    agents = {agent: _Before(inner) for agent, inner in episode.agent_episodes.items()}
    totals = {agent: steps.len_incl_lookback() for agent, steps in episode.env_t_to_agent_t.items()}
    hanging = {name: dict(getattr(episode, name)) for name in HANGING_AT_END}
    try:
        yield
    except Exception:
        for agent in set(episode.agent_episodes) - set(agents):
            del episode.agent_episodes[agent], episode.env_t_to_agent_t[agent]
        for before in agents.values():
            before.restore()
        for agent, total in totals.items():
            episode.env_t_to_agent_t[agent].truncate(total)
        for name, items in hanging.items():
            getattr(episode, name).clear()
            getattr(episode, name).update(items)
        raise


class _Before:
    """How long an episode was to which steps are only added."""

    def __init__(self, episode: SingleAgentEpisode) -> None:
        self.episode = episode
        self.outputs = dict(episode.extra_model_outputs)
        self.totals = {name: buffer.len_incl_lookback() for name, buffer in episode.buffers().items()}
        self.last_info = episode.infos.get(-1)  # joining replaces it
        self.kept = {name: getattr(episode, name) for name in KEPT}
        self.custom_data = dict(episode.custom_data)

    def restore(self) -> None:
        self.episode.extra_model_outputs = self.outputs
        buffers = self.episode.buffers()  # by name: infos that were only counted are in them by now
        for name, total in self.totals.items():
            buffers[name].truncate(total)
        self.episode.infos.set(self.last_info, at_indices=-1)
        for name, value in self.kept.items():
            setattr(self.episode, name, value)
        self.episode.custom_data.clear()
        self.episode.custom_data.update(self.custom_data)
