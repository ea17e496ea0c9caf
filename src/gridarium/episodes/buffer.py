"""A buffer of items over time, the first of which may be history: the lookback."""

from __future__ import annotations

from operator import index
from typing import Any

from gridarium.episodes.errors import EpisodeIndexError
from gridarium.episodes.indices import plain_indices, position, span
from gridarium.episodes.overwriting import overwrite_arrays
from gridarium.episodes.reading import Indices, ReadableBuffer
from gridarium.episodes.space_states import space_from_state, space_to_state
from gridarium.episodes.structs import equal


class InfiniteLookbackBuffer(ReadableBuffer):
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

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]  # it changes

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

    def concat(self, other: InfiniteLookbackBuffer, *, skip: int = 0) -> None:
        """Add the items of another buffer at the end, without its lookback and the first `skip` after that.

        Raises:
            EpisodeError: finalized, and items of another form; nothing has changed then.
        """
        both = self.finalized and other.finalized
        self.extend(other.get(slice(skip, None)) if both else other.as_list()[skip:])

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
