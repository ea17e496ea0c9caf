"""Static check whether rules may read the clock without leaving a mark.

A state marks its scratch memory when its tick or episode is read, but not when its array `data` is read, and a copy has
its own mark. So rules whose code contains these names are assumed to read the clock.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterable
from typing import Any, NamedTuple

from gridarium.compiled.cache.fingerprint import names_in
from gridarium.engine.composed_world import ComposedWorld

DATA = "data"
REVEALING = {DATA, "getattr"}
"""Code without these names cannot read the clock of a state without leaving a mark."""
COPYING, CLOCK_READING = {"copy", "deepcopy", "fork"}, {"tick", "episode", "identical", "tobytes"}
"""Code without these names does not read the clock of a copy."""


class ClockReading(NamedTuple):
    """The result of the static check.

    Attributes:
        unmarked: whether the code may read the clock without a mark; also true if it cannot be analysed.
        data: whether it uses the array `data`, which holds the clock. In interpreted enumeration, all other reads leave
            a mark.
    """

    unmarked: bool
    data: bool


def clock_reading(rules: Iterable[Any]) -> ClockReading:
    """Check how rules may read the clock, by the names in their code."""
    names = names_in(*rules)
    if names is None:
        return ClockReading(unmarked=True, data=False)
    by_a_copy = bool(names & COPYING and names & CLOCK_READING)
    return ClockReading(unmarked=bool(names & REVEALING) or by_a_copy, data=DATA in names)


_known: weakref.WeakKeyDictionary[ComposedWorld, ClockReading] = weakref.WeakKeyDictionary()


def clock_reading_of(composed: ComposedWorld) -> ClockReading:
    """Check how a world's transition, reward and terminating rules may read the clock."""
    if composed not in _known:
        spec = composed.spec
        _known[composed] = clock_reading(
            [rule for rule, _ in spec.transitions] + [*spec.rewards, *spec.terminations]
        )
    return _known[composed]
