"""The streams of a dataset that is written: episodes with one schema are in one, and so are all episodes of an agent."""

from __future__ import annotations

from collections.abc import Sequence

from gridarium.episodes.disk import arrow_tables
from gridarium.episodes.disk.header import Header, Stream
from gridarium.episodes.errors import EpisodeError
from gridarium.episodes.recording.block_building import schema_of_episode
from gridarium.episodes.recording.episode_block import EpisodeBlock, Spaces
from gridarium.episodes.recording.schema import EpisodeSchema, schema_of_space
from gridarium.episodes.single_agent_episode import SingleAgentEpisode

Checkpoint = tuple[list[Stream], dict[str, int]]


class StreamRegistry:
    """The streams of a dataset by number. The first episode of an agent determines the stream of all of them.

    Args:
        before: the header of the dataset so far.
        spaces: of episodes without an agent, instead of their own.

    Attributes:
        known: all streams.
        agents: the number of the stream of each agent, by its id as JSON; an empty text for episodes without an agent.
    """

    def __init__(self, before: Header | None, spaces: Spaces) -> None:
        self.known: list[Stream] = list(before.streams) if before else []
        self.agents: dict[str, int] = dict(before.agents) if before else {}
        self._spaces = spaces

    def checkpoint(self) -> Checkpoint:
        """The current state, for `restore`."""
        return list(self.known), dict(self.agents)

    def restore(self, checkpoint: Checkpoint) -> None:
        """Drop what was added since."""
        self.known, self.agents = checkpoint

    def of_episode(self, agent: str, episode: SingleAgentEpisode) -> int:
        """The number of the stream of an agent's episodes.

        Raises:
            EpisodeError: the first one cannot be stored in columns.
        """
        if agent not in self.agents:
            schema, spaces = schema_of_episode(episode), (episode.observation_space, episode.action_space)
            if agent == "":
                given = zip(self._spaces, (schema.observations, schema.actions), strict=True)
                seen, done = [schema_of_space(space) if space else part for space, part in given]
                schema = EpisodeSchema(seen, done, schema.extras)
            self.agents[agent] = self._declared(agent, schema, spaces)
        return self.agents[agent]

    def of_block(self, block: EpisodeBlock, agents: Sequence[str]) -> int:
        """The number of the stream of a block's episodes, the same for each of these agents.

        Raises:
            EpisodeError: an agent's episodes have had another schema before.
        """
        for agent in agents:
            if agent not in self.agents:
                self.agents[agent] = self._declared(agent, block.schema, block.spaces)
            known = self.known[self.agents[agent]].schema
            if known != block.schema:
                raise EpisodeError(_difference(known, block.schema))
        return self.agents[agents[0]]

    def number(self, stream: Stream) -> int:
        """The number of a stream; a new one is added.

        Raises:
            EpisodeError: a column or a space that cannot be written.
        """
        for i, other in enumerate(self.known):
            if stream.same(other):
                return i
        for name, column in stream.schema.columns().items():
            arrow_tables.require_storable(name, column)
        Header((stream,)).write()  # raises now rather than at the next flush
        self.known.append(stream)
        return len(self.known) - 1

    def _declared(self, agent: str, schema: EpisodeSchema, spaces: Spaces) -> int:
        if agent == "":
            spaces = self._spaces[0] or spaces[0], self._spaces[1] or spaces[1]
        return self.number(Stream(schema, spaces))


def _difference(known: EpisodeSchema, other: EpisodeSchema) -> str:
    """The first column in which two schemas differ, as a message."""
    mine, theirs = known.columns(), other.columns()
    for name in {**mine, **theirs}:
        if mine.get(name) != theirs.get(name):
            return f"{name}: the block's column is {theirs.get(name)}, the dataset's is {mine.get(name)}"
    return "the block's columns are nested otherwise than the dataset's"
