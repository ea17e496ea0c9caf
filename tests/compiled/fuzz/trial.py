"""One rule, run interpreted and compiled as the engine runs it, on many states: the same bytes, or what differs."""

from __future__ import annotations

import contextlib
import functools
import inspect
import math
import signal
import struct
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from gridarium.compiled.compile import CompileError, compile_program
from gridarium.compiled.data_types.primitives import float64_at, int64_at, plain_float, trusted
from gridarium.compiled.data_types.random import OWN_STREAM
from gridarium.rules.registry import FunctionRegistry
from gridarium.testing.differential import LEADING
from gridarium.world import Action, State
from gridarium.world.compiled.resolver import WorldResolver
from gridarium.world.state import PURPOSE
from tests.compiled.compiling import places_of, state_at
from tests.compiled.fuzz.world import ACTIONS, WORDS, awkward_states

CASES = 50
PATIENCE = 1.0
"""Processor seconds after which interpreted code is stopped: whole numbers that are squared in a loop have no end."""
ARRAYS = ("cells", "layers", "data", "agent_rows")
PLACES = 13
"""How many words `places_of` a state has."""


@dataclass
class Trial:
    """What came of running a rule both ways.

    Attributes:
        verdict: 'same', 'refused' (it is not compiled) or 'differs'.
        detail: why it was refused, or the first case in which they differ.
        cases: in how many cases it was run.
        raised: in how many of them it raised, interpreted and compiled.
        again: in how many it raised compiled only; the engine runs these steps interpreted.
    """

    verdict: str
    detail: str = ""
    cases: int = 0
    raised: int = 0
    again: int = 0


def attempt(rule: Callable[..., Any]) -> Trial:
    """Run a rule both ways in `CASES` cases: a transition or, if it has a parameter `next_state`, a reward."""
    kind = "reward" if "next_state" in inspect.signature(rule).parameters else "transition"
    known = {"takes_rng": FunctionRegistry(kind, LEADING[kind]).takes_rng(rule), "vocabulary": WORDS}
    call = functools.partial(CALLS[kind], rule=rule, **known)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            entry = compile_program(
                call, WorldResolver(WORDS), name="trial", text="", frame_length=PLACES + 2, quiet=True
            )
        except CompileError as error:
            return Trial("refused", str(error))
        return _compared(call, entry)


def _compared(call: Any, entry: Any) -> Trial:
    mine, its, trial = Arena(), Arena(), Trial("same")
    for case in range(CASES):
        trial.cases += 1
        compiled_failure = its.run(entry, case, compiled=True)
        with _limited():
            failure = mine.run(call, case)
        if isinstance(failure, TooLong) and compiled_failure is not None:
            trial.again += 1
            return trial
        if failure is not None and compiled_failure is not None:
            trial.raised += 1
        elif compiled_failure is not None:
            trial.again += 1
        elif trial.verdict == "same" and (difference := _difference(mine, its, failure)) is not None:
            trial.verdict, trial.detail = "differs", f"case {case}: {difference}"
    return trial


def _difference(mine: Arena, its: Arena, failure: BaseException | None) -> str | None:
    if failure is not None:
        return f"interpreted it raises {failure!r}, compiled it does not"
    given, again = float(mine.result[0]), float(its.result[0])
    if struct.pack("d", given) != struct.pack("d", again) and not (math.isnan(given) and math.isnan(again)):
        return f"interpreted {given!r}, compiled {again!r}"
    for name in ARRAYS:
        one, other = getattr(mine.state, name), getattr(its.state, name)
        if one.tobytes() != other.tobytes():
            return f"{name}: {_told(mine.state, its.state)}"
    return None


def _told(mine: State, its: State) -> str:
    """The fields that differ, and otherwise that something does."""
    pairs = [(f"state.{f.name}", getattr(mine, f.name), getattr(its, f.name)) for f in WORDS.world_fields]
    for i in range(len(mine.agents)):
        names = [f.name for f in WORDS.agent_fields] + ["position", "orientation", "grid_object", "result"]
        pairs += [(f"agent {i}.{n}", getattr(mine.agents[i], n), getattr(its.agents[i], n)) for n in names]
    for p in mine.grid.positions():
        pairs.append((f"cell {p.yx}", mine.grid[p], its.grid[p]))
        for f in WORDS.cell_fields:
            pairs.append((f"{f.name} {p.yx}", mine.grid.number(f.name, p), its.grid.number(f.name, p)))
    found = [f"{name} interpreted {a!r}, compiled {b!r}" for name, a, b in pairs if repr(a) != repr(b)]
    return "; ".join(found[:3]) or "bytes that no field shows"


class TooLong(BaseException):
    """Interpreted code has run for `PATIENCE` processor seconds."""


def _stop(signum: int, frame: Any) -> None:
    raise TooLong


@contextlib.contextmanager
def _limited() -> Iterator[None]:
    """With `TooLong` raised in what takes more than `PATIENCE` processor seconds."""
    signal.signal(signal.SIGPROF, _stop)
    signal.setitimer(signal.ITIMER_PROF, PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)


class Arena:
    """A state, the one after it, and room for a result: where a rule runs, time and again."""

    def __init__(self) -> None:
        self.state, self.following = _states()[0].copy(), _states()[0].copy()
        self.result = np.zeros(1)
        self.following_places = places_of(self.following)
        rows = (self.following_places, self.result)
        self.frame = np.array([*places_of(self.state), *(row.__array_interface__["data"][0] for row in rows)])

    def run(self, function: Any, case: int, *, compiled: bool = False) -> BaseException | None:
        """Run a rule in a case; gives what it raised."""
        states = _states()
        for target, source in ((self.state, states[case]), (self.following, states[(case + 1) % CASES])):
            for name in ARRAYS:
                np.copyto(getattr(target, name), getattr(source, name))
            target.scratch[0] = target.scratch[OWN_STREAM] = 0
        self.frame[PLACES - 1] = self.following_places[PLACES - 1] = case // 2 % 2
        self.result[0] = 0.0
        frame = self.frame.__array_interface__["data"][0] if compiled else self.frame
        try:
            function(frame, 0, 0, ACTIONS[case % len(ACTIONS)].value, 0)
        except (Exception, TooLong) as error:
            return error
        return None


@functools.cache
def _states() -> list[State]:
    return awkward_states(CASES)


@trusted
def _transition(frame, slot, first, last, mode, *, rule, takes_rng, vocabulary):  # type: ignore[no-untyped-def]
    state = state_at(frame, vocabulary)
    if takes_rng:
        rule(state, Action(last), rng=state.stream(TRANSITION))
    else:
        rule(state, Action(last))
    return 0


@trusted
def _reward(frame, slot, first, last, mode, *, rule, takes_rng, vocabulary):  # type: ignore[no-untyped-def]
    state = state_at(frame, vocabulary)
    following = state_at(int64_at(frame[13], (13,)), vocabulary)
    if takes_rng:
        given = rule(state, Action(last), following, rng=state.stream(REWARD))
    else:
        given = rule(state, Action(last), following)
    float64_at(frame[14], (1,))[0] = plain_float(1.0 * given)
    return 0


TRANSITION, REWARD = PURPOSE["transition"], PURPOSE["reward"]
CALLS: dict[str, Any] = {"transition": _transition, "reward": _reward}
