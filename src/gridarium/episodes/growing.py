"""What a buffer holds, and how it grows."""

from __future__ import annotations

from typing import Any, Self

import gymnasium as gym

from gridarium.episodes.encoding import Encoder, space_struct
from gridarium.episodes.errors import EpisodeError
from gridarium.episodes.indices import position
from gridarium.episodes.storage import BLOCK, Storage
from gridarium.episodes.structs import Struct


class GrowingBuffer:
    """The items of a buffer (see `gridarium.episodes.buffer`) at the places where they are stored."""

    __slots__ = (
        "_encoders",
        "_space",
        "_space_struct",
        "_storage",
        "_tail",
        "finalized",
        "lookback",
    )

    def __init__(
        self, data: list[Any] | Struct = None, lookback: int = 0, space: gym.Space[Any] | None = None
    ) -> None:
        if lookback < 0:
            raise EpisodeError(f"lookback is 0 or more, got {lookback}")
        self.data = [] if data is None else data
        self.lookback = min(lookback, len(self._storage))
        self.space = space

    @property
    def data(self) -> list[Any] | Struct:
        """All items, with the lookback: a new list, or, finalized, a struct of views of the arrays."""
        if self.finalized:
            return self._storage.struct()
        return self._storage.items(0, len(self._storage))

    @data.setter
    def data(self, data: list[Any] | Struct) -> None:
        if isinstance(data, list):
            self._hold(Storage.of_items(data), finalized=False)
        else:
            self._hold(Storage.of_struct(data), finalized=True)

    def _hold(self, storage: Storage, finalized: bool) -> None:
        self._storage, self.finalized = storage, finalized
        self._tail = storage.tail  # within reach of episodes, which append to it at every step

    @property
    def space(self) -> gym.Space[Any] | None:
        """The space of one item, or None."""
        return self._space

    @space.setter
    def space(self, space: gym.Space[Any] | None) -> None:
        self._space = space
        self._space_struct = space_struct(space)
        self._encoders: dict[bool, Encoder] = {}

    @property
    def space_struct(self) -> Struct:
        """The space as dicts and tuples with spaces as leaves."""
        return self._space_struct

    def __len__(self) -> int:
        """How many items there are after the lookback."""
        return max(len(self._storage) - self.lookback, 0)

    def len_incl_lookback(self) -> int:
        """How many items there are with the lookback."""
        return len(self._storage)

    def append(self, item: Any) -> None:
        """Add an item at the end. Arrays may be read later than now: do not write to them afterwards.

        Raises:
            EpisodeError: finalized, and the item does not fit into the arrays.
        """
        if self.finalized:
            self.check(item)
        self._tail.append(item)
        if not len(self._tail) % BLOCK:
            self.settle()

    def extend(self, items: list[Any] | Struct) -> None:
        """Add a list of items, or, to a finalized buffer, also a struct of arrays, at the end.

        Raises:
            EpisodeError: a struct where lists are given, or one of another form.
        """
        if isinstance(items, list):
            before = len(self._storage)
            self._tail.extend(items)
            try:
                if self.finalized:
                    self._storage.write_all()
                else:
                    self._storage.write()
            except EpisodeError:
                self.truncate(before)
                raise
        elif self.finalized:
            self._storage.extend_struct(items)
        else:
            raise EpisodeError("a buffer that is not finalized is extended with a list of items")

    def extend_empty_dicts(self, n: int) -> None:
        """Add so many empty dicts at the end."""
        self._storage.extend_empty_dicts(n)

    def truncate(self, total: int) -> None:
        """Forget all but the first items, of which the lookback is part."""
        self._storage.truncate(total)

    def pop(self, index: int = -1) -> None:
        """Remove an item; the index counts over all items, with the lookback.

        Raises:
            IndexError: no such item.
        """
        at = position(index, len(self._storage), 0)
        if at is None:
            raise IndexError(f"pop index {index} out of range: there are {len(self._storage)} items")
        self._storage.delete(at)

    def finalize(self) -> None:
        """From now on give structs of arrays. What lies in the arrays is not copied.

        Raises:
            EpisodeError: no items, or items of different forms.
        """
        if not self.finalized:
            self._storage.write_all(last=True)
            self.finalized = True

    def check(self, item: Any, *, always: bool = False) -> None:
        """Check that an item can be added: any can, unless this gives arrays.

        Args:
            item: what is to be added next.
            always: the caller asks this, or the storage's form, of each item from now on, which is not looked at again then.

        Raises:
            EpisodeError: it does not fit into the arrays, and why (naming the leaf).
        """
        if self.finalized:
            self._storage.check(item, always=always)

    def settle(self, *, trim: bool = False) -> None:
        """Write what was appended lately into the arrays, and, if wanted, give back what is kept for growing."""
        if self.finalized:
            self._storage.write_all(same=True, last=trim)
        else:
            self._storage.write(last=trim)
        if trim:
            self._storage.trim()

    def part(self, start: int, stop: int, lookback: int) -> Self:
        """A buffer of the stored items from a position to another, counted with the lookback.

        Finalized, it shares memory with this one.
        """
        part = type(self).__new__(type(self))
        part._space, part._space_struct, part._encoders = self._space, self._space_struct, self._encoders
        part._hold(self._storage.part(start, stop, shared=self.finalized), self.finalized)
        part.lookback = min(lookback, len(part._storage))
        return part

    def as_list(self) -> list[Any]:
        """The items after the lookback, as a list in any case."""
        return self._storage.items(self.lookback, len(self._storage))
