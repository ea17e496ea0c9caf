"""Episodes of chosen worlds of a batch as files: a `Run` of each and a video of it, written while they go on."""

from __future__ import annotations

import glob
import itertools
import os
import re
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.draw import VideoWriter
from gridarium.draw.motion.video import MOST_FPS, check_format
from gridarium.engine import Autoreset, Batch, World
from gridarium.engine.arguments import check_count, check_function, check_index, check_number
from gridarium.engine.composed_world import ComposedWorld
from gridarium.engine.final_step import FinalStep
from gridarium.engine.runs.run_builder import RunBuilder
from gridarium.engine.runs.start import Start
from gridarium.engine.world import check_world
from gridarium.env.rendering import rendered
from gridarium.rules.limits import is_list
from gridarium.world.state import State
from gridarium.worlds.parameters import with_parameters

RUN = "run"
HOLD = 1.0
"""For how many seconds more the end of an episode is shown."""


@dataclass(frozen=True)
class RecordingOptions:
    """The episodes to record, and the files to write.

    Attributes:
        folder: for the files; it is made if it is missing.
        every: record episodes 0, every, 2 * every, ...
        trigger: says for the number of an episode, counted from 0, whether it is recorded; in the place of `every`.
        format: "mp4", "gif", "webp" (each with a run of the same name), or "run" alone.
        tile: pixels of a cell.
        fps: ticks shown in a second.
        prefix: how the files' names begin; by default the world's name.
        overwrite: whether files of an earlier recording may be replaced.
    """

    folder: str | Path
    every: int | None = None
    trigger: Callable[[int], bool] | None = None
    format: str = "mp4"
    tile: int = 32
    fps: float = 8.0
    prefix: str | None = None
    overwrite: bool = False

    def check(self, name: str) -> None:
        """Make sure that all of it is possible, before anything is recorded.

        Args:
            name: how the files' names begin.

        Raises:
            TypeError: a path, a function or a number of another type.
            ValueError: an unknown format, a number out of range, or both `every` and `trigger`.
            FileExistsError: the folder holds files of an earlier recording.
            ImportError: a library is missing; the message says which extra to install.
            OSError: the folder cannot be written to.
        """
        formats = (*(ending[1:] for ending in MOST_FPS), RUN)
        if self.format not in formats:
            raise ValueError(f"format is one of {', '.join(formats)}, not {self.format!r}")
        if not isinstance(self.folder, str | os.PathLike):
            raise TypeError(f"a folder is a path, not {self.folder!r}")
        if self.every is not None:
            check_count("every", self.every)
        if self.trigger is not None:
            check_function("trigger", self.trigger)
        check_count("tile", self.tile)
        check_number("fps", self.fps)
        if self.every is not None and self.trigger is not None:
            raise ValueError(f"give every or a trigger, not every={self.every!r} and {self.trigger!r}")
        if self.format != RUN:
            check_format(f"film.{self.format}", self.fps)
        folder = Path(self.folder)
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):  # raises where one cannot write
            pass
        whose = glob.escape(name)
        patterns = (f"{whose}-episode-*", f"{whose}-world-*-episode-*")
        old = next(itertools.chain.from_iterable(map(folder.glob, patterns)), None)
        if old is not None and not self.overwrite:
            raise FileExistsError(
                f"{folder} holds an earlier recording ({old.name}): choose another folder or prefix, "
                "or say overwrite=True"
            )

    def wants(self, episode: int) -> bool:
        """Whether an episode is recorded."""
        return bool(self.trigger(episode)) if self.trigger is not None else episode % (self.every or 1) == 0


@dataclass
class _Recording:
    """An episode that is being recorded.

    Attributes:
        name: of its files, without their ending.
        run: its run so far, of one world.
        video: its pictures; None where only the run is kept.
        state: the latest state.
    """

    name: str
    run: RunBuilder
    video: VideoWriter | None
    state: State


_in_use: set[Path] = set()
"""The files that recorders of this process are going to write."""


class EpisodeVideoRecorder:
    """Records episodes of some of a batch's worlds while somebody else steps the batch.

    Args:
        world: the batch's.
        batch: the worlds.
        options: which episodes, and where to.
        chosen: the numbers of the worlds; None for the only one, whose files' names have no number.

    Raises:
        TypeError: not a world, not a batch, or not numbers of worlds.
        IndexError: there is no such world.
        Exception: see `RecordingOptions.check`.
    """

    def __init__(
        self, world: World, batch: Batch, options: RecordingOptions, chosen: Sequence[int] | None
    ) -> None:
        check_world(world)
        if not isinstance(batch, Batch):
            raise TypeError(f"a batch is needed, as World.batch makes it, not {batch!r}")
        if chosen is not None and not is_list(chosen):
            raise TypeError(f"worlds are a list of their numbers, not {chosen!r}")
        numbers = [0] if chosen is None else list(chosen)
        for i in numbers:
            check_index("worlds", i, batch.n)
        prefix = re.sub(r"[^\w.-]+", "-", world.name) if options.prefix is None else options.prefix
        if Path(prefix).name != prefix:
            raise ValueError(f"a prefix is the begin of a file's name, not {prefix!r}")
        options.check(prefix)
        self.world, self.batch, self.options = world, batch, options
        self._names = {i: prefix if chosen is None else f"{prefix}-world-{i}" for i in numbers}
        self._episodes = dict.fromkeys(numbers, 0)  # how many have begun
        self._recordings: dict[int, _Recording] = {}
        same_step = batch.autoreset is Autoreset.SAME_STEP
        self._final_step = FinalStep(batch, list(self._names)) if same_step else None

    def begun(self, mask: npt.NDArray[np.bool_] | None = None) -> None:
        """Episodes have begun, in all worlds or in those of a mask, bool[n]."""
        for i in self._names:
            if mask is None or mask[i]:
                self._begin(i)

    def before_step(self) -> None:
        """The batch is about to be stepped."""
        if self._final_step is not None:
            self._final_step.before_step()
        for i, recording in self._recordings.items():
            state = self.batch.state(i)
            if not state.identical(recording.state):  # replaced since the last step
                self._start(recording, i, state)
            recording.run.before_step(_arrays(state))

    def after_step(self, over: npt.NDArray[np.bool_]) -> None:
        """The batch was stepped.

        Args:
            over: bool[n]: whose episodes have ended with it.
        """
        memory, batch = self.batch.memory, self.batch
        rewards = memory.outputs.rewards.reshape(batch.n, -1)
        ended = any(over[i] for i in self._recordings)
        finals = self._final_step.repeat() if self._final_step is not None and ended else None
        for place, i in enumerate(self._names):
            if batch.autoreset is Autoreset.NEXT_STEP and batch.ticks[i] == 0:
                self._begin(i)
                continue
            if (recording := self._recordings.get(i)) is not None:
                state = finals.state(place) if finals is not None and over[i] else batch.state(i)
                recording.run.step(memory.actions[i], rewards[i])
                recording.state = state
                self._draw(recording)
            if over[i]:
                self._end(i)
                if self._final_step is not None:
                    self._begin(i)

    def end(self) -> None:
        """Finish all files as they are."""
        for i in self._names:
            self._end(i)

    def _begin(self, i: int) -> None:
        """An episode has begun in a world; one that was going on is finished as it is."""
        self._end(i)
        episode = self._episodes[i]
        if self.options.wants(episode):
            name = self._free_name(f"{self._names[i]}-episode-{episode:06d}")
            state, ending = self.batch.state(i), self.options.format
            path, fps = self._path(name, ending), self.options.fps
            video = None if ending == RUN else VideoWriter(path, fps=fps, hold=HOLD)
            run = RunBuilder(self._composed_for_episode(i), 1)
            self._recordings[i] = recording = _Recording(name, run, video, state)
            _in_use.add(self._path(name, RUN))
            self._start(recording, i, state)
            self._draw(recording)
        self._episodes[i] += 1

    def _start(self, recording: _Recording, i: int, state: State) -> None:
        """Record that the run continues, or begins, from a state of world `i`."""
        start = Start.of(self.batch, recording.run.steps, np.array([i]), states=True).only(i)
        assert start is not None
        recording.run.start(start)
        recording.state = state

    def _end(self, i: int) -> None:
        """Finish the files of a world's episode, if it is recorded; there are none of one without a step."""
        recording = self._recordings.pop(i, None)
        if recording is None:
            return
        _in_use.discard(self._path(recording.name, RUN))
        if recording.run.steps == 0:
            if recording.video is not None:
                recording.video.discard()
            return
        if recording.video is not None:
            recording.video.close()
        recording.run.run(_arrays(recording.state)).save(self._path(self._free_name(recording.name), RUN))

    def _draw(self, recording: _Recording) -> None:
        if recording.video is not None:
            recording.video.add(rendered(self.world, recording.state, "rgb_array", self.options.tile))

    def _free_name(self, name: str) -> str:
        """A name of which there are no files, nor will be of another recorder: environments may share a folder."""
        free, k = name, 1
        while self._path(free, RUN) in _in_use or (
            not self.options.overwrite and self._path(free, RUN).exists()
        ):
            k += 1
            free = f"{name}-{k}"
        return free

    def _path(self, name: str, ending: str) -> Path:
        return Path(self.options.folder) / f"{name}.{ending}"

    def _composed_for_episode(self, i: int) -> ComposedWorld:
        """The world of the current episode of world `i`, whose parameters may be individual ones."""
        composed, parameters = self.batch.composed, self.batch.parameters(i)
        if not parameters:
            return composed
        return ComposedWorld(with_parameters(composed.spec, parameters), compiled=False)


def _arrays(state: State) -> list[npt.NDArray[Any]]:
    """The arrays of a state, as those of a batch of one."""
    return [a[None] for a in (state.cells, state.layers, state.data, state.agent_rows)]
