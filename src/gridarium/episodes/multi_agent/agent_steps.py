"""One kind of data of one agent, found by the environment's steps or by the agent's own."""

from __future__ import annotations

from operator import index
from typing import Any, NamedTuple

from gridarium.episodes.buffer import InfiniteLookbackBuffer
from gridarium.episodes.indices import position, span
from gridarium.episodes.multi_agent.facts import SKIPPED
from gridarium.episodes.reading import Indices
from gridarium.episodes.structs import Struct, batch

ABSENT = object()
"""Stands where nothing is stored and nothing is to be filled in."""


class Asked(NamedTuple):
    """What a getter was asked."""

    indices: Indices
    neg_index_as_lookback: bool
    fill: Any
    one_hot_discrete: bool = False

    @property
    def single(self) -> bool:
        """Whether one item is wanted, without a time axis."""
        return isinstance(self.indices, int)

    def places(self, total: int, lookback: int, *, all_of_them: bool = False) -> Places:
        """The places that are meant, of `total` of which so many are lookback.

        Args:
            total: how many items are stored.
            lookback: how many of them are lookback.
            all_of_them: give also those where nothing is stored, as if there was a `fill`.

        Raises:
            IndexError: nothing is stored at a place (not for slices), and there is no `fill`.
        """
        indices, negative = self.indices, self.neg_index_as_lookback
        filling = all_of_them or self.fill is not None
        if indices is None:
            return Places(0, range(lookback, total), 0)
        if isinstance(indices, slice):
            start, stop, step, left, right = span(indices, total, lookback, negative, filling)
            return Places(left, range(start, stop, step), right)
        wanted = indices if isinstance(indices, list) else [indices]
        found = [position(index(i), total, lookback, neg_index_as_lookback=negative) for i in wanted]
        if None in found and not filling:
            raise _outside(index(wanted[found.index(None)]), total, lookback)
        return Places(0, found, 0)


class Places(NamedTuple):
    """Places of items, or None for a filled one; and how many filled ones come before and after them."""

    left: int
    inside: range | list[int | None]
    right: int


class AgentData(NamedTuple):
    """The items of one kind of data of one agent, with the one that hangs at their end.

    Attributes:
        buffer: the items.
        hanging: the item that comes next, or `ABSENT`.
        first: the agent's step at which the buffer begins, with its lookback.
        steps: the environment's steps, as steps of the agent or `SKIPPED`.
        total: how many of them there are for this kind of data.
    """

    buffer: InfiniteLookbackBuffer
    hanging: Any
    first: int
    steps: InfiniteLookbackBuffer
    total: int

    def by_env_steps(self, asked: Asked) -> Any:
        """An item, or a list or struct of them; `ABSENT` if there is none.

        Raises:
            IndexError, EpisodeError: as `Asked.places`.
        """
        if isinstance(asked.indices, int):
            return self._item(self._agent_step(asked.indices, asked), asked)
        wanted = self._agent_steps(asked)
        found = self._range(wanted, asked)
        return self._joined([self._item(step, asked) for step in wanted]) if found is None else found

    def items_by_env_steps(self, asked: Asked) -> list[Any]:
        """One item for each step that is asked for, also outside of what there is; `ABSENT` where there is none."""
        return [self._item(step, asked) for step in self._agent_steps(asked, all_of_them=True)]

    def by_agent_steps(self, asked: Asked) -> Any:
        """What the agent's buffer gives, with the hanging item at its end (unless simply everything is asked for).

        Raises:
            IndexError, EpisodeError: as `InfiniteLookbackBuffer.get`.
        """
        if self.hanging is ABSENT or asked.indices is None:
            found = self.buffer.read(*asked)
            return ABSENT if isinstance(found, list) and not found and not asked.single else found
        stored = self.buffer.len_incl_lookback()
        left, inside, right = asked.places(stored + 1, self.buffer.lookback)
        steps = [SKIPPED if at is None else at + self.first for at in inside]
        items = [self._item(step, asked) for step in [*[SKIPPED] * left, *steps, *[SKIPPED] * right]]
        if not items and self.buffer.finalized:
            return self.buffer.stored_range(0, 0, one_hot=asked.one_hot_discrete)
        return items[0] if asked.single else self._joined(items)

    def _agent_step(self, i: int, asked: Asked) -> Any:
        """The agent's step, or `SKIPPED`, at one of the environment's: `_agent_steps` for the most usual question."""
        negative = asked.neg_index_as_lookback
        at = position(i, self.total, self.steps.lookback, neg_index_as_lookback=negative)
        if at is not None:
            return self.steps.stored(at)
        if asked.fill is None:
            raise _outside(i, self.total, self.steps.lookback)
        return SKIPPED

    def _agent_steps(self, asked: Asked, *, all_of_them: bool = False) -> list[Any]:
        """The agent's steps, or `SKIPPED`, at the environment's steps that are asked for."""
        left, inside, right = asked.places(self.total, self.steps.lookback, all_of_them=all_of_them)
        if isinstance(inside, range):
            steps = self.steps.stored_range(inside.start, inside.stop, inside.step)
        else:
            steps = [SKIPPED if at is None else self.steps.stored(at) for at in inside]
        return [SKIPPED] * left + steps + [SKIPPED] * right if left or right else steps  # type: ignore[no-any-return]

    def _item(self, step: Any, asked: Asked) -> Any:
        if step != SKIPPED:
            at, stored = step - self.first, self.buffer.len_incl_lookback()
            if 0 <= at < stored:
                return self.buffer.stored(at, asked.one_hot_discrete)
            if at == stored and self.hanging is not ABSENT:
                return self.buffer.encoded(self.hanging) if asked.one_hot_discrete else self.hanging
        if asked.fill is None:
            return ABSENT
        return self.buffer.filled(asked.fill, asked.one_hot_discrete)

    def _range(self, wanted: list[Any], asked: Asked) -> Struct | None:
        """What is asked for, read as one range of the buffer between filled items; None if it is no such range."""
        left, end = 0, len(wanted)
        while left < end and wanted[left] == SKIPPED:
            left += 1
        while end > left and wanted[end - 1] == SKIPPED:
            end -= 1
        inside = wanted[left:end]
        if not inside:
            return None
        start = inside[0] - self.first
        stop = start + len(inside)
        if not 0 <= start < stop <= self.buffer.len_incl_lookback() or inside != list(
            range(inside[0], inside[0] + len(inside))
        ):
            return None
        edges = (left, len(wanted) - end) if asked.fill is not None else (0, 0)
        return self.buffer.stored_range(start, stop, 1, *edges, asked.fill, asked.one_hot_discrete)

    def _joined(self, items: list[Any]) -> Any:
        present = [item for item in items if item is not ABSENT]
        if not present:
            return ABSENT
        return batch(present) if self.buffer.finalized else present


def _outside(i: int, total: int, lookback: int) -> IndexError:
    return IndexError(f"index {i} out of range: there are {total - lookback} after a lookback of {lookback}")
