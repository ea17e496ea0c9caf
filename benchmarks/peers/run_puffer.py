"""Two worlds of PufferLib's Ocean, hand-written C: their own `vec_step` on one core.

This drives them as their Python classes do: actions copied into a buffer, one call, shared buffers back.

- `grid`: mazes of at most 9x9 and an 11x11 view without occlusion, the defaults of its class.
- `rware`: its maps `tiny` and `small`, with as many requests as robots.
"""

from collections.abc import Callable
from itertools import cycle, islice
from typing import Any

import meter
import numpy as np
from puffer_ocean import VERSION
from puffer_ocean.grid import binding as grid
from puffer_ocean.rware import binding as rware

MAX_SIZE, MAPS, VIEW = 9, 1000, 11
NUMBERS = 27  # of what a robot observes
ACTIONS = 5
BATCHES = 64


def grid_stepping(worlds: int) -> meter.Chunk:
    observations = np.zeros((worlds, VIEW * VIEW), np.uint8)
    buffers = _buffers(worlds, np.float32)
    levels = grid.shared(num_maps=MAPS, max_size=MAX_SIZE, size=-1)  # seeded by the time of day, in its C
    arguments = {"state": levels, "max_size": MAX_SIZE, "num_maps": MAPS}
    envs = grid.vec_init(observations, *buffers, worlds, meter.SEED, **arguments)
    return _stepping(grid, envs, observations[:, 49], buffers, worlds)


def rware_stepping(map_choice: int, robots: int) -> Callable[[int], meter.Chunk]:
    def stepping(worlds: int) -> meter.Chunk:
        observations = np.zeros((worlds * robots, NUMBERS), np.float32)
        buffers = _buffers(worlds * robots, np.int32)
        arguments = {"map_choice": map_choice, "num_agents": robots, "num_requested_shelves": robots}
        arguments |= {"width": 1280, "height": 640, "grid_square_size": 64, "human_agent_idx": 0}
        parts = (np.split(array, worlds) for array in (observations, *buffers))
        made = [
            rware.env_init(*part, seed, **arguments) for seed, part in enumerate(zip(*parts, strict=True))
        ]
        return _stepping(rware, rware.vectorize(*made), observations[::robots, -1], buffers, worlds)

    return stepping


def _buffers(agents: int, actions: type) -> tuple[np.ndarray, ...]:
    """Actions, rewards, terminals, truncations."""
    return np.zeros(agents, actions), np.zeros(agents, np.float32), *np.zeros((2, agents), bool)


def _stepping(
    binding: Any, envs: int, read: np.ndarray, buffers: tuple[np.ndarray, ...], worlds: int
) -> meter.Chunk:
    """Step `envs`; `read` is a number of each world's observation, in the memory that they write."""
    binding.vec_reset(envs, meter.SEED)
    actions = cycle(np.array(meter.draw(ACTIONS, len(buffers[0])), np.int32))

    def chunk() -> int:
        taken, *_ = (
            buffers  # the closure keeps all four alive, and `read` the observations: the C side only borrows them
        )
        seen = 0
        for batch in islice(actions, BATCHES):
            taken[:] = batch
            binding.vec_step(envs)
            seen += int(read.sum())
        return BATCHES * worlds

    return chunk


CASES = {
    "ocean grid": grid_stepping,
    "ocean rware tiny-2ag": rware_stepping(1, 2),
    "ocean rware tiny-4ag": rware_stepping(1, 4),
    "ocean rware small-4ag": rware_stepping(2, 4),
}


def main() -> None:
    options = meter.arguments(worlds=(1024,))
    rows = [
        meter.row(case, stepping(worlds), options, worlds=worlds)
        for case, stepping in CASES.items()
        if options.only in case
        for worlds in options.worlds
    ]
    meter.report("pufferlib", VERSION, rows)


if __name__ == "__main__":
    main()
