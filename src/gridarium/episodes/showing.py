"""What notebooks show of episodes: how they stand, and their last steps."""

from __future__ import annotations

import html
from collections.abc import Iterable
from typing import Any

import numpy as np

from gridarium.episodes.access import EpisodeAccess

MOST_STEPS, MOST_LETTERS = 10, 60


def of_episode(episode: EpisodeAccess) -> str:
    """An episode's length and return, and its last steps, as HTML."""
    stands = "terminated" if episode.is_terminated else "truncated" if episode.is_truncated else "going on"
    steps = episode.t - episode.t_started
    about = f"{steps} steps from {episode.t_started} on, return {episode.get_return():g}, {stands}"
    first = max(0, steps - MOST_STEPS)
    outputs = {
        key: episode.get_extra_model_outputs(key, slice(first, None)) for key in episode.extra_model_outputs
    }
    head = ("step", "observation", "action", "reward", *outputs)
    columns = [
        [episode.t_started + i for i in range(first, steps)],
        _items(episode, "get_observations", first),
        _items(episode, "get_actions", first),
        _items(episode, "get_rewards", first),
        *([values[i] for i in range(steps - first)] for values in outputs.values()),
    ]
    left_out = f"<p>The last {MOST_STEPS} of {steps} steps:</p>" if first else ""
    rows = zip(*columns, strict=True)
    return f"<h4>{html.escape(repr(episode))}</h4><p>{about}</p>{left_out}{_table(head, rows)}"


def _items(episode: EpisodeAccess, getter: str, first: int) -> list[Any]:
    return [getattr(episode, getter)(i) for i in range(first, episode.t - episode.t_started)]


def _table(head: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    top = "".join(f"<th>{html.escape(name)}</th>" for name in head)
    body = "".join("<tr>" + "".join(f"<td>{_cell(item)}</td>" for item in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def _cell(item: Any) -> str:
    """An item in a few letters: numbers and small arrays as they are, large ones by their shape."""
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
    return text if len(text) <= MOST_LETTERS else text[: MOST_LETTERS - 1] + "…"
