"""The streams of a dataset that is written: episodes of one form make one, and each agent's episodes lie in one."""

from __future__ import annotations

from collections.abc import Sequence

from gridarium.episodes.disk import tables
from gridarium.episodes.disk.header import Header, Stream
from gridarium.episodes.errors import EpisodeError
from gridarium.episodes.recording.block import EpisodeBlock, Spaces
from gridarium.episodes.recording.building import form_of_episode
from gridarium.episodes.recording.forms import EpisodeForm, form_of_space
from gridarium.episodes.single_agent_episode import SingleAgentEpisode

Mark = tuple[list[Stream], dict[str, int]]


class Streams:
    """The streams that are known, by their numbers. The first episode of an agent tells how all of them are.

    Args:
        before: what the dataset says of itself already.
        spaces: of episodes that are no agent's, in the place of those that they have themselves.

    Attributes:
        known: all streams.
        agents: the number of the stream of each agent, by its id as JSON; an empty text for episodes that are no agent's.
    """

    def __init__(self, before: Header | None, spaces: Spaces) -> None:
        self.known: list[Stream] = list(before.streams) if before else []
        self.agents: dict[str, int] = dict(before.agents) if before else {}
        self._spaces = spaces

    def mark(self) -> Mark:
        """How it stands, for `back_to`."""
        return list(self.known), dict(self.agents)

    def back_to(self, mark: Mark) -> None:
        """Forget what was added since."""
        self.known, self.agents = mark

    def of_episode(self, agent: str, episode: SingleAgentEpisode) -> int:
        """The number of the stream of an agent's episodes.

        Raises:
            EpisodeError: the first one cannot be kept in columns.
        """
        if agent not in self.agents:
            form, spaces = form_of_episode(episode), (episode.observation_space, episode.action_space)
            if agent == "":
                given = zip(self._spaces, (form.observations, form.actions), strict=True)
                seen, done = [form_of_space(space) if space else part for space, part in given]
                form = EpisodeForm(seen, done, form.extras)
            self.agents[agent] = self._declared(agent, form, spaces)
        return self.agents[agent]

    def of_block(self, block: EpisodeBlock, agents: Sequence[str]) -> int:
        """The number of the stream of a block's episodes, the same for each of these agents.

        Raises:
            EpisodeError: an agent's episodes have had another form before.
        """
        for agent in agents:
            if agent not in self.agents:
                self.agents[agent] = self._declared(agent, block.form, block.spaces)
            known = self.known[self.agents[agent]].form
            if known != block.form:
                raise EpisodeError(_difference(known, block.form))
        return self.agents[agents[0]]

    def number(self, stream: Stream) -> int:
        """The number of a stream, which is added if it is new.

        Raises:
            EpisodeError: a column or a space that cannot be written.
        """
        for i, other in enumerate(self.known):
            if stream.same(other):
                return i
        for name, column in stream.form.columns().items():
            tables.require_storable(name, column)
        Header((stream,)).write()  # refuses a space now rather than at the next flush
        self.known.append(stream)
        return len(self.known) - 1

    def _declared(self, agent: str, form: EpisodeForm, spaces: Spaces) -> int:
        if agent == "":
            spaces = self._spaces[0] or spaces[0], self._spaces[1] or spaces[1]
        return self.number(Stream(form, spaces))


def _difference(known: EpisodeForm, other: EpisodeForm) -> str:
    """The first column in which two forms differ, in words."""
    mine, theirs = known.columns(), other.columns()
    for name in {**mine, **theirs}:
        if mine.get(name) != theirs.get(name):
            return f"{name}: the block's column is {theirs.get(name)}, the dataset's is {mine.get(name)}"
    return "the block's columns are nested otherwise than the dataset's"
