"""Episodes as recorded runs, and runs as files: to replay them, to read them, or as videos."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from gridarium import draw
from gridarium.draw.motion.video import MOST_FPS
from gridarium.engine import Recorder, Run, World
from gridarium.engine.single_world import SingleWorld
from gridarium.view.replay.html import write_replay
from gridarium.view.replay.steps import replay_steps

ENDINGS = (".run", ".html", *MOST_FPS)
"""The endings of files for runs."""


def recorded(world: World | SingleWorld, episodes: Iterable[tuple[int, Iterable[Sequence[int]]]]) -> Run:
    """Some episodes, played once more and recorded.

    Args:
        world: where.
        episodes: the seed of each, and the actions of all agents, by their indices, for each tick: asked for one tick after another.

    Raises:
        Exception: what a rule raises.
    """
    recorder = Recorder(world)
    for seed, actions in episodes:
        recorder.reset(seed)
        for chosen in actions:
            recorder.step(list(chosen) if len(chosen) > 1 else chosen[0])
    return recorder.run()


def save_run(
    run: Run,
    path: str | Path,
    *,
    world: World | None = None,
    tile: int = 32,
    fps: float = 6.0,
    title: str | Sequence[str] | None = None,
) -> None:
    """Write a run to a file: .run (to replay it), .html (a page that shows it), .gif, .webp or .mp4.

    Args:
        run: what was recorded.
        path: the file; one of that name is replaced when the new one is complete.
        world: where it was recorded, unless it is to be made from the run's description.
        tile: pixels of a cell's side, in videos.
        fps: ticks a second there.
        title: of a page, see `replay_of_run`.

    Raises:
        ValueError: an unknown ending.
        ImportError: a library is missing; the message says which extra to install.
        OSError: the file cannot be written.
    """
    ending = check_ending(path)
    if ending == ".run":
        run.save(path)
    elif ending == ".html":
        write_replay(run, path, world=world, title=title)
    else:
        save_video(run, path, world=world, tile=tile, fps=fps)


def check_ending(path: str | Path) -> str:
    """The ending of a file for a run.

    Raises:
        ValueError: it is unknown.
    """
    ending = Path(path).suffix.lower()
    if ending not in ENDINGS:
        raise ValueError(f"{path}: the name of a run's file ends in {', '.join(ENDINGS)}, not {ending!r}")
    return ending


def save_video(
    run: Run,
    path: str | Path,
    *,
    world: World | None = None,
    tile: int = 32,
    fps: float = 6.0,
    theme: str = "light",
    hold: float = 1.0,
    **chosen: Any,
) -> int:
    """Write a run, or some of its episodes, as a video; with one agent, what it does not see is darkened.

    Args:
        run: what was recorded; it is replayed.
        path: a file whose name ends in .gif, .webp or .mp4; one of that name is replaced when the new one is complete.
        world: where it was recorded, unless it is to be made from the run's description.
        tile: pixels of a cell's side.
        fps: ticks a second.
        theme: "light" or "dark".
        hold: for how many seconds more the last picture of an episode is shown.
        chosen: `index`, `first` and `last` as for `replay_steps`.

    Returns:
        how many frames it has.

    Raises:
        ValueError: an unknown ending or theme.
        ImportError: a library is missing; the message says which extra to install.
        OSError: the file cannot be written.
    """
    from gridarium.env.rendering import rendered

    shown = world or run.make_world()
    colors = draw.theme(theme)
    with draw.VideoWriter(path, fps=fps, hold=hold) as video:
        for step in replay_steps(run, shown, **chosen):
            if step.actions is None:
                video.hold_on(hold)
            if colors is draw.LIGHT:
                video.add(rendered(shown, step.state, "rgb_array", tile))
            else:
                view = shown.observe(step.state) if shown.spec.agents == 1 else None
                video.add(draw.rgb(step.state, tile, view=view, theme=colors))
    return video.frames


def episode_file(world: World, seed: int, actions: Iterable[Sequence[int]], ending: str) -> bytes:
    """Return the bytes that `save_run` writes for an episode; arguments as for `recorded`."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"episode.{ending}"
        save_run(recorded(world, [(seed, actions)]), path, world=world)
        return path.read_bytes()
