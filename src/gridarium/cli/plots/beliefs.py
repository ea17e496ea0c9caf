"""Plots of filters, and pictures of beliefs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from gridarium import draw
from gridarium.beliefs import BayesFilter, Comparison, PlaceModel, Walks
from gridarium.cli.plots.figures import new_figure, save_figure

TILE = 64


def save_plot(found: Mapping[str, Comparison], title: str, path: Path) -> None:
    """Plot the share of right cells and the entropy by step, for each filter.

    Raises:
        click.ClickException: matplotlib is missing, or the file cannot be written.
    """
    figure = new_figure(9, 3.6)
    figure.suptitle(title)
    axes: Any = figure.subplots(1, 2)
    for name, result in found.items():
        style = {"color": "black", "linewidth": 2} if name == "exact" else {}
        axes[0].plot(100 * result.right.mean(axis=0), label=name, **style)
        axes[1].plot(result.entropy.mean(axis=0), label=name, **style)
    for axis, up in zip(axes, ("walks with the right cell, %", "entropy, bits"), strict=True):
        axis.set(xlabel="step", ylabel=up, ylim=(0, None))
        axis.xaxis.get_major_locator().set_params(integer=True)
        axis.spines[["top", "right"]].set_visible(False)
    axes[0].legend(frameon=False)
    save_figure(figure, path)


def save_belief(model: PlaceModel, walks: Walks, path: Path) -> None:
    """Draw the map with the exact belief after the first walk, the agent, and its path.

    Raises:
        click.ClickException: Pillow is missing, or the file cannot be written.
    """
    known, places = BayesFilter(model), model.places
    for t in range(len(walks.places[0])):
        if t:
            known.predict(int(walks.actions[0, t - 1]))
        for k, sensor in enumerate(walks.sensors):
            measured = float(walks.measurements[0, t, k])
            known.update(sensor, measured if sensor.outcomes is None else int(measured))
    state = places.ground
    places.put(state, int(walks.places[0, -1]))
    way = [places.cells[place] for place in walks.places[0]]
    shares = draw.Texts(_percent(known.grid), height=0.18, middle=0.2)  # above the agent and the way
    overlays = (draw.Heat(known.grid, fade=True), draw.Path(way), shares)
    try:
        if path.suffix == ".svg":
            path.write_text(draw.svg(state, tile=TILE, overlays=overlays) + "\n", encoding="utf-8")
        else:
            draw.save(path, draw.rgb(state, TILE, overlays=overlays))
    except (ImportError, OSError) as error:
        raise click.ClickException(f"{path} cannot be written: {error}") from error


def _percent(grid: Any) -> list[list[str | None]]:
    return [[f"{100 * share:.0f}%" if share >= 0.005 else None for share in row] for row in grid.tolist()]
