"""HTML representations for notebooks: tables, and pictures of states made by `gridarium.draw`.

`gridarium.draw` depends on this package, so it is imported by name when a notebook asks for a picture.
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
    """Convert text to HTML: text between backticks becomes code, markup is escaped."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text))


def table(head: Sequence[str], rows: Iterable[Sequence[str]], caption: str = "") -> str:
    """A table as HTML.

    Args:
        head: the column titles; empty for a table without a head.
        rows: texts; parts between backticks become code, markup is escaped.
        caption: the caption of the table.
    """

    def row(cells: Sequence[str], tag: str) -> str:
        style = ' style="text-align:left;vertical-align:top"'
        return "<tr>" + "".join(f"<{tag}{style}>{code(cell)}</{tag}>" for cell in cells) + "</tr>"

    said = f"<caption>{html.escape(caption)}</caption>" if caption else ""
    body = "".join(row(cells, "td") for cells in rows)
    top = f"<thead>{row(head, 'th')}</thead>" if head else ""
    return f"<table>{said}{top}<tbody>{body}</tbody></table>"
