"""Output arrays of steps, reused once nobody references them any more.

Allocating new arrays in each step would take much of its time. So a set of arrays is reused when the caller has
released all of it: the arrays, every view of them, and everything else that keeps them alive (a tensor, a memoryview).
CPython's reference counts show this.

A caller that stores the output of steps, such as a recorder, can pass its own arrays (`OutputTarget`) to avoid copies.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gridarium.engine.composed_world import ComposedWorld
from gridarium.engine.kernel_args import OUTPUTS, Autoreset, KernelArg, address

Arrays = dict[str, npt.NDArray[Any]]
COUNTED = sys.implementation.name == "cpython" and getattr(sys, "_is_gil_enabled", lambda: True)()
"""Whether reference counts show if an array is still in use."""
KEPT_SETS = 4
"""The maximum number of sets that wait for reuse."""
FIRST_OBSERVATION = 5
"""The number of arrays of a set before the observations."""
LINE = 64
"""Bytes of a cache line: the alignment of each array."""


class OutputLane:
    """The caller's memory for one output of steps, step by step.

    Args:
        array: [steps, n, agents, ...], contiguous and writable.

    Raises:
        ValueError: the array has another form.
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


class OutputTarget(NamedTuple):
    """The caller's arrays for a part of a step's output. The returned arrays are read-only.

    Attributes:
        observations: all observations by name.
        seen: the index in them.
        rewards: likewise.
        earned: the index in them.
    """

    observations: Mapping[str, OutputLane]
    seen: int
    rewards: OutputLane
    earned: int


class Outputs:
    """One set of output arrays of a step of `n` worlds.

    Attributes:
        rewards: float64[n, agents]. terminated, truncated: bool[n, agents]. ticks: int64[n].
        results: int64[n, agents]. observations, finals: name -> array[n, agents, ...]. The axis of agents is left
            out where there is one agent.
        masks: bool[n, actions] where agents act one after another, else bool[n, agents, actions]; None without legal
            rules.
        addresses: int64[...]: the addresses of the arrays, in the order of `arg_indices`.
    """

    __slots__ = ("_held", "_raw", "_views", "addresses", "finals", "masks", "observations", "results", "rewards",
                 "terminated", "ticks", "truncated")  # fmt: skip

    def __init__(self, composed: ComposedWorld, n: int, *, finals: bool) -> None:
        agents = composed.agents
        lead = (n,) if agents == 1 else (n, agents)
        shown = [(lead + o.shape, np.dtype(o.dtype)) for o in composed.outputs]
        wanted: list[tuple[tuple[int, ...], Any]] = [
            (lead, np.float64), (lead, np.bool_), (lead, np.bool_), ((n,), np.int64), (lead, np.int64),
            *shown, *(shown if finals else []),
            *(((lead if composed.masked_agents == agents else (n,)) + (len(composed.spec.actions),), np.bool_)
              for _ in range(composed.masked_agents > 0)),
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
        names = [o.name for o in composed.outputs]
        self.observations: Arrays = dict(zip(names, views[FIRST_OBSERVATION:], strict=False))
        self.finals: Arrays | None = (
            dict(zip(names, views[FIRST_OBSERVATION + len(names) :], strict=False)) if finals else None
        )
        self.masks: npt.NDArray[np.bool_] | None = views[-1] if composed.masked_agents else None
        self._views = [self._raw, *views]
        del views
        self._held = self._references()

    def written_to(self, into: OutputTarget) -> Outputs:
        """A set with observations and rewards in other arrays, and all else in this set's.

        Raises:
            ValueError: an array is missing, or has another shape or type.
            TypeError: `into` is not an `OutputTarget`.
        """
        if not isinstance(into, OutputTarget):
            raise TypeError(f"arrays to write into are given as an OutputTarget, not {into!r}")
        if into.observations.keys() != self.observations.keys():
            raise ValueError(f"observations are {list(self.observations)}, got {list(into.observations)}")
        other = Outputs.__new__(Outputs)
        for slot in self.__slots__:
            setattr(other, slot, getattr(self, slot))
        other.addresses = self.addresses.copy()
        other.rewards, other.addresses[0] = _checked_array("rewards", into.rewards, into.earned, self.rewards)
        other.observations = {}
        for k, (name, own) in enumerate(self.observations.items(), FIRST_OBSERVATION):
            lane = _checked_array(name, into.observations[name], into.seen, own)
            other.observations[name], other.addresses[k] = lane
        return other

    def _references(self) -> int:
        return sum(map(sys.getrefcount, self._views))

    @property
    def free(self) -> bool:
        """Whether the arrays and views of them are referenced only by this set."""
        return COUNTED and self._references() == self._held


def _checked_array(
    name: str, lane: OutputLane, k: int, like: npt.NDArray[Any]
) -> tuple[npt.NDArray[Any], int]:
    if lane.form != (like.shape, like.dtype):
        raise ValueError(f"{name} is {like.dtype}{list(like.shape)}, got {lane.form[1]}{list(lane.form[0])}")
    return lane[k]


def arg_indices(composed: ComposedWorld, *, finals: bool) -> npt.NDArray[np.intp]:
    """The indices in a frame of the addresses of a set of outputs."""
    fixed = [
        KernelArg.REWARD_ARRAY,
        KernelArg.TERMINATED_ARRAY,
        KernelArg.TRUNCATED_ARRAY,
        KernelArg.TICK_ARRAY,
        KernelArg.RESULT_ARRAY,
    ]
    shown = [KernelArg.OUTPUT_ARRAYS + offset for offset in composed.program.representation.output_offsets]
    masks = [KernelArg.MASK_ARRAY] if composed.masked_agents else []
    return np.array([*fixed, *shown, *([p + OUTPUTS for p in shown] if finals else []), *masks], np.intp)


class OutputPool:
    """Provides sets of outputs: released ones if there are any, else new ones.

    Args:
        composed: the composed world.
        n: the number of worlds.
        autoreset: with SAME_STEP, sets include final observations.
        shared: always return the same set.
    """

    def __init__(self, composed: ComposedWorld, n: int, autoreset: Autoreset, *, shared: bool) -> None:
        self._composed, self._n, self._shared = composed, n, shared
        self._finals = autoreset is Autoreset.SAME_STEP
        self._kept: list[Outputs] = []
        self.arg_indices = arg_indices(composed, finals=self._finals)

    def next(self) -> Outputs:
        """A set for the next step to write to."""
        for k, kept in enumerate(self._kept):
            if self._shared or kept.free:
                self._kept.append(self._kept.pop(k))
                return kept
        made = Outputs(self._composed, self._n, finals=self._finals)
        self._kept = [*self._kept[-(KEPT_SETS - 1) :], made]
        return made
