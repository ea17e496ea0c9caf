"""The layout of items: how a nested value is spread over typed arrays and read back exactly as it was.

A layout is inferred from one item. A value that would not come back with the same type, shape and content does not fit it.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from operator import countOf
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt
from numpy import ndarray

from gridarium.episodes.buffer.structs import EXACT, MAX_FAST_INT, MIN_FAST_INT, NUMERIC, Struct, holds
from gridarium.episodes.loops import alike, columns, pack

Array = npt.NDArray[Any]

PYTHON_DTYPES = {bool: np.dtype(np.bool_), int: np.dtype(np.int64), float: np.dtype(np.float64)}


class LeafLayout(NamedTuple):
    """The layout of a number or an array.

    Attributes:
        type_: `bool`, `int`, `float`, a numpy scalar type, or `numpy.ndarray`.
        dtype: of the array that holds it.
        shape: of one item.
    """

    type_: type
    dtype: np.dtype[Any]
    shape: tuple[int, ...]

    @property
    def arrays(self) -> int:
        """One array holds the leaf."""
        return 1

    def pack(self, values: list[Any], *, checked: bool = False) -> list[Array] | None:
        """See `ItemLayout.pack`."""
        n = len(values)
        if self.type_ is np.ndarray:
            packed = pack(values, self.dtype, self.shape, checked)
            return None if packed is None else [np.ndarray((n, *self.shape), self.dtype, packed)]
        if not checked and countOf(map(type, values), self.type_) != n:
            return None
        if self.type_ in PYTHON_DTYPES:
            data = bytearray(n * self.dtype.itemsize)
            try:
                struct.pack_into(f"{n}{self.dtype.char}", data, 0, *values)
            except struct.error:  # a whole number beyond 64 bits
                return None
            return [np.frombuffer(data, self.dtype)]
        if not self.is_native:
            return None
        return [np.frombuffer(bytearray().join(values), self.dtype)]

    @property
    def is_type_sufficient(self) -> bool:
        """True if class, shape and dtype of a value are enough to know that it has this layout."""
        return self.type_ is np.ndarray or (self.is_native and self.type_ is not int)

    @property
    def is_native(self) -> bool:
        """True if each scalar of the class has the same bytes as an entry of the array."""
        return self.dtype.isnative and self.dtype.kind in NUMERIC

    def matches(self, value: Any) -> bool:
        """See `ItemLayout.matches`."""
        if self.type_ is np.ndarray:
            return alike(value, self.dtype, self.shape)
        type_ = type(value)
        if type_ is not self.type_:
            return False
        return -EXACT <= value <= EXACT if type_ is int else self.is_native

    def can_hold(self, value: Any) -> bool:
        """See `ItemLayout.can_hold`."""
        type_ = value.__class__
        if type_ is int:
            return -EXACT <= value <= EXACT and not self.shape and self.dtype.kind in NUMERIC
        if type_ is np.ndarray or issubclass(type_, np.generic):
            return value.shape == self.shape and holds(self.dtype, value.dtype)
        return type_ in PYTHON_DTYPES and not self.shape and holds(self.dtype, PYTHON_DTYPES[type_])

    def build(self, arrays: Sequence[Any]) -> Struct:
        """See `ItemLayout.build`."""
        return arrays[0]

    def part(self, arrays: Sequence[Array], which: int | slice) -> Struct:
        """See `ItemLayout.part`."""
        return arrays[0][which]

    def item(self, arrays: Sequence[Array], at: int) -> Any:
        """See `ItemLayout.item`."""
        if self.type_ in PYTHON_DTYPES:
            return arrays[0].item(at)
        return arrays[0][at, ...].copy() if self.type_ is np.ndarray else arrays[0][at]

    def unpack(self, arrays: Sequence[Array], n: int) -> list[Any]:
        """See `ItemLayout.unpack`."""
        array = arrays[0]
        if self.type_ in PYTHON_DTYPES:
            return array.tolist()  # type: ignore[no-any-return]
        if self.shape or self.type_ is not np.ndarray:
            return list(array)
        return [array[i, ...] for i in range(n)]

    def flatten(self, value: Struct) -> list[Any]:
        """See `ItemLayout.flatten`."""
        if isinstance(value, (dict, tuple)):
            raise TypeError("a leaf was expected")
        return [value]


class ItemLayout(Protocol):
    """Stores items of one form in a flat list of arrays."""

    @property
    def arrays(self) -> int:
        """The number of arrays that an item is spread over."""

    def pack(self, values: list[Any], *, checked: bool = False) -> list[Array] | None:
        """Return the values as arrays with a leading axis; None if one of them does not fit.

        Args:
            values: one or more.
            checked: all are known to have this layout (see `matches`); they are not checked again.
        """

    def matches(self, value: Any) -> bool:
        """Return whether a value has this layout."""

    def can_hold(self, value: Any) -> bool:
        """Return whether a value can certainly be written into arrays of this layout, possibly of a wider type."""

    def build(self, arrays: Sequence[Any]) -> Struct:
        """Return the arrays, one for each leaf, as a struct."""

    def part(self, arrays: Sequence[Array], which: int | slice) -> Struct:
        """Return the arrays at an index, or at a range of them, as a struct of views."""

    def item(self, arrays: Sequence[Array], at: int) -> Any:
        """Return a copy of an item."""

    def unpack(self, arrays: Sequence[Array], n: int) -> list[Any]:
        """Return the `n` items. They may be views of the arrays."""

    def flatten(self, value: Struct) -> list[Any]:
        """Return the leaves of a struct of this form, in the order of the arrays.

        Raises:
            KeyError, IndexError, TypeError: a struct of another form.
        """


class NestedLayout:
    """The layout of a dict or a tuple. An empty dict needs no array at all.

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
        "type_",
    )

    def __init__(
        self,
        type_: type[dict[Any, Any]] | type[tuple[Any, ...]],
        keys: tuple[Any, ...],
        children: tuple[ItemLayout, ...],
    ) -> None:
        self.type_, self.keys, self.children = type_, keys, children
        self._length = len(keys)
        self.arrays = sum(child.arrays for child in children)
        self.flat = all(isinstance(child, LeafLayout) for child in children)
        parts = list(zip(keys, children, strict=True))
        is_type_sufficient = [
            (key, child) for key, child in parts if isinstance(child, LeafLayout) and child.is_type_sufficient
        ]
        self._of_others = [part for part in parts if part not in is_type_sufficient]
        self._of_arrays = [
            (key, leaf.dtype, leaf.shape) for key, leaf in is_type_sufficient if leaf.type_ is ndarray
        ]
        self._of_scalars = [
            (key, leaf.type_) for key, leaf in is_type_sufficient if leaf.type_ is not ndarray
        ]

    def pack(self, values: list[Any], *, checked: bool = False) -> list[Array] | None:
        """See `ItemLayout.pack`."""
        listed = columns(values, self.type_, self.keys, checked)
        if listed is None:
            return None
        packed: list[Array] = []
        for column, child in zip(listed, self.children, strict=True):
            arrays = child.pack(column, checked=checked)
            if arrays is None:
                return None
            packed += arrays
        return packed

    def matches(self, value: Any) -> bool:
        """See `ItemLayout.matches`."""
        if type(value) is not self.type_ or len(value) != self._length:
            return False
        try:
            for key, dtype, shape in self._of_arrays:
                if not alike(value[key], dtype, shape):
                    return False
            for key, type_ in self._of_scalars:
                if type(value[key]) is not type_:
                    return False
            for key, child in self._of_others:
                if not child.matches(value[key]):
                    return False
        except KeyError:
            return False
        return True

    def can_hold(self, value: Any) -> bool:
        """See `ItemLayout.can_hold`."""
        if value.__class__ is not self.type_ or len(value) != len(self.keys):
            return False
        try:
            for key, child in zip(self.keys, self.children):  # noqa: B905  # as long, and this is called often
                if not child.can_hold(value[key]):
                    return False
        except KeyError:
            return False
        return True

    def build(self, arrays: Sequence[Any]) -> Struct:
        """See `ItemLayout.build`."""
        return self._join(arrays if self.flat else [child.build(part) for child, part in self._split(arrays)])

    def part(self, arrays: Sequence[Array], which: int | slice) -> Struct:
        """See `ItemLayout.part`."""
        if self.flat and self.type_ is dict:  # the usual case, made short
            return {key: array[which] for key, array in zip(self.keys, arrays)}  # noqa: B905
        return self.build([array[which] for array in arrays])

    def item(self, arrays: Sequence[Array], at: int) -> Any:
        """See `ItemLayout.item`."""
        return self._join([child.item(part, at) for child, part in self._split(arrays)])

    def unpack(self, arrays: Sequence[Array], n: int) -> list[Any]:
        """See `ItemLayout.unpack`."""
        if not self.keys:
            return [self.type_() for _ in range(n)]
        rows = zip(*[child.unpack(part, n) for child, part in self._split(arrays)], strict=True)
        return [dict(zip(self.keys, row, strict=True)) for row in rows] if self.type_ is dict else list(rows)

    def flatten(self, value: Struct) -> list[Any]:
        """See `ItemLayout.flatten`."""
        if not isinstance(value, self.type_) or len(value) != len(self.keys):
            raise TypeError(f"a {self.type_.__name__} with {list(self.keys)} was expected")
        lists = [child.flatten(value[key]) for key, child in zip(self.keys, self.children, strict=True)]
        return [leaf for flat in lists for leaf in flat]

    def _join(self, parts: Sequence[Any]) -> Struct:
        return dict(zip(self.keys, parts, strict=True)) if self.type_ is dict else tuple(parts)

    def _split(self, arrays: Sequence[Any]) -> list[tuple[ItemLayout, Sequence[Any]]]:
        parts, start = [], 0
        for child in self.children:
            parts.append((child, arrays[start : start + child.arrays]))
            start += child.arrays
        return parts


EMPTY_DICTS = NestedLayout(dict, (), ())
"""The layout of items that are all `{}`, as most infos are."""


def layout_of(item: Any) -> ItemLayout | None:
    """Return the layout of an item; None if it holds something that no typed array can return unchanged."""
    type_ = type(item)
    if type_ is dict and not item:
        return EMPTY_DICTS
    if type_ is dict or type_ is tuple:
        keys = tuple(item) if type_ is dict else tuple(range(len(item)))
        children = [layout_of(item[key]) for key in keys]
        known = tuple(child for child in children if child is not None)
        return NestedLayout(type_, keys, known) if len(known) == len(keys) else None
    if type_ in PYTHON_DTYPES:
        return LeafLayout(type_, PYTHON_DTYPES[type_], ())
    if type_ is np.ndarray or issubclass(type_, np.generic):
        return LeafLayout(type_, item.dtype, item.shape) if item.dtype.kind in NUMERIC else None
    return None


def layout_of_batch(struct: Struct) -> ItemLayout:
    """Return the layout of the items of a struct of arrays."""
    if isinstance(struct, dict):
        return NestedLayout(dict, tuple(struct), tuple(map(layout_of_batch, struct.values())))
    if isinstance(struct, tuple):
        return NestedLayout(tuple, tuple(range(len(struct))), tuple(map(layout_of_batch, struct)))
    type_ = np.ndarray if struct.ndim > 1 else struct.dtype.type
    return LeafLayout(type_, struct.dtype, struct.shape[1:])


class ItemSpec:
    """The type and shape of items with a layout, so that one or two comparisons show if the next item has it, too.

    Attributes:
        known: whether there is a layout.
        dtype, shape: of items that are arrays; None and () for others.
        scalar_type: the class of items that are scalars, None for others. An int matches from `MIN_FAST_INT` to `MAX_FAST_INT`.
        exact_type: this class, if all of its values match.
        matches: whether any given item matches.
    """

    __slots__ = ("dtype", "exact_type", "known", "matches", "scalar_type", "shape")

    def __init__(self, layout: ItemLayout | None = None) -> None:
        self.known = layout is not None
        self.matches: Callable[[Any], bool] = _never if layout is None else layout.matches
        self.dtype: np.dtype[Any] | None = None
        self.shape: tuple[int, ...] = ()
        self.scalar_type: type[Any] | None = None
        self.exact_type: type[Any] | None = None
        if isinstance(layout, LeafLayout):
            if layout.type_ is np.ndarray:
                self.dtype, self.shape = layout.dtype, layout.shape
            elif layout.is_native:
                self.scalar_type = layout.type_
                self.exact_type = layout.type_ if layout.is_type_sufficient else None

    def accepts(self, item: Any) -> bool:
        """Return whether an item certainly has the layout."""
        type_ = type(item)
        if type_ is self.scalar_type:
            return type_ is not int or MIN_FAST_INT <= item <= MAX_FAST_INT
        return self.matches(item)


def _never(item: Any) -> bool:
    return False


NO_SPEC = ItemSpec()
"""The spec of a storage whose layout is not known, or whose items were not all checked."""
