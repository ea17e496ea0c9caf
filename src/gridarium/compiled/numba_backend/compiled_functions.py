"""Functions that were compiled in this process, for the programs that are compiled later."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any


class CompiledFunctions:
    """numba's dispatchers of the functions that were used last, by content (see `Linker`).

    Args:
        most: the number of compiled functions that are kept; each set of argument types counts.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._dispatchers: dict[Hashable, Any] = {}  # least recently used first

    def __len__(self) -> int:
        return sum(map(_size, self._dispatchers.values()))

    def get(self, content: Hashable, make: Callable[[], Any]) -> Any:
        """The dispatcher of a function with this content; that of `make()`, which is kept, if there is none."""
        dispatcher = self._dispatchers.pop(content, None)
        if dispatcher is None:
            dispatcher = make()
        self._dispatchers[content] = dispatcher
        return dispatcher

    def trim(self) -> None:
        """Forget the functions that were not used for longest, down to the number that is kept."""
        surplus = len(self) - self.most
        for content, dispatcher in list(self._dispatchers.items()):
            if surplus <= 0:
                break
            surplus -= _size(dispatcher)
            del self._dispatchers[content]

    def clear(self) -> None:
        """Forget all functions."""
        self._dispatchers.clear()


def _size(dispatcher: Any) -> int:
    return max(1, len(dispatcher.overloads))


functions = CompiledFunctions(most=1000)
"""The functions of the programs that were compiled last in this process; later programs share them."""
