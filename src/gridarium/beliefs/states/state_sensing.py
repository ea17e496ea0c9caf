"""A sensor asked about all copies of a world at once, compiled where the world is."""

from __future__ import annotations

import functools
import inspect
import warnings
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.beliefs.states import state_kernel
from gridarium.compiled.cache.watched_globals import Watched
from gridarium.compiled.compile import CompileError, compile_program
from gridarium.compiled.compiled_program import CompiledProgram
from gridarium.engine import World
from gridarium.engine.kernel_args import FRAME_LENGTH, KernelArg, address
from gridarium.engine.outcomes.copies import Copies
from gridarium.rules.sensors import Sensor
from gridarium.world.state import PURPOSE


class StateSensing:
    """Measurements of a sensor, and their likelihoods, in many states.

    Args:
        copies: the states.
        sensor: of an agent in them.
        observer: the agent.

    Raises:
        IndexError: there is no such agent.
    """

    def __init__(self, copies: Copies, sensor: Sensor, observer: int = 0) -> None:
        world = copies.world
        if not 0 <= observer < world.spec.agents:
            raise IndexError(f"agents are numbered from 0 to {world.spec.agents - 1}; got {observer}")
        self._answers = np.zeros(copies.n + 1)
        self._frame = copies.memory.frame.copy()
        self._frame[KernelArg.REWARD_ARRAY] = address(self._answers)
        self._observer, self._count = observer, copies.n
        self._program = _program(world, sensor)
        self._name = f"sensor {sensor.name}"
        self._watched = Watched(self._program, *world.spec.vocabulary.kinds.values())
        self._entry = _entry(world, sensor, self._program) if world.composed.compiled else None

    def likelihoods(self, measurement: float) -> npt.NDArray[np.float64]:
        """float64[n]: the probability (or density) of a measurement in each state, until the next call.

        Raises:
            StaleProgramError: what the compiled sensor reads has changed since it was compiled.
        """
        self._answers[-1] = measurement
        return self._asked(state_kernel.LIKELIHOOD)

    def measurements(self) -> npt.NDArray[np.float64]:
        """float64[n]: a measurement in each state, with the state's own random numbers, until the next call.

        Raises:
            StaleProgramError: as `likelihoods`.
        """
        return self._asked(state_kernel.MEASURE)

    def _asked(self, mode: int) -> npt.NDArray[np.float64]:
        if self._entry is not None:
            self._watched.check(self._name)
            try:
                self._entry(address(self._frame), self._observer, 0, self._count, mode)
                return self._answers[:-1]
            except Exception:
                pass  # compiled code knows that something is wrong, plain Python what
        self._program(self._frame, self._observer, 0, self._count, mode)
        return self._answers[:-1]


def _program(world: World, sensor: Sensor) -> functools.partial[int]:
    return functools.partial(
        state_kernel.run,
        vocabulary=world.spec.vocabulary,
        likelihood=sensor.likelihood,
        measure=sensor.measure,
        counted=sensor.outcomes is not None,
        stream=PURPOSE["sensor"] + 16 * sensor.stream,
    )


def _entry(world: World, sensor: Sensor, program: Any) -> CompiledProgram | None:
    from gridarium.world.compiled.resolver import WorldResolver

    try:
        return compile_program(
            program,
            WorldResolver(world.spec.vocabulary),
            name=f"sensor {sensor.name}",
            text=inspect.getsource(state_kernel),
            frame_length=FRAME_LENGTH,
        )
    except CompileError as error:
        warnings.warn(
            f"sensor {sensor.name} runs interpreted, because it cannot be compiled:\n{error}", stacklevel=4
        )
        return None
