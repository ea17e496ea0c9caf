"""The arrays that a step writes, and how they are used again once nobody looks at them any more.

A step that returned newly made arrays each time would spend much of its time on getting memory from the system. So a
set of arrays is used again when the caller has let go of all of it: of the arrays, of every view of them, and of
whatever else keeps them alive (a tensor, a memoryview). CPython's counts of references tell.

Whoever keeps what steps write anyway, such as a recorder, has it written to arrays of its own (`Into`): no copies.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gridarium.engine.frame import OUTPUTS, At, Autoreset, address
from gridarium.engine.machine import Machine

Arrays = dict[str, npt.NDArray[Any]]
COUNTED = sys.implementation.name == "cpython" and getattr(sys, "_is_gil_enabled", lambda: True)()
"""Whether counts of references tell who still looks at an array."""
KEPT_SETS = 4
"""How many sets wait to be used again, at most."""
FIRST_OBSERVATION = 5
"""How many arrays of a set come before the observations."""
LINE = 64
"""Bytes of a cache line: where each array begins."""


class Lane:
    """Memory of the caller's own for one thing that steps return, step by step.

    Args:
        array: [steps, n, agents, ...], contiguous and writable.

    Raises:
        ValueError: an array of another kind.
    """

    __slots__ = ("_begin", "_stride", "_views", "form")

    def __init__(self, array: npt.NDArray[Any]) -> None:
        if not array.flags.carray or not array.size:
            raise ValueError("steps write to contiguous, writable arrays with a leading axis of steps")
        shown = array.view()
        shown.flags.writeable = False
        self._views = list(shown)
        self._begin, self._stride = address(array), array.strides[0]
        self.form = array.shape[1:], array.dtype

    def __getitem__(self, k: int) -> tuple[npt.NDArray[Any], int]:
        return self._views[k], self._begin + k * self._stride


class Into(NamedTuple):
    """Where a step writes a part of what it returns. The arrays that it returns cannot be written to by others.

    Attributes:
        observations: by their names, all of them.
        seen: which place in them.
        rewards: likewise.
        earned: which place in them.
    """

    observations: Mapping[str, Lane]
    seen: int
    rewards: Lane
    earned: int


class Outputs:
    """One set: what a step of `n` worlds writes.

    Attributes:
        rewards: float64[n, agents]. terminated, truncated: bool[n, agents]. ticks: int64[n].
        results: int64[n, agents]. observations, finals: name -> array[n, agents, ...]. The axis of agents is left
            out where there is one agent.
        addresses: int64[...]: where the arrays lie, in the order of `places`.
    """

    __slots__ = ("_held", "_raw", "_views", "addresses", "finals", "observations", "results", "rewards",
                 "terminated", "ticks", "truncated")  # fmt: skip

    def __init__(self, machine: Machine, n: int, *, finals: bool) -> None:
        agents = machine.agents
        lead = (n,) if agents == 1 else (n, agents)
        shown = [(lead + o.shape, np.dtype(o.dtype)) for o in machine.outputs]
        wanted: list[tuple[tuple[int, ...], Any]] = [
            (lead, np.float64), (lead, np.bool_), (lead, np.bool_), ((n,), np.int64), (lead, np.int64),
            *shown, *(shown if finals else []),
        ]  # fmt: skip
        sizes = [int(np.prod(shape)) * np.dtype(dtype).itemsize for shape, dtype in wanted]
        *begins, whole = itertools.accumulate((-(-size // LINE) * LINE for size in sizes), initial=0)
        self._raw = np.empty(whole + LINE, np.uint8)
        first = -address(self._raw) % LINE
        begins = [first + begin for begin in begins]
        views = [
            np.ndarray(shape, dtype, self._raw, begin)
            for begin, (shape, dtype) in zip(begins, wanted, strict=True)
        ]
        self.addresses = np.array(begins, np.int64) + address(self._raw)
        self.rewards, self.terminated, self.truncated, self.ticks, self.results = views[:FIRST_OBSERVATION]
        names = [o.name for o in machine.outputs]
        self.observations: Arrays = dict(zip(names, views[FIRST_OBSERVATION:], strict=False))
        self.finals: Arrays | None = (
            dict(zip(names, views[FIRST_OBSERVATION + len(names) :], strict=True)) if finals else None
        )
        self._views = [self._raw, *views]
        del views
        self._held = self._references()

    def written_to(self, into: Into) -> Outputs:
        """A set whose observations and rewards lie in other arrays, and all else in this one's.

        Raises:
            ValueError: an array is missing, or has another shape or type, naming it.
            TypeError: what says no arrays.
        """
        if not isinstance(into, Into):
            raise TypeError(f"arrays to write into are given as an Into, not {into!r}")
        if into.observations.keys() != self.observations.keys():
            raise ValueError(f"observations are {list(self.observations)}, got {list(into.observations)}")
        other = Outputs.__new__(Outputs)
        for slot in self.__slots__:
            setattr(other, slot, getattr(self, slot))
        other.addresses = self.addresses.copy()
        other.rewards, other.addresses[0] = _place("rewards", into.rewards, into.earned, self.rewards)
        other.observations = {}
        for k, (name, own) in enumerate(self.observations.items(), FIRST_OBSERVATION):
            place = _place(name, into.observations[name], into.seen, own)
            other.observations[name], other.addresses[k] = place
        return other

    def _references(self) -> int:
        return sum(map(sys.getrefcount, self._views))

    @property
    def free(self) -> bool:
        """Whether nobody but this set holds any of the arrays or a view of them."""
        return COUNTED and self._references() == self._held


def _place(name: str, lane: Lane, k: int, like: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], int]:
    if lane.form != (like.shape, like.dtype):
        raise ValueError(f"{name} is {like.dtype}{list(like.shape)}, got {lane.form[1]}{list(lane.form[0])}")
    return lane[k]


def places(machine: Machine, *, finals: bool) -> npt.NDArray[np.intp]:
    """Where in a frame the addresses of a set of outputs are written."""
    fixed = [At.REWARDS, At.TERMINATED, At.TRUNCATED, At.TICKS, At.RESULTS]
    shown = [At.OUTPUT + place for place in machine.program.representation.places]
    return np.array([*fixed, *shown, *([p + OUTPUTS for p in shown] if finals else [])], np.intp)


class Supply:
    """Gives out sets of outputs: used ones where nobody looks at them any more, else new ones.

    Args:
        machine: whose worlds are stepped.
        n: how many worlds.
        autoreset: with SAME_STEP the sets have room for final observations too.
        shared: always give out the same set.
    """

    def __init__(self, machine: Machine, n: int, autoreset: Autoreset, *, shared: bool) -> None:
        self._machine, self._n, self._shared = machine, n, shared
        self._finals = autoreset is Autoreset.SAME_STEP
        self._kept: list[Outputs] = []
        self.places = places(machine, finals=self._finals)

    def next(self) -> Outputs:
        """A set that the next step may write into."""
        for k, kept in enumerate(self._kept):
            if self._shared or kept.free:
                self._kept.append(self._kept.pop(k))
                return kept
        made = Outputs(self._machine, self._n, finals=self._finals)
        self._kept = [*self._kept[-(KEPT_SETS - 1) :], made]
        return made
