"""A session on the web: a page, its scripts, and a socket for each viewer. Everything comes from this package."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Callable, Iterable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from gridarium.view import protocol
from gridarium.view.feed import Cursor
from gridarium.view.guard import LOCAL, Guard
from gridarium.view.protocol import Refused
from gridarium.view.saving import episode_file
from gridarium.view.session import Session

PAGE = Path(__file__).parent / "page"
FILES = {
    name: PAGE / name
    for name in (
        *("appearance.js", "renderer.js", "status.js", "plot.js", "connection.js", "live.js"),
        *("common.css", "live.css"),
    )
}
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}
SAVED = ("html", "run")
MOST_VIEWERS = 32
QUIET = 10.0
"""After so many seconds without news a viewer is told that the server is there."""
BUSY_AFTER = 0.7
"""After so many seconds of one tick viewers are told that somebody thinks."""
TOO_MANY = 1013


class Stage:
    """Lets a session's clock run, and tells its viewers.

    The world is stepped in a thread of its own, so that a policy that thinks for long does not hold up the server.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self.viewers: set[Viewer] = set()
        self._turn = asyncio.Lock()
        self._wake = asyncio.Event()

    async def obey(self, viewer: Viewer, text: str | bytes) -> None:
        """Do what a viewer asks for."""
        try:
            message = protocol.read(text)
        except Refused as refused:
            viewer.tell([protocol.error(str(refused))])
            return
        if isinstance(message, protocol.AT_ONCE):
            replies = self.session.handle(message)
        else:
            replies = await self._alone(lambda: self.session.handle(message))
        viewer.tell(replies)
        self._spread([])
        self._wake.set()

    async def run(self) -> None:
        """Let time go on for ever."""
        time = asyncio.get_running_loop().time
        due = time()
        while True:
            self._wake.clear()
            if not self.session.running:
                await self._wake.wait()
                due = time() + self.session.delay
                continue
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._changed(), max(due - time(), 0))
                due = time() + self.session.delay
                continue
            self._spread(await self._alone(self._tick))
            due = max(due + self.session.delay, time())

    def _tick(self) -> list[protocol.Reply]:
        return self.session.tick() if self.session.running else []

    async def _changed(self) -> None:
        """Wait for a message after which the clock may go differently; others do not hold it up."""
        before = self.session.running, self.session.delay
        while before == (self.session.running, self.session.delay):
            await self._wake.wait()
            self._wake.clear()

    async def _alone(self, act: Callable[[], list[protocol.Reply]]) -> list[protocol.Reply]:
        async with self._turn:
            late = asyncio.get_running_loop().call_later(BUSY_AFTER, self._spread, [{"type": "busy"}])
            try:
                return await asyncio.to_thread(act)
            finally:
                late.cancel()

    def _spread(self, replies: list[protocol.Reply]) -> None:
        for viewer in self.viewers:
            viewer.tell(replies)


class Viewer:
    """One page that looks at a session."""

    def __init__(self, stage: Stage, socket: WebSocket) -> None:
        self._stage, self._socket, self._cursor = stage, socket, Cursor()
        self._told: list[protocol.Reply] = []
        self._news = asyncio.Event()

    def tell(self, replies: list[protocol.Reply]) -> None:
        """Send something to this page soon, and what else is new."""
        self._told = [*self._told, *replies][-MOST_VIEWERS:]
        self._news.set()

    async def look(self) -> None:
        """Serve the page until it goes away."""
        await self._send(self._stage.session.hello())
        self._news.set()
        sending = asyncio.create_task(self._keep_sending())
        try:
            while (received := await self._socket.receive())["type"] != "websocket.disconnect":
                await self._stage.obey(self, received.get("text") or received.get("bytes") or "")
        finally:
            sending.cancel()
            with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
                await sending

    async def _keep_sending(self) -> None:
        while True:
            try:
                news = await asyncio.wait_for(self._next(), QUIET)
            except TimeoutError:
                news = [{"type": "alive"}]
            for message in news:
                await self._send(message)

    async def _next(self) -> list[protocol.Reply]:
        await self._news.wait()
        self._news.clear()
        news = self._stage.session.news(self._cursor)
        told, self._told = self._told, []
        return news + told

    async def _send(self, message: protocol.Reply) -> None:
        await self._socket.send_json(message)


def application(session: Session, *, hosts: Iterable[str] = LOCAL, any_address: bool = False) -> Starlette:
    """The web application of a session.

    Args:
        session: what is shown.
        hosts: the names under which it may be addressed.
        any_address: whether it may also be addressed by any number (IP), as a server for other machines is.
    """
    stage: list[Stage] = []

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        stage.append(Stage(session))
        clock = asyncio.create_task(stage[-1].run())
        try:
            yield
        finally:
            clock.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await clock

    async def page(_: Request) -> Response:
        return FileResponse(PAGE / "live.html", headers=HEADERS)

    async def file(request: Request) -> Response:
        found = FILES.get(request.path_params["name"])
        if found is None:
            return PlainTextResponse("There is no such file.", 404)
        return FileResponse(found, headers=HEADERS)

    async def save(request: Request) -> Response:
        """The episode so far, as a file to keep: a page that shows it, or a run."""
        ending = request.path_params["ending"]
        if ending not in SAVED:
            return PlainTextResponse(f"An episode is saved as {' or '.join(SAVED)}.", 404)
        try:
            seed, actions = session.noted()
        except Refused as refused:
            return PlainTextResponse(str(refused), 409)
        content = await asyncio.to_thread(episode_file, session.world, seed, actions, ending)
        name = f"{session.world.name}-seed-{seed}.{ending}"
        saved = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name)}"}
        return Response(content, media_type="application/octet-stream", headers=HEADERS | saved)

    async def look(socket: WebSocket) -> None:
        await socket.accept()
        if len(stage[-1].viewers) >= MOST_VIEWERS:
            await socket.close(TOO_MANY, f"{MOST_VIEWERS} pages are open already; close one of them")
            return
        viewer = Viewer(stage[-1], socket)
        stage[-1].viewers.add(viewer)
        try:
            with contextlib.suppress(WebSocketDisconnect, RuntimeError):
                await viewer.look()
        finally:
            stage[-1].viewers.discard(viewer)

    return Starlette(
        routes=[
            Route("/", page),
            Route("/episode.{ending:str}", save),
            Route("/{name}", file),
            WebSocketRoute("/session", look),
        ],
        middleware=[Middleware(Guard, hosts=frozenset(hosts), any_address=any_address)],
        lifespan=lifespan,
    )


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
        made.listen()  # so that whoever comes before the server runs waits for it
    except OSError:
        made.close()
        raise
    return made


def serve(app: Any, on: socket.socket) -> None:
    """Serve an application until Ctrl-C."""
    config = uvicorn.Config(
        app,
        log_level="warning",
        ws="websockets-sansio",
        ws_max_size=protocol.LARGEST,
        server_header=False,
        timeout_graceful_shutdown=2,
    )
    with contextlib.suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[on])
