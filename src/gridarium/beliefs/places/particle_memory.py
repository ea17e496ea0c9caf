"""The memory of a particle filter: its arrays, and the frame that tells the compiled loops where they lie."""

from __future__ import annotations

from typing import Any

import numpy as np

from gridarium.beliefs import particle_kernel as kernel
from gridarium.beliefs.motion import Motion
from gridarium.beliefs.particle_frame import FRAME_LENGTH, NUMBERS, At, Number
from gridarium.beliefs.particle_program import LOOPS
from gridarium.beliefs.places import Floats, Ints
from gridarium.engine.frame import address

Snapshot = tuple[Ints, int]
"""The lasting words of a memory, and how many particles there are."""
OPTIONS = (At.METHOD, At.LEAST)
"""What users of a memory write into its frame."""


class ParticleMemory:
    """Arrays for at most `most` particles, and the loops over them.

    Args:
        motion: between the places.
        coordinates: float64[places, 2]: y and x of each.
        most: how many particles there may be.
        compiled: False runs the loops as plain Python.

    Attributes:
        particles: int64[most]: their places.
        weights: float64[most].
        likelihood, belief: float64[places].
        shown: particles, weights and belief, not to be written to.
        numbers: float64[...]: what the loops are told and what they tell (see `Number`).
        told: float64[3]: of them the estimate, its mean y and x and the most probable place.
        scratch: int64[2]: the stream of random numbers, and how many have been drawn.
    """

    def __init__(self, motion: Motion, coordinates: Floats, most: int, *, compiled: bool) -> None:
        actions, places, ways = motion.targets.shape
        self._made_of = motion, coordinates, most, compiled
        self._targets = np.ascontiguousarray(motion.targets)
        self._edges = np.ascontiguousarray(np.cumsum(motion.shares, axis=2))
        self._spare, self._guide = np.zeros(most, np.int64), np.zeros(places, np.int64)
        self._shares, self._coordinates = np.zeros(places), np.ascontiguousarray(coordinates)
        self._lasting = np.zeros(2 * most + 2 * places + NUMBERS + 2, np.int64)
        particles, weights, likelihood, belief, numbers, scratch = np.split(
            self._lasting, np.cumsum([most, most, places, places, NUMBERS])
        )
        self.particles, self.scratch = particles, scratch
        self.weights, self.likelihood, self.belief, self.numbers = (
            part.view(np.float64) for part in (weights, likelihood, belief, numbers)
        )
        self.shown = tuple(_read_only(part) for part in (self.particles, self.weights, self.belief))
        self.told: Floats = self.numbers[Number.MEAN_Y :]
        self.frame = np.zeros(FRAME_LENGTH, np.int64)
        sizes = {At.MOST: most, At.PLACES: places, At.WAYS: ways, At.ACTIONS: actions, At.LEAST: 1}
        arrays = {
            At.PARTICLES: self.particles,
            At.SPARE: self._spare,
            At.WEIGHTS: self.weights,
            At.TARGETS: self._targets,
            At.EDGES: self._edges,
            At.LIKELIHOOD: self.likelihood,
            At.BELIEF: self.belief,
            At.SCRATCH: self.scratch,
            At.NUMBERS: self.numbers,
            At.SHARES: self._shares,
            At.GUIDE: self._guide,
            At.COORDINATES: self._coordinates,
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
        """How many particles there are now."""
        return int(self.frame[At.COUNT])

    @count.setter
    def count(self, new: int) -> None:
        self.frame[At.COUNT] = new

    def number(self, which: Number) -> float:
        """One of the numbers."""
        return float(self.numbers[which])

    def run(self, mode: int, action: int = 0) -> None:
        """Predict with an action, update, resample, as the bits of the mode say."""
        loops = LOOPS.get() if self._compiled else None
        if loops is not None:
            loops(self._place, action, 0, 0, mode)
        else:
            kernel.run(self.frame, action, 0, 0, mode)

    def snapshot(self) -> Snapshot:
        """A copy of all that changes from step to step."""
        return self._lasting.copy(), self.count

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot."""
        self._lasting[:], self.count = snapshot

    def __reduce__(self) -> Any:
        options = tuple(int(self.frame[place]) for place in OPTIONS)
        return _restored, (self._made_of, options, self.snapshot())


def _read_only(array: Any) -> Any:
    seen = array.view()
    seen.flags.writeable = False
    return seen


def _restored(made_of: Any, options: tuple[int, ...], snapshot: Snapshot) -> ParticleMemory:
    motion, coordinates, most, compiled = made_of
    made = ParticleMemory(motion, coordinates, most, compiled=compiled)
    for place, option in zip(OPTIONS, options, strict=True):
        made.frame[place] = option
    made.restore(snapshot)
    return made
