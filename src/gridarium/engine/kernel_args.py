"""The frame: one row of integers with the addresses and sizes of a batch's arrays, the argument of the kernel.

Passing one row instead of twenty arrays makes a call from Python cheap, gives compiled code one signature for every
batch, and avoids reference counting.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np
import numpy.typing as npt


class KernelArg(IntEnum):
    """Indices in a frame. Those that name an array hold its address."""

    WORLDS = 0
    HEIGHT = 1
    WIDTH = 2
    LAYERS = 3
    AGENTS = 4
    DATA = 5
    BODY = 6
    SCRATCH = 7
    CELL_ARRAY = 8
    LAYER_ARRAY = 9
    DATA_ARRAY = 10
    BODY_ARRAY = 11
    SCRATCH_ARRAY = 12
    BEFORE_CELLS = 13
    BEFORE_LAYERS = 14
    BEFORE_DATA = 15
    BEFORE_BODIES = 16
    ACTION_ARRAY = 17
    ACTION_TABLE = 18
    ACTIONS = 19
    REWARDS = 20
    TERMINATED = 21
    TRUNCATED = 22
    PROGRESS = 23
    NUMBERS = 24
    NUMBER_COUNT = 25
    NUMBER_STRIDE = 26
    AUTORESET = 27
    SELECTED = 28
    CODES = 29
    STATE_CODES = 30
    ATLAS = 31
    OUTPUT = 32
    FINAL_OUTPUT = 44
    RESULTS = 56
    THREAD_STRIDE = 57
    NEXT = 58
    ASKED_ARRAY = 59
    OWN_NUMBERS = 60
    NEXT_NUMBERS = 61
    CHANNEL_CODES = 62
    THREADS = 63
    FINISHED = 64
    MODE = 65
    TICKS = 72


FRAME_LENGTH = 80
"""Entries that are written while threads work, or to start them, have their own cache lines."""
WORLD, BEGIN, END, KEPT, DONE = range(5)
PROGRESS_LENGTH = 5
"""A thread's progress: the current world, its chunk, the world whose backup it holds, and the number of finished worlds
not yet reported."""
OUTPUTS = 12
"""The maximum number of output arrays of a representation."""


class Mode(IntEnum):
    """The operation of the kernel on the worlds of a chunk."""

    STEP = 0
    RESET = 1
    OBSERVE = 2
    TAKE_AND_STEP = 3
    SERVE = 16
    LEAD = 17
    RESUME = 18
    FINISH = 19


FIRST_SHARED = Mode.SERVE
"""The following modes share the work: chunks of worlds are taken from counters."""


class Autoreset(IntEnum):
    """When an ended world begins its next episode: Gymnasium's three modes."""

    NEXT_STEP = 0
    SAME_STEP = 1
    DISABLED = 2


def address(array: npt.NDArray[np.generic]) -> int:
    """The address of an array's memory; 0 for an empty one."""
    return int(array.__array_interface__["data"][0]) if array.size else 0
