"""Doing a recorded run again, and comparing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from gridarium.compiled.fingerprint import Unhashable, fingerprint
from gridarium.engine.batch import Batch
from gridarium.engine.outputs import Arrays
from gridarium.engine.start import hashes
from gridarium.engine.step_result import StepResult
from gridarium.version import __version__
from gridarium.world.state import State

if TYPE_CHECKING:
    from gridarium.engine.machine import Machine
    from gridarium.engine.run import Run
    from gridarium.engine.world import World


class ReplayError(Exception):
    """A replay does not do what was recorded.

    Attributes:
        step: after how many steps that was seen.
        world: the first world that differs, or None where a step failed as a whole.
    """

    def __init__(self, message: str, step: int, world: int | None = None) -> None:
        super().__init__(message)
        self.step, self.world = step, world


@dataclass(frozen=True, eq=False)
class Moment:
    """A replay at one moment: after a step, or after worlds have begun.

    Attributes:
        step: after how many steps.
        observations: as the batch gave them.
        result: all that the step gave; None where worlds have begun.
        batch: the batch that replays; look, but do not step it.
    """

    step: int
    observations: Arrays
    result: StepResult | None
    batch: Batch

    def state(self, world: int = 0) -> State:
        """The state of a world at this moment: a copy."""
        return self.batch.state(world)


@dataclass(frozen=True)
class Verdict:
    """What came of checking a run.

    Attributes:
        same: whether the replay did what was recorded, as far as that was hashed.
        text: the same in words.
        step: after how many steps it was first seen to differ.
        world: the first world that differed then.
        changed: which parts of the description differ from the recorded ones today: those of the world that was
            given, or else of the catalogue's world of the same name.
    """

    same: bool
    text: str
    step: int | None = None
    world: int | None = None
    changed: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self.same

    def __str__(self) -> str:
        return self.text


def moments(run: Run, world: World, *, verify: bool, threads: int | None) -> Iterator[Moment]:
    """See `Run.replay`."""
    if world.spec.agents != run.agents:
        raise ValueError(
            f"the number of agents of {world.name} is {world.spec.agents}; the run was recorded with {run.agents}"
        )
    return _moments(run, world.batch(run.worlds, autoreset=run.autoreset, threads=threads), verify)


def _moments(run: Run, batch: Batch, verify: bool) -> Iterator[Moment]:
    rewards = np.zeros((run.worlds, run.agents))
    checks = {int(step): c for c, step in enumerate(run.checked)} if verify else {}
    starts = list(reversed(run.starts))
    last_check = -1
    try:
        for step in range(run.steps + 1):
            if step > 0:
                result = _stepped(batch, run.actions[step - 1], step)
                rewards += result.rewards.reshape(rewards.shape)
                yield Moment(step, result.observations, result, batch)
            while starts and starts[-1].at == step:
                yield Moment(step, starts.pop().apply(batch), None, batch)
            if step in checks:
                _compare(run, batch, checks[step], rewards, last_check)
                last_check = step
    finally:
        batch.close()


def _stepped(batch: Batch, actions: npt.NDArray[Any], step: int) -> StepResult:
    try:
        return batch.step(actions)
    except Exception as error:
        notes = "; ".join(getattr(error, "__notes__", []))
        message = f"step {step} raises {type(error).__name__}: {error}" + (f" ({notes})" if notes else "")
        raise ReplayError(message, step) from error


def _compare(run: Run, batch: Batch, c: int, rewards: npt.NDArray[np.float64], last_check: int) -> None:
    step = int(run.checked[c])
    before = f" (they were the same after {last_check})" if last_check >= 0 else ""
    differs = np.flatnonzero(hashes(batch.memory.arrays()) != run.hashes[c])
    if differs.size:
        e = int(differs[0])
        more = f", and {differs.size - 1} other worlds" if differs.size > 1 else ""
        place = f"episode {batch.episodes[e]}, tick {batch.ticks[e]}"
        raise ReplayError(f"the states differ after {step} steps{before}: world {e} ({place}){more}", step, e)
    if len(run.rewards):
        e, agent = (
            int(i)
            for i in (*np.argwhere(rewards.view(np.int64) != run.rewards[c].view(np.int64)), (-1, -1))[0]
        )
        if e >= 0:
            was, is_now = run.rewards[c, e, agent], rewards[e, agent]
            what = f"world {e}, agent {agent}: {is_now} in all, it was {was}"
            raise ReplayError(f"the rewards differ after {step} steps{before}: {what}", step, e)


def judge(run: Run, given: World | None, world: World, *, threads: int | None) -> Verdict:
    """See `Run.verify`; `given` is the world that the user named, `world` the one to run."""
    changed, remarks = _changes(run, given, world)
    try:
        for _ in moments(run, world, verify=True, threads=threads):
            pass
    except ReplayError as error:
        return Verdict(False, "; ".join([str(error), *remarks]), error.step, error.world, changed)
    same = f"{run.name}: {run.extent} replay exactly ({len(run.checked)} of the states on the way compared)"
    return Verdict(True, "; ".join([same, *remarks]), changed=changed)


def _changes(run: Run, given: World | None, world: World) -> tuple[tuple[str, ...], list[str]]:
    from gridarium.worlds import catalogue

    remarks = []
    name = catalogue.canonical(run.name) if given is None else None
    today = catalogue.description(name).to_dict() if name else world.spec.description.to_dict()
    changed = _differing(run.description, today)
    if changed:
        whose = "the catalogue's description" if name else "the world's description"
        remarks.append(f"{whose} differs from the recorded one: {', '.join(changed)}")
    if run.program and run.program != program_of(world.machine):
        library = (
            ""
            if run.library == __version__
            else f", the library (Gridarium {run.library} then, {__version__} now)"
        )
        remarks.append(f"its rules{library} or Python are not those of the recording")
    return changed, remarks


def _differing(was: Mapping[str, Any], today: Mapping[str, Any]) -> tuple[str, ...]:
    keys = dict.fromkeys([*was, *today])
    return tuple(k for k in keys if (k in was) != (k in today) or was.get(k) != today.get(k))


def program_of(machine: Machine) -> str:
    """A fingerprint of a machine's rules, their parameters and the library; empty where something has none."""
    try:
        return fingerprint(machine.program.run, machine.numbers, machine.time_limit)
    except Unhashable:
        return ""
