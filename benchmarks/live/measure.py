"""Ticks per processor second of live worlds, beside MATRX, whose Python is given; each in a process of its own, one after another.

    python3.11 -m venv .matrx && .matrx/bin/pip install matrx
    python benchmarks/live/measure.py --matrx .matrx/bin/python

Brains choose one of eight moves at random; the time of their own choice (one call of the random generator) is shown, and
subtracted from both sides. The last columns are the same random walkers, as the rules of the core that the builder describes,
compiled in batches of 1,024 worlds on one thread, actions drawn beforehand: observing nothing, as they look at nothing, and each
observing its own cell.
"""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from pathlib import Path

import click
from scenarios import MOVES, QUICK, SCENARIOS, border, per_tick, starts

FOLDER = Path(__file__).parent
WORLDS = 1024


def builder_of(name: str):  # type: ignore[no-untyped-def]
    """Our world of a scenario, and its brains."""
    from gridarium.live import AgentBrain, AreaTile, Wall, WorldBuilder
    from gridarium.live.worlds import bw4t

    side, count, what = SCENARIOS[name]

    class Walker(AgentBrain):
        """Takes a random move."""

        query = what == "query"

        def decide_on_action(self, state):  # type: ignore[no-untyped-def]
            if self.query:
                state.get_with_property({"isAgent": True})
            return MOVES[self.rnd_gen.randint(8)], {}

    if what == "bw4t":
        return bw4t(agents=0, people=count, tick_duration=0), Walker
    builder = WorldBuilder(shape=(side, side), tick_duration=0, simulation_goal=-1)
    for i, place in enumerate(starts(side, count)):
        builder.add_agent(place, Walker(), name=f"agent {i}", is_traversable=True)
    if what != "none":
        builder.add_multiple_objects(locations=border(side), callable_classes=Wall)
    if what == "tiles":
        inside = [(x, y) for x in range(1, side - 1) for y in range(1, side - 1)]
        builder.add_multiple_objects(locations=inside, callable_classes=AreaTile)
    return builder, Walker


def ours(name: str, seconds: float) -> dict[str, float]:
    """Processor seconds of a tick, of the brains in it, and of a tick of one world in a batch."""
    import numpy as np

    from gridarium import World

    builder, walker = builder_of(name)
    world = builder.get_world()
    tick = per_tick(world.step, seconds)
    walker.query = False
    brain = next(iter(world.brains.values()))
    _, count, what = SCENARIOS[name]
    decision = 0.0 if what == "bw4t" else per_tick(lambda: brain.decide_on_action(None), seconds / 10)
    near = {"name": "fully_transparent", "area": [[0, 0], [0, 0]]}
    core = World(builder.description(observation=near))
    moves = np.array([i for i, a in enumerate(core.actions) if a.name in MOVES])
    drawn = np.random.default_rng(0).choice(moves, size=(64, WORLDS, count))
    batched = []
    for observers in ("none", "all"):
        batch = core.batch(WORLDS, threads=1, shared=True, observers=observers)
        batch.reset(0)
        steps = itertools.cycle(drawn)
        batched.append(per_tick(lambda: batch.step(next(steps)), seconds) / WORLDS)  # noqa: B023
    return {"tick": tick, "brains": decision * count, "batched": batched[0], "observing": batched[1]}


@click.command()
@click.option("--matrx", help="the Python of an environment with MATRX")
@click.option(
    "--seconds", default=2.5, show_default=True, help="processor seconds of a window; three are measured"
)
@click.option("--quick", is_flag=True, help="a few scenarios only")
@click.option("--only", help="one scenario, in this process, as JSON")
def main(matrx: str | None, seconds: float, quick: bool, only: str | None) -> None:
    """Measure, and print a table."""
    if only:
        print(json.dumps(ours(only, seconds)))
        return
    print(
        "| scenario | MATRX ticks/s | ours | times | batched ticks/s | times | observing | times | "
        "brains, MATRX/ours us a tick |"
    )
    print("| --- " * 9 + "|")
    for name in QUICK if quick else SCENARIOS:
        mine = _run([sys.executable, str(FOLDER / "measure.py"), "--only", name, "--seconds", str(seconds)])
        its = _run([matrx, str(FOLDER / "run_matrx.py"), name, str(seconds)]) if matrx else None
        net = mine["tick"] - mine["brains"]
        other = its["tick"] - its["brains"] if its else float("nan")
        print(
            f"| {name} | {1 / other:,.0f} | {1 / net:,.0f} | {other / net:.1f} | {1 / mine['batched']:,.0f} | "
            f"{other / mine['batched']:,.0f} | {1 / mine['observing']:,.0f} | {other / mine['observing']:,.0f} | {1e6 * (its['brains'] if its else 0):.0f}/{1e6 * mine['brains']:.0f} |",
            flush=True,
        )


def _run(command: list[str | None]) -> dict[str, float]:
    done = subprocess.run(
        [str(part) for part in command], cwd=FOLDER, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise click.ClickException(done.stderr[-2000:])
    found: dict[str, float] = json.loads(done.stdout.strip().splitlines()[-1])
    return found


if __name__ == "__main__":
    main()
