"""A run: what happened in one world or in a batch, kept so that it can be replayed bit for bit.

It holds the world's description, how its episodes began, every action, and hashes of states against which a replay
is checked. Nothing in it is code. `Recorder` makes one.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from gridarium.engine import run_file
from gridarium.engine.frame import Autoreset
from gridarium.engine.replay import Moment, Verdict, judge, moments
from gridarium.engine.start import Integers, Start

if TYPE_CHECKING:
    from gridarium.engine.world import World
    from gridarium.worlds import Spec


@dataclass(frozen=True, eq=False)
class Run:
    """A recording of `worlds` worlds over `steps` steps. It never changes.

    Attributes:
        description: of the world, as plain data.
        autoreset: when an ended world began its next episode.
        starts: how worlds began, in order; the first at step 0.
        actions: uint8 or uint16[steps, worlds, agents]: indices into the world's list of actions.
        begun: int64[m, 2]: after which step which world began its next episode by itself.
        checked: int64[c]: after which steps states were hashed.
        hashes: uint64[c, worlds]: of their states.
        rewards: float64[c, worlds, agents]: the sum of all rewards up to there; float64[0, ...] if it is not known.
        library: the version of Gridarium that recorded it.
        program: a fingerprint of the rules and of the library; empty where there is none.
        spec: the world's description with everything that it names, in the process that recorded it; not kept in files.

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
    spec: Spec | None = dataclasses.field(default=None, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in vars(self).items() if key != "spec"}

    @property
    def name(self) -> str:
        """The world's name."""
        return str(self.description.get("name", "unnamed"))

    @property
    def steps(self) -> int:
        """How many steps were recorded."""
        return int(self.actions.shape[0])

    @property
    def worlds(self) -> int:
        """How many worlds were recorded."""
        return int(self.actions.shape[1])

    @property
    def agents(self) -> int:
        """How many agents a world has."""
        return int(self.actions.shape[2])

    @property
    def extent(self) -> str:
        """How long it is, in words."""
        worlds = "one world" if self.worlds == 1 else f"{self.worlds} worlds"
        return f"{self.steps} steps of {worlds}"

    def __repr__(self) -> str:
        return f"<Run of {self.name}: {self.extent}>"

    def _repr_html_(self) -> str:
        from gridarium.engine.showing import of_run

        return of_run(self)

    # parts: worlds do not see each other, and an episode follows from its key, its number and its actions

    def world(self, i: int) -> Run:
        """The run of world `i` alone.

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
        """The episodes of a world, each as a run of its own that ends with the episode.

        The number of an episode is in its `starts[0].episodes[0]`.
        """
        run = self.world(world)
        beginnings: list[tuple[int, Start | None]] = [(start.at, start) for start in run.starts]
        beginnings += [(int(at), None) for at in run.begun[:, 0]]
        beginnings.sort(key=lambda b: (b[0], b[1] is not None))
        parts: list[Run] = []
        for (at, given), (following, start_of_next) in zip(
            beginnings, [*beginnings[1:], (run.steps + 1, None)], strict=True
        ):
            start = _next_episode(parts[-1].starts[0], at) if given is None else given
            steps_of_reset = start_of_next is None and run.autoreset is not Autoreset.SAME_STEP
            parts.append(run._part(start, min(following - steps_of_reset, run.steps), following - 1))
        return parts

    def _part(self, start: Start, end: int, last_check: int) -> Run:
        kept = (start.at <= self.checked) & (self.checked <= last_check)
        summed = start.at == 0 and len(self.rewards) > 0
        return dataclasses.replace(
            self,
            autoreset=Autoreset.DISABLED,
            starts=(dataclasses.replace(start, at=0),),
            actions=self.actions[start.at : end],
            begun=np.zeros((0, 2), np.int64),
            checked=self.checked[kept] - start.at,
            hashes=self.hashes[kept],
            rewards=self.rewards[kept] if summed else self.rewards[:0],
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
    ) -> Iterator[Moment]:
        """Do it again, moment by moment: one for each group of worlds that begins, and one for each step.

        Args:
            world: the world to run; by default that of the recorded description.
            verify: whether to check states and rewards against those that were recorded.
            compiled: whether rules run compiled.
            threads: as for a batch.
            allow_imports: whether a recorded description may import your own modules as `module:name`, which runs
                their code. Only for runs that you trust.

        Raises:
            ReplayError: something differs from what was recorded, or a rule raises.
            DescriptionError: the description is no good (any more), or imports code without being allowed to.
            ValueError: the world is of another kind than the recorded one.
        """
        world = world or self.make_world(compiled=compiled, allow_imports=allow_imports)
        return moments(self, world, verify=verify, threads=threads)

    def verify(
        self,
        world: World | None = None,
        *,
        compiled: bool = True,
        threads: int | None = None,
        allow_imports: bool = False,
    ) -> Verdict:
        """Replay and compare: the first step and world that differ, and what has changed since the recording.

        Arguments and errors are those of `replay`, but for the differences, which are returned.
        """
        made = world or self.make_world(compiled=compiled, allow_imports=allow_imports)
        return judge(self, world, made, threads=threads)

    def make_world(self, *, compiled: bool = True, allow_imports: bool = False) -> World:
        """The world of the recorded description; in the process that recorded it, modules of one's own included.

        Args:
            compiled: whether rules run compiled.
            allow_imports: as for `replay`.

        Raises:
            DescriptionError: the description is no good (any more), or imports code without being allowed to.
        """
        from gridarium.engine.world import World
        from gridarium.worlds import Description, DescriptionError

        try:
            described = Description.from_dict(self.description)
            return World(described, compiled=compiled, allow_imports=allow_imports)
        except DescriptionError:
            if self.spec is None:
                raise
            return World(self.spec, compiled=compiled)

    # files

    def save(self, path: str | Path) -> None:
        """Write a file: a zip archive of JSON and arrays, the same bytes for the same run.

        Raises:
            OSError: it cannot be written; a file of that name is then as before.
        """
        run_file.write(path, self.__getstate__())

    @staticmethod
    def load(path: str | Path, *, max_bytes: int = 1 << 32) -> Run:
        """Read a file. Nothing in it is executed.

        Args:
            path: the file.
            max_bytes: how large the run may be in memory.

        Raises:
            ValueError: no run, a damaged one, one in a newer format, or too large.
            OSError: there is no such file, or it cannot be opened.
        """
        return Run(**run_file.read(path, max_bytes=max_bytes))


def _next_episode(last: Start, at: int) -> Start:
    return Start(at, last.worlds, last.keys, last.episodes + 1)
