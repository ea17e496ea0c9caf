"""Plots of the quality of classifiers, and sheets of example pictures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np

from gridarium import draw
from gridarium.cli.plots.figures import new_figure, save_figure
from gridarium.draw.overlays.marks import OverlayShape
from gridarium.draw.pixels.raster import lay
from gridarium.vision import Classifier, Quality, Subjects, disturb
from gridarium.vision.training import Epoch

SCALE, ROOM, GAP, MARGIN = 3, 30, 6, 60
"""Pixels of a sheet: the size of a picture's pixel, the height of a caption, the gap between pictures, the left margin."""

INK, WRONG = (40, 40, 40), (200, 30, 30)
ENOUGH = 50
"""The least number of pictures for a point of a reliability diagram."""


def save_curves(epochs: Sequence[Epoch], best: int, path: Path) -> None:
    """Plot losses and accuracy by epoch.

    Raises:
        click.ClickException: matplotlib is missing, or the file cannot be written.
    """
    figure = new_figure(9, 3.6)
    axes: Any = figure.subplots(1, 2)
    numbers = [epoch.number for epoch in epochs]
    axes[0].plot(numbers, [epoch.training_loss for epoch in epochs], label="training")
    axes[0].plot(numbers, [epoch.validation_loss for epoch in epochs], label="validation")
    axes[1].plot(numbers, [100 * epoch.accuracy for epoch in epochs], color="C1", label="validation")
    for axis, up in zip(
        axes, ("log loss, nats, over all strengths", "right, %, over all strengths"), strict=True
    ):
        axis.axvline(best, color="grey", linestyle=":", label="the one that is kept")
        axis.set(xlabel="epoch", ylabel=up)
        axis.spines[["top", "right"]].set_visible(False)
        axis.legend(frameon=False)
    save_figure(figure, path)


def save_confusion(names: Sequence[str], quality: Quality, path: Path) -> None:
    """Plot the confusion matrix.

    Raises:
        click.ClickException: matplotlib is missing, or the file cannot be written.
    """
    shares = quality.confusion / quality.confusion.sum(axis=1, keepdims=True).clip(1)
    figure = new_figure(2 + 0.9 * len(names), 1.4 + 0.9 * len(names))
    axis: Any = figure.subplots()
    axis.imshow(shares, cmap="Blues", vmin=0, vmax=1)
    for i, row in enumerate(shares):
        for j, share in enumerate(row):
            axis.text(
                j,
                i,
                f"{100 * share:.1f} %",
                ha="center",
                va="center",
                color="white" if share > 0.5 else "black",
            )
    axis.set(
        xticks=range(len(names)), xticklabels=names, yticks=range(len(names)), yticklabels=names,
        xlabel="said", ylabel="true", title=f"right: {100 * quality.accuracy:.1f} %",
    )  # fmt: skip
    save_figure(figure, path)


def save_calibration(found: dict[float, Quality], path: Path) -> None:
    """Plot accuracy against confidence (a reliability diagram), and the distribution of the confidence.

    Raises:
        click.ClickException: matplotlib is missing, or the file cannot be written.
    """
    figure = new_figure(9, 4)
    axes: Any = figure.subplots(1, 2)
    axes[0].plot([0, 100], [0, 100], color="grey", linestyle=":")
    for strength, quality in found.items():
        enough = quality.counts >= ENOUGH
        errors = 196 * ((quality.right * (1 - quality.right)) / quality.counts.clip(1)) ** 0.5
        name = f"strength {strength:g}: error {100 * quality.calibration_error:.1f} %"
        axes[0].errorbar(
            100 * quality.confidence[enough],
            100 * quality.right[enough],
            errors[enough],
            marker="o",
            label=name,
        )
        axes[1].step(
            [100 * (k + 0.5) / len(enough) for k in range(len(enough))], 100 * quality.counts / quality.count,
            where="mid", label=f"strength {strength:g}",
        )  # fmt: skip
    axes[0].set(xlabel="how sure it is, %", ylabel="how often it is right, %", xlim=(25, 102), ylim=(25, 102))
    axes[1].set(xlabel="how sure it is, %", ylabel="of the pictures, %", xlim=(25, 102), ylim=(0, None))
    for axis in axes:
        axis.spines[["top", "right"]].set_visible(False)
        axis.legend(frameon=False, loc="upper left", fontsize=9)
    save_figure(figure, path)


def save_sheet(
    classifier: Classifier,
    subjects: Subjects,
    strengths: Sequence[float],
    columns: int,
    seed: int,
    path: Path,
) -> None:
    """Draw the same cells at several strengths, a row for each, with the predicted class below each picture.

    Wrong predictions are red.

    Raises:
        click.ClickException: Pillow is missing, or the file cannot be written.
    """
    rng = np.random.default_rng(seed)
    clean, labels = subjects.draw(columns, rng, size=classifier.size)
    side = SCALE * classifier.size
    height, width = side + ROOM, side + GAP
    sheet = np.full((height * len(strengths), MARGIN + width * columns, 3), 255, np.uint8)

    def write(text: str, x: float, y: float, color: tuple[int, int, int]) -> None:
        lay(OverlayShape(draw.Label(text, x / 100, y / 100, 0.065, color), color), sheet, 100)

    for row, strength in enumerate(strengths):
        for line, text in enumerate(("strength", f"{strength:g}")):
            write(text, MARGIN / 2, row * height + GAP + side / 2 + 10 * line, INK)
        shown = disturb(clean, strength, rng)
        for column, shares in enumerate(classifier.posteriors(shown, strength)):
            top, left = row * height + GAP, column * width + MARGIN
            large = (255 * shown[column]).astype(np.uint8).repeat(SCALE, 0).repeat(SCALE, 1)
            sheet[top : top + side, left : left + side] = large
            said = int(shares.argmax())
            color = INK if said == labels[column] else WRONG
            for line, text in enumerate((classifier.class_names[said], f"{100 * shares[said]:.0f} %")):
                write(text, left + side / 2, top + side + 7 + 10 * line, color)
    try:
        draw.save(path, sheet)
    except (ImportError, OSError, ValueError) as error:
        raise click.ClickException(f"{path} cannot be written: {error}") from error
