"""Rendered pictures of an environment, and pixels as observations of a batch."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import cycle, islice
from typing import Any

import numpy as np

from gridarium.cli.bench.loops import DRAWN, SEED, made
from gridarium.cli.bench.meter import Chunk, Measurement, Ratio, Report, in_turn, rates
from gridarium.env.gym_env import GridariumEnv

SECTION = "pictures"
RENDERED, WATCHED = "LavaCrossing-9x9", "KeyDoor-9x9"
TILE, PIXELS = 32, 8
WORLDS, BAR = 1024, 300_000


def measure(report: Report, plan: Measurement) -> None:
    """Pictures of one environment, then observations in pixels, on one thread."""
    rendered, observed = in_turn(
        [render_loop(RENDERED, plan.parameters), pixel_loop(WATCHED, plan.parameters)], plan
    )
    for case, windows, worlds in (
        (f"{RENDERED}, env.render(), {TILE} px a cell", rendered, 1),
        (f"{WATCHED}, observed in pixels, {PIXELS} px a cell", observed, WORLDS),
    ):
        report.add(rates(SECTION, case, windows, "pictures/s", worlds=worlds, threads=1))
    frames = report.rows[-1].cpu_median
    report.ratios.append(Ratio(f"pixel observations a second against {BAR:,}", frames / BAR, 1.0))


def render_loop(name: str, parameters: Mapping[str, Any], pictures: int = 64) -> Chunk:
    """Return a loop that renders an environment, with a step before each series of pictures."""
    env = GridariumEnv(name, render_mode="rgb_array", tile=TILE, **parameters)
    env.reset(seed=SEED)

    def chunk() -> int:
        if any(env.step(0)[2:4]):
            env.reset()
        for _ in range(pictures):
            env.render()
        return pictures

    return chunk


def pixel_loop(name: str, parameters: Mapping[str, Any]) -> Chunk:
    """Return a loop that steps a batch observed in pixels, and reads one pixel of each world."""
    world = made(name, {"representation": {"name": "rgb", "tile": PIXELS}, **parameters})
    batch = world.batch(WORLDS, threads=1)
    batch.reset(SEED)
    drawn = np.random.default_rng(SEED).integers(len(world.actions), size=(DRAWN, WORLDS))
    actions = cycle(drawn)

    def chunk() -> int:
        for row in islice(actions, DRAWN):
            batch.step(row).observations["image"][:, 0, 0, 0].sum()
        return DRAWN * WORLDS

    return chunk
