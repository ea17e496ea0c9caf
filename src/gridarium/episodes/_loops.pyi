from typing import Any

import numpy as np
import numpy.typing as npt

def alike(value: Any, dtype: np.dtype[Any], shape: tuple[int, ...], /) -> bool: ...
def columns(
    values: list[Any],
    kind: type[dict[Any, Any]] | type[tuple[Any, ...]],
    keys: tuple[Any, ...],
    same: bool = False,
    /,
) -> list[list[Any]] | None: ...
def pack(
    values: list[Any], dtype: np.dtype[Any], shape: tuple[int, ...], same: bool = False, /
) -> bytearray | None: ...
def put_ones(
    numbers: npt.NDArray[np.int64],
    bounds: npt.NDArray[np.int64],
    vectors: npt.NDArray[np.float32],
    at: int,
    /,
) -> int: ...
