"""Keeps other sites' pages away from a server on this machine.

A page from anywhere can make a browser send requests to 127.0.0.1, open sockets there, and by a trick with names (DNS
rebinding) even read the answers. Such requests carry another Host or Origin than ours.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

LOCAL = ("127.0.0.1", "localhost", "::1")
REFUSAL = "This server answers only at its own address. To use another name for it, start it with --allow-host NAME."


class OriginGuard:
    """Refuses requests that are addressed to another host, or come from another site's page.

    Args:
        app: what is guarded.
        hosts: the names under which it may be addressed.
        any_address: whether it may also be addressed by any number (IP).
    """

    def __init__(
        self, app: ASGIApp, hosts: frozenset[str] = frozenset(LOCAL), any_address: bool = False
    ) -> None:
        self._app, self._hosts, self._any_address = app, hosts, any_address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] == "lifespan" or self.allows(Headers(scope=scope)):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": "another site"})
        else:
            await PlainTextResponse(REFUSAL, 403)(scope, receive, send)

    def allows(self, headers: Mapping[str, str]) -> bool:
        """Return whether Host is ours, and Origin, if a browser sends it, is the same."""
        host, origin = headers.get("host", ""), headers.get("origin")
        if origin is not None and _parts(origin)[1:] != _parts(f"//{host}")[1:]:
            return False
        name = _parts(f"//{host}")[1]
        return name in self._hosts or (self._any_address and _is_address(name))


def _parts(url: str) -> tuple[str, str, int | None]:
    try:
        split = urlsplit(url)
        return split.scheme, (split.hostname or "").lower(), split.port
    except ValueError:
        return "", "", None


def _is_address(name: Any) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
