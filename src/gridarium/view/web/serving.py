"""Sockets that listen, files of pages, and what browsers are told about them."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Collection
from pathlib import Path
from typing import Any

import uvicorn
from starlette.responses import FileResponse, PlainTextResponse, Response

PAGE = Path(__file__).parent.parent / "page"
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}


def page_file(name: str, served: Collection[str], headers: dict[str, str] = HEADERS) -> Response:
    """Return a file of the folder of pages, if it is among those that are served."""
    if name not in served:
        return PlainTextResponse("There is no such file.", 404)
    return FileResponse(PAGE / name, headers=headers)


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens; port 0 takes a free one.

    Raises:
        OSError: the port is taken, or the host is none of this machine's.
    """
    family, *_, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(place)
        made.listen()  # clients that come before the server runs wait for it
    except OSError:
        made.close()
        raise
    return made


def serve(app: Any, on: socket.socket, *, largest: int) -> None:
    """Serve an application until Ctrl-C; messages of pages have at most `largest` bytes."""
    config = uvicorn.Config(
        app,
        log_level="warning",
        ws="websockets-sansio",
        ws_max_size=largest,
        server_header=False,
        timeout_graceful_shutdown=2,
    )
    with contextlib.suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[on])
