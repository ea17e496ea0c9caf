"""Recorded runs, a few bytes a step, done again as full episodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gridarium.engine import Run, World
from gridarium.episodes.recording.batch import Agents, BatchTracks

if TYPE_CHECKING:
    from gridarium.episodes.recording.tracks import Sink


WORTH_COMPILING = 5000
"""A run with fewer steps, those of all its worlds together, is done again sooner than its rules are compiled."""


def world_of(run: Run, *, allow_imports: bool = False) -> World:
    """The world in which a run was recorded; its rules compiled only where the run is long.

    Raises:
        ValueError: its description is no good any more, or imports code without being allowed to.
    """
    compiled = run.steps * run.worlds >= WORTH_COMPILING
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
    """The episodes of a recorded run, done again.

    Args:
        run: what was recorded, of one world or of many.
        world: the world to run; by default that of the run's description.
        verify: whether to check states and rewards against those that were recorded.
        allow_imports: whether the description may import modules, which runs their code.
        agents: as for `BatchRecorder`.
        sink: gets episodes block by block as they end; the block that is returned then holds none of them.

    Returns:
        The episodes in the order in which they ended, as an `EpisodeBlock`, or as a `MultiAgentBlock` where several agents
        are taken together. What was going on at the end of the run is truncated.

    Raises:
        ReplayError: something differs from what was recorded: the world or the library has changed since.
        ValueError: the world is of another kind, or cannot be made any more.
        Exception: what the sink raises.
    """
    world = world_of(run, allow_imports=allow_imports) if world is None else world
    tracks: BatchTracks | None = None
    starts = iter(run.starts)
    for moment in run.replay(world, verify=verify):
        tracks = tracks or BatchTracks(moment.batch, agents=agents, sink=sink)
        if moment.result is not None:
            tracks.stepped(moment.result)
            tracks.refusals.tell()
        else:
            mask = np.zeros(run.worlds, np.bool_)
            mask[next(starts).worlds] = True
            tracks.begun(moment.observations, mask)
    if tracks is None:
        raise ValueError("a run in which no world begins has no episodes")
    tracks.break_off()
    if sink is not None:
        tracks.flush()
    return tracks.take()
