"""Episodes for PyTorch. Needs `gridarium[torch]`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from gridarium.episodes.buffer.structs import map_structs
from gridarium.episodes.disk.dataset import EpisodeDataset

try:
    import torch
    from torch.utils.data import IterableDataset, get_worker_info
except ImportError:  # pragma: no cover
    raise ImportError("tensors need PyTorch; install gridarium[torch]") from None


class TorchBatches(IterableDataset[dict[str, Any]]):
    """All steps of a dataset in shuffled batches of tensors.

    Use it in a `DataLoader` with `batch_size=None`, since it makes the batches itself; the loader's workers share the
    groups of rows. Integer actions are returned as int64, as `gather` and losses need them. Call `set_epoch` before each
    epoch for another order, as with PyTorch's distributed samplers.

    Args:
        data: the episodes.
        size: how many steps or windows a batch has.
        options: `window`, `seed`, `pool_bytes`, `drop_last` as for `gridarium.episodes.disk.Batches`.

    Example:
        >>> loader = DataLoader(TorchBatches(data, 256, seed=0), batch_size=None, num_workers=2)
    """

    def __init__(self, data: EpisodeDataset, size: int, **options: Any) -> None:
        super().__init__()
        self._data, self._size, self._options, self._epoch = data, size, options, 0
        data.batches(size, **options)  # raises now rather than in a worker

    def set_epoch(self, epoch: int) -> None:
        """Set the number of the next epoch, counted from 0."""
        self._epoch = epoch

    def __len__(self) -> int:
        """Return the number of batches of one process; several end with a smaller batch each, so there can be some more."""
        return len(self._data.batches(self._size, **self._options))

    def __iter__(self) -> Iterator[dict[str, Any]]:
        worker = get_worker_info()
        shard = (0, 1) if worker is None else (worker.id, worker.num_workers)
        batches = self._data.batches(self._size, shard=shard, epoch=self._epoch, **self._options)
        for made in batches:
            made["actions"] = map_structs(_indices, made["actions"])
            yield map_structs(_tensor, made)


def _indices(_: str, array: Any) -> Any:
    return array.astype(np.int64) if array.dtype.kind in "iu" else array


def _tensor(_: str, array: Any) -> Any:
    """Return a tensor that shares memory; texts stay arrays."""
    return array if array.dtype.kind == "U" else torch.from_numpy(np.ascontiguousarray(array))
