"""Short labels of agents in pictures, each a different one. No web code."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterator

MOST_LETTERS = 3


def label_for(name: str, taken: Collection[str]) -> str:
    """A label for an agent: its initial and number, such as H1 for "Human 1"; with more letters, or another number, if that is taken.

    Args:
        name: of the agent.
        taken: the labels of others.
    """
    return next(label for label in _labels(name) if label and label not in taken)


def _labels(name: str) -> Iterator[str]:
    word = next(iter(re.findall(r"[^\W\d_]+", name)), "")
    number = next(iter(re.findall(r"\d{1,2}$", name)), "")
    for count in range(1, MOST_LETTERS + 1):
        yield word[:count].capitalize() + number
    for other in itertools.count(1):
        yield f"{word[:1].upper()}{other}"
