"""Branching random draws for compiled code: enumerates every combination of draws.

A state whose scratch memory is a script (`script_at`) draws from the script instead of a stream: drawing an integer, or
comparing a uniform number with a threshold, is a fork. The script stores the branch taken at each fork, so that the
next run of the same code takes the next branch. `gridarium.rules.outcomes` is the interpreted form, with the same
arithmetic; operations that a script does not support raise and are left to it.
"""

from __future__ import annotations

from typing import Any

from gridarium.compiled.data_types.primitives import compiled_as, get_float, set_float
from gridarium.compiled.data_types.random import OWN_STREAM, POOL_START, count_draw
from gridarium.compiled.data_types.value_class import value

MAX_BRANCHES = 4096
"""The maximum number of combinations of draws in one step; beyond it, sampling is better."""
MIN_WIDTH = 1e-12
"""The minimum width of a branch; narrower ones come from rounding."""
MAX_FORKS, MAX_NUMBERS = 256, 256
"""The maximum number of forks and of random numbers in one walk."""
DEPTH, LENGTH, DRAWN, PROBABILITY = range(POOL_START, POOL_START + 4)
"""Indices of: forks so far in this walk; forks with a stored branch; numbers drawn in this walk; its probability (a
float)."""
PATH = POOL_START + 4
"""For each fork, the branch taken and the number of branches."""
NUMBERS = PATH + 2 * MAX_FORKS
"""For each number drawn, its stream, its index in the stream, and the interval that contains it (two floats)."""
SCRIPT_WORDS = NUMBERS + 4 * MAX_NUMBERS - POOL_START
"""The size of the script in scratch memory; the rest is available to rules."""


@compiled_as("gridarium.compiled.numba_backend.branching:script_at")
def script_at(address: int, shape: tuple[int]) -> Any:
    """The scratch memory int64[n] at an address, as a script. Compiled only: see `gridarium.rules.outcomes`."""
    raise NotImplementedError


def begin_tree(script: Any) -> None:
    """Clear all forks."""
    script[LENGTH] = 0


def begin_walk(script: Any) -> None:
    """Start at the root again."""
    script[0], script[OWN_STREAM] = SCRIPT_WORDS, 0
    script[DEPTH] = 0
    script[DRAWN] = 0
    set_float(script, PROBABILITY, 1.0)


def next_walk(script: Any) -> bool:
    """Advance the last fork with a remaining branch. Returns whether there is one."""
    length = script[LENGTH]
    while length > 0 and script[PATH + 2 * length - 2] + 1 == script[PATH + 2 * length - 1]:
        length -= 1
    script[LENGTH] = length
    if length == 0:
        return False
    script[PATH + 2 * length - 2] += 1
    return True


def fork(script: Any, branches: int) -> int:
    """Return the index of the branch to take at this fork."""
    depth = script[DEPTH]
    if depth == script[LENGTH]:
        if depth == MAX_FORKS:
            raise ValueError("too many forks")
        script[PATH + 2 * depth] = 0
        script[PATH + 2 * depth + 1] = branches
        script[LENGTH] = depth + 1
    script[DEPTH] = depth + 1
    return script[PATH + 2 * depth]


def take(script: Any, probability: float) -> None:
    """Multiply the walk's probability by that of the branch that it takes."""
    set_float(script, PROBABILITY, get_float(script, PROBABILITY) * probability)


def draw(script: Any, slot: int) -> int:
    """Return the location of the interval of the next number of the stream at `slot`; the same for the same index."""
    count_draw(script, slot)
    drawn = script[DRAWN]
    for k in range(drawn):
        entry = NUMBERS + 4 * k
        if script[entry] == script[slot] and script[entry + 1] == script[slot + 1]:
            return entry + 2
    if drawn == MAX_NUMBERS:
        raise ValueError("too many random numbers")
    entry = NUMBERS + 4 * drawn
    script[entry] = script[slot]
    script[entry + 1] = script[slot + 1]
    set_float(script, entry + 2, 0.0)
    set_float(script, entry + 3, 1.0)
    script[DRAWN] = drawn + 1
    return entry + 2


def branching_integer(scratch: Any, slot: int, span: int) -> int:
    """Return which of `span` equal parts of [0, 1) contains the next number of a script."""
    return part(scratch, draw(scratch, slot), span)


def branching_number(scratch: Any, slot: int) -> BranchingNumber:
    """Return the next number in [0, 1) of a script, for comparisons."""
    return BranchingNumber(scratch, draw(scratch, slot), 0.0, 1.0)


def part(script: Any, index: int, count: int) -> int:
    """Return which of `count` equal parts of [0, 1) contains the number with its interval at `index`."""
    if count > MAX_BRANCHES:
        raise ValueError("a whole number out of too many")
    low, high = get_float(script, index), get_float(script, index + 1)
    branches, only = 0, 0
    for k in range(count):
        if min(high, (k + 1) / count) - max(low, k / count) > MIN_WIDTH:
            branches += 1
            only = k
    if branches == 1:
        set_float(script, index, max(low, only / count))
        set_float(script, index + 1, min(high, (only + 1) / count))
        return only
    left = fork(script, branches)
    for k in range(count):
        first, last = max(low, k / count), min(high, (k + 1) / count)
        if last - first > MIN_WIDTH:
            if left == 0:
                take(script, (last - first) / (high - low))
                set_float(script, index, first)
                set_float(script, index + 1, last)
                return k
            left -= 1
    raise ValueError("no part of the interval is left")


def below(script: Any, index: int, threshold: float) -> bool:
    """Whether the number with its interval at `index` is below a threshold.

    Raises:
        ValueError: the threshold is NaN, which no number is below or above.
    """
    if threshold != threshold:  # noqa: PLR0124
        raise ValueError("a random number is compared with NaN")
    low, high = get_float(script, index), get_float(script, index + 1)
    if threshold <= low + MIN_WIDTH:
        return False
    if threshold >= high - MIN_WIDTH:
        return True
    probability = (threshold - low) / (high - low)
    if fork(script, 2) == 0:
        take(script, probability)
        set_float(script, index + 1, threshold)
        return True
    take(script, 1.0 - probability)
    set_float(script, index, threshold)
    return False


@value
class BranchingNumber:
    """`offset + scale * u` of a uniform number u that is known to lie in an interval.

    Attributes:
        script: the script that stores the interval.
        index: the location in the script.
        offset, scale: the results of additions and multiplications by rules.
    """

    script: Any
    index: int
    offset: float
    scale: float

    def is_below(self, other: float) -> bool:
        """Whether it is less than an ordinary number; equality has probability 0."""
        if self.scale == 0.0:
            raise ValueError("a number that is not random")
        threshold = (other - self.offset) / self.scale
        if self.scale > 0.0:
            return below(self.script, self.index, threshold)
        return not below(self.script, self.index, threshold)

    def part(self) -> int:
        """The number rounded down, for an integer times u."""
        if self.offset != 0.0 or self.scale < 0.0 or self.scale != int(self.scale):
            raise ValueError("not a whole number of parts")
        return part(self.script, self.index, int(self.scale))

    def __lt__(self, other: Any) -> bool:
        return self.is_below(other)

    def __le__(self, other: Any) -> bool:
        return self.is_below(other)

    def __gt__(self, other: Any) -> bool:
        return not self.is_below(other)

    def __ge__(self, other: Any) -> bool:
        return not self.is_below(other)

    def __add__(self, other: Any) -> BranchingNumber:
        return BranchingNumber(self.script, self.index, self.offset + other, self.scale)

    def __sub__(self, other: Any) -> BranchingNumber:
        return BranchingNumber(self.script, self.index, self.offset + -other, self.scale)

    def __mul__(self, other: Any) -> BranchingNumber:
        return BranchingNumber(self.script, self.index, self.offset * other, self.scale * other)
