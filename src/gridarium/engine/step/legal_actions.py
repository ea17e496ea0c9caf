"""Which actions are legal: answers of plain legal rules, one by one, and masks that rules fill; part of the kernel.

Worlds without legal rules use nothing of it. Those with rules that fill masks have the functions called `..._filled`.
"""

from __future__ import annotations

from typing import Any

from gridarium.compiled.data_types.primitives import outlined
from gridarium.compiled.data_types.random import KEPT_MASK
from gridarium.engine.step.turns import WAITING
from gridarium.world.action_arguments import to_action
from gridarium.world.action_mask import (
    ActionMask,
    allows,
    any_bits,
    clear_filled,
    copy_bits,
    keep_words,
    kept_words,
    mask_words,
    new_words,
    some_lack,
    spread_bits,
)
from gridarium.world.actions import Action
from gridarium.world.agent import ACTIVE, BUSY
from gridarium.world.state import State

KEPT_AGENTS = 256
"""More than the number of agents: a mask that is kept is noted as its position times this, plus the agent."""


def always_legal(state: State, action: Action, params: Any) -> bool:
    """The legal rule of worlds that have none."""
    return True


def is_busy(state: State, a: int) -> bool:
    """Whether agent `a` is in the middle of an action that takes time, in which it waits."""
    return state.vocabulary.has_durations and state.agent_rows[a, BUSY] != 0


def can_wait(a: int, actions: Any) -> bool:
    """Whether agent `a` has WAIT among its actions, int64[agents, actions]."""
    for i in range(actions.shape[1]):
        if actions[a, i] == WAITING:
            return True
    return False


def can_act(state: State, a: int, params: Any, actions: Any, *, legal: Any) -> bool:
    """Whether agent `a` takes part and has a legal action, of int64[agents, actions]."""
    if state.agent_rows[a, ACTIVE] == 0:
        return False
    if is_busy(state, a):
        return True
    view, used = state.seen_by(a), state.scratch[0]
    for i in range(actions.shape[1]):
        value = int(actions[a, i])
        if value >= 0 and legal(view, to_action(value, state.vocabulary), params):
            state.scratch[0] = used
            return True
        state.scratch[0] = used
    return False


@outlined
def list_legal(state: State, a: int, params: Any, actions: Any, listed: Any, *, legal: Any) -> int:
    """Write the indices of the legal actions of agent `a` to `listed`, int64[actions], and return their number."""
    view, used, count = state.seen_by(a), state.scratch[0], 0
    for i in range(actions.shape[1]):
        value = int(actions[a, i])
        if value >= 0 and legal(view, to_action(value, state.vocabulary), params):
            listed[count] = i
            count += 1
        state.scratch[0] = used
    return count


def write_mask(
    state: State, a: int, params: Any, actions: Any, row: Any, *, packed: bool, ended: bool, legal: Any
) -> None:
    """Write which actions of agent `a` are legal: all that it has after the end of an episode, only waiting while it is busy.

    If it cannot wait, all that it has are, as what it chooses has no effect. `row`, uint8[n], gets a byte for each action, or if it is `packed` a bit, the lowest first.
    """
    view, active, used, count = (
        state.seen_by(a),
        state.agent_rows[a, ACTIVE] != 0,
        state.scratch[0],
        actions.shape[1],
    )
    busy, bits = active and not ended and is_busy(state, a), 0
    for i in range(count):
        value = int(actions[a, i])
        if busy:
            yes = value == WAITING or (value >= 0 and not can_wait(a, actions))
        else:
            yes = value >= 0 and (
                ended or (active and legal(view, to_action(value, state.vocabulary), params))
            )
        state.scratch[0] = used
        if not packed:
            row[i] = 1 if yes else 0
            continue
        bits |= (1 if yes else 0) << (i & 7)
        if i & 7 == 7 or i == count - 1:
            row[i >> 3], bits = bits, 0


# with rules that fill masks


def is_legal_filled(
    state: State, action: Action, params: Any, *, legal: Any, fill: Any, layout: int, asks: bool
) -> bool:
    """Whether the agent in focus may take an action.

    `asks` is whether there are plain legal rules as well, and the actions' layout begins at `params[layout]`.
    """
    used = state.scratch[0]
    mask = filled_mask(state, params, fill=fill, layout=layout)
    allowed = allows(mask, action.value) and (not asks or legal(state, action, params))
    state.scratch[0] = used
    return bool(allowed)


def can_act_filled(
    state: State, a: int, params: Any, actions: Any, *, legal: Any, fill: Any, layout: int, asks: bool
) -> bool:
    """As `can_act`; the mask stays in scratch memory for `write_mask_filled`, until other memory is taken."""
    if state.agent_rows[a, ACTIVE] == 0:
        return False
    if is_busy(state, a):
        return True
    used = state.scratch[0]
    mask = legal_mask(state.seen_by(a), params, actions, legal=legal, fill=fill, layout=layout, asks=asks)
    state.scratch[KEPT_MASK] = keep_words(state.scratch, used, mask.words) * KEPT_AGENTS + a
    state.scratch[0] = used
    return any_bits(mask.words)


def write_mask_filled(
    state: State, a: int, params: Any, actions: Any, row: Any, *,
    packed: bool, ended: bool, legal: Any, fill: Any, layout: int, asks: bool,
) -> None:  # fmt: skip
    """As `write_mask`."""
    if ended or state.agent_rows[a, ACTIVE] == 0 or is_busy(state, a):
        write_mask(state, a, params, actions, row, packed=packed, ended=ended, legal=always_legal)
        return
    used, kept = state.scratch[0], state.scratch[KEPT_MASK]
    state.scratch[KEPT_MASK] = 0
    if kept >= KEPT_AGENTS and kept % KEPT_AGENTS == a:
        words = kept_words(state.scratch, kept // KEPT_AGENTS, mask_words(params, layout))
    else:
        words = legal_mask(
            state.seen_by(a), params, actions, legal=legal, fill=fill, layout=layout, asks=asks
        ).words
    if packed:
        copy_bits(words, row)
    else:
        spread_bits(words, row)
    state.scratch[0] = used


@outlined
def list_legal_filled(
    state: State, a: int, params: Any, actions: Any, listed: Any, *,
    legal: Any, fill: Any, layout: int, asks: bool,
) -> int:  # fmt: skip
    """As `list_legal`."""
    used, count = state.scratch[0], 0
    words = legal_mask(
        state.seen_by(a), params, actions, legal=legal, fill=fill, layout=layout, asks=asks
    ).words
    for w in range(words.shape[0]):
        rest, i = int(words[w]), 32 * w
        while rest != 0:
            if rest & 255 == 0:
                rest >>= 8
                i += 8
                continue
            if rest & 1 != 0:
                listed[count] = i
                count += 1
            rest >>= 1
            i += 1
    state.scratch[0] = used
    return count


def filled_mask(state: State, params: Any, *, fill: Any, layout: int) -> ActionMask:
    """The mask of the agent in focus as the rules that fill masks leave it, in scratch memory."""
    mask = ActionMask(new_words(state.scratch, mask_words(params, layout)), params, layout)
    clear_filled(mask)
    used = state.scratch[0]
    fill(state, mask, params)
    state.scratch[0] = used
    return mask


@outlined
def legal_mask(
    state: State, params: Any, actions: Any, *, legal: Any, fill: Any, layout: int, asks: bool
) -> ActionMask:
    """The mask of the agent in focus, without what plain legal rules forbid, and without actions that it lacks.

    Plain rules are asked only where the other ones have left a yes.
    """
    mask = filled_mask(state, params, fill=fill, layout=layout)
    if not asks and not some_lack(params, layout):
        return mask
    used = state.scratch[0]
    for w in range(mask.words.shape[0]):
        rest, legal_bits, i = int(mask.words[w]), 0, 0
        while rest != 0:
            if rest & 255 == 0:
                rest >>= 8
                i += 8
                continue
            if rest & 1 != 0:
                value = int(actions[state.focus, 32 * w + i])
                if value >= 0 and (not asks or legal(state, to_action(value, state.vocabulary), params)):
                    legal_bits |= 1 << i
                state.scratch[0] = used
            rest >>= 1
            i += 1
        mask.words[w] = legal_bits
    return mask
