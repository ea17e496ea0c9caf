"""The kernel: steps, resets and observes worlds. Plain Python that runs interpreted or compiled.

Its keyword parameters are bound when a world is composed (see `program`): the composed rules, the vocabulary, the
representation, and the turn-taking of several agents.
"""

from __future__ import annotations

import math
from typing import Any

from gridarium.compiled.data_types.primitives import (
    atomic_get,
    copy_words,
    fill_words,
    fixed,
    float64_at,
    int64_at,
    outlined,
    pause,
    prefetch,
    uint8_at,
    uint16_at,
    uint32_at,
)
from gridarium.compiled.data_types.random import KEPT_MASK, OWN_STREAM, SHARED, WATCHED, episode_key
from gridarium.engine.kernel_args import (
    BACKED_UP,
    BEGIN,
    DONE,
    END,
    FIRST_SHARED,
    WORLD,
    Autoreset,
    KernelArg,
    Mode,
)
from gridarium.engine.step.chunks import next_chunk, progress_at, report_done, share_out
from gridarium.engine.step.turns import acting_agent, first_active, first_turn, settle_turn
from gridarium.engine.step.validate_actions import actions_are_valid
from gridarium.world.acting_agents import acts
from gridarium.world.agent import ACTION, ACTIVE, RESULT
from gridarium.world.copy_on_write import NOT_SHARED, address_of, before_change
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
    remove_bodies,
)

RUNNING, TERMINATED, TRUNCATED = 0, 1, 2
TIME_LIMIT = 0
"""The index of the run-time parameter for the time limit in ticks; its value 0 means no limit."""
DONE_ALL, NOTHING_TO_DO, REFUSED = 0, 1, 2
PATIENCE, SERVING_PATIENCE = 100, 3000
"""The number of polls for work (some hundredths of a microsecond each) before the leading thread yields its core, and
before a worker thread sleeps, which bounds the pause between two steps without sleeping."""
MOST_THREADS = 64
FEWEST_TO_PREFETCH, MOST_TO_PREFETCH = 256, 1024
"""Bytes of a world's cells: where asking for those of the next world beforehand saves up to a twentieth of a step."""


def run(frame: Any, slot: int, first: int, last: int, mode: int, *, run_world: Any, acts_alone: bool) -> int:
    """Step, reset or observe worlds `first` to `last` (exclusive), or chunks shared by threads (see `next_chunk`).

    `slot` is the index of the thread's own memory. Its progress row shows how far it came if a rule raises. `acts_alone`
    is whether agents act one after another by legal rules, which `Mode.ACT` is for.

    Returns:
        `DONE_ALL`, `NOTHING_TO_DO` after a while without work, or `REFUSED` (see `actions_are_valid`); after `Mode.ACT`
        the status of the world.
    """
    progress = progress_at(frame, slot)
    if mode == Mode.FINISH:
        progress[DONE] += last - first
        report_done(frame, progress)
        return DONE_ALL
    progress[BACKED_UP] = -1
    task = int(frame[KernelArg.MODE]) if mode == Mode.LEAD else mode
    if task == Mode.VALIDATE_AND_STEP:
        if not actions_are_valid(frame):
            return REFUSED
        task = int(Mode.STEP)
    if mode == Mode.LEAD:
        frame[KernelArg.MODE] = task
        share_out(frame)
    begin, end, idle, size = first, last, 0, bytes_to_prefetch(frame)
    if acts_alone and mode == Mode.ACT:
        begin, end, task = 0, 1, int(Mode.STEP_UNOBSERVED)
        choose(frame, first)
    while True:
        if mode >= FIRST_SHARED:
            begin, end = next_chunk(frame, slot, idle)
            if begin < end:
                task = int(frame[KernelArg.MODE])
        progress[BEGIN] = begin
        progress[END] = end
        for e in range(begin, end):
            progress[WORLD] = e
            if size > 0:
                prefetch(fixed(frame, KernelArg.CELL_ARRAY) + (e + 1) * size, size)
            run_world(frame, slot, e, task)
        progress[WORLD] = end
        if mode < FIRST_SHARED:
            return int(first_data(frame)[ENDED]) if acts_alone and mode == Mode.ACT else DONE_ALL
        if begin < end:
            progress[DONE] += end - begin
            idle = 0
            continue
        report_done(frame, progress)
        if mode != Mode.SERVE and atomic_get(frame, KernelArg.FINISHED_COUNT) >= fixed(
            frame, KernelArg.WORLD_COUNT
        ):
            return DONE_ALL
        idle += 1
        if idle > (SERVING_PATIENCE if mode == Mode.SERVE else PATIENCE):
            return NOTHING_TO_DO
        pause()


def choose(frame: Any, action: int) -> None:
    """Let the agent whose turn it is take an action in world 0."""
    agents, length = fixed(frame, KernelArg.AGENT_COUNT), fixed(frame, KernelArg.AGENT_ROW_LENGTH)
    rows = int64_at(fixed(frame, KernelArg.AGENT_ROW_ARRAY), (agents, length))
    a = first_active(rows, int(first_data(frame)[TURN]))
    uint16_at(fixed(frame, KernelArg.ACTION_ARRAY), (agents,))[a] = action


def first_data(frame: Any) -> Any:
    """The data of world 0."""
    return int64_at(fixed(frame, KernelArg.DATA_ARRAY), (fixed(frame, KernelArg.DATA_LENGTH),))


def run_world(
    frame: Any, slot: int, e: int, mode: int, *,
    vocabulary: Any, reset: Any, tick: Any, observe: Any, agents: int, per_world_params: bool,
    can_act: Any, write_mask: Any, has_legal: bool, in_turn: bool, chosen: bool,
    outcome: Any, has_outcome: bool,
) -> None:  # fmt: skip
    """Step, reset or observe world `e`, and write its masks of legal actions.

    `agents` is as for `count_agents`, `per_world_params` whether worlds have individual run-time parameters, `in_turn`
    whether agents act one after another, `chosen` whether rules choose who acts.
    """
    agents = count_agents(frame, agents)
    state = state_at(frame, slot, e, vocabulary=vocabulary, agents=agents)
    state.scratch[0] = state.scratch[OWN_STREAM] = state.scratch[WATCHED] = 0
    if has_legal:
        state.scratch[KEPT_MASK] = 0
    begins, output_index, params = (
        False,
        int(KernelArg.OUTPUT_ARRAYS),
        params_at(frame, int(KernelArg.WORLD_PARAM_ARRAY), e, per_world=per_world_params),
    )
    steps = mode == Mode.STEP or mode == Mode.STEP_UNOBSERVED
    if steps and state.data[ENDED] == RUNNING:
        step_world(frame, slot, e, state, params, vocabulary=vocabulary, tick=tick, agents=agents)
        if has_outcome:
            write_outcomes(frame, e, state, params, outcome=outcome, agents=agents)
        if state.data[ENDED] != RUNNING and fixed(frame, KernelArg.AUTORESET) == Autoreset.SAME_STEP:
            output_index = int(KernelArg.FINAL_OUTPUT_ARRAYS)
    else:
        back_up(frame, slot, e, state, before_at(frame, slot, vocabulary=vocabulary, agents=agents))
        waits = steps and fixed(frame, KernelArg.AUTORESET) == Autoreset.DISABLED
        begins = not waits and (steps or (mode == Mode.RESET and is_selected(frame, e)))
        if begins:
            state.data[ENDED] = RUNNING
        if begins or waits:
            write_no_reward(frame, e, state, agents=agents)
            if has_outcome:
                write_no_outcomes(frame, e, agents=agents)
    # At most two rounds: with SAME_STEP, an ended world's final state is observed, then its next episode begins and is
    # observed too.
    while True:
        if begins:
            params = params_at(frame, int(KernelArg.NEXT_PARAM_ARRAY), e, per_world=per_world_params)
            begin_episode(state, params, reset=reset, chosen=chosen)
            if has_legal:
                state.scratch[KEPT_MASK] = 0
                actions = actions_at(frame, agents=agents)
                settle_turn(state, params, actions, in_turn=in_turn, chosen=chosen, can_act=can_act)
        if has_legal and output_index == KernelArg.OUTPUT_ARRAYS:
            write_masks(
                frame,
                e,
                state,
                params,
                agents=agents,
                in_turn=in_turn,
                chosen=chosen,
                write_mask=write_mask,
            )
        if mode != Mode.STEP_UNOBSERVED and mode != Mode.MASKS:
            observe_world(frame, output_index, e, state, observe=observe, agents=agents, in_turn=in_turn)
        if output_index == KernelArg.OUTPUT_ARRAYS:
            if begins and fixed(frame, KernelArg.WORLD_PARAM_ARRAY) != fixed(
                frame, KernelArg.NEXT_PARAM_ARRAY
            ):
                copy_words(
                    params, params_at(frame, int(KernelArg.WORLD_PARAM_ARRAY), e, per_world=per_world_params)
                )
            state.scratch[WATCHED] = 0
            return
        begins, output_index = True, int(KernelArg.OUTPUT_ARRAYS)


def bytes_to_prefetch(frame: Any) -> int:
    """The bytes of a world's cells; 0 if they are so few that they come with others', or so many that most are not read."""
    size = fixed(frame, KernelArg.HEIGHT) * fixed(frame, KernelArg.WIDTH) * 4
    return size if FEWEST_TO_PREFETCH < size <= MOST_TO_PREFETCH else 0


def observe_only(
    frame: Any,
    slot: int,
    e: int,
    mode: int,
    *,
    vocabulary: Any,
    observe: Any,
    agents: int,
    in_turn: bool,
) -> None:
    """Observe world `e`: the place of `run_world` in programs for worlds that another program steps."""
    agents = count_agents(frame, agents)
    state = state_at(frame, slot, e, vocabulary=vocabulary, agents=agents)
    back_up(frame, slot, e, state, before_at(frame, slot, vocabulary=vocabulary, agents=agents))
    observe_world(
        frame,
        int(KernelArg.OUTPUT_ARRAYS),
        e,
        state,
        observe=observe,
        agents=agents,
        in_turn=in_turn,
    )


def count_agents(frame: Any, agents: int) -> int:
    """The number of agents: `agents`, or the batch's if the program is for any number, which 0 says."""
    return agents if agents > 0 else fixed(frame, KernelArg.AGENT_COUNT)


def params_at(frame: Any, arg_index: int, e: int, *, per_world: bool) -> Any:
    """The run-time parameters of world `e`, shared by all worlds unless they have individual ones.

    Parameters of observations are always shared, and read once.
    """
    row = fixed(frame, arg_index)
    if per_world:
        row += e * fixed(frame, KernelArg.PARAM_STRIDE)
    return int64_at(row, (fixed(frame, KernelArg.PARAM_COUNT),))


def is_selected(frame: Any, e: int) -> bool:
    """Whether world `e` is selected for a reset."""
    return uint8_at(fixed(frame, KernelArg.SELECTED_ARRAY), (fixed(frame, KernelArg.WORLD_COUNT),))[e] != 0


def step_world(
    frame: Any, slot: int, e: int, state: State, params: Any, *, vocabulary: Any, tick: Any, agents: int
) -> None:  # fmt: skip
    """Step world `e` by one tick: actions, rules, rewards, the clock, the end of the episode."""
    before = before_at(frame, slot, vocabulary=vocabulary, agents=agents)
    back_up_on_write(frame, slot, e, state, before)
    chosen = uint16_at(fixed(frame, KernelArg.ACTION_ARRAY) + e * agents * 2, (agents,))
    actions = actions_at(frame, agents=agents)
    for a in range(agents):
        state.agent_rows[a, ACTION] = actions[a, int(chosen[a])]
        state.agent_rows[a, RESULT] = 0
    rewards = float64_at(frame[KernelArg.REWARD_ARRAY] + e * agents * 8, (agents,))
    terminated = uint8_at(frame[KernelArg.TERMINATED_ARRAY] + e * agents, (agents,))
    ended, limit = tick(before, state, params, rewards, terminated, actions), fixed(params, TIME_LIMIT)
    state.scratch[SHARED] = NOT_SHARED
    status = TERMINATED if ended else RUNNING
    if status == RUNNING and limit > 0 and state.data[TICK] >= limit:
        status = TRUNCATED
    state.data[ENDED] = status
    truncated = uint8_at(frame[KernelArg.TRUNCATED_ARRAY] + e * agents, (agents,))
    for a in range(agents):
        truncated[a] = 1 if status == TRUNCATED and terminated[a] == 0 else 0
    int64_at(frame[KernelArg.TICK_ARRAY], (fixed(frame, KernelArg.WORLD_COUNT),))[e] = state.data[TICK]
    results = int64_at(frame[KernelArg.RESULT_ARRAY] + e * agents * 8, (agents,))
    for a in range(agents):
        results[a] = state.agent_rows[a, RESULT]


def back_up(frame: Any, slot: int, e: int, state: State, before: State) -> None:
    """Copy a world into the thread's memory: for rules that compare states, and to restore it if a rule raises."""
    copy_state(state, before)
    progress_at(frame, slot)[BACKED_UP] = e


def back_up_on_write(frame: Any, slot: int, e: int, state: State, before: State) -> None:
    """As `back_up`, but for cells and layers, which are copied before the first of them changes, if one does."""
    watched = 0 if fixed(frame, KernelArg.COPY_FIRST) != 0 else address_of(state.cells)
    if watched == 0:
        back_up(frame, slot, e, state, before)
        return
    state.scratch[WATCHED], state.scratch[SHARED] = watched, NOT_SHARED
    copy_words(state.data, before.data)
    copy_words(state.agent_rows, before.agent_rows)
    progress_at(frame, slot)[BACKED_UP] = e


def copy_state(source: State, target: State) -> None:
    """Copy a state's arrays into those of another state of the same world."""
    copy_words(source.cells, target.cells)
    if source.layers.shape[0] > 0:
        copy_words(source.layers, target.layers)
    copy_words(source.data, target.data)
    copy_words(source.agent_rows, target.agent_rows)


def write_outcomes(frame: Any, e: int, state: State, params: Any, *, outcome: Any, agents: int) -> None:
    """Write what came of an episode for each agent, NaN if it goes on."""
    write_no_outcomes(frame, e, agents=agents)
    if state.data[ENDED] != RUNNING:
        outcomes, used = outcomes_at(frame, e, agents=agents), state.scratch[0]
        for a in range(outcomes.shape[0]):
            outcomes[a] = outcome(state.seen_by(a), params)
            state.scratch[0] = used


def write_no_outcomes(frame: Any, e: int, *, agents: int) -> None:
    """Write NaN as the outcome of each agent."""
    outcomes = outcomes_at(frame, e, agents=agents)
    for a in range(outcomes.shape[0]):
        outcomes[a] = math.nan


def outcomes_at(frame: Any, e: int, *, agents: int) -> Any:
    """float64[agents]: the outcomes of world `e`."""
    return float64_at(frame[KernelArg.OUTCOME_ARRAY] + e * agents * 8, (agents,))


def no_outcome(state: State, params: Any) -> float:
    """The outcome rule of a world without one, which is never asked."""
    return math.nan


def write_no_reward(frame: Any, e: int, state: State, *, agents: int) -> None:
    """Write the results of a step without a tick: one that only begins an episode, or waits after the end of one."""
    status = int(state.data[ENDED])
    rewards = float64_at(frame[KernelArg.REWARD_ARRAY] + e * agents * 8, (agents,))
    terminated = uint8_at(frame[KernelArg.TERMINATED_ARRAY] + e * agents, (agents,))
    truncated = uint8_at(frame[KernelArg.TRUNCATED_ARRAY] + e * agents, (agents,))
    results = int64_at(frame[KernelArg.RESULT_ARRAY] + e * agents * 8, (agents,))
    for a in range(agents):
        gone = status == TERMINATED or (
            status == TRUNCATED and agents > 1 and state.agent_rows[a, ACTIVE] == 0
        )
        rewards[a] = 0.0
        terminated[a] = 1 if gone else 0
        truncated[a] = 1 if status == TRUNCATED and not gone else 0
        results[a] = 0
    int64_at(frame[KernelArg.TICK_ARRAY], (fixed(frame, KernelArg.WORLD_COUNT),))[e] = 0


@outlined
def begin_episode(state: State, params: Any, *, reset: Any, chosen: bool) -> None:
    """Begin the next episode: derive its key, clear the world and run the reset rule."""
    state.scratch[0], state.scratch[OWN_STREAM] = 0, FREE_IN_RESET
    state.data[EPISODE] += 1
    state.data[EPISODE_KEY] = episode_key(int(state.data[KEY]), int(state.data[EPISODE]))
    state.data[TICK] = 0
    state.data[TURN] = first_turn(state.agent_rows.shape[0]) if chosen else 0
    state.data[ENDED] = RUNNING
    before_change(state.cells, state.layers, state.scratch)
    clear(state)
    reset(state, params)
    if state.vocabulary.bodiless != 0:
        remove_bodies(state)


def observe_world(
    frame: Any, output_index: int, e: int, state: State, *, observe: Any, agents: int, in_turn: bool
) -> None:
    """Write the observation of each agent, or of the one that acts next, to the output arrays at `output_index`."""
    if frame[output_index] == 0:
        return
    params = int64_at(fixed(frame, KernelArg.PARAM_ARRAY), (fixed(frame, KernelArg.PARAM_COUNT),))
    count, first = agents, 0
    if in_turn and fixed(frame, KernelArg.OBSERVED_COUNT) != count:
        count, first = 1, acting_agent(state)
    state.scratch[0] = 0
    shown = state.showing_things() if state.vocabulary.has_things else state
    used = state.scratch[0]
    for i in range(count):
        state.scratch[0], state.scratch[OWN_STREAM] = used, FREE_IN_OBSERVATION
        observe(frame, output_index, e * count + i, shown.seen_by(first + i), params)
    state.scratch[SHARED] = NOT_SHARED


def actions_at(frame: Any, *, agents: int) -> Any:
    """int64[agents, actions]: the integer of each agent's actions, -1 where the agent does not have it."""
    return int64_at(fixed(frame, KernelArg.ACTION_TABLE), (agents, fixed(frame, KernelArg.ACTION_COUNT)))


def write_masks(
    frame: Any,
    e: int,
    state: State,
    params: Any,
    *,
    agents: int,
    in_turn: bool,
    chosen: bool,
    write_mask: Any,
) -> None:
    """Write which actions are legal: of the agent whose turn it is, or of all agents where several act.

    Those that do not act next have none. After the end of an episode all are, since the next step takes none of them.
    """
    if frame[KernelArg.MASK_ARRAY] == 0:
        return
    actions = actions_at(frame, agents=agents)
    rows, length = 1 if in_turn else actions.shape[0], fixed(frame, KernelArg.MASK_LENGTH)
    masks = uint8_at(frame[KernelArg.MASK_ARRAY] + e * rows * length, (rows, length))
    ended = state.data[ENDED] != RUNNING
    for row in range(rows):
        if chosen and not ended and not acts(int(state.data[TURN]), row):
            fill_words(masks[row], 0)
            continue
        write_mask(
            state, acting_agent(state) if in_turn else row, params, actions, masks[row],
            packed=length != actions.shape[1], ended=ended,
        )  # fmt: skip


def state_at(frame: Any, slot: int, e: int, *, vocabulary: Any, agents: int) -> State:
    """The state of world `e` of the batch."""
    return stored_state(frame, int(KernelArg.CELL_ARRAY), slot, e, vocabulary=vocabulary, agents=agents)


def stored_state(frame: Any, first: int, slot: int, e: int, *, vocabulary: Any, agents: int) -> State:
    """State `e` of those whose four arrays' addresses begin at index `first` of the frame."""
    height, width, layers = fixed(frame, KernelArg.HEIGHT), fixed(frame, KernelArg.WIDTH), vocabulary.layers
    data, agent_row_length = vocabulary.data_length, vocabulary.agent_row_length
    return State(
        uint32_at(fixed(frame, first) + e * height * width * 4, (height, width)),
        int64_at(fixed(frame, first + 1) + e * layers * height * width * 8, (layers, height, width)),
        int64_at(fixed(frame, first + 2) + e * data * 8, (data,)),
        int64_at(
            fixed(frame, first + 3) + e * agents * agent_row_length * 8,
            (agents, agent_row_length),
        ),
        int64_at(
            fixed(frame, KernelArg.SCRATCH_ARRAY) + slot * fixed(frame, KernelArg.THREAD_STRIDE),
            (fixed(frame, KernelArg.SCRATCH_LENGTH),),
        ),
        0,
        vocabulary,
    )


def before_at(frame: Any, slot: int, *, vocabulary: Any, agents: int) -> State:
    """The thread's copy of the world before the step."""
    height, width, layers = fixed(frame, KernelArg.HEIGHT), fixed(frame, KernelArg.WIDTH), vocabulary.layers
    offset = slot * fixed(frame, KernelArg.THREAD_STRIDE)
    return State(
        uint32_at(fixed(frame, KernelArg.BEFORE_CELL_ARRAY) + offset, (height, width)),
        int64_at(fixed(frame, KernelArg.BEFORE_LAYER_ARRAY) + offset, (layers, height, width)),
        int64_at(fixed(frame, KernelArg.BEFORE_DATA_ARRAY) + offset, (vocabulary.data_length,)),
        int64_at(
            fixed(frame, KernelArg.BEFORE_AGENT_ROW_ARRAY) + offset, (agents, vocabulary.agent_row_length)
        ),
        int64_at(fixed(frame, KernelArg.SCRATCH_ARRAY) + offset, (fixed(frame, KernelArg.SCRATCH_LENGTH),)),
        0,
        vocabulary,
    )
