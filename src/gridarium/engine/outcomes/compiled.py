"""Compiled enumeration of the outcomes of many steps: every next state with its probability."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gridarium.compiled.compile import cached_program, compile_program
from gridarium.compiled.compiled_program import CompiledProgram
from gridarium.compiled.data_types.branching import MAX_BRANCHES, SCRIPT_WORDS
from gridarium.compiled.data_types.random import CLOCK_READ
from gridarium.engine.composed_world import ComposedWorld
from gridarium.engine.kernel_args import address
from gridarium.engine.outcomes import kernel
from gridarium.engine.outcomes.kernel import DONE, FAILED, FRAME_LENGTH, TOO_MANY, OutcomeArg
from gridarium.engine.outcomes.state_rows import Rows
from gridarium.engine.step.kernel import RUNNING
from gridarium.rules.outcomes import NotEnumerable
from gridarium.world.compiled.resolver import WorldResolver
from gridarium.world.state import ENDED

FIRST_CAPACITY = 256


class OutcomeBatch(NamedTuple):
    """The outcomes of n steps, concatenated step by step, in the order in which random draws are tried.

    Attributes:
        counts: int64[n]: the number of outcomes of each step; 0 for those that cannot be enumerated.
        rows: cells, layers, data and agent rows of the next states, each [outcomes, ...].
        probabilities: float64[outcomes].
        rewards: float64[outcomes, agents].
        clock_read: whether a rule has read the tick or episode of any of the states.
        refused: the steps that cannot be enumerated, with the reasons.
    """

    counts: npt.NDArray[np.int64]
    rows: Rows
    probabilities: npt.NDArray[np.float64]
    rewards: npt.NDArray[np.float64]
    clock_read: bool
    refused: Mapping[int, NotEnumerable]


class CompiledEnumerator:
    """Enumerates the outcomes of steps in a world with its own memory: not thread-safe.

    Args:
        composed: the composed world.
        entry: see `find_entry`.
    """

    def __init__(self, composed: ComposedWorld, entry: CompiledProgram) -> None:
        self._entry, self._params, self._table = entry, composed.params, composed.action_table
        self._composed = composed
        self._scratch = np.zeros(composed.scratch_words + SCRIPT_WORDS, np.int64)
        self._terminated = np.zeros(composed.agents, np.uint8)
        self._frame = np.zeros(FRAME_LENGTH, np.int64)
        self._frame_address, self._capacity = address(self._frame), 0
        self._set_arguments(
            {
                OutcomeArg.HEIGHT: composed.shape.height,
                OutcomeArg.WIDTH: composed.shape.width,
                OutcomeArg.SCRATCH: len(self._scratch),
                OutcomeArg.SCRATCH_ARRAY: address(self._scratch),
                OutcomeArg.PARAM_ARRAY: address(self._params),
                OutcomeArg.PARAM_COUNT: len(self._params),
                OutcomeArg.TIME_LIMIT: composed.time_limit,
                OutcomeArg.TERMINATED: address(self._terminated),
                OutcomeArg.ACTION_TABLE: address(self._table),
                OutcomeArg.ACTION_COUNT: self._table.shape[1],
            }
        )

    def enumerate(
        self, rows: Rows, actions: npt.NDArray[np.int64]
    ) -> tuple[OutcomeBatch, npt.NDArray[np.int64]]:
        """Enumerate the outcomes of steps from n states.

        Args:
            rows: cells, layers, data and agent rows of the states, each [n, ...]; not modified.
            actions: int64[n, agents]: indices of actions that the agents have.

        Returns:
            the outcomes; `refused` contains steps with more than `MAX_BRANCHES`.
            int64[k]: the steps that failed: a rule raised, or drew a number that does not branch; run them interpreted
            for the cause.

        Raises:
            StaleProgramError: a global that compiled rules read has changed since they were compiled.
            TypeError, ValueError: arrays of another number, type or shape, or an action that an agent does not have.
        """
        if self._composed.watched is not None:
            self._composed.watched.check(self._composed.name)
        check_steps(self._composed, rows, actions)
        states = tuple(np.array(a, order="C") for a in rows)
        states[2][:, ENDED] = RUNNING
        codes = self._table[np.arange(len(self._table)), actions]
        counts = np.zeros(len(actions), np.int64)
        if self._capacity == 0:
            self._make_room(states, FIRST_CAPACITY)
        self._set_arguments(
            {OutcomeArg.ACTIONS: address(codes), OutcomeArg.COUNTS: address(counts), OutcomeArg.FILLED: 0}
        )
        self._set_arguments({OutcomeArg.STATES + k: address(a) for k, a in enumerate(states)})
        self._scratch[CLOCK_READ] = 0
        parts: list[tuple[npt.NDArray[Any], ...]] = []
        first, last = 0, len(actions)
        while first < last or not parts:
            first = self._continue(first, last, counts)
            if first == last or self._frame[OutcomeArg.FILLED] > 0:
                parts.append(self._take())
            else:
                self._make_room(states, min(4 * self._capacity, MAX_BRANCHES))
        found, probabilities, rewards = _together(parts)
        failed, too_many = (np.flatnonzero(counts == sign) for sign in (FAILED, TOO_MANY))
        counts[counts < 0] = 0
        refused = dict.fromkeys(
            too_many.tolist(), NotEnumerable(f"draws can fall in more than {MAX_BRANCHES} ways")
        )
        clock_read = bool(self._scratch[CLOCK_READ])
        return OutcomeBatch(counts, found, probabilities, rewards, clock_read, refused), failed

    def _continue(self, first: int, last: int, counts: npt.NDArray[np.int64]) -> int:
        """Enumerate from world `first` on until memory is full; return the world at which it stopped."""
        while first < last:
            try:
                if self._entry(self._frame_address, 0, first, last, 0) == DONE:
                    return last
                return int(self._frame[OutcomeArg.WORLD])
            except Exception:  # the interpreted run of the step will raise it
                first = int(self._frame[OutcomeArg.WORLD]) + 1
                counts[first - 1] = FAILED
        return last

    def _take(self) -> tuple[npt.NDArray[Any], ...]:
        filled = int(self._frame[OutcomeArg.FILLED])
        self._frame[OutcomeArg.FILLED] = 0
        return tuple(a[:filled].copy() for a in self._memory)

    def _make_room(self, like: Rows, capacity: int) -> None:
        """Allocate memory for a number of outcomes."""
        self._capacity = capacity
        states = [np.zeros((capacity, *a.shape[1:]), a.dtype) for a in like]
        self._memory = (*states, np.zeros(capacity), np.zeros((capacity, len(self._table))))
        self._set_arguments({OutcomeArg.CAPACITY: capacity})
        self._set_arguments({OutcomeArg.OUTCOMES + k: address(a) for k, a in enumerate(self._memory)})

    def _set_arguments(self, arguments: dict[Any, int]) -> None:
        for arg_index, number in arguments.items():
            self._frame[arg_index] = number


def find_entry(composed: ComposedWorld, *, compiling: bool) -> CompiledProgram | None:
    """Load the compiled program from disk, or return None; with `compiling` it is compiled if there is none.

    Raises:
        CompileError: a rule cannot be compiled with branching draws.
        StaleProgramError: a global that rules read has changed since the world was compiled.
    """
    composed.watch()
    program = composed.program
    parts = program.parts
    run = functools.partial(
        kernel.run, tick=parts["tick"], vocabulary=parts["vocabulary"], agents=composed.agents
    )
    resolver = WorldResolver(composed.vocabulary)
    if not compiling:
        return cached_program(run, resolver, FRAME_LENGTH)
    name = f"the outcomes of {composed.name}"
    return compile_program(run, resolver, name=name, text=program.text, frame_length=FRAME_LENGTH)


def _together(parts: Sequence[tuple[npt.NDArray[Any], ...]]) -> tuple[Any, ...]:
    *rows, probabilities, rewards = (
        parts[0] if len(parts) == 1 else map(np.concatenate, zip(*parts, strict=True))
    )
    return tuple(rows), probabilities, rewards


def check_steps(composed: ComposedWorld, rows: Rows, actions: npt.NDArray[np.int64]) -> None:
    """Check the arrays for compiled code, which does not check bounds or types.

    Args:
        composed: the composed world.
        rows: cells, layers, data and agent rows of n states.
        actions: int64[n, agents]: indices of actions that the agents have.

    Raises:
        TypeError, ValueError: arrays of another number, type or shape, or an action that an agent does not have.
    """
    vocabulary, shape, table = composed.vocabulary, composed.shape, composed.action_table
    forms: dict[str, tuple[Any, tuple[int, ...]]] = {
        "cells": (np.uint32, (*shape,)),
        "layers": (np.int64, (vocabulary.layers, *shape)),
        "data": (np.int64, (vocabulary.data_length,)),
        "agent_rows": (np.int64, (composed.agents, vocabulary.agent_row_length)),
    }
    if len(rows) != len(forms):
        raise ValueError(f"states must be given as {', '.join(forms)}; got {len(rows)} arrays")
    for array, (name, (kind, sizes)) in zip(rows, forms.items(), strict=True):
        _check_array(array, f"the states' {name}", kind, (len(actions), *sizes))
    _check_array(actions, "the actions", np.int64, (len(actions), composed.agents))
    there = (actions >= 0) & (actions < table.shape[1])
    has = there & (table[np.arange(composed.agents), np.where(there, actions, 0)] >= 0)
    for i, agent in np.argwhere(~has):
        raise ValueError(f"agent {agent} does not have action {actions[i, agent]} (state {i})")


def _check_array(array: Any, what: str, kind: Any, shape: tuple[int, ...]) -> None:
    if not isinstance(array, np.ndarray) or array.dtype != kind:
        got = array.dtype if isinstance(array, np.ndarray) else type(array).__name__
        raise TypeError(f"{what} must be an array of {np.dtype(kind)}, got {got}")
    if array.shape != shape:
        raise ValueError(f"{what} must have shape {shape}, got {array.shape}")
