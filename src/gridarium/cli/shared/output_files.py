"""Files that commands write: recorded runs, videos and pages, with errors reported before anything is computed."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from gridarium.agents import Episode
from gridarium.draw.motion.video import check_format
from gridarium.engine import Run, World
from gridarium.view import save_video
from gridarium.view.replay.saving import check_ending, recorded

MARK = b'<meta name="generator" content="Gridarium'
LOOKED_AT = 2048
"""The number of bytes at the beginning of a page that are searched for `MARK`."""
SOURCE_ENDINGS = (".yaml", ".yml", ".py", ".md", ".ipynb")
"""Endings of files with worlds, rules and the like, which no output of a command replaces."""
HOLD = 1.5
"""Additional seconds for which the last picture of an episode is shown."""
TICKS_A_SECOND = 6.0


def check_writable(path: str | Path) -> None:
    """Check that a file can be written, and replaces none that people write, before anything is computed.

    Raises:
        click.ClickException: it cannot be written; the message says why.
    """
    place = Path(path)
    if place.is_dir():
        raise click.ClickException(f"{path} is a folder: name a file in it")
    if not place.parent.is_dir():
        raise click.ClickException(f"{path} cannot be written: there is no folder {place.parent}")
    if place.suffix.lower() in SOURCE_ENDINGS and place.exists():
        raise click.ClickException(f"{path} is there already, and is written by people: choose another name")
    if not os.access(place.parent, os.W_OK):
        raise click.ClickException(f"{path} cannot be written: no permission")


def check_page(path: Path) -> None:
    """Check that a page can be written, and replaces no file that Gridarium has not written.

    Raises:
        click.ClickException: there is such a file, the name does not end in .html, or the file cannot be written.
    """
    if path.suffix.lower() not in (".html", ".htm"):
        raise click.ClickException(f"the name of a page ends in .html, unlike {path}")
    check_writable(path)
    try:
        with path.open("rb") as file:
            ours = MARK in file.read(LOOKED_AT)
    except FileNotFoundError:
        return
    except OSError as error:
        raise click.ClickException(f"{path} cannot be written: {error.strerror}") from error
    if not ours:
        raise click.ClickException(
            f"{path} is there already, and no page of Gridarium's: choose another name"
        )


def check_video(path: str | Path, fps: float = TICKS_A_SECOND) -> None:
    """Check that a video can be written.

    Raises:
        click.ClickException: a library is missing, the ending is unknown, or the file cannot be written.
    """
    with _reported(path):
        check_format(path, fps)
    check_writable(path)


def check_run(path: str) -> None:
    """Check that a run can be written, in one of the forms of `gridarium.view.save_run`.

    Raises:
        click.ClickException: a library is missing, the ending is unknown, or the file cannot be written.
    """
    with _reported(path):
        ending = check_ending(path)
    if ending == ".html":
        check_page(Path(path))
    elif ending == ".run":
        check_writable(path)
    else:
        check_video(path)


def write_video(run: Run, path: str | Path, *, fps: float = TICKS_A_SECOND, **options: Any) -> int:
    """Write a run as a video and return the number of frames. Options as for `gridarium.view.save_video`.

    Raises:
        click.ClickException: a library is missing, the ending is unknown, or the file cannot be written.
    """
    with _reported(path):
        return save_video(run, path, fps=fps, hold=HOLD, **options)


def save_run(world: World, episodes: list[Episode], path: str) -> None:
    """Replay episodes, and write them to one file.

    Raises:
        click.ClickException: the file cannot be written.
    """
    try:
        run_of(world, episodes).save(path)
    except OSError as error:
        raise click.ClickException(f"{path} cannot be written: {error.strerror}") from error


def run_of(world: World, episodes: list[Episode]) -> Run:
    """Replay episodes and record them as a run."""
    return recorded(
        world,
        [
            (e.seed, [[world.actions.index(action) for action in chosen] for chosen in e.actions])
            for e in episodes
        ],
    )


@contextlib.contextmanager
def _reported(path: str | Path) -> Iterator[None]:
    try:
        yield
    except (ImportError, ValueError) as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        raise click.ClickException(f"{path} cannot be written: {error.strerror or error}") from error
