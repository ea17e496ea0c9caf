"""Many pages on one live world: how late they get each tick, what it costs, and whether memory stays bounded.

    python benchmarks/live/pages.py                        # 50 pages at 10 ticks a second, 300 ticks
    python benchmarks/live/pages.py --stalled 5            # 5 of them read nothing
    python benchmarks/live/pages.py --memory --ticks 10000 # without a network, as fast as it goes: memory

The server is a process of its own; pages are sockets of this one, spread over all links. Time is what the clock says, so
other work on the machine counts; processor seconds do not depend on it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import socket
import statistics
import time
import urllib.request
from pathlib import Path
from typing import Any

from gridarium.live.worlds import live_worlds
from gridarium.view.live_server.access import Role
from gridarium.view.live_server.app import application
from gridarium.view.live_server.protocol import LARGEST, Seen
from gridarium.view.live_server.session import LiveSession, PageCursor
from gridarium.view.web.serving import listening, serve

PEOPLE, AGENTS = 2, 8


def session_of(world: str, speed: float) -> LiveSession:
    builder = live_worlds[world](people=PEOPLE, agents=AGENTS) if world == "bw4t" else live_worlds[world]()
    builder.add_goal(10**9, overwrite=True)  # so that it goes on for as many ticks as are measured
    made = builder.get_world(compiled=False)
    made.tick_duration = 1 / speed
    return LiveSession(made)


def resident() -> float:
    """The resident memory of this process, in MiB."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGESIZE") / 2**20


def run_server(world: str, speed: float, on: socket.socket, told: Any) -> None:
    session = session_of(world, speed)
    told.send([(seat.role.value, seat.path) for seat in session.links])
    app = application(session)

    async def measured(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http" and scope["path"] == "/usage":
            used = json.dumps({"seconds": time.process_time(), "mib": resident()}).encode()
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": used})
        else:
            await app(scope, receive, send)

    serve(measured, on, largest=LARGEST)


async def watch(address: str, ticks: int, seconds: float) -> tuple[list[float], list[int], int]:
    """When each picture came, of which tick it was, and how many bytes there were in all."""
    from websockets.asyncio.client import connect

    times, of, size = [], [], 0
    async with connect(address, max_queue=2 if seconds else 64, max_size=None) as page:
        if seconds:
            await asyncio.sleep(seconds)
        async for text in page:
            size += len(text)
            if text.startswith('{"type":"picture"'):
                times.append(time.perf_counter())
                of.append(json.loads(text)["tick"])
                await page.send('{"type":"seen"}')
                if of[-1] >= ticks:
                    break
    return times, of, size


async def watch_all(
    base: str, links: list[str], count: int, stalled: int, ticks: int, seconds: float, start: Any
) -> list[Any]:
    pages = [
        asyncio.create_task(
            watch(f"ws{base[4:]}{links[i % len(links)]}session", ticks, seconds * (i < stalled))
        )
        for i in range(count)
    ]
    await asyncio.sleep(2)
    await asyncio.to_thread(start)
    return await asyncio.gather(*pages)


def over_sockets(options: argparse.Namespace) -> None:
    on = listening("127.0.0.1", 0)
    base = f"http://127.0.0.1:{on.getsockname()[1]}"
    here, there = multiprocessing.Pipe()
    server = multiprocessing.Process(
        target=run_server, args=(options.world, options.speed, on, there), daemon=True
    )
    server.start()
    links = here.recv()
    token = next(path for role, path in links if role == Role.EXPERIMENTER).split("/")[2]

    def start() -> None:
        wanted = urllib.request.Request(
            f"{base}/api/start", method="POST", headers={"Authorization": f"Bearer {token}"}
        )
        urllib.request.urlopen(wanted).read()

    def usage() -> dict[str, float]:
        return json.loads(urllib.request.urlopen(f"{base}/usage").read())

    time.sleep(1)
    before, begun = usage(), time.perf_counter()
    try:
        results = asyncio.run(
            watch_all(
                base,
                [path for _, path in links],
                options.pages,
                options.stalled,
                options.ticks,
                options.ticks / options.speed,
                start,
            )
        )
    finally:
        after = usage()
        server.terminate()
    took = time.perf_counter() - begun
    reading = results[options.stalled :]
    period = 1 / options.speed
    late = []
    for times, of, _ in reading:
        anchor = min(at - tick * period for at, tick in zip(times, of, strict=True) if tick)
        late += [at - tick * period - anchor for at, tick in zip(times, of, strict=True) if tick]
    late.sort()
    got = statistics.mean(len({*of}) for _, of, _ in reading)
    print(
        f"{options.world}, {options.pages} pages ({options.stalled} that read nothing), {options.speed:g} ticks/s, {took:.0f} s"
    )
    print(f"ticks that a page saw: {got:.1f} of {options.ticks + 1}")
    marks = {
        name: late[min(int(part * len(late)), len(late) - 1)] * 1000
        for name, part in (("median", 0.5), ("90 %", 0.9), ("99 %", 0.99), ("worst", 1.0))
    }
    print(
        "later than the earliest of all ticks, in ms: "
        + ", ".join(f"{name} {ms:.1f}" for name, ms in marks.items())
    )
    print(f"more than a tick late: {sum(each > period for each in late) / len(late):.2%}")
    print(f"server: {1000 * (after['seconds'] - before['seconds']) / options.ticks:.2f} ms of processor time a tick, "
          f"{before['mib']:.0f} -> {after['mib']:.0f} MiB")  # fmt: skip
    print(f"a page got {statistics.mean(size for _, _, size in reading) / options.ticks:.0f} bytes a tick")
    for _, of, _ in results[: options.stalled]:
        print(f"one that read nothing for {options.ticks / options.speed:g} s then got ticks {of[:6]} ...")


def in_memory(options: argparse.Namespace) -> None:
    session = session_of(options.world, options.speed)
    session.world.keep_decisions = not options.without_decisions
    seats = [*session.links]
    pages = [(seats[i % len(seats)], PageCursor()) for i in range(options.pages)]
    for seat, _ in pages:
        session.join(seat)
        session.show(seat)
    every = max(options.ticks // 10, 1)
    begun = time.process_time()
    for tick in range(1, options.ticks + 1):
        session.tick()
        for i, (seat, cursor) in enumerate(pages):
            session.news(seat, cursor)
            if i >= options.stalled:
                session.handle(seat, cursor, Seen(type="seen"))
        if tick % every == 0:
            assert session.world.current_nr_ticks == tick, session.failure
            print(
                f"tick {tick}: {resident():.1f} MiB, {1000 * (time.process_time() - begun) / tick:.2f} ms of processor time a tick",
                flush=True,
            )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--world", default="bw4t", choices=[*live_worlds])
    parser.add_argument("--pages", type=int, default=50)
    parser.add_argument("--stalled", type=int, default=0)
    parser.add_argument("--speed", type=float, default=10.0)
    parser.add_argument("--ticks", type=int, default=300)
    parser.add_argument("--memory", action="store_true")
    parser.add_argument(
        "--without-decisions", action="store_true", help="the world keeps no decisions for replays"
    )
    given = parser.parse_args()
    (in_memory if given.memory else over_sockets)(given)
