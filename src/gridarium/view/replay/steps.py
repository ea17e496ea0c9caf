"""A recorded run, state by state."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from gridarium.engine import Run, World
from gridarium.world import State


@dataclass(frozen=True)
class ReplayStep:
    """One world at one moment, and what led there.

    Attributes:
        state: the state.
        actions: each agent's, as indices; None where an episode begins.
        rewards: float64, or float64[agents]: of this tick.
        terminated: bool, or bool[agents]: whether the rules have ended the episode.
        truncated: whether a time limit has.
        text: the run's remark.
    """

    state: State
    actions: list[int] | None = None
    rewards: Any = None
    terminated: Any = False
    truncated: bool = False
    text: str = ""


def replay_steps(
    run: Run, world: World, *, index: int = 0, first: int = 0, last: int | None = None
) -> Iterator[ReplayStep]:
    """Replay world `index` of a run: yields its steps, one episode after another.

    Args:
        run: the recording.
        world: that of the recording, see `Run.make_world`.
        index: which of the run's worlds.
        first: the first episode, counted from 0.
        last: the last episode; None for all that follow.

    Raises:
        IndexError: there is no such world.
        ReplayError: a rule raises.
        ValueError: the world is of another kind than the recorded one.
    """
    for part in itertools.islice(run.episodes(index), first, None if last is None else last + 1):
        for replayed in part.replay(world, verify=False, threads=1):
            result = replayed.result
            remark = part.remarks.get(replayed.step, "")
            if result is None:
                yield ReplayStep(replayed.state(), text=remark)
            else:
                actions = part.actions[replayed.step - 1, 0].tolist()
                truncated = bool(result.truncated[0].any())
                rewards, terminated = result.rewards[0], result.terminated[0]
                yield ReplayStep(replayed.state(), actions, rewards, terminated, truncated, remark)
