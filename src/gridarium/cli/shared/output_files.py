"""Recorded runs as videos, and what can go wrong with these, in words."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gridarium.cli.shared.opening import check_writable

if TYPE_CHECKING:
    from gridarium.engine import Run

HOLD = 1.5
"""For how many seconds more the last picture of an episode is shown."""
TICKS_A_SECOND = 6.0


def check_video(path: str | Path, fps: float = TICKS_A_SECOND) -> None:
    """Make sure that a video can be written, and make its folder, before there is anything to show.

    Raises:
        click.ClickException: a library is missing, the ending is unknown, or the file cannot be written.
    """
    from gridarium.draw.motion.video import check_format

    with _reported(path):
        check_format(path, fps)
        Path(path).parent.mkdir(parents=True, exist_ok=True)
    check_writable(path)


def write_video(run: Run, path: str | Path, *, fps: float = TICKS_A_SECOND, **options: Any) -> int:
    """Write a run as a video; gives the number of frames. Options as for `gridarium.view.save_video`.

    Raises:
        click.ClickException: a library is missing, the ending is unknown, or the file cannot be written.
    """
    from gridarium.view import save_video

    with _reported(path):
        return save_video(run, path, fps=fps, hold=HOLD, **options)


@contextlib.contextmanager
def _reported(path: str | Path) -> Iterator[None]:
    try:
        yield
    except (ImportError, ValueError) as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        raise click.ClickException(f"{path} cannot be written: {error.strerror or error}") from error
