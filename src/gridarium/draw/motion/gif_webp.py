"""GIF and WebP, frame by frame: of each frame only the part that differs from the one before.

Pillow compresses single frames; its own writers of animations keep all frames until the end. GIF:
https://www.w3.org/Graphics/GIF/spec-gif89a.txt; WebP: https://developers.google.com/speed/webp/docs/riff_container.
"""

from __future__ import annotations

import io
import struct
from typing import IO

import numpy as np
import numpy.typing as npt
from PIL import GifImagePlugin, Image

from gridarium.draw.motion.encoder import Frame

COLORS = 256
LONGEST_GIF = 65535
LONGEST_WEBP = (1 << 24) - 1
"""The longest time of a frame, in hundredths and in thousandths of a second."""


class _Clock:
    """Times of frames in whole parts of a second, rounded so that errors do not add up."""

    def __init__(self, fps: float, parts: int) -> None:
        self._per_tick, self._ticks = parts / fps, 0

    def take(self, ticks: int) -> int:
        begin = round(self._ticks * self._per_tick)
        self._ticks += ticks
        return round(self._ticks * self._per_tick) - begin


class _Changes:
    """Finds the smallest rectangle that has changed since the last frame."""

    def __init__(self) -> None:
        self._last: Frame | None = None

    def box(self, frame: Frame, multiple: int = 1) -> tuple[int, int, int, int]:
        """Top, bottom, left and right; top and left are multiples of a number."""
        last, self._last = self._last, frame
        if last is None:
            return 0, frame.shape[0], 0, frame.shape[1]
        differs = (frame != last).any(axis=2)
        rows, columns = np.flatnonzero(differs.any(axis=1)), np.flatnonzero(differs.any(axis=0))
        if not rows.size:
            return 0, 1, 0, 1
        top, left = int(rows[0]), int(columns[0])
        return top - top % multiple, int(rows[-1]) + 1, left - left % multiple, int(columns[-1]) + 1


class GifEncoder:
    """An animated GIF that repeats for ever; each frame has the colors that it needs, up to 256."""

    def __init__(self, file: IO[bytes], height: int, width: int, fps: float) -> None:
        self._file, self._clock, self._changes = file, _Clock(fps, 100), _Changes()
        file.write(b"GIF89a" + struct.pack("<HHBBB", width, height, 0, 0, 0))
        file.write(b"!\xff\x0bNETSCAPE2.0\x03\x01" + struct.pack("<HB", 0, 0))

    def add(self, frame: Frame, ticks: int) -> None:
        """Append a frame."""
        top, bottom, left, right = self._changes.box(frame)
        picture = _with_palette(frame[top:bottom, left:right])
        time = min(max(2, self._clock.take(ticks)), LONGEST_GIF)
        data = GifImagePlugin.getdata(
            picture, (left, top), duration=10 * time, disposal=1, include_color_table=True
        )
        self._file.writelines(data)

    def close(self) -> None:
        """Write the end."""
        self._file.write(b";")


class WebpEncoder:
    """An animated WebP that repeats for ever, without loss."""

    def __init__(self, file: IO[bytes], height: int, width: int, fps: float) -> None:
        self._file, self._clock, self._changes = file, _Clock(fps, 1000), _Changes()
        file.write(b"RIFF\0\0\0\0WEBP")
        animated = 2
        self._chunk(b"VP8X", struct.pack("<I", animated) + _three(width - 1) + _three(height - 1))
        self._chunk(b"ANIM", struct.pack("<IH", 0, 0))

    def add(self, frame: Frame, ticks: int) -> None:
        """Append a frame."""
        top, bottom, left, right = self._changes.box(frame, 2)
        data = io.BytesIO()
        part = np.ascontiguousarray(frame[top:bottom, left:right])
        Image.fromarray(part).save(data, "WEBP", lossless=True, quality=60, method=2)
        time = min(max(1, self._clock.take(ticks)), LONGEST_WEBP)
        without_blending = 2
        numbers = (left // 2, top // 2, right - left - 1, bottom - top - 1, time)
        header = b"".join(map(_three, numbers)) + bytes([without_blending])
        self._chunk(b"ANMF", header + data.getvalue()[12:])

    def close(self) -> None:
        """Write the size of the whole."""
        size = self._file.tell() - 8
        self._file.seek(4)
        self._file.write(struct.pack("<I", size))

    def _chunk(self, name: bytes, data: bytes) -> None:
        self._file.write(name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2))


def _three(number: int) -> bytes:
    return struct.pack("<I", number)[:3]


def _with_palette(frame: Frame) -> Image.Image:
    """A frame with the colors that it has; where they are too many, the most frequent ones, so that what is plain
    keeps its exact color from frame to frame.
    """  # noqa: D205
    packed = frame[..., 0].astype(np.uint32) << 16 | frame[..., 1].astype(np.uint32) << 8 | frame[..., 2]
    words, indices, counts = np.unique(packed, return_inverse=True, return_counts=True)
    colors = np.stack([words >> 16, words >> 8 & 255, words & 255], axis=1).astype(np.uint8)
    if len(colors) > COLORS:
        kept = np.argsort(-counts, kind="stable")[:COLORS]
        indices, colors = _nearest(colors, colors[kept])[indices], colors[kept]
    picture = Image.fromarray(indices.reshape(packed.shape).astype(np.uint8), "L")
    picture.putpalette(colors.tobytes())
    return picture


def _nearest(colors: npt.NDArray[np.uint8], kept: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
    """int64[colors]: the nearest of the kept colors, by squared distance."""
    palette = kept.astype(np.float32)  # sums of squares of bytes are exact in it
    lengths = (palette**2).sum(axis=1)
    parts = np.array_split(colors.astype(np.float32), max(1, len(colors) // 4096))
    return np.concatenate([(lengths - 2 * part @ palette.T).argmin(axis=1) for part in parts])
