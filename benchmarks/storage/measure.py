"""Writing and reading episodes, and the cost of recording them; see README.md."""

from __future__ import annotations

import argparse
import functools
import json
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Discrete

from gridarium.engine import Autoreset, World
from gridarium.episodes.disk import EpisodeDataset, EpisodeWriter
from gridarium.episodes.recording import BatchRecorder, EpisodeBlock
from gridarium.episodes.recording.episode_block import EpisodeMetadata, RowRanges
from gridarium.episodes.recording.schema import Column, EpisodeSchema

WORLD = "KeyDoor-9x9"
STEPS = 1_000_000
LENGTH = 250
WORLDS, WINDOW = 8192, 64


def block(observations: Any, actions: Any, rewards: Any, length: int, high: Any = np.inf) -> EpisodeBlock:
    """Arrays [rows, ...] as episodes of one length, in declared spaces; observations go up to a bound."""
    n = len(rewards) // (length + 1)
    rows = np.full(n, length + 1)
    columns = {"observations": observations, "actions": actions, "rewards": rewards}
    schemas = [Column(array.dtype, array.shape[1:]) for array in columns.values()]
    off = np.zeros(n, np.bool_)
    zeros = np.zeros(n, np.int64)
    metadata = EpisodeMetadata([f"{i:032x}" for i in range(n)], zeros, zeros, off, ~off)
    kept = {name: array[: rows.sum()] for name, array in columns.items()}
    high = np.broadcast_to(high, observations.shape[1:]).astype(observations.dtype)
    low = np.full_like(high, 0 if high.dtype.kind == "u" else -np.inf)
    acting = Discrete(7) if actions.ndim == 1 else Box(-np.inf, np.inf, actions.shape[1:], actions.dtype.type)
    spaces = Box(low, high, dtype=observations.dtype.type), acting
    return EpisodeBlock(
        EpisodeSchema(schemas[0], schemas[1], {}), metadata, [kept], RowRanges.contiguous(rows), spaces
    )


def walk(rng: np.random.Generator) -> EpisodeBlock:
    """float32[4], as a smooth walk."""
    steps = rng.normal(size=(STEPS, 4)).astype(np.float32) * 0.01
    return block(np.cumsum(steps, 0, dtype=np.float32), rng.integers(0, 2, STEPS), np.ones(STEPS), LENGTH)


def noise(rng: np.random.Generator) -> EpisodeBlock:
    """float32[4] without any structure: what compresses worst."""
    observations = rng.normal(size=(STEPS, 4)).astype(np.float32)
    return block(observations, rng.integers(0, 2, STEPS), rng.normal(size=STEPS), LENGTH)


def views(rng: np.random.Generator) -> EpisodeBlock:
    """uint8[7, 7, 3]: what an agent sees that acts at random."""
    worlds = 256
    batch = World(WORLD).batch(worlds, autoreset=Autoreset.SAME_STEP)
    batch.reset(0)
    seen, rewards = [], []
    for _ in range(STEPS // worlds + 1):
        result = batch.step(rng.integers(0, 7, worlds))
        seen.append(result.observations["grid"].copy())
        rewards.append(result.rewards.copy())
    grids = np.stack(seen, 1).reshape(-1, 7, 7, 3)[:STEPS]
    earned = np.stack(rewards, 1).reshape(-1)[:STEPS]
    high = next(output.high for output in batch.composed.outputs if output.name == "grid")
    return block(grids, rng.integers(0, 7, STEPS), earned, LENGTH, high)


def like_minari(rng: np.random.Generator) -> EpisodeBlock:
    """100 episodes of 500 steps: float32[17], float32[6], a reward; 100 bytes a step."""
    n = 100 * 501
    observations = rng.normal(size=(n, 17)).astype(np.float32)
    actions = rng.normal(size=(n, 6)).astype(np.float32)
    return block(observations, actions, rng.normal(size=n), 500)


DATA: dict[str, Callable[[np.random.Generator], EpisodeBlock]] = {
    "16 bytes, a walk": walk,
    "16 bytes, noise": noise,
    "147 bytes, views": views,
    "Minari's example": like_minari,
}


def disk(repeats: int) -> Iterator[dict[str, Any]]:
    """Millions of steps written and read in a second of processor time, and bytes of a step."""
    for name, make in DATA.items():
        data = make(np.random.default_rng(0))
        found: dict[str, list[float]] = {"write": [], "write unchecked": [], "read": [], "shuffled": []}
        for _ in range(repeats):
            with tempfile.TemporaryDirectory() as folder:
                found["write unchecked"].append(
                    data.steps / timed(functools.partial(written, check=False), data, folder)
                )
            with tempfile.TemporaryDirectory() as folder:
                found["write"].append(data.steps / timed(written, data, folder))
                size = sum(path.stat().st_size for path in Path(folder).iterdir())
                found["read"].append(data.steps / timed(read, folder))
                found["shuffled"].append(data.steps / timed(shuffled, folder))
        yield {
            "what": name,
            **{f"{key}, M steps/s": statistics.median(rates) / 1e6 for key, rates in found.items()},
            "bytes a step": size / data.steps,
        }


def written(data: EpisodeBlock, folder: str, *, check: bool = True) -> None:
    with EpisodeWriter(folder, check_spaces=check) as writer:
        writer.add(data)


def read(folder: str) -> None:
    list(EpisodeDataset(folder))


def shuffled(folder: str) -> None:
    for _ in EpisodeDataset(folder).batches(256, seed=0):
        pass


def recording(repeats: int, threads: int) -> Iterator[dict[str, Any]]:
    """What recording costs, as a share of the batch's own time: alternating windows in one process."""
    for mode in (Autoreset.NEXT_STEP, Autoreset.SAME_STEP):
        own, both = _windows(mode, repeats, threads)
        yield {
            "what": f"recording {WORLDS} worlds, {mode.name}, threads: {threads}",
            "batch, M steps/s": WORLDS * WINDOW / own / 1e6,
            "recorded, M steps/s": WORLDS * WINDOW / both / 1e6,
            "cost, % of the batch": 100 * (both / own - 1),
        }


def _windows(mode: Autoreset, repeats: int, threads: int) -> tuple[float, float]:
    """Median seconds of a window of steps, alone and recorded."""
    rng = np.random.default_rng(0)
    actions = [rng.integers(0, 7, WORLDS) for _ in range(WINDOW)]
    world = World(WORLD)
    contiguous, recorded = (world.batch(WORLDS, autoreset=mode, threads=threads) for _ in range(2))
    recorder = BatchRecorder(recorded)
    contiguous.reset(0)
    recorder.reset(0)

    def run(step: Callable[[Any], Any]) -> None:
        for chosen in actions:
            step(chosen)

    def run_recorded() -> None:
        run(recorder.step)
        recorder.take(ongoing=True, lookback=1)

    # threads that wait for each other count as busy: processor time would tell nothing
    clock = time.process_time if threads == 1 else time.perf_counter
    times = [
        (timed(run, contiguous.step, clock=clock), timed(run_recorded, clock=clock))
        for _ in range(repeats + 3)
    ]
    own, both = (statistics.median(found) for found in zip(*times[3:], strict=True))
    return own, both


def timed(run: Callable[..., Any], *arguments: Any, clock: Callable[[], float] = time.process_time) -> float:
    begun = clock()
    run(*arguments)
    return clock() - begun


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--threads", type=int, nargs="*", default=[1, 2], help="of the recorded batch")
    parser.add_argument("--json", help="a file for the figures")
    options = parser.parse_args()
    found = list(disk(options.repeats))
    for threads in options.threads:
        found += recording(3 * options.repeats, threads)
    for row in found:
        print(row["what"])
        for key, value in row.items():
            if key != "what":
                print(f"    {key:24} {value:8.2f}")
    if options.json:
        Path(options.json).write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
