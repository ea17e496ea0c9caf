"""Recording wrappers: chosen episodes as videos, each with a `Run` that replays it bit for bit.

What is recorded goes to disk while it happens. A file has its name when it is complete. Pictures are drawn from the
world itself, so any `render_mode` will do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from gridarium.engine import Batch, StepResult, World
from gridarium.engine.seeds import Seeds
from gridarium.engine.threads.outputs import Arrays
from gridarium.env.episode_video_recorder import EpisodeVideoRecorder, RecordingOptions
from gridarium.env.gym_env import GridariumEnv
from gridarium.env.vector_env import GridariumVectorEnv


class RecordEpisodes(gymnasium.Wrapper[Any, Any, Any, Any], gymnasium.utils.RecordConstructorArgs):
    """Records every k-th episode of an environment.

    Args:
        env: a `GridariumEnv`, or wrappers around one.
        folder: for the files; it is made if it is missing. Episode 12 is `<prefix>-episode-000012.mp4` and `.run`.
        every: record episodes 0, every, 2 * every, ...; by default all.
        trigger: says for the number of an episode, counted from 0, whether it is recorded; in the place of `every`.
        format: "mp4", "gif", "webp" (each with a run of the same name), or "run" alone. The run of an episode with
            individual parameters (`reset(options={"parameters": ...})`) is of the world with these.
        tile: pixels of a cell.
        fps: ticks shown in a second; by default the environment's `render_fps`.
        prefix: how the files' names begin; by default the world's name.
        overwrite: whether files of an earlier recording may be replaced.

    Raises:
        TypeError: the environment is not a Gridarium world.
        ValueError, FileExistsError, ImportError, OSError: see `gridarium.env.episode_video_recorder.RecordingOptions.check`.

    Example:
        >>> env = RecordEpisodes(gymnasium.make("gridarium/KeyDoor-9x9-v0"), "films", every=100)

    Call `close()` at the end: the last episode's files are finished then.
    """

    def __init__(
        self,
        env: gymnasium.Env[Any, Any],
        folder: str | Path,
        *,
        every: int | None = None,
        trigger: Callable[[int], bool] | None = None,
        format: str = "mp4",
        tile: int = 32,
        fps: float | None = None,
        prefix: str | None = None,
        overwrite: bool = False,
    ) -> None:
        gymnasium.utils.RecordConstructorArgs.__init__(
            self, folder=folder, every=every, trigger=trigger, format=format, tile=tile, fps=fps,
            prefix=prefix, overwrite=overwrite,
        )  # fmt: skip
        super().__init__(env)
        inner = env.unwrapped
        if not isinstance(inner, GridariumEnv):
            raise TypeError(
                f"only Gridarium's worlds can be recorded so that they replay, not {inner!r}; "
                "for others there is gymnasium.wrappers.RecordVideo"
            )
        rate = inner.metadata["render_fps"] if fps is None else fps
        chosen = RecordingOptions(folder, every, trigger, format, tile, rate, prefix, overwrite)
        self._recorder = EpisodeVideoRecorder(inner.world, inner.batch, chosen, None)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin an episode; one that was going on is recorded as far as it went."""
        result = self.env.reset(seed=seed, options=options)
        self._recorder.begun()
        return result

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """As that of the environment."""
        self._recorder.before_step()
        result = self.env.step(action)
        self._recorder.after_step(np.array([bool(result[2] or result[3])]))
        return result

    def close(self) -> None:
        """Finish the files, and close the environment."""
        self._recorder.end()
        super().close()


class RecordVectorEpisodes(gymnasium.vector.VectorWrapper):
    """Records every k-th episode of some worlds of a vector environment.

    Args:
        env: a `GridariumVectorEnv`, or wrappers around one.
        folder: for the files: `<prefix>-world-3-episode-000012.mp4` and `.run`.
        worlds: which; each counts its own episodes.
        options: `every`, `trigger`, `format`, `tile`, `fps`, `prefix`, `overwrite` as for `RecordEpisodes`.

    Raises:
        TypeError: the environment is not one of Gridarium's.
        IndexError: there is no such world.
        ValueError, FileExistsError, ImportError, OSError: see `gridarium.env.episode_video_recorder.RecordingOptions.check`.
    """

    def __init__(
        self,
        env: gymnasium.vector.VectorEnv[Any, Any, Any],
        folder: str | Path,
        *,
        worlds: Sequence[int] = (0,),
        **options: Any,
    ) -> None:
        inner = getattr(env, "unwrapped", env)
        if not isinstance(inner, GridariumVectorEnv):
            raise TypeError(f"only Gridarium's worlds can be recorded so that they replay, not {inner!r}")
        options = {"fps": inner.metadata["render_fps"]} | options
        self._recorder = EpisodeVideoRecorder(
            inner.world, inner.batch, RecordingOptions(folder, **options), worlds
        )
        super().__init__(env)  # last: Gymnasium 1.2 closes what is deleted, if it has an environment

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """As that of the environment."""
        result = self.env.reset(seed=seed, options=options)  # type: ignore[arg-type]
        self._recorder.begun(None if options is None else options.get("reset_mask"))
        return result

    def step(
        self, actions: Any
    ) -> tuple[Any, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], dict[str, Any]]:
        """As that of the environment."""
        self._recorder.before_step()
        result = self.env.step(actions)
        self._recorder.after_step(np.asarray(result[2]) | np.asarray(result[3]))
        return result

    def close(self, **kwargs: Any) -> None:
        """Finish the files, and close the environment."""
        self._recorder.end()
        super().close(**kwargs)


class RecordBatch:
    """Records every k-th episode of some worlds of a batch. Reset and step the batch through it.

    Args:
        world: the batch's.
        batch: as made by `world.batch(...)`, with one agent or several.
        folder, worlds, options: as for `RecordVectorEpisodes`.

    Raises:
        TypeError: not a world, a batch, a path, a function or a number.
        IndexError: there is no such world.
        ValueError, FileExistsError, ImportError, OSError: see `gridarium.env.episode_video_recorder.RecordingOptions.check`.

    Example:
        >>> batch = RecordBatch(world, world.batch(1024), "films", worlds=(0, 1), every=1000)
        >>> observations = batch.reset(seed=0)
        >>> result = batch.step(actions)
        >>> batch.close()
    """

    def __init__(
        self, world: World, batch: Batch, folder: str | Path, *, worlds: Sequence[int] = (0,), **options: Any
    ) -> None:
        self.batch = batch
        self._recorder = EpisodeVideoRecorder(world, batch, RecordingOptions(folder, **options), worlds)

    def reset(self, seed: Seeds = None, mask: npt.NDArray[np.bool_] | None = None) -> Arrays:
        """As that of the batch."""
        observations = self.batch.reset(seed, mask)
        self._recorder.begun(mask)
        return observations

    def step(self, actions: npt.ArrayLike) -> StepResult:
        """As that of the batch."""
        self._recorder.before_step()
        result = self.batch.step(actions)
        self._recorder.after_step(result.ended)
        return result

    def close(self) -> None:
        """Finish the files, and close the batch."""
        self._recorder.end()
        self.batch.close()
