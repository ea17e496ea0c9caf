"""How fast the ghost world is: rounds of the interface, steps of the environment, batches, pictures.

python benchmarks/ghost/speed.py [--seconds 1] [--json results.json]
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from gridarium import World
from gridarium.ghost import AgentInterface, CustomGridEnv

REFERENCE = {
    "environment, one turn": 22_600,
    "interface, no filter, built-in ghost": 9_500,
    "interface, 200 particles, built-in ghost": 1_590,
    "interface, 200 particles, ghost in Python": 1_590,
    "interface, 200 particles, ghost in Python, long episodes": 1_590,
    "interface, 200 particles, built-in ghost, long episodes": 1_590,
}
"""Steps or rounds per second of the original, logging off, on a machine of the same kind; another run."""
ACTIONS = np.random.default_rng(0).integers(0, 4, 1 << 16).tolist()


class OwnGhost:
    """A ghost as a student writes it: straight towards the agent."""

    def __init__(self, action_space: Any) -> None:
        self.action_space = action_space

    def get_action(self, observation: dict[str, Any]) -> int:
        dy, dx = observation["agent_relative_pos"]
        if abs(dy) >= abs(dx):
            return 1 if dy > 0 else 3
        return 2 if dx > 0 else 0


def environment() -> Callable[[int], None]:
    env = CustomGridEnv(None)
    env.reset(seed=0)

    def go(n: int) -> None:
        for action in ACTIONS[:n]:
            if env.step(action)[2]:
                env.reset()

    return go


def interface(**options: Any) -> Callable[[int], None]:
    return played(AgentInterface(render=False, **options))


def long_episodes(**options: Any) -> Callable[[int], None]:
    """Without goals, the ghost walled in: hardly any resets."""
    made = AgentInterface(render=False, layout="maze-8x10", time_limit=10_000, **options)
    for cell in made.env.grid.flat:
        cell["is_goal"] = False
    made.env.walls_horizontal[6, 0] = made.env.walls_vertical[7, 0] = True
    return played(made)


def played(made: AgentInterface) -> Callable[[int], None]:
    made.reset(seed=0)

    def go(n: int) -> None:
        for action in ACTIONS[:n]:
            if made.step(action)[2]:
                made.reset()

    return go


def batches(worlds: int) -> Callable[[int], None]:
    batch = World("GhostGrid-4x5").batch(worlds, threads=1)
    batch.reset(seed=0)
    actions = np.random.default_rng(0).integers(0, 4, (64, worlds, 2))

    def go(n: int) -> None:
        for k in range(n // worlds):
            batch.step(actions[k % 64])

    return go


def pictures() -> Callable[[int], None]:
    made = AgentInterface(render=False, render_mode="rgb_array")
    made.reset(seed=0)

    def go(n: int) -> None:
        for action in ACTIONS[:n]:
            made.env.agent_pos = [action, action]
            made.env.render()

    return go


CASES: dict[str, tuple[Callable[[], Callable[[int], None]], int]] = {
    "environment, one turn": (environment, 5_000),
    "interface, no filter, built-in ghost": (lambda: interface(use_particle_filter=False), 3_000),
    "interface, 200 particles, built-in ghost": (interface, 3_000),
    "interface, 200 particles, ghost in Python": (lambda: interface(ghost_agent_class=OwnGhost), 3_000),
    "interface, 200 particles, built-in ghost, long episodes": (long_episodes, 3_000),
    "interface, 200 particles, ghost in Python, long episodes": (
        lambda: long_episodes(ghost_agent_class=OwnGhost), 3_000,
    ),
    "batch of 4,096 worlds, one thread": (lambda: batches(4096), 4096 * 20),
    "pictures": (pictures, 50),
}  # fmt: skip


def measured(go: Callable[[int], None], n: int, seconds: float) -> list[float]:
    """Per second, in seven windows, by the processor's clock."""
    go(n)
    rates = []
    for _ in range(7):
        done, begun = 0, time.process_time()
        while (spent := time.process_time() - begun) < seconds:
            go(n)
            done += n
        rates.append(done / spent)
    return rates


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0, help="of a window")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    found = {}
    for name, (make, n) in CASES.items():
        rates = measured(make(), n, given.seconds)
        found[name] = rates
        before = REFERENCE.get(name)
        ratio = f"  {statistics.median(rates) / before:5.1f} x the original" if before else ""
        print(f"{name:58s} {statistics.median(rates):12,.0f}/s (best {max(rates):,.0f}){ratio}", flush=True)
    if given.json:
        given.json.write_text(json.dumps(found, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
