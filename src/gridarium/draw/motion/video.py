"""Frames as an animated file: GIF, WebP or MP4, written while they come.

Memory use does not grow with the number of frames. The file gets its name when it is complete; until then
it is called `<name>.part`, and it is removed if something goes wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import IO, Any

import numpy as np

from gridarium.draw.files import pillow_image
from gridarium.draw.motion.encoder import Frame, VideoEncoder

MOST_FPS = {".gif": 50.0, ".webp": 240.0, ".mp4": 240.0}
"""The endings of animated files, and the most frames a second of each: players slow down faster GIFs."""


class VideoWriter:
    """Writes frames to an animated file; the ending of its name says how: .gif, .webp or .mp4.

    Args:
        path: the file; one of that name is replaced when the new one is complete. Its folder has to exist.
        fps: frames a second.
        hold: for how many seconds more the last frame is shown, at least.

    Raises:
        ImportError: a library is missing; the message says which extra to install.
        OSError: the file cannot be written.
        ValueError: an unknown ending, or a rate that is too high for it.

    Example:
        >>> with VideoWriter("walk.gif", fps=6) as video:
        ...     for state in states:
        ...         video.add(gridarium.draw.rgb(state))

    An exception within the `with` block discards the file.
    """

    def __init__(self, path: str | Path, *, fps: float = 8.0, hold: float = 0.0) -> None:
        self.path = Path(path)
        self.fps, self.hold, self.frames = check_format(self.path, fps), hold, 0
        self._make = _encoder_for(self.path.suffix.lower())
        self._part = self.path.with_name(self.path.name + ".part")
        self._encoder: VideoEncoder | None = None
        self._waiting: tuple[Frame, int] | None = None
        try:
            self._file: IO[bytes] | None = self._part.open("wb")
        except OSError as error:
            raise type(error)(error.errno, error.strerror, str(self.path)) from None

    def add(self, frame: Any) -> None:
        """Append a frame.

        Args:
            frame: uint8[height, width, 3]; all have the same size.

        Raises:
            ValueError: no such array, one of another size than the first, or the writer is closed.
            OSError: the disk is full, for instance.
        """
        if self._file is None:
            raise ValueError(f"{self.path}: the writer is closed")
        new = checked_frame(frame)
        if self._waiting is None:
            self._encoder = self._make(self._file, new.shape[0], new.shape[1], self.fps)
            self._waiting = new, 1
        else:
            last, ticks = self._waiting
            if new.shape != last.shape:
                size, first = (f"{a.shape[1]} x {a.shape[0]}" for a in (new, last))
                raise ValueError(
                    f"{self.path}: frame {self.frames} is {size}, the ones before it are {first}"
                )
            self._waiting = (last, ticks + 1) if np.array_equal(last, new) else self._write(new)
        self.frames += 1

    def hold_on(self, seconds: float) -> None:
        """Show the last frame so far for some seconds more; nothing before the first one."""
        if self._waiting is not None:
            frame, ticks = self._waiting
            self._waiting = frame, ticks + round(seconds * self.fps)

    def close(self) -> None:
        """Finish the file and give it its name; nothing if that has been done.

        Raises:
            ValueError: there were no frames; nothing is left behind then.
            OSError: it cannot be written.
        """
        if self._file is None:
            return
        try:
            if self._waiting is None or self._encoder is None:
                raise ValueError(f"{self.path}: there are no frames to write")
            self.hold_on(self.hold)
            self._encoder.add(*self._waiting)
            self._encoder.close()
            self._file.close()
            self._part.replace(self.path)
        finally:
            self.discard()

    def discard(self) -> None:
        """Give up: nothing is left behind. Nothing if the file is complete."""
        if self._file is not None:
            self._file.close()
            self._part.unlink(missing_ok=True)
        self._file = self._encoder = None

    def __del__(self) -> None:
        if getattr(self, "_file", None) is not None:
            self.discard()

    def _write(self, following: Frame) -> tuple[Frame, int]:
        assert self._waiting is not None
        assert self._encoder is not None
        self._encoder.add(*self._waiting)
        return following, 1

    def __enter__(self) -> VideoWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.close()
        else:
            self.discard()


def check_format(path: str | Path, fps: float) -> float:
    """Make sure that a file's format and rate are possible, and that its library is there; gives the rate.

    Raises:
        ImportError: a library is missing; the message says which extra to install.
        ValueError: an unknown ending, or a rate that is too high for it.
    """
    ending = Path(path).suffix.lower()
    if ending not in MOST_FPS:
        raise ValueError(f"{path}: an animated file's name ends in {', '.join(MOST_FPS)}, not {ending!r}")
    if not 0 < fps <= MOST_FPS[ending]:
        raise ValueError(
            f"{ending} has at most {MOST_FPS[ending]:g} frames a second, and more than 0, not {fps}"
        )
    _encoder_for(ending)
    return float(fps)


def checked_frame(frame: Any) -> Frame:
    """A frame as an array of its own.

    Raises:
        ValueError: it is not uint8[height, width, 3].
    """
    array = np.array(frame, copy=True, order="C")
    if array.dtype != np.uint8 or array.ndim != 3 or array.shape[2] != 3 or 0 in array.shape:
        raise ValueError(f"a frame is uint8[height, width, 3], not {array.dtype}{list(array.shape)}")
    return array


def _encoder_for(ending: str) -> Callable[[IO[bytes], int, int, float], VideoEncoder]:
    if ending == ".mp4":
        try:
            import av  # noqa: F401
        except ImportError:
            raise ImportError("MP4 files need PyAV; install gridarium[video]") from None
        from gridarium.draw.motion.mp4 import Mp4Encoder

        return Mp4Encoder
    pillow_image(f"{ending} files need")
    from gridarium.draw.motion.gif_webp import GifEncoder, WebpEncoder

    return GifEncoder if ending == ".gif" else WebpEncoder
