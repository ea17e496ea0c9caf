"""PufferLib Ocean's `grid`, hand-written C: its own `vec_step` on one core.

Mazes of at most 9x9 and an 11x11 view without occlusion, the defaults of its Python class, which this
driver drives as that class does: actions copied into a float buffer, one call, shared buffers back.
"""

from itertools import cycle, islice

import meter
import numpy as np
from puffer_grid import VERSION, binding

CASE = "ocean grid"
ACTIONS, MAX_SIZE, MAPS, VIEW = 5, 9, 1000, 11
BATCHES = 64


def stepping(worlds: int) -> meter.Chunk:
    flags = np.zeros((2, worlds), bool)
    buffers = (  # observations, actions, rewards, terminals, truncations
        np.zeros((worlds, VIEW * VIEW), np.uint8),
        np.zeros(worlds, np.float32),
        np.zeros(worlds, np.float32),
        flags[0],
        flags[1],
    )
    levels = binding.shared(num_maps=MAPS, max_size=MAX_SIZE, size=-1)  # seeded by the time of day, in its C
    envs = binding.vec_init(*buffers, worlds, meter.SEED, state=levels, max_size=MAX_SIZE, num_maps=MAPS)
    binding.vec_reset(envs, meter.SEED)
    actions = cycle(np.array(meter.draw(ACTIONS, worlds), np.int32))

    def chunk() -> int:
        observations, taken, *_ = buffers  # the closure keeps all five alive: the C side only borrows them
        seen = 0
        for batch in islice(actions, BATCHES):
            taken[:] = batch
            binding.vec_step(envs)
            seen += int(observations[:, 49].sum())
        return BATCHES * worlds

    return chunk


def main() -> None:
    options = meter.arguments(worlds=(1024,))
    cases = [CASE] if options.only in CASE else []
    rows = [
        meter.row(case, stepping(worlds), options, worlds=worlds)
        for case in cases
        for worlds in options.worlds
    ]
    meter.report("pufferlib", VERSION, rows)


if __name__ == "__main__":
    main()
