"""The kernel: what happens to a world in a tick. Plain Python, run as it is or compiled.

Its keyword parameters are bound when a world is composed (see `program`): the composed rules, the vocabulary, the
representation, and how several agents take turns.
"""

from __future__ import annotations

from typing import Any

from gridarium.compiled.primitives import (
    atomic_get,
    copy_words,
    fixed,
    float64_at,
    int64_at,
    outlined,
    pause,
    uint8_at,
    uint16_at,
    uint32_at,
)
from gridarium.compiled.random import OWN_STREAM, episode_key
from gridarium.engine.asking import taken
from gridarium.engine.frame import (
    BEGIN,
    DONE,
    END,
    FIRST_SHARED,
    KEPT,
    WORLD,
    At,
    Autoreset,
    Mode,
)
from gridarium.engine.sharing import next_chunk, progress_at, share_out, tell_done
from gridarium.world.agent import ACTION, ACTIVE, RESULT
from gridarium.world.state import (
    ENDED,
    EPISODE,
    EPISODE_KEY,
    FREE_IN_OBSERVATION,
    FREE_IN_RESET,
    KEY,
    TICK,
    TURN,
    State,
    clear,
)

RUNNING, TERMINATED, TRUNCATED = 0, 1, 2
TIME_LIMIT = 0
"""Which of the run-time parameters is the most ticks of an episode; 0 where there is no limit."""
DONE_ALL, NOTHING_TO_DO, REFUSED = 0, 1, 2
PATIENCE, SERVING_PATIENCE = 100, 3000
"""How often a thread without work looks for some (some hundredths of a microsecond each time) before the leading one
lets others have its core, and before a serving one sleeps: that long may the leader take from one step to the next."""
MOST_THREADS = 64


def run(frame: Any, slot: int, first: int, last: int, mode: int, *, world: Any) -> int:
    """Do one thing to worlds `first` to `last` (excluded), or to chunks that threads share (see `next_chunk`).

    `slot` numbers the thread's own memory. How far it came is kept in its progress row for when a rule raises.

    Returns:
        `DONE_ALL`, or `NOTHING_TO_DO` when there has been none for a while, or `REFUSED` (see `taken`).
    """
    progress = progress_at(frame, slot)
    if mode == Mode.FINISH:
        progress[DONE] += last - first
        tell_done(frame, progress)
        return DONE_ALL
    progress[KEPT] = -1
    task = int(frame[At.MODE]) if mode == Mode.LEAD else mode
    if task == Mode.TAKE_AND_STEP:
        if not taken(frame):
            return REFUSED
        task = int(Mode.STEP)
    if mode == Mode.LEAD:
        frame[At.MODE] = task
        share_out(frame)
    begin, end, idle = first, last, 0
    while True:
        if mode >= FIRST_SHARED:
            begin, end = next_chunk(frame, slot, idle)
            if begin < end:
                task = int(frame[At.MODE])
        progress[BEGIN] = begin
        progress[END] = end
        for e in range(begin, end):
            progress[WORLD] = e
            world(frame, slot, e, task)
        progress[WORLD] = end
        if mode < FIRST_SHARED:
            return DONE_ALL
        if begin < end:
            progress[DONE] += end - begin
            idle = 0
            continue
        tell_done(frame, progress)
        if mode != Mode.SERVE and atomic_get(frame, At.FINISHED) >= fixed(frame, At.WORLDS):
            return DONE_ALL
        idle += 1
        if idle > (SERVING_PATIENCE if mode == Mode.SERVE else PATIENCE):
            return NOTHING_TO_DO
        pause()


def run_world(
    frame: Any, slot: int, e: int, mode: int, *,
    words: Any, reset: Any, tick: Any, observe: Any, several: bool, own_numbers: bool,
) -> None:  # fmt: skip
    """Step, reset or observe world `e`; `own_numbers` if its run-time parameters may be others than its neighbours'."""
    state = state_at(frame, slot, e, words=words, several=several)
    state.scratch[0] = state.scratch[OWN_STREAM] = 0
    begins, place, numbers = False, int(At.OUTPUT), numbers_at(frame, int(At.OWN_NUMBERS), e, own=own_numbers)
    if mode == Mode.STEP and state.data[ENDED] == RUNNING:
        step_world(frame, slot, e, state, numbers, words=words, tick=tick, several=several)
        if state.data[ENDED] != RUNNING and fixed(frame, At.AUTORESET) == Autoreset.SAME_STEP:
            place = int(At.FINAL_OUTPUT)
    elif mode == Mode.STEP and fixed(frame, At.AUTORESET) == Autoreset.DISABLED:
        earn_nothing(frame, e, state, several=several)
    elif mode == Mode.STEP or (mode == Mode.RESET and is_selected(frame, e)):
        keep(frame, slot, e, state, before_at(frame, slot, words=words, several=several))
        state.data[ENDED] = RUNNING
        earn_nothing(frame, e, state, several=several)
        begins = True
    while True:
        if begins:
            numbers = numbers_at(frame, int(At.NEXT_NUMBERS), e, own=own_numbers)
            start_over(state, numbers, reset=reset)
        observe_world(frame, place, e, state, observe=observe, several=several)
        if place == At.OUTPUT:
            if begins and fixed(frame, At.OWN_NUMBERS) != fixed(frame, At.NEXT_NUMBERS):
                copy_words(numbers, numbers_at(frame, int(At.OWN_NUMBERS), e, own=own_numbers))
            return
        begins, place = True, int(At.OUTPUT)


def numbers_at(frame: Any, place: int, e: int, *, own: bool) -> Any:
    """The run-time parameters of world `e`, which are those of all others unless worlds have their own.

    Observations are the same for all: what they read is read once.
    """
    row = fixed(frame, place)
    if own:
        row += e * fixed(frame, At.NUMBER_STRIDE)
    return int64_at(row, (fixed(frame, At.NUMBER_COUNT),))


def is_selected(frame: Any, e: int) -> bool:
    """Whether a reset is meant for world `e`."""
    return uint8_at(fixed(frame, At.SELECTED), (fixed(frame, At.WORLDS),))[e] != 0


def step_world(
    frame: Any, slot: int, e: int, state: State, numbers: Any, *, words: Any, tick: Any, several: bool
) -> None:  # fmt: skip
    """One tick of world `e`: actions, rules, rewards, the clock, the end of the episode."""
    before = before_at(frame, slot, words=words, several=several)
    keep(frame, slot, e, state, before)
    agents = count_agents(frame, several=several)
    chosen = uint16_at(fixed(frame, At.ACTION_ARRAY) + e * agents * 2, (agents,))
    table = int64_at(fixed(frame, At.ACTION_TABLE), (agents, fixed(frame, At.ACTIONS)))
    for a in range(agents):
        state.bodies[a, ACTION] = table[a, int(chosen[a])]
        state.bodies[a, RESULT] = 0
    rewards = float64_at(frame[At.REWARDS] + e * agents * 8, (agents,))
    terminated = uint8_at(frame[At.TERMINATED] + e * agents, (agents,))
    ended, limit = tick(before, state, numbers, rewards, terminated), fixed(numbers, TIME_LIMIT)
    status = TERMINATED if ended else RUNNING
    if status == RUNNING and limit > 0 and state.data[TICK] >= limit:
        status = TRUNCATED
    state.data[ENDED] = status
    truncated = uint8_at(frame[At.TRUNCATED] + e * agents, (agents,))
    for a in range(agents):
        truncated[a] = 1 if status == TRUNCATED and terminated[a] == 0 else 0
    int64_at(frame[At.TICKS], (fixed(frame, At.WORLDS),))[e] = state.data[TICK]
    results = int64_at(frame[At.RESULTS] + e * agents * 8, (agents,))
    for a in range(agents):
        results[a] = state.bodies[a, RESULT]


def keep(frame: Any, slot: int, e: int, state: State, before: State) -> None:
    """Copy a world into the thread's memory: for rules that compare, and to put it back when one raises."""
    copy_words(state.cells, before.cells)
    if state.layers.shape[0] > 0:
        copy_words(state.layers, before.layers)
    copy_words(state.data, before.data)
    copy_words(state.bodies, before.bodies)
    progress_at(frame, slot)[KEPT] = e


def earn_nothing(frame: Any, e: int, state: State, *, several: bool) -> None:
    """What a world returns when a step makes no tick in it, as it only begins an episode, or waits after the end of one."""
    agents, status = count_agents(frame, several=several), int(state.data[ENDED])
    rewards = float64_at(frame[At.REWARDS] + e * agents * 8, (agents,))
    terminated = uint8_at(frame[At.TERMINATED] + e * agents, (agents,))
    truncated = uint8_at(frame[At.TRUNCATED] + e * agents, (agents,))
    results = int64_at(frame[At.RESULTS] + e * agents * 8, (agents,))
    for a in range(agents):
        gone = status == TERMINATED or (status == TRUNCATED and several and state.bodies[a, ACTIVE] == 0)
        rewards[a] = 0.0
        terminated[a] = 1 if gone else 0
        truncated[a] = 1 if status == TRUNCATED and not gone else 0
        results[a] = 0
    int64_at(frame[At.TICKS], (fixed(frame, At.WORLDS),))[e] = 0


@outlined
def start_over(state: State, numbers: Any, *, reset: Any) -> None:
    """Begin the next episode: derive its key, clear the world and let the reset rule fill it."""
    state.scratch[0], state.scratch[OWN_STREAM] = 0, FREE_IN_RESET
    state.data[EPISODE] += 1
    state.data[EPISODE_KEY] = episode_key(int(state.data[KEY]), int(state.data[EPISODE]))
    state.data[TICK] = 0
    state.data[TURN] = 0
    state.data[ENDED] = RUNNING
    clear(state)
    reset(state, numbers)


def observe_world(frame: Any, place: int, e: int, state: State, *, observe: Any, several: bool) -> None:
    """Write what each agent perceives to the output arrays at `place` in the frame."""
    if frame[place] == 0:
        return
    numbers = int64_at(fixed(frame, At.NUMBERS), (fixed(frame, At.NUMBER_COUNT),))
    agents = count_agents(frame, several=several)
    for a in range(agents):
        state.scratch[0], state.scratch[OWN_STREAM] = 0, FREE_IN_OBSERVATION
        observe(frame, place, e * agents + a, state.seen_by(a), numbers)


def count_agents(frame: Any, *, several: bool) -> int:
    """How many agents there are; a constant where there is one."""
    return fixed(frame, At.AGENTS) if several else 1


def state_at(frame: Any, slot: int, e: int, *, words: Any, several: bool) -> State:
    """World `e` of the batch."""
    height, width, layers = fixed(frame, At.HEIGHT), fixed(frame, At.WIDTH), words.layers
    agents, data, body = count_agents(frame, several=several), words.data_length, words.body_length
    return State(
        uint32_at(fixed(frame, At.CELL_ARRAY) + e * height * width * 4, (height, width)),
        int64_at(fixed(frame, At.LAYER_ARRAY) + e * layers * height * width * 8, (layers, height, width)),
        int64_at(fixed(frame, At.DATA_ARRAY) + e * data * 8, (data,)),
        int64_at(fixed(frame, At.BODY_ARRAY) + e * agents * body * 8, (agents, body)),
        int64_at(
            fixed(frame, At.SCRATCH_ARRAY) + slot * fixed(frame, At.THREAD_STRIDE),
            (fixed(frame, At.SCRATCH),),
        ),
        0,
        words,
    )


def before_at(frame: Any, slot: int, *, words: Any, several: bool) -> State:
    """The thread's copy of the world before the step."""
    height, width, layers = fixed(frame, At.HEIGHT), fixed(frame, At.WIDTH), words.layers
    agents, own = count_agents(frame, several=several), slot * fixed(frame, At.THREAD_STRIDE)
    return State(
        uint32_at(fixed(frame, At.BEFORE_CELLS) + own, (height, width)),
        int64_at(fixed(frame, At.BEFORE_LAYERS) + own, (layers, height, width)),
        int64_at(fixed(frame, At.BEFORE_DATA) + own, (words.data_length,)),
        int64_at(fixed(frame, At.BEFORE_BODIES) + own, (agents, words.body_length)),
        int64_at(fixed(frame, At.SCRATCH_ARRAY) + own, (fixed(frame, At.SCRATCH),)),
        0,
        words,
    )
