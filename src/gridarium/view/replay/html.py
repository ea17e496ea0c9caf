"""A replay as one HTML file that opens anywhere, offline: the page, its script and the film, all in one."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gridarium.engine import Run
from gridarium.view.film import Filmer, film_of_run

PAGE = Path(__file__).parent / "page"
SCRIPTS = ("appearance.js", "renderer.js", "status.js", "plot.js", "replay.js")
STYLES = ("common.css", "replay.css")

Shown = Run | Filmer | Mapping[str, Any]
"""A recorded run, what a `Filmer` has filmed, or a film as plain data."""


def write_replay(shown: Shown, path: str | Path, **options: Any) -> None:
    """Write a replay to an HTML file.

    Args:
        shown: a recorded `Run`, a `Filmer`, or its film.
        path: where to; a file of that name is replaced when all is written.
        options: for a run, as for `film_of_run`.

    Raises:
        OSError: the file cannot be written; a file of that name is then as before.
        Exception: as for `film_of_run`.
    """
    text = replay_html(shown, **options)
    place = Path(path)
    unfinished = place.with_name(place.name + ".part")
    try:
        unfinished.write_text(text, encoding="utf-8")
        unfinished.replace(place)
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(place)) from None
    finally:
        unfinished.unlink(missing_ok=True)


def replay_html(shown: Shown, **options: Any) -> str:
    """A replay as the text of an HTML document; arguments as for `write_replay`."""
    filmer = film_of_run(shown, **options) if isinstance(shown, Run) else shown
    film = filmer.film() if isinstance(filmer, Filmer) else filmer
    page = (PAGE / "replay.html").read_text(encoding="utf-8")
    parts = {
        "TITLE": html.escape(str(film["header"]["title"])),
        "STYLES": "\n".join((PAGE / name).read_text(encoding="utf-8") for name in STYLES),
        "SCRIPTS": "\n".join((PAGE / name).read_text(encoding="utf-8") for name in SCRIPTS),
        "FILM": script_safe(film),
    }
    pieces = page.split("@@")  # text, name, text, name, ..., text: what is filled in is never looked at again
    return "".join(parts[piece] if i % 2 else piece for i, piece in enumerate(pieces))


def script_safe(data: Any) -> str:
    """Data as JSON that can stand in a <script> element: no tag, comment or line end of JavaScript occurs in it."""
    text = json.dumps(data, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text
