"""Recording a batch of worlds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium as gym
import numpy as np
import numpy.typing as npt

from gridarium.engine import Autoreset, Batch, StepResult
from gridarium.engine.outputs import Arrays
from gridarium.episodes.recording.forms import Column, Columns, EpisodeForm, leaves_of
from gridarium.episodes.recording.pieces import Flags
from gridarium.episodes.recording.taking import TakesBlocks
from gridarium.episodes.recording.tracks import Sink, Tracks


class BatchTracks(Tracks):
    """What happens in the worlds of a batch, a track for each agent of each world.

    Args:
        batch: that somebody else resets and steps.
        sink: as for `Tracks`.
    """

    def __init__(self, batch: Batch, *, sink: Sink | None = None) -> None:
        self.batch = batch
        machine = batch.machine
        self._agents = machine.agents
        observed = {o.name: Column(np.dtype(o.dtype), o.shape) for o in machine.outputs}
        count = machine.action_table.shape[1]
        boxes: dict[str, gym.Space[Any]] = {
            o.name: gym.spaces.Box(_full(o.low, o), _full(o.high, o), dtype=o.dtype) for o in machine.outputs
        }
        form = EpisodeForm(observed, Column(np.dtype(np.uint8 if count <= 256 else np.uint16), ()), {})
        spaces = gym.spaces.Dict(boxes), gym.spaces.Discrete(count)
        names = machine.spec.agent_names if self._agents > 1 else None
        super().__init__(form, batch.n * self._agents, spaces, agents=names, sink=sink)

    def begun(self, observations: Arrays, mask: Flags | None = None) -> None:
        """Episodes have begun, in all worlds or in those of a mask, bool[n]; or worlds go on in the middle of one."""
        chosen = None if mask is None else self._each(mask)
        self.begin(self._flat(observations), chosen, self._each(self.batch.ticks))

    def stepped(self, result: StepResult, extras: Mapping[str, npt.NDArray[Any]] | None = None) -> None:
        """The batch was stepped; extras are [n, ...], or [n, agents, ...]."""
        finals = result.final_observations
        self.step(
            {"actions": self.batch.memory.actions.reshape(-1), "rewards": result.rewards.reshape(-1)},
            self._flat(result.observations),
            result.terminated.reshape(-1),
            self._each(result.truncated),
            renewed=self._renewed(result),
            finals=None if finals is None else self._flat(finals),
            extras={key: self._joined(np.asarray(array)) for key, array in (extras or {}).items()},
        )

    def go_on(self) -> None:
        """Go on from what the worlds are in the middle of, whatever has happened to them."""
        begun = self.batch.episodes >= 0
        if begun.any():
            self.begun(self.batch.observe(), begun & ~self.batch.ended)

    def _renewed(self, result: StepResult) -> Flags | None:
        if self.batch.autoreset is Autoreset.DISABLED:
            return None
        if self.batch.autoreset is Autoreset.NEXT_STEP:
            return self._each(result.ticks == 0)
        return self._each(result.terminated.reshape(self.batch.n, -1).all(axis=1) | result.truncated)

    def _each(self, worlds: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Of worlds for their agents."""
        return worlds if self._agents == 1 else np.repeat(worlds, self._agents)

    def _joined(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The axes of worlds and agents as one."""
        return array if self._agents == 1 else array.reshape(-1, *array.shape[2:])

    def _flat(self, observations: Arrays) -> Columns:
        named = leaves_of("observations", observations)
        return {name: self._joined(array) for name, array in named}


class BatchRecorder(TakesBlocks):
    """Resets and steps a batch, and keeps what happens in its worlds as episodes.

    Everything that changes the worlds has to go through the recorder. Worlds that are in the middle of an episode by then
    are recorded from there on, as chunks. Where a rule raises, the episodes that were going on are broken off, and go on
    as chunks of new ones.

    Args:
        batch: with one agent or several; each agent's trajectory is an episode of its own.
        sink: gets finished episodes block by block, for instance `EpisodeWriter.add`; without one, `take` gives them.
        results: whether to keep the codes of the actions' outcomes, as the extra model output `result`.

    Example:
        >>> with EpisodeWriter("data") as writer:
        ...     recorder = BatchRecorder(World("KeyDoor-9x9").batch(1024), sink=writer.add)
        ...     observations = recorder.reset(seed=0)
        ...     for _ in range(1000):
        ...         observations = recorder.step(policy(observations)).observations
        ...     recorder.flush()
    """

    def __init__(self, batch: Batch, *, sink: Sink | None = None, results: bool = False) -> None:
        self.batch, self._results = batch, results
        self._tracks: BatchTracks = BatchTracks(batch, sink=sink)
        self._tracks.go_on()

    def reset(self, seed: Any = None, mask: npt.NDArray[np.bool_] | None = None) -> Arrays:
        """As that of the batch; episodes that are going on in these worlds are broken off."""
        try:
            observations = self.batch.reset(seed, mask)
        except BaseException:
            self._tracks.go_on()
            raise
        self._tracks.begun(observations, mask)
        return observations

    def step(self, actions: Any, extras: Mapping[str, npt.NDArray[Any]] | None = None) -> StepResult:
        """As that of the batch.

        Args:
            actions: as for the batch.
            extras: what a model gave besides, by its name: array[n, ...], or [n, agents, ...] for several agents. The
                same names in every step.

        Raises:
            EpisodeError: other extras than at the first step; the batch was stepped, and nothing was recorded.
        """
        try:
            result = self.batch.step(actions)
        except BaseException:
            self._tracks.go_on()
            raise
        results = {"result": result.results} if self._results else {}
        self._tracks.stepped(result, {**(extras or {}), **results})
        return result


def _full(bound: Any, output: Any) -> npt.NDArray[Any]:
    return np.broadcast_to(np.asarray(bound, output.dtype), output.shape)
