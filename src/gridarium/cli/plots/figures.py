"""Plots as files, by matplotlib."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from gridarium.cli.shared.terminal import waiting


def new_figure(width: float, height: float) -> Any:
    """Create an empty figure; the size is in inches.

    Raises:
        click.ClickException: matplotlib is missing.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise click.ClickException("plots need matplotlib; install gridarium[plots]") from error
    return Figure(figsize=(width, height), layout="constrained")


def save_figure(figure: Any, path: Path) -> None:
    """Write a figure to a file, in the format of its ending.

    Raises:
        click.ClickException: the file cannot be written, or there is no such format.
    """
    try:
        with waiting(f"drawing {path}"):
            figure.savefig(path, dpi=150)
    except (OSError, ValueError) as error:
        raise click.ClickException(f"{path} cannot be written: {error}") from error
