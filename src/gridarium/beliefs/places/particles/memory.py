"""The memory of a particle filter: its arrays, and the frame that tells the compiled loops where they lie."""

from __future__ import annotations

from typing import Any

import numpy as np

from gridarium.beliefs.belief import Floats, Ints
from gridarium.beliefs.places.motion import Motion
from gridarium.beliefs.places.particles import kernel
from gridarium.beliefs.places.particles.arguments import FRAME_LENGTH, NUMBERS, FilterArg, FilterNumber
from gridarium.compiled.background import library_loops
from gridarium.engine.kernel_args import address

Checkpoint = tuple[Ints, int]
"""The lasting words of a memory, and how many particles there are."""
OPTIONS = (FilterArg.METHOD, FilterArg.LEAST)
"""The places of the frame that users of a memory write."""


LOOPS = library_loops(kernel.run, name="the particle filter", frame_length=FRAME_LENGTH)
"""`run` of `kernel`, taking the address of the frame."""


class ParticleMemory:
    """Arrays for at most `most` particles, and the loops over them.

    Args:
        motion: between the places.
        coordinates: float64[places, 2]: y and x of each.
        most: the largest number of particles.
        compiled: False runs the loops as plain Python.

    Attributes:
        particles: int64[most]: their places.
        weights: float64[most].
        likelihood, belief: float64[places].
        shown: particles, weights and belief, not to be written to.
        numbers: float64[...]: parameters and results of the loops (see `FilterNumber`).
        estimate: float64[3], a part of `numbers`: mean y and x, and the most probable place.
        scratch: int64[2]: the stream of random numbers, and how many have been drawn.
    """

    def __init__(self, motion: Motion, coordinates: Floats, most: int, *, compiled: bool) -> None:
        actions, places, ways = motion.targets.shape
        self._made_of = motion, coordinates, most, compiled
        self._targets = np.ascontiguousarray(motion.targets)
        self._edges = np.ascontiguousarray(np.cumsum(motion.probabilities, axis=2))
        self._buffer, self._guide = np.zeros(most, np.int64), np.zeros(places, np.int64)
        self._place_weights, self._coordinates = np.zeros(places), np.ascontiguousarray(coordinates)
        self._lasting = np.zeros(2 * most + 2 * places + NUMBERS + 2, np.int64)
        particles, weights, likelihood, belief, numbers, scratch = np.split(
            self._lasting, np.cumsum([most, most, places, places, NUMBERS])
        )
        self.particles, self.scratch = particles, scratch
        self.weights, self.likelihood, self.belief, self.numbers = (
            part.view(np.float64) for part in (weights, likelihood, belief, numbers)
        )
        self.shown = tuple(_read_only(part) for part in (self.particles, self.weights, self.belief))
        self.estimate: Floats = self.numbers[FilterNumber.MEAN_Y :]
        self.frame = np.zeros(FRAME_LENGTH, np.int64)
        sizes = {
            FilterArg.MOST: most,
            FilterArg.PLACES: places,
            FilterArg.WAYS: ways,
            FilterArg.ACTIONS: actions,
            FilterArg.LEAST: 1,
        }
        arrays = {
            FilterArg.PARTICLES: self.particles,
            FilterArg.BUFFER: self._buffer,
            FilterArg.WEIGHTS: self.weights,
            FilterArg.TARGETS: self._targets,
            FilterArg.EDGES: self._edges,
            FilterArg.LIKELIHOOD: self.likelihood,
            FilterArg.BELIEF: self.belief,
            FilterArg.SCRATCH: self.scratch,
            FilterArg.NUMBERS: self.numbers,
            FilterArg.PLACE_WEIGHTS: self._place_weights,
            FilterArg.GUIDE: self._guide,
            FilterArg.COORDINATES: self._coordinates,
        }
        for place, size in sizes.items():
            self.frame[place] = size
        for place, array in arrays.items():
            self.frame[place] = address(array)
        self._place = address(self.frame)
        self._compiled = compiled
        if compiled:
            LOOPS.get()  # compiled now, rather than in the middle of the first step

    @property
    def count(self) -> int:
        """The present number of particles."""
        return int(self.frame[FilterArg.COUNT])

    @count.setter
    def count(self, new: int) -> None:
        self.frame[FilterArg.COUNT] = new

    def number(self, which: FilterNumber) -> float:
        """One of the numbers."""
        return float(self.numbers[which])

    def run(self, mode: int, action: int = 0) -> None:
        """Predict with an action, update, resample, as the bits of the mode say.

        Raises:
            ValueError: there is no such action.
        """
        if not 0 <= action < len(self._targets):
            raise ValueError(f"actions are numbered from 0 to {len(self._targets) - 1}; got {action!r}")
        loops = LOOPS.get() if self._compiled else None
        if loops is not None:
            loops(self._place, action, 0, 0, mode)
        else:
            kernel.run(self.frame, action, 0, 0, mode)

    def snapshot(self) -> Checkpoint:
        """A copy of all that changes from step to step."""
        return self._lasting.copy(), self.count

    def restore(self, snapshot: Checkpoint) -> None:
        """Go back to a snapshot."""
        self._lasting[:], self.count = snapshot

    def __reduce__(self) -> Any:
        options = tuple(int(self.frame[place]) for place in OPTIONS)
        return _restored, (self._made_of, options, self.snapshot())


def _read_only(array: Any) -> Any:
    seen = array.view()
    seen.flags.writeable = False
    return seen


def _restored(made_of: Any, options: tuple[int, ...], snapshot: Checkpoint) -> ParticleMemory:
    motion, coordinates, most, compiled = made_of
    made = ParticleMemory(motion, coordinates, most, compiled=compiled)
    for place, option in zip(OPTIONS, options, strict=True):
        made.frame[place] = option
    made.restore(snapshot)
    return made
