"""The actions of agents in a tick, with rewards and terminations; part of the kernel, plain Python like it."""

from __future__ import annotations

from typing import Any

from gridarium.compiled.data_types.primitives import plain_float
from gridarium.compiled.data_types.random import KEPT_MASK, SHARED, WATCHED
from gridarium.compiled.data_types.vectors import new_integers
from gridarium.rules.results import ActionResultCode
from gridarium.world.acting_agents import acts, bits_of, turn_of
from gridarium.world.action_arguments import duration_of, to_action
from gridarium.world.actions import Action, get_next_position
from gridarium.world.agent import ACTION, ACTIVE, BUSY, RESULT
from gridarium.world.copy_on_write import IS_SHARED
from gridarium.world.geometry import Position
from gridarium.world.grid import copied
from gridarium.world.state import CONFLICT_PURPOSE, TICK, TURN, State

CONFLICT_RESULT = int(ActionResultCode.CONFLICT)
ILLEGAL_RESULT = int(ActionResultCode.ILLEGAL)
BUSY_RESULT = int(ActionResultCode.BUSY)
WAITING = Action.WAIT.value
"""The action of an agent when it is not its turn."""


def tick_single(
    before: State, state: State, params: Any, rewards: Any, terminated: Any, actions: Any, *,
    transition: Any, world_transition: Any, evaluate: Any, has_user_code: bool,
    legal: Any, can_act: Any, has_legal: bool, illegal: str,
) -> bool:  # fmt: skip
    """Run a tick with one agent, of the actions int64[1, actions]; return whether the episode has ended."""
    used = state.scratch[0]  # scratch memory is freed after each rule
    if state.vocabulary.has_durations:
        take_time(state, params, legal=legal)
    action = to_action(int(state.agent_rows[0, ACTION]), state.vocabulary)
    refuses = has_legal and illegal != "attempt"
    if refuses and state.agent_rows[0, RESULT] == 0 and not legal(state, action, params):
        attempt_illegal(state, begun=False, illegal=illegal)
    else:
        state.scratch[0] = used
        transition(state, action, params)
    state.scratch[0] = used
    world_transition(state, action, params)
    state.scratch[0] = used
    state.data[TICK] += 1
    ended = bool(
        evaluate(
            state_before_step(before, state, has_user_code=has_user_code),
            action,
            state,
            params,
            rewards,
            terminated,
        )
    )
    if has_legal and not ended:
        ended = not can_act(state, 0, params, actions)
        terminated[0] = 1 if ended else 0
    return ended


def state_before_step(before: State, state: State, *, has_user_code: bool) -> State:
    """The state before a step: its cells are those of the state after it while no rule has changed them.

    Code of users gets a copy, since it may change it: `before` is what the world is restored from if that raises.
    """
    shared = state.scratch[WATCHED] != 0
    if shared:
        state.scratch[SHARED] = IS_SHARED
    cells, layers = (state.cells, state.layers) if shared else (before.cells, before.layers)
    data, agent_rows = before.data, before.agent_rows
    if has_user_code:
        if not shared:
            cells, layers = copied(state.scratch, cells).array, copied(state.scratch, layers).array
        data, agent_rows = copied(state.scratch, data).array, copied(state.scratch, agent_rows).array
    return State(cells, layers, data, agent_rows, before.scratch, before.focus, before.vocabulary)


def take_time(state: State, params: Any, *, legal: Any) -> bool:
    """Let the action of the agent in focus take time: it does WAIT instead until the last of its ticks.

    It must be legal when it begins and when it is done; in between, the agent's chosen actions are ignored.

    Returns:
        Whether it has begun in an earlier tick, and is done in this one.
    """
    row, pending = state.agent.agent_row, state.vocabulary.pending_action
    action, left, used = to_action(int(row[ACTION]), state.vocabulary), int(row[BUSY]), state.scratch[0]
    begun = left > 0
    if begun:
        action = to_action(int(row[pending]), state.vocabulary)
        row[ACTION] = row[pending]
    else:
        left = duration_of(action, state.vocabulary)
        if left > 1 and not legal(state, action, params):
            left = 1  # the tick asks again, and refuses it
    row[BUSY] = left - 1
    row[pending] = row[ACTION] if left > 1 else 0
    if left > 1:
        row[ACTION], row[RESULT] = WAITING, BUSY_RESULT
    elif begun and not legal(state, action, params):
        row[ACTION], row[RESULT] = WAITING, ILLEGAL_RESULT
    state.scratch[0] = used
    return begun and left <= 1


def attempt_illegal(state: State, *, begun: bool, illegal: str) -> None:
    """What an illegal action of the agent in focus does instead of the transition rules.

    One that has `begun` in an earlier tick does nothing: others have made it illegal, and nobody has chosen it now.
    """
    if illegal == "refuse" and not begun:
        raise ValueError(f"{state.agent.action.name} is illegal now")
    state.agent.result = ILLEGAL_RESULT
    if illegal == "lose" and not begun:
        state.agent.active = False


def wait_for_turn(state: State) -> None:
    """Let the agents wait that do not act, where rules choose who does."""
    for a in range(state.agent_rows.shape[0]):
        if not acts(int(state.data[TURN]), a):
            state.agent_rows[a, ACTION] = WAITING


def with_busy_agents(state: State, turn: int) -> int:
    """A turn with the agents whose actions take time, also while others are chosen to act: time passes for them."""
    if not state.vocabulary.has_durations:
        return turn
    bits = bits_of(turn)
    for a in range(state.agent_rows.shape[0]):
        if state.agent_rows[a, BUSY] > 0:
            bits |= 1 << a
    return turn_of(bits)


def first_turn(count: int) -> int:
    """The turn at the beginning of an episode, where rules choose who acts: all agents."""
    return turn_of((1 << count) - 1)


def acting_agent(state: State) -> int:
    """The agent that acts next, where agents act one after another: the first that takes part, from the turn on."""
    return first_active(state.agent_rows, int(state.data[TURN]))


def first_active(agent_rows: Any, turn: int) -> int:
    """The first agent that takes part, from a turn on; that whose turn it is if none does."""
    count = agent_rows.shape[0]
    first = in_cycle(turn, count)
    a = first
    for _ in range(count):
        if agent_rows[a, ACTIVE] != 0:
            return a
        a = follower(a, count)
    return first


def in_cycle(turn: int, count: int) -> int:
    """`turn % count`, without the division where a turn is the number of an agent, as it mostly is."""
    return turn if 0 <= turn < count else turn % count


def follower(a: int, count: int) -> int:
    """The agent after another one in a cycle."""
    return a + 1 if a + 1 < count else 0


def pass_turn(state: State, params: Any, actions: Any, *, can_act: Any) -> bool:
    """Give the turn to the next agent that can act; return whether there is one. It is an agent's turn while it is asked for."""
    count, turn = state.agent_rows.shape[0], int(state.data[TURN])
    a = in_cycle(turn, count)
    for _ in range(count):
        state.data[TURN] = a
        if can_act(state, a, params, actions):
            return True
        a = follower(a, count)
    state.data[TURN] = turn
    return False


def next_turn(state: State, params: Any, actions: Any, *, turn_order: str, can_act: Any) -> bool:
    """Settle who acts next among those that have a legal action; return whether there are any."""
    if turn_order == "cycle":
        return pass_turn(state, params, actions, can_act=can_act)
    if turn_order == "chosen":
        return keep_turn(state, params, actions, can_act=can_act)
    return someone_can_act(state, params, actions, can_act=can_act)


def settle_turn(
    state: State, params: Any, actions: Any, *, in_turn: bool, chosen: bool, can_act: Any
) -> None:
    """Settle who acts first in an episode, in a world with legal rules: agents that have a legal action."""
    if in_turn:
        pass_turn(state, params, actions, can_act=can_act)
    if chosen:
        keep_turn(state, params, actions, can_act=can_act)


def keep_turn(state: State, params: Any, actions: Any, *, can_act: Any) -> bool:
    """Keep the turn of those that can act, where rules choose who does; return whether there are any."""
    bits, turn = 0, int(state.data[TURN])
    for a in range(state.agent_rows.shape[0]):
        if acts(turn, a) and can_act(state, a, params, actions):
            bits |= 1 << a
    if bits != 0 and turn_of(bits) != turn:
        state.data[TURN] = turn_of(bits)
        state.scratch[KEPT_MASK] = 0  # rules that look at who acts may fill another one
    return bits != 0


def someone_can_act(state: State, params: Any, actions: Any, *, can_act: Any) -> bool:
    """Whether any agent can act."""
    for a in range(state.agent_rows.shape[0]):
        if can_act(state, a, params, actions):
            return True
    return False


def takes_time(result: int) -> bool:
    """Whether an agent waits in this tick because its action takes time, or has become illegal meanwhile."""
    return result in (BUSY_RESULT, ILLEGAL_RESULT)


def evaluate_single(
    before: State, action: Action, state: State, params: Any, rewards: Any, terminated: Any, *,
    reward: Any, terminating: Any,
) -> bool:  # fmt: skip
    """Write reward and termination of the single agent; return whether the episode has ended."""
    used = state.scratch[0]
    rewards[0] = plain_float(reward(before, action, state, params))  # inf - inf has a sign compiled
    state.scratch[0] = used
    ended = terminating(before, action, state, params) or state.agent_rows[0, ACTIVE] == 0
    terminated[0] = 1 if ended else 0
    return bool(ended)


def evaluate_from_state(
    before: State, state: State, params: Any, rewards: Any, terminated: Any, *, evaluate: Any
) -> bool:
    """As `evaluate_several`, for a world with one agent, whose action is in the state."""
    action = to_action(int(state.agent_rows[0, ACTION]), state.vocabulary)
    return bool(evaluate(before, action, state, params, rewards, terminated))


def tick_several(
    before: State, state: State, params: Any, rewards: Any, terminated: Any, actions: Any, *,
    transition: Any, world_transition: Any, evaluate: Any, has_user_code: bool, turn_order: str, conflicts: str,
    legal: Any, can_act: Any, has_legal: bool, illegal: str,
) -> bool:  # fmt: skip
    """Run a tick with several agents, of the actions int64[agents, actions]; return whether the episode has ended."""
    count, turn = state.agent_rows.shape[0], int(state.data[TURN])
    if turn_order == "chosen":
        wait_for_turn(state)
        turn = with_busy_agents(state, turn)
    begun = new_integers(state.scratch, count if state.vocabulary.has_durations else 0)
    if state.vocabulary.has_durations and turn_order != "cycle":
        for a in range(count):
            if state.agent_rows[a, ACTIVE] != 0 and (turn_order != "chosen" or acts(turn, a)):
                begun[a] = 1 if take_time(state.seen_by(a), params, legal=legal) else 0
    if conflicts == "nobody" and turn_order != "cycle":
        cancel_conflicts(state)
    a = first_in_order(state, turn_order=turn_order) - 1
    order = random_order(state, turn_order=turn_order, conflicts=conflicts)
    used = state.scratch[0]  # scratch memory is freed after each rule
    waiting = True
    for i in range(count):
        a = int(order[i]) if order.shape[0] != 0 else follower(a, count)
        chosen = turn_order != "chosen" or acts(turn, a)
        if waiting and chosen and state.agent_rows[a, ACTIVE] != 0:
            if turn_order == "cycle":
                waiting = False
                state.data[TURN] = a  # as when its legal actions were listed
                if state.vocabulary.has_durations:
                    take_time(state.seen_by(a), params, legal=legal)
            waits = state.vocabulary.has_durations and takes_time(int(state.agent_rows[a, RESULT]))
            if waits or state.agent_rows[a, RESULT] == 0:
                view, action = state.seen_by(a), to_action(int(state.agent_rows[a, ACTION]), state.vocabulary)
                was_begun = state.vocabulary.has_durations and begun[a] != 0
                refuses = has_legal and (illegal != "attempt" or was_begun) and not waits
                refused = refuses and not legal(view, action, params)
                if turn_order == "cycle" and not (refused and illegal == "ignore"):
                    state.data[TURN] = follower(a, count)
                if refused:
                    attempt_illegal(view, begun=was_begun, illegal=illegal)
                else:
                    state.scratch[0] = used
                    transition(view, action, params)
                state.scratch[0] = used
        elif turn_order == "cycle":
            state.agent_rows[a, ACTION] = WAITING
    world_transition(state, to_action(int(state.agent_rows[0, ACTION]), state.vocabulary), params)
    state.scratch[0] = used
    if turn_order != "chosen" and state.data[TURN] < 0:
        raise ValueError("state.acting is edited by rules of worlds with turn_order: chosen")
    state.data[TICK] += 1
    ended = bool(
        evaluate(
            state_before_step(before, state, has_user_code=has_user_code), state, params, rewards, terminated
        )
    )
    if has_legal and not ended:
        ended = not next_turn(state, params, actions, turn_order=turn_order, can_act=can_act)
        if ended:
            for a in range(count):
                terminated[a] = 1
    return ended


def evaluate_several(
    before: State, state: State, params: Any, rewards: Any, terminated: Any, *,
    reward: Any, terminating: Any, any_ends: bool, team: bool,
) -> bool:  # fmt: skip
    """Write rewards and terminations of the agents; return whether the episode has ended."""
    used, total, finished = state.scratch[0], 0.0, False
    for a in range(state.agent_rows.shape[0]):
        rewards[a] = 0.0
        terminated[a] = 1
        if before.agent_rows[a, ACTIVE] != 0:
            action = to_action(int(state.agent_rows[a, ACTION]), state.vocabulary)
            rewards[a] = plain_float(reward(before.seen_by(a), action, state.seen_by(a), params))
            state.scratch[0] = used
            over = terminating(before.seen_by(a), action, state.seen_by(a), params)
            state.scratch[0] = used
            finished = finished or over
            terminated[a] = 1 if over or state.agent_rows[a, ACTIVE] == 0 else 0
            total += rewards[a]
        elif state.agent_rows[a, ACTIVE] != 0:
            raise ValueError(
                "an agent that has left is active again; who leaves an episode does not come back"
            )
    return settle(state, rewards, terminated, total, any_ends and finished, team=team)


def first_in_order(state: State, *, turn_order: str) -> int:
    """The agent that acts first in a tick, unless the order is random; the others follow by their numbers."""
    count = state.agent_rows.shape[0]
    if turn_order == "cycle":
        return in_cycle(int(state.data[TURN]), count)
    if turn_order == "rotating":
        return int(state.data[TICK]) % count
    return 0


def random_order(state: State, *, turn_order: str, conflicts: str) -> Any:
    """The indices of the agents in the order in which they act, if it is random; else an empty array."""
    if conflicts == "random" and turn_order != "cycle":
        return state.stream(CONFLICT_PURPOSE).permutation(state.agent_rows.shape[0])
    return new_integers(state.scratch, 0)


def settle(state: State, rewards: Any, terminated: Any, total: float, ends: bool, *, team: bool) -> bool:
    """Update active agents, distribute rewards, and return whether the episode ends."""
    count = state.agent_rows.shape[0]
    gone = 0
    for a in range(count):
        if terminated[a] != 0:
            gone += 1
    ended = ends or gone == count
    for a in range(count):
        if ended:
            terminated[a] = 1
        elif terminated[a] != 0:
            state.agent_rows[a, ACTIVE] = 0
        if team:
            rewards[a] = plain_float(total)
    return ended


def cancel_conflicts(state: State) -> None:
    """Cancel the moves of agents that would enter the same cell or exchange positions."""
    count = state.agent_rows.shape[0]
    for a in range(count):
        for b in range(a):
            if state.agent_rows[a, ACTIVE] != 0 and state.agent_rows[b, ACTIVE] != 0:
                p, q = target_position(state, a), target_position(state, b)
                here, there = state.seen_by(a).agent.position, state.seen_by(b).agent.position
                moved = p != here and q != there
                if moved and (p == q or (p == there and q == here)):
                    state.agent_rows[a, RESULT] = CONFLICT_RESULT
                    state.agent_rows[b, RESULT] = CONFLICT_RESULT


def target_position(state: State, a: int) -> Position:
    """The position that an agent's action leads to."""
    agent = state.seen_by(a).agent
    return get_next_position(agent.position, agent.orientation, agent.action)
