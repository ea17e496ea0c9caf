"""`gridarium episodes`: the episodes in a folder: a table, statistics, and plots of returns and lengths."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.table import Table

from gridarium.agents import statistics
from gridarium.agents.statistics import ConfidenceInterval
from gridarium.cli.plots.figures import new_figure, save_figure
from gridarium.cli.shared.output_files import check_writable

if TYPE_CHECKING:
    from gridarium.episodes.disk import EpisodeDataset

BARS = " ▁▂▃▄▅▆▇█"
BINS = 40
EACH = "(none)"


@click.command("episodes")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--list",
    "-n",
    "count",
    default=10,
    show_default=True,
    type=click.IntRange(min=0),
    help="How many episodes to list.",
)
@click.option("--json", "as_json", is_flag=True, help="Write JSON instead of tables.")
@click.option(
    "--plot",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Save plots of returns and lengths: .png, .svg or .pdf.",
)
def episodes(folder: Path, count: int, as_json: bool, plot: Path | None) -> None:
    """Show the episodes in FOLDER, as `gridarium run --record` or an EpisodeWriter writes them.

    An episode's policy is its module's id, as `block.labelled("random")` gives it to all of a block. Their steps are not read, so that it takes no longer for large ones.
    """
    if plot is not None:
        check_writable(plot)
    data = _opened(folder)
    if as_json:
        click.echo(json.dumps(report(data), indent=2))
    else:
        show(data, count)
    if plot is not None:
        draw(data, plot)
        click.echo(f"wrote {plot}", err=as_json)


def _opened(folder: Path) -> EpisodeDataset:
    try:
        from gridarium.episodes.disk import DatasetError, EpisodeDataset
    except ImportError as error:
        raise click.ClickException(str(error)) from error
    try:
        data = EpisodeDataset(folder)
        len(data)
        return data
    except (DatasetError, OSError) as error:
        raise click.ClickException(str(error)) from error


def by_policy(data: EpisodeDataset) -> dict[str, npt.NDArray[np.int64]]:
    """Return the indices of the episodes of each policy."""
    names = [name or EACH for name in data.catalog.texts("module")]
    return {name: np.flatnonzero(np.array([n == name for n in names])) for name in dict.fromkeys(names)}


def summary(data: EpisodeDataset, chosen: Any) -> dict[str, ConfidenceInterval]:
    """Return the mean return, the mean length, and the share of episodes that were terminated."""
    return {
        "return": statistics.mean(data.returns[chosen].tolist()),
        "length": statistics.mean(data.lengths[chosen].astype(float).tolist()),
        "terminated": statistics.proportion(int(data.terminated[chosen].sum()), len(chosen)),
    }


def report(data: EpisodeDataset) -> dict[str, Any]:
    """Return the contents of a dataset as plain data for JSON."""
    columns = zip(
        data.ids, data.catalog.texts("module"), data.lengths.tolist(), data.returns.tolist(),
        data.terminated.tolist(), data.truncated.tolist(), strict=True,
    )  # fmt: skip
    names = ("id", "policy", "length", "return", "terminated", "truncated")
    return {
        "world": data.world.get("name"),
        "metadata": data.metadata,
        "episodes": len(data),
        "steps": data.steps,
        "bytes": _size(data),
        "policies": {
            name: {"episodes": len(chosen)} | {key: e.plain() for key, e in summary(data, chosen).items()}
            for name, chosen in by_policy(data).items()
        },
        "each": [dict(zip(names, row, strict=True)) for row in columns],
    }


def show(data: EpisodeDataset, count: int) -> None:
    """Print the contents of a dataset as tables and plots."""
    console = Console()
    size = _size(data)
    world = data.world.get("name")
    console.print(
        f"{data.path}: {len(data)} episodes, {data.steps} steps" + (f" in {world}" if world else "")
    )
    console.print(f"{size / 1e6:.2f} MB on disk, {size / max(1, data.steps):.1f} bytes a step", style="dim")
    for name, value in data.metadata.items():
        console.print(f"{name}: {value}", style="dim", markup=False, highlight=False)
    console.print()
    if not len(data):
        return
    console.print(_policies(data))
    if len(data) > 1:
        console.print("± and brackets: 95 % confidence intervals", style="dim")
    for name, values in (("returns", data.returns), ("lengths", data.lengths)):
        console.print(f"\n{name:8} {histogram(values)}")
        if len(values) > 1:
            console.print(f"{'in order':8} {course(values)}")
    if count:
        console.print()
        console.print(_listed(data, count))
        if len(data) > count:
            console.print(f"and {len(data) - count} further episodes", style="dim")


def _policies(data: EpisodeDataset) -> Any:
    table = _table("policy", "episodes", "mean return", "mean length", "terminated")
    for name, chosen in by_policy(data).items():
        found = summary(data, chosen)
        texts = found["return"].text(), found["length"].text(1), found["terminated"].percent()
        table.add_row(name, str(len(chosen)), *texts)
    return table


def _listed(data: EpisodeDataset, count: int) -> Any:
    table = _table("episode", "policy", "length", "return", "ended")
    rows = data.index_table().slice(0, count).to_pylist()
    for row in rows:
        ended = "terminated" if row["terminated"] else "truncated" if row["truncated"] else "goes on"
        agent = f" {row['agent']}" if row["agent"] else ""
        table.add_row(
            row["id"] + agent, row["module"] or EACH, str(row["steps"]), f"{row['return']:.2f}", ended
        )
    return table


def _table(first: str, *others: str) -> Any:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(first, style="cyan", no_wrap=True)
    for name in others:
        table.add_column(name, justify="left" if name in ("policy", "ended") else "right")
    return table


def histogram(values: Any) -> str:
    """Draw a histogram as a row of bars between the least and the greatest value."""
    low, high = float(np.min(values)), float(np.max(values))
    if low == high:
        return f"all {low:g}"
    counts, _ = np.histogram(values, BINS)
    return f"{low:.4g} {_bars(counts)} {high:.4g}"


def course(values: Any) -> str:
    """Draw means of consecutive values as a row of bars, from the first to the last one."""
    means = [float(part.mean()) for part in np.array_split(np.asarray(values, float), min(BINS, len(values)))]
    above = np.array(means) - min(means)
    foot = above.max() / len(BARS) or 1.0  # the least one has a bar, too
    return f"{means[0]:.4g} {_bars(above + foot)} {means[-1]:.4g}"


def _bars(heights: Any) -> str:
    most = max(float(np.max(heights)), 1e-300)
    places = np.ceil(np.asarray(heights) / most * (len(BARS) - 1)).astype(int)
    return "".join(BARS[i] for i in places)


def draw(data: EpisodeDataset, path: Path) -> None:
    """Plot histograms of returns and lengths by policy, and the returns in their order.

    Raises:
        click.ClickException: matplotlib is missing, or the file cannot be written.
    """
    figure = new_figure(11, 3.4)
    axes: Sequence[Any] = figure.subplots(1, 3)
    for name, chosen in by_policy(data).items():
        label = None if name == EACH else name
        for axis, values in ((axes[0], data.returns), (axes[1], data.lengths)):
            axis.hist(values[chosen], bins=np.histogram_bin_edges(values, BINS), alpha=0.6, label=label)
        axes[2].plot(data.returns[chosen], ".", markersize=3, label=label)
    texts = [("return", "episodes"), ("length in steps", "episodes"), ("episode", "return")]
    for axis, (across, up) in zip(axes, texts, strict=True):
        axis.set(xlabel=across, ylabel=up)
        if up == "episodes":
            axis.locator_params(axis="y", integer=True)
        axis.spines[["top", "right"]].set_visible(False)
    if axes[0].get_legend_handles_labels()[1]:
        axes[0].legend(frameon=False)
    save_figure(figure, path)


def _size(data: EpisodeDataset) -> int:
    known = tuple(data.stems)
    return sum(p.stat().st_size for p in data.path.iterdir() if p.name.startswith(known))
