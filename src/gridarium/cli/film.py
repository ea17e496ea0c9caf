"""Episodes as moving pictures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from gridarium.engine import World
    from gridarium.world import State

Frame = npt.NDArray[np.uint8]
WITHOUT_PILLOW = "pictures need Pillow: pip install 'gridarium[pictures]'"


def need_pillow() -> None:
    """Fail early, and say how to help it.

    Raises:
        click.ClickException: Pillow is not installed.
    """
    try:
        import PIL  # noqa: F401
    except ImportError:
        raise click.ClickException(WITHOUT_PILLOW) from None


class Film:
    """Collects pictures of states: `play(..., watch=film)`, then `film.save(path)`.

    Args:
        world: whose states they are.
        tile: pixels of a cell's side.
        most: how many frames are kept; further ones are counted in `missed`.
    """

    def __init__(self, world: World, tile: int = 32, most: int = 2000) -> None:
        self.world, self.tile, self.most = world, tile, most
        self.frames: list[Frame] = []
        self.missed = 0

    def __call__(self, state: State) -> None:
        """Add a picture; with one agent, what it does not see is darkened."""
        from gridarium import draw

        if len(self.frames) >= self.most:
            self.missed += 1
            return
        view = self.world.observe(state) if self.world.spec.agents == 1 else None
        self.frames.append(draw.rgb(state, tile=self.tile, view=view))

    def save(self, path: str | Path, *, per_second: float = 6.0, hold: float = 1.5) -> None:
        """Write all frames as one animated GIF that repeats for ever; the last frame is held for a while (seconds).

        Raises:
            click.ClickException: Pillow is missing, the name does not end in .gif, or the file cannot be written.
        """
        need_pillow()
        from PIL import Image

        if Path(path).suffix.lower() != ".gif":
            raise click.ClickException(f"{path}: an animated picture's name ends in .gif")
        palette = _palette(self.frames)
        pictures = [
            Image.fromarray(frame).quantize(palette=palette, dither=Image.Dither.NONE)
            for frame in self.frames
        ]
        times = [int(1000 / per_second)] * (len(pictures) - 1) + [int(1000 * hold)]
        first, *others = pictures
        try:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            first.save(path, save_all=True, append_images=others, duration=times, loop=0, optimize=False)
        except OSError as error:
            raise click.ClickException(f"{path} cannot be written: {error.strerror}") from error


def _palette(frames: list[Frame]) -> Any:
    """The 256 colors of all frames together, so that nothing flickers."""
    from PIL import Image

    colors = np.unique(np.concatenate([np.unique(f.reshape(-1, 3), axis=0) for f in frames]), axis=0)
    return Image.fromarray(colors[None]).quantize(256)
