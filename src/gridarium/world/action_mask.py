"""Masks of actions that legal rules fill: `mask.of(PLACE)[piece, y, x] = True`.

Which actions are legal is one bit for each index of a world's actions. Where each action begins, and the lengths of its
arguments, depends on the world's size, so it is part of the run-time parameters (`layout`).
"""

from __future__ import annotations

import threading
from collections.abc import Collection
from operator import index
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from gridarium.compiled.data_types.primitives import compiled_as, fill_words, fixed
from gridarium.compiled.data_types.value_class import value
from gridarium.world.action_arguments import SIDE_BITS, Actions, Argument
from gridarium.world.actions import NUMBER_MASK, Action
from gridarium.world.geometry import Position

COUNT, LISTED, LACKING, HEADER = range(4)
"""What the layout begins with: the number of indices, that of actions, and whether some agents lack some of them."""
NUMBER, FILLED, FIRST, SIZE, RANK, AXES = range(6)
"""The columns of an action in the layout: its number, whether a rule fills it, its first index, the number of its indices
and of its axes, and the axes: a length, a shift and a mask for each, which read it from an action's integer."""
LONGEST_ROW = 62
"""The maximum number of values of the last axis for `rows`, whose items are integers of this many bits."""


def layout(actions: Actions, filled: Collection[Action], *, lacking: bool) -> list[int]:
    """The layout of a world's actions as integers: the columns `COUNT` to `HEADER`, then those of each action.

    Args:
        actions: the actions of the world.
        filled: those that rules fill.
        lacking: whether some agents lack some of the actions.
    """
    numbers, first = [len(actions), len(actions.listed), int(lacking)], 0
    for action in actions.listed:
        axes = [axis for a in actions.table.declared.get(action.value, ()) for axis in _axes(actions, a)]
        size = 1
        for length, _, _ in axes:
            size *= length
        numbers += [action.value, int(action in filled), first, size, len(axes)]
        numbers += [number for axis in axes for number in axis]
        first += size
    return numbers


def _axes(actions: Actions, argument: Argument) -> list[tuple[int, int, int]]:
    shift = actions.table.shifts[argument.name]
    if argument.over != "cells":
        return [(actions.size(argument), shift, (1 << argument.bits) - 1)]
    side = (1 << SIDE_BITS) - 1
    return [(actions.shape.height, shift + SIDE_BITS, side), (actions.shape.width, shift, side)]


def blank_mask(actions: Actions, filled: Collection[Action]) -> ActionMask:
    """A mask as a rule gets it that fills some actions of a world (interpreted only).

    Example:
        >>> mask = blank_mask(world.actions, [PLACE])
        >>> fits(state, mask)
        >>> as_bools(mask)
    """
    params = np.array(layout(actions, filled, lacking=False), np.int64)
    mask = ActionMask(np.zeros(mask_words(params, 0), np.uint32), params, 0)
    clear_filled(mask)
    return mask


def as_bools(mask: ActionMask) -> npt.NDArray[np.bool_]:
    """bool[actions]: a mask as an array (interpreted only)."""
    bits = np.unpackbits(
        mask.words.view(np.uint8), count=int(mask.params[mask.start + COUNT]), bitorder="little"
    )
    return bits.astype(np.bool_)


@value
class ActionMask:
    """Which actions are legal, for a rule that fills it.

    Attributes:
        words: uint32[n]: one bit for each index of the actions, the lowest first.
        params: int64[n]: the run-time parameters.
        start: the index in them at which the layout begins.
    """

    __hidden__: ClassVar[tuple[str, ...]] = ("words", "params", "start")
    words: Any
    params: Any
    start: int

    def of(self, action: Action) -> ArgumentMask:
        """The part of the mask for one action: an item for each combination of its arguments.

        Raises:
            ValueError: the rules of the world do not fill this action.
        """
        at = find(self, action.value)
        if at < 0 or fixed(self.params, at + FILLED) == 0:
            raise ValueError(f"{action.name} is not among the actions that this rule is registered to fill")
        return ArgumentMask(self.words, self.params, at)


def find(mask: ActionMask, number: int) -> int:
    """The index in the parameters of an action's columns; -1 for an action that the world does not have."""
    at = mask.start + HEADER
    for _ in range(fixed(mask.params, mask.start + LISTED)):
        if fixed(mask.params, at + NUMBER) == number:
            return at
        at += AXES + 3 * fixed(mask.params, at + RANK)
    return -1


def clear_filled(mask: ActionMask) -> None:
    """Set the items of the actions that no rule fills to True, those of all others to False."""
    fill_words(mask.words, 0)
    at = mask.start + HEADER
    for _ in range(fixed(mask.params, mask.start + LISTED)):
        if fixed(mask.params, at + FILLED) == 0:
            set_bits(mask.words, fixed(mask.params, at + FIRST), fixed(mask.params, at + SIZE), True)
        at += AXES + 3 * fixed(mask.params, at + RANK)


def allows(mask: ActionMask, action: int) -> bool:
    """Whether the mask allows an action, given as its integer with arguments."""
    at = find(mask, action & NUMBER_MASK)
    if at < 0:
        return False
    offset = 0
    for k in range(fixed(mask.params, at + RANK)):
        axis = at + AXES + 3 * k
        offset = offset * fixed(mask.params, axis) + (
            action >> fixed(mask.params, axis + 1) & fixed(mask.params, axis + 2)
        )
    return get_bit(mask.words, fixed(mask.params, at + FIRST) + offset)


@value
class ArgumentMask:
    """The part of a mask for one action, with an axis for each of its arguments, and two for a position.

    `places[piece, y, x] = True` and `places[piece, p] = True` allow one combination.

    Attributes:
        words, params: those of the mask.
        at: the index of the action's columns in the parameters.
    """

    __hidden__: ClassVar[tuple[str, ...]] = ("words", "params", "at")
    words: Any
    params: Any
    at: int

    def __getitem__(self, place: Any) -> bool:
        return get_bit(self.words, self.first + offset_in(self, place, 0))

    def __setitem__(self, place: Any, legal: bool) -> None:
        i = self.first + offset_in(self, place, 0)
        bit = 1 << (i & 31)
        word = int(self.words[i >> 5])
        self.words[i >> 5] = word | bit if legal else word & ~bit

    @property
    def rows(self) -> MaskRows:
        """All values of the last axis at once, as the bits of an integer: `places.rows[piece, y] = 0b0110`.

        The lowest bit is the first value. The last axis has at most 62 values.
        """
        return MaskRows(self)

    @property
    def first(self) -> int:
        """The index of the action with the first values of its arguments."""
        return fixed(self.params, self.at + FIRST)

    @property
    def size(self) -> int:
        """The number of combinations of arguments."""
        return fixed(self.params, self.at + SIZE)

    def any(self) -> bool:
        """Whether any combination is legal."""
        i, end = self.first, self.first + self.size
        while i < end:
            count = min(32 - (i & 31), end - i)
            if int(self.words[i >> 5]) >> (i & 31) & ((1 << count) - 1) != 0:
                return True
            i += count
        return False

    def fill(self, legal: bool) -> None:
        """Allow or forbid all combinations: also for an action without arguments."""
        set_bits(self.words, self.first, self.size, legal)


@value
class MaskRows:
    """See `ArgumentMask.rows`."""

    __hidden__: ClassVar[tuple[str, ...]] = ("part",)
    part: ArgumentMask

    def __getitem__(self, place: Any) -> int:
        width = row_width(self.part)
        i = self.part.first + offset_in(self.part, place, 1) * width
        found, shift = 0, 0
        while shift < width:
            count = min(32 - (i & 31), width - shift)
            found |= (int(self.part.words[i >> 5]) >> (i & 31) & ((1 << count) - 1)) << shift
            shift += count
            i += count
        return found

    def __setitem__(self, place: Any, bits: int) -> None:
        width = row_width(self.part)
        rest = whole_number(bits)
        if rest < 0 or rest >> width != 0:
            raise ValueError(f"a row of {width} values has bits 0 to {width - 1}; got {rest:#b}")
        i = self.part.first + offset_in(self.part, place, 1) * width
        while width > 0:
            count = min(32 - (i & 31), width)
            field = (1 << count) - 1
            word = int(self.part.words[i >> 5]) & ~(field << (i & 31))
            self.part.words[i >> 5] = word | (rest & field) << (i & 31)
            rest >>= count
            width -= count
            i += count


def row_width(part: ArgumentMask) -> int:
    """The number of values of the last axis."""
    rank = fixed(part.params, part.at + RANK)
    if rank == 0:
        raise IndexError("an action without arguments has no rows")
    width = fixed(part.params, part.at + AXES + 3 * (rank - 1))
    if width > LONGEST_ROW:
        raise IndexError(f"rows have at most {LONGEST_ROW} values, and here {width}: set them one by one")
    return width


def get_bit(words: Any, i: int) -> bool:
    """Bit `i` of a mask."""
    return int(words[i >> 5]) >> (i & 31) & 1 != 0


def set_bits(words: Any, first: int, count: int, on: bool) -> None:
    """Set or clear `count` bits of a mask from `first` on."""
    i, end = first, first + count
    while i < end:
        length = min(32 - (i & 31), end - i)
        field = ((1 << length) - 1) << (i & 31)
        word = int(words[i >> 5])
        words[i >> 5] = word | field if on else word & ~field
        i += length


@compiled_as("gridarium.world.compiled.action_mask:whole_number")
def whole_number(bits: Any) -> int:
    """An integer; anything else raises a TypeError."""
    return index(bits)


@compiled_as("gridarium.world.compiled.action_mask:offset_in")
def offset_in(part: ArgumentMask, place: Any, omitted: int) -> int:
    """The offset of a combination of arguments, given by numbers and positions, without the last `omitted` axes.

    Raises:
        IndexError: the wrong number of arguments, or one is out of range.
        TypeError: one is neither a whole number nor a position.
    """
    parts = place if isinstance(place, tuple) else (place,)
    numbers = [n for p in parts for n in ((p.y, p.x) if isinstance(p, Position) else (index(p),))]
    rank = fixed(part.params, part.at + RANK) - omitted
    if len(numbers) != rank:
        raise IndexError(f"{rank} numbers are needed, two of them for a position; got {len(numbers)}")
    offset = 0
    for k, number in enumerate(numbers):
        length = fixed(part.params, part.at + AXES + 3 * k)
        if not 0 <= number < length:
            raise IndexError(f"{number} is not between 0 and {length - 1}")
        offset = offset * length + number
    return offset


@compiled_as("gridarium.world.compiled.action_mask:new_words")
def new_words(scratch: Any, count: int) -> Any:
    """uint32[count], not initialised (compiled: in scratch memory)."""
    return np.empty(count, np.uint32)


@compiled_as("gridarium.world.compiled.action_mask:kept_words")
def kept_words(scratch: Any, start: int, count: int) -> Any:
    """The uint32[count] that `keep_words` has kept last in this thread (compiled: that begin at `start` of scratch memory)."""
    return _kept.words


@compiled_as("gridarium.world.compiled.action_mask:keep_words")
def keep_words(scratch: Any, used: int, words: Any) -> int:
    """Keep the words of a mask; return where they are in scratch memory, if they were taken when `used` was taken already."""
    _kept.words = words
    return 1


_kept = threading.local()


def mask_words(params: Any, start: int) -> int:
    """The number of words of a mask, of the layout that begins at `start`."""
    return (fixed(params, start + COUNT) + 31) >> 5


def some_lack(params: Any, start: int) -> bool:
    """Whether some agents lack some actions."""
    return fixed(params, start + LACKING) != 0


def any_bits(words: Any) -> bool:
    """Whether any bit is set."""
    for w in range(words.shape[0]):
        if words[w] != 0:
            return True
    return False


def copy_bits(words: Any, row: Any) -> None:
    """Copy the bits of words to the bits of bytes."""
    for k in range(row.shape[0]):
        row[k] = int(words[k >> 2]) >> (8 * (k & 3)) & 255


def spread_bits(words: Any, row: Any) -> None:
    """Copy the bits of words to a byte each."""
    whole = row.shape[0] >> 5
    for w in range(whole):
        word = int(words[w])
        for k in range(32):
            row[32 * w + k] = word >> k & 1
    for i in range(32 * whole, row.shape[0]):
        row[i] = int(words[i >> 5]) >> (i & 31) & 1
