"""One world of a batch, recorded on its own while the batch goes on: an episode as a `Run`."""

from __future__ import annotations

from array import array

import numpy as np
import numpy.typing as npt

from gridarium.engine import Autoreset, World
from gridarium.engine.runs.run import Run, program_of
from gridarium.engine.runs.start import Start, hashes
from gridarium.engine.threads.memory import Snapshot
from gridarium.version import __version__
from gridarium.world.state import EPISODE, KEY, State

ALONE = np.zeros(1, np.int64)


class RunRecorder:
    """What happens in one world from a state on.

    Args:
        world: whose states and actions these are.
        state: the first one.
        every: after how many steps the state is hashed for the replay, besides the first and the last one.
    """

    def __init__(self, world: World, state: State, *, every: int = 100) -> None:
        self._world, self._every = world, every
        self._actions = array("H")
        self._sums = np.zeros(world.spec.agents)
        self._starts: list[Start] = []
        self._checks: list[tuple[int, int, npt.NDArray[np.float64]]] = []
        self._begin(state)

    @property
    def steps(self) -> int:
        """How many steps there are."""
        return len(self._actions) // len(self._sums)

    def before_step(self, state: State) -> None:
        """Note the state that is about to be stepped: somebody may have put another one into the world."""
        if _hash(state) != self._hash:
            self._begin(state)

    def after_step(
        self, state: State, actions: npt.NDArray[np.int64], rewards: npt.NDArray[np.float64]
    ) -> None:
        """Note a step.

        Args:
            state: after it.
            actions: int64[agents]: indices into the world's actions.
            rewards: float64[agents].
        """
        self._actions.extend(actions.tolist())
        self._sums += rewards
        self._hash = _hash(state)
        if self.steps % self._every == 0:
            self._check()

    def run(self) -> Run:
        """What has been recorded so far."""
        if not self._checks or self._checks[-1][0] != self.steps:
            self._check()
        steps, hashed, sums = zip(*self._checks, strict=True)
        agents = len(self._sums)
        kind = np.uint8 if len(self._world.actions) <= 256 else np.uint16
        return Run(
            description=self._world.spec.description.to_dict(),
            autoreset=Autoreset.DISABLED,
            starts=tuple(self._starts),
            actions=np.array(self._actions, kind).reshape(-1, 1, agents),
            begun=np.zeros((0, 2), np.int64),
            checked=np.array(steps, np.int64),
            hashes=np.array(hashed, np.uint64)[:, None],
            rewards=np.array(sums, np.float64).reshape(-1, 1, agents),
            library=__version__,
            program=program_of(self._world.composed),
            spec=self._world.spec,
        )

    def _begin(self, state: State) -> None:
        """A state that does not follow from the steps before; a check of the one that was there until now is void."""
        if self._checks and self._checks[-1][0] == self.steps:
            self._checks.pop()
        alone = Snapshot(*(a[None].copy() for a in (state.cells, state.layers, state.data, state.agent_rows)))
        start = Start(self.steps, ALONE, state.data[[KEY]].copy(), state.data[[EPISODE]].copy(), alone)
        self._starts.append(start)
        self._hash = _hash(state)
        self._check()

    def _check(self) -> None:
        self._checks.append((self.steps, self._hash, self._sums.copy()))


def _hash(state: State) -> int:
    return int(hashes(a[None] for a in (state.cells, state.layers, state.data, state.agent_rows))[0])
