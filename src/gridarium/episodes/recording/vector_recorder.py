"""Recording a vector environment, in each of Gymnasium's autoreset modes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import gymnasium as gym
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode

from gridarium.episodes.errors import EpisodeError
from gridarium.episodes.recording.episode_recorder_base import Sink, require
from gridarium.episodes.recording.rollout_buffer import VectorInfoLog
from gridarium.episodes.recording.rollout_recorder import BlockRecorder, RolloutRecorder
from gridarium.episodes.recording.schema import (
    Array,
    Column,
    Columns,
    EpisodeSchema,
    Flags,
    cast_columns,
    named_leaves,
    require_rows,
    schema_of_space,
)

FLAG = Column(np.dtype(np.bool_), ())


class _StepRecord(NamedTuple):
    """The result of a step, as the arguments of `RolloutRecorder.step`."""

    transition: Columns
    observations: Columns
    terminated: Flags
    truncated: Flags
    renewed: Flags | None
    finals: Columns | None
    infos: dict[str, Any]


class VectorEpisodeRecorder(BlockRecorder, gym.vector.VectorWrapper):
    """Records the episodes of a Gymnasium vector environment.

    Args:
        env: of any autoreset mode. Observations and actions are numbers, arrays, and dicts and tuples of these.
        sink: gets finished episodes block by block, for instance `EpisodeWriter.add`; without one, `take` gives them. What
            it raises is raised by the next `step`, `reset`, `flush` or `close`; until then `take` gives the episodes.
        infos: whether each world's infos are recorded, as a dict for each observation (`final_info` with the last one of an
            episode); or the keys that are. A dict for every step of every world costs more than everything else.

    Raises:
        EpisodeError: not a `gymnasium.vector.VectorEnv`, spaces whose items have no fixed form, or an environment without an
            autoreset mode in its metadata.

    Final observations are those of the ended episodes in every mode, never the first ones of the next. If the environment
    raises, or returns what cannot be recorded, all active episodes are broken off, and a world is recorded again from its
    next episode on: no episode lacks a step.
    """

    def __init__(
        self,
        env: gym.vector.VectorEnv[Any, Any, Any],
        *,
        sink: Sink | None = None,
        infos: bool | Collection[str] = False,
    ) -> None:
        require("VectorEpisodeRecorder", env)
        super().__init__(env)
        mode = env.metadata.get("autoreset_mode")
        if mode is None:
            raise EpisodeError(f"{env} has no autoreset mode, metadata['autoreset_mode']")
        self._mode = mode if isinstance(mode, AutoresetMode) else AutoresetMode(mode)
        spaces = env.single_observation_space, env.single_action_space
        schema = EpisodeSchema(schema_of_space(spaces[0]), schema_of_space(spaces[1]), {})
        texts = [name for name, column in schema.columns().items() if column.dtype.kind == "U"]
        if texts:
            raise EpisodeError(f"{texts[0]}: texts are recorded from single environments only")
        log = VectorInfoLog(None if infos is True else infos) if infos else None
        self._recorder = RolloutRecorder(schema, env.num_envs, spaces, infos=log, sink=sink)
        self._over = np.zeros(env.num_envs, np.bool_)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Reset the environment; active episodes in these worlds are truncated.

        Raises:
            EpisodeError: observations that cannot be recorded; all episodes are broken off then.
            Exception: what the sink has raised; nothing was reset then.
        """
        self._recorder.sink_errors.raise_first()
        mask = None if options is None else options.get("reset_mask")  # some environments take it out
        try:
            observations, infos = self.env.reset(seed=seed, options=options)  # type: ignore[arg-type]
            seen = self._columns("observations", observations)
        except BaseException:
            self._break_off()
            raise
        self._recorder.begin(seen, mask, infos=infos)
        self._over[slice(None) if mask is None else mask] = False
        return observations, infos

    def step(
        self, actions: Any, extras: Mapping[str, npt.NDArray[Any]] | None = None
    ) -> tuple[Any, Array, Flags, Flags, dict[str, Any]]:
        """Step all worlds.

        Args:
            actions: as for the environment. Spaces of floats take other numbers, too, and record them in their own type.
            extras: further model outputs, key -> array[num_envs, ...]; the same keys in every step.

        Raises:
            EpisodeError: no episode has begun, actions that cannot be recorded, or other extras than at the first step;
                nothing was stepped then. Or the result of the step cannot be recorded; all episodes are broken off then.
            Exception: what the environment raises; all episodes are broken off then. Or what the sink has raised;
                nothing was stepped then.
        """
        self._recorder.sink_errors.raise_first()
        acted = self._columns("actions", actions, rounded=True)
        outputs = self._recorder.extras(extras or {})
        try:
            result = self.env.step(actions)
            recorded = self._recorded(*result)
        except BaseException:
            self._break_off()
            raise
        recorded.transition.update(acted | outputs)
        self._over = recorded.terminated | recorded.truncated
        self._recorder.step(*recorded)
        return result

    def close(self, **kwargs: Any) -> None:
        """End active episodes, hand over what has ended, and close the environment.

        Raises:
            Exception: what the sink raised; the environment is closed then.
        """
        recorder: RolloutRecorder | None = getattr(
            self, "_recorder", None
        )  # also called if __init__ has raised
        if recorder is not None:
            self._break_off()
        super().close(**kwargs)
        if recorder is not None:
            recorder.flush()

    def _break_off(self) -> None:
        """End all episodes; nothing is recorded until the next ones begin."""
        self._recorder.break_off()
        self._over = np.zeros(self.num_envs, np.bool_)

    def _recorded(
        self, observations: Any, rewards: Any, terminated: Any, truncated: Any, infos: dict[str, Any]
    ) -> _StepRecord:
        """Return the result of a step, as it is recorded."""
        flags = {"terminated": np.asarray(terminated, np.bool_), "truncated": np.asarray(truncated, np.bool_)}
        for name, flag in flags.items():
            require_rows(name, FLAG.cast(flag, name), self.num_envs)
        seen = self._columns("observations", observations)
        earned = self._columns("rewards", np.asarray(rewards, np.float64))
        over = flags["terminated"] | flags["truncated"]
        renewed, finals = None, None
        if self._mode is AutoresetMode.NEXT_STEP:
            renewed = self._over
        elif self._mode is AutoresetMode.SAME_STEP:
            renewed = over
            finals = self._finals(seen, infos, over) if over.any() else None
        return _StepRecord(earned, seen, flags["terminated"], flags["truncated"], renewed, finals, infos)

    def _columns(self, name: str, struct: Any, *, rounded: bool = False) -> Columns:
        columns = cast_columns(name, self._recorder.schema.parts()[name], struct, rounded=rounded)
        for path, column in columns.items():
            require_rows(path, column, self.num_envs)
        return columns

    def _finals(self, like: Columns, infos: dict[str, Any], over: Flags) -> Columns:
        """Return the last observations of ended episodes, at the indices of their worlds."""
        given = infos.get("final_obs")
        if given is None:
            raise EpisodeError(f"{self.env} has ended episodes, but gives no infos['final_obs']")
        finals = {name: array.copy() for name, array in like.items()}
        for i in np.flatnonzero(over):
            for name, value in named_leaves("observations", given[i]):
                finals[name][i] = value
        return finals
