"""Output arrays of steps, reused once nobody references them any more.

A caller that stores the output of steps, such as a recorder, can pass its own arrays (`OutputTarget`) to avoid copies.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from gridarium.engine.composed_world import ComposedWorld
from gridarium.engine.kernel_args import OUTPUTS, Autoreset, KernelArg, address
from gridarium.engine.threads.array_pool import ArrayBlock, ArrayPool, Form

Arrays = dict[str, npt.NDArray[Any]]
MaskFormat = Literal["bytes", "bits"]
"""The format of masks of actions: a bool, or a bit of uint8, for each action."""
MASK_FORMATS = get_args(MaskFormat)
KEPT_SETS = 4
"""The maximum number of sets that wait for reuse."""
FIRST_OBSERVATION = 5
"""The number of arrays of a set before the observations."""


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
        if not 0 <= k < len(self._views):
            raise IndexError(f"steps are numbered from 0 to {len(self._views) - 1}; got {k}")
        return self._views[k], self._begin + k * self._stride

    def __reduce__(self) -> Any:
        raise TypeError("memory that steps write to is not copied; copy the array, and make a lane of it")


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


class Outputs(ArrayBlock):
    """One set of output arrays of a step of `n` worlds.

    Args:
        composed: the composed world.
        forms: as of `output_forms`.
        observed: whether there are observations.
        finals: whether there are final observations.

    Attributes:
        rewards: float64[n, agents]. terminated, truncated: bool[n, agents]. ticks: int64[n].
        results: int64[n, agents]. observations, finals: name -> array[n, agents, ...]. The axis of agents is left
            out where there is one agent, and of observations where only the one that acts next is observed.
        masks: bool[n, actions] where agents act one after another, else bool[n, agents, actions]; as bits, their last axis
            is uint8[ceil(actions / 8)]; None without legal rules.
        outcomes: float64[n, agents], None without an outcome rule.
        addresses: int64[...]: the addresses of the arrays, in the order of `arg_indices`.
    """

    __slots__ = (
        "addresses",
        "finals",
        "masks",
        "observations",
        "outcomes",
        "results",
        "rewards",
        "terminated",
        "ticks",
        "truncated",
    )

    def __init__(
        self, composed: ComposedWorld, forms: Sequence[Form], *, observed: bool, finals: bool
    ) -> None:
        super().__init__(forms)
        arrays, names = self.arrays, [o.name for o in composed.outputs if observed]
        self.addresses = np.array([address(array) for array in arrays], np.int64)
        self.rewards, self.terminated, self.truncated, self.ticks, self.results = arrays[:FIRST_OBSERVATION]
        self.observations: Arrays = dict(zip(names, arrays[FIRST_OBSERVATION:], strict=False))
        end = FIRST_OBSERVATION + len(names)
        self.finals: Arrays | None = dict(zip(names, arrays[end:], strict=False)) if finals else None
        self.outcomes: npt.NDArray[np.float64] | None = arrays[-1] if composed.spec.outcome else None
        last = -2 if composed.spec.outcome else -1
        self.masks: npt.NDArray[Any] | None = arrays[last] if composed.masked_agents else None
        self.hold()

    def of_ticks(self) -> Arrays:
        """What came of the last step, by name: all but observations and masks, which follow from the states."""
        names = ("rewards", "terminated", "truncated", "ticks", "results", "outcomes")
        return {name: array for name in names if (array := getattr(self, name)) is not None}

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
        for slot in (*ArrayBlock.__slots__, *self.__slots__):
            setattr(other, slot, getattr(self, slot))
        other.addresses = self.addresses.copy()
        other.rewards, other.addresses[0] = _checked_array("rewards", into.rewards, into.earned, self.rewards)
        other.observations = {}
        for k, (name, own) in enumerate(self.observations.items(), FIRST_OBSERVATION):
            lane = _checked_array(name, into.observations[name], into.seen, own)
            other.observations[name], other.addresses[k] = lane
        return other


def _checked_array(
    name: str, lane: OutputLane, k: int, like: npt.NDArray[Any]
) -> tuple[npt.NDArray[Any], int]:
    if lane.form != (like.shape, like.dtype):
        raise ValueError(f"{name} is {like.dtype}{list(like.shape)}, got {lane.form[1]}{list(lane.form[0])}")
    return lane[k]


def arg_indices(composed: ComposedWorld, *, observed: bool, finals: bool) -> npt.NDArray[np.intp]:
    """The indices in a frame of the addresses of a set of outputs; the kernel does not observe where there is none."""
    fixed = [
        KernelArg.REWARD_ARRAY,
        KernelArg.TERMINATED_ARRAY,
        KernelArg.TRUNCATED_ARRAY,
        KernelArg.TICK_ARRAY,
        KernelArg.RESULT_ARRAY,
    ]
    offsets = composed.program.representation.output_offsets if observed else []
    shown = [KernelArg.OUTPUT_ARRAYS + offset for offset in offsets]
    masks = [KernelArg.MASK_ARRAY] if composed.masked_agents else []
    outcomes = [KernelArg.OUTCOME_ARRAY] if composed.spec.outcome else []
    final = [p + OUTPUTS for p in shown] if finals else []
    return np.array([*fixed, *shown, *final, *masks, *outcomes], np.intp)


def mask_length(composed: ComposedWorld, masks: MaskFormat) -> int:
    """The number of bytes of the mask of one agent."""
    count = len(composed.spec.actions)
    return count if masks == "bytes" else (count + 7) // 8


def output_forms(
    composed: ComposedWorld, n: int, *, observed: bool, finals: bool, masks: MaskFormat
) -> list[Form]:
    """The shapes and dtypes of a set of outputs, in the order of `arg_indices`."""
    lead = (n,) if composed.agents == 1 else (n, composed.agents)
    observers = lead if composed.observed_agents == composed.agents else (n,)
    shown = [(observers + o.shape, np.dtype(o.dtype)) for o in composed.outputs if observed]
    flags, integers = np.dtype(np.bool_), np.dtype(np.int64)
    fixed = [(lead, np.dtype(np.float64)), (lead, flags), (lead, flags), ((n,), integers), (lead, integers)]
    masked = lead if composed.masked_agents == composed.agents else (n,)
    of_mask = ((*masked, mask_length(composed, masks)), flags if masks == "bytes" else np.dtype(np.uint8))
    masks_form = [of_mask] if composed.masked_agents else []
    outcomes = [(lead, np.dtype(np.float64))] if composed.spec.outcome else []
    return [*fixed, *shown, *(shown if finals else []), *masks_form, *outcomes]


class OutputPool(ArrayPool[Outputs]):
    """Provides sets of outputs: released ones if there are any, else new ones.

    Args:
        composed: the composed world.
        n: the number of worlds.
        autoreset: with SAME_STEP, sets include final observations.
        shared: always return the same set.
        observed: whether sets include observations.
        masks: the format of masks of actions.
    """

    def __init__(
        self,
        composed: ComposedWorld,
        n: int,
        autoreset: Autoreset,
        *,
        shared: bool,
        observed: bool,
        masks: MaskFormat,
    ) -> None:
        finals = autoreset is Autoreset.SAME_STEP
        super().__init__(partial(Outputs, composed, observed=observed, finals=finals), most=KEPT_SETS)
        self._forms = output_forms(composed, n, observed=observed, finals=finals, masks=masks)
        self._only = self.get(self._forms) if shared else None
        self.arg_indices = arg_indices(composed, observed=observed, finals=finals)

    def next(self) -> Outputs:
        """A set for the next step to write to."""
        return self._only or self.get(self._forms)
