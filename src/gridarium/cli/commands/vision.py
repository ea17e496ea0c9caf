"""`gridarium vision`: train, judge and look at classifiers of pictures of cells."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
import numpy as np
from rich.console import Console
from rich.table import Table

from gridarium.cli.command_group import CommandGroup
from gridarium.cli.plots.vision import save_calibration, save_confusion, save_curves, save_sheet
from gridarium.cli.shared.open_world import open_world
from gridarium.cli.shared.output_files import check_writable
from gridarium.cli.shared.terminal import progress, waiting
from gridarium.vision import Classifier, Quality, Subjects, ghost_subjects, subjects_of
from gridarium.vision.subjects import GHOST
from gridarium.vision.training import Epoch, Settings, Trained, sample, torch_module, train

MODEL_FILE, METRICS_FILE = "model.npz", "metrics.json"
STRENGTH = click.FloatRange(0, 2)
SEED = click.IntRange(min=0)


@click.group("vision", cls=CommandGroup)
def vision() -> None:
    """Classifiers that tell from a bad picture what is in a cell, and how sure that is."""


@vision.command("train", short_help="Train a classifier in PyTorch.")
@click.option(
    "--out", required=True, type=click.Path(file_okay=False, path_type=Path), help="The folder for it."
)
@click.option(
    "--world", help="Tell apart the kinds of objects of a world.  [default: those of the ghost world]"
)
@click.option("--seed", default=0, show_default=True, type=SEED)
@click.option("--epochs", type=click.IntRange(min=1), help="The most epochs.")
@click.option("--pictures", type=click.IntRange(min=1), help="Pictures of an epoch.")
@click.option(
    "--test", type=click.IntRange(min=1), help="Pictures to measure the result with, at each strength."
)
@click.option("--overwrite", is_flag=True, help="Replace a model that is there.")
def train_command(out: Path, world: str | None, overwrite: bool, **options: int | None) -> None:
    """Train a classifier in PyTorch; write it, how it went, and how good it is into a folder.

    The folder gets model.npz, metrics.json, and where matplotlib is installed curves.png, confusion.png and
    calibration.png.
    """
    if (out / MODEL_FILE).exists() and not overwrite:
        raise click.ClickException(f"{out / MODEL_FILE} is there already; --overwrite replaces it")
    subjects = _subjects(world)
    settings = Settings(**{name: value for name, value in options.items() if value is not None})  # type: ignore[arg-type]
    try:
        torch_module()
        out.mkdir(parents=True, exist_ok=True)
        trained = _trained(subjects, settings)
        trained.classifier.save(out / MODEL_FILE)
        (out / METRICS_FILE).write_text(json.dumps(_history(trained), indent=1) + "\n", encoding="utf-8")
    except (ImportError, ValueError) as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        raise click.ClickException(f"{out} cannot be written: {error}") from error
    _show(trained.classifier, trained.qualities, f"{len(trained.epochs)} epochs, the best was {trained.best}")
    for path in (out / MODEL_FILE, out / METRICS_FILE, *_plots(trained, out)):
        click.echo(f"wrote {path}")


@vision.command("evaluate", short_help="Judge a classifier on new pictures.")
@click.argument("model", required=False, type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--strength", "-s", "strengths", multiple=True, type=STRENGTH, help="How bad pictures are; give several."
)
@click.option(
    "--pictures",
    default=4000,
    show_default=True,
    type=click.IntRange(1, 10**6),
    help="Pictures of each strength.",
)
@click.option("--world", help="Draw the pictures of a world's objects.  [default: what it was trained on]")
@click.option("--seed", default=1, show_default=True, type=SEED, help="Seed of the pictures.")
@click.option("--json", "as_json", is_flag=True, help="Write JSON instead of tables.")
@click.option(
    "--plot", type=click.Path(dir_okay=False, path_type=Path), help="Save a plot of its calibration."
)
def evaluate(
    model: Path | None, strengths: tuple[float, ...], pictures: int, world: str | None, seed: int, as_json: bool,
    plot: Path | None,
) -> None:  # fmt: skip
    """Judge MODEL, a file that `train` has written (or the one that comes along), on new pictures."""
    if plot is not None:
        check_writable(plot)
    classifier = _classifier(model)
    subjects = _subjects(world, classifier)
    rng = np.random.default_rng(seed)
    found = {}
    with progress() as bar:
        chosen = tuple(dict.fromkeys(strengths or (0.0, 0.5, 1.0, 1.5, 2.0)))
        for strength in bar.track(chosen, description=f"{pictures} pictures at each strength"):
            shown, labels = sample(
                subjects, pictures, strength, rng, classifier.size, classifier.class_priors
            )
            found[strength] = Quality.of(classifier.posteriors(shown, strength), labels)
    if plot is not None:
        save_calibration(found, plot)
    if as_json:
        click.echo(json.dumps({str(s): _plain(q) for s, q in found.items()}, indent=1))
        return
    _show(classifier, found, f"{pictures} new pictures at each strength")
    if plot is not None:
        click.echo(f"wrote {plot}")


@vision.command("show", short_help="Draw example pictures, with what a classifier says of each.")
@click.argument("out", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--model", type=click.Path(dir_okay=False, path_type=Path), help="A file that `train` has written."
)
@click.option(
    "--strength", "-s", "strengths", multiple=True, type=STRENGTH, help="A row for each; give several."
)
@click.option(
    "--columns", default=10, show_default=True, type=click.IntRange(1, 40), help="Pictures in a row."
)
@click.option("--world", help="Draw the pictures of a world's objects.  [default: what it was trained on]")
@click.option("--seed", default=0, show_default=True, type=SEED)
def show(
    out: Path, model: Path | None, strengths: tuple[float, ...], columns: int, world: str | None, seed: int
) -> None:
    """Write a sheet of example pictures to OUT (.png, .webp), with what the classifier says of each."""
    check_writable(out)
    classifier = _classifier(model)
    chosen = tuple(dict.fromkeys(strengths)) or (0.0, 0.5, 1.0, 1.5, 2.0)
    with waiting(f"drawing {out}"):
        save_sheet(classifier, _subjects(world, classifier), chosen, columns, seed, out)
    click.echo(f"wrote {out}")


@vision.command("sensor", short_help="Print the sensor that a classifier is.")
@click.argument("model", required=False, type=click.Path(dir_okay=False, path_type=Path))
@click.option("--strength", "-s", default=1.0, show_default=True, type=STRENGTH, help="How bad pictures are.")
@click.option("--answers-only", is_flag=True, help="Measure the class alone, not how sure it is.")
def sensor_command(model: Path | None, strength: float, answers_only: bool) -> None:
    """Print the sensor that MODEL is, as a world's description has it under `sensors`."""
    classifier = _classifier(model)
    kinds = _subjects(None, classifier).kinds
    entry = classifier.readings(strength).entry(*kinds, answers_only=answers_only)
    click.echo("sensors:\n  - name: {name}\n    object_types: [{kinds}]\n    confusion:".format(
        name=entry["name"], kinds=", ".join(entry["object_types"]),
    ))  # fmt: skip
    for row in entry["confusion"]:
        click.echo(f"      - {row}")


def _trained(subjects: Subjects, settings: Settings) -> Trained:
    with progress() as bar:
        task = bar.add_task("training", total=settings.epochs)

        def watch(epoch: Epoch) -> None:
            text = f"loss {epoch.validation_loss:.3f}, right {100 * epoch.accuracy:.1f} %"
            bar.update(task, completed=epoch.number, description=text)

        return train(subjects, settings, watch)


def _classifier(model: Path | None) -> Classifier:
    try:
        return Classifier.load(model)
    except (OSError, ValueError) as error:
        raise click.ClickException(str(error)) from error


def _subjects(world: str | None, classifier: Classifier | None = None) -> Subjects:
    """Return the subjects of a world; by default those that a classifier was trained on, or those of the ghost world.

    Raises:
        click.ClickException: there is no such world, or its classes are not those of the classifier.
    """
    trained_on = classifier.card.subjects if classifier is not None else GHOST
    name = world or trained_on
    try:
        if name == GHOST:
            found = ghost_subjects()
        else:
            opened = open_world(name, compiled=False)
            found = subjects_of(opened.spec.vocabulary, opened.name)
    except ValueError as error:
        raise click.ClickException(str(error)) from error
    if classifier is not None and found.classes != classifier.class_names:
        raise click.ClickException(
            f"the model tells {', '.join(classifier.class_names)} apart, {name} has {', '.join(found.classes)}"
        )
    return found


def _show(classifier: Classifier, found: dict[float, Quality], about: str) -> None:
    console, names = Console(), classifier.class_names
    console.print(
        f"[bold cyan]{', '.join(names)}[/]: {classifier.network.parameters} numbers, "
        f"pictures of {classifier.size} x {classifier.size} pixels; {about}\n",
        highlight=False,
    )
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("strength", "right", "log loss", "calibration error"):
        table.add_column(title, justify="right")
    for strength, quality in found.items():
        table.add_row(
            f"{strength:g}",
            f"{100 * quality.accuracy:.1f} % ± {196 * quality.standard_error:.1f}",
            f"{quality.log_loss:.3f}",
            f"{100 * quality.calibration_error:.1f} %",
        )
    console.print(table)
    shown = min(found, key=lambda strength: abs(strength - 1))
    table = Table(box=None, pad_edge=False, header_style="bold", title_justify="left", title_style="dim")
    table.add_column(f"\nat {shown:g}: true")
    for name in names:
        table.add_column(f"said\n{name}", justify="right")
    confusion = found[shown].confusion
    for name, row in zip(names, confusion, strict=True):
        table.add_row(name, *(f"{100 * count / max(1, row.sum()):.1f} %" for count in row))
    console.print(table)


def _plots(trained: Trained, out: Path) -> list[Path]:
    paths = [out / name for name in ("curves.png", "confusion.png", "calibration.png")]
    try:
        save_curves(trained.epochs, trained.best, paths[0])
        save_confusion(trained.classifier.class_names, trained.qualities[1.0], paths[1])
        save_calibration({s: q for s, q in trained.qualities.items() if s in (0.5, 1.0, 1.5, 2.0)}, paths[2])
    except click.ClickException as error:
        click.echo(f"no plots: {error.message}", err=True)
        return []
    return paths


def _history(trained: Trained) -> dict[str, Any]:
    return {
        "epochs": [asdict(epoch) for epoch in trained.epochs],
        "best_epoch": trained.best,
        "strengths": {str(s): _plain(q) for s, q in trained.qualities.items()},
        "model": trained.classifier.card.model_dump(exclude={"levels"}),
    }


def _plain(quality: Quality) -> dict[str, Any]:
    return {
        "pictures": quality.count,
        "accuracy": quality.accuracy,
        "standard_error": quality.standard_error,
        "log_loss": quality.log_loss,
        "calibration_error": quality.calibration_error,
        "confusion": quality.confusion.tolist(),
    }
