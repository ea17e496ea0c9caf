"""Where a buffer's items lie: a written part, in typed arrays that grow by doubling, and a tail, in a list.

An item is appended to the tail. Once in a while the tail is written into the arrays, in one go, which costs a fraction of
writing each item. Items that the arrays could not give back as they were stay in the list, all of them: such a storage is
called plain.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gridarium.episodes.errors import EpisodeError
from gridarium.episodes.layout import EMPTY_DICTS, NUMERIC, Array, Layout, layout_of, layout_of_batch
from gridarium.episodes.structs import Struct, batch, leaves

BLOCK = 512
"""How many items the tail holds before it is written."""

FEWEST = 32
"""A tail shorter than this is not worth arrays of its own."""


class Storage:
    """A growing sequence of items.

    Attributes:
        tail: the items that are not written yet; always the same list.
        written: how many items lie in the arrays.
        plain: whether all items stay in the tail for good.
    """

    __slots__ = ("arrays", "layout", "plain", "tail", "written")

    def __init__(self) -> None:
        self.tail: list[Any] = []
        self.written = 0
        self.plain = False
        self.layout: Layout | None = None
        self.arrays: list[Array] = []

    @classmethod
    def of_items(cls, items: list[Any]) -> Storage:
        """A storage of items, which are copied from the list but stay what they are."""
        storage = cls()
        storage.tail.extend(items)
        return storage

    @classmethod
    def of_struct(cls, struct: Struct) -> Storage:
        """A storage that shares memory with a struct of arrays, until it grows.

        Raises:
            EpisodeError: leaves of different lengths, or without a first axis (naming the leaf).
        """
        arrays = dict(leaves(struct))
        for path, array in arrays.items():
            if not isinstance(array, np.ndarray) or array.ndim == 0:
                raise EpisodeError(f"{path or 'data'}: expected an array with a time axis, got {array!r}")
        lengths = {path: len(array) for path, array in arrays.items()}
        if len(set(lengths.values())) > 1:
            raise EpisodeError(f"leaves have different lengths: {lengths}")
        storage = cls()
        storage.layout = layout_of_batch(struct)
        storage.arrays = list(arrays.values())
        storage.written = next(iter(lengths.values()), 0)
        return storage

    def __len__(self) -> int:
        return self.written + len(self.tail)

    # reading

    def item(self, position: int) -> Any:
        """The item at a position from 0 to len - 1, a copy if it lies in the arrays."""
        if position >= self.written:
            return self.tail[position - self.written]
        assert self.layout is not None
        return self.layout.item(self.arrays, position)

    def items(self, start: int, stop: int, step: int = 1) -> list[Any]:
        """The items in a range, as a list. What lies in the arrays is copied."""
        if step != 1:
            return [self.item(position) for position in range(start, stop, step)]
        if start >= self.written:
            return self.tail[start - self.written : max(stop - self.written, 0)]
        assert self.layout is not None
        end = min(stop, self.written)
        read = [array[start:end].copy() for array in self.arrays]
        items = self.layout.unpack(read, max(end - start, 0))
        return items + self.tail[: max(stop - self.written, 0)]

    def struct(self) -> Struct:
        """The whole storage as a struct of arrays, which are views. The tail is written first.

        Raises:
            EpisodeError: there are no items, or they have different forms.
        """
        if self.tail or self.layout is None:
            self.write_all()
        return self.rows(slice(0, self.written))

    def rows(self, which: int | slice) -> Struct:
        """An item, or a range of them, none of them after the last, as a struct of views. The tail is written first.

        Raises:
            EpisodeError: as `struct`.
        """
        if self.tail or self.layout is None:
            self.write_all()
        assert self.layout is not None
        return self.layout.part(self.arrays, which)

    # writing

    def write(self) -> None:
        """Write the tail into the arrays if its items come back from there as they are; else the storage is plain."""
        if self.plain or not self.tail:
            return
        layout = self.layout or layout_of(self.tail[0])
        packed = layout.pack(self.tail) if layout is not None else None
        if layout is None or packed is None:
            self._unwrite()
            self.plain = True
            return
        if self.layout is None:
            self.layout = layout
        self._put(packed, len(self.tail))

    def write_all(self) -> None:
        """Write the tail into the arrays in any case; types that differ become their common type.

        Raises:
            EpisodeError: there are no items at all, or their forms or shapes differ (naming the leaf); nothing has
                changed then.
        """
        if not self.tail and self.layout is not None:
            return
        layout = self.layout or (layout_of(self.tail[0]) if self.tail else None)
        packed = layout.pack(self.tail) if layout is not None and not self.plain else None
        if packed is None:
            struct = batch(self.tail)
            if self.layout is None:
                self.layout = layout_of_batch(struct)
            packed = self._fitting(struct)
        self.layout = self.layout or layout
        self._put(packed, len(self.tail))
        self.plain = False

    def extend_empty_dicts(self, n: int) -> None:
        """Append so many empty dicts, which need no room at all where nothing else is stored."""
        self.write()
        if self.plain or (self.layout or EMPTY_DICTS) is not EMPTY_DICTS:
            self.tail.extend({} for _ in range(n))
            self.write()
        else:
            self.layout = EMPTY_DICTS
            self.written += n

    def extend_struct(self, struct: Struct) -> None:
        """Append a struct of arrays with a leading time axis.

        Raises:
            EpisodeError: it has another form or other shapes than what is stored.
        """
        self.write_all()
        other = Storage.of_struct(struct)
        self._put(self._fitting(struct), other.written)

    def delete(self, position: int) -> None:
        """Remove the item at a position from 0 to len - 1."""
        if position >= self.written:
            del self.tail[position - self.written]
        else:
            if position == self.written - 1:
                self._shorten(position)
                return
            self.arrays = [np.delete(a[: self.written], position, axis=0) for a in self.arrays]
            self.written -= 1

    def truncate(self, n: int) -> None:
        """Keep the first `n` items."""
        del self.tail[max(n - self.written, 0) :]
        if n < self.written:
            self._shorten(n)

    def _shorten(self, n: int) -> None:
        """Keep the first `n` written items. What lies behind them may be seen by others, and is not written to again."""
        self.arrays = [array[:n] for array in self.arrays]
        self.written = n

    def replace(self, positions: list[int], values: list[Any]) -> None:
        """Overwrite items by others, whatever they are."""
        pairs = list(zip(positions, values, strict=True))
        inside = [pair for pair in pairs if pair[0] < self.written]
        if inside:
            assert self.layout is not None
            packed = self.layout.pack([value for _, value in inside])
            if packed is None:
                self._unwrite()
            else:
                for array, new in zip(self.arrays, packed, strict=True):
                    array[[at for at, _ in inside]] = new
        for at, value in pairs:
            if at >= self.written:
                self.tail[at - self.written] = value

    def assign(self, positions: list[int], struct: Struct) -> None:
        """Overwrite items of the written part with a struct of arrays (checked by the caller)."""
        assert self.layout is not None
        for i, new in enumerate(self.layout.flatten(struct)):
            dtype = _common(self.arrays[i].dtype, new, round_floats=True)
            if dtype != self.arrays[i].dtype or not self.arrays[i].flags.writeable:
                self.arrays[i] = self.arrays[i].astype(dtype)
            self.arrays[i][positions] = new
        self.layout = layout_of_batch(self.layout.build(self.arrays))

    def trim(self) -> None:
        """Give back the memory that was kept for growing, if it is worth copying the rest."""
        if self.arrays and len(self.arrays[0]) - self.written > self.written // 16:
            self.arrays = [array[: self.written].copy() for array in self.arrays]

    def part(self, start: int, stop: int, *, shared: bool) -> Storage:
        """The items from a position to another, on their own or sharing the memory of the written ones."""
        part = Storage()
        start_of_tail, end = max(start - self.written, 0), min(stop, self.written)
        start = min(start, end)
        if shared or start < end:  # who gives arrays also gives empty ones of the right form
            arrays = [array[start:end] for array in self.arrays]
            part.arrays = arrays if shared else [array.copy() for array in arrays]
            part.layout, part.written = self.layout, end - start
        part.tail.extend(self.tail[start_of_tail : max(stop - self.written, 0)])
        part.plain = self.plain
        return part

    def _unwrite(self) -> None:
        """Bring everything back into the tail."""
        self.tail[:] = self.items(0, len(self))
        self.written, self.layout, self.arrays = 0, None, []

    def _put(self, packed: list[Array], n: int) -> None:
        """Append arrays to the written part, and empty the tail."""
        end = self.written + n
        if not self.arrays:
            self.arrays = [a if a.flags.writeable else a.copy() for a in packed]
        else:
            for i, new in enumerate(packed):
                array = self.arrays[i]
                if end > len(array) or not array.flags.writeable:
                    array = np.empty((max(end, 2 * self.written), *array.shape[1:]), array.dtype)
                    array[: self.written] = self.arrays[i][: self.written]
                    self.arrays[i] = array
                array[self.written : end] = new
        self.written = end
        self.tail.clear()

    def _fitting(self, struct: Struct) -> list[Array]:
        """The leaves of a struct, if they can be appended; arrays of a narrower type are widened for them.

        Raises:
            EpisodeError: another form, or other shapes.
        """
        assert self.layout is not None
        try:
            flat = self.layout.flatten(struct)
        except (KeyError, IndexError, TypeError) as error:
            raise EpisodeError(f"data has another form than what is stored: {error}") from error
        if not self.arrays:
            return flat
        stored = [path for path, _ in leaves(self.layout.build(self.arrays))]
        for path, array, new in zip(stored, self.arrays, flat, strict=True):
            if np.shape(new)[1:] != array.shape[1:]:
                raise EpisodeError(
                    f"{path or 'data'}: shape {np.shape(new)[1:]} where {array.shape[1:]} is stored"
                )
            if np.asarray(new).dtype.kind not in NUMERIC and array.dtype.kind in NUMERIC:
                raise EpisodeError(f"{path or 'data'}: not a number where {array.dtype} is stored")
        types = [_common(array.dtype, new) for array, new in zip(self.arrays, flat, strict=True)]
        if types != [array.dtype for array in self.arrays]:
            self.arrays = [a.astype(dtype, copy=False) for a, dtype in zip(self.arrays, types, strict=True)]
            self.layout = layout_of_batch(self.layout.build(self.arrays))
        return flat


def _common(dtype: np.dtype[Any], new: Any, *, round_floats: bool = False) -> np.dtype[Any]:
    """The type that holds both. Whole numbers that fit into the stored type are no reason to widen it."""
    new = np.asarray(new)
    if dtype == new.dtype or (round_floats and dtype.kind == new.dtype.kind == "f"):
        return dtype
    if dtype.kind in "iu" and new.dtype.kind in "iu" and new.size:
        limits = np.iinfo(dtype)
        if limits.min <= int(new.min()) and int(new.max()) <= limits.max:
            return dtype
    return np.result_type(dtype, new.dtype)
