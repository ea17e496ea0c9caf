"""Records the resets and steps of a world or a batch."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.engine.arguments import check_count
from gridarium.engine.batch import Batch
from gridarium.engine.kernel_args import Autoreset
from gridarium.engine.runs.run import Run
from gridarium.engine.runs.run_builder import RunBuilder
from gridarium.engine.runs.start import Start, check_one_description
from gridarium.engine.seeds import Seeds
from gridarium.engine.single_world import AgentsStep, SingleStep, SingleWorld
from gridarium.engine.step_result import StepResult
from gridarium.engine.threads.memory import Snapshot
from gridarium.engine.threads.outputs import Arrays
from gridarium.engine.world import World
from gridarium.world.state import TICK, State


class Recorder:
    """Resets and steps a batch, or one world, and records all that a replay needs.

    After its creation, every change of the worlds must go through the recorder. Worlds in the middle of an episode are
    recorded from there on. A step in which a rule raises is not recorded; if other worlds were stepped nevertheless,
    the recording continues from their new states.

    Args:
        given: a `Batch`, a `SingleWorld`, or a `World` (which is then stepped as a `SingleWorld`).
        every: the interval in steps at which all states are hashed, besides the first and the last ones.

    Attributes:
        driven: the recorded `Batch` or `SingleWorld`.
    """

    def __init__(self, given: Batch | SingleWorld | World, *, every: int = 100) -> None:
        check_count("how often states are hashed", every)
        if not isinstance(given, Batch | SingleWorld | World):
            raise TypeError(f"a Recorder takes a World, a Batch or a SingleWorld, not {given!r}")
        self.driven: Batch | SingleWorld = SingleWorld(given.composed) if isinstance(given, World) else given
        self._batch = self.driven if isinstance(self.driven, Batch) else self.driven.batch
        composed, n = self._batch.composed, self._batch.n
        self._builder = RunBuilder(composed, n, autoreset=self._batch.autoreset, every=every)
        self._is_unrecorded = True
        """Whether worlds may have changed in a way that is not recorded, as in a step that Ctrl-C has ended."""

    @property
    def steps(self) -> int:
        """The number of recorded steps."""
        return self._builder.steps

    def reset(self, seed: Seeds = None, mask: npt.NDArray[np.bool_] | None = None) -> Arrays:
        """Reset as the batch or the single world does (which takes no mask)."""
        chosen = np.ones(self._batch.n, np.bool_) if mask is None else np.array(mask)
        self._record_from_here()
        self._is_unrecorded = True
        self._batch.runner.failures.clear()  # those of an earlier call, if this one is refused at once
        try:
            found = self.driven.reset(seed) if mask is None else self._batch.reset(seed, mask)  # type: ignore[arg-type]
        except BaseException as error:
            if self._batch.failed:
                chosen[self._batch.failed] = False
                self._record_begin(chosen)
            self._is_unrecorded = not (self._batch.failed or isinstance(error, ValueError | TypeError))
            raise
        self._record_begin(chosen)
        self._is_unrecorded = False
        return found

    def step(self, actions: Any) -> StepResult | SingleStep | AgentsStep:
        """Step as the batch or the single world does (`step_all` for several agents)."""
        batch, driven = self._batch, self.driven
        self._record_from_here()
        self._builder.before_step(batch.memory.arrays())
        self._is_unrecorded = True
        batch.runner.failures.clear()
        try:
            if isinstance(driven, SingleWorld) and batch.composed.agents > 1:
                result: StepResult | SingleStep | AgentsStep = driven.step_all(actions)
            else:
                result = driven.step(actions)
        except BaseException as error:
            refused = not batch.failed and isinstance(error, ValueError | TypeError)
            self._is_unrecorded = not refused and len(batch.failed) < batch.n
            raise
        begun = (
            None if batch.autoreset is Autoreset.DISABLED else np.flatnonzero(batch.memory.data[:, TICK] == 0)
        )
        self._builder.step(batch.memory.actions, batch.memory.outputs.rewards, begun)
        self._is_unrecorded = False
        return result

    def set_state(self, i: int, state: State, *, goes_on: bool = False) -> None:
        """Replace the state of world `i`.

        Args:
            i: the world.
            state: its new state.
            goes_on: whether its episode goes on, as if the last step had led there; otherwise another one begins in the middle.
        """
        self._record_from_here()
        self._is_unrecorded = True
        self._batch.set_state(i, state)
        worlds = np.array([i % self._batch.n])
        self._builder.start(Start.of(self._batch, self.steps, worlds, states=True, goes_on=goes_on))
        self._is_unrecorded = False

    def restore(self, snapshot: Snapshot) -> None:
        """Restore a snapshot."""
        self._is_unrecorded = True
        self.driven.restore(snapshot)

    def run(self) -> Run:
        """Return the run recorded so far; recording can continue.

        Raises:
            ValueError: worlds have individual parameters, but a run has one description.
        """
        check_one_description(self._batch)
        self._record_from_here()
        return self._builder.run(self._batch.memory.arrays())

    def _record_begin(self, chosen: npt.NDArray[np.bool_]) -> None:
        """Record that the chosen worlds have begun an episode."""
        if chosen.any():
            self._builder.start(Start.of(self._batch, self.steps, np.flatnonzero(chosen)))

    def _record_from_here(self) -> None:
        """Record all worlds anew from their states if they may have changed in a way that is not recorded."""
        if self._is_unrecorded:
            begun = np.flatnonzero(self._batch.episodes >= 0)
            if begun.size:
                self._builder.start(Start.of(self._batch, self.steps, begun, states=True))
            self._is_unrecorded = False
