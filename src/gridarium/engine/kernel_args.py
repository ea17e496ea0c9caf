"""The frame: one row of integers with the addresses and sizes of a batch's arrays, the argument of the kernel.

Passing one row instead of twenty arrays makes a call from Python cheap, gives compiled code one signature for every
batch, and avoids reference counting.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np
import numpy.typing as npt


class KernelArg(IntEnum):
    """Indices in a frame.

    `..._COUNT`, `..._LENGTH` and `..._STRIDE` are sizes, `..._ARRAY` and `..._TABLE` addresses. `OUTPUT_ARRAYS` and
    `FINAL_OUTPUT_ARRAYS` are the first of `OUTPUTS` addresses each. `FINISHED_COUNT` and `MODE` are written while threads
    work, or to start them, so they have a cache line of their own: entries 64 to 71, of which the others are unused, as are 34 to 55.
    `OBSERVED_COUNT` is the number of agents that are observed: all, or the one that acts next. `ACTIONS_DIFFER` is 1 if an agent lacks some of the actions, `LEAST_CHUNK` the minimum number of worlds that a thread
    takes at once, `COPY_FIRST` 1 if cells are copied before each step, not when they change.
    """

    WORLD_COUNT = 0
    HEIGHT = 1
    WIDTH = 2
    LAYER_COUNT = 3
    AGENT_COUNT = 4
    DATA_LENGTH = 5
    AGENT_ROW_LENGTH = 6
    SCRATCH_LENGTH = 7
    CELL_ARRAY = 8
    LAYER_ARRAY = 9
    DATA_ARRAY = 10
    AGENT_ROW_ARRAY = 11
    SCRATCH_ARRAY = 12
    BEFORE_CELL_ARRAY = 13
    BEFORE_LAYER_ARRAY = 14
    BEFORE_DATA_ARRAY = 15
    BEFORE_AGENT_ROW_ARRAY = 16
    ACTION_ARRAY = 17
    ACTION_TABLE = 18
    ACTION_COUNT = 19
    REWARD_ARRAY = 20
    TERMINATED_ARRAY = 21
    TRUNCATED_ARRAY = 22
    PROGRESS_ARRAY = 23
    PARAM_ARRAY = 24
    PARAM_COUNT = 25
    PARAM_STRIDE = 26
    AUTORESET = 27
    SELECTED_ARRAY = 28
    CODE_TABLE = 29
    STATE_CODE_TABLE = 30
    ATLAS_TABLE = 31
    OBSERVED_COUNT = 32
    COPY_FIRST = 33
    RESULT_ARRAY = 56
    THREAD_STRIDE = 57
    NEXT_WORLD_ARRAY = 58
    REQUESTED_ACTION_ARRAY = 59
    WORLD_PARAM_ARRAY = 60
    NEXT_PARAM_ARRAY = 61
    CHANNEL_TABLE = 62
    THREAD_COUNT = 63
    FINISHED_COUNT = 64
    MODE = 65
    TICK_ARRAY = 72
    MASK_ARRAY = 73
    ACTIONS_DIFFER = 74
    MASK_LENGTH = 75
    LEAST_CHUNK = 76
    OUTCOME_ARRAY = 77
    OUTPUT_ARRAYS = 78
    FINAL_OUTPUT_ARRAYS = 106


FRAME_LENGTH = 134
WORLD, BEGIN, END, BACKED_UP, DONE = range(5)
PROGRESS_LENGTH = 5
"""A thread's progress: the current world, its chunk, the world whose backup it holds, and the number of finished worlds
not yet reported."""
OUTPUTS = 28
"""The maximum number of output arrays of a representation: 12, and those that a world declares itself."""
LEAST_CHUNK = 16
"""The minimum number of worlds that a thread steps in one piece."""


class Mode(IntEnum):
    """The operation of the kernel on the worlds of a chunk.

    Attributes:
        STEP: a tick; worlds that have ended begin their next episode, or wait, see `Autoreset`.
        RESET: the next episode, in worlds that are selected.
        OBSERVE: observations of the current states.
        VALIDATE_AND_STEP: checks all actions of the batch first; if one is invalid, no world is stepped.
        STEP_UNOBSERVED: as STEP, but nothing is observed.
        ACT: STEP_UNOBSERVED in a single world; the agent whose turn it is takes the action that `run` gets as `first`.
        MASKS: the masks of legal actions of the current states.
        SERVE: a worker thread takes chunks until there has been no work for a while.
        LEAD: the calling thread starts the operation in the frame's `MODE`, then takes chunks as in RESUME.
        RESUME: takes chunks until all worlds are finished, or there has been no work for a while.
        FINISH: adds the worlds of a chunk that was completed otherwise, after an exception, to the finished ones.
    """

    STEP = 0
    RESET = 1
    OBSERVE = 2
    VALIDATE_AND_STEP = 3
    STEP_UNOBSERVED = 4
    ACT = 5
    MASKS = 6
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
