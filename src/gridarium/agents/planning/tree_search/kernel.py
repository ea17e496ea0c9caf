"""The kernel of tree search: simulations of many trees over the composed step. Plain Python, run as it is or compiled.

A tree is a row of nodes with fixed capacity, and a few words that say how far its simulation is, so the kernel can return
in the middle of one and go on later. `search_tree` takes the place of `run_world` in the engine's kernel, so threads share
trees as they share worlds.
"""

from __future__ import annotations

from typing import Any

from gridarium.agents.planning.tree_search.arguments import (
    ACTION,
    AGENT,
    BEGIN,
    DECIDE,
    DECIDED,
    DEPTH,
    DONE,
    DRAWN,
    DRAWN_BEFORE,
    EVALUATED,
    EXPAND,
    FINISH,
    FIRST,
    IN_TREE,
    KEY,
    LEAF_TICKS,
    LEAVING,
    NEXT,
    NOBODY,
    NODE,
    OTHERS,
    OUTCOME,
    OWNER,
    PHASE,
    PRIOR,
    ROLLING_OUT,
    ROLLOUT,
    STAGE,
    STARTED,
    STREAM,
    TICK,
    TICKS,
    TOTAL,
    VALUE,
    VISITS,
    WAIT_FOR_OTHERS,
    WAIT_FOR_VALUE,
    Branching,
    Method,
    OthersModel,
    SearchArg,
)
from gridarium.agents.planning.tree_search.nodes import (
    add_node,
    add_priors,
    back_up_returns,
    discounts_at,
    enter,
    find_child,
    legal_at,
    list_at,
    nodes_as_floats,
    nodes_at,
    per_action_at,
    returns_at,
    select,
    tree_at,
    values_at,
)
from gridarium.agents.planning.tree_search.outcome_keys import hash_observation, hash_state
from gridarium.compiled.data_types.primitives import (
    fixed,
    float64_at,
    get_float,
    int64_at,
    outlined,
    uint8_at,
)
from gridarium.compiled.data_types.random import OWN_STREAM, draw_integer, episode_key
from gridarium.engine.kernel_args import BACKED_UP, KernelArg, Mode
from gridarium.engine.outcomes.kernel import run_tick
from gridarium.engine.step.chunks import progress_at
from gridarium.engine.step.kernel import (
    RUNNING,
    TIME_LIMIT,
    actions_at,
    back_up,
    before_at,
    copy_state,
    state_at,
    stored_state,
)
from gridarium.engine.step.legal_actions import is_busy
from gridarium.engine.step.turns import acting_agent, settle_turn
from gridarium.world import state as state_words
from gridarium.world.acting_agents import acts
from gridarium.world.action_arguments import to_action
from gridarium.world.agent import ACTIVE
from gridarium.world.state import ENDED, EPISODE_KEY, FREE_IN_OBSERVATION, TURN, State

WORLD_KEY = state_words.KEY
ATTEMPTS = 8
"""The number of actions that are drawn in a rollout until one is legal; after that all legal ones are listed."""
WAITS, NONE_LEGAL = -1, -2
"""Instead of the index of an action: the leaf must be evaluated first, or no action is legal."""


def search_tree(
    frame: Any, slot: int, e: int, mode: int, *,
    vocabulary: Any, tick: Any, observe: Any, agents: int, legal: Any, list_legal: Any, filled: bool, can_act: Any,
    has_legal: bool,
    in_turn: bool, chosen: bool, outcome: Any, has_outcome: bool, observing: bool,
) -> None:  # fmt: skip
    """Simulate in tree `e` until it has made its simulations, or waits for values or actions from outside.

    With `Mode.OBSERVE`, write the visits and returns of the root's actions instead. `observing` is whether the tree
    branches by observations; `filled` is whether rules fill masks of legal actions, so that all are listed by one call of them.
    """
    tree = tree_at(frame, e)
    if mode == Mode.OBSERVE:
        write_root(frame, e)
        return
    state = state_at(frame, slot, e, vocabulary=vocabulary, agents=agents)
    while True:
        phase = int(tree[PHASE])
        if phase == BEGIN:
            if tree[DONE] >= frame[SearchArg.TARGET]:
                return
            begin(
                frame, slot, e, tree, state,
                agents=agents, can_act=can_act, has_legal=has_legal, in_turn=in_turn, chosen=chosen,
                vocabulary=vocabulary,
            )  # fmt: skip
        elif phase == DECIDE:
            decide(
                frame, slot, e, tree, state,
                agents=agents, legal=legal, list_legal=list_legal, filled=filled, in_turn=in_turn, by_choice=chosen,
            )  # fmt: skip
        elif phase == OTHERS:
            decide_for_others(
                frame, slot, e, tree, state,
                agents=agents, legal=legal, list_legal=list_legal, filled=filled, in_turn=in_turn,
            )  # fmt: skip
        elif phase == TICK:
            advance(
                frame, slot, e, tree, state,
                agents=agents, vocabulary=vocabulary, tick=tick, observe=observe, outcome=outcome,
                has_outcome=has_outcome, observing=observing,
            )  # fmt: skip
        elif phase == EXPAND:
            expand(frame, e, tree, agents=agents)
        elif phase == FINISH:
            finish(frame, slot, e, tree, state, agents=agents, vocabulary=vocabulary)
        else:
            return


def write_root(frame: Any, e: int) -> None:
    """Write visits, sums of returns and priors of the actions of the root."""
    nodes, floats, count = nodes_at(frame, e), nodes_as_floats(frame, e), fixed(frame, KernelArg.ACTION_COUNT)
    visits = int64_at(fixed(frame, SearchArg.VISIT_ARRAY) + e * count * 8, (count,))
    totals = per_action_at(frame, int(SearchArg.TOTAL_ARRAY), e)
    priors = per_action_at(frame, int(SearchArg.ROOT_PRIOR_ARRAY), e)
    for i in range(count):
        visits[i] = 0
        totals[i] = 0.0
        priors[i] = 0.0
    child = int(nodes[0, FIRST])
    while child > 0:
        if nodes[child, OWNER] >= 0:
            i = int(nodes[child, ACTION])
            visits[i] = nodes[child, VISITS]
            totals[i] = floats[child, TOTAL]
            priors[i] = floats[child, PRIOR]
        child = int(nodes[child, NEXT])


def begin(
    frame: Any, slot: int, e: int, tree: Any, state: State, *,
    agents: int, can_act: Any, has_legal: bool, in_turn: bool, chosen: bool, vocabulary: Any,
) -> None:  # fmt: skip
    """Begin a simulation: a copy of a root state, with random numbers of its own."""
    next_stream(tree)
    count = fixed(frame, SearchArg.ROOT_COUNT)
    root = e * count
    if count > 1:
        root += draw_integer(tree, STREAM, count)
    first = int(SearchArg.ROOT_ARRAYS)
    copy_state(stored_state(frame, first, slot, root, vocabulary=vocabulary, agents=agents), state)
    state.data[ENDED] = RUNNING
    rekey(tree, state)
    tree[STAGE] = IN_TREE
    tree[NODE] = 0
    tree[TICKS] = 0
    tree[DEPTH] = -1
    tree[EVALUATED] = 0
    enter(frame, e, tree, 0, 1.0, agents)
    if has_legal:
        actions = actions_at(frame, agents=agents)
        settle_turn(state, shared_params(frame), actions, in_turn=in_turn, chosen=chosen, can_act=can_act)
    tree[STARTED] += 1
    tree[DRAWN_BEFORE] = tree[DRAWN]
    tree[PHASE] = DECIDE


def next_stream(tree: Any) -> None:
    """Begin the random numbers of the next simulation or rollout: a function of the tree's key and of their count."""
    tree[STREAM] = episode_key(int(tree[KEY]), int(tree[STARTED]))
    tree[DRAWN] = 0


def rekey(tree: Any, state: State) -> None:
    """Give the state new random keys."""
    key = episode_key(int(tree[STREAM]), 0)
    state.data[WORLD_KEY] = key
    state.data[EPISODE_KEY] = key
    clean(state)


def clean(state: State) -> None:
    """Free scratch memory, and begin the shared stream of random numbers of a tick anew."""
    state.scratch[0] = 0
    state.scratch[OWN_STREAM] = 0


def shared_params(frame: Any) -> Any:
    """The run-time parameters."""
    return int64_at(fixed(frame, KernelArg.PARAM_ARRAY), (fixed(frame, KernelArg.PARAM_COUNT),))


def chosen_at(frame: Any, e: int, agents: int) -> Any:
    """int64[agents]: the integers of the actions in the simulation of tree `e`."""
    return int64_at(fixed(frame, KernelArg.REQUESTED_ACTION_ARRAY) + e * agents * 8, (agents,))


def decide(
    frame: Any, slot: int, e: int, tree: Any, state: State, *,
    agents: int, legal: Any, list_legal: Any, filled: bool, in_turn: bool, by_choice: bool,
) -> None:  # fmt: skip
    """Choose the action of the agent that decides in a tick, in the tree or at random.

    `by_choice` is whether rules choose who acts.
    """
    actions = actions_at(frame, agents=agents)
    chosen, only = chosen_at(frame, e, agents), fixed(frame, SearchArg.AGENT)
    clean(state)
    tree[DRAWN] = tree[DRAWN_BEFORE]
    who, decides = 0, True
    if in_turn:
        who = acting_agent(state)
        decides = only < 0 or who == only
    elif by_choice and only < 0:
        who = acting_alone(state)
        decides = who >= 0
        who = max(who, 0)
    elif agents > 1:
        who = only
        if by_choice and not acts(int(state.data[TURN]), who):
            decides = False
    active = agents == 1 or state.agent_rows[who, ACTIVE] != 0
    if not active or is_busy(state, who):
        decides = False
    tree[AGENT] = who
    tree[DECIDED] = 0
    if decides:
        if tree[STAGE] == ROLLING_OUT:
            index = random_action(
                frame, slot, tree, state, who, actions, legal=legal, list_legal=list_legal, filled=filled
            )
        else:
            index = decide_in_tree(frame, slot, e, tree, state, who, actions, agents, list_legal=list_legal)
        if index == WAITS:
            tree[PHASE] = WAIT_FOR_VALUE
            return
        decides = index >= 0
        chosen[who] = actions[who, index] if decides else idle_at(frame, agents)[who]
        tree[DECIDED] = 1 if decides else 0
    tree[DRAWN_BEFORE] = tree[DRAWN]
    if tree[TICKS] == 0 and not decides:
        tree[PHASE] = FINISH  # no action of the root to evaluate
    elif agents > 1 and ((active and not decides) if in_turn else only >= 0):
        tree[PHASE] = OTHERS
    else:
        tree[PHASE] = TICK


def decide_for_others(
    frame: Any, slot: int, e: int, tree: Any, state: State, *,
    agents: int, legal: Any, list_legal: Any, filled: bool, in_turn: bool,
) -> None:  # fmt: skip
    """Choose the actions of the agents that do not decide: the one whose turn it is, or all but the one that does."""
    actions = actions_at(frame, agents=agents)
    chosen, who, waits = chosen_at(frame, e, agents), int(tree[AGENT]), False
    clean(state)
    tree[DRAWN] = tree[DRAWN_BEFORE]
    for a in range(agents):
        if (a == who) == in_turn and state.agent_rows[a, ACTIVE] != 0:
            asked = choose_for(
                frame,
                slot,
                tree,
                state,
                a,
                actions,
                chosen,
                legal=legal,
                list_legal=list_legal,
                filled=filled,
            )
            waits = waits or asked
    tree[DRAWN_BEFORE] = tree[DRAWN]
    tree[PHASE] = WAIT_FOR_OTHERS if waits else TICK


def acting_alone(state: State) -> int:
    """The agent that decides where rules choose who acts; -1 if nobody does.

    Raises:
        ValueError: several do.
    """
    found = -1
    for a in range(state.agent_rows.shape[0]):
        if acts(int(state.data[TURN]), a) and state.agent_rows[a, ACTIVE] != 0 and not is_busy(state, a):
            if found >= 0:
                raise ValueError(
                    "several agents act at the same time, and only one of them can be searched for: give a model of "
                    f'the others, such as others="random", and the agent; the state:\n{state}'
                )
            found = a
    return found


@outlined
def choose_for(
    frame: Any, slot: int, tree: Any, state: State, a: int, actions: Any, chosen: Any, *,
    legal: Any, list_legal: Any, filled: bool,
) -> bool:  # fmt: skip
    """Choose the action of an agent that does not decide for itself; returns whether to wait for it."""
    model = fixed(frame, SearchArg.OTHERS)
    chosen[a] = idle_at(frame, chosen.shape[0])[a]
    if model == OthersModel.RANDOM and not is_busy(state, a):
        index = random_action(
            frame, slot, tree, state, a, actions, legal=legal, list_legal=list_legal, filled=filled
        )
        if index >= 0:
            chosen[a] = actions[a, index]
    return model == OthersModel.FUNCTION


def idle_at(frame: Any, agents: int) -> Any:
    """int64[agents]: the idle action of each agent."""
    return int64_at(fixed(frame, SearchArg.IDLE_TABLE), (agents,))


def random_action(
    frame: Any,
    slot: int,
    tree: Any,
    state: State,
    a: int,
    actions: Any,
    *,
    legal: Any,
    list_legal: Any,
    filled: bool,
) -> int:
    """The index of one of an agent's legal actions, all equally likely; `NONE_LEGAL` if there is none."""
    params, listed = shared_params(frame), list_at(frame, slot, 0)
    if not filled:  # an attempt costs less than the list
        view = state.seen_by(a)
        for _ in range(ATTEMPTS):
            index = draw_integer(tree, STREAM, actions.shape[1])
            value = int(actions[a, index])
            if value >= 0:
                allowed = bool(legal(view, to_action(value, state.vocabulary), params))
                state.scratch[0] = 0
                if allowed:
                    return int(index)
    count = list_legal(state, a, params, actions, listed)
    if count == 0:
        return NONE_LEGAL
    return int(listed[draw_integer(tree, STREAM, count)])


def decide_in_tree(
    frame: Any, slot: int, e: int, tree: Any, state: State, who: int, actions: Any, agents: int, *,
    list_legal: Any,
) -> int:  # fmt: skip
    """Select an action in the tree, whose node becomes the simulation's.

    Returns:
        its index, `WAITS` at a leaf that is to be evaluated, or `NONE_LEGAL`.
    """
    count = list_legal(state, who, shared_params(frame), actions, list_at(frame, slot, 0))
    if count == 0:
        return NONE_LEGAL
    nodes, node, method = nodes_at(frame, e), int(tree[NODE]), fixed(frame, SearchArg.METHOD)
    if node == 0:
        nodes[0, OWNER] = who
    if method != Method.UCT and (node < 0 or nodes[node, FIRST] == 0):
        return wait_for_value(frame, slot, e, count)
    index, child = select(frame, slot, e, tree, node, who, count)
    if index < 0:  # the legal actions are others than when the node was evaluated
        tree[NODE] = -1
        return wait_for_value(frame, slot, e, count)
    if child == 0:
        child = add_node(nodes, tree, node, who, index)
        tree[STAGE] = LEAVING
    tree[NODE] = child
    if child > 0:
        enter(frame, e, tree, child, 1.0, agents)
    return int(index)


def wait_for_value(frame: Any, slot: int, e: int, count: int) -> int:
    """Write which actions are legal at a leaf that is to be evaluated."""
    listed, legal = list_at(frame, slot, 0), legal_at(frame, e)
    for i in range(legal.shape[0]):
        legal[i] = 0
    for k in range(count):
        legal[listed[k]] = 1
    return WAITS


def expand(frame: Any, e: int, tree: Any, *, agents: int) -> None:
    """Add the actions of an evaluated leaf to the tree; the simulation ends, unless the leaf is the root."""
    node, who = int(tree[NODE]), int(tree[AGENT])
    tree[EVALUATED] = 1
    tree[PHASE] = FINISH
    if node >= 0 and add_priors(frame, e, tree, node, who):
        nodes_as_floats(frame, e)[node, VALUE] = values_at(frame, e, agents)[who]
        if node == 0:
            tree[EVALUATED] = 0
            tree[PHASE] = DECIDE


def advance(
    frame: Any, slot: int, e: int, tree: Any, state: State, *,
    agents: int, vocabulary: Any, tick: Any, observe: Any, outcome: Any, has_outcome: bool, observing: bool,
) -> None:  # fmt: skip
    """One tick of the simulation, and what follows from it: rewards, or outcomes at the end, and the next node."""
    params = shared_params(frame)
    before = before_at(frame, slot, vocabulary=vocabulary, agents=agents)
    back_up(frame, slot, e, state, before)
    clean(state)
    rewards = float64_at(fixed(frame, KernelArg.REWARD_ARRAY) + e * agents * 8, (agents,))
    terminated = uint8_at(fixed(frame, KernelArg.TERMINATED_ARRAY) + e * agents, (agents,))
    actions, limit = actions_at(frame, agents=agents), fixed(params, TIME_LIMIT)
    run_tick(
        before, state, chosen_at(frame, e, agents), params, rewards, terminated, actions, limit, tick=tick
    )
    if has_outcome:
        write_outcomes(rewards, state, params, outcome=outcome)
    over = state.data[ENDED] != RUNNING or tree[TICKS] + 1 >= fixed(frame, SearchArg.HORIZON)
    follows = not over and tree[STAGE] != ROLLING_OUT and tree[NODE] >= 0
    key = 0
    if follows and observing:
        a = fixed(frame, SearchArg.AGENT)
        clean(state)
        shown = state.showing_things() if state.vocabulary.has_things else state
        state.scratch[OWN_STREAM] = FREE_IN_OBSERVATION
        observe(frame, int(KernelArg.OUTPUT_ARRAYS), e * agents + a, shown.seen_by(a), params)
        key = hash_observation(frame, e * agents + a)
    progress_at(frame, slot)[BACKED_UP] = -1  # no rule is asked any more
    depth = int(tree[DEPTH])
    discounts, returns = discounts_at(frame, e), returns_at(frame, e, agents)
    for a in range(agents):
        returns[depth, a] += discounts[depth] * rewards[a]
    discounts[depth] *= get_float(frame, SearchArg.DISCOUNT)
    tree[TICKS] += 1
    tree[PHASE] = FINISH if over else DECIDE
    if follows and observing:
        follow_outcome(frame, e, tree, key)
    elif follows and fixed(frame, SearchArg.BRANCHING) == Branching.STATES:
        follow_outcome(frame, e, tree, hash_state(state))
    if not over and tree[STAGE] == LEAVING and fixed(frame, SearchArg.METHOD) == Method.UCT:
        begin_rollouts(frame, slot, e, tree, state, agents=agents, vocabulary=vocabulary)


def write_outcomes(rewards: Any, state: State, params: Any, *, outcome: Any) -> None:
    """Replace the rewards of a tick by the outcomes of the episode if it has ended with it, else by 0."""
    for a in range(rewards.shape[0]):
        clean(state)
        rewards[a] = outcome(state.seen_by(a), params) if state.data[ENDED] != RUNNING else 0.0


@outlined
def follow_outcome(frame: Any, e: int, tree: Any, key: int) -> None:
    """Go to the node of an outcome of the tick; one that is new is added, and the simulation leaves the tree."""
    nodes, node = nodes_at(frame, e), int(tree[NODE])
    if tree[DECIDED] == 0:
        child = find_child(nodes, node, NOBODY, 0)
        node = child if child > 0 else add_node(nodes, tree, node, NOBODY, 0)
    if node >= 0:
        child = find_child(nodes, node, OUTCOME, key)
        if child == 0:
            tree[STAGE] = LEAVING
            child = add_node(nodes, tree, node, OUTCOME, key)
        node = child
    else:
        tree[STAGE] = LEAVING
    tree[NODE] = node


def begin_rollouts(
    frame: Any, slot: int, e: int, tree: Any, state: State, *, agents: int, vocabulary: Any
) -> None:
    """Begin the rollouts of a leaf, whose rewards are added up in one entry of the path."""
    rollouts = fixed(frame, SearchArg.ROLLOUTS)
    tree[STAGE] = ROLLING_OUT
    tree[ROLLOUT] = 0
    enter(frame, e, tree, -1, 1.0 / rollouts, agents)
    if rollouts > 1:
        tree[LEAF_TICKS] = tree[TICKS]
        first = int(SearchArg.LEAF_ARRAYS)
        copy_state(state, stored_state(frame, first, slot, e, vocabulary=vocabulary, agents=agents))


def finish(frame: Any, slot: int, e: int, tree: Any, state: State, *, agents: int, vocabulary: Any) -> None:
    """End a rollout: begin the next one, or back up the simulation."""
    rollouts = fixed(frame, SearchArg.ROLLOUTS)
    if tree[STAGE] == ROLLING_OUT and tree[ROLLOUT] + 1 < rollouts:
        tree[ROLLOUT] += 1
        tree[TICKS] = tree[LEAF_TICKS]
        first = int(SearchArg.LEAF_ARRAYS)
        copy_state(stored_state(frame, first, slot, e, vocabulary=vocabulary, agents=agents), state)
        next_stream(tree)
        tree[STARTED] += 1
        tree[DRAWN_BEFORE] = 0
        rekey(tree, state)
        discounts_at(frame, e)[int(tree[DEPTH])] = 1.0 / rollouts
        tree[PHASE] = DECIDE
        return
    back_up_returns(frame, e, tree, agents)
    tree[DONE] += 1
    tree[PHASE] = BEGIN
