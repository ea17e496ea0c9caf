"""Observing worlds, which an environment steps, through another representation.

The environment's own program writes it if it can, with other tables, else one that only observes: rules that reset, move,
reward and end are compiled once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
from gymnasium import spaces

from gridarium.engine import Autoreset, Batch
from gridarium.engine.composed_world import ComposedWorld
from gridarium.engine.observe.representation import Observe
from gridarium.engine.threads.memory import Snapshot
from gridarium.engine.threads.outputs import Arrays
from gridarium.env.spaces import box, observation_space
from gridarium.world import Area
from gridarium.world.geometry import area
from gridarium.worlds import Spec
from gridarium.worlds.entries.entry_types import WITHOUT_CELLS
from gridarium.worlds.parameters import with_parameters

Change: TypeAlias = Callable[[ComposedWorld], ComposedWorld]
Form: TypeAlias = Callable[[Arrays], Any]
"""Makes observations of arrays; both have the worlds as their first axis."""
SEVEN_BY_SEVEN = area(-6, 0, -3, 3)
"""The cells ahead that agents see in most worlds."""


class StateObserver:
    """Observes the worlds of an environment through another composed world.

    Args:
        composed: writes the arrays.
        form: makes observations of them.
        n: how many worlds there are.
    """

    def __init__(self, composed: ComposedWorld, form: Form, n: int) -> None:
        self.composed, self.form = composed, form
        self._batch = Batch(composed, n, autoreset=Autoreset.DISABLED)

    @property
    def space(self) -> spaces.Space[Any]:
        """The space of one world's observation."""
        parts = {output.name: box(output) for output in self.composed.outputs}  # in the order of observations
        low, high = (
            self.form({name: getattr(part, side)[None] for name, part in parts.items()})
            for side in ("low", "high")
        )
        if isinstance(low, dict):
            return observation_space(self.composed.outputs)
        return spaces.Box(low[0], high[0], dtype=low.dtype)

    def look(self, worlds: Snapshot) -> Any:
        """Observe these worlds."""
        self._batch.restore(worlds)
        return self.form(self._batch.observe())

    def close(self) -> None:
        """End its threads."""
        self._batch.close()


def observer_over(env: Any, wrapper: type, change: Change, form: Form | None) -> StateObserver:
    """The observer of a wrapper around an environment.

    Args:
        env: what is wrapped, its `unwrapped` one of Gridarium's.
        wrapper: the class of wrappers that have an `observer`; where there is one below, its composed world and form are used.
        change: replaces the composed world of what is below.
        form: what becomes of the arrays; None for what becomes of them below.

    Raises:
        ValueError: some other wrapper below has changed the observations, which would be lost.
    """
    inner, batch = env, env.unwrapped.batch
    while inner is not env.unwrapped and not isinstance(inner, wrapper):
        inner = inner.env
    below = inner.observer if inner is not env.unwrapped else StateObserver(batch.composed, untouched, 1)
    if getattr(env, "single_observation_space", env.observation_space) != below.space:
        raise ValueError(f"{env} changes the world's observations; wrappers of gridarium.env come before it")
    return StateObserver(change(below.composed), below.form if form is None else form, batch.n)


# what is shown


def one_hot(composed: ComposedWorld) -> ComposedWorld:
    """Kinds, statuses, colors and agents one-hot; declared fields and sensors as in the world."""
    own = _with_cells(composed).spec.representation
    return _shown(composed, {"name": "symbolic", "fields": list(own.fields), "sensors": own.shows_sensors})


def numbers(composed: ComposedWorld) -> ComposedWorld:
    """As `one_hot`; a world that shows no cells as it is."""
    return composed if composed.spec.representation.name in WITHOUT_CELLS else one_hot(composed)


def pixels(tile: int) -> Change:
    """A picture, `tile` x `tile` pixels for each cell."""
    return lambda composed: _shown(_with_cells(composed), {"name": "rgb", "tile": tile})


def whole(composed: ComposedWorld) -> ComposedWorld:
    """The whole state."""
    return _observer(composed, composed.spec, "state")


def seen_by(rule: str, area: Area | Sequence[Sequence[int]]) -> Change:
    """The observation of an area by an observation rule."""
    entry = {"observation": {"name": rule, "area": area}}
    return lambda composed: _observer(composed, with_parameters(composed.spec, entry), "observation")


def _shown(composed: ComposedWorld, representation: dict[str, Any]) -> ComposedWorld:
    shown = with_parameters(composed.spec, {"representation": representation})
    return _observer(composed, shown, composed.observe)


def _observer(composed: ComposedWorld, spec: Spec, observe: Observe) -> ComposedWorld:
    """A composed world that observes states of another one, by the same program or by a small one of its own."""
    compiled = composed.wants_compiled
    made = ComposedWorld(spec, compiled=compiled, observe=observe, observe_only=composed.observe_only)
    if not compiled or composed.observe_only or made.shares_program(composed):
        return made
    return ComposedWorld(spec, observe=observe, observe_only=True)


def _with_cells(composed: ComposedWorld) -> ComposedWorld:
    """The composed world itself.

    Raises:
        ValueError: its world shows no cells.
    """
    if composed.spec.representation.name in WITHOUT_CELLS:
        raise ValueError(f"{composed.name} shows no cells; FlatObservation takes what it shows")
    return composed


# and in which form


def untouched(arrays: Arrays) -> Arrays:
    """All arrays, by their names."""
    return arrays


def image(arrays: Arrays) -> Any:
    """The picture alone."""
    return arrays["image"]


def flat(arrays: Arrays) -> Any:
    """One vector, float32, of all numbers, array by array."""
    return np.concatenate([a.reshape(len(a), -1) for a in arrays.values()], axis=1, dtype=np.float32)
