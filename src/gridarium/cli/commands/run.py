"""`gridarium run`: episodes with a policy, and a table of the results."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from typing import Any

import click
from rich.console import Console

from gridarium.agents import Episode, play, statistics
from gridarium.agents.policy import assign_policies
from gridarium.agents.statistics import ConfidenceInterval
from gridarium.cli.shared.errors import note_policy
from gridarium.cli.shared.open_policy import open_policy
from gridarium.cli.shared.open_world import begin_interpreted, open_world, set_option
from gridarium.cli.shared.output_files import check_video, check_writable, run_of, save_run, write_video
from gridarium.cli.shared.terminal import progress, titled_table, waiting
from gridarium.engine import World

MOST_TICKS = 500
"""The default limit of ticks for episodes in worlds without a time limit."""


@click.command("run")
@click.argument("world")
@set_option
@click.option(
    "--policy", "-p", "policies", multiple=True, default=("random",), show_default=True, metavar="POLICY",
    help="A name (random, scripted, chase, mcts, ...), module:name or file.py:name; give several to compare them.",
)  # fmt: skip
@click.option(
    "--episodes", "-n", default=20, show_default=True, type=click.IntRange(min=1), help="How many episodes."
)
@click.option(
    "--seed", default=0, show_default=True, type=click.IntRange(min=0), help="Seed of the first episode."
)
@click.option(
    "--max-ticks", type=click.IntRange(min=1),
    help=f"Cut longer episodes off. Without it the world's own time limit holds, or {MOST_TICKS} where it has none.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Write JSON instead of a table.")
@click.option(
    "--film", "--gif", "path", metavar="FILE",
    help="Save a video of the first episode: .gif, .webp or .mp4. Of several policies, the first one is filmed.",
)  # fmt: skip
@click.option(
    "--save", metavar="FILE",
    help="Save all episodes for `gridarium replay`. Of several policies, those of the first one are saved.",
)  # fmt: skip
@click.option(
    "--record", metavar="DIR", help="Write all episodes, of all policies, as data for `gridarium episodes`."
)
@click.option("--tile", default=32, show_default=True, type=click.IntRange(4, 128), help="Pixels per cell.")
@click.option(
    "--theme",
    type=click.Choice(["light", "dark"]),
    default="light",
    show_default=True,
    help="Colors of the video.",
)
@click.option(
    "--interpreted", is_flag=True, help="Run the rules as plain Python: breakpoints and prints work."
)
def run(
    world: str,
    parameters: dict[str, Any],
    policies: tuple[str, ...],
    episodes: int,
    seed: int,
    max_ticks: int | None,
    as_json: bool,
    path: str | None,
    save: str | None,
    record: str | None,
    tile: int,
    theme: str,
    interpreted: bool,
) -> None:
    """Run episodes of WORLD with a policy and show a table of the results, with 95 % confidence intervals.

    WORLD is the name of a catalogue world, a YAML file, or a Python file that makes a world. Episode i has seed
    SEED + i, so the same command gives the same results. An episode is a success if the rules have ended it and its
    last tick was rewarded.
    """
    begin_interpreted()
    chosen = {name: open_policy(name) for name in policies}
    opened = open_world(world, compiled=not interpreted, parameters=parameters)
    if save is not None:
        check_writable(save)
    if path is not None:
        check_video(path)
    seeds = range(seed, seed + episodes)
    with _recording(opened, record, policies, seeds) as keep:
        results = play_all(opened, chosen, seeds, max_ticks, keep)
        first = next(iter(results.values()))
        if path is not None:
            with waiting(f"writing {path}"):
                frames = write_video(run_of(opened, first[:1]), path, world=opened, tile=tile, theme=theme)
        if as_json:
            click.echo(json.dumps(report(opened, results), indent=2))
        else:
            show(opened, results)
        if save is not None:
            with waiting(f"recording the episodes for {save}"):
                save_run(opened, first, save)
    only = f" of {policies[0]} (not of {', '.join(list(chosen)[1:])})" if len(chosen) > 1 else ""
    if path is not None:
        click.echo(f"wrote {path}: {frames} frames{only}", err=as_json)
    if record is not None:
        click.echo(f"wrote {record}: gridarium episodes {record} shows what is in it", err=as_json)
    if save is not None:
        click.echo(
            f"wrote {save}: {episodes} episode{'s' * (episodes != 1)}{only}; gridarium replay {save} shows what happened",
            err=as_json,
        )


def play_all(
    world: World,
    policies: dict[str, Any],
    seeds: range,
    limit: int | None,
    keep: Callable[[str, Episode], None] | None = None,
) -> dict[str, list[Episode]]:
    """Play all episodes of each policy, with a progress bar; `keep` is called with each episode when it ends.

    Episodes end after `limit` ticks at the latest; None uses the time limit of the world, if it has one.
    """
    most = MOST_TICKS if limit is None and world.spec.time_limit is None else limit
    world.composed.prepare()  # its line about compiling would disturb the bar
    results: dict[str, list[Episode]] = {}
    with progress() as bar:
        for name, policy in policies.items():
            with note_policy(name, policy):
                players = assign_policies(policy, world.spec.agents)
            results[name] = []
            for seed in bar.track(seeds, description=name):
                with note_policy(f"{name}, seed {seed}", policy):
                    results[name].append(play(world, players, seed=seed, limit=most))
                if keep is not None:
                    keep(name, results[name][-1])
    return results


def _recording(
    world: World, folder: str | None, policies: tuple[str, ...], seeds: range
) -> contextlib.AbstractContextManager[Callable[[str, Episode], None] | None]:
    if folder is None:
        return contextlib.nullcontext()
    try:
        from gridarium.cli.shared.episode_saver import EpisodeSaver  # needs an optional library
    except ImportError as error:
        raise click.ClickException(str(error)) from error
    return EpisodeSaver(world, folder, policies, seeds)


def summary(episodes: list[Episode]) -> dict[str, ConfidenceInterval]:
    """Return the mean return (the sum over agents), the share of successes, and the mean length."""
    return {
        "return": statistics.mean([sum(e.returns) for e in episodes]),
        "success": statistics.proportion(sum(e.success for e in episodes), len(episodes)),
        "length": statistics.mean([float(e.length) for e in episodes]),
    }


def report(world: World, results: dict[str, list[Episode]]) -> dict[str, Any]:
    """Return the results as plain data for JSON."""
    policies = {
        name: {
            **{key: estimate.plain() for key, estimate in summary(episodes).items()},
            "episodes": [
                {
                    "seed": e.seed, "length": e.length, "returns": list(e.returns),
                    "terminated": e.terminated, "success": e.success,
                    **({"outcomes": list(e.outcomes)} if world.spec.outcome else {}),
                }
                for e in episodes
            ],
        }
        for name, episodes in results.items()
    }  # fmt: skip
    return {"world": world.name, "compiled": world.composed.ready, "policies": policies}


def show(world: World, results: dict[str, list[Episode]]) -> None:
    """Print the results as a table."""
    count = len(next(iter(results.values())))
    title = f"{world.name}, {count} episode{'' if count == 1 else 's'}"
    table = titled_table(title)
    table.add_column("policy", style="cyan")
    for name in ("mean return", "success", "mean length"):
        table.add_column(name, justify="right")
    for name, episodes in results.items():
        found = summary(episodes)
        table.add_row(name, found["return"].text(), found["success"].percent(), found["length"].text(1))
    console = Console()
    console.print(table)
    if count > 1:
        console.print("± and brackets: 95 % confidence intervals", style="dim")
    if (total := _constant_sum(results)) is not None:
        console.print(
            f"what agents win others lose (their returns add up to {total:g} in all episodes): gridarium match compares them",
            style="dim",
            soft_wrap=True,
        )


def _constant_sum(results: dict[str, list[Episode]]) -> float | None:
    """The sum of all agents' returns, if it is the same in several episodes in which they differ from each other."""
    every = [episode.returns for episodes in results.values() for episode in episodes]
    sums = {round(sum(returns), 9) for returns in every}
    competing = len(every) > 1 and any(len({*returns}) > 1 for returns in every)
    return sums.pop() if competing and len(sums) == 1 else None
