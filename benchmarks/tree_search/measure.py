"""Simulations a second of tree search with random rollouts, on connect four, beside others.

    python benchmarks/peers/install.py open_spiel                 # into .peers/
    python benchmarks/tree_search/measure.py --json tree_search.json

Windows are taken in turn: of OpenSpiel's MCTS bot in C++ (in a process of its own), of the kernel, and of the same search
written as a loop in Python over the world's compiled step. Rates are per processor second, on one core.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from gridarium.agents import TreeSearch
from gridarium.engine import World
from gridarium.engine.threads.worker_pool import default_threads

ROOT = Path(__file__).resolve().parents[2]
DRIVER = ROOT / "benchmarks" / "peers" / "run_open_spiel.py"
SIMULATIONS, TREES = 1000, 64
Rates = dict[str, list[float]]


class LoopInPython:
    """UCT with random rollouts, every step of which is a call of `World.step`."""

    def __init__(self, world: World) -> None:
        self.world, self.rng = world, np.random.default_rng(0)

    def search(self, state: Any, simulations: int) -> dict[str, Any]:
        root: dict[str, Any] = {"visits": 0, "total": 0.0, "children": {}}
        for _ in range(simulations):
            self.simulate(root, state)
        return root

    def simulate(self, node: dict[str, Any], state: Any) -> None:
        path, over, reward = [node], False, np.zeros(2)
        movers = [-1]
        rolling = False
        while not over:
            legal = self.world.legal_actions(state)
            if rolling:
                action = legal[self.rng.integers(len(legal))]
            else:
                action = self.select(node, legal)
                rolling = action not in node["children"]
                node = node["children"].setdefault(action, {"visits": 0, "total": 0.0, "children": {}})
                path.append(node)
                movers.append(self.world.turn(state))
            state, reward, terminal = self.world.step(state, [action, action])
            over = bool(terminal.all())
        for visited, mover in zip(path, movers, strict=True):
            visited["visits"] += 1
            visited["total"] += reward[mover]

    def select(self, node: dict[str, Any], legal: list[int]) -> int:
        children = node["children"]
        untried = [a for a in legal if a not in children]
        if untried:
            return untried[self.rng.integers(len(untried))]
        width = 2 * math.sqrt(math.log(node["visits"]))

        def bound(a: int) -> float:
            child = children[a]
            return child["total"] / child["visits"] + width / math.sqrt(child["visits"])

        return max(legal, key=bound)


def window(search: Callable[[], int], seconds: float, clock: Callable[[], float]) -> float:
    """Simulations a second."""
    made, started = 0, clock()
    while (elapsed := clock() - started) < seconds:
        made += search()
    return made / elapsed


def cases(world: World) -> dict[str, tuple[Callable[[], int], Callable[[], float]]]:
    start = world.reset(0)
    one, many, all_cores = (TreeSearch(world, SIMULATIONS, threads=threads) for threads in (1, 1, None))
    loop = LoopInPython(world)

    def search(how: TreeSearch, trees: int) -> Callable[[], int]:
        def chunk() -> int:
            how.search([start] * trees)
            return trees * SIMULATIONS

        return chunk

    def searching_in_python() -> int:
        loop.search(start, 20)
        return 20

    return {
        "one tree": (search(one, 1), time.process_time),
        f"{TREES} trees": (search(many, TREES), time.process_time),
        f"{TREES} trees, {default_threads()} threads (wall clock)": (
            search(all_cores, TREES),
            time.perf_counter,
        ),
        "a loop in Python": (searching_in_python, time.process_time),
    }


def open_spiel(python: Path, seconds: float) -> float:
    """One window of OpenSpiel's bot."""
    command = [str(python), str(DRIVER), "--seconds", str(seconds), "--windows", "1"]
    found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return float(found["rows"][0]["cpu"][0])


def measure(world: World, python: Path | None, windows: int, seconds: float) -> Rates:
    ours = cases(world)
    for search, _ in ours.values():
        search()
    rates: Rates = {name: [] for name in (*ours, *(["OpenSpiel"] if python else []))}
    for _ in range(windows):
        for name, (search, clock) in ours.items():
            rates[name].append(window(search, seconds, clock))
        if python:
            rates["OpenSpiel"].append(open_spiel(python, seconds))
    return rates


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--peers", type=Path, default=ROOT / ".peers", help="folder of the peers")
    parser.add_argument("--windows", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=1.0, help="length of a window")
    parser.add_argument("--json", type=Path, help="a file for the figures")
    given = parser.parse_args()
    python: Path | None = given.peers / "open_spiel" / "bin" / "python"
    assert python is not None
    if not python.exists():
        print(f"OpenSpiel is left out: there is no {python}")
        python = None
    rates = measure(World("ConnectFour"), python, given.windows, given.seconds)
    medians = {name: statistics.median(found) for name, found in rates.items()}
    for name, found in rates.items():
        ratio = medians["one tree"] / medians[name]
        print(
            f"{name}: {medians[name]:,.0f} ({min(found):,.0f} to {max(found):,.0f}); one tree is {ratio:,.2f} x"
        )
    if given.json:
        given.json.write_text(json.dumps(rates, indent=2) + "\n")


if __name__ == "__main__":
    main()
