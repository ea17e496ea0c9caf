"""Steps a world interpreted and compiled with the same random actions, until they differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gridarium import draw
from gridarium.engine import Batch, World
from gridarium.world import State


@dataclass(frozen=True)
class Difference:
    """The first difference between two runs.

    Attributes:
        seed: the seed of the world.
        tick: the tick of the step that differs; -1 for the reset.
        actions: the actions of the agents in that step.
        what: the parts that differ, as text.
        interpreted, compiled: the states after the step.
    """

    seed: int
    tick: int
    actions: tuple[str, ...]
    what: str
    interpreted: State
    compiled: State

    def text(self, first: str = "interpreted", second: str = "compiled") -> str:
        """Describe the difference, with names for the two runs."""
        when = "the reset" if self.tick < 0 else f"tick {self.tick} ({', '.join(self.actions)})"
        pictures = (f"{first}:\n{draw.text(self.interpreted)}", f"{second}:\n{draw.text(self.compiled)}")
        return "\n".join((f"seed {self.seed}, {when}: {self.what} differ", *pictures))


def compare(plain: World, compiled: World, worlds: int, ticks: int) -> Iterator[Difference | None]:
    """Step both worlds; yields None for each tick without a difference, then the first difference, and ends.

    Args:
        plain: the world made with `compiled=False`.
        compiled: the same made with `compiled=True`.
        worlds: the size of the batches; seeds are 0, 1, 2, ...
        ticks: the number of steps; ended worlds are reset.

    Raises:
        Exception: a rule raised it in one of them and not in the other.
    """
    first, second = plain.batch(worlds), compiled.batch(worlds)
    outcomes: dict[str, Sequence[Any]] = {
        "observations": (first.reset(0), second.reset(0)),
        "masks": (first.masks, second.masks),
    }
    yield (found := _difference(first, second, outcomes, -1, None))
    drawn = np.random.default_rng(0)
    for tick in range(ticks):
        if found is not None:
            return
        given = first.sample_actions(drawn)
        actions = given.reshape(worlds, -1)
        a, b = first.step(given), second.step(given)
        outcomes = {name: pair for name, *pair in zip(a._fields, a, b, strict=True)}
        yield (found := _difference(first, second, outcomes, tick, actions))


def _difference(
    first: Batch, second: Batch, outcomes: Mapping[str, Sequence[Any]], tick: int, actions: Any
) -> Difference | None:
    parts: dict[str, Any] = {}
    for name, (a, b) in outcomes.items():
        if a is None and b is None:
            continue
        pairs = {f"{name} ({key})": (a[key], b[key]) for key in a} if isinstance(a, dict) else {name: (a, b)}
        parts |= {key: _unequal(*pair) for key, pair in pairs.items()}
    one, other = first.snapshot(), second.snapshot()
    named = {
        "cells": "cells",
        "layers": "contents, walls or cell fields",
        "agent_rows": "agents",
        "data": "world fields or clock",
    }
    parts |= {text: _unequal(getattr(one, name), getattr(other, name)) for name, text in named.items()}
    if not any(unequal.any() for unequal in parts.values()):
        return None
    i = int(np.flatnonzero(np.any(list(parts.values()), axis=0))[0])
    what = " and ".join(text for text, unequal in parts.items() if unequal[i])
    chosen = () if actions is None else tuple(first.composed.spec.actions[k].name for k in actions[i])
    return Difference(i, tick, chosen, what, first.state(i), second.state(i))


def _unequal(a: Any, b: Any) -> Any:
    """Return bool[worlds]: whether two arrays differ in any bit; all NaN count as equal."""
    one_nan = [np.where(np.isnan(x), np.nan, x) if x.dtype.kind == "f" else x for x in (a, b)]
    rows = [np.ascontiguousarray(x).reshape(len(x), -1).view(np.uint8) for x in one_nan]
    return (rows[0] != rows[1]).any(axis=1) if rows[0].size else np.zeros(len(a), np.bool_)
