"""The properties of an agent's body as its brain has them: what it changes is passed on to the body."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from typing import Any

from gridarium.live.objects.agent_body import AgentBody

LOOKS = "visualization"


class OwnProperties(MutableMapping[str, Any]):
    """The properties of an agent's body, which its brain reads and changes.

    Visual ones are both in `visualization`, under their short names, and by themselves: `properties["visualization"]["colour"]` is
    `properties["visualize_colour"]`.

    Args:
        body: the body.

    Attributes:
        changed: what the brain has changed since the world looked last.
    """

    def __init__(self, body: AgentBody) -> None:
        self._body = body
        self.changed: dict[str, Any] = {}

    def __getitem__(self, key: str) -> Any:
        if key == LOOKS:
            return OwnLooks(self)
        if key in self.changed:
            return self.changed[key]
        if key in self._body.visual_names.values():
            return getattr(self._body, key)
        return self._body.cached_properties[key]

    def __setitem__(self, key: str, value: Any) -> None:
        if key == LOOKS:
            self[LOOKS].update(value)
            return
        try:
            self.changed[self._body.changeable_name(key)] = value
        except ValueError as error:
            raise KeyError(f"{error}; add_property of an agent's body adds others") from None

    def __delitem__(self, key: str) -> None:
        raise TypeError("properties of agents cannot be removed")

    def __iter__(self) -> Iterator[str]:
        return iter(self._body.cached_properties)

    def __len__(self) -> int:
        return len(self._body.cached_properties)

    def __repr__(self) -> str:
        return repr({key: self[key] for key in self})


class OwnLooks(MutableMapping[str, Any]):
    """The visual properties among an agent's own, by their short names.

    Args:
        own: all of them.
    """

    def __init__(self, own: OwnProperties) -> None:
        self._own = own

    def __getitem__(self, key: str) -> Any:
        return self._own[AgentBody.visual_names[key]]

    def __setitem__(self, key: str, value: Any) -> None:
        names = AgentBody.visual_names
        if key not in names:
            raise KeyError(f"visualization has no {key!r}; there are {', '.join(names)}")
        if value != self[key]:
            self._own[names[key]] = value

    def __delitem__(self, key: str) -> None:
        raise TypeError("properties of agents cannot be removed")

    def __iter__(self) -> Iterator[str]:
        return iter(AgentBody.visual_names)

    def __len__(self) -> int:
        return len(AgentBody.visual_names)

    def __repr__(self) -> str:
        return repr(dict(self))
