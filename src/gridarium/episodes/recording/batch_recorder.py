"""Recording a batch of worlds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, get_args

import gymnasium as gym
import numpy as np
import numpy.typing as npt

from gridarium.engine import Autoreset, Batch, StepResult
from gridarium.engine.outputs import Arrays, Into
from gridarium.episodes.recording.accepting import require
from gridarium.episodes.recording.forms import Column, Columns, EpisodeForm, leaves_of
from gridarium.episodes.recording.pieces import Flags
from gridarium.episodes.recording.taking import TakesBlocks
from gridarium.episodes.recording.tracks import Sink, Tracks
from gridarium.world.agent import ACTIVE

Agents = Literal["together", "apart"]
"""Whether the agents of a world make one episode, a `MultiAgentEpisode`, or each one of its own."""


class BatchTracks(Tracks):
    """What happens in the worlds of a batch, a track for each agent of each world.

    Args:
        batch: that somebody else resets and steps.
        agents: whether those of a world make one episode; means nothing where there is one agent.
        sink: as for `Tracks`.

    Raises:
        ValueError: another word for `agents`.
    """

    def __init__(self, batch: Batch, *, agents: Agents = "together", sink: Sink | None = None) -> None:
        if agents not in get_args(Agents):
            raise ValueError(f"agents are recorded together or apart, not {agents!r}")
        self.batch = batch
        machine = batch.machine
        self._agents = machine.agents
        self._lead = (batch.n,) if self._agents == 1 else (batch.n, self._agents)
        observed = {o.name: Column(np.dtype(o.dtype), o.shape) for o in machine.outputs}
        count = machine.action_table.shape[1]
        boxes: dict[str, gym.Space[Any]] = {
            o.name: gym.spaces.Box(_full(o.low, o), _full(o.high, o), dtype=o.dtype) for o in machine.outputs
        }
        form = EpisodeForm(observed, Column(np.dtype(np.uint8 if count <= 256 else np.uint16), ()), {})
        spaces = gym.spaces.Dict(boxes), gym.spaces.Discrete(count)
        names = machine.spec.agent_names if self._agents > 1 else None
        tracks = batch.n * self._agents
        super().__init__(form, tracks, spaces, agents=names, together=agents == "together", sink=sink)
        self._named = list(zip(observed, self._observed, strict=True))

    def begun(self, observations: Arrays, mask: Flags | None = None) -> None:
        """Episodes have begun, in all worlds or in those of a mask, bool[n]; or worlds go on in the middle of one."""
        chosen = None if mask is None else self._each(mask)
        self.begin(self._flat(observations), chosen, self._each(self.batch.ticks))

    def targets(self) -> Into:
        """Where the batch may write the next step's rewards and observations to, so that they need not be copied."""
        (seen, ahead), (earned, here) = self._spool.ahead(), self._spool.here()
        lanes = {name: seen.lane(column, self._lead) for name, column in self._named}
        return Into(lanes, ahead, earned.lane("rewards", self._lead), here)

    def stepped(self, result: StepResult, extras: Columns | None = None, *, written: bool = False) -> None:
        """The batch was stepped.

        Args:
            result: what the step returned.
            extras: the columns of extra outputs.
            written: rewards and observations are where `targets` says.
        """
        finals = result.final_observations
        transition = {"actions": self.batch.memory.actions.reshape(-1), **(extras or {})}
        if not written:
            transition["rewards"] = result.rewards.reshape(-1)
        self.step(
            transition,
            {} if written else self._flat(result.observations),
            result.terminated.reshape(-1),
            result.truncated.reshape(-1),
            renewed=self._renewed(result),
            finals=None if finals is None else self._flat(finals),
        )

    def extras_of(self, given: Mapping[str, npt.NDArray[Any]]) -> Columns:
        """The columns of a step's extra outputs, key -> array[n, ...], or [n, agents, ...]; see `Tracks.extras`."""
        return self.extras({key: self._joined(np.asarray(array)) for key, array in given.items()})

    def go_on(self) -> None:
        """Go on from what the worlds are in the middle of, whatever has happened to them."""
        going = (self.batch.episodes >= 0) & ~self.batch.ended
        there = self.batch.memory.bodies[:, :, ACTIVE].reshape(-1) != 0
        self.break_off()
        if going.any():
            self.begin(
                self._flat(self.batch.observe()), self._each(going) & there, self._each(self.batch.ticks)
            )

    def _renewed(self, result: StepResult) -> Flags | None:
        if self.batch.autoreset is Autoreset.DISABLED:
            return None
        if self.batch.autoreset is Autoreset.NEXT_STEP:
            return self._each(result.ticks == 0)
        return self._each(result.ended)

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

    Nothing is copied: the batch writes what it observes and earns straight into the record.

    Args:
        batch: with one agent or several.
        agents: "together" for a `MultiAgentEpisode` of the agents of a world, "apart" for a `SingleAgentEpisode` of each;
            means nothing where there is one agent.
        sink: gets finished episodes block by block, for instance `EpisodeWriter.add`; without one, `take` gives them. What
            it raises is raised by the next `step`, `reset` or `flush`; until then `take` gives the episodes.
        results: whether to keep the codes of the actions' outcomes, as the extra model output `result`.

    Raises:
        EpisodeError: something else than a batch.
        ValueError: another word for `agents`.

    Example:
        >>> with EpisodeWriter("data") as writer:
        ...     recorder = BatchRecorder(World("KeyDoor-9x9").batch(1024), sink=writer.add)
        ...     observations = recorder.reset(seed=0)
        ...     for _ in range(1000):
        ...         observations = recorder.step(policy(observations)).observations
        ...     recorder.flush()
    """

    def __init__(
        self,
        batch: Batch,
        *,
        agents: Agents = "together",
        sink: Sink | None = None,
        results: bool = False,
    ) -> None:
        require("BatchRecorder", batch)
        self.batch = batch
        self._none = {"result": np.zeros_like(batch.memory.outputs.results)} if results else {}
        self._tracks: BatchTracks = BatchTracks(batch, agents=agents, sink=sink)
        self._tracks.go_on()

    def reset(self, seed: Any = None, mask: npt.NDArray[np.bool_] | None = None) -> Arrays:
        """As that of the batch; episodes that are going on in these worlds are broken off.

        Raises:
            Exception: what the batch raises; or what the sink raised since the last time; nothing was reset then.
        """
        self._tracks.refusals.tell()
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

        Returns:
            As the batch, but rewards and observations are the record itself: they cannot be written to. Copies can.

        Raises:
            EpisodeError: no episode has begun, or other extras than at the first step; nothing was stepped then.
            ValueError, TypeError: actions that the batch refuses; nothing was stepped then.
            Exception: what a rule raises: all episodes are broken off then, and go on as chunks. Or what the sink raised
                since the last time; nothing was stepped then.
        """
        self._tracks.refusals.tell()
        columns = self._tracks.extras_of({**(extras or {}), **self._none})
        try:
            result = self.batch.step(actions, into=self._tracks.targets())
        except BaseException as error:
            if not _refused(error):
                self._tracks.go_on()
            raise
        if self._none:
            columns["extras.result"] = result.results.reshape(-1)
        self._tracks.stepped(result, columns, written=True)
        return result


def _refused(error: BaseException) -> bool:
    """Whether the batch has stepped no world at all; what rules raise has notes of the engine."""
    return isinstance(error, (TypeError, ValueError, RuntimeError)) and not hasattr(error, "__notes__")


def _full(bound: Any, output: Any) -> npt.NDArray[Any]:
    return np.broadcast_to(np.asarray(bound, output.dtype), output.shape)
