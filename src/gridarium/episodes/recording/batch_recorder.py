"""Recording a batch of worlds: while it is stepped, or when a recorded run is replayed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, get_args

import gymnasium as gym
import numpy as np
import numpy.typing as npt

from gridarium.engine import Autoreset, Batch, Run, StepResult, World
from gridarium.engine.threads.outputs import Arrays, OutputTarget
from gridarium.episodes.errors import EpisodeError
from gridarium.episodes.recording.episode_block import EpisodeBlock
from gridarium.episodes.recording.episode_recorder_base import Sink, require
from gridarium.episodes.recording.multi_agent_block import MultiAgentBlock
from gridarium.episodes.recording.rollout_recorder import BlockRecorder, RolloutRecorder
from gridarium.episodes.recording.schema import Column, Columns, EpisodeSchema, Flags, Schema, named_leaves
from gridarium.world.agent import ACTIVE

Agents = Literal["together", "apart"]
"""Whether the agents of a world make one episode, a `MultiAgentEpisode`, or each one of its own."""


class BatchRolloutRecorder(RolloutRecorder):
    """Records the worlds of a batch, with a track for each agent of each world.

    Args:
        batch: that the caller resets and steps.
        agents: whether those of a world make one episode; irrelevant with one agent.
        sink: as for `RolloutRecorder`.

    Raises:
        ValueError: another value of `agents`.
        EpisodeError: the batch observes only the agents that act next.
    """

    def __init__(self, batch: Batch, *, agents: Agents = "together", sink: Sink | None = None) -> None:
        if agents not in get_args(Agents):
            raise ValueError(f"agents are recorded together or apart, not {agents!r}")
        self.batch = batch
        composed = batch.composed
        self._agents = composed.agents
        self._lead = (batch.n,) if self._agents == 1 else (batch.n, self._agents)
        observed: dict[Any, Schema] = {o.name: Column(np.dtype(o.dtype), o.shape) for o in composed.outputs}
        count = composed.action_table.shape[1]
        boxes: dict[str, gym.Space[Any]] = {
            o.name: gym.spaces.Box(_full(o.low, o), _full(o.high, o), dtype=o.dtype) for o in composed.outputs
        }
        schema = EpisodeSchema(observed, Column(np.dtype(np.uint8 if count <= 256 else np.uint16), ()), {})
        spaces = gym.spaces.Dict(boxes), gym.spaces.Discrete(count)
        if composed.observed_agents < self._agents or not batch.observes:
            raise EpisodeError(
                "a recording holds observations of all agents: create the batch as world.batch(n, observers='all')"
            )
        names = composed.spec.agent_names if self._agents > 1 else None
        tracks = batch.n * self._agents
        super().__init__(
            schema,
            tracks,
            spaces,
            agents=names,
            together=agents == "together",
            outcomes=composed.spec.outcome is not None,
            sink=sink,
        )
        self._named = list(zip(observed, self._observed, strict=True))

    def record_reset(self, observations: Arrays, mask: Flags | None = None) -> None:
        """Record that episodes have begun, in all worlds or in those of a mask, bool[n], possibly in the middle of one."""
        tracks = None if mask is None else self._per_agent(mask)
        self.break_off(tracks)
        tracks = self._present() if tracks is None else self._present() & tracks
        self.begin(self._flat(observations), tracks, self._per_agent(self.batch.ticks))

    def output_targets(self) -> OutputTarget:
        """Return the arrays to which the batch can write the next step's rewards and observations, to avoid copies."""
        (next_segment, next_t), (segment, t) = self._rollout.next(), self._rollout.latest()
        lanes = {name: next_segment.lane(column, self._lead) for name, column in self._named}
        return OutputTarget(lanes, next_t, segment.lane("rewards", self._lead), t)

    def record_step(
        self, result: StepResult, extras: Columns | None = None, *, written: bool = False
    ) -> None:
        """Record a step of the batch.

        Args:
            result: what the step returned.
            extras: the columns of extra outputs.
            written: whether rewards and observations are where `output_targets` says.
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
            outcomes=None if result.outcomes is None else result.outcomes.reshape(-1),
        )

    def masks(self) -> npt.NDArray[np.bool_]:
        """bool[n, actions] or bool[n, agents, actions]: which actions are legal."""
        batch = self.batch
        masks = np.array(batch.masks)
        if masks.ndim > len(self._lead):
            return masks
        table = batch.composed.action_table >= 0
        all_masks = np.tile(table, (batch.n, 1, 1))
        all_masks[np.arange(batch.n), batch.turns] = masks
        return all_masks

    def extras_by_world(self, given: Mapping[str, npt.NDArray[Any]]) -> Columns:
        """Return the columns of a step's extra outputs, key -> array[n, ...], or [n, agents, ...]; see `RolloutRecorder.extras`."""
        return self.extras({key: self._merge_axes(np.asarray(array)) for key, array in given.items()})

    def resume(self) -> None:
        """Break off all episodes, and continue from the worlds' current states with new ones."""
        ongoing = (self.batch.episodes >= 0) & ~self.batch.ended
        self.break_off()
        if ongoing.any():
            self.begin(
                self._flat(self.batch.observe()),
                self._per_agent(ongoing) & self._present(),
                self._per_agent(self.batch.ticks),
            )

    def _renewed(self, result: StepResult) -> Flags | None:
        if self.batch.autoreset is Autoreset.DISABLED:
            return None
        begun = result.ticks == 0 if self.batch.autoreset is Autoreset.NEXT_STEP else result.ended
        return self._per_agent(begun) & self._present()

    def _present(self) -> Flags:
        """Return which agents take part; a reset rule may leave some out."""
        present: Flags = self.batch.memory.agent_rows[:, :, ACTIVE].reshape(-1) != 0
        return present

    def _per_agent(self, worlds: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return an entry of each world repeated for each of its agents."""
        return worlds if self._agents == 1 else np.repeat(worlds, self._agents)

    def _merge_axes(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return an array with the axes of worlds and agents merged."""
        return array if self._agents == 1 else array.reshape(-1, *array.shape[2:])

    def _flat(self, observations: Arrays) -> Columns:
        named = named_leaves("observations", observations)
        return {name: self._merge_axes(array) for name, array in named}


class BatchRecorder(BlockRecorder):
    """Resets and steps a batch, and records the episodes of its worlds.

    Everything that changes the worlds has to go through the recorder. Worlds that are already in the middle of an episode are
    recorded from there on, as chunks. If a rule raises, active episodes are broken off, and continue as chunks of new ones.

    Nothing is copied: the batch writes observations and rewards directly into the recording.

    Args:
        batch: with one agent or several.
        agents: "together" for a `MultiAgentEpisode` of the agents of a world, "apart" for a `SingleAgentEpisode` of each;
            irrelevant with one agent.
        sink: gets finished episodes block by block, for instance `EpisodeWriter.add`; without one, `take` gives them. What
            it raises is raised by the next `step`, `reset` or `flush`; until then `take` gives the episodes.
        results: whether to record the result codes of actions, as the extra model output `result`.
        masks: whether to record which actions were legal when each was chosen, as the extra model output `action_mask`
            bool[actions]: all that an agent has while it is not its turn.

    Raises:
        EpisodeError: not a batch, or one that observes only the agents that act next; or masks of a world without legal rules, or as bits.
        ValueError: another value of `agents`.

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
        masks: bool = False,
    ) -> None:
        require("BatchRecorder", batch)
        self.batch, self._masks = batch, masks
        if masks and (batch.masks is None or batch.masks.dtype != np.bool_):
            lacks = "has no legal rules" if batch.masks is None else "has masks as bits, not as bytes"
            raise EpisodeError(f"{batch.composed.name} {lacks}, which could be recorded")
        self._result_zeros = {"result": np.zeros_like(batch.memory.outputs.results)} if results else {}
        self._recorder: BatchRolloutRecorder = BatchRolloutRecorder(batch, agents=agents, sink=sink)
        self._is_unrecorded = True
        """Whether worlds may have changed in a way that is not recorded, as in a step that Ctrl-C has ended."""
        self._record_from_here()

    def reset(self, seed: Any = None, mask: npt.NDArray[np.bool_] | None = None) -> Arrays:
        """Reset the batch; active episodes in these worlds are truncated.

        Raises:
            Exception: what the batch raises; or what the sink has raised; nothing was reset then.
        """
        self._recorder.sink_errors.raise_first()
        self._record_from_here()
        self._is_unrecorded = True
        try:
            observations = self.batch.reset(seed, mask)
        except BaseException:
            self._record_from_here()
            raise
        self._recorder.record_reset(observations, mask)
        self._is_unrecorded = False
        return observations

    def step(self, actions: Any, extras: Mapping[str, npt.NDArray[Any]] | None = None) -> StepResult:
        """Step the batch.

        Args:
            actions: as for the batch.
            extras: further model outputs, key -> array[n, ...], or [n, agents, ...] for several agents. The same keys in
                every step.

        Returns:
            As of the batch, but rewards and observations are read-only views of the recording.

        Raises:
            EpisodeError: no episode has begun, or other extras than at the first step; nothing was stepped then.
            ValueError, TypeError: actions that the batch refuses; nothing was stepped then.
            Exception: what a rule raises: all episodes are broken off then, and continue as chunks. Or what the sink has
                raised; nothing was stepped then.
        """
        self._recorder.sink_errors.raise_first()
        self._record_from_here()
        masks = (
            {"action_mask": self._recorder.masks()} if self._masks else {}
        )  # of the states before the step
        columns = self._recorder.extras_by_world({**(extras or {}), **masks, **self._result_zeros})
        self._is_unrecorded = True
        try:
            result = self.batch.step(actions, into=self._recorder.output_targets())
        except BaseException as error:
            self._is_unrecorded = not _refused(error)
            self._record_from_here()
            raise
        if self._result_zeros:
            columns["extras.result"] = result.results.reshape(-1)
        self._recorder.record_step(result, columns, written=True)
        self._is_unrecorded = False
        return result

    def _record_from_here(self) -> None:
        """Record all worlds anew from their states if they may have changed in a way that is not recorded."""
        if self._is_unrecorded:
            self._recorder.resume()
            self._is_unrecorded = False


def _refused(error: BaseException) -> bool:
    """Return True if the batch has stepped no world at all; errors of rules have notes of the engine."""
    return isinstance(error, (TypeError, ValueError, RuntimeError)) and not hasattr(error, "__notes__")


def _full(bound: Any, output: Any) -> npt.NDArray[Any]:
    return np.broadcast_to(np.asarray(bound, output.dtype), output.shape)


MIN_COMPILED_STEPS = 5000
"""A run with fewer steps, of all its worlds together, is replayed in less time than compiling takes."""


def world_of(run: Run, *, allow_imports: bool = False) -> World:
    """Return the world in which a run was recorded, compiled only if the run is long.

    Raises:
        ValueError: its description is not valid any more, or imports code without being allowed to.
    """
    compiled = run.steps * run.worlds >= MIN_COMPILED_STEPS
    return run.make_world(compiled=compiled, allow_imports=allow_imports)


def episodes_of_run(
    run: Run,
    world: World | None = None,
    *,
    verify: bool = True,
    allow_imports: bool = False,
    agents: Agents = "together",
    sink: Sink | None = None,
) -> EpisodeBlock | MultiAgentBlock:
    """Replay a recorded run, and return its episodes.

    Args:
        run: of one world or several.
        world: to replay in; by default that of the run's description.
        verify: whether to compare states and rewards with the recorded ones.
        allow_imports: whether the description may import modules, which runs their code.
        agents: as for `BatchRecorder`.
        sink: gets episodes block by block as they end; the block that is returned then holds none of them.

    Returns:
        The episodes in the order in which they ended, as an `EpisodeBlock`, or as a `MultiAgentBlock` where several agents
        are recorded together. Episodes that are active at the end of the run are truncated.

    Raises:
        ReplayError: something differs from what was recorded: the world or the library has changed since.
        ValueError: the world is of another kind, or cannot be made any more.
        Exception: what the sink raises.
    """
    world = world_of(run, allow_imports=allow_imports) if world is None else world
    recorder: BatchRolloutRecorder | None = None
    starts = iter(run.beginnings)
    for replayed in run.replay(world, verify=verify):
        recorder = recorder or BatchRolloutRecorder(replayed.batch, agents=agents, sink=sink)
        if replayed.result is not None:
            recorder.record_step(replayed.result)
            recorder.sink_errors.raise_first()
        else:
            mask = np.zeros(run.worlds, np.bool_)
            mask[next(starts).worlds] = True
            recorder.record_reset(replayed.observations, mask)
    if recorder is None:
        raise ValueError("a run in which no world begins has no episodes")
    recorder.break_off()
    if sink is not None:
        recorder.flush()
    return recorder.take()
