"""Recording a vector environment, in each of Gymnasium's autoreset modes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import gymnasium as gym
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode

from gridarium.episodes.errors import EpisodeError
from gridarium.episodes.recording.accepting import require
from gridarium.episodes.recording.forms import (
    Column,
    Columns,
    EpisodeForm,
    fitted,
    form_of_space,
    leaves_of,
    require_rows,
)
from gridarium.episodes.recording.infos import InfoLog
from gridarium.episodes.recording.pieces import Flags
from gridarium.episodes.recording.taking import TakesBlocks
from gridarium.episodes.recording.tracks import Sink, Tracks

FLAG = Column(np.dtype(np.bool_), ())


class _Recorded(NamedTuple):
    """What came of a step, as `Tracks.step` takes it."""

    transition: Columns
    observations: Columns
    terminated: Flags
    truncated: Flags
    renewed: Flags | None
    finals: Columns | None
    infos: dict[str, Any]


class VectorEpisodeRecorder(TakesBlocks, gym.vector.VectorWrapper):
    """Keeps what happens in a Gymnasium vector environment as episodes.

    Args:
        env: of any autoreset mode. Observations and actions are numbers, arrays, and dicts and tuples of these.
        sink: gets finished episodes block by block, for instance `EpisodeWriter.add`; without one, `take` gives them. What
            it raises is raised by the next `step`, `reset`, `flush` or `close`; until then `take` gives the episodes.
        infos: whether each world's infos are kept, as a dict for each observation (`final_info` with the last one of an
            episode); or the keys of those that are. A dict for every step of every world costs more than all else.

    Raises:
        EpisodeError: something else than a `gymnasium.vector.VectorEnv`, spaces whose items have no fixed form, or an environment that does not tell its autoreset mode.

    Final observations are those of the ended episodes in every mode, never the first ones of the next. Where the
    environment raises, or gives what cannot be recorded, all episodes that are going on are broken off, and a world is
    recorded again from its next episode on: no episode has a step missing.
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
            raise EpisodeError(f"{env} does not tell its autoreset mode, metadata['autoreset_mode']")
        self._mode = mode if isinstance(mode, AutoresetMode) else AutoresetMode(mode)
        spaces = env.single_observation_space, env.single_action_space
        form = EpisodeForm(form_of_space(spaces[0]), form_of_space(spaces[1]), {})
        texts = [name for name, column in form.columns().items() if column.dtype.kind == "U"]
        if texts:
            raise EpisodeError(f"{texts[0]}: texts are recorded from single environments only")
        log = InfoLog(None if infos is True else infos) if infos else None
        self._tracks = Tracks(form, env.num_envs, spaces, infos=log, sink=sink)
        self._over = np.zeros(env.num_envs, np.bool_)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> Any:
        """As that of the environment; episodes that are going on in these worlds are broken off.

        Raises:
            EpisodeError: observations that cannot be recorded; all episodes are broken off then.
            Exception: what the sink raised since the last time; nothing was reset then.
        """
        self._tracks.refusals.tell()
        mask = None if options is None else options.get("reset_mask")  # some environments take it out
        try:
            observations, infos = self.env.reset(seed=seed, options=options)  # type: ignore[arg-type]
            seen = self._columns("observations", observations)
        except BaseException:
            self._break_off()
            raise
        self._tracks.begin(seen, mask, infos=infos)
        self._over[slice(None) if mask is None else mask] = False
        return observations, infos

    def step(self, actions: Any, extras: Mapping[str, npt.NDArray[Any]] | None = None) -> Any:
        """One step of all worlds.

        Args:
            actions: as for the environment. Spaces of floats take other numbers, too, and record them in their own type.
            extras: what a model gave besides, key -> array[num_envs, ...]; the same keys in every step.

        Raises:
            EpisodeError: no episode has begun, actions that cannot be recorded, or other extras than at the first step;
                nothing was stepped then. Or what came of the step cannot be recorded; all episodes are broken off then.
            Exception: what the environment raises; all episodes are broken off then. Or what the sink raised since the
                last time; nothing was stepped then.
        """
        self._tracks.refusals.tell()
        acted = self._columns("actions", actions, rounded=True)
        outputs = self._tracks.extras(extras or {})
        try:
            result = self.env.step(actions)
            recorded = self._recorded(*result)
        except BaseException:
            self._break_off()
            raise
        recorded.transition.update(acted | outputs)
        self._over = recorded.terminated | recorded.truncated
        self._tracks.step(*recorded)
        return result

    def close(self, **kwargs: Any) -> None:
        """Finish the episodes that are going on, hand over what has ended, and close the environment.

        Raises:
            Exception: what the sink raised; the environment is closed then.
        """
        tracks: Tracks | None = getattr(self, "_tracks", None)  # it is closed also where it could not be made
        if tracks is not None:
            self._break_off()
        super().close(**kwargs)
        if tracks is not None:
            tracks.flush()

    def _break_off(self) -> None:
        """All episodes end here; what comes until the next ones begin is not recorded."""
        self._tracks.break_off()
        self._over = np.zeros(self.num_envs, np.bool_)

    def _recorded(
        self, observations: Any, rewards: Any, terminated: Any, truncated: Any, infos: dict[str, Any]
    ) -> _Recorded:
        """What came of a step, as it is recorded."""
        flags = {"terminated": np.asarray(terminated, np.bool_), "truncated": np.asarray(truncated, np.bool_)}
        for name, flag in flags.items():
            require_rows(name, FLAG.fitted(flag, name), self.num_envs)
        seen = self._columns("observations", observations)
        earned = self._columns("rewards", np.asarray(rewards, np.float64))
        over = flags["terminated"] | flags["truncated"]
        renewed, finals = None, None
        if self._mode is AutoresetMode.NEXT_STEP:
            renewed = self._over
        elif self._mode is AutoresetMode.SAME_STEP:
            renewed = over
            finals = self._finals(seen, infos, over) if over.any() else None
        return _Recorded(earned, seen, flags["terminated"], flags["truncated"], renewed, finals, infos)

    def _columns(self, name: str, struct: Any, *, rounded: bool = False) -> Columns:
        columns = fitted(name, self._tracks.form.parts()[name], struct, rounded=rounded)
        for path, column in columns.items():
            require_rows(path, column, self.num_envs)
        return columns

    def _finals(self, like: Columns, infos: dict[str, Any], over: Flags) -> Columns:
        """The last observations of ended episodes, in the places of their worlds."""
        given = infos.get("final_obs")
        if given is None:
            raise EpisodeError(f"{self.env} has ended episodes, but gives no infos['final_obs']")
        finals = {name: array.copy() for name, array in like.items()}
        for i in np.flatnonzero(over):
            for name, value in leaves_of("observations", given[i]):
                finals[name][i] = value
        return finals
