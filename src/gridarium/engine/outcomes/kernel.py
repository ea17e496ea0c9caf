"""The kernel of outcome enumeration: many worlds are stepped once per combination of random draws, in one call.

The same composed rules as in the engine's kernel, on states whose random draws are forks
(`gridarium.compiled.data_types.branching`).
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from gridarium.compiled.data_types.branching import (
    MAX_BRANCHES,
    PROBABILITY,
    begin_tree,
    begin_walk,
    next_walk,
    script_at,
)
from gridarium.compiled.data_types.primitives import (
    fixed,
    float64_at,
    get_float,
    int64_at,
    outlined,
    uint8_at,
    uint32_at,
)
from gridarium.engine.step.kernel import RUNNING, TERMINATED, TRUNCATED, copy_state
from gridarium.world.agent import ACTION, RESULT
from gridarium.world.state import ENDED, TICK, State

DONE, FULL = 0, 1
TOO_MANY, FAILED = -1, -2
"""Special values of the number of outcomes: more than `MAX_BRANCHES`; a rule raised, or drew a number that does not
branch (the interpreted step tells which)."""


class OutcomeArg(IntEnum):
    """Arguments of a call, by their index in its frame. Those that name arrays are addresses."""

    HEIGHT = 0
    WIDTH = 1
    SCRATCH = 2
    SCRATCH_ARRAY = 3
    PARAM_ARRAY = 4
    PARAM_COUNT = 5
    TIME_LIMIT = 6
    STATES = 7
    """Cells, layers, data and agent rows of the worlds that are stepped."""
    ACTIONS = 11
    """int64[worlds, agents]: the numbers of the actions."""
    COUNTS = 12
    """int64[worlds]: the number of outcomes of each."""
    CAPACITY = 13
    """The capacity for outcomes."""
    OUTCOMES = 14
    """Cells, layers, data and agent rows of the outcomes."""
    PROBABILITIES = 18
    """float64[outcomes]."""
    REWARDS = 19
    """float64[outcomes, agents]."""
    TERMINATED = 20
    """uint8[agents]: written by the rules, not read."""
    FILLED = 21
    """The number of outcomes written."""
    WORLD = 22
    """The world that is being stepped."""
    ACTION_TABLE = 23
    """int64[agents, actions]: the integer of each agent's actions."""
    ACTION_COUNT = 24


FRAME_LENGTH = 25


def run(
    frame: Any, slot: int, first: int, last: int, mode: int, *, tick: Any, vocabulary: Any, agents: int
) -> int:  # fmt: skip
    """Write the outcomes of worlds `first` to `last` (exclusive), world by world.

    Returns:
        `DONE`, or `FULL` if the outcomes of the world at which it stopped do not fit.
    """
    script = script_at(fixed(frame, OutcomeArg.SCRATCH_ARRAY), (fixed(frame, OutcomeArg.SCRATCH),))
    counts = int64_at(fixed(frame, OutcomeArg.COUNTS), (last,))
    probabilities = float64_at(fixed(frame, OutcomeArg.PROBABILITIES), (fixed(frame, OutcomeArg.CAPACITY),))
    for e in range(first, last):
        frame[OutcomeArg.WORLD] = e
        begin, count, going = int(frame[OutcomeArg.FILLED]), 0, True
        begin_tree(script)
        while going:
            if begin + count == fixed(frame, OutcomeArg.CAPACITY):
                return FULL
            begin_walk(script)
            walk(frame, e, begin + count, script, tick=tick, vocabulary=vocabulary, agents=agents)
            probabilities[begin + count] = get_float(script, PROBABILITY)
            count += 1
            going = next_walk(script)
            if going and count == MAX_BRANCHES:
                count, going = TOO_MANY, False
        counts[e] = count
        if count > 0:
            frame[OutcomeArg.FILLED] = begin + count
    return DONE


@outlined
def walk(frame: Any, e: int, outcome: int, script: Any, *, tick: Any, vocabulary: Any, agents: int) -> None:
    """Step world `e` with the random draws of the script, and write the outcome."""
    before = state_at(frame, int(OutcomeArg.STATES), e, script, agents, vocabulary=vocabulary)
    after = state_at(frame, int(OutcomeArg.OUTCOMES), outcome, script, agents, vocabulary=vocabulary)
    copy_state(before, after)
    chosen = int64_at(fixed(frame, OutcomeArg.ACTIONS) + e * agents * 8, (agents,))
    params = int64_at(fixed(frame, OutcomeArg.PARAM_ARRAY), (fixed(frame, OutcomeArg.PARAM_COUNT),))
    rewards = float64_at(fixed(frame, OutcomeArg.REWARDS) + outcome * agents * 8, (agents,))
    terminated = uint8_at(fixed(frame, OutcomeArg.TERMINATED), (agents,))
    limit = fixed(frame, OutcomeArg.TIME_LIMIT)
    table = int64_at(fixed(frame, OutcomeArg.ACTION_TABLE), (agents, fixed(frame, OutcomeArg.ACTION_COUNT)))
    run_tick(before, after, chosen, params, rewards, terminated, table, limit, tick=tick)


def run_tick(
    before: Any, after: Any, chosen: Any, params: Any, rewards: Any, terminated: Any, actions: Any, limit: int, *,
    tick: Any,
) -> None:  # fmt: skip
    """One tick of `after`, a copy of the state `before`, with the chosen actions int64[agents] of `actions`."""
    for a in range(chosen.shape[0]):
        after.agent_rows[a, ACTION] = chosen[a]
        after.agent_rows[a, RESULT] = 0
    status = TERMINATED if tick(before, after, params, rewards, terminated, actions) else RUNNING
    if status == RUNNING and limit > 0 and after.data[TICK] >= limit:
        status = TRUNCATED
    after.data[ENDED] = status


def state_at(frame: Any, first: int, e: int, script: Any, agents: int, *, vocabulary: Any) -> State:
    """The `e`-th of the states whose array addresses begin at index `first` of the frame."""
    height, width, layers = fixed(frame, OutcomeArg.HEIGHT), fixed(frame, OutcomeArg.WIDTH), vocabulary.layers
    data, agent_row_length = vocabulary.data_length, vocabulary.agent_row_length
    return State(
        uint32_at(fixed(frame, first) + e * height * width * 4, (height, width)),
        int64_at(fixed(frame, first + 1) + e * layers * height * width * 8, (layers, height, width)),
        int64_at(fixed(frame, first + 2) + e * data * 8, (data,)),
        int64_at(fixed(frame, first + 3) + e * agents * agent_row_length * 8, (agents, agent_row_length)),
        script,
        0,
        vocabulary,
    )
