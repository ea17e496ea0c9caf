"""The properties of an agent's body as its brain has them: what it changes is passed on to the body."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from typing import Any

from gridarium.live.objects.agent_body import AgentBody


class OwnProperties(MutableMapping[str, Any]):
    """The properties of an agent's body, which its brain reads and changes.

    Args:
        body: the body.

    Attributes:
        changed: what the brain has changed since the world looked last.
    """

    def __init__(self, body: AgentBody) -> None:
        self._body = body
        self.changed: dict[str, Any] = {}

    def __getitem__(self, key: str) -> Any:
        return self.changed[key] if key in self.changed else self._body.cached_properties[key]

    def __setitem__(self, key: str, value: Any) -> None:
        if key not in self._body.cached_properties:
            raise KeyError(
                f"agent {self._body.obj_id} has no property {key!r}; its body's add_property adds one"
            )
        self.changed[key] = value

    def __delitem__(self, key: str) -> None:
        raise TypeError("properties of agents cannot be removed")

    def __iter__(self) -> Iterator[str]:
        return iter(self._body.cached_properties)

    def __len__(self) -> int:
        return len(self._body.cached_properties)

    def __repr__(self) -> str:
        return repr({**self._body.cached_properties, **self.changed})
