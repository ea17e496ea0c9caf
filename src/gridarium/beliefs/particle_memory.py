"""The memory of a particle filter: its arrays, and the frame that tells the compiled loops where they lie."""

from __future__ import annotations

import numpy as np

from gridarium.beliefs import particle_kernel as kernel
from gridarium.beliefs.motion import Motion
from gridarium.beliefs.particle_kernel import At, Number
from gridarium.beliefs.particle_program import CompileError, Program, compiled_loops
from gridarium.beliefs.places import Floats
from gridarium.engine.frame import address


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
        numbers: float64[...]: what the loops are told and what they tell (see `Number`).
        scratch: int64[2]: the stream of random numbers, and how many have been drawn.
    """

    def __init__(self, motion: Motion, coordinates: Floats, most: int, *, compiled: bool) -> None:
        actions, places, ways = motion.targets.shape
        self._targets = np.ascontiguousarray(motion.targets)
        self._edges = np.ascontiguousarray(np.cumsum(motion.shares, axis=2))
        self._spare, self._guide = np.zeros(most, np.int64), np.zeros(places, np.int64)
        self._shares, self._coordinates = np.zeros(places), np.ascontiguousarray(coordinates)
        self.particles, self.weights = np.zeros(most, np.int64), np.zeros(most)
        self.likelihood, self.belief = np.zeros(places), np.zeros(places)
        self.numbers, self.scratch = np.zeros(kernel.NUMBERS), np.zeros(2, np.int64)
        self.frame = np.zeros(kernel.FRAME_LENGTH, np.int64)
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
        self._loops = self._found() if compiled else None

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
        if self._loops is not None:
            self._loops(self._place, action, 0, 0, mode)
        else:
            kernel.run(self.frame, action, 0, 0, mode)

    @staticmethod
    def _found() -> Program | None:
        try:
            return compiled_loops()
        except CompileError:
            return None
