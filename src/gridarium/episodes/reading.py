"""Reading a buffer: the items that indices mean, and those that are filled in."""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.episodes.encoding import Encoder, between, one_hot_encoder, plain_encoder
from gridarium.episodes.errors import EpisodeError
from gridarium.episodes.growing import GrowingBuffer
from gridarium.episodes.indices import plain_indices, span
from gridarium.episodes.structs import Struct, batch, map_structs

Indices = int | list[int] | slice | np.integer[Any] | npt.NDArray[np.integer[Any]] | None
"""What is asked for; an array has at most one axis."""


class ReadableBuffer(GrowingBuffer):
    """A buffer with its getter."""

    __slots__ = ()

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
        return self.read(indices, neg_index_as_lookback, fill, one_hot_discrete)

    def read(
        self, indices: Indices, neg_index_as_lookback: bool, fill: Any, one_hot_discrete: bool = False
    ) -> Any:
        """The same as `get`, for those who call it often: arguments by position cost less."""
        storage = self._storage
        if self.finalized and self._tail:
            storage.write_all(same=True)
        total = storage.written if self.finalized else storage.written + len(self._tail)
        if type(indices) is slice:
            start, stop, step, left, right = span(
                indices, total, self.lookback, neg_index_as_lookback, fill is not None
            )
            return self.stored_range(start, stop, step, left, right, fill, one_hot_discrete)
        if indices is None:
            return self.stored_range(self.lookback, total, one_hot=one_hot_discrete)
        if isinstance(indices, int):
            at = indices + (self.lookback if indices >= 0 or neg_index_as_lookback else total)
            if 0 <= at < total:
                item = storage.rows(at) if self.finalized else storage.item(at)
                return self.encoded(item) if one_hot_discrete else item
            if fill is None:
                raise IndexError(
                    f"index {indices} out of range: there are {len(self)} items after a lookback of {self.lookback}"
                )
            return self.filled(fill, one_hot_discrete)
        if not isinstance(indices, list):
            return self.read(plain_indices(indices), neg_index_as_lookback, fill, one_hot_discrete)
        if self.finalized and not indices:
            return self.stored_range(0, 0, one_hot=one_hot_discrete)
        items = [self.read(index(i), neg_index_as_lookback, fill, one_hot_discrete) for i in indices]
        return batch(items) if self.finalized else items

    def stored(self, at: int, one_hot: bool = False) -> Any:
        """The item at a place, counted with the lookback, from 0 on."""
        item = self._storage.rows(at) if self.finalized else self._storage.item(at)
        return self.encoded(item) if one_hot else item

    def encoded(self, item: Any) -> Any:
        """An item, stored or not, with one-hot vectors for its discrete parts."""
        return self._encoding(True).one(item)

    def stored_range(
        self,
        start: int,
        stop: int,
        step: int = 1,
        left: int = 0,
        right: int = 0,
        fill: Any = None,
        one_hot: bool = False,
    ) -> Any:
        """The items at places, counted with the lookback, from start to stop, between so many filled items."""
        if not self.finalized:
            items = self._storage.items(start, stop, step)
            if one_hot and items:
                items = self._encoding(True).several(items)
            if left or right:
                filled = [self.filled(fill, one_hot)]
                return filled * left + items + filled * right
            return items
        arrays = self._storage.rows(slice(start, stop if stop >= 0 else None, step))
        if not (one_hot or left or right):
            return arrays
        if self._space is None or (isinstance(fill, str) and (left or right)):
            arrays = self._encoding(one_hot).many(arrays, 0, 0, None) if one_hot else arrays
            return _between(self.filled(fill, one_hot), arrays, left, right)
        encoder = self._encoders.get(one_hot) or self._encoding(one_hot)
        return encoder.many(arrays, left, right, fill)

    def _encoding(self, one_hot: bool) -> Encoder:
        encoder = self._encoders.get(one_hot)
        if encoder is not None:
            return encoder
        if one_hot and self._space is None:
            raise EpisodeError("one_hot_discrete needs the space of the items, which is not known")
        encoder = (one_hot_encoder if one_hot else plain_encoder)(self._space_struct)
        self._encoders[one_hot] = encoder
        return encoder

    def filled(self, fill: Any, one_hot: bool = False) -> Any:
        """An item that is filled in; see `get`."""
        if self._space is None and not one_hot:
            return fill
        if isinstance(fill, str) and fill == "random":
            assert self._space is not None
            return self._encoding(one_hot).one(self._space.sample())
        return self._encoding(one_hot).filled(fill)


def _between(filled: Struct, arrays: Struct, left: int, right: int) -> Struct:
    """A struct of arrays between copies of an item of the same form, or of a bare number."""
    if isinstance(arrays, (dict, tuple)) and not isinstance(filled, (dict, tuple)):
        return map_structs(lambda _, array: between(filled, array, left, right), arrays)
    return map_structs(lambda _, array, item: between(item, array, left, right), arrays, filled)
