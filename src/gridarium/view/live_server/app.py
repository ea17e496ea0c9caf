"""A live session on the web: pages by links, a socket for each, and an interface for scripts."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Iterable

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from gridarium.view.live_server import protocol
from gridarium.view.live_server.access import Seat
from gridarium.view.live_server.http_api import HttpApi
from gridarium.view.live_server.session import LiveSession, PageCursor
from gridarium.view.web.clock_runner import TOO_MANY, ClockRunner, PageClient
from gridarium.view.web.messages import Reply, RequestError, error
from gridarium.view.web.origin_guard import LOCAL, OriginGuard
from gridarium.view.web.serving import HEADERS, page_file

FILES = (
    *("appearance.js", "renderer.js", "connection.js", "notes.js", "stage.js", "chat.js", "agent_world.js"),
    *("common.css", "agent_world.css"),
)
PAGE_HEADERS = HEADERS | {
    "Content-Security-Policy": HEADERS["Content-Security-Policy"].replace(
        "img-src data:", "img-src 'self' data:"
    )
}
MEDIA_HEADERS = HEADERS | {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox"
}
MOST_CLIENTS = 256
MOST_OF_A_LINK = 60
"""The number of pages of one link that may be open, so that nobody keeps others out."""
MOST_PER_SECOND = 100
"""The number of messages of a page that are handled in a second; it is listened to more slowly when there are more."""
NO_LINK = "This link leads nowhere. Ask for the one that this run of the world has printed for you."
LANDING = "A live world runs here. Open the link that you were given."
NOT_FOUND = 4404


class LiveRunner(ClockRunner):
    """Runs the clock of a live session, and sends its pages what is new."""

    def __init__(self, session: LiveSession) -> None:
        super().__init__(session)
        self.session = session

    async def attend(self, socket: WebSocket, seat: Seat) -> None:
        """Serve a page of somebody until it goes away."""
        cursor, pace = PageCursor(), Pace()

        async def hear(client: PageClient, text: str | bytes) -> None:
            await pace.keep()
            replies, concerns_others = await self._handle(seat, cursor, text)
            client.send_soon(replies)
            if concerns_others:
                self.changed()

        self.session.join(seat)
        try:
            await self.in_thread(lambda: self.session.show(seat))
            self.changed()
            await self.serve(PageClient(socket, hear, lambda: self.session.news(seat, cursor)), MOST_CLIENTS)
        finally:
            self.session.leave(seat)
            self.changed()

    async def _handle(self, seat: Seat, cursor: PageCursor, text: str | bytes) -> tuple[list[Reply], bool]:
        """Handle a message; returns the replies, and whether there may be something new for others."""
        try:
            message = protocol.read(text)
        except RequestError as refused:
            return [error(str(refused))], False
        if self.session.at_once(message):
            return self.session.handle(seat, cursor, message), not isinstance(message, protocol.Seen)
        return await self.in_thread(lambda: self.session.handle(seat, cursor, message)), True


class Pace:
    """Keeps a page that sends much from being listened to more often than others."""

    def __init__(self) -> None:
        self._allowance, self._last = float(MOST_PER_SECOND), time.monotonic()

    async def keep(self) -> None:
        """Wait until the next message may be handled."""
        now = time.monotonic()
        self._allowance = min(self._allowance + (now - self._last) * MOST_PER_SECOND, MOST_PER_SECOND) - 1
        self._last = now
        if self._allowance < 0:
            await asyncio.sleep(-self._allowance / MOST_PER_SECOND)


def application(
    session: LiveSession, *, hosts: Iterable[str] = LOCAL, any_address: bool = False
) -> Starlette:
    """The web application of a live session, which ends with it.

    Args:
        session: what is shown.
        hosts: the names under which it may be addressed.
        any_address: whether it may also be addressed by any number (IP), as a server for other machines is.
    """
    runner: list[LiveRunner] = []

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        runner.append(LiveRunner(session))
        try:
            async with runner[-1].running():
                yield
        finally:
            await asyncio.to_thread(session.close)

    async def landing(_: Request) -> Response:
        return PlainTextResponse(LANDING, headers=HEADERS)

    async def page(request: Request) -> Response:
        if session.links.find(request.path_params["token"]) is None:
            return PlainTextResponse(NO_LINK, 404, headers=HEADERS)
        return page_file("agent_world.html", ("agent_world.html",), PAGE_HEADERS)

    async def file(request: Request) -> Response:
        return page_file(request.path_params["name"], FILES, PAGE_HEADERS)

    async def media(request: Request) -> Response:
        found = session.media.find(request.path_params["name"])
        if found is None or session.links.find(request.path_params["token"]) is None:
            return PlainTextResponse("There is no such picture.", 404, headers=HEADERS)
        return FileResponse(found, headers=MEDIA_HEADERS)

    async def core_picture(request: Request) -> Response:
        found = session.media.core_picture(request.path_params["name"])
        if found is None or session.links.find(request.path_params["token"]) is None:
            return PlainTextResponse("There is no such picture.", 404, headers=HEADERS)
        return Response(found, media_type="image/svg+xml", headers=MEDIA_HEADERS)

    async def connect(socket: WebSocket) -> None:
        await socket.accept()
        seat = session.links.find(socket.path_params["token"])
        if seat is None:
            await socket.close(NOT_FOUND, NO_LINK)
            return
        if seat.pages >= MOST_OF_A_LINK:
            await socket.close(
                TOO_MANY, f"{MOST_OF_A_LINK} pages of this link are open already; close one of them"
            )
            return
        await runner[-1].attend(socket, seat)

    return Starlette(
        routes=[
            Route("/", landing),
            *HttpApi(session, lambda: runner[-1]).routes,
            Route("/p/{token}/", page),
            Route("/p/{token}/{name}", file),
            Route("/p/{token}/core/{name}", core_picture),
            Route("/p/{token}/media/{name:path}", media),
            WebSocketRoute("/p/{token}/session", connect),
        ],
        middleware=[Middleware(OriginGuard, hosts=frozenset(hosts), any_address=any_address)],
        lifespan=lifespan,
    )
