"""What can come of steps: each of many worlds stepped once for each way in which luck can go, in one compiled call.

The same composed rules as in the kernel, on states whose random numbers branch (`gridarium.compiled.branching`).
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from gridarium.compiled.branching import MOST_BRANCHES, SHARE, begin_tree, begin_walk, next_walk, script_at
from gridarium.compiled.primitives import (
    copy_words,
    fixed,
    float64_at,
    get_float,
    int64_at,
    outlined,
    uint8_at,
    uint32_at,
)
from gridarium.engine.kernel import RUNNING, TERMINATED, TRUNCATED
from gridarium.world.agent import ACTION, RESULT
from gridarium.world.state import ENDED, TICK, State

DONE, FULL = 0, 1
TOO_MANY, FAILED = -1, -2
"""Stand for a number of leaves: there are more than `MOST_BRANCHES`; a rule raised, or drew what does not branch (run
interpreted, the step says which)."""


class Place(IntEnum):
    """Places in the frame of a call. Those that name arrays hold their addresses."""

    HEIGHT = 0
    WIDTH = 1
    AGENTS = 2
    SCRATCH = 3
    SCRATCH_ARRAY = 4
    NUMBERS = 5
    NUMBER_COUNT = 6
    TIME_LIMIT = 7
    GIVEN = 8
    """Cells, layers, data and bodies of the worlds that are stepped."""
    ACTIONS = 12
    """int64[worlds, agents]: the numbers of the actions."""
    COUNTS = 13
    """int64[worlds]: how many leaves each has."""
    CAPACITY = 14
    """How many leaves there is room for."""
    LEAVES = 15
    """Cells, layers, data and bodies of the leaves."""
    SHARES = 19
    """float64[leaves]: their probabilities."""
    REWARDS = 20
    """float64[leaves, agents]."""
    TERMINATED = 21
    """uint8[agents]: nobody's but the rules' concern."""
    FILLED = 22
    """How many leaves are there."""
    WORLD = 23
    """The world that is being stepped."""


FRAME_LENGTH = 24


def run(
    frame: Any, slot: int, first: int, last: int, mode: int, *, tick: Any, words: Any, several: bool
) -> int:  # fmt: skip
    """List the leaves of worlds `first` to `last` (excluded), one world's after the other's.

    Returns:
        `DONE`, or `FULL` when there is no room for all leaves of the world at which it stopped.
    """
    script = script_at(fixed(frame, Place.SCRATCH_ARRAY), (fixed(frame, Place.SCRATCH),))
    counts = int64_at(fixed(frame, Place.COUNTS), (last,))
    shares = float64_at(fixed(frame, Place.SHARES), (fixed(frame, Place.CAPACITY),))
    for e in range(first, last):
        frame[Place.WORLD] = e
        begin, count, going = int(frame[Place.FILLED]), 0, True
        begin_tree(script)
        while going:
            if begin + count == fixed(frame, Place.CAPACITY):
                return FULL
            begin_walk(script)
            walk(frame, e, begin + count, script, tick=tick, words=words, several=several)
            shares[begin + count] = get_float(script, SHARE)
            count += 1
            going = next_walk(script)
            if going and count == MOST_BRANCHES:
                count, going = TOO_MANY, False
        counts[e] = count
        if count > 0:
            frame[Place.FILLED] = begin + count
    return DONE


@outlined
def walk(frame: Any, e: int, leaf: int, script: Any, *, tick: Any, words: Any, several: bool) -> None:
    """Step world `e` with the luck of the script; what comes of it is a leaf."""
    agents = fixed(frame, Place.AGENTS) if several else 1
    before = state_at(frame, int(Place.GIVEN), e, script, agents, words=words)
    state = state_at(frame, int(Place.LEAVES), leaf, script, agents, words=words)
    copy_words(before.cells, state.cells)
    if state.layers.shape[0] > 0:
        copy_words(before.layers, state.layers)
    copy_words(before.data, state.data)
    copy_words(before.bodies, state.bodies)
    chosen = int64_at(fixed(frame, Place.ACTIONS) + e * agents * 8, (agents,))
    for a in range(agents):
        state.bodies[a, ACTION] = chosen[a]
        state.bodies[a, RESULT] = 0
    numbers = int64_at(fixed(frame, Place.NUMBERS), (fixed(frame, Place.NUMBER_COUNT),))
    rewards = float64_at(fixed(frame, Place.REWARDS) + leaf * agents * 8, (agents,))
    terminated = uint8_at(fixed(frame, Place.TERMINATED), (agents,))
    ended = tick(before, state, numbers, rewards, terminated)
    limit = fixed(frame, Place.TIME_LIMIT)
    status = TERMINATED if ended else RUNNING
    if status == RUNNING and limit > 0 and state.data[TICK] >= limit:
        status = TRUNCATED
    state.data[ENDED] = status


def state_at(frame: Any, place: int, e: int, script: Any, agents: int, *, words: Any) -> State:
    """The `e`-th of the states whose arrays the frame names from `place` on."""
    height, width, layers = fixed(frame, Place.HEIGHT), fixed(frame, Place.WIDTH), words.layers
    data, body = words.data_length, words.body_length
    return State(
        uint32_at(fixed(frame, place) + e * height * width * 4, (height, width)),
        int64_at(fixed(frame, place + 1) + e * layers * height * width * 8, (layers, height, width)),
        int64_at(fixed(frame, place + 2) + e * data * 8, (data,)),
        int64_at(fixed(frame, place + 3) + e * agents * body * 8, (agents, body)),
        script,
        0,
        words,
    )
