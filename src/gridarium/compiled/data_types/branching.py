"""Luck that branches, for compiled code: a walk down every way in which random numbers can fall.

A state whose scratch memory is a script (`script_at`) draws from the script instead of a stream: a whole number, or a
comparison of a uniform number with a threshold, is a fork. The script remembers which branch was taken at each fork, so
that the same code, run again, goes down the next one. It is the compiled form of `gridarium.rules.chance`, with the same
arithmetic; what it cannot do raises, and is left to that one.
"""

from __future__ import annotations

from typing import Any

from gridarium.compiled.primitives import compiled_as, get_float, set_float
from gridarium.compiled.random import OWN_STREAM, POOL_START
from gridarium.compiled.values import value

MOST_BRANCHES = 4096
"""Ways that luck can go in one step, beyond which sampling is the better way."""
SLIVER = 1e-12
"""Branches narrower than this come from rounding."""
MOST_FORKS, MOST_NUMBERS = 256, 256
"""On one walk."""
DEPTH, LENGTH, DRAWN, SHARE = range(POOL_START, POOL_START + 4)
"""Forks met on this walk; forks whose branch is remembered; numbers drawn on this walk; its probability (a float)."""
PATH = POOL_START + 4
"""For each fork the branch that is taken, and how many there are."""
NUMBERS = PATH + 2 * MOST_FORKS
"""For each number drawn its stream, its place in it, and the interval that it is known to lie in (two floats)."""
SCRIPT_WORDS = NUMBERS + 4 * MOST_NUMBERS - POOL_START
"""How much of the scratch memory is the script's; the rest is the rules'."""


@compiled_as("gridarium.compiled.branching_twins:script_at")
def script_at(address: int, shape: tuple[int]) -> Any:
    """The scratch memory int64[n] at an address, as a script. Compiled only: `gridarium.rules.luck` is for the rest."""
    raise NotImplementedError


def begin_tree(script: Any) -> None:
    """Forget all forks."""
    script[LENGTH] = 0


def begin_walk(script: Any) -> None:
    """Start at the root again."""
    script[0], script[OWN_STREAM] = SCRIPT_WORDS, 0
    script[DEPTH] = 0
    script[DRAWN] = 0
    set_float(script, SHARE, 1.0)


def next_walk(script: Any) -> bool:
    """Turn to the next branch of the last fork that has one; whether there is any."""
    length = script[LENGTH]
    while length > 0 and script[PATH + 2 * length - 2] + 1 == script[PATH + 2 * length - 1]:
        length -= 1
    script[LENGTH] = length
    if length == 0:
        return False
    script[PATH + 2 * length - 2] += 1
    return True


def fork(script: Any, branches: int) -> int:
    """Which of so many branches is taken here."""
    depth = script[DEPTH]
    if depth == script[LENGTH]:
        if depth == MOST_FORKS:
            raise ValueError("too many forks")
        script[PATH + 2 * depth] = 0
        script[PATH + 2 * depth + 1] = branches
        script[LENGTH] = depth + 1
    script[DEPTH] = depth + 1
    return script[PATH + 2 * depth]


def take(script: Any, share: float) -> None:
    """A branch with this share has been taken."""
    set_float(script, SHARE, get_float(script, SHARE) * share)


def draw(script: Any, slot: int) -> int:
    """Where the interval of the next number of the stream at `slot` is kept; the same one for the same place in it."""
    script[slot + 1] += 1
    drawn = script[DRAWN]
    for k in range(drawn):
        entry = NUMBERS + 4 * k
        if script[entry] == script[slot] and script[entry + 1] == script[slot + 1]:
            return entry + 2
    if drawn == MOST_NUMBERS:
        raise ValueError("too many random numbers")
    entry = NUMBERS + 4 * drawn
    script[entry] = script[slot]
    script[entry + 1] = script[slot + 1]
    set_float(script, entry + 2, 0.0)
    set_float(script, entry + 3, 1.0)
    script[DRAWN] = drawn + 1
    return entry + 2


def branching_integer(scratch: Any, slot: int, span: int) -> int:
    """In which of `span` equal parts of [0, 1) the next number of a script lies."""
    return part(scratch, draw(scratch, slot), span)


def branching_number(scratch: Any, slot: int) -> Number:
    """The next number in [0, 1) of a script, to be compared."""
    return Number(scratch, draw(scratch, slot), 0.0, 1.0)


def part(script: Any, place: int, count: int) -> int:
    """In which of `count` equal parts of [0, 1) the number lies whose interval is kept at `place`."""
    if count > MOST_BRANCHES:
        raise ValueError("a whole number out of too many")
    low, high = get_float(script, place), get_float(script, place + 1)
    branches, only = 0, 0
    for k in range(count):
        if min(high, (k + 1) / count) - max(low, k / count) > SLIVER:
            branches += 1
            only = k
    if branches == 1:
        set_float(script, place, max(low, only / count))
        set_float(script, place + 1, min(high, (only + 1) / count))
        return only
    left = fork(script, branches)
    for k in range(count):
        first, last = max(low, k / count), min(high, (k + 1) / count)
        if last - first > SLIVER:
            if left == 0:
                take(script, (last - first) / (high - low))
                set_float(script, place, first)
                set_float(script, place + 1, last)
                return k
            left -= 1
    raise ValueError("no part of the interval is left")


def below(script: Any, place: int, threshold: float) -> bool:
    """Whether the number whose interval is kept at `place` is below a threshold."""
    low, high = get_float(script, place), get_float(script, place + 1)
    if threshold <= low + SLIVER:
        return False
    if threshold >= high - SLIVER:
        return True
    share = (threshold - low) / (high - low)
    if fork(script, 2) == 0:
        take(script, share)
        set_float(script, place + 1, threshold)
        return True
    take(script, 1.0 - share)
    set_float(script, place, threshold)
    return False


@value
class Number:
    """`offset + scale * u` of a uniform number u of which an interval is known.

    Attributes:
        script: where that is kept.
        place: where in it.
        offset, scale: what a rule has added and multiplied.
    """

    script: Any
    place: int
    offset: float
    scale: float

    def is_below(self, other: float) -> bool:
        """Whether it is less than a number that is known; being equal has no probability."""
        if self.scale == 0.0:
            raise ValueError("a number without chance")
        threshold = (other - self.offset) / self.scale
        if self.scale > 0.0:
            return below(self.script, self.place, threshold)
        return not below(self.script, self.place, threshold)

    def part(self) -> int:
        """It rounded down, for a whole number times u."""
        if self.offset != 0.0 or self.scale < 0.0 or self.scale != int(self.scale):
            raise ValueError("not a whole number of parts")
        return part(self.script, self.place, int(self.scale))

    def __lt__(self, other: Any) -> bool:
        return self.is_below(other)

    def __le__(self, other: Any) -> bool:
        return self.is_below(other)

    def __gt__(self, other: Any) -> bool:
        return not self.is_below(other)

    def __ge__(self, other: Any) -> bool:
        return not self.is_below(other)

    def __add__(self, other: Any) -> Number:
        return Number(self.script, self.place, self.offset + other, self.scale)

    def __sub__(self, other: Any) -> Number:
        return Number(self.script, self.place, self.offset + -other, self.scale)

    def __mul__(self, other: Any) -> Number:
        return Number(self.script, self.place, self.offset * other, self.scale * other)
