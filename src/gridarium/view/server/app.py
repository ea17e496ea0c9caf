"""A session on the web: a page, its scripts, and a socket for each client. Everything comes from this package."""

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

from gridarium.view.replay.saving import episode_file
from gridarium.view.server import protocol
from gridarium.view.server.frame_stream import Cursor
from gridarium.view.server.origin_guard import LOCAL, OriginGuard
from gridarium.view.server.protocol import RequestError
from gridarium.view.server.session import Session

PAGE = Path(__file__).parent.parent / "page"
FILES = {
    name: PAGE / name
    for name in (
        *("appearance.js", "renderer.js", "status.js", "plot.js", "connection.js", "choice.js", "live.js"),
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
MOST_CLIENTS = 32
QUIET = 10.0
"""After so many seconds without news a client is told that the server is there."""
BUSY_AFTER = 0.7
"""After so many seconds of one tick clients are told that a policy is thinking."""
TOO_MANY = 1013


class SessionRunner:
    """Runs the clock of a session, and sends its clients what is new.

    The world is stepped in a thread of its own, so that a policy that thinks for long does not hold up the server.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self.clients: set[Client] = set()
        self._stepping = asyncio.Lock()
        self._wake = asyncio.Event()

    async def handle(self, client: Client, text: str | bytes) -> None:
        """Handle a message of a client."""
        try:
            message = protocol.read(text)
        except RequestError as error:
            client.send_soon([protocol.error(str(error))])
            return
        if isinstance(message, protocol.AT_ONCE):
            replies = self.session.handle(message)
        else:
            replies = await self._in_thread(lambda: self.session.handle(message))
        client.send_soon(replies)
        self._broadcast([])
        self._wake.set()

    async def run(self) -> None:
        """Run the clock until it is cancelled."""
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
            self._broadcast(await self._in_thread(self._tick))
            due = max(due + self.session.delay, time())

    def _tick(self) -> list[protocol.Reply]:
        return self.session.tick() if self.session.running else []

    async def _changed(self) -> None:
        """Wait for a message after which the clock may go differently; others do not hold it up."""
        before = self.session.running, self.session.delay
        while before == (self.session.running, self.session.delay):
            await self._wake.wait()
            self._wake.clear()

    async def _in_thread(self, act: Callable[[], list[protocol.Reply]]) -> list[protocol.Reply]:
        async with self._stepping:
            late = asyncio.get_running_loop().call_later(BUSY_AFTER, self._broadcast, [{"type": "busy"}])
            try:
                return await asyncio.to_thread(act)
            finally:
                late.cancel()

    def _broadcast(self, replies: list[protocol.Reply]) -> None:
        for client in self.clients:
            client.send_soon(replies)


class Client:
    """A page that shows a session."""

    def __init__(self, runner: SessionRunner, socket: WebSocket) -> None:
        self._runner, self._socket, self._cursor = runner, socket, Cursor()
        self._waiting: list[protocol.Reply] = []
        self._news = asyncio.Event()

    def send_soon(self, replies: list[protocol.Reply]) -> None:
        """Send something to this page soon, and what else is new."""
        self._waiting = [*self._waiting, *replies][-MOST_CLIENTS:]
        self._news.set()

    async def serve(self) -> None:
        """Serve the page until it goes away."""
        await self._send(self._runner.session.hello())
        self._news.set()
        sending = asyncio.create_task(self._keep_sending())
        try:
            while (received := await self._socket.receive())["type"] != "websocket.disconnect":
                await self._runner.handle(self, received.get("text") or received.get("bytes") or "")
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
        news = self._runner.session.news(self._cursor)
        waiting, self._waiting = self._waiting, []
        return news + waiting

    async def _send(self, message: protocol.Reply) -> None:
        await self._socket.send_json(message)


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
        clock = asyncio.create_task(runner[-1].run())
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
        except RequestError as error:
            return PlainTextResponse(str(error), 409)
        content = await asyncio.to_thread(episode_file, session.world, seed, actions, ending)
        name = f"{session.world.name}-seed-{seed}.{ending}"
        saved = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name)}"}
        return Response(content, media_type="application/octet-stream", headers=HEADERS | saved)

    async def connect(socket: WebSocket) -> None:
        await socket.accept()
        if len(runner[-1].clients) >= MOST_CLIENTS:
            await socket.close(TOO_MANY, f"{MOST_CLIENTS} pages are open already; close one of them")
            return
        client = Client(runner[-1], socket)
        runner[-1].clients.add(client)
        try:
            with contextlib.suppress(WebSocketDisconnect, RuntimeError):
                await client.serve()
        finally:
            runner[-1].clients.discard(client)

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
