"""Where a buffer's items lie: a written part, in typed arrays that grow by doubling, and a tail, in a list.

An item is appended to the tail. Once in a while the tail is written into the arrays, in one go, which costs a fraction of
writing each item. Items that the arrays could not give back as they were stay in the list, all of them: such a storage is
called plain.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gridarium.episodes.errors import EpisodeError
from gridarium.episodes.forms import NO_FORM, Form
from gridarium.episodes.layout import EMPTY_DICTS, Layout, layout_of, layout_of_batch
from gridarium.episodes.leaf import Array
from gridarium.episodes.structs import Struct, batch, leaves, length
from gridarium.episodes.widening import fitting, types_for_both
from gridarium.episodes.writing import WRITING

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
        form: of the items, once `check` is asked of each before it is appended; until then `NO_FORM`.
        mixed: whether an item of the tail has another form, and was found to fit.
    """

    __slots__ = ("arrays", "form", "layout", "mixed", "plain", "tail", "written")

    def __init__(self) -> None:
        self.tail: list[Any] = []
        self.written = 0
        self.plain = self.mixed = False
        self.layout: Layout | None = None
        self.form = NO_FORM
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
        for path, array in leaves(struct):
            if not isinstance(array, np.ndarray) or array.ndim == 0:
                raise EpisodeError(f"{path or 'data'}: expected an array with a time axis, got {array!r}")
        storage = cls()
        storage.written = length(struct)
        storage._lay(layout_of_batch(struct))
        storage.arrays = [array for _, array in leaves(struct)]
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
        """All items as `rows`."""
        self.write_all(same=True)
        return self.rows(slice(0, self.written))

    def rows(self, which: int | slice) -> Struct:
        """An item, or a range of them, none of them after the last, as a struct of views. The tail is written first.

        Raises:
            EpisodeError: there are no items, or they have different forms.
        """
        if self.tail or self.layout is None:
            self.write_all(same=True)
        assert self.layout is not None
        return self.layout.part(self.arrays, which)

    # writing

    def write(self, *, last: bool = False) -> None:
        """Write the tail into the arrays if its items come back from there as they are; else the storage is plain.

        If these are the last ones, no room is kept for more.
        """
        if self.plain or not self.tail:
            return
        with WRITING:
            n = len(self.tail)
            layout = self.layout or layout_of(self.tail[0])
            packed = self._packed(layout, n) if layout is not None else None
            if packed is None:
                self._unwrite()
                self.plain = True
            else:
                self._put(packed, n, layout, last=last)

    def write_all(self, *, same: bool = False, last: bool = False) -> None:
        """Write the tail into the arrays in any case; types that differ become their common type.

        Args:
            same: do not look again at items of which `check` was asked.
            last: keep no room for more.

        Raises:
            EpisodeError: there are no items at all, or their forms or shapes differ (naming the leaf); nothing has
                changed then.
        """
        with WRITING:
            n = len(self.tail)
            if not n and self.layout is not None:
                return
            layout = self.layout or (layout_of(self.tail[0]) if n else None)
            same = same and self.form.known and not self.mixed
            packed = self._packed(layout, n, same=same) if layout is not None and not self.plain else None
            if packed is None:
                struct = batch(self.tail[:n])
                if self.layout is None:
                    self._lay(layout_of_batch(struct))
                packed = self._fitting(struct)
            self._put(packed, n, layout, last=last)
            self.plain = False

    def _packed(self, layout: Layout, n: int, *, same: bool = False) -> list[Array] | None:
        """The first `n` items of the tail, as `Layout.pack` gives them. Other threads may add to it meanwhile."""
        packed = layout.pack(self.tail, same=same)
        return packed if len(self.tail) == n else layout.pack(self.tail[:n], same=same)

    def extend_empty_dicts(self, n: int) -> None:
        """Append so many empty dicts, which need no room at all where nothing else is stored."""
        self.write()
        if self.plain or (self.layout or EMPTY_DICTS) is not EMPTY_DICTS:
            self.tail.extend({} for _ in range(n))
            self.write()
        else:
            self._lay(EMPTY_DICTS)
            self.written += n

    def extend_struct(self, struct: Struct) -> None:
        """Append a struct of arrays with a leading time axis.

        Raises:
            EpisodeError: it has another form or other shapes than what is stored.
        """
        self.write_all(same=True)
        other = Storage.of_struct(struct)
        self._put(self._fitting(struct), other.written, other.layout)

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
        flat = self.layout.flatten(struct)
        types = types_for_both(self._stored(), flat)
        for i, (dtype, new) in enumerate(zip(types, flat, strict=True)):
            if dtype != self.arrays[i].dtype or not self.arrays[i].flags.writeable:
                self.arrays[i] = self.arrays[i][: self.written].astype(dtype)
            self.arrays[i][positions] = new
        self._lay(layout_of_batch(self.layout.build(self.arrays)))

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
            part.layout, part.form, part.written = self.layout, self.form, end - start
        part.tail.extend(self.tail[start_of_tail : max(stop - self.written, 0)])
        part.plain, part.mixed = self.plain, self.mixed
        return part

    def _unwrite(self) -> None:
        """Bring everything back into the tail."""
        self.tail[:] = self.items(0, len(self))
        self.written, self.arrays = 0, []
        self._lay(None)

    def _lay(self, layout: Layout | None) -> None:
        self.layout, self.form = layout, NO_FORM

    def _put(self, packed: list[Array], n: int, layout: Layout | None, *, last: bool = False) -> None:
        """Append arrays to the written part, and take `n` items from the tail. The layout is that of all, if there is none."""
        if self.layout is None:
            self._lay(layout)
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
        del self.tail[:n]  # last: who finds nothing there may read the arrays
        self.mixed = False

    def _fitting(self, struct: Struct) -> list[Array]:
        """The leaves of a struct, if they can be appended; arrays of a narrower type are widened for them.

        Raises:
            EpisodeError: as `fitting`.
        """
        assert self.layout is not None
        flat, types = fitting(self.layout, self._stored(), struct)
        if self.arrays and types != [array.dtype for array in self.arrays]:
            # what is kept for growing holds anything, even signalling NaN: it is not converted
            pairs = zip(self.arrays, types, strict=True)
            self.arrays = [a if a.dtype == dtype else a[: self.written].astype(dtype) for a, dtype in pairs]
            self._lay(layout_of_batch(self.layout.build(self.arrays)))
        return flat

    def check(self, item: Any, *, always: bool) -> None:
        """Check that an item can be written into the arrays, or that nothing is known of them yet.

        Args:
            item: what is to be added next.
            always: this is asked, or whether the form takes it, of each item from now on.

        Raises:
            EpisodeError: it cannot, and why.
        """
        if always and not self.form.known and self.layout is not None and not self.tail:
            self.form = Form(self.layout)
        if self.layout is None or self.form.takes(item):
            return
        if not self.layout.fits(item):
            self.write_all(same=True)
            fitting(self.layout, self._stored(), batch([item]))
        self.mixed = True

    def _stored(self) -> list[Array]:
        return [array[: self.written] for array in self.arrays]
