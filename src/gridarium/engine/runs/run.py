"""A run: a recording of one world or of a batch that can be replayed bit for bit.

It holds the world's description, the starts of episodes, every action, and hashes of states to verify a replay. It
contains no code. `Recorder` creates one.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.compiled.cache.fingerprint import Unhashable, fingerprint
from gridarium.engine.batch import Batch
from gridarium.engine.composed_world import ComposedWorld
from gridarium.engine.kernel_args import Autoreset
from gridarium.engine.runs import run_file
from gridarium.engine.runs.start import Integers, Start, hashes
from gridarium.engine.step_result import StepResult
from gridarium.engine.threads.outputs import Arrays
from gridarium.engine.world import World
from gridarium.version import __version__
from gridarium.world.state import State
from gridarium.worlds import Description, DescriptionError, Spec, catalogue

MOST_STEPS = 2000
"""Longer episodes are not replayed to the end for their pictures."""


class ReplayError(Exception):
    """A replay differs from the recording.

    Attributes:
        step: the number of steps after which the difference was found.
        world: the first world that differs, or None if a step failed as a whole.
    """

    def __init__(self, message: str, step: int, world: int | None = None) -> None:
        super().__init__(message)
        self.step, self.world = step, world


@dataclass(frozen=True, eq=False)
class ReplayedStep:
    """A replay after a step, or after worlds have begun.

    Attributes:
        step: the number of steps so far.
        observations: the observations of the batch.
        result: the result of the step; None if worlds have begun.
        batch: the replaying batch, for reading only.
    """

    step: int
    observations: Arrays
    result: StepResult | None
    batch: Batch

    def state(self, world: int = 0) -> State:
        """Return a copy of a world's state."""
        return self.batch.state(world)


@dataclass(frozen=True)
class Verdict:
    """The result of verifying a run.

    Attributes:
        same: whether the replay matches the recording at all checks.
        text: the result in words.
        step: the number of steps after which the first difference was found.
        world: the first world that differed then.
        changed: the parts of the recorded description that differ from the given world's, or else from the catalogue's
            world of the same name.
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


@dataclass(frozen=True, eq=False)
class Run:
    """An immutable recording of `worlds` worlds over `steps` steps.

    Attributes:
        description: the world's description, as plain data.
        autoreset: when an ended world began its next episode.
        starts: how worlds began, in order; the first at step 0.
        actions: uint8 or uint16[steps, worlds, agents]: indices into the world's list of actions.
        begun: int64[m, 2]: the step and world of each automatic reset.
        checked: int64[c]: the steps after which states were hashed.
        hashes: uint64[c, worlds]: the hashes of these states.
        rewards: float64[c, worlds, agents]: the cumulative rewards at these steps; float64[0, ...] if unknown.
        library: the version of Gridarium that recorded it.
        program: a fingerprint of the rules and of the library; may be empty.
        remarks: texts by the steps after which they are shown beside the picture, such as what agents of a live world have said.
        spec: the resolved description, in the process that recorded it; not stored in files.

    Example:
        >>> recorder = Recorder(World("KeyDoor-9x9").batch(64))
        >>> observations = recorder.reset(seed=1)
        >>> for _ in range(1000):
        ...     result = recorder.step(policy(observations))
        ...     observations = result.observations
        >>> recorder.run().save("night.run")
        >>> Run.load("night.run").verify()
    """

    description: Mapping[str, Any]
    autoreset: Autoreset
    starts: tuple[Start, ...]
    actions: npt.NDArray[Any]
    begun: Integers
    checked: Integers
    hashes: npt.NDArray[np.uint64]
    rewards: npt.NDArray[np.float64]
    library: str = ""
    program: str = ""
    remarks: Mapping[int, str] = dataclasses.field(default_factory=dict)
    spec: Spec | None = dataclasses.field(default=None, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in vars(self).items() if key != "spec"}

    @property
    def name(self) -> str:
        """The world's name."""
        return str(self.description.get("name", "unnamed"))

    @property
    def steps(self) -> int:
        """The number of recorded steps."""
        return int(self.actions.shape[0])

    @property
    def worlds(self) -> int:
        """The number of recorded worlds."""
        return int(self.actions.shape[1])

    @property
    def agents(self) -> int:
        """The number of agents of a world."""
        return int(self.actions.shape[2])

    @property
    def beginnings(self) -> tuple[Start, ...]:
        """The starts but for those in which episodes go on."""
        return tuple(start for start in self.starts if not start.goes_on)

    @property
    def extent(self) -> str:
        """The length of the run, in words."""
        worlds = "one world" if self.worlds == 1 else f"{self.worlds} worlds"
        return f"{self.steps} step{'s' * (self.steps != 1)} of {worlds}"

    def __repr__(self) -> str:
        return f"<Run of {self.name}: {self.extent}>"

    def _repr_html_(self) -> str:
        facts = {
            "steps": str(self.steps),
            "worlds": str(self.worlds),
            "agents": str(self.agents),
            "episodes of the first world": str(len(self.episodes())),
            "states that a replay is checked against": str(self.hashes.size),
            "recorded by Gridarium": self.library or "unknown",
        }
        if len(self.rewards):
            facts["reward, all worlds"] = f"{self.rewards[-1].sum():g}"
        from gridarium.engine.notebook import of_run  # pictures are imported only for notebooks

        return of_run(self.name, facts, self._first_episode)

    def _first_episode(self, count: int) -> dict[int, State]:
        """Evenly spaced states of the first world's first episode by step, including the first and the last.

        Empty if the recorded description can no longer be run, or only with user code that is not that of this process.
        """
        episode = self.episodes()[0]
        last = min(episode.steps, MOST_STEPS)
        wanted = {round(i * last / (count - 1)) for i in range(count)}
        try:
            replayed = itertools.takewhile(
                lambda m: m.step <= last, episode.replay(verify=False, compiled=False)
            )
            return {one.step: one.state() for one in replayed if one.step in wanted}
        except DescriptionError:
            return {}

    # parts: worlds are independent, and an episode is determined by its key, its index and its actions

    def world(self, i: int) -> Run:
        """Extract the run of world `i`.

        Raises:
            IndexError: there is no such world.
        """
        if not 0 <= i < self.worlds:
            raise IndexError(f"there are {self.worlds} worlds, got {i}")
        return dataclasses.replace(
            self,
            starts=tuple(one for start in self.starts if (one := start.only(i)) is not None),
            actions=self.actions[:, i : i + 1],
            begun=self.begun[self.begun[:, 1] == i] * np.array([1, 0]),
            hashes=self.hashes[:, i : i + 1],
            rewards=self.rewards[:, i : i + 1],
        )

    def episodes(self, world: int = 0) -> list[Run]:
        """Extract the episodes of a world, each as a separate run that ends with the episode.

        The index of an episode is in its `starts[0].episodes[0]`.
        """
        run = self.world(world)
        if not run.starts:
            return []  # it never begins
        every: list[tuple[int, Start | None]] = [(start.at, start) for start in run.starts]
        every += [(int(at), None) for at in run.begun[:, 0]]
        every.sort(key=lambda b: (b[0], b[1] is not None))
        beginnings: list[tuple[int, Start | None, list[Start]]] = []
        for at, given in every:
            if given is not None and given.goes_on:
                beginnings[-1][2].append(given)
            else:
                beginnings.append((at, given, []))
        parts: list[Run] = []
        latest = run.starts[0]
        for (at, given, within), (following, start_of_next, _) in zip(
            beginnings, [*beginnings[1:], (run.steps + 1, None, [])], strict=True
        ):
            start = _next_episode(latest, at) if given is None else given
            latest = within[-1] if within else start
            steps_of_reset = start_of_next is None and run.autoreset is not Autoreset.SAME_STEP
            end = min(following - steps_of_reset, run.steps)
            parts.append(run._part(start, within, end, following - 1))
        return parts

    def _part(self, start: Start, within: Sequence[Start], end: int, last_check: int) -> Run:
        kept = (start.at <= self.checked) & (self.checked <= last_check)
        summed = start.at == 0 and len(self.rewards) > 0
        return dataclasses.replace(
            self,
            autoreset=Autoreset.DISABLED,
            starts=tuple(dataclasses.replace(s, at=s.at - start.at) for s in (start, *within)),
            actions=self.actions[start.at : end],
            begun=np.zeros((0, 2), np.int64),
            checked=self.checked[kept] - start.at,
            hashes=self.hashes[kept],
            rewards=self.rewards[kept] if summed else self.rewards[:0],
            remarks={at - start.at: text for at, text in self.remarks.items() if start.at <= at <= end},
        )

    # replaying

    def replay(
        self,
        world: World | None = None,
        *,
        verify: bool = True,
        compiled: bool = True,
        threads: int | None = None,
        allow_imports: bool = False,
    ) -> Iterator[ReplayedStep]:
        """Replay the run and yield a `ReplayedStep` for each group of worlds that begins, and for each step.

        Args:
            world: the world to run; by default that of the recorded description.
            verify: whether to compare states and rewards with the recorded ones.
            compiled: whether rules run compiled.
            threads: as for a batch.
            allow_imports: whether a recorded description may import your own modules as `module:name`, which runs
                their code. Only for runs that you trust.

        Raises:
            ReplayError: something differs from what was recorded, or a rule raises.
            DescriptionError: the description is invalid, or imports code without permission.
            ValueError: the world is of another kind than the recorded one.
        """
        world = world or self.make_world(compiled=compiled, allow_imports=allow_imports)
        return _replayed(self, world, verify=verify, threads=threads)

    def verify(
        self,
        world: World | None = None,
        *,
        compiled: bool = True,
        threads: int | None = None,
        allow_imports: bool = False,
    ) -> Verdict:
        """Replay and compare; return the first difference, and what has changed since the recording.

        Arguments and errors are those of `replay`, except differences, which are returned.
        """
        made = world or self.make_world(compiled=compiled, allow_imports=allow_imports)
        return _judged(self, world, made, threads=threads)

    def make_world(self, *, compiled: bool = True, allow_imports: bool = False) -> World:
        """Create the world of the recorded description; in the recording process, including the user's modules.

        Args:
            compiled: whether rules run compiled.
            allow_imports: as for `replay`.

        Raises:
            DescriptionError: the description is invalid, or imports code without permission.
        """
        try:
            described = Description.from_dict(self.description)
            return World(described, compiled=compiled, allow_imports=allow_imports)
        except DescriptionError:
            if self.spec is None:
                raise
            return World(self.spec, compiled=compiled)

    # files

    def save(self, path: str | Path) -> None:
        """Write a file: a zip archive of JSON and arrays, with equal bytes for equal runs.

        Raises:
            OSError: it cannot be written; an existing file is left unchanged.
        """
        run_file.write(path, self.__getstate__())

    @staticmethod
    def load(path: str | Path, *, max_bytes: int = 1 << 32) -> Run:
        """Read a file without executing any code in it.

        Args:
            path: the file.
            max_bytes: the maximum size of the run in memory.

        Raises:
            ValueError: not a run, or a damaged, newer or too large one.
            OSError: there is no such file, or it cannot be opened.
        """
        return Run(**run_file.read(path, max_bytes=max_bytes))


def _next_episode(last: Start, at: int) -> Start:
    return Start(at, last.worlds, last.keys, last.episodes + 1)


def _replayed(run: Run, world: World, *, verify: bool, threads: int | None) -> Iterator[ReplayedStep]:
    """See `Run.replay`."""
    if world.spec.agents != run.agents:
        raise ValueError(
            f"the number of agents of {world.name} is {world.spec.agents}; the run was recorded with {run.agents}"
        )
    return _replayed_steps(run, world.batch(run.worlds, autoreset=run.autoreset, threads=threads), verify)


def _replayed_steps(run: Run, batch: Batch, verify: bool) -> Iterator[ReplayedStep]:
    rewards = np.zeros((run.worlds, run.agents))
    checks = {int(step): c for c, step in enumerate(run.checked)} if verify else {}
    starts = list(reversed(run.starts))
    last_check = -1
    try:
        for step in range(run.steps + 1):
            if step > 0:
                result = _stepped(batch, run.actions[step - 1], step)
                rewards += result.rewards.reshape(rewards.shape)
                while _goes_on(starts, step):
                    result = result._replace(observations=starts.pop().apply(batch))
                yield ReplayedStep(step, result.observations, result, batch)
            while starts and starts[-1].at == step:
                observations = starts.pop().apply(batch)
                while _goes_on(starts, step):
                    observations = starts.pop().apply(batch)
                yield ReplayedStep(step, observations, None, batch)
            if step in checks:
                _compare(run, batch, checks[step], rewards, last_check)
                last_check = step
    finally:
        batch.close()


def _goes_on(waiting: Sequence[Start], step: int) -> bool:
    """Whether the next start of those that wait, which is the last one, is here and one in which episodes go on."""
    return bool(waiting) and waiting[-1].at == step and waiting[-1].goes_on


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
        episode_and_tick = f"episode {batch.episodes[e]}, tick {batch.ticks[e]}"
        raise ReplayError(
            f"the states differ after {step} steps{before}: world {e} ({episode_and_tick}){more}", step, e
        )
    if len(run.rewards):
        e, agent = (
            int(i)
            for i in (*np.argwhere(rewards.view(np.int64) != run.rewards[c].view(np.int64)), (-1, -1))[0]
        )
        if e >= 0:
            was, is_now = run.rewards[c, e, agent], rewards[e, agent]
            what = f"world {e}, agent {agent}: {is_now} in all, it was {was}"
            raise ReplayError(f"the rewards differ after {step} steps{before}: {what}", step, e)


def _judged(run: Run, given: World | None, world: World, *, threads: int | None) -> Verdict:
    """See `Run.verify`; `given` is the world that the user named, `world` the one to run."""
    changed, remarks = _changes(run, given, world)
    try:
        for _ in _replayed(run, world, verify=True, threads=threads):
            pass
    except ReplayError as error:
        return Verdict(False, "; ".join([str(error), *remarks]), error.step, error.world, changed)
    same = f"{run.name}: {run.extent} replay exactly ({len(run.checked)} of the states on the way compared)"
    return Verdict(True, "; ".join([same, *remarks]), changed=changed)


def _changes(run: Run, given: World | None, world: World) -> tuple[tuple[str, ...], list[str]]:
    remarks = []
    name = catalogue.canonical(run.name) if given is None else None
    today = catalogue.description(name).to_dict() if name else world.spec.description.to_dict()
    changed = _differing(run.description, today)
    if changed:
        whose = "the catalogue's description" if name else "the world's description"
        remarks.append(f"{whose} differs from the recorded one: {', '.join(changed)}")
    if run.program and run.program != program_of(world.composed):
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


def program_of(composed: ComposedWorld) -> str:
    """A fingerprint of a composed world's rules, their parameters and the library; empty if there is none."""
    try:
        return fingerprint(composed.program.run, composed.params, composed.time_limit)
    except Unhashable:
        return ""
