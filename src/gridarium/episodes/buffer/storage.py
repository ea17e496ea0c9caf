"""Storage of a buffer's items: a written part in typed arrays that grow by doubling, and a tail in a list.

Items are appended to the tail. From time to time the whole tail is written into the arrays, which costs a fraction of
writing each item. If arrays could not return the items unchanged, all of them stay in the list (`list_only`).
"""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from gridarium.episodes.buffer.layout import (
    EMPTY_DICTS,
    NO_SPEC,
    Array,
    ItemLayout,
    ItemSpec,
    layout_of,
    layout_of_batch,
)
from gridarium.episodes.buffer.structs import (
    NUMERIC,
    Struct,
    batch,
    check_exact,
    common_dtype,
    leaves,
    length,
    overwritten_dtypes,
)
from gridarium.episodes.errors import EpisodeError

WRITE_LOCK = threading.RLock()
"""Held while lists are written into arrays, since readers of arrays may have to do it. One lock serves all episodes: blocks
are written seldom and quickly.
"""

if hasattr(os, "register_at_fork"):  # a child process must not inherit it from a thread that it does not have
    os.register_at_fork(
        before=WRITE_LOCK.acquire, after_in_parent=WRITE_LOCK.release, after_in_child=WRITE_LOCK.release
    )


BLOCK = 512
"""The number of items after which the tail is written."""

MIN_ITEMS = 32
"""Fewer items than this are not worth arrays of their own."""


class Storage:
    """A growing sequence of items.

    Attributes:
        tail: the items that are not written yet; always the same list.
        written: how many items are in the arrays.
        list_only: whether all items stay in the tail, because arrays could not return them unchanged.
        spec: of the items, if each of them is checked before it is appended; else `NO_SPEC`.
        tail_is_mixed: whether an item of the tail has another form than the arrays, but fits into them.
    """

    __slots__ = ("arrays", "layout", "list_only", "spec", "tail", "tail_is_mixed", "written")

    def __init__(self) -> None:
        self.tail: list[Any] = []
        self.written = 0
        self.list_only = self.tail_is_mixed = False
        self.layout: ItemLayout | None = None
        self.spec = NO_SPEC
        self.arrays: list[Array] = []

    @classmethod
    def from_items(cls, items: list[Any]) -> Storage:
        """Return a storage of the items of a list."""
        storage = cls()
        storage.tail.extend(items)
        return storage

    @classmethod
    def from_struct(cls, struct: Struct) -> Storage:
        """Return a storage that shares memory with a struct of arrays, until it grows.

        Raises:
            EpisodeError: leaves of different lengths, or without a first axis (naming the leaf).
        """
        for path, array in leaves(struct):
            if not isinstance(array, np.ndarray) or array.ndim == 0:
                raise EpisodeError(f"{path or 'data'}: expected an array with a time axis, got {array!r}")
        storage = cls()
        storage.written = length(struct)
        storage._set_layout(layout_of_batch(struct))
        storage.arrays = [array for _, array in leaves(struct)]
        return storage

    def __len__(self) -> int:
        return self.written + len(self.tail)

    # reading

    def item(self, position: int) -> Any:
        """Return the item at a position from 0 to len - 1, a copy if it is in the arrays."""
        if position >= self.written:
            return self.tail[position - self.written]
        assert self.layout is not None
        return self.layout.item(self.arrays, position)

    def items(self, start: int, stop: int, step: int = 1) -> list[Any]:
        """Return the items in a range, as a list. What is in the arrays is copied."""
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
        """Return all items as `rows`."""
        self.write_all(checked=True)
        return self.rows(slice(0, self.written))

    def rows(self, which: int | slice) -> Struct:
        """Return an item, or a range of them, none of them after the last, as a struct of views. The tail is written first.

        Raises:
            EpisodeError: there are no items, or they have different forms.
        """
        if self.tail or self.layout is None:
            self.write_all(checked=True)
        assert self.layout is not None
        return self.layout.part(self.arrays, which)

    # writing

    def write(self, *, last: bool = False) -> None:
        """Write the tail into the arrays if these return its items unchanged; else keep all items in the tail.

        Args:
            last: reserve no memory for further items.
        """
        if self.list_only or not self.tail:
            return
        with WRITE_LOCK:
            n = len(self.tail)
            layout = self.layout or layout_of(self.tail[0])
            packed = self._packed(layout, n) if layout is not None else None
            if packed is None:
                self._move_all_to_tail()
                self.list_only = True
            else:
                self._append_arrays(packed, n, layout, last=last)

    def write_all(self, *, checked: bool = False, last: bool = False) -> None:
        """Write the tail into the arrays in any case; dtypes that differ become their common dtype.

        Args:
            checked: items of the tail for which `check` was called are not checked again.
            last: reserve no memory for further items.

        Raises:
            EpisodeError: there are no items at all, or their forms or shapes differ (naming the leaf); nothing has
                changed then.
        """
        with WRITE_LOCK:
            n = len(self.tail)
            if not n and self.layout is not None:
                return
            layout = self.layout or (layout_of(self.tail[0]) if n else None)
            checked = checked and self.spec.known and not self.tail_is_mixed
            packed = (
                self._packed(layout, n, checked=checked)
                if layout is not None and not self.list_only
                else None
            )
            if packed is None:
                struct = batch(self.tail[:n])
                if self.layout is None:
                    self._set_layout(layout_of_batch(struct))
                packed = self._leaves_to_append(struct)
            self._append_arrays(packed, n, layout, last=last)
            self.list_only = False

    def _packed(self, layout: ItemLayout, n: int, *, checked: bool = False) -> list[Array] | None:
        """Return the first `n` items of the tail, as of `ItemLayout.pack`. Other threads may append to it meanwhile."""
        packed = layout.pack(self.tail, checked=checked)
        return packed if len(self.tail) == n else layout.pack(self.tail[:n], checked=checked)

    def extend_empty_dicts(self, n: int) -> None:
        """Append `n` empty dicts, which need no memory if nothing else is stored."""
        self.write()
        if self.list_only or (self.layout or EMPTY_DICTS) is not EMPTY_DICTS:
            self.tail.extend({} for _ in range(n))
            self.write()
        else:
            self._set_layout(EMPTY_DICTS)
            self.written += n

    def extend_struct(self, struct: Struct) -> None:
        """Append a struct of arrays with a leading time axis.

        Raises:
            EpisodeError: it has another form or other shapes than what is stored.
        """
        self.write_all(checked=True)
        other = Storage.from_struct(struct)
        self._append_arrays(self._leaves_to_append(struct), other.written, other.layout)

    def delete(self, position: int) -> None:
        """Remove the item at a position from 0 to len - 1."""
        if position >= self.written:
            del self.tail[position - self.written]
        elif position == self.written - 1:
            self._shorten(position)
        else:
            self.arrays = [np.delete(a[: self.written], position, axis=0) for a in self.arrays]
            self.written -= 1

    def truncate(self, n: int) -> None:
        """Keep the first `n` items."""
        del self.tail[max(n - self.written, 0) :]
        if n < self.written:
            self._shorten(n)

    def _shorten(self, n: int) -> None:
        """Keep the first `n` written items. Others may have views of what comes after; it is not overwritten."""
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
                self._move_all_to_tail()
            else:
                for array, new in zip(self.arrays, packed, strict=True):
                    array[[at for at, _ in inside]] = new
        for at, value in pairs:
            if at >= self.written:
                self.tail[at - self.written] = value

    def assign(self, positions: list[int], struct: Struct) -> None:
        """Overwrite items of the written part with a struct of arrays (checked by the caller)."""
        assert self.layout is not None
        flat = self.layout.flatten(struct)
        types = overwritten_dtypes(self._stored(), flat)
        for i, (dtype, new) in enumerate(zip(types, flat, strict=True)):
            if dtype != self.arrays[i].dtype or not self.arrays[i].flags.writeable:
                self.arrays[i] = self.arrays[i][: self.written].astype(dtype)
            self.arrays[i][positions] = new
        self._set_layout(layout_of_batch(self.layout.build(self.arrays)))

    def trim(self) -> None:
        """Free the memory that is reserved for growing, if it is worth copying the rest."""
        if self.arrays and len(self.arrays[0]) - self.written > self.written // 16:
            self.arrays = [array[: self.written].copy() for array in self.arrays]

    def part(self, start: int, stop: int, *, shared: bool) -> Storage:
        """Return the items between two positions, copied or sharing the memory of the written ones."""
        part = Storage()
        start_of_tail, end = max(start - self.written, 0), min(stop, self.written)
        start = min(start, end)
        if shared or start < end:  # a finalized buffer returns empty arrays of the right form
            arrays = [array[start:end] for array in self.arrays]
            part.arrays = arrays if shared else [array.copy() for array in arrays]
            part.layout, part.spec, part.written = self.layout, self.spec, end - start
        part.tail.extend(self.tail[start_of_tail : max(stop - self.written, 0)])
        part.list_only, part.tail_is_mixed = self.list_only, self.tail_is_mixed
        return part

    def _move_all_to_tail(self) -> None:
        """Move all items back into the tail."""
        self.tail[:] = self.items(0, len(self))
        self.written, self.arrays = 0, []
        self._set_layout(None)

    def _set_layout(self, layout: ItemLayout | None) -> None:
        self.layout, self.spec = layout, NO_SPEC

    def _append_arrays(
        self, packed: list[Array], n: int, layout: ItemLayout | None, *, last: bool = False
    ) -> None:
        """Append arrays to the written part, and remove `n` items from the tail. The layout is used if there is none yet."""
        if self.layout is None:
            self._set_layout(layout)
        end = self.written + n
        if not self.arrays:
            self.arrays = [a if a.flags.writeable else a.copy() for a in packed]
        else:
            for i, new in enumerate(packed):
                array = self.arrays[i]
                if end > len(array) or not array.flags.writeable:
                    array = np.empty((end if last else 2 * end, *array.shape[1:]), array.dtype)
                    array[: self.written] = self.arrays[i][: self.written]
                    self.arrays[i] = array
                array[self.written : end] = new
        self.written = end
        del self.tail[:n]  # last: a thread that finds the tail empty may read the arrays
        self.tail_is_mixed = False

    def _leaves_to_append(self, struct: Struct) -> list[Array]:
        """Return the leaves of a struct that is to be appended; arrays of a narrower dtype are widened for them.

        Raises:
            EpisodeError: as `leaves_to_append`.
        """
        assert self.layout is not None
        flat, types = leaves_to_append(self.layout, self._stored(), struct)
        if self.arrays and types != [array.dtype for array in self.arrays]:
            # reserved memory may hold anything, even signalling NaN: it is not converted
            pairs = zip(self.arrays, types, strict=True)
            self.arrays = [a if a.dtype == dtype else a[: self.written].astype(dtype) for a, dtype in pairs]
            self._set_layout(layout_of_batch(self.layout.build(self.arrays)))
        return flat

    def check(self, item: Any, *, always: bool) -> None:
        """Check that an item can be written into the arrays. Any item can, as long as there are none.

        Args:
            item: the item to be appended next.
            always: the caller calls this, or `spec.accepts`, for each item from now on.

        Raises:
            EpisodeError: it cannot, and why.
        """
        if always and not self.spec.known and self.layout is not None and not self.tail:
            self.spec = ItemSpec(self.layout)
        if self.layout is None or self.spec.accepts(item):
            return
        if not self.layout.can_hold(item):
            self.write_all(checked=True)
            leaves_to_append(self.layout, self._stored(), batch([item]))
        self.tail_is_mixed = True

    def _stored(self) -> list[Array]:
        return [array[: self.written] for array in self.arrays]


def leaves_to_append(
    layout: ItemLayout, arrays: Sequence[Array], struct: Struct
) -> tuple[list[Array], list[np.dtype[Any]]]:
    """Return the leaves of a struct that is to be appended to arrays, and the dtypes that hold both (none if there are no arrays).

    Raises:
        EpisodeError: another form, other shapes, or numbers that no common type holds exactly.
    """
    try:
        flat = layout.flatten(struct)
    except (KeyError, IndexError, TypeError) as error:
        raise EpisodeError(f"data has another form than what is stored: {error}") from error
    types: list[np.dtype[Any]] = []
    stored = leaves(layout.build(arrays)) if arrays else ()
    for (path, array), new in zip(stored, map(np.asarray, flat), strict=bool(arrays)):
        if new.shape[1:] != array.shape[1:]:
            raise EpisodeError(f"{path or 'data'}: shape {new.shape[1:]} where {array.shape[1:]} is stored")
        if new.dtype.kind not in NUMERIC and array.dtype.kind in NUMERIC:
            raise EpisodeError(f"{path or 'data'}: not a number where {array.dtype} is stored")
        types.append(common_dtype(array.dtype, new))
        for values in (array, new):
            check_exact(path, values, types[-1])
    return flat, types
