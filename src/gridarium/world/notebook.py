"""What notebooks show: pictures of states, made by the room that draws, and tables.

That room lies above this one, so it is found by its name, when a notebook asks for a picture.
"""

from __future__ import annotations

import html
import importlib
import re
from collections.abc import Iterable, Sequence
from typing import Any

DRAWS = "gridarium.draw.notebook"


def picture(scene: Any) -> str:
    """A state, an observation or a grid as an SVG document."""
    drawn: str = importlib.import_module(DRAWS).picture(scene)
    return drawn


def page(scene: Any) -> str:
    """A state, an observation or a grid as an HTML image with alternative text."""
    made: str = importlib.import_module(DRAWS).html(scene)
    return made


def code(text: str) -> str:
    """Text as HTML: what stands between backticks as code, markup as it is written."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text))


def table(head: Sequence[str], rows: Iterable[Sequence[str]], caption: str = "") -> str:
    """A table as HTML.

    Args:
        head: what the columns are called; nothing at all for a table without a head.
        rows: texts, what stands between backticks as code; markup in them is shown as it is written.
        caption: what the table is about.
    """

    def row(cells: Sequence[str], tag: str) -> str:
        style = ' style="text-align:left;vertical-align:top"'
        return "<tr>" + "".join(f"<{tag}{style}>{code(cell)}</{tag}>" for cell in cells) + "</tr>"

    said = f"<caption>{html.escape(caption)}</caption>" if caption else ""
    body = "".join(row(cells, "td") for cells in rows)
    top = f"<thead>{row(head, 'th')}</thead>" if head else ""
    return f"<table>{said}{top}<tbody>{body}</tbody></table>"
