"""Replaying recorded runs, a few bytes a step, as full episodes."""

from __future__ import annotations

from typing import Any

import numpy as np

from gridarium.engine import Run, World
from gridarium.episodes.recording.batch_recorder import Agents, BatchRolloutRecorder
from gridarium.episodes.recording.sinks import Sink

MIN_COMPILED_STEPS = 5000
"""A run with fewer steps, of all its worlds together, is replayed in less time than compiling takes."""


def world_of(run: Run, *, allow_imports: bool = False) -> World:
    """The world in which a run was recorded, compiled only if the run is long.

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
) -> Any:
    """The episodes of a recorded run, replayed.

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
    starts = iter(run.starts)
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
