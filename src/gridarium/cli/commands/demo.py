"""`gridarium demo`: a world, a planner and a random agent in it, and what to try next."""

from __future__ import annotations

import contextlib
import shutil
import sys
import time
from pathlib import Path
from typing import Any

import click
import numpy as np
from rich.console import Console
from rich.live import Live
from rich.text import Text

from gridarium import draw
from gridarium.agents import Episode, Planner, play, random_action
from gridarium.cli.commands.run import play_all, show
from gridarium.cli.shared.output_files import check_video, run_of, write_video
from gridarium.cli.shared.terminal import waiting
from gridarium.engine import World
from gridarium.env.rendering import rendered
from gridarium.world import State
from gridarium.world.actions import in_words

WORLD, SEED, EPISODES, MAX_TICKS, TILE = "KeyDoor-9x9", 7, 20, 500, 32
NEXT = """\
What to try next{first}

  gridarium list
      all worlds
  gridarium explain KeyDoor-9x9
      this world whole: its rules as one page of Python, what an agent sees and can do
  gridarium run Teleport-7x7 -p random -p scripted --gif teleport.gif
      another world, two agents compared
{own}  gridarium bench --quick
      how fast this machine is

README.md {place}is the two-minute tour, docs/getting-started.md the longer one."""
OWN = """\
  gridarium run examples/own_world.py -p scripted -p examples/own_world.py:hurried
      an object, rules, a world and an agent of one's own, in one short file
"""


@click.command("demo")
@click.option(
    "--into", default="demo", show_default=True, type=click.Path(path_type=Path), help="Where pictures go."
)
@click.option("--still", is_flag=True, help="Do not play the episode in the terminal.")
def demo(into: Path, still: bool) -> None:
    """A short tour: a key-and-door world, solved by a planner and by chance, with a table and pictures."""
    console = Console()
    console.print(f"[bold]{WORLD}[/]: fetch the key, open the door, reach the exit.\n")
    world = World(WORLD)
    states: list[Any] = []
    episode = play(world, [Planner()], seed=SEED, watch=states.append)
    _show_states(console, world, states, episode.actions, still=still or not console.is_terminal)
    console.print(f"\nThe planner needed {episode.length} actions: {_names(episode.actions)}.\n")
    policies = {"planner (scripted)": Planner, "random": random_action}
    show(world, play_all(world, policies, range(SEED, SEED + EPISODES), MAX_TICKS))
    with waiting(f"drawing pictures for {into}"):
        written = _write(world, episode, states, into)
    click.echo(f"\n{written}\n")
    _measure(console, world)
    here = Path(
        "examples/own_world.py"
    ).is_file()  # in a clone of the repository, not where it was only installed
    own, place = (OWN, "") if here else ("", "in the repository ")
    click.echo(NEXT.format(first=_first_step(), own=own, place=place))


def _show_states(console: Any, world: World, states: list[Any], actions: Any, *, still: bool) -> None:
    def shown(i: int) -> Text:
        did = f"\n{actions[i - 1][0].name}" if i else "\n"
        return Text.from_ansi(draw.text(states[i], color=console.is_terminal)) + Text(did, "bold")

    if still:
        console.print(shown(0))
        console.print(shown(len(states) - 1))
        return
    with Live(shown(0), console=console, refresh_per_second=20) as live:
        for i in range(len(states)):
            live.update(shown(i), refresh=True)
            time.sleep(0.25)


def _names(actions: Any) -> str:
    return ", ".join(in_words(action) for (action,) in actions)


def _write(world: World, episode: Episode, states: list[State], into: Path) -> str:
    video = into / "keydoor.gif"
    try:
        with contextlib.suppress(OSError):  # told by the next line
            into.mkdir(parents=True, exist_ok=True)
        check_video(video)
        write_video(run_of(world, [episode]), video, world=world)
    except click.ClickException as error:
        return f"No pictures this time: {error.message}"
    names = [video.name]
    for name, state in (("keydoor-start.png", states[0]), ("keydoor-end.png", states[-1])):
        draw.save(into / name, rendered(world, state, "rgb_array", TILE))
        names.append(name)
    return f"Pictures of it are in {into}{'' if str(into).endswith('/') else '/'}: {', '.join(names)}"


def _first_step() -> str:
    """Return the shell command that makes `gridarium` available, if it is not."""
    if shutil.which("gridarium") is not None:
        return ""
    folder = Path(sys.prefix)
    place = folder.relative_to(Path.cwd()) if folder.is_relative_to(Path.cwd()) else folder
    return f" (first, in this shell: source {place / 'bin' / 'activate'})"


def _measure(console: Any, world: World, worlds: int = 1024, seconds: float = 1.0) -> None:
    """Measure and print the speed of a batch of this world."""
    if not world.composed.compiled:
        return
    batch = world.batch(worlds)
    batch.reset(0)
    actions = np.random.default_rng(0).integers(len(world.actions), size=(64, worlds))
    for row in actions:
        batch.step(row)
    steps, started = 0, time.perf_counter()
    while (taken := time.perf_counter() - started) < seconds:
        for row in actions:
            batch.step(row)
        steps += actions.size
    threads = f"{batch.threads} thread{'' if batch.threads == 1 else 's'}"
    rate = f"[bold]{steps / taken / 1e6:.1f} million steps a second[/]"
    console.print(f"The same rules just now in a batch of {worlds:,} worlds on {threads}:\n{rate}.\n")
    batch.close()
