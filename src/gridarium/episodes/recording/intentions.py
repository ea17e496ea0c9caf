"""What is about to be done, asked before an environment is stepped: what cannot be recorded is refused while it still can be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium as gym

from gridarium.episodes.errors import EpisodeError
from gridarium.episodes.recording.forms import fitted, form_of_space
from gridarium.episodes.structs import batch

NOT_STEPPED = "the environment was not stepped"


def check_action(space: gym.Space[Any], action: Any, name: str = "action") -> None:
    """Check that an action has the form of its space. Whether it lies inside is for the environment to say.

    Args:
        space: of actions; those whose items have no fixed form allow everything.
        action: spaces of floats take other numbers, too.
        name: of the action, for errors.

    Raises:
        EpisodeError: it has another form.
    """
    if space.contains(action):
        return
    try:
        form = form_of_space(space)
    except EpisodeError:
        return
    try:
        fitted(name, form, batch([action]), rounded=True)
    except (EpisodeError, ValueError, TypeError) as error:
        raise EpisodeError(f"{error}; {NOT_STEPPED}") from error


def outputs_of(extras: Any, known: Mapping[str, Any] | None, name: str = "extras") -> dict[str, Any]:
    """What a model gave besides an action, as a dict.

    Args:
        extras: a mapping, or None.
        known: the keys of earlier steps; None if there were none.
        name: of the extras, for errors.

    Raises:
        EpisodeError: something else, or other keys than before.
    """
    if extras is not None and not isinstance(extras, Mapping):
        raise EpisodeError(f"{name}: expected a dict, got {extras!r}; {NOT_STEPPED}")
    outputs = dict(extras or {})
    if known is not None and outputs.keys() != known.keys():
        raise EpisodeError(f"{name}: expected the keys {list(known)}, got {list(outputs)}; {NOT_STEPPED}")
    return outputs
