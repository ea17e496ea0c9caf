"""The interface of writers of one video format."""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

Frame = npt.NDArray[np.uint8]


class VideoEncoder(Protocol):
    """A writer of one format."""

    def add(self, frame: Frame, ticks: int) -> None:
        """Append a frame of the first one's size, shown for some ticks (of a frame's time each)."""

    def close(self) -> None:
        """Write the remaining data."""
