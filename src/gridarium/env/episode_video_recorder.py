"""Episodes of chosen worlds as files: an animated picture of each and a `Run` beside it, written while they go on."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.engine import Autoreset, Batch, World
from gridarium.engine.checking import check_count, check_function, check_index, check_number, check_world
from gridarium.engine.start import check_one_description
from gridarium.env.rendering import rendered
from gridarium.env.tape import Tape
from gridarium.rules.limits import is_list
from gridarium.screen import VideoWriter
from gridarium.screen.video import MOST_FPS, check_format
from gridarium.world.state import ENDED, State

RUN = "run"
HOLD = 1.0
"""For how many seconds more the end of an episode is shown."""


@dataclass(frozen=True)
class Files:
    """Which episodes are recorded, and where to.

    Attributes:
        folder: is made if it is missing.
        every: record episodes 0, every, 2 * every, ...
        trigger: says for the number of an episode, counted from 0, whether it is recorded; in the place of `every`.
        format: "mp4", "gif", "webp" (each with a run beside it), or "run" alone.
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
        """Make sure that all of it is possible, before there is something to lose.

        Args:
            name: how the files' names begin.

        Raises:
            TypeError: a path, a function or a number that is none.
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
        old = next(folder.glob(f"{name}-*episode-*"), None)
        if old is not None and not self.overwrite:
            raise FileExistsError(
                f"{folder} holds an earlier recording ({old.name}): choose another folder or prefix, "
                "or say overwrite=True"
            )

    def wants(self, episode: int) -> bool:
        """Whether an episode is recorded."""
        return bool(self.trigger(episode)) if self.trigger is not None else episode % (self.every or 1) == 0


class Reel:
    """The recording of one world's episodes.

    Args:
        world: to draw and describe it.
        files: where to.
        name: how the files' names begin.
    """

    def __init__(self, world: World, files: Files, name: str) -> None:
        self.world, self.files, self.name = world, files, name
        self.episodes = 0
        self._tape: Tape | None = None
        self._video: VideoWriter | None = None

    @property
    def runs(self) -> bool:
        """Whether an episode is being recorded."""
        return self._tape is not None

    def begin(self, state: State) -> None:
        """An episode begins; one that was going on is finished as it is."""
        self.end()
        if self.files.wants(self.episodes):
            self._tape = Tape(self.world, state)
            if self.files.format != RUN:
                self._video = VideoWriter(self._path(self.files.format), fps=self.files.fps, hold=HOLD)
            self._shoot(state)
        self.episodes += 1

    def before_step(self, state: State) -> None:
        """The world is about to be stepped."""
        if self._tape is not None:
            self._tape.before_step(state)

    def after_step(self, state: State, actions: Any, rewards: Any) -> None:
        """The world was stepped; arguments as for `Tape`."""
        if self._tape is not None:
            self._tape.after_step(state, actions, rewards)
            self._shoot(state)

    def end(self) -> None:
        """Finish the files of the episode, if one is being recorded; there are none of one without a step."""
        tape, video = self._tape, self._video
        self._tape = self._video = None
        if tape is None or tape.steps == 0:
            if video is not None:
                video.discard()
            return
        if video is not None:
            video.close()
        tape.run().save(self._path(RUN, self.episodes - 1))

    def _shoot(self, state: State) -> None:
        if self._video is not None:
            self._video.add(rendered(self.world, state, "rgb_array", self.files.tile))

    def _path(self, ending: str, episode: int | None = None) -> Path:
        number = self.episodes if episode is None else episode
        return Path(self.files.folder) / f"{self.name}-episode-{number:06d}.{ending}"


class Reels:
    """The recordings of some of a batch's worlds.

    Args:
        world: the batch's.
        batch: the worlds.
        files: which episodes, and where to.
        chosen: the numbers of the worlds; None for the only one, whose files' names have no number.

    Raises:
        TypeError: no world, no batch, or no numbers of worlds.
        IndexError: there is no such world.
        Exception: see `Files.check`.
    """

    def __init__(self, world: World, batch: Batch, files: Files, chosen: Sequence[int] | None) -> None:
        check_world(world)
        if not isinstance(batch, Batch):
            raise TypeError(f"a batch is needed, as World.batch makes it, not {batch!r}")
        if chosen is not None and not is_list(chosen):
            raise TypeError(f"worlds are a list of their numbers, not {chosen!r}")
        numbers = [0] if chosen is None else list(chosen)
        for i in numbers:
            check_index("worlds", i, batch.n)
        prefix = re.sub(r"[^\w.-]+", "-", world.name) if files.prefix is None else files.prefix
        files.check(prefix)
        self.world, self.batch = world, batch
        self.reels = {
            i: Reel(world, files, prefix if chosen is None else f"{prefix}-world-{i}") for i in numbers
        }
        self._before: dict[int, State] = {}

    def begun(self, mask: npt.NDArray[np.bool_] | None = None) -> None:
        """Episodes have begun, in all worlds or in those of a mask, bool[n]."""
        for i, reel in self.reels.items():
            if mask is None or mask[i]:
                reel.begin(self.batch.state(i))

    def before_step(self) -> None:
        """The batch is about to be stepped.

        Raises:
            ValueError: its worlds have parameters of their own.
        """
        check_one_description(self.batch)
        self._before = {i: self.batch.state(i) for i, reel in self.reels.items() if reel.runs}
        for i, state in self._before.items():
            self.reels[i].before_step(state)

    def after_step(self, over: npt.NDArray[np.bool_]) -> None:
        """The batch was stepped.

        Args:
            over: bool[n]: whose episodes have ended with it.
        """
        memory, batch = self.batch.memory, self.batch
        rewards = memory.outputs.rewards.reshape(batch.n, -1)
        at_once = batch.autoreset is Autoreset.SAME_STEP
        for i, reel in self.reels.items():
            if batch.autoreset is Autoreset.NEXT_STEP and batch.ticks[i] == 0:
                reel.begin(batch.state(i))
                continue
            if reel.runs:
                replaced = at_once and bool(over[i])
                state = self._last_state(i) if replaced else batch.state(i)
                reel.after_step(state, memory.actions[i], rewards[i])
            if over[i]:
                reel.end()
                if at_once:
                    reel.begin(batch.state(i))

    def end(self) -> None:
        """Finish all files as they are."""
        for reel in self.reels.values():
            reel.end()

    def _last_state(self, i: int) -> State:
        """How an episode has ended in whose place the next one has begun."""
        state = self._before[i].copy()
        state.data[ENDED] = 0
        return self.world.step(state, self.batch.memory.actions[i].tolist())[0]
