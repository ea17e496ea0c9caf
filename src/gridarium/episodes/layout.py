"""The layout of items: how a nested value is spread over typed arrays, and read back exactly as it was.

A layout is taken from one item. Values that would not come back with the same type, shape and content do not fit it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy import ndarray

from gridarium.episodes.exactness import NUMERIC
from gridarium.episodes.leaf import PYTHON, Array, Leaf
from gridarium.episodes.loops import alike, columns
from gridarium.episodes.structs import Struct


class Layout(Protocol):
    """How items of one form lie in a flat list of arrays."""

    @property
    def arrays(self) -> int:
        """How many arrays an item is spread over."""

    def pack(self, values: list[Any], *, same: bool = False) -> list[Array] | None:
        """The values as arrays with a leading axis; None if one of them does not fit.

        Args:
            values: one or more.
            same: all are known to have this layout (see `same`), and are not looked at again.
        """

    def same(self, value: Any) -> bool:
        """Whether a value has this layout."""

    def fits(self, value: Any) -> bool:
        """Whether a value can surely be written into arrays of this layout, if need be of a wider type."""

    def build(self, arrays: Sequence[Any]) -> Struct:
        """The arrays, one for each leaf, as a struct."""

    def part(self, arrays: Sequence[Array], which: int | slice) -> Struct:
        """The arrays at an index, or at a range of them, as a struct of views."""

    def item(self, arrays: Sequence[Array], at: int) -> Any:
        """An item again, a copy."""

    def unpack(self, arrays: Sequence[Array], n: int) -> list[Any]:
        """The `n` items again. They may be views of the arrays."""

    def flatten(self, value: Struct) -> list[Any]:
        """The leaves of a struct of this form, in the order of the arrays.

        Raises:
            KeyError, IndexError, TypeError: a struct of another form.
        """


class Branch:
    """A dict or a tuple of layouts. An empty dict takes no array at all.

    Attributes:
        arrays: those of all children.
    """

    __slots__ = (
        "_length",
        "_of_arrays",
        "_of_others",
        "_of_scalars",
        "arrays",
        "children",
        "flat",
        "keys",
        "kind",
    )

    def __init__(
        self,
        kind: type[dict[Any, Any]] | type[tuple[Any, ...]],
        keys: tuple[Any, ...],
        children: tuple[Layout, ...],
    ) -> None:
        self.kind, self.keys, self.children = kind, keys, children
        self._length = len(keys)
        self.arrays = sum(child.arrays for child in children)
        self.flat = all(isinstance(child, Leaf) for child in children)
        parts = list(zip(keys, children, strict=True))
        sure = [(key, child) for key, child in parts if isinstance(child, Leaf) and child.sure]
        self._of_others = [part for part in parts if part not in sure]
        self._of_arrays = [(key, leaf.dtype, leaf.shape) for key, leaf in sure if leaf.kind is ndarray]
        self._of_scalars = [(key, leaf.kind) for key, leaf in sure if leaf.kind is not ndarray]

    def pack(self, values: list[Any], *, same: bool = False) -> list[Array] | None:
        """See `Layout.pack`."""
        listed = columns(values, self.kind, self.keys, same)
        if listed is None:
            return None
        packed: list[Array] = []
        for column, child in zip(listed, self.children, strict=True):
            arrays = child.pack(column, same=same)
            if arrays is None:
                return None
            packed += arrays
        return packed

    def same(self, value: Any) -> bool:
        """See `Layout.same`."""
        if type(value) is not self.kind or len(value) != self._length:
            return False
        try:
            for key, dtype, shape in self._of_arrays:
                if not alike(value[key], dtype, shape):
                    return False
            for key, kind in self._of_scalars:
                if type(value[key]) is not kind:
                    return False
            for key, child in self._of_others:
                if not child.same(value[key]):
                    return False
        except KeyError:
            return False
        return True

    def fits(self, value: Any) -> bool:
        """See `Layout.fits`."""
        if value.__class__ is not self.kind or len(value) != len(self.keys):
            return False
        try:
            for key, child in zip(self.keys, self.children):  # noqa: B905  # as long, and this is called often
                if not child.fits(value[key]):
                    return False
        except KeyError:
            return False
        return True

    def build(self, arrays: Sequence[Any]) -> Struct:
        """See `Layout.build`."""
        return self._joined(
            arrays if self.flat else [child.build(part) for child, part in self._parts(arrays)]
        )

    def part(self, arrays: Sequence[Array], which: int | slice) -> Struct:
        """See `Layout.part`."""
        if self.flat and self.kind is dict:  # the usual case, made short
            return {key: array[which] for key, array in zip(self.keys, arrays)}  # noqa: B905
        return self.build([array[which] for array in arrays])

    def item(self, arrays: Sequence[Array], at: int) -> Any:
        """See `Layout.item`."""
        return self._joined([child.item(part, at) for child, part in self._parts(arrays)])

    def unpack(self, arrays: Sequence[Array], n: int) -> list[Any]:
        """See `Layout.unpack`."""
        if not self.keys:
            return [self.kind() for _ in range(n)]
        rows = zip(*[child.unpack(part, n) for child, part in self._parts(arrays)], strict=True)
        return [dict(zip(self.keys, row, strict=True)) for row in rows] if self.kind is dict else list(rows)

    def flatten(self, value: Struct) -> list[Any]:
        """See `Layout.flatten`."""
        if not isinstance(value, self.kind) or len(value) != len(self.keys):
            raise TypeError(f"a {self.kind.__name__} with {list(self.keys)} was expected")
        lists = [child.flatten(value[key]) for key, child in zip(self.keys, self.children, strict=True)]
        return [leaf for flat in lists for leaf in flat]

    def _joined(self, parts: Sequence[Any]) -> Struct:
        return dict(zip(self.keys, parts, strict=True)) if self.kind is dict else tuple(parts)

    def _parts(self, arrays: Sequence[Any]) -> list[tuple[Layout, Sequence[Any]]]:
        parts, start = [], 0
        for child in self.children:
            parts.append((child, arrays[start : start + child.arrays]))
            start += child.arrays
        return parts


EMPTY_DICTS = Branch(dict, (), ())
"""The layout of items that are all `{}`, as most infos are."""


def layout_of(item: Any) -> Layout | None:
    """The layout of an item; None if it holds something that no typed array gives back."""
    kind = type(item)
    if kind is dict and not item:
        return EMPTY_DICTS
    if kind is dict or kind is tuple:
        keys = tuple(item) if kind is dict else tuple(range(len(item)))
        children = [layout_of(item[key]) for key in keys]
        known = tuple(child for child in children if child is not None)
        return Branch(kind, keys, known) if len(known) == len(keys) else None
    if kind in PYTHON:
        return Leaf(kind, PYTHON[kind], ())
    if kind is np.ndarray or issubclass(kind, np.generic):
        return Leaf(kind, item.dtype, item.shape) if item.dtype.kind in NUMERIC else None
    return None


def layout_of_batch(struct: Struct) -> Layout:
    """The layout of the items of a struct of arrays."""
    if isinstance(struct, dict):
        return Branch(dict, tuple(struct), tuple(map(layout_of_batch, struct.values())))
    if isinstance(struct, tuple):
        return Branch(tuple, tuple(range(len(struct))), tuple(map(layout_of_batch, struct)))
    kind = np.ndarray if struct.ndim > 1 else struct.dtype.type
    return Leaf(kind, struct.dtype, struct.shape[1:])
