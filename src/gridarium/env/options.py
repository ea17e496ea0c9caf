"""What the environments' `reset` takes as options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gridarium.worlds.entries.problems import suggest

RESET_OPTIONS = ("state", "parameters")
"""What any environment takes: the state in which an episode begins, and parameters from this episode on."""


def reset_options(options: Any, allowed: tuple[str, ...] = RESET_OPTIONS) -> dict[str, Any]:
    """Options of a reset by their names.

    Args:
        options: what the user gave; None for none.
        allowed: what there is.

    Raises:
        TypeError: no mapping.
        ValueError: an unknown option, with those that there are.
    """
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise TypeError(f"options are given by their names, as {{{allowed[0]!r}: ...}}, not as {options!r}")
    for name in options:
        if name not in allowed:
            raise ValueError(f"reset has no option {name!r}; {suggest(name, allowed)}")
    return dict(options)
