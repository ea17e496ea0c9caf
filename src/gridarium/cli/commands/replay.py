"""`gridarium replay`: the contents of a recorded run, whether it can be reproduced, and pictures of it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import numpy as np
from rich.console import Console
from rich.live import Live
from rich.text import Text

from gridarium import draw
from gridarium.cli.shared.open_world import begin_interpreted, open_world
from gridarium.cli.shared.output_files import check_page, check_video, write_video
from gridarium.cli.shared.terminal import waiting
from gridarium.engine import Run, World
from gridarium.rules.results import text_of
from gridarium.view import ReplayStep, replay_of_run, replay_steps, write_replay
from gridarium.view.matches import agents_in_words, waited
from gridarium.worlds.resolving.importing import make_importable

MOST_LISTED = 10


@click.command("replay")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--html", metavar="FILE", type=click.Path(path_type=Path), help="Write a page that plays it, offline too."
)
@click.option(
    "--film", "--gif", "--video", "film", metavar="FILE", help="Write a video: .gif, .webp or .mp4."
)
@click.option("--text", is_flag=True, help="Show it in the terminal.")
@click.option(
    "--index", default=0, show_default=True, type=click.IntRange(min=0), help="Which of the run's worlds."
)
@click.option("--episode", type=click.IntRange(min=0), help="Only this one, counted from 0.")
@click.option(
    "--speed", default=6.0, show_default=True, type=click.FloatRange(0.1, 50), help="Ticks a second."
)
@click.option(
    "--tile", default=32, show_default=True, type=click.IntRange(4, 128), help="Pixels per cell of a video."
)
@click.option(
    "--theme",
    type=click.Choice(["light", "dark"]),
    default="light",
    show_default=True,
    help="Colors of a video.",
)
@click.option(
    "--world", metavar="WORLD", help="Replay in this world, not in the one that the file describes."
)
@click.option(
    "--allow-imports", is_flag=True, help="The file may import your modules, which runs their code."
)
@click.option("--unchecked", is_flag=True, help="Show it even if it cannot be done again as it was recorded.")
@click.option("--interpreted", is_flag=True, help="Run the rules as plain Python.")
def replay(
    file: Path,
    html: Path | None,
    film: str | None,
    text: bool,
    index: int,
    episode: int | None,
    speed: float,
    tile: int,
    theme: str,
    world: str | None,
    allow_imports: bool,
    unchecked: bool,
    interpreted: bool,
) -> None:
    """Replay the recorded run in FILE, as `gridarium run --save` or a Recorder writes it.

    Says what is in it, and whether the same seeds and actions still give the same states. Exits with 1 if not.
    """
    begin_interpreted()
    if html is not None:
        check_page(html)
    if film is not None:
        check_video(film, speed)
    run = _read(file)
    click.echo(f"{file}: {run.name}, {run.extent}, recorded with Gridarium {run.library or '(unknown)'}")
    opened = _world(run, world, allow_imports, compiled=not interpreted)
    opened.composed.prepare()  # its line about compiling would disturb the bar
    with waiting("replaying, to compare every state with the recorded one"):
        verdict = run.verify(opened)
    click.echo(str(verdict))
    if not verdict and not unchecked:
        raise click.ClickException("it is not shown, since it would not be what was recorded (--unchecked)")
    if index >= run.worlds:
        raise click.ClickException(f"there are worlds 0 to {run.worlds - 1}, no world {index}")
    episodes = len(run.episodes(index))
    if episode is not None and episode >= episodes:
        raise click.ClickException(f"world {index} has episodes 0 to {episodes - 1}, no episode {episode}")
    click.echo("\n".join(_listed(run, index)))
    chosen = {"index": index, "first": episode or 0, "last": episode}
    if html is not None:
        click.echo(_write_page(run, opened, html, chosen))
    if film is not None:
        with waiting(f"drawing {film}"):
            frames = write_video(run, film, world=opened, tile=tile, fps=speed, theme=theme, **chosen)
        click.echo(f"wrote {film}: {frames} frames")
    if text:
        _show(run, opened, speed, chosen)


def _read(file: Path) -> Run:
    try:
        return Run.load(file)
    except OSError as error:
        raise click.ClickException(f"{file} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise click.ClickException(str(error)) from error


def _world(run: Run, given: str | None, allow_imports: bool, *, compiled: bool) -> World:
    if given is not None:
        opened = open_world(given, compiled=compiled)
        if opened.spec.agents != run.agents:
            raise click.ClickException(
                f"the number of agents of {given} is {opened.spec.agents}, that of the run {run.agents}"
            )
        return opened
    if allow_imports:
        make_importable(Path.cwd())
    try:
        return run.make_world(compiled=compiled, allow_imports=allow_imports)
    except ValueError as error:
        hint = "give the world's own file with --world, or --allow-imports if you trust the modules that it names"
        raise click.ClickException(f"the recorded world cannot be made: {error}\n{hint}") from error


def _listed(run: Run, index: int) -> Iterator[str]:
    """Yield a line for each episode of a world, up to a limit."""
    episodes = run.episodes(index)
    for i, episode in enumerate(episodes[:MOST_LISTED]):
        yield f"  episode {i}: {episode.steps} ticks"
    if len(episodes) > MOST_LISTED:
        yield f"  and {len(episodes) - MOST_LISTED} further episodes"


def _write_page(run: Run, world: World, path: Path, chosen: dict[str, Any]) -> str:
    try:
        with waiting(f"writing {path}"):
            builder = replay_of_run(run, world=world, **chosen)
            write_replay(builder, path)
    except OSError as error:
        raise click.ClickException(f"{path} cannot be written: {error.strerror}") from error
    rest = f"; {builder.left_out} further frames are left out" if builder.left_out else ""
    return f"wrote {path}: {len(builder)} frames{rest}"


def _show(run: Run, world: World, speed: float, chosen: dict[str, Any]) -> None:
    """Show all steps as text: each replaces the one before in a terminal, and follows it elsewhere."""
    console = Console()

    def shown(step: ReplayStep) -> Text:
        drawn = draw.text(step.state, color=console.is_terminal, mission=world.mission(step.state))
        return Text.from_ansi(drawn) + Text(f"\n{_did(world, step)}\n", "bold")

    every = replay_steps(run, world, **chosen)
    if not console.is_terminal:
        for step in every:
            console.print(shown(step))
        return
    with Live(console=console, auto_refresh=False) as live:
        for step in every:
            live.update(shown(step), refresh=True)
            time.sleep(1 / speed)


def _did(world: World, step: ReplayStep) -> str:
    """Describe the actions of a step and their results, and the rewards of agents that waited for their turn."""
    if step.actions is None:
        return "An episode begins."
    rewards = np.ravel(step.rewards).tolist()
    waiting, parts = waited(world, step.state), []
    for agent, (action, reward) in enumerate(zip(step.actions, rewards, strict=True)):
        who = "" if len(rewards) == 1 else f"{agents_in_words(world, [agent])}: "
        if agent not in waiting:
            result = text_of(step.state.agents[agent].result)
            parts.append(f"{who}{world.actions[action].name}: {result} Reward {reward:g}.")
        elif reward:
            parts.append(f"{who}Reward {reward:g}.")
    if step.text:
        parts.append(step.text)
    if np.all(step.terminated) or step.truncated:
        parts.append("The episode is over.")
    return "\n".join(parts)
