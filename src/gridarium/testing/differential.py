"""Compares interpreted and compiled rules: `compare("transition", rule, states)`.

A rule of any kind is compiled once for the vocabulary of the given states and called on copies of each of them, with
every action and every agent's point of view. States (as bytes), results and exceptions must be equal.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, TypeAlias, overload

import numpy as np
import numpy.typing as npt

from gridarium.compiled.cache.watched_globals import StaleProgramError, Watched
from gridarium.compiled.compile import compile_standalone
from gridarium.compiled.data_types.primitives import fill_words
from gridarium.compiled.data_types.random import OWN_STREAM
from gridarium.compiled.numba_backend.error_messages import explain
from gridarium.compiled.source_pass.source import Unsupported
from gridarium.rules.legal_functions import legal_function_registry
from gridarium.rules.registry import FunctionRegistry
from gridarium.testing.problems import named
from gridarium.world.action_arguments import Actions, to_action
from gridarium.world.action_mask import (
    ActionMask,
    as_bools,
    blank_mask,
    clear_filled,
    mask_words,
    new_words,
    spread_bits,
)
from gridarium.world.actions import Action
from gridarium.world.agent import Agent
from gridarium.world.field_array import FieldArray, Layout
from gridarium.world.geometry import Position
from gridarium.world.grid import Grid
from gridarium.world.state import PURPOSE, Observation, State, clear
from gridarium.world.vocabulary import Vocabulary

LEADING = {
    "reset": ("state",),
    "transition": ("state", "action"),
    "reward": ("state", "action", "next_state"),
    "terminating": ("state", "action", "next_state"),
    "observation": ("state",),
    "visibility": ("grid", "position"),
    "sensor": ("state", "measurement"),
    "legal": ("state", "action"),
    "outcome": ("state",),
    "array": ("state", "array"),
}
CHOOSING = ("action", "measurement")
"""The actions that a rule is run with, and measurements with the same numbers."""
ALL_ACTIONS = tuple(Action(i) for i in range(13))


def compare(
    kind: str,
    rule: Callable[..., Any],
    states: Iterable[State],
    *,
    actions: Sequence[Action] = ALL_ACTIONS,
    every_agent: bool = True,
    layout: Layout | None = None,
) -> list[Any]:
    """Run a rule interpreted and compiled and compare the results. All states share one vocabulary.

    Rewards and terminations get each state together with the following one as the next state. Reset rules get cleared
    states. Sensors are evaluated for measurements with the numbers of the actions. Rules that fill masks get blank ones of
    `actions`, which must be a world's. Array rules get one of zeros with the shape and type of `layout`.

    Returns:
        the interpreted results, case by case: the edited state (reset, transition), the number or bool, the
        observation, the mask (bool[actions] of rules that fill masks), the array (int64[items], floats as their bits); or the
        exception that both raised.

    Raises:
        AssertionError: they differ in some case.
        Unsupported: it cannot be compiled.
    """
    given = list(states)
    call, leading = _call_of(kind, rule), LEADING[kind]
    params = np.zeros(1 if layout is None else layout.size, np.int64)
    if kind == "array" and layout is None:
        raise TypeError("an array rule is compared with layout=..., as in world.spec.observations")
    if call is _call_fill:
        if not isinstance(actions, Actions):
            raise TypeError("a rule that fills masks is compared with actions=world.actions")
        params = blank_mask(actions, filled_by(rule, actions)).params
        actions = actions[:1]
    known, compiled = _linked(kind, rule, given[0].vocabulary, layout)
    outcomes = []
    for state, following in zip(given, [*given[1:], given[0]], strict=True):
        for focus in range(len(state.agents) if every_agent else 1):
            for action in actions if {*CHOOSING} & {*leading} else (Action.WAIT,):
                case = (focus, action.value)
                try:
                    outcomes.append(_compare(call, compiled, known, (state, following, params), case))
                except _Differs as found:
                    where = f"agent {focus}, action {action.name}, on\n{state}"
                    raise AssertionError(f"{named(rule, kind)}: {found.what}; {where}{found.both}") from None
    return outcomes


Rule: TypeAlias = Callable[..., Any]
Chosen: TypeAlias = Action | int
Next: TypeAlias = State | None


@overload
def run_compiled(
    kind: Literal["reset", "transition"],
    rule: Rule,
    state: State,
    action: Chosen = ...,
    next_state: Next = ...,
) -> State: ...


@overload
def run_compiled(
    kind: Literal["reward", "sensor", "outcome"],
    rule: Rule,
    state: State,
    action: Chosen = ...,
    next_state: Next = ...,
) -> float: ...


@overload
def run_compiled(
    kind: Literal["terminating"], rule: Rule, state: State, action: Chosen = ..., next_state: Next = ...
) -> bool: ...


@overload
def run_compiled(
    kind: Literal["observation"], rule: Rule, state: State, action: Chosen = ..., next_state: Next = ...
) -> Observation: ...


@overload
def run_compiled(
    kind: Literal["visibility"], rule: Rule, state: State, action: Chosen = ..., next_state: Next = ...
) -> npt.NDArray[np.bool_]: ...


def run_compiled(
    kind: str,
    rule: Rule,
    state: State,
    action: Chosen = Action.WAIT,
    next_state: Next = None,
) -> Any:
    """Run one rule, compiled by itself, on one state; for the agent in focus (`state.seen_by(a)`).

    It is compiled at the first call for a set of objects, colors and fields, which takes some seconds, and is not
    cached on disk.

    Args:
        kind: "reset", "transition", "reward", "terminating", "observation", "visibility", "sensor", "legal" or
            "outcome".
        rule: the rule, with all but its leading parameters bound.
        state: the state, which is not modified; visibility rules get its grid and the agent's position.
        action: for transitions, rewards, terminations and legal rules; for sensors the number of the measurement.
        next_state: for rewards and terminations.

    Returns:
        the state after it (reset, transition), float (reward, sensor, outcome), bool (terminating, legal), `Observation`, or
        bool[height, width] (visibility).

    Raises:
        ValueError: an unknown kind, rewards and terminations without a next state, or a rule that fills masks or arrays (see
            `compare`).
        Unsupported: the rule cannot be compiled.
        Exception: raised by the rule.

    Example:
        >>> world = World("KeyDoor-9x9")
        >>> run_compiled("transition", turn_agent, world.reset(seed=0), Action.TURN_LEFT).agent.orientation
    """
    if kind not in _CALLS:
        raise ValueError(f"a rule is of kind {', '.join(_CALLS)}, not {kind!r}")
    if "next_state" in LEADING[kind] and next_state is None:
        raise ValueError(f"a {kind} rule takes next_state as well")
    if kind == "array" or _call_of(kind, rule) is _call_fill:
        raise ValueError("a rule that fills masks or arrays is run by compare(), which takes their forms")
    call, vocabulary, case = (
        _CALLS[kind],
        state.vocabulary,
        (state.focus, action if isinstance(action, int) else action.value),
    )
    known, compiled = _linked(kind, rule, vocabulary)
    mine, following = state.copy(), state if next_state is None else next_state
    # it gives the size of an observation, and raises the errors
    params = np.zeros(1, np.int64)
    outcome, failure = _interpreted(call, known, (state.copy(), following.copy(), params), case)
    if failure is not None:
        raise failure
    out = _room_for(call, outcome, vocabulary)
    _call_compiled(compiled, _arrays(mine, following.copy(), params), case, out)
    if kind in ("reset", "transition"):
        return mine
    if kind == "observation":
        cells, layers, agent_row = out
        return Observation(
            Grid(cells, layers, np.zeros(0, np.int64), vocabulary), Agent(agent_row, vocabulary, 0)
        )
    return (
        out[0].astype(np.bool_)
        if kind == "visibility"
        else (bool if kind in ("terminating", "legal") else float)(out[0][0])
    )


def _linked(
    kind: str, rule: Callable[..., Any], vocabulary: Vocabulary, layout: Layout | None = None
) -> tuple[dict[str, Any], Any]:
    """The arguments bound to the function that calls a rule of a kind, and that function compiled."""
    takes_rng = FunctionRegistry(kind, LEADING[kind]).takes_rng(rule)
    known = {"rule": rule, "takes_rng": takes_rng, "vocabulary": vocabulary}
    known |= {} if layout is None else {"layout": layout}
    linker = _linker_for(rule, vocabulary)
    linker.begin()
    return known, compile_standalone(linker.link_whole(functools.partial(_call_of(kind, rule), **known)))


class _Differs(Exception):
    """A difference between interpreted and compiled, with both results."""

    def __init__(self, what: str, interpreted: Any = None, compiled: Any = None) -> None:
        self.what = what
        self.both = "" if interpreted is None else f"\ninterpreted\n{interpreted}\ncompiled\n{compiled}"


def _compare(
    call: Any, compiled: Any, known: dict[str, Any], given: tuple[State, State, Any], case: tuple[int, int]
) -> Any:
    state, following, params = given
    mine, its = state.copy(), state.copy()
    outcome, failure = _interpreted(call, known, (mine, following.copy(), params), case)
    out = _room_for(call, outcome, known["vocabulary"])
    try:
        _call_compiled(compiled, _arrays(its, following.copy(), params), case, out)
    except Unsupported:
        raise
    except Exception as error:
        if failure is None:
            raise _Differs(f"compiled it raised {error!r}, interpreted it did not") from error
        return failure
    if failure is not None:
        raise _Differs(f"interpreted it raised {failure!r}, compiled it did not")
    if mine.tobytes() != its.tobytes():
        raise _Differs("the resulting states differ between interpreted and compiled", mine, its)
    for wanted, got in zip(_flat(outcome), out, strict=False):
        if not np.array_equal(wanted, got, equal_nan=got.dtype.kind == "f"):
            raise _Differs("the results differ between interpreted and compiled", wanted, got)
    return mine if outcome is None else outcome


def _call_compiled(
    compiled: Any, arrays: tuple[Any, ...], case: tuple[int, int], out: tuple[Any, ...]
) -> None:
    """Call a compiled function, which is compiled when it is called first.

    Raises:
        Unsupported: its types do not fit, in the words in which a world tells it.
    """
    try:
        compiled(arrays, case, out)
    except Exception as error:
        if not type(error).__module__.startswith("numba."):
            raise
        told = Unsupported(explain(str(error)))
        told.args = (told.reason,)
        raise told from error


def _interpreted(
    call: Any, known: dict[str, Any], given: tuple[State, State, Any], case: tuple[int, int]
) -> Any:
    returned: list[Any] = []
    recorded = functools.partial(_recorded, known["rule"], returned)
    try:
        call(_arrays(*given), case, (_Sink(), _Sink(), _Sink()), **{**known, "rule": recorded})
    except Exception as error:
        return None, error
    return None if call in (_call_reset, _call_transition) else returned[0], None


def _recorded(rule: Callable[..., Any], returned: list[Any], *args: Any, **given: Any) -> Any:
    outcome = rule(*args, **given)
    last = args[-1]
    filled = as_bools(last) if isinstance(last, ActionMask) else outcome
    returned.append(last.row.copy() if isinstance(last, FieldArray) else filled)
    return outcome


class _Sink:
    """Discards the output of an interpreted call, whose result is available directly."""

    shape = (0, 0, 0)

    def __setitem__(self, place: Any, thing: Any) -> None:
        pass


def _flat(outcome: Any) -> tuple[Any, ...]:
    """The result of a rule, as arrays."""
    if outcome is None:
        return (np.zeros(1),)
    if hasattr(outcome, "grid"):
        return (outcome.grid.cells, outcome.grid.layers, outcome.agent.agent_row)
    if isinstance(outcome, np.ndarray):
        return (outcome if outcome.dtype == np.int64 else outcome.astype(np.uint8),)
    if not isinstance(outcome, bool | int | float | np.generic):
        raise _Differs(f"it returns {outcome!r}, which is not a number")
    return (np.array([float(outcome)]),)


def _room_for(call: Any, outcome: Any, vocabulary: Vocabulary) -> tuple[Any, ...]:
    """Arrays for the result of a rule; small ones of the same types if it raised."""
    if outcome is None and call is _call_observation:
        outcome = Observation(
            Grid.from_shape((1, 1), vocabulary=vocabulary), Agent.at(Position(0, 0), vocabulary=vocabulary)
        )
    if outcome is None and call is _call_visibility:
        outcome = np.zeros((1, 1), np.bool_)
    return tuple(np.zeros_like(array) for array in _flat(outcome))


def _arrays(state: State, following: State, params: Any) -> tuple[Any, ...]:
    state.scratch[0] = state.scratch[OWN_STREAM] = 0
    own = (state.cells, state.layers, state.data, state.agent_rows, state.scratch)
    return (*own, following.cells, following.layers, following.data, following.agent_rows, params)


def _linker_for(rule: Callable[..., Any], vocabulary: Vocabulary) -> Any:
    """The linker of a vocabulary; another one if globals have changed since it has compiled rules that read them."""
    kinds = tuple(vocabulary.kinds.values())
    linker, watched = _linker(vocabulary, kinds)
    try:
        for one in watched.values():
            one.check("")
    except StaleProgramError:
        _linker.cache_clear()
        linker, watched = _linker(vocabulary, kinds)
    if rule not in watched:
        watched[rule] = Watched(rule, *kinds)
    return linker


@functools.cache
def _linker(vocabulary: Vocabulary, kinds: tuple[type, ...]) -> tuple[Any, dict[Callable[..., Any], Watched]]:
    """A linker for a vocabulary of these very kinds: vocabularies whose kinds have the same names and content are equal."""
    from gridarium.compiled.numba_backend.linker import Linker
    from gridarium.world.compiled.resolver import WorldResolver

    return Linker(WorldResolver(vocabulary), inner=True), {}


# One function for each kind: creates value classes from arrays, calls the rule, writes its result into `out`.


def _state(arrays: Any, focus: Any, vocabulary: Any) -> State:
    return State(arrays[0], arrays[1], arrays[2], arrays[3], arrays[4], focus, vocabulary)


def _call_reset(arrays, case, out, *, rule, takes_rng, vocabulary):  # type: ignore[no-untyped-def]
    state = _state(arrays, case[0], vocabulary)
    clear(state)
    if takes_rng:
        rule(state, rng=state.stream(RESET))
    else:
        rule(state)


def _call_transition(arrays, case, out, *, rule, takes_rng, vocabulary):  # type: ignore[no-untyped-def]
    state = _state(arrays, case[0], vocabulary)
    if takes_rng:
        rule(state, to_action(case[1], vocabulary), rng=state.stream(TRANSITION))
    else:
        rule(state, to_action(case[1], vocabulary))


def _call_judgement(arrays, case, out, *, rule, takes_rng, vocabulary):  # type: ignore[no-untyped-def]
    state = _state(arrays, case[0], vocabulary)
    following = State(arrays[5], arrays[6], arrays[7], arrays[8], arrays[4], case[0], vocabulary)
    if takes_rng:
        out[0][0] = 1.0 * rule(state, to_action(case[1], vocabulary), following, rng=state.stream(REWARD))
    else:
        out[0][0] = 1.0 * rule(state, to_action(case[1], vocabulary), following)


def _call_observation(arrays, case, out, *, rule, takes_rng, vocabulary):  # type: ignore[no-untyped-def]
    state = _state(arrays, case[0], vocabulary)
    if takes_rng:
        seen = rule(state, rng=state.stream(OBSERVATION))
    else:
        seen = rule(state)
    for y in range(seen.grid.cells.shape[0]):
        for x in range(seen.grid.cells.shape[1]):
            out[0][y, x] = seen.grid.cells[y, x]
            for k in range(seen.grid.layers.shape[0]):
                out[1][k, y, x] = seen.grid.layers[k, y, x]
    for i in range(seen.agent.agent_row.shape[0]):
        out[2][i] = seen.agent.agent_row[i]


def _call_sensor(arrays, case, out, *, rule, takes_rng, vocabulary):  # type: ignore[no-untyped-def]
    out[0][0] = 1.0 * rule(_state(arrays, case[0], vocabulary), case[1])


def _call_outcome(arrays, case, out, *, rule, takes_rng, vocabulary):  # type: ignore[no-untyped-def]
    out[0][0] = 1.0 * rule(_state(arrays, case[0], vocabulary))


def _call_array(arrays, case, out, *, rule, takes_rng, vocabulary, layout):  # type: ignore[no-untyped-def]
    state = _state(arrays, case[0], vocabulary)
    row = arrays[9]
    fill_words(row, 0)
    if takes_rng:
        rule(state, FieldArray(row, 0, layout), rng=state.stream(ARRAY))
    else:
        rule(state, FieldArray(row, 0, layout))
    for i in range(layout.size):
        out[0][i] = row[i]


def _call_legal(arrays, case, out, *, rule, takes_rng, vocabulary):  # type: ignore[no-untyped-def]
    out[0][0] = 1.0 * rule(_state(arrays, case[0], vocabulary), to_action(case[1], vocabulary))


def _call_fill(arrays, case, out, *, rule, takes_rng, vocabulary):  # type: ignore[no-untyped-def]
    state = _state(arrays, case[0], vocabulary)
    mask = ActionMask(new_words(state.scratch, mask_words(arrays[9], 0)), arrays[9], 0)
    clear_filled(mask)
    rule(state, mask)
    spread_bits(mask.words, out[0])


def filled_by(rule: Callable[..., Any], actions: Actions) -> list[Action]:
    """The actions that a legal rule fills, of a world's; none of a plain rule."""
    names = legal_function_registry.fills(rule)
    return [a for a in actions.listed if names is not None and (not names or a.name in names)]


def _call_of(kind: str, rule: Callable[..., Any]) -> Any:
    """The function that calls a rule."""
    fills = kind == "legal" and legal_function_registry.fills(rule) is not None
    return _call_fill if fills else _CALLS[kind]


def _call_visibility(arrays, case, out, *, rule, takes_rng, vocabulary):  # type: ignore[no-untyped-def]
    state = _state(arrays, case[0], vocabulary)
    if takes_rng:
        mask = rule(state.grid, state.agent.position, rng=state.stream(VISIBILITY))
    else:
        mask = rule(state.grid, state.agent.position)
    for y in range(mask.shape[0]):
        for x in range(mask.shape[1]):
            out[0][y, x] = 1 if mask[y, x] else 0


RESET, TRANSITION, REWARD = PURPOSE["reset"], PURPOSE["transition"], PURPOSE["reward"]
OBSERVATION, VISIBILITY, ARRAY = PURPOSE["observation"], PURPOSE["visibility"], PURPOSE["array"]
_CALLS: dict[str, Any] = {
    "reset": _call_reset,
    "transition": _call_transition,
    "reward": _call_judgement,
    "terminating": _call_judgement,
    "observation": _call_observation,
    "visibility": _call_visibility,
    "sensor": _call_sensor,
    "legal": _call_legal,
    "outcome": _call_outcome,
    "array": _call_array,
}
