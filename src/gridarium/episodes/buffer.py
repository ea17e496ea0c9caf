"""A buffer of items over time, the first of which may be history: the lookback."""

from __future__ import annotations

from operator import index
from typing import Any

import gymnasium as gym

from gridarium.episodes.encoding import Encoder, between, one_hot_encoder, plain_encoder, space_struct
from gridarium.episodes.errors import EpisodeError, EpisodeIndexError
from gridarium.episodes.indices import Span, position, span
from gridarium.episodes.overwriting import overwrite_arrays
from gridarium.episodes.space_states import space_from_state, space_to_state
from gridarium.episodes.storage import BLOCK, Storage
from gridarium.episodes.structs import Struct, batch, equal, map_structs

Indices = int | list[int] | slice | None


class InfiniteLookbackBuffer:
    """Items over time. Index 0 is the first after the lookback.

    A buffer gives lists of items, until it is finalized; then it gives structs of arrays with a leading time axis. How
    items are stored is the same in both (see `gridarium.episodes.storage`): an item comes back with the type and the
    value that it had, but not as the same object.

    Args:
        data: a list of items, whose items are taken over, or a struct of arrays, whose memory is shared (the buffer is
            finalized then).
        lookback: how many leading items are history; at most all.
        space: of one item; needed for one-hot vectors, and for filled items of the right form.

    Attributes:
        lookback: how many leading items are history.
        finalized: whether structs of arrays are given.

    Raises:
        EpisodeError: a negative lookback, or a struct whose leaves are no arrays of one length.
    """

    __slots__ = (
        "_encoders",
        "_space",
        "_space_struct",
        "_storage",
        "_tail",
        "finalized",
        "lookback",
    )
    __hash__ = None  # type: ignore[assignment]  # it changes

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

    # growing and shrinking

    def append(self, item: Any) -> None:
        """Add an item at the end. Arrays may be read later than now: do not write to them afterwards."""
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
                self.settle()
            except EpisodeError:
                self.truncate(before)
                raise
        elif self.finalized:
            self._storage.extend_struct(items)
        else:
            raise EpisodeError("a buffer that is not finalized is extended with a list of items")

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

    def concat(self, other: InfiniteLookbackBuffer, *, skip: int = 0) -> None:
        """Add the items of another buffer at the end, without its lookback and the first `skip` after that.

        Raises:
            EpisodeError: finalized, and items of another form; nothing has changed then.
        """
        both = self.finalized and other.finalized
        self.extend(other.get(slice(skip, None)) if both else other.as_list()[skip:])

    def finalize(self) -> None:
        """From now on give structs of arrays. What lies in the arrays is not copied.

        Raises:
            EpisodeError: no items, or items of different forms.
        """
        if not self.finalized:
            self._storage.write_all()
            self.finalized = True

    def settle(self, *, trim: bool = False) -> None:
        """Write what was appended lately into the arrays, and, if wanted, give back what is kept for growing."""
        if self.finalized:
            self._storage.write_all()
        else:
            self._storage.write()
        if trim:
            self._storage.trim()

    # reading

    def get(
        self,
        indices: Indices = None,
        *,
        neg_index_as_lookback: bool = False,
        fill: Any = None,
        one_hot_discrete: bool = False,
    ) -> Any:
        """One item, or some of them: a list, or, finalized, a struct of arrays.

        Args:
            indices: an int for one item; a list of ints or a slice for some; None for all after the lookback. A
                negative index counts from the end, through the lookback.
            neg_index_as_lookback: a negative index counts from index 0 into the lookback instead.
            fill: what is given for indices at which nothing is stored. With a space, an item of its form in which every
                number is this; "random" samples the space. None: there is no filling.
            one_hot_discrete: give float32 vectors for the discrete parts of the space. Filled items are then vectors in
                which every number is `fill`.

        Raises:
            IndexError: nothing is stored at an index (not for slices), and there is no `fill`.
            EpisodeError: indices of another type, one-hot without a space, or a value outside its space.
        """
        if isinstance(indices, slice):
            where = span(
                indices,
                len(self._storage),
                self.lookback,
                neg_index_as_lookback=neg_index_as_lookback,
                fill=fill is not None,
            )
            return self._range(where, fill, one_hot_discrete)
        if indices is None:
            return self._range(Span(self.lookback, len(self._storage), 1), None, one_hot_discrete)
        if isinstance(indices, int):
            return self._one(indices, neg_index_as_lookback, fill, one_hot_discrete)
        if not isinstance(indices, list):
            raise EpisodeError(f"indices are an int, a list of ints, a slice or None, got {indices!r}")
        if self.finalized and not indices:
            return self._range(Span(0, 0, 1), None, one_hot_discrete)
        items = [self._one(index(i), neg_index_as_lookback, fill, one_hot_discrete) for i in indices]
        return batch(items) if self.finalized else items

    def part(self, start: int, stop: int, lookback: int) -> InfiniteLookbackBuffer:
        """A buffer of the stored items from a position to another, counted with the lookback.

        Finalized, it shares memory with this one.
        """
        part = InfiniteLookbackBuffer([], 0, self._space)
        part._hold(self._storage.part(start, stop, shared=self.finalized), self.finalized)
        part.lookback = min(lookback, len(part._storage))
        return part

    def as_list(self) -> list[Any]:
        """The items after the lookback, as a list in any case."""
        return self._storage.items(self.lookback, len(self._storage))

    def _one(self, i: int, neg_index_as_lookback: bool, fill: Any, one_hot: bool) -> Any:
        at = position(i, len(self._storage), self.lookback, neg_index_as_lookback=neg_index_as_lookback)
        if at is None:
            if fill is None:
                raise IndexError(
                    f"index {i} out of range: there are {len(self)} items after a lookback of {self.lookback}"
                )
            return self._filled(fill, one_hot)
        if not self.finalized:
            item = self._storage.item(at)
        else:
            item = self._storage.rows(at)
        return self._encoding(True).one(item) if one_hot else item

    def _range(self, where: Span, fill: Any, one_hot: bool) -> Any:
        start, stop, step, left, right = where
        if not self.finalized:
            items = self._storage.items(start, stop, step)
            if one_hot and items:
                items = list(map(self._encoding(True).one, items))
            if left or right:
                filled = self._filled(fill, one_hot)
                items = [filled] * left + items + [filled] * right
            return items
        part = slice(start, stop if stop >= 0 else None, step)
        arrays = self._storage.rows(part)
        if not (one_hot or left or right):
            return arrays
        if self._space is None or (isinstance(fill, str) and (left or right)):
            arrays = self._encoding(one_hot).many(arrays, 0, 0, None) if one_hot else arrays
            return _between(self._filled(fill, one_hot), arrays, left, right)
        return self._encoding(one_hot).many(arrays, left, right, fill)

    def _encoding(self, one_hot: bool) -> Encoder:
        if one_hot and self._space is None:
            raise EpisodeError("one_hot_discrete needs the space of the items, which is not known")
        if one_hot not in self._encoders:
            self._encoders[one_hot] = (one_hot_encoder if one_hot else plain_encoder)(self._space_struct)
        return self._encoders[one_hot]

    def _filled(self, fill: Any, one_hot: bool) -> Any:
        if self._space is None and not one_hot:
            return fill
        if isinstance(fill, str) and fill == "random":
            assert self._space is not None
            return self._encoding(one_hot).one(self._space.sample())
        return self._encoding(one_hot).filled(fill)

    # writing

    def set(self, new_data: Any, *, at_indices: Indices = None, neg_index_as_lookback: bool = False) -> None:
        """Overwrite items; the indices are those of `get`.

        Args:
            new_data: one item for an int; else as many as there are indices: a list, or, finalized, a struct of arrays.
            at_indices: None for all items after the lookback.
            neg_index_as_lookback: as in `get`.

        Raises:
            IndexError: nothing is stored at an index, or the number of items does not fit.
            EpisodeError: finalized only: new data of another form, or outside the space (naming the leaf).
        """
        positions = self._positions(at_indices, neg_index_as_lookback)
        single = isinstance(at_indices, int)
        if self.finalized:
            overwrite_arrays(self._storage, positions, new_data, self._space_struct, single=single)
            return
        values = [new_data] if single else list(new_data)
        if len(values) != len(positions):
            raise EpisodeIndexError(f"{len(values)} new items for {len(positions)} indices")
        self._storage.replace(positions, values)

    def _positions(self, indices: Indices, neg_index_as_lookback: bool) -> list[int]:
        total = len(self._storage)
        if indices is None:
            return list(range(self.lookback, total))
        if isinstance(indices, slice):
            where = span(indices, total, self.lookback, neg_index_as_lookback=neg_index_as_lookback)
            return list(range(where.start, where.stop, where.step))
        if not isinstance(indices, (int, list)):
            raise EpisodeError(f"indices are an int, a list of ints, a slice or None, got {indices!r}")
        wanted = indices if isinstance(indices, list) else [indices]
        found = [
            position(index(i), total, self.lookback, neg_index_as_lookback=neg_index_as_lookback)
            for i in wanted
        ]
        inside = [at for at in found if at is not None]
        if len(inside) != len(found):
            raise IndexError(
                f"index out of range in {wanted}: there are {len(self)} items after a lookback of {self.lookback}"
            )
        return inside

    # as a sequence

    def __getitem__(self, indices: Indices) -> Any:
        return self.get(indices)

    def __setitem__(self, indices: Indices, new_data: Any) -> None:
        self.set(new_data, at_indices=indices)

    def __add__(self, other: Any) -> InfiniteLookbackBuffer:
        """Add a number to each item, or a list or a buffer (without its lookback) at the end, in a new buffer."""
        if self.finalized:
            raise RuntimeError("a finalized buffer cannot be added to")
        data = self._storage.items(0, len(self._storage))
        if isinstance(other, InfiniteLookbackBuffer):
            data = data + other.as_list()
        elif isinstance(other, list):
            data = data + other
        elif isinstance(other, (int, float)):
            data = [item + other for item in data]
        else:
            return NotImplemented
        return InfiniteLookbackBuffer(data, self.lookback, self._space)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, InfiniteLookbackBuffer):
            return NotImplemented
        return (
            (self.lookback, self.finalized, self._space) == (other.lookback, other.finalized, other.space)
            and len(self._storage) == other.len_incl_lookback()
            and equal(self.data, other.data)
        )

    def __repr__(self) -> str:
        history = self.get(slice(-self.lookback, 0), neg_index_as_lookback=True) if self.lookback else []
        return f"{type(self).__name__}({history} <- lookback({self.lookback}) | {self.get() if self else []})"

    # keeping

    def get_state(self) -> dict[str, Any]:
        """What `from_state` makes the buffer of. Arrays and items are shared, the space is plain data."""
        space = None if self._space is None else space_to_state(self._space)
        return {"data": self.data, "lookback": self.lookback, "finalized": self.finalized, "space": space}

    @staticmethod
    def from_state(state: dict[str, Any]) -> InfiniteLookbackBuffer:
        """A buffer of what `get_state` gave."""
        space = None if state["space"] is None else space_from_state(state["space"])
        return InfiniteLookbackBuffer(state["data"], state["lookback"], space)


def _between(filled: Struct, arrays: Struct, left: int, right: int) -> Struct:
    """A struct of arrays between copies of an item of the same form, or of a bare number."""
    if isinstance(arrays, (dict, tuple)) and not isinstance(filled, (dict, tuple)):
        return map_structs(lambda _, array: between(filled, array, left, right), arrays)
    return map_structs(lambda _, array, item: between(item, array, left, right), arrays, filled)
