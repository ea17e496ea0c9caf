"""The clock of a running world, and the pages that are told what is new."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Protocol

from starlette.websockets import WebSocket, WebSocketDisconnect

from gridarium.view.web.messages import Reply

QUIET = 10.0
"""After so many seconds without news a page is told that the server is there."""
BUSY_AFTER = 0.7
"""After so many seconds of one tick pages are told that it takes long."""
MOST_WAITING = 32
"""The number of replies that wait for a page; of more, the oldest are forgotten."""
TOO_MANY = 1013
"""The code with which a socket is closed when there are too many."""


class Clocked(Protocol):
    """A running world."""

    @property
    def running(self) -> bool:
        """Whether `tick` should be called after `delay`."""

    @property
    def delay(self) -> float:
        """Seconds until the next tick."""

    def tick(self) -> list[Reply]:
        """Let one tick pass; returns errors for all pages."""


class ClockRunner:
    """Runs a clock, and wakes the pages when there is something new.

    The world is stepped in a thread of its own, so that an agent that thinks for long does not hold up the server.

    Attributes:
        clients: the pages that are connected.
    """

    def __init__(self, clocked: Clocked) -> None:
        self._clocked = clocked
        self.clients: set[PageClient] = set()
        self._stepping = asyncio.Lock()
        self._wake = asyncio.Event()

    async def run(self) -> None:
        """Run the clock until it is cancelled."""
        time = asyncio.get_running_loop().time
        due = time()
        while True:
            self._wake.clear()
            if not self._clocked.running:
                await self._wake.wait()
                due = time() + self._clocked.delay
                continue
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._changed(), max(due - time(), 0))
                due = time() + self._clocked.delay
                continue
            self.broadcast(await self.in_thread(self._tick))
            delay = self._clocked.delay
            due = max(due + delay, time() - delay)  # one late tick is caught up with, more are not

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Run the clock meanwhile."""
        clock = asyncio.create_task(self.run())
        try:
            yield
        finally:
            clock.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await clock

    async def serve(self, client: PageClient, most: int) -> None:
        """Serve a page until it goes away, unless so many are there already."""
        if len(self.clients) >= most:
            await client.socket.close(TOO_MANY, f"{most} pages are open already; close one of them")
            return
        self.clients.add(client)
        try:
            with contextlib.suppress(WebSocketDisconnect, RuntimeError):
                await client.serve()
        finally:
            self.clients.discard(client)

    def _tick(self) -> list[Reply]:
        return self._clocked.tick() if self._clocked.running else []

    async def _changed(self) -> None:
        """Wait for a message after which the clock may go differently; others do not hold it up."""
        before = self._clocked.running, self._clocked.delay
        while before == (self._clocked.running, self._clocked.delay):
            await self._wake.wait()
            self._wake.clear()

    async def in_thread(self, act: Callable[[], list[Reply]]) -> list[Reply]:
        """Run something in another thread, while nothing else uses the world."""
        async with self._stepping:
            late = asyncio.get_running_loop().call_later(BUSY_AFTER, self.broadcast, [{"type": "busy"}])
            try:
                return await asyncio.to_thread(act)
            finally:
                late.cancel()

    def changed(self) -> None:
        """Tell all pages, and the clock, that something may be different."""
        self.broadcast([])
        self._wake.set()

    def broadcast(self, replies: Sequence[Reply]) -> None:
        """Send something to all pages soon, and what else is new."""
        for client in self.clients:
            client.send_soon(replies)


class PageClient:
    """A page that is connected.

    What is new is asked for when the page can take it, so that a slow one gets the newest there is, not a queue.

    Args:
        socket: of the page.
        hear: handles a message of the page.
        news: returns what is new for it, as plain data or as JSON.

    Attributes:
        socket: as given.
    """

    def __init__(
        self,
        socket: WebSocket,
        hear: Callable[[PageClient, str | bytes], Awaitable[None]],
        news: Callable[[], Sequence[Reply | str]],
    ) -> None:
        self.socket, self._hear, self._news = socket, hear, news
        self._waiting: deque[Reply] = deque(maxlen=MOST_WAITING)
        self._something = asyncio.Event()

    def send_soon(self, replies: Sequence[Reply]) -> None:
        """Send something to this page soon, and what else is new."""
        self._waiting.extend(replies)
        self._something.set()

    async def serve(self) -> None:
        """Serve the page until it goes away."""
        self._something.set()
        sending = asyncio.create_task(self._keep_sending())
        try:
            while (received := await self.socket.receive())["type"] != "websocket.disconnect":
                await self._hear(self, received.get("text") or received.get("bytes") or "")
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
                text = message if isinstance(message, str) else json.dumps(message, separators=(",", ":"))
                await self.socket.send_text(text)

    async def _next(self) -> list[Reply | str]:
        await self._something.wait()
        self._something.clear()
        news = [*self._news(), *self._waiting]
        self._waiting.clear()
        return news
