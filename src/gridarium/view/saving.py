"""A run as a file of the kind that its name asks for."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from gridarium.engine import Recorder, Run, World
from gridarium.view.scenes import scenes, world_of


def recorded(world: World, seed: int, actions: Iterable[Sequence[int]]) -> Run:
    """An episode that went like this; it is played once more for that.

    Args:
        world: where.
        seed: of the episode.
        actions: of all agents, by their indices, for each tick.

    Raises:
        Exception: what a rule raises.
    """
    recorder = Recorder(world)
    recorder.reset(seed)
    for chosen in actions:
        recorder.step(list(chosen) if len(chosen) > 1 else chosen[0])
    return recorder.run()


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


def episode_file(world: World, seed: int, actions: Iterable[Sequence[int]], ending: str) -> bytes:
    """What `save_run` writes of an episode, to be sent rather than kept; arguments as for `recorded`."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"episode.{ending}"
        save_run(recorded(world, seed, actions), path, world=world)
        return path.read_bytes()
