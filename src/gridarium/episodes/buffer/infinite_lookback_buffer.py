"""A buffer of items over time, the first of which may be history: the lookback."""

from __future__ import annotations

from operator import index
from typing import Any, Self

import gymnasium as gym
import numpy as np
import numpy.typing as npt

from gridarium.episodes.buffer.encoders import (
    ItemEncoder,
    one_hot_encoder,
    pad,
    plain_encoder,
    space_struct,
)
from gridarium.episodes.buffer.indices import plain_indices, position, span
from gridarium.episodes.buffer.spaces import find_mismatch, space_from_state, space_to_state
from gridarium.episodes.buffer.storage import BLOCK, Storage
from gridarium.episodes.buffer.structs import Struct, batch, equal, leaves, map_structs
from gridarium.episodes.errors import EpisodeError, EpisodeIndexError

Indices = int | list[int] | slice | np.integer[Any] | npt.NDArray[np.integer[Any]] | None
"""Indices of items; an array has at most one axis."""


class InfiniteLookbackBuffer:
    """Items over time. Index 0 is the first item after the lookback.

    A buffer returns lists of items until it is finalized, and structs of arrays with a leading time axis after that. Items
    are stored in the same way in both cases (see `gridarium.episodes.buffer.storage`): an item is returned with the type
    and the value that it had, but not as the same object.

    Args:
        data: a list of items, which are copied from the list, or a struct of arrays, whose memory is shared (the buffer is
            finalized then).
        lookback: how many leading items are history; at most all.
        space: the space of one item; needed for one-hot vectors, and for filled items of the right form.

    Attributes:
        lookback: how many leading items are history.
        finalized: whether structs of arrays are returned.
        storage: where the items are stored.
        tail: the latest items, not yet in arrays. Within this package, callers that append often append here, after
            checking the item, and call `write_tail` every `BLOCK` items.

    Raises:
        EpisodeError: a negative lookback, or a struct whose leaves are not arrays of one length.
    """

    __slots__ = ("_encoders", "_space", "_space_struct", "finalized", "lookback", "storage", "tail")
    __hash__ = None  # type: ignore[assignment]  # it is mutable

    def __init__(
        self, data: list[Any] | Struct = None, lookback: int = 0, space: gym.Space[Any] | None = None
    ) -> None:
        if lookback < 0:
            raise EpisodeError(f"lookback is 0 or more, got {lookback}")
        self.data = [] if data is None else data
        self.lookback = min(lookback, len(self.storage))
        self.space = space

    @property
    def data(self) -> list[Any] | Struct:
        """All items, with the lookback: a new list, or, finalized, a struct of views of the arrays."""
        if self.finalized:
            return self.storage.struct()
        return self.storage.items(0, len(self.storage))

    @data.setter
    def data(self, data: list[Any] | Struct) -> None:
        if isinstance(data, list):
            self._set_storage(Storage.from_items(data), finalized=False)
        else:
            self._set_storage(Storage.from_struct(data), finalized=True)

    def _set_storage(self, storage: Storage, finalized: bool) -> None:
        self.storage, self.tail, self.finalized = storage, storage.tail, finalized

    @property
    def space(self) -> gym.Space[Any] | None:
        """The space of one item, or None."""
        return self._space

    @space.setter
    def space(self, space: gym.Space[Any] | None) -> None:
        self._space = space
        self._space_struct = space_struct(space)
        self._encoders: dict[bool, ItemEncoder] = {}

    @property
    def space_struct(self) -> Struct:
        """The space as dicts and tuples with spaces as leaves."""
        return self._space_struct

    def __len__(self) -> int:
        """Return the number of items after the lookback."""
        return max(len(self.storage) - self.lookback, 0)

    def len_incl_lookback(self) -> int:
        """Return the number of items including the lookback."""
        return len(self.storage)

    # reading

    def get(
        self,
        indices: Indices = None,
        *,
        neg_index_as_lookback: bool = False,
        fill: Any = None,
        one_hot_discrete: bool = False,
    ) -> Any:
        """Return one item, or several: a list, or, finalized, a struct of arrays.

        Args:
            indices: an int for one item; a list of ints or a slice for several; None for all after the lookback. A
                negative index counts from the end, through the lookback.
            neg_index_as_lookback: a negative index counts from index 0 into the lookback instead.
            fill: what is returned for indices at which nothing is stored. With a space, an item of its form in which every
                number is this; "random" samples the space. None: nothing is filled in.
            one_hot_discrete: return float32 vectors for the discrete parts of the space. Filled items are then vectors in
                which every number is `fill`.

        Raises:
            IndexError: nothing is stored at an index (not for slices), and there is no `fill`.
            EpisodeError: indices of another type, one-hot without a space, or a value outside its space.
        """
        return self.read(indices, neg_index_as_lookback, fill, one_hot_discrete)

    def read(
        self, indices: Indices, neg_index_as_lookback: bool, fill: Any, one_hot_discrete: bool = False
    ) -> Any:
        """Return the same as `get`, for frequent callers: positional arguments cost less."""
        storage = self.storage
        if self.finalized and self.tail:
            storage.write_all(checked=True)
        total = storage.written if self.finalized else storage.written + len(self.tail)
        if type(indices) is slice:
            start, stop, step, left, right = span(
                indices, total, self.lookback, neg_index_as_lookback, fill is not None
            )
            return self.items_at(start, stop, step, left, right, fill, one_hot_discrete)
        if indices is None:
            return self.items_at(self.lookback, total, one_hot=one_hot_discrete)
        if isinstance(indices, int):
            at = indices + (self.lookback if indices >= 0 or neg_index_as_lookback else total)
            if 0 <= at < total:
                item = storage.rows(at) if self.finalized else storage.item(at)
                return self.one_hot(item) if one_hot_discrete else item
            if fill is None:
                raise IndexError(
                    f"index {indices} out of range: there are {len(self)} items after a lookback of {self.lookback}"
                )
            return self.filled(fill, one_hot_discrete)
        if not isinstance(indices, list):
            return self.read(plain_indices(indices), neg_index_as_lookback, fill, one_hot_discrete)
        if self.finalized and not indices:
            return self.items_at(0, 0, one_hot=one_hot_discrete)
        items = [self.read(index(i), neg_index_as_lookback, fill, one_hot_discrete) for i in indices]
        return batch(items) if self.finalized else items

    def item_at(self, at: int, one_hot: bool = False) -> Struct:
        """Return the item at a position, counted from the beginning of the lookback."""
        item = self.storage.rows(at) if self.finalized else self.storage.item(at)
        return self.one_hot(item) if one_hot else item

    def items_at(
        self,
        start: int,
        stop: int,
        step: int = 1,
        left: int = 0,
        right: int = 0,
        fill: Any = None,
        one_hot: bool = False,
    ) -> Any:
        """Return the items from position `start` to `stop`, counted from the beginning of the lookback, between filled items.

        Args:
            start: the first position.
            stop: the position before which to stop.
            step: between positions, as of `range`.
            left: how many filled items come before.
            right: how many filled items come after.
            fill: as in `get`.
            one_hot: as in `get`.
        """
        if not self.finalized:
            items = self.storage.items(start, stop, step)
            if one_hot and items:
                items = self._encoder(True).encode_list(items)
            if left or right:
                filled = [self.filled(fill, one_hot)]
                return filled * left + items + filled * right
            return items
        arrays = self.storage.rows(slice(start, stop if stop >= 0 else None, step))
        if not (one_hot or left or right):
            return arrays
        if self._space is None or (isinstance(fill, str) and (left or right)):
            arrays = self._encoder(one_hot).encode_arrays(arrays, 0, 0, None) if one_hot else arrays
            return _pad_struct(self.filled(fill, one_hot), arrays, left, right)
        encoder = self._encoders.get(one_hot) or self._encoder(one_hot)
        return encoder.encode_arrays(arrays, left, right, fill)

    def one_hot(self, item: Struct) -> Struct:
        """Return an item, stored here or not, with one-hot vectors for its discrete parts."""
        return self._encoder(True).encode(item)

    def filled(self, fill: Any, one_hot: bool = False) -> Struct:
        """Return the item that is filled in where nothing is stored; see `get`."""
        if self._space is None and not one_hot:
            return fill
        if isinstance(fill, str) and fill == "random":
            assert self._space is not None
            return self._encoder(one_hot).encode(self._space.sample())
        return self._encoder(one_hot).filled(fill)

    def as_list(self) -> list[Any]:
        """Return the items after the lookback, always as a list."""
        return self.storage.items(self.lookback, len(self.storage))

    def _encoder(self, one_hot: bool) -> ItemEncoder:
        encoder = self._encoders.get(one_hot)
        if encoder is not None:
            return encoder
        if one_hot and self._space is None:
            raise EpisodeError("one_hot_discrete needs the space of the items, which is not known")
        encoder = (one_hot_encoder if one_hot else plain_encoder)(self._space_struct)
        self._encoders[one_hot] = encoder
        return encoder

    # adding and removing

    def append(self, item: Any) -> None:
        """Add an item at the end. Arrays may be copied later: do not write to them afterwards.

        Raises:
            EpisodeError: finalized, and the item does not fit into the arrays.
        """
        if self.finalized:
            self.storage.check(item, always=False)
        self.tail.append(item)
        if not len(self.tail) % BLOCK:
            self.write_tail()

    def extend(self, items: list[Any] | Struct) -> None:
        """Add a list of items, or, to a finalized buffer, also a struct of arrays, at the end.

        Raises:
            EpisodeError: a struct for a buffer that is not finalized, or items of another form; nothing has changed then.
        """
        if isinstance(items, list):
            before = len(self.storage)
            self.tail.extend(items)
            try:
                if self.finalized:
                    self.storage.write_all()
                else:
                    self.storage.write()
            except EpisodeError:
                self.truncate(before)
                raise
        elif self.finalized:
            self.storage.extend_struct(items)
        else:
            raise EpisodeError("a buffer that is not finalized is extended with a list of items")

    def concat(self, other: InfiniteLookbackBuffer, *, skip: int = 0) -> None:
        """Add the items of another buffer at the end, without its lookback and the first `skip` items after that.

        Raises:
            EpisodeError: finalized, and items of another form; nothing has changed then.
        """
        both = self.finalized and other.finalized
        self.extend(other.get(slice(skip, None)) if both else other.as_list()[skip:])

    def truncate(self, total: int) -> None:
        """Keep only the first `total` items, counted with the lookback."""
        self.storage.truncate(total)

    def pop(self, index: int = -1) -> None:
        """Remove an item; the index counts over all items, including the lookback.

        Raises:
            IndexError: no such item.
        """
        at = position(index, len(self.storage), 0)
        if at is None:
            raise IndexError(f"pop index {index} out of range: there are {len(self.storage)} items")
        self.storage.delete(at)

    def finalize(self) -> None:
        """Return structs of arrays from now on. What is in the arrays already is not copied.

        Raises:
            EpisodeError: no items, or items of different forms.
        """
        if not self.finalized:
            self.storage.write_all(last=True)
            self.finalized = True

    def write_tail(self, *, trim: bool = False) -> None:
        """Write the latest items into the arrays; with `trim` free the memory that is reserved for further items."""
        if self.finalized:
            self.storage.write_all(checked=True, last=trim)
        else:
            self.storage.write(last=trim)
        if trim:
            self.storage.trim()

    # overwriting

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
        at_indices = plain_indices(at_indices)
        positions = self._positions(at_indices, neg_index_as_lookback)
        single = isinstance(at_indices, int)
        if self.finalized:
            self._overwrite_arrays(positions, new_data, single=single)
            return
        values = [new_data] if single else list(new_data)
        if len(values) != len(positions):
            raise EpisodeIndexError(f"{len(values)} new items for {len(positions)} indices")
        self.storage.replace(positions, values)

    def _positions(self, indices: Indices, neg_index_as_lookback: bool) -> list[int]:
        total = len(self.storage)
        if indices is None:
            return list(range(self.lookback, total))
        if isinstance(indices, slice):
            where = span(indices, total, self.lookback, neg_index_as_lookback=neg_index_as_lookback)
            return list(range(*where[:3]))
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

    def _overwrite_arrays(self, positions: list[int], new_data: Any, *, single: bool) -> None:
        """Write a struct of arrays, or one item, over stored items. Everything is checked before anything changes.

        Raises:
            EpisodeIndexError: another number of items, another form or shape, or values outside the space (naming the leaf).
        """
        if single:
            new_data = map_structs(lambda _, leaf: np.asarray(leaf)[None], new_data)
        elif isinstance(new_data, list):
            if len(new_data) == len(positions) == 0:
                return
            new_data = batch(new_data)
        stored = dict(leaves(self.storage.struct()))
        found = {path: np.asarray(leaf) for path, leaf in leaves(new_data)}
        if stored.keys() != found.keys():
            raise EpisodeIndexError(f"new data has the leaves {sorted(found)}, stored are {sorted(stored)}")
        for path, leaf in found.items():
            shape = (len(positions), *stored[path].shape[1:])
            if leaf.shape != shape:
                raise EpisodeIndexError(f"{path or 'new data'}: the shape is {leaf.shape}, needed is {shape}")
        mismatch = find_mismatch(self._space_struct, new_data) if self._space_struct is not None else None
        if mismatch is not None:
            raise EpisodeIndexError(f"new data: {mismatch}")
        self.storage.assign(positions, new_data)

    # copies

    def sub_buffer(self, start: int, stop: int, lookback: int) -> Self:
        """Return a buffer of the items between two positions, counted from the beginning of the lookback.

        Finalized, it shares memory with this one.
        """
        part = type(self).__new__(type(self))
        part._space, part._space_struct, part._encoders = self._space, self._space_struct, self._encoders
        part._set_storage(self.storage.part(start, stop, shared=self.finalized), self.finalized)
        part.lookback = min(lookback, len(part.storage))
        return part

    def get_state(self) -> dict[str, Any]:
        """Return the buffer as data for `from_state`. Arrays and items are shared, the space is plain data."""
        space = None if self._space is None else space_to_state(self._space)
        return {"data": self.data, "lookback": self.lookback, "finalized": self.finalized, "space": space}

    @staticmethod
    def from_state(state: dict[str, Any]) -> InfiniteLookbackBuffer:
        """Restore a buffer from what `get_state` returned."""
        space = None if state["space"] is None else space_from_state(state["space"])
        return InfiniteLookbackBuffer(state["data"], state["lookback"], space)

    # as a sequence

    def __getitem__(self, indices: Indices) -> Any:
        return self.get(indices)

    def __setitem__(self, indices: Indices, new_data: Any) -> None:
        self.set(new_data, at_indices=indices)

    def __add__(self, other: Any) -> InfiniteLookbackBuffer:
        """Add a number to each item, or a list or a buffer (without its lookback) at the end, in a new buffer."""
        if self.finalized:
            raise RuntimeError("a finalized buffer cannot be added to")
        data = self.storage.items(0, len(self.storage))
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
            and len(self.storage) == other.len_incl_lookback()
            and equal(self.data, other.data)
        )

    def __repr__(self) -> str:
        history = self.get(slice(-self.lookback, 0), neg_index_as_lookback=True) if self.lookback else []
        return f"{type(self).__name__}({history} <- lookback({self.lookback}) | {self.get() if self else []})"


def _pad_struct(filled: Struct, arrays: Struct, left: int, right: int) -> Struct:
    """Return a struct of arrays between copies of an item of the same form, or of a single number."""
    if isinstance(arrays, (dict, tuple)) and not isinstance(filled, (dict, tuple)):
        return map_structs(lambda _, array: pad(filled, array, left, right), arrays)
    return map_structs(lambda _, array, item: pad(item, array, left, right), arrays, filled)
