"""`gridarium gallery`: a picture of every world of the catalogue, and a page that shows them."""

from __future__ import annotations

import html
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import click

from gridarium import draw
from gridarium.agents import random_action
from gridarium.cli.shared.open_world import open_world, set_option
from gridarium.cli.shared.terminal import progress
from gridarium.draw import Theme
from gridarium.draw.tables import picture_shape
from gridarium.engine import World
from gridarium.rules import games
from gridarium.view.game import Game
from gridarium.world import State
from gridarium.worlds import Description, catalogue

COLUMNS = 3
MOST_STEPS, MOST_GAMES = 36, 3
"""The most steps of a random game of whose middle a picture is taken, and the most games among which a long one is looked for."""
MARK = "gridarium gallery"
"""A text in each page that this command writes; other files are only replaced with --overwrite."""


@dataclass(frozen=True)
class GalleryEntry:
    """A world on the page.

    Attributes:
        name: the name of the world.
        asks: its task.
        picture: the path of its picture, relative to the page.
        sheet: the path of the page about it, relative to the page, or an empty string.
    """

    name: str
    asks: str
    picture: str
    sheet: str = ""


@click.command("gallery")
@click.argument("out", type=click.Path(file_okay=False, path_type=Path))
@set_option
@click.option("--word", default="", help="Only worlds that have this in their name.")
@click.option(
    "--page",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The page, .html or .md.  [default: OUT/index.html]",
)
@click.option(
    "--sheets",
    type=click.Path(file_okay=False, path_type=Path),
    help="A folder with a page about each family of worlds, FAMILY.md, to which the names lead.",
)
@click.option("--format", "ending", type=click.Choice(["svg", "png"]), default="svg", show_default=True)
@click.option(
    "--side",
    type=click.IntRange(16, 4096),
    default=240,
    show_default=True,
    help="A picture's longer side in pixels, as far as whole pixels for each cell allow.",
)
@click.option("--theme", type=click.Choice(["light", "dark"]), default="light", show_default=True)
@click.option(
    "--seed", type=click.IntRange(0), default=1, show_default=True, help="Seed of the states that are shown."
)
@click.option(
    "--overwrite", is_flag=True, help="Write the page even where there is one that is not a gallery."
)
def gallery(
    out: Path,
    parameters: dict[str, Any],
    word: str,
    page: Path | None,
    sheets: Path | None,
    ending: str,
    side: int,
    theme: str,
    seed: int,
    overwrite: bool,
) -> None:
    """Draw the first state of an episode in every world of the catalogue into the folder OUT, of games one in the middle.

    Solid wall around what matters is left out.
    """
    names = [name for name in catalogue.names() if word.lower() in name.lower()]
    if not names:
        raise click.ClickException(f"no world has {word!r} in its name")
    target = page or out / "index.html"
    if target.suffix not in PAGES:
        raise click.ClickException(f"a page ends in {' or '.join(PAGES)}, not {target.name!r}")
    colors = draw.theme(theme)
    try:
        if (
            target.exists()
            and not overwrite
            and MARK not in target.read_text(encoding="utf-8", errors="replace")
        ):
            raise click.ClickException(
                f"{target} is there already and no gallery; --overwrite replaces it, --page names another one"
            )
        out.mkdir(parents=True, exist_ok=True)
        target.parent.mkdir(parents=True, exist_ok=True)
        entries = []
        with progress() as bar:
            for name in bar.track(names, description="drawing worlds"):
                file = out / f"{name}.{ending}"
                world = open_world(name, compiled=False, parameters=parameters)
                _draw(world, file, side, colors, seed)
                sheet = sheets and sheets / f"{catalogue.family(name).name}.md"
                asks = world.spec.description.description
                entries.append(
                    GalleryEntry(name, asks, _link(file, target), _link(sheet, target) if sheet else "")
                )
        target.write_text(PAGES[target.suffix](entries, colors), encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"cannot write {error.filename}: {error.strerror}") from error
    click.echo(f"{len(entries)} world{'s' * (len(entries) != 1)} in {target}")


def _link(file: Path, page: Path) -> str:
    return quote(Path(os.path.relpath(file, page.parent)).as_posix())


def _draw(world: World, file: Path, side: int, theme: Theme, seed: int) -> None:
    state = draw.cropped(
        _middle_of_game(world, seed) if is_game(world.spec.description) else world.reset(seed)
    )
    tile = max(1, min(64, side // max(picture_shape(state.grid.shape, state.vocabulary))))
    if file.suffix == ".svg":
        file.write_text(draw.svg(state, tile=tile, theme=theme, title=world.name) + "\n", encoding="utf-8")
        return
    try:
        draw.save(file, draw.rgb(state, tile, theme=theme))
    except ImportError as error:
        raise click.ClickException(str(error)) from error


def is_game(given: Description) -> bool:
    """Whether a world of the catalogue is one of the games that people know."""
    return any(module.startswith(f"{games.__name__}.") for module in given.modules)


def _middle_of_game(world: World, seed: int) -> State:
    """A state halfway through a game of random moves: the longest of a few, or the first one that is long enough."""
    longest: list[State] = []
    for of_game in range(seed, seed + MOST_GAMES):
        game = Game(world, [random_action] * world.spec.agents, seed=of_game)
        states = [game.state]
        while not game.over and game.steps < MOST_STEPS:
            game.step()
            states.append(game.state)
        longest = max(longest, states, key=len)
        if len(longest) > MOST_STEPS:
            break
    return longest[len(longest) // 2]


def _markdown(entries: Sequence[GalleryEntry], theme: Theme) -> str:
    names = [f"[{e.name}]({e.sheet})" if e.sheet else e.name for e in entries]
    cells = [
        f"![{e.name}]({e.picture})<br>**{name}**<br>{e.asks}".replace("|", "\\|")
        for e, name in zip(entries, names, strict=True)
    ]
    cells += [""] * (-len(cells) % COLUMNS)
    rows = ["| " + " | ".join(cells[i : i + COLUMNS]) + " |" for i in range(0, len(cells), COLUMNS)]
    head = ["| " + " | ".join([" "] * COLUMNS) + " |", "|" + " :---: |" * COLUMNS]
    about = (
        "The first state of an episode in each of the included worlds, of games one in the middle. `gridarium gallery OUT` draws them,"
        " `gridarium explain WORLD` describes one."
    )
    return "\n".join(["# The worlds in pictures", "", about, "", *head, *rows, ""])


def _html(entries: Sequence[GalleryEntry], theme: Theme) -> str:
    figures = "".join(
        f'<figure><img src="{html.escape(e.picture)}" alt="{html.escape(e.name)}">'
        f"<figcaption><b>{_html_name(e)}</b><br>{html.escape(e.asks)}</figcaption></figure>\n"
        for e in entries
    )
    page, ink = ("#{:02x}{:02x}{:02x}".format(*rgb) for rgb in (theme.page, theme.text))
    style = (
        f"body{{font:15px/1.4 system-ui,sans-serif;margin:2em;background:{page};color:{ink}}}"
        "main{display:flex;flex-wrap:wrap;gap:2em}figure{margin:0;width:260px}img{max-width:100%}"
    )
    return (
        '<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>The worlds in pictures</title>'
        f'<meta name="generator" content="{MARK}">'
        f"<style>{style}</style>\n<h1>The worlds in pictures</h1>\n<main>\n{figures}</main></html>\n"
    )


def _html_name(entry: GalleryEntry) -> str:
    name = html.escape(entry.name)
    return f'<a href="{html.escape(entry.sheet)}">{name}</a>' if entry.sheet else name


PAGES: dict[str, Callable[[Sequence[GalleryEntry], Theme], str]] = {".html": _html, ".md": _markdown}
