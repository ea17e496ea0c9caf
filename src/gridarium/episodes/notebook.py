"""Episodes as HTML, as notebooks show them."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

MAX_STEPS, MAX_LETTERS = 10, 60


def episode_as_html(title: str, about: str, columns: Mapping[str, Sequence[Any]], steps: int) -> str:
    """Return an episode's title and summary, and a table of its last steps.

    Args:
        title: text.
        about: a summary in a line of text.
        columns: name -> one item for each step that is shown.
        steps: how many steps there are in all.
    """
    omitted = f"<p>The last {MAX_STEPS} of {steps} steps:</p>" if steps > MAX_STEPS else ""
    table = _table(columns, zip(*columns.values(), strict=True))
    return f"<h4>{html.escape(title)}</h4><p>{about}</p>{omitted}{table}"


def _table(head: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    top = "".join(f"<th>{html.escape(name)}</th>" for name in head)
    body = "".join("<tr>" + "".join(f"<td>{_cell(item)}</td>" for item in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def _cell(item: Any) -> str:
    """Format an item in a few letters: numbers and small arrays as they are, large ones by their shape."""
    return html.escape(_short(item))


def _short(item: Any) -> str:
    if isinstance(item, dict):
        return ", ".join(f"{key}: {_short(part)}" for key, part in item.items())
    if isinstance(item, tuple):
        return ", ".join(map(_short, item))
    array = np.asarray(item)
    if array.dtype == object or array.size > 8:
        text = str(item) if array.dtype == object else f"{array.dtype}{list(array.shape)}"
    else:
        text = np.array2string(array, precision=4)
    return text if len(text) <= MAX_LETTERS else text[: MAX_LETTERS - 1] + "…"
