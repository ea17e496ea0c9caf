"""Episodes on disk: Parquet files with typed columns, an index, and all that is needed to read them.

Needs `gridarium[storage]`; what needs further libraries says which extra to install.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from gridarium.episodes.disk.batches import Batches
from gridarium.episodes.disk.dataset import EpisodeDataset
from gridarium.episodes.disk.parts import leftovers
from gridarium.episodes.disk.writer import EpisodeWriter
from gridarium.episodes.errors import DatasetError

if TYPE_CHECKING:
    from gridarium.episodes.disk.minari_data import from_minari as from_minari
    from gridarium.episodes.disk.minari_data import to_minari as to_minari
    from gridarium.episodes.disk.torch_data import TorchBatches as TorchBatches

# Without what needs further libraries, so that `import *` works without them.
__all__ = ["Batches", "DatasetError", "EpisodeDataset", "EpisodeWriter", "leftovers"]

_HOMES = {"TorchBatches": "torch_data", "from_minari": "minari_data", "to_minari": "minari_data"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
