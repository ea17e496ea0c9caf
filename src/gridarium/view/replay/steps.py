"""A recorded run, scene by scene."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from gridarium.engine import Run, World
from gridarium.world import State


@dataclass(frozen=True)
class Scene:
    """One world at one moment, and what led there.

    Attributes:
        state: the state.
        actions: each agent's, as indices; None where an episode begins.
        rewards: float64, or float64[agents]: of this tick.
        terminated: bool, or bool[agents]: whether the rules have ended the episode.
        truncated: whether a time limit has.
    """

    state: State
    actions: list[int] | None = None
    rewards: Any = None
    terminated: Any = False
    truncated: bool = False


def scenes(
    run: Run, world: World, *, index: int = 0, first: int = 0, last: int | None = None
) -> Iterator[Scene]:
    """What happened in world `index` of a run, which is replayed: one episode after another.

    Args:
        run: the recording.
        world: that of the recording, see `world_of`.
        index: which of the run's worlds.
        first: the first episode, counted from 0.
        last: the last episode; None for all that follow.

    Raises:
        IndexError: there is no such world.
        ReplayError: a rule raises.
        ValueError: the world is of another kind than the recorded one.
    """
    for part in itertools.islice(run.episodes(index), first, None if last is None else last + 1):
        for moment in part.replay(world, verify=False, threads=1):
            result = moment.result
            if result is None:
                yield Scene(moment.state())
            else:
                actions = part.actions[moment.step - 1, 0].tolist()
                truncated = bool(result.truncated[0].any())
                yield Scene(moment.state(), actions, result.rewards[0], result.terminated[0], truncated)


def world_of(run: Run, *, compiled: bool = True, allow_imports: bool = False) -> World:
    """The world of a run's recorded description (see `Run.make_world`).

    Args:
        run: the recording.
        compiled: whether rules run compiled.
        allow_imports: whether the description may import your own modules as `module:name`, which runs their code.

    Raises:
        DescriptionError: the description is no good (any more), or imports code without being allowed to.
    """
    return run.make_world(compiled=compiled, allow_imports=allow_imports)
