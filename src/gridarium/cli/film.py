"""Episodes as moving pictures."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from gridarium.engine import World
    from gridarium.screen import Frame
    from gridarium.world import State


class Film:
    """Writes pictures of states to an animated file while they come: `play(..., watch=film)`, then `film.close()`.

    Args:
        world: whose states they are.
        path: a file whose name ends in .gif, .webp or .mp4; its folder is made.
        tile: pixels of a cell's side.
        per_second: how many ticks are shown in a second.
        hold: for how many seconds more the last picture of an episode is shown.
        theme: light or dark.

    Attributes:
        first, last: the first and the last picture so far.

    Raises:
        click.ClickException: a library is missing, the ending is unknown, or the file cannot be written.
    """

    def __init__(
        self, world: World, path: str | Path, tile: int = 32, *, per_second: float = 6.0, hold: float = 1.5,
        theme: str = "light",
    ) -> None:  # fmt: skip
        from gridarium import draw
        from gridarium.screen import VideoWriter
        from gridarium.screen.video import check_format

        self.world, self.tile, self._hold, self._theme = world, tile, hold, draw.theme(theme)
        self.first: Frame | None = None
        self.last: Frame | None = None
        with _said(path):
            check_format(path, per_second)
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            self._video = VideoWriter(path, fps=per_second)

    @property
    def path(self) -> Path:
        """The file."""
        return self._video.path

    @property
    def frames(self) -> int:
        """How many there are."""
        return self._video.frames

    def __call__(self, state: State) -> None:
        """Add a picture; with one agent, what it does not see is darkened."""
        from gridarium import draw

        view = self.world.observe(state) if self.world.spec.agents == 1 else None
        self.last = draw.rgb(state, tile=self.tile, view=view, theme=self._theme)
        self.first = self.last if self.first is None else self.first
        with _said(self._video.path):
            self._video.add(self.last)

    def rest(self) -> None:
        """Show the last picture for longer: an episode is over."""
        self._video.hold_on(self._hold)

    def close(self) -> None:
        """Finish the file, after a rest.

        Raises:
            click.ClickException: it cannot be written.
        """
        self.rest()
        with _said(self._video.path):
            self._video.close()


@contextmanager
def _said(path: str | Path) -> Iterator[None]:
    """What goes wrong with a file, as the command line says it."""
    try:
        yield
    except ImportError as error:
        raise click.ClickException(str(error)) from None
    except ValueError as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        raise click.ClickException(f"{path} cannot be written: {error.strerror or error}") from error
