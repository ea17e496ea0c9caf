"""A replay in a notebook: play, pause, step and scrub in the cell that made it."""

from __future__ import annotations

import html
from typing import Any

from gridarium.view.html_replay import Shown, replay_html


class Player:
    """Shows a replay in Jupyter and its kin; it goes with the notebook when that is saved or exported.

    Args:
        shown: a recorded `Run`, a `Filmer`, or its film.
        height: of the cell's output, in pixels.
        options: for a run, as for `film_of_run`.

    Raises:
        ValueError: a height that is not positive.
        Exception: as for `film_of_run`.

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
