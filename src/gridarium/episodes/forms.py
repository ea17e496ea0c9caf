"""What most items of a storage look like: so that a short look at a further one is enough."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gridarium.episodes.exactness import LEAST, MOST
from gridarium.episodes.layout import Layout
from gridarium.episodes.leaf import Leaf


class Form:
    """The form of items that have a layout.

    Attributes:
        known: whether there is a layout.
        dtype, shape: of items that are arrays; None and () for others.
        kind: the class of items that are numbers; of them, whole ones from `LEAST` to `MOST` have the form. None for others.
        sure: this class, if all of its numbers have the form.
        same: tells of any item whether it has the form.
    """

    __slots__ = ("dtype", "kind", "known", "same", "shape", "sure")

    def __init__(self, layout: Layout | None = None) -> None:
        self.known = layout is not None
        self.same: Callable[[Any], bool] = _nothing if layout is None else layout.same
        self.dtype: np.dtype[Any] | None = None
        self.shape: tuple[int, ...] = ()
        self.kind: type[Any] | None = None
        self.sure: type[Any] | None = None
        if isinstance(layout, Leaf):
            if layout.kind is np.ndarray:
                self.dtype, self.shape = layout.dtype, layout.shape
            elif layout.plain:
                self.kind = layout.kind
                self.sure = layout.kind if layout.sure else None

    def takes(self, item: Any) -> bool:
        """Whether an item surely has the layout."""
        kind = type(item)
        if kind is self.kind:
            return kind is not int or LEAST <= item <= MOST
        return self.same(item)


def _nothing(item: Any) -> bool:
    return False


NO_FORM = Form()
"""The form of nothing."""
