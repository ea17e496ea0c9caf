"""MP4 (H.264) by PyAV. Needs the extra `gridarium[video]`."""

from __future__ import annotations

from fractions import Fraction
from typing import IO

import av
import numpy as np

from gridarium.draw.motion.encoder import Frame


class Mp4Encoder:
    """Frames as H.264, in the pixel format that all players know."""

    def __init__(self, file: IO[bytes], height: int, width: int, fps: float) -> None:
        self._container = av.open(file, "w", format="mp4")
        rate = Fraction(fps).limit_denominator(1000)
        self._stream = self._container.add_stream(
            "libx264", rate=rate, options={"crf": "16", "tune": "animation"}
        )
        self._stream.width, self._stream.height = width + width % 2, height + height % 2
        self._stream.pix_fmt = "yuv420p"

    def add(self, frame: Frame, ticks: int) -> None:
        """Append a frame; odd sizes get another row or column, as the format has even sizes only."""
        height, width, _ = frame.shape
        even = np.pad(frame, ((0, height % 2), (0, width % 2), (0, 0)), mode="edge")
        for _ in range(ticks):
            self._container.mux(self._stream.encode(av.VideoFrame.from_ndarray(even, format="rgb24")))

    def close(self) -> None:
        """Write the last frames and the index."""
        self._container.mux(self._stream.encode(None))
        self._container.close()
