"""A session on the web: a page, its scripts, and a socket for each client. Everything comes from this package."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterable
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from gridarium.view.replay.saving import episode_file
from gridarium.view.server import protocol
from gridarium.view.server.frame_stream import Cursor
from gridarium.view.server.session import Session
from gridarium.view.web.clock_runner import ClockRunner, PageClient
from gridarium.view.web.messages import Reply, RequestError, error
from gridarium.view.web.origin_guard import LOCAL, OriginGuard
from gridarium.view.web.serving import HEADERS, page_file

FILES = (
    *(
        "appearance.js",
        "renderer.js",
        "status.js",
        "plot.js",
        "connection.js",
        "notes.js",
        "choice.js",
        "live.js",
    ),
    *("common.css", "live.css"),
)
SAVED = ("html", "run")
MOST_CLIENTS = 32


class SessionRunner(ClockRunner):
    """Runs the clock of a session, and sends its clients what is new."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.session = session

    def client(self, socket: WebSocket) -> PageClient:
        """Return a client for a page that has connected."""
        cursor, greeting = Cursor(), [self.session.hello()]

        def news() -> list[Reply]:
            first = [*greeting]
            greeting.clear()
            return first + self.session.news(cursor)

        return PageClient(socket, self._handle, news)

    async def _handle(self, client: PageClient, text: str | bytes) -> None:
        """Handle a message of a client."""
        try:
            message = protocol.read(text)
        except RequestError as refused:
            client.send_soon([error(str(refused))])
            return
        if isinstance(message, protocol.AT_ONCE):
            replies = self.session.handle(message)
        else:
            replies = await self.in_thread(lambda: self.session.handle(message))
        client.send_soon(replies)
        self.changed()


def application(session: Session, *, hosts: Iterable[str] = LOCAL, any_address: bool = False) -> Starlette:
    """The web application of a session.

    Args:
        session: what is shown.
        hosts: the names under which it may be addressed.
        any_address: whether it may also be addressed by any number (IP), as a server for other machines is.
    """
    runner: list[SessionRunner] = []

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        runner.append(SessionRunner(session))
        async with runner[-1].running():
            yield

    async def page(_: Request) -> Response:
        return page_file("live.html", ("live.html",))

    async def file(request: Request) -> Response:
        return page_file(request.path_params["name"], FILES)

    async def save(request: Request) -> Response:
        """The episode so far, as a file to keep: a page that shows it, or a run."""
        ending = request.path_params["ending"]
        if ending not in SAVED:
            return PlainTextResponse(f"An episode is saved as {' or '.join(SAVED)}.", 404)
        try:
            seed, actions = session.noted()
        except RequestError as refused:
            return PlainTextResponse(str(refused), 409)
        content = await asyncio.to_thread(episode_file, session.world, seed, actions, ending)
        name = f"{session.world.name}-seed-{seed}.{ending}"
        saved = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name)}"}
        return Response(content, media_type="application/octet-stream", headers=HEADERS | saved)

    async def connect(socket: WebSocket) -> None:
        await socket.accept()
        await runner[-1].serve(runner[-1].client(socket), MOST_CLIENTS)

    return Starlette(
        routes=[
            Route("/", page),
            Route("/episode.{ending:str}", save),
            Route("/{name}", file),
            WebSocketRoute("/session", connect),
        ],
        middleware=[Middleware(OriginGuard, hosts=frozenset(hosts), any_address=any_address)],
        lifespan=lifespan,
    )
