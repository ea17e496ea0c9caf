"""Counter-based random numbers that are the same interpreted and compiled.

A draw is a pure function of a stream and a draw number; a stream is a pure function of world key, episode, tick,
purpose and agent. Nothing but the draw number moves, and it lies in scratch memory outside the state, so a rule can
be run again with the same luck. The generator is SplitMix64 (Steele, Lea and Flood 2014) started at a key that is
mixed from the stream's coordinates by the same finaliser.
"""

from __future__ import annotations

import math
import secrets
from typing import Any

from gridarium.compiled.primitives import primitive
from gridarium.compiled.values import value

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15
LARGEST = (1 << 63) - 1
POOL_START = 32
"""Where free scratch memory begins; entry 0 of the scratch row counts what is used, then come the streams."""
SCRATCH_WORDS = 2048


@value
class Rng:
    """Random numbers for one purpose, under numpy Generator's names.

    Attributes:
        scratch: int64[n] scratch row; `scratch[slot]` is the stream, `scratch[slot + 1]` the draw number.
        slot: where in the row.
    """

    scratch: Any
    slot: int

    def integers(
        self, low: int, high: int | None = None, size: int | None = None, *, endpoint: bool = False
    ) -> Any:
        """A uniform whole number in [0, low) or [low, high), or `size` of them (int64[size]).

        Args:
            low: the lower end, or the upper end if `high` is None.
            high: the upper end, not included.
            size: how many.
            endpoint: whether the upper end is among them.

        Raises:
            ValueError: the range is empty, or has 2**63 numbers and more.
        """
        first = 0 if high is None else int(low)
        last = int(low) if high is None else int(high)
        span = last - first + (1 if endpoint else 0)
        if span <= 0 or span > LARGEST:
            raise ValueError(f"low >= high: there is no range from {first} to {last}")
        if size is None:
            return first + draw_integer(self.scratch, self.slot, span)
        numbers = new_integers(self.scratch, size)
        for i in range(size):
            numbers[i] = first + draw_integer(self.scratch, self.slot, span)
        return numbers

    def random(self, size: int | None = None) -> Any:
        """A uniform number in [0, 1), or `size` of them (float64[size])."""
        if size is None:
            return draw_float(self.scratch, self.slot)
        numbers = new_floats(self.scratch, size)
        for i in range(size):
            numbers[i] = draw_float(self.scratch, self.slot)
        return numbers

    def choice(self, a: Any, size: int | None = None, replace: bool = True) -> Any:
        """One of `a` (a sequence, or a whole number n for 0..n-1), or an array of `size` of them.

        Raises:
            ValueError: nothing to choose from, or more wanted without replacement than there are.
        """
        count = length_of(a)
        if size is None:
            return item_of(a, self.integers(count))
        if replace:
            return items_of(self.scratch, a, self.integers(count, None, size))
        if size > count:
            raise ValueError(f"cannot take {size} of {count} without replacement")
        return items_of(self.scratch, a, self._sample(count, size))

    def permutation(self, x: Any) -> Any:
        """The items of a sequence, or 0..x-1 for a whole number, as an array in random order."""
        count = length_of(x)
        return items_of(self.scratch, x, self._sample(count, count))

    def shuffle(self, x: Any) -> None:
        """Bring an array or list into random order along its first axis, in place."""
        for i in range(len(x) - 1, 0, -1):
            exchange(x, i, draw_integer(self.scratch, self.slot, i + 1))

    def normal(self, loc: float = 0.0, scale: float = 1.0, size: int | None = None) -> Any:
        """A normally distributed number, or `size` of them (float64[size]).

        One draw each, by inverting the distribution function (Wichura 1988, AS 241).

        Raises:
            ValueError: a negative scale.
        """
        if scale < 0:
            raise ValueError(f"scale < 0: {scale}")
        if size is None:
            return loc + scale * draw_normal(self.scratch, self.slot)
        numbers = new_floats(self.scratch, size)
        for i in range(size):
            numbers[i] = loc + scale * draw_normal(self.scratch, self.slot)
        return numbers

    def _sample(self, count: int, size: int) -> Any:
        numbers = new_integers(self.scratch, count)
        for i in range(count):
            numbers[i] = i
        for i in range(size):
            j = i + draw_integer(self.scratch, self.slot, count - i)
            numbers[i], numbers[j] = numbers[j], numbers[i]
        return numbers[:size]


@value
class Vector:
    """What `Rng` returns for several numbers in compiled code (plain numpy arrays when interpreted)."""

    items: Any

    def __getitem__(self, i: Any) -> Any:
        return vector_item(self.items, i)

    def __setitem__(self, i: int, number: Any) -> None:
        if not -self.items.shape[0] <= i < self.items.shape[0]:
            raise IndexError("index out of range")
        self.items[i if i >= 0 else i + self.items.shape[0]] = number

    def __len__(self) -> int:
        return self.items.shape[0]

    @property
    def size(self) -> int:
        """How many."""
        return self.items.shape[0]

    def __contains__(self, number: Any) -> bool:
        for i in range(self.items.shape[0]):
            if self.items[i] == number:
                return True
        return False

    def __iter__(self) -> Any:
        for i in range(self.items.shape[0]):
            yield self.items[i]


def mix(bits: int) -> int:
    """Stafford's variant 13 of the 64-bit finaliser of MurmurHash3."""
    bits = ((bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    bits = ((bits ^ (bits >> 27)) * 0x94D049BB133111EB) & MASK
    return bits ^ (bits >> 31)


def signed(bits: int) -> int:
    """The 64 bits of an unsigned number read as a signed one (states hold int64)."""
    return bits - (1 << 64) if bits >> 63 else bits


def world_key(seed: int | None) -> int:
    """The key of a world from a seed of any size; without a seed, from the operating system.

    Raises:
        ValueError: a negative seed.
        TypeError: a seed that is no whole number.
    """
    if seed is None:
        return signed(secrets.randbits(64))
    if isinstance(seed, bool) or not hasattr(seed, "__index__"):
        raise TypeError(f"a seed is a whole number, not {seed!r}")
    rest = seed.__index__()
    if rest < 0:
        raise ValueError(f"a seed is not negative, got {seed}")
    key = mix(GOLDEN)
    while True:
        key = mix((key + (rest & MASK)) & MASK)
        rest >>= 64
        if not rest:
            return signed(key)


@primitive
def episode_key(key: int, episode: int) -> int:
    """The key of one episode of a world."""
    return signed(mix((key + mix((episode * GOLDEN + 1) & MASK)) & MASK))


@primitive
def stream_key(key: int, tick: int, purpose: int, agent: int) -> int:
    """The start of the stream for one tick, purpose and agent of an episode with this key."""
    return signed(mix((key ^ mix(((tick << 32) + (purpose << 16) + agent + 1) * GOLDEN & MASK)) & MASK))


@primitive
def draw_integer(scratch: Any, slot: int, span: int) -> int:
    """The next whole number in [0, span), without bias (Lemire 2019 for spans up to 2**32)."""
    if span <= 1 << 32:
        product = (_bits(scratch, slot) >> 32) * span
        if product & 0xFFFFFFFF < span:
            floor = (1 << 32) % span
            while product & 0xFFFFFFFF < floor:
                product = (_bits(scratch, slot) >> 32) * span
        return int(product >> 32)
    drawn = _bits(scratch, slot) >> 1
    while drawn >= (1 << 63) - (1 << 63) % span:
        drawn = _bits(scratch, slot) >> 1
    return int(drawn % span)


@primitive
def draw_float(scratch: Any, slot: int) -> float:
    """The next number in [0, 1), a multiple of 2**-53."""
    return float((_bits(scratch, slot) >> 11) * 2.0**-53)


def draw_normal(scratch: Any, slot: int) -> float:
    """The next standard normal number: the quantile of an odd multiple of 2**-53."""
    return normal_quantile((draw_integer(scratch, slot, 1 << 52) + 0.5) * 2.0**-52)


def _bits(scratch: Any, slot: int) -> int:
    scratch[slot + 1] += 1
    return mix((int(scratch[slot]) + int(scratch[slot + 1]) * GOLDEN) & MASK)


@primitive
def new_integers(scratch: Any, count: int) -> Any:
    """int64[count] of scratch memory (interpreted: a fresh array)."""
    import numpy as np

    return np.zeros(count, np.int64)


@primitive
def new_floats(scratch: Any, count: int) -> Any:
    """float64[count] of scratch memory (interpreted: a fresh array)."""
    import numpy as np

    return np.zeros(count, np.float64)


@primitive
def length_of(a: Any) -> int:
    """The number of things to choose from: `a` itself, or its length."""
    return len(a) if hasattr(a, "__len__") else int(a)


@primitive
def item_of(a: Any, i: int) -> Any:
    """The i-th thing to choose from: `i` itself, or an item."""
    return a[i] if hasattr(a, "__len__") else i


@primitive
def items_of(scratch: Any, a: Any, chosen: Any) -> Any:
    """The chosen things: the numbers themselves, or an array of items."""
    import numpy as np

    if not hasattr(a, "__len__"):
        return chosen
    if isinstance(a, np.ndarray):
        return a[chosen]
    items = [a[i] for i in chosen]
    if all(isinstance(item, int | float | np.number) for item in items):
        return np.array(items)
    array = np.empty(len(items), object)
    array[:] = items
    return array


@primitive
def exchange(x: Any, i: int, j: int) -> None:
    """Exchange two items of an array or list (rows, of an array with several axes)."""
    if getattr(x, "ndim", 1) > 1:
        x[[i, j]] = x[[j, i]]
    else:
        x[i], x[j] = x[j], x[i]


@primitive
def vector_item(items: Any, i: Any) -> Any:
    """One item, or a slice, of a `Vector`."""
    return items[i]


def normal_quantile(p: float) -> float:
    """The standard normal quantile of 0 < p < 1, to about 16 digits (algorithm AS 241, PPND16)."""
    q = p - 0.5
    if abs(q) <= 0.425:
        r = 0.180625 - q * q
        top = ((((((2509.0809287301226727 * r + 33430.575583588128105) * r + 67265.770927008700853) * r
            + 45921.953931549871457) * r + 13731.693765509461125) * r + 1971.5909503065514427) * r
            + 133.14166789178437745) * r + 3.387132872796366608  # fmt: skip
        low = ((((((5226.495278852545925 * r + 28729.085735721942674) * r + 39307.89580009271061) * r
            + 21213.794301586595867) * r + 5394.1960214247511077) * r + 687.1870074920579083) * r
            + 42.313330701600911252) * r + 1.0  # fmt: skip
        return q * top / low
    r = math.sqrt(-math.log(p if q < 0 else 1.0 - p))
    if r <= 5.0:
        r -= 1.6
        top = ((((((7.7454501427834140764e-4 * r + 0.0227238449892691845833) * r + 0.24178072517745061177) * r
            + 1.27045825245236838258) * r + 3.64784832476320460504) * r + 5.7694972214606914055) * r
            + 4.6303378461565452959) * r + 1.42343711074968357734  # fmt: skip
        low = ((((((1.05075007164441684324e-9 * r + 5.475938084995344946e-4) * r + 0.0151986665636164571966) * r
            + 0.14810397642748007459) * r + 0.68976733498510000455) * r + 1.6763848301838038494) * r
            + 2.05319162663775882187) * r + 1.0  # fmt: skip
    else:
        r -= 5.0
        top = ((((((2.01033439929228813265e-7 * r + 2.71155556874348757815e-5) * r + 0.0012426609473880784386) * r
            + 0.026532189526576123093) * r + 0.29656057182850489123) * r + 1.7848265399172913358) * r
            + 5.4637849111641143699) * r + 6.6579046435011037772  # fmt: skip
        low = ((((((2.04426310338993978564e-15 * r + 1.4215117583164458887e-7) * r + 1.8463183175100546818e-5) * r
            + 7.868691311456132591e-4) * r + 0.0148753612908506148525) * r + 0.13692988092273580531) * r
            + 0.59983220655588793769) * r + 1.0  # fmt: skip
    return -top / low if q < 0 else top / low
