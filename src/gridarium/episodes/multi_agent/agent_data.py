"""Reading one kind of data of agents, by the environment's steps or by the agents' own."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from operator import index
from typing import Any, Final, NamedTuple

from gridarium.episodes.buffer import InfiniteLookbackBuffer
from gridarium.episodes.buffer.indices import plain_indices, position, span
from gridarium.episodes.buffer.infinite_lookback_buffer import Indices
from gridarium.episodes.buffer.structs import Struct, batch
from gridarium.episodes.errors import EpisodeError

AgentID = Hashable
ByAgent = Mapping[AgentID, Any]

SKIPPED: Final = "S"
"""In the mapping from environment steps to agent steps: the agent got no observation."""

ALL_AGENTS: Final = "__all__"

NOTHING: ByAgent = {}

ABSENT = object()
"""Returned where nothing is stored and nothing is to be filled in."""


class Query(NamedTuple):
    """The arguments of a getter; see `MultiAgentEpisode`."""

    indices: Indices
    neg_index_as_lookback: bool
    fill: Any
    one_hot_discrete: bool = False
    env_steps: bool = True
    return_list: bool = False

    @property
    def single(self) -> bool:
        """True if the query is for one item, without a time axis."""
        return isinstance(self.indices, int)

    def positions(self, total: int, lookback: int, *, keep_missing: bool = False) -> Positions:
        """Return the positions that the indices mean, among `total` items of which the first `lookback` are history.

        Args:
            total: how many items are stored.
            lookback: how many of them are history.
            keep_missing: include positions at which nothing is stored, as if there were a `fill`.

        Raises:
            IndexError: nothing is stored at an index (not for slices), and there is no `fill`.
        """
        indices, negative = self.indices, self.neg_index_as_lookback
        filling = keep_missing or self.fill is not None
        if indices is None:
            return Positions(0, range(lookback, total), 0)
        if isinstance(indices, slice):
            start, stop, step, left, right = span(indices, total, lookback, negative, filling)
            return Positions(left, range(start, stop, step), right)
        wanted = indices if isinstance(indices, list) else [indices]
        found = [position(index(i), total, lookback, neg_index_as_lookback=negative) for i in wanted]
        if None in found and not filling:
            raise _out_of_range(index(wanted[found.index(None)]), total, lookback)
        return Positions(0, found, 0)


class Positions(NamedTuple):
    """Positions of stored items, None for a filled one; and how many filled ones come before and after them."""

    left: int
    inside: range | list[int | None]
    right: int


class AgentData(NamedTuple):
    """The items of one kind of data of one agent, including the one that hangs at the end.

    Attributes:
        buffer: the items.
        hanging: the item that comes next, or `ABSENT`.
        first: the agent's step at which the buffer begins, including its lookback.
        env_t_to_agent_t: for each of the environment's steps the agent's step, or `SKIPPED`.
        total: how many of these steps count for this kind of data.
    """

    buffer: InfiniteLookbackBuffer
    hanging: Any
    first: int
    env_t_to_agent_t: InfiniteLookbackBuffer
    total: int

    def by_env_steps(self, query: Query) -> Any:
        """Return an item, or a list or struct of them; `ABSENT` if there is none.

        Raises:
            IndexError, EpisodeError: as `Query.positions`.
        """
        if isinstance(query.indices, int):
            return self._item(self._agent_step(query.indices, query), query)
        steps = self._agent_steps(query)
        found = self._as_range(steps, query)
        return self._join([self._item(step, query) for step in steps]) if found is None else found

    def items_by_env_steps(self, query: Query) -> list[Any]:
        """Return one item for each step of the query, also outside of what is stored; `ABSENT` where there is none."""
        return [self._item(step, query) for step in self._agent_steps(query, keep_missing=True)]

    def by_agent_steps(self, query: Query) -> Any:
        """Return items of the agent's buffer, with the hanging item at its end (unless the indices are None).

        Raises:
            IndexError, EpisodeError: as `InfiniteLookbackBuffer.get`.
        """
        if self.hanging is ABSENT or query.indices is None:
            found = self.buffer.read(
                query.indices, query.neg_index_as_lookback, query.fill, query.one_hot_discrete
            )
            return ABSENT if isinstance(found, list) and not found and not query.single else found
        stored = self.buffer.len_incl_lookback()
        left, inside, right = query.positions(stored + 1, self.buffer.lookback)
        steps = [SKIPPED if at is None else at + self.first for at in inside]
        items = [self._item(step, query) for step in [*[SKIPPED] * left, *steps, *[SKIPPED] * right]]
        if not items and self.buffer.finalized:
            return self.buffer.items_at(0, 0, one_hot=query.one_hot_discrete)
        return items[0] if query.single else self._join(items)

    def _agent_step(self, i: int, query: Query) -> Any:
        """Return the agent's step, or `SKIPPED`, at one of the environment's: `_agent_steps` for the most frequent query."""
        negative = query.neg_index_as_lookback
        at = position(i, self.total, self.env_t_to_agent_t.lookback, neg_index_as_lookback=negative)
        if at is not None:
            return self.env_t_to_agent_t.item_at(at)
        if query.fill is None:
            raise _out_of_range(i, self.total, self.env_t_to_agent_t.lookback)
        return SKIPPED

    def _agent_steps(self, query: Query, *, keep_missing: bool = False) -> list[Any]:
        """Return the agent's steps, or `SKIPPED`, at the environment's steps of the query."""
        lookback = self.env_t_to_agent_t.lookback
        left, inside, right = query.positions(self.total, lookback, keep_missing=keep_missing)
        if isinstance(inside, range):
            steps = self.env_t_to_agent_t.items_at(inside.start, inside.stop, inside.step)
        else:
            steps = [SKIPPED if at is None else self.env_t_to_agent_t.item_at(at) for at in inside]
        return [SKIPPED] * left + steps + [SKIPPED] * right if left or right else steps  # type: ignore[no-any-return]

    def _item(self, step: Any, query: Query) -> Any:
        if step != SKIPPED:
            at, stored = step - self.first, self.buffer.len_incl_lookback()
            if 0 <= at < stored:
                return self.buffer.item_at(at, query.one_hot_discrete)
            if at == stored and self.hanging is not ABSENT:
                return self.buffer.one_hot(self.hanging) if query.one_hot_discrete else self.hanging
        if query.fill is None:
            return ABSENT
        return self.buffer.filled(query.fill, query.one_hot_discrete)

    def _as_range(self, steps: list[Any], query: Query) -> Struct | None:
        """Return the items read as one range of the buffer between filled items; None if they are not such a range."""
        left, end = 0, len(steps)
        while left < end and steps[left] == SKIPPED:
            left += 1
        while end > left and steps[end - 1] == SKIPPED:
            end -= 1
        inside = steps[left:end]
        if not inside:
            return None
        start = inside[0] - self.first
        stop = start + len(inside)
        if not 0 <= start < stop <= self.buffer.len_incl_lookback() or inside != list(
            range(inside[0], inside[0] + len(inside))
        ):
            return None
        edges = (left, len(steps) - end) if query.fill is not None else (0, 0)
        return self.buffer.items_at(start, stop, 1, *edges, query.fill, query.one_hot_discrete)

    def _join(self, items: list[Any]) -> Any:
        present = [item for item in items if item is not ABSENT]
        if not present:
            return ABSENT
        return batch(present) if self.buffer.finalized else present


def read_agents(agents: Mapping[AgentID, AgentData], query: Query) -> Any:
    """Return the result of a getter for several agents: a dict by agent, or with `return_list` a list of dicts.

    Raises:
        IndexError, EpisodeError: see `MultiAgentEpisode`.
    """
    if query.return_list:
        if not query.env_steps or query.single:
            raise EpisodeError(
                "return_list gives a dict for each of the environment's steps: not with env_steps=False, and not "
                "for a single index"
            )
        columns = {agent: data.items_by_env_steps(query) for agent, data in agents.items()}
        return [
            {agent: item for agent, item in zip(columns, row, strict=True) if item is not ABSENT}
            for row in zip(*columns.values(), strict=True)
        ]
    read = AgentData.by_env_steps if query.env_steps else AgentData.by_agent_steps
    return {agent: items for agent, data in agents.items() if (items := read(data, query)) is not ABSENT}


def query_of(
    indices: Indices,
    neg_index_as_lookback: bool,
    fill: Any,
    one_hot_discrete: bool,
    env_steps: bool,
    return_list: bool,
) -> Query:
    """Return a query of a getter's arguments, whose indices may be of NumPy.

    Raises:
        EpisodeError: indices of another type.
    """
    plain = plain_indices(indices)
    return Query(plain, neg_index_as_lookback, fill, one_hot_discrete, env_steps, return_list)


def _out_of_range(i: int, total: int, lookback: int) -> IndexError:
    return IndexError(f"index {i} out of range: there are {total - lookback} after a lookback of {lookback}")
