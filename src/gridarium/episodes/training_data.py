"""Training data from episodes: frame stacks, and transitions of n steps sampled from many episodes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gridarium.episodes.buffer import InfiniteLookbackBuffer
from gridarium.episodes.buffer.structs import Form, Struct, batch, map_structs
from gridarium.episodes.errors import EpisodeError, require_one_agent
from gridarium.episodes.multi_agent import MultiAgentEpisode
from gridarium.episodes.returns import n_step_returns
from gridarium.episodes.single_agent_episode import SingleAgentEpisode


def frame_stacks(episode: SingleAgentEpisode, n: int, *, fill: float = 0.0, last: bool = True) -> Struct:
    """Return for each observation after the lookback the n latest ones, itself included, oldest first.

    Observations before the chunk are those of its lookback; missing ones are filled with a number.

    Args:
        episode: of length T.
        n: how many observations make a stack.
        fill: every number of a missing observation.
        last: include the stack of the last observation, on which no action followed.

    Returns:
        A struct of read-only views [T + 1 or T, n, ...]: no observation is copied.

    Raises:
        EpisodeError: n below 1, an episode of several agents, or one without observations.
    """
    if n < 1:
        raise EpisodeError(f"a stack holds 1 observation or more, got {n}")
    require_one_agent(episode)
    if not episode.is_reset:
        raise EpisodeError(f"{episode!r} has no observations")
    wanted = slice(1 - n, len(episode.observations) if last else len(episode.rewards))
    frames = episode.get_observations(wanted, neg_index_as_lookback=True, fill=fill)
    if not episode.observations.finalized:
        frames = batch(frames)
    return map_structs(lambda _, array: _windows(array, n), frames)


def _windows(array: Any, n: int) -> Any:
    windows = np.lib.stride_tricks.sliding_window_view(array, n, axis=0)
    return np.moveaxis(windows, -1, 1)


class Transitions(NamedTuple):
    """A batch of B transitions.

    Attributes:
        observations: a struct of arrays [B, ...].
        actions: a struct of arrays [B, ...]: the first of each transition.
        rewards: float64[B]: the discounted sum of the rewards on the way.
        next_observations: a struct of arrays [B, ...], `steps` further on.
        steps: int64[B]: n, or fewer where the episode ends before.
        terminated: bool[B]: whether the next observation is terminal.
        truncated: bool[B]: whether the episode was broken off at the next observation.
        discounts: float64[B]: the factor of the value of the next observation, 0 if it is terminal.
        extra_model_outputs: key -> a struct of arrays [B, ...], of the first step of each transition.
    """

    observations: Struct
    actions: Struct
    rewards: npt.NDArray[np.float64]
    next_observations: Struct
    steps: npt.NDArray[np.int64]
    terminated: npt.NDArray[np.bool_]
    truncated: npt.NDArray[np.bool_]
    discounts: npt.NDArray[np.float64]
    extra_model_outputs: dict[str, Struct]


class NStepSampler:
    """Samples transitions of n steps uniformly from all steps of its episodes.

    The steps after each episode's lookback are copied into arrays over all episodes, which grow by doubling.

    Args:
        episodes: to begin with; all of the same form, and all agents of episodes of several.
        n: how many steps a transition takes, at least 1.
        discount: between 0 and 1.
        seed: of the random generator.

    Raises:
        ValueError: n below 1, or a discount outside 0 to 1.
        EpisodeError: as `add`.
    """

    def __init__(
        self,
        episodes: Iterable[SingleAgentEpisode | MultiAgentEpisode] = (),
        *,
        n: int = 1,
        discount: float = 0.99,
        seed: int | np.random.Generator | None = None,
    ) -> None:
        n_step_returns([], n, discount)  # checks both
        self.n, self.discount = n, discount
        self._rng = np.random.default_rng(seed)
        self._columns: dict[str, InfiniteLookbackBuffer] = {}
        self._steps = 0
        for episode in episodes:
            self.add(episode)

    def __len__(self) -> int:
        """Return the number of transitions."""
        return self._steps

    def add(self, episode: SingleAgentEpisode | MultiAgentEpisode) -> None:
        """Add all steps of an episode, or of a chunk of one, after its lookback; of each of its agents, if it has several.

        Raises:
            EpisodeError: data of another form than that of the first one; nothing has changed then.
        """
        before, steps = {name: len(buffer) for name, buffer in self._columns.items()}, self._steps
        try:
            for own in (
                episode.agent_episodes.values() if isinstance(episode, MultiAgentEpisode) else [episode]
            ):
                self._add(own)
        except EpisodeError:
            self._columns = {name: self._columns[name] for name in before}
            for name, total in before.items():
                self._columns[name].truncate(total)
            self._steps = steps
            raise

    def _add(self, episode: SingleAgentEpisode) -> None:
        steps = len(episode)
        if not steps:
            return
        rewards, lengths = n_step_returns(episode.get_rewards(), self.n, self.discount)
        first = len(self._columns["observations"]) if self._columns else 0
        at_end = np.arange(steps) + lengths == steps
        terminated = at_end & episode.is_terminated
        new = {
            "observations": _arrays(episode.observations),
            "actions": _arrays(episode.actions),
            "rewards": rewards,
            "starts": first + np.arange(steps),
            "steps": lengths,
            "terminated": terminated,
            "truncated": at_end & episode.is_truncated,
            "discounts": np.where(terminated, 0.0, self.discount**lengths),
        } | {_output(key): _arrays(buffer) for key, buffer in episode.extra_model_outputs.items()}
        if not self._columns:
            self._columns = {name: InfiniteLookbackBuffer(column) for name, column in new.items()}
        else:
            self._extend(new)
        self._steps += steps

    def _extend(self, new: dict[str, Any]) -> None:
        if odd := new.keys() ^ self._columns.keys():
            raise EpisodeError(f"only some of the episodes have {sorted(odd)}")
        try:
            for name, column in new.items():
                self._columns[name].extend(column)
        except EpisodeError as error:
            raise EpisodeError(f"the episodes have different forms: {error}") from error

    def sample(self, size: int) -> Transitions:
        """Sample transitions, with replacement.

        Raises:
            EpisodeError: there are no steps.
        """
        if not self._steps:
            raise EpisodeError("there is nothing to draw from: no episode with a step was added")
        return self.at(self._rng.integers(self._steps, size=size))

    def at(self, indices: npt.ArrayLike) -> Transitions:
        """Return the transitions at indices from 0 to len - 1, counted over all episodes in the order in which they were added.

        Raises:
            IndexError: there is no such index; negative ones do not count from the end.
            EpisodeError: indices that are not integers.
        """
        chosen = np.asarray(indices)
        if chosen.dtype.kind not in "iu" and chosen.size:
            raise EpisodeError(f"indices are whole numbers, got the type {chosen.dtype}")
        chosen = chosen.astype(np.int64)
        odd = (chosen < 0) | (chosen >= self._steps)
        if odd.any():
            raise IndexError(f"no transition {chosen[odd].flat[0]}: there are {self._steps}, counted from 0")
        columns: dict[str, Any] = {name: buffer.data for name, buffer in self._columns.items()}
        rows = {name: _take(column, chosen) for name, column in columns.items() if name != "observations"}
        starts = rows["starts"]
        return Transitions(
            _take(columns["observations"], starts),
            rows["actions"],
            rows["rewards"],
            _take(columns["observations"], starts + rows["steps"]),
            rows["steps"],
            rows["terminated"],
            rows["truncated"],
            rows["discounts"],
            {name[len(OUTPUT) :]: column for name, column in rows.items() if name.startswith(OUTPUT)},
        )


OUTPUT = "extra_model_outputs."


def _output(key: str) -> str:
    return OUTPUT + key


def _arrays(buffer: InfiniteLookbackBuffer) -> Struct:
    values = buffer.get()
    return values if buffer.finalized else batch(values)


def _take(struct: Form, indices: npt.NDArray[np.int64]) -> Form:
    return map_structs(lambda _, leaf: leaf[indices], struct)
