"""A replay as one HTML page that opens anywhere, offline (the page, its script and its data), and in a notebook."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gridarium.engine import Run
from gridarium.engine.runs.whole_file import replacing
from gridarium.view.replay.replay_data import ReplayBuilder, replay_of_run

PAGE = Path(__file__).parent.parent / "page"
SCRIPTS = ("appearance.js", "renderer.js", "status.js", "plot.js", "replay.js")
STYLES = ("common.css", "replay.css")

Shown = Run | ReplayBuilder | Mapping[str, Any]
"""A recorded run, what a `ReplayBuilder` has recorded, or a replay as plain data."""


def write_replay(shown: Shown, path: str | Path, **options: Any) -> None:
    """Write a replay to an HTML file.

    Args:
        shown: a recorded `Run`, a `ReplayBuilder`, or its replay.
        path: where to; a file of that name is replaced when all is written.
        options: for a run, as for `replay_of_run`.

    Raises:
        OSError: the file cannot be written; a file of that name is then as before.
        Exception: as for `replay_of_run`.
    """
    text = replay_html(shown, **options)
    place = Path(path)
    try:
        with replacing(place) as unfinished:
            unfinished.write_text(text, encoding="utf-8")
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(place)) from None


def replay_html(shown: Shown, **options: Any) -> str:
    """A replay as the text of an HTML document; arguments as for `write_replay`."""
    builder = replay_of_run(shown, **options) if isinstance(shown, Run) else shown
    replay = builder.data() if isinstance(builder, ReplayBuilder) else builder
    page = (PAGE / "replay.html").read_text(encoding="utf-8")
    parts = {
        "TITLE": html.escape(str(replay["header"]["title"])),
        "STYLES": "\n".join((PAGE / name).read_text(encoding="utf-8") for name in STYLES),
        "SCRIPTS": "\n".join((PAGE / name).read_text(encoding="utf-8") for name in SCRIPTS),
        "REPLAY": script_safe(replay),
    }
    pieces = page.split("@@")  # text, name, text, name, ..., text: what is filled in is never looked at again
    return "".join(parts[piece] if i % 2 else piece for i, piece in enumerate(pieces))


class Player:
    """Shows a replay in Jupyter and its kin; it goes with the notebook when that is saved or exported.

    Args:
        shown: a recorded `Run`, a `ReplayBuilder`, or its replay.
        height: of the cell's output, in pixels.
        options: for a run, as for `replay_of_run`.

    Raises:
        ValueError: a height that is not positive.
        Exception: as for `replay_of_run`.

    Example:
        >>> Player(run)  # the last line of a cell
    """

    def __init__(self, shown: Shown, *, height: int = 640, **options: Any) -> None:
        if height <= 0:
            raise ValueError(f"a height of {height} pixels: it has to be positive")
        self.height, self._page = height, replay_html(shown, **options)

    def _repr_html_(self) -> str:
        page = html.escape(self._page)  # a frame without rights: its script sees nothing of the notebook
        return (
            f'<iframe title="replay" sandbox="allow-scripts" width="100%" height="{self.height}" '
            f'style="border:0" srcdoc="{page}"></iframe>'
        )


def script_safe(data: Any) -> str:
    """Data as JSON that can stand in a <script> element: no tag, comment or line end of JavaScript occurs in it."""
    text = json.dumps(data, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text
