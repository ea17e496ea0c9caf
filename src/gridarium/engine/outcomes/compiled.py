"""Listing, compiled, what can come of many steps: every next state with its probability."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gridarium.compiled.branching import MOST_BRANCHES, SCRIPT_WORDS
from gridarium.compiled.entry import Entry, compile_program, kept_program
from gridarium.compiled.random import CLOCK_READ
from gridarium.engine import leaves
from gridarium.engine.frame import address
from gridarium.engine.kernel import RUNNING
from gridarium.engine.leaves import DONE, FAILED, FRAME_LENGTH, Place
from gridarium.engine.machine import Machine
from gridarium.world.resolver import WorldResolver
from gridarium.world.state import ENDED

FIRST_CAPACITY = 256
Rows = Sequence[npt.NDArray[Any]]


class Leaves(NamedTuple):
    """What can come of n steps, one step's leaves after the other's, in the order in which luck is tried.

    Attributes:
        counts: int64[n]: how many leaves a step has, or `leaves.TOO_MANY`, or `leaves.FAILED`.
        rows: cells, layers, data and bodies of the next states, each [leaves, ...].
        shares: float64[leaves]: their probabilities.
        rewards: float64[leaves, agents].
        clock_read: whether a rule has asked any of the states for its tick or episode.
    """

    counts: npt.NDArray[np.int64]
    rows: tuple[npt.NDArray[Any], ...]
    shares: npt.NDArray[np.float64]
    rewards: npt.NDArray[np.float64]
    clock_read: bool


class Lister:
    """Lists what can come of steps in a world, with memory of its own: not for several threads at once.

    Args:
        machine: the composed world.
        entry: see `find_entry`.
    """

    def __init__(self, machine: Machine, entry: Entry) -> None:
        self._entry, self._numbers, self._table = entry, machine.numbers, machine.action_table
        self._machine = machine
        self._scratch = np.zeros(machine.scratch_words + SCRIPT_WORDS, np.int64)
        self._terminated = np.zeros(machine.agents, np.uint8)
        self._frame = np.zeros(FRAME_LENGTH, np.int64)
        self._place, self._capacity = address(self._frame), 0
        self._tell(
            {
                Place.HEIGHT: machine.shape.height,
                Place.WIDTH: machine.shape.width,
                Place.AGENTS: machine.agents,
                Place.SCRATCH: len(self._scratch),
                Place.SCRATCH_ARRAY: address(self._scratch),
                Place.NUMBERS: address(self._numbers),
                Place.NUMBER_COUNT: len(self._numbers),
                Place.TIME_LIMIT: machine.time_limit,
                Place.TERMINATED: address(self._terminated),
            }
        )

    def list(self, rows: Rows, actions: npt.NDArray[np.int64]) -> Leaves:
        """What can come of steps from n states.

        Args:
            rows: cells, layers, data and bodies of the states, each [n, ...]; unchanged.
            actions: int64[n, agents]: indices of actions that the agents have.

        Raises:
            StaleProgramError: what compiled rules read has changed since they were compiled.
            TypeError, ValueError: arrays of another number, type or shape, or an action that is none.
        """
        if self._machine.watched is not None:
            self._machine.watched.check(self._machine.name)
        check_listed(self._machine, rows, actions)
        given = [np.array(a, order="C") for a in rows]
        given[2][:, ENDED] = RUNNING
        numbers = self._table[np.arange(len(self._table)), actions]
        counts = np.zeros(len(actions), np.int64)
        if self._capacity == 0:
            self._make_room(given, FIRST_CAPACITY)
        self._tell({Place.ACTIONS: address(numbers), Place.COUNTS: address(counts), Place.FILLED: 0})
        self._tell({Place.GIVEN + k: address(a) for k, a in enumerate(given)})
        self._scratch[CLOCK_READ] = 0
        parts: list[tuple[npt.NDArray[Any], ...]] = []
        first, last = 0, len(actions)
        while first < last or not parts:
            first = self._go_on(first, last, counts)
            if first == last or self._frame[Place.FILLED] > 0:
                parts.append(self._take())
            else:
                self._make_room(given, min(4 * self._capacity, MOST_BRANCHES))
        listed, shares, rewards = _together(parts)
        return Leaves(counts, listed, shares, rewards, bool(self._scratch[CLOCK_READ]))

    def _go_on(self, first: int, last: int, counts: npt.NDArray[np.int64]) -> int:
        """List from world `first` on as far as there is room; the world at which it stopped."""
        while first < last:
            try:
                if self._entry(self._place, 0, first, last, 0) == DONE:
                    return last
                return int(self._frame[Place.WORLD])
            except Exception:  # what it is, will be known when the step is run interpreted
                first = int(self._frame[Place.WORLD]) + 1
                counts[first - 1] = FAILED
        return last

    def _take(self) -> tuple[npt.NDArray[Any], ...]:
        filled = int(self._frame[Place.FILLED])
        self._frame[Place.FILLED] = 0
        return tuple(a[:filled].copy() for a in self._memory)

    def _make_room(self, like: Rows, capacity: int) -> None:
        """Memory for so many leaves."""
        self._capacity = capacity
        states = [np.zeros((capacity, *a.shape[1:]), a.dtype) for a in like]
        self._memory = (*states, np.zeros(capacity), np.zeros((capacity, len(self._table))))
        self._tell({Place.CAPACITY: capacity})
        self._tell({Place.LEAVES + k: address(a) for k, a in enumerate(self._memory)})

    def _tell(self, places: dict[Any, int]) -> None:
        for place, number in places.items():
            self._frame[place] = number


def find_entry(machine: Machine, *, compiling: bool) -> Entry | None:
    """The compiled program: one that is kept on disk, or None; with `compiling` it is compiled if there is none.

    Raises:
        CompileError: a rule cannot be compiled to draw numbers that branch.
        StaleProgramError: what rules read has changed since the world was compiled.
    """
    machine.watch()
    program = machine.program
    parts = program.run.keywords["world"].keywords  # type: ignore[attr-defined]
    run = functools.partial(leaves.run, **{name: parts[name] for name in ("tick", "words", "several")})
    resolver = WorldResolver(machine.vocabulary)
    if not compiling:
        return kept_program(run, resolver, FRAME_LENGTH)
    name = f"the outcomes of {machine.name}"
    return compile_program(run, resolver, name=name, text=program.text, frame_length=FRAME_LENGTH)


def _together(parts: Sequence[tuple[npt.NDArray[Any], ...]]) -> tuple[Any, ...]:
    *rows, shares, rewards = parts[0] if len(parts) == 1 else map(np.concatenate, zip(*parts, strict=True))
    return tuple(rows), shares, rewards


def check_listed(machine: Machine, rows: Rows, actions: npt.NDArray[np.int64]) -> None:
    """Refuse what compiled code, which does not ask, would read beyond its end or as something else.

    Args:
        machine: the composed world.
        rows: cells, layers, data and bodies of n states.
        actions: int64[n, agents]: indices of actions that the agents have.

    Raises:
        TypeError, ValueError: arrays of another number, type or shape, or an action that is none.
    """
    words, shape, table = machine.vocabulary, machine.shape, machine.action_table
    forms: dict[str, tuple[Any, tuple[int, ...]]] = {
        "cells": (np.uint32, (*shape,)),
        "layers": (np.int64, (words.layers, *shape)),
        "data": (np.int64, (words.data_length,)),
        "bodies": (np.int64, (machine.agents, words.body_length)),
    }
    if len(rows) != len(forms):
        raise ValueError(f"states are given as {', '.join(forms)}; got {len(rows)} arrays")
    for array, (name, (kind, sizes)) in zip(rows, forms.items(), strict=True):
        _check_array(array, f"the states' {name}", kind, (len(actions), *sizes))
    _check_array(actions, "the actions", np.int64, (len(actions), machine.agents))
    there = (actions >= 0) & (actions < table.shape[1])
    has = there & (table[np.arange(machine.agents), np.where(there, actions, 0)] >= 0)
    for i, agent in np.argwhere(~has):
        raise ValueError(f"action {actions[i, agent]} in state {i} is none of those of agent {agent}")


def _check_array(array: Any, what: str, kind: Any, shape: tuple[int, ...]) -> None:
    if not isinstance(array, np.ndarray) or array.dtype != kind:
        got = array.dtype if isinstance(array, np.ndarray) else type(array).__name__
        raise TypeError(f"{what} are an array of {np.dtype(kind)}, got {got}")
    if array.shape != shape:
        raise ValueError(f"{what} have shape {shape}, got {array.shape}")
