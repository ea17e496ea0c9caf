"""Counter-based random numbers that are the same interpreted and compiled.

A draw is a pure function of a stream and a draw number; a stream is a pure function of world key, episode, tick,
purpose and agent. Only the draw number changes, and it is stored in scratch memory outside the state, so a rule can be
run again with the same random numbers. The generator is SplitMix64 (Steele, Lea and Flood 2014), started at a key mixed
from the stream's coordinates by the same finaliser.
"""

from __future__ import annotations

import secrets
from typing import Any

from gridarium.compiled.data_types.normal import normal_quantile
from gridarium.compiled.data_types.primitives import compiled_as, primitive
from gridarium.compiled.data_types.value_class import value
from gridarium.compiled.data_types.vectors import (
    Size,
    count_of,
    exchange,
    item_of,
    items_of,
    length_of,
    new_floats,
    new_integers,
    shaped,
    weights_of,
)

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15
LARGEST = (1 << 63) - 1
CLOCK_READ = 1
"""The index in the scratch row of the mark that a state's tick or episode was read, for planners that ignore time."""
FIRST_STREAM, KEPT_MASK, OWN_STREAM = 2, 29, 30
"""The index in the scratch row of streams, of the position of a mask of actions that was found (see
`gridarium.engine.step.legal_actions`), and of the stream of a state's own random numbers (plus `BEGUN` once used)."""
WATCHED, SHARED, CELLS_COPY, LAYERS_COPY = 31, 32, 33, 34
"""The index in the scratch row of the address of cells to be copied before they change, of whether they stand for those
before the step, too, and of where copies go (see `gridarium.world.copy_on_write`)."""
USED_UP = 35
"""The index in the scratch row of the mark that a rule raised since there was not enough free scratch memory."""
POOL_START = 36
"""The index of free scratch memory in the row, whose entry 0 is the amount used."""
BEGUN = 16
SCRATCH_WORDS = 2048
MANY_TICKS = 1 << 31
"""Where the number of a tick, a purpose and an agent does not fit into 63 bits."""
NORMAL_SPAN = 1 << 52
"""A normal number is computed from one of this many integers."""


@value
class Rng:
    """Random numbers for one purpose, with the interface of numpy's Generator.

    Attributes:
        scratch: int64[n] scratch row; `scratch[slot]` is the stream, `scratch[slot + 1]` the draw number (see
            `begin_stream` for streams that nobody has drawn from).
        slot: the index in the row.
    """

    scratch: Any
    slot: int

    def integers(
        self, low: int, high: int | None = None, size: Size | None = None, *, endpoint: bool = False
    ) -> Any:
        """Draw a uniform integer in [0, low) or [low, high), or `size` of them (int64[size]).

        Args:
            low: the lower end, or the upper end if `high` is None.
            high: the upper end, exclusive.
            size: the number of draws, or a shape.
            endpoint: whether to include the upper end.

        Raises:
            ValueError: the range is empty, or has 2**63 or more numbers.
        """
        first = 0 if high is None else int(low)
        last = int(low) if high is None else int(high)
        too_many = last > (
            LARGEST + first if first < 0 else LARGEST
        )  # their difference does not fit into 64 bits
        span = 0 if too_many or last < first else last - first
        if too_many or last < first or span == (LARGEST if endpoint else 0):
            raise ValueError(
                f"low >= high, or 2**63 numbers or more: there is no range from {first} to {last}"
            )
        span += 1 if endpoint else 0
        if size is None:
            return first + draw_integer(self.scratch, self.slot, span)
        numbers = new_integers(self.scratch, count_of(size))
        for i in range(len(numbers)):
            numbers[i] = first + draw_integer(self.scratch, self.slot, span)
        return shaped(numbers, size)

    def random(self, size: Size | None = None) -> Any:
        """Draw a uniform number in [0, 1), or `size` of them (float64[size])."""
        return draw_float(self.scratch, self.slot) if size is None else self.uniform(0.0, 1.0, size)

    def uniform(self, low: float = 0.0, high: float = 1.0, size: Size | None = None) -> Any:
        """Draw a uniform number in [low, high), or `size` of them (float64[size]).

        Raises:
            ValueError: `high` is below `low`.
        """
        first, last = float(low), float(high)
        if last < first:
            raise ValueError(f"high < low: there is no range from {low} to {high}")
        width = last - first
        if size is None:
            return first + width * draw_float(self.scratch, self.slot)
        numbers = new_floats(self.scratch, count_of(size))
        for i in range(len(numbers)):
            numbers[i] = first + width * draw_float(self.scratch, self.slot)
        return shaped(numbers, size)

    def choice(self, a: Any, size: Size | None = None, replace: bool = True, p: Any = None) -> Any:
        """Draw an item of `a` (a sequence, or an integer n for 0..n-1), or an array of `size` items.

        Args:
            a: the items to choose from.
            size: the number of draws, or a shape.
            replace: whether the same item may be chosen again.
            p: the probability of each item, a sequence that adds up to 1; uniform by default.

        Raises:
            ValueError: there are no items, too few without replacement, or `p` is not a distribution over `a`.
        """
        count = length_of(a)
        if p is not None:
            return self._weighted(a, weights_of(p), size, replace)
        if size is None:
            return item_of(a, self.integers(count))
        if replace:
            return items_of(self.scratch, a, self.integers(count, None, size))
        wanted = count_of(size)
        if wanted > count:
            raise ValueError(f"cannot take {wanted} of {count} without replacement")
        return items_of(self.scratch, a, shaped(self._sample(count, wanted), size))

    def permutation(self, x: Any) -> Any:
        """Return the items of a sequence, or 0..x-1 for an integer, as an array in random order."""
        count = length_of(x)
        return items_of(self.scratch, x, self._sample(count, count))

    def shuffle(self, x: Any) -> None:
        """Shuffle an array or list along its first axis, in place."""
        for i in range(len(x) - 1, 0, -1):
            exchange(x, i, draw_integer(self.scratch, self.slot, i + 1))

    def normal(self, loc: float = 0.0, scale: float = 1.0, size: Size | None = None) -> Any:
        """Draw a normally distributed number, or `size` of them (float64[size]).

        One draw each, by inverting the distribution function (Wichura 1988, AS 241).

        Raises:
            ValueError: a negative scale.
        """
        if scale < 0:
            raise ValueError(f"scale < 0: {scale}")
        if size is None:
            return loc + scale * draw_normal(self.scratch, self.slot)
        numbers = new_floats(self.scratch, count_of(size))
        for i in range(len(numbers)):
            numbers[i] = loc + scale * draw_normal(self.scratch, self.slot)
        return shaped(numbers, size)

    def _weighted(self, a: Any, p: Any, size: Size | None, replace: bool) -> Any:
        weights = new_floats(self.scratch, len(p))
        for i in range(len(p)):
            weights[i] = p[i]
        check_weights(weights, length_of(a))
        if size is None:
            return item_of(a, pick(weights, draw_float(self.scratch, self.slot)))
        numbers = new_integers(self.scratch, count_of(size))
        for i in range(len(numbers)):
            numbers[i] = pick(weights, draw_float(self.scratch, self.slot))
            if not replace:
                weights[numbers[i]] = 0.0
        return items_of(self.scratch, a, shaped(numbers, size))

    def _sample(self, count: int, size: int) -> Any:
        numbers = new_integers(self.scratch, count)
        for i in range(count):
            numbers[i] = i
        for i in range(size):
            j = i + draw_integer(self.scratch, self.slot, count - i)
            numbers[i], numbers[j] = numbers[j], numbers[i]
        return numbers[:size]


def check_weights(weights: Any, count: int) -> None:
    """Check that weights are a distribution over `count` items.

    Raises:
        ValueError: they are not.
    """
    if len(weights) != count:
        raise ValueError(f"p has {len(weights)} probabilities for {count} things to choose from")
    total = 0.0
    for i in range(count):
        if not weights[i] >= 0.0:
            raise ValueError(f"a probability must not be negative, got {weights[i]}")
        total += weights[i]
    if not abs(total - 1.0) < 1e-8:
        raise ValueError(f"probabilities must add up to 1, not to {total}")


def pick(weights: Any, u: Any) -> int:
    """Map a uniform number in [0, 1) to the index of an item, with probabilities proportional to the weights.

    Raises:
        ValueError: all weights are 0.
    """
    total = 0.0
    last = -1
    for i in range(len(weights)):
        if weights[i] > 0.0:
            total += weights[i]
            last = i
    if last < 0:
        raise ValueError("cannot choose among things of probability 0 (more wanted without replacement?)")
    drawn = total * u
    reached = 0.0
    for i in range(last):
        reached += weights[i]
        if weights[i] > 0.0 and drawn < reached:
            return i
    return last


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
        TypeError: the seed is not an integer.
    """
    if seed is None:
        return signed(secrets.randbits(64))
    if isinstance(seed, bool) or not hasattr(seed, "__index__"):
        raise TypeError(f"a seed must be a whole number, not {seed!r}")
    rest = seed.__index__()
    if rest < 0:
        raise ValueError(f"a seed must not be negative, got {seed}")
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


def begin_stream(scratch: Any, slot: int, key: int, tick: int, purpose: int, agent: int) -> None:
    """Put the stream of `stream_key` at `slot`, from its beginning.

    Most streams are not drawn from, so its key is found by the first draw: until then, the slot holds that of the
    episode, and tick, purpose and agent as a number below 0 in place of the draw number.
    """
    if 0 <= tick < MANY_TICKS:
        scratch[slot] = key
        scratch[slot + 1] = -((tick << 32) + (purpose << 16) + agent + 1)
    else:
        scratch[slot] = stream_key(key, tick, purpose, agent)
        scratch[slot + 1] = 0


@primitive
def count_draw(scratch: Any, slot: int) -> None:
    """Count one more draw of the stream at `slot`; its key is `scratch[slot]` then."""
    number = int(scratch[slot + 1])
    if number < 0:
        scratch[slot] = stream_key(int(scratch[slot]), 0, 0, -number - 1)
        number = 0
    scratch[slot + 1] = number + 1


@compiled_as("gridarium.compiled.numba_backend.branching:draw_integer")
def draw_integer(scratch: Any, slot: int, span: int) -> int:
    """Draw the next integer in [0, span), without bias (Lemire 2019 for spans up to 2**32)."""
    if hasattr(scratch, "enumerator"):  # of a state with branching draws
        return int(scratch.draw_integer(slot, span))
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


@compiled_as("gridarium.compiled.numba_backend.branching:draw_float")
def draw_float(scratch: Any, slot: int) -> float:
    """Draw the next number in [0, 1), a multiple of 2**-53."""
    if hasattr(scratch, "enumerator"):
        return scratch.draw_float(slot)
    return float((_bits(scratch, slot) >> 11) * 2.0**-53)


def draw_normal(scratch: Any, slot: int) -> float:
    """Draw the next standard normal number: the quantile of an odd multiple of 2**-53."""
    return normal_quantile((draw_integer(scratch, slot, NORMAL_SPAN) + 0.5) * 2.0**-52)


def _bits(scratch: Any, slot: int) -> int:
    count_draw(scratch, slot)
    return mix((int(scratch[slot]) + int(scratch[slot + 1]) * GOLDEN) & MASK)
