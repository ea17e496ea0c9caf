"""Pages that the command line writes: what they may replace."""

from __future__ import annotations

from pathlib import Path

import click

MARK = b'<meta name="generator" content="Gridarium'
LOOKED_AT = 2048
"""Bytes at the beginning of a page within which it says what has made it."""


def check_page(path: Path) -> None:
    """Refuse to write a page over a file that is not one of ours.

    Raises:
        click.ClickException: that, or its name does not end in .html.
    """
    if path.suffix.lower() not in (".html", ".htm"):
        raise click.ClickException(f"the name of a page ends in .html, unlike {path}")
    try:
        with path.open("rb") as file:
            ours = MARK in file.read(LOOKED_AT)
    except FileNotFoundError:
        return
    except OSError as error:
        raise click.ClickException(f"{path} cannot be written: {error.strerror}") from error
    if not ours:
        raise click.ClickException(
            f"{path} is there already, and no page of Gridarium's: choose another name"
        )
