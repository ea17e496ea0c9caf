"""Measured worlds, and loops that step them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import cycle, islice
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.cli.bench.meter import Chunk
from gridarium.engine import Batch, World
from gridarium.worlds import Description

SEED = 0
DRAWN = 64
"""Batches of actions drawn before the clock; the loops cycle through them."""

PLAIN_VIEW: dict[str, Any] = {
    "name": "Maze-9x9-plain-11x11",
    "shape": [9, 9],
    "objects": ["Wall", "Floor", "Exit"],
    "actions": ["TURN_LEFT", "TURN_RIGHT", "MOVE_FORWARD", "MOVE_BACKWARD"],
    "reset": {"name": "crossing", "num_rivers": 4, "object_type": "Wall"},
    "transitions": ["move_agent", "turn_agent"],
    "rewards": ["reach_exit"],
    "terminations": ["reach_exit"],
    "time_limit": 100,
    "observation": {"name": "fully_transparent", "area": [[-5, 5], [-5, 5]]},
}


def made(data: dict[str, Any] | str, parameters: Mapping[str, Any] | None = None) -> World:
    """Create a world from a name or a description, with parameters as for `World`."""
    return World(data if isinstance(data, str) else Description.from_dict(data), **(parameters or {}))


def batch_loop(
    world: World, worlds: int, threads: int | None, *, shared: bool = False, read: bool = True
) -> Chunk:
    """Return a loop that steps a batch with actions drawn before; with `read`, it reads each world's view in each step."""
    batch = world.batch(worlds, threads=threads, shared=shared)
    batch.reset(SEED)
    shape = (DRAWN, worlds) if world.spec.agents == 1 else (DRAWN, worlds, world.spec.agents)
    actions = cycle(np.random.default_rng(SEED).integers(len(world.actions), size=shape))
    repeats = max(1, min(DRAWN, 65_536 // worlds))
    name = world.composed.outputs[0].name

    def chunk() -> int:
        seen = 0
        for row in islice(actions, repeats):
            result = batch.step(row)
            if read:
                seen += int(result.observations[name].reshape(worlds, -1)[:, -1].sum())
        return repeats * worlds

    return chunk


def legal_moves(batch: Batch, steps: int) -> list[npt.NDArray[np.int64]]:
    """Begin the episodes of a batch and play them with legal actions drawn at random; return these, step by step."""
    rng, moves = np.random.default_rng(SEED), []
    batch.reset(seed=SEED)
    for _ in range(steps):
        moves.append(batch.sample_actions(rng))
        batch.step(moves[-1])
    return moves


def gym_loop(env: Any, steps: int = 256) -> Chunk:
    """Return a loop that steps and resets one environment, with actions drawn before."""
    drawn = np.random.default_rng(SEED).integers(env.action_space.n, size=4096).tolist()
    actions = cycle(drawn)
    env.reset(seed=SEED)

    def chunk() -> int:
        seen = 0
        for action in islice(actions, steps):
            observation, _, terminated, truncated, _ = env.step(action)
            seen += int(observation["grid"][3, 5, 0])
            if terminated or truncated:
                env.reset()
        return steps

    return chunk
