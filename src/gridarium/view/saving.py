"""A run as a file of the kind that its name asks for."""

from __future__ import annotations

from pathlib import Path

from gridarium.engine import Run, World
from gridarium.view.scenes import scenes, world_of


def save_run(
    run: Run, path: str | Path, *, world: World | None = None, tile: int = 32, fps: float = 6.0
) -> None:
    """Write a run to a file: .run (to replay it), .html (a page that shows it), .gif, .webp or .mp4.

    Args:
        run: what was recorded.
        path: the file; one of that name is replaced when the new one is complete.
        world: where it was recorded, unless it is to be made from the run's description.
        tile: pixels of a cell's side, in moving pictures.
        fps: ticks a second there.

    Raises:
        ValueError: an unknown ending.
        ImportError: a library is missing; the message says which extra to install.
        OSError: the file cannot be written.
    """
    ending = Path(path).suffix.lower()
    if ending == ".run":
        run.save(path)
    elif ending == ".html":
        from gridarium.view.html_replay import write_replay

        write_replay(run, path, world=world)
    else:
        from gridarium.env.rendering import rendered
        from gridarium.screen import VideoWriter

        shown = world or world_of(run)
        with VideoWriter(path, fps=fps, hold=1.0) as video:
            for scene in scenes(run, shown):
                video.add(rendered(shown, scene.state, "rgb_array", tile))
