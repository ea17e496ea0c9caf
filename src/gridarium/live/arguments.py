"""Checks of what a live world is made of, where it is not a builder that makes it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gridarium.live.brains import AgentBrain
from gridarium.live.objects import AgentBody, EnvObject

PAIR = "(brain, body), an AgentBrain and an AgentBody"


def checked_object(given: Any, what: str) -> EnvObject:
    """An object of a world.

    Args:
        given: what is given for it.
        what: what that is, for the message.

    Raises:
        TypeError: it is something else.
    """
    if not isinstance(given, EnvObject) or given.is_agent:
        raise _unexpected(what, "an EnvObject", given)
    return given


def checked_agent(given: Any, what: str) -> tuple[AgentBrain, AgentBody]:
    """A brain with its body; see `checked_object`."""
    if not isinstance(given, Sequence) or len(given) != 2:
        raise _unexpected(what, PAIR, given)
    brain, body = given
    if not isinstance(brain, AgentBrain) or not isinstance(body, AgentBody):
        raise _unexpected(what, PAIR, given)
    return brain, body


def checked_agents(given: Any, what: str = "agents") -> list[tuple[AgentBrain, AgentBody]]:
    """Brains with their bodies; see `checked_object`."""
    return [checked_agent(each, f"{what}[{i}]") for i, each in enumerate(_listed(given, what, PAIR))]


def checked_objects(given: Any) -> list[EnvObject]:
    """Objects of a world; see `checked_object`."""
    return [
        checked_object(each, f"objects[{i}]") for i, each in enumerate(_listed(given, "objects", "EnvObject"))
    ]


def checked_brains(given: Any) -> list[tuple[AgentBrain, Mapping[str, Any]]]:
    """Brains with properties of their bodies, which may be left out; see `checked_object`."""
    found = []
    for i, each in enumerate(_listed(given, "brains", "AgentBrain")):
        brain, properties = each if isinstance(each, tuple) and len(each) == 2 else (each, {})
        if not isinstance(brain, AgentBrain) or not isinstance(properties, Mapping):
            raise _unexpected(f"brains[{i}]", "an AgentBrain, or (brain, properties of its body),", each)
        found.append((brain, properties))
    return found


def _listed(given: Any, what: str, of: str) -> Iterable[Any]:
    if isinstance(given, str | Mapping) or not isinstance(given, Iterable):
        raise _unexpected(what, f"a list of {of}", given)
    return given


def _unexpected(what: str, expected: str, given: Any) -> TypeError:
    hint = (
        f"; {given.__name__}() makes one" if isinstance(given, type) and issubclass(given, AgentBrain) else ""
    )
    return TypeError(f"{what}: {expected} is expected, got {given!r}{hint}")
