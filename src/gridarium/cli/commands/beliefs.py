"""`gridarium beliefs`: filters compared on random walks, as a table, a plot and a picture of a belief."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from gridarium.agents.statistics import proportion
from gridarium.beliefs import (
    BayesFilter,
    Comparison,
    ParticleFilter,
    PlaceModel,
    Walks,
    compare,
    random_walks,
)
from gridarium.cli.plots.beliefs import save_belief, save_plot
from gridarium.cli.shared.open_world import open_world, set_option
from gridarium.cli.shared.output_files import check_writable
from gridarium.cli.shared.terminal import progress, waiting
from gridarium.engine import World
from gridarium.rules.outcomes import NotEnumerable
from gridarium.rules.sensors import Sensor, sensor
from gridarium.worlds.entries.entry_types import Entry
from gridarium.worlds.entries.plain_data import freeze
from gridarium.worlds.entries.problems import Collector, DescriptionError, EntryProblem
from gridarium.worlds.files.yaml_io import read_text
from gridarium.worlds.resolving.binding import REGISTRIES, bind
from gridarium.worlds.resolving.name_resolver import NameResolver

BARS, MOST_BARS = "▁▂▃▄▅▆▇█", 15
PLOTS = (".png", ".svg", ".pdf")
PICTURES = (".png", ".svg", ".webp")
EXAMPLES = ("Empty-8x8", "FourRooms-9x9", "KeyDoor-7x7", "GhostGrid-4x5", "Teleport-5x5")
RESAMPLERS = ("systematic", "stratified", "multinomial", "residual")
MOST_INTERPRETED = 10_000
"""Up to this many steps, running the rules as plain Python is faster than compiling them."""


@click.command("beliefs")
@click.argument("world")
@set_option
@click.option(
    "--sensor", "-s", "sensors", multiple=True, metavar="SENSOR",
    help="A name, or '{name: color, colors: [NONE, RED], quality: 0.8}'.  [default: the world's own, or walls_around]",
)  # fmt: skip
@click.option(
    "--particles", "-n", multiple=True, default=(20, 200, 2000), show_default=True, type=click.IntRange(1, 10**7),
    help="A particle filter with as many; give several.",
)  # fmt: skip
@click.option("--resampler", type=click.Choice(RESAMPLERS), default="systematic", show_default=True)
@click.option(
    "--threshold", type=click.FloatRange(0, 1), default=0.5, show_default=True,
    help="Resample below this share of effective particles.",
)  # fmt: skip
@click.option("--walks", default=100, show_default=True, type=click.IntRange(min=1), help="How many walks.")
@click.option(
    "--steps", default=20, show_default=True, type=click.IntRange(min=1), help="Actions of each walk."
)
@click.option(
    "--seed", default=0, show_default=True, type=click.IntRange(min=0), help="Seed of walks and filters."
)
@click.option("--json", "as_json", is_flag=True, help="Write JSON instead of a table.")
@click.option("--plot", metavar="FILE", help="Save curves over the steps: .png, .svg or .pdf.")
@click.option(
    "--picture", metavar="FILE", help="Save the exact belief after the first walk: .png, .svg or .webp."
)
@click.option("--interpreted", is_flag=True, help="Run the rules as plain Python, as is done for few steps.")
def beliefs(
    world: str,
    parameters: dict[str, Any],
    sensors: tuple[str, ...],
    particles: tuple[int, ...],
    resampler: str,
    threshold: float,
    walks: int,
    steps: int,
    seed: int,
    as_json: bool,
    plot: str | None,
    picture: str | None,
    interpreted: bool,
) -> None:
    """Let an agent walk at random through WORLD, and filters find out where it is from what its sensors measure.

    Each walk begins anywhere and is made of moves and turns; the filters know nothing at first but the map and the
    rules. All see the same measurements: the exact filter, and particle filters of some sizes. Other agents are away.
    """
    targets = {"--plot": (plot, PLOTS), "--picture": (picture, PICTURES)}
    for option, (path, endings) in targets.items():
        if path is not None and Path(path).suffix not in endings:
            raise click.ClickException(f"{option} ends in {', '.join(endings)}, not {path!r}")
        if path is not None:
            check_writable(path)
    opened = open_world(
        world, compiled=not interpreted and walks * steps > MOST_INTERPRETED, parameters=parameters
    )
    chosen = _sensors(opened, sensors)
    with waiting(f"finding out how agents move in {opened.name}"):
        model = _model(opened, seed)
    for prepare in (opened.composed.prepare, lambda: ParticleFilter(model, 1)):
        prepare()  # their lines about compiling would disturb the bar
    makers: dict[str, Callable[[int], Any]] = {"exact": lambda _: BayesFilter(model)}
    for count in particles:
        makers[f"{count} particles"] = lambda w, n=count: ParticleFilter(
            model, n, seed=seed + w, resampler=resampler, threshold=threshold
        )  # type: ignore[misc]
    with progress() as bar:
        walking = bar.add_task(f"{walks} walks of {steps} steps", total=None)
        try:
            walked = random_walks(model, chosen, walks=walks, steps=steps, seed=seed)
        except IndexError as error:
            raise click.ClickException(f"a sensor does not fit {opened.name}: {error}") from error
        bar.remove_task(walking)
        found = {
            name: compare(make, model, walked)
            for name, make in bar.track(makers.items(), description="filters")
        }
    if plot is not None:
        save_plot(found, opened.name, Path(plot))
    if picture is not None:
        save_belief(model, walked, Path(picture))
    if as_json:
        click.echo(json.dumps(_report(opened, chosen, walked, found), indent=2))
        return
    _show(opened, model, chosen, walked, found)
    for path in filter(None, (plot, picture)):
        click.echo(f"wrote {path}")


def _model(world: World, seed: int) -> PlaceModel:
    """Compute the places and motion of the first agent; interpreted, so that nothing is compiled for a refused world.

    Raises:
        click.ClickException: its motion depends on more than its place.
    """
    plain = World(world.spec, compiled=False)
    moves = [a for a in plain.actions if a.is_move() or a.is_turn() or a.is_compass()]
    try:
        model = PlaceModel(plain, plain.reset(seed), actions=moves)
    except (NotEnumerable, ValueError) as error:
        raise click.ClickException(
            f"{world.name}: {error} in Python. This command is for worlds whose rules only move the agent, such as "
            f"{', '.join(EXAMPLES)}"
        ) from error
    model.world = world
    return model


def _sensors(world: World, given: tuple[str, ...]) -> tuple[Sensor, ...]:
    """Return the named sensors; by default the world's sensors that involve no other agent, or `walls_around`.

    Raises:
        click.ClickException: there is no such sensor, or its parameters are invalid.
    """
    if not given:
        alone = (s for s in world.spec.sensors if "other_agent" not in s.likelihood.keywords)
        return tuple(alone) or (sensor("walls_around"),)
    found = []
    for text in given:
        try:
            problems = Collector()
            data = freeze(read_text(text).data, problems)
            problems.raise_if_any()
            entry = Entry.model_validate(data)
            found.append(sensor(bind(REGISTRIES["sensor_function"], entry, NameResolver(), ("sensor",))))
        except (DescriptionError, EntryProblem, ValueError) as error:
            raise click.ClickException(f"sensor {text!r}: {error}") from error
    return tuple(found)


def _show(
    world: World, model: PlaceModel, sensors: tuple[Sensor, ...], walks: Walks, found: dict[str, Comparison]
) -> None:
    console = Console()
    count, steps = walks.actions.shape
    console.print(
        f"[bold cyan]{world.name}[/]: {len(model.places)} places, {math.log2(len(model.places)):.2f} bits"
    )
    console.print(f"sensors: {', '.join(map(repr, sensors))}", style="dim", highlight=False)
    console.print(f"{count} random walks of {steps} steps from anywhere; after the last one:\n", style="dim")
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("filter", style="cyan", no_wrap=True)
    for name in ("right cell", "truth given", "entropy", "time"):
        table.add_column(name, justify="right")
    table.add_column("by step")
    for name, result in found.items():
        table.add_row(
            name,
            proportion(int(result.right[:, -1].sum()), count).percent(),
            f"{100 * result.truth[:, -1].mean():.0f} %",
            f"{result.entropy[:, -1].mean():.2f} bits",
            f"{1e6 * result.seconds:.1f} us",
            _bars(result.right.mean(axis=0)),
        )
    console.print(table)
    console.print("brackets: 95 % confidence intervals; time: of a step, with its estimate", style="dim")


def _report(
    world: World, sensors: tuple[Sensor, ...], walks: Walks, found: dict[str, Comparison]
) -> dict[str, Any]:
    return {
        "world": world.name,
        "sensors": [repr(sensor) for sensor in sensors],
        "walks": walks.actions.shape[0],
        "filters": {
            name: {
                "right": result.right.mean(axis=0).tolist(),
                "truth": result.truth.mean(axis=0).tolist(),
                "entropy": result.entropy.mean(axis=0).tolist(),
                "seconds": result.seconds,
            }
            for name, result in found.items()
        },
    }


def _bars(shares: Any) -> str:
    """Draw shares from 0 to 1 as a row of at most `MOST_BARS` bars."""
    shares = shares[:: -(-len(shares) // MOST_BARS)]
    return "".join(BARS[min(int(share * len(BARS)), len(BARS) - 1)] for share in shares)
