"""The library that reads and writes Parquet."""

from __future__ import annotations

from typing import Any

try:
    import pyarrow
    import pyarrow.parquet
except ImportError:  # pragma: no cover
    raise ImportError("episodes on disk need pyarrow; install gridarium[storage]") from None

pa: Any = pyarrow
pq: Any = pyarrow.parquet
ArrowError: type[Exception] = pyarrow.lib.ArrowException
